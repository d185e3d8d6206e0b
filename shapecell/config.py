"""``[tool.shapecell]`` in pyproject.toml: levels per rule, rules per path, names of dimensions.

.. code-block:: toml

    [tool.shapecell.levels]
    SC103 = "off"                       # or "high", "medium", "low"

    [tool.shapecell.paths]
    "experiments/*" = ["SC101"]         # these rules are silent in these files

    [tool.shapecell.dims]
    x = "batch feature"                 # variables named x have these axes
"""

from __future__ import annotations

import fnmatch
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shapecell.model import SEVERITIES

LEVELS = (*SEVERITIES, "off")


class ConfigError(ValueError):
    """``[tool.shapecell]`` says something that shapecell does not understand."""


@dataclass(frozen=True)
class Config:
    """The settings of one project; the defaults change nothing.

    Attributes
    ----------
    levels
        Rule → the severity that its findings get, or ``"off"``.
    paths
        Glob, relative to the project → rules that are silent there.
    dims
        Variable → names of its axes.
    root
        The project's folder.
    """

    levels: dict[str, str] = field(default_factory=dict)
    paths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    dims: dict[str, tuple[str, ...]] = field(default_factory=dict)
    root: Path | None = None

    def silent_in(self, filename: str, rule: str) -> bool:
        """True if `rule` is silenced for `filename` by a path pattern."""
        if self.root is None or not self.paths:
            return False
        try:
            relative = Path(filename).resolve().relative_to(self.root).as_posix()
        except ValueError:
            return False
        return any(rule in rules and fnmatch.fnmatch(relative, pattern) for pattern, rules in self.paths.items())


_cache: dict[Path, tuple[float, Config]] = {}


def find_config(start: Path | None = None) -> Config:
    """The settings of the nearest pyproject.toml that has ``[tool.shapecell]``, from `start` upwards.

    Raises
    ------
    ConfigError
        If that table is not understood.
    """
    folder = (start or Path.cwd()).resolve()
    for candidate in (folder, *folder.parents):
        path = candidate / "pyproject.toml"
        if path.is_file():
            changed = path.stat().st_mtime
            known = _cache.get(path)
            if known is None or known[0] != changed:
                known = _cache[path] = (changed, _read(path))
            if known[1].root is not None:
                return known[1]
    return Config()


def _read(path: Path) -> Config:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8")).get("tool", {}).get("shapecell")
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    if table is None:
        return Config()
    return parse(table, path)


def parse(table: dict[str, Any], path: Path) -> Config:
    """The settings that `table`, the ``[tool.shapecell]`` of the file at `path`, stands for.

    Raises
    ------
    ConfigError
        If it holds an unknown key, rule or level.
    """
    from shapecell.rules.catalogue import BY_CODE

    def fail(what: str) -> ConfigError:
        return ConfigError(f"{path}: [tool.shapecell] {what}")

    known = {"levels", "paths", "dims"}
    for key in table:
        if key not in known:
            raise fail(f"has an unknown key {key!r}; known are {', '.join(sorted(known))}")
    levels = {str(rule): str(level) for rule, level in table.get("levels", {}).items()}
    paths = {
        pattern: (rules,) if isinstance(rules, str) else tuple(rules)
        for pattern, rules in table.get("paths", {}).items()
    }
    for rule in [*levels, *(rule for rules in paths.values() for rule in rules)]:
        if rule not in BY_CODE:
            raise fail(f"names an unknown rule {rule!r}; known are {', '.join(BY_CODE)}")
    for rule, level in levels.items():
        if level not in LEVELS:
            raise fail(f"gives {rule} the level {level!r}; known are {', '.join(LEVELS)}")
    dims = {
        name: tuple(axes.split() if isinstance(axes, str) else axes) for name, axes in table.get("dims", {}).items()
    }
    return Config(levels, paths, dims, path.parent)
