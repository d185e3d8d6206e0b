"""How axes pass through operations: one function per meaning. (Interim: fresh axes; being replaced.)"""

from __future__ import annotations

from collections.abc import Callable

from shapecell.tracking.axes import Layout, Origin, Outcome, fresh_layout
from shapecell.tracking.operation import Operation


def transfer(
    operation: Operation, layouts: tuple[Layout, ...], result_name: Callable[[], str | None] = lambda: None
) -> Outcome:
    origin = Origin(lambda: result_name() or "an array")
    return Outcome(tuple(fresh_layout(shape, origin) for shape in operation.results))
