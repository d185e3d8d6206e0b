"""The command line: what a script under check sees, prints and leaves with, and what the report says."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shapecell import Report, __version__
from shapecell.cli import main

CLEAN = "import numpy as np\nprint((np.ones(3) - np.arange(3.0)).sum())\n"
BUG = "import numpy as np\np, y = np.ones((5, 1)), np.arange(5.0)\nprint('loss', ((p - y) ** 2).mean())\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "clean.py").write_text(CLEAN)
    (tmp_path / "bug.py").write_text(BUG)
    return tmp_path


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def shapecell(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, "-m", "shapecell.cli", *arguments], folder)


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return run([sys.executable, *arguments], folder)


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "NO_COLOR": "1"}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False)


def test_clean_script(folder: Path) -> None:
    result = invoke("check", "clean.py")
    assert result.exit_code == 0
    assert "nothing suspicious" in result.output


def test_script_with_a_bug(folder: Path) -> None:
    before = sys.argv, list(sys.path), sys.modules["__main__"]
    result = invoke("check", "bug.py")
    assert result.exit_code == 1
    assert "SC101" in result.output
    assert "p - y" in result.output
    assert "line 3" in result.output
    assert (sys.argv, sys.path, sys.modules["__main__"]) == before


@pytest.mark.parametrize(("fail_on", "code"), [("high", 1), ("medium", 1), ("never", 0)])
def test_fail_on(folder: Path, fail_on: str, code: int) -> None:
    assert invoke("check", "bug.py", "--fail-on", fail_on).exit_code == code


def test_only(folder: Path) -> None:
    assert invoke("check", "bug.py", "--only", "torch").exit_code == 0


def test_report_follows_the_scripts_output(folder: Path) -> None:
    plain, checked = python("bug.py", folder=folder), shapecell("check", "bug.py", folder=folder)
    assert checked.returncode == 1
    assert checked.stdout.startswith(plain.stdout)
    assert checked.stdout[len(plain.stdout) :].startswith("shapecheck  1 suspicious")
    assert checked.stderr == plain.stderr == ""


def test_json_to_a_file_leaves_the_output_alone(folder: Path) -> None:
    plain = python("bug.py", folder=folder)
    checked = shapecell("check", "bug.py", "--format", "json", "--output", "report.json", folder=folder)
    assert (checked.stdout, checked.stderr) == (plain.stdout, plain.stderr)
    report = Report.from_dict(json.loads((folder / "report.json").read_text()))
    (finding,) = report.findings
    assert (finding.rule, finding.site.line, finding.site.filename) == ("SC101", 3, str(folder / "bug.py"))
    assert finding.site.stack == ()


def test_json_to_standard_output_is_json_alone(folder: Path) -> None:
    (folder / "child.py").write_text(BUG + "import os\nos.system('echo from a child')\n")
    checked = shapecell("check", "child.py", "--format", "json", folder=folder)
    assert checked.returncode == 1
    assert [f.rule for f in Report.from_dict(json.loads(checked.stdout)).findings] == ["SC101"]
    assert "loss" in checked.stderr
    assert "from a child" in checked.stderr


def test_text_to_a_file(folder: Path) -> None:
    result = invoke("check", "bug.py", "--output", "report.txt")
    assert result.exit_code == 1
    assert "SC101" in (folder / "report.txt").read_text()
    assert "SC101" not in result.output


FAILURES = {
    "exception": "def f(n):\n    return 1 / n\nprint('before')\nf(0)\n",
    "chained": "try:\n    {}['k']\nexcept KeyError as e:\n    raise ValueError('w') from e\n",
    "array": "import numpy as np\nnp.ones(3) + np.ones(4)\n",
    "syntax": "v = 1\ndef f(:\n    pass\n",
    "indentation": "if True:\nv = 1\n",
    "exit_code": "import sys\nsys.exit(7)\n",
    "exit_text": "import sys\nsys.exit('a reason')\n",
    "hook": "import sys\nsys.excepthook = lambda kind, e, tb: print('mine', e, file=sys.stderr)\n1 / 0\n",
    "group": "raise ExceptionGroup('g', [ValueError(1)])\n",
    "thread": "import threading, time\ndef f():\n    time.sleep(0.2)\n    print('late')\n"
    "threading.Thread(target=f).start()\n1 / 0\n",
}


@pytest.mark.parametrize("name", FAILURES)
def test_failing_script(folder: Path, name: str) -> None:
    (folder / "fails.py").write_text(FAILURES[name])
    plain = python("fails.py", folder=folder)
    assert plain.returncode != 0
    checked = shapecell("check", "fails.py", "--output", "report.txt", folder=folder)
    assert (checked.stdout, checked.stderr) == (plain.stdout, plain.stderr)
    assert checked.returncode == 2


def test_shape_error_gets_its_diagram(folder: Path) -> None:
    (folder / "fails.py").write_text(FAILURES["array"])
    result = invoke("check", "fails.py")
    assert result.exit_code == 2
    assert "SC001" in result.output


def test_script_that_exits_with_zero(folder: Path) -> None:
    (folder / "done.py").write_text("import sys\nprint('x')\nsys.exit()\n")
    assert invoke("check", "done.py").exit_code == 0


INSIDE = """\
import atexit, inspect, pickle, sys
from neighbour import value
class P:
    v = value
print(__name__, __file__, __doc__, __spec__, __package__, __cached__, type(__loader__).__name__, __annotations__)
print(sys.argv, sys.path[0], sorted(globals()), type(__builtins__).__name__)
print(sys.modules['__main__'].__dict__ is globals(), pickle.loads(pickle.dumps(P())).v)
print(inspect.getsource(P), [f.function for f in inspect.stack()][:1], sys.flags.dev_mode)
print(sys.stdin.read(), __debug__, 'shapecell' if 'annotations' in globals() else '')
def f(n: undefined_annotation = 1): ...
"""


def test_script_sees_what_python_shows_it(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "neighbour.py").write_text("value = 5\n")
    (inner / "sees.py").write_text(INSIDE.replace("def f(n: undefined_annotation = 1): ...\n", ""))
    arguments = ["--level", "x", "--", "-v"]
    plain = python("inner/sees.py", *arguments, folder=folder)
    checked = shapecell("check", "inner/sees.py", "--output", "r.txt", "--", *arguments, folder=folder)
    assert plain.returncode == 0, plain.stderr
    assert checked.stdout == plain.stdout
    assert checked.stderr == plain.stderr


def test_annotations_are_evaluated_as_without_us(folder: Path) -> None:
    (folder / "annotated.py").write_text("def f(n: undefined): ...\n")
    plain = python("annotated.py", folder=folder)
    checked = shapecell("check", "annotated.py", "--output", "r.txt", folder=folder)
    assert checked.stderr == plain.stderr
    assert "NameError" in plain.stderr


def test_link_to_a_script(folder: Path) -> None:
    inner = folder / "inner"
    inner.mkdir()
    (inner / "real.py").write_text("import sys\nprint(sys.path[0], __file__, sys.argv)\n")
    (folder / "link.py").symlink_to(inner / "real.py")
    assert (
        shapecell("check", "link.py", "--output", "r.txt", folder=folder).stdout
        == python("link.py", folder=folder).stdout
    )


def test_operations_in_threads_count(folder: Path) -> None:
    (folder / "thread.py").write_text(
        "import threading, time\nimport numpy as np\ndef f():\n    time.sleep(0.3)\n"
        "    np.ones((4, 1)) - np.arange(4.0)\nthreading.Thread(target=f).start()\n"
    )
    result = invoke("check", "thread.py")
    assert result.exit_code == 1
    assert "np.ones((4, 1)) - np.arange(4.0)" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "missing.py"], "Error: cannot read missing.py: No such file or directory."),
        (["check", "."], "Error: cannot read .: Is a directory."),
        (["check", "a.ipynb"], "Error: a.ipynb is a notebook; shapecell check runs Python scripts."),
        (["check", "bug.py", "--output", "no/r.txt"], "Error: cannot write to no/r.txt: No such file or directory."),
        (["explain", "SC999"], "Error: no rule 'SC999'; the rules are SC"),
    ],
)
def test_cannot_start(folder: Path, arguments: list[str], words: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 3
    assert result.output.startswith(words)
    assert result.output.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check"], "Missing argument 'FILE.py'"),
        (["check", "bug.py", "--levle", "high"], "No such option '--levle'"),
        (["check", "bug.py", "--level", "loud"], "'loud' is not one of"),
        (["check", "bug.py", "--only", "nunpy"], "'nunpy' is no framework"),
        (["check", "bug.py", "extra"], "unexpected extra argument (extra)"),
        (["chekc"], "No such command 'chekc'"),
        (["--nonsense"], "No such option '--nonsense'"),
    ],
)
def test_wrong_command_line(folder: Path, arguments: list[str], words: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 3
    assert words in result.output
    assert "loss" not in result.output


def test_explain_and_version() -> None:
    assert "SC101" in invoke("explain", "sc101").output
    assert __version__ in invoke("--version").output
    assert invoke("check", "--help").exit_code == 0
