"""A state that runs through a loop keeps its axes: a site in a loop settles, and is not taken for many arrays."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from shapecell.tracking.axes import Layout
from shapecell.tracking.operation import Concatenate, Contract
from tests.tracking.transfer.building import add, array, mean, outcome, transposed, unsqueezed

PRODUCT = Contract((("n", "k"), ("k", "m")), ("n", "m"))
LINEAR = Contract((("n", "k"), ("m", "k"), ("m",)), ("n", "m"), (("m", "Linear(9→6) features"),))

W, B = array("w", 6, 6), array("b", 6)
W_CELL = array("cell.weight", 6, 9)
X_CELL = array("x", 8, 3)


def product(state: Layout) -> Layout:
    """``h @ w``"""
    return outcome(PRODUCT, state, W, gives=state.shape).results[0]


def power(state: Layout) -> Layout:
    """``w @ h``"""
    return outcome(PRODUCT, W, state, gives=(6, state.shape[1])).results[0]


def cell(state: Layout) -> Layout:
    """``linear(cat([x, h]))``"""
    joined = outcome(Concatenate(1), X_CELL, state, gives=(8, 9)).results[0]
    return outcome(LINEAR, joined, W_CELL, B, gives=(8, 6)).results[0]


def symmetrised(state: Layout) -> Layout:
    """``a + a.T``"""
    return add(state, transposed(state), gives=state.shape).results[0]


def centred(state: Layout) -> Layout:
    """``x - x.mean(1)[:, None]``"""
    return add(state, unsqueezed(mean(state, 1), 1), gives=state.shape).results[0]


@pytest.mark.parametrize(
    ("step", "start"),
    [
        (product, array("h", 8, 6)),
        (product, W),
        (power, array("h", 6, 3)),
        (cell, array("h", 8, 6)),
        (symmetrised, array("a", 6, 6)),
        (centred, array("x", 6, 6)),
    ],
    ids=["h @ w", "w @ w", "w @ h", "cell", "a + a.T", "centred"],
)
def test_the_state_settles(step: Callable[[Layout], Layout], start: Layout) -> None:
    states = [start]
    for _ in range(6):
        states.append(step(states[-1]))
    assert states[3].axes == states[4].axes == states[6].axes
    assert states[4] == states[6]


def test_a_symmetric_table_may_be_scaled_along_either_axis() -> None:
    """The normalised Laplacian of ``a + a.T``: degrees of rows are degrees of columns."""
    a = array("a", 6, 6)
    table = symmetrised(a)
    degrees = mean(table, 1, statistic="sum")
    (crossing,) = add(table, degrees, gives=(6, 6)).crossings
    assert crossing.symmetric
    assert add(table, unsqueezed(degrees, 1), gives=(6, 6)).crossings == ()
    (crossing,) = add(a, mean(a, 1), gives=(6, 6)).crossings
    assert not crossing.symmetric
