"""The options of the magic."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecell.notebook.options import Options, OptionsError, help_text, parse


def test_defaults() -> None:
    assert parse("") == Options()


def test_everything() -> None:
    options = parse("--strict --level high --only numpy,torch --scope all --as found --quiet --log /tmp/l.jsonl  # why")
    assert options == Options(True, "high", ("numpy", "torch"), "all", "found", True, Path("/tmp/l.jsonl"))


def test_log_is_fixed_at_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert parse("--log 'my log'").log == tmp_path / "my log"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("--levle high", "No such option '--levle'"),
        ("--level loud", "'loud' is not one of 'high', 'medium', 'low'"),
        ("--only nunpy", "'nunpy' is no framework that shapecell follows (numpy, torch"),
        ("--only ,", "is no framework"),
        ("--scope mine", "'mine' is not one of 'user', 'all'"),
        ("--as 2x", "'2x' is no variable name"),
        ("--as class", "'class' is no variable name"),
        ("--log", "requires an argument"),
        ("'open", "No closing quotation"),
        ("word", "Got unexpected extra argument"),
    ],
)
def test_not_understood(line: str, words: str) -> None:
    with pytest.raises(OptionsError) as caught:
        parse(line)
    text = str(caught.value)
    assert words in text
    assert "\n" not in text
    assert "The cell was not run." in text
    assert "--strict, --level, --only, --scope, --as, --quiet, --log" in text


def test_help_names_every_option() -> None:
    for name in ("--strict", "--level", "--only", "--scope", "--as", "--quiet", "--log", "--help"):
        assert name in help_text()
    assert parse("--help").help
