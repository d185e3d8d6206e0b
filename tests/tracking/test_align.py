"""The shape algebra of broadcasting, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape, failing_axis, growth, is_mutual, stretched_axes

SHAPES = st.lists(st.lists(st.sampled_from([0, 1, 2, 3]), max_size=4).map(tuple), max_size=4)


def numpy_shape(shapes: list[Shape]) -> Shape | None:
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


@settings(deadline=None)
@given(SHAPES)
def test_broadcast_shape_is_what_numpy_says(shapes: list[Shape]) -> None:
    assert broadcast_shape(shapes) == numpy_shape(shapes)


@settings(deadline=None)
@given(SHAPES)
def test_an_axis_fails_exactly_where_shapes_do_not_broadcast(shapes: list[Shape]) -> None:
    axis = failing_axis(shapes)
    assert (axis is None) == (numpy_shape(shapes) is not None)
    if axis is None:
        return
    behind = max(map(len, shapes)) - axis
    assert numpy_shape([shape[-behind:][1:] if len(shape) >= behind else shape for shape in shapes]) is not None
    assert numpy_shape([shape[-behind:] for shape in shapes]) is None


@settings(deadline=None)
@given(SHAPES.filter(lambda shapes: numpy_shape(shapes) is not None and bool(shapes)))
def test_stretched_axes_are_those_that_numpy_steps_along_with_stride_0(shapes: list[Shape]) -> None:
    result = numpy_shape(shapes)
    assert result is not None
    for shape in shapes:
        view = np.broadcast_to(np.empty(shape, dtype=np.int8), result)
        stretched = stretched_axes(shape, result)
        assert all(result[axis] != 1 for axis in stretched)
        if view.size:
            assert stretched == tuple(i for i, n in enumerate(result) if n != 1 and view.strides[i] == 0)


@pytest.mark.parametrize(
    ("shapes", "expected"),
    [
        ([(4, 1), (3,)], 3.0),
        ([(4, 3), (3,)], 1.0),
        ([(), ()], 1.0),
        ([(0, 3), (3,)], 0.0),
        ([(0,), (0,)], 1.0),
        ([], 1.0),
    ],
)
def test_growth_compares_with_the_largest_operand(shapes: list[Shape], expected: float) -> None:
    result = broadcast_shape(shapes)
    assert result is not None
    assert growth(shapes, result) == expected


@pytest.mark.parametrize(
    ("shapes", "mutual"),
    [
        ([(4, 1), (4,)], True),
        ([(1, 5), (4, 1)], True),
        ([(4, 3), (3,)], False),
        ([(4, 3), (4, 1)], False),
        ([(4, 3), (), (3,)], False),
        ([(2, 1, 1), (3, 1), (4,)], True),
    ],
)
def test_mutual_stretch_is_the_sign_of_an_outer_product(shapes: list[Shape], mutual: bool) -> None:
    result = broadcast_shape(shapes)
    assert result is not None
    assert is_mutual(shapes, result) is mutual
