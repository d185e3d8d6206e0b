"""Sites that have settled: counted without being recorded, and recorded again as soon as something differs."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn

from shapecell.adapters.torch.settled import expectation, fits
from shapecell.tracking.tracker import Tracker
from tests.adapters.torch.collecting import watching


def counts(tracker: Tracker, name: str) -> dict[tuple[tuple[int, ...], ...], int]:
    tracker.settle()
    found: dict[tuple[tuple[int, ...], ...], int] = {}
    for group in tracker:
        if group.operation.name == name:
            shapes = group.operation.shapes
            found[shapes] = found.get(shapes, 0) + group.count
    return found


def test_a_loop_settles_and_every_execution_is_counted() -> None:
    x, y = torch.ones(4, 3), torch.ones(3)
    with watching(Tracker()) as tracker:
        for _ in range(100):
            x + y
        assert len(tracker.steady) == 1
        assert tracker.serial < 20
    assert counts(tracker, "torch.add") == {((4, 3), (3,)): 100}


def test_other_shapes_at_a_settled_site_are_another_group() -> None:
    y = torch.ones(3)
    with watching(Tracker()) as tracker:
        for rows in [4] * 50 + [5] * 50 + [4, 5] * 10:
            torch.ones(rows, 3) * y
    assert counts(tracker, "torch.mul") == {((4, 3), (3,)): 60, ((5, 3), (3,)): 60}


def test_each_of_the_users_lines_has_its_own_group_behind_one_library_line() -> None:
    layer, x = nn.Linear(3, 3), torch.ones(2, 3)
    with watching(Tracker()) as tracker:
        for _ in range(50):
            layer(x)
            layer(x)
    tracker.settle()
    groups = [group for group in tracker if group.operation.name == "F.linear"]
    assert [group.count for group in groups] == [50, 50]


def test_layers_of_a_sequence_share_a_line_and_settle_side_by_side() -> None:
    model = nn.Sequential(nn.Linear(3, 5), nn.Linear(5, 7), nn.Linear(7, 1))
    x = torch.ones(2, 3)
    with watching(Tracker()) as tracker:
        for _ in range(50):
            model(x)
        assert tracker.serial < 60
    assert set(counts(tracker, "F.linear").values()) == {50}


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("x.sum(1, keepdim=True)", "torch.sum"),
        ("x.sum(dim=1)", "torch.sum"),
        ("x[:, 0]", "torch.Tensor.__getitem__"),
        ("x.view(-1, 2)", "torch.Tensor.view"),
        ("x.reshape(x.shape)", "torch.reshape"),
        ("torch.cat([x, x], dim=0)", "torch.cat"),
        ("x.T", "torch.Tensor.T"),
        ("x * 0.5", "torch.mul"),
        ("F.softmax(x, dim=-1)", "F.softmax"),
        ("x.to(torch.float64)", "torch.Tensor.to"),
    ],
)
def test_all_kinds_of_arguments_settle(source: str, name: str) -> None:
    x = torch.ones(4, 3) if "view" not in source else torch.ones(4, 2)
    space: dict[str, Any] = {"x": x, "torch": torch, "F": nn.functional}
    code = compile(f"for _ in range(60): {source}", "<loop>", "exec")
    with watching(Tracker()) as tracker:
        exec(code, space)
        assert tracker.serial < 20, tracker.problems()
    assert sum(counts(tracker, name).values()) == 60


def test_numbers_that_keep_changing_do_not_make_a_group_each() -> None:
    x = torch.ones(300, 3)
    with watching(Tracker()) as tracker:
        for n in range(300):
            x[n]
            x + n
        x.unsqueeze(0)
    groups = [group for group in tracker if group.operation.name == "torch.Tensor.__getitem__"]
    assert 1 < len(groups) <= 9
    assert sum(counts(tracker, "torch.Tensor.__getitem__").values()) == 300
    assert len([group for group in tracker if group.operation.name == "torch.add"]) == 1


def test_results_whose_shape_depends_on_the_data_do_not_make_a_group_each() -> None:
    x = torch.arange(100.0)
    with watching(Tracker()) as tracker:
        for n in range(100):
            x[x < n]
    groups = [group for group in tracker if group.operation.name == "torch.Tensor.__getitem__"]
    assert len(groups) <= 9


def test_an_error_at_a_settled_site_is_told() -> None:
    class Refusing(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x.view(3, 2)

    module = Refusing()
    whole, part = torch.ones(2, 3), torch.ones(3, 2).T
    with watching(Tracker()) as tracker:
        for _ in range(30):
            module(whole)
        with pytest.raises(RuntimeError, match="view size is not compatible") as caught:
            module(part)
        assert len(tracker.failures) == 1
        assert tracker.failures[0].error_id == id(caught.value)


def test_the_tracker_runs_without_faults_over_a_training_loop() -> None:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Conv1d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(24, 3))
    optimizer = torch.optim.SGD(model.parameters(), 0.1, momentum=0.9)
    with watching(Tracker()) as tracker:
        for _ in range(20):
            loss = nn.functional.cross_entropy(model(torch.randn(5, 2, 8)), torch.tensor([0, 1, 2, 0, 1]))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    assert tracker.problems() == ()
    assert tracker.operations > 200


def test_expectations() -> None:
    x = torch.ones(2, 3)
    expected = expectation((x, 1, 2.5, (1, slice(None, 2)), "ij"), {"dim": [0, 1]}, False)
    assert expected is not None

    def agrees(*args: Any, **kwargs: Any) -> bool:
        values = (*args, *kwargs, *kwargs.values())
        return len(values) == len(expected) and all(map(fits, values, expected))

    assert agrees(torch.zeros(2, 3), 1, 7.5, (1, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(torch.zeros(2, 4), 1, 2.5, (1, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(x, 2, 2.5, (1, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(x, True, 2.5, (1, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(x, 1, 2, (1, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(x, 1, 2.5, (1, slice(None, 3)), "ij", dim=[0, 1])
    assert not agrees(x, 1, 2.5, (x, slice(None, 2)), "ij", dim=[0, 1])
    assert not agrees(x, 1, 2.5, (1, slice(x, 2)), "ij", dim=[0, 1])
    assert not agrees(x, 1, 2.5, (1, slice(None, 2)), "ji", dim=[0, 1])
    assert not agrees(x, 1, 2.5, (1, slice(None, 2)), "ij", axis=[0, 1])
    assert expectation((object(),), None, False) is None
    whole = expectation((x, 5), None, True)
    assert whole is not None
    assert fits(17, whole[1])


def test_what_a_settled_loop_made_last_is_known_after_it() -> None:
    layer, x = nn.Linear(3, 1), torch.ones(4, 3)
    with watching(Tracker()) as tracker:
        for _ in range(30):
            made = layer(x)
        made - torch.ones(4)
    group = next(group for group in tracker if group.operation.name == "torch.sub")
    layouts, _ = group.outcomes[0]
    assert layouts[0].axes[1].one.reason == "Linear(out_features=1)"
    assert [producer.operation.name for producer in group.producers[0]] == ["F.linear"]


def test_no_tensor_is_kept_alive_by_a_settled_site() -> None:
    import gc
    import weakref

    x = torch.ones(4, 3)
    with watching(Tracker()):
        for _ in range(30):
            made = x + 1
        reference = weakref.ref(made)
        del made
        gc.collect()
        assert reference() is None
