"""What can be told about a tensor that no followed operation produced."""

from __future__ import annotations

import weakref
from types import CodeType, FrameType
from typing import Any

import torch

from shapecell.adapters.base import Provenance
from shapecell.model import Shape
from shapecell.tracking.operation import Drop, Expand, Insert, Meaning, Permute, Reshape, Same

MAX_PARAMETERS = 10_000
MAX_FRAMES = 200

_CALL_MODULE: CodeType = torch.nn.Module._call_impl.__code__


def names_of(array: torch.Tensor) -> tuple[str | None, ...] | None:
    """Names that the user gave to the axes; None if there are none (or torch has no named tensors any more)."""
    if not hasattr(array, "has_names") or not array.has_names():
        return None
    return tuple(array.names)


class ModulePaths:
    """Paths of parameters in the modules that are being called (``"net.2.weight"``)."""

    def __init__(self) -> None:
        self._roots: weakref.WeakKeyDictionary[torch.nn.Module, dict[int, str]] = weakref.WeakKeyDictionary()

    def path(self, parameter: torch.Tensor, frame: FrameType | None) -> str | None:
        """The path in the outermost module that is being called; None if no module call holds the parameter.

        Only frames of ``Module._call_impl`` are looked into: they hold nothing longer than the call itself.
        """
        found = None
        for _ in range(MAX_FRAMES):
            if frame is None:
                break
            if frame.f_code is _CALL_MODULE:
                module = frame.f_locals.get("self")
                if isinstance(module, torch.nn.Module):
                    found = self._paths(module, parameter).get(id(parameter), found)
            frame = frame.f_back
        return found

    def _paths(self, module: torch.nn.Module, parameter: torch.Tensor) -> dict[int, str]:
        known = self._roots.get(module)
        if known is None or id(parameter) not in known:
            known = self._roots[module] = {}
            for number, (name, value) in enumerate(module.named_parameters()):
                if number >= MAX_PARAMETERS:
                    break
                known[id(value)] = name
        return known

    def clear(self) -> None:
        self._roots.clear()


def _dense(shape: Shape, strides: tuple[int, ...]) -> bool:
    """True if the strides are those of a row-major array."""
    step = 1
    for length, stride in zip(reversed(shape), reversed(strides), strict=True):
        if length != 1 and stride != step:
            return False
        step *= length
    return True


def view_of(view: torch.Tensor, base: torch.Tensor) -> Meaning | None:
    """The one operation that makes `view` from `base`, told from shapes and strides; None where that is not certain."""
    mine, other = tuple(view.shape), tuple(base.shape)
    steps, base_steps = view.stride(), base.stride()
    if view.dtype != base.dtype or 0 in mine or view.storage_offset() != base.storage_offset():
        return None
    if mine == other and steps == base_steps:
        return Same()
    long = [(n, s) for n, s in zip(mine, steps, strict=True) if n != 1]
    base_long = [(n, s) for n, s in zip(other, base_steps, strict=True) if n != 1]
    if long == base_long and len(mine) != len(other):
        if len(mine) == len(base_long):
            return Drop(tuple(i for i, n in enumerate(other) if n == 1))
        if len(other) == len(long):
            return Insert(tuple(i for i, n in enumerate(mine) if n == 1))
        return None
    if len(mine) == len(other) and 1 not in mine:
        pairs = list(zip(other, base_steps, strict=True))
        if len(set(pairs)) == len(pairs) and sorted(pairs) == sorted(long):
            return Permute(tuple(pairs.index(pair) for pair in long))
        if all(after == before or before[0] == 1 for after, before in zip(long, pairs, strict=True)):
            return Expand()
    if view.numel() == base.numel() and _dense(mine, steps) and _dense(other, base_steps):
        return Reshape(None)
    return None


def provenance(array: Any, paths: ModulePaths, frame: FrameType | None) -> Provenance | None:
    """What is known of `array`; None for anything but a plain tensor, or if there is nothing to tell."""
    if not isinstance(array, torch.Tensor):
        return None
    parameter = isinstance(array, torch.nn.Parameter)
    names = names_of(array)
    if parameter:
        return Provenance(paths.path(array, frame), True, axis_names=names)
    base = array._base if array.layout is torch.strided and not array.is_quantized else None
    meaning = view_of(array, base) if base is not None else None
    if meaning is None and names is None:
        return None
    return Provenance(None, False, base if meaning is not None else None, meaning, names)
