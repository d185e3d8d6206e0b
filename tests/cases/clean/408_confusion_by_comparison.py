# id: C408
# frameworks: numpy
# kind: clean-pairwise
# detect: clean
# source: written for this project
# story: One-hot by comparing a column of labels with the classes; the confusion matrix is a product of two such tables.
import numpy as np
gen = np.random.default_rng(408)
kind = gen.integers(0, 5, 75)
scores = np.eye(5)[kind] + 0.1 * gen.random((75, 5))
guess = np.argmax(scores, axis=1)
accuracy = np.mean(guess == kind)
classes = np.arange(5)
is_true = (kind[:, None] == classes).astype(float)
is_guess = (guess[:, None] == classes).astype(float)
confusion = is_true.T @ is_guess
recall = confusion / confusion.sum(axis=1, keepdims=True)
precision = confusion / confusion.sum(axis=0)
# --- proof (not part of the cell) ---
assert accuracy == 1 and np.allclose(recall, np.eye(5))
