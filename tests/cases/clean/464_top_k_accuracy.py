# id: C464
# frameworks: torch
# kind: clean-metric
# detect: clean
# source: written for this project
# story: Top-k hits compare every one of the k guesses with the label on purpose; the plain accuracy squeezes.
import torch
torch.manual_seed(464)
label = torch.randint(0, 10, (64,))
scores = torch.nn.functional.one_hot(label, 10) * 2.0 + torch.randn(64, 10)
best = scores.topk(3, dim=1).indices
top3 = (best == label[:, None]).any(dim=1).float().mean().item()
also = best.eq(label.view(-1, 1).expand_as(best)).sum().item() / 64
top1 = (scores.argmax(dim=1) == label).float().mean().item()
binary = ((scores[:, :1] > 0).squeeze(1) == (label == 0)).float().mean().item()
# --- proof (not part of the cell) ---
assert top3 >= top1 and abs(top3 - also) < 1e-6
