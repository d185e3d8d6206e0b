# id: C456
# frameworks: torch
# kind: clean-rl
# detect: clean
# source: written for this project
# story: Log-probabilities summed over the actions; advantages whitened by scalars of their own.
import torch
torch.manual_seed(456)
mean = torch.nn.Linear(4, 3)(torch.randn(26, 4))
policy = torch.distributions.Normal(mean, torch.ones(3))
taken, advantage = policy.sample(), torch.randn(26)
advantage = (advantage - advantage.mean()) / advantage.std()
objective = (policy.log_prob(taken).sum(-1) * advantage).mean()
ratio = (policy.log_prob(taken).sum(-1) - policy.log_prob(taken).sum(-1).detach()).exp()
clipped = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
bonus = 0.01 * policy.entropy().sum(-1).mean()
(-(objective + clipped + bonus)).backward()
# --- proof (not part of the cell) ---
assert objective.ndim == 0
