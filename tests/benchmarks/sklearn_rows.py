"""Rows of scikit-learn: whole fits, where shapecell sees only what NumPy is asked to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sklearn.cluster import KMeans
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from tests.benchmarks.measure import Effort, Row, passes


def logistic() -> Callable[[], object]:
    x, y = load_breast_cancer(return_X_y=True)
    x = StandardScaler().fit_transform(x)
    return lambda: LogisticRegression(max_iter=200).fit(x, y)


def boosting() -> Callable[[], object]:
    x, y = load_diabetes(return_X_y=True)
    return lambda: GradientBoostingRegressor(n_estimators=50, random_state=0).fit(x, y)


def clusters() -> Callable[[], object]:
    x, _ = load_breast_cancer(return_X_y=True)
    return lambda: KMeans(n_clusters=8, n_init=2, random_state=0).fit(x)


def rows(effort: Effort) -> Iterator[Row]:
    with threadpool_limits(1):
        yield from _rows(effort)


def _rows(effort: Effort) -> Iterator[Row]:
    fits = {
        "LogisticRegression, breast cancer": logistic,
        "GradientBoostingRegressor, diabetes": boosting,
        "KMeans, breast cancer": clusters,
    }
    for name, make in fits.items():
        plain, first, later = passes(make, 3, effort)
        detail = f"plain {plain * 1e3:.1f} ms, first fit in a check ×{first / plain:.2f}"
        yield Row("scikit-learn fit on one thread, checked / plain", name, later / plain, "×", None, detail)
