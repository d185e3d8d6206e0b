"""``[tool.shapecell]`` in pyproject.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from shapecell.config import Config, ConfigError, find_config, parse


def write(folder: Path, text: str) -> Path:
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_nearest_table_wins(tmp_path: Path) -> None:
    write(tmp_path, '[tool.shapecell.levels]\nSC103 = "off"\n')
    inner = tmp_path / "package" / "module"
    inner.mkdir(parents=True)
    write(tmp_path / "package", "[project]\nname = 'other'\n")
    assert find_config(inner).levels == {"SC103": "off"}
    assert find_config(inner).root == tmp_path


def test_no_table_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path, "[project]\nname = 'x'\n")
    assert find_config(tmp_path).levels == {}


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    import os

    write(tmp_path, '[tool.shapecell.levels]\nSC103 = "off"\n')
    assert find_config(tmp_path).levels["SC103"] == "off"
    write(tmp_path, '[tool.shapecell.levels]\nSC103 = "high"\n')
    os.utime(tmp_path / "pyproject.toml", (1, 1))
    assert find_config(tmp_path).levels["SC103"] == "high"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[tool.shapecell]\nlevel = 3\n", "unknown key 'level'"),
        ('[tool.shapecell.levels]\nSC999 = "off"\n', "unknown rule 'SC999'"),
        ('[tool.shapecell.levels]\nSC101 = "loud"\n', "level 'loud'"),
        ("[tool.shapecell", "cannot be read"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, words: str) -> None:
    write(tmp_path, text)
    with pytest.raises(ConfigError, match=r"pyproject\.toml") as caught:
        find_config(tmp_path)
    assert words in str(caught.value)


def test_paths(tmp_path: Path) -> None:
    config = parse({"paths": {"old/*": ["SC101"], "new/*": "SC102"}}, tmp_path / "pyproject.toml")
    assert config.silent_in(str(tmp_path / "old" / "a.py"), "SC101")
    assert not config.silent_in(str(tmp_path / "old" / "a.py"), "SC102")
    assert config.silent_in(str(tmp_path / "new" / "a.py"), "SC102")
    assert not config.silent_in("/elsewhere/old/a.py", "SC101")
    assert not Config().silent_in("a.py", "SC101")


def test_dims(tmp_path: Path) -> None:
    config = parse({"dims": {"x": "batch feature", "y": ["batch"]}}, tmp_path / "pyproject.toml")
    assert config.dims == {"x": ("batch", "feature"), "y": ("batch",)}
