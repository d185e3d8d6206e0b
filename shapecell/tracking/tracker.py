"""The tracker: groups operations as they happen, follows axes through them, and remembers instead of recomputing."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from types import CodeType, FrameType
from typing import TYPE_CHECKING, Any

from shapecell.model import Problem, Shape
from shapecell.tracking.allowance import ALLOWED
from shapecell.tracking.axes import AxisIdentity, Layout, One, Origin, Outcome, fresh_layout
from shapecell.tracking.groups import Failure, Group, Steady, Value, position_of
from shapecell.tracking.identities import Identities
from shapecell.tracking.operation import Create, Opaque, Operation
from shapecell.tracking.sites import KNOWN_FILES, CallSite, is_third_party

if TYPE_CHECKING:
    from shapecell.adapters.base import Adapter

MAX_GROUPS = 20_000
MAX_OUTCOMES = 16
MAX_UNKNOWN = 4
MAX_VIEWS = 16
STEADY_AFTER = 6
MAX_STEADY = 8
MAX_FAILURES = 64


def with_written_ones(layout: Layout, written: set[int]) -> Layout:
    """`layout` with the 1s at the axes `written` taken as written on purpose."""
    return Layout(
        tuple(
            AxisIdentity(1, one=One("an axis written earlier", "explicit", origin=axis.one.origin, index=index))
            if axis.one is not None and index in written
            else axis
            for index, axis in enumerate(layout.axes)
        )
    )


class Tracker:
    """Records the operations of one check. Adapters call `record`, `failed`, `fault` and read `steady`."""

    def __init__(self, entry_code: CodeType | None = None, identities: Identities | None = None) -> None:
        self.identities = identities if identities is not None else Identities()
        self.steady: dict[int, Steady] = {}
        self.groups: dict[tuple[Any, ...], Group] = {}
        self.failures: deque[Failure] = deque(maxlen=MAX_FAILURES)
        self.escaped: Failure | None = None
        self.unrecorded = 0
        self.serial = 0
        self._settled: list[Steady] = []
        self._settle_at = 4096
        self._entry_code = entry_code
        self._codes: dict[int, CodeType] = {}
        self._problems: dict[tuple[str, str], int] = {}
        self._written_ones: dict[Shape, set[int]] = {}
        self._lock = threading.RLock()

    # ------------------------------------------------------------ called by adapters

    def record(
        self,
        adapter: Adapter,
        frame: FrameType,
        key: tuple[Hashable, ...],
        operands: tuple[Any, ...],
        results: tuple[Any, ...],
        describe: Callable[[], Operation],
    ) -> Steady | None:
        """Record one execution.

        Parameters
        ----------
        adapter
            The calling adapter.
        frame
            The frame that made the call (in user or library code, never shapecell's).
        key
            What tells this call apart at its site: the function first, then shapes and static arguments.
        operands
            The live array operands in call order; not kept.
        results
            The live arrays that came out, empty if none; not kept.
        describe
            Called once per group, to put the call into the vocabulary.

        Returns
        -------
        Steady or None
            An entry that the adapter may complete (`first`, `second`) once the site has settled: from then on
            it finds it in `steady` and need not call `record`. None while there is something to learn.
        """
        with self._lock:
            group, position, caller, user = self._group(adapter, frame, key, describe)
            if group is None:
                return None
            self.serial += 1
            group.count += 1
            group.last = self.serial
            values = tuple(self._value(x, i, group, adapter) for i, x in enumerate(operands))
            layouts = tuple(value.layout for value in values)
            made = group.memo.get(layouts)
            if made is None and len(group.memo) >= MAX_OUTCOMES:
                made = self._generic(group)
            if made is None:
                made = self._transfer(group, values, layouts)
                group.streak = 0
            else:
                group.streak += 1
            for array, value in zip(results, made, strict=False):
                self.identities.put(array, value)
            if group.streak < STEADY_AFTER:
                return None
            self._remember_written_ones(made)
            steady = self._steady(position, group, key, caller, user)
            steady.made = made[0] if made else None
            return steady

    def failed(
        self,
        adapter: Adapter,
        frame: FrameType,
        key: tuple[Hashable, ...],
        operands: tuple[Any, ...],
        describe: Callable[[], Operation],
        error: BaseException,
    ) -> None:
        """Record that a call raised `error`. Only the error that leaves the checked code is ever shown."""
        with self._lock:
            group, *_ = self._group(adapter, frame, ("failed", *key), describe)
            if group is None:
                return
            self.serial += 1
            group.count += 1
            group.last = self.serial
            values = tuple(self._value(x, i, group, adapter) for i, x in enumerate(operands))
            layouts = tuple(value.layout for value in values)
            if layouts not in group.memo and len(group.memo) < MAX_OUTCOMES:
                group.memo[layouts] = ()
                group.outcomes.append((layouts, Outcome(())))
            self.failures.append(Failure(group, error))

    def fault(self, where: str, error: BaseException) -> None:
        """Note that shapecell itself failed; the report says so, and the user's code goes on."""
        self.problem(where, f"{type(error).__name__}: {error}")

    def problem(self, where: str, why: str) -> None:
        """Note something that could not be followed."""
        key = (where, why)
        if key in self._problems or len(self._problems) < 200:
            self._problems[key] = self._problems.get(key, 0) + 1

    def user_position(self, frame: FrameType) -> int:
        """Position of the nearest caller of `frame` that is the user's own code (or entered the check); 0 if none."""
        entry = self._entry_code
        outer = frame.f_back
        while outer is not None:
            code = outer.f_code
            known = KNOWN_FILES.get(code.co_filename)
            if not (is_third_party(code) if known is None else known) or code is entry:
                return id(code) + outer.f_lasti
            outer = outer.f_back
        return 0

    # ------------------------------------------------------------ read by the report

    @property
    def operations(self) -> int:
        """How many operations were followed, steady ones included."""
        return self.serial + sum(steady.count for steady in list(self._settled))

    def settle(self) -> None:
        """Move the counts of steady sites into their groups."""
        with self._lock:
            for steady in self._settled:
                steady.group.count += steady.count
                self.serial += steady.count
                if steady.count:
                    steady.group.last = self.serial
                steady.count = 0
            live: set[int] = set()
            for entry in list(self.steady.values()):
                following: Steady | None = entry
                while following is not None:
                    live.add(id(following))
                    following = following.next
            self._settled = [steady for steady in self._settled if id(steady) in live]

    def problems(self) -> tuple[Problem, ...]:
        return tuple(Problem(where, why, count) for (where, why), count in list(self._problems.items()))

    def close(self, error: BaseException | None = None) -> None:
        """The check is over: settle the counts; of the failures keep the one whose `error` left the code, if any."""
        self.settle()
        self.steady.clear()
        chain = set()
        while error is not None and id(error) not in chain:
            chain.add(id(error))
            for failure in self.failures:
                if failure.is_of(error):
                    self.escaped = failure
            error = error.__cause__ or error.__context__
        self.failures.clear()

    def __iter__(self) -> Iterator[Group]:
        return iter(list(self.groups.values()))

    # ------------------------------------------------------------ inside

    def _steady(self, position: int, group: Group, key: tuple[Hashable, ...], caller: int, user: int) -> Steady:
        """The entry of a settled group, in front of the other groups that settled at `position`."""
        others: list[Steady] = []
        following = self.steady.get(position)
        steady: Steady | None = None
        while following is not None:
            if following.group is group:
                steady = following
            else:
                others.append(following)
            following = following.next
        if steady is None:
            steady = Steady(group, key, caller, user)
            self._settled.append(steady)
        for entry, after in zip([steady, *others], [*others[: MAX_STEADY - 1], None], strict=False):
            entry.next = after
        self.steady[position] = steady
        if len(self._settled) > self._settle_at:
            self.settle()
            self._settle_at = max(4096, 2 * len(self._settled))
        return steady

    def look_again(self) -> None:
        """Something new happened: sites that had settled are followed again, so that no identity is lost."""
        if self.steady:
            for steady in self._settled:
                array = steady.last() if steady.last is not None else None
                if array is not None and steady.made is not None:
                    self.identities.put(array, steady.made)
            self.steady.clear()
            self.settle()

    def _newest(self, array: Any) -> Value | None:
        """What `array` is, if it is the newest result of a settled site; known from then on, when it no longer is."""
        for steady in self._settled:
            if steady.made is not None and steady.last is not None and steady.last() is array:
                self.identities.put(array, steady.made)
                return steady.made
        return None

    def _group(
        self,
        adapter: Adapter,
        frame: FrameType,
        key: tuple[Hashable, ...],
        describe: Callable[[], Operation],
    ) -> tuple[Group | None, int, int, int]:
        position = position_of(frame)
        user, caller = position, 0
        if is_third_party(frame.f_code):
            caller = position_of(frame.f_back) if frame.f_back is not None else 0
            user = self.user_position(frame)
        allowed = ALLOWED.get()
        full = (position, user, key, allowed)
        group = self.groups.get(full)
        if group is None:
            if len(self.groups) >= MAX_GROUPS:
                self.unrecorded += 1
                self.serial += 1
                return None, position, caller, 0
            site = CallSite.capture(frame, self._entry_code)
            for code in site.codes:
                self._codes[id(code)] = code
            group = Group(adapter.framework, site, describe(), self.serial + 1, allowed)
            self.groups[full] = group
            self.look_again()
        return group, position, caller, user if caller else 0

    def _value(self, array: Any, index: int, group: Group, adapter: Adapter) -> Value:
        value = self.identities.get(array) or self._newest(array)
        shape = group.operation.shapes[index]
        if value is not None and value.layout.shape == shape:
            if value.producer is not None:
                value.producer.consumers.add((group, index))
                group.producers[index].add(value.producer)
            return value
        value = self._unknown(array, shape, index, group, adapter)
        self.identities.put(array, value)
        return value

    def _unknown(self, array: Any, shape: Shape, index: int, group: Group, adapter: Adapter, depth: int = 0) -> Value:
        """A value for an array that no followed operation produced; `depth` counts the views that it is behind."""
        from shapecell.tracking.transfer import transfer

        provenance = adapter.provenance(array) if depth < MAX_VIEWS else None
        if provenance is not None and provenance.base is not None and provenance.meaning is not None:
            base = provenance.base
            value = self.identities.get(base)
            base_shape = tuple(base.shape)
            if value is None or value.layout.shape != base_shape:
                value = self._unknown(base, base_shape, index, group, adapter, depth + 1)
                self.identities.put(base, value)
            view = Operation("view", provenance.meaning, (base_shape,), (shape,))
            outcome = transfer(view, (value.layout,))
            if outcome.results and outcome.results[0].shape == shape:
                return Value(outcome.results[0], value.producer)
        known = group.unknown.setdefault((index, shape), [])
        if len(known) >= MAX_UNKNOWN:
            return known[-1]
        site, operation = group.site, group.operation
        place = operation.places[index] if index < len(operation.places) else None
        origin = Origin(
            (provenance.name if provenance else None) or (lambda: site.operand_name(place, index) or "an array"),
            parameter=bool(provenance and provenance.parameter),
            generic=len(known) == MAX_UNKNOWN - 1,
            axis_names=provenance.axis_names if provenance else None,
        )
        layout = fresh_layout(shape, origin)
        written = self._written_ones.get(shape)
        if written:
            layout = with_written_ones(layout, written)
        value = Value(layout, None)
        known.append(value)
        return value

    def _remember_written_ones(self, values: tuple[Value, ...]) -> None:
        """Results of a site that settles are no longer followed: keep at least where their 1s were written."""
        for value in values:
            written = {i for i, axis in enumerate(value.layout.axes) if axis.one and axis.one.intent == "explicit"}
            if written and len(self._written_ones) < MAX_OUTCOMES * MAX_UNKNOWN:
                self._written_ones.setdefault(value.layout.shape, set()).update(written)

    def _interned(self, group: Group, slot: int, layout: Layout, producer: Group | None) -> Value:
        key = (slot, layout)
        value = group.values.get(key)
        if value is None:
            value = Value(layout, producer)
            group.values[key] = value
        return value

    def _generic(self, group: Group) -> tuple[Value, ...]:
        """Results of a site that saw too many different axes to keep telling them apart."""
        if group.generic is None:
            origin = Origin(None, generic=True)
            group.generic = tuple(Value(fresh_layout(shape, origin), group) for shape in group.operation.results)
        return group.generic

    def _transfer(self, group: Group, values: tuple[Value, ...], layouts: tuple[Layout, ...]) -> tuple[Value, ...]:
        from shapecell.tracking.transfer import transfer

        operation = group.operation
        try:
            outcome = transfer(operation, layouts, group.site.result_name)
        except Exception as error:
            self.fault(f"following the axes of {operation.name}", error)
            blank = Operation(operation.name, Opaque(), operation.shapes, operation.results)
            outcome = transfer(blank, layouts, group.site.result_name)
        made = tuple(self._interned(group, slot, layout, group) for slot, layout in enumerate(outcome.results))
        group.memo[layouts] = made
        group.outcomes.append((layouts, outcome))
        return made


__all__ = ["Create", "Failure", "Group", "Identities", "Steady", "Tracker", "Value", "position_of"]
