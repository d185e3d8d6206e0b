"""Ufuncs, functions of each element, copies, and arrays made from nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from shapecell.adapters.numpy.call import NUMBERS, Call, Describe, UfuncCall, UnfollowableError, shape_of
from shapecell.adapters.numpy.contractions import generalised
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.operation import Assign, Create, Elementwise, Kept, Map, Meaning, Opaque, Same, Slice

PAIRED = frozenset(("equal", "not_equal", "subtract"))

BROADCASTING = """
    where clip isclose choose select nan_to_num round around round_ fix real imag angle iscomplex isreal isneginf
    isposinf sinc i0 real_if_close conj conjugate
"""
SAME = """
    copy astype zeros_like ones_like empty_like full_like tril triu digitize unwrap byteswap fft.fftshift fft.ifftshift
    piecewise fill_diagonal put putmask place linalg.cholesky linalg.matrix_power
"""
CREATIONS = "linspace logspace geomspace tril_indices_from triu_indices_from diag_indices_from"


def _ufunc(call: Call) -> Meaning:
    assert isinstance(call, UfuncCall)
    if not call.operands:
        raise UnfollowableError("numbers only")
    if call.ufunc.signature is not None:
        return generalised(call)
    return Elementwise(call.in_place, call.ufunc.__name__ in PAIRED)


def _is_operand(value: Any) -> bool:
    return isinstance(value, np.ndarray | np.generic) or value is None or value.__class__ in NUMBERS


def _broadcasting(call: Call) -> Meaning:
    """Every argument that is no number must be an operand; else something unknown is broadcast too."""
    if not call.operands:
        raise UnfollowableError("numbers only")
    if call.base == "where" and len(call.args) + len(call.kwargs) < 3:
        return Opaque()
    values = [value for name, value in call.given.items() if name in _VALUES]
    parts = [part for value in values for part in (value if isinstance(value, list | tuple) else (value,))]
    if not all(_is_operand(part) for part in parts):
        raise UnfollowableError("an operand is no array")
    out = call.get("out")
    target = next((i for i, operand in enumerate(call.operands) if operand is out), None)
    return Elementwise(target)


_VALUES = frozenset(("condition", "x", "y", "a", "b", "val", "z", "a_min", "a_max", "min", "max", "choices",
                     "condlist", "choicelist", "default", "m"))  # fmt: skip


def _pairs(call: Call) -> Meaning:
    """``allclose``, ``array_equal``: one truth value of operands that are meant to have one shape."""
    if len(call.operands) < 2:
        raise UnfollowableError("no two arrays")
    if call.base == "array_equal" and call.shapes[0] != call.shapes[1]:
        return Opaque()
    shape = broadcast_shape(call.shapes)
    if shape is None:
        return Opaque()
    call.results = (shape,)
    return Elementwise(pairs=True)


def _same(call: Call) -> Meaning:
    """The axes of the first argument are kept; under another shape it is an array of its own."""
    if call.results and call.result != call.shape:
        return Opaque()
    return Same()


def _create(call: Call) -> Meaning:
    return Opaque() if call.operands else Create()


def _copyto(call: Call) -> Meaning:
    if call.operands and call.operands[-1] is not call.get("src") and not isinstance(call.get("src"), np.ndarray):
        return Elementwise(in_place=0) if _is_operand(call.get("src")) else Opaque()
    return Assign(tuple(Slice() for _ in call.shape), call.shape)


def _axes_of(parameter: str) -> Describe:
    """The result has the axes of the argument `parameter`: ``searchsorted(a, v)``, ``interp(x, …)``."""

    def describe(call: Call) -> Meaning:
        value = call.get(parameter)
        number = call.operand(value)
        if call.results and call.result != shape_of(value):
            return Opaque()
        return Map(tuple(Kept(number, axis) for axis in range(len(shape_of(value)))))

    return describe


TABLE: dict[str, Describe] = {
    "ufunc": _ufunc,
    **dict.fromkeys(BROADCASTING.split(), _broadcasting),
    **dict.fromkeys(SAME.split(), _same),
    **dict.fromkeys(CREATIONS.split(), _create),
    **dict.fromkeys(("allclose", "array_equal", "array_equiv"), _pairs),
    "copyto": _copyto,
    "searchsorted": _axes_of("v"),
    "interp": _axes_of("x"),
    "polyval": _axes_of("x"),
    "isin": _axes_of("element"),
}
"""Describing functions by base name."""

NUMERIC = """
    full_like searchsorted interp polyval isin digitize place put putmask copyto allclose roll percentile quantile
    nanpercentile nanquantile setitem at pad delete insert fill_diagonal
"""

INSENSITIVE = frozenset(BROADCASTING.split()) | frozenset(NUMERIC.split())
"""Functions whose whole numbers say nothing of axes: they do not tell calls apart."""
