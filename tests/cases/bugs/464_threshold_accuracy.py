# id: B464
# frameworks: torch
# kind: metric-col-flat
# detect: outer
# source: written for this project
# story: Thresholded logits of a one-output head compared with flat labels.
import torch
torch.manual_seed(464)
label = (torch.rand(64) < 0.1).float()
logit = (label[:, None] - 0.5) * 8 + torch.randn(64, 1)
decided = (logit > 0).float()
share = (decided == label).float().mean().item()  # BUG: (64,1) == (64,)
# --- proof (not part of the cell) ---
assert share < ((decided[:, 0] == label).float().mean().item()) - 0.1
