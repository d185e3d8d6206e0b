# id: B459
# frameworks: torch
# kind: col-flat-arith
# detect: outer
# source: written for this project
# story: The positive distance keeps its axis, the negative does not: the margin is over all pairs.
import torch
torch.manual_seed(459)
embed = torch.nn.Linear(9, 5)
anchor, same, other = embed(torch.randn(21, 9)), embed(torch.randn(21, 9)), embed(torch.randn(21, 9))
near = (anchor - same).norm(dim=1, keepdim=True)
far = (anchor - other).norm(dim=1)
hinge = torch.relu(near - far + 0.5).mean()  # BUG: (21,1) - (21,)
hinge.backward()
# --- proof (not part of the cell) ---
assert (near - far).shape == (21, 21)
