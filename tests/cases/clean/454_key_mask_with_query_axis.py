# id: C454
# frameworks: torch
# kind: clean-mask
# detect: clean
# source: written for this project
# story: Key mask, causal mask and their combination, with batch = time.
import torch
torch.manual_seed(454)
hidden = torch.randn(7, 7, 12)
lengths = torch.tensor([7, 3, 5, 2, 6, 4, 1])
valid = torch.arange(7)[None, :] < lengths[:, None]
causal = torch.tril(torch.ones(7, 7, dtype=torch.bool))
scores = hidden @ hidden.transpose(1, 2) / 12**0.5
allowed = causal & valid[:, None, :]
weights = scores.masked_fill(~allowed, float("-inf")).softmax(dim=-1)
context = weights @ hidden
summary = (context * valid[..., None]).sum(1) / valid.sum(1, keepdim=True)
# --- proof (not part of the cell) ---
assert weights[1, 6, 3:].abs().max() == 0 and torch.isfinite(summary).all()
