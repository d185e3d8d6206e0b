# id: C407
# frameworks: numpy
# kind: clean-softmax
# detect: clean
# source: written for this project
# story: Rows of responsibilities add up to one; the centre weights, normalised over the samples, are then used per centre.
import numpy as np
gen = np.random.default_rng(407)
points = gen.normal(size=(25, 2)); centres = gen.normal(size=(4, 2))
joint = np.exp(-0.5 * ((points[:, None] - centres) ** 2).sum(-1))
posterior = joint / joint.sum(axis=1)[:, None]
label = gen.integers(0, 4, 25)
nll = -np.log(posterior[np.arange(25), label]).mean()
per_centre = posterior / posterior.sum(axis=0)
moved = per_centre.T @ points
moved_too = (posterior.T @ points) / posterior.sum(axis=0)[:, None]
# --- proof (not part of the cell) ---
assert np.allclose(moved, moved_too)
