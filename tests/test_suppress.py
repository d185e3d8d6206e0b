"""``# shapecheck: ok`` and ``shapecell.allow``."""

from __future__ import annotations

import numpy as np
import pytest

import shapecell
from shapecell.suppress import Ignore, ignores_in
from tests.helpers import run_checked

BUG = "import numpy as np\np = np.ones((8, 1))\nt = np.arange(8.0)\nloss = ((p - t) ** 2).mean(){}\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("x = 1  # shapecheck: ok", Ignore(1, (), None)),
        ("x = 1  #shapecheck:ok SC101", Ignore(1, ("SC101",), None)),
        ("x = 1  # shapecheck: ok sc101, SC102 -- a wanted table", Ignore(1, ("SC101", "SC102"), "a wanted table")),
        ("x = 1  # noqa  # shapecheck: ok -- fine", Ignore(1, (), "fine")),
    ],
)
def test_comments(line: str, expected: Ignore) -> None:
    assert ignores_in([line + "\n"]) == [expected]


@pytest.mark.parametrize("line", ["x = '# shapecheck: ok'", "# shapecheck: okay", "x = 1"])
def test_not_a_comment(line: str) -> None:
    assert ignores_in([line + "\n"]) == []


def test_comment_suppresses_and_is_counted() -> None:
    assert [f.rule for f in run_checked(BUG.format("")).findings] == ["SC101"]
    report = run_checked(BUG.format("  # shapecheck: ok SC101 -- wanted"))
    assert report.findings == []
    assert [f.rule for f in report.suppressed] == ["SC101"]
    assert report.problems == []


def test_comment_for_another_rule_does_not_suppress_and_is_reported() -> None:
    report = run_checked(BUG.format("  # shapecheck: ok SC102"))
    assert [f.rule for f in report.findings] == ["SC101"]
    (problem,) = report.problems
    assert "line 4" in problem.where
    assert "SC102" in problem.why
    assert "matches no finding" in problem.why


def test_allow() -> None:
    p, t = np.ones((8, 1)), np.arange(8.0)

    def difference() -> object:
        return p - t

    with shapecell.check() as report:
        with shapecell.allow("SC101"):
            difference()
        assert [f.rule for f in report.suppressed] == ["SC101"]
        assert report.findings == []
        for _ in range(20):
            difference()
        with shapecell.allow():
            difference()
    assert [(f.rule, f.count) for f in report.findings] == [("SC101", 20)]


def test_allow_names_the_known_rules() -> None:
    with pytest.raises(ValueError, match="no rule 'SC999'; the rules are SC001"), shapecell.allow("SC999"):
        pass
