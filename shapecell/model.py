"""Plain data that a check hands back. Nothing here knows a framework, IPython or a renderer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
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
        Shape of the result (of the selection, for an assignment); None if the operation raised.
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


def _location(site: Site) -> tuple[str, int, int, int, int]:
    return (site.filename, site.line, site.col, site.end_line, site.end_col)


def _broadcast_key(b: Broadcast) -> tuple[object, ...]:
    return (_location(b.site), b.operation, tuple(o.shape for o in b.operands), b.result_shape, b.site.stack)


def _finding_key(f: Finding) -> tuple[object, ...]:
    return (f.rule, f.severity, f.message, _broadcast_key(f.broadcast))


def finding_order(f: Finding) -> tuple[object, ...]:
    """Sort key: highest severity first, then by place."""
    return (SEVERITIES.index(f.severity), f.site.filename, f.site.line, f.site.col, f.rule)


class Report:
    """What a check saw. Reading a property while the check still runs gives the state so far.

    Sites, names and findings are worked out when they are first read, never while the code under check runs.
    """

    def __init__(self, source: Snapshot | Callable[[], Snapshot] | None = None) -> None:
        self._read: Callable[[], Snapshot] | None = None
        self._snapshot: Snapshot | None = None
        if callable(source):
            self._read = source
        else:
            self._snapshot = source if source is not None else Snapshot()

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
        """The findings of severity `level` or above."""
        wanted = SEVERITIES[: SEVERITIES.index(level) + 1]
        return [f for f in self.findings if f.severity in wanted]

    def raise_if(self, level: Severity = "medium") -> None:
        """Raise if there is a finding of severity `level` or above.

        Raises
        ------
        ShapeCheckError
            With the text of the report.
        """
        if level not in SEVERITIES:
            raise ValueError(f"level must be one of {', '.join(SEVERITIES)}, not {level!r}")
        if self.at_level(level):
            raise ShapeCheckError("\n" + self.to_text())

    def merge(self, other: Report) -> Report:
        """Both reports as one: counts of equal groups add up. Associative; neither report is changed."""
        a, b = self.snapshot(), other.snapshot()
        findings = _merged(a.findings, b.findings, _finding_key, _add_findings)
        return Report(
            Snapshot(
                findings=tuple(sorted(findings, key=finding_order)),
                broadcasts=_merged(a.broadcasts, b.broadcasts, _broadcast_key, _add_broadcasts),
                operations=a.operations + b.operations,
                problems=_merged(a.problems, b.problems, lambda p: (p.where, p.why), _add_problems),
                suppressed=_merged(a.suppressed, b.suppressed, _finding_key, _add_findings),
                unrecorded=a.unrecorded + b.unrecorded,
                frameworks=tuple(dict.fromkeys(a.frameworks + b.frameworks)),
            )
        )

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data, after ``shapecell/report.schema.json``."""
        data = _plain(self.snapshot())
        assert isinstance(data, dict)
        return {"version": SCHEMA_VERSION, **data}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Report:
        """The inverse of `to_dict`.

        Raises
        ------
        ValueError
            If `data` is no report, or one of a later version.
        """
        version = data.get("version") if isinstance(data, Mapping) else None
        if version != SCHEMA_VERSION:
            raise ValueError(f"not a shapecell report of version {SCHEMA_VERSION} (version is {version!r})")
        try:
            return cls(_read_snapshot(data))
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a shapecell report: {error!r}") from error

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
        try:
            import pandas
        except ImportError as error:
            raise ImportError("Report.to_frame() needs pandas: pip install 'shapecell[pandas]'") from error
        columns = [
            "rule", "severity", "file", "line", "source", "operation", "shapes", "result", "count", "message",
            "fix",
        ]  # fmt: skip
        rows = [
            (
                f.rule, f.severity, f.site.filename, f.site.line, f.site.source, f.broadcast.operation,
                tuple(o.shape for o in f.broadcast.operands), f.broadcast.result_shape, f.count, f.message,
                f.fixes[0] if f.fixes else None,
            )
            for f in self.findings
        ]  # fmt: skip
        return pandas.DataFrame(rows, columns=columns)

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

    def __repr__(self) -> str:
        snapshot = self.snapshot()
        suspicious = sum(f.suspicious for f in snapshot.findings)
        return (
            f"<Report: {suspicious} suspicious, {len(snapshot.broadcasts)} broadcasts, "
            f"{snapshot.operations} operations>"
        )

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __len__(self) -> int:
        return len(self.snapshot().findings)

    def __bool__(self) -> bool:
        return True


def _merged(a: Iterable[Any], b: Iterable[Any], key: Callable[[Any], object], add: Any) -> tuple[Any, ...]:
    out: dict[object, Any] = {}
    for item in (*a, *b):
        k = key(item)
        out[k] = add(out[k], item) if k in out else item
    return tuple(out.values())


def _add_broadcasts(a: Broadcast, b: Broadcast) -> Broadcast:
    variants = tuple(dict.fromkeys(a.variants + b.variants))
    return dataclasses.replace(
        a, count=a.count + b.count, first=min(a.first, b.first), last=max(a.last, b.last), variants=variants
    )


def _add_findings(a: Finding, b: Finding) -> Finding:
    return dataclasses.replace(a, count=a.count + b.count, broadcast=_add_broadcasts(a.broadcast, b.broadcast))


def _add_problems(a: Problem, b: Problem) -> Problem:
    return dataclasses.replace(a, count=a.count + b.count)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {f.name: _plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return value


def _shape(value: Any) -> Shape | None:
    return None if value is None else tuple(value)


def _read_site(d: Mapping[str, Any]) -> Site:
    return Site(**{**d, "stack": tuple(Frame(**frame) for frame in d["stack"])})


def _read_broadcast(d: Mapping[str, Any]) -> Broadcast:
    operands = tuple(
        Operand(o["name"], tuple(o["shape"]), tuple(Axis(**axis) for axis in o["axes"])) for o in d["operands"]
    )
    variants = tuple(tuple(tuple(shape) for shape in variant) for variant in d["variants"])
    return Broadcast(
        **{
            **d,
            "operands": operands,
            "result_shape": _shape(d["result_shape"]),
            "stretched": tuple(d["stretched"]),
            "site": _read_site(d["site"]),
            "variants": variants,
        }
    )


def _read_finding(d: Mapping[str, Any]) -> Finding:
    return Finding(
        **{
            **d,
            "fixes": tuple(d["fixes"]),
            "site": _read_site(d["site"]),
            "broadcast": _read_broadcast(d["broadcast"]),
        }
    )


def _read_snapshot(d: Mapping[str, Any]) -> Snapshot:
    return Snapshot(
        findings=tuple(map(_read_finding, d["findings"])),
        broadcasts=tuple(map(_read_broadcast, d["broadcasts"])),
        operations=d["operations"],
        problems=tuple(Problem(**p) for p in d["problems"]),
        suppressed=tuple(map(_read_finding, d["suppressed"])),
        unrecorded=d["unrecorded"],
        frameworks=tuple(d["frameworks"]),
        source=d["source"],
        source_hash=d["source_hash"],
    )


__all__ = [
    "SCHEMA_VERSION", "SEVERITIES", "SUSPICIOUS", "Axis", "Broadcast", "Finding", "Frame", "Intent", "Kind",
    "Operand", "Problem", "Report", "Severity", "Shape", "ShapeCheckError", "Site", "Snapshot",
    "finding_order",
]  # fmt: skip
