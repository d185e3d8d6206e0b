# id: C401
# frameworks: numpy
# kind: clean-column
# detect: clean
# source: written for this project
# story: The same fit, its column flattened before it is compared; the residual of the normal equations stays a column.
import numpy as np
gen = np.random.default_rng(401)
design = np.column_stack([np.ones(57), gen.normal(size=(57, 3))])
readings = design @ np.array([0.3, 1.2, -0.7, 2.0]) + 0.01 * gen.normal(size=57)
target = readings.reshape(-1, 1)
coef, *_ = np.linalg.lstsq(design, target, rcond=None)
fitted = design @ coef
mae = np.abs(fitted.ravel() - readings).mean()
gradient = design.T @ (fitted - target)
# --- proof (not part of the cell) ---
assert mae < 0.05 and np.abs(gradient).max() < 1e-8
