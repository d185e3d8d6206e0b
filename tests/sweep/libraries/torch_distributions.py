"""torch.distributions: samples, densities, entropies, moments and divergences, over batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.distributions as td

BATCHES = {"odd": 5, "equal": 8}
SAMPLES = {"odd": 11, "equal": 8}


def _matrix(size: int, *batch: int) -> torch.Tensor:
    root = torch.randn(*batch, size, size)
    return root @ root.transpose(-1, -2) + size * torch.eye(size)


def _grid(rows: int, columns: int) -> td.Independent:
    location = torch.zeros(rows, columns)
    return td.Independent(td.Normal(location, torch.ones(columns)), 1)


FAMILIES: dict[str, Callable[[int], Any]] = {
    "bernoulli": lambda b: td.Bernoulli(logits=torch.randn(b)),
    "beta": lambda b: td.Beta(torch.rand(b) + 0.5, torch.tensor(2.0)),
    "binomial": lambda b: td.Binomial(10, probs=torch.rand(b)),
    "categorical": lambda b: td.Categorical(logits=torch.randn(b, 6)),
    "cauchy": lambda b: td.Cauchy(torch.randn(b), 1.0),
    "chi2": lambda b: td.Chi2(torch.rand(b) + 2),
    "continuous_bernoulli": lambda b: td.ContinuousBernoulli(probs=torch.rand(b)),
    "dirichlet": lambda b: td.Dirichlet(torch.rand(b, 4) + 0.5),
    "exponential": lambda b: td.Exponential(torch.rand(b) + 0.1),
    "fisher_snedecor": lambda b: td.FisherSnedecor(torch.rand(b) + 3, torch.tensor(6.0)),
    "gamma": lambda b: td.Gamma(torch.rand(b) + 1, torch.rand(b) + 1),
    "generalized_pareto": lambda b: td.GeneralizedPareto(0.0, torch.ones(b), torch.full((b,), 0.2)),
    "geometric": lambda b: td.Geometric(probs=torch.rand(b) * 0.8 + 0.1),
    "gumbel": lambda b: td.Gumbel(torch.randn(b), torch.ones(b)),
    "half_cauchy": lambda b: td.HalfCauchy(torch.ones(b)),
    "half_normal": lambda b: td.HalfNormal(torch.ones(b)),
    "independent": lambda b: _grid(b, 3),
    "inverse_gamma": lambda b: td.InverseGamma(torch.rand(b) + 3, torch.tensor(1.0)),
    "kumaraswamy": lambda b: td.Kumaraswamy(torch.rand(b) + 1, torch.rand(b) + 1),
    "laplace": lambda b: td.Laplace(torch.randn(b), 0.5),
    "lkj": lambda b: td.LKJCholesky(3, torch.rand(b) + 0.5),
    "log_normal": lambda b: td.LogNormal(torch.randn(b), torch.tensor(0.3)),
    "logistic_normal": lambda b: td.LogisticNormal(torch.randn(b, 3), torch.ones(3)),
    "low_rank": lambda b: td.LowRankMultivariateNormal(torch.zeros(b, 4), torch.randn(b, 4, 2), torch.ones(b, 4)),
    "mixture": lambda b: td.MixtureSameFamily(
        td.Categorical(logits=torch.zeros(b, 3)), td.Normal(torch.randn(b, 3), torch.tensor([0.5, 1.0, 2.0]))
    ),
    "mixture_of_vectors": lambda b: td.MixtureSameFamily(
        td.Categorical(torch.ones(4)), td.Independent(td.Normal(torch.randn(4, b), torch.ones(4, b)), 1)
    ),
    "multinomial": lambda b: td.Multinomial(5, logits=torch.randn(b, 4)),
    "multivariate_normal": lambda b: td.MultivariateNormal(torch.randn(b, 3), covariance_matrix=_matrix(3)),
    "multivariate_square": lambda b: td.MultivariateNormal(torch.randn(b), covariance_matrix=_matrix(b)),
    "multivariate_batch": lambda b: td.MultivariateNormal(torch.zeros(b), precision_matrix=_matrix(b, b)),
    "negative_binomial": lambda b: td.NegativeBinomial(4, logits=torch.randn(b)),
    "normal": lambda b: td.Normal(torch.randn(b), torch.ones(b)),
    "normal_column": lambda b: td.Normal(torch.randn(b, 1), torch.rand(1, b) + 0.1),
    "normal_table": lambda b: td.Normal(torch.randn(b, b), torch.rand(b) + 0.1),
    "one_hot": lambda b: td.OneHotCategorical(logits=torch.randn(b, 4)),
    "pareto": lambda b: td.Pareto(torch.ones(b), torch.rand(b) + 3),
    "poisson": lambda b: td.Poisson(torch.rand(b) * 4),
    "relaxed_bernoulli": lambda b: td.RelaxedBernoulli(torch.tensor([0.7]), logits=torch.randn(b)),
    "relaxed_one_hot": lambda b: td.RelaxedOneHotCategorical(torch.tensor(0.7), logits=torch.randn(b, 4)),
    "student_t": lambda b: td.StudentT(torch.rand(b) + 3, torch.randn(b), 1.0),
    "tanh_normal": lambda b: td.TransformedDistribution(td.Normal(torch.randn(b), 1.0), [td.TanhTransform()]),
    "affine_vector": lambda b: td.TransformedDistribution(
        td.Independent(td.Normal(torch.zeros(b, 3), 1.0), 1),
        [td.AffineTransform(torch.randn(3), torch.rand(3) + 0.5, event_dim=1)],
    ),
    "stick_breaking": lambda b: td.TransformedDistribution(
        td.Independent(td.Normal(torch.zeros(b, 3), torch.ones(3)), 1), [td.StickBreakingTransform()]
    ),
    "uniform": lambda b: td.Uniform(-torch.ones(b), torch.tensor(1.0)),
    "von_mises": lambda b: td.VonMises(torch.randn(b), torch.ones(b)),
    "weibull": lambda b: td.Weibull(torch.ones(b), torch.rand(b) + 1),
    "wishart": lambda b: td.Wishart(torch.full((b,), 6.0), covariance_matrix=_matrix(3)),
}


def _family(name: str, size: str) -> Callable[[], None]:
    def run() -> None:
        samples = SAMPLES[size]
        d = FAMILIES[name](BATCHES[size])
        one = d.sample()
        many = d.rsample((samples,)) if d.has_rsample else d.sample((samples,))
        if name != "relaxed_bernoulli":
            one = one.clamp(-0.999, 0.999) if name == "tanh_normal" else one
            many = many.clamp(-0.999, 0.999) if name == "tanh_normal" else many
        likelihood = d.log_prob(one)
        assert likelihood.shape == d.batch_shape
        table = d.log_prob(many)
        average = table.mean(dim=0)
        loss = -(table - average.detach()).mean() - likelihood.mean()
        assert torch.isfinite(loss)
        for moment in ("mean", "variance"):
            try:
                value = getattr(d, moment)
            except NotImplementedError:
                continue
            assert value.shape == d.batch_shape + d.event_shape
            centred = many - value
            assert centred.shape == many.shape
        try:
            entropy = d.entropy()
        except NotImplementedError:
            return
        bonus = 0.01 * entropy.mean()
        assert bonus.ndim == 0

    return run


def _divergence(name: str, size: str) -> Callable[[], None]:
    def run() -> None:
        p, q = FAMILIES[name](BATCHES[size]), FAMILIES[name](BATCHES[size])
        divergence = td.kl_divergence(p, q)
        assert divergence.shape == p.batch_shape
        assert torch.isfinite(divergence.clamp(min=0.1).log().sum())

    return run


def vae(batch: int, width: int) -> None:
    """A variational autoencoder's objective with Independent and a standard normal prior."""
    encoder, decoder = torch.nn.Linear(width, 2 * 3), torch.nn.Linear(3, width)
    x = torch.rand(batch, width)
    mean, log_scale = encoder(x).chunk(2, dim=-1)
    posterior = td.Independent(td.Normal(mean, log_scale.exp()), 1)
    prior = td.Independent(td.Normal(torch.zeros(3), torch.ones(3)), 1)
    z = posterior.rsample()
    reconstruction = td.Independent(td.Bernoulli(logits=decoder(z)), 1).log_prob((x > 0.5).float())
    elbo = reconstruction - td.kl_divergence(posterior, prior)
    by_hand = -0.5 * (1 + 2 * log_scale - mean**2 - (2 * log_scale).exp()).sum(dim=1)
    (-(elbo.mean()) + 0 * by_hand.mean()).backward()


def importance(batch: int, samples: int) -> None:
    """Importance-weighted bound: samples by batch, a log-mean-exp over the samples."""
    posterior = td.Normal(torch.randn(batch, 2), 0.5)
    z = posterior.rsample((samples,))
    weight = td.Normal(0.0, 1.0).log_prob(z).sum(-1) - posterior.log_prob(z).sum(-1)
    bound = torch.logsumexp(weight, dim=0) - torch.log(torch.tensor(float(samples)))
    normalised = (weight - torch.logsumexp(weight, dim=0, keepdim=True)).exp()
    effective = 1 / (normalised**2).sum(dim=0)
    assert bound.shape == (batch,) and (effective <= samples + 0.1).all()


def proximal_policy(batch: int, actions: int) -> None:
    """PPO's clipped objective with categorical and Gaussian policies."""
    logits = torch.nn.Linear(4, actions)(torch.randn(batch, 4))
    policy = td.Categorical(logits=logits)
    taken = policy.sample()
    advantage = torch.randn(batch)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    ratio = (policy.log_prob(taken) - policy.log_prob(taken).detach()).exp()
    objective = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
    scale = torch.nn.Parameter(torch.zeros(actions))
    gaussian = td.Normal(logits, scale.exp())
    move = gaussian.sample()
    second = (gaussian.log_prob(move).sum(-1) * advantage).mean()
    value = torch.nn.Linear(4, 1)(torch.randn(batch, 4)).squeeze(-1)
    loss = -objective - second - 0.01 * policy.entropy().mean() + 0.5 * (value - advantage).pow(2).mean()
    loss.backward()


def hidden_markov(batch: int, states: int) -> None:
    """The forward algorithm in log space, with emission densities of every state."""
    series = torch.randn(batch, 7)
    transition = torch.log_softmax(torch.randn(states, states), dim=1)
    emission = td.Normal(torch.linspace(-1, 1, states), torch.ones(states))
    log_alpha = torch.log_softmax(torch.zeros(states), 0) + emission.log_prob(series[:, 0, None])
    for t in range(1, 7):
        step = torch.logsumexp(log_alpha.unsqueeze(2) + transition, dim=1)
        log_alpha = step + emission.log_prob(series[:, t : t + 1])
    assert torch.logsumexp(log_alpha, dim=1).shape == (batch,)


def mixture_density(batch: int, components: int) -> None:
    """A mixture density network, by hand and by MixtureSameFamily."""
    out = torch.nn.Linear(3, 3 * components)(torch.randn(batch, 3))
    weight, mean, log_scale = out.chunk(3, dim=1)
    y = torch.randn(batch)
    each = td.Normal(mean, log_scale.exp()).log_prob(y.unsqueeze(1)) + torch.log_softmax(weight, dim=1)
    by_hand = -torch.logsumexp(each, dim=1).mean()
    family = td.MixtureSameFamily(td.Categorical(logits=weight), td.Normal(mean, log_scale.exp()))
    assert torch.allclose(-family.log_prob(y).mean(), by_hand, atol=1e-5)
    by_hand.backward()


WITH_DIVERGENCE = [
    "bernoulli", "beta", "binomial", "categorical", "dirichlet", "exponential", "gamma", "geometric", "gumbel",
    "half_normal", "independent", "laplace", "log_normal", "low_rank", "multivariate_normal", "multivariate_square",
    "multivariate_batch", "normal", "normal_column", "normal_table", "one_hot", "pareto", "poisson", "uniform",
    "cauchy",
]  # fmt: skip

PROGRAMS: list[Callable[[int, int], None]] = [vae, importance, proximal_policy, hidden_markov, mixture_density]


def _program(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = (
    [(f"{name}.{size}", _family(name, size)) for name in FAMILIES for size in BATCHES]
    + [(f"kl.{name}.{size}", _divergence(name, size)) for name in WITH_DIVERGENCE for size in BATCHES]
    + [
        (f"{run.__name__}.{size}", _program(run, sizes))
        for run in PROGRAMS
        for size, sizes in {"odd": (13, 5), "equal": (8, 8)}.items()
    ]
)
