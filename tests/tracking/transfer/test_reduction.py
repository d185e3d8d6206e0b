"""Reductions, and what runs along an axis and keeps it."""

from __future__ import annotations

from shapecell.tracking.operation import Along, Reduce
from shapecell.tracking.transfer.meeting import MAX_GONE
from tests.tracking.transfer.building import array, mean, outcome, transposed


def test_reduced_axes_vanish_and_are_remembered() -> None:
    x = array("x", 4, 3, 2)
    made = outcome(Reduce((0, 2)), x, gives=(3,))
    assert made.results[0].axes == (x.axes[1],)
    assert made.results[0].gone == frozenset({*x.axes[0].atoms, *x.axes[2].atoms})
    assert made.notes["reduced"] == (x.axes[0], x.axes[2])


def test_kept_dimensions_say_of_what() -> None:
    x = array("x", 4, 3)
    kept = mean(x, 1, keepdims=True, statistic="std")
    one = kept.axes[1].one
    assert one is not None
    assert (one.reason, one.intent) == ("keepdims of std", "explicit")
    assert one.reduced == frozenset(x.axes[1].atoms)


def test_a_kept_dimension_reduced_again_still_knows_the_first_axis() -> None:
    x = array("x", 4, 3)
    twice = mean(mean(x, 1, keepdims=True), 1, keepdims=True, statistic="max")
    one = twice.axes[1].one
    assert one is not None
    assert one.reduced == frozenset(x.axes[1].atoms)
    assert one.reason == "keepdims of max"


def test_a_reduction_over_no_axis_keeps_the_array() -> None:
    x = array("x", 4, 3)
    assert outcome(Reduce(()), x, gives=(4, 3)).results[0].axes == x.axes
    assert outcome(Reduce(()), array("s"), gives=()).results[0].shape == ()


def test_what_is_remembered_is_bounded_and_keeps_the_newest() -> None:
    layout = array("first", 2, 3)
    for step in range(2 * MAX_GONE):
        layout = mean(outcome(Along((0,)), layout, gives=layout.shape).results[0], 0)
        newest = array(f"x{step}", 2, 3)
        layout = type(layout)(newest.axes, layout.gone)
    made = mean(layout, 0)
    assert len(made.gone) <= MAX_GONE
    assert made.gone >= frozenset(layout.axes[0].atoms)


def test_a_normalisation_leaves_word_until_something_else_happens() -> None:
    x = array("x", 4, 3)
    soft = outcome(Along((1,), "normalise"), x, gives=(4, 3))
    assert soft.results[0].axes == x.axes
    assert soft.notes["along"] == (x.axes[1],)
    assert soft.results[0].normalised == frozenset(x.axes[1].atoms)
    assert transposed(soft.results[0]).normalised == soft.results[0].normalised
    assert mean(soft.results[0], 0).normalised == frozenset()
    scanned = outcome(Along((1,), "scan"), soft.results[0], gives=(4, 3)).results[0]
    assert scanned.normalised == frozenset()
