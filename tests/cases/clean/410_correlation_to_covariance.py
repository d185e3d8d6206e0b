# id: C410
# frameworks: numpy
# kind: clean-square
# detect: clean
# source: written for this project
# story: Standard deviations on either side of a correlation, as outer product and as column and row.
import numpy as np
gen = np.random.default_rng(410)
returns = gen.normal(size=(200, 5)) * np.array([0.5, 1, 2, 4, 8])
risk = returns.std(axis=0, ddof=1)
corr = np.corrcoef(returns, rowvar=False)
cov = corr * np.outer(risk, risk)
again = cov / risk[:, None] / risk
precision = np.linalg.inv(cov)
partial = -precision / np.sqrt(np.diag(precision)[:, None] * np.diag(precision)[None, :])
# --- proof (not part of the cell) ---
assert np.allclose(again, corr) and np.allclose(np.diag(partial), -1)
