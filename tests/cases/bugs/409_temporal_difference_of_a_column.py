# id: B409
# frameworks: numpy
# kind: rl-col-flat
# detect: outer
# source: written for this project
# story: A tabular critic keeps its values in a column; rewards are flat, so every reward meets every state.
import numpy as np
gen = np.random.default_rng(409)
features = gen.normal(size=(45, 6)); following = gen.normal(size=(45, 6))
critic = gen.normal(size=(6, 1)); payoff = gen.normal(size=45)
delta = payoff + 0.95 * (following @ critic) - features @ critic  # BUG: (45,) + (45,1)
step = features.T @ delta
# --- proof (not part of the cell) ---
assert delta.shape == (45, 45)
