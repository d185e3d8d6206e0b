# id: B407
# frameworks: numpy
# kind: wrong-axis-normalise
# detect: axis
# source: written for this project
# story: Class likelihoods (samples x classes) are normalised over the samples, then each row is read as a distribution.
import numpy as np
gen = np.random.default_rng(407)
points = gen.normal(size=(25, 2)); centres = gen.normal(size=(4, 2))
joint = np.exp(-0.5 * ((points[:, None] - centres) ** 2).sum(-1))
posterior = joint / joint.sum(axis=0)  # BUG: must sum over the classes, axis 1
label = gen.integers(0, 4, 25)
nll = -np.log(posterior[np.arange(25), label]).mean()
entropy = -(posterior * np.log(posterior)).sum(axis=1)
# --- proof (not part of the cell) ---
assert not np.allclose(posterior.sum(axis=1), 1)
