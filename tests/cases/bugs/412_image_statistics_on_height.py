# id: B412
# frameworks: numpy
# kind: missing-keepdims
# detect: coincidence
# source: written for this project
# story: Thumbnails are three pixels wide; the mean per channel of a channels-first stack is subtracted from the columns.
import numpy as np
gen = np.random.default_rng(412)
stack = gen.random((10, 3, 5, 3)) + np.array([0.0, 5.0, 9.0])[:, None, None]   # image, channel, y, x
colour = stack.mean(axis=(0, 2, 3))
neutral = stack - colour  # BUG: colour is per channel, it lands on x
# --- proof (not part of the cell) ---
assert np.abs(neutral.mean(axis=(0, 2, 3))).max() > 1
