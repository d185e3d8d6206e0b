"""How a report is shown in IPython: a MIME bundle in a kernel, text in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from IPython.core.interactiveshell import InteractiveShell

from shapecell.model import Report, Severity
from shapecell.render.mime import mime_bundle


def show(shell: InteractiveShell, report: Report, level: Severity = "medium") -> None:
    """Show `report` below what the cell itself put out."""
    if getattr(shell, "kernel", None) is not None:
        data = mime_bundle(report, level=level)
        sys.stdout.flush()
        sys.stderr.flush()
        shell.display_pub.publish(data=data, metadata={})
    else:
        report.print(level=level)


def note(text: str) -> None:
    """One line of shapecell's own to the user, on standard error."""
    print(f"shapecheck: {text}", file=sys.stderr)


@contextmanager
def guarded(what: str) -> Iterator[None]:
    """A fault of ours in here becomes one line; the user's code goes on."""
    try:
        yield
    except Exception as error:
        note(f"{what} failed ({type(error).__name__}: {error}); your code is not affected")


def register_formatter(shell: InteractiveShell) -> None:
    """Let a report that is the value of a cell look as after a check."""
    shell.display_formatter.mimebundle_formatter.for_type(Report, mime_bundle)


def unregister_formatter(shell: InteractiveShell) -> None:
    """Take away what `register_formatter` did."""
    shell.display_formatter.mimebundle_formatter.pop(Report, None)
