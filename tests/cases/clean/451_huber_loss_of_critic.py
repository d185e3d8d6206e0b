# id: C451
# frameworks: torch
# kind: clean-loss
# detect: clean
# source: written for this project
# story: Value and advantage with the trailing axis squeezed away, and with the returns as a column.
import torch
import torch.nn.functional as F
torch.manual_seed(451)
critic = torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
observations = torch.randn(37, 5)
returns = torch.randn(37)
loss = F.huber_loss(critic(observations).squeeze(-1), returns)
other = F.huber_loss(critic(observations), returns[:, None])
advantage = returns - critic(observations).detach()[:, 0]
advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
loss.backward()
# --- proof (not part of the cell) ---
assert torch.allclose(loss, other)
