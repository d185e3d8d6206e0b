"""gpytorch: exact, batched, multi-task, variational and deep-kernel Gaussian processes, trained and predicting."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import gpytorch
import torch
from gpytorch.distributions import MultitaskMultivariateNormal, MultivariateNormal


class Exact(gpytorch.models.ExactGP):
    """One output, any kernel."""

    def __init__(self, x: Any, y: Any, likelihood: Any, kernel: Any, batch: torch.Size = torch.Size()) -> None:
        super().__init__(x, y, likelihood)
        self.mean = gpytorch.means.ConstantMean(batch_shape=batch)
        self.kernel = gpytorch.kernels.ScaleKernel(kernel, batch_shape=batch)

    def forward(self, x: torch.Tensor) -> MultivariateNormal:
        return MultivariateNormal(self.mean(x), self.kernel(x))


class Tasks(gpytorch.models.ExactGP):
    """Several correlated outputs."""

    def __init__(self, x: Any, y: Any, likelihood: Any, tasks: int) -> None:
        super().__init__(x, y, likelihood)
        self.mean = gpytorch.means.MultitaskMean(gpytorch.means.ConstantMean(), num_tasks=tasks)
        self.kernel = gpytorch.kernels.MultitaskKernel(gpytorch.kernels.RBFKernel(), num_tasks=tasks, rank=1)

    def forward(self, x: torch.Tensor) -> MultitaskMultivariateNormal:
        return MultitaskMultivariateNormal(self.mean(x), self.kernel(x))


class Sparse(gpytorch.models.ApproximateGP):
    """A variational process with inducing points."""

    def __init__(self, points: torch.Tensor) -> None:
        distribution = gpytorch.variational.CholeskyVariationalDistribution(points.size(-2))
        strategy = gpytorch.variational.VariationalStrategy(self, points, distribution, learn_inducing_locations=True)
        super().__init__(strategy)
        self.mean = gpytorch.means.LinearMean(points.size(-1))
        self.kernel = gpytorch.kernels.ScaleKernel(gpytorch.kernels.MaternKernel(1.5, ard_num_dims=points.size(-1)))

    def forward(self, x: torch.Tensor) -> MultivariateNormal:
        return MultivariateNormal(self.mean(x), self.kernel(x))


def _train(model: Any, likelihood: Any, x: torch.Tensor, y: torch.Tensor, steps: int = 3) -> None:
    model.train()
    likelihood.train()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    objective = gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model)
    for _ in range(steps):
        optimiser.zero_grad()
        loss = -objective(model(x), y).sum()
        loss.backward()
        optimiser.step()
    model.eval()
    likelihood.eval()


def _kernel(make: Callable[[int], Any]) -> Callable[[int, int], None]:
    def run(n: int, d: int) -> None:
        x = torch.rand(n, d)
        y = torch.sin(2 * math.pi * x[:, 0]) + 0.1 * torch.randn(n)
        y = (y - y.mean()) / y.std()
        likelihood = gpytorch.likelihoods.GaussianLikelihood()
        model = Exact(x, y, likelihood, make(d))
        _train(model, likelihood, x, y)
        test = torch.rand(n, d)
        with torch.no_grad():
            out = likelihood(model(test))
        truth = torch.sin(2 * math.pi * test[:, 0])
        low, high = out.confidence_region()
        inside = ((low <= truth) & (truth <= high)).float().mean()
        nll = 0.5 * ((truth - out.mean) ** 2 / out.variance + out.variance.log() + math.log(2 * math.pi)).mean()
        z = (truth - out.mean) / out.stddev
        deviation = out.covariance_matrix.diagonal().sqrt()
        correlation = out.covariance_matrix / (deviation[:, None] * deviation)
        assert inside <= 1 and torch.isfinite(nll) and z.shape == (n,) and correlation.shape == (n, n)

    return run


def batched(n: int, d: int) -> None:
    """A batch of independent processes, standardised per process."""
    x, y = torch.rand(d, n, 1), torch.randn(d, n)
    y = (y - y.mean(dim=1, keepdim=True)) / y.std(dim=1, keepdim=True)
    shape = torch.Size([d])
    likelihood = gpytorch.likelihoods.GaussianLikelihood(batch_shape=shape)
    model = Exact(x, y, likelihood, gpytorch.kernels.RBFKernel(batch_shape=shape), shape)
    _train(model, likelihood, x, y)
    with torch.no_grad():
        out = likelihood(model(torch.rand(d, n, 1)))
    error = (out.mean - y).pow(2).mean(dim=-1).sqrt()
    relative = error / y.std(dim=-1)
    assert relative.shape == (d,)


def multitask(n: int, tasks: int) -> None:
    """Correlated tasks, errors per task."""
    x = torch.linspace(0, 1, n)
    phase = torch.arange(tasks) / tasks
    y = torch.sin(2 * math.pi * (x[:, None] + phase)) + 0.1 * torch.randn(n, tasks)
    likelihood = gpytorch.likelihoods.MultitaskGaussianLikelihood(num_tasks=tasks)
    model = Tasks(x, y, likelihood, tasks)
    _train(model, likelihood, x, y)
    with torch.no_grad():
        out = likelihood(model(x))
    per_task = ((out.mean - y) ** 2).mean(dim=0) / y.var(dim=0)
    low, high = out.confidence_region()
    assert per_task.shape == (tasks,) and (low <= high).all()


def variational(n: int, d: int) -> None:
    """Minibatches with a variational bound; the last batch is incomplete."""
    x, y = torch.rand(3 * n, d), torch.randn(3 * n)
    model, likelihood = Sparse(x[:5].clone()), gpytorch.likelihoods.GaussianLikelihood()
    bound = gpytorch.mlls.VariationalELBO(likelihood, model, num_data=len(x))
    optimiser = torch.optim.Adam([*model.parameters(), *likelihood.parameters()], lr=0.05)
    for start in range(0, len(x) - 2, n - 2):
        optimiser.zero_grad()
        loss = -bound(model(x[start : start + n - 2]), y[start : start + n - 2])
        loss.backward()
        optimiser.step()
    model.eval()
    with torch.no_grad():
        out = likelihood(model(x))
        samples = out.rsample(torch.Size([7]))
    spread = samples - samples.mean(dim=0)
    assert spread.shape == (7, 3 * n)


def classification(n: int, d: int) -> None:
    """Bernoulli likelihood over a sparse process."""
    x = torch.randn(2 * n, d)
    y = (x.sum(dim=1) > 0).float()
    model, likelihood = Sparse(x[:6].clone()), gpytorch.likelihoods.BernoulliLikelihood()
    bound = gpytorch.mlls.PredictiveLogLikelihood(likelihood, model, num_data=len(x))
    (-bound(model(x), y)).backward()
    model.eval()
    with torch.no_grad():
        chance = likelihood(model(x)).probs
    accuracy = ((chance > 0.5).float() == y).float().mean()
    brier = (chance - y).pow(2).mean()
    assert accuracy <= 1 and brier <= 1


def deep_kernel(n: int, d: int) -> None:
    """A network before the kernel, its outputs scaled per batch."""
    net = torch.nn.Sequential(torch.nn.Linear(d, 10), torch.nn.ReLU(), torch.nn.Linear(10, 2))

    class Deep(Exact):
        def __init__(self, x: Any, y: Any, likelihood: Any) -> None:
            super().__init__(x, y, likelihood, gpytorch.kernels.RBFKernel(ard_num_dims=2))
            self.net = net

        def forward(self, x: torch.Tensor) -> MultivariateNormal:
            z = self.net(x)
            z = z - z.min(0)[0]
            z = 2 * (z / (z.max(0)[0] + 1e-6)) - 1
            return MultivariateNormal(self.mean(z), self.kernel(z))

    x, y = torch.randn(n, d), torch.randn(n)
    likelihood = gpytorch.likelihoods.GaussianLikelihood()
    model = Deep(x, y, likelihood)
    _train(model, likelihood, x, y)
    with torch.no_grad():
        assert model(torch.randn(n, d)).mean.shape == (n,)


def noisy(n: int, _: int) -> None:
    """Known noise per observation, and leave-one-out errors by hand."""
    x, noise = torch.linspace(0, 1, n), torch.rand(n) * 0.1 + 0.01
    y = torch.cos(5 * x) + noise.sqrt() * torch.randn(n)
    likelihood = gpytorch.likelihoods.FixedNoiseGaussianLikelihood(noise=noise)
    model = Exact(x, y, likelihood, gpytorch.kernels.RBFKernel())
    _train(model, likelihood, x, y)
    kernel = model.kernel(x).to_dense() + torch.diag(noise)
    inverse = torch.linalg.inv(kernel)
    gap = (inverse @ (y - y.mean())) / inverse.diagonal()
    assert gap.shape == (n,)


KERNELS: dict[str, Callable[[int], Any]] = {
    "rbf": lambda d: gpytorch.kernels.RBFKernel(ard_num_dims=d),
    "matern": lambda d: gpytorch.kernels.MaternKernel(nu=2.5),
    "rational": lambda d: gpytorch.kernels.RQKernel(ard_num_dims=d),
    "periodic": lambda d: gpytorch.kernels.PeriodicKernel(),
    "cosine": lambda d: gpytorch.kernels.CosineKernel() + gpytorch.kernels.RBFKernel(),
    "linear": lambda d: gpytorch.kernels.LinearKernel(num_dimensions=d),
    "polynomial": lambda d: gpytorch.kernels.PolynomialKernel(2),
    "mixture": lambda d: gpytorch.kernels.SpectralMixtureKernel(num_mixtures=2, ard_num_dims=d),
    "sum": lambda d: gpytorch.kernels.RBFKernel() + gpytorch.kernels.RBFKernel(active_dims=[0]),
    "piecewise": lambda d: gpytorch.kernels.PiecewisePolynomialKernel(q=2),
}

PROGRAMS = [batched, multitask, variational, classification, deep_kernel, noisy]
SIZES = {"odd": (13, 3), "equal": (8, 8)}


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    *(
        (f"{name}.{size}", _bind(_kernel(make), sizes))
        for name, make in KERNELS.items()
        for size, sizes in SIZES.items()
    ),
    *((f"{run.__name__}.{size}", _bind(run, sizes)) for run in PROGRAMS for size, sizes in SIZES.items()),
]
