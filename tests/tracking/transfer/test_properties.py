"""What must hold for any shapes where several operands meet, with NumPy as the oracle of the shapes."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.model import Shape
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import Layout, conflict, related
from shapecell.tracking.operation import (
    Advanced,
    Assign,
    Contract,
    Elementwise,
    Expand,
    Index,
    Loss,
    Meaning,
    Operation,
    Slice,
    Split,
)
from shapecell.tracking.transfer import TRANSFERS, transfer
from shapecell.tracking.transfer.meeting import no_name
from tests.tracking.transfer.building import add, array, mean, transposed

Array = np.ndarray[Any, Any]
Step = tuple[Meaning, tuple[Array, ...], tuple[Array, ...]]
"""A meaning, its operands and its results, as NumPy makes them."""

SHAPES = st.lists(st.integers(0, 4), min_size=1, max_size=4).map(tuple)
SQUARES = st.lists(st.just(4), min_size=1, max_size=3).map(tuple)


def partner(draw: st.DrawFn, shape: Shape) -> Array:
    """An array that broadcasts against `shape`."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    return np.zeros(tuple(1 if draw(st.integers(0, 3)) == 0 else length for length in kept))


def three_added(draw: st.DrawFn, x: Array) -> Step:
    operands = draw(st.permutations([x, partner(draw, x.shape), partner(draw, x.shape)]))
    return Elementwise(), tuple(operands), (np.zeros(np.broadcast_shapes(*(a.shape for a in operands))),)


def lost(draw: st.DrawFn, x: Array) -> Step:
    other = partner(draw, x.shape)
    reduction = draw(st.sampled_from(["mean", "sum", "none"]))
    return Loss(reduction), (x, other), (x + other if reduction == "none" else np.zeros(()),)


def expanded_together(draw: st.DrawFn, x: Array) -> Step:
    operands = (partner(draw, x.shape), x)
    return Expand(), operands, tuple(np.broadcast_arrays(*operands))


def unbound(draw: st.DrawFn, x: Array) -> Step:
    axis = draw(st.integers(0, x.ndim - 1))
    return Split(axis, removed=True), (x,), tuple(np.moveaxis(x, axis, 0))


def cut(draw: st.DrawFn, x: Array) -> Step:
    axis = draw(st.integers(0, x.ndim - 1))
    places = sorted(draw(st.lists(st.integers(0, x.shape[axis]), max_size=3)))
    return Split(axis), (x,), tuple(np.split(x, places, axis))


def contracted(draw: st.DrawFn, x: Array) -> Step:
    """A letter for each axis of x, some repeated, and a second operand that has some of them."""
    letters = "".join(
        draw(st.sampled_from([b for b, m in zip("abcd", x.shape, strict=False) if m == n])) for n in x.shape
    )
    lengths = dict(zip(letters, x.shape, strict=True)) | {"e": draw(st.integers(1, 3))}
    second = "".join(draw(st.permutations(sorted(draw(st.sets(st.sampled_from(sorted(lengths))))))))
    output = "".join(draw(st.permutations([c for c in sorted({*letters, *second}) if draw(st.booleans())])))
    other = np.zeros(tuple(lengths[letter] for letter in second))
    result = np.einsum(f"{letters},{second}->{output}", x, other)
    return Contract((tuple(letters), tuple(second)), tuple(output)), (x, other), (result,)


def assigned(draw: st.DrawFn, x: Array) -> Step:
    items = tuple(Slice(False, "half") if draw(st.booleans()) else Slice() for _ in x.shape)
    selection = tuple(n if item.whole else n // 2 for item, n in zip(items, x.shape, strict=True))
    return Assign(items, selection), (x, partner(draw, selection)), (x,)


def picked_by_two(draw: st.DrawFn, x: Array) -> Step:
    """Two index arrays, side by side or with slices between them."""
    x = np.zeros((*x.shape, 2, 3))
    low, high = sorted(draw(st.sets(st.integers(x.ndim - 3, x.ndim - 1), min_size=2, max_size=2)))
    first = np.zeros(draw(st.lists(st.integers(0, 3), min_size=1, max_size=2)), np.int64)
    second = np.zeros(first.shape[-1:], np.int64)
    if x.shape[low] == 0:
        first, second = first[..., :0], second[:0]
    items = tuple(Advanced(1) if i == low else Advanced(2) if i == high else Slice() for i in range(x.ndim))
    made = x[tuple(first if i == low else second if i == high else slice(None) for i in range(x.ndim))]
    return Index(items, low if high == low + 1 else 0), (x, first, second), (made,)


STEPS = [three_added, lost, expanded_together, unbound, cut, contracted, assigned, picked_by_two]


def made_by(step: Step) -> tuple[Operation, tuple[Layout, ...]]:
    meaning, operands, results = step
    shapes = tuple(operand.shape for operand in operands)
    layouts = tuple(array(f"x{number}", *shape) for number, shape in enumerate(shapes))
    return Operation("test", meaning, shapes, tuple(result.shape for result in results)), layouts


@settings(max_examples=400, deadline=None)
@given(SHAPES, st.sampled_from(STEPS), st.data())
def test_shapes_are_those_of_numpy_and_unrelated_arrays_do_not_cross(
    shape: Shape, make: Callable[[st.DrawFn, Array], Step], data: st.DataObject
) -> None:
    operation, layouts = made_by(make(data.draw, np.zeros(shape)))
    outcome = TRANSFERS[type(operation.meaning)](operation, layouts, no_name)
    assert tuple(layout.shape for layout in outcome.results) == operation.results
    assert outcome.crossings == ()


@settings(max_examples=200, deadline=None)
@given(SHAPES, st.sampled_from(STEPS), st.data())
def test_what_comes_from_an_operand_is_the_very_same_the_next_time(
    shape: Shape, make: Callable[[st.DrawFn, Array], Step], data: st.DataObject
) -> None:
    operation, layouts = made_by(make(data.draw, np.zeros(shape)))
    known = {atom for layout in layouts for axis in layout.axes for atom in axis.atoms}
    first, second = (transfer(operation, layouts).results for _ in range(2))
    for a, b in zip(first, second, strict=True):
        for x, y in zip(a.axes, b.axes, strict=True):
            if any(atom in known or (atom.origin.label is None and atom.twin in known) for atom in x.atoms):
                assert x == y


@settings(max_examples=150, deadline=None)
@given(SQUARES, st.data())
def test_the_order_of_operands_changes_neither_relations_nor_crossings(shape: Shape, data: st.DataObject) -> None:
    """Which operand gives its axes to the result may differ; what is related to what, and what crosses, does not."""
    order = tuple(data.draw(st.permutations(range(len(shape)))))
    reduced = data.draw(st.integers(0, len(shape) - 1))

    def facts(swap: bool) -> tuple[list[bool], list[bool], list[set[tuple[int, int | None]]]]:
        x, y = array("x", *shape), array("y", *shape)
        crossings = []
        for other in (mean(x, reduced), y, transposed(x, *order), mean(y, reduced)):
            assert broadcast_shape((shape, other.shape)) == shape
            made = add(*((other, x) if swap else (x, other)), gives=shape)
            crossings.append({(crossing.position, crossing.belongs) for crossing in made.crossings})
        atoms = [atom for layout in (x, y) for axis in layout.axes for atom in axis.atoms]
        pairs = list(combinations(atoms, 2))
        return [related(a, b) for a, b in pairs], [conflict(a, b) is not None for a, b in pairs], crossings

    assert facts(swap=False) == facts(swap=True)
