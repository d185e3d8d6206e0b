"""Axes that move, appear, vanish, expand and repeat."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.tracking.operation import Drop, Expand, Insert, Permute, Repeat, Same
from tests.tracking.transfer.building import array, mean, names, outcome, squeezed, transposed, unsqueezed


def test_the_same_array_has_the_same_axes() -> None:
    x = mean(array("x", 4, 1, 3), 0)
    assert outcome(Same(), x, gives=(1, 3)).results == (x,)


@settings(deadline=None)
@given(st.integers(0, 5).flatmap(lambda n: st.tuples(st.permutations(range(n)), st.permutations(range(n)))))
def test_permutations_compose(orders: tuple[list[int], list[int]]) -> None:
    first, second = orders
    x = array("x", *(2 + axis for axis in range(len(first))))
    if not first:
        assert outcome(Permute(()), x, gives=()).results == (x,)
        return
    twice = transposed(transposed(x, *first), *second)
    assert twice == transposed(x, *(first[axis] for axis in second))
    assert transposed(transposed(x, *first), *(first.index(axis) for axis in range(len(first)))) == x


def test_a_1_that_is_written_is_explicit_and_drops_again() -> None:
    x = array("x", 4, 3)
    written = unsqueezed(x, 1)
    one = written.axes[1].one
    assert one is not None
    assert one.intent == "explicit"
    assert squeezed(written, 1) == x
    both = outcome(Insert((0, 3)), x, gives=(1, 4, 3, 1)).results[0]
    assert both.axes[1:3] == x.axes
    assert outcome(Drop((0, 3), every=True), both, gives=(4, 3)).results == (x,)


def test_what_was_reduced_is_remembered_through_views() -> None:
    x = mean(array("x", 5, 4, 3), 0)
    assert transposed(x).gone == unsqueezed(x, 0).gone == x.gone
    assert x.gone


def test_an_expansion_keeps_long_axes_and_makes_new_ones_of_1s() -> None:
    x = array("x", 4, 1)
    made = outcome(Expand(), x, gives=(2, 4, 3)).results[0]
    assert made.axes[1] == x.axes[0]
    assert made.axes[0].one is None
    assert made.axes[2].one is None
    assert names(made) == ["result axis 0", "x axis 0", "result axis 2"]


def test_arrays_that_are_expanded_together_share_their_axes_and_cross() -> None:
    x, y = array("x", 4, 1), array("y", 3)
    first, second = outcome(Expand(), x, y, gives=((4, 3), (4, 3))).results
    assert first.axes == second.axes
    assert names(first) == ["x axis 0", "y axis 0"]
    square = array("square", 6, 6)
    both = ((6, 6), (6, 6))
    assert len(outcome(Expand(), square, mean(square, 1), gives=both).crossings) == 1
    assert outcome(Expand(), square, mean(square, 0), gives=both).crossings == ()


def test_repetition_keeps_axes_that_are_repeated_once() -> None:
    x = array("x", 4, 3, 1)
    made = outcome(Repeat((2, 1, 2, 5)), x, gives=(2, 4, 6, 5)).results[0]
    assert made.axes[1] == x.axes[0]
    assert names(made) == ["result axis 0", "x axis 0", "result axis 2", "result axis 3"]


def test_a_1_that_repetition_adds_is_explicit() -> None:
    made = outcome(Repeat((1, 2)), array("x", 3), gives=(1, 6)).results[0]
    one = made.axes[0].one
    assert one is not None
    assert one.intent == "explicit"


def test_a_1_that_is_repeated_once_keeps_its_reason() -> None:
    x = array("x", 4, 1)
    assert outcome(Repeat((2, 1)), x, gives=(8, 1)).results[0].axes[1] == x.axes[1]
