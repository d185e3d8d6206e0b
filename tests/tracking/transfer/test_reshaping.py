"""The algebra of reshape."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.model import Shape
from shapecell.tracking.axes import Layout
from shapecell.tracking.operation import Reshape
from shapecell.tracking.transfer.reshaping import Scramble
from tests.tracking.transfer.building import add, array, mean, names, outcome, transposed, unsqueezed


def reshape(layout: Layout, *shape: int, written: Shape | None = None) -> Layout:
    return outcome(Reshape(written), layout, gives=shape).results[0]


def scramble(before: Shape, after: Shape, written: Shape | None = None) -> Scramble | None:
    found = outcome(Reshape(written), array("x", *before), gives=after).notes.get("scrambled")
    assert found is None or isinstance(found, Scramble)
    return found


def test_neighbours_merge_and_part_again() -> None:
    x = array("x", 4, 5, 3)
    flat = reshape(x, 20, 3)
    assert names(flat) == ["x axis 0 × x axis 1", "x axis 2"]
    assert reshape(flat, 4, 5, 3).axes == x.axes
    assert reshape(flat, 60).axes[0].atoms == tuple(axis.atom for axis in x.axes)


def test_an_axis_splits_and_merges_again() -> None:
    x = array("x", 2, 12)
    heads = reshape(x, 2, 3, 4)
    assert names(heads) == ["x axis 0", "x axis 1, part 1 of 2", "x axis 1, part 2 of 2"]
    assert reshape(heads, 2, 12).axes == x.axes
    assert reshape(x, 2, 3, 4).axes == heads.axes
    assert reshape(reshape(reshape(x, 24), 2, 3, 2, 2), 2, 12).axes == x.axes


def test_pieces_of_an_axis_do_not_meet_each_other() -> None:
    square = reshape(array("x", 16), 4, 4)
    (crossing,) = add(square, mean(square, 1), gives=(4, 4)).crossings
    assert crossing.belongs == 0


@pytest.mark.parametrize(
    ("before", "after", "disorder"),
    [
        ((32, 24, 3), (3, 32, 24), "permuted"),
        ((4, 6), (6, 4), "permuted"),
        ((2, 6), (6, 2), "permuted"),
        ((100, 2), (2, 100), "permuted"),
        ((8, 4, 16), (8, 16, 4), "permuted"),
        ((32, 1, 24), (24, 1, 32), "permuted"),
        ((2, 12, 32), (2, 4, 12, 8), "mixed"),
        ((2, 10, 32), (2, 4, 10, 8), "cut"),
        ((2, 3, 4), (4, 6), "cut"),
    ],
)
def test_what_scrambles(before: Shape, after: Shape, disorder: str) -> None:
    found = scramble(before, after)
    assert found is not None
    assert (found.disorder, found.before, found.after) == (disorder, before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((4, 6), (4, 6)),
        ((4, 6), (24,)),
        ((24,), (6, 4)),
        ((4, 5, 3), (20, 3)),
        ((4, 5, 3), (4, 15)),
        ((4, 12), (4, 3, 4)),
        ((8, 12), (32, 3)),
        ((32, 3), (8, 12)),
        ((4, 6), (4, 1, 6)),
        ((4, 1), (1, 4)),
        ((), (1, 1)),
        ((1,), ()),
        ((0, 3), (3, 0)),
        ((2, 0), (0, 5, 7)),
    ],
)
def test_what_does_not(before: Shape, after: Shape) -> None:
    assert scramble(before, after) is None


def test_only_the_axes_concerned_are_lost() -> None:
    x = array("x", 2, 3, 5, 7)
    found = scramble(x.shape, (2, 5, 3, 7))
    assert found is not None
    assert (found.sources, found.targets) == ((1, 2), (1, 2))
    made = reshape(x, 2, 5, 3, 7)
    assert (made.axes[0], made.axes[3]) == (x.axes[0], x.axes[3])
    assert names(made)[1:3] == ["result axis 1", "result axis 2"]


def test_a_merged_shape_parts_the_other_way_round_without_disorder() -> None:
    rows = reshape(array("x", 4, 2, 4), 8, 4)
    made = outcome(Reshape((4, 8)), rows, gives=(4, 8))
    assert "scrambled" not in made.notes
    assert names(made.results[0]) == ["x axis 0", "x axis 1 × x axis 2"]


def test_a_transpose_before_a_merge_shows_in_the_order_of_factors() -> None:
    x = array("x", 4, 5)
    assert names(reshape(transposed(x), 20)) == ["x axis 1 × x axis 0"]


# ---------------------------------------------------------------- 1s


def test_a_1_that_was_written_is_explicit() -> None:
    one = reshape(array("y", 4), 4, 1, written=(-1, 1)).axes[1].one
    assert one is not None
    assert one.intent == "explicit"


def test_a_1_that_came_from_elsewhere_is_incidental() -> None:
    for written in (None, (4, -1)):
        one = reshape(array("y", 4), 4, 1, written=written).axes[1].one
        assert one is not None
        assert one.intent == "incidental"


def test_a_1_that_was_there_keeps_its_reason() -> None:
    written = unsqueezed(array("y", 12), 1)
    assert reshape(written, 3, 4, 1).axes[2] == written.axes[1]
    kept = mean(array("x", 12, 5), 1, keepdims=True)
    one = reshape(kept, 3, 4, 1, written=(3, 4, 1)).axes[2].one
    assert one is not None
    assert kept.axes[1].one is not None
    assert one.reduced == kept.axes[1].one.reduced != frozenset()


# ---------------------------------------------------------------- there and back

SIZES = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=4).map(tuple)


@st.composite
def coarser(draw: st.DrawFn, shape: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` with some neighbours merged."""
    out: list[int] = []
    for length in shape:
        if out and draw(st.booleans()):
            out[-1] *= length
        else:
            out.append(length)
    return tuple(out)


@settings(deadline=None)
@given(st.data(), SIZES)
def test_merging_and_parting_gives_every_axis_back(data: st.DataObject, shape: tuple[int, ...]) -> None:
    x = array("x", *shape)
    merged = data.draw(coarser(shape))
    back = reshape(reshape(x, *merged), *shape)
    assert [axis.atoms for axis in back.axes] == [axis.atoms for axis in x.axes]
    flat = array("flat", *merged)
    assert [axis.atoms for axis in reshape(reshape(flat, *shape), *merged).axes] == [axis.atoms for axis in flat.axes]


@settings(deadline=None)
@given(st.data(), SIZES)
def test_merging_and_parting_is_never_a_scramble(data: st.DataObject, shape: tuple[int, ...]) -> None:
    merged = data.draw(coarser(shape))
    assert scramble(shape, merged) is None
    assert scramble(merged, shape) is None
