"""Tables that are asked for, and those that are not."""

from __future__ import annotations

import pytest

from tests.helpers import run_checked

SETUP = "import numpy as np\nx = np.arange(12.0).reshape(6, 2)\nnorm = np.sqrt((x**2).sum(axis=1, keepdims=True))\n"


@pytest.mark.parametrize("line", ["x @ x.T / (norm * norm.T)", "norm + norm.T", "np.zeros((0, 1)) - np.zeros(0)"])
def test_wanted(line: str) -> None:
    assert run_checked(f"{SETUP}table = {line}\n").suspicious == []


@pytest.mark.parametrize("line", ["norm - np.arange(6.0)", "np.ones((6, 1)) - np.arange(6.0).T"])
def test_not_wanted(line: str) -> None:
    assert [f.rule for f in run_checked(f"{SETUP}table = {line}\n").suspicious] == ["SC101"]
