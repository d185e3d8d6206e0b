# id: B463
# frameworks: torch
# kind: likelihood-shape
# detect: outer
# source: written for this project
# story: The mean of a Gaussian likelihood is a column, the observations are flat.
import torch
torch.manual_seed(463)
net = torch.nn.Linear(2, 1)
where, temperature = torch.randn(28, 2), torch.randn(28)
noise = torch.nn.Parameter(torch.zeros(()))
likelihood = torch.distributions.Normal(net(where), noise.exp())
nll = -likelihood.log_prob(temperature).sum()  # BUG: (28,1) against (28,)
nll.backward()
# --- proof (not part of the cell) ---
assert likelihood.log_prob(temperature).shape == (28, 28)
