# id: B403
# frameworks: numpy
# kind: missing-keepdims
# detect: outer
# source: written for this project
# story: A naive forecaster keeps the window axis in the rolling mean; its error against the next values is a table.
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
load = np.sin(np.linspace(0, 20, 90)) + 0.1 * np.cos(np.arange(90))
windows = sliding_window_view(load, 6)[:-1]
forecast = windows.mean(axis=1, keepdims=True)
truth = load[6:]
rmse = np.sqrt(((forecast - truth) ** 2).mean())  # BUG: (84,1) - (84,)
# --- proof (not part of the cell) ---
assert not np.isclose(rmse, np.sqrt(((forecast[:, 0] - truth) ** 2).mean()), rtol=0.05)
