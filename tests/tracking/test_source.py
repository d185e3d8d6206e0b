"""From an instruction to its exact sub-expression."""

from __future__ import annotations

import ast
import linecache
import sys
from types import FrameType

import pytest

from shapecell.tracking.sites import CallSite, is_third_party
from shapecell.tracking.source import shorten


class Probe:
    """An operand whose operators report the site that called them."""

    def __init__(self) -> None:
        self.sites: list[CallSite] = []

    def _seen(self) -> Probe:
        frame: FrameType = sys._getframe(2)
        self.sites.append(CallSite.capture(frame))
        return self

    def __add__(self, other: object) -> Probe:
        return self._seen()

    __radd__ = __sub__ = __mul__ = __matmul__ = __iadd__ = __add__

    def __lt__(self, other: object) -> Probe:
        return self._seen()

    def __neg__(self) -> Probe:
        return self._seen()

    def __getitem__(self, items: object) -> Probe:
        return self._seen()

    def __setitem__(self, items: object, value: object) -> None:
        self._seen()

    def method(self, *args: object, **kwargs: object) -> Probe:
        return self._seen()


counter = iter(range(10**6))


def run(code: str) -> list[CallSite]:
    probe = Probe()
    name = f"<probe {next(counter)}>"
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    exec(compile(code, name, "exec"), {"x": probe, "y": probe, "__name__": "probe"})
    return probe.sites


@pytest.mark.parametrize(
    ("code", "expression"),
    [
        ("z = x + y", "x + y"),
        ("z = (1, x - y)", "x - y"),
        ("z = [x * y for _ in range(1)]", "x * y"),
        ("z = f'{x + y}'[:0]", "x + y"),
        ("x += y", "x += y"),
        ("z = x < y", "x < y"),
        ("z = -x", "-x"),
        ("z = x[0]", "x[0]"),
        ("x[0, 1] = y", "x[0, 1] = y"),
        ("z = x.method(y)", "x.method(y)"),
        ("ä = 'ßü'; z = x + y", "x + y"),
        ("def f(a):\n    return a + 1\nz = f(x)", "a + 1"),
        ("z = (x\n     .method(1))", "x\n     .method(1)"),
        ("z = (lambda a: a * 2)(x)", "a * 2"),
    ],
)
def test_exact_expression(code: str, expression: str) -> None:
    site = run(code)[0].resolve()
    assert site.source == expression


def test_position_is_in_characters() -> None:
    site = run("ä = 'ßü'; z = x + y")[0].resolve()
    assert (site.line, site.col, site.end_col) == (1, 14, 19)


def test_operand_names() -> None:
    (site,) = run("z = (x) - y")
    assert [site.operand_name(None, i) for i in (0, 1)] == ["x", "y"]


def test_method_call_counts_self() -> None:
    (site,) = run("z = x.method(y, other=[1])")
    assert site.operand_name(0, 0) == "x"
    assert site.operand_name(1, 1) == "y"
    assert site.operand_name("other", 2) == "[1]"
    assert site.operand_name("missing", 2) is None


def test_module_function_does_not_count_self() -> None:
    code = "import operator\nz = operator.add(x, y)"
    (site,) = run(code)
    assert [site.operand_name(i, i) for i in (0, 1)] == ["x", "y"]


def test_starred_arguments_have_no_name() -> None:
    (site,) = run("import operator\nz = operator.add(*[x, y])")
    assert site.operand_name(0, 0) is None


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("z = x + y", "z"),
        ("x += y", "x"),
        ("z = (x + y) * 2", "x + y"),
        ("print(x + y, file=None) if 0 else x + y", "x + y"),
    ],
)
def test_result_name(code: str, name: str) -> None:
    assert run(code)[0].result_name() == name


def test_stack_runs_from_outer_to_inner() -> None:
    code = "def inner(a):\n    return a + 1\ndef outer(a):\n    return inner(a)\nouter(x)"
    site = run(code)[0].resolve()
    assert site.function == "inner"
    names = [frame.function for frame in site.stack]
    assert names[-2:] == ["<module>", "outer"]


def test_library_frames_lie_between_user_and_operation() -> None:
    code = "import functools\nz = functools.reduce(lambda a, b: a + b, [x, y])\nimport statistics\n"
    assert run(code)[0].resolve().library == ()
    code = "import statistics\nimport copy\nfrom bisect import bisect\nimport heapq\nz = heapq.nsmallest(1, [x, y])"
    site = run(code)[0]
    assert site.library_codes
    assert site.resolve().line == 5
    assert all(frame.library for frame in site.resolve().library)


def test_own_and_library_code_is_third_party() -> None:
    assert is_third_party(ast.parse.__code__)
    assert is_third_party(CallSite.capture.__func__.__code__)  # type: ignore[attr-defined]
    assert not is_third_party(test_result_name.__code__)


def test_source_gone() -> None:
    probe = Probe()
    exec(compile("\n\nz = x + 1", "<nowhere to be found>", "exec"), {"x": probe})
    site = probe.sites[0].resolve()
    assert (site.line, site.source) == (3, "")


def test_shorten_keeps_both_ends() -> None:
    text = shorten("first_" + "m" * 200 + "_last", 40)
    assert len(text) == 40
    assert text.startswith("first_")
    assert text.endswith("_last")
