"""Every table of calls in one."""

from __future__ import annotations

from shapecell.adapters.numpy import contractions, elementwise, indexing, reductions, views
from shapecell.adapters.numpy.call import Describe
from shapecell.adapters.numpy.elementwise import INSENSITIVE

TABLE: dict[str, Describe] = {
    **elementwise.TABLE,
    **views.TABLE,
    **indexing.TABLE,
    **contractions.TABLE,
    **reductions.TABLE,
}
"""Describing functions by base name: a function's or method's name, with its subpackage (``"linalg.norm"``)."""

_METHODS = """
    sum mean max min prod std var any all argmax argmin cumsum cumprod reshape transpose swapaxes squeeze ravel flatten
    repeat take dot sort argsort partition argpartition astype copy diagonal trace clip round compress choose put
    searchsorted conj conjugate byteswap
"""
METHODS = tuple(_METHODS.split())
"""Methods of ndarray that are hooked."""

UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")
"""Methods of ufunc that are hooked."""

__all__ = ["INSENSITIVE", "METHODS", "TABLE", "UFUNC_METHODS"]
