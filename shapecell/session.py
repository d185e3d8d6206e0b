"""One check: installs the adapters, owns the tracker and the report, and always restores."""

from __future__ import annotations

import dataclasses
import functools
import importlib.abc
import importlib.machinery
import inspect
import sys
import threading
from collections.abc import Callable, Generator, Sequence
from types import CodeType, ModuleType, TracebackType
from typing import Any, TypeVar, cast

from shapecell.adapters.base import Adapter, AdapterEntry, imported, known_adapters
from shapecell.config import Config, ConfigError, find_config
from shapecell.model import SEVERITIES, Report, Severity, Snapshot
from shapecell.rules.judge import judge
from shapecell.tracking.tracker import Tracker

Function = TypeVar("Function", bound=Callable[..., Any])

SCOPES = ("user", "all")

_lock = threading.RLock()
_sessions: list[Session] = []
_adapters: dict[str, Adapter] = {}


class Session:
    """One running check. `start` and `stop` are for those who cannot use the context manager `check`.

    Parameters
    ----------
    only
        Names of the frameworks to follow; None for all that are imported.
    scope
        ``"user"`` judges the user's own code and what it calls directly; ``"all"`` every operation alike.
    source
        Source of the cell under check, kept in the report; None elsewhere.

    Raises
    ------
    ValueError
        If a framework or scope is unknown; the message lists the known ones.
    """

    def __init__(self, *, only: Sequence[str] | None = None, scope: str = "user", source: str | None = None) -> None:
        entries = known_adapters()
        names = [entry.framework for entry in entries]
        wanted = [only] if isinstance(only, str) else only
        unknown = [name for name in wanted or () if name not in names]
        if unknown:
            raise ValueError(f"unknown framework {unknown[0]!r}; shapecell follows {', '.join(names)}")
        if scope not in SCOPES:
            raise ValueError(f"scope must be 'user' or 'all', not {scope!r}")
        self.entries = [entry for entry in entries if wanted is None or entry.framework in wanted]
        self.scope = scope
        self.source = source
        self.tracker = Tracker()
        self.children: list[Report] = []
        self.frameworks: list[str] = []
        self.config = Config()
        self.running = False
        self._final: Snapshot | None = None
        self.report = Report(self._snapshot)

    def start(self, entry_code: CodeType | None = None) -> None:
        """Hook the frameworks. Frames outside `entry_code` are not shown in the report."""
        with _lock:
            outer = _sessions[-1] if _sessions else None
            self.tracker = Tracker(entry_code, outer.tracker.identities if outer is not None else None)
            _sessions.append(self)
            self.running = True
            self._final = None
            try:
                self.config = find_config()
            except (ConfigError, OSError) as error:
                self.tracker.problem("reading the settings", str(error))
            _ImportWatcher.install()
            for entry in self.entries:
                if imported(entry):
                    _activate(entry, self)
            _withdraw(self)

    def stop(self, error: BaseException | None = None) -> None:
        """Take the hooks away, or give them back to the check outside this one.

        Idempotent; a call that was interrupted is completed by the next one.

        Parameters
        ----------
        error
            The exception that left the checked code, if one did: a shape error gets its diagram.
        """
        with _lock:
            if not self.running:
                return
            if self in _sessions:
                _sessions.remove(self)
            if error is not None:
                clean_traceback(error)
            if _sessions:
                outer = _sessions[-1]
                for entry in outer.entries:
                    if imported(entry):
                        _activate(entry, outer)
                _withdraw(outer)
                if self.report not in outer.children:
                    outer.children.append(self.report)
            else:
                uninstall_all()
            self.tracker.close(error)
            self.running = False

    def _snapshot(self) -> Snapshot:
        if self._final is not None:
            return self._final
        snapshot = judge(
            self.tracker, scope=self.scope, source=self.source, frameworks=tuple(self.frameworks), config=self.config
        )
        for child in self.children:
            merged = Report(snapshot).merge(child).snapshot()
            snapshot = dataclasses.replace(merged, source=snapshot.source, source_hash=snapshot.source_hash)
        if not self.running:
            self._final = snapshot
            self.tracker = Tracker()
            self.children = []
        return snapshot


def _adapter(entry: AdapterEntry) -> Adapter:
    adapter = _adapters.get(entry.framework)
    if adapter is None:
        adapter = _adapters[entry.framework] = entry.make()
    return adapter


def _activate(entry: AdapterEntry, session: Session) -> None:
    try:
        _adapter(entry).install(session.tracker)
    except Exception as error:
        session.tracker.fault(f"hooking {entry.framework}", error)
        return
    if entry.framework not in session.frameworks:
        session.frameworks.append(entry.framework)


def _withdraw(session: Session) -> None:
    """Take away hooks of frameworks that an outer check follows and `session` does not."""
    wanted = {entry.framework for entry in session.entries}
    for framework, adapter in _adapters.items():
        if framework not in wanted:
            adapter.uninstall()


def clean_traceback(error: BaseException) -> None:
    """Take out of a traceback what the hooks left in it: it then is as it would be without a check."""
    for adapter in list(_adapters.values()):
        adapter.clean_traceback(error)


def uninstall_all() -> None:
    """Take every hook away."""
    _ImportWatcher.uninstall()
    for adapter in list(_adapters.values()):
        adapter.uninstall()


def stop_all() -> None:
    """End every running check and take every hook away, whatever happened before."""
    with _lock:
        for session in reversed(list(_sessions)):
            session.stop()
        _sessions.clear()
        uninstall_all()


def look_again() -> None:
    """Make every running check follow its settled sites anew: what they mean has changed."""
    with _lock:
        for session in _sessions:
            session.tracker.look_again()


class _ImportWatcher(importlib.abc.MetaPathFinder):
    """Activates an adapter when its framework is imported during a check."""

    _instance: _ImportWatcher | None = None

    @classmethod
    def install(cls) -> None:
        cls.uninstall()
        cls._instance = cls()
        sys.meta_path.insert(0, cls._instance)

    @classmethod
    def uninstall(cls) -> None:
        sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, cls)]
        cls._instance = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if "." in fullname or not _sessions:
            return None
        entry = next((e for e in _sessions[-1].entries if e.trigger == fullname), None)
        if entry is None:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec = cast("importlib.machinery.ModuleSpec | None", find(fullname, path, target))
            if spec is not None:
                if spec.loader is not None and hasattr(spec.loader, "exec_module"):
                    spec.loader = _ActivatingLoader(spec.loader, entry)
                return spec
        return None


class _ActivatingLoader(importlib.abc.Loader):
    """Stands in for a loader during one import; the module never sees it."""

    def __init__(self, loader: importlib.abc.Loader, entry: AdapterEntry) -> None:
        self._loader = loader
        self._entry = entry

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        self._loader.exec_module(module)
        with _lock:
            for session in _sessions[-1:]:
                if self._entry in session.entries:
                    _activate(self._entry, session)


class Check:
    """Context manager and decorator; made by `check`."""

    def __init__(self, *, only: Sequence[str] | None, scope: str, strict: bool, level: Severity) -> None:
        if level not in SEVERITIES:
            raise ValueError(f"level must be one of {', '.join(SEVERITIES)}, not {level!r}")
        Session(only=only, scope=scope)
        self._options = {"only": only, "scope": scope}
        self._strict = strict
        self._level = level
        self._open: list[Session] = []

    def _enter(self, entry_code: CodeType) -> Session:
        session = Session(**cast("dict[str, Any]", self._options))
        session.start(entry_code)
        self._open.append(session)
        return session

    def __enter__(self) -> Report:
        return self._enter(sys._getframe(1).f_code).report

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        session = self._open.pop()
        session.stop(error)
        if self._strict and error is None:
            session.report.raise_if(self._level)

    def __call__(self, function: Function) -> Function:
        """Check every call of `function`; ``function.report`` holds what all calls together showed."""
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def checked(*args: Any, **kwargs: Any) -> Any:
                with self._recorded(checked):
                    return await function(*args, **kwargs)

        elif inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def checked(*args: Any, **kwargs: Any) -> Any:
                return self._generate(checked, function(*args, **kwargs))

        else:

            @functools.wraps(function)
            def checked(*args: Any, **kwargs: Any) -> Any:
                with self._recorded(checked):
                    return function(*args, **kwargs)

        checked.report = Report()  # type: ignore[attr-defined]  # a decorated function carries its report
        return cast(Function, checked)

    def _recorded(self, owner: Any) -> _Recorded:
        return _Recorded(self, owner)

    def _generate(self, owner: Any, generator: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Run `generator` with the hooks in place while its own code runs, and not while its caller's does."""
        step: Callable[[], Any] = functools.partial(next, generator)
        while True:
            try:
                with self._recorded(owner):
                    value = step()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield value
            except GeneratorExit:
                generator.close()
                raise
            except BaseException as error:
                step = functools.partial(generator.throw, error)
            else:
                step = functools.partial(generator.send, sent)


class _Recorded:
    """One checked call of a decorated function: adds its report to the function's."""

    def __init__(self, owner: Check, function: Any) -> None:
        self._check = owner
        self._function = function

    def __enter__(self) -> None:
        self._session = self._check._enter(sys._getframe(1).f_code)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._check._open.remove(self._session)
        self._session.stop(None if isinstance(error, StopIteration) else error)
        self._function.report = self._function.report.merge(self._session.report)
        if self._check._strict and error is None:
            self._session.report.raise_if(self._check._level)


def check(
    *,
    only: Sequence[str] | None = None,
    scope: str = "user",
    strict: bool = False,
    level: Severity = "medium",
) -> Check:
    """Check the shapes of what runs inside: a context manager and a decorator.

    ``with shapecell.check() as report:`` gives a `Report` that may be read at any time. ``@shapecell.check()``
    checks every call of a function (a coroutine or generator function too) and leaves the report on
    ``function.report``.

    Parameters
    ----------
    only
        Names of frameworks (``["numpy"]``); by default all that are imported, before or during the check.
    scope
        ``"user"``: findings in your code and in the functions that it calls; ``"all"``: in libraries too.
    strict
        Raise `ShapeCheckError` at the end if there is a finding of severity `level` or above.
    level
        ``"high"``, ``"medium"`` or ``"low"``.

    Raises
    ------
    ValueError
        If an option is unknown; the message lists what is known.
    """
    return Check(only=only, scope=scope, strict=strict, level=level)
