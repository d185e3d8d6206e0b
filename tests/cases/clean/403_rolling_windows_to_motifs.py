# id: C403
# frameworks: numpy
# kind: clean-pairwise
# detect: clean
# source: written for this project
# story: Every window is centred by its own mean, then compared with every motif: a wanted table.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
load = np.sin(np.linspace(0, 20, 90)) + 0.1 * np.cos(np.arange(90))
windows = sliding_window_view(load, 6)
shapes = windows - windows.mean(axis=1, keepdims=True)
motifs = np.array([[-1, -0.6, -0.2, 0.2, 0.6, 1.0], [1, 0.6, 0.2, -0.2, -0.6, -1.0]])
distance = np.sqrt(((shapes[:, None, :] - motifs[None]) ** 2).sum(-1))
nearest = distance.argmin(axis=1)
error = windows.mean(axis=1)[:-1] - load[6:]
# --- proof (not part of the cell) ---
assert distance.shape == (85, 2) and set(nearest) == {0, 1}
