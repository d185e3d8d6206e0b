# id: B408
# frameworks: numpy
# kind: metric-col-flat
# detect: outer
# source: written for this project
# story: argmax with keepdims compared with flat labels: the accuracy is the chance rate.
import numpy as np
gen = np.random.default_rng(408)
kind = gen.integers(0, 5, 75)
scores = np.eye(5)[kind] + 0.1 * gen.random((75, 5))
guess = np.argmax(scores, axis=1, keepdims=True)
accuracy = np.mean(guess == kind)  # BUG: (75,1) == (75,)
# --- proof (not part of the cell) ---
assert accuracy < 0.5
