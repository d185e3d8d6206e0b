# id: C457
# frameworks: torch
# kind: clean-embedding
# detect: clean
# source: written for this project
# story: Position and segment embeddings on batch = time.
import torch
torch.manual_seed(457)
word, place, segment = torch.nn.Embedding(50, 16), torch.nn.Embedding(64, 16), torch.nn.Embedding(2, 16)
ids = torch.randint(0, 50, (6, 6))
kind = (torch.arange(6) > 2).long()
hidden = word(ids) + place(torch.arange(ids.size(1))) + segment(kind)
hidden = hidden + place(torch.arange(6)).unsqueeze(0)
task = torch.nn.Parameter(torch.zeros(6, 1, 16))
hidden = hidden + task
hidden.sum().backward()
# --- proof (not part of the cell) ---
assert hidden.shape == (6, 6, 16)
