"""Errors of a checked cell are shown without what the hooks left in their tracebacks."""

from __future__ import annotations

import sys
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from shapecell import session
from shapecell.notebook.display import guarded


class CleanTracebacks:
    """While installed, the shell cleans an error before it shows it. IPython shows it before the cell's end is told."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell
        self._show: Any = None

    def install(self) -> None:
        """Stand in for the shell's ``showtraceback``. Idempotent."""
        if self._show is None:
            self._show = self._shell.showtraceback
            self._shell.showtraceback = self._clean_and_show

    def remove(self) -> None:
        """Give the shell its method back. Idempotent."""
        if self._show is not None:
            vars(self._shell).pop("showtraceback", None)
            self._show = None

    def _clean_and_show(self, *args: Any, **kwargs: Any) -> Any:
        show = self._show or type(self._shell).showtraceback.__get__(self._shell)
        error = sys.exc_info()[1]
        if error is not None:
            with guarded("cleaning a traceback"):
                session.clean_traceback(error)
        return show(*args, **kwargs)
