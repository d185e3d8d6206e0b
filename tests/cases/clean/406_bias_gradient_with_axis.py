# id: C406
# frameworks: numpy
# kind: clean-scalar
# detect: clean
# source: written for this project
# story: The bias gradient keeps its classes; the scalar penalty and the scalar mean loss spread over vectors on purpose.
import numpy as np
gen = np.random.default_rng(406)
inputs = gen.normal(size=(90, 4)); onehot = np.eye(3)[gen.integers(0, 3, 90)]
W, bias = np.zeros((4, 3)), np.zeros(3)
for _ in range(15):
    score = inputs @ W + bias
    score = score - score.max(axis=1, keepdims=True)
    prob = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    delta = prob - onehot
    W -= 0.05 * inputs.T @ delta
    bias -= 0.05 * np.sum(delta, axis=0)
per_sample = -(onehot * np.log(prob)).sum(axis=1) + 0.01 * (W**2).sum()
relative = per_sample - per_sample.mean()
scaled = delta / np.abs(delta).max()
# --- proof (not part of the cell) ---
assert np.abs(bias).max() > 1e-3
