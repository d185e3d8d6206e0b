"""What importing shapecell imports, and that imports inside it point one way."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import shapecell

FRAMEWORKS = ("numpy", "torch", "tensorflow", "keras", "pandas", "jax", "IPython", "sklearn", "scipy")
PACKAGE = Path(shapecell.__file__).parent

LAYERS: tuple[tuple[str, frozenset[str]], ...] = (
    ("model", frozenset()),
    ("tracking", frozenset({"model"})),
    ("config", frozenset({"model", "rules"})),
    ("rules", frozenset({"model", "tracking", "config", "suppress"})),
    ("suppress", frozenset({"model", "tracking", "rules", "session"})),
    ("render", frozenset({"model"})),
    ("merging", frozenset({"model"})),
    ("serial", frozenset({"model"})),
    ("adapters", frozenset({"model", "tracking"})),
    ("session", frozenset({"model", "tracking", "rules", "adapters", "config"})),
)
"""Every part below the front ends (notebook, cli, pytest plugin), and the parts that it may import."""

LATER: dict[str, frozenset[str]] = {
    "model": frozenset({"render", "merging", "serial"}),
}
"""What a part may import inside a function, when it is called: `Report.print` needs a renderer."""

FRAMEWORK_IN = {"model.py": "pandas", "render/frame.py": "pandas"}
"""The files outside the adapters that may name a framework: `Report.to_frame` makes a DataFrame."""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)


def imported_by(statement: str) -> list[str]:
    """The frameworks in ``sys.modules`` of a fresh interpreter after `statement`."""
    done = run(f"import sys\n{statement}\nprint(*[name for name in {FRAMEWORKS!r} if name in sys.modules])")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_importing_shapecell_imports_no_framework() -> None:
    assert imported_by("import shapecell") == []


def test_a_check_of_plain_python_imports_no_framework() -> None:
    assert imported_by("import shapecell\nwith shapecell.check() as report:\n    sum([1, 2])\nreport.findings") == []


@pytest.mark.parametrize("name", ["numpy", "pandas", "IPython"])
def test_the_look_at_imports_can_fail(name: str) -> None:
    assert name in imported_by(f"import shapecell, {name}")


def test_a_check_of_one_framework_does_not_import_another() -> None:
    code = "import numpy, shapecell\nwith shapecell.check():\n    numpy.ones(3) + numpy.ones((3, 1))"
    assert imported_by(code) == ["numpy"]


# ---------------------------------------------------------------- layers


def imports_of(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    """``(part, line, when)`` of every import of shapecell; `when` is "always", "later" or "types"."""

    def walk(node: ast.AST, when: str) -> Iterator[tuple[str, int, str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                names = [alias.name for alias in child.names]
            elif isinstance(child, ast.ImportFrom):
                assert child.level == 0, f"line {child.lineno}: relative imports hide where they point"
                module = child.module or ""
                names = [f"shapecell.{a.name}" for a in child.names] if module == "shapecell" else [module]
            else:
                inner = when
                if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                    inner = "later"
                elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                    inner = "types"
                yield from walk(child, inner)
                continue
            for name in names:
                if name.split(".")[0] == "shapecell":
                    yield [*name.split("."), ""][1], child.lineno, when

    return walk(tree, "always")


def part_of(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def wrong_imports(part: str, source: str) -> list[str]:
    """Imports in `source`, a module of `part`, that point the wrong way."""
    allowed = dict(LAYERS)[part]
    later = allowed | LATER.get(part, frozenset())
    return [
        f"line {line}: {part} imports {target}"
        for target, line, when in imports_of(ast.parse(source))
        if when != "types" and target != part and target not in (later if when == "later" else allowed)
    ]


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)
LAYERED = [path for path in MODULES if part_of(path) in dict(LAYERS)]


@pytest.mark.parametrize("path", LAYERED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_one_way(path: Path) -> None:
    assert wrong_imports(part_of(path), path.read_text(encoding="utf-8")) == []


def test_every_part_has_its_place() -> None:
    front_ends = {"__init__", "__main__", "cli", "script", "pytest_plugin", "notebook", "training"}
    assert {part_of(path) for path in MODULES} - front_ends == set(dict(LAYERS))


@pytest.mark.parametrize(
    ("part", "source", "line"),
    [
        ("model", "from shapecell.tracking import tracker", 1),
        ("model", "import shapecell.session", 1),
        ("rules", "def f():\n    from shapecell import session", 2),
        ("tracking", "try:\n    pass\nfinally:\n    from shapecell.adapters.base import Adapter", 4),
        ("adapters", "import os\nfrom shapecell.session import check", 2),
        ("render", "class A:\n    import shapecell.notebook.magics", 2),
    ],
)
def test_the_look_at_layers_can_fail(part: str, source: str, line: int) -> None:
    assert [text.split(":")[0] for text in wrong_imports(part, source)] == [f"line {line}"]


def test_types_and_lower_parts_may_be_imported() -> None:
    source = "if TYPE_CHECKING:\n    from shapecell.session import check\nfrom shapecell.model import Shape"
    assert wrong_imports("tracking", source) == []


@pytest.mark.parametrize("path", LAYERED, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_below_the_front_ends_knows_ipython_or_another_adapters_framework(path: Path) -> None:
    roots = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            roots.add((node.module or "").split(".")[0])
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    own = {parts[1]} if parts[0] == "adapters" and len(parts) > 1 else set()
    own |= {"numpy"} if parts[0] == "adapters" else set()
    own |= {FRAMEWORK_IN.get(path.relative_to(PACKAGE).as_posix(), "")}
    assert roots & set(FRAMEWORKS) - own == set()
