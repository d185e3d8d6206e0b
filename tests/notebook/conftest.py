"""A fresh IPython shell with the extension loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from shapecell.notebook.magics import Shapecheck, load, unload


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[InteractiveShell]:
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    settings = Config()
    settings.HistoryManager.enabled = False
    settings.InteractiveShell.colors = "nocolor"
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance(config=settings)
    shell.run_cell("import numpy as np\ncolumn, flat = np.ones((3, 1)), np.arange(3.0)")
    load(shell)
    yield shell
    unload(shell)
    InteractiveShell.clear_instance()


@pytest.fixture
def magic(shell: InteractiveShell) -> Shapecheck:
    owner = shell.magics_manager.magics["cell"]["shapecheck"].__self__
    assert isinstance(owner, Shapecheck)
    return owner
