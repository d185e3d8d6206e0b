# id: C460
# frameworks: torch
# kind: clean-attention
# detect: clean
# source: written for this project
# story: Heads split, transposed, merged again; a view that only regroups the batch.
import torch
torch.manual_seed(460)
batch, time, heads, depth = 2, 10, 4, 8
hidden = torch.nn.Linear(32, heads * depth)(torch.randn(batch, time, 32))
q = hidden.view(batch, time, heads, depth).transpose(1, 2)
weights = (q @ q.transpose(-2, -1) / depth**0.5).softmax(-1)
merged = (weights @ q).transpose(1, 2).reshape(batch, time, heads * depth)
flat = merged.view(-1, heads * depth)
logits = torch.nn.Linear(32, 12)(flat).view(batch, time, 12)
patches = torch.randn(2, 3, 8, 8).reshape(2, 3, 2, 4, 2, 4).permute(0, 2, 4, 1, 3, 5).reshape(2, 4, 48)
# --- proof (not part of the cell) ---
assert logits.shape == (2, 10, 12) and patches.shape == (2, 4, 48)
