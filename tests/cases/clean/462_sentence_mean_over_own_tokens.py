# id: C462
# frameworks: torch
# kind: clean-mask
# detect: clean
# source: written for this project
# story: Masked means per sentence, and one masked mean over the whole batch.
import torch
torch.manual_seed(462)
token = torch.randn(5, 9, 16)
valid = (torch.arange(9) < torch.tensor([9, 4, 6, 2, 1])[:, None]).float()
sentence = (token * valid.unsqueeze(-1)).sum(dim=1) / valid.sum(dim=1, keepdim=True)
each = token.pow(2).mean(-1)
loss = (each * valid).sum() / valid.sum()
longest = token.masked_fill(valid.unsqueeze(-1) == 0, -1e9).max(dim=1).values
# --- proof (not part of the cell) ---
assert torch.allclose(sentence[4], token[4, 0])
