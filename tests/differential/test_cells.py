"""Every cell of the corpus with and without the magic, in IPython: nothing that a user can see differs."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.differential.corpus import CASES, Case

ROOT = Path(__file__).parents[2]


def run(mode: str, folder: Path) -> dict[str, Any]:
    folder.mkdir()
    done = subprocess.run(
        [sys.executable, "-m", "tests.differential.runner", mode],
        cwd=ROOT, env={"PATH": "/usr/bin:/bin", "IPYTHONDIR": str(folder), "HOME": str(folder), "NO_COLOR": "1"},
        capture_output=True, text=True, timeout=500, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    assert isinstance(found, dict)
    return found


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ipython")
    with ThreadPoolExecutor(2) as pool:
        modes = ("plain", "checked")
        return dict(zip(modes, pool.map(run, modes, [folder / mode for mode in modes]), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_cell(case: Case, observed: dict[str, dict[str, Any]]) -> None:
    plain, checked = observed["plain"][case.name], observed["checked"][case.name]
    assert checked["seen"] == plain["seen"]
    assert checked["left"] == plain["left"]
    assert not plain["reported"]
    assert checked["reported"]
    assert not checked["problems"]
    if case.operations:
        assert checked["operations"] > 0
