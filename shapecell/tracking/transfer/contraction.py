"""Contractions by letters, and operations whose result axes are given one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import combinations

from shapecell.tracking.axes import (
    Atom,
    AxisIdentity,
    Crossing,
    Layout,
    One,
    Origin,
    Outcome,
    conflict,
    fresh_layout,
    join,
    related,
)
from shapecell.tracking.operation import Contract, Kept, Map, New, Operation
from shapecell.tracking.transfer.meeting import ResultName, combined_one, learn, told_apart, union_of_gone

Found = list[tuple[int, int, AxisIdentity]]


def contract(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Letters that stay are the axes of their operands; letters that vanish were the same axis on both sides."""
    meaning = operation.meaning
    assert isinstance(meaning, Contract)
    by_letter: dict[Hashable, Found] = {}
    for operand, (letters, layout) in enumerate(zip(meaning.inputs, layouts, strict=False)):
        for axis, (letter, identity) in enumerate(zip(letters, layout.axes, strict=False)):
            by_letter.setdefault(letter, []).append((operand, axis, identity))
    names, reasons = dict(meaning.names), dict(meaning.reasons)
    crossings: list[Crossing] = []
    axes = []
    result = operation.results[0] if operation.results else ()
    origin = Origin(lambda: result_name() or "the product")
    for position, (letter, length) in enumerate(zip(meaning.output, result, strict=False)):
        found = by_letter.get(letter, [])
        if length == 1:
            ones = [identity.one for _, _, identity in found if identity.one is not None]
            if letter in reasons:
                axes.append(AxisIdentity(1, one=One(reasons[letter], "incidental", origin=origin, index=position)))
            else:
                why = combined_one(ones) if ones else One(None, "incidental", origin=origin, index=position)
                axes.append(AxisIdentity(1, one=why))
            continue
        full = [entry for entry in found if entry[2].length == length and entry[2].atoms]
        crossings.extend(_met(position, full, layouts))
        known = full[0][2] if full else None
        if known is not None and letter not in names:
            axes.append(known)
            continue
        name, atom = names.get(letter), known.atom if known is not None else None
        new = atom.image(name) if atom is not None else Atom(origin, position, length, name)
        axes.append(AxisIdentity(length, (new,)))
    summed = []
    for letter, found in by_letter.items():
        if letter in meaning.output:
            continue
        summed.append(frozenset(atom for _, _, identity in found for atom in identity.atoms))
        for (_, _, a), (_, _, b) in combinations(_without_diagonals(found), 2):
            if a.length == b.length:
                learn(a, b)
    told = told_apart(axes, result_name, _symmetric(meaning, layouts, axes))
    layout = Layout(_of_squares(told, meaning, layouts), union_of_gone(layouts))
    return Outcome(tuple(layout for _ in operation.results), tuple(crossings), {"summed": tuple(summed)})


def _symmetric(meaning: Contract, layouts: tuple[Layout, ...], axes: list[AxisIdentity]) -> bool | None:
    """True for ``x @ x.T``: two operands with the same axes, contracted so that the result is symmetric."""
    if len(layouts) != 2:
        return None
    ours, theirs = ({atom for axis in layout.axes for atom in axis.atoms} for layout in layouts)
    return ours == theirs


def _without_diagonals(found: Found) -> Found:
    """The axes that a letter stands for, less those of operands that have it twice: a diagonal runs along both."""
    count = Counter(operand for operand, _, _ in found)
    return [entry for entry in found if count[entry[0]] == 1]


def _met(position: int, full: Found, layouts: tuple[Layout, ...]) -> list[Crossing]:
    """Relate axes that share a batch letter; those that are known to differ have crossed."""
    crossings = []
    for (i, first, a), (j, second, b) in combinations(_without_diagonals(full), 2):
        if a.atom is None or b.atom is None:
            learn(a, b)
            continue
        found = conflict(a.atom, b.atom)
        if found is None:
            join(a.atom, b.atom)
        elif len(layouts[i].axes) != len(layouts[j].axes):
            blamed, own, atom, other = (
                (i, first, a.atom, j) if len(layouts[i].axes) < len(layouts[j].axes) else (j, second, b.atom, i)
            )
            home = next(
                (k for k, axis in enumerate(layouts[other].axes) if axis.atom and related(axis.atom, atom)), None
            )
            crossings.append(Crossing(position, blamed, own, other, home, found[0], found[1].symmetric))
    return crossings


def _of_squares(
    axes: tuple[AxisIdentity, ...], meaning: Contract, layouts: tuple[Layout, ...]
) -> tuple[AxisIdentity, ...]:
    """`axes`, those that a square matrix brings replaced by their images.

    A square matrix takes a space to itself: the columns of ``x @ w`` are the features of x as much as those of w. That
    x met the rows of w does not make the columns of the result others than its own (``x * (x.mean(0) @ w)``).
    """
    square = {
        axis
        for letters, layout in zip(meaning.inputs, layouts, strict=False)
        for letter, axis in zip(letters, layout.axes, strict=False)
        if letter in meaning.output
        and any(other not in meaning.output and layout.axes[k].length == axis.length for k, other in enumerate(letters))
    }
    return tuple(
        AxisIdentity(axis.length, (axis.atom.image(),)) if axis in square and axis.atom is not None else axis
        for axis in axes
    )


def mapped(operation: Operation, layouts: tuple[Layout, ...], result_name: ResultName) -> Outcome:
    """Each axis of the result is told: one of an operand, or a new one."""
    meaning = operation.meaning
    assert isinstance(meaning, Map)
    results: list[Layout | None] = []
    for slot, shape in enumerate(operation.results):
        if len(meaning.sources) != len(shape) or shape != operation.results[0]:
            results.append(None)
            continue
        origin = Origin(lambda: result_name() or "the result")
        axes = [
            _source(source, position, length, layouts, origin)
            for position, (source, length) in enumerate(zip(meaning.sources, shape, strict=True))
        ]
        results.append(Layout(told_apart(axes, result_name), union_of_gone(layouts) if slot == 0 else frozenset()))
    fallback = Origin(lambda: result_name() or "the result")
    return Outcome(
        tuple(
            layout if layout is not None else fresh_layout(shape, fallback)
            for layout, shape in zip(results, operation.results, strict=True)
        )
    )


def _source(
    source: Kept | New, position: int, length: int, layouts: tuple[Layout, ...], origin: Origin
) -> AxisIdentity:
    if isinstance(source, Kept):
        if source.operand < len(layouts) and source.axis < len(layouts[source.operand].axes):
            axis = layouts[source.operand].axes[source.axis]
            if axis.length == length:
                return axis
            if axis.atom is not None and length != 1:
                return AxisIdentity(length, (axis.atom.part("resized", length),))
        source = New()
    if length == 1:
        return AxisIdentity(1, one=One(source.reason, source.intent, origin=origin, index=position))
    return AxisIdentity(length, (Atom(origin, position, length, source.name),))
