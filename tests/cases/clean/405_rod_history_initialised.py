# id: C405
# frameworks: numpy
# kind: clean-assign
# detect: clean
# source: written for this project
# story: The history starts as the initial profile in every row on purpose, and each step fills its own row.
import numpy as np
points, steps = 31, 40
start = np.exp(-((np.linspace(-1, 1, points) / 0.2) ** 2))
history = np.empty((steps, points))
history[:] = start
history[:, 0] = 0.0
history[:, [-1]] = 0.0
for k in range(1, steps):
    before = history[k - 1]
    history[k, 1:-1] = before[1:-1] + 0.3 * (before[:-2] - 2 * before[1:-1] + before[2:])
# --- proof (not part of the cell) ---
assert history[-1, points // 2] < history[0, points // 2]
