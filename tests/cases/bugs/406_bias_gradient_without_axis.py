# id: B406
# frameworks: numpy
# kind: over-reduced-scalar
# detect: collapse
# source: written for this project
# story: Softmax regression: the gradient of the bias is summed over samples and classes, so each class gets the same (zero) step.
import numpy as np
gen = np.random.default_rng(406)
inputs = gen.normal(size=(90, 4)); onehot = np.eye(3)[gen.integers(0, 3, 90)]
W, bias = np.zeros((4, 3)), np.zeros(3)
for _ in range(15):
    score = inputs @ W + bias
    prob = np.exp(score) / np.exp(score).sum(axis=1, keepdims=True)
    delta = prob - onehot
    W -= 0.05 * inputs.T @ delta
    bias -= 0.05 * np.sum(delta)  # BUG: needs axis=0
# --- proof (not part of the cell) ---
assert np.abs(bias).max() < 1e-9
