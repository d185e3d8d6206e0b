# id: B410
# frameworks: numpy
# kind: square-row-vs-col
# detect: coincidence
# source: written for this project
# story: A covariance is divided twice by the flat standard deviations; the row side needs a column.
import numpy as np
gen = np.random.default_rng(410)
returns = gen.normal(size=(200, 5)) * np.array([0.5, 1, 2, 4, 8])
cov = np.cov(returns, rowvar=False)
risk = returns.std(axis=0, ddof=1)
corr = cov / risk / risk  # BUG: both divisions run along the columns
# --- proof (not part of the cell) ---
assert not np.allclose(corr, corr.T)
