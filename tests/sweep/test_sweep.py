"""The sweep itself: it counts, reports failures of examples, and fails when one fails."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable

import numpy as np
import pytest

from tests.sweep import __main__ as command
from tests.sweep import sweep as module
from tests.sweep.libraries import LIBRARIES, TUNED, UNTUNED
from tests.sweep.sweep import sweep

pytest.importorskip("torch")


def wanted_table() -> None:
    """Two sites that stretch, one of them run for two shapes."""
    for n in (3, 4):
        x = np.ones((n, 5))
        x - x.mean(axis=1, keepdims=True)
    np.arange(4)[:, None] * np.arange(6)


def accidental_pairs() -> None:
    """A column of predictions against flat labels, averaged."""
    features, labels = np.ones((9, 2)), np.ones(9)
    prediction = features @ np.ones((2, 1))
    np.mean((prediction - labels) ** 2)


def broken() -> None:
    """Fails by itself."""
    raise RuntimeError("this example is broken")


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    def register(*examples: Callable[[], None]) -> str:
        library = types.ModuleType("tests.sweep.libraries.made_up")
        library.EXAMPLES = [(e.__name__, e) for e in examples]  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, library.__name__, library)
        monkeypatch.setitem(LIBRARIES, "made up", "made_up")
        return "made up"

    return register


def test_correct_code_is_counted_and_raises_nothing(made_up: Callable[..., str]) -> None:
    tally = sweep(made_up(wanted_table))
    assert (tally.examples, len(tally.places), tally.groups) == (1, 2, 3)
    assert tally.operations >= 5
    assert not tally.alarms
    assert not tally.errors
    assert tally.per_2000 == 0


def test_findings_are_placed_and_rated(made_up: Callable[..., str]) -> None:
    tally = sweep(made_up(wanted_table, accidental_pairs))
    (alarm,) = tally.alarms
    assert alarm.source == "prediction - labels"
    assert alarm.where.startswith("sweep/test_sweep.py:")
    assert alarm.example == "accidental_pairs"
    assert tally.per_2000 == pytest.approx(2000 / 3)


def test_failing_example_is_reported_and_the_others_run(
    made_up: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--library", made_up(broken, wanted_table)]) == 1
    out = capsys.readouterr().out
    assert "ERROR in example broken" in out
    assert "RuntimeError: this example is broken" in out
    assert sweep("made up").examples == 2


def test_plain_run_makes_no_check(made_up: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shapecell.check", None)
    tally = sweep(made_up(accidental_pairs), plain=True)
    assert not tally.errors
    assert tally.operations == 0


def test_every_library_has_a_file() -> None:
    folder = module.__file__.rpartition("/")[0] + "/libraries"
    assert set(LIBRARIES) == set(TUNED) | set(UNTUNED)
    for name in LIBRARIES.values():
        with open(f"{folder}/{name}.py", encoding="utf-8") as file:
            assert "EXAMPLES: list[tuple[str, Callable[[], object]]] = [" in file.read().replace("= (", "= [")
