"""Rows of PyTorch: single operations against a pass-through mode, and whole training steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import nn
from torch.overrides import TorchFunctionMode

from tests.benchmarks.measure import CHECKED, PLAIN, Effort, Row, in_turns, passes

LOOP = 100


class PassThrough(TorchFunctionMode):
    """The least that a hook on PyTorch can do."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        return func(*args, **(kwargs or {}))


def operations() -> dict[str, Callable[[], object]]:
    """Loops of `LOOP` executions of one small operation."""
    a, b = torch.randn(16, 16), torch.randn(16, 16)
    row, column = torch.randn(16), torch.randn(16, 1)

    def add_equal() -> None:
        for _ in range(LOOP):
            a + b

    def add_row() -> None:
        for _ in range(LOOP):
            a + row

    def outer_product() -> None:
        for _ in range(LOOP):
            column * row

    def scalar() -> None:
        for _ in range(LOOP):
            a * 2.0

    def exponential() -> None:
        for _ in range(LOOP):
            torch.exp(a)

    def matrix_product() -> None:
        for _ in range(LOOP):
            a @ b

    def reduction() -> None:
        for _ in range(LOOP):
            a.sum(dim=-1)

    def view() -> None:
        for _ in range(LOOP):
            row.unsqueeze(-1)

    def index() -> None:
        for _ in range(LOOP):
            a[:, None]

    return {
        "a + b, equal shapes": add_equal,
        "a + row, repeated broadcast": add_row,
        "column * row, both stretched": outer_product,
        "a * 2.0": scalar,
        "torch.exp(a)": exponential,
        "a @ b": matrix_product,
        "a.sum(dim=-1)": reduction,
        "row.unsqueeze(-1)": view,
        "a[:, None]": index,
    }


def mlp_step() -> Callable[[], object]:
    """One training step of a small regression network: batch 128, width 256."""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(32, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 1))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x, y = torch.randn(128, 32), torch.randn(128)

    def step() -> None:
        loss = ((model(x).squeeze(-1) - y) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


class Block(nn.Module):
    """A transformer block as it is written in many notebooks: causal attention, then two linear layers."""

    def __init__(self, width: int = 128, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.norm_1, self.norm_2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm_1(x)).split(width, dim=-1)
        q, k, v = (t.view(batch, length, self.heads, -1).transpose(1, 2) for t in (q, k, v))
        scores = q @ k.transpose(-2, -1) / (width // self.heads) ** 0.5
        mask = torch.tril(torch.ones(length, length, dtype=torch.bool))
        weights = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, length, width))
        return x + self.down(torch.nn.functional.gelu(self.up(self.norm_2(x))))


def _sequence_step(model: nn.Module) -> Callable[[], object]:
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    x, target = torch.randn(16, 64, 128), torch.randn(16, 64, 128)

    def step() -> None:
        loss = ((model(x) - target) ** 2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def transformer_step() -> Callable[[], object]:
    """One training step of two hand-written transformer blocks: batch 16, length 64, width 128."""
    torch.manual_seed(0)
    return _sequence_step(nn.Sequential(Block(), Block()))


def encoder_step() -> Callable[[], object]:
    """The same size with PyTorch's own layers."""
    torch.manual_seed(0)
    layer = nn.TransformerEncoderLayer(d_model=128, nhead=4, dim_feedforward=512, batch_first=True)
    return _sequence_step(nn.TransformerEncoder(layer, 2, enable_nested_tensor=False))


@contextmanager
def one_thread() -> Iterator[None]:
    """Let PyTorch compute in this thread only, whose processor time is what is measured."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def rows(effort: Effort) -> Iterator[Row]:
    with one_thread():
        yield from _rows(effort)


def _rows(effort: Effort) -> Iterator[Row]:
    variants = {"plain": PLAIN, "pass": PassThrough, "checked": CHECKED}
    for name, loop in operations().items():
        spent = {key: value / LOOP * 1e6 for key, value in in_turns(loop, variants, effort).items()}
        hook, added = spent["pass"] - spent["plain"], spent["checked"] - spent["plain"]
        detail = f"plain {spent['plain']:.2f} µs, pass-through +{hook:.2f} µs, checked +{added:.2f} µs"
        yield Row("torch operation, added cost / pass-through mode's", name, added / hook, "×", 2.0, detail)
    steps = {
        "MLP, batch 128, width 256": (mlp_step, 1.5),
        "2 transformer blocks, hand-written": (transformer_step, 1.15),
        "2 transformer blocks, nn.TransformerEncoder": (encoder_step, 1.15),
    }
    for name, (make, target) in steps.items():
        spent = {key: value * 1e3 for key, value in in_turns(make(), variants, effort).items()}
        detail = f"plain {spent['plain']:.3f} ms, pass-through ×{spent['pass'] / spent['plain']:.2f}"
        yield Row(
            "torch training step on one thread, checked / plain",
            name,
            spent["checked"] / spent["plain"],
            "×",
            target,
            detail,
        )
    for name, (make, _) in steps.items():
        plain, first, later = passes(make, effort.warm, effort)
        detail = f"settled ×{later / plain:.2f}, first pass {first * 1e3:.1f} ms"
        yield Row("torch training step on one thread, first pass / plain", name, first / plain, "×", None, detail)
