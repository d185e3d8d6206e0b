"""Subscripts and assignments to them, and functions that gather and scatter."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from shapecell.adapters.numpy.call import Call, Describe, UnfollowableError, shape_of
from shapecell.model import Shape
from shapecell.tracking.operation import (
    Advanced,
    Assign,
    Elementwise,
    Gather,
    Index,
    Integer,
    Item,
    Mask,
    Meaning,
    NewAxis,
    Slice,
)

_BOOL = "?"
_ADVANCED = (np.ndarray, list)
_get = vars(np.ndarray)["__getitem__"]


def items_of(key: Any) -> tuple[Any, ...]:
    """What stands in the brackets."""
    return key if isinstance(key, tuple) else (key,)


def is_advanced(key: Any) -> bool:
    """True if the subscript holds an array or a list: the result is a copy, not a view."""
    if key.__class__ is not tuple:
        return isinstance(key, _ADVANCED)
    for item in key:  # noqa: SIM110  # a generator costs more than the subscript itself
        if isinstance(item, _ADVANCED):
            return True
    return False


def _is_mask(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.dtype.char == _BOOL


def _width(item: Any) -> int:
    """How many axes an item takes."""
    if item is None or item is Ellipsis:
        return 0
    return len(shape_of(item)) if _is_mask(item) else 1


def _filled(given: tuple[Any, ...], rank: int) -> list[Any]:
    """The items with the ellipsis, written or implied, filled in."""
    missing = [slice(None)] * (rank - sum(map(_width, given)))
    for place, item in enumerate(given):
        if item is Ellipsis:
            return [*given[:place], *missing, *given[place + 1 :]]
    return [*given, *missing]


def static_items(array: Any, key: Any) -> Hashable:
    """What tells subscripts of an array apart: lengths of slices and index arrays, not where they begin."""
    kind = key.__class__
    if kind is int:
        return kind
    if kind is np.ndarray:
        return (key.shape, key.dtype.char == _BOOL)
    shape = shape_of(array)
    found: list[Hashable] = []
    axis = 0
    for item in _filled(items_of(key), len(shape)):
        if item is None:
            found.append(None)
        elif item.__class__ is slice:
            indices = item.indices(shape[axis] if axis < len(shape) else 0)
            found.append((len(range(*indices)), indices[2]))
        elif isinstance(item, np.ndarray | list):
            found.append((shape_of(item), _is_mask(item)))
        else:
            found.append(item.__class__)
        axis += _width(item)
    return tuple(found)


def _slice(item: slice, length: int) -> Slice:
    start, stop, step = item.indices(length)
    if (start, step) == (0, 1) and stop >= length:
        return Slice()
    return Slice(False, (item.start, item.stop, item.step))


def _list(item: list[Any]) -> Item:
    """A list of numbers picks a part of the axis."""
    if not all(isinstance(part, int | np.integer | np.bool_) for part in item):
        raise UnfollowableError("a nested list")
    return Slice(False, tuple(item))


def parse(call: Call, key: Any, shape: Shape) -> tuple[tuple[Item, ...], int]:
    """The items of a subscript of an array of `shape`, and where its advanced axes stand in the result.

    Raises
    ------
    UnfollowableError
        If it holds something whose axes cannot be told (truth values, nested lists).
    """
    items: list[Item] = []
    axis = 0
    for item in _filled(items_of(key), len(shape)):
        if item is None:
            items.append(NewAxis())
        elif isinstance(item, slice):
            items.append(_slice(item, shape[axis]))
        elif isinstance(item, bool | np.bool_):
            raise UnfollowableError("a truth value as an index")
        elif isinstance(item, np.ndarray):
            if _is_mask(item):
                if not _width(item):
                    raise UnfollowableError("a truth value as an index")
                items.append(Mask(call.operand(item)))
            else:
                items.append(Advanced(call.operand(item)) if shape_of(item) else Integer())
        elif isinstance(item, list):
            items.append(_list(item))
        else:
            items.append(Integer())
        axis += _width(item)
    if axis != len(shape):
        raise UnfollowableError("not as many items as axes")
    return tuple(items), _advanced_at(key, len(shape))


def _advanced_at(key: Any, rank: int) -> int:
    """Result axis of the first advanced axis: in place if the indices stand side by side, else in front.

    Whole numbers beside arrays are advanced indices too; an ellipsis keeps them apart even if it stands for no axis.
    """

    def places(items: tuple[Any, ...] | list[Any]) -> list[int]:
        return [i for i, item in enumerate(items) if not (item is None or item is Ellipsis or isinstance(item, slice))]

    given = items_of(key)
    written = places(given)
    if not is_advanced(key) or written != list(range(written[0], written[-1] + 1)):
        return 0
    return places(_filled(given, rank))[0]


def selection_of(array: Any, key: Any) -> Shape:
    """Shape of the part that a subscript stands for, measured on an array of the same shape and no memory."""
    shape = shape_of(array)
    probe = np.ndarray(shape, np.bool_, bytes(1), 0, (0,) * len(shape))
    return shape_of(_get(probe, key))


def _get_item(call: Call) -> Meaning:
    items, at = parse(call, call.args[1], call.shape)
    return Index(items, at)


def _set_item(call: Call) -> Meaning:
    """A number is written everywhere alike; an array is broadcast into the selection."""
    target, key = call.args[:2]
    if len(call.args) < 3 or not isinstance(call.args[2], np.ndarray | list | tuple):
        return Elementwise(in_place=0)
    items, _ = parse(call, key, call.shape)
    return Assign(items, selection_of(target, key))


def _at(call: Call) -> Meaning:
    """``np.add.at(a, indices, b)``."""
    if len(call.args) < 3 or not isinstance(call.args[2], np.ndarray):
        return Elementwise(in_place=0)
    items, _ = parse(call, call.args[1], call.shape)
    return Assign(items, selection_of(call.args[0], call.args[1]))


def _take(call: Call) -> Meaning:
    axis, indices = call.get("axis"), call.get("indices")
    if axis is None:
        if call.rank != 1:
            raise UnfollowableError("flattened")
        axis = 0
    number = call.axis(axis)
    item: Item
    if isinstance(indices, np.ndarray):
        item = Advanced(call.operand(indices)) if shape_of(indices) else Integer()
    elif isinstance(indices, list):
        item = _list(indices)
    else:
        item = Integer(indices if isinstance(indices, int) else None)
    return Index(tuple(item if i == number else Slice() for i in range(call.rank)), number)


def _compress(call: Call) -> Meaning:
    array, condition, axis = call.get("a"), call.get("condition"), call.get("axis")
    if call.operand(array) == 0 and len(call.operands) == 1:
        shape = call.shapes[0]
        number = 0 if axis is None and len(shape) == 1 else call.axis(axis, len(shape))
        return Index(tuple(Slice(False, "compress") if i == number else Slice() for i in range(len(shape))))
    if call.operand(array) != 0 or axis is None:
        raise UnfollowableError("the array is not the first operand")
    number = call.axis(axis)
    if shape_of(condition) != (call.shape[number],) or not _is_mask(condition):
        raise UnfollowableError("not a mask of the axis")
    mask = Mask(call.operand(condition))
    return Index(tuple(mask if i == number else Slice() for i in range(call.rank)), number)


def _gather(call: Call) -> Meaning:
    axis = call.get("axis", -1) if "axis" in call.given else -1
    if axis is None or call.operand(call.get("indices")) != 1:
        raise UnfollowableError("flattened")
    return Gather(call.axis(axis))


def _put_along(call: Call) -> Meaning:
    axis = call.get("axis")
    values, indices = call.get("values"), call.get("indices")
    if not isinstance(values, np.ndarray):
        return Elementwise(in_place=0)
    number = call.axis(axis)
    item = Advanced(call.operand(indices))
    return Assign(tuple(item if i == number else Slice() for i in range(call.rank)), shape_of(indices))


TABLE: dict[str, Describe] = {
    "getitem": _get_item, "setitem": _set_item, "ufunc.at": _at, "take": _take, "compress": _compress,
    "take_along_axis": _gather, "put_along_axis": _put_along,
}  # fmt: skip
"""Describing functions by base name."""
