"""Replaces attributes of NumPy's immutable types, and puts every one of them back.

Two bits of ``tp_flags`` stand in the way: one forbids assignment, the other lets callers pass ``__call__`` by. Only
these two are ever touched, in the one byte that holds them, because other bits of the word change on their own.
"""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

IMMUTABLE = 1 << 8
VECTORCALL = 1 << 11
_BOTH = IMMUTABLE | VECTORCALL
_WORD = ctypes.sizeof(ctypes.c_void_p)
_TABLES = {"number": (-9, 36), "sequence": (-8, 10), "mapping": (-7, 3)}
"""Tables of slots: words from ``tp_flags`` to the pointer of each, and how many slots it has."""
_SLOTS_BEFORE_FLAGS = 15
_FURTHEST = 50 * _WORD
_ITEM, _ASSIGN_ITEM = 3, 5


class UnhookableError(Exception):
    """This interpreter or this NumPy does not let its types be hooked; the text says why."""


@dataclass(frozen=True, slots=True)
class Patch:
    """`hook` stands in for the attribute `name` of `owner`, which is `original` otherwise."""

    owner: type
    name: str
    original: Any
    hook: Any


def _flags_offset(types: Sequence[type]) -> int:
    """Where ``tp_flags`` is, found by its value in several types.

    Raises
    ------
    UnhookableError
        If no single place fits.
    """
    found = [
        offset
        for offset in range(_WORD, _FURTHEST, _WORD)
        if all(ctypes.c_ulong.from_address(id(t) + offset).value == t.__flags__ for t in types)
    ]
    if len(found) != 1:
        raise UnhookableError("the flags of a type were not found where this Python keeps them")
    return int(found[0])


def _pointer(address: int) -> int:
    return ctypes.c_void_p.from_address(address).value or 0


class Hooks:
    """A set of patches that are in place all together or not at all.

    Parameters
    ----------
    patches
        What to replace. Originals are given by the caller, so that they are looked up once and early.

    Raises
    ------
    UnhookableError
        If types cannot be hooked here.
    """

    def __init__(self, patches: Sequence[Patch]) -> None:
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            raise UnhookableError("a Python without the global lock is not supported yet")
        if sys.implementation.name != "cpython":
            raise UnhookableError(f"{sys.implementation.name} keeps its types elsewhere than CPython")
        self.patches = tuple(patches)
        self.owners = tuple(dict.fromkeys(patch.owner for patch in patches))
        self._flags = _flags_offset((*self.owners, int, str, dict, object, type, np.ndarray, np.ufunc))
        self._byte = self._flags + (1 if sys.byteorder == "little" else _WORD - 2)
        self._bits = {owner: owner.__flags__ & _BOTH for owner in self.owners}
        self._called = {patch.owner for patch in self.patches if patch.name == "__call__"}
        self._items = self._item_slots()

    def install(self) -> None:
        """Put every hook in place."""
        for patch in self.patches:
            self._put(patch.owner, patch.name, patch.hook)
        for owner in self.owners:
            self._set_bits(owner, self._bits[owner] & ~(VECTORCALL if owner in self._called else 0))
        self._write_item_slots()

    def remove(self) -> None:
        """Put every original back, however often an interrupt strikes meanwhile; it is raised afterwards."""
        interrupt: KeyboardInterrupt | None = None
        while True:
            try:
                self._remove()
                break
            except KeyboardInterrupt as error:
                interrupt = error
        if interrupt is not None:
            raise interrupt

    @property
    def in_place(self) -> bool:
        """True if any hook is in place."""
        return any(vars(patch.owner).get(patch.name) is not patch.original for patch in self.patches)

    def slots(self, owner: type) -> tuple[int, ...]:
        """Every function pointer of a type, and of its tables of slots."""
        flags = id(owner) + self._flags
        found = [_pointer(flags - _WORD * back) for back in range(1, _SLOTS_BEFORE_FLAGS + 1)]
        for place, count in _TABLES.values():
            table = _pointer(flags + place * _WORD)
            found += [_pointer(table + _WORD * i) for i in range(count)] if table else []
        return tuple(found)

    def _remove(self) -> None:
        for patch in self.patches:
            self._put(patch.owner, patch.name, patch.original)
        for owner in self.owners:
            self._set_bits(owner, self._bits[owner])
        self._write_item_slots()

    def _put(self, owner: type, name: str, value: Any) -> None:
        if vars(owner).get(name) is value:
            return
        self._set_bits(owner, (owner.__flags__ & _BOTH) & ~IMMUTABLE)
        setattr(owner, name, value)

    def _set_bits(self, owner: type, bits: int) -> None:
        byte = ctypes.c_ubyte.from_address(id(owner) + self._byte)
        byte.value = (byte.value & ~(_BOTH >> 8)) | (bits >> 8)

    def _item_slots(self) -> tuple[tuple[int, int], ...]:
        """Address and value of ``sq_item`` and ``sq_ass_item``.

        Assigning ``__getitem__`` changes them too, and giving it back does not mend them. They are kept as they are
        all the time: ``PySequence_GetItem`` and ``PySequence_SetItem`` from C then behave exactly as without a hook.
        """
        found = []
        for owner in self.owners:
            table = _pointer(id(owner) + self._flags + _TABLES["sequence"][0] * _WORD)
            if table:
                found += [(table + _WORD * i, _pointer(table + _WORD * i)) for i in (_ITEM, _ASSIGN_ITEM)]
        return tuple(found)

    def _write_item_slots(self) -> None:
        for address, value in self._items:
            ctypes.c_void_p.from_address(address).value = value


def self_test() -> None:
    """Hook the three types, see that the hooks are called, take them away, see that nothing is left.

    Raises
    ------
    UnhookableError
        If anything is not as expected. No hook is left in place then either.
    """
    seen: list[str] = []

    def trial(owner: type, name: str) -> Patch:
        original = vars(owner)[name]

        def hook(*args: Any, **kwargs: Any) -> Any:
            seen.append(name)
            return original(*args, **kwargs)

        return Patch(owner, name, original, hook)

    dispatcher = type(np.where)
    names = ((np.ufunc, "__call__"), (dispatcher, "__call__"), (np.ndarray, "__getitem__"), (np.ndarray, "__setitem__"))
    array = np.zeros(3)
    hooks = Hooks([trial(owner, name) for owner, name in names])
    before = [(owner.__flags__ & _BOTH, hooks.slots(owner)) for owner in hooks.owners]
    steps: tuple[Callable[[], Any], ...] = (
        lambda: array + array,
        lambda: np.shape(array),
        lambda: array[np.array([0, 1])],
        lambda: array.__setitem__(0, 1.0),
    )
    try:
        hooks.install()
        for step, (_, name) in zip(steps, names, strict=True):
            seen.clear()
            step()
            if name not in seen:
                raise UnhookableError(f"a hook of {name} is not called by this NumPy")
    finally:
        hooks.remove()
    seen.clear()
    for step in steps:
        step()
    if seen or hooks.in_place or before != [(o.__flags__ & _BOTH, hooks.slots(o)) for o in hooks.owners]:
        raise UnhookableError("a hook could not be taken away completely")
