"""The NumPy adapter: hooks ufuncs, array functions, methods and subscripts while a check runs."""

from __future__ import annotations

from shapecell.adapters.numpy.adapter import NumpyAdapter


def make_adapter() -> NumpyAdapter:
    """The adapter. It hooks nothing until `install` is called."""
    return NumpyAdapter()


__all__ = ["NumpyAdapter", "make_adapter"]
