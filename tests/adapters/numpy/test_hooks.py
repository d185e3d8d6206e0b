"""Hooks are taken away completely, whatever happens."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

from shapecell.adapters.numpy import adapter as adapter_module
from shapecell.adapters.numpy import make_adapter, watch
from shapecell.adapters.numpy.hooks import Hooks, UnhookableError, self_test
from shapecell.tracking.tracker import Tracker
from tests.adapters.numpy.recording import ADAPTER, Collector, collecting

OWNERS = (np.ndarray, np.ufunc, type(np.where))
_HOOKS = Hooks(watch.PATCHES)
VERSION_TAG = 1 << 19


def state() -> list[Any]:
    """Attributes by identity, every slot pointer, and the flags of every type that is hooked."""
    subclasses = [np.matrix, np.recarray, np.memmap, np.ma.MaskedArray]
    return [
        [(name, id(value)) for owner in OWNERS for name, value in vars(owner).items()],
        [_HOOKS.slots(owner) for owner in (*OWNERS, *subclasses)],
        [owner.__flags__ & ~VERSION_TAG for owner in (*OWNERS, *subclasses)],
    ]


np.recarray((1,), dtype=[("x", int)]).x  # the first look at a field makes CPython settle the class's slot
BEFORE = state()


def test_the_self_test_leaves_nothing() -> None:
    self_test()
    assert state() == BEFORE


def test_everything_is_put_back_after_a_normal_exit() -> None:
    with collecting() as collector:
        assert state() != BEFORE
        np.ones(3) + np.ones((3, 1))
    assert [operation.name for operation in collector.operations] == ["numpy.add"]
    assert state() == BEFORE


def test_everything_is_put_back_after_an_exception() -> None:
    with pytest.raises(ZeroDivisionError), collecting():
        1 / 0
    assert state() == BEFORE


def test_installing_again_changes_the_tracker_only() -> None:
    outer, inner = Collector(), Collector()
    x = np.ones(3)
    try:
        ADAPTER.install(outer)
        x + x
        hooked = state()
        ADAPTER.install(inner)
        assert state() == hooked
        x * x
        ADAPTER.install(outer)
        x - x
    finally:
        ADAPTER.uninstall()
    ADAPTER.uninstall()
    assert [operation.name for operation in outer.operations] == ["numpy.add", "numpy.subtract"]
    assert [operation.name for operation in inner.operations] == ["numpy.multiply"]
    assert state() == BEFORE


def test_item_slots_that_c_code_uses_are_not_touched() -> None:
    before = _HOOKS.slots(np.ndarray)
    with collecting():
        during = _HOOKS.slots(np.ndarray)
    changed = [i for i, (a, b) in enumerate(zip(before, during, strict=True)) if a != b]
    assert len(changed) == 2, "mp_subscript and mp_ass_subscript, and nothing else"


def test_a_subclass_made_meanwhile_works_afterwards() -> None:
    with collecting():

        class Made(np.ndarray):
            pass

        array = np.arange(6.0).reshape(2, 3).view(Made)
        array[np.array([0])]
    array[0] = 5.0
    assert array[0].tolist() == [5.0] * 3
    assert array[np.array([1])].tolist() == [[3.0, 4.0, 5.0]]
    assert state() == BEFORE


def test_a_bound_method_kept_from_a_check_goes_on_working() -> None:
    x = np.arange(3.0)
    with collecting() as collector:
        total, reduce = x.sum, np.add.reduce
        assert total() == 3.0
    recorded = len(collector.operations)
    assert total() == 3.0
    assert reduce(x) == 3.0
    assert len(collector.operations) == recorded


def test_methods_look_like_those_they_stand_for() -> None:
    names = [(patch.owner, patch.name) for patch in watch.PATCHES if not patch.name.startswith("__")]
    plain = [(getattr(owner, name).__name__, getattr(owner, name).__doc__) for owner, name in names]
    with collecting():
        assert [(getattr(owner, name).__name__, getattr(owner, name).__doc__) for owner, name in names] == plain


def test_threads_may_use_numpy_while_hooks_come_and_go() -> None:
    stop = threading.Event()
    errors: list[BaseException] = []

    def work() -> None:
        x, y = np.ones((4, 1)), np.ones(4)
        try:
            while not stop.is_set():
                assert (x + y).shape == (4, 4)
                assert np.where(y > 0, y, 0).sum() == 4
                assert x[np.array([0, 1])].shape == (2, 1)
                x[0] = y[:1]
        except BaseException as error:  # handed to the test
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(60):
        tracker = Tracker()
        ADAPTER.install(tracker)
        np.ones(3) * np.ones(3)
        ADAPTER.uninstall()
        assert tracker.problems() == ()
    stop.set()
    for thread in threads:
        thread.join()
    assert errors == []
    assert state() == BEFORE


def _scene() -> None:
    a, b, i = np.ones((3, 4)), np.ones(4), np.array([0, 2])
    a + b
    a += b
    np.where(a > 0, a, b)
    a.sum(0)
    np.add.reduce(a)
    a[i]
    a[0] = b
    a[0] = 1.0
    with pytest.raises(ValueError):
        a + np.ones(3)


def _interrupted_at(event: int, run: Callable[[], None]) -> tuple[bool, BaseException | None]:
    """Run with a KeyboardInterrupt raised at the `event`-th line executed in shapecell. True if it came to that."""
    seen = 0

    def trace(frame: FrameType, what: str, argument: Any) -> Any:
        nonlocal seen
        if (
            "shapecell/adapters" not in frame.f_code.co_filename
            and "shapecell/tracking" not in frame.f_code.co_filename
        ):
            return None

        def line(frame: FrameType, what: str, argument: Any) -> Any:
            nonlocal seen
            if what == "line":
                seen += 1
                if seen == event:
                    raise KeyboardInterrupt
            return line

        return line

    caught: BaseException | None = None
    old = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    except KeyboardInterrupt as error:
        caught = error
    finally:
        sys.settrace(old)
    return seen >= event, caught


@pytest.mark.parametrize("start", range(1, 12))
def test_an_interrupt_at_any_line_of_ours_reaches_the_user_and_leaves_nothing(start: int) -> None:
    ADAPTER.install(Collector())
    ADAPTER.uninstall()
    event = start
    while True:

        def run() -> None:
            tracker = Tracker()
            try:
                ADAPTER.install(tracker)
                _scene()
            finally:
                ADAPTER.uninstall()

        reached, error = _interrupted_at(event, run)
        ADAPTER.uninstall()
        assert state() == BEFORE
        if not reached:
            break
        assert error is not None, f"the interrupt at event {event} was lost"
        event += 97
    assert event > 97


def test_where_types_cannot_be_hooked_the_report_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise UnhookableError("this Python is too strange")

    monkeypatch.setattr(adapter_module, "self_test", fails)
    adapter = make_adapter()
    tracker = Tracker()
    adapter.install(tracker)
    assert state() == BEFORE
    adapter.uninstall()
    (problem,) = tracker.problems()
    assert problem.why == "this Python is too strange: NumPy operations are not followed"
