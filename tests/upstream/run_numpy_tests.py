"""Runs NumPy's own tests with and without shapecell's hooks, and lists every test that ends differently.

    python tests/upstream/run_numpy_tests.py [MODULE …]

Tests that NumPy marks as slow, or that need more than a gigabyte, are left out.
Exit status 1 if a difference has no reason in `REASONS`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
MODULES = (
    "numpy._core.tests.test_ufunc", "numpy._core.tests.test_umath", "numpy._core.tests.test_multiarray",
    "numpy._core.tests.test_shape_base", "numpy._core.tests.test_indexing", "numpy._core.tests.test_numeric",
    "numpy._core.tests.test_einsum", "numpy.lib.tests.test_stride_tricks", "numpy.lib.tests.test_function_base",
    "numpy.ma.tests.test_core", "numpy.linalg.tests.test_linalg",
)  # fmt: skip
REASONS: dict[str, str] = {}
"""Part of a test's id → why it ends differently while NumPy is hooked."""


@dataclass(frozen=True)
class Comparison:
    """Outcomes of one set of tests, run both ways."""

    plain: dict[str, Any]
    hooked: dict[str, Any]

    @property
    def differences(self) -> list[tuple[str, str, str]]:
        """Test, outcome without hooks, outcome with them."""
        a, b = self.plain["outcomes"], self.hooked["outcomes"]
        return [(t, a.get(t, "not run"), b.get(t, "not run")) for t in sorted({*a, *b}) if a.get(t) != b.get(t)]

    @property
    def unexplained(self) -> list[tuple[str, str, str]]:
        return [found for found in self.differences if not reason(found[0])]


def reason(test: str) -> str | None:
    """Why `test` may end differently, if that is known."""
    return next((why for part, why in REASONS.items() if part in test), None)


def _run(modules: tuple[str, ...], *options: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        outcomes = Path(folder) / "outcomes.json"
        command = [
            sys.executable, "-m", "pytest", "-q", "-c", "/dev/null",
            "--rootdir", folder, "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "numpy_plugin",
            "--outcomes", str(outcomes), "-m", "not slow", "--pyargs", *options, *modules,
        ]  # fmt: skip
        path = os.pathsep.join((str(HERE), str(HERE.parents[1])))
        environment = {**os.environ, "PYTHONPATH": path, "NPY_AVAILABLE_MEM": "1 GB"}
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)
        if not outcomes.exists():
            raise RuntimeError(f"pytest did not finish:\n{run.stdout[-3000:]}\n{run.stderr[-3000:]}")
        return dict(json.loads(outcomes.read_text()))


def compare(modules: tuple[str, ...] = MODULES) -> Comparison:
    """Run `modules` both ways."""
    return Comparison(_run(modules, "--unhooked"), _run(modules))


def main() -> int:
    comparison = compare(tuple(sys.argv[1:]) or MODULES)
    plain, hooked = comparison.plain, comparison.hooked
    print(f"{len(plain['outcomes'])} tests, {hooked['operations']} operations followed")
    for test, before, after in comparison.differences:
        print(f"{test}: {before} → {after}: {reason(test) or 'UNEXPLAINED'}")
        if not reason(test):
            print("    " + hooked["details"].get(test, "").replace("\n", "\n    "))
    for problem, count in sorted(hooked["problems"].items()):
        print(f"problem {count}×: {problem}")
    return 1 if comparison.unexplained else 0


if __name__ == "__main__":
    raise SystemExit(main())
