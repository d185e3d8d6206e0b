# id: C409
# frameworks: numpy
# kind: clean-column
# detect: clean
# source: written for this project
# story: Rewards per action and state; the values are flat or a column throughout, never mixed.
import numpy as np
gen = np.random.default_rng(409)
move = gen.random((3, 8, 8)); move /= move.sum(axis=2, keepdims=True)
payoff = gen.normal(size=(3, 8))
value = np.zeros(8)
for _ in range(30):
    q = payoff + 0.9 * (move @ value)
    value = q.max(axis=0)
advantage = q - value
column = np.zeros((8, 1))
for _ in range(30):
    column = payoff[0][:, None] + 0.9 * move[0] @ column
# --- proof (not part of the cell) ---
assert advantage.max() <= 1e-9 and column.shape == (8, 1)
