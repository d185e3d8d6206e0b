"""All rules, in the order of their codes."""

from __future__ import annotations

from shapecell.rules.base import Rule
from shapecell.rules.collapse import COLLAPSE, INNER, NORMS
from shapecell.rules.counting import COUNT, OVERWRITING
from shapecell.rules.crossing import CROSSING, TWICE
from shapecell.rules.failing import FAILING
from shapecell.rules.growth import GROWTH
from shapecell.rules.indexing import INDEX
from shapecell.rules.losses import LOSS, WEIGHTS
from shapecell.rules.ordering import RECURRENT, SCRAMBLE, SOFTMAX
from shapecell.rules.pairs import PAIRS

RULES: tuple[Rule, ...] = (
    FAILING,
    PAIRS,
    LOSS,
    GROWTH,
    INDEX,
    WEIGHTS,
    CROSSING,
    COLLAPSE,
    INNER,
    NORMS,
    TWICE,
    OVERWRITING,
    SCRAMBLE,
    SOFTMAX,
    COUNT,
    RECURRENT,
)
BY_CODE: dict[str, Rule] = {rule.code: rule for rule in RULES}
