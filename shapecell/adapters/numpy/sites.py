"""Calls NumPy on behalf of a line of the user's code, so that NumPy's warnings find that line.

NumPy's C code attributes a warning to the innermost Python frame, which is the hook's. So the call is made by a
function that has the file, the line and the globals of the code that was hooked: filters, the once-per-line registry
and ``record=True`` then work as without us, and nothing in `warnings` is replaced.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

_OWN = str(Path(__file__).parents[2]) + os.sep
_NUMPY = str(Path(np.__file__).parent) + os.sep
_OUTER_PARTS = frozenset(("ma", "matrixlib", "polynomial", "testing", "tests"))
_CALL = "<shapecell call>"
_UNSEEN = f"{__file__} (importlib _bootstrap)"
MAX_SITES = 10_000

_call: Any = lambda original, *args, **kwargs: original(*args, **kwargs)  # noqa: E731  # one line: the user's


def _two(original: Any) -> Any:
    return lambda x, y: original(x, y)


def _one(original: Any) -> Any:
    return lambda x, y: original(x)


def _in_place(original: Any) -> Any:
    return lambda x, y: original(x, y, x)


_PAIRS = {(2, False): _two, (1, False): _one, (2, True): _in_place}


def unseen(function: Callable[..., Any]) -> Any:
    """`function` such that ``warnings.warn(…, stacklevel=2)`` below it passes it by.

    Python leaves out frames whose file name holds "importlib" and "_bootstrap" when it counts levels.
    """
    assert isinstance(function, FunctionType)
    function.__code__ = function.__code__.replace(co_filename=_UNSEEN)
    return function


def is_ours(code: CodeType) -> bool:
    """True for code of shapecell, and for the calls made here in the user's name."""
    return code.co_name is _CALL or code.co_name == _CALL or code.co_filename.startswith(_OWN)


def strip(error: BaseException) -> None:
    """Take shapecell's own frames off the outer end of a traceback."""
    traceback = error.__traceback__
    while traceback is not None and is_ours(traceback.tb_frame.f_code):
        traceback = traceback.tb_next
    error.__traceback__ = traceback


def is_inner(filename: str) -> bool:
    """True for NumPy's own implementation, whose calls belong to the function that the user called; and for ours.

    Masked arrays, matrices and polynomials are written on top of NumPy: what they call is followed.
    """
    if filename.startswith(_OWN):
        return True
    if not filename.startswith(_NUMPY):
        return filename.startswith("<__array_function__")
    return _OUTER_PARTS.isdisjoint(filename[len(_NUMPY) :].replace("\\", "/").split("/"))


class Site:
    """A place that calls NumPy. It keeps the code object alive, whose address is the key under which it is found."""

    __slots__ = ("_call", "code", "globals", "inner", "template")

    def __init__(self, frame: FrameType) -> None:
        self.code = frame.f_code
        self.inner = is_inner(self.code.co_filename)
        line = frame.f_lineno or self.code.co_firstlineno
        self.template = {"co_filename": self.code.co_filename, "co_firstlineno": line, "co_name": _CALL}
        namespace = frame.f_globals
        self._call = self._made(_call, namespace)
        # A module lives on anyway; a passing namespace may hold arrays, and must not outlive its time because of us.
        name = dict.get(namespace, "__name__")
        module = sys.modules.get(name) if isinstance(name, str) else None
        self.globals = namespace if getattr(module, "__dict__", None) is namespace else None
        if self.globals is None:
            self._call = self._call.__code__

    def _made(self, function: Any, namespace: dict[str, Any]) -> Any:
        code = function.__code__.replace(**self.template)
        return FunctionType(code, namespace, _CALL, None, function.__closure__)

    def caller(self, frame: FrameType) -> Any:
        """The function of (original, …) that calls `original` in the name of `frame`, which stands at this site."""
        namespace = frame.f_globals
        if self.globals is namespace:
            return self._call
        return FunctionType(self._call if self.globals is None else self._call.__code__, namespace)

    def pair(self, frame: FrameType, original: Any, operands: int, in_place: bool) -> Any | None:
        """A fast function of (x, y) for one or two operands; None where the globals may change."""
        if self.globals is None or self.globals is not frame.f_globals:
            return None
        return self._made(_PAIRS[operands, in_place](original), self.globals)


class Sites:
    """Sites by position, found again as fast as can be. Bounded."""

    def __init__(self) -> None:
        self._table: dict[int, Site] = {}

    def at(self, frame: FrameType) -> Site:
        position = id(frame.f_code) + frame.f_lasti
        site = self._table.get(position)
        if site is None:
            if len(self._table) >= MAX_SITES:
                self._table.clear()
            site = self._table[position] = Site(frame)
        return site

    def clear(self) -> None:
        self._table.clear()
