# id: C412
# frameworks: numpy
# kind: clean-image
# detect: clean
# source: written for this project
# story: Channel statistics on channels-last and channels-first images.
import numpy as np
gen = np.random.default_rng(412)
last = gen.random((10, 5, 3, 3))                       # image, y, x, channel
neutral = (last - last.mean(axis=(0, 1, 2))) / last.std(axis=(0, 1, 2))
first = last.transpose(0, 3, 1, 2)
mean = first.mean(axis=(0, 2, 3))
again = (first - mean[None, :, None, None]) / first.std(axis=(0, 2, 3), keepdims=True)
tinted = last * np.array([0.9, 1.0, 1.1])
grey = last @ np.array([0.3, 0.6, 0.1])
# --- proof (not part of the cell) ---
assert np.allclose(again.transpose(0, 2, 3, 1), neutral) and grey.shape == (10, 5, 3)
