"""How axes pass through operations: one function per meaning."""

from __future__ import annotations

from collections.abc import Callable

from shapecell.tracking.axes import AxisIdentity, Layout, Origin, Outcome, fresh_layout
from shapecell.tracking.operation import (
    Along,
    Assign,
    Concatenate,
    Contract,
    Create,
    Drop,
    Elementwise,
    Expand,
    Gather,
    Index,
    Insert,
    Loss,
    Map,
    Opaque,
    Operation,
    Permute,
    Reduce,
    Repeat,
    Reshape,
    Same,
    Split,
    Stack,
)
from shapecell.tracking.transfer.contraction import contract, mapped
from shapecell.tracking.transfer.elementwise import assign, elementwise, loss
from shapecell.tracking.transfer.indexing import gather, index
from shapecell.tracking.transfer.joining import concatenate, split, stack
from shapecell.tracking.transfer.meeting import ResultName, no_name
from shapecell.tracking.transfer.reduction import along, reduce
from shapecell.tracking.transfer.views import drop, expand, insert, permute, repeat, reshape, same

Transfer = Callable[[Operation, tuple[Layout, ...], ResultName], Outcome]


def create(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """New axes, named after the variable that the result is bound to."""
    parameter = isinstance(operation.meaning, Create) and operation.meaning.parameter
    origin = Origin(lambda: result_name() or "an array", parameter=parameter)
    return Outcome(tuple(fresh_layout(shape, origin) for shape in operation.results))


def opaque(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """New axes; the batch axis stays where that is certain."""
    outcome = create(operation, layouts, result_name)
    if not (isinstance(operation.meaning, Opaque) and operation.meaning.batch and layouts and layouts[0].axes):
        return outcome
    batch = layouts[0].axes[0]
    results: list[Layout] = []
    for layout in outcome.results:
        fits = bool(layout.axes) and layout.axes[0].length == batch.length
        axes: tuple[AxisIdentity, ...] = (batch, *layout.axes[1:]) if fits else layout.axes
        results.append(Layout(axes, layouts[0].gone))
    return Outcome(tuple(results))


TRANSFERS: dict[type, Transfer] = {
    Elementwise: elementwise,
    Assign: assign,
    Contract: contract,
    Reduce: reduce,
    Permute: permute,
    Reshape: reshape,
    Insert: insert,
    Drop: drop,
    Index: index,
    Expand: expand,
    Repeat: repeat,
    Concatenate: concatenate,
    Stack: stack,
    Split: split,
    Along: along,
    Gather: gather,
    Map: mapped,
    Loss: loss,
    Create: create,
    Same: same,
    Opaque: opaque,
}


def transfer(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName = no_name) -> Outcome:
    """The axes of the results of `operation` on operands with axes `layouts`.

    Every layout in the outcome has the shape that the operation says its result has: where a transfer does not
    yield that (an adapter told a meaning that does not fit), the result has new axes and nothing is concluded.

    Parameters
    ----------
    operation
        What ran, with the shapes of its operands and results.
    layouts
        Axes of the operands.
    result_name
        Name of the variable that the result is bound to; asked for only when a report is read.
    """
    try:
        outcome = TRANSFERS[type(operation.meaning)](operation, layouts, result_name)
    except (IndexError, StopIteration, ValueError, AssertionError):
        outcome = Outcome(())
    shapes = operation.results
    results = outcome.results
    if len(results) == len(shapes) and all(
        layout.shape == shape for layout, shape in zip(results, shapes, strict=True)
    ):
        return outcome
    fresh = create(operation, layouts, result_name).results
    mended = tuple(
        results[slot] if slot < len(results) and results[slot].shape == shape else fresh[slot]
        for slot, shape in enumerate(shapes)
    )
    if not mended or not results or mended[0] is not results[0]:
        return Outcome(mended)
    return Outcome(mended, outcome.crossings, outcome.notes)


__all__ = ["TRANSFERS", "transfer"]
