"""Whatever an adapter says: results have the shapes that came out, nothing raises, axes that do not fit are new."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.tracking.axes import Layout, Origin, fresh_layout
from shapecell.tracking.operation import (
    KIND_OF,
    Advanced,
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
    Integer,
    Item,
    Kept,
    Loss,
    Map,
    Mask,
    Meaning,
    New,
    NewAxis,
    Opaque,
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
from tests.tracking.transfer.building import array, names, outcome

SHAPES = st.lists(st.sampled_from([0, 1, 2, 3]), max_size=4).map(tuple)
AXES = st.lists(st.integers(0, 4), max_size=4).map(tuple)
AXIS = st.integers(0, 4)
LETTERS = st.lists(st.sampled_from("abcd"), max_size=4).map(tuple)
NAMES = st.lists(st.tuples(st.sampled_from("abcd"), st.just("features")), max_size=2).map(tuple)
ITEMS: st.SearchStrategy[tuple[Item, ...]] = st.lists(
    st.one_of(
        st.builds(Slice, st.booleans(), st.integers(0, 2)),
        st.just(Integer()),
        st.just(NewAxis()),
        st.builds(Advanced, st.integers(0, 3)),
        st.builds(Mask, st.integers(0, 3)),
    ),
    max_size=5,
).map(tuple)
SOURCES = st.lists(st.one_of(st.builds(Kept, AXIS, AXIS), st.builds(New, st.none() | st.just("n"))), max_size=4)

MEANINGS: dict[type, st.SearchStrategy[Meaning]] = {
    Elementwise: st.builds(Elementwise, st.none() | st.integers(0, 3), st.booleans()),
    Assign: st.builds(Assign, ITEMS, SHAPES),
    Contract: st.builds(Contract, st.lists(LETTERS, max_size=3).map(tuple), LETTERS, NAMES, NAMES),
    Reduce: st.builds(Reduce, AXES, st.booleans()),
    Permute: st.builds(Permute, AXES),
    Reshape: st.builds(Reshape, st.none() | SHAPES),
    Insert: st.builds(Insert, AXES),
    Drop: st.builds(Drop, AXES, st.booleans()),
    Index: st.builds(Index, ITEMS, AXIS),
    Expand: st.just(Expand()),
    Repeat: st.builds(Repeat, st.lists(st.none() | st.integers(0, 3), max_size=4).map(tuple)),
    Concatenate: st.builds(Concatenate, AXIS),
    Stack: st.builds(Stack, AXIS),
    Split: st.builds(Split, AXIS, st.booleans()),
    Along: st.builds(Along, AXES, st.sampled_from(["normalise", "scan"])),
    Gather: st.builds(Gather, AXIS),
    Map: st.builds(Map, SOURCES.map(tuple)),
    Loss: st.builds(Loss, st.sampled_from(["mean", "none"])),
    Create: st.builds(Create, st.booleans()),
    Same: st.just(Same()),
    Opaque: st.builds(Opaque, st.booleans()),
}


def test_every_meaning_has_a_transfer() -> None:
    assert set(TRANSFERS) == set(KIND_OF) == set(MEANINGS)


@pytest.mark.parametrize("kind", MEANINGS, ids=lambda kind: kind.__name__)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_results_always_have_the_shapes_that_came_out(kind: type, data: st.DataObject) -> None:
    meaning = data.draw(MEANINGS[kind])
    shapes = tuple(data.draw(st.lists(SHAPES, max_size=3)))
    results = tuple(data.draw(st.lists(SHAPES, max_size=3)))
    layouts = tuple(fresh_layout(shape, Origin(f"x{i}")) for i, shape in enumerate(shapes))
    made = transfer(Operation("anything", meaning, shapes, results), layouts)
    assert tuple(layout.shape for layout in made.results) == results
    for layout in made.results:
        for axis in layout.axes:
            assert (axis.one is None) == (axis.length != 1)
            assert bool(axis.atoms) == (axis.length != 1)
            assert int(np.prod([atom.length for atom in axis.atoms])) == axis.length


@settings(deadline=None)
@given(st.sampled_from(list(MEANINGS)).flatmap(MEANINGS.__getitem__))
def test_an_operation_that_raised_has_no_results(meaning: Meaning) -> None:
    layouts = (array("x", 4, 3), array("y", 5))
    made = transfer(Operation("raised", meaning, tuple(layout.shape for layout in layouts)), layouts)
    assert made.results == ()


def test_created_arrays_are_named_after_what_they_are_bound_to() -> None:
    assert names(outcome(Create(), gives=(4, 3)).results[0]) == ["result axis 0", "result axis 1"]
    one = outcome(Create(parameter=True), gives=(4, 1)).results[0].axes[1].one
    assert one is not None
    assert one.intent == "explicit"


def test_the_name_of_a_result_is_not_asked_for_while_code_runs() -> None:
    def result_name() -> str:
        raise AssertionError("asked too early")

    layouts = (array("x", 4, 3), array("y", 3, 5))
    contraction = Contract((("n", "k"), ("k", "m")), ("n", "m"))
    for meaning, shape in ((Create(), (4, 3)), (contraction, (4, 5)), (Reshape(None), (2, 6)), (Opaque(), (7,))):
        assert transfer(Operation("x", meaning, ((4, 3), (3, 5)), (shape,)), layouts, result_name).results


def test_an_opaque_operation_keeps_at_most_its_batch_axis() -> None:
    x = array("x", 4, 3)
    assert outcome(Opaque(batch=True), x, gives=(4, 3)).results[0].axes[0] == x.axes[0]
    assert outcome(Opaque(batch=True), x, gives=(5, 3)).results[0].axes[0] != x.axes[0]
    assert not set(outcome(Opaque(), x, gives=(4, 3)).results[0].axes) & set(x.axes)


def test_nothing_is_concluded_from_a_meaning_that_does_not_fit() -> None:
    x = array("x", 6, 6)
    assert outcome(Reduce((0,)), x, gives=(6,)).notes["reduced"] == (x.axes[0],)
    made = outcome(Reduce((0,)), x, gives=(7,))
    assert made.notes == {}
    assert names(made.results[0]) == ["result axis 0"]
    wrong = outcome(Expand(), x, Layout((x.axes[0],)), gives=((7,), (6, 6)))
    assert wrong.crossings == ()
