"""Views and rearrangements: axes move, split, merge, appear, vanish, repeat; and joins and splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from shapecell.adapters.numpy.call import Call, Describe, UnfollowableError, shape_of
from shapecell.model import Shape
from shapecell.tracking.operation import (
    Concatenate,
    Drop,
    Expand,
    Index,
    Insert,
    Item,
    Kept,
    Map,
    Meaning,
    New,
    Opaque,
    Permute,
    Repeat,
    Reshape,
    Same,
    Slice,
    Split,
    Stack,
)


def _reshape(call: Call) -> Meaning:
    call.shape  # noqa: B018  # the first argument must be an array
    sizes = call.get("shape", call.get("newshape"))
    if not isinstance(sizes, tuple | list):
        sizes = (sizes,)
    return Reshape(tuple(int(size) for size in sizes))


def _flat(call: Call) -> Meaning:
    return Same() if call.rank == 1 else Reshape(())


def _transpose(call: Call) -> Meaning:
    axes = call.get("axes")
    if axes is None or (isinstance(axes, tuple) and not axes):
        return Permute(tuple(reversed(range(call.rank))))
    return Permute(call.axes(axes))


def _swap(rank: int, first: int, second: int) -> Meaning:
    order = list(range(rank))
    order[first], order[second] = order[second], order[first]
    return Permute(tuple(order))


def _swapaxes(call: Call) -> Meaning:
    return _swap(call.rank, call.axis(call.get("axis1")), call.axis(call.get("axis2")))


def _matrix_transpose(call: Call) -> Meaning:
    return _swap(call.rank, call.rank - 2, call.rank - 1)


def _moveaxis(call: Call) -> Meaning:
    sources, targets = call.axes(call.get("source")), call.axes(call.get("destination"))
    order: dict[int, int] = dict(zip(targets, sources, strict=True))
    rest = iter(axis for axis in range(call.rank) if axis not in sources)
    return Permute(tuple(order[i] if i in order else next(rest) for i in range(call.rank)))


def _rollaxis(call: Call) -> Meaning:
    axis, start = call.axis(call.get("axis")), call.get("start", 0)
    start = start + call.rank if start < 0 else start
    order = [i for i in range(call.rank) if i != axis]
    order.insert(start - 1 if axis < start else start, axis)
    return Permute(tuple(order))


def _rot90(call: Call) -> Meaning:
    first, second = call.axes(call.get("axes", (0, 1)))
    if call.get("k", 1) % 2:
        return _swap(call.rank, first, second)
    return Index(tuple(Slice(False, "flip") if i in (first, second) else Slice() for i in range(call.rank)))


def _flip(axis: int) -> Describe:
    def describe(call: Call) -> Meaning:
        items: list[Item] = [Slice(False, "flip") if i == axis else Slice() for i in range(call.rank)]
        return Index(tuple(items))

    return describe


def _squeeze(call: Call) -> Meaning:
    axis = call.get("axis")
    if axis is None:
        return Drop(tuple(i for i, length in enumerate(call.shape) if length == 1), every=True)
    return Drop(tuple(sorted(call.axes(axis))))


def _expand_dims(call: Call) -> Meaning:
    axis = call.get("axis")
    count = len(axis) if isinstance(axis, tuple | list) else 1
    return Insert(tuple(sorted(call.axes(axis, call.rank + count))))


def _at_least(rank: int) -> Describe:
    def describe(call: Call) -> Meaning:
        found = call.rank
        if found >= rank:
            return Same()
        if rank == 3:  # a vector becomes (1, n, 1), a matrix (n, m, 1)
            return Insert(((0, 1, 2), (0, 2), (2,))[found])
        return Insert(tuple(range(rank - found)))

    return describe


def _expand(call: Call) -> Meaning:
    call.shape  # noqa: B018  # the first argument must be an array
    return Expand()


def _tile(call: Call) -> Meaning:
    reps = call.get("reps")
    times: tuple[Any, ...] = tuple(reps) if isinstance(reps, tuple | list) else (reps,)
    if not all(isinstance(n, int) for n in times):
        raise UnfollowableError("repeats are no numbers")
    return Repeat((1,) * (max(call.rank, len(times)) - len(times)) + times)


def _repeat(call: Call) -> Meaning:
    axis, times = call.get("axis"), call.get("repeats")
    if axis is None:
        if call.rank != 1:
            return Opaque()
        axis = 0
    number = call.axis(axis)
    count = times if isinstance(times, int) else None
    return Repeat(tuple(count if i == number else 1 for i in range(call.rank)))


def _diagonal(call: Call) -> Meaning:
    linalg = call.base.startswith("linalg.")
    first = call.axis(-2 if linalg else call.get("axis1", 0))
    second = call.axis(-1 if linalg else call.get("axis2", 1))
    return Map((*(Kept(0, i) for i in range(call.rank) if i not in (first, second)), New("diagonal")))


def _diag(call: Call) -> Meaning:
    """A vector becomes a matrix, a matrix gives its diagonal."""
    if call.rank == 1:
        square = call.result == call.shape * 2
        return Map((Kept(0, 0), New("diagonal")) if square else (New("diagonal"), New("diagonal")))
    return Map((New("diagonal"),)) if call.base == "diag" else Opaque()


def _vander(call: Call) -> Meaning:
    return Map((Kept(0, 0), New("powers")))


def _windows(call: Call) -> Meaning:
    """``sliding_window_view``: places of the window first, elements of the window last."""
    axes = call.axes(call.get("axis"))
    moved: tuple[Kept | New, ...] = tuple(New("windows") if i in axes else Kept(0, i) for i in range(call.rank))
    return Map((*moved, *(New("window") for _ in axes)))


def _meshgrid(call: Call) -> Meaning:
    """Axis i of every table is vector i; with ``indexing="xy"`` the first two change places."""
    count = call.elements(call.args)
    order = list(range(count))
    if call.get("indexing", "xy") == "xy" and count > 1:
        order[0], order[1] = 1, 0
    return Map(tuple(Kept(i, 0) if call.shapes[i] else New() for i in order))


def open_grid(call: Call, number: int, shape: Shape) -> Meaning:
    """Result `number` of ``ix_`` or of ``meshgrid(sparse=True)``: its own axis, and 1s that are meant."""
    own = next((axis for axis, length in enumerate(shape) if length != 1), None)
    array = call.args[number]
    if own is None or not isinstance(array, np.ndarray) or shape_of(array) != (shape[own],):
        return Map(tuple(New(None, f"an axis of {call.base}", "explicit") for _ in shape))
    return Insert(tuple(axis for axis in range(len(shape)) if axis != own))


def _concatenate(call: Call) -> Meaning:
    call.elements(call.first)
    axis = call.get("axis", 0) if "axis" in call.given else 0
    if axis is None:
        raise UnfollowableError("flattened")
    return Concatenate(call.axis(axis, len(call.shapes[0])))


def _stack(call: Call) -> Meaning:
    call.elements(call.first)
    return Stack(call.axis(call.get("axis", 0), len(call.shapes[0]) + 1))


def _append(call: Call) -> Meaning:
    if len(call.operands) != 2 or (call.get("axis") is None and any(len(shape) != 1 for shape in call.shapes)):
        raise UnfollowableError("flattened, or not two arrays")
    return Concatenate(call.axis(call.get("axis", 0), len(call.shapes[0])))


def _stack_from(vectors: int, joined: int, rank: int) -> Describe:
    """``vstack`` and its kin: vectors are stacked along `vectors`, arrays of `rank` and more joined along `joined`."""

    def describe(call: Call) -> Meaning:
        call.elements(call.first)
        ranks = {len(shape) for shape in call.shapes}
        if ranks == {1} and vectors >= 0:
            return Stack(vectors)
        if min(ranks) >= rank and len(ranks) == 1:
            return Concatenate(joined)
        if ranks == {1}:
            return Concatenate(0)
        raise UnfollowableError("arrays of several ranks")

    return describe


def _dstack(call: Call) -> Meaning:
    call.elements(call.first)
    ranks = {len(shape) for shape in call.shapes}
    if len(ranks) == 1 and min(ranks) >= 2:
        return Stack(2) if ranks == {2} else Concatenate(2)
    raise UnfollowableError("vectors, or arrays of several ranks")


def _split(call: Call) -> Meaning:
    return Split(call.axis(call.get("axis", 0)))


def _split_at(axis: int) -> Describe:
    return lambda call: Split(0 if call.rank == 1 else axis)


def _unstack(call: Call) -> Meaning:
    return Split(call.axis(call.get("axis", 0)), removed=True)


TABLE: dict[str, Describe] = {
    "reshape": _reshape, "ravel": _flat, "flatten": _flat,
    "transpose": _transpose, "swapaxes": _swapaxes, "moveaxis": _moveaxis, "rollaxis": _rollaxis,
    "matrix_transpose": _matrix_transpose, "linalg.matrix_transpose": _matrix_transpose, "rot90": _rot90,
    "fliplr": _flip(1), "flipud": _flip(0),
    "squeeze": _squeeze, "expand_dims": _expand_dims,
    "atleast_1d": _at_least(1), "atleast_2d": _at_least(2), "atleast_3d": _at_least(3),
    "broadcast_to": _expand, "broadcast_arrays": _expand, "tile": _tile, "repeat": _repeat,
    "diagonal": _diagonal, "linalg.diagonal": _diagonal, "diag": _diag, "diagflat": _diag, "vander": _vander,
    "sliding_window_view": _windows, "lib.stride_tricks.sliding_window_view": _windows, "meshgrid": _meshgrid,
    "concatenate": _concatenate, "concat": _concatenate, "stack": _stack, "append": _append,
    "vstack": _stack_from(0, 0, 2), "hstack": _stack_from(-1, 1, 2), "column_stack": _stack_from(1, 1, 2),
    "dstack": _dstack,
    "split": _split, "array_split": _split, "hsplit": _split_at(1), "vsplit": _split_at(0), "dsplit": _split_at(2),
    "unstack": _unstack,
}  # fmt: skip
"""Describing functions by base name."""
