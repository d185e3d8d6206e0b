# id: B401
# frameworks: numpy
# kind: metric-col-flat
# detect: outer
# source: written for this project
# story: A least-squares fit with a column right-hand side predicts a column; its mean absolute error against the flat readings averages all pairs.
import numpy as np
gen = np.random.default_rng(401)
design = np.column_stack([np.ones(57), gen.normal(size=(57, 3))])
readings = design @ np.array([0.3, 1.2, -0.7, 2.0]) + 0.01 * gen.normal(size=57)
coef, *_ = np.linalg.lstsq(design, readings.reshape(-1, 1), rcond=None)
fitted = design @ coef
mae = np.abs(fitted - readings).mean()  # BUG: (57,1) - (57,)
print(round(float(mae), 3))
# --- proof (not part of the cell) ---
assert mae > 10 * np.abs(fitted[:, 0] - readings).mean()
