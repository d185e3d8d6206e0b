"""Runs a script under a check, as ``python FILE.py`` would run it."""

from __future__ import annotations

import enum
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from shapecell.session import Session


class Outcome(enum.Enum):
    """How a script ended."""

    DONE = enum.auto()
    FAILED = enum.auto()


@contextmanager
def stdout_to_stderr(wanted: bool) -> Iterator[None]:
    """If `wanted`, what this process and its children write to standard output goes to standard error."""
    if not wanted:
        yield
        return
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        sys.stdout.flush()
        os.dup2(kept, 1)
        os.close(kept)


@contextmanager
def _as_main(script: Path, arguments: Sequence[str]) -> Iterator[ModuleType]:
    """A new ``__main__``, and ``sys.argv`` and ``sys.path``, as python makes them for `script`."""
    path = os.path.abspath(script)
    module = ModuleType("__main__")
    module.__dict__.update(
        __annotations__={},
        __builtins__=sys.modules["builtins"],
        __cached__=None,
        __file__=path,
        __loader__=SourceFileLoader("__main__", path),
    )
    before = sys.argv, list(sys.path), sys.modules["__main__"]
    sys.argv = [str(script), *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    sys.modules["__main__"] = module
    try:
        yield module
    finally:
        sys.argv, sys.path[:], sys.modules["__main__"] = before


def run_script(script: Path, source: bytes, arguments: Sequence[str], session: Session) -> Outcome:
    """Run `source` as the script `script` with `arguments`, under `session`.

    An exception that leaves it is printed as python prints it.
    """
    with _as_main(script, arguments) as module:
        try:
            code = compile(source, module.__file__ or "", "exec", dont_inherit=True)
        except (SyntaxError, ValueError) as wrong:
            sys.excepthook(type(wrong), wrong.with_traceback(None), None)
            return Outcome.FAILED
        error = _run(code, module, session)
        session.report.finish()
        if error is None:
            return Outcome.DONE
        if isinstance(error, SystemExit):
            return _exited(error)
        sys.excepthook(type(error), error, error.__traceback__)
        return Outcome.FAILED


def _run(code: CodeType, module: ModuleType, session: Session) -> BaseException | None:
    error: BaseException | None = None
    before = set(threading.enumerate())
    session.start(code)
    try:
        exec(code, module.__dict__)
    except BaseException as raised:
        error = raised.with_traceback(_from(code, raised.__traceback__))
    try:
        for thread in set(threading.enumerate()) - before:
            if not thread.daemon:
                thread.join()
    finally:
        session.stop(error)
    return error


def _from(code: CodeType, traceback: TracebackType | None) -> TracebackType | None:
    """The part of `traceback` that begins at `code`."""
    while traceback is not None and traceback.tb_frame.f_code is not code:
        traceback = traceback.tb_next
    return traceback


def _exited(error: SystemExit) -> Outcome:
    """What python makes of ``sys.exit(…)``."""
    if error.code is None or error.code == 0:
        return Outcome.DONE
    if not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    return Outcome.FAILED
