"""Reductions in every spelling, and what runs along axes without taking them away."""

from __future__ import annotations

from typing import Literal

from shapecell.adapters.torch.call import Call, Describe, is_array
from shapecell.tracking.operation import Along, Kept, Map, Meaning, New, Reduce

Action = Literal["normalise", "sort", "scan", "standardise", "other"]

_PLAIN = """
    sum nansum mean nanmean prod amax amin argmax argmin all any logsumexp special_logsumexp median nanmedian mode
    max min
"""

# Positions of `dim` and `keepdim` among the arguments.
POSITIONS: dict[str, tuple[int, int]] = {
    **dict.fromkeys(_PLAIN.split(), (1, 2)),
    **dict.fromkeys(("norm", "linalg_norm", "linalg_vector_norm", "linalg_matrix_norm", "nuclear_norm"), (2, 3)),
    **dict.fromkeys(("quantile", "nanquantile", "kthvalue"), (2, 3)),
    **dict.fromkeys(("std", "var", "std_mean", "var_mean"), (1, 3)),
    "count_nonzero": (1, 99),
    "aminmax": (99, 99),
    "renorm": (2, 99),
}

STATISTICS = {
    "special_logsumexp": "logsumexp", "linalg_norm": "norm", "linalg_vector_norm": "norm",
    "linalg_matrix_norm": "norm", "amax": "max", "amin": "min",
}  # fmt: skip

# Functions that act on the last axis (or the last two) when no axis is given.
LAST = {"mode": 1, "kthvalue": 1, "linalg_matrix_norm": 2}


def _reduce(call: Call) -> Meaning | None:
    at_dim, at_keepdim = POSITIONS[call.base]
    dim = call.get(at_dim, "dim", call.kwargs.get("axis"))
    if call.base in {"std", "var", "std_mean", "var_mean"} and isinstance(dim, bool):
        dim = None
    keepdim = bool(call.get(at_keepdim, "keepdim", call.kwargs.get("keepdims", False)))
    count = LAST.get(call.base)
    last = tuple(range(max(call.rank - count, 0), call.rank)) if count is not None else None
    axes = call.axes(dim) if dim is not None or last is None else last
    return Reduce(axes, keepdim, STATISTICS.get(call.base, call.base))


def _extreme(call: Call) -> Meaning | None:
    """``max(x)``, ``max(x, dim)`` and ``max(x, other)`` are three functions."""
    if is_array(call.get(1, "other")):
        return call.elementwise()
    return _reduce(call)


def _quantile(call: Call) -> Meaning | None:
    """Several quantiles at once make a new first axis."""
    plain = _reduce(call)
    quantiles = call.get(1, "q")
    if not isinstance(plain, Reduce) or not is_array(quantiles) or quantiles.dim() == 0:
        return plain
    kept: list[Kept | New] = [New("quantiles")]
    for axis in range(call.rank):
        if axis not in plain.axes:
            kept.append(Kept(0, axis))
        elif plain.keepdims:
            kept.append(New(None, f"keepdim of {call.base}", "explicit"))
    return Map(tuple(kept))


def _last_two(call: Call) -> Meaning | None:
    """A number for each matrix: ``det``, ``trace``."""
    return Reduce(tuple(range(max(call.rank - 2, 0), call.rank)), False, call.base.removeprefix("linalg_"))


def _trapezoid(call: Call) -> Meaning | None:
    return Reduce((call.axis(call.get(2, "dim", -1)),), False, "sum")


def _along(action: Action, position: int, default: int | None) -> Describe:
    def describe(call: Call) -> Meaning | None:
        dim = call.get(position, "dim", default)
        if dim is None:  # softmax without dim picks the axis itself, and warns
            dim = 0 if call.rank in (0, 1, 3) else 1
        return Along(call.axes(dim), action)

    return describe


def _roll(call: Call) -> Meaning | None:
    dims = call.get(2, "dims", ())
    return Along(call.axes(dims), "other")


def _flip(call: Call) -> Meaning | None:
    return Along(call.axes(call.sizes(1, "dims")), "other")


def _sort(call: Call) -> Meaning | None:
    return Along((call.axis(_sort_dim(call)),) if call.rank else (), "sort")


def _sort_dim(call: Call) -> int:
    dim = call.get(1, "dim", -1)
    if isinstance(dim, bool):  # argsort(stable=True, dim=…) given by position
        dim = call.get(2, "dim", -1)
    return dim if type(dim) is int else -1


def _topk(call: Call) -> Meaning | None:
    """The k largest along an axis: all other axes stay."""
    axis = call.axis(call.get(2, "dim", -1))
    if not call.rank or call.result == call.shapes[0]:
        return Along((axis,) if call.rank else (), "sort")
    return Map(tuple(New("largest") if i == axis else Kept(0, i) for i in range(call.rank)))


def _difference(call: Call) -> Meaning | None:
    axis = call.axis(call.get(2, "dim", -1))
    return Map(tuple(New("differences") if i == axis else Kept(0, i) for i in range(call.rank)))


def _last_axes(call: Call) -> Meaning | None:
    """``layer_norm``, ``rms_norm``: the last axes, as many as the normalised shape has."""
    shape = call.get(1, "normalized_shape", ())
    count = len(shape) if isinstance(shape, tuple | list) else 1
    return Along(tuple(range(max(call.rank - count, 0), call.rank)), "standardise")


def _batch(call: Call) -> Meaning | None:
    """``batch_norm``: over all axes but the channels."""
    return Along(tuple(axis for axis in range(call.rank) if axis != 1), "standardise")


def _spatial(call: Call) -> Meaning | None:
    """``instance_norm``: over the axes behind the channels."""
    return Along(tuple(range(min(2, call.rank), call.rank)), "standardise")


def _group(call: Call) -> Meaning | None:
    return Along(tuple(range(1, call.rank)), "standardise")


TABLE: dict[str, Describe] = {
    **dict.fromkeys(POSITIONS, _reduce),
    "max": _extreme, "min": _extreme, "quantile": _quantile, "nanquantile": _quantile,
    "renorm": _along("normalise", 2, 0),
    **dict.fromkeys(("trace", "det", "logdet", "linalg_det", "linalg_matrix_rank", "linalg_cond"), _last_two),
    "trapezoid": _trapezoid, "trapz": _trapezoid,
    **dict.fromkeys(
        ("softmax", "log_softmax", "softmin", "special_softmax", "special_log_softmax"), _along("normalise", 1, None)
    ),
    "gumbel_softmax": _along("normalise", 4, -1), "normalize": _along("normalise", 2, 1),
    "glu": lambda call: Map(
        tuple(
            New("half") if i == call.axis(call.get(1, "dim", -1)) else Kept(0, i) for i in range(call.rank)
        )
    ),
    **dict.fromkeys(("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"), _along("scan", 1, 0)),
    "cumulative_trapezoid": _difference, "diff": _difference,
    "sort": _sort, "argsort": _sort, "msort": lambda call: Along((0,), "sort"), "topk": _topk,
    "flip": _flip, "fliplr": lambda call: Along((1,), "other"), "flipud": lambda call: Along((0,), "other"),
    "roll": _roll,
    "layer_norm": _last_axes, "rms_norm": _last_axes, "batch_norm": _batch, "instance_norm": _spatial,
    "group_norm": _group, "local_response_norm": _spatial,
    **dict.fromkeys(("fft_fft", "fft_ifft"), _along("other", 2, -1)),
    **dict.fromkeys(("fft_fftshift", "fft_ifftshift"), _along("other", 1, -1)),
}  # fmt: skip
"""Describing functions by base name."""
