# id: C459
# frameworks: torch
# kind: clean-pairwise
# detect: clean
# source: written for this project
# story: All triplets of a batch on purpose, from a pairwise distance by broadcasting.
import torch
torch.manual_seed(459)
embed = torch.nn.Linear(9, 5)
points, kind = embed(torch.randn(21, 9)), torch.arange(21) % 3
distance = (points.unsqueeze(1) - points.unsqueeze(0)).pow(2).sum(-1)
same = kind.unsqueeze(0) == kind.unsqueeze(1)
hinge = torch.relu(distance.unsqueeze(2) - distance.unsqueeze(1) + 0.5)
valid = same.unsqueeze(2) & ~same.unsqueeze(1)
loss = (hinge * valid).sum() / valid.sum()
sq = points.square().sum(1)
also = sq[:, None] + sq - 2 * points @ points.T
loss.backward()
# --- proof (not part of the cell) ---
assert torch.allclose(also, distance, atol=1e-4)
