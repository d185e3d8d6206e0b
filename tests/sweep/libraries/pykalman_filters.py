"""pykalman: linear and unscented filters, smoothing and expectation maximisation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pykalman import AdditiveUnscentedKalmanFilter, KalmanFilter, UnscentedKalmanFilter


def local_level(n: int, _: int) -> None:
    """A random walk in noise, with errors and bands."""
    gen = np.random.default_rng(0)
    level = gen.normal(size=n).cumsum()
    seen = level + 0.5 * gen.normal(size=n)
    model = KalmanFilter([[1.0]], [[1.0]], [[1.0]], [[0.25]], initial_state_mean=[0.0])
    mean, cov = model.filter(seen)
    smooth, spread = model.smooth(seen)
    error = smooth[:, 0] - level
    band = 1.96 * np.sqrt(spread[:, 0, 0])
    inside = np.abs(error) <= band
    rmse = np.sqrt(((mean[:, 0] - level) ** 2).mean())
    assert inside.shape == (n,) and rmse >= 0 and cov.shape == (n, 1, 1)


def constant_velocity(n: int, _: int) -> None:
    """Position and velocity in the plane, with missing observations and Mahalanobis distances."""
    gen = np.random.default_rng(1)
    dt = 0.5
    move = np.eye(4) + dt * np.eye(4, k=2)
    look = np.eye(2, 4)
    state = np.zeros(4) + [0, 0, 1, 0.5]
    truth, seen = [], np.ma.zeros((n, 2))
    for t in range(n):
        state = move @ state + 0.05 * gen.normal(size=4)
        truth.append(state)
        seen[t] = look @ state + 0.2 * gen.normal(size=2)
    seen[n // 2] = np.ma.masked
    model = KalmanFilter(move, look, 0.01 * np.eye(4), 0.04 * np.eye(2), initial_state_mean=np.zeros(4))
    mean, cov = model.filter(seen)
    smooth, _ = model.smooth(seen)
    gap = np.array(truth) - smooth
    distance = np.sqrt((gap @ np.linalg.inv(cov[-1]) * gap).sum(axis=1))
    standard = gap / np.sqrt(cov.diagonal(axis1=1, axis2=2))
    innovation = np.asarray(seen) - mean @ look.T
    assert distance.shape == (n,) and standard.shape == (n, 4) and innovation.shape == (n, 2)


def expectation_maximisation(n: int, k: int) -> None:
    """All parameters estimated; as many observed as hidden dimensions."""
    gen = np.random.default_rng(2)
    seen = gen.normal(size=(n, k)).cumsum(axis=0)
    seen = (seen - seen.mean(axis=0)) / seen.std(axis=0)
    model = KalmanFilter(n_dim_state=k, n_dim_obs=k, em_vars=["transition_covariance", "observation_covariance"])
    model = model.em(seen, n_iter=2)
    likelihood = model.loglikelihood(seen)
    smooth, cov = model.smooth(seen)
    deviation = np.sqrt(np.diagonal(cov, axis1=1, axis2=2))
    low, high = smooth - 2 * deviation, smooth + 2 * deviation
    q = model.transition_covariance
    scale = np.sqrt(np.diag(q))
    assert np.isfinite(likelihood) and (low < high).all() and np.allclose(np.diag(q / np.outer(scale, scale)), 1)


def online(n: int, k: int) -> None:
    """Step by step, as measurements arrive, with transitions that change."""
    gen = np.random.default_rng(3)
    model = KalmanFilter(
        transition_matrices=0.9 * np.eye(k), observation_matrices=np.eye(k), transition_offsets=np.zeros(k),
        observation_offsets=np.ones(k), initial_state_mean=np.zeros(k), initial_state_covariance=np.eye(k),
    )  # fmt: skip
    mean, cov = np.zeros(k), np.eye(k)
    history = np.zeros((n, k))
    for t in range(n):
        mean, cov = model.filter_update(mean, cov, gen.normal(size=k) + 1, transition_offset=0.1 * np.ones(k))
        history[t] = mean
    model.sample(n, random_state=0)
    assert (history - history.mean(axis=0)).shape == (n, k)


def unscented(n: int, _: int) -> None:
    """A non-linear pendulum with additive and with general noise."""
    dt = 0.1

    def swing(state: np.ndarray) -> np.ndarray:
        return np.array([state[0] + dt * state[1], state[1] - dt * np.sin(state[0])])

    def look(state: np.ndarray) -> np.ndarray:
        return np.array([np.sin(state[0])])

    additive = AdditiveUnscentedKalmanFilter(
        swing, look, 0.01 * np.eye(2), 0.04 * np.eye(1), [0.5, 0.0], 0.1 * np.eye(2)
    )
    _, seen = additive.sample(n, [0.5, 0.0], random_state=np.random.RandomState(0))
    mean, cov = additive.filter(seen)
    smooth, _ = additive.smooth(seen)
    residual = seen[:, 0] - np.sin(mean[:, 0])
    general = UnscentedKalmanFilter(
        lambda s, w: swing(s) + w, lambda s, v: look(s) + v, 0.01 * np.eye(2), 0.04 * np.eye(1), [0.5, 0.0],
        0.1 * np.eye(2),
    )  # fmt: skip
    general.filter(seen)
    trace = cov.trace(axis1=1, axis2=2)
    weighted = (smooth / trace[:, None]).sum(axis=0) / (1 / trace).sum()
    assert residual.shape == (n,) and weighted.shape == (2,)


PROGRAMS = [local_level, constant_velocity, expectation_maximisation, online, unscented]
SIZES = {"odd": (17, 3), "equal": (8, 8), "four": (4, 4)}


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{run.__name__}.{size}", _bind(run, sizes)) for run in PROGRAMS for size, sizes in SIZES.items()
]
