"""Where a view comes from: the operation that makes it from its base, read off shapes, strides and offset."""

from __future__ import annotations

from typing import Any

import numpy as np

from shapecell.adapters.base import Provenance
from shapecell.adapters.numpy.call import shape_of
from shapecell.model import Shape
from shapecell.tracking.operation import (
    Expand,
    Index,
    Insert,
    Integer,
    Item,
    Meaning,
    Permute,
    Reshape,
    Same,
    Slice,
)

_strides_of = vars(np.ndarray)["strides"].__get__
_base_of = vars(np.ndarray)["base"].__get__
_flags_of = vars(np.ndarray)["flags"].__get__
_get = vars(np.ndarray)["__getitem__"]
_transposed = vars(np.ndarray)["transpose"]


def _address(array: np.ndarray) -> int:
    return int(vars(np.ndarray)["__array_interface__"].__get__(array)["data"][0])


def _plain(array: Any) -> np.ndarray:
    """`array` without what a subclass adds."""
    return array if array.__class__ is np.ndarray else vars(np.ndarray)["view"](array, np.ndarray)


def provenance(array: Any) -> Provenance | None:
    """What is known of an array that no followed operation produced; None if nothing is certain.

    A view may take several steps from its base (``base.T[:, None]``). Then the last step is told, with an array in
    between as its base, of which the same can be asked again.
    """
    if not isinstance(array, np.ndarray):
        return None
    base = _base_of(array)
    while isinstance(base, memoryview):
        base = base.obj
    if base is None or not isinstance(base, np.ndarray):
        return _behind(array, base)
    if array.dtype.itemsize != base.dtype.itemsize:
        same = shape_of(array) == shape_of(base) and _strides_of(array) == _strides_of(base)
        return Provenance(base=base, meaning=Same()) if same else None
    step = _last_step(array, base)
    if step is None:
        return None
    before, meaning = step
    return Provenance(base=base if _alike(before, base) else before, meaning=meaning)


def _behind(array: Any, base: Any) -> Provenance | None:
    """An object with an identity of its own that lent its memory: a tensor behind ``x.numpy()``."""
    if base is None or type(base).__module__.partition(".")[0] != "torch":
        return None
    if tuple(base.shape) != shape_of(array):
        return None
    return Provenance(base=base, meaning=Same())


def _last_step(array: Any, base: Any) -> tuple[Any, Meaning] | None:
    shape, strides = shape_of(array), _strides_of(array)
    if 0 in shape or 0 in shape_of(base):
        return None
    if _alike(array, base):
        return base, Same()
    written = tuple(axis for axis, n in enumerate(shape) if n == 1 and strides[axis] == 0)
    stretched = tuple(axis for axis, n in enumerate(shape) if n > 1 and strides[axis] == 0)
    if stretched:
        # The array before it was stretched: 1s in the places of the stretched axes.
        return _get(_plain(array), _key(len(shape), stretched, slice(0, 1))), Expand()
    if written:
        return _get(_plain(array), _key(len(shape), written, 0)), Insert(written)
    found = _matched(shape, strides, base)
    if found is not None:
        if list(found) != sorted(found):
            order = sorted(range(len(found)), key=lambda axis: found[axis])
            inner = _transposed(_plain(array), order)
            return inner, Permute(tuple(order.index(axis) for axis in range(len(order))))
        items = _items(array, base, found)
        return None if items is None else (base, Index(items))
    if np.prod(shape) == np.prod(shape_of(base)) and _flags_of(base).c_contiguous:
        if _flags_of(array).c_contiguous:
            return base, Reshape(None)
        order = sorted(range(len(shape)), key=lambda axis: -abs(strides[axis]))
        inner = _transposed(_plain(array), order)
        if _flags_of(inner).c_contiguous and order != list(range(len(shape))):
            return inner, Permute(tuple(order.index(axis) for axis in range(len(order))))
    return None


def _key(rank: int, axes: tuple[int, ...], item: Any) -> tuple[Any, ...]:
    """A subscript with `item` at `axes`; the ellipsis keeps a view of rank 0 an array."""
    return (*(item if axis in axes else slice(None) for axis in range(rank)), Ellipsis)


def _alike(array: Any, base: Any) -> bool:
    """True for the same elements under the same shape."""
    shape = shape_of(array)
    return (
        shape == shape_of(base)
        and _address(array) == _address(base)
        and all(
            length == 1 or one == other
            for length, one, other in zip(shape, _strides_of(array), _strides_of(base), strict=True)
        )
    )


def _matched(shape: Shape, strides: Shape, base: Any) -> tuple[int, ...] | None:
    """For each axis of the view, the axis of the base along which it runs; None if that is not certain."""
    base_shape, base_strides = shape_of(base), _strides_of(base)
    free = [axis for axis, n in enumerate(base_shape) if n > 1]
    found: list[int | None] = [None] * len(shape)
    for axis, (length, stride) in enumerate(zip(shape, strides, strict=True)):
        if length == 1:
            continue
        fits = [
            j
            for j in free
            if base_strides[j] > 0
            and stride % base_strides[j] == 0
            and abs(stride) // base_strides[j] * (length - 1) < base_shape[j]
        ]
        if len(fits) != 1:
            return None
        found[axis] = fits[0]
        free.remove(fits[0])
    ones = [axis for axis, n in enumerate(base_shape) if n == 1]
    for axis, stride in enumerate(strides):
        if found[axis] is None:
            cut = [j for j in free if base_strides[j] == stride]
            if ones:
                found[axis] = ones.pop(0)
            elif len(cut) == 1:
                found[axis] = cut[0]
                free.remove(cut[0])
            else:
                return None
    return tuple(axis for axis in found if axis is not None)


def _items(array: Any, base: Any, found: tuple[int, ...]) -> tuple[Item, ...] | None:
    """The subscript that makes `array` from `base`: where each axis begins, and in which steps it goes on."""
    base_shape, base_strides = shape_of(base), _strides_of(base)
    offset = _address(array) - _address(base)
    begins = dict.fromkeys(range(len(base_shape)), 0)
    for axis in sorted(range(len(base_shape)), key=lambda axis: -base_strides[axis]):
        if base_shape[axis] > 1:
            if base_strides[axis] <= 0:
                return None
            begins[axis], offset = divmod(offset, base_strides[axis])
            if not 0 <= begins[axis] < base_shape[axis]:
                return None
    if offset:
        return None
    items: list[Item] = []
    for axis, length in enumerate(base_shape):
        if axis not in found:
            items.append(Integer(begins[axis]))
            continue
        view = found.index(axis)
        count = shape_of(array)[view]
        step = _strides_of(array)[view] // base_strides[axis] if count > 1 else 1
        begin = begins[axis]
        if (begin, step, count) == (0, 1, length):
            items.append(Slice())
        else:
            items.append(Slice(False, (begin, begin + step * count, step)))
    return tuple(items)
