"""shapecell: interactive shape debugging for notebooks, scripts and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shapecell.model import (
    Axis,
    Broadcast,
    Finding,
    Frame,
    Operand,
    Problem,
    Report,
    ShapeCheckError,
    Site,
)
from shapecell.session import check
from shapecell.suppress import allow

if TYPE_CHECKING:
    from IPython.core.interactiveshell import InteractiveShell

__version__ = "0.1.0.dev0"

__all__ = [
    "Axis",
    "Broadcast",
    "Finding",
    "Frame",
    "Operand",
    "Problem",
    "Report",
    "ShapeCheckError",
    "Site",
    "allow",
    "check",
]


def load_ipython_extension(ipython: InteractiveShell) -> None:
    """``%load_ext shapecell``: registers ``%%shapecheck``."""
    from shapecell.notebook.magics import load

    load(ipython)


def unload_ipython_extension(ipython: InteractiveShell) -> None:
    """``%unload_ext shapecell``: takes the magics and every hook away, in the middle of a check too."""
    from shapecell.notebook.magics import unload

    unload(ipython)
