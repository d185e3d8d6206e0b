"""From a torch function to its row in the tables and to the name that a user knows it by."""

from __future__ import annotations

import dataclasses
from types import ModuleType
from typing import Any

import torch

from shapecell.adapters.torch import contractions, elementwise, indexing, layers, losses, reductions, views
from shapecell.adapters.torch.call import Call, Describe
from shapecell.tracking.operation import Assign, Meaning, Opaque, Operation, Same

TABLE: dict[str, Describe] = {
    **elementwise.TABLE, **reductions.TABLE, **views.TABLE, **indexing.TABLE, **contractions.TABLE, **layers.TABLE,
    **losses.TABLE,
}  # fmt: skip

_SPECIAL = {
    "__eq__": "eq", "__ne__": "ne", "__lt__": "lt", "__le__": "le", "__gt__": "gt", "__ge__": "ge",
    "__add__": "add", "__sub__": "sub", "__mul__": "mul", "__div__": "div", "__truediv__": "div",
    "__floordiv__": "floor_divide", "__mod__": "remainder", "__pow__": "pow", "__matmul__": "matmul",
    "__and__": "bitwise_and", "__or__": "bitwise_or", "__xor__": "bitwise_xor", "__invert__": "bitwise_not",
    "__lshift__": "bitwise_left_shift", "__rshift__": "bitwise_right_shift", "__neg__": "neg", "__pos__": "positive",
    "__abs__": "abs",
}  # fmt: skip
_OPERATORS = ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor")
_REFLECTED = {f"__r{name}__": _SPECIAL[f"__{name}__"] for name in (*_OPERATORS, "lshift", "rshift")}
_IN_PLACE = {f"__i{name}__": _SPECIAL[f"__{name}__"] for name in (*_OPERATORS, "lshift", "rshift")}


@dataclasses.dataclass(frozen=True, slots=True)
class Function:
    """What is known of a torch function: its name in the tables and for the user, and how its arguments stand."""

    base: str
    name: str
    describe: Describe | None
    in_place: bool = False
    reflected: bool = False
    initialiser: bool = False
    insensitive: bool = False


def _module(path: str) -> ModuleType | None:
    found: Any = torch
    for part in path.split("."):
        found = getattr(found, part, None)
    return found if isinstance(found, ModuleType) else None


def _spoken(raw: str, base: str, function: Any, in_place: bool) -> str:
    """The name as a user would write it."""
    for prefix in ("linalg", "special", "fft", "sparse"):
        name = base.removeprefix(f"{prefix}_")
        if name != base and hasattr(_module(prefix), name):
            return f"torch.{prefix}.{name}"
    functional = torch.nn.functional
    if _of_functional(function) and hasattr(functional, raw):
        return f"F.{raw}"
    if getattr(function, "__module__", None) == "torch.nn.init":
        return f"nn.init.{raw}"
    if in_place and hasattr(torch.Tensor, f"{base}_"):
        return f"torch.Tensor.{base}_"
    if hasattr(torch, base):
        return f"torch.{base}"
    if hasattr(torch.Tensor, raw):
        return f"torch.Tensor.{raw}"
    return f"torch.{raw}"


def _of_functional(function: Any) -> bool:
    return getattr(function, "__module__", None) in ("torch.nn.functional", "torch._C._nn")


def identify(function: Any) -> Function:
    """Look a function up. Called once per function, off the hot path."""
    raw = getattr(function, "__name__", None) or type(function).__name__
    if raw == "__get__":
        raw = getattr(getattr(function, "__self__", None), "__name__", raw)
        return Function(raw, f"torch.Tensor.{raw}", TABLE.get(raw))
    in_place = reflected = False
    base = raw
    if raw in _REFLECTED:
        base, reflected = _REFLECTED[raw], True
    elif raw in _IN_PLACE:
        base, in_place = _IN_PLACE[raw], True
    elif raw in _SPECIAL:
        base = _SPECIAL[raw]
    elif raw.endswith("_") and not raw.endswith("__"):
        base, in_place = raw[:-1], True
    name = _spoken(raw, base, function, in_place)
    describe = TABLE.get(f"F.{base}") if _of_functional(function) else None
    return Function(
        base, name, describe or TABLE.get(base), in_place, reflected,
        initialiser=getattr(function, "__module__", None) == "torch.nn.init",
        insensitive=base in elementwise.INSENSITIVE,
    )  # fmt: skip


def meaning_of(function: Function, call: Call) -> Meaning:
    """What the call does to axes. `Opaque` where the tables know no better."""
    if function.initialiser:
        return Same() if call.operands else Opaque()
    meaning = function.describe(call) if function.describe is not None else None
    if meaning is None:
        kept = function.in_place and call.operands and call.results and call.result == call.shapes[0]
        return Same() if kept else Opaque()
    return meaning


def operation(function: Function, call: Call, meaning: Meaning) -> Operation:
    """The call in shapecell's vocabulary. What is assigned into keeps its axes: an assignment has no result."""
    results = () if isinstance(meaning, Assign) else call.results
    return Operation(function.name, meaning, call.shapes, results, tuple(call.places))
