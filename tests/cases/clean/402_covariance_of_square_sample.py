# id: C402
# frameworks: numpy
# kind: clean-standardise
# detect: clean
# source: written for this project
# story: Both orientations centred as they should be, on a square sample.
import numpy as np
gen = np.random.default_rng(402)
sample = gen.normal(size=(12, 12)) + np.arange(12.0)[:, None]
rows = sample - sample.mean(axis=1, keepdims=True)
cov = rows @ rows.T / (sample.shape[1] - 1)
scaled = (sample - sample.mean(axis=0)) / sample.std(axis=0)
correlation = scaled.T @ scaled / len(scaled)
# --- proof (not part of the cell) ---
assert np.allclose(cov, np.cov(sample)) and np.allclose(correlation, np.corrcoef(sample, rowvar=False))
