# id: B405
# frameworks: numpy
# kind: inplace-assign
# detect: onesided
# source: written for this project
# story: A heat equation writes each time step over the whole history instead of into its own row.
import numpy as np
points, steps = 31, 40
u = np.exp(-((np.linspace(-1, 1, points) / 0.2) ** 2))
history = np.empty((steps, points))
for k in range(steps):
    lap = u[:-2] - 2 * u[1:-1] + u[2:]
    u = u.copy()
    u[1:-1] += 0.3 * lap
    history[:, :] = u  # BUG: should be history[k]
cooling = history[:, points // 2]
# --- proof (not part of the cell) ---
assert np.ptp(cooling) == 0
