# id: B451
# frameworks: torch
# kind: loss-col-flat
# detect: outer
# source: written for this project
# story: A critic's column of values against flat discounted returns under the Huber loss.
import torch
import torch.nn.functional as F
torch.manual_seed(451)
critic = torch.nn.Sequential(torch.nn.Linear(5, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))
observations = torch.randn(37, 5)
rewards, running, returns = torch.randn(37), 0.0, []
for r in reversed(rewards.tolist()):
    running = r + 0.9 * running
    returns.insert(0, running)
returns = torch.tensor(returns)
loss = F.huber_loss(critic(observations), returns)  # BUG: (37,1) against (37,)
loss.backward()
# --- proof (not part of the cell) ---
assert critic(observations).sub(returns).shape == (37, 37)
