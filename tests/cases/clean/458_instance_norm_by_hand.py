# id: C458
# frameworks: torch
# kind: clean-norm
# detect: clean
# source: written for this project
# story: Batch, instance and layer normalisation by hand with every axis where it belongs.
import torch
torch.manual_seed(458)
signal = torch.randn(12, 16, 16) * torch.arange(1.0, 17.0)[:, None]
mu, var = signal.mean(dim=(0, 2)), signal.var(dim=(0, 2))
batch = (signal - mu[:, None]) / (var[:, None] + 1e-5).sqrt()
std, mean = torch.std_mean(signal, dim=-1, keepdim=True)
instance = (signal - mean) / std
gain, shift = torch.ones(16, 1), torch.zeros(16, 1)
scaled = instance * gain + shift
layer = (signal - signal.mean(-1, keepdim=True)) * torch.rsqrt(signal.var(-1, keepdim=True) + 1e-5) * torch.ones(16)
# --- proof (not part of the cell) ---
assert torch.allclose(batch.std(dim=(0, 2)), torch.ones(16), atol=0.1)
