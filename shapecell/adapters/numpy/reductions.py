"""Reductions, and functions that run along an axis."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from shapecell.adapters.numpy.call import Call, Describe, UnfollowableError
from shapecell.tracking.operation import (
    Along,
    Contract,
    Index,
    Item,
    Kept,
    Map,
    Meaning,
    New,
    Opaque,
    Reduce,
    Reshape,
    Slice,
)

STATISTICS = """
    sum prod mean std var max min all any median ptp argmax argmin count_nonzero nansum nanprod nanmean nanstd nanvar
    nanmax nanmin nanmedian nanargmax nanargmin linalg.norm linalg.vector_norm trapezoid
"""
UFUNC_STATISTICS = {
    "add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min", "logical_and": "all", "logical_or": "any",
}  # fmt: skip
Action = Literal["normalise", "sort", "scan", "standardise", "other"]


def _statistic(call: Call) -> str:
    name = call.base.rpartition(".")[2]
    return {"amax": "max", "amin": "min"}.get(name, name.removeprefix("nan").removeprefix("vector_"))


def _keepdims(call: Call) -> bool:
    return bool(call.get("keepdims", False))


def _reduce(call: Call) -> Meaning:
    return Reduce(call.axes(_reduced(call)), _keepdims(call), _statistic(call))


def _reduced(call: Call) -> Any:
    """The axis argument as it stands; ``trapezoid`` runs along the last axis unless told otherwise."""
    return call.get("axis", -1 if call.base == "trapezoid" else None)


def _ufunc_reduce(call: Call) -> Meaning:
    name = call.name.split(".")[-2]
    axis = call.get("axis", 0)
    if call.rank == 0:
        return Reduce((), _keepdims(call), UFUNC_STATISTICS.get(name, name))
    return Reduce(call.axes(axis), _keepdims(call), UFUNC_STATISTICS.get(name, name))


def _matrix_norm(call: Call) -> Meaning:
    return Reduce((call.rank - 2, call.rank - 1), _keepdims(call), "norm")


def _trace(call: Call) -> Meaning:
    if call.base.startswith("linalg."):
        return Reduce((call.rank - 2, call.rank - 1), False, "trace")
    axes = (call.axis(call.get("axis1", 0)), call.axis(call.get("axis2", 1)))
    return Reduce(tuple(sorted(axes)), False, "trace")


def _average(call: Call) -> Meaning:
    """Weights of one axis belong to that axis; weights of the array's own shape are aligned with it."""
    axes = call.axes(call.get("axis"))
    weights = call.get("weights")
    if not isinstance(weights, np.ndarray):
        return Reduce(axes, _keepdims(call), "mean") if weights is None else Opaque()
    shape = call.shapes[call.operand(weights)]
    if shape == call.shape:
        return Reduce(axes, _keepdims(call), "mean")
    if _keepdims(call) or len(shape) != len(axes):
        raise UnfollowableError("weights of some axes, with keepdims")
    letters = tuple(range(call.rank))
    return Contract((letters, axes), tuple(axis for axis in letters if axis not in axes))


def _quantile(call: Call) -> Meaning:
    """One quantile is a reduction; several stand on new axes in front."""
    axes = call.axes(call.get("axis"))
    quantiles = call.get("q")
    rank = np.ndim(quantiles) if not isinstance(quantiles, np.ndarray) else quantiles.ndim
    if rank == 0:
        return Reduce(axes, _keepdims(call), _statistic(call))
    sources: list[Kept | New] = [New("quantiles") for _ in range(rank)]
    for axis in range(call.rank):
        if axis not in axes:
            sources.append(Kept(0, axis))
        elif _keepdims(call):
            sources.append(New(None, f"keepdims of {_statistic(call)}", "explicit"))
    return Map(tuple(sources))


def _along(action: Action, default: int | None = -1) -> Describe:
    """Shape kept, something runs along an axis; without an axis the array is flattened first."""

    def describe(call: Call) -> Meaning:
        axis = call.get("axis", default) if "axis" in call.given else default
        if call.rank == 0:
            raise UnfollowableError("no axis to run along")
        if axis is None:
            if call.rank != 1:
                return Reshape(()) if call.result == (call.operands[0].size,) else Opaque()
            axis = 0
        if call.results and call.result != call.shape:
            return _with_new_length(call, (call.axis(axis),), _NEW.get(call.base))
        return Along((call.axis(axis),), action)

    return describe


_NEW = {"fft.rfft": "frequencies", "fft.irfft": "samples", "fft.hfft": "frequencies", "fft.ihfft": "samples"}


def _with_new_length(call: Call, axes: tuple[int, ...], name: str | None) -> Meaning:
    if len(call.result) != call.rank:
        raise UnfollowableError("the rank changes")
    return Map(tuple(New(name) if axis in axes else Kept(0, axis) for axis in range(call.rank)))


def _fft_of_many(call: Call) -> Meaning:
    axes = call.get("axes", (-2, -1) if call.base.endswith("2") else None)
    found = call.axes(axes)
    if call.result != call.shape:
        return _with_new_length(call, found, "frequencies")
    return Along(tuple(sorted(set(found))), "other")


def _part_along(default: int) -> Describe:
    """The axis keeps its meaning but not all its elements, or not their order: ``diff``, ``delete``, ``roll``."""

    def describe(call: Call) -> Meaning:
        axis = call.get("axis", default if call.base == "diff" else None)
        if axis is None:
            if call.rank != 1:
                if call.base in ("flip", "roll") and call.result == call.shape:
                    return Index(tuple(Slice(False, call.base) for _ in call.shape))
                raise UnfollowableError("flattened")
            axis = 0
        axes = call.axes(axis)
        items: list[Item] = [Slice(False, call.base) if i in axes else Slice() for i in range(call.rank)]
        return Index(tuple(items))

    return describe


def _gradient(call: Call) -> Meaning:
    if not call.results or any(shape != call.shape for shape in call.results):
        raise UnfollowableError("no array")
    return Map(tuple(Kept(0, axis) for axis in range(call.rank)))


def _reduceat(call: Call) -> Meaning:
    return _with_new_length(call, (call.axis(call.get("axis", 0)),), "segments")


def _extended(call: Call) -> Meaning:
    """``pad``, ``insert``: an axis whose length changes is another axis; the others are kept."""
    shape, result = call.shape, call.result
    if len(shape) != len(result) or (call.base == "insert" and call.get("axis") is None and call.rank != 1):
        raise UnfollowableError("flattened")
    return Map(tuple(Kept(0, i) if n == result[i] else New() for i, n in enumerate(shape)))


TABLE: dict[str, Describe] = {
    **dict.fromkeys(STATISTICS.split(), _reduce), "amax": _reduce, "amin": _reduce,
    "ufunc.reduce": _ufunc_reduce, "ufunc.accumulate": _along("scan", 0), "ufunc.reduceat": _reduceat,
    "linalg.matrix_norm": _matrix_norm, "trace": _trace, "linalg.trace": _trace, "average": _average,
    **dict.fromkeys(("percentile", "quantile", "nanpercentile", "nanquantile"), _quantile),
    **dict.fromkeys(("cumsum", "cumprod", "nancumsum", "nancumprod", "cumulative_sum", "cumulative_prod"),
                    _along("scan", None)),
    **dict.fromkeys(("sort", "argsort", "partition", "argpartition"), _along("sort")), "sort_complex": _along("sort"),
    **dict.fromkeys(("fft.fft", "fft.ifft", "fft.rfft", "fft.irfft", "fft.hfft", "fft.ihfft"), _along("other")),
    **dict.fromkeys(("fft.fft2", "fft.ifft2", "fft.rfft2", "fft.irfft2", "fft.fftn", "fft.ifftn", "fft.rfftn",
                     "fft.irfftn"), _fft_of_many),
    "diff": _part_along(-1), "delete": _part_along(0), "roll": _part_along(0), "flip": _part_along(0),
    "gradient": _gradient, "pad": _extended, "insert": _extended,
}  # fmt: skip
"""Describing functions by base name."""
