"""What the tracker remembers of a call: its group, its settled entry, its failure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from types import FrameType
from typing import Any

from shapecell.model import Shape
from shapecell.tracking.axes import Layout, Outcome
from shapecell.tracking.operation import Operation
from shapecell.tracking.sites import CallSite


class Value:
    """What an array is: its layout, and the group that made it (None if it came from outside)."""

    __slots__ = ("layout", "producer")

    def __init__(self, layout: Layout, producer: Group | None) -> None:
        self.layout = layout
        self.producer = producer


class Group:
    """All executions of one operation, at one site, with one set of shapes and static arguments."""

    __slots__ = (
        "adapter", "allowed", "consumers", "count", "first", "generic", "last", "memo", "operation", "outcomes",
        "producers", "site", "streak", "unknown", "values",
    )  # fmt: skip

    def __init__(
        self, adapter: str, site: CallSite, operation: Operation, serial: int, allowed: frozenset[str] = frozenset()
    ) -> None:
        self.adapter = adapter
        self.allowed = allowed
        self.site = site
        self.operation = operation
        self.count = 0
        self.first = serial
        self.last = serial
        self.streak = 0
        self.memo: dict[tuple[Layout, ...], tuple[Value, ...]] = {}
        self.outcomes: list[tuple[tuple[Layout, ...], Outcome]] = []
        self.generic: tuple[Value, ...] | None = None
        self.unknown: dict[tuple[int, Shape], list[Value]] = {}
        self.values: dict[tuple[int, Layout], Value] = {}
        self.producers: tuple[set[Group], ...] = tuple(set() for _ in operation.shapes)
        self.consumers: set[tuple[Group, int]] = set()


class Steady:
    """A site that has settled: the adapter compares function and shapes, counts, and does nothing else.

    `first` and `second` are free for the adapter (shapes of two operands), `key` is the key given to `record`,
    `caller` the immediate caller's position if the site is third-party code, else 0; `user` then is the position of
    the user's code (see `Tracker.user_position`), else 0. `next` is another settled group of the same position: one
    line in a library serves many lines of the user's. An adapter may leave a weak reference to the newest result in
    `last`, so that its axes (`made`) are known to the first operation that is followed again.
    """

    __slots__ = ("caller", "count", "first", "function", "group", "key", "last", "made", "next", "second", "user")

    def __init__(self, group: Group, key: tuple[Hashable, ...], caller: int, user: int = 0) -> None:
        self.group = group
        self.function = key[0]
        self.key = key
        self.caller = caller
        self.user = user
        self.next: Steady | None = None
        self.last: Callable[[], Any] | None = None
        self.made: Value | None = None
        self.first: Any = None
        self.second: Any = None
        self.count = 0


class Failure:
    """An operation that raised. The error is known by identity and text only, never kept alive."""

    __slots__ = ("error_id", "error_text", "error_type", "group")

    def __init__(self, group: Group, error: BaseException) -> None:
        self.group = group
        self.error_id = id(error)
        self.error_type = type(error)
        self.error_text = str(error)

    def is_of(self, error: BaseException) -> bool:
        """True if `error` is the error that was raised. A later one may live at the same address: its text differs."""
        return self.error_id == id(error) and self.error_type is type(error) and self.error_text in str(error)


def position_of(frame: FrameType) -> int:
    """A number that stands for the instruction that `frame` executes: address of its code plus offset.

    Bytecode lies inside the code object, so two live code objects never yield the same number. Whoever keeps the
    number must keep the code object alive.
    """
    return id(frame.f_code) + frame.f_lasti
