# id: C452
# frameworks: torch
# kind: clean-focal
# detect: clean
# source: written for this project
# story: A focal loss over classes with a weight per class, from one-hot targets.
import torch
import torch.nn.functional as F
torch.manual_seed(452)
head = torch.nn.Linear(7, 4)
x, kind = torch.randn(50, 7), torch.randint(0, 4, (50,))
alpha = torch.tensor([0.1, 0.2, 0.3, 0.4])
log_p = F.log_softmax(head(x), dim=1)
onehot = F.one_hot(kind, 4).float()
focal = -(onehot * alpha * (1 - log_p.exp()) ** 2 * log_p).sum(dim=1).mean()
picked = log_p.gather(1, kind[:, None]).squeeze(1)
also = -(alpha[kind] * (1 - picked.exp()) ** 2 * picked).mean()
focal.backward()
# --- proof (not part of the cell) ---
assert torch.allclose(focal, also)
