# id: C411
# frameworks: numpy
# kind: clean-grid
# detect: clean
# source: written for this project
# story: Potential of point charges on a grid made with ogrid and meshgrid; all tables are meant.
import numpy as np
gen = np.random.default_rng(411)
gx, gy = np.ogrid[0:1:9j, 0:1:9j]
px, py, charge = gen.random(9), gen.random(9), gen.random(9)
potential = np.zeros((9, 9))
for x, y, q in zip(px, py, charge):
    potential += q / np.sqrt((gx - x) ** 2 + (gy - y) ** 2 + 0.1)
mx, my = np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9), indexing="ij")
r2 = (mx[..., None] - px) ** 2 + (my[..., None] - py) ** 2
also = (charge / np.sqrt(r2 + 0.1)).sum(axis=-1)
separable = np.sin(np.pi * gx) * np.sin(np.pi * gy)
# --- proof (not part of the cell) ---
assert np.allclose(potential, also)
