"""Layers: each axis of the result named by what the layer makes of it."""

from __future__ import annotations

from shapecell.adapters.torch.call import Call, Describe
from shapecell.tracking.operation import Kept, Map, Meaning, New, Opaque, Reshape, Same

SPATIAL = {0: (), 1: ("length",), 2: ("height", "width"), 3: ("depth", "height", "width")}


def _kept(call: Call, count: int) -> list[Kept | New]:
    return [Kept(0, axis) for axis in range(count)]


def _behind(call: Call, first: int, layer: str, *, written: bool = False) -> list[Kept | New]:
    """Axes from `first` on: the operand's where the length stayed, the layer's own where it changed."""
    words = SPATIAL.get(call.rank - first, ()) if first else ()
    found: list[Kept | New] = []
    for axis in range(first, call.rank):
        if call.result[axis] == call.shapes[0][axis]:
            found.append(Kept(0, axis))
            continue
        word = words[axis - first] if words else f"axis {axis}"
        reason = layer if call.result[axis] == 1 else None
        found.append(New(f"{layer} {word}", reason, "explicit" if written else "incidental"))
    return found


def _convolution(dimensions: int, transposed: bool) -> Describe:
    layer = f"{'ConvTranspose' if transposed else 'Conv'}{dimensions}d"

    def describe(call: Call) -> Meaning | None:
        channels = call.rank - dimensions - 1  # 0 for a call without a batch
        if channels not in (0, 1) or len(call.result) != call.rank:
            return Opaque()
        size_in, size_out = call.shapes[0][channels], call.result[channels]
        reason = f"{layer}(out_channels=1)" if size_out == 1 else None
        made = New(f"{layer}({size_in}→{size_out}) channels", reason)
        return Map((*_kept(call, channels), made, *_behind(call, channels + 1, layer)))

    return describe


def _pool(dimensions: int) -> Describe:
    def describe(call: Call) -> Meaning | None:
        first = call.rank - dimensions
        if first < 0 or len(call.result) != call.rank:
            return Opaque()
        return Map((*_kept(call, first), *_behind(call, first, call.base, written=call.base.startswith("adaptive"))))

    return describe


def _resized(call: Call) -> Meaning | None:
    """``pad``, ``interpolate``: axes whose length changes are new."""
    first = 2 if call.base != "pad" and call.rank > 2 else 0
    return Map((*_kept(call, first), *_behind(call, first, call.base))) if len(call.result) == call.rank else Opaque()


def _embedding(indices: int, weight: int) -> Describe:
    def describe(call: Call) -> Meaning | None:
        count, size = call.shapes[weight]
        reason = "Embedding(embedding_dim=1)" if size == 1 else None
        kept = tuple(Kept(indices, axis) for axis in range(len(call.shapes[indices])))
        return Map((*kept, New(f"Embedding({count}, {size}) features", reason)))

    return describe


def _one_hot(call: Call) -> Meaning | None:
    return Map((*_kept(call, call.rank), New("classes")))


def _attention(call: Call) -> Meaning | None:
    """Queries stay, the features are the values'."""
    return Map((*_kept(call, call.rank - 1), Kept(2, len(call.shapes[2]) - 1)))


def _multi_head(call: Call) -> Meaning | None:
    return Map((*_kept(call, call.rank - 1), New("MultiheadAttention features")))


def _recurrent(call: Call) -> Meaning | None:
    """``lstm``, ``gru``, ``rnn_tanh``, ``rnn_relu``: sequence and batch stay, the features are the layer's."""
    names = {"lstm": "LSTM", "gru": "GRU"}
    if len(call.result) != call.rank:
        return Opaque()
    layer = names.get(call.base, "RNN")
    reason = f"{layer}(hidden_size=1)" if call.result[-1] == 1 else None
    batch_first = call.args[-1] if call.args and isinstance(call.args[-1], bool) else None
    time = None if batch_first is None or call.rank != 3 else int(batch_first)
    return Map((*_kept(call, call.rank - 1), New(f"{layer} features", reason)), scanned=time)


def _recurrent_cell(call: Call) -> Meaning | None:
    layer = {"lstm_cell": "LSTMCell", "gru_cell": "GRUCell"}.get(call.base, "RNNCell")
    reason = f"{layer}(hidden_size=1)" if call.result[-1] == 1 else None
    return Map((*_kept(call, call.rank - 1), New(f"{layer} features", reason)))


def _encoder_layer(call: Call) -> Meaning | None:
    """The fast path of a transformer layer in evaluation."""
    return Same() if call.result == call.shapes[0] else Opaque()


def _patches(call: Call) -> Meaning | None:
    """``F.unfold``: batch, patch elements, patches."""
    if call.rank != 4:
        return Opaque()
    return Map((Kept(0, 0), New("patch"), New("patches")))


def _folded(call: Call) -> Meaning | None:
    if call.rank != 3:
        return Opaque()
    return Map((Kept(0, 0), New("channels"), New("height"), New("width")))


def _pad_sequence(call: Call) -> Meaning | None:
    """The batch is made here: one row per sequence."""
    if call.rank != 1 or len(call.result) != 2:
        return Opaque()
    made = (New("sequences"), New("time"))
    return Map(made if call.get(1, "batch_first", False) else made[::-1])


def _shuffle(call: Call) -> Meaning | None:
    return Reshape(None)


def _grid(call: Call) -> Meaning | None:
    """``grid_sample``: batch and channels of the input, height and width of the grid."""
    if call.rank != 4:
        return Opaque()
    return Map((Kept(0, 0), Kept(0, 1), Kept(1, 1), Kept(1, 2)))


def _search(call: Call) -> Meaning | None:
    """``searchsorted``, ``bucketize``: the result stands for the values looked up."""
    values = 1 if call.base == "searchsorted" else 0
    if values >= len(call.shapes) or call.result != call.shapes[values]:
        return Opaque()
    return Map(tuple(Kept(values, axis) for axis in range(len(call.shapes[values]))))


def _sampled(call: Call) -> Meaning | None:
    """``multinomial``: rows stay, the draws are new."""
    return Map((*_kept(call, call.rank - 1), New("draws")))


TABLE: dict[str, Describe] = {
    **{f"conv{n}d": _convolution(n, False) for n in (1, 2, 3)},
    **{f"conv_transpose{n}d": _convolution(n, True) for n in (1, 2, 3)},
    **{
        f"{kind}_pool{n}d": _pool(n)
        for n in (1, 2, 3)
        for kind in ("max", "avg", "lp", "adaptive_max", "adaptive_avg", "fractional_max")
    },
    "pad": _resized, "constant_pad_nd": _resized, "interpolate": _resized, "upsample": _resized,
    "F.embedding": _embedding(0, 1), "embedding": _embedding(1, 0), "one_hot": _one_hot,
    "scaled_dot_product_attention": _attention, "multi_head_attention_forward": _multi_head,
    "_native_multi_head_attention": _multi_head, "_transformer_encoder_layer_fwd": _encoder_layer,
    **dict.fromkeys(("lstm", "gru", "rnn_tanh", "rnn_relu"), _recurrent),
    **dict.fromkeys(("lstm_cell", "gru_cell", "rnn_tanh_cell", "rnn_relu_cell"), _recurrent_cell),
    "F.unfold": _patches, "F.fold": _folded, "pad_sequence": _pad_sequence,
    "pixel_shuffle": _shuffle, "pixel_unshuffle": _shuffle, "channel_shuffle": lambda call: Same(),
    "grid_sample": _grid, "searchsorted": _search, "bucketize": _search, "multinomial": _sampled,
}  # fmt: skip
"""Describing functions by base name."""
