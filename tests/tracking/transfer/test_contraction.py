"""Contractions by letters, and results told axis by axis."""

from __future__ import annotations

from shapecell.tracking.axes import Layout, conflict
from shapecell.tracking.operation import Contract, Kept, Map, New
from tests.tracking.transfer.building import add, array, is_same, mean, names, outcome, transposed

MATMUL = Contract((("n", "k"), ("k", "m")), ("n", "m"))
GRAM = Contract((("i", "k"), ("j", "k")), ("i", "j"))
BATCHED = Contract((("b", "n", "k"), ("b", "k", "m")), ("b", "n", "m"))


def test_letters_that_stay_keep_their_operands_axes() -> None:
    x, w = array("x", 4, 3), array("w", 3, 5)
    made = outcome(MATMUL, x, w, gives=(4, 5))
    assert names(made.results[0]) == ["x axis 0", "w axis 1"]
    assert made.crossings == ()
    assert made.results[0].gone == frozenset()
    assert made.notes["summed"] == (frozenset({*x.axes[1].atoms, *w.axes[0].atoms}),)


def test_letters_that_vanish_were_the_same_axis() -> None:
    x, w = array("x", 4, 3), array("w", 3, 5)
    outcome(MATMUL, x, w, gives=(4, 5))
    assert is_same(x.axes[1], w.axes[0])


def test_a_square_times_itself_is_not_a_crossing() -> None:
    x = array("x", 6, 6)
    made = outcome(MATMUL, x, x, gives=(6, 6))
    assert made.crossings == ()
    a, b = x.axes[0].atom, x.axes[1].atom
    assert a is not None
    assert b is not None
    assert conflict(a, b) is not None


def test_a_batch_letter_crosses() -> None:
    x, w = array("x", 6, 6), array("w", 6)
    rows = Contract((("b", "i"), ("i",)), ("b",))
    assert outcome(rows, x, w, gives=(6,)).crossings == ()
    weighted = Contract((("b", "i"), ("i",)), ("b", "i"))
    (crossing,) = outcome(weighted, x, mean(x, 1), gives=(6, 6)).crossings
    assert (crossing.position, crossing.operand, crossing.axis) == (1, 1, 0)
    assert (crossing.against, crossing.belongs) == (0, 0)
    assert outcome(weighted, x, mean(x, 0), gives=(6, 6)).crossings == ()


def test_a_batch_letter_broadcasts() -> None:
    one, many = array("one", 1, 2, 3), array("many", 4, 3, 5)
    made = outcome(BATCHED, one, many, gives=(4, 2, 5)).results[0]
    assert names(made) == ["many axis 0", "one axis 1", "many axis 2"]


def test_a_gram_matrix_has_two_axes_that_are_alike() -> None:
    x = array("x", 6, 3)
    table = outcome(GRAM, x, x, gives=(6, 6)).results[0]
    first, second = table.axes[0].atom, table.axes[1].atom
    assert first is not None
    assert second is not None
    assert first is not second
    assert first.origin is second.origin
    assert first.origin.symmetric
    assert all(crossing.symmetric for crossing in add(table, mean(table, 1), gives=(6, 6)).crossings)


def test_a_product_over_other_features_is_not_symmetric() -> None:
    x = array("x", 6, 3)
    keys = outcome(MATMUL, x, array("wk", 3, 4), gives=(6, 4)).results[0]
    queries = outcome(MATMUL, x, array("wq", 3, 4), gives=(6, 4)).results[0]
    scores = outcome(GRAM, queries, keys, gives=(6, 6)).results[0]
    (crossing,) = add(scores, mean(scores, 1), gives=(6, 6)).crossings
    assert (crossing.strength, crossing.symmetric, crossing.belongs) == ("strong", False, 0)
    assert add(scores, mean(scores, 1, keepdims=True), gives=(6, 6)).crossings == ()


def test_features_of_a_layer_get_its_name_and_reason() -> None:
    x, w = array("x", 4, 3), array("w", 5, 3, parameter=True)
    letters = (("n", "i"), ("o", "i"))
    wide = outcome(Contract(letters, ("n", "o"), names=(("o", "Linear features"),)), x, w, gives=(4, 5)).results[0]
    assert names(wide) == ["x axis 0", "Linear features"]
    w1 = array("w", 1, 3, parameter=True)
    narrow = Contract(letters, ("n", "o"), reasons=(("o", "Linear(out_features=1)"),))
    one = outcome(narrow, x, w1, gives=(4, 1)).results[0].axes[1].one
    assert one is not None
    assert (one.reason, one.intent) == ("Linear(out_features=1)", "incidental")


def test_a_space_mapped_to_itself_does_not_cross_its_own_features() -> None:
    x, w = array("x", 6, 6), array("w", 6, 6)
    features = mean(x, 0)
    mixed = outcome(Contract((("k",), ("k", "m")), ("m",)), features, w, gives=(6,)).results[0]
    assert add(x, mixed, gives=(6, 6)).crossings == ()


def test_what_was_reduced_before_is_remembered() -> None:
    x = array("x", 2, 4, 3)
    made = outcome(MATMUL, mean(x, 0), array("w", 3, 5), gives=(4, 5)).results[0]
    assert made.gone == frozenset(x.axes[0].atoms)


def test_a_diagonal_meets_a_vector_without_taking_a_side() -> None:
    x, w = array("x", 5, 5), array("w", 5)
    for output in (("i",), ()):
        made = outcome(Contract((("i", "i"), ("i",)), output), x, w, gives=(5,) if output else ())
        assert made.crossings == ()
    assert not any(is_same(axis, w.axes[0]) for axis in x.axes)


# ---------------------------------------------------------------- axis by axis


def test_axes_that_are_kept_and_axes_that_are_new() -> None:
    image = array("image", 8, 3, 32, 32)
    conv = Map((Kept(0, 0), New("channels"), New("height"), New("width")))
    made = outcome(conv, image, gives=(8, 16, 30, 30)).results[0]
    assert made.axes[0] == image.axes[0]
    assert names(made)[1:] == ["channels", "height", "width"]


def test_a_kept_axis_of_another_length_is_a_part_of_it() -> None:
    image = array("image", 8, 32)
    pooled = outcome(Map((Kept(0, 0), Kept(0, 1))), image, gives=(8, 16)).results[0]
    part = pooled.axes[1].atom
    assert part is not None
    assert part.twin is image.axes[1].atom


def test_a_new_axis_of_length_1_says_why() -> None:
    made = outcome(
        Map((Kept(0, 0), New("features", "Conv(out_channels=1)", "incidental"))), array("x", 8, 3), gives=(8, 1)
    ).results[0]
    one = made.axes[1].one
    assert one is not None
    assert one.reason == "Conv(out_channels=1)"


def test_a_diagonal_keeps_one_axis_and_a_square_of_it_has_two() -> None:
    v = array("v", 5)
    square = outcome(Map((Kept(0, 0), Kept(0, 0))), v, gives=(5, 5)).results[0]
    assert square.axes[0] != square.axes[1]
    assert add(square, transposed(square), gives=(5, 5)).crossings == ()


def test_further_results_of_another_shape_get_axes_of_their_own() -> None:
    x = array("x", 4, 3)
    made = outcome(Map((Kept(0, 0), New("hidden"))), x, gives=((4, 5), (2, 7)))
    first, second = made.results
    assert isinstance(second, Layout)
    assert first.axes[0] == x.axes[0]
    assert second.shape == (2, 7)
    assert not is_same(second.axes[0], x.axes[0])
