"""Subscripts, and functions that gather, scatter and select."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from shapecell.adapters.torch.call import Call, Describe, is_array
from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape
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
    Opaque,
    Same,
    Slice,
)

WRITERS = """
    scatter scatter_add scatter_reduce index_add index_copy index_fill index_put index_reduce masked_scatter
    slice_scatter select_scatter diagonal_scatter fill_diagonal put
"""

_MASKS = (torch.bool, torch.uint8)


def _width(item: Any) -> int:
    """How many axes an item of a subscript takes."""
    if item is None or item is Ellipsis:
        return 0
    if is_array(item) and _is_mask(item):
        return len(item.shape)
    return 1


def _is_mask(array: Any) -> bool:
    return array.dtype in _MASKS or str(array.dtype) == "bool"


@dataclass(slots=True)
class _Part:
    """One item of a subscript, and the length of the axis that it leaves, if it leaves one of its own."""

    item: Item
    length: int | None = None


def _slice(item: slice, length: int, general: bool) -> _Part | None:
    try:
        picked = range(*item.indices(length))
    except TypeError:  # a bound is a tensor
        return None
    if len(picked) == length and item.step in (None, 1):
        return _Part(Slice(), length)
    return _Part(Slice(False, None if general else (item.start, item.stop, item.step)), len(picked))


def _list(item: Any, general: bool) -> _Part | None:
    """A list of numbers or truth values picks a part of the axis."""
    kinds = {type(part) for part in item}
    if kinds == {bool}:
        return _Part(Slice(False, None if general else tuple(item)), sum(item))
    if kinds == {int}:
        return _Part(Slice(False, None if general else tuple(item)), len(item))
    return None


def _part(item: Any, call: Call, length: int) -> _Part | None:
    """One item of a subscript; `length` is that of the axis it stands at. None if its axes cannot be told."""
    if item is None:
        return _Part(NewAxis(), 1)
    if isinstance(item, bool):
        return None
    if isinstance(item, slice):
        return _slice(item, length, call.general)
    if is_array(item):
        place = call.operand(item)
        if not len(item.shape):
            return None if _is_mask(item) else _Part(Integer())
        return _Part(Mask(place) if _is_mask(item) else Advanced(place))
    if isinstance(item, list | tuple | range):
        return _list(item, call.general)
    return _Part(Integer(item if type(item) is int and not call.general else None))


def parse(call: Call) -> list[_Part] | None:
    """The items of a subscript of operand 0, every axis covered; None if it holds something that has no meaning."""
    shape, given = call.shapes[0], call.items
    missing = len(shape) - sum(map(_width, given))
    if all(item is not Ellipsis for item in given):
        given = (*given, Ellipsis)
    parts: list[_Part] = []
    axis = 0
    for item in given:
        if item is Ellipsis:
            parts.extend(_Part(Slice(), length) for length in shape[axis : axis + missing])
            axis += missing
            continue
        part = _part(item, call, shape[axis] if axis < len(shape) else 0)
        if part is None:
            return None
        parts.append(part)
        axis += _width(item)
    return parts


def _advanced_at(parts: list[_Part]) -> int:
    """Where the axes of index arrays go: in place if they stand side by side once plain numbers are gone."""
    left = [part.item for part in parts if not isinstance(part.item, Integer)]
    places = [i for i, item in enumerate(left) if isinstance(item, Advanced | Mask)]
    side_by_side = places == list(range(places[0], places[0] + len(places))) if places else False
    return places[0] if side_by_side else 0


def _selection(parts: list[_Part], call: Call) -> Shape | None:
    """Shape of the part that a subscript stands for; None where only the data could tell."""
    plain = [part.length for part in parts if part.length is not None]
    arrays = [part.item for part in parts if isinstance(part.item, Advanced | Mask)]
    if not arrays:
        return tuple(plain)
    at = _advanced_at(parts)
    if len(arrays) == 1 and isinstance(arrays[0], Mask):
        # How many elements a mask keeps is known from the value written, unless that is stretched.
        value = call.shapes[1]
        behind = len(plain) - at
        length = value[-1 - behind] if len(value) > behind else 1
        return (*plain[:at], length, *plain[at:]) if length != 1 else None
    if any(isinstance(item, Mask) for item in arrays):
        return None
    picked = broadcast_shape([call.shapes[item.operand] for item in arrays])
    return (*plain[:at], *picked, *plain[at:]) if picked is not None else None


def _get_item(call: Call) -> Meaning | None:
    parts = parse(call)
    return Index(tuple(part.item for part in parts), _advanced_at(parts)) if parts is not None else Opaque()


def _set_item(call: Call) -> Meaning | None:
    """A number is written everywhere alike; an array is broadcast into the selection."""
    if not is_array(call.args[2]):
        return Elementwise(in_place=0)
    parts = parse(call)
    selection = _selection(parts, call) if parts is not None else None
    if parts is None or selection is None:
        return Opaque()
    return Assign(tuple(part.item for part in parts), selection)


def _index_select(call: Call) -> Meaning | None:
    axis = call.axis(call.get(1, "dim"))
    index = call.operand(call.get(2, "index"))
    item: Item = Advanced(index) if call.shapes[index] else Slice(False)
    return Index(tuple(item if i == axis else Slice() for i in range(call.rank)), axis)


def _gather(call: Call) -> Meaning | None:
    return Gather(call.axis(call.get(1, "dim")))


def _take_along(call: Call) -> Meaning | None:
    dim = call.get(2, "dim")
    return Gather(call.axis(dim)) if dim is not None else Opaque()


def _masked_select(call: Call) -> Meaning | None:
    if len(call.shapes) == 2 and call.shapes[0] == call.shapes[1]:
        return Index((Mask(1),), 0)
    return Opaque()


def _kept(call: Call) -> Meaning | None:
    """Something is written into the array; its axes stay."""
    return Same()


TABLE: dict[str, Describe] = {
    "__getitem__": _get_item, "__setitem__": _set_item,
    "index_select": _index_select, "gather": _gather, "take_along_dim": _take_along, "masked_select": _masked_select,
    **dict.fromkeys(WRITERS.split(), _kept),
}  # fmt: skip
"""Describing functions by base name."""
