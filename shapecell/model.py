"""Plain data that a check hands back. Nothing here knows a framework, IPython or a renderer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TextIO

if TYPE_CHECKING:
    import pandas

Severity = Literal["high", "medium", "low"]
Intent = Literal["explicit", "incidental"]
Kind = Literal["elementwise", "assign", "contract", "reduce", "view", "join", "loss", "align", "create", "opaque"]
Shape = tuple[int, ...]

SEVERITIES: tuple[Severity, ...] = ("high", "medium", "low")
"""All severities, most serious first."""

SUSPICIOUS: tuple[Severity, ...] = ("high", "medium")
"""The severities that count; "low" is a note."""

SCHEMA_VERSION = 1
"""Version of the JSON form; see ``shapecell/report.schema.json``."""


class ShapeCheckError(AssertionError):
    """Raised by `Report.raise_if` when a report holds findings of the given severity or above."""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of an operand as it was when the operation ran.

    Attributes
    ----------
    length
        Number of elements along the axis.
    name
        Where the axis comes from, readable (``"x axis 0"``, ``"Linear(64→1) features"``), or None.
    reason
        For an axis of length 1, why it is 1 (``"keepdims of mean"``, ``"Linear(out_features=1)"``), or None.
    intent
        For an axis of length 1, whether that reason shows that the 1 was written on purpose.
    position
        Which axis of the result this axis met, counted from the left; None if it vanished (contracted).
    stretched_to
        The length to which the operation stretched this axis, or None if it was not stretched.
    crossed
        True if the axis met another axis of the same origin: the wrong one.
    """

    length: int
    name: str | None = None
    reason: str | None = None
    intent: Intent | None = None
    position: int | None = None
    stretched_to: int | None = None
    crossed: bool = False


@dataclass(frozen=True, slots=True)
class Operand:
    """One operand: its expression in the source, its shape, and its axes (one per dimension)."""

    name: str
    shape: Shape
    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """One line of a call stack. `library` is True for third-party code and the standard library."""

    filename: str
    line: int
    function: str
    source: str = ""
    library: bool = False


@dataclass(frozen=True, slots=True)
class Site:
    """The expression that an operation stands for, in the user's code where that is known.

    Attributes
    ----------
    filename, line, end_line, col, end_col
        Position of the expression; lines from 1, columns from 0 and in characters.
    source
        The exact sub-expression, ``""`` if the source is not at hand.
    function
        Name of the function that holds it, ``"<module>"`` at top level.
    stack
        Outer user frames first, then the library frames between the user's line and the operation.
    """

    filename: str
    line: int
    end_line: int
    col: int
    end_col: int
    source: str
    function: str
    stack: tuple[Frame, ...] = ()

    @property
    def library(self) -> tuple[Frame, ...]:
        """The library frames between the user's line and the operation, outermost first."""
        return tuple(frame for frame in self.stack if frame.library)


@dataclass(frozen=True, slots=True)
class Broadcast:
    """A group of executions of one operation at one site with one set of shapes.

    Attributes
    ----------
    operation
        The operation as a user would write it (``"torch.sub"``).
    framework, kind
        ``"numpy"``, ``"torch"``, …; and the kind of operation in shapecell's vocabulary.
    operands
        The operands in source order.
    result_shape
        Shape of the result (of the selection, for an assignment, even one that raised); else None if it raised.
    stretched
        Per axis of the result: True if some operand was stretched along it.
    growth
        Elements of the result over elements of the largest operand.
    site
        Where it is.
    count
        How often it ran.
    first, last
        Serial number of the first and the last execution within the check.
    failing_axis
        Axis of the (never made) result on which the operands disagree, counted from the left; else None.
    variants
        Other operand shapes that the same expression had (the last, incomplete batch, say).
    """

    operation: str
    framework: str
    kind: Kind
    operands: tuple[Operand, ...]
    result_shape: Shape | None
    stretched: tuple[bool, ...]
    growth: float
    site: Site
    count: int
    first: int
    last: int
    failing_axis: int | None = None
    variants: tuple[tuple[Shape, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in the checked code that was probably not meant.

    Attributes
    ----------
    rule
        Code of the rule, ``"SC101"``.
    severity
        ``"high"``: almost surely a bug; ``"medium"``: look at it; ``"low"``: a note.
    message
        One line: what happened, to which operand, with which shapes.
    why
        The evidence and the consequence, in a sentence or two.
    fixes
        Replacement expressions, best first. Each was tried on the actual shapes.
    site, broadcast
        Where, and the operation with its axes.
    count
        How often the operation ran.
    """

    rule: str
    severity: Severity
    message: str
    why: str
    fixes: tuple[str, ...]
    site: Site
    broadcast: Broadcast
    count: int

    @property
    def suspicious(self) -> bool:
        """True for "high" and "medium"."""
        return self.severity in SUSPICIOUS


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that shapecell could not follow, and why. `count` is how often."""

    where: str
    why: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Everything a report knows, resolved to plain data."""

    findings: tuple[Finding, ...] = ()
    broadcasts: tuple[Broadcast, ...] = ()
    operations: int = 0
    problems: tuple[Problem, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    unrecorded: int = 0
    frameworks: tuple[str, ...] = ()
    source: str | None = None
    source_hash: str | None = None


def finding_order(f: Finding) -> tuple[object, ...]:
    """Sort key: highest severity first, then by place."""
    return (SEVERITIES.index(f.severity), f.site.filename, f.site.line, f.site.col, f.rule)


class Report:
    """What a check saw. Reading a property while the check still runs gives the state so far.

    Sites, names and findings are worked out when they are first read, never while the code under check runs.
    """

    def __init__(self, source: Snapshot | Callable[[], Snapshot] | None = None) -> None:
        self._read = source if callable(source) else None
        self._snapshot = None if callable(source) else source or Snapshot()

    def snapshot(self) -> Snapshot:
        """The report as plain frozen data."""
        if self._snapshot is not None:
            return self._snapshot
        assert self._read is not None
        return self._read()

    def finish(self) -> None:
        """Fix the report at its present state and let go of what it was read from."""
        self._snapshot = self.snapshot()
        self._read = None

    @property
    def findings(self) -> list[Finding]:
        """Findings, highest severity first. Suppressed ones are in `suppressed`."""
        return list(self.snapshot().findings)

    @property
    def suspicious(self) -> list[Finding]:
        """The findings of severity "high" or "medium"."""
        return [f for f in self.findings if f.suspicious]

    @property
    def suppressed(self) -> list[Finding]:
        """Findings that the user has declared fine."""
        return list(self.snapshot().suppressed)

    @property
    def broadcasts(self) -> list[Broadcast]:
        """Every group of operations that stretched an operand or has a finding, in order of appearance."""
        return list(self.snapshot().broadcasts)

    @property
    def operations(self) -> int:
        """How many operations were followed."""
        return self.snapshot().operations

    @property
    def problems(self) -> list[Problem]:
        """What could not be followed, and why."""
        return list(self.snapshot().problems)

    @property
    def unrecorded(self) -> int:
        """How many groups went unrecorded because the store was full ("and N more")."""
        return self.snapshot().unrecorded

    @property
    def frameworks(self) -> tuple[str, ...]:
        """Names of the frameworks that were followed."""
        return self.snapshot().frameworks

    def at_level(self, level: Severity) -> list[Finding]:
        """The findings of severity `level` or above.

        Raises
        ------
        ValueError
            If there is no such level.
        """
        if level not in SEVERITIES:
            raise ValueError(f"level must be one of {', '.join(SEVERITIES)}, not {level!r}")
        wanted = SEVERITIES[: SEVERITIES.index(level) + 1]
        return [f for f in self.findings if f.severity in wanted]

    def raise_if(self, level: Severity = "medium") -> None:
        """Raise if there is a finding of severity `level` or above.

        Raises
        ------
        ShapeCheckError
            With the text of the report, the findings in question in full.
        ValueError
            If there is no such level.
        """
        if self.at_level(level):
            raise ShapeCheckError("\n" + self.to_text(level=level))

    def merge(self, other: Report) -> Report:
        """Both reports as one: counts of equal groups add up. Associative; neither report is changed.

        The merged report has no `source`: it is about no single cell.
        """
        from shapecell.merging import merged

        return Report(merged(self.snapshot(), other.snapshot()))

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data, after ``shapecell/report.schema.json``."""
        from shapecell.serial import to_plain

        return to_plain(self.snapshot())

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The inverse of `to_dict`.

        Raises
        ------
        ValueError
            If `data` is no report, or one of a later version; the message says which part is wrong.
        """
        from shapecell.serial import from_plain

        return cls(from_plain(data))

    def to_json(self, *, indent: int | None = None) -> str:
        """The report as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def to_frame(self) -> pandas.DataFrame:
        """One row per finding, as a pandas DataFrame.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        from shapecell.render.frame import report_frame

        return report_frame(self)

    def to_text(self, *, level: Severity = "medium", width: int = 100) -> str:
        """The report as plain text: a heading, then each finding of severity `level` or above."""
        from shapecell.render.text import report_text

        return report_text(self, level=level, width=width)

    def to_html(self, *, level: Severity = "medium") -> str:
        """The report as one static HTML fragment that reads well without styles or scripts."""
        from shapecell.render.html import report_html

        return report_html(self, level=level)

    def print(self, *, level: Severity = "medium", file: TextIO | None = None) -> None:
        """Print the report: in colour where `file` is a terminal, plain elsewhere."""
        from shapecell.render.text import print_report

        print_report(self, level=level, file=file)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """What a notebook shows where a report is the value of a cell."""
        from shapecell.render.mime import mime_bundle

        return mime_bundle(self)

    def __repr__(self) -> str:
        s = self.snapshot()
        suspicious = sum(finding.suspicious for finding in s.findings)
        return f"<Report: {suspicious} suspicious, {len(s.broadcasts)} broadcasts, {s.operations} operations>"

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.snapshot().findings)

    def __bool__(self) -> bool:
        return True


__all__ = [
    "SCHEMA_VERSION", "SEVERITIES", "SUSPICIOUS", "Axis", "Broadcast", "Finding", "Frame", "Intent", "Kind",
    "Operand", "Problem", "Report", "Severity", "Shape", "ShapeCheckError", "Site", "Snapshot",
    "finding_order",
]  # fmt: skip
