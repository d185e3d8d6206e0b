"""Code under the adapter does what it does without: values, gradients, warnings, errors, tracebacks, graphs."""

from __future__ import annotations

import linecache
import traceback
import warnings
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from shapecell.adapters.torch.frames import clean_traceback
from tests.adapters.torch.collecting import Collector, watching


class Outcome:
    """What a piece of code did."""

    def __init__(self, source: str, *, followed: bool) -> None:
        self.collector = Collector()
        name = "<exact>"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        code = compile(source, name, "exec")
        self.space: dict[str, Any] = {"torch": torch, "nn": nn, "F": nn.functional, "np": np, "__name__": "__main__"}
        self.error: BaseException | None = None
        torch.manual_seed(0)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                if followed:
                    with watching(self.collector):
                        exec(code, self.space)
                else:
                    exec(code, self.space)
            except BaseException as error:
                self.error = error
        self.random = torch.get_rng_state()
        self.warnings = [(str(w.message), w.category, w.filename, w.lineno) for w in caught]

    def values(self) -> dict[str, Any]:
        kept = (torch.Tensor, np.ndarray, float, int, str)
        return {key: value for key, value in self.space.items() if isinstance(value, kept)}

    def trace(self) -> list[tuple[str, int | None, str]]:
        assert self.error is not None
        clean_traceback(self.error)
        entries = traceback.extract_tb(self.error.__traceback__)
        return [
            (e.filename, e.lineno, e.name) for e in entries if e.filename != __file__ and "collecting" not in e.filename
        ]


def same(source: str) -> Outcome:
    """Run `source` without and with the adapter, and compare everything; torch's once-only warnings come first."""
    Outcome(source, followed=False)
    plain, followed = Outcome(source, followed=False), Outcome(source, followed=True)
    assert not followed.collector.faults, followed.collector.faults
    assert followed.warnings == plain.warnings
    assert torch.equal(followed.random, plain.random)
    assert type(followed.error) is type(plain.error)
    if plain.error is not None:
        assert followed.error is not None
        assert str(followed.error) == str(plain.error)
        assert followed.trace() == plain.trace()
        assert repr(followed.error.__context__) == repr(plain.error.__context__)
        assert repr(followed.error.__cause__) == repr(plain.error.__cause__)
        assert followed.error.__suppress_context__ == plain.error.__suppress_context__
    mine, other = followed.values(), plain.values()
    assert mine.keys() == other.keys()
    for name, value in other.items():
        assert type(mine[name]).__name__ == type(value).__name__
        if isinstance(value, torch.Tensor) and value.device.type == "cpu" and not value.is_nested:
            plain_value, followed_value = (v.as_subclass(torch.Tensor) for v in (value, mine[name]))
            if value.layout is not torch.strided:
                plain_value, followed_value = plain_value.to_dense(), followed_value.to_dense()
            assert torch.equal(plain_value, followed_value)
        elif isinstance(value, np.ndarray):
            np.testing.assert_array_equal(mine[name], value)
        elif isinstance(value, str | int | float):
            assert mine[name] == value
    return followed


TRAINING = """
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Dropout(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
for step in range(12):
    loss = F.mse_loss(model(torch.randn(5, 3)), torch.randn(5, 1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
gradient = model[0].weight.grad
"""

VALUES = [
    TRAINING,
    "m = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), 2).eval()\n"
    "with torch.no_grad(): r = m(torch.randn(3, 5, 8))",
    "m = nn.MultiheadAttention(8, 2, batch_first=True).eval()\n"
    "with torch.no_grad(): r = m(*[torch.randn(3, 5, 8)] * 3)[0]",
    "r, (h, c) = nn.LSTM(3, 4, batch_first=True)(torch.randn(2, 5, 3))",
    "from torch.func import grad, vmap\nr = vmap(grad(lambda a: (a ** 2).sum()))(torch.randn(3, 2))",
    "t = torch.jit.trace(lambda a: a.view(a.shape[0], -1) * 2, torch.randn(3, 2, 2))\n"
    "g = t.graph.str(False)\nr = t(torch.randn(5, 2, 2))",
    "def f(a): return a.view(a.shape[0], -1) * 2\nfor i in range(20): f(torch.randn(3, 2, 2))\n"
    "g = torch.jit.trace(f, torch.randn(3, 2, 2)).graph.str(False)",
    "r = torch.empty(3, 4, device='meta') @ torch.empty(4, 5, device='meta')",
    "r = torch.sparse_coo_tensor([[0, 1], [1, 0]], [1.0, 2.0], (2, 2)) @ torch.ones(2, 2)",
    "r = torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8).dequantize()",
    "class T(torch.Tensor): pass\nr = torch.ones(3).as_subclass(T) * 2\nkind = type(r).__name__",
    "with torch.device('meta'): r = torch.ones(3)",
    "torch.set_default_device('cpu')\nr = torch.ones(3) + 1\ntorch.set_default_device(None)",
    "import copy, io, pickle\nx = torch.ones(3, requires_grad=True)\ny = copy.deepcopy(x * 2 - x)\n"
    "z = pickle.loads(pickle.dumps(x))\nb = io.BytesIO()\ntorch.save(x, b)\nsize = len(b.getvalue())",
    "from torch.utils.checkpoint import checkpoint\nx = torch.randn(3, requires_grad=True)\n"
    "checkpoint(lambda a: (a * 2).sin(), x, use_reentrant=False).sum().backward()\ng = x.grad",
    "from torch.utils.data import DataLoader, TensorDataset\n"
    "r = [b[0] for b in DataLoader(TensorDataset(torch.arange(10.0)), batch_size=4, shuffle=True)][0]",
    "from torch.fx.experimental.proxy_tensor import make_fx\n"
    "c = make_fx(lambda a: a.view(-1, 1) * 2, tracing_mode='symbolic')(torch.ones(3)).code",
    "c = str(torch.export.export(nn.Linear(2, 3), (torch.ones(1, 2),)).graph)",
    "c = str(torch.fx.symbolic_trace(nn.Linear(2, 3)).graph)",
    "r = torch.from_numpy(np.arange(3.0))\ns = np.asarray(torch.ones(2)) + 1\nt = torch.as_tensor(np.ones(2))",
    "x = torch.zeros(2, 3)\nx[:, 1] = torch.ones(2)\nx[x > 0.5] = 7.0\nx[torch.tensor([0])] += 1\nx.T.add_(1)",
]


@pytest.mark.parametrize("source", VALUES)
def test_values_and_gradients(source: str) -> None:
    same(source)


def test_scripted_functions_run() -> None:
    module = torch.jit.script(nn.Linear(3, 2))
    x = torch.randn(4, 3)
    expected = module(x)
    with watching():
        assert torch.equal(module(x), expected)


WARNINGS = [
    "r = F.mse_loss(torch.ones(3, 1), torch.ones(3))",
    "r = nn.MSELoss()(torch.ones(3, 1), torch.ones(3))",
    "r = F.softmax(torch.ones(3, 2))",
    "r = torch.tensor(torch.ones(3))",
    "for i in range(10): F.l1_loss(torch.ones(3, 1), torch.ones(3))",
]


@pytest.mark.parametrize("source", WARNINGS)
def test_warnings_name_the_same_line_of_the_same_file(source: str) -> None:
    assert same(source).warnings


ERRORS = [
    "r = torch.ones(3) + torch.ones(4)",
    "for n in [3] * 12 + [4]:\n    r = torch.ones(3) + torch.ones(n)",
    "def f(a, b):\n    return a @ b\nfor n in [3] * 12 + [2]:\n    f(torch.ones(3, 3), torch.ones(n, 3))",
    "r = F.mse_loss(torch.ones(3), torch.ones(4))",
    "r = nn.Linear(3, 2)(torch.ones(4, 5))",
    "torch.ones(3).item()",
    "if torch.ones(3): pass",
    "torch.ones(3).size(5)",
    "torch.ones(3).no_such_name",
    "torch.ones(3)[5]",
    "torch.ones(3, 1).sum(dim=7)",
    "torch.max(torch.ones(3, 2), 5)",
    "x = torch.ones(3)\nx += torch.ones(4)",
    "torch.stack([torch.ones(3), torch.ones(2)])",
    "torch.broadcast_tensors(torch.ones(3), torch.ones(2))",
    "torch.einsum('ij,jk', torch.ones(2, 3), torch.ones(2, 3))",
    "1 - torch.ones(3) - torch.ones(4)",
    "'a' - torch.ones(3)",
    "torch.ones(3) ** torch.ones(4)",
    "np.ones(3) @ torch.ones(3)",
    "torch.from_numpy([1])",
    "try:\n    torch.ones(3) + torch.ones(4)\nexcept RuntimeError as e:\n    raise ValueError('x') from e",
    "try:\n    torch.ones(3) + torch.ones(4)\nexcept RuntimeError:\n    torch.ones(3) @ torch.ones(4)",
    "import warnings\nwarnings.simplefilter('error')\nF.mse_loss(torch.ones(3, 1), torch.ones(3))",
    "torch.distributions.Normal(torch.ones(3), -torch.ones(3), validate_args=True)",
    "class T(torch.Tensor):\n    @classmethod\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\n"
    "        raise ValueError('mine')\nr = torch.ones(3).as_subclass(T) * 2",
    "class A(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): return x * 2\n"
    "    @staticmethod\n    def backward(ctx, g): return g @ g\n"
    "A.apply(torch.ones(3, 2, requires_grad=True)).sum().backward()",
]


@pytest.mark.parametrize("source", ERRORS)
def test_errors_and_their_tracebacks(source: str) -> None:
    assert same(source).error is not None


def test_a_tensor_error_is_told_to_the_tracker_with_its_operation() -> None:
    collector = Outcome("torch.ones(3, 2) + torch.ones(4, 2)", followed=True).collector
    operation, error = collector.failures[0]
    assert operation.name == "torch.add"
    assert operation.shapes == ((3, 2), (4, 2))
    assert operation.results == ()
    assert isinstance(error, RuntimeError)


def test_while_an_error_passes_nothing_of_ours_stays_in_its_traceback() -> None:
    """Also before it has left the checked code, for functions implemented in C."""
    with watching():
        try:
            torch.ones(3) + torch.ones(4)
        except RuntimeError as error:
            entries = traceback.extract_tb(error.__traceback__)
    assert [entry.filename for entry in entries] == [__file__]


def test_modes_and_subclasses_of_the_user_see_only_the_users_calls() -> None:
    function_mode = (
        "from torch.overrides import TorchFunctionMode\nlog = ''\n"
        "class M(TorchFunctionMode):\n    def __torch_function__(self, func, types, args=(), kwargs=None):\n"
        "        global log\n        log += func.__name__ + ' '\n        return func(*args, **(kwargs or {}))\n"
    )
    dispatch_mode = (
        "from torch.utils._python_dispatch import TorchDispatchMode\nlog = ''\n"
        "class M(TorchDispatchMode):\n    def __torch_dispatch__(self, func, types, args=(), kwargs=None):\n"
        "        global log\n        log += str(func) + ' '\n        return func(*args, **(kwargs or {}))\n"
    )
    work = (
        "with M():\n    x = torch.ones(3)[torch.tensor([0, 1])] + 1\n"
        "    x[torch.tensor([True, False])] = torch.ones(1)\n"
        "    x.unsqueeze_(0)\n    torch.einsum('ij->i', x)\n    torch.quantile(x, torch.tensor([0.1, 0.2]))\n"
    )
    subclass = (
        "log = ''\nclass T(torch.Tensor):\n    @classmethod\n"
        "    def __torch_function__(cls, func, types, args=(), kwargs=None):\n        global log\n"
        "        log += func.__name__ + ' '\n"
        "        return super().__torch_function__(func, types, args, kwargs or {})\n"
        "x = torch.ones(3, 1).as_subclass(T)\ny = (x - torch.ones(3)).sum()\n"
    )
    for source in (function_mode + work, dispatch_mode + work, subclass):
        assert same(source).values()["log"]


def test_nested_tensors_are_said_to_be_left_out() -> None:
    outcome = same(
        "def f(a): return a * 2\nfor i in range(12): f(torch.ones(3))\n"
        "r = f(torch.nested.nested_tensor([torch.ones(2, 3), torch.ones(4, 3)]))"
    )
    assert ("torch.mul", "a nested tensor has no single shape") in outcome.collector.problems
