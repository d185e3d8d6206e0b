"""Reductions, and operations that run along an axis and keep it."""

from __future__ import annotations

from shapecell.tracking.axes import AxisIdentity, Layout, One, Outcome
from shapecell.tracking.operation import Along, Operation, Reduce
from shapecell.tracking.transfer.meeting import MAX_GONE, ResultName


def reduce(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The reduced axes vanish, or stay as 1s that remember what was reduced."""
    meaning = operation.meaning
    assert isinstance(meaning, Reduce)
    source = layouts[0]
    reduced = [axis for index, axis in enumerate(source.axes) if index in meaning.axes]
    gone = source.gone | frozenset(atom for axis in reduced for atom in axis.atoms)
    if len(gone) > MAX_GONE:
        gone = frozenset(atom for axis in reduced for atom in axis.atoms)
    axes = []
    for index, axis in enumerate(source.axes):
        if index not in meaning.axes:
            axes.append(axis)
        elif meaning.keepdims:
            before = axis.one.reduced if axis.one is not None else frozenset()
            why = One(f"keepdims of {meaning.statistic}", "explicit", frozenset(axis.atoms) | before)
            axes.append(AxisIdentity(1, one=why))
    layout = Layout(tuple(axes), gone)
    return Outcome(tuple(layout for _ in operation.results), (), {"reduced": tuple(reduced)})


def along(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """The axes stay; a normalisation leaves word of what it ran along."""
    meaning = operation.meaning
    assert isinstance(meaning, Along)
    source = layouts[0]
    ran = tuple(source.axes[axis] for axis in meaning.axes if axis < len(source.axes))
    normalised = (
        frozenset(atom for axis in ran for atom in axis.atoms) if meaning.action == "normalise" else frozenset()
    )
    layout = Layout(source.axes, source.gone, normalised)
    return Outcome(tuple(layout for _ in operation.results), (), {"along": ran})
