"""Compiled functions run eagerly under a check: seen, not recompiled, and compiled as before afterwards."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from shapecell.adapters.torch.compiled import NOTE
from tests.adapters.torch.collecting import watching


def test_a_compiled_function_is_seen_and_not_compiled_again() -> None:
    compiled_frames: list[int] = []

    def backend(graph: Any, inputs: Any) -> Any:
        compiled_frames.append(1)
        return graph.forward

    layer = nn.Linear(3, 1)
    function = torch.compile(lambda x, y: ((layer(x) - y) ** 2).mean(), backend=backend)
    x, y = torch.randn(8, 3), torch.randn(8)
    expected = function(x, y)
    before = len(compiled_frames)
    with watching() as collector:
        assert torch.equal(function(x, y), expected)
        other = torch.compile(lambda x: x + 1, backend=backend)
        other(y)
    assert [o.name for o in collector.operations] == ["F.linear", "torch.sub", "torch.pow", "torch.mean", "torch.add"]
    assert NOTE in collector.problems
    assert torch.equal(function(x, y), expected)
    assert len(compiled_frames) == before
    other(y)
    assert len(compiled_frames) == before + 1


def test_without_a_compiled_function_there_is_no_note() -> None:
    import torch._dynamo

    with watching() as collector:
        torch.ones(3) + 1
    assert not collector.problems


def test_a_stance_that_the_code_takes_itself_is_left() -> None:
    import torch._dynamo.eval_frame as state

    before = state._stance
    torch.compiler.set_stance("default")
    mine = None
    try:
        with watching():
            torch.compiler.set_stance("eager_on_recompile")
            mine = state._stance
        assert state._stance is mine
    finally:
        state._stance = before
