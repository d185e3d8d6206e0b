"""Helpers shared by tests."""

from __future__ import annotations

import itertools
import linecache
from collections.abc import Callable
from typing import Any

import shapecell

_number = itertools.count()


def run_checked(
    source: str,
    namespace: dict[str, Any] | None = None,
    keep: Callable[[shapecell.Report], object] | None = None,
    **options: Any,
) -> shapecell.Report:
    """The report of `source` run as a module under ``shapecell.check(**options)``; `keep` gets it before the run."""
    name = f"<checked {next(_number)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    code = compile(source, name, "exec")
    with shapecell.check(**options) as report:
        if keep is not None:
            keep(report)
        exec(code, namespace if namespace is not None else {"__name__": "__main__"})
    return report
