"""The hook: a `TorchFunctionMode` that sees every call of torch's Python API."""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable, Hashable
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from shapecell.adapters.torch.call import (
    Call,
    UnfollowableError,
    arrays_in,
    shape_of,
    static,
)
from shapecell.adapters.torch.compiled import NOTE, in_compiled
from shapecell.adapters.torch.describe import Function, identify, meaning_of, operation
from shapecell.adapters.torch.frames import HANDLER, StandIn, calling_frame, stand_in, without_own
from shapecell.adapters.torch.quiet import MAY_WARN, QUIET
from shapecell.adapters.torch.settled import expectation, fits
from shapecell.tracking.operation import Opaque, Operation
from shapecell.tracking.tracker import position_of

if TYPE_CHECKING:
    from shapecell.adapters.base import Adapter
    from shapecell.tracking.tracker import Steady, Tracker

MAX_VARIANTS = 8
MAX_SITES = 20_000

_Tensor = torch.Tensor
_Parameter = torch.nn.Parameter
_getframe = sys._getframe
_ref = weakref.ref
_unseen = torch._C.DisableTorchFunction  # what we read of a tensor is no call of the user's
_tracing: Callable[[], Any] = torch._C._get_tracing_state


def _nowhere(frame: FrameType) -> int:
    return 0


class ShapeMode(TorchFunctionMode):  # type: ignore[misc]  # torch is not typed
    """Follows what its `tracker` is to follow; with none it passes calls on, wherever it may have been left."""

    def __init__(self, adapter: Adapter) -> None:
        super().__init__()
        self.tracker: Tracker | None = None
        self.steady: dict[int, Steady] = {}
        self.user_position: Callable[[FrameType], int] = _nowhere
        self.local = threading.local()
        self._adapter = adapter
        self._functions: dict[Any, Function] = {}
        self._variants: dict[Hashable, set[Hashable]] = {}
        self._stand_ins: dict[int, tuple[StandIn, CodeType]] = {}

    def follow(self, tracker: Tracker | None) -> None:
        """Report to `tracker` from now on; None to be inert."""
        self.tracker = None
        self.steady = tracker.steady if tracker is not None else {}
        self.user_position = tracker.user_position if tracker is not None else _nowhere
        self.tracker = tracker

    def forget(self) -> None:
        """Drop everything that was remembered of the code under check."""
        self._functions.clear()
        self._variants.clear()
        self._stand_ins.clear()

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        settled = None
        try:
            if func in QUIET:
                if func not in MAY_WARN:
                    return func(*args, **kwargs) if kwargs else func(*args)
                frame = _getframe(1)
                if frame.f_code is HANDLER:
                    frame = calling_frame(frame)
                return self._stand_in(frame)(func, args, kwargs)
            frame = _getframe(1)
            code = frame.f_code
            if code is HANDLER:
                frame = calling_frame(frame)
                code = frame.f_code
            steady = self.steady.get(id(code) + frame.f_lasti)
            if steady is None or _tracing() is not None:
                return self.call(func, args, kwargs, frame)
            values = (*args, *kwargs, *kwargs.values()) if kwargs else args
            user = 0
            while steady is not None:
                expected = steady.first
                if steady.function == func and expected is not None and len(values) == len(expected):
                    for value, known in zip(values, expected):  # noqa: B905  # the lengths are equal
                        if value is known:
                            continue
                        kind = type(value)
                        if kind is _Tensor or kind is _Parameter:
                            try:
                                if value.shape == known:
                                    continue
                            except RuntimeError:  # a nested tensor has no shape
                                break
                        elif kind is known or fits(value, known):
                            continue
                        break
                    else:
                        if steady.user:
                            user = user or self.user_position(frame)
                        if steady.user == user:
                            steady.count += 1
                            settled = frame
                            result = steady.second(func, args, kwargs)
                            if type(result) is _Tensor:
                                steady.last = _ref(result)
                            return result
                steady = steady.next
            return self.call(func, args, kwargs, frame)
        except BaseException as error:
            if settled is not None and isinstance(error, Exception):
                self._failed(func, args, kwargs, settled, error)
            error.__traceback__ = without_own(error.__traceback__, OWN)
            raise

    def call(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None, frame: FrameType) -> Any:
        """Call `func` on behalf of `frame`, and record it."""
        caller = self._stand_in(frame)
        tracker = self.tracker
        if tracker is None or _tracing() is not None:
            return caller(func, args, kwargs)
        prepared = self._prepare(tracker, func, args, kwargs)
        try:
            result = caller(func, args, kwargs)
        except Exception as error:
            self._failed(func, args, kwargs, frame, error, prepared)
            raise
        if prepared is not None:
            try:
                with _unseen():
                    self._record(tracker, func, args, kwargs, frame, prepared, result, caller)
            except UnfollowableError as reason:
                tracker.problem(prepared[0].name, str(reason))
            except Exception as error:
                tracker.fault(f"recording {prepared[0].name}", error)
        return result

    def _stand_in(self, frame: FrameType) -> StandIn:
        position = position_of(frame)
        known = self._stand_ins.get(position)
        if known is not None and known[0].__globals__ is frame.f_globals:
            return known[0]
        made = stand_in(frame)
        if len(self._stand_ins) > MAX_SITES:
            self._stand_ins.clear()
        self._stand_ins[position] = (made, frame.f_code)
        return made

    def _prepare(
        self, tracker: Tracker, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None
    ) -> tuple[Function, Call] | None:
        name = "a torch function"
        try:
            function = self._functions.get(func)
            if function is None:
                if len(self._functions) > MAX_SITES:
                    self._functions.clear()
                function = self._functions[func] = identify(func)
            name = function.name
            with _unseen():
                call = Call(function.base, args, kwargs or {}, in_place=function.in_place, reflected=function.reflected)
            return function, call
        except UnfollowableError as reason:
            tracker.problem(name, str(reason))
        except Exception as error:
            tracker.fault(f"reading the operands of {name}", error)
        return None

    def _record(
        self,
        tracker: Tracker,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        frame: FrameType,
        prepared: tuple[Function, Call],
        result: Any,
        caller: StandIn,
    ) -> None:
        function, call = prepared
        results = arrays_in(result)
        if not results and (function.base != "__setitem__" or not call.operands):
            return
        call.results = tuple(map(shape_of, results))
        key = self._key(func, function, args, kwargs, position_of(frame), call)

        def describe() -> Operation:
            if in_compiled(frame):
                tracker.problem(*NOTE)
            return self._describe(tracker, function, call)

        self.local.frame = frame
        try:
            # What is assigned into keeps the identity that it has.
            kept = () if function.base in ("__setitem__", "copy") else results
            steady = tracker.record(self._adapter, frame, key, tuple(call.operands), kept, describe)
        finally:
            self.local.frame = None
        if steady is not None and (steady.first is None or steady.second is not caller):
            expected = expectation(args, kwargs, function.insensitive or call.general)
            if expected is not None:
                steady.first, steady.second = expected, caller

    def _key(
        self,
        func: Any,
        function: Function,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        position: int,
        call: Call,
    ) -> tuple[Hashable, ...]:
        """What tells this call apart. Numbers or result shapes that keep changing at one site are left out."""
        fixed = static(args, function.insensitive)
        named = tuple((name, static(value, function.insensitive)) for name, value in kwargs.items()) if kwargs else ()
        if self._varies((position, func), (fixed, named)):
            call.general = True
            fixed = static(args, True)
            named = tuple((name, static(value, True)) for name, value in kwargs.items()) if kwargs else ()
        made: Hashable = call.results
        if self._varies((position, func, call.shapes, fixed, named), made):
            made = None
        return (func, call.shapes, fixed, named, made)

    def _varies(self, site: Hashable, variant: Hashable) -> bool:
        known = self._variants.get(site)
        if known is None:
            if len(self._variants) > MAX_SITES:
                self._variants.clear()
            known = self._variants[site] = set()
        if variant in known:
            return False
        if len(known) >= MAX_VARIANTS:
            return True
        known.add(variant)
        return False

    def _describe(self, tracker: Tracker, function: Function, call: Call) -> Operation:
        try:
            return operation(function, call, meaning_of(function, call))
        except Exception as error:
            tracker.fault(f"describing {function.name}", error)
            return operation(function, call, Opaque())

    def _failed(
        self,
        func: Any,
        args: tuple[Any, ...],
        kwargs: dict[str, Any] | None,
        frame: FrameType,
        error: Exception,
        prepared: tuple[Function, Call] | None = None,
    ) -> None:
        tracker = self.tracker
        if tracker is None:
            return
        try:
            prepared = prepared or self._prepare(tracker, func, args, kwargs)
            if prepared is None or not prepared[1].operands:
                return
            function, call = prepared
            key = (func, call.shapes, static(args, False))

            def describe() -> Operation:
                return self._describe_failed(function, call)

            with _unseen():
                tracker.failed(self._adapter, frame, key, tuple(call.operands), describe, error)
        except Exception as fault:
            tracker.fault("recording an error", fault)

    def _describe_failed(self, function: Function, call: Call) -> Operation:
        """A call that raised may have arguments that no description fits; that is what it raised for."""
        try:
            return operation(function, call, meaning_of(function, call))
        except Exception:
            return operation(function, call, Opaque())


OWN: frozenset[CodeType] = frozenset(function.__code__ for function in (ShapeMode.__torch_function__, ShapeMode.call))
"""Codes of the frames that stand between a user's call and torch."""
