"""scikit-learn: estimators on its own data sets, and again on as many samples as features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn import (
    calibration,
    cluster,
    compose,
    covariance,
    cross_decomposition,
    datasets,
    decomposition,
    discriminant_analysis,
    ensemble,
    feature_extraction,
    feature_selection,
    gaussian_process,
    impute,
    inspection,
    isotonic,
    kernel_approximation,
    kernel_ridge,
    linear_model,
    manifold,
    metrics,
    mixture,
    model_selection,
    multioutput,
    naive_bayes,
    neighbors,
    neural_network,
    pipeline,
    preprocessing,
    random_projection,
    semi_supervised,
    svm,
    tree,
)

Table = Any
DATA: dict[str, Callable[[], tuple[Table, Table]]] = {
    "iris": lambda: datasets.load_iris(return_X_y=True),
    "wine": lambda: datasets.load_wine(return_X_y=True),
    "diabetes": lambda: datasets.load_diabetes(return_X_y=True),
    "cancer": lambda: _first(datasets.load_breast_cancer(return_X_y=True), 200),
    "digits": lambda: _first(datasets.load_digits(return_X_y=True), 200),
    "linnerud": lambda: datasets.load_linnerud(return_X_y=True),
    "square_classes": lambda: datasets.make_classification(12, 12, n_informative=6, n_classes=2, random_state=0),
    "square_regression": lambda: datasets.make_regression(12, 12, n_informative=6, noise=1.0, random_state=0),
    "square_outputs": lambda: datasets.make_regression(8, 8, n_targets=8, random_state=0),
}


def _first(pair: tuple[Table, Table], rows: int) -> tuple[Table, Table]:
    x, y = pair
    return x[:rows], y[:rows]


def _classifier(make: Callable[[], Any], data: str) -> Callable[[], None]:
    def run() -> None:
        x, y = DATA[data]()
        x = (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-12)
        model = make().fit(x, y)
        guess = model.predict(x)
        accuracy = np.mean(guess == y)
        assert abs(accuracy - model.score(x, y)) < 1e-9
        classes = np.unique(y)
        counts = np.array([[np.sum((y == a) & (guess == b)) for b in classes] for a in classes])
        recall = np.diag(counts) / counts.sum(axis=1)
        rows = counts / counts.sum(axis=1, keepdims=True)
        assert np.allclose(np.diag(rows), recall)
        if hasattr(model, "predict_proba"):
            chance = np.clip(model.predict_proba(x), 1e-9, 1)
            chance = chance / chance.sum(axis=1, keepdims=True)
            onehot = (y[:, None] == classes).astype(float)
            brier = ((chance - onehot) ** 2).sum(axis=1).mean()
            entropy = -(chance * np.log(chance)).sum(axis=1)
            assert brier <= 2 and entropy.shape == y.shape

    return run


def _regressor(make: Callable[[], Any], data: str) -> Callable[[], None]:
    def run() -> None:
        x, y = DATA[data]()
        x = (x - x.mean(axis=0)) / (x.std(axis=0) + 1e-12)
        model = make().fit(x, y)
        guess = model.predict(x)
        residual = y - guess
        rmse = np.sqrt(np.mean(residual**2, axis=0))
        r2 = 1 - (residual**2).sum(axis=0) / ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        standard = residual / residual.std(axis=0)
        assert np.isfinite(rmse).all() and np.isfinite(standard).all() and np.all(r2 <= 1)

    return run


def _transformer(make: Callable[[], Any], data: str) -> Callable[[], None]:
    def run() -> None:
        x, y = DATA[data]()
        model = make()
        z = model.fit_transform(x, y)
        z = np.asarray(z.toarray() if hasattr(z, "toarray") else z, dtype=float)
        centred = z - z.mean(axis=0)
        spread = centred.T @ centred / len(z)
        assert spread.shape == (z.shape[1], z.shape[1])
        if hasattr(model, "inverse_transform"):
            back = model.inverse_transform(z)
            assert np.asarray(back).shape == x.shape

    return run


def _clusterer(make: Callable[[], Any], data: str) -> Callable[[], None]:
    def run() -> None:
        x, y = DATA[data]()
        x = preprocessing.StandardScaler().fit_transform(x)
        label = make().fit_predict(x)
        groups = np.unique(label)
        centres = np.array([x[label == g].mean(axis=0) for g in groups])
        distance = np.sqrt(((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2))
        inertia = (distance.min(axis=1) ** 2).sum()
        assert inertia >= 0 and metrics.adjusted_rand_score(y, label) <= 1
        if 1 < len(groups) < len(x):
            assert metrics.silhouette_score(x, label) <= 1

    return run


def learning_curves() -> None:
    """Cross-validated scores and a learning curve with bands, as they are plotted."""
    x, y = DATA["iris"]()
    sizes, train, test = model_selection.learning_curve(
        linear_model.LogisticRegression(max_iter=200), x, y, train_sizes=[0.4, 0.7, 1.0], cv=3
    )
    middle, band = test.mean(axis=1), test.std(axis=1)
    low, high = middle - 2 * band, middle + 2 * band
    gap = train - test.mean(axis=1, keepdims=True)
    assert low.shape == high.shape == sizes.shape and gap.shape == train.shape


def search_of_parameters() -> None:
    """A grid search over a pipeline with columns."""
    x, y = DATA["wine"]()
    columns = compose.ColumnTransformer(
        [
            ("scale", preprocessing.StandardScaler(), [0, 1, 2]),
            ("rank", preprocessing.QuantileTransformer(n_quantiles=20), [3, 4]),
        ]
    )
    steps = pipeline.make_pipeline(columns, svm.SVC())
    search = model_selection.GridSearchCV(steps, {"svc__C": [0.1, 1.0]}, cv=3).fit(x, y)
    folds = np.array([search.cv_results_[f"split{i}_test_score"] for i in range(3)])
    assert np.allclose(folds.mean(axis=0), search.cv_results_["mean_test_score"])
    centred = folds - folds.mean(axis=1, keepdims=True)
    assert centred.shape == folds.shape


def importances() -> None:
    """Permutation importances and partial dependence."""
    x, y = DATA["diabetes"]()
    model = ensemble.RandomForestRegressor(8, random_state=0).fit(x, y)
    result = inspection.permutation_importance(model, x, y, n_repeats=3, random_state=0)
    scaled = result.importances / result.importances_mean.sum()
    z = result.importances_mean / (result.importances_std + 1e-9)
    curve = inspection.partial_dependence(model, x, [0], grid_resolution=7)["average"]
    assert scaled.shape == (10, 3) and z.shape == (10,) and (curve - curve.mean()).shape == (1, 7)


def distances_and_kernels() -> None:
    """Pairwise distances and kernels, against broadcasting by hand."""
    x, _ = DATA["iris"]()
    a, b = x[:9], x[60:69]
    by_hand = (a**2).sum(1)[:, None] + (b**2).sum(1) - 2 * a @ b.T
    assert np.allclose(metrics.pairwise.euclidean_distances(a, b, squared=True), by_hand)
    kernel = np.exp(-0.5 * by_hand)
    assert np.allclose(metrics.pairwise.rbf_kernel(a, b, gamma=0.5), kernel)
    centred = kernel - kernel.mean(axis=0) - kernel.mean(axis=1, keepdims=True) + kernel.mean()
    assert np.allclose(centred.mean(axis=0), 0) and np.allclose(centred.mean(axis=1), 0)
    metrics.pairwise.cosine_similarity(a, b)
    metrics.pairwise.manhattan_distances(a, b)
    metrics.pairwise.laplacian_kernel(a)


def text_features() -> None:
    """TF-IDF of a few sentences, and topics."""
    texts = [
        "the cat sat on the mat",
        "the dog ate the cat",
        "a mat for a dog",
        "stars and planets",
        "a planet of a star",
    ]
    counts = feature_extraction.text.CountVectorizer().fit_transform(texts)
    weights = feature_extraction.text.TfidfTransformer().fit_transform(counts).toarray()
    idf = np.log((1 + len(texts)) / (1 + (counts.toarray() > 0).sum(axis=0))) + 1
    own = counts.toarray() * idf
    own = own / np.linalg.norm(own, axis=1, keepdims=True)
    assert np.allclose(own, weights)
    topics = decomposition.LatentDirichletAllocation(2, max_iter=3, random_state=0).fit(counts)
    words = topics.components_ / topics.components_.sum(axis=1)[:, np.newaxis]
    assert np.allclose(words.sum(axis=1), 1)


def scores() -> None:
    """The metrics module on classification and on several outputs."""
    x, y = DATA["cancer"]()
    chance = linear_model.LogisticRegression(max_iter=300).fit(x / x.max(axis=0), y).predict_proba(x / x.max(axis=0))
    metrics.roc_auc_score(y, chance[:, 1])
    metrics.log_loss(y, chance)
    metrics.precision_recall_curve(y, chance[:, 1])
    metrics.classification_report(y, chance.argmax(axis=1))
    metrics.matthews_corrcoef(y, chance.argmax(axis=1))
    metrics.top_k_accuracy_score(y, chance[:, 1], k=1)
    x, y = DATA["linnerud"]()
    guess = linear_model.LinearRegression().fit(x, y).predict(x)
    metrics.r2_score(y, guess, multioutput="raw_values")
    metrics.mean_absolute_error(y, guess, multioutput=[0.2, 0.3, 0.5])
    weights = np.array([0.2, 0.3, 0.5])
    assert np.isclose(
        (np.abs(y - guess) * weights).sum(axis=1).mean(), np.average(np.abs(y - guess).mean(0), weights=weights)
    )


CLASSIFIERS: dict[str, Callable[[], Any]] = {
    "logistic": lambda: linear_model.LogisticRegression(max_iter=200),
    "ridge_classifier": linear_model.RidgeClassifier,
    "sgd": lambda: linear_model.SGDClassifier(loss="log_loss", max_iter=50, random_state=0),
    "lda": discriminant_analysis.LinearDiscriminantAnalysis,
    "qda": lambda: discriminant_analysis.QuadraticDiscriminantAnalysis(solver="eigen", shrinkage=0.3),
    "gaussian_nb": naive_bayes.GaussianNB,
    "bernoulli_nb": naive_bayes.BernoulliNB,
    "nearest": lambda: neighbors.KNeighborsClassifier(3, algorithm="brute"),
    "nearest_centroid": neighbors.NearestCentroid,
    "tree": lambda: tree.DecisionTreeClassifier(max_depth=3),
    "forest": lambda: ensemble.RandomForestClassifier(6, random_state=0),
    "ada_boost": lambda: ensemble.AdaBoostClassifier(n_estimators=4, random_state=0),
    "gradient_boosting": lambda: ensemble.GradientBoostingClassifier(n_estimators=4, random_state=0),
    "svc": lambda: svm.SVC(decision_function_shape="ovr"),
    "mlp": lambda: neural_network.MLPClassifier(hidden_layer_sizes=(9,), max_iter=15, random_state=0),
    "gaussian_process": lambda: gaussian_process.GaussianProcessClassifier(max_iter_predict=5, random_state=0),
    "calibrated": lambda: calibration.CalibratedClassifierCV(naive_bayes.GaussianNB(), cv=2),
    "label_spreading": semi_supervised.LabelSpreading,
    "voting": lambda: ensemble.VotingClassifier(
        [("a", naive_bayes.GaussianNB()), ("b", linear_model.LogisticRegression())], voting="soft"
    ),
}

REGRESSORS: dict[str, Callable[[], Any]] = {
    "ordinary": linear_model.LinearRegression,
    "ridge": lambda: linear_model.RidgeCV(alphas=[0.1, 1.0]),
    "lasso": lambda: linear_model.Lasso(0.1),
    "kernel_ridge": lambda: kernel_ridge.KernelRidge(kernel="rbf"),
    "forest_regressor": lambda: ensemble.RandomForestRegressor(5, random_state=0),
    "mlp_regressor": lambda: neural_network.MLPRegressor(hidden_layer_sizes=(7,), max_iter=10, random_state=0),
    "nearest_regressor": lambda: neighbors.KNeighborsRegressor(3, algorithm="brute"),
    "gp_regressor": lambda: gaussian_process.GaussianProcessRegressor(
        gaussian_process.kernels.RBF() + gaussian_process.kernels.WhiteKernel(), optimizer=None
    ),
    "pls": lambda: cross_decomposition.PLSRegression(2),
}

ONE_OUTPUT: dict[str, Callable[[], Any]] = {
    "bayesian_ridge": linear_model.BayesianRidge,
    "huber": lambda: linear_model.HuberRegressor(max_iter=50),
    "lars": linear_model.LassoLars,
    "theil_sen": lambda: linear_model.TheilSenRegressor(max_subpopulation=30, random_state=0),
    "ransac": lambda: linear_model.RANSACRegressor(min_samples=6, random_state=0),
    "svr": svm.SVR,
    "hist_boosting": lambda: ensemble.HistGradientBoostingRegressor(max_iter=3),
    "quantile": lambda: linear_model.QuantileRegressor(alpha=0.0),
}

TRANSFORMERS: dict[str, Callable[[], Any]] = {
    "pca": lambda: decomposition.PCA(3, whiten=True),
    "kernel_pca": lambda: decomposition.KernelPCA(3, kernel="rbf", fit_inverse_transform=True),
    "fast_ica": lambda: decomposition.FastICA(3, random_state=0, max_iter=50),
    "factor_analysis": lambda: decomposition.FactorAnalysis(2, max_iter=20),
    "truncated_svd": lambda: decomposition.TruncatedSVD(3, random_state=0),
    "nmf": lambda: pipeline.make_pipeline(
        preprocessing.MinMaxScaler(), decomposition.NMF(2, max_iter=50, random_state=0)
    ),
    "dictionary": lambda: decomposition.DictionaryLearning(3, max_iter=4, random_state=0),
    "isomap": lambda: manifold.Isomap(n_neighbors=5),
    "lle": lambda: manifold.LocallyLinearEmbedding(n_neighbors=5, random_state=0),
    "spectral": lambda: manifold.SpectralEmbedding(n_neighbors=5, random_state=0),
    "mds": lambda: manifold.MDS(n_init=1, max_iter=10, random_state=0),
    "tsne": lambda: manifold.TSNE(perplexity=4, max_iter=250, method="exact", random_state=0),
    "standard": preprocessing.StandardScaler,
    "robust": preprocessing.RobustScaler,
    "power": preprocessing.PowerTransformer,
    "normalizer": preprocessing.Normalizer,
    "polynomial": lambda: preprocessing.PolynomialFeatures(2),
    "spline": lambda: preprocessing.SplineTransformer(n_knots=3),
    "bins": lambda: preprocessing.KBinsDiscretizer(3, encode="onehot-dense", strategy="uniform"),
    "nystroem": lambda: kernel_approximation.Nystroem(n_components=5, random_state=0),
    "fourier": lambda: kernel_approximation.RBFSampler(n_components=5, random_state=0),
    "projection": lambda: random_projection.GaussianRandomProjection(3, random_state=0),
    "knn_imputer": lambda: impute.KNNImputer(n_neighbors=2),
    "variance": lambda: feature_selection.VarianceThreshold(1e-6),
    "k_best": lambda: feature_selection.SelectKBest(feature_selection.f_classif, k=2),
}

CLUSTERERS: dict[str, Callable[[], Any]] = {
    "k_means": lambda: cluster.KMeans(3, n_init=1, random_state=0),
    "minibatch_k_means": lambda: cluster.MiniBatchKMeans(3, n_init=1, random_state=0),
    "gaussian_mixture": lambda: mixture.GaussianMixture(3, reg_covar=1e-2, random_state=0),
    "diagonal_mixture": lambda: mixture.GaussianMixture(2, covariance_type="diag", reg_covar=1e-2, random_state=0),
    "bayesian_mixture": lambda: mixture.BayesianGaussianMixture(
        n_components=2, reg_covar=1e-2, max_iter=20, random_state=0
    ),
    "mean_shift": lambda: cluster.MeanShift(bandwidth=3.0),
    "affinity": lambda: cluster.AffinityPropagation(random_state=0),
    "agglomerative": lambda: cluster.AgglomerativeClustering(3),
    "spectral_clusters": lambda: cluster.SpectralClustering(3, assign_labels="discretize", random_state=0),
    "dbscan": lambda: cluster.DBSCAN(eps=2.5),
    "birch": lambda: cluster.Birch(n_clusters=3),
}


def covariances(data: str) -> Callable[[], None]:
    """Covariance estimators, with Mahalanobis distances by hand."""

    def run() -> None:
        x, _ = DATA[data]()
        for make in (
            covariance.EmpiricalCovariance,
            covariance.LedoitWolf,
            covariance.OAS,
            covariance.ShrunkCovariance,
        ):
            model = make().fit(x)
            centred = x - model.location_
            by_hand = ((centred @ model.get_precision()) * centred).sum(axis=1)
            assert np.allclose(by_hand, model.mahalanobis(x), rtol=1e-3, atol=1e-6)
            deviation = np.sqrt(np.diag(model.covariance_))
            correlation = model.covariance_ / np.outer(deviation, deviation)
            assert np.allclose(np.diag(correlation), 1)

    return run


def several_outputs() -> None:
    """Several outputs at once, one model each and chained."""
    x, y = DATA["square_outputs"]()
    for model in (
        multioutput.MultiOutputRegressor(linear_model.Ridge()),
        multioutput.RegressorChain(linear_model.Ridge()),
        tree.DecisionTreeRegressor(max_depth=2),
    ):
        error = (model.fit(x, y).predict(x) - y) ** 2
        relative = error.mean(axis=0) / y.var(axis=0)
        assert relative.shape == (8,)


def isotonic_and_splines() -> None:
    """Isotonic regression of one feature."""
    x, y = DATA["diabetes"]()
    fit = isotonic.IsotonicRegression(out_of_bounds="clip").fit_transform(x[:, 2], y)
    loss = ((fit - y) ** 2).mean()
    assert loss < y.var()


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    *((f"{n}.{d}", _classifier(m, d)) for n, m in CLASSIFIERS.items() for d in ("iris", "digits", "square_classes")),
    *(
        (f"{n}.{d}", _regressor(m, d))
        for n, m in REGRESSORS.items()
        for d in ("linnerud", "square_outputs", "square_regression")
    ),
    *((f"{n}.{d}", _regressor(m, d)) for n, m in ONE_OUTPUT.items() for d in ("diabetes", "square_regression")),
    *((f"{n}.{d}", _transformer(m, d)) for n, m in TRANSFORMERS.items() for d in ("iris", "square_classes")),
    *((f"{n}.{d}", _clusterer(m, d)) for n, m in CLUSTERERS.items() for d in ("wine", "square_classes")),
    *((f"covariances.{d}", covariances(d)) for d in ("wine", "square_regression")),
    *(
        (run.__name__, run)
        for run in (
            learning_curves, search_of_parameters, importances, distances_and_kernels, text_features, scores,
            several_outputs, isotonic_and_splines,
        )
    ),
]  # fmt: skip
