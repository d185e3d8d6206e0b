"""Adapters: one per framework, each translating calls into the vocabulary of `shapecell.tracking.operation`."""
