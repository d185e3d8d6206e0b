"""Putting the hooks in place for a check, and taking every one of them away."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch
from torch._C import _len_torch_function_stack, _pop_torch_function_stack, _push_on_torch_function_stack

from shapecell.adapters.base import Provenance
from shapecell.adapters.torch.compiled import Stance
from shapecell.adapters.torch.frames import clean_traceback, without_own
from shapecell.adapters.torch.mode import OWN, ShapeMode
from shapecell.adapters.torch.provenance import ModulePaths, provenance

if TYPE_CHECKING:
    from shapecell.tracking.tracker import Tracker


def stack() -> list[Any]:
    """The function modes of this thread, the innermost last."""
    return [torch._C._get_function_stack_at(i) for i in range(_len_torch_function_stack())]


def remove_mode(mode: Any) -> None:
    """Take `mode` off this thread's stack, wherever it stands in it; modes above it stay, in their order."""
    if not any(entry is mode for entry in stack()):
        return
    above: list[Any] = []
    try:
        while _len_torch_function_stack():
            entry = _pop_torch_function_stack()
            if entry is mode:
                break
            above.append(entry)
    finally:
        while above:
            _push_on_torch_function_stack(above[-1])
            above.pop()


class _Replacement:
    """One attribute replaced during a check, and given back as the very object that it was."""

    def __init__(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        self._owner = owner
        self._name = name
        self._original = vars(owner)[name]
        self._mine = make(self._original)

    def put(self) -> None:
        setattr(self._owner, self._name, self._mine)

    def give_back(self) -> None:
        """Restore the original, unless somebody else has replaced ours since: theirs then calls ours, now inert."""
        if vars(self._owner).get(self._name) is self._mine:
            setattr(self._owner, self._name, self._original)


class TorchAdapter:
    """Follows PyTorch: the Python API, operators, and what modules and libraries call."""

    framework = "torch"

    def __init__(self) -> None:
        self._mode = ShapeMode(self)
        self._paths = ModulePaths()
        self._stance = Stance()
        self._replaced: list[_Replacement] = []

    def install(self, tracker: Tracker) -> None:
        """Follow `tracker`'s check in this thread and in those started from now on."""
        self._mode.follow(tracker)
        self._stance.take()
        if not any(entry is self._mode for entry in stack()):
            _push_on_torch_function_stack(self._mode)
        if self._replaced:
            return
        for replacement in (
            _Replacement(threading.Thread, "run", self._in_thread),
            _Replacement(torch, "from_numpy", self._from_numpy),
            _Replacement(torch, "compile", self._stance.wrap_compile),
            _Replacement(torch.overrides, "has_torch_function", self._has_torch_function),
        ):
            self._replaced.append(replacement)
            replacement.put()

    def uninstall(self) -> None:
        """Take every hook away. A mode left in another thread's stack is inert from now on."""
        self._mode.follow(None)
        while self._replaced:
            self._replaced[-1].give_back()
            self._replaced.pop()
        remove_mode(self._mode)
        self._stance.release()
        self._mode.forget()
        self._paths.clear()

    def provenance(self, array: Any) -> Provenance | None:
        """What is known of a tensor that is new to the tracker; None if that is nothing."""
        return provenance(array, self._paths, getattr(self._mode.local, "frame", None))

    def clean_traceback(self, error: BaseException) -> None:
        """Make the traceback of an error that left the checked code what it is without the mode."""
        clean_traceback(error)

    # ------------------------------------------------------------ replaced attributes

    def _in_thread(self, original: Callable[..., Any]) -> Callable[..., Any]:
        mode = self._mode

        def run(self: threading.Thread) -> Any:
            try:
                if mode.tracker is None:
                    return original(self)
                _push_on_torch_function_stack(mode)
                try:
                    return original(self)
                finally:
                    remove_mode(mode)
            except BaseException as error:
                error.__traceback__ = without_own(error.__traceback__, frozenset((run.__code__,)))
                raise

        return run

    def _from_numpy(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """``torch.from_numpy`` is not dispatched to modes."""
        mode = self._mode

        def from_numpy(*args: Any, **kwargs: Any) -> Any:
            try:
                return mode.call(original, args, kwargs, sys._getframe(1))
            except BaseException as error:
                error.__traceback__ = without_own(error.__traceback__, OWN | {from_numpy.__code__})
                raise

        from_numpy.__doc__ = original.__doc__
        return from_numpy

    def _has_torch_function(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Modules ask this to choose their fast path in evaluation: the answer must be what it is without our mode."""
        mode = self._mode

        def has_torch_function(*args: Any, **kwargs: Any) -> bool:
            above = stack()
            if not any(entry is mode for entry in above):
                return bool(original(*args, **kwargs))
            remove_mode(mode)
            try:
                return bool(original(*args, **kwargs))
            finally:
                _restore(mode, above)

        return has_torch_function


def _restore(mode: Any, order: list[Any]) -> None:
    """Put `mode` back where it stood in `order`."""
    count = len(order) - 1 - next(i for i, entry in enumerate(order) if entry is mode)
    above = [_pop_torch_function_stack() for _ in range(count)]
    _push_on_torch_function_stack(mode)
    for entry in reversed(above):
        _push_on_torch_function_stack(entry)
