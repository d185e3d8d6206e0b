"""Cheap comparison of a call's arguments with those that a settled site had."""

from __future__ import annotations

from typing import Any

import torch

LONGEST = 32

_PLAIN = (str, torch.device)
_SINGLETONS = (bool, torch.dtype, torch.layout, torch.memory_format)


class _UnsettledError(Exception):
    """An argument that cannot be compared cheaply."""


def _expected(value: Any, insensitive: bool, depth: int = 0) -> Any:
    """What an argument is compared with: a shape, a value, or a type."""
    kind = type(value)
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        return value.shape
    if value is None or value is Ellipsis or kind in _SINGLETONS:
        return value
    if kind is int:
        return int if insensitive else value
    if kind in _PLAIN:
        return value
    if kind is float or kind is complex:
        return kind
    if kind is torch.Size:
        return tuple(value)
    if kind is slice:
        return slice(*(_expected(part, insensitive) for part in (value.start, value.stop, value.step)))
    if (kind is tuple or kind is list) and depth < 2 and len(value) <= LONGEST:
        return kind(_expected(part, insensitive, depth + 1) for part in value)
    raise _UnsettledError


def expectation(args: tuple[Any, ...], kwargs: dict[str, Any] | None, insensitive: bool) -> tuple[Any, ...] | None:
    """What each argument is compared with, keywords by name and value behind; None if some argument cannot be."""
    values = (*args, *kwargs, *kwargs.values()) if kwargs else args
    try:
        return tuple(_expected(value, insensitive) for value in values)
    except _UnsettledError:
        return None


def fits(value: Any, known: Any) -> bool:
    """True if an argument is what `known` (of `expectation`) asks for. Never compares tensors."""
    kind = type(value)
    if kind is slice:
        if type(known) is not slice:
            return False
        start, stop, step = value.start, value.stop, value.step
        return (
            (start is known.start or fits(start, known.start))
            and (stop is known.stop or fits(stop, known.stop))
            and (step is known.step or fits(step, known.step))
        )
    if kind is tuple or kind is list:
        if type(known) is not kind or len(value) != len(known):
            return False
        for part, known_part in zip(value, known):  # noqa: B905  # the lengths are equal
            if part is not known_part and not fits(part, known_part):
                return False
        return True
    if kind is torch.Tensor or kind is torch.nn.Parameter:
        return bool(value.shape == known)
    if value is known or kind is known:
        return True
    if kind is torch.Size:
        return type(known) is tuple and tuple(value) == known
    return kind is type(known) and (kind is int or kind in _PLAIN) and bool(value == known)
