"""The hooks themselves, and the way of a call through them.

A settled call of a ufunc is compared with what is known of its place, counted and passed on. A settled call of
anything else takes one more step. Everything new goes to `Tracker.record`. Whatever goes wrong in here is reported
as a fault of ours; whatever the call itself raises leaves exactly as it would have, with our frames taken off.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from shapecell.adapters.base import Adapter
from shapecell.adapters.numpy.call import NUMBERS, Call, arrays_in, shape_of
from shapecell.adapters.numpy.describe import METHODS, TABLE, UFUNC_METHODS
from shapecell.adapters.numpy.hooks import Patch
from shapecell.adapters.numpy.indexing import is_advanced
from shapecell.adapters.numpy.kinds import (
    FUNCTION,
    ITEM,
    METHOD,
    UFUNC,
    UFUNC_METHOD,
    Arguments,
    Key,
    Keywords,
    Kind,
)
from shapecell.adapters.numpy.sites import Site, Sites, strip, unseen
from shapecell.adapters.numpy.views import open_grid
from shapecell.tracking.operation import Operation
from shapecell.tracking.tracker import Steady, Tracker, position_of

_getframe: Callable[[int], FrameType | Any] = sys._getframe
_array = np.ndarray
_SHAPED = (np.ndarray, list, tuple)
_SORTED_IN_PLACE = frozenset(("sort", "partition"))


class _Nothing:
    """Stands for an argument that was not given."""


_nothing = _Nothing()


class Settled:
    """What a settled call of a ufunc looks like: shape or class of its operands, and the function that makes it.

    `in_place` if the first operand receives the result.
    """

    __slots__ = ("call", "in_place", "x", "y")

    def __init__(self, x: Any, y: Any, in_place: bool, call: Any) -> None:
        self.in_place = in_place
        self.x = x
        self.y = y
        self.call = call


# ---------------------------------------------------------------- state


_sites = Sites()
_tracker: Tracker | None = None
_adapter: Adapter | None = None


def _unsettled(position: int) -> Steady | None:
    return None


_settled: Callable[[int], Steady | None] = _unsettled


def watch(adapter: Adapter, tracker: Tracker) -> None:
    """From now on calls are recorded by `tracker`."""
    global _tracker, _adapter, _settled
    _adapter = adapter
    _settled = tracker.steady.get
    _tracker = tracker


def rest() -> None:
    """From now on hooks that are left somewhere do nothing but pass calls on."""
    global _tracker, _adapter, _settled
    _tracker = None
    _settled = _unsettled
    _adapter = None
    _sites.clear()


# ---------------------------------------------------------------- the way of a call


@unseen
def _direct(original: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Functions written in Python give their warnings a level, by which our frames are passed."""
    return original(*args, **kwargs)


@unseen
def _follow(
    frame: FrameType | None,
    steady: Steady | None,
    kind: Kind,
    target: Any,
    original: Any,
    args: Arguments,
    kwargs: Keywords,
) -> Any:
    """Make the call, and count or record it."""
    if frame is None:
        return original(*args, **kwargs)
    tracker = _tracker
    site = _sites.at(frame)
    written_in_python = kind is FUNCTION and getattr(target, "_implementation", None).__class__ is FunctionType
    call = _direct if written_in_python else site.caller(frame)
    key = None if tracker is None or site.inner else _key(tracker, kind, target, args, kwargs)
    if key is None or tracker is None:
        return call(original, *args, **kwargs)
    if steady is not None and steady.key == key and _same_caller(steady, frame):
        steady.count += 1
        return call(original, *args, **kwargs)
    try:
        result = call(original, *args, **kwargs)
    except BaseException as error:
        _note_failure(tracker, frame, kind, target, key, args, kwargs, error)
        raise
    _note(tracker, frame, site, kind, target, key, original, args, kwargs, result)
    return result


def _same_caller(steady: Steady, frame: FrameType | None) -> bool:
    if not steady.caller or frame is None:
        return True
    outer = frame.f_back
    return outer is not None and position_of(outer) == steady.caller


def _key(tracker: Tracker, kind: Kind, target: Any, args: Arguments, kwargs: Keywords) -> Key | None:
    try:
        return kind.key(target, args, kwargs)
    except Exception as error:
        tracker.fault("telling NumPy calls apart", error)
        return None


def _note(
    tracker: Tracker,
    frame: FrameType,
    site: Site,
    kind: Kind,
    target: Any,
    key: Key,
    original: Any,
    args: Arguments,
    kwargs: Keywords,
    result: Any,
) -> None:
    adapter = _adapter
    if adapter is None:
        return
    try:
        call = kind.make(target, args, kwargs)
        results = arrays_in(result)
        if kind is METHOD and call.base in _SORTED_IN_PLACE:
            results = args[:1]
        if not results and not call.operands:
            return
        if len(results) > 1 or call.base == "ix_":
            each = _one_by_one(call, results)
            if each is not None:
                for number, (operand, operation) in enumerate(each):
                    tracker.record(
                        adapter, frame, (*key, number), operand, results[number : number + 1], _told(operation)
                    )
                return
        call.results = tuple(map(shape_of, results))
        steady = tracker.record(adapter, frame, key, tuple(call.operands), results, lambda: call.describe(TABLE))
        if steady is not None and kind is UFUNC and not kwargs:
            _settle(steady, frame, site, target, original, args)
    except Exception as error:
        tracker.fault(f"following {_name(target)}", error)


def _told(operation: Operation) -> Callable[[], Operation]:
    return lambda: operation


def _note_failure(
    tracker: Tracker,
    frame: FrameType,
    kind: Kind,
    target: Any,
    key: Key,
    args: Arguments,
    kwargs: Keywords,
    error: BaseException,
) -> None:
    adapter = _adapter
    if adapter is None or not isinstance(error, Exception):
        return
    try:
        call = kind.make(target, args, kwargs)
        if call.operands:
            tracker.failed(adapter, frame, key, tuple(call.operands), lambda: call.describe(TABLE), error)
    except Exception as fault:
        tracker.fault(f"following {_name(target)}", fault)


def _name(target: Any) -> str:
    return str(getattr(target, "__name__", target))


def _settle(steady: Steady, frame: FrameType, site: Site, ufunc: Any, original: Any, args: Arguments) -> None:
    """Complete a settled entry for the fast path: one or two operands that are plain arrays or numbers."""
    call = args[1:]
    in_place = len(call) == 3 and ufunc.nin == 2 and call[2] is call[0]
    if in_place:
        call = call[:2]
    if not 1 <= len(call) <= 2 or len(call) != ufunc.nin or steady.function is not ufunc:
        return
    if any(x.__class__ is not _array and x.__class__ not in NUMBERS for x in call):
        return
    pair = site.pair(frame, original.__get__(ufunc), len(call), in_place)
    if pair is not None:
        x, y = (v.shape if v.__class__ is _array else v.__class__ for v in (*call, _nothing)[:2])
        steady.first = Settled(x, y, in_place, pair)


def _one_by_one(call: Call, results: Arguments) -> list[tuple[Arguments, Operation]] | None:
    """Functions that make each result of one argument, each with a meaning of its own; None for others."""
    sparse = call.base == "meshgrid" and call.kwargs.get("sparse")
    if call.base != "ix_" and not sparse and not call.base.startswith("atleast_"):
        return None
    found: list[tuple[Arguments, Operation]] = []
    for number, result in enumerate(results):
        part = call.args[number]
        operands = (part,) if isinstance(part, _array) else ()
        shape = shape_of(result)
        if call.base.startswith("atleast_"):
            single = Call(call.name, call.base, ("a",), (part,), {})
            single.results = (shape,)
            found.append((operands, single.describe(TABLE)))
        else:
            meaning = open_grid(call, number, shape)
            found.append((operands, Operation(call.name, meaning, tuple(map(shape_of, operands)), (shape,), (number,))))
    return found


# ---------------------------------------------------------------- hooks


_call = vars(np.ufunc)["__call__"]
_dispatch = vars(type(np.where))["__call__"]
_get = vars(np.ndarray)["__getitem__"]
_set = vars(np.ndarray)["__setitem__"]


@unseen
def _ufunc_hook(
    self: Any, x: Any = _nothing, y: Any = _nothing, z: Any = _nothing, /, *args: Any, **kwargs: Any
) -> Any:
    try:
        try:
            frame = _getframe(1)
            steady = _settled(id(frame.f_code) + frame.f_lasti)
        except ValueError:  # called by C in a thread without any Python code
            frame = steady = None
        if steady is not None and steady.function is self and not kwargs:
            settled = steady.first
            if (
                settled is not None
                and (z is _nothing if not settled.in_place else z is x and not args)
                and (x.shape if x.__class__ is _array else x.__class__) == settled.x
                and (y.shape if y.__class__ is _array else y.__class__) == settled.y
                and (not steady.caller or _same_caller(steady, frame))
            ):
                steady.count += 1
                return settled.call(x, y)
        given = (self, *(v for v in (x, y, z) if v is not _nothing), *args)
        return _follow(frame, steady, UFUNC, self, _call, given, kwargs)
    except BaseException as error:
        strip(error)
        raise


@unseen
def _function_hook(*args: Any, **kwargs: Any) -> Any:
    try:
        try:
            frame = _getframe(1)
            steady = _settled(id(frame.f_code) + frame.f_lasti)
        except ValueError:  # called by C in a thread without any Python code
            frame = steady = None
        return _follow(frame, steady, FUNCTION, args[0], _dispatch, args, kwargs)
    except BaseException as error:
        strip(error)
        raise


@unseen
def _get_hook(self: Any, key: Any = _nothing, /, *rest: Any) -> Any:
    try:
        kind = key.__class__
        if kind is int or kind is slice:
            return _get(self, key, *rest)
        if rest or key is _nothing or not is_advanced(key):
            return _get(self, *(() if key is _nothing else (key,)), *rest)
        try:
            frame = _getframe(1)
            steady = _settled(id(frame.f_code) + frame.f_lasti)
        except ValueError:  # called by C in a thread without any Python code
            frame = steady = None
        return _follow(frame, steady, ITEM, "getitem", _get, (self, key), {})
    except BaseException as error:
        strip(error)
        raise


@unseen
def _set_hook(self: Any, key: Any = _nothing, value: Any = _nothing, /, *rest: Any) -> Any:
    try:
        try:
            frame = _getframe(1)
            steady = _settled(id(frame.f_code) + frame.f_lasti)
        except ValueError:  # called by C in a thread without any Python code
            frame = steady = None
        if value.__class__ in NUMBERS and frame is not None and not rest:
            return _sites.at(frame).caller(frame)(_set, self, key, value)
        if rest or not isinstance(value, _SHAPED) or key.__class__ is str:
            call = _direct if frame is None else _sites.at(frame).caller(frame)
            return call(_set, self, *(v for v in (key, value) if v is not _nothing), *rest)
        return _follow(frame, steady, ITEM, "setitem", _set, (self, key, value), {})
    except BaseException as error:
        strip(error)
        raise


def _method_hook(owner: type, name: str, original: Any, kind: Kind) -> Any:
    def hook(*args: Any, **kwargs: Any) -> Any:
        try:
            if not args or not isinstance(args[0], owner):
                return original(*args, **kwargs)
            try:
                frame = _getframe(1)
                steady = _settled(id(frame.f_code) + frame.f_lasti)
            except ValueError:  # called by C in a thread without any Python code
                frame = steady = None
            return _follow(frame, steady, kind, name, original, args, kwargs)
        except BaseException as error:
            strip(error)
            raise

    hook.__name__ = name
    hook.__qualname__ = original.__qualname__
    hook.__doc__ = original.__doc__
    hook.__module__ = owner.__module__
    return unseen(hook)


PATCHES = (
    Patch(np.ufunc, "__call__", _call, _ufunc_hook),
    Patch(type(np.where), "__call__", _dispatch, _function_hook),
    Patch(np.ndarray, "__getitem__", _get, _get_hook),
    Patch(np.ndarray, "__setitem__", _set, _set_hook),
    *(
        Patch(owner, name, vars(owner)[name], _method_hook(owner, name, vars(owner)[name], kind))
        for owner, names, kind in ((np.ndarray, METHODS, METHOD), (np.ufunc, UFUNC_METHODS, UFUNC_METHOD))
        for name in names
        if name in vars(owner)
    ),
)
"""Everything that is hooked. The originals are looked up once, when this module is imported."""
