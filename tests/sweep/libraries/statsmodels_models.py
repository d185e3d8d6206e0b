"""statsmodels: regression, generalised models, time series, mixed effects; with diagnostics as users write them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import statsmodels.api as sm
from statsmodels.nonparametric.kernel_regression import KernelReg
from statsmodels.nonparametric.smoothers_lowess import lowess
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.outliers_influence import variance_inflation_factor
from statsmodels.tsa.api import VAR, AutoReg, ExponentialSmoothing, SimpleExpSmoothing
from statsmodels.tsa.arima.model import ARIMA
from statsmodels.tsa.seasonal import STL, seasonal_decompose
from statsmodels.tsa.stattools import acf, adfuller, pacf


def ordinary(n: int, k: int) -> None:
    """Ordinary least squares: leverage, studentised residuals and bands by hand."""
    gen = np.random.default_rng(0)
    x = sm.add_constant(gen.normal(size=(n, k)))
    y = x @ np.linspace(-1, 1, k + 1) + 0.3 * gen.normal(size=n)
    fit = sm.OLS(y, x).fit()
    hat = (x @ np.linalg.pinv(x)).diagonal()
    student = fit.resid / np.sqrt(fit.mse_resid * (1 - hat))
    assert np.allclose(student, fit.get_influence().resid_studentized_internal)
    width = 1.96 * np.sqrt(((x @ fit.cov_params()) * x).sum(axis=1))
    band = np.column_stack([fit.fittedvalues - width, fit.fittedvalues + width])
    assert band.shape == (n, 2) and fit.conf_int().shape == (k + 1, 2)
    fit.summary()
    fit.get_robustcov_results("HC3")
    fit.get_prediction(x[:4]).summary_frame()
    factors = np.array([variance_inflation_factor(x, i) for i in range(1, k + 1)])
    assert (factors - factors.mean()).shape == (k,)


def weighted(n: int, k: int) -> None:
    """Weighted, generalised and robust least squares, and quantile regression."""
    gen = np.random.default_rng(1)
    x = sm.add_constant(gen.normal(size=(n, k)))
    weight = gen.random(n) + 0.5
    y = x.sum(axis=1) + gen.normal(size=n) / np.sqrt(weight)
    fit = sm.WLS(y, x, weights=weight).fit()
    root = np.sqrt(weight)
    by_hand = np.linalg.lstsq(root[:, None] * x, root * y, rcond=None)[0]
    assert np.allclose(fit.params, by_hand)
    lag = np.abs(np.arange(n)[:, None] - np.arange(n))
    sm.GLS(y, x, sigma=0.5**lag).fit()
    sm.GLSAR(y, x, rho=1).iterative_fit(3)
    robust = sm.RLM(y, x, M=sm.robust.norms.HuberT()).fit()
    quantiles = np.stack([sm.QuantReg(y, x).fit(q=q).params for q in (0.25, 0.5, 0.75)])
    assert (quantiles - quantiles[1]).shape == (3, k + 1) and robust.weights.shape == (n,)


def generalised(n: int, k: int) -> None:
    """Generalised linear models of several families, with deviance residuals."""
    gen = np.random.default_rng(2)
    x = sm.add_constant(0.3 * gen.normal(size=(8 * n, k)))
    mean = np.exp(0.2 * x.sum(axis=1))
    for family, y in (
        (sm.families.Poisson(), gen.poisson(mean)),
        (sm.families.Gamma(sm.families.links.Log()), gen.gamma(2.0, mean / 2)),
        (sm.families.NegativeBinomial(), gen.poisson(mean)),
        (sm.families.Binomial(), (gen.random(8 * n) < mean / (1 + mean)).astype(float)),
    ):
        fit = sm.GLM(y, x, family=family).fit()
        pearson = (y - fit.mu) / np.sqrt(fit.family.variance(fit.mu))
        assert np.allclose(pearson, fit.resid_pearson) and fit.resid_deviance.shape == y.shape


def discrete(n: int, k: int) -> None:
    """Logit, multinomial logit and ordered scores by hand."""
    gen = np.random.default_rng(3)
    x = sm.add_constant(gen.normal(size=(8 * n, k)))
    y = (gen.random(8 * n) < 0.5).astype(int)
    logit = sm.Logit(y, x).fit(disp=0)
    gap = y - logit.predict(x)
    score = (gap[:, None] * x).sum(axis=0)
    assert np.allclose(score, 0, atol=1e-4)
    sm.Probit(y, x).fit(disp=0).get_margeff()
    kinds = gen.integers(0, 3, 8 * n)
    many = sm.MNLogit(kinds, x).fit(disp=0, maxiter=30)
    chance = many.predict(x)
    logloss = -np.log(chance[np.arange(len(kinds)), kinds]).mean()
    sm.Poisson(kinds, x).fit(disp=0)
    assert logloss > 0 and chance.shape == (8 * n, 3)


def seasons(n: int, _: int) -> None:
    """Decomposition, smoothing and correlograms of a seasonal series."""
    t = np.arange(12 * n)
    y = 10 + 0.1 * t + 2 * np.sin(2 * np.pi * t / 12) + np.random.default_rng(4).normal(size=t.size)
    parts = seasonal_decompose(y, period=12)
    stl = STL(y, period=12).fit()
    rest = y - stl.trend - stl.seasonal
    strength = 1 - rest.var() / (rest + stl.seasonal).var()
    monthly = y.reshape(n, 12)
    anomaly = monthly - monthly.mean(axis=0)
    yearly = monthly - monthly.mean(axis=1, keepdims=True)
    assert strength <= 1 and anomaly.shape == yearly.shape and parts.seasonal.shape == y.shape
    ExponentialSmoothing(y, trend="add", seasonal="add", seasonal_periods=12).fit().forecast(6)
    SimpleExpSmoothing(y, initialization_method="estimated").fit()
    acf(y, nlags=10, fft=True, alpha=0.05)
    pacf(y, nlags=10)
    adfuller(y)


def autoregressions(n: int, _: int) -> None:
    """AR, ARIMA, VAR: forecasts with bands, errors per horizon."""
    gen = np.random.default_rng(5)
    y = gen.normal(size=10 * n).cumsum() * 0.1 + gen.normal(size=10 * n)
    ar = AutoReg(y, lags=3).fit()
    error = y[3:] - ar.fittedvalues
    assert np.allclose(error, ar.resid)
    arima = ARIMA(y, order=(1, 0, 1)).fit()
    forecast = arima.get_forecast(8)
    interval = forecast.conf_int()
    inside = (interval[:, 0] < forecast.predicted_mean) & (forecast.predicted_mean < interval[:, 1])
    assert inside.all()
    several = gen.normal(size=(10 * n, 3))
    var = VAR(several).fit(2)
    paths = var.forecast(several[-2:], 8)
    scaled = (paths - several.mean(axis=0)) / several.std(axis=0)
    var.irf(4)
    var.fevd(4)
    assert scaled.shape == (8, 3)


def state_space(n: int, _: int) -> None:
    """Unobserved components, a dynamic factor and a Markov-switching regression."""
    gen = np.random.default_rng(6)
    level = gen.normal(size=8 * n).cumsum()
    model = sm.tsa.UnobservedComponents(level + gen.normal(size=8 * n), "local level").fit(disp=0, maxiter=15)
    smooth = model.smoothed_state[0]
    assert smooth.shape == level.shape
    panel = level[:, None] * np.array([1.0, 0.5, -0.7]) + gen.normal(size=(8 * n, 3))
    panel = (panel - panel.mean(axis=0)) / panel.std(axis=0)
    factor = sm.tsa.DynamicFactor(panel, k_factors=1, factor_order=1).fit(disp=0, maxiter=3)
    sm.tsa.MarkovRegression(level, k_regimes=2).fit(maxiter=5, disp=False)
    assert factor.factors.smoothed.shape == (1, 8 * n)


def multivariate(n: int, k: int) -> None:
    """Principal components, factor analysis, MANOVA, canonical correlation."""
    gen = np.random.default_rng(7)
    x = gen.normal(size=(n, k)) @ gen.normal(size=(k, k))
    pca = sm.multivariate.PCA(x, ncomp=2, standardize=True, method="eig")
    share = pca.eigenvals / pca.eigenvals.sum()
    standard = (x - x.mean(axis=0)) / x.std(axis=0)
    scores = standard @ pca.eigenvecs[:, :2]
    assert np.allclose(scores.T @ scores / n, np.diag(pca.eigenvals[:2]) / n) and share.shape[0] >= 2
    more = gen.normal(size=(6 * n, 5))
    sm.multivariate.Factor(more, n_factor=1).fit()
    sm.multivariate.MANOVA(more[:, :2], sm.add_constant(more[:, 2:4])).mv_test()
    sm.multivariate.CanCorr(more[:, :2], more[:, 2:]).corr_test()


def smoothers(n: int, _: int) -> None:
    """LOWESS, kernel density and kernel regression, against a Nadaraya-Watson estimate by hand."""
    gen = np.random.default_rng(8)
    x = np.sort(gen.random(5 * n))
    y = np.sin(6 * x) + 0.2 * gen.normal(size=5 * n)
    smooth = lowess(y, x, frac=0.4)
    kde = sm.nonparametric.KDEUnivariate(x)
    kde.fit()
    KernelReg(y, x, "c", bw=[0.1]).fit(x[:n])
    weights = np.exp(-0.5 * ((x[:, None] - x) / 0.1) ** 2)
    weights = weights / weights.sum(axis=1, keepdims=True)
    by_hand = weights @ y
    assert np.abs(by_hand - smooth[:, 1]).mean() < 0.5


def tests_and_tables(n: int, k: int) -> None:
    """Multiple tests, proportions, contingency tables and power."""
    gen = np.random.default_rng(9)
    multipletests(gen.random(n), method="fdr_bh")
    table = gen.integers(1, 20, (k, k)).astype(float)
    both = sm.stats.Table(table)
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    residual = (table - expected) / np.sqrt(expected)
    assert np.allclose(both.resid_pearson, residual)
    rows = table / table.sum(axis=1, keepdims=True)
    columns = table / table.sum(axis=0)
    sm.stats.proportion_confint(np.arange(1, n), n)
    sm.stats.TTestIndPower().solve_power(effect_size=0.5, alpha=0.05, power=0.8)
    sm.stats.SquareTable(table).symmetry()
    assert rows.shape == columns.shape


def groups(n: int, k: int) -> None:
    """Mixed effects and generalised estimating equations over groups."""
    gen = np.random.default_rng(10)
    label = np.repeat(np.arange(n), k)
    x = sm.add_constant(gen.normal(size=(n * k, 2)))
    y = x.sum(axis=1) + gen.normal(size=n)[label] + 0.3 * gen.normal(size=n * k)
    sm.MixedLM(y, x, groups=label).fit(maxiter=10)
    sm.GEE(y, x, groups=label, cov_struct=sm.cov_struct.Exchangeable()).fit(maxiter=5)
    within = (y.reshape(n, k) - y.reshape(n, k).mean(axis=1, keepdims=True)).ravel()
    means = np.array([y[label == g].mean() for g in range(n)])
    assert np.allclose(within, y - means[label])


MODELS = [
    ordinary, weighted, generalised, discrete, seasons, autoregressions, state_space, multivariate, smoothers,
    tests_and_tables, groups,
]  # fmt: skip


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{run.__name__}.{size}", _bind(run, sizes))
    for run in MODELS
    for size, sizes in {"odd": (19, 4), "equal": (8, 8) if run in (tests_and_tables, groups) else (8, 3)}.items()
]
