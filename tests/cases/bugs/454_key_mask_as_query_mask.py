# id: B454
# frameworks: torch
# kind: attn-mask-axis
# detect: coincidence
# source: written for this project
# story: A validity mask (batch, time) multiplies attention weights (batch, time, time) directly: with batch = time the batch axis is read as the query axis.
import torch
torch.manual_seed(454)
hidden = torch.randn(7, 7, 12)
lengths = torch.tensor([7, 3, 5, 2, 6, 4, 1])
valid = torch.arange(7)[None, :] < lengths[:, None]
weights = torch.softmax(hidden @ hidden.transpose(1, 2) / 12**0.5, dim=-1)
weights = weights * valid  # BUG: needs valid[:, None, :]
context = weights @ hidden
# --- proof (not part of the cell) ---
assert weights[1, 0, 3:].abs().max() > 0
