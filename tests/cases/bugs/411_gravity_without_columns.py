# id: B411
# frameworks: numpy
# kind: pairwise-missing-axis
# detect: coincidence
# source: written for this project
# story: Distances between detectors and sources from their coordinates; both are flat and equally many, so only the diagonal is computed and then reused for the table of couplings.
import numpy as np
gen = np.random.default_rng(411)
sx, sy = gen.random(9), gen.random(9)
dx, dy = gen.random(9), gen.random(9)
charge = gen.random((9, 9))                     # source x detector
r = np.hypot(sx - dx, sy - dy)
field = charge / (r**2 + 0.1)  # BUG: r must be source x detector
total = field.sum(axis=0)
# --- proof (not part of the cell) ---
assert r.shape == (9,)
