"""Broadcast operands: identities, crossings, what was reduced away, losses, assignments."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import AxisIdentity, Layout, One, conflict
from shapecell.tracking.operation import (
    Advanced,
    Assign,
    Contract,
    Elementwise,
    Integer,
    Loss,
    Mask,
    Reduce,
    Reshape,
    Slice,
)
from tests.tracking.transfer.building import add, array, is_same, mean, names, outcome, transposed, unsqueezed


def one_of(axis: AxisIdentity) -> One:
    assert axis.one is not None
    return axis.one


# ---------------------------------------------------------------- identities


def test_axes_come_from_the_operand_that_has_them() -> None:
    x, bias = array("x", 4, 3), array("bias", 3)
    assert add(x, bias, gives=(4, 3)).results[0].axes == x.axes
    assert add(bias, x, gives=(4, 3)).results[0].axes == x.axes


def test_an_outer_sum_has_an_axis_of_each() -> None:
    column, row = array("column", 4, 1), array("row", 3)
    made = add(column, row, gives=(4, 3))
    assert names(made.results[0]) == ["column axis 0", "row axis 0"]
    assert made.crossings == ()


def test_a_known_array_speaks_before_one_that_stands_for_many() -> None:
    many, x = array("many", 4, 3, generic=True), array("x", 4, 3)
    assert names(add(many, x, gives=(4, 3)).results[0]) == ["x axis 0", "x axis 1"]


def test_two_whole_arrays_have_the_same_axes_from_then_on() -> None:
    x, y, z = array("x", 4, 3), array("y", 4, 3), array("z", 3)
    add(x, y, gives=(4, 3))
    assert all(is_same(a, b) for a, b in zip(x.axes, y.axes, strict=True))
    add(x, z, gives=(4, 3))
    assert not is_same(x.axes[1], z.axes[0])


def test_ones_keep_the_explicit_reason_and_all_that_was_reduced() -> None:
    x, y = array("x", 4, 3), array("y", 4, 1)
    kept = mean(x, 1, keepdims=True)
    one = one_of(add(y, kept, gives=(4, 1)).results[0].axes[1])
    assert one.intent == "explicit"
    assert one.reason == "keepdims of mean"
    assert one.reduced == frozenset(x.axes[1].atoms)
    other = mean(y, 0, keepdims=True)
    both = one_of(add(mean(x, 0, keepdims=True), other, gives=(1, 3)).results[0].axes[0])
    assert both.reduced == frozenset(x.axes[0].atoms) | frozenset(y.axes[0].atoms)


def test_what_was_reduced_away_is_remembered_from_every_operand() -> None:
    x, y = array("x", 4, 3), array("y", 5)
    made = add(mean(x, 1), mean(y, 0), gives=(4,)).results[0]
    assert made.gone == frozenset(x.axes[1].atoms) | frozenset(y.axes[0].atoms)


SHAPES = st.lists(st.sampled_from([1, 2, 3]), max_size=3).map(tuple)


@settings(deadline=None)
@given(SHAPES, st.data())
def test_the_order_of_operands_does_not_change_the_axes(shape: tuple[int, ...], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(shape)))
    smaller = tuple(data.draw(st.sampled_from([1, n])) for n in shape[cut:])
    x, y = array("x", *shape), array("y", *smaller)
    first, second = add(x, y, gives=shape), add(y, x, gives=shape)
    for a, b in zip(first.results[0].axes, second.results[0].axes, strict=True):
        assert is_same(a, b)
    assert len(first.crossings) == len(second.crossings) == 0


@settings(deadline=None)
@given(SHAPES, SHAPES)
def test_unrelated_arrays_never_cross(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    shape = broadcast_shape([a, b])
    if shape is not None:
        assert add(array("a", *a), array("b", *b), gives=shape).crossings == ()


# ---------------------------------------------------------------- crossings


def test_a_mean_without_keepdims_crosses_in_a_square() -> None:
    x = array("x", 6, 6)
    (crossing,) = add(x, mean(x, 1), gives=(6, 6)).crossings
    assert (crossing.position, crossing.operand, crossing.axis) == (1, 1, 0)
    assert (crossing.against, crossing.belongs) == (0, 0)
    assert (crossing.strength, crossing.symmetric) == ("strong", False)
    (turned,) = add(mean(x, 1), x, gives=(6, 6)).crossings
    assert (turned.operand, turned.against, turned.belongs) == (0, 1, 0)


def test_a_mean_that_meets_its_own_axis_does_not_cross() -> None:
    x = array("x", 6, 6)
    assert add(x, mean(x, 0), gives=(6, 6)).crossings == ()
    assert add(x, mean(x, 1, keepdims=True), gives=(6, 6)).crossings == ()
    assert add(x, unsqueezed(mean(x, 1), 1), gives=(6, 6)).crossings == ()


def test_a_crossing_survives_arithmetic_on_the_way() -> None:
    x, y = array("x", 6, 6), array("y", 6, 6)
    centred = add(add(x, y, gives=(6, 6)).results[0], array("bias", 6), gives=(6, 6)).results[0]
    assert len(add(y, mean(centred, 1), gives=(6, 6)).crossings) == 1


def test_a_crossing_that_was_learned_is_weak() -> None:
    x, y, z = array("x", 6, 6), array("y", 6), array("z", 6)
    add(mean(x, 1), y, gives=(6,))
    (crossing,) = add(x, y, gives=(6, 6)).crossings
    assert (crossing.strength, crossing.belongs) == ("weak", 0)
    assert add(x, z, gives=(6, 6)).crossings == ()


def test_a_stretched_operand_of_the_same_rank_is_blamed() -> None:
    x = array("x", 6, 6)
    row = unsqueezed(mean(x, 1), 0)
    (crossing,) = add(row, x, gives=(6, 6)).crossings
    assert (crossing.operand, crossing.axis, crossing.against) == (0, 1, 1)


def test_a_square_that_meets_its_transpose_is_symmetrised() -> None:
    a = array("a", 6, 6)
    assert add(a, transposed(a), gives=(6, 6)).crossings == ()
    table = add(a, transposed(a), gives=(6, 6)).results[0]
    assert all(crossing.symmetric for crossing in add(table, mean(table, 1), gives=(6, 6)).crossings)


def test_a_table_of_pairs_has_two_axes_although_they_run_over_the_same() -> None:
    sq = mean(array("x", 6, 3), 1)
    table = add(unsqueezed(sq, 1), sq, gives=(6, 6)).results[0]
    first, second = table.axes[0].atom, table.axes[1].atom
    assert first is not None
    assert second is not None
    assert first is not second
    assert first.twin is second.twin is sq.axes[0].atom
    assert first.origin is second.origin
    assert first.origin.symmetric
    crossings = add(table, mean(table, 1), gives=(6, 6)).crossings
    assert all(crossing.symmetric for crossing in crossings)
    assert add(table, sq, gives=(6, 6)).crossings == ()


def test_axes_that_stand_for_many_never_cross() -> None:
    many = array("many", 6, 6, generic=True)
    assert add(many, mean(many, 1), gives=(6, 6)).crossings == ()


def test_merged_axes_in_another_order_are_noted() -> None:
    x = array("x", 4, 5, 3)
    rows = outcome(Reshape((-1, 3)), x, gives=(20, 3)).results[0]
    turned = outcome(Reshape((-1, 3)), transposed(x, 1, 0, 2), gives=(20, 3)).results[0]
    made = add(rows, turned, gives=(20, 3))
    assert made.notes["disordered"] == ((0, 0, 1),)
    again = outcome(Reshape((-1, 3)), array("y", 4, 5, 3), gives=(20, 3)).results[0]
    assert "disordered" not in add(rows, again, gives=(20, 3)).notes
    assert "disordered" in outcome(Loss(), rows, turned, gives=()).notes


def test_merged_axes_that_meet_are_related_factor_by_factor() -> None:
    x, y = array("x", 4, 5), array("y", 4, 5)
    flat, other = (outcome(Reshape((-1,)), layout, gives=(20,)).results[0] for layout in (x, y))
    add(flat, other, gives=(20,))
    assert is_same(x.axes[0], y.axes[0])
    assert is_same(x.axes[1], y.axes[1])


# ---------------------------------------------------------------- what was reduced over the same axis


def test_a_scalar_that_was_reduced_over_this_axis() -> None:
    x = array("x", 4, 3)
    per_sample, total = mean(x, 1), mean(x, 0, 1)
    assert add(per_sample, total, gives=(4,)).notes["gone_match"] == ((1, 0, "strong"),)
    assert add(total, per_sample, gives=(4,)).notes["gone_match"] == ((0, 0, "strong"),)


def test_a_scalar_from_elsewhere_or_with_kept_dimensions_is_no_match() -> None:
    x = array("x", 4, 3)
    assert add(mean(x, 1), mean(array("weight", 5), 0), gives=(4,)).notes["gone_match"] == ()
    assert add(x, mean(x, 1, keepdims=True), gives=(4, 3)).notes["gone_match"] == ()
    many = array("many", 4, 3, generic=True)
    assert add(many, mean(many, 0, 1), gives=(4, 3)).notes["gone_match"] == ()


def test_a_match_that_was_learned_is_weak() -> None:
    x, y = array("x", 4), array("y", 4)
    add(x, y, gives=(4,))
    assert add(x, mean(y, 0), gives=(4,)).notes["gone_match"] == ((1, 0, "weak"),)


# ---------------------------------------------------------------- normalisation through arithmetic


def test_a_scale_keeps_word_of_the_normalisation_and_a_table_does_not() -> None:
    x = array("x", 4, 3)
    assert x.axes[1].atom is not None
    weights = Layout(x.axes, x.gone, frozenset({x.axes[1].atom}))
    assert add(weights, array("scale"), gives=(4, 3)).results[0].normalised == weights.normalised
    assert add(weights, x, gives=(4, 3)).results[0].normalised == frozenset()


# ---------------------------------------------------------------- losses


def test_a_loss_leaves_a_scalar_that_was_reduced_over_everything() -> None:
    pred, target = array("pred", 4, 3), array("target", 4, 3)
    made = outcome(Loss("mean"), pred, target, gives=()).results[0]
    assert made.shape == ()
    assert made.gone == frozenset(atom for axis in pred.axes for atom in axis.atoms)
    table = outcome(Loss("none"), pred, target, gives=(4, 3)).results[0]
    assert table.axes == pred.axes


def test_a_loss_of_shapes_that_do_not_broadcast_is_not_followed() -> None:
    made = outcome(Loss("mean"), array("pred", 4, 3), array("target", 4), gives=())
    assert made.results[0].shape == ()
    assert made.crossings == ()


def test_a_loss_crosses_like_arithmetic() -> None:
    x = array("x", 6, 6)
    assert len(outcome(Loss("mean"), x, mean(x, 1), gives=()).crossings) == 1


# ---------------------------------------------------------------- assignments


def test_an_assignment_leaves_the_target_as_it_is() -> None:
    target, value = array("target", 4, 3), array("value", 3)
    made = outcome(Assign((Integer(), Slice()), (3,)), target, value, gives=(4, 3))
    assert made.results == (target,)
    assert made.crossings == ()
    assert is_same(target.axes[1], value.axes[0])


def test_a_value_that_belongs_to_another_axis_of_the_target_crosses() -> None:
    target = array("target", 6, 6)
    whole = Assign((Slice(), Slice()), (6, 6))
    (crossing,) = outcome(whole, target, mean(target, 1), gives=(6, 6)).crossings
    assert (crossing.operand, crossing.position, crossing.belongs) == (1, 1, 0)
    assert outcome(whole, target, mean(target, 0), gives=(6, 6)).crossings == ()


def test_axes_of_index_arrays_stand_in_place_in_an_assignment() -> None:
    target, chosen = array("target", 6, 6), array("chosen", 6)
    right, wrong = unsqueezed(mean(target, 1), 1), unsqueezed(mean(target, 0), 1)
    for meaning in (Assign((Slice(), Advanced(2)), (6, 6)), Assign((Slice(), Mask(2)), (6, 6))):
        assert outcome(meaning, target, right, chosen, gives=(6, 6)).crossings == ()
        (crossing,) = outcome(meaning, target, wrong, chosen, gives=(6, 6)).crossings
        assert crossing.position == 0


def test_where_frameworks_place_index_arrays_differently_nothing_is_concluded() -> None:
    target, chosen = array("target", 2, 6, 6), array("chosen", 6)
    meaning = Assign((Integer(), Slice(), Advanced(2)), (6, 6))
    value = array("value", 6, 6)
    assert outcome(meaning, target, value, chosen, gives=(2, 6, 6)).crossings == ()
    assert not any(is_same(own, other) for own in target.axes for other in value.axes)


# ---------------------------------------------------------------- a longer way


def test_centring_and_gram_matrix_of_a_square_sample_do_not_cross() -> None:
    x = array("x", 6, 6)
    centred = add(x, mean(x, 0), gives=(6, 6)).results[0]
    cov = outcome(Contract((("n", "i"), ("n", "j")), ("i", "j")), centred, centred, gives=(6, 6)).results[0]
    spread = mean(x, 0, statistic="std")
    scale = add(unsqueezed(spread, 1), unsqueezed(spread, 0), gives=(6, 6)).results[0]
    made = add(cov, scale, gives=(6, 6))
    assert not [crossing for crossing in made.crossings if not crossing.symmetric]


def test_a_missing_keepdims_is_seen_after_a_view() -> None:
    x = array("x", 2, 6, 6)
    norm = outcome(Reduce((2,), False, "norm"), x, gives=(2, 6)).results[0]
    row = unsqueezed(norm, 1)
    (crossing,) = add(x, row, gives=(2, 6, 6)).crossings
    assert (crossing.position, crossing.belongs) == (2, 1)
    a, b = x.axes[1].atom, x.axes[2].atom
    assert a is not None
    assert b is not None
    assert conflict(a, b) is not None
    assert outcome(Elementwise(), x, unsqueezed(norm, 2), gives=(2, 6, 6)).crossings == ()
