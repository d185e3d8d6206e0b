"""Views: axes move, split, join, appear and vanish; expansion and repetition."""

from __future__ import annotations

from shapecell.tracking.axes import Atom, AxisIdentity, Layout, One, Origin, Outcome
from shapecell.tracking.operation import Drop, Expand, Insert, Operation, Permute, Repeat, Reshape
from shapecell.tracking.transfer.meeting import Meeting, ResultName
from shapecell.tracking.transfer.reshaping import reshaped


def _like(source: Layout, axes: tuple[AxisIdentity, ...]) -> Layout:
    return Layout(axes, source.gone, source.normalised)


def _each(operation: Operation, layout: Layout) -> Outcome:
    return Outcome(tuple(layout for _ in operation.results))


def same(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The very axes of operand 0."""
    return _each(operation, layouts[0])


def permute(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Axes in another order."""
    assert isinstance(operation.meaning, Permute)
    source = layouts[0]
    return _each(operation, _like(source, tuple(source.axes[axis] for axis in operation.meaning.order)))


def reshape(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The same elements in the same order under another shape."""
    assert isinstance(operation.meaning, Reshape)
    if not operation.results:
        return Outcome(())
    origin = Origin(lambda: result_name() or "the reshaped array")
    axes, scramble = reshaped(layouts[0], operation.results[0], operation.meaning.written, origin)
    notes: dict[str, object] = {} if scramble is None else {"scrambled": scramble}
    layout = _like(layouts[0], axes)
    return Outcome(tuple(layout for _ in operation.results), (), notes)


def insert(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Explicit 1s appear."""
    assert isinstance(operation.meaning, Insert)
    axes = list(layouts[0].axes)
    for position in sorted(operation.meaning.positions):
        axes.insert(position, AxisIdentity(1, one=One("a new axis that was written", "explicit")))
    return _each(operation, _like(layouts[0], tuple(axes)))


def drop(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """1s vanish."""
    assert isinstance(operation.meaning, Drop)
    positions = operation.meaning.positions
    kept = tuple(axis for index, axis in enumerate(layouts[0].axes) if index not in positions)
    return _each(operation, _like(layouts[0], kept))


def expand(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """1s become longer on purpose. Several operands are expanded to one shape."""
    assert isinstance(operation.meaning, Expand)
    if len(layouts) > 1 and operation.results:
        meeting = Meeting(layouts, operation.results[0], result_name)
        made = tuple(Layout(meeting.axes, layout.gone) for layout in layouts)
        return Outcome(made, tuple(meeting.crossings), meeting.notes)
    origin = Origin(lambda: result_name() or "the expanded array")
    results = []
    for shape in operation.results:
        source = layouts[0]
        offset = len(shape) - len(source.axes)
        axes = []
        for position, length in enumerate(shape):
            own = source.axes[position - offset] if position >= offset else None
            if own is not None and own.length == length:
                axes.append(own)
            elif length == 1:
                axes.append(AxisIdentity(1, one=One("an expansion", "explicit")))
            else:
                axes.append(AxisIdentity(length, (Atom(origin, position, length),)))
        results.append(_like(source, tuple(axes)))
    return Outcome(tuple(results))


def repeat(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Axes repeated a number of times; once keeps them."""
    assert isinstance(operation.meaning, Repeat)
    if not operation.results:
        return Outcome(())
    shape, source, times = operation.results[0], layouts[0], operation.meaning.times
    origin = Origin(lambda: result_name() or "the repeated array")
    offset = len(shape) - len(source.axes)
    axes = []
    for position, length in enumerate(shape):
        own = source.axes[position - offset] if position >= offset else None
        count = times[position] if position < len(times) else None
        if own is not None and own.length == length and count in (1, None):
            axes.append(own)
        elif length == 1:
            axes.append(AxisIdentity(1, one=One("an axis that repetition made", "explicit")))
        else:
            axes.append(AxisIdentity(length, (Atom(origin, position, length),)))
    return _each(operation, _like(source, tuple(axes)))
