"""Random operations on real arrays: shapes are NumPy's, and what an identity claims is true of the elements.

The elements of an array are numbered, so that after any chain of views the place that each one had is known. An axis
that claims to be axis k of the first array must run through the places along k in order; a merged axis through the
places of its factors in row-major order.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shapecell.model import Shape
from shapecell.tracking.axes import Atom, Layout, Origin, fresh_layout
from shapecell.tracking.operation import (
    Advanced,
    Along,
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
    Mask,
    Meaning,
    NewAxis,
    Operation,
    Permute,
    Reduce,
    Repeat,
    Reshape,
    Slice,
    Split,
    Stack,
)
from shapecell.tracking.transfer import TRANSFERS
from shapecell.tracking.transfer.meeting import no_name
from tests.tracking.transfer.building import outcome

Array = np.ndarray[Any, Any]
Step = tuple[Meaning, Array]
Draw = st.DrawFn

SIZES = st.lists(st.sampled_from([1, 2, 3, 4, 6]), max_size=4).map(tuple)
WITH_EMPTY = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=3).map(tuple)


def permuted(draw: Draw, x: Array) -> Step:
    order = tuple(draw(st.permutations(range(x.ndim))))
    return Permute(order), x.transpose(order)


def reshaped(draw: Draw, x: Array) -> Step:
    lengths: list[int] = []
    rest = x.size
    while rest > 1:
        length = draw(st.sampled_from([n for n in range(2, rest + 1) if rest % n == 0]))
        lengths.append(length)
        rest //= length
    if x.size == 0:
        lengths = draw(st.permutations(x.shape))
    for _ in range(draw(st.integers(0, 2))):
        lengths.insert(draw(st.integers(0, len(lengths))), 1)
    shape = tuple(lengths)
    return Reshape(draw(st.sampled_from([None, (), shape]))), x.reshape(shape)


def inserted(draw: Draw, x: Array) -> Step:
    position = draw(st.integers(0, x.ndim))
    return Insert((position,)), np.expand_dims(x, position)


def dropped(draw: Draw, x: Array) -> Step:
    ones = tuple(axis for axis, length in enumerate(x.shape) if length == 1)
    return Drop(ones, every=True), x.squeeze()


def sliced(draw: Draw, x: Array) -> Step:
    items: list[Item] = []
    key: list[Any] = []
    for length in x.shape:
        kinds = ["whole", "new", "part"] + (["integer"] if length else [])
        kind = draw(st.sampled_from(kinds))
        if kind == "new":
            items.append(NewAxis())
            key.append(None)
        if kind == "integer":
            items.append(Integer())
            key.append(draw(st.integers(0, length - 1)))
        elif kind == "part":
            part = slice(draw(st.integers(0, length)), draw(st.integers(0, length)), draw(st.sampled_from([1, 2])))
            whole = len(range(length)[part]) == length
            items.append(Slice(whole, None if whole else (part.start, part.stop, part.step)))
            key.append(part)
        else:
            items.append(Slice())
            key.append(slice(None))
    return Index(tuple(items)), x[tuple(key)]


View = Callable[[Draw, Array], Step]
VIEWS: list[View] = [permuted, reshaped, inserted, dropped, sliced]
IN_ORDER: list[View] = [reshaped, inserted, dropped]


@st.composite
def view_chains(draw: Draw, views: list[View]) -> tuple[Array, list[Step]]:
    """An array of numbered elements and views of views of it."""
    shape = draw(SIZES)
    first = x = np.arange(prod(shape)).reshape(shape)
    steps = []
    for _ in range(draw(st.integers(1, 5))):
        meaning, x = draw(st.sampled_from(views))(draw, x)
        steps.append((meaning, x))
    return first, steps


def places(atom: Atom, first: Layout, elements: Array) -> Array | None:
    """Where along `atom` each element was; None for an atom that the views made and that claims nothing."""
    for axis, identity in enumerate(first.axes):
        if identity.atom is atom:
            return np.asarray(np.unravel_index(elements, first.shape)[axis])
    if atom.whole is not None:
        whole, parts = atom.whole
        where = places(whole, first, elements)
        if where is not None:
            return np.asarray(np.unravel_index(where, [part.length for part in parts])[atom.index])
    return None


def parts_of(atom: Atom, first: Layout, elements: Array) -> Array | None:
    """Like `places`, for an atom that is a part of another one."""
    return places(atom.twin, first, elements) if atom.twin is not None and atom.origin.label is None else None


@settings(deadline=None)
@given(view_chains(VIEWS))
def test_an_identity_tells_the_truth_about_the_elements(chain: tuple[Array, list[Step]]) -> None:
    x, steps = chain
    first = layout = fresh_layout(x.shape, Origin("x"))
    for meaning, result in steps:
        layout = outcome(meaning, layout, gives=result.shape).results[0]
        assert layout.shape == result.shape
        for position, axis in enumerate(layout.axes):
            lengths = [atom.length for atom in axis.atoms]
            assert prod(lengths) == axis.length if axis.atoms else axis.length == 1
            own = np.arange(axis.length).reshape([-1 if i == position else 1 for i in range(result.ndim)])
            factors = np.unravel_index(np.broadcast_to(own, result.shape), lengths or [1])
            for atom, factor in zip(axis.atoms, factors, strict=False):
                claimed = places(atom, first, result)
                if claimed is not None:
                    np.testing.assert_array_equal(claimed, factor)
                part = parts_of(atom, first, result)
                if part is not None and result.size:
                    along = np.moveaxis(part, position, 0).reshape(axis.length, -1)
                    assert len(axis.atoms) > 1 or (along == along[:, :1]).all()


@settings(deadline=None)
@given(view_chains(IN_ORDER))
def test_views_that_keep_the_order_can_be_undone(chain: tuple[Array, list[Step]]) -> None:
    x, steps = chain
    first = layout = fresh_layout(x.shape, Origin("x"))
    scrambled = False
    for meaning, result in steps:
        made = outcome(meaning, layout, gives=result.shape)
        scrambled = scrambled or "scrambled" in made.notes
        layout = made.results[0]
    back = outcome(Reshape(None), layout, gives=x.shape)
    if not scrambled and "scrambled" not in back.notes:
        assert [axis.atoms for axis in back.results[0].axes] == [axis.atoms for axis in first.axes]


# ---------------------------------------------------------------- shapes


@st.composite
def operations(draw: Draw) -> tuple[Meaning, list[Array], list[Array]]:
    """An operation with operands and results as NumPy computes them."""
    shape = draw(WITH_EMPTY)
    x = np.zeros(shape)
    kinds = ["elementwise", "view", "expand", "stack", "matmul"]
    if x.ndim:
        kinds += ["reduce", "along", "concatenate", "split", "take", "repeat", "gather", "mask"]
    kind = draw(st.sampled_from(kinds))
    axis = draw(st.integers(0, x.ndim - 1)) if x.ndim else 0
    match kind:
        case "elementwise":
            y = np.zeros([draw(st.sampled_from([1, n])) for n in shape[draw(st.integers(0, len(shape))) :]])
            return Elementwise(), [x, y], [x + y]
        case "view":
            meaning, made = draw(st.sampled_from(VIEWS))(draw, x)
            return meaning, [x], [made]
        case "expand":
            target = tuple(draw(st.sampled_from([2, 0])) if n == 1 else n for n in shape)
            return Expand(), [x], [np.broadcast_to(x, (3, *target))]
        case "stack":
            count = draw(st.integers(1, 3))
            axis = draw(st.integers(0, x.ndim))
            return Stack(axis), [x] * count, [np.stack([x] * count, axis)]
        case "matmul":
            rows, inner, columns = draw(st.tuples(*[st.integers(0, 3)] * 3))
            a, b = np.zeros((rows, inner)), np.zeros((inner, columns))
            return Contract((("n", "k"), ("k", "m")), ("n", "m")), [a, b], [a @ b]
        case "reduce":
            axes = tuple(draw(st.sets(st.integers(0, x.ndim - 1))))
            keepdims = draw(st.booleans())
            return Reduce(axes, keepdims), [x], [np.asarray(x.sum(axis=axes, keepdims=keepdims))]
        case "along":
            return Along((axis,), draw(st.sampled_from(["normalise", "sort"]))), [x], [np.sort(x, axis)]
        case "concatenate":
            other = np.zeros([draw(st.integers(0, 3)) if i == axis else n for i, n in enumerate(shape)])
            return Concatenate(axis), [x, other], [np.concatenate([x, other], axis)]
        case "split":
            count = draw(st.integers(1, 3))
            return Split(axis), [x], np.array_split(x, count, axis)
        case "take":
            assume(x.shape[axis])
            index: Array = np.zeros(draw(WITH_EMPTY), dtype=int)
            assume(index.ndim)
            items: list[Item] = [Slice()] * x.ndim
            items[axis] = Advanced(1)
            made = x[tuple(index if i == axis else slice(None) for i in range(x.ndim))]
            return Index(tuple(items), axis), [x, index], [made]
        case "repeat":
            times = tuple(draw(st.lists(st.integers(0, 3), min_size=x.ndim, max_size=x.ndim + 1)))
            return Repeat(times), [x], [np.tile(x, times)]
        case "gather":
            assume(x.shape[axis])
            index = np.zeros([draw(st.integers(0, 3)) if i == axis else n for i, n in enumerate(shape)], dtype=int)
            return Gather(axis), [x, index], [np.take_along_axis(x, index, axis)]
        case _:
            width = draw(st.integers(1, x.ndim))
            bits = draw(st.lists(st.booleans(), min_size=prod(shape[:width]), max_size=prod(shape[:width])))
            mask = np.array(bits, dtype=bool).reshape(shape[:width])
            return Index((Mask(1), *[Slice()] * (x.ndim - width))), [x, mask], [x[mask]]


@settings(max_examples=300, deadline=None)
@given(operations())
def test_shapes_are_what_numpy_says_without_falling_back(case: tuple[Meaning, list[Array], list[Array]]) -> None:
    meaning, operands, results = case
    layouts = [fresh_layout(operand.shape, Origin(f"x{i}")) for i, operand in enumerate(operands)]
    shapes: tuple[Shape, ...] = tuple(result.shape for result in results)
    made = TRANSFERS[type(meaning)](
        Operation("test", meaning, tuple(operand.shape for operand in operands), shapes), tuple(layouts), no_name
    )
    assert tuple(layout.shape for layout in made.results) == shapes
    assert made.crossings == ()
