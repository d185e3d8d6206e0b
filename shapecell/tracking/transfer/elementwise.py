"""Elementwise operations, assignments and losses."""

from __future__ import annotations

from math import prod

from shapecell.tracking.align import broadcast_shape, stretched_axes
from shapecell.tracking.axes import Atom, Crossing, Layout, Outcome, Strength, related
from shapecell.tracking.operation import Assign, Elementwise, Loss, Operation
from shapecell.tracking.transfer.indexing import index_axes, place_of_arrays
from shapecell.tracking.transfer.meeting import Meeting, ResultName, mirrored, union_of_gone


def gone_matches(meeting: Meeting) -> tuple[tuple[int, int, Strength], ...]:
    """Operands that were reduced over the very axis that they now are stretched along again.

    Each entry: operand, axis of the result, and how sure that is.
    """
    found: list[tuple[int, int, Strength]] = []
    for operand, layout in enumerate(meeting.layouts):
        if not layout.gone:
            continue
        for position in stretched_axes(layout.shape, meeting.result):
            own = meeting.at(operand, position)
            if own is not None and own.one is not None and own.one.reduced:
                continue
            atoms: list[Atom] = []
            for other in range(len(meeting.layouts)):
                axis = meeting.at(other, position) if other != operand else None
                if axis is not None and axis.atom is not None and not axis.atom.origin.generic:
                    atoms.append(axis.atom)
            if any(atom in layout.gone for atom in atoms):
                found.append((operand, position, "strong"))
            elif any(related(atom, gone) for atom in atoms for gone in layout.gone):
                found.append((operand, position, "weak"))
    return tuple(found)


def elementwise(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Operands aligned from the right; the result has every axis of every operand."""
    assert isinstance(operation.meaning, Elementwise)
    result = operation.results[0] if operation.results else broadcast_shape(operation.shapes)
    if result is None:
        return Outcome(())
    meeting = Meeting(layouts, result, result_name)
    gone = union_of_gone(layouts)
    kept = frozenset[Atom]()
    scaled = [layout for layout in layouts if prod(layout.shape) != 1]
    if len(scaled) == 1:
        kept = scaled[0].normalised
    axes = meeting.axes if operation.meaning.pairs else mirrored(meeting, result_name)
    layout = Layout(axes, gone, kept)
    return Outcome(
        tuple(layout for _ in operation.results),
        tuple(meeting.crossings),
        {**meeting.notes, "gone_match": gone_matches(meeting)},
    )


def assign(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The value is broadcast into the selected part of the target."""
    meaning = operation.meaning
    assert isinstance(meaning, Assign)
    target, *others = layouts
    value = others[:1]
    at = place_of_arrays(meaning.items)
    selected = () if at is None else index_axes(meaning.items, at, operation, layouts, meaning.selection, result_name)
    selection = Layout(selected)
    crossings: tuple[Crossing, ...] = ()
    if value and selection.shape == meaning.selection and len(value[0].axes) <= len(meaning.selection):
        meeting = Meeting((selection, value[0]), meaning.selection, result_name)
        crossings = tuple(meeting.crossings)
    return Outcome(tuple(target for _ in operation.results), crossings)


def loss(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Operands 0 and 1 are pairs; what is left is a scalar, or one number for each pair."""
    meaning = operation.meaning
    assert isinstance(meaning, Loss)
    pairs = layouts[:2]
    result = broadcast_shape([layout.shape for layout in pairs])
    if result is None:
        return Outcome(())
    meeting = Meeting(pairs, result, result_name)
    gone = union_of_gone(pairs)
    if meaning.reduction == "none":
        layout = Layout(meeting.axes, gone)
    else:
        layout = Layout((), gone | frozenset(atom for axis in meeting.axes for atom in axis.atoms))
    return Outcome(tuple(layout for _ in operation.results), tuple(meeting.crossings), meeting.notes)
