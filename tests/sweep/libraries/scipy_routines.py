"""SciPy: optimisation, signal, statistics, linear algebra, interpolation and integration, as in its tutorials."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import fft, integrate, interpolate, linalg, ndimage, optimize, signal, sparse, spatial, special, stats


def rosenbrock(n: int) -> None:
    """Unconstrained minimisation with a gradient and a Hessian written with slices."""

    def value(x: np.ndarray) -> float:
        return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0))

    def gradient(x: np.ndarray) -> np.ndarray:
        middle, left, right = x[1:-1], x[:-2], x[2:]
        der = np.zeros_like(x)
        der[1:-1] = 200 * (middle - left**2) - 400 * (right - middle**2) * middle - 2 * (1 - middle)
        der[0] = -400 * x[0] * (x[1] - x[0] ** 2) - 2 * (1 - x[0])
        der[-1] = 200 * (x[-1] - x[-2] ** 2)
        return der

    def hessian(x: np.ndarray) -> np.ndarray:
        table = np.diag(-400 * x[:-1], 1) - np.diag(400 * x[:-1], -1)
        diagonal = np.zeros_like(x)
        diagonal[0], diagonal[-1] = 1200 * x[0] ** 2 - 400 * x[1] + 2, 200
        diagonal[1:-1] = 202 + 1200 * x[1:-1] ** 2 - 400 * x[2:]
        return table + np.diag(diagonal)

    start = np.linspace(0.8, 1.3, n)
    for method in ("BFGS", "L-BFGS-B", "Newton-CG", "Nelder-Mead", "Powell", "trust-exact", "SLSQP", "CG"):
        needs = {"jac": gradient} if method not in ("Nelder-Mead", "Powell") else {}
        if method in ("Newton-CG", "trust-exact"):
            needs["hess"] = hessian
        optimize.minimize(value, start, method=method, options={"maxiter": 30}, **needs)


def curve_fitting(n: int) -> None:
    """Least squares with bounds, a Jacobian and confidence bands."""
    gen = np.random.default_rng(0)
    t = np.linspace(0, 4, 4 * n)
    y = 2.5 * np.exp(-1.3 * t) + 0.5 + 0.05 * gen.normal(size=t.size)

    def model(t: np.ndarray, a: float, b: float, c: float) -> np.ndarray:
        return a * np.exp(-b * t) + c

    best, cov = optimize.curve_fit(model, t, y, p0=[1, 1, 0])
    jac = np.stack([np.exp(-best[1] * t), -best[0] * t * np.exp(-best[1] * t), np.ones_like(t)], axis=1)
    band = np.sqrt(((jac @ cov) * jac).sum(axis=1))
    low, high = model(t, *best) - 2 * band, model(t, *best) + 2 * band
    fit = optimize.least_squares(lambda p: model(t, *p) - y, [1, 1, 0], loss="soft_l1", bounds=([0, 0, -1], 5))
    deviation = np.sqrt(np.diag(cov))
    correlation = cov / deviation / deviation[:, None]
    assert (low < high).all() and fit.success and np.allclose(np.diag(correlation), 1)


def global_and_linear(n: int) -> None:
    """Differential evolution, linear programming, assignment and roots of a system."""
    shift = np.arange(3.0)
    optimize.differential_evolution(lambda x: float(((x - shift) ** 2).sum()), [(-5, 5)] * 3, maxiter=8, seed=0)
    optimize.linprog(-np.ones(3), A_ub=np.eye(3) + 1, b_ub=np.arange(1.0, 4.0))
    gen = np.random.default_rng(1)
    a, b = gen.random((n, 2)), gen.random((n, 2))
    cost = np.hypot(a[:, None, 0] - b[None, :, 0], a[:, None, 1] - b[None, :, 1])
    rows, columns = optimize.linear_sum_assignment(cost)
    matched = np.abs(a[rows] - b[columns]).sum(axis=1)
    grid = np.linspace(0, 1, n)
    step = grid[1] - grid[0]

    def residual(u: np.ndarray) -> np.ndarray:
        out = np.zeros_like(u)
        out[1:-1] = (u[2:] - 2 * u[1:-1] + u[:-2]) / step**2 + np.exp(u[1:-1])
        out[0], out[-1] = u[0], u[-1]
        return out

    root = optimize.root(residual, np.zeros(n), method="hybr")
    optimize.root(residual, np.zeros(n), method="krylov", options={"maxiter": 5})
    assert matched.shape == (n,) and root.x.shape == (n,)


def filters(n: int) -> None:
    """Filter design, zero-phase filtering of several channels, and their envelope."""
    gen = np.random.default_rng(2)
    t = np.arange(64 * n) / 100.0
    channels = np.sin(2 * np.pi * np.array([1.0, 2.0, 5.0])[:, None] * t) + 0.1 * gen.normal(size=(3, t.size))
    b, a = signal.butter(4, [0.05, 0.3], btype="band")
    clean = signal.filtfilt(b, a, channels, axis=-1)
    sos = signal.cheby1(4, 1, 0.2, output="sos")
    signal.sosfiltfilt(sos, channels)
    envelope = np.abs(signal.hilbert(clean, axis=1))
    normal = clean / envelope.max(axis=1, keepdims=True)
    z = (channels - channels.mean(axis=1, keepdims=True)) / channels.std(axis=1, keepdims=True)
    frequency, response = signal.freqz(b, a, worN=32)
    decibel = 20 * np.log10(np.abs(response) + 1e-12)
    assert normal.shape == z.shape and (decibel - decibel.max()).shape == frequency.shape
    signal.savgol_filter(channels, 7, 2)
    signal.detrend(channels)
    signal.resample(channels, 50, axis=1)


def spectra(n: int) -> None:
    """Periodogram, Welch, spectrogram in decibels with a floor per band, coherence, short-time transform."""
    gen = np.random.default_rng(3)
    x = gen.normal(size=32 * n)
    f, power = signal.welch(x, nperseg=2 * n)
    share = power / power.sum()
    centroid = (f * share).sum()
    spread = np.sqrt((((f - centroid) ** 2) * share).sum())
    f, t, table = signal.spectrogram(x, nperseg=16, noverlap=8)
    level = 10 * np.log10(table + 1e-9)
    level = level - np.median(level, axis=1, keepdims=True)
    centroids = (f[:, None] * table).sum(axis=0) / table.sum(axis=0)
    f2, t2, z = signal.stft(x, nperseg=16)
    mask = np.abs(z) > np.abs(z).mean(axis=1)[:, None]
    _, back = signal.istft(z * mask, nperseg=16)
    signal.coherence(x, np.roll(x, 2), nperseg=16)
    assert spread > 0 and centroids.shape == t.shape and back.ndim == 1 and level.shape == table.shape


def convolution_and_peaks(n: int) -> None:
    """Two-dimensional convolution with separable windows, peaks, and correlation lags."""
    window = signal.windows.gaussian(n, 2)
    kernel = np.outer(window, window)
    kernel /= kernel.sum()
    also = window[:, None] * window[None, :] / (window.sum() ** 2)
    image = np.random.default_rng(4).random((n, n))
    smooth = signal.convolve2d(image, kernel, mode="same", boundary="symm")
    signal.fftconvolve(image, kernel, mode="same")
    peaks, _ = signal.find_peaks(image.sum(axis=0))
    lag = signal.correlation_lags(n, n)[signal.correlate(image[0], image[1]).argmax()]
    assert np.allclose(kernel, also) and smooth.shape == image.shape and abs(lag) < n and peaks.ndim == 1


def statistics(n: int) -> None:
    """Tests along an axis, densities on grids, moments and ranks."""
    gen = np.random.default_rng(5)
    a, b = gen.normal(size=(n, 3)), gen.normal(0.5, size=(n, 3))
    t, p = stats.ttest_ind(a, b, axis=0)
    pooled = np.sqrt((a.var(axis=0, ddof=1) + b.var(axis=0, ddof=1)) / 2)
    effect = (b.mean(axis=0) - a.mean(axis=0)) / pooled
    stats.f_oneway(a[:, 0], b[:, 0], a[:, 1])
    stats.spearmanr(a)
    stats.kruskal(a[:, 0], b[:, 0])
    assert np.allclose(stats.zscore(a, axis=0), (a - a.mean(axis=0)) / a.std(axis=0))
    assert np.allclose(stats.zscore(a, axis=1), (a - a.mean(1, keepdims=True)) / a.std(1, keepdims=True))
    kde = stats.gaussian_kde(a[:, :2].T)
    gx, gy = np.mgrid[-2:2:7j, -2:2:9j]
    density = kde(np.vstack([gx.ravel(), gy.ravel()])).reshape(gx.shape)
    density = density / density.sum()
    marginal = density.sum(axis=0)
    conditional = density / marginal
    chance = stats.norm.pdf(np.linspace(-3, 3, n)[:, None], loc=np.array([-1, 0, 1]), scale=1.0)
    posterior = chance * np.array([0.2, 0.5, 0.3])
    posterior = posterior / posterior.sum(axis=1, keepdims=True)
    assert effect.shape == t.shape == p.shape and np.allclose(conditional.sum(axis=0), 1)
    assert posterior.shape == (n, 3)


def resampling(n: int) -> None:
    """Bootstrap, permutation and Monte Carlo tests."""
    gen = np.random.default_rng(6)
    x, y = gen.normal(size=2 * n), gen.normal(0.3, size=2 * n)
    stats.bootstrap((x,), np.mean, n_resamples=60, random_state=0)
    stats.permutation_test((x, y), lambda u, v, axis: u.mean(axis=axis) - v.mean(axis=axis), n_resamples=40,
                           vectorized=True, random_state=0)  # fmt: skip
    draws = gen.integers(0, x.size, (50, x.size))
    means = x[draws].mean(axis=1)
    error = means.std(ddof=1)
    studentised = (means - x.mean()) / error
    assert studentised.shape == (50,)


def densities(n: int) -> None:
    """Frozen distributions with vectors of parameters; multivariate densities; fitting."""
    place, scale = np.linspace(-1, 1, n), np.linspace(0.5, 2, n)
    x = np.linspace(-4, 4, 41)
    table = stats.t(df=5, loc=place, scale=scale).logpdf(x[:, None])
    best = table.argmax(axis=1)
    shifted = table - special.logsumexp(table, axis=1, keepdims=True)
    root = np.random.default_rng(7).normal(size=(n, n))
    multivariate = stats.multivariate_normal(place, root @ root.T + np.eye(n))
    draws = multivariate.rvs(n, random_state=0)
    by_hand = (draws - place) @ np.linalg.inv(multivariate.cov) * (draws - place)
    assert multivariate.logpdf(draws).shape == (n,) and by_hand.sum(axis=1).shape == (n,)
    stats.gamma.fit(np.random.default_rng(8).gamma(2.0, size=50), floc=0)
    stats.dirichlet.logpdf(np.full(n, 1 / n), np.ones(n))
    stats.ks_2samp(draws[:, 0], draws[:, 1])
    assert best.shape == (41,) and np.allclose(np.exp(shifted).sum(axis=1), 1)


def linear_algebra(n: int) -> None:
    """Decompositions, functions of matrices, and least squares on a square system."""
    gen = np.random.default_rng(9)
    a = gen.normal(size=(n, n)) + n * np.eye(n)
    values, vectors = linalg.eigh(a + a.T)
    again = (vectors * values) @ vectors.T
    whitened = vectors / np.sqrt(np.abs(values))
    u, s, vh = linalg.svd(a)
    low_rank = (u[:, :2] * s[:2]) @ vh[:2]
    assert np.allclose(again, a + a.T) and np.allclose(u * s @ vh, a) and low_rank.shape == whitened.shape
    linalg.expm(a / 10)
    linalg.logm(a @ a.T)
    linalg.sqrtm(a @ a.T)
    linalg.solve(a, np.ones(n))
    linalg.cho_solve(linalg.cho_factor(a @ a.T), gen.normal(size=(n, 2)))
    linalg.solve_sylvester(a, a.T, np.eye(n))
    linalg.solve_continuous_are(a, np.eye(n), np.eye(n), np.eye(n))
    row_scaled = a / np.abs(a).sum(axis=1)[:, None]
    stationary = linalg.null_space(np.abs(row_scaled).T - np.eye(n), rcond=1e-8)
    linalg.toeplitz(np.arange(n))
    assert stationary.shape[0] == n


def interpolation(n: int) -> None:
    """Splines with several columns, radial basis functions, regular grids."""
    gen = np.random.default_rng(10)
    x = np.linspace(0, 1, n)
    y = np.stack([np.sin(6 * x), np.cos(6 * x)], axis=1)
    fine = np.linspace(0, 1, 3 * n)
    curve = interpolate.CubicSpline(x, y)(fine)
    error = curve - np.stack([np.sin(6 * fine), np.cos(6 * fine)], axis=1)
    interpolate.PchipInterpolator(x, y)(fine)
    interpolate.make_interp_spline(x, y, k=3)(fine)
    points = gen.random((2 * n, 2))
    target = np.sin(4 * points[:, 0]) * points[:, 1]
    rbf = interpolate.RBFInterpolator(points, target, kernel="gaussian", epsilon=3)(gen.random((n, 2)))
    table = np.sin(4 * x)[:, None] * x[None, :]
    grid = interpolate.RegularGridInterpolator((x, x), table)
    assert grid(points).shape == (2 * n,) and rbf.shape == (n,) and np.abs(error).max(axis=0).shape == (2,)


def differential_equations(n: int) -> None:
    """N bodies, a reaction-diffusion line and Lotka-Volterra."""
    gen = np.random.default_rng(11)
    mass, where = gen.random(n) + 0.5, gen.normal(size=(n, 2))

    def bodies(t: float, state: np.ndarray) -> np.ndarray:
        position, velocity = state.reshape(2, n, 2)
        apart = position[None, :, :] - position[:, None, :]
        squared = (apart**2).sum(axis=-1) + 0.1
        force = (mass[None, :, None] * apart / squared[..., None] ** 1.5).sum(axis=1)
        return np.concatenate([velocity.ravel(), force.ravel()])

    start = np.concatenate([where.ravel(), np.zeros(2 * n)])
    path = integrate.solve_ivp(bodies, (0, 0.5), start, t_eval=np.linspace(0, 0.5, n))
    tracks = path.y[: 2 * n].reshape(n, 2, -1)
    centre = (mass[:, None, None] * tracks).sum(axis=0) / mass.sum()
    assert np.allclose(centre, centre[:, :1], atol=1e-2)

    def line(t: float, u: np.ndarray) -> np.ndarray:
        return 0.1 * (np.roll(u, 1) - 2 * u + np.roll(u, -1)) + u * (1 - u)

    integrate.solve_ivp(line, (0, 1), gen.random(n), method="BDF")
    integrate.solve_ivp(line, (0, 1), gen.random(n), method="Radau")
    integrate.odeint(lambda z, t: [z[0] * (1 - z[1]), z[1] * (z[0] - 1)], [1.0, 0.5], np.linspace(0, 5, n))
    integrate.solve_bvp(
        lambda x, y: np.vstack([y[1], -np.exp(y[0])]), lambda a, b: np.array([a[0], b[0]]), np.linspace(0, 1, n),
        np.zeros((2, n)),
    )  # fmt: skip
    integrate.simpson(np.sin(np.linspace(0, 3, n))[:, None] * np.arange(3), x=np.linspace(0, 3, n), axis=0)


def images(n: int) -> None:
    """Filters, labels, distances and moments of images, on pixel grids."""
    y, x = np.ogrid[:n, :n]
    disc = (x - n / 2) ** 2 + (y - n / 2) ** 2 < (n / 3) ** 2
    picture = disc + 0.1 * np.random.default_rng(12).normal(size=(n, n))
    smooth = ndimage.gaussian_filter(picture, 1.0)
    gradient = np.hypot(ndimage.sobel(smooth, axis=0), ndimage.sobel(smooth, axis=1))
    label, count = ndimage.label(smooth > 0.5)
    centre = np.array(ndimage.center_of_mass(smooth, label, range(1, count + 1)))
    rows, columns = np.indices((n, n))
    mass = smooth.sum()
    by_hand = np.array([(rows * smooth).sum() / mass, (columns * smooth).sum() / mass])
    ndimage.rotate(picture, 30, reshape=False)
    ndimage.zoom(picture, 1.5)
    ndimage.distance_transform_edt(disc)
    colour = picture[..., None] * np.array([1.0, 0.5, 0.2])
    balanced = colour / colour.mean(axis=(0, 1))
    assert gradient.shape == picture.shape and (centre - by_hand).shape == centre.shape and balanced.shape[-1] == 3


def geometry(n: int) -> None:
    """Trees, hulls, rotations and distances."""
    points = np.random.default_rng(13).normal(size=(3 * n, 3))
    distance, index = spatial.KDTree(points).query(points, k=3)
    near = points[index] - points[:, None, :]
    assert np.allclose(np.linalg.norm(near, axis=-1), distance)
    turned = spatial.transform.Rotation.from_euler("xyz", [10, 20, 30], degrees=True).apply(points)
    offset = turned - turned.mean(axis=0)
    spatial.ConvexHull(points)
    spatial.Delaunay(points[:, :2])
    table = spatial.distance.cdist(points, points[:n])
    square = spatial.distance.squareform(spatial.distance.pdist(points[:n]))
    centring = np.eye(n) - 1.0 / n
    gram = -0.5 * centring @ square**2 @ centring
    spatial.procrustes(points, turned)
    assert table.shape == (3 * n, n) and offset.shape == points.shape and np.allclose(gram.sum(axis=0), 0)


def sparse_graphs(n: int) -> None:
    """A Laplacian from an adjacency matrix, random walks and sparse solvers."""
    gen = np.random.default_rng(14)
    edges = (gen.random((n, n)) < 0.5).astype(float)
    edges = np.maximum(edges, edges.T) + np.eye(n)
    degree = edges.sum(axis=1)
    walk = edges / degree[:, None]
    symmetric = edges / np.sqrt(degree[:, None] * degree[None, :])
    laplacian = np.diag(degree) - edges
    assert np.allclose(walk.sum(axis=1), 1) and np.allclose(sparse.csgraph.laplacian(edges), laplacian)
    matrix = sparse.csr_array(laplacian + np.eye(n))
    sparse.linalg.spsolve(matrix.tocsc(), np.ones(n))
    sparse.linalg.cg(matrix, np.ones(n), maxiter=5)
    sparse.csgraph.shortest_path(sparse.csr_array(edges))
    weighted = matrix.multiply(degree[:, None]).toarray()
    assert weighted.shape == symmetric.shape


def transforms(n: int) -> None:
    """Fourier transforms: a Poisson equation on a grid, and fast convolution."""
    k = 2 * np.pi * fft.fftfreq(n, 1.0 / n)
    kx, ky = k[:, None], k[None, :]
    squared = kx**2 + ky**2
    squared[0, 0] = 1.0
    source = np.random.default_rng(15).normal(size=(n, n))
    source -= source.mean()
    potential = fft.ifft2(-fft.fft2(source) / squared).real
    check = fft.ifft2(-squared * fft.fft2(potential)).real
    assert np.allclose(check, source)
    cosine = fft.dctn(source, norm="ortho")
    order = np.add.outer(np.arange(n), np.arange(n))
    low = fft.idctn(cosine * (order < n // 2), norm="ortho")
    assert low.shape == source.shape


ROUTINES: list[Callable[[int], None]] = [
    rosenbrock, curve_fitting, global_and_linear, filters, spectra, convolution_and_peaks, statistics, resampling,
    densities, linear_algebra, interpolation, differential_equations, images, geometry, sparse_graphs, transforms,
]  # fmt: skip


def _bind(run: Callable[[int], None], n: int) -> Callable[[], None]:
    return lambda: run(n)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{run.__name__}.{n}", _bind(run, n)) for run in ROUTINES for n in (8, 9, 13)
]
