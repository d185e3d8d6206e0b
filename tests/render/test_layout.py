"""The layout of a diagram: which axis stands in which column, and what is marked."""

from __future__ import annotations

import dataclasses

from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.model import Axis, Broadcast
from shapecell.render.layout import Cell, Column, diagram, shape_text, times_text
from shapecell.tracking.align import broadcast_shape, stretched_axes
from tests.render import examples as ex

lengths = st.sampled_from((1, 1, 2, 3))


@st.composite
def elementwise(draw: st.DrawFn) -> Broadcast:
    """An elementwise operation as the recorder writes it."""
    shapes = draw(
        st.lists(st.lists(lengths, max_size=8).map(tuple), min_size=1, max_size=3).filter(
            lambda s: broadcast_shape(s) is not None
        )
    )
    result = broadcast_shape(shapes)
    assert result is not None
    operands = []
    for number, shape in enumerate(shapes):
        offset = len(result) - len(shape)
        operands.append(
            ex.operand(
                f"o{number}",
                *(
                    Axis(n, position=i + offset, stretched_to=result[i + offset] if result[i + offset] != n else None)
                    for i, n in enumerate(shape)
                ),
            )
        )
    return ex.operation(ex.site(1, "f(…)"), tuple(operands), result)


@settings(max_examples=150, deadline=None)
@given(elementwise())
def test_every_axis_is_drawn_once_and_every_stretch_shown(broadcast: Broadcast) -> None:
    picture = diagram(broadcast, finding=True)
    result = broadcast.result_shape
    assert result is not None
    assert [axis for column in picture.columns for axis in column.axes] == list(range(-len(result), 0))
    for operand, row in zip(broadcast.operands, picture.rows, strict=False):
        if not operand.shape:
            assert (row.text, row.cells) == ("scalar", ())
            continue
        drawn = [n for cell in row.cells if cell is not None and cell.lengths for n in cell.lengths]
        assert tuple(drawn) == operand.shape
        stretched = [
            (axis, to)
            for column, cell in zip(picture.columns, row.cells, strict=True)
            if cell is not None and cell.stretched_to
            for axis, to in zip(column.axes, cell.stretched_to, strict=True)
        ]
        assert stretched == [(a - len(result), result[a]) for a in stretched_axes(operand.shape, result)]
        assert all((cell.mark == "accident") == (cell.stretched_to is not None) for cell in row.cells if cell)
    ordinary = diagram(broadcast)
    assert not any(cell.mark for row in ordinary.rows for cell in row.cells if cell)
    assert [row.label for row in picture.rows] == [*(o.name for o in broadcast.operands), "result"]


def test_folding_keeps_apart_what_is_treated_differently() -> None:
    picture = diagram(ex.HIGH_RANK, finding=True)
    assert picture.columns == (Column((-6, -5, -4, -3)), Column((-2,)), Column((-1,)))
    assert picture.rows[1].cells[0] == Cell(None, (2, 3, 4, 5), "accident")


def test_summed_axes_of_equal_length_share_a_column() -> None:
    """``tensordot`` with the axes in another order: (3, 4) against (4, 3)."""
    product = dataclasses.replace(
        ex.PRODUCT,
        operands=(
            ex.operand("a", Axis(8, position=0), Axis(3), Axis(4)),
            ex.operand("b", Axis(4), Axis(3), Axis(5, position=1)),
        ),
        result_shape=(8, 5),
    )
    picture = diagram(product)
    assert [row.cells[2:] for row in picture.rows] == [(Cell((3,)), Cell((4,))), (Cell((3,)), Cell((4,))), (None, None)]


def test_full_contraction_gives_a_scalar() -> None:
    dot = dataclasses.replace(
        ex.PRODUCT, operands=(ex.operand("a", Axis(3)), ex.operand("b", Axis(3))), result_shape=()
    )
    picture = diagram(dot)
    assert picture.columns == (Column(()),)
    assert picture.rows[-1].text == "scalar"


def test_layer_whose_axes_meet_nothing_is_shown_by_shapes() -> None:
    conv = dataclasses.replace(
        ex.FAILING_PRODUCT,
        operands=(ex.operand("x", *map(Axis, (8, 3, 32, 32))), ex.operand("w", *map(Axis, (16, 4, 3, 3)))),
    )
    picture = diagram(conv)
    assert [row.text for row in picture.rows] == ["(8, 3, 32, 32)", "(16, 4, 3, 3)", "cannot be contracted"]


def test_reduction_shows_the_axis_that_vanishes() -> None:
    total = ex.operation(ex.site(1, "x.sum(0)"), (ex.operand("x", Axis(8), Axis(3, position=0)),), (3,), kind="reduce")
    picture = diagram(total)
    assert (picture.vanished, [column.axes for column in picture.columns]) == ("reduced", [(-1,), ()])
    assert picture.rows[0].cells == (Cell((3,)), Cell((8,)))


def test_dropped_leading_axes_are_told() -> None:
    """``target[0] = value`` with a value of shape (1, 3)."""
    assigned = ex.operation(
        ex.site(1, "t[0] = v"),
        (ex.operand("t", Axis(4), Axis(3)), ex.operand("v", Axis(1), Axis(3, position=0))),
        (3,),
        kind="assign",
    )
    assert diagram(assigned).rows[1].notes == ("shape (1, 3)",)


def test_names_are_shown_only_where_they_say_more_than_the_operand() -> None:
    plain = ex.operation(ex.site(1, "x + 1"), (ex.operand("x", Axis(4, "x axis 0", position=0)),), (4,))
    assert diagram(plain).columns == (Column((-1,)),)
    named = ex.operation(ex.site(1, "x + 1"), (ex.operand("x", Axis(4, "batch", position=0)),), (4,))
    assert diagram(named).columns == (Column((-1,), "batch"),)


def test_growth_of_operands_of_different_size() -> None:
    broadcast = ex.operation(
        ex.site(1, "a + b"),
        (
            ex.operand("a", Axis(4, position=0), Axis(1, position=1, stretched_to=3)),
            ex.operand("b", Axis(3, position=1)),
        ),
        (4, 3),
        growth=3.0,
    )
    assert diagram(broadcast).rows[-1].notes == ("3× the elements of the largest operand",)


def test_words_for_shapes_and_factors() -> None:
    assert [shape_text(s) for s in ((), (3,), (3, 1))] == ["scalar", "(3,)", "(3, 1)"]
    assert [times_text(f) for f in (1.5, 2.0, 32.4, 60_000.0)] == ["1.5×", "2×", "32×", "60,000×"]
