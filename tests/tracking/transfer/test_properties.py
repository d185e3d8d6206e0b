"""What must hold for any shapes and any operations, with NumPy as the oracle."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shapecell.model import Shape
from shapecell.tracking import operation as vocabulary
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import Atom, Layout, Origin, Outcome, conflict, fresh_layout, related
from shapecell.tracking.operation import (
    Advanced,
    Along,
    Assign,
    Concatenate,
    Contract,
    Drop,
    Elementwise,
    Expand,
    Gather,
    Index,
    Insert,
    Integer,
    Item,
    Kept,
    Loss,
    Map,
    Mask,
    Meaning,
    New,
    NewAxis,
    Operation,
    Permute,
    Reduce,
    Repeat,
    Reshape,
    Same,
    Slice,
    Split,
    Stack,
)
from shapecell.tracking.transfer import TRANSFERS, transfer
from shapecell.tracking.transfer.meeting import no_name

SHAPES = st.lists(st.integers(1, 4), max_size=4).map(tuple)
EMPTY_TOO = st.lists(st.integers(0, 4), max_size=4).map(tuple)

Step = tuple[Meaning, tuple[np.ndarray, ...], tuple[np.ndarray, ...]]
"""A meaning, the operands and the results, as NumPy makes them."""


def layouts_of(arrays: tuple[np.ndarray, ...]) -> tuple[Layout, ...]:
    return tuple(fresh_layout(array.shape, Origin(f"x{number}")) for number, array in enumerate(arrays))


def operation_of(step: Step) -> Operation:
    meaning, operands, results = step
    return Operation("test", meaning, tuple(a.shape for a in operands), tuple(a.shape for a in results))


def assert_well_formed(outcome: Outcome) -> None:
    """Each 1 says why it is 1; each other axis is a product of atoms."""
    for layout in outcome.results:
        for axis in layout.axes:
            if axis.length == 1:
                assert axis.one is not None
                assert axis.atoms == ()
            else:
                assert axis.one is None
                assert axis.atoms
                assert prod(atom.length for atom in axis.atoms) == axis.length
                assert all(atom.length != 1 for atom in axis.atoms)


# ---------------------------------------------------------------- steps on one array


def numbered(shape: Shape) -> np.ndarray:
    """An array whose elements say where they stand."""
    return np.arange(prod(shape)).reshape(shape)


@st.composite
def shapes_of_size(draw: st.DrawFn, size: int) -> Shape:
    """A shape with `size` elements, a few 1s in it."""
    if size == 0:
        return tuple(draw(st.permutations([0, *draw(st.lists(st.integers(0, 4), max_size=3))])))
    lengths, left = [], size
    while left > 1:
        length = draw(st.sampled_from([d for d in range(2, left + 1) if left % d == 0]))
        lengths.append(length)
        left //= length
    lengths += [1] * draw(st.integers(0, 2))
    return tuple(draw(st.permutations(lengths)))


def permuted(draw: st.DrawFn, x: np.ndarray) -> Step:
    order = tuple(draw(st.permutations(range(x.ndim))))
    return Permute(order), (x,), (x.transpose(order),)


def reshaped(draw: st.DrawFn, x: np.ndarray) -> Step:
    shape = draw(shapes_of_size(x.size))
    written = draw(st.sampled_from([shape, None]))
    return Reshape(written), (x,), (x.reshape(shape),)


def inserted(draw: st.DrawFn, x: np.ndarray) -> Step:
    count = draw(st.integers(1, 2))
    positions = tuple(sorted(draw(st.sets(st.integers(0, x.ndim + count - 1), min_size=count, max_size=count))))
    return Insert(positions), (x,), (np.expand_dims(x, positions),)


def dropped(draw: st.DrawFn, x: np.ndarray) -> Step:
    ones = [axis for axis, length in enumerate(x.shape) if length == 1]
    positions = tuple(axis for axis in ones if draw(st.booleans()))
    return Drop(positions), (x,), (x.squeeze(positions),)


def indexed(draw: st.DrawFn, x: np.ndarray) -> Step:
    """Slices, whole numbers and new axes."""
    items: list[Item] = []
    given: list[Any] = []
    for length in x.shape:
        if draw(st.integers(0, 4)) == 0:
            items.append(NewAxis())
            given.append(None)
        kind = draw(st.sampled_from(["whole", "slice", "integer"]))
        if kind == "integer" and length:
            given.append(draw(st.integers(0, length - 1)))
            items.append(Integer(given[-1]))
        elif kind == "slice":
            start, stop = sorted(draw(st.tuples(st.integers(0, length), st.integers(0, length))))
            step = draw(st.sampled_from([1, 2]))
            given.append(slice(start, stop, step))
            items.append(Slice(given[-1] == slice(0, length, 1), (start, stop, step)))
        else:
            given.append(slice(None))
            items.append(Slice())
    return Index(tuple(items)), (x,), (x[tuple(given)],)


VIEWS: list[Callable[[st.DrawFn, np.ndarray], Step]] = [permuted, reshaped, inserted, dropped, indexed]


def coordinates(atom: Atom, places: dict[int, np.ndarray]) -> np.ndarray | None:
    """Coordinate of each element along `atom`, worked out from those along the axes of the first array."""
    if atom.whole is not None:
        whole, pieces = atom.whole
        found = coordinates(whole, places)
        lengths = tuple(piece.length for piece in pieces)
        return None if found is None else np.unravel_index(found, lengths)[pieces.index(atom)]
    return places[atom.index] if atom.origin.name() == "x" else None


@settings(max_examples=300)
@given(SHAPES, st.data())
def test_views_tell_the_truth(shape: Shape, data: st.DataObject) -> None:
    """Along an axis that is said to be axis i of x, exactly coordinate i of x runs from 0 on, whatever came between."""
    x = numbered(shape)
    layout = fresh_layout(shape, Origin("x"))
    claims = 0
    for _ in range(data.draw(st.integers(1, 5))):
        step = data.draw(st.sampled_from(VIEWS))(data.draw, x)
        (x,) = step[2]
        outcome = transfer(operation_of(step), (layout,))
        assert_well_formed(outcome)
        (layout,) = outcome.results
        assert layout.shape == x.shape
        places = dict(enumerate(np.unravel_index(x, shape))) if x.size and shape else {}
        for position, axis in enumerate(layout.axes):
            lengths = tuple(atom.length for atom in axis.atoms)
            runs = np.unravel_index(np.arange(axis.length), lengths) if places and lengths else ()
            for atom, run in zip(axis.atoms, runs, strict=False):
                found = coordinates(atom, places)
                if found is not None:
                    claims += 1
                    assert np.array_equal(
                        found, np.broadcast_to(np.expand_dims(run, tuple(range(1, x.ndim - position))), x.shape)
                    )


@settings(max_examples=100)
@given(SHAPES, st.data())
def test_parts_come_from_the_axis_that_they_are_said_to_be_part_of(shape: Shape, data: st.DataObject) -> None:
    x = numbered(shape)
    step = indexed_step(data, x)
    (taken,) = step[2]
    (layout,) = transfer(operation_of(step), (fresh_layout(shape, Origin("x")),)).results
    if not taken.size or not shape:
        return
    places = np.unravel_index(taken, shape)
    for position, axis in enumerate(layout.axes):
        for atom in axis.atoms:
            *_, ancestor = atom.lineage()
            assert ancestor.origin.name() == "x"
            others = tuple(i for i in range(taken.ndim) if i != position)
            along = places[ancestor.index]
            assert np.array_equal(along.min(axis=others), along.max(axis=others))
            assert len(np.unique(along)) == axis.length


def indexed_step(data: st.DataObject, x: np.ndarray) -> Step:
    step: Step = data.draw(st.composite(indexed)(x))
    return step


@given(SHAPES, st.data())
def test_permutes_compose(shape: Shape, data: st.DataObject) -> None:
    x = numbered(shape)
    layout = fresh_layout(shape, Origin("x"))
    first = data.draw(st.permutations(range(x.ndim)).map(tuple))
    second = data.draw(st.permutations(range(x.ndim)).map(tuple))
    (once,) = transfer(operation_of((Permute(first), (x,), (x.transpose(first),))), (layout,)).results
    twice_shape = x.transpose(first).transpose(second)
    (twice,) = transfer(operation_of((Permute(second), (x.transpose(first),), (twice_shape,))), (once,)).results
    both = tuple(first[axis] for axis in second)
    assert transfer(operation_of((Permute(both), (x,), (x.transpose(both),))), (layout,)).results == (twice,)


@given(st.lists(st.integers(2, 4), min_size=1, max_size=4).map(tuple), st.data())
def test_merging_and_splitting_along_the_boundaries_restores_the_axes(shape: Shape, data: st.DataObject) -> None:
    x = numbered(shape)
    layout = fresh_layout(shape, Origin("x"))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(shape)))) | {0, len(shape)})
    merged = x.reshape([prod(shape[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)])
    there = transfer(operation_of((Reshape(), (x,), (merged,))), (layout,))
    assert there.notes == {}
    assert [axis.atoms for axis in there.results[0].axes] == [
        tuple(atom for axis in layout.axes[a:b] for atom in axis.atoms) for a, b in zip(cuts, cuts[1:], strict=False)
    ]
    back = transfer(operation_of((Reshape(shape), (merged,), (x,))), there.results)
    assert back.notes == {}
    assert back.results == (layout,)


@given(st.integers(2, 24), st.data())
def test_splitting_and_merging_restores_the_axis(length: int, data: st.DataObject) -> None:
    x = numbered((length,))
    layout = fresh_layout((length,), Origin("x"))
    split = x.reshape([part for part in data.draw(shapes_of_size(length)) if part != 1])
    there = transfer(operation_of((Reshape(), (x,), (split,))), (layout,))
    assert there.notes == {}
    assert transfer(operation_of((Reshape(), (split,), (x,))), there.results).results == (layout,)


# ---------------------------------------------------------------- steps on several arrays


def reduced(draw: st.DrawFn, x: np.ndarray) -> Step:
    axes = tuple(axis for axis in range(x.ndim) if draw(st.booleans()))
    keepdims = draw(st.booleans())
    return Reduce(axes, keepdims), (x,), (x.sum(axes, keepdims=keepdims),)


def scanned(draw: st.DrawFn, x: np.ndarray) -> Step:
    axes = tuple(axis for axis in range(x.ndim) if draw(st.booleans()))
    return Along(axes, draw(st.sampled_from(["normalise", "sort", "scan"]))), (x,), (x,)


def copied(draw: st.DrawFn, x: np.ndarray) -> Step:
    return Same(), (x,), (x.copy(),)


def partner(draw: st.DrawFn, shape: Shape) -> np.ndarray:
    """An array that broadcasts against `shape`."""
    kept = shape[draw(st.integers(0, len(shape))) :]
    return np.zeros(tuple(1 if draw(st.integers(0, 3)) == 0 else length for length in kept))


def elementwise(draw: st.DrawFn, x: np.ndarray) -> Step:
    others = tuple(partner(draw, x.shape) for _ in range(draw(st.integers(1, 2))))
    operands = tuple(draw(st.permutations([x, *others])))
    return Elementwise(), operands, (np.zeros(np.broadcast_shapes(*(a.shape for a in operands))),)


def loss(draw: st.DrawFn, x: np.ndarray) -> Step:
    other = partner(draw, x.shape)
    reduction = draw(st.sampled_from(["mean", "sum", "none"]))
    return Loss(reduction), (x, other), (x + other if reduction == "none" else np.zeros(()),)


def expanded(draw: st.DrawFn, x: np.ndarray) -> Step:
    longer = (
        *draw(st.lists(st.integers(1, 3), max_size=2)),
        *(draw(st.integers(1, 3)) if n == 1 else n for n in x.shape),
    )
    return Expand(), (x,), (np.broadcast_to(x, longer),)


def broadcast(draw: st.DrawFn, x: np.ndarray) -> Step:
    operands = (partner(draw, x.shape), x)
    return Expand(), operands, tuple(np.broadcast_arrays(*operands))


def tiled(draw: st.DrawFn, x: np.ndarray) -> Step:
    times = tuple(draw(st.integers(0, 3)) for _ in range(x.ndim + draw(st.integers(0, 1))))
    return Repeat(times), (x,), (np.tile(x, times),)


def concatenated(draw: st.DrawFn, x: np.ndarray) -> Step:
    assume(x.ndim > 0)
    axis = draw(st.integers(0, x.ndim - 1))
    others = [
        np.zeros((*x.shape[:axis], draw(st.integers(0, 3)), *x.shape[axis + 1 :]))
        for _ in range(draw(st.integers(0, 2)))
    ]
    return Concatenate(axis), (x, *others), (np.concatenate([x, *others], axis),)


def stacked(draw: st.DrawFn, x: np.ndarray) -> Step:
    axis = draw(st.integers(0, x.ndim))
    operands = (x,) * draw(st.integers(1, 3))
    return Stack(axis), operands, (np.stack(operands, axis),)


def split(draw: st.DrawFn, x: np.ndarray) -> Step:
    assume(x.ndim > 0)
    axis = draw(st.integers(0, x.ndim - 1))
    places = sorted(draw(st.lists(st.integers(0, x.shape[axis]), max_size=3)))
    return Split(axis), (x,), tuple(np.split(x, places, axis))


def unbound(draw: st.DrawFn, x: np.ndarray) -> Step:
    assume(x.ndim > 0)
    axis = draw(st.integers(0, x.ndim - 1))
    return Split(axis, removed=True), (x,), tuple(np.moveaxis(x, axis, 0))


def gathered(draw: st.DrawFn, x: np.ndarray) -> Step:
    assume(x.ndim > 0 and x.size)
    axis = draw(st.integers(0, x.ndim - 1))
    indices = np.zeros((*x.shape[:axis], draw(st.integers(0, 4)), *x.shape[axis + 1 :]), np.int64)
    return Gather(axis), (x, indices), (np.take_along_axis(x, indices, axis),)


def picked(draw: st.DrawFn, x: np.ndarray) -> Step:
    """One or two index arrays or one mask among slices."""
    assume(x.ndim > 0 and x.size)
    axis = draw(st.integers(0, x.ndim - 1))
    if draw(st.booleans()):
        width = draw(st.integers(1, x.ndim - axis))
        mask = np.array(
            draw(
                st.lists(
                    st.booleans(),
                    min_size=prod(x.shape[axis : axis + width]),
                    max_size=prod(x.shape[axis : axis + width]),
                )
            ),
            bool,
        )
        mask = mask.reshape(x.shape[axis : axis + width])
        items = (*[Slice()] * axis, Mask(1), *[Slice()] * (x.ndim - axis - width))
        return Index(items, axis), (x, mask), (x[(*[slice(None)] * axis, mask)],)
    shape = draw(st.lists(st.integers(1, 3), min_size=1, max_size=2).map(tuple))
    indices = np.zeros(shape, np.int64)
    second = draw(st.integers(0, x.ndim - 1))
    if second == axis:
        items = tuple(Advanced(1) if i == axis else Slice() for i in range(x.ndim))
        return Index(items, axis), (x, indices), (x[(*[slice(None)] * axis, indices)],)
    other = np.zeros(shape[-1:], np.int64)
    low, high = sorted((axis, second))
    given = [indices if i == low else other if i == high else slice(None) for i in range(x.ndim)]
    items = tuple(Advanced(1) if i == low else Advanced(2) if i == high else Slice() for i in range(x.ndim))
    return Index(items, low if high == low + 1 else 0), (x, indices, other), (x[tuple(given)],)


def contracted(draw: st.DrawFn, x: np.ndarray) -> Step:
    """An einsum; one letter for each axis of x, and a partner that has some of them."""
    letters = "abcd"[: x.ndim]
    lengths = dict(zip(letters, x.shape, strict=True)) | {"e": draw(st.integers(1, 3))}
    second = "".join(draw(st.permutations(sorted(draw(st.sets(st.sampled_from([*letters, "e"])))))))
    both = sorted({*letters, *second})
    output = "".join(draw(st.permutations([letter for letter in both if draw(st.booleans())])))
    other = np.zeros(tuple(lengths[letter] for letter in second))
    result = np.einsum(f"{letters},{second}->{output}", x, other)
    return Contract((tuple(letters), tuple(second)), tuple(output)), (x, other), (result,)


def assigned(draw: st.DrawFn, x: np.ndarray) -> Step:
    _, _, (selection,) = step = indexed(draw, x)
    meaning = step[0]
    assert isinstance(meaning, Index)
    return Assign(meaning.items, selection.shape), (x, partner(draw, selection.shape)), (x,)


STEPS = [
    *VIEWS, reduced, scanned, copied, elementwise, loss, expanded, broadcast, tiled, concatenated, stacked, split,
    unbound, gathered, picked, contracted, assigned,
]  # fmt: skip


@settings(max_examples=800)
@given(EMPTY_TOO, st.sampled_from(STEPS), st.data())
def test_shapes_are_those_of_numpy_without_mending(
    shape: Shape, make: Callable[[st.DrawFn, np.ndarray], Step], data: st.DataObject
) -> None:
    step = make(data.draw, numbered(shape))
    meaning, operands, results = step
    outcome = TRANSFERS[type(meaning)](operation_of(step), layouts_of(operands), no_name)
    assert tuple(layout.shape for layout in outcome.results) == tuple(result.shape for result in results)
    assert_well_formed(outcome)
    for crossing in outcome.crossings:
        raise AssertionError(f"unrelated arrays are in conflict: {crossing}")


@settings(max_examples=300)
@given(EMPTY_TOO, st.sampled_from(STEPS), st.data())
def test_the_same_axes_give_the_same_result_where_nothing_new_comes_into_being(
    shape: Shape, make: Callable[[st.DrawFn, np.ndarray], Step], data: st.DataObject
) -> None:
    """Axes that come from an operand, and parts of them, are the very same ones the second time."""
    step = make(data.draw, numbered(shape))
    layouts = layouts_of(step[1])
    known = {atom for layout in layouts for axis in layout.axes for atom in axis.atoms}
    first, second = (transfer(operation_of(step), layouts).results for _ in range(2))
    for a, b in zip(first, second, strict=True):
        for x, y in zip(a.axes, b.axes, strict=True):
            if x.atoms and all(
                atom in known or (atom.origin.name() is None and set(atom.lineage()) & known) or atom.whole
                for atom in x.atoms
            ):
                assert x == y


MEANINGS: st.SearchStrategy[Meaning] = st.deferred(
    lambda: st.one_of(
        st.builds(Elementwise), st.builds(Assign, ITEMS, SHAPES), st.builds(Contract, st.lists(LETTERS, max_size=3).map(tuple), LETTERS),
        st.builds(Reduce, NUMBERS, st.booleans()), st.builds(Permute, NUMBERS), st.builds(Reshape, st.none() | SHAPES),
        st.builds(Insert, NUMBERS), st.builds(Drop, NUMBERS), st.builds(Index, ITEMS, st.integers(0, 5)), st.builds(Expand),
        st.builds(Repeat, st.lists(st.none() | st.integers(0, 3), max_size=4).map(tuple)), st.builds(Concatenate, st.integers(0, 5)),
        st.builds(Stack, st.integers(0, 5)), st.builds(Split, st.integers(0, 5), st.booleans()),
        st.builds(Along, NUMBERS, st.sampled_from(["normalise", "sort"])), st.builds(Gather, st.integers(0, 5)),
        st.builds(Map, st.lists(st.builds(Kept, st.integers(0, 3), st.integers(0, 4)) | st.builds(New), max_size=4).map(tuple)),
        st.builds(Loss, st.sampled_from(["mean", "none"])), st.builds(vocabulary.Create), st.builds(Same),
        st.builds(vocabulary.Opaque, st.booleans()),
    )
)  # fmt: skip
NUMBERS = st.lists(st.integers(0, 5), max_size=4).map(tuple)
LETTERS = st.lists(st.sampled_from("abc"), max_size=3).map(tuple)
ITEMS = st.lists(
    st.one_of(
        st.builds(Slice, st.booleans(), st.integers(0, 3)),
        st.builds(Integer),
        st.builds(NewAxis),
        st.builds(Advanced, st.integers(0, 3)),
        st.builds(Mask, st.integers(0, 3)),
    ),
    max_size=4,
).map(tuple)


@settings(max_examples=1500)
@given(MEANINGS, st.lists(EMPTY_TOO, max_size=3).map(tuple), st.lists(EMPTY_TOO, max_size=2).map(tuple))
def test_any_meaning_however_wrong_gives_axes_of_the_right_shape(
    meaning: Meaning, shapes: tuple[Shape, ...], results: tuple[Shape, ...]
) -> None:
    layouts = tuple(fresh_layout(shape, Origin("x")) for shape in shapes)
    outcome = transfer(Operation("test", meaning, shapes, results), layouts)
    assert tuple(layout.shape for layout in outcome.results) == results
    assert_well_formed(outcome)


@given(SHAPES, st.data())
def test_elementwise_is_commutative_in_what_is_known(shape: Shape, data: st.DataObject) -> None:
    """Which operand gives its axes to the result may differ; what is related to what, and what crosses, does not."""
    square = tuple(4 if length == 4 else 3 for length in shape)
    x = numbered(square)
    order = tuple(data.draw(st.permutations(range(x.ndim))))
    reduce = data.draw(st.integers(0, max(x.ndim - 1, 0)))

    def run(swap: bool) -> tuple[set[tuple[int, int]], list[tuple[int, int | None]], set[tuple[int, int]]]:
        (a,) = layouts_of((x,))
        turned = transfer(operation_of((Permute(order), (x,), (x.transpose(order),))), (a,)).results[0]
        mean = a
        if x.ndim:
            mean = transfer(operation_of((Reduce((reduce,)), (x,), (x.sum(reduce),))), (a,)).results[0]
        b = fresh_layout(square, Origin("y"))
        found = []
        for other in (mean, turned, b):
            if broadcast_shape((square, other.shape)) != square:
                continue
            pair = (other, a) if swap else (a, other)
            made = transfer(Operation("add", Elementwise(), (pair[0].shape, pair[1].shape), (square,)), pair)
            found += [(c.position, c.belongs) for c in made.crossings]
        atoms = [atom for layout in (a, b) for axis in layout.axes for atom in axis.atoms]
        pairs = list(combinations(range(len(atoms)), 2))
        return (
            {(i, j) for i, j in pairs if related(atoms[i], atoms[j])},
            found,
            {(i, j) for i, j in pairs if conflict(atoms[i], atoms[j])},
        )

    assert run(swap=False) == run(swap=True)
