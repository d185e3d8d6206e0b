"""Views and rearrangements: axes move, split, merge, appear, vanish, repeat; and joins and splits."""

from __future__ import annotations

from shapecell.adapters.torch.call import Call, Describe
from shapecell.tracking.operation import (
    Concatenate,
    Drop,
    Expand,
    Index,
    Insert,
    Integer,
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


def _swap(call: Call, first: int, second: int) -> Meaning:
    order = list(range(call.rank))
    if order:
        order[first], order[second] = order[second], order[first]
    return Permute(tuple(order))


def _transpose(call: Call) -> Meaning | None:
    first = call.get(1, "dim0", call.kwargs.get("axis0"))
    second = call.get(2, "dim1", call.kwargs.get("axis1"))
    return _swap(call, call.axis(first), call.axis(second))


def _reversed(call: Call) -> Meaning | None:
    return Permute(tuple(reversed(range(call.rank))))


def _matrix_transpose(call: Call) -> Meaning | None:
    return _swap(call, -2, -1) if call.rank > 1 else Same()


def _permute(call: Call) -> Meaning | None:
    return Permute(tuple(call.axis(dim) for dim in call.sizes(1, "dims")))


def _move(call: Call) -> Meaning | None:
    source, target = call.get(1, "source"), call.get(2, "destination")
    sources = [call.axis(v) for v in (source if isinstance(source, tuple | list) else (source,))]
    targets = [call.axis(v) for v in (target if isinstance(target, tuple | list) else (target,))]
    order: list[int | None] = [None] * call.rank
    for at, axis in zip(targets, sources, strict=True):
        order[at] = axis
    rest = iter(axis for axis in range(call.rank) if axis not in sources)
    return Permute(tuple(next(rest) if axis is None else axis for axis in order))


def _reshape(call: Call) -> Meaning | None:
    sizes = call.sizes(1, "shape" if "shape" in call.kwargs else "size")
    if not call.operands or not all(type(size) is int for size in sizes):
        return Same() if call.results and call.result == call.shapes[0] else Opaque()
    return Reshape(None if call.general else sizes)


def _flatten(call: Call) -> Meaning | None:
    return Reshape(())


def _unflatten(call: Call) -> Meaning | None:
    """The sizes of one axis are written; the others stay as they were."""
    axis = call.axis(call.get(1, "dim"))
    sizes = call.sizes(2, "sizes")
    shape = call.shapes[0]
    if not all(type(size) is int for size in sizes):
        return Reshape(None)
    before, after = ([n if n != 1 else -1 for n in part] for part in (shape[:axis], shape[axis + 1 :]))
    return Reshape((*before, *sizes, *after))


def _like(call: Call) -> Meaning | None:
    return Reshape(None)


def _squeeze(call: Call) -> Meaning | None:
    shape = call.shapes[0]
    if not call.has(1, "dim"):
        return Drop(tuple(axis for axis, length in enumerate(shape) if length == 1), every=True)
    axes = call.axes(call.get(1, "dim"))
    return Drop(tuple(axis for axis in axes if shape[axis] == 1))


def _unsqueeze(call: Call) -> Meaning | None:
    return Insert((call.axis(call.get(1, "dim"), call.rank + 1),))


def _at_least(rank: int) -> Describe:
    def describe(call: Call) -> Meaning | None:
        if len(call.shapes) != 1 or call.rank >= rank:
            return Same() if len(call.shapes) == 1 else Opaque()
        if rank == 3:  # a vector becomes (1, n, 1), a matrix (n, m, 1)
            return Insert(((0, 1, 2), (0, 2), (2,))[call.rank])
        return Insert(tuple(range(rank - call.rank)))

    return describe


def _expand(call: Call) -> Meaning | None:
    return Expand()


def _repeat(call: Call) -> Meaning | None:
    times = call.sizes(1, "dims" if call.base == "tile" else "repeats")
    missing = len(call.result) - len(times)
    return Repeat((1,) * missing + tuple(n if type(n) is int and not call.general else None for n in times))


def _repeat_interleave(call: Call) -> Meaning | None:
    dim, times = call.get(2, "dim"), call.get(1, "repeats")
    if dim is None:
        return Opaque()
    axis = call.axis(dim)
    count = times if type(times) is int and not call.general else None
    return Repeat(tuple(count if i == axis else 1 for i in range(call.rank)))


def _narrow(call: Call) -> Meaning | None:
    axis = call.axis(call.get(1, "dim"))
    start, length = call.get(2, "start"), call.get(3, "length")
    key = None if call.general or type(start) is not int else (start, length)
    whole = start == 0 and length == call.shapes[0][axis]
    return Index(tuple(Slice(whole, None if whole else key) if i == axis else Slice() for i in range(call.rank)))


def _select(call: Call) -> Meaning | None:
    axis = call.axis(call.get(1, "dim"))
    index = call.get(2, "index")
    key = index if type(index) is int and not call.general else None
    return Index(tuple(Integer(key) if i == axis else Slice() for i in range(call.rank)))


def _diagonal(call: Call) -> Meaning | None:
    first = call.axis(call.get(2, "dim1", -2 if call.base == "linalg_diagonal" else 0))
    second = call.axis(call.get(3, "dim2", -1 if call.base == "linalg_diagonal" else 1))
    kept = tuple(Kept(0, i) for i in range(call.rank) if i not in (first, second))
    return Map((*kept, New("diagonal")))


def _diag(call: Call) -> Meaning | None:
    """A vector becomes a matrix, a matrix gives its diagonal."""
    if call.rank == 1 and len(call.result) == 2:
        square = call.result == call.shapes[0] * 2
        return Map((Kept(0, 0), New("diagonal")) if square else (New("diagonal"), New("diagonal")))
    return Map((New("diagonal"),))


def _diag_embed(call: Call) -> Meaning | None:
    if any(call.has(position, name) for position, name in ((1, "offset"), (2, "dim1"), (3, "dim2"))):
        return Opaque()
    return Map((*(Kept(0, i) for i in range(call.rank)), New("diagonal")))


def _windows(call: Call) -> Meaning | None:
    """``Tensor.unfold``: windows along one axis, their elements last."""
    axis = call.axis(call.get(1, "dimension"))
    kept: tuple[Kept | New, ...] = tuple(New("windows") if i == axis else Kept(0, i) for i in range(call.rank))
    return Map((*kept, New("window")))


def _cat(call: Call) -> Meaning | None:
    return Concatenate(call.axis(call.get(1, "dim", call.kwargs.get("axis", 0))))


def _stack(call: Call) -> Meaning | None:
    return Stack(call.axis(call.get(1, "dim", 0), call.rank + 1))


def _hstack(call: Call) -> Meaning | None:
    return Concatenate(0 if call.rank <= 1 else 1)


def _dstack(call: Call) -> Meaning | None:
    if call.rank >= 3:
        return Concatenate(2)
    return Stack(2) if call.rank == 2 else Opaque()


def _vstack(call: Call) -> Meaning | None:
    if call.rank >= 2:
        return Concatenate(0)
    return Stack(0) if all(len(shape) == 1 for shape in call.shapes) else Opaque()


def _column_stack(call: Call) -> Meaning | None:
    if call.rank >= 2:
        return Concatenate(1)
    return Stack(1) if all(len(shape) == 1 for shape in call.shapes) else Opaque()


def _split(call: Call) -> Meaning | None:
    return Split(call.axis(call.get(2, "dim", 0)))


def _split_at(axis: int) -> Describe:
    return lambda call: Split(0 if call.rank == 1 else axis)


def _unbind(call: Call) -> Meaning | None:
    return Split(call.axis(call.get(1, "dim", 0)), removed=True)


def _meshgrid(call: Call) -> Meaning | None:
    """Axis i of every table is vector i; with ``indexing="xy"`` the first two change places."""
    order = list(range(len(call.operands)))
    if call.kwargs.get("indexing") == "xy" and len(order) > 1:
        order[0], order[1] = 1, 0
    return Map(tuple(Kept(i, 0) if call.shapes[i] else New() for i in order))


def _complex_parts(call: Call) -> Meaning | None:
    if call.base == "view_as_real":
        return Map((*(Kept(0, i) for i in range(call.rank)), New("real and imaginary part")))
    return Map(tuple(Kept(0, i) for i in range(call.rank - 1)))


TABLE: dict[str, Describe] = {
    **dict.fromkeys(("transpose", "swapaxes", "swapdims"), _transpose),
    **dict.fromkeys(("T", "t"), _reversed),
    **dict.fromkeys(("mT", "mH", "H", "adjoint"), _matrix_transpose),
    "permute": _permute, "movedim": _move, "moveaxis": _move,
    **dict.fromkeys(("reshape", "view"), _reshape),
    **dict.fromkeys(("flatten", "ravel"), _flatten), "unflatten": _unflatten,
    **dict.fromkeys(("view_as", "reshape_as"), _like),
    "squeeze": _squeeze, "unsqueeze": _unsqueeze,
    "atleast_1d": _at_least(1), "atleast_2d": _at_least(2), "atleast_3d": _at_least(3),
    **dict.fromkeys(("expand", "expand_as", "broadcast_to", "broadcast_tensors"), _expand),
    "repeat": _repeat, "tile": _repeat, "repeat_interleave": _repeat_interleave,
    "narrow": _narrow, "select": _select,
    "diagonal": _diagonal, "linalg_diagonal": _diagonal, "diag": _diag, "diag_embed": _diag_embed,
    "unfold": _windows,
    **dict.fromkeys(("cat", "concat", "concatenate"), _cat), "stack": _stack,
    "hstack": _hstack, "dstack": _dstack,
    "vstack": _vstack, "row_stack": _vstack, "column_stack": _column_stack,
    **dict.fromkeys(("split", "chunk", "tensor_split", "split_with_sizes", "unsafe_split", "unsafe_chunk"), _split),
    "hsplit": _split_at(1), "vsplit": _split_at(0), "dsplit": _split_at(2),
    "unbind": _unbind, "meshgrid": _meshgrid,
    "view_as_real": _complex_parts, "view_as_complex": _complex_parts,
}  # fmt: skip
"""Describing functions by base name."""
