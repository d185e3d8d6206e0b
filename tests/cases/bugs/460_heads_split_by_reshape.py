# id: B460
# frameworks: torch
# kind: reshape-scramble
# detect: axis
# source: written for this project
# story: Heads are split off by viewing (batch, time, width) straight as (batch, heads, time, depth); time steps and features are mixed.
import torch
torch.manual_seed(460)
batch, time, heads, depth = 2, 10, 4, 8
hidden = torch.nn.Linear(32, heads * depth)(torch.randn(batch, time, 32))
q = hidden.view(batch, heads, time, depth)  # BUG: view(batch, time, heads, depth).transpose(1, 2)
scores = q @ q.transpose(-2, -1)
# --- proof (not part of the cell) ---
assert not torch.equal(q, hidden.view(batch, time, heads, depth).transpose(1, 2))
