# id: B457
# frameworks: torch
# kind: axis-order-layer
# detect: coincidence
# source: written for this project
# story: Position embeddings are made per batch entry (size(0)) and added as if per time step; batch = time hides it.
import torch
torch.manual_seed(457)
word, place = torch.nn.Embedding(50, 16), torch.nn.Embedding(64, 16)
ids = torch.randint(0, 50, (6, 6))
position = place(torch.arange(ids.size(0)))[:, None, :]
hidden = word(ids) + position  # BUG: position runs along the batch
hidden.sum().backward()
# --- proof (not part of the cell) ---
assert position.shape == (6, 1, 16)
