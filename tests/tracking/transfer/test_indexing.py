"""Slices, integers, new axes, index arrays, masks, gathering."""

from __future__ import annotations

from shapecell.tracking.axes import conflict, related
from shapecell.tracking.operation import Advanced, Gather, Index, Integer, Mask, NewAxis, Slice
from tests.tracking.transfer.building import add, array, is_same, mean, names, outcome

WHOLE = Slice()
HEAD = Slice(False, (None, 3, None))
TAIL = Slice(False, (3, None, None))


def test_whole_slices_keep_integers_drop_and_none_writes() -> None:
    x = array("x", 5, 4, 3)
    made = outcome(Index((WHOLE, NewAxis(), Integer(), WHOLE)), x, gives=(5, 1, 3)).results[0]
    assert (made.axes[0], made.axes[2]) == (x.axes[0], x.axes[2])
    assert made.axes[1].one is not None
    assert made.axes[1].one.intent == "explicit"


def test_the_same_slice_is_the_same_part_and_parts_are_related() -> None:
    x = array("x", 6, 2)
    first = outcome(Index((HEAD, WHOLE)), x, gives=(3, 2)).results[0]
    again = outcome(Index((HEAD, WHOLE)), x, gives=(3, 2)).results[0]
    tail = outcome(Index((TAIL, WHOLE)), x, gives=(3, 2)).results[0]
    assert first == again
    assert first.axes[0] != tail.axes[0]
    a, b, whole = first.axes[0].atom, tail.axes[0].atom, x.axes[0].atom
    assert a is not None
    assert b is not None
    assert whole is not None
    assert related(a, whole)
    assert related(a, b)
    assert add(first, tail, gives=(3, 2)).crossings == ()
    assert names(first) == names(x)


def test_a_slice_of_the_same_length_that_is_not_whole_is_a_part() -> None:
    x = array("x", 4)
    turned = outcome(Index((Slice(False, (None, None, -1)),)), x, gives=(4,)).results[0]
    assert turned.axes[0] != x.axes[0]
    assert turned.axes[0].atom is not None
    assert turned.axes[0].atom.twin is x.axes[0].atom


def test_a_slice_of_one_is_an_explicit_1_that_knows_its_axis() -> None:
    x = array("x", 4, 3)
    made = outcome(Index((WHOLE, Slice(False, (0, 1, None)))), x, gives=(4, 1)).results[0]
    one = made.axes[1].one
    assert one is not None
    assert one.intent == "explicit"
    y = array("y", 4, 1)
    assert outcome(Index((WHOLE, Slice(False, (0, 1, None)))), y, gives=(4, 1)).results[0].axes[1] == y.axes[1]


def test_a_crossing_is_seen_through_slices() -> None:
    x = array("x", 6, 6)
    head = outcome(Index((HEAD, HEAD)), x, gives=(3, 3)).results[0]
    assert len(add(head, mean(head, 1), gives=(3, 3)).crossings) == 1
    assert add(head, mean(head, 0), gives=(3, 3)).crossings == ()
    assert add(head, mean(head, 1, keepdims=True), gives=(3, 3)).crossings == ()


def test_an_index_array_brings_its_axes() -> None:
    table, ids = array("table", 50, 16), array("ids", 8, 5)
    made = outcome(Index((Advanced(1), WHOLE)), table, ids, gives=(8, 5, 16)).results[0]
    assert made.axes == (*ids.axes, table.axes[1])


def test_a_flat_index_array_picks_from_its_axis() -> None:
    x, order = array("x", 6, 3), array("order", 6)
    made = outcome(Index((Advanced(1), WHOLE)), x, order, gives=(6, 3)).results[0]
    other = outcome(Index((Advanced(1), WHOLE)), x, order, gives=(6, 3)).results[0]
    assert made == other
    picked, chosen = made.axes[0].atom, order.axes[0].atom
    assert picked is not None
    assert chosen is not None
    assert related(picked, chosen)
    assert names(made) == ["x axis 0", "x axis 1"]


def test_picked_rows_do_not_cross_the_array_they_came_from() -> None:
    x, order = array("x", 6, 6), array("order", 6)
    rows = outcome(Index((Advanced(1), WHOLE)), x, order, gives=(6, 6)).results[0]
    assert add(rows, x, gives=(6, 6)).crossings == ()
    assert add(rows, mean(x, 0), gives=(6, 6)).crossings == ()


def test_index_arrays_broadcast_against_each_other() -> None:
    x, rows, columns = array("x", 7, 8, 3), array("rows", 4, 1), array("columns", 5)
    made = outcome(Index((Advanced(1), Advanced(2), WHOLE)), x, rows, columns, gives=(4, 5, 3)).results[0]
    assert names(made) == ["rows axis 0", "columns axis 0", "x axis 2"]


def test_index_arrays_stand_where_the_adapter_says() -> None:
    x, ids = array("x", 2, 7, 3), array("ids", 4)
    place = outcome(Index((WHOLE, Advanced(1), WHOLE), 1), x, ids, gives=(2, 4, 3)).results[0]
    assert (place.axes[0], place.axes[2]) == (x.axes[0], x.axes[2])
    rows, columns = array("rows", 4), array("columns", 4)
    front = outcome(Index((Advanced(1), WHOLE, Advanced(2)), 0), x, rows, columns, gives=(4, 7)).results[0]
    assert front.axes[1] == x.axes[1]
    assert is_same(front.axes[0], rows.axes[0])
    assert is_same(front.axes[0], columns.axes[0])


def test_new_axes_count_for_the_place_of_index_arrays() -> None:
    x, ids = array("x", 7, 3), array("ids", 4)
    made = outcome(Index((NewAxis(), Advanced(1), WHOLE), 1), x, ids, gives=(1, 4, 3)).results[0]
    assert made.axes[0].one is not None
    assert made.axes[2] == x.axes[1]


def test_the_same_mask_makes_the_same_part() -> None:
    x, y, mask = array("x", 6, 3), array("y", 6), array("mask", 6)
    made = outcome(Index((Mask(1), WHOLE)), x, mask, gives=(4, 3)).results[0]
    assert made == outcome(Index((Mask(1), WHOLE)), x, mask, gives=(4, 3)).results[0]
    assert made.axes[1] == x.axes[1]
    part, whole = made.axes[0].atom, x.axes[0].atom
    assert part is not None
    assert whole is not None
    assert part.twin is whole
    targets = outcome(Index((Mask(1),)), y, mask, gives=(4,)).results[0]
    assert targets.axes[0].atom is not None
    assert conflict(part, targets.axes[0].atom) is None


def test_a_mask_over_two_axes_leaves_one() -> None:
    x, mask = array("x", 6, 5, 3), array("mask", 6, 5)
    made = outcome(Index((Mask(1), WHOLE)), x, mask, gives=(11, 3)).results[0]
    assert made.shape == (11, 3)
    assert made.axes[1] == x.axes[2]


def test_a_mask_stands_in_front_if_something_lies_between() -> None:
    x, mask = array("x", 5, 4, 4), array("mask", 4)
    made = outcome(Index((Integer(), WHOLE, Mask(1)), 0), x, mask, gives=(4, 4)).results[0]
    assert made.axes[1] == x.axes[1]
    assert made.axes[0].atom is not None
    assert made.axes[0].atom.twin is x.axes[2].atom


def test_a_mask_beside_an_index_array() -> None:
    x, mask, ids = array("x", 6, 5, 3), array("mask", 6), array("ids", 4)
    made = outcome(Index((Mask(1), Advanced(2), WHOLE), 0), x, mask, ids, gives=(4, 3)).results[0]
    assert is_same(made.axes[0], ids.axes[0])
    assert made.axes[1] == x.axes[2]


def test_axes_that_stand_for_many_stay_so_through_an_index_array() -> None:
    ids = array("ids", 4, generic=True)
    made = outcome(Index((Advanced(1), WHOLE)), array("x", 6, 3), ids, gives=(4, 3)).results[0]
    assert made.axes[0].atom is not None
    assert made.axes[0].atom.origin.generic


def test_gathering_keeps_all_axes_but_one() -> None:
    scores, chosen = array("scores", 8, 5), array("chosen", 8, 2)
    made = outcome(Gather(1), scores, chosen, gives=(8, 2)).results[0]
    assert made.axes == (scores.axes[0], chosen.axes[1])
    column = array("column", 8, 1)
    assert outcome(Gather(1), scores, column, gives=(8, 1)).results[0].axes[1] == column.axes[1]
