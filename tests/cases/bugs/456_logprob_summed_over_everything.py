# id: B456
# frameworks: torch
# kind: over-reduced-scalar
# detect: collapse
# source: written for this project
# story: The log-probability of a Gaussian policy is summed over batch and actions; one number multiplies every advantage.
import torch
torch.manual_seed(456)
mean = torch.nn.Linear(4, 3)(torch.randn(26, 4))
policy = torch.distributions.Normal(mean, torch.ones(3))
taken, advantage = policy.sample(), torch.randn(26)
objective = (policy.log_prob(taken).sum() * advantage).mean()  # BUG: sum(-1) keeps the batch
(-objective).backward()
# --- proof (not part of the cell) ---
assert policy.log_prob(taken).sum().ndim == 0
