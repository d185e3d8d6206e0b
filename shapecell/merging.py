"""Two reports as one: equal groups become one group, and what can be counted is added."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import replace
from typing import TypeVar

from shapecell.model import Broadcast, Finding, Problem, Snapshot, finding_order

Item = TypeVar("Item")


def merged(a: Snapshot, b: Snapshot) -> Snapshot:
    """Everything in `a` and `b`. Associative, and commutative up to order; the empty snapshot changes no group."""
    findings = _united((*a.findings, *b.findings), _finding_key, _both_findings)
    return Snapshot(
        findings=tuple(sorted(findings, key=finding_order)),
        broadcasts=_united((*a.broadcasts, *b.broadcasts), _broadcast_key, _both_broadcasts),
        operations=a.operations + b.operations,
        problems=_united((*a.problems, *b.problems), lambda p: (p.where, p.why), _both_problems),
        suppressed=_united((*a.suppressed, *b.suppressed), _finding_key, _both_findings),
        unrecorded=a.unrecorded + b.unrecorded,
        frameworks=tuple(dict.fromkeys(a.frameworks + b.frameworks)),
    )


def _united(
    items: Iterable[Item], key: Callable[[Item], Hashable], both: Callable[[Item, Item], Item]
) -> tuple[Item, ...]:
    out: dict[Hashable, Item] = {}
    for item in items:
        k = key(item)
        out[k] = both(out[k], item) if k in out else item
    return tuple(out.values())


def _broadcast_key(b: Broadcast) -> tuple[Hashable, ...]:
    s = b.site
    place = (s.filename, s.line, s.col, s.end_line, s.end_col, s.stack)
    return (place, b.framework, b.operation, tuple(o.shape for o in b.operands), b.result_shape)


def _finding_key(f: Finding) -> tuple[Hashable, ...]:
    return (f.rule, f.severity, f.message, _broadcast_key(f.broadcast))


def _uncounted(b: Broadcast) -> Broadcast:
    return replace(b, count=0, first=0, last=0, variants=())


def _both_broadcasts(a: Broadcast, b: Broadcast) -> Broadcast:
    """The earlier of both speaks for the group, so that the order of merging does not matter."""
    speaker = min(a, b, key=lambda x: (x.first, repr(_uncounted(x))))
    return _summed(speaker, a, b)


def _summed(speaker: Broadcast, a: Broadcast, b: Broadcast) -> Broadcast:
    return replace(
        speaker,
        count=a.count + b.count,
        first=min(a.first, b.first),
        last=max(a.last, b.last),
        variants=tuple(dict.fromkeys(a.variants + b.variants)),
    )


def _both_findings(a: Finding, b: Finding) -> Finding:
    speaker = min(a, b, key=lambda x: (x.broadcast.first, repr(replace(x, count=0, broadcast=_uncounted(x.broadcast)))))
    return replace(speaker, count=a.count + b.count, broadcast=_summed(speaker.broadcast, a.broadcast, b.broadcast))


def _both_problems(a: Problem, b: Problem) -> Problem:
    return replace(a, count=a.count + b.count)
