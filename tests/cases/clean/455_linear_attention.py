# id: C455
# frameworks: torch
# kind: clean-softmax
# detect: clean
# source: written for this project
# story: Efficient attention normalises keys over their positions and queries over features, as its authors wrote it; temperature softmax over classes.
import torch
torch.manual_seed(455)
query, key, value = torch.randn(3, 5, 8), torch.randn(3, 11, 8), torch.randn(3, 11, 8)
weights = (query @ key.transpose(-2, -1) / 8**0.5).softmax(dim=-1)
out = weights @ value
context = key.softmax(dim=1).transpose(1, 2) @ value
linear = query.softmax(dim=-1) @ context
temperature = torch.tensor([0.5, 1.0, 2.0])[:, None, None]
sharp = ((query @ key.transpose(-2, -1)) / temperature).softmax(-1)
# --- proof (not part of the cell) ---
assert torch.allclose(weights.sum(-1), torch.ones(3, 5)) and linear.shape == out.shape
