# id: B453
# frameworks: torch
# kind: loss-batch-mismatch
# detect: onesided
# source: written for this project
# story: An encoder pools over dim 0 (the batch) instead of the frames; one decoded row is compared with every target.
import torch
import torch.nn.functional as F
torch.manual_seed(453)
encode, decode = torch.nn.Linear(6, 10), torch.nn.Linear(10, 4)
clips, pose = torch.randn(14, 6), torch.randn(14, 4)
code = torch.relu(encode(clips)).mean(dim=0, keepdim=True)
loss = F.l1_loss(decode(code), pose)  # BUG: (1,4) against (14,4)
loss.backward()
# --- proof (not part of the cell) ---
assert code.shape == (1, 10)
