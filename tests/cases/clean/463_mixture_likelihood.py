# id: C463
# frameworks: torch
# kind: clean-likelihood
# detect: clean
# source: written for this project
# story: Observations against every component of a mixture on purpose; a plain likelihood with equal shapes.
import torch
torch.manual_seed(463)
net = torch.nn.Linear(2, 1)
where, temperature = torch.randn(28, 2), torch.randn(28)
centre, width = torch.tensor([-1.0, 0.0, 1.0]), torch.tensor([0.5, 1.0, 0.5])
component = torch.distributions.Normal(centre, width).log_prob(temperature[:, None])
mixture = torch.logsumexp(component + torch.log_softmax(torch.zeros(3), 0), dim=1)
plain = torch.distributions.Normal(net(where).squeeze(-1), 1.0).log_prob(temperature)
nll = -(mixture + plain).sum()
nll.backward()
# --- proof (not part of the cell) ---
assert mixture.shape == (28,)
