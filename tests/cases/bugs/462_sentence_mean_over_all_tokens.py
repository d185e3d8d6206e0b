# id: B462
# frameworks: torch
# kind: mask-denominator
# detect: axis
# source: written for this project
# story: Sentence embeddings are sums over valid tokens divided by the number of valid tokens of the whole batch.
import torch
torch.manual_seed(462)
token = torch.randn(5, 9, 16)
valid = (torch.arange(9) < torch.tensor([9, 4, 6, 2, 1])[:, None]).float()
sentence = (token * valid.unsqueeze(-1)).sum(dim=1) / valid.sum()  # BUG: valid.sum(1, keepdim=True)
# --- proof (not part of the cell) ---
assert not torch.allclose(sentence[4], token[4, 0])
