"""Arrays joined along an axis, and split along one."""

from __future__ import annotations

from shapecell.tracking.axes import Layout, related
from shapecell.tracking.operation import Concatenate, Split, Stack
from tests.tracking.transfer.building import add, array, is_same, mean, names, outcome


def test_the_joined_axis_is_new_and_the_others_are_common() -> None:
    x, y = array("x", 4, 3), array("y", 5, 3)
    made = outcome(Concatenate(0), x, y, gives=(9, 3)).results[0]
    assert names(made) == ["result axis 0", "x axis 1"]
    assert is_same(x.axes[1], y.axes[1])


def test_one_array_joined_alone_keeps_its_axes() -> None:
    x = array("x", 4, 3)
    assert outcome(Concatenate(0), x, gives=(4, 3)).results[0].axes == x.axes


def test_joining_an_array_with_its_transpose_learns_nothing_wrong() -> None:
    x = array("x", 6, 6)
    flipped = Layout(tuple(reversed(x.axes)))
    outcome(Concatenate(0), x, flipped, gives=(12, 6))
    assert not is_same(x.axes[0], x.axes[1])


def test_a_stack_has_a_new_axis() -> None:
    x, y = array("x", 4, 3), array("y", 4, 3)
    made = outcome(Stack(1), x, y, gives=(4, 2, 3)).results[0]
    assert names(made) == ["x axis 0", "result axis 1", "x axis 1"]
    assert is_same(x.axes[0], y.axes[0])


def test_a_stack_of_one_array_writes_the_1() -> None:
    x = array("x", 4)
    made = outcome(Stack(0), x, gives=(1, 4)).results[0]
    one = made.axes[0].one
    assert one is not None
    assert one.intent == "explicit"
    assert made.axes[1] == x.axes[0]


def test_a_square_stacked_of_statistics_does_not_cross_its_own_axis() -> None:
    x = array("x", 6, 6)
    made = outcome(Stack(0), *(mean(x, 0) for _ in range(6)), gives=(6, 6)).results[0]
    assert add(made, mean(x, 0), gives=(6, 6)).crossings == ()


def test_what_was_reduced_before_is_remembered() -> None:
    x, y = array("x", 2, 4), array("y", 3, 5)
    a, b = mean(x, 1), mean(y, 1)
    made = outcome(Concatenate(0), a, b, gives=(5,)).results[0]
    assert made.gone == a.gone | b.gone


def test_splits_are_parts_of_the_axis() -> None:
    x = array("x", 6, 3)
    first, second = outcome(Split(0), x, gives=((3, 3), (3, 3))).results
    again, _ = outcome(Split(0), x, gives=((3, 3), (3, 3))).results
    assert first == again
    assert first.axes[0] != second.axes[0]
    assert first.axes[1] == second.axes[1] == x.axes[1]
    a, b = first.axes[0].atom, second.axes[0].atom
    assert a is not None
    assert b is not None
    assert related(a, b)


def test_splits_of_one_element_are_explicit_1s_that_know_their_axis() -> None:
    x = array("x", 2, 3)
    first, _ = outcome(Split(0), x, gives=((1, 3), (1, 3))).results
    one = first.axes[0].one
    assert one is not None
    assert one.intent == "explicit"


def test_unbinding_removes_the_axis() -> None:
    x = array("x", 2, 3, 4)
    for made in outcome(Split(1, removed=True), x, gives=((2, 4),) * 3).results:
        assert made.axes == (x.axes[0], x.axes[2])


def test_a_split_into_one_part_keeps_the_axis() -> None:
    x = array("x", 4, 3)
    assert outcome(Split(0), x, gives=((4, 3),)).results[0].axes == x.axes
