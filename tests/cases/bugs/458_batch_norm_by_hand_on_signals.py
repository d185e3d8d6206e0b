# id: B458
# frameworks: torch
# kind: missing-keepdims
# detect: coincidence
# source: written for this project
# story: Statistics per channel of (signal, channel, time) without keepdim; as many channels as time steps.
import torch
torch.manual_seed(458)
signal = torch.randn(12, 16, 16) * torch.arange(1.0, 17.0)[:, None]
mu, var = signal.mean(dim=(0, 2)), signal.var(dim=(0, 2))
normal = (signal - mu) / (var + 1e-5).sqrt()  # BUG: channel statistics along time
# --- proof (not part of the cell) ---
assert not torch.allclose(normal.std(dim=(0, 2)), torch.ones(16), atol=0.1)
