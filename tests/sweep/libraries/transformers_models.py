"""transformers: tiny models with random weights, trained for one step, at odd and at coinciding sizes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
import transformers as tr


@dataclass(frozen=True)
class Sizes:
    """Batch, sequence length, hidden width and number of classes of an example."""

    name: str
    batch: int
    length: int
    width: int
    classes: int


ODD = Sizes("odd", 3, 7, 20, 5)
EQUAL = Sizes("equal", 8, 8, 32, 8)
WORDS = 60


def padded_batch(sizes: Sizes) -> tuple[torch.Tensor, torch.Tensor]:
    """Token ids and their attention mask; every other sequence is shorter."""
    ids = torch.randint(3, WORDS, (sizes.batch, sizes.length))
    lengths = torch.full((sizes.batch,), sizes.length)
    lengths[1::2] -= 2
    mask = (torch.arange(sizes.length) < lengths[:, None]).long()
    return ids * mask, mask


def classify(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Sequence classification, with accuracy and a loss that weights the classes."""
    model = tr.AutoModelForSequenceClassification.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    labels = torch.randint(0, sizes.classes, (sizes.batch,))
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    probability = torch.softmax(out.logits / 0.7, dim=-1)
    accuracy = (out.logits.argmax(dim=-1) == labels).float().mean()
    weights = 1.0 / (torch.bincount(labels, minlength=sizes.classes) + 1.0)
    smooth = -(weights[labels] * probability.gather(1, labels[:, None]).squeeze(1).log()).mean()
    assert torch.isfinite(smooth) and accuracy <= 1


def embed(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Sentence embeddings: masked mean pooling, cosine similarities of all pairs, a contrastive loss."""
    model = tr.AutoModel.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    hidden = model(input_ids=ids, attention_mask=mask).last_hidden_state
    weight = mask.unsqueeze(-1).float()
    pooled = (hidden * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-9)
    unit = F.normalize(pooled, dim=-1)
    similarity = unit @ unit.T / 0.05
    similarity = similarity - 1e4 * torch.eye(len(unit))
    loss = F.cross_entropy(similarity, torch.arange(len(unit)).roll(1))
    loss.backward()
    centred = pooled - pooled.mean(dim=0)
    assert centred.shape == pooled.shape


def mask_words(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Masked language modelling with 15 % of the tokens masked."""
    model = tr.AutoModelForMaskedLM.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    chosen = (torch.rand(ids.shape) < 0.3) & mask.bool()
    chosen[:, 0] = True
    labels = ids.masked_fill(~chosen, -100)
    out = model(input_ids=ids.masked_fill(chosen, 2), attention_mask=mask, labels=labels)
    out.loss.backward()
    right = (out.logits.argmax(-1) == labels) & chosen
    share = right.sum() / chosen.sum()
    assert share <= 1


def continue_text(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Causal language modelling: the model's loss, a shifted loss by hand and a perplexity per sequence."""
    model = tr.AutoModelForCausalLM.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    labels = ids.masked_fill(mask == 0, -100)
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    logits, targets, keep = out.logits[:, :-1], ids[:, 1:], mask[:, 1:]
    token_loss = F.cross_entropy(logits.transpose(1, 2), targets, reduction="none")
    per_sequence = (token_loss * keep).sum(dim=1) / keep.sum(dim=1)
    perplexity = per_sequence.exp()
    log_probs = torch.log_softmax(logits, dim=-1).gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    advantage = (perplexity - perplexity.mean()) / (perplexity.std() + 1e-6)
    policy = -(log_probs * keep * advantage.detach().unsqueeze(1)).sum() / keep.sum()
    assert torch.isfinite(policy)


def translate(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """An encoder and a decoder of another length (equal in the coinciding sizes)."""
    model = tr.AutoModelForSeq2SeqLM.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    target_length = sizes.length if sizes is EQUAL else sizes.length - 3
    labels = torch.randint(3, WORDS, (sizes.batch, target_length))
    labels[0, -1] = -100
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    keep = labels != -100
    accuracy = ((out.logits.argmax(-1) == labels) * keep).sum(dim=1) / keep.sum(dim=1)
    assert accuracy.shape == (sizes.batch,)


def tag(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Token classification."""
    model = tr.AutoModelForTokenClassification.from_config(make(sizes))
    ids, mask = padded_batch(sizes)
    labels = torch.randint(0, sizes.classes, ids.shape).masked_fill(mask == 0, -100)
    out = model(input_ids=ids, attention_mask=mask, labels=labels)
    out.loss.backward()
    loss = F.cross_entropy(out.logits.reshape(-1, sizes.classes), labels.reshape(-1), reduction="none")
    per_sentence = loss.view_as(ids).sum(1) / mask.sum(1)
    assert torch.isfinite(per_sentence).all()


def answer(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Question answering: start and end positions, and the best span by an outer sum of their scores."""
    config = make(sizes)
    config.num_labels = 2
    model = tr.AutoModelForQuestionAnswering.from_config(config)
    ids, mask = padded_batch(sizes)
    start = torch.randint(0, sizes.length - 2, (sizes.batch,))
    out = model(input_ids=ids, attention_mask=mask, start_positions=start, end_positions=start + 1)
    out.loss.backward()
    hidden = (1 - mask) * -1e4
    spans = (out.start_logits + hidden).unsqueeze(2) + (out.end_logits + hidden).unsqueeze(1)
    best = spans.triu().flatten(1).argmax(dim=1)
    exact = (best // sizes.length == start).float().mean()
    assert exact <= 1


def see(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Image classification, with the usual normalisation of the channels."""
    config = make(sizes)
    side = getattr(config, "image_size", 32)
    images = torch.randint(0, 256, (sizes.batch, 3, side, side)) / 255.0
    mean, std = torch.tensor([0.485, 0.456, 0.406]), torch.tensor([0.229, 0.224, 0.225])
    pixels = (images - mean[:, None, None]) / std[:, None, None]
    model = tr.AutoModelForImageClassification.from_config(config)
    labels = torch.randint(0, sizes.classes, (sizes.batch,))
    out = model(pixel_values=pixels, labels=labels)
    out.loss.backward()
    top2 = out.logits.topk(2, dim=1).indices
    hit = (top2 == labels[:, None]).any(dim=1).float().mean()
    mixed = 0.7 * F.one_hot(labels, sizes.classes) + 0.3 * F.one_hot(labels.flip(0), sizes.classes)
    soft = -(mixed * F.log_softmax(out.logits, dim=1)).sum(1).mean()
    assert hit <= 1 and torch.isfinite(soft)


def segment(make: Callable[[Sizes], Any], sizes: Sizes) -> None:
    """Semantic segmentation, with the intersection over union per class."""
    model = tr.AutoModelForSemanticSegmentation.from_config(make(sizes))
    side = 32
    pixels, labels = torch.randn(sizes.batch, 3, side, side), torch.randint(0, sizes.classes, (sizes.batch, side, side))
    out = model(pixel_values=pixels, labels=labels)
    out.loss.backward()
    logits = F.interpolate(out.logits, size=(side, side), mode="bilinear", align_corners=False)
    guess = logits.argmax(dim=1)
    classes = torch.arange(sizes.classes)[:, None, None, None]
    both = ((guess == classes) & (labels == classes)).sum(dim=(1, 2, 3))
    either = ((guess == classes) | (labels == classes)).sum(dim=(1, 2, 3))
    iou = both / either.clamp(min=1)
    assert iou.shape == (sizes.classes,)


def read_image_and_text(sizes: Sizes) -> None:
    """CLIP: a symmetric contrastive loss over images and captions."""
    text = {"vocab_size": WORDS, "max_position_embeddings": 16, "eos_token_id": 1, "bos_token_id": 0, "pad_token_id": 2}
    small = {"hidden_size": sizes.width, "intermediate_size": 24, "num_hidden_layers": 1, "num_attention_heads": 4}
    config = tr.CLIPConfig(
        text_config={**small, **text}, vision_config={**small, "image_size": 16, "patch_size": 8}, projection_dim=12
    )
    model = tr.CLIPModel(config)
    ids, mask = padded_batch(sizes)
    out = model(input_ids=ids, attention_mask=mask, pixel_values=torch.randn(sizes.batch, 3, 16, 16), return_loss=True)
    out.loss.backward()
    labels = torch.arange(sizes.batch)
    by_hand = (F.cross_entropy(out.logits_per_image, labels) + F.cross_entropy(out.logits_per_text, labels)) / 2
    assert torch.allclose(by_hand, out.loss, atol=1e-5)


def transcribe(sizes: Sizes) -> None:
    """Wav2Vec2 with CTC, on raw audio standardised per clip."""
    config = tr.Wav2Vec2Config(
        vocab_size=WORDS, hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=24,
        conv_dim=(16, 16), conv_kernel=(10, 3), conv_stride=(5, 2), num_conv_pos_embeddings=6,
        num_conv_pos_embedding_groups=2, mask_time_length=2, num_feat_extract_layers=2,
    )  # fmt: skip
    model = tr.Wav2Vec2ForCTC(config)
    audio = torch.randn(sizes.batch, 400)
    audio = (audio - audio.mean(dim=1, keepdim=True)) / audio.std(dim=1, keepdim=True)
    out = model(audio, labels=torch.randint(1, WORDS, (sizes.batch, 4)))
    out.loss.backward()


def listen(sizes: Sizes) -> None:
    """Whisper on log-mel frames clipped as its feature extractor clips them."""
    config = tr.WhisperConfig(
        vocab_size=WORDS, num_mel_bins=8, d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=4,
        decoder_attention_heads=4, encoder_ffn_dim=24, decoder_ffn_dim=24, max_source_positions=20,
        max_target_positions=20, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
        suppress_tokens=[], begin_suppress_tokens=[],
    )  # fmt: skip
    mel = torch.rand(sizes.batch, 8, 40).log10()
    mel = torch.maximum(mel, mel.amax(dim=(1, 2), keepdim=True) - 8.0)
    out = tr.WhisperForConditionalGeneration(config)((mel + 4) / 4, labels=torch.randint(3, WORDS, (sizes.batch, 6)))
    out.loss.backward()


def forecast(sizes: Sizes) -> None:
    """A probabilistic time series transformer, with static and time features."""
    past, future = 12, sizes.length
    config = tr.TimeSeriesTransformerConfig(
        prediction_length=future, context_length=past, lags_sequence=[1, 2, 3], num_time_features=2,
        num_static_categorical_features=1, cardinality=[5], embedding_dimension=[4], encoder_layers=1,
        decoder_layers=1, d_model=16, encoder_ffn_dim=24, decoder_ffn_dim=24,
    )  # fmt: skip
    model = tr.TimeSeriesTransformerForPrediction(config)
    series = torch.rand(sizes.batch, past + 3 + future).cumsum(1) + 1
    clock = torch.stack([torch.arange(past + 3 + future) / 24.0, torch.ones(past + 3 + future)], dim=-1)
    clock = clock.expand(sizes.batch, -1, -1)
    out = model(
        past_values=series[:, :-future], past_time_features=clock[:, :-future],
        past_observed_mask=torch.ones(sizes.batch, past + 3), future_values=series[:, -future:],
        static_categorical_features=torch.randint(0, 5, (sizes.batch, 1)),
        future_time_features=clock[:, -future:], future_observed_mask=torch.ones(sizes.batch, future),
    )  # fmt: skip
    out.loss.backward()


def forecast_patches(sizes: Sizes) -> None:
    """PatchTST on several channels, with an error per channel."""
    config = tr.PatchTSTConfig(
        num_input_channels=3, context_length=32, patch_length=8, patch_stride=8, prediction_length=sizes.length,
        d_model=16, num_attention_heads=2, num_hidden_layers=1, ffn_dim=24,
    )  # fmt: skip
    model = tr.PatchTSTForPrediction(config)
    past, future = torch.randn(sizes.batch, 32, 3), torch.randn(sizes.batch, sizes.length, 3)
    out = model(past_values=past, future_values=future)
    out.loss.backward()
    scale = past.std(dim=1, keepdim=True) + 1e-5
    scaled_error = ((out.prediction_outputs - future).abs() / scale).mean(dim=(0, 1))
    assert scaled_error.shape == (3,)


def detect(sizes: Sizes) -> None:
    """YOLOS: set prediction of boxes."""
    config = tr.YolosConfig(
        hidden_size=32, num_hidden_layers=1, num_attention_heads=4, intermediate_size=24, image_size=[32, 32],
        patch_size=8, num_detection_tokens=sizes.length, num_labels=sizes.classes,
    )  # fmt: skip
    model = tr.YolosForObjectDetection(config)
    labels = [
        {"class_labels": torch.randint(0, sizes.classes, (2,)), "boxes": torch.tensor([[0.5, 0.5, 0.2, 0.3]] * 2)}
        for _ in range(sizes.batch)
    ]
    out = model(pixel_values=torch.randn(sizes.batch, 3, 32, 32), labels=labels)
    out.loss.backward()
    centre, extent = out.pred_boxes[..., :2], out.pred_boxes[..., 2:]
    corners = torch.cat([centre - extent / 2, centre + extent / 2], dim=-1) * torch.tensor([32.0, 32.0, 32.0, 32.0])
    assert corners.shape == (sizes.batch, sizes.length, 4)


def _bert_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        return config(
            **{
                "vocab_size": WORDS, "hidden_size": sizes.width, "num_hidden_layers": 1, "num_attention_heads": 4,
                "intermediate_size": 28, "max_position_embeddings": 40, "num_labels": sizes.classes,
                "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **more,
            }
        )  # fmt: skip

    return make


def _llama_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        width = 24 if sizes is ODD else sizes.width
        return config(
            **{
                "vocab_size": WORDS, "hidden_size": width, "num_hidden_layers": 2, "num_attention_heads": 4,
                "num_key_value_heads": 2, "intermediate_size": 28, "max_position_embeddings": 40,
                "num_labels": sizes.classes, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **more,
            }
        )  # fmt: skip

    return make


def _gpt_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        width = 24 if sizes is ODD else sizes.width
        return config(
            **{
                "vocab_size": WORDS, "n_embd": width, "n_layer": 1, "n_head": 4, "n_positions": 40,
                "num_labels": sizes.classes, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, **more,
            }
        )  # fmt: skip

    return make


def _bart_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        return config(
            **{
                "vocab_size": WORDS, "d_model": sizes.width, "encoder_layers": 1, "decoder_layers": 1,
                "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 28,
                "decoder_ffn_dim": 28, "max_position_embeddings": 40, "num_labels": sizes.classes,
                "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1,
                "forced_eos_token_id": None, **more,
            }
        )  # fmt: skip

    return make


def _vit_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        return config(
            **{
                "hidden_size": sizes.width, "num_hidden_layers": 1, "num_attention_heads": 4,
                "intermediate_size": 28, "image_size": 32, "patch_size": 8, "num_labels": sizes.classes, **more,
            }
        )  # fmt: skip

    return make


def _other(config: type[Any], **fixed: Any) -> Callable[[Sizes], Any]:
    return lambda sizes: config(**{"num_labels": sizes.classes, **fixed})


def _t5_like(config: type[Any], **more: Any) -> Callable[[Sizes], Any]:
    def make(sizes: Sizes) -> Any:
        return config(
            **{
                "vocab_size": WORDS, "d_model": sizes.width, "d_kv": 8, "d_ff": 28, "num_layers": 2, "num_heads": 4,
                "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "num_labels": sizes.classes, **more,
            }
        )  # fmt: skip

    return make


MODELS: list[tuple[str, Callable[[Callable[[Sizes], Any], Sizes], None], Callable[[Sizes], Any]]] = [
    ("bert", classify, _bert_like(tr.BertConfig)),
    ("bert", mask_words, _bert_like(tr.BertConfig)),
    ("bert", answer, _bert_like(tr.BertConfig)),
    ("roberta", classify, _bert_like(tr.RobertaConfig)),
    ("roberta", tag, _bert_like(tr.RobertaConfig)),
    ("distilbert", embed, _other(tr.DistilBertConfig, vocab_size=WORDS, dim=24, n_heads=4, n_layers=1, hidden_dim=28)),
    ("albert", embed, _bert_like(tr.AlbertConfig, embedding_size=12)),
    ("electra", tag, _bert_like(tr.ElectraConfig, embedding_size=12)),
    ("deberta", classify, _bert_like(tr.DebertaV2Config, relative_attention=True, pos_att_type=["p2c", "c2p"])),
    ("mpnet", embed, _bert_like(tr.MPNetConfig)),
    ("convbert", classify, _bert_like(tr.ConvBertConfig, embedding_size=20, head_ratio=2, conv_kernel_size=3)),
    ("squeezebert", answer, _bert_like(tr.SqueezeBertConfig, embedding_size=32, hidden_size=32)),
    ("nystromformer", mask_words, _bert_like(tr.NystromformerConfig, num_landmarks=4, segment_means_seq_len=4)),
    ("roformer", mask_words, _bert_like(tr.RoFormerConfig, hidden_size=32)),
    ("modernbert", mask_words, _bert_like(tr.ModernBertConfig, hidden_size=32, cls_token_id=1, sep_token_id=2)),
    ("xlnet", classify, _other(tr.XLNetConfig, vocab_size=WORDS, d_model=24, n_layer=1, n_head=4, d_inner=28)),
    ("funnel", embed, _other(tr.FunnelConfig, vocab_size=WORDS, block_sizes=[1, 1], block_repeats=[1, 1],
                             num_decoder_layers=1, d_model=24,
                             n_head=4, d_head=6, d_inner=28, architectures=["FunnelModel"])),
    ("gpt2", continue_text, _gpt_like(tr.GPT2Config)),
    ("gpt2", classify, _gpt_like(tr.GPT2Config)),
    ("codegen", continue_text, _gpt_like(tr.CodeGenConfig, rotary_dim=4, n_embd=32)),
    ("gpt_neo", continue_text, _other(tr.GPTNeoConfig, vocab_size=WORDS, hidden_size=24, num_layers=2, num_heads=4,
                                      attention_types=[[["global", "local"], 1]], window_size=4,
                                      max_position_embeddings=40, bos_token_id=1, eos_token_id=2)),
    ("gpt_neox", continue_text, _bert_like(tr.GPTNeoXConfig, hidden_size=32)),
    ("opt", continue_text, _bert_like(tr.OPTConfig, ffn_dim=28, word_embed_proj_dim=16)),
    ("bloom", continue_text, _other(tr.BloomConfig, vocab_size=WORDS, hidden_size=24, n_layer=1, n_head=4,
                                    bos_token_id=1, eos_token_id=2, pad_token_id=0)),
    ("falcon", continue_text, _other(tr.FalconConfig, vocab_size=WORDS, hidden_size=32, num_hidden_layers=1,
                                     num_attention_heads=4, bos_token_id=1, eos_token_id=2)),
    ("llama", continue_text, _llama_like(tr.LlamaConfig)),
    ("llama", classify, _llama_like(tr.LlamaConfig)),
    ("mistral", continue_text, _llama_like(tr.MistralConfig, sliding_window=4)),
    ("qwen2", continue_text, _llama_like(tr.Qwen2Config)),
    ("qwen3", continue_text, _llama_like(tr.Qwen3Config, head_dim=8)),
    ("gemma2", continue_text, _llama_like(tr.Gemma2Config, head_dim=8, sliding_window=4)),
    ("phi", continue_text, _llama_like(tr.PhiConfig, partial_rotary_factor=0.5, hidden_size=32)),
    ("stablelm", continue_text, _llama_like(tr.StableLmConfig, hidden_size=32)),
    ("mixtral", continue_text, _llama_like(tr.MixtralConfig, num_local_experts=3, output_router_logits=True)),
    ("mamba", continue_text, _other(tr.MambaConfig, vocab_size=WORDS, hidden_size=16, state_size=4, num_hidden_layers=1,
                                    bos_token_id=1, eos_token_id=2, pad_token_id=0)),
    ("t5", translate, _t5_like(tr.T5Config)),
    ("mt5", translate, _t5_like(tr.MT5Config)),
    ("bart", translate, _bart_like(tr.BartConfig)),
    ("marian", translate, _bart_like(tr.MarianConfig)),
    ("pegasus", translate, _bart_like(tr.PegasusConfig)),
    ("mbart", translate, _bart_like(tr.MBartConfig)),
    ("blenderbot", translate, _bart_like(tr.BlenderbotConfig)),
    ("vit", see, _vit_like(tr.ViTConfig)),
    ("deit", see, _vit_like(tr.DeiTConfig, architectures=["DeiTForImageClassification"])),
    ("beit", see, _vit_like(tr.BeitConfig, use_relative_position_bias=True)),
    ("swin", see, _other(tr.SwinConfig, image_size=32, patch_size=4, embed_dim=12, depths=[1, 1], num_heads=[2, 2],
                         window_size=4)),
    ("convnext", see, _other(tr.ConvNextConfig, image_size=32, num_stages=2, depths=[1, 1], hidden_sizes=[8, 12])),
    ("resnet", see, _other(tr.ResNetConfig, embedding_size=8, hidden_sizes=[8, 12], depths=[1, 1])),
    ("mobilevit", see, _other(tr.MobileViTConfig, image_size=64, hidden_sizes=[16, 24, 32], neck_hidden_sizes=[
                         8, 8, 8, 16, 16, 16, 24], num_attention_heads=4)),
    ("segformer", segment, _other(tr.SegformerConfig, depths=[1, 1, 1, 1], hidden_sizes=[8, 8, 16, 16],
                                  num_attention_heads=[1, 1, 2, 2], decoder_hidden_size=16)),
]  # fmt: skip

ALONE: list[tuple[str, Callable[[Sizes], None]]] = [
    ("clip", read_image_and_text),
    ("wav2vec2", transcribe),
    ("whisper", listen),
    ("time_series_transformer", forecast),
    ("patchtst", forecast_patches),
    ("yolos", detect),
]


def _bind(task: Callable[..., None], *arguments: Any) -> Callable[[], None]:
    return lambda: task(*arguments)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{name}.{task.__name__}.{sizes.name}", _bind(task, make, sizes))
    for name, task, make in MODELS
    for sizes in (ODD, EQUAL)
] + [(f"{name}.{sizes.name}", _bind(task, sizes)) for name, task in ALONE for sizes in (ODD, EQUAL)]
