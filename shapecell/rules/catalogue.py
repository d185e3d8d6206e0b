"""All rules, in the order of their codes."""

from __future__ import annotations

from shapecell.rules.base import Rule
from shapecell.rules.crossing import CROSSING
from shapecell.rules.failing import FAILING
from shapecell.rules.growth import GROWTH
from shapecell.rules.losses import LOSS
from shapecell.rules.pairs import PAIRS

RULES: tuple[Rule, ...] = (FAILING, PAIRS, LOSS, GROWTH, CROSSING)
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in RULES}
