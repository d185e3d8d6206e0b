"""torchdiffeq: neural differential equations, adjoints, events and a continuous flow."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torchdiffeq import odeint, odeint_adjoint, odeint_event

METHODS = ["euler", "midpoint", "rk4", "dopri5", "bosh3", "adaptive_heun", "explicit_adams", "dopri8"]


def _spiral(method: str) -> Callable[[int, int], None]:
    def run(times: int, batch: int) -> None:
        matrix = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
        net = torch.nn.Sequential(torch.nn.Linear(2, 12), torch.nn.Tanh(), torch.nn.Linear(12, 2))
        t = torch.linspace(0.0, 1.0, times)
        start = torch.randn(batch, 2)
        truth = odeint(lambda t, y: y**3 @ matrix, start * 0.5, t, method=method)
        guess = odeint(lambda t, y: net(y**3), start * 0.5, t, method=method)
        error = (guess - truth).abs().mean(dim=-1)
        late = error * torch.linspace(0.5, 1.5, times)[:, None]
        scaled = (guess - truth) / truth.std(dim=(0, 1))
        loss = late.mean() + 1e-3 * scaled.pow(2).mean()
        loss.backward()
        assert error.shape == (times, batch)

    return run


class Dynamics(torch.nn.Module):
    """Time is one more input, as a column."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(width + 1, 16), torch.nn.Softplus(), torch.nn.Linear(16, width))

    def forward(self, t: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        clock = torch.ones_like(y[:, :1]) * t
        return self.net(torch.cat([y, clock], dim=1))


def adjoint(times: int, batch: int) -> None:
    """Training by the adjoint method, classifying the last state."""
    model, head = Dynamics(4), torch.nn.Linear(4, batch)
    y = odeint_adjoint(model, torch.randn(batch, 4), torch.linspace(0, 1, times), method="rk4")
    logits = head(y[-1])
    label = torch.randint(0, batch, (batch,))
    F.cross_entropy(logits, label).backward()
    accuracy = (logits.argmax(dim=1) == label).float().mean()
    assert accuracy <= 1


def flow(times: int, batch: int) -> None:
    """A continuous normalising flow: the trace of the Jacobian travels along as a column."""
    net = torch.nn.Sequential(torch.nn.Linear(2, 16), torch.nn.Tanh(), torch.nn.Linear(16, 2))

    def both(t: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        z = state[0]
        with torch.enable_grad():
            z = z.requires_grad_(True)
            dz = net(z)
            trace = torch.zeros(len(z))
            for i in range(2):
                trace = trace + torch.autograd.grad(dz[:, i].sum(), z, create_graph=True)[0][:, i]
        return dz, -trace.view(-1, 1)

    z, change = odeint(both, (torch.randn(batch, 2), torch.zeros(batch, 1)), torch.linspace(0, 1, times), method="rk4")
    base = torch.distributions.MultivariateNormal(torch.zeros(2), torch.eye(2))
    log_p = base.log_prob(z[-1]) - change[-1].view(-1)
    (-log_p.mean()).backward()
    assert log_p.shape == (batch,)


def bouncing(times: int, batch: int) -> None:
    """Event handling: balls that fall until the first reaches the ground."""
    height = torch.rand(batch) + 1.0

    def fall(t: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        _, velocity = state
        return velocity, -9.8 * torch.ones_like(velocity) - 0.1 * velocity

    when, states = odeint_event(
        fall, (height, torch.zeros(batch)), torch.tensor(0.0), event_fn=lambda t, s: s[0].min(), atol=1e-6, rtol=1e-6
    )
    energy = 9.8 * states[0] + 0.5 * states[1] ** 2
    lost = energy[0] - energy[-1]
    share = lost / energy[0]
    assert when > 0 and share.shape == (batch,)


def latent(times: int, batch: int) -> None:
    """A latent equation: encoder, reparametrisation, decoded path and a Gaussian likelihood."""
    t = torch.linspace(0, 2, times)
    seen = torch.sin(t[None, :, None] + torch.rand(batch, 1, 1)) * torch.tensor([1.0, 0.5, 2.0])
    encoder, decoder, model = torch.nn.GRU(3, 10, batch_first=True), torch.nn.Linear(4, 3), Dynamics(4)
    _, hidden = encoder(seen.flip(1))
    mean, log_var = torch.nn.Linear(10, 8)(hidden[0]).chunk(2, dim=1)
    z = mean + torch.randn_like(mean) * (0.5 * log_var).exp()
    path = decoder(odeint(model, z, t, method="midpoint")).transpose(0, 1)
    likelihood = torch.distributions.Normal(path, 0.3).log_prob(seen).sum(dim=(1, 2))
    kl = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).sum(dim=1)
    (kl - likelihood).mean().backward()
    assert kl.shape == (batch,)


PROGRAMS: list[tuple[str, Callable[[int, int], None]]] = [
    *((f"spiral_{method}", _spiral(method)) for method in METHODS),
    ("adjoint", adjoint),
    ("flow", flow),
    ("bouncing", bouncing),
    ("latent", latent),
]
SIZES = {"odd": (7, 5), "equal": (8, 8), "two": (5, 2)}


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{name}.{size}", _bind(run, sizes)) for name, run in PROGRAMS for size, sizes in SIZES.items()
]
