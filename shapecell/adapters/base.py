"""The protocol of an adapter, and the table of those that exist.

An adapter hooks one framework while a check runs. It owns the hot path: for every call it first looks in
`Tracker.steady`, and only what is not steady goes through `Tracker.record`. It never raises into user code.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from shapecell.tracking.operation import Meaning
    from shapecell.tracking.tracker import Tracker


@dataclass(frozen=True, slots=True)
class Provenance:
    """What an adapter can tell about an array that no followed operation produced.

    Attributes
    ----------
    name
        Readable name, such as a parameter's path in its module (``"net.2.weight"``), or None.
    parameter
        True for a declared model parameter: a 1 in its shape was declared on purpose.
    base, meaning
        If the array is a view of `base`, the operation that makes it from `base` (the only operand).
    axis_names
        Names given by the user to its axes (torch named tensors), or None.
    """

    name: str | None = None
    parameter: bool = False
    base: Any = None
    meaning: Meaning | None = None
    axis_names: tuple[str | None, ...] | None = None


class Adapter(Protocol):
    """One framework.

    `install` hooks the framework for `tracker`; while a nested check runs it is called again with the inner
    tracker, and with the outer one when that ends. `uninstall` takes every hook away; it is idempotent and
    leaves every attribute the object it was.
    """

    framework: str

    def install(self, tracker: Tracker) -> None: ...

    def uninstall(self) -> None: ...

    def clean_traceback(self, error: BaseException) -> None:
        """Take the frames that the hooks caused out of the traceback of an error, in place."""
        ...

    def provenance(self, array: Any) -> Provenance | None:
        """What is known of an array that is new to the tracker. Called off the hot path; may be slow."""
        ...


@dataclass(frozen=True, slots=True)
class AdapterEntry:
    """A row of the table: the adapter of `framework` is made by ``module:factory`` once `trigger` is imported."""

    framework: str
    trigger: str
    module: str
    factory: str = "make_adapter"

    def make(self) -> Adapter:
        factory: Callable[[], Adapter] = getattr(importlib.import_module(self.module), self.factory)
        return factory()


ADAPTERS: tuple[AdapterEntry, ...] = (
    AdapterEntry("numpy", "numpy", "shapecell.adapters.numpy"),
    AdapterEntry("torch", "torch", "shapecell.adapters.torch"),
)


def known_adapters() -> tuple[AdapterEntry, ...]:
    """The built-in adapters and those that other packages register under ``shapecell.adapters``.

    An entry point's name is the framework, which is also the module whose import activates it; its value is
    ``module:factory``.
    """
    builtin = {entry.framework for entry in ADAPTERS}
    registered = tuple(
        AdapterEntry(point.name, point.name, point.module, point.attr)
        for point in entry_points(group="shapecell.adapters")
        if point.name not in builtin
    )
    return ADAPTERS + registered


def imported(entry: AdapterEntry) -> bool:
    """True if the framework of `entry` is fully imported."""
    module = sys.modules.get(entry.trigger)
    spec = getattr(module, "__spec__", None)
    return module is not None and not getattr(spec, "_initializing", False)
