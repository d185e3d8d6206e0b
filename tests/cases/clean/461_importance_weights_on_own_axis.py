# id: C461
# frameworks: torch
# kind: clean-weights
# detect: clean
# source: written for this project
# story: Weights per sample, per token and per class where they belong.
import torch
import torch.nn.functional as F
torch.manual_seed(461)
logits = torch.nn.Linear(6, 5)(torch.randn(33, 6))
kind, importance = torch.randint(0, 5, (33,)), torch.rand(33, 1)
each = F.cross_entropy(logits, kind, reduction="none")
loss = (each * importance.squeeze(1)).mean() + (each[:, None] * importance).mean()
per_class = (F.one_hot(kind, 5) * torch.arange(1.0, 6.0)).sum(1)
rows = logits * importance
tokens = torch.randn(33, 8, 5) * importance[:, :, None]
loss.backward()
# --- proof (not part of the cell) ---
assert loss.ndim == 0 and per_class.shape == (33,)
