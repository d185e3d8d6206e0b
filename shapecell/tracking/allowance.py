"""Which rules the user allows where the code runs now (``with shapecell.allow(...)``)."""

from __future__ import annotations

from contextvars import ContextVar

EVERY = "*"
"""Stands for every rule."""

ALLOWED: ContextVar[frozenset[str]] = ContextVar("shapecell_allowed", default=frozenset())
"""Codes of the rules that are allowed."""
