# id: B402
# frameworks: numpy
# kind: missing-keepdims
# detect: coincidence
# source: written for this project
# story: Variables in rows, as np.cov expects; the row means are subtracted without keepdims, which runs because there are as many variables as observations.
import numpy as np
gen = np.random.default_rng(402)
sample = gen.normal(size=(12, 12)) + np.arange(12.0)[:, None]
centred = sample - sample.mean(axis=1)  # BUG: row means subtracted from columns
cov = centred @ centred.T / (sample.shape[1] - 1)
print(np.abs(np.diag(cov)).max())
# --- proof (not part of the cell) ---
assert not np.allclose(cov, np.cov(sample))
