"""The input transformer that takes the ``%%shapecheck`` line out of a cell, so that IPython runs the rest as ever."""

from __future__ import annotations

import re
import sys
from types import FrameType

from IPython.core.interactiveshell import InteractiveShell

from shapecell.notebook.options import Options, OptionsError, parse

_LINE = re.compile(r"%%shapecheck(?:[ \t]+(?P<arguments>.*?))?\s*$")
_RUN_CELL = InteractiveShell.run_cell.__code__
RUN_CODE = InteractiveShell.run_code.__code__
"""The frame in which IPython runs each statement of a cell; what is outside it is none of the user's business."""


def runs_a_cell() -> bool:
    """True if what runs now leads to events of a cell: not so where another magic transforms its own body."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code is _RUN_CELL:
            return True
        if frame.f_code is RUN_CODE:
            return False
        frame = frame.f_back
    return True


def inside_a_cell() -> bool:
    """True if code of a cell is running on this thread's stack."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code is not RUN_CODE:
        frame = frame.f_back
    return frame is not None


def options_of(line: str) -> Options | None:
    """The options if `line` is a ``%%shapecheck`` line after which the cell is to run, else None.

    None too for ``--help`` and for what is not understood: the ordinary cell magic answers those.
    """
    match = _LINE.match(line)
    if match is None:
        return None
    try:
        options = parse(match["arguments"] or "")
    except OptionsError:
        return None
    return None if options.help else options


class Transformer:
    """Replaces the ``%%shapecheck`` line by a comment; the last of a shell's ``input_transformers_cleanup``.

    A comment, because IPython strips leading empty lines and line numbers would no longer agree. Where another
    cell magic follows, the line is dropped: that magic must stand first.
    """

    has_side_effects = True
    """Left out when IPython asks whether a cell is complete: it then waits for the end of a cell magic."""

    def __init__(self, shell: InteractiveShell) -> None:
        self._shell = shell

    def __call__(self, lines: list[str]) -> list[str]:
        if not lines or options_of(lines[0]) is None or not runs_a_cell():
            return lines
        below = 1
        while below < len(lines) and lines[below].isspace():
            below += 1
        if below < len(lines) and lines[below].startswith("%%"):
            return lines[below:]
        return [f"# {lines[0]}", *lines[1:]]

    def options(self, raw_cell: str) -> Options | None:
        """The options of a cell as the user typed it; None if this transformer leaves it alone."""
        lines = self.clean(raw_cell)
        return options_of(lines[0]) if lines else None

    def stripped(self, raw_cell: str) -> int:
        """How many lines at the start of a cell IPython takes away."""
        return raw_cell.count("\n") + 1 - "".join(self.clean(raw_cell)).count("\n")

    def clean(self, raw_cell: str) -> list[str]:
        """The lines of a cell as this transformer meets them."""
        lines = f"{raw_cell}\n".splitlines(keepends=True)
        for transform in self._shell.input_transformers_cleanup:
            if transform is self:
                break
            if not getattr(transform, "has_side_effects", False):
                lines = transform(lines)
        return lines
