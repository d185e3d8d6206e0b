# id: C404
# frameworks: numpy
# kind: clean-square
# detect: clean
# source: written for this project
# story: A gain per band and a gain per frame, each on its own axis of a square spectrogram.
import numpy as np
gen = np.random.default_rng(404)
spec = gen.gamma(2.0, size=(40, 40)) * np.linspace(0.1, 3.0, 40)[:, None]   # frames x bands
band_gain = 1.0 / spec.mean(axis=0)
flat_bands = spec * band_gain
frame_gain = 1.0 / spec.mean(axis=1)
levelled = spec * frame_gain[:, np.newaxis]
also = (spec.T * frame_gain).T
# --- proof (not part of the cell) ---
assert np.allclose(levelled.mean(axis=1), 1) and np.allclose(flat_bands.mean(axis=0), 1) and np.allclose(also, levelled)
