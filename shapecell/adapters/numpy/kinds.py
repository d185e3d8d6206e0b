"""Kinds of calls: how to tell calls of one kind apart, and how to read one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from shapecell.adapters.numpy.call import METHODS as PARAMETERS
from shapecell.adapters.numpy.call import NUMBERS, Call, UfuncCall, parameters_of, shape_of, static
from shapecell.adapters.numpy.call import UFUNC_METHODS as METHODS_OF_UFUNC
from shapecell.adapters.numpy.describe import INSENSITIVE
from shapecell.adapters.numpy.indexing import static_items

Arguments = tuple[Any, ...]
Keywords = dict[str, Any]
Key = tuple[Hashable, ...]
_array = np.ndarray
_SHAPED = (np.ndarray, list, tuple)


class Kind:
    """One kind of call: how to tell calls apart, and how to read one.

    `key` gives None for a call that is left alone.
    """

    def __init__(
        self,
        key: Callable[[Any, Arguments, Keywords], Key | None],
        make: Callable[[Any, Arguments, Keywords], Call],
    ) -> None:
        self.key = key
        self.make = make


def _token(ufunc: Any) -> Hashable:
    """Stands for a ufunc in a key; one that the user made (``frompyfunc``, ``vectorize``) must not be kept alive."""
    made = ufunc.ntypes == 1 and set(ufunc.types[0]) <= {"O", "-", ">"}
    return f"ufunc {ufunc.__name__}" if made else ufunc


def _ufunc_key(ufunc: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    """None if an operand is neither array, list nor number: its own class decides what the ufunc does."""
    inputs = args[1 : 1 + ufunc.nin]
    found: list[Hashable] = [_token(ufunc)]
    for value in inputs:
        kind = value.__class__
        if kind is _array:
            found.append(value.shape)
        elif kind in NUMBERS or value is None:
            found.append(kind)
        elif isinstance(value, _SHAPED):
            found.append((kind, shape_of(value)))
        elif isinstance(value, np.generic):
            found.append(kind)
        else:
            return None
    for target in args[1 + ufunc.nin :]:
        place = next((i for i, value in enumerate(inputs) if value is target), None)
        found.append(("out", place, static(target, True)))
    for name, value in kwargs.items():
        found.append(name)
        found.append(static(value, True))
    return tuple(found)


def _ufunc_call(ufunc: Any, args: Arguments, kwargs: Keywords) -> Call:
    return UfuncCall(ufunc, args[1:], kwargs)


def _static_key(token: Hashable, base: str, args: Arguments, kwargs: Keywords) -> Key:
    numbers = base not in INSENSITIVE
    found: list[Hashable] = [token]
    for value in args:
        found.append(value.shape if value.__class__ is _array else static(value, numbers))
    for name, value in kwargs.items():
        found.append(name)
        found.append(static(value, numbers))
    return tuple(found)


_bases: dict[Any, tuple[str, str]] = {}


def _function_names(function: Any) -> tuple[str, str]:
    """Public name of a function, and its name in the tables."""
    known = _bases.get(function)
    if known is None:
        module = str(function.__module__)
        base = f"{module}.{function.__name__}".removeprefix("numpy.")
        known = _bases[function] = (f"{module}.{function.__name__}", base)
    return known


def _function_key(function: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    return _static_key(function, _function_names(function)[1], args[1:], kwargs)


def _function_call(function: Any, args: Arguments, kwargs: Keywords) -> Call:
    name, base = _function_names(function)
    return Call(name, base, parameters_of(function), args[1:], kwargs)


def _method_key(name: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    return _static_key(f"ndarray.{name}", name, args, kwargs)


def _method_call(name: Any, args: Arguments, kwargs: Keywords) -> Call:
    parameters = PARAMETERS.get(name)
    if parameters is None:
        parameters = parameters_of(getattr(np, name, None) or vars(_array)[name])
    return Call(f"ndarray.{name}", name, parameters, args, kwargs)


def _ufunc_method_key(name: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    if len(args) < 2 + (name == "at"):
        return None
    if name == "at":
        items = static_items(args[1], args[2])
        return ((_token(args[0]), name), static(args[1], False), items, *(static(value, False) for value in args[3:]))
    return _static_key((_token(args[0]), name), name, args[1:], kwargs)


def _ufunc_method_call(name: Any, args: Arguments, kwargs: Keywords) -> Call:
    label = f"numpy.{args[0].__name__}.{name}"
    return Call(label, f"ufunc.{name}", METHODS_OF_UFUNC[name], args[1:], kwargs)


def _item_key(name: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    array, key = args[:2]
    items = static_items(array, key)
    if name == "getitem":
        return (name, static(array, True), items)
    return (name, static(array, True), items, static(args[2], False))


def _item_call(name: Any, args: Arguments, kwargs: Keywords) -> Call:
    return ItemCall(name, args)


class ItemCall(Call):
    """``a[key]`` and ``a[key] = value``: the value, if it is an array or a list, comes second."""

    def __init__(self, name: str, args: Arguments) -> None:
        super().__init__(f"ndarray.__{name}__", name, ("a", "key", "value"), args, {})

    def _collect(self) -> None:
        self._add(self.args[0], 0)
        for value in self.args[2:]:
            if isinstance(value, list | tuple):
                self.operands.append(value)
                self.places.append(1)
            self._add(value, 1)
        key = self.args[1]
        for place, item in enumerate(key if isinstance(key, tuple) else (key,)):
            self._add(item, place + 1)


UFUNC = Kind(_ufunc_key, _ufunc_call)
FUNCTION = Kind(_function_key, _function_call)
METHOD = Kind(_method_key, _method_call)
UFUNC_METHOD = Kind(_ufunc_method_key, _ufunc_method_call)
ITEM = Kind(_item_key, _item_call)
