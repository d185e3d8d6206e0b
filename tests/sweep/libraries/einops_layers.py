"""einops: rearrange, reduce, repeat, einsum and its layers, on tensors and on arrays."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
import torch.nn.functional as F
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import EinMix, Rearrange, Reduce


def attention(batch: int, length: int) -> None:
    """Multi-head attention with a padding mask and an ALiBi bias."""
    heads, depth = 4, 8
    x = torch.randn(batch, length, heads * depth)
    project = torch.nn.Linear(heads * depth, 3 * heads * depth)
    q, k, v = rearrange(project(x), "b t (three h d) -> three b h t d", three=3, h=heads)
    scores = einsum(q, k, "b h i d, b h j d -> b h i j") / depth**0.5
    keep = torch.arange(length) < torch.randint(2, length + 1, (batch, 1))
    distance = (torch.arange(length)[None, :] - torch.arange(length)[:, None]).abs()
    slopes = 2.0 ** -torch.arange(1, heads + 1)
    scores = scores - rearrange(slopes, "h -> h 1 1") * distance
    scores = scores.masked_fill(~rearrange(keep, "b j -> b 1 1 j"), -1e9)
    out = rearrange(einsum(scores.softmax(-1), v, "b h i j, b h j d -> b h i d"), "b h t d -> b t (h d)")
    pooled = reduce(out * keep[..., None], "b t d -> b d", "sum") / reduce(keep.float(), "b t -> b 1", "sum")
    F.mse_loss(pooled, torch.randn_like(pooled)).backward()


def patches(batch: int, side: int) -> None:
    """A small vision transformer's patch embedding, with class token and positions."""
    embed = torch.nn.Sequential(
        Rearrange("b c (h p) (w q) -> b (h w) (p q c)", p=4, q=4), torch.nn.Linear(48, 16), torch.nn.LayerNorm(16)
    )
    image = torch.rand(batch, 3, 4 * side, 4 * side)
    image = image - reduce(image, "b c h w -> 1 c 1 1", "mean")
    token = torch.nn.Parameter(torch.randn(16))
    place = torch.nn.Parameter(torch.randn(side * side + 1, 16))
    x = embed(image)
    x = torch.cat([repeat(token, "d -> b 1 d", b=batch), x], dim=1) + place
    logits = torch.nn.Linear(16, 5)(reduce(x, "b n d -> b d", "mean"))
    F.cross_entropy(logits, torch.randint(0, 5, (batch,))).backward()


def convolutional(batch: int, channels: int) -> None:
    """A classifier with a reducing layer, and squeeze-and-excitation by repeat."""
    net = torch.nn.Sequential(
        torch.nn.Conv2d(3, channels, 3, padding=1), torch.nn.ReLU(), Reduce("b c (h 2) (w 2) -> b c h w", "max")
    )
    x = net(torch.randn(batch, 3, 16, 16))
    gate = torch.sigmoid(torch.nn.Linear(channels, channels)(reduce(x, "b c h w -> b c", "mean")))
    x = x * rearrange(gate, "b c -> b c 1 1")
    x.square().mean().backward()


def mixer(batch: int, patches_: int) -> None:
    """An MLP-mixer block of EinMix layers."""
    x = torch.randn(batch, patches_, 12)
    tokens = torch.nn.Sequential(
        EinMix("b t c -> b m c", weight_shape="t m", bias_shape="m", t=patches_, m=10), torch.nn.GELU(),
        EinMix("b m c -> b t c", weight_shape="m t", bias_shape="t", t=patches_, m=10),
    )  # fmt: skip
    channels = EinMix("b t c -> b t d", weight_shape="c d", bias_shape="d", c=12, d=12)
    y = torch.nn.LayerNorm(12)(x + tokens(x))
    y = y + channels(y)
    y.pow(2).sum().backward()


def standardise(rows: int, columns: int) -> None:
    """Per-channel statistics of arrays in both layouts."""
    gen = np.random.default_rng(0)
    images = gen.random((rows, columns, columns, 3))
    mean = reduce(images, "n h w c -> c", "mean")
    scaled = (images - mean) / images.std(axis=(0, 1, 2))
    first = rearrange(images, "n h w c -> n c h w")
    again = (first - rearrange(mean, "c -> c 1 1")) / rearrange(images.std(axis=(0, 1, 2)), "c -> 1 c 1 1")
    assert np.allclose(rearrange(again, "n c h w -> n h w c"), scaled)
    per_row = images - reduce(images, "n h w c -> n h 1 1", "mean")
    assert per_row.shape == images.shape


def gram(batch: int, channels: int) -> None:
    """Style matrices and their loss."""
    feature, style = torch.randn(batch, channels, 6, 6, requires_grad=True), torch.randn(1, channels, 6, 6)
    own = einsum(feature, feature, "b c h w, b d h w -> b c d") / 36
    wanted = repeat(einsum(style, style, "b c h w, b d h w -> b c d") / 36, "1 c d -> b c d", b=batch)
    F.mse_loss(own, wanted).backward()


def packed(batch: int, length: int) -> None:
    """Packing a class token with words of two modalities, and unpacking."""
    words, sound, token = torch.randn(batch, length, 6), torch.randn(batch, 4, 6), torch.randn(batch, 6)
    together, shapes = pack([token, words, sound], "b * d")
    together = together - reduce(together, "b n d -> b 1 d", "mean")
    token, words, sound = unpack(together, shapes, "b * d")
    similarity = einsum(F.normalize(words, dim=-1), F.normalize(sound, dim=-1), "b i d, b j d -> b i j")
    best = similarity.max(dim=-1).values.mean(dim=-1)
    assert best.shape == (batch,) and token.shape == (batch, 6)


def windows(rows: int, width: int) -> None:
    """Time windows of a multivariate series, normalised per window and channel."""
    gen = np.random.default_rng(1)
    series = gen.normal(size=(rows * width, 3))
    blocks = rearrange(series, "(n w) c -> n w c", w=width)
    centre = reduce(blocks, "n w c -> n 1 c", "mean")
    normal = (blocks - centre) / (blocks.std(axis=1, keepdims=True) + 1e-9)
    energy = reduce(normal**2, "n w c -> n c", "mean")
    assert np.allclose(energy, 1)
    weights = np.hanning(width)
    tapered = normal * rearrange(weights, "w -> w 1")
    assert tapered.shape == blocks.shape


def moving_average_teacher(batch: int, groups: int) -> None:
    """Vector quantisation: nearest codes, and their batch statistics."""
    codes, x = torch.randn(groups, 4), torch.randn(batch, 4, requires_grad=True)
    distance = reduce((rearrange(x, "b d -> b 1 d") - codes) ** 2, "b k d -> b k", "sum")
    nearest = distance.argmin(dim=1)
    chosen = F.one_hot(nearest, groups).float()
    count = reduce(chosen, "b k -> k", "sum")
    mean = einsum(chosen, x, "b k, b d -> k d") / rearrange(count.clamp(min=1), "k -> k 1")
    commitment = F.mse_loss(x, codes[nearest])
    (commitment + (mean - codes).pow(2).mean()).backward()


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{run.__name__}.{size}", _bind(run, sizes))
    for run in (
        attention, patches, convolutional, mixer, standardise, gram, packed, windows, moving_average_teacher,
    )
    for size, sizes in {"odd": (3, 7), "equal": (8, 8), "small": (4, 4)}.items()
]  # fmt: skip
