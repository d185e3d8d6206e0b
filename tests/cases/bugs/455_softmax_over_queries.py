# id: B455
# frameworks: torch
# kind: softmax-axis
# detect: axis
# source: written for this project
# story: Cross-attention weights are normalised over the queries, then summed over the keys.
import torch
torch.manual_seed(455)
query, key, value = torch.randn(3, 5, 8), torch.randn(3, 11, 8), torch.randn(3, 11, 8)
scores = query @ key.transpose(-2, -1) / 8**0.5
weights = scores.softmax(dim=-2)  # BUG: dim=-1, the keys
out = weights @ value
# --- proof (not part of the cell) ---
assert not torch.allclose(weights.sum(-1), torch.ones(3, 5))
