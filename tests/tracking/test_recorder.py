"""From groups to the plain data of a report."""

from __future__ import annotations

import pytest

from shapecell.model import Broadcast, Shape
from shapecell.tracking.groups import Group
from shapecell.tracking.operation import (
    Assign,
    Contract,
    Elementwise,
    Loss,
    Meaning,
    Operation,
    Permute,
    Reduce,
    Slice,
)
from shapecell.tracking.recorder import broadcast_of, positions, stretches
from shapecell.tracking.tracker import Tracker
from tests.tracking.fake import Adapter, Array

LINEAR = Contract((("n", "k"), ("m", "k"), ("m",)), ("n", "m"))


def operation(meaning: Meaning, *shapes: Shape, result: Shape | None = None) -> Operation:
    return Operation("test", meaning, shapes, () if result is None else (result,))


def group_of(meaning: Meaning, *shapes: Shape, result: Shape | None = None) -> tuple[Group, Broadcast]:
    fake = Adapter(Tracker())
    x = Array(2)
    fake.add(x, x)
    (recorded,) = fake.tracker
    group = Group("fake", recorded.site, operation(meaning, *shapes, result=result), 7)
    group.count = 3
    return group, broadcast_of(group, (), [f"x{i}" for i in range(len(shapes))], result)


@pytest.mark.parametrize(
    ("described", "operand", "rank", "expected"),
    [
        (operation(Elementwise(), (3,), (2, 3)), 0, 2, (1,)),
        (operation(Elementwise(), (3,), (2, 3)), 1, 2, (0, 1)),
        (operation(Loss(), (4, 1), (4,)), 1, 2, (1,)),
        (operation(LINEAR, (5, 2), (3, 2), (3,)), 0, 2, (0, None)),
        (operation(LINEAR, (5, 2), (3, 2), (3,)), 1, 2, (1, None)),
        (operation(LINEAR, (5, 2), (3, 2), (3,)), 2, 2, (1,)),
        (operation(Reduce((1,)), (4, 5, 6)), 0, 2, (0, None, 1)),
        (operation(Reduce((1,), keepdims=True), (4, 5, 6)), 0, 3, (0, 1, 2)),
        (operation(Reduce((1,)), (4, 5, 6), (5,)), 1, 2, (None,)),
        (operation(Assign((Slice(), Slice()), (4, 5)), (4, 5), (5,)), 1, 2, (1,)),
        (operation(Assign((Slice(),), (5,)), (5,), (1, 1, 5)), 1, 1, (None, None, 0)),
        (operation(Assign((Slice(),), (5,)), (5,), (1,)), 0, 1, (None,)),
        (operation(Permute((1, 0)), (4, 5)), 0, 2, (None, None)),
    ],
)
def test_positions(described: Operation, operand: int, rank: int, expected: tuple[int | None, ...]) -> None:
    assert positions(described, operand, rank) == expected


def test_an_outer_difference() -> None:
    group, broadcast = group_of(Elementwise(), (4, 1), (3,), result=(4, 3))
    assert broadcast.kind == "elementwise"
    assert (broadcast.result_shape, broadcast.stretched, broadcast.growth) == ((4, 3), (True, True), 3.0)
    assert [axis.stretched_to for axis in broadcast.operands[0].axes] == [None, 3]
    assert [axis.stretched_to for axis in broadcast.operands[1].axes] == [None]
    assert [operand.name for operand in broadcast.operands] == ["x0", "x1"]
    assert (broadcast.count, broadcast.first, broadcast.last, broadcast.failing_axis) == (3, 7, 7, None)
    assert stretches(group)


def test_a_scalar_stretches_nothing() -> None:
    group, broadcast = group_of(Elementwise(), (4, 3), (), result=(4, 3))
    assert broadcast.stretched == (False, False)
    assert not stretches(group)


def test_operands_of_one_shape_stretch_nothing() -> None:
    group, broadcast = group_of(Elementwise(), (4, 3), (4, 3), result=(4, 3))
    assert (broadcast.stretched, broadcast.growth) == ((False, False), 1.0)
    assert not stretches(group)


def test_an_operation_that_raised_shows_where() -> None:
    _, broadcast = group_of(Elementwise(), (2, 4, 3), (5, 3))
    assert (broadcast.result_shape, broadcast.failing_axis, broadcast.stretched) == (None, 1, ())
    assert all(axis.stretched_to is None for operand in broadcast.operands for axis in operand.axes)


def test_a_contraction_that_raised_has_no_axis_of_a_broadcast() -> None:
    _, broadcast = group_of(Contract((("n", "k"), ("k", "m")), ("n", "m")), (2, 3), (4, 5))
    assert broadcast.failing_axis is None


@pytest.mark.parametrize(
    ("meaning", "shapes", "result", "expected"),
    [
        (Loss(), ((4, 1), (4,)), (4, 4), True),
        (Loss(), ((4,), (4,), (2, 1)), (4,), False),
        (Loss(), ((4,), ()), (4,), False),
        (Assign((Slice(),), (5,)), ((5,), (1,)), (5,), True),
        (Assign((Slice(),), (5,)), ((5,), (5,)), (5,), False),
        (Assign((Slice(),), (5,)), ((5,),), (5,), False),
        (Contract((("b", "n", "k"), ("b", "k", "m")), ("b", "n", "m")), ((1, 2, 3), (7, 3, 4)), (7, 2, 4), True),
        (Contract((("b", "n", "k"), ("b", "k", "m")), ("b", "n", "m")), ((7, 2, 3), (7, 3, 4)), (7, 2, 4), False),
        (LINEAR, ((5, 2), (3, 2), (3,)), (5, 3), False),
        (Elementwise(), ((0, 3), (3,)), (0, 3), True),
        (Permute((1, 0)), ((4, 5),), (5, 4), False),
    ],
)
def test_stretches(meaning: Meaning, shapes: tuple[Shape, ...], result: Shape, expected: bool) -> None:
    group, _ = group_of(meaning, *shapes, result=result)
    assert stretches(group) is expected


def test_axes_carry_names_reasons_and_crossings() -> None:
    fake = Adapter(Tracker())
    x = Array(4, 4)
    x.name = "x"
    kept = fake.unsqueeze(fake.mean(x, 1), 1)
    fake.add(x, kept)
    group = list(fake.tracker)[-1]
    (layouts, _), *_ = group.outcomes
    broadcast = broadcast_of(group, layouts, ["x", "kept"], (4, 4), ((1, 0),))
    first, one = broadcast.operands[1].axes
    assert (first.name, first.crossed, first.intent) == ("x axis 0", True, None)
    assert (one.length, one.reason, one.intent, one.crossed) == (1, "a new axis that was written", "explicit", False)
    assert (one.position, one.stretched_to) == (1, 4)
