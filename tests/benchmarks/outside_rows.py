"""Rows of what remains when no check runs: nothing."""

from __future__ import annotations

import sys
import threading
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import nn

import shapecell
from tests.benchmarks import numpy_rows, torch_rows
from tests.benchmarks.measure import PLAIN, Effort, Row, in_turns

OWNERS: dict[str, object] = {
    "numpy": np,
    "numpy.linalg": np.linalg,
    "numpy.ndarray": np.ndarray,
    "numpy.ufunc": np.ufunc,
    "type(numpy.where)": type(np.where),
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.linalg": torch.linalg,
    "torch.nn.functional": nn.functional,
    "torch.nn.Module": nn.Module,
    "torch.nn.Linear": nn.Linear,
    "torch.distributions.Normal": torch.distributions.Normal,
    "torch.autograd.Function": torch.autograd.Function,
    "threading": threading,
    "threading.Thread": threading.Thread,
    "warnings": warnings,
}


def attributes() -> dict[str, object]:
    """Every attribute that a check could replace, and the flags of the types that it could hook."""
    found: dict[str, object] = {}
    for owner, thing in OWNERS.items():
        found.update({f"{owner}.{name}": value for name, value in vars(thing).items()})
        if isinstance(thing, type):
            found[f"flags of {owner}"] = thing.__flags__ & HOOK_FLAGS
    found["sys.meta_path"] = tuple(sys.meta_path)
    found["sys.excepthook"] = sys.excepthook
    found["torch function modes"] = torch.overrides._len_torch_function_stack()
    return found


IMMUTABLE_TYPE, HAVE_VECTORCALL = 1 << 8, 1 << 11
HOOK_FLAGS = IMMUTABLE_TYPE | HAVE_VECTORCALL


def differences(before: dict[str, object], after: dict[str, object]) -> list[str]:
    """Names of attributes that are not the same objects."""

    def same(name: str) -> bool:
        if name not in before or name not in after:
            return False
        x, y = before[name], after[name]
        return x is y or (isinstance(x, (int, tuple)) and x == y)

    return sorted(name for name in before.keys() | after.keys() if not same(name))


def rows(effort: Effort) -> Iterator[Row]:
    loops: dict[str, Callable[[], object]] = {
        "numpy a + b": numpy_rows.operations()["a + b, equal shapes"][0],
        "torch a + b": torch_rows.operations()["a + b, equal shapes"],
    }
    before = attributes()
    never = {name: _best(loop, effort) for name, loop in loops.items()}
    with shapecell.check():
        during = attributes()
        for loop in loops.values():
            loop()
    after = attributes()
    for name, loop in loops.items():
        ratio = _best(loop, effort) / never[name]
        yield Row("outside a check, after / before the first check", name, round(ratio, 2), "×", 1.03)
    left = differences(before, after)
    detail = f"of {len(before):,} looked at; {len(differences(before, during))} were during the check" + "".join(
        f"; {name}" for name in left
    )
    yield Row(
        "outside a check, attributes replaced", "numpy, torch, sys, threading, warnings", len(left), "", 0, detail
    )


def _best(loop: Callable[[], object], effort: Effort) -> float:
    longer = Effort(effort.rounds * 3, effort.seconds / 2, effort.warm)
    return in_turns(loop, {"plain": PLAIN}, longer)["plain"]
