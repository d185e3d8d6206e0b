"""Views, and the operations that are read off their strides: doing them again must give the same elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.adapters.numpy.provenance import provenance
from shapecell.tracking.operation import Expand, Index, Insert, Integer, Permute, Reshape, Same, Slice


def again(base: np.ndarray, meaning: Any, shape: tuple[int, ...]) -> np.ndarray:
    """`meaning` done to `base`."""
    match meaning:
        case Same():
            return base
        case Permute(order=order):
            return base.transpose(order)
        case Insert(positions=positions):
            return np.expand_dims(base, positions)
        case Reshape():
            return base.reshape(shape)
        case Expand():
            return np.broadcast_to(base, shape)
        case Index(items=items):
            return base[tuple(_key(item) for item in items)]
    raise AssertionError(meaning)


def _key(item: Any) -> Any:
    if isinstance(item, Integer):
        return item.key
    assert isinstance(item, Slice)
    if item.whole:
        return slice(None)
    begin, end, step = item.key
    return slice(begin, end if end >= 0 else None, step)


def steps(array: np.ndarray) -> list[Any]:
    """The meanings from the owner of the memory to `array`, each checked by doing it again."""
    found = []
    while (known := provenance(array)) is not None and known.base is not None:
        assert np.array_equal(again(known.base, known.meaning, array.shape), array)
        found.append(known.meaning)
        array = known.base
        assert len(found) < 10
    return found[::-1]


x = np.arange(24).reshape(4, 6).copy()


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (x.T, [Permute((1, 0))]),
        (x[:, None], [Insert((1,))]),
        (x[1:3], [Index((Slice(False, (1, 3, 1)), Slice()))]),
        (x[:, 2], [Index((Slice(), Integer(2)))]),
        (x[::-1], [Index((Slice(False, (3, -1, -1)), Slice()))]),
        (x[:, ::2].T, [Index((Slice(), Slice(False, (0, 6, 2)))), Permute((1, 0))]),
        (x[:, 1:2], [Index((Slice(), Slice(False, (1, 2, 1))))]),
        (x.reshape(2, 12), [Reshape(None)]),
        (x.reshape(2, 12).T, [Reshape(None), Permute((1, 0))]),
        (x.T[:, None], [Permute((1, 0)), Insert((1,))]),
        (np.broadcast_to(x, (3, 4, 6)), [Insert((0,)), Expand()]),
        (x.view(), [Same()]),
        (x[0, 0, ...][None], [Index((Integer(0), Integer(0))), Insert((0,))]),
    ],
)
def test_one_step_or_several(view: np.ndarray, expected: list[Any]) -> None:
    assert steps(view) == expected


def test_nothing_is_claimed_that_is_not_certain() -> None:
    assert provenance(x) is None
    assert provenance(x.reshape(2, 12)[:, :7]) is None
    assert provenance(x.view(np.int32)) is None
    assert provenance(np.zeros((0, 3))[:, 1:]) is None
    assert provenance([1, 2]) is None


def test_real_part_of_complex_numbers() -> None:
    z = np.zeros((3, 4), complex)
    known = provenance(z.real)
    assert known is not None
    assert known.base is z
    assert known.meaning == Same()


def test_a_tensor_behind_its_array() -> None:
    torch = pytest.importorskip("torch")
    tensor = torch.zeros(3, 4)
    array = tensor.numpy()
    known = provenance(array)
    assert known is not None
    assert known.base is array.base
    assert known.meaning == Same()


def test_subclasses_that_lie_about_their_shape() -> None:
    class Lying(np.ndarray):
        @property
        def shape(self) -> tuple[int, ...]:
            raise RuntimeError("no shape")

    array = x.view(Lying)
    known = provenance(array)
    assert known is not None
    assert known.meaning == Same()


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_chain_of_views_is_done_again_alike(data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    view = np.arange(np.prod(shape)).reshape(shape).copy()
    for _ in range(data.draw(st.integers(1, 4))):
        kind = data.draw(st.sampled_from(["transpose", "slice", "index", "newaxis", "reshape", "stretch"]))
        axis = data.draw(st.integers(0, view.ndim - 1)) if view.ndim else None
        if axis is None:
            break
        if kind == "transpose":
            view = view.transpose(data.draw(st.permutations(range(view.ndim))))
        elif kind == "slice":
            step = data.draw(st.sampled_from([-2, -1, 1, 2]))
            begin = data.draw(st.integers(0, view.shape[axis] - 1))
            view = view[(slice(None),) * axis + (slice(begin, None, step),)]
        elif kind == "index":
            view = view[(slice(None),) * axis + (data.draw(st.integers(0, view.shape[axis] - 1)), ...)]
        elif kind == "newaxis":
            view = view[(slice(None),) * axis + (None,)]
        elif kind == "reshape":
            view = view.reshape(data.draw(st.sampled_from([(-1,), (1, -1), (-1, 1), view.shape[::-1]])))
        elif view.ndim < 5:
            view = np.broadcast_to(view, (2, *view.shape))
    steps(view)
