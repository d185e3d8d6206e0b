# id: B452
# frameworks: torch
# kind: loss-col-flat
# detect: outer
# source: written for this project
# story: A binary focal loss written out: probabilities are a column, targets flat.
import torch
torch.manual_seed(452)
head = torch.nn.Linear(7, 1)
x, hit = torch.randn(50, 7), (torch.rand(50) < 0.2).float()
p = torch.sigmoid(head(x))
p_t = p * hit + (1 - p) * (1 - hit)  # BUG: (50,1) * (50,)
focal = (-((1 - p_t) ** 2) * torch.log(p_t)).mean()
focal.backward()
# --- proof (not part of the cell) ---
assert p_t.shape == (50, 50)
