"""Frames around a torch call: whose call it is, and how the mode leaves no trace in warnings and tracebacks."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

import torch

HANDLER: CodeType = torch.overrides.handle_torch_function.__code__
"""Functions that torch implements in Python reach a mode through this one."""

_PLUMBING = frozenset(
    module.__file__ for module in (torch.functional, sys.modules["torch._jit_internal"], torch._tensor)
)
_STAND_IN = "<shapecell stand-in>"

StandIn = Callable[[Any, tuple[Any, ...], dict[str, Any] | None], Any]


_CODE = (lambda function, args, kwargs: function(*args, **kwargs) if kwargs else function(*args)).__code__


def calling_frame(handler: FrameType) -> FrameType:
    """The frame that called the Python-implemented function whose `handler` frame this is."""
    frame = handler.f_back
    if frame is None or frame.f_back is None:
        return handler
    frame = frame.f_back
    while frame.f_code.co_filename in _PLUMBING and frame.f_back is not None:
        frame = frame.f_back
    return frame


def stand_in(frame: FrameType) -> StandIn:
    """A function that calls on behalf of `frame`: warnings given below it name the user's file and line.

    A warning is attributed to the file, line and globals of the Python frame that called into torch. Without a
    stand-in that would be the mode's own handler, and filters, the once-per-line registry and the printed line
    would all be wrong.
    """
    code = _CODE.replace(
        co_filename=frame.f_code.co_filename,
        co_firstlineno=frame.f_lineno or frame.f_code.co_firstlineno,
        co_name=_STAND_IN,
    )
    return FunctionType(code, frame.f_globals)


def without_own(traceback: TracebackType | None, own: frozenset[CodeType]) -> TracebackType | None:
    """The traceback without the frames at its head that run the codes `own`, or stand-ins."""
    while traceback is not None and (
        traceback.tb_frame.f_code in own or traceback.tb_frame.f_code.co_name == _STAND_IN
    ):
        traceback = traceback.tb_next
    return traceback


def clean_traceback(error: BaseException) -> None:
    """Take out of a finished traceback the detour that a mode causes in functions implemented in Python.

    ``user → F.mse_loss → handle_torch_function → F.mse_loss → …`` becomes ``user → F.mse_loss → …``, as it is
    without a mode. Works in place; only for errors that have left the checked code.
    """
    before: TracebackType | None = None
    entry = error.__traceback__
    while entry is not None:
        handler = entry.tb_next
        inner = handler.tb_next if handler is not None else None
        if handler is not None and inner is not None and handler.tb_frame.f_code is HANDLER:
            if before is None:
                error.__traceback__ = inner
            else:
                before.tb_next = inner
            entry = inner
            continue
        before, entry = entry, entry.tb_next
