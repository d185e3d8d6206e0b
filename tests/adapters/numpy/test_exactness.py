"""The user's code behaves as without us: results, warnings, exceptions, tracebacks."""

from __future__ import annotations

import _thread
import sys
import time
import traceback
import types
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from shapecell.tracking.tracker import Tracker
from tests.adapters.numpy.recording import ADAPTER, collecting

MODULE = """
import warnings
import numpy as np

a, b, z = np.ones((3, 4)), np.ones(4), np.zeros(3)

def divide(times=1):
    for _ in range(times):
        z / z

def divide_in_function():
    np.nanmean(np.array([np.nan]))

def mean_of_nothing():
    np.zeros(0).mean()

def cast():
    np.zeros(2, np.int8)[:] = np.array([1e20, 1.0])

def cast_number():
    np.zeros(2, np.float32)[0] = np.float64(1e300)

def complex_to_real():
    np.ones(2, complex).astype(float)

def wrong():
    a + z

def wrong_method():
    a.sum(5)

def wrong_function():
    np.concatenate([a, b])

def wrong_implementation():
    np.take_along_axis(a, z, axis=0)

def wrong_index():
    a[np.array([7])]

def wrong_plain_index():
    a[7]

def wrong_assignment():
    a[0] = z

def wrong_keyword():
    np.add(a, b, nonsense=1)

def wrong_count():
    np.add()

def callback():
    np.frompyfunc(fails, 1, 1)(z)

def fails(x):
    raise KeyError(x)

def chained():
    try:
        a + z
    except ValueError as error:
        raise RuntimeError("outer") from error

def during():
    try:
        {}["x"]
    except KeyError:
        a + z
"""
FILE = "/nowhere/user_code.py"


@pytest.fixture
def user() -> Iterator[types.ModuleType]:
    """Code in a module of its own, as a user's would be."""
    module = types.ModuleType("user_code")
    module.__file__ = FILE
    sys.modules["user_code"] = module
    exec(compile(MODULE, FILE, "exec"), vars(module))
    yield module
    del sys.modules["user_code"]


def both(run: Callable[[], Any]) -> tuple[Any, Any]:
    """What `run` gives without and with hooks, the second time when sites have settled as well."""
    plain = run()
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        hooked = run()
    finally:
        ADAPTER.uninstall()
    assert tracker.problems() == ()
    return plain, hooked


WARNS = ("divide", "divide_in_function", "mean_of_nothing", "cast", "cast_number", "complex_to_real")


def _told(found: warnings.WarningMessage) -> tuple[Any, ...]:
    return (found.category, str(found.message), found.filename, found.lineno)


@pytest.mark.parametrize("name", WARNS)
@pytest.mark.parametrize("action", ["always", "default", "module", "once"])
def test_warnings_are_recorded_at_the_users_line(user: types.ModuleType, name: str, action: Any) -> None:
    def run() -> list[Any]:
        vars(user).pop("__warningregistry__", None)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter(action)
            for _ in range(12):
                getattr(user, name)()
        return [_told(f) for f in found]

    warnings.onceregistry.clear()  # type: ignore[attr-defined]
    plain = run()
    warnings.onceregistry.clear()  # type: ignore[attr-defined]
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        hooked = run()
    finally:
        ADAPTER.uninstall()
    assert hooked == plain
    assert plain
    assert tracker.problems() == ()


@pytest.mark.parametrize("name", WARNS)
def test_warnings_may_be_errors(user: types.ModuleType, name: str) -> None:
    def run() -> str:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                getattr(user, name)()
            except Warning as error:
                return "".join(traceback.format_exception(error, limit=-2))
        return "no warning"

    plain, hooked = both(run)
    assert hooked == plain
    assert "Warning" in plain


def test_filters_by_module_and_the_registry_are_the_users(user: types.ModuleType) -> None:
    def run() -> tuple[int, bool]:
        vars(user).pop("__warningregistry__", None)
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("ignore")
            warnings.filterwarnings("default", module="user_code")
            user.divide(20)
            user.divide(20)
        return len(found), "__warningregistry__" in vars(user)

    plain, hooked = both(run)
    assert hooked == plain == (1, True)


def test_nothing_in_warnings_is_replaced() -> None:
    before = dict(vars(warnings)), list(warnings.filters)
    with collecting():
        assert (dict(vars(warnings)), list(warnings.filters)) == before


def _traceback(error: BaseException | None) -> list[Any]:
    if error is None:
        return []
    frames = [(f.filename, f.lineno, f.name) for f in traceback.extract_tb(error.__traceback__)]
    return [type(error), str(error), frames, _traceback(error.__cause__), _traceback(error.__context__)]


ERRORS = (
    "wrong", "wrong_method", "wrong_function", "wrong_implementation", "wrong_index", "wrong_plain_index",
    "wrong_assignment", "wrong_keyword", "wrong_count", "callback", "chained", "during",
)  # fmt: skip


@pytest.mark.parametrize("name", ERRORS)
def test_exceptions_and_tracebacks_are_the_same(user: types.ModuleType, name: str) -> None:
    def run() -> list[Any]:
        try:
            getattr(user, name)()
        except Exception as error:
            return _traceback(error)
        return []

    plain, hooked = both(run)
    assert hooked == plain
    assert plain
    assert not any("shapecell" in part for part in map(str, hooked))


def test_the_same_exception_object_comes_through(user: types.ModuleType) -> None:
    error = ValueError("mine")

    def raises(x: Any) -> Any:
        raise error

    with collecting() as collector, pytest.raises(ValueError) as caught:
        np.frompyfunc(raises, 1, 1)(np.zeros(2))
    assert caught.value is error
    assert caught.value.__context__ is None
    assert [found for _, found in collector.failures] == [error]


class Raising(np.ndarray):
    @property
    def shape(self) -> Any:
        raise RuntimeError("no shape here")


class Overriding:
    """Something that takes ufuncs and functions over."""

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> str:
        return f"{ufunc.__name__}.{method}"

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> str:
        return str(function.__name__)


STRANGE: dict[str, Callable[[], Any]] = {
    "raising shape": lambda: [np.ones(3).view(Raising) + 1, np.sum(np.ones(3).view(Raising))],
    "matrix": lambda: [np.matrix("1 2; 3 4") * np.matrix("1; 2"), np.matrix("1 2").sum(0), np.matrix("1 2")[0, [0]]],
    "masked": lambda: [np.ma.masked_equal([1, 2, 3], 2) + np.ones((2, 1)), np.ma.masked_equal([1, 2], 2).sum()],
    "recarray": lambda: [np.rec.array([(1, 2.0)], dtype=[("x", int), ("y", float)]).x + 1],
    "structured": lambda: [np.zeros(3, [("x", int)])["x"] + 1, np.zeros(3, [("x", int)])[[0, 1]]],
    "objects": lambda: [
        np.equal(np.array([1, "a", None], object), None),
        np.array([[], [1]], object) + np.array([[], [2]], object),
    ],
    "zero size": lambda: [np.zeros((0, 3)) + np.zeros(3), np.zeros((0, 3)).sum(0), np.zeros((0, 3))[np.array([], int)]],
    "zero rank": lambda: [np.array(1.0) + np.array(2.0), np.array(1.0).sum(), np.add(1, 2), np.array(1.0)[()]],
    "overriding": lambda: [np.add(Overriding(), 1), np.sum(Overriding()), np.ones(2) + Overriding()],
    "ragged": lambda: [
        np.array([1, 2]) * [[1], [2]],
        np.concatenate([[1, 2], [3]]),
        np.where([True, False], [1, 2], 0),
    ],
    "strings": lambda: [np.array(["a", "b"]) == "a", np.strings.add(np.array(["a"]), "b")],
    "times": lambda: [np.array(["2020-01-01"], "M8[D]") - np.datetime64("2019-01-01")],
    "booleans as index": lambda: [np.ones((2, 3))[True], np.ones((2, 3))[np.True_], np.ones(3)[np.array(True)]],
    "long lists": lambda: [np.concatenate([np.ones(1)] * 100), np.stack([np.ones(2)] * 40)],
    "errors in keywords": lambda: [np.add(np.ones(2), 1, dtype="f4"), np.add(np.ones(2), 1, casting="unsafe")],
}


@pytest.mark.parametrize("name", STRANGE)
def test_strange_operands_give_what_they_gave(name: str) -> None:
    def run() -> list[Any]:
        return [(type(value), str(np.asarray(value).tolist())) for value in STRANGE[name]()]

    plain, hooked = both(run)
    assert hooked == plain


def test_out_is_the_object_that_comes_back() -> None:
    a, out = np.ones((3, 4)), np.empty((3, 4))
    before = a
    with collecting():
        assert np.add(a, 1, out=out) is out
        assert np.sum(a, axis=0, out=out[0]).base is out
        a += 1
        assert a is before
        assert np.add(a, a, a) is a


def test_settled_calls_go_on_giving_results_and_are_counted() -> None:
    a, b = np.ones((3, 1)), np.ones(3)
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for _ in range(100):
            assert (a + b).shape == (3, 3)
            b *= 1.0
            np.where(b > 0, b, 0)
        assert len(tracker.steady) >= 4
    finally:
        ADAPTER.uninstall()
    tracker.settle()
    assert sorted(group.count for group in tracker) == [100] * 4
    assert b.tolist() == [1.0] * 3


def test_another_shape_at_a_settled_site_is_another_group() -> None:
    rows = [np.ones((4, 1))] * 30 + [np.ones((2, 1))]
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for row in rows:
            row + np.ones(3)
    finally:
        ADAPTER.uninstall()
    tracker.settle()
    counts = {group.operation.shapes: group.count for group in tracker if group.operation.name == "numpy.add"}
    assert counts == {((4, 1), (3,)): 30, ((2, 1), (3,)): 1}


def test_no_array_is_kept_alive() -> None:
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for _ in range(20):
            array = np.ones((3, 4))
            result = array[np.array([0, 1])] + array.sum(0)
            np.where(array > 0, array, 0)
            watched = [weakref.ref(array), weakref.ref(result)]
            del array, result
            assert [ref() for ref in watched] == [None, None]
    finally:
        ADAPTER.uninstall()


def test_a_passing_namespace_is_not_kept_alive() -> None:
    code = compile("x + x", "<passing>", "eval")
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for _ in range(20):
            namespace = {"x": np.ones(3)}
            watched = weakref.ref(namespace["x"])
            eval(code, namespace)
            del namespace
            assert watched() is None
    finally:
        ADAPTER.uninstall()


def test_a_thread_that_c_starts_without_any_python_code() -> None:
    a, i, out = np.ones(3), np.array([0]), np.zeros(3)
    with collecting():
        for function, args in (
            (np.add, (a, 1.0, out)),
            (np.sum, (a,)),
            (a.cumsum, ()),
            (a.__getitem__, (i,)),
            (a.__setitem__, (0, 5.0)),
        ):
            _thread.start_new_thread(function, args)
        deadline = time.monotonic() + 10
        while (a[0] != 5.0 or out.sum() == 0) and time.monotonic() < deadline:
            time.sleep(0.01)
    assert out.sum() >= 6.0
    assert a[0] == 5.0


def test_a_matrix_of_another_shape_at_a_settled_site_is_seen(recwarn: pytest.WarningsRecorder) -> None:
    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for n in [3] * 30 + [2]:
            np.ones((n, 1)).view(np.matrix) + np.ones(n)
    finally:
        ADAPTER.uninstall()
    shapes = {group.operation.shapes for group in tracker if group.operation.name == "numpy.add"}
    assert shapes == {((3, 1), (3,)), ((2, 1), (2,))}


def test_code_whose_namespace_is_no_module_and_has_an_odd_name() -> None:
    for name in (None, 5, [], "sys", "no such module"):
        namespace = {"np": np, "__name__": name}
        with collecting() as collector:
            exec("x = np.ones(3) + np.ones((3, 1)); x[np.array([0])]; np.where(x > 0, x, 0)", namespace)
        assert namespace["x"].shape == (3, 3)
        assert len(collector.operations) == 4


def test_a_ufunc_that_the_user_made_is_not_kept_alive() -> None:
    class Owner:
        def double(self, x: Any) -> Any:
            return 2 * x

    tracker = Tracker()
    ADAPTER.install(tracker)
    try:
        for _ in range(20):
            owner = Owner()
            watched = weakref.ref(owner)
            ufunc = np.frompyfunc(owner.double, 1, 1)
            assert ufunc(np.arange(2)).tolist() == [0, 2]
            del owner, ufunc
            assert watched() is None
    finally:
        ADAPTER.uninstall()
    tracker.settle()
    assert [group.count for group in tracker if group.operation.name.startswith("double")] == [20]
