"""Every hook is taken away again, whatever happens; nothing is done while no check runs."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Any

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from shapecell.adapters.torch import TorchAdapter, make_adapter
from shapecell.adapters.torch.adapter import remove_mode, stack
from tests.adapters.torch.collecting import Collector, watching


class Passing(TorchFunctionMode):
    """A mode of the user's."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def hooks() -> tuple[Any, ...]:
    return (
        threading.Thread.__dict__["run"], torch.from_numpy, torch.compile, torch.overrides.has_torch_function, *stack()
    )  # fmt: skip


@pytest.fixture(autouse=True)
def untouched() -> Iterator[None]:
    before = hooks()
    yield
    after = hooks()
    assert len(after) == len(before)
    assert all(a is b for a, b in zip(before, after, strict=True))


def test_installing_twice_switches_the_tracker_and_uninstalling_twice_does_no_harm() -> None:
    adapter, outer, inner = make_adapter(), Collector(), Collector()
    adapter.install(outer)
    adapter.install(inner)
    torch.ones(1)
    adapter.install(outer)
    torch.ones(2)
    adapter.uninstall()
    adapter.uninstall()
    torch.ones(3)
    assert [o.results for o in inner.operations] == [((1,),)]
    assert [o.results for o in outer.operations] == [((2,),)]


def test_after_an_exception() -> None:
    with pytest.raises(KeyError), watching():
        raise KeyError


def test_modes_of_the_user_that_are_left_above_ours_stay_in_their_order() -> None:
    adapter = make_adapter()
    first, second = Passing(), Passing()
    adapter.install(Collector())
    first.__enter__()
    second.__enter__()
    try:
        adapter.uninstall()
        assert [entry is mode for entry, mode in zip(stack(), (first, second), strict=True)] == [True, True]
    finally:
        remove_mode(second)
        remove_mode(first)


def test_a_mode_below_ours_stays() -> None:
    with Passing() as mode, watching() as collector:
        torch.ones(1)
        assert stack()[0] is mode
    assert len(collector.operations) == 1


def test_a_leftover_mode_is_inert() -> None:
    adapter, collector = make_adapter(), Collector()
    adapter.install(collector)
    ours = stack()[-1]
    adapter.uninstall()
    with ours:
        assert torch.equal(torch.ones(2) + 1, torch.tensor([2.0, 2.0]))
    assert not collector.operations


def test_threads_started_in_the_check_are_followed_and_left_clean() -> None:
    left: list[int] = []

    def work() -> None:
        torch.ones(3, 1) - torch.ones(3)
        left.append(len(stack()))

    with watching() as collector:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert left == [1]
    assert collector.operations[-1].shapes == ((3, 1), (3,))
    thread = threading.Thread(target=lambda: left.append(len(stack())))
    thread.start()
    thread.join()
    assert left == [1, 0]


def test_a_pool_that_outlives_the_check_works_on_and_is_followed_by_the_next() -> None:
    adapter, first, second = make_adapter(), Collector(), Collector()
    with ThreadPoolExecutor(1) as pool:
        adapter.install(first)
        pool.submit(torch.ones, 1).result()
        adapter.uninstall()
        assert pool.submit(torch.ones, 2).result().shape == (2,)
        adapter.install(second)
        pool.submit(torch.ones, 3).result()
        adapter.uninstall()
    assert [o.results for o in first.operations] == [((1,),)]
    assert [o.results for o in second.operations] == [((3,),)]


def test_an_error_in_a_thread_shows_no_frame_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", seen.append)
    with watching():
        thread = threading.Thread(target=lambda: torch.ones(3) + torch.ones(4))
        thread.start()
        thread.join()
    names: list[str] = []
    entry = seen[0].exc_traceback
    while entry is not None:
        names.append(entry.tb_frame.f_code.co_filename)
        entry = entry.tb_next
    assert not [name for name in names if "shapecell/adapters" in name]


def test_generators_and_coroutines() -> None:
    def numbers() -> Iterator[torch.Tensor]:
        for n in (1, 2):
            yield torch.ones(n) * 2

    async def work(n: int) -> torch.Tensor:
        await asyncio.sleep(0)
        return torch.ones(n) * 3

    async def both() -> None:
        await asyncio.gather(work(4), work(5))

    with watching() as collector:
        assert [len(x) for x in numbers()] == [1, 2]
        asyncio.run(both())
    assert [o.results[0] for o in collector.operations if o.name == "torch.mul"] == [(1,), (2,), (4,), (5,)]


def _interrupted(adapter: TorchAdapter, at: int) -> bool:
    """Run a check in which KeyboardInterrupt strikes at the `at`-th line of the adapter; False if none is left."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if "shapecell/adapters/torch" not in frame.f_code.co_filename:
            return None
        if event == "line":
            count += 1
            if count == at:
                sys.settrace(None)
                raise KeyboardInterrupt
        return trace

    model = nn.Linear(2, 1)
    try:
        sys.settrace(trace)
        try:
            adapter.install(Collector())
            model(torch.ones(3, 2)) - torch.ones(3)
        finally:
            sys.settrace(None)
            adapter.uninstall()
    except KeyboardInterrupt:
        return True
    return False


def test_an_interrupt_at_any_line_of_the_hooks_leaves_nothing_behind() -> None:
    before = hooks()
    points = [*range(1, 40), *range(40, 900, 7)]
    struck = 0
    for at in points:
        adapter = make_adapter()
        struck += _interrupted(adapter, at)
        assert all(a is b for a, b in zip(before, hooks(), strict=True)), at
    assert struck > 100


def test_a_fault_of_ours_goes_to_the_tracker_and_the_code_goes_on() -> None:
    class Broken(Collector):
        def record(self, *args: Any, **kwargs: Any) -> None:
            raise ZeroDivisionError

        def failed(self, *args: Any, **kwargs: Any) -> None:
            raise ZeroDivisionError

    with watching(Broken()) as broken:
        assert (torch.ones(3) + 1).sum() == 6
        with pytest.raises(RuntimeError, match="must match the size") as caught:
            torch.ones(3) + torch.ones(4)
    assert caught.value.__context__ is None
    assert {type(error) for _, error in broken.faults} == {ZeroDivisionError}


def test_a_description_that_fails_leaves_an_opaque_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    from shapecell.adapters.torch import describe
    from shapecell.tracking.operation import Opaque

    def broken(call: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setitem(describe.TABLE, "add", broken)
    with watching() as collector:
        torch.ones(3) + torch.ones(3)
    assert collector.operations[-1].meaning == Opaque()
    assert [where for where, _ in collector.faults] == ["describing torch.add"]


def test_somebody_elses_patch_made_meanwhile_is_left_alone() -> None:
    original = torch.from_numpy
    adapter = make_adapter()
    adapter.install(Collector())
    ours = torch.from_numpy

    def theirs(array: Any) -> Any:
        return ours(array)

    torch.from_numpy = theirs
    try:
        adapter.uninstall()
        assert torch.from_numpy is theirs
    finally:
        torch.from_numpy = original


def test_the_frame_is_that_of_the_caller() -> None:
    def direct() -> None:
        torch.ones(2)

    def through_python() -> None:
        nn.functional.mse_loss(x, x)

    def reflected() -> None:
        1 - x

    def dispatched() -> None:
        nn.functional.max_pool1d(x[None], 1)

    x = torch.ones(2, 2)
    for function in (direct, through_python, reflected, dispatched):
        with watching() as collector:
            function()
        assert collector.frames[-1][:2] == (__file__, function.__name__)
    with watching() as collector:
        nn.MSELoss()(x, x)
    assert collector.frames[-1][1] == "forward"


def test_attributes_and_questions_are_passed_on_unseen() -> None:
    x = torch.ones(2, 2)
    with watching() as collector:
        assert (x.shape, x.dtype, x.device.type, x.grad_fn, x.is_cuda) == ((2, 2), torch.float32, "cpu", None, False)
        assert (x.size(0), x.dim(), x.numel(), len(x), x[0, 0].item()) == (2, 2, 4, 2, 1.0)
    assert [o.name for o in collector.operations] == ["torch.Tensor.__getitem__"]
