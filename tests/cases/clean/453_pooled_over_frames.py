# id: C453
# frameworks: torch
# kind: clean-pooling
# detect: clean
# source: written for this project
# story: Pooling over frames keeps the batch; centring a batch by its mean row is meant.
import torch
import torch.nn.functional as F
torch.manual_seed(453)
encode, decode = torch.nn.Linear(6, 10), torch.nn.Linear(10, 4)
clips, pose = torch.randn(14, 9, 6), torch.randn(14, 4)
code = torch.relu(encode(clips)).mean(dim=1)
centred = code - code.mean(dim=0, keepdim=True)
loss = F.l1_loss(decode(centred), pose)
loss.backward()
# --- proof (not part of the cell) ---
assert code.shape == (14, 10)
