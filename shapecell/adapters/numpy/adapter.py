"""The NumPy adapter."""

from __future__ import annotations

from typing import Any

from shapecell.adapters.base import Provenance
from shapecell.adapters.numpy import provenance as views
from shapecell.adapters.numpy import watch
from shapecell.adapters.numpy.hooks import Hooks, UnhookableError, self_test
from shapecell.adapters.numpy.sites import strip
from shapecell.tracking.tracker import Tracker


class NumpyAdapter:
    """Follows ufuncs, array functions, methods and subscripts of NumPy while a check runs."""

    framework = "numpy"

    def __init__(self) -> None:
        self._hooks: Hooks | None = None
        self._unhookable: str | None = None

    def install(self, tracker: Tracker) -> None:
        """Hook NumPy for `tracker`; if it is hooked already, only change the tracker."""
        if self._hooks is None and self._unhookable is None:
            try:
                self_test()
                self._hooks = Hooks(watch.PATCHES)
            except UnhookableError as error:
                self._unhookable = str(error)
        if self._hooks is None:
            tracker.problem("hooking NumPy", f"{self._unhookable}: NumPy operations are not followed")
            return
        watch.watch(self, tracker)
        self._hooks.install()

    def uninstall(self) -> None:
        """Take every hook away. May be called at any time, and again."""
        watch.rest()
        if self._hooks is not None and self._hooks.in_place:
            self._hooks.remove()

    def clean_traceback(self, error: BaseException) -> None:
        """Take what is left of the hooks out of a traceback."""
        strip(error)

    def provenance(self, array: Any) -> Provenance | None:
        """The base of a view, and the operation that makes the view from it."""
        return views.provenance(array)
