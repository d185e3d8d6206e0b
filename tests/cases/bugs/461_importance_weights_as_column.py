# id: B461
# frameworks: torch
# kind: weights-misbroadcast
# detect: outer
# source: written for this project
# story: Replay weights are stored as a column; the per-sample loss is flat.
import torch
import torch.nn.functional as F
torch.manual_seed(461)
logits = torch.nn.Linear(6, 5)(torch.randn(33, 6))
kind, importance = torch.randint(0, 5, (33,)), torch.rand(33, 1)
each = F.cross_entropy(logits, kind, reduction="none")
loss = (each * importance).mean()  # BUG: (33,) * (33,1)
loss.backward()
# --- proof (not part of the cell) ---
assert (each * importance).shape == (33, 33)
