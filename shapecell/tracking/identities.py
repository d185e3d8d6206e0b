"""Which array is which: what is known of each live array, without keeping it alive."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any
from weakref import ref

from shapecell.tracking.groups import Value

MAX_SCALARS = 256


class Identities:
    """What is known of each live array: ``id → (weak reference, value)``, validated by identity on each look-up.

    Arrays are never kept alive. Entries of dead arrays are swept as the table grows, so it stays proportional to
    the number of live arrays.
    """

    def __init__(self) -> None:
        self._table: dict[int, tuple[Any, Value]] = {}
        self._scalars: OrderedDict[int, tuple[Any, Value]] = OrderedDict()
        self._sweep_at = 4096

    def get(self, array: Any) -> Value | None:
        entry = self._table.get(id(array))
        if entry is not None and entry[0]() is array:
            return entry[1]
        scalar = self._scalars.get(id(array))
        return scalar[1] if scalar is not None and scalar[0] is array else None

    def put(self, array: Any, value: Value) -> None:
        try:
            reference: Any = ref(array)
        except TypeError:
            self._put_scalar(array, value)
            return
        table = self._table
        table[id(array)] = (reference, value)
        if len(table) > self._sweep_at:
            for key in [k for k, (r, _) in list(table.items()) if r() is None]:
                table.pop(key, None)
            self._sweep_at = max(4096, 2 * len(table))

    def _put_scalar(self, scalar: Any, value: Value) -> None:
        """Scalars of some frameworks (``numpy.float64``) allow no weak reference; the latest few are held."""
        if value.layout.shape != ():
            return
        self._scalars.pop(id(scalar), None)
        self._scalars[id(scalar)] = (scalar, value)
        if len(self._scalars) > MAX_SCALARS:
            self._scalars.popitem(last=False)

    def clear(self) -> None:
        self._table.clear()
        self._scalars.clear()

    def __len__(self) -> int:
        return len(self._table)
