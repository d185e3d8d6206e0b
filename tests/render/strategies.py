"""Random reports, also with names and sources that mean harm."""

from __future__ import annotations

import dataclasses
from typing import get_args

from hypothesis import strategies as st

from shapecell.model import SEVERITIES, Axis, Broadcast, Finding, Frame, Kind, Operand, Problem, Report, Site, Snapshot
from tests.render import examples as ex

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><b id=\'a\' name="b">',
    "a & b &lt; c",
    "`${x}`",
    "\x1b[31mred\x1b[0m",
    "\x1b]8;;http://x\x07",
    "\u202eevil\u202c",
    "\u2066a\u2069",
    "a\x00b",
    "\ud800",
    "line\nbreak",
    "[bold]x[/bold]",
    "javascript:alert(1)",
    "'; drop",
    "\u200b\u200e\ufeff",
    "<!--",
    "]]>",
    "</td></table>",
    "<?x",
    "<![CDATA[",
)

harmless = st.text(st.characters(codec="utf-8"), max_size=4)
hostile = st.sampled_from([*HOSTILE, *(a + b for a in HOSTILE[::3] for b in HOSTILE)])
numbers = st.integers(0, 10**9)
lengths = st.sampled_from((0, 1, 2, 3, 8, 10**7))
shapes = st.sampled_from(((), (3,), (3, 1), (10**7, 0, 2)))


def reports(texts: st.SearchStrategy[str]) -> st.SearchStrategy[Report]:
    """Reports whose strings come from `texts`."""
    optional = st.none() | texts
    frames = st.builds(Frame, texts, numbers, texts, texts, st.booleans())
    sites = st.builds(
        Site, texts, numbers, numbers, numbers, numbers, texts, texts, st.lists(frames, max_size=2).map(tuple)
    )
    axes = st.builds(
        Axis, lengths, optional, optional, st.sampled_from(("explicit", "incidental", None)),
        st.sampled_from((None, 0, 1, 2, 3)), st.none() | lengths, st.booleans(),
    )  # fmt: skip
    operands = st.builds(
        lambda name, axes: Operand(name, tuple(axis.length for axis in axes), tuple(axes)),
        texts,
        st.lists(axes, max_size=2),
    )

    @st.composite
    def broadcasts(draw: st.DrawFn) -> Broadcast:
        result = draw(st.sampled_from((None, (3, 1, 8, 2), (2, 2, 2, 2, 2, 2, 2))))
        return Broadcast(
            draw(texts), draw(texts), draw(st.sampled_from(get_args(Kind))),
            tuple(draw(st.lists(operands, max_size=2))), result, tuple(True for _ in result or ()),
            draw(st.floats(0, 1e6)), draw(sites), draw(numbers), draw(numbers), draw(numbers),
            draw(st.sampled_from((None, 0, 3))) if result is None else None,
            tuple(draw(st.lists(st.tuples(shapes, shapes), max_size=2))),
        )  # fmt: skip

    @st.composite
    def findings(draw: st.DrawFn) -> Finding:
        broadcast = draw(broadcasts())
        return Finding(
            draw(texts), draw(st.sampled_from(SEVERITIES)), draw(texts), draw(texts),
            tuple(draw(st.lists(texts, max_size=2))), broadcast.site, broadcast, draw(numbers),
        )  # fmt: skip

    problems = st.builds(Problem, texts, texts, st.integers(1, 9))
    return st.builds(
        lambda *parts: Report(Snapshot(*parts)),
        st.lists(findings(), max_size=2).map(tuple),
        st.lists(broadcasts(), max_size=1).map(tuple),
        numbers,
        st.lists(problems, max_size=1).map(tuple),
        st.lists(findings(), max_size=1).map(tuple),
        numbers,
        st.lists(texts, max_size=2, unique=True).map(tuple),
        optional,
        st.sampled_from((None, "0f" * 32)),
    )


GROUPS = tuple(
    dataclasses.replace(broadcast, count=count, first=first, last=first + count, growth=growth, variants=variants)
    for broadcast in (ex.PAIRS, ex.CROSSED)
    for count, first in ((1, 1), (2, 1), (3, 7))
    for growth in (1.0, 2.0)
    for variants in ((), (((7, 1), (7,)),), (((3, 1), (3,)), ((7, 1), (7,))))
)
"""Few groups, counted and described in many ways."""

FINDINGS = tuple(
    dataclasses.replace(ex.PAIRS_FINDING, broadcast=group, count=group.count, site=group.site, why=why, message=message)
    for group in GROUPS
    for why in ("a", "b")
    for message in ("m", "n")
)


def _groups(items: tuple[Finding, ...] | tuple[Broadcast, ...]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(st.sampled_from(items), max_size=3).map(tuple)


colliding: st.SearchStrategy[Report] = st.builds(
    lambda *parts: Report(Snapshot(*parts)),
    _groups(FINDINGS),
    _groups(GROUPS),
    numbers,
    st.lists(st.builds(Problem, st.just("here"), st.sampled_from("ab"), st.integers(1, 9)), max_size=2).map(tuple),
    _groups(FINDINGS),
    numbers,
    st.sampled_from(((), ("torch",), ("numpy", "torch"), ("torch", "numpy"))),
    st.sampled_from((None, "x")),
)
"""Reports that share groups."""
