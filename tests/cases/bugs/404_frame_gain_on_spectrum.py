# id: B404
# frameworks: numpy
# kind: square-row-vs-col
# detect: coincidence
# source: written for this project
# story: A gain per frame, computed over the bands of a spectrogram, multiplies the bands; frames and bands are equally many.
import numpy as np
gen = np.random.default_rng(404)
spec = gen.gamma(2.0, size=(40, 40)) * np.linspace(0.1, 3.0, 40)[:, None]   # frames x bands
gain = 1.0 / spec.mean(axis=1)
levelled = spec * gain  # BUG: the frame's gain lands on the bands
print(levelled.mean(axis=1)[:3])
# --- proof (not part of the cell) ---
assert not np.allclose(levelled.mean(axis=1), 1)
