"""What is told of tensors that came from nowhere: parameters by their path, views by their base."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from shapecell.adapters.torch import make_adapter
from shapecell.adapters.torch.provenance import view_of
from shapecell.tracking.operation import Drop, Expand, Insert, Permute, Reshape, Same
from tests.adapters.torch.collecting import watching


def test_parameters_have_the_path_in_the_module_that_was_called() -> None:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return self.body(x)

    net = Net()
    with watching() as collector:
        net(torch.ones(2, 3))
    told = [p for found in collector.provenances for p in found if p is not None and p.parameter]
    assert [p.name for p in told] == ["body.0.weight", "body.0.bias", "body.2.weight", "body.2.bias"]


def test_a_parameter_outside_any_module_is_one_without_a_path() -> None:
    weight = nn.Parameter(torch.ones(3, 1))
    with watching() as collector:
        torch.ones(2, 3) @ weight
    told = collector.provenances[-1][1]
    assert told.parameter
    assert told.name is None


def test_plain_tensors_have_nothing_to_tell() -> None:
    assert make_adapter().provenance(torch.ones(3)) is None
    assert make_adapter().provenance("no tensor") is None


VIEWS = [
    (lambda b: b.view(2, 3, 4), Same()),
    (lambda b: b.permute(2, 0, 1), Permute((2, 0, 1))),
    (lambda b: b.transpose(0, 1), Permute((1, 0, 2))),
    (lambda b: b.unsqueeze(1), Insert((1,))),
    (lambda b: b.view(6, 4), Reshape(None)),
    (lambda b: b[1:], None),
    (lambda b: b[..., 0], None),
    (lambda b: b.view(torch.int32), None),
]


@pytest.mark.parametrize(("make", "meaning"), VIEWS)
def test_views(make: object, meaning: object) -> None:
    base = torch.arange(24.0).reshape(2, 3, 4).clone()
    view = make(base)  # type: ignore[operator]
    assert view_of(view, base) == meaning
    told = make_adapter().provenance(view)
    if meaning is None:
        assert told is None
    else:
        assert told is not None
        assert told.base is base


def test_views_of_ones() -> None:
    base = torch.ones(3, 1)
    assert view_of(base.expand(3, 5), base) == Expand()
    assert view_of(base.squeeze(1), base) == Drop((1,))


@given(st.permutations(range(3)), st.lists(st.integers(1, 4), min_size=3, max_size=3))
def test_a_view_is_told_only_if_it_is_that_very_view(order: list[int], shape: list[int]) -> None:
    base = torch.arange(float(torch.Size(shape).numel())).reshape(shape)
    view = base.permute(order)
    meaning = view_of(view, base)
    if isinstance(meaning, Permute):
        assert torch.equal(base.permute(meaning.order), view)
    elif isinstance(meaning, Reshape):
        assert torch.equal(base.reshape(view.shape), view)
    elif isinstance(meaning, Same):
        assert torch.equal(base, view)
    else:
        assert meaning is None or view.shape != base.shape
