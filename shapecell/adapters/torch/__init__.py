"""The PyTorch adapter: follows torch's Python API through a `TorchFunctionMode`."""

from __future__ import annotations

from shapecell.adapters.torch.adapter import TorchAdapter


def make_adapter() -> TorchAdapter:
    """The adapter; importing this module imports torch."""
    return TorchAdapter()


__all__ = ["TorchAdapter", "make_adapter"]
