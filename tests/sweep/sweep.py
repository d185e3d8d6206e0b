"""Runs the examples of one library under checks, and counts what they raise."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import io
import random
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.sweep.libraries import LIBRARIES

Place = tuple[str, int, str]
Example = tuple[str, Callable[[], object]]


@dataclass(frozen=True)
class Alarm:
    """One raised finding: a rule at a place in the library or in the example."""

    rule: str
    severity: str
    message: str
    where: str
    inside: str
    source: str
    operation: str
    shapes: str
    example: str

    def __str__(self) -> str:
        inside = f"\n      inside {self.inside}" if self.inside else ""
        return (
            f"  {self.severity:6} {self.rule} {self.message}\n      {self.where}: {self.source}{inside}\n"
            f"      {self.operation} of {self.shapes}, in example {self.example}"
        )


@dataclass
class Tally:
    """What the examples of one library add up to.

    A *group* is an operation with one set of shapes on one path of calls; a *site* is the innermost line of code
    (in the library or the example) with the operation that stretches an operand there: one line of a library that is
    reached by many examples is still one line that can be wrong.
    """

    library: str
    scope: str
    examples: int = 0
    operations: int = 0
    groups: int = 0
    seconds: float = 0.0
    alarms: list[Alarm] = field(default_factory=list)
    errors: dict[str, str] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    places: set[tuple[Place, str]] = field(default_factory=set)
    raised_places: set[tuple[Place, str]] = field(default_factory=set)

    @property
    def per_2000(self) -> float:
        """Raised places (a rule at a line) per 2,000 broadcast sites."""
        return 2000 * len(self.raised_places) / max(1, len(self.places))

    def add(self, example: str, report: Any) -> None:
        """Count the report of one example."""
        self.operations += report.operations
        for b in report.broadcasts:
            if any(b.stretched):
                self.groups += 1
                self.places.add((_place(b.site), b.operation))
        for f in report.suspicious:
            self.raised_places.add((_place(f.site), f.rule))
            self.alarms.append(_alarm(f, example))
        for p in report.problems:
            self.problems.setdefault(f"{p.where}: {p.why}", example)

    def to_dict(self) -> dict[str, Any]:
        """Plain data for ``--json``."""
        return {
            "library": self.library,
            "scope": self.scope,
            "examples": self.examples,
            "operations": self.operations,
            "groups": self.groups,
            "raised_groups": len(self.alarms),
            "per_2000_groups": round(2000 * len(self.alarms) / max(1, self.groups), 2),
            "sites": len(self.places),
            "raised_sites": len(self.raised_places),
            "per_2000_sites": round(self.per_2000, 2),
            "seconds": round(self.seconds, 1),
            "alarms": [dataclasses.asdict(a) for a in self.alarms],
            "errors": self.errors,
            "problems": self.problems,
        }


def sweep(library: str, *, scope: str = "user", only: str = "", plain: bool = False) -> Tally:
    """Run the examples of `library`, each in a check of its own, from the same random state.

    Parameters
    ----------
    library
        A name in `LIBRARIES`.
    scope
        Passed to ``shapecell.check``.
    only
        Run only the examples with this in their name.
    plain
        Run them without a check; shows whether a failure is the example's own.
    """
    import shapecell

    tally = Tally(library, "none" if plain else scope)
    started = time.perf_counter()
    for name, example in load(library):
        if only not in name:
            continue
        tally.examples += 1
        _seed()
        with _quiet():
            if plain:
                error = _run(example)
            else:
                with shapecell.check(scope=scope) as report:
                    error = _run(example)
                tally.add(name, report)
        if error is not None:
            tally.errors[name] = error
    tally.seconds = time.perf_counter() - started
    return tally


def load(library: str) -> list[Example]:
    """The examples of `library`.

    Raises
    ------
    ImportError
        If the library is not installed.
    """
    module = importlib.import_module(f"tests.sweep.libraries.{LIBRARIES[library]}")
    examples = module.EXAMPLES
    assert isinstance(examples, list)
    return examples


def _run(example: Callable[[], object]) -> str | None:
    try:
        example()
    except Exception:
        return traceback.format_exc(limit=-4)
    return None


def _seed() -> None:
    import numpy
    import torch

    random.seed(0)
    numpy.random.seed(0)
    torch.manual_seed(0)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    with (
        warnings.catch_warnings(),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        warnings.simplefilter("ignore")
        yield


def _short(filename: str) -> str:
    for mark in ("site-packages/", "/tests/"):
        if mark in filename:
            return filename.rpartition(mark)[2]
    return filename


def _place(site: Any) -> Place:
    if site.library:
        frame = site.library[-1]
        return (frame.filename, frame.line, frame.function)
    return (site.filename, site.line, site.source)


def _alarm(finding: Any, example: str) -> Alarm:
    site, broadcast = finding.site, finding.broadcast
    inside = ""
    if site.library:
        frame = site.library[-1]
        inside = f"{_short(frame.filename)}:{frame.line} in {frame.function}"
    return Alarm(
        rule=finding.rule,
        severity=finding.severity,
        message=finding.message,
        where=f"{_short(site.filename)}:{site.line}",
        inside=inside,
        source=" ".join(site.source.split()),
        operation=broadcast.operation,
        shapes=" ".join(f"{o.name}{o.shape}" for o in broadcast.operands),
        example=example,
    )
