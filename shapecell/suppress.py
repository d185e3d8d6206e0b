"""What the user has declared fine: ``# shapecheck: ok`` on the line, ``with shapecell.allow("SC101"):``."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shapecell.model import Finding
from shapecell.tracking.allowance import ALLOWED, EVERY

_COMMENT = re.compile(r"#\s*shapecheck:\s*ok\b(?P<codes>[^#\n]*?)(?:--(?P<reason>.*))?$")


@dataclass(frozen=True, slots=True)
class Ignore:
    """A ``# shapecheck: ok`` comment: its line, the rules it names (none: every rule), and its reason."""

    line: int
    rules: tuple[str, ...]
    reason: str | None

    def matches(self, finding: Finding) -> bool:
        """True if the comment stands on one of the finding's lines and covers its rule."""
        site = finding.site
        return site.line <= self.line <= site.end_line and (not self.rules or finding.rule in self.rules)

    def __str__(self) -> str:
        return " ".join(("# shapecheck: ok", *self.rules))


def ignores_in(lines: Iterable[str]) -> list[Ignore]:
    """The ``# shapecheck: ok`` comments of a source. Text inside strings does not count."""
    source = "".join(lines)
    if "shapecheck:" not in source:
        return []
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            match = _COMMENT.search(token.string) if token.type == tokenize.COMMENT else None
            if match is not None:
                codes = tuple(code.upper() for code in re.split(r"[\s,]+", match["codes"].strip()) if code)
                reason = match["reason"].strip() if match["reason"] else None
                found.append(Ignore(token.start[0], codes, reason))
    except (tokenize.TokenError, SyntaxError):
        return found
    return found


@contextmanager
def allow(*rules: str) -> Iterator[None]:
    """Inside this block, findings of `rules` (of every rule if none is named) are suppressed.

    They are still counted, and listed under `Report.suppressed`.

    Raises
    ------
    ValueError
        If there is no such rule; the message lists those that exist.
    """
    from shapecell.rules.catalogue import BY_CODE
    from shapecell.session import look_again

    codes = [rule.strip().upper() for rule in rules]
    for code in codes:
        if code not in BY_CODE:
            raise ValueError(f"no rule {code!r}; the rules are {', '.join(BY_CODE)}")
    token = ALLOWED.set(ALLOWED.get() | (frozenset(codes) if codes else frozenset({EVERY})))
    look_again()
    try:
        yield
    finally:
        ALLOWED.reset(token)
        look_again()
