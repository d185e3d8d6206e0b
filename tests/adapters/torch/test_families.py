"""Each family of functions, in each of its spellings, is put into the vocabulary as it should be."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from shapecell.tracking.operation import (
    Advanced,
    Along,
    Assign,
    Concatenate,
    Contract,
    Create,
    Drop,
    Elementwise,
    Expand,
    Gather,
    Index,
    Insert,
    Integer,
    Kept,
    Loss,
    Map,
    Mask,
    Meaning,
    New,
    NewAxis,
    Opaque,
    Permute,
    Reduce,
    Repeat,
    Reshape,
    Same,
    Slice,
    Split,
    Stack,
)
from tests.adapters.torch.collecting import followed, last

W = Slice()


def space() -> dict[str, object]:
    return {
        "x": torch.arange(12.0).reshape(4, 3),
        "y": torch.ones(4, 3),
        "v": torch.ones(3),
        "c": torch.ones(4, 1),
        "z": torch.ones(2, 4, 3),
        "i": torch.tensor([0, 2]),
        "mask": torch.arange(12).reshape(4, 3) > 5,
        "array": np.ones((4, 3)),
        "out": torch.empty(4, 3),
    }


ELEMENTWISE = [
    ("x + v", "torch.add", False, None, (0, 1)),
    ("x - y", "torch.sub", True, None, (0, 1)),
    ("x.sub(y)", "torch.sub", True, None, (0, 1)),
    ("torch.sub(x, y)", "torch.sub", True, None, (0, 1)),
    ("torch.sub(input=x, other=y)", "torch.sub", True, None, ("input", "other")),
    ("1 - x", "torch.sub", True, None, (1,)),
    ("x.__rsub__(y)", "torch.sub", True, None, (0, 1)),
    ("2 / x", "torch.div", False, None, (1,)),
    ("2 ** x", "torch.pow", False, None, (1,)),
    ("x ** 2", "torch.pow", False, None, (0,)),
    ("x // y", "torch.floor_divide", False, None, (0, 1)),
    ("x % y", "torch.remainder", False, None, (0, 1)),
    ("x == y", "torch.eq", True, None, (0, 1)),
    ("x != y", "torch.ne", True, None, (0, 1)),
    ("x < v", "torch.lt", False, None, (0, 1)),
    ("mask & mask", "torch.bitwise_and", False, None, (0, 1)),
    ("~mask", "torch.bitwise_not", False, None, (0,)),
    ("x += v", "torch.Tensor.add_", False, 0, (0, 1)),
    ("x.mul_(v)", "torch.Tensor.mul_", False, 0, (0, 1)),
    ("torch.add(x, v, out=out)", "torch.add", False, 2, (0, 1, "out")),
    ("torch.where(mask, x, v)", "torch.where", False, None, (0, 1, 2)),
    ("torch.lerp(x, y, 0.5)", "torch.lerp", False, None, (0, 1)),
    ("torch.addcmul(x, y, v)", "torch.addcmul", False, None, (0, 1, 2)),
    ("x.addcdiv_(y, y)", "torch.Tensor.addcdiv_", False, 0, (0, 1, 2)),
    ("x.clamp(min=v)", "torch.clamp", False, None, (0, "min")),
    ("x.masked_fill(mask, 0.0)", "torch.masked_fill", False, None, (0, 1)),
    ("x.masked_fill_(mask, 0.0)", "torch.Tensor.masked_fill_", False, 0, (0, 1)),
    ("torch.max(x, y)", "torch.max", False, None, (0, 1)),
    ("torch.maximum(x, v)", "torch.maximum", False, None, (0, 1)),
    ("F.relu(x)", "F.relu", False, None, (0,)),
    ("F.gelu(x)", "F.gelu", False, None, (0,)),
    ("F.dropout(x, 0.5)", "F.dropout", False, None, (0,)),
    ("x.tril()", "torch.tril", False, None, (0,)),
    ("x[0] = 1.0", "torch.Tensor.__setitem__", False, 0, (0,)),
]


@pytest.mark.parametrize(("source", "name", "pairs", "in_place", "places"), ELEMENTWISE)
def test_elementwise(source: str, name: str, pairs: bool, in_place: int | None, places: tuple[object, ...]) -> None:
    operation = last(source, **space())
    assert operation.name == name
    assert operation.meaning == Elementwise(in_place, pairs)
    assert operation.places == places


REDUCTIONS = [
    ("x.sum()", (0, 1), False, "sum"),
    ("x.sum(1)", (1,), False, "sum"),
    ("torch.sum(x, -1, True)", (1,), True, "sum"),
    ("x.mean(dim=(0, -1), keepdim=True)", (0, 1), True, "mean"),
    ("x.mean(axis=0, keepdims=True)", (0,), True, "mean"),
    ("x.prod(0)", (0,), False, "prod"),
    ("x.max()", (0, 1), False, "max"),
    ("x.max(1)", (1,), False, "max"),
    ("torch.min(x, dim=0, keepdim=True)", (0,), True, "min"),
    ("x.amax((0, 1))", (0, 1), False, "max"),
    ("x.argmax(dim=-1)", (1,), False, "argmax"),
    ("x.median(0)", (0,), False, "median"),
    ("x.mode()", (1,), False, "mode"),
    ("x.std()", (0, 1), False, "std"),
    ("x.std(0)", (0,), False, "std"),
    ("x.var(False)", (0, 1), False, "var"),
    ("x.var(dim=1, correction=0, keepdim=True)", (1,), True, "var"),
    ("torch.var_mean(x, 1)", (1,), False, "var_mean"),
    ("x.norm()", (0, 1), False, "norm"),
    ("x.norm(dim=1)", (1,), False, "norm"),
    ("torch.norm(x, 2, 1, True)", (1,), True, "norm"),
    ("torch.linalg.norm(x, dim=1)", (1,), False, "norm"),
    ("torch.linalg.vector_norm(x, 2, 0)", (0,), False, "norm"),
    ("torch.linalg.matrix_norm(z)", (1, 2), False, "norm"),
    ("x.logsumexp(1)", (1,), False, "logsumexp"),
    ("mask.any(1)", (1,), False, "any"),
    ("mask.all()", (0, 1), False, "all"),
    ("x.nansum(0)", (0,), False, "nansum"),
    ("torch.count_nonzero(x, 0)", (0,), False, "count_nonzero"),
    ("torch.trace(x)", (0, 1), False, "trace"),
    ("torch.quantile(x, 0.5, 1)", (1,), False, "quantile"),
    ("torch.aminmax(x, dim=1)", (1,), False, "aminmax"),
]


@pytest.mark.parametrize(("source", "axes", "keepdims", "statistic"), REDUCTIONS)
def test_reductions(source: str, axes: tuple[int, ...], keepdims: bool, statistic: str) -> None:
    assert last(source, **space()).meaning == Reduce(axes, keepdims, statistic)


def test_max_along_an_axis_has_two_results() -> None:
    assert last("torch.max(x, 1)", **space()).results == ((4,), (4,))


MEANINGS: list[tuple[str, Meaning]] = [
    # views
    ("x.T", Permute((1, 0))),
    ("z.mT", Permute((0, 2, 1))),
    ("x.t()", Permute((1, 0))),
    ("z.transpose(0, -1)", Permute((2, 1, 0))),
    ("torch.swapaxes(z, 1, 2)", Permute((0, 2, 1))),
    ("z.permute(2, 0, 1)", Permute((2, 0, 1))),
    ("torch.permute(z, (2, 0, -2))", Permute((2, 0, 1))),
    ("z.movedim(0, -1)", Permute((1, 2, 0))),
    ("torch.moveaxis(z, (0, 1), (1, 0))", Permute((1, 0, 2))),
    ("x.reshape(3, 4)", Reshape((3, 4))),
    ("x.reshape((-1, 1))", Reshape((-1, 1))),
    ("torch.reshape(x, (12,))", Reshape((12,))),
    ("x.view(-1)", Reshape((-1,))),
    ("x.view_as(y)", Reshape(None)),
    ("x.flatten()", Reshape(())),
    ("x.ravel()", Reshape(())),
    ("x.unflatten(0, (2, 2))", Reshape((2, 2, 3))),
    ("x.squeeze()", Drop((), every=True)),
    ("c.squeeze(-1)", Drop((1,))),
    ("x.squeeze(1)", Drop(())),
    ("x.unsqueeze(-1)", Insert((2,))),
    ("x.unsqueeze_(0)", Insert((0,))),
    ("torch.atleast_2d(v)", Insert((0,))),
    ("torch.atleast_3d(v)", Insert((0, 2))),
    ("c.expand(4, 5)", Expand()),
    ("c.expand_as(x)", Expand()),
    ("torch.broadcast_to(v, (4, 3))", Expand()),
    ("torch.broadcast_tensors(x, v)", Expand()),
    ("x.repeat(2, 1, 1)", Repeat((2, 1, 1))),
    ("x.tile(2)", Repeat((1, 2))),
    ("x.repeat_interleave(2, dim=0)", Repeat((2, 1))),
    ("x.narrow(0, 1, 2)", Index((Slice(False, (1, 2)), W))),
    ("x.select(1, 2)", Index((W, Integer(2)))),
    ("x.diagonal()", Map((New("diagonal"),))),
    ("v.diag()", Map((Kept(0, 0), New("diagonal")))),
    ("z.unfold(1, 2, 1)", Map((Kept(0, 0), New("windows"), Kept(0, 2), New("window")))),
    ("torch.meshgrid(v, c[:, 0], indexing='ij')", Map((Kept(0, 0), Kept(1, 0)))),
    # subscripts
    ("x[0]", Index((Integer(0), W))),
    ("x[..., 0]", Index((W, Integer(0)))),
    ("x[:, None]", Index((W, NewAxis(), W))),
    ("x[None, ..., None]", Index((NewAxis(), W, W, NewAxis()))),
    ("x[1:, :]", Index((Slice(False, (1, None, None)), W))),
    ("x[0:4]", Index((W, W))),
    ("x[[0, 2]]", Index((Slice(False, (0, 2)), W))),
    ("x[i]", Index((Advanced(1), W))),
    ("z[:, i]", Index((W, Advanced(1), W), 1)),
    ("z[i[:1], :, i]", Index((Advanced(1), W, Advanced(2)), 0)),
    ("z[0, :, i]", Index((Integer(0), W, Advanced(1)), 1)),
    ("x[torch.tensor(1)]", Index((Integer(), W))),
    ("x[mask]", Index((Mask(1),))),
    ("z[:, mask]", Index((W, Mask(1)), 1)),
    ("x.index_select(1, i)", Index((W, Advanced(1)), 1)),
    ("x.gather(1, torch.zeros(4, 2, dtype=torch.long))", Gather(1)),
    ("torch.take_along_dim(x, torch.zeros(4, 2, dtype=torch.long), -1)", Gather(1)),
    ("x.masked_select(mask)", Index((Mask(1),))),
    ("x.scatter_(1, torch.zeros(4, 1, dtype=torch.long), 1.0)", Same()),
    ("x.index_add(0, i, torch.ones(2, 3))", Same()),
    ("x[:] = v", Assign((W, W), (4, 3))),
    ("x[1:, 0] = c[1:, 0]", Assign((Slice(False, (1, None, None)), Integer(0)), (3,))),
    ("x[i] = v", Assign((Advanced(2), W), (2, 3))),
    ("x[mask] = torch.ones(6)", Assign((Mask(2),), (6,))),
    ("x.copy_(v)", Assign((W, W), (4, 3))),
    # joins
    ("torch.cat([x, y], dim=-1)", Concatenate(1)),
    ("torch.stack((x, y), -1)", Stack(2)),
    ("torch.hstack((x, y))", Concatenate(1)),
    ("torch.vstack((v, v))", Stack(0)),
    ("torch.column_stack((v, v))", Stack(1)),
    ("x.split(2)", Split(0)),
    ("x.chunk(3, dim=-1)", Split(1)),
    ("x.unbind(1)", Split(1, removed=True)),
    ("torch.tensor_split(x, 2)", Split(0)),
    # along axes
    ("x.softmax(-1)", Along((1,), "normalise")),
    ("F.softmax(x, dim=0)", Along((0,), "normalise")),
    ("F.log_softmax(x, 1)", Along((1,), "normalise")),
    ("F.gumbel_softmax(x)", Along((1,), "normalise")),
    ("F.normalize(x)", Along((1,), "normalise")),
    ("x.cumsum(0)", Along((0,), "scan")),
    ("x.sort(dim=0)", Along((0,), "sort")),
    ("x.argsort()", Along((1,), "sort")),
    ("x.topk(2)", Map((Kept(0, 0), New("largest")))),
    ("x.flip(0)", Along((0,), "other")),
    ("x.roll(1, 0)", Along((0,), "other")),
    ("F.layer_norm(z, (4, 3))", Along((1, 2), "standardise")),
    ("F.batch_norm(x, None, None, training=True)", Along((0,), "standardise")),
    ("F.group_norm(z, 2)", Along((1, 2), "standardise")),
    # copies and creation
    ("x.clone()", Same()),
    ("x.detach()", Same()),
    ("x.double()", Same()),
    ("x.to(torch.float64)", Same()),
    ("x.data", Same()),
    ("x.numpy()", Same()),
    ("torch.from_numpy(array)", Same()),
    ("torch.tensor(array)", Same()),
    ("torch.as_tensor(array)", Same()),
    ("torch.zeros_like(x)", Same()),
    ("nn.init.normal_(x)", Same()),
    ("torch.zeros(3)", Create()),
    ("torch.tensor([1.0])", Create()),
    ("torch.arange(3)", Create()),
    ("torch.block_diag(x, y)", Opaque()),
    # layers
    ("F.one_hot(i)", Map((Kept(0, 0), New("classes")))),
    ("F.pad(x, (1, 0))", Map((Kept(0, 0), New("pad axis 1")))),
    ("F.embedding(i, x)", Map((Kept(0, 0), New("Embedding(4, 3) features")))),
    ("torch.cov(x)", Map((Kept(0, 0), New("variables")))),
    ("F.scaled_dot_product_attention(z, z, z)", Map((Kept(0, 0), Kept(0, 1), Kept(2, 2)))),
]


@pytest.mark.parametrize(("source", "meaning"), MEANINGS)
def test_meanings(source: str, meaning: Meaning) -> None:
    assert last(source, **space()).meaning == meaning


def test_convolution_names_its_channels_and_keeps_what_keeps_its_length() -> None:
    meaning = last("nn.Conv2d(3, 1, 3, padding=(1, 0))(torch.ones(2, 3, 8, 8))").meaning
    assert isinstance(meaning, Map)
    assert meaning.sources == (
        Kept(0, 0), New("Conv2d(3→1) channels", "Conv2d(out_channels=1)"), Kept(0, 2), New("Conv2d width"),
    )  # fmt: skip


def test_pooling() -> None:
    image = "torch.ones(2, 3, 8, 8)"
    assert last(f"F.max_pool2d({image}, 2)").meaning == Map(
        (Kept(0, 0), Kept(0, 1), New("max_pool2d height"), New("max_pool2d width"))
    )
    pooled = last(f"F.adaptive_avg_pool2d({image}, 1)").meaning
    assert isinstance(pooled, Map)
    assert pooled.sources[2] == New("adaptive_avg_pool2d height", "adaptive_avg_pool2d", "explicit")


def test_recurrent_layers() -> None:
    for layer, name in (("LSTM", "torch.lstm"), ("GRU", "torch.gru"), ("RNN", "torch.rnn_tanh")):
        operation = last(f"nn.{layer}(3, 5, batch_first=True)(torch.ones(2, 4, 3))")
        assert operation.name == name
        assert operation.meaning == Map((Kept(0, 0), Kept(0, 1), New(f"{layer} features")), scanned=1)
    sequence_first = last("nn.GRU(3, 5)(torch.ones(4, 2, 3))").meaning
    assert isinstance(sequence_first, Map)
    assert sequence_first.scanned == 0


def test_attention_module() -> None:
    operation = last("nn.MultiheadAttention(4, 2)(torch.ones(3, 2, 4), torch.ones(5, 2, 4), torch.ones(5, 2, 4))")
    assert operation.name == "F.multi_head_attention_forward"
    assert operation.meaning == Map((Kept(0, 0), Kept(0, 1), New("MultiheadAttention features")))


# ---------------------------------------------------------------- contractions


def summed(meaning: Meaning, *arrays: torch.Tensor) -> torch.Tensor:
    """What the letters of a contraction say, worked out by ``einsum`` itself."""
    assert isinstance(meaning, Contract)
    numbers: dict[object, int] = {}
    shapes: dict[object, int] = {}
    for letters, array in zip(meaning.inputs, arrays, strict=True):
        assert len(letters) == array.dim()
        for letter, length in zip(letters, array.shape, strict=True):
            numbers.setdefault(letter, len(numbers))
            shapes[letter] = max(length, shapes.get(letter, 1))
    arguments: list[object] = []
    for letters, array in zip(meaning.inputs, arrays, strict=True):
        arguments += [array, [numbers[letter] for letter in letters]]
    return torch.einsum(*arguments, [numbers[letter] for letter in meaning.output])


PRODUCTS = [
    ("a @ b", (4, 3), (3, 5)),
    ("a @ b", (3,), (3,)),
    ("a @ b", (3,), (2, 3, 5)),
    ("a @ b", (2, 1, 4, 3), (6, 3, 5)),
    ("torch.mm(a, b)", (4, 3), (3, 5)),
    ("torch.bmm(a, b)", (2, 4, 3), (2, 3, 5)),
    ("a.mv(b)", (4, 3), (3,)),
    ("a.dot(b)", (3,), (3,)),
    ("torch.outer(a, b)", (3,), (4,)),
    ("torch.inner(a, b)", (2, 3), (4, 3)),
    ("torch.tensordot(a, b, 1)", (2, 3), (3, 4)),
    ("torch.tensordot(a, b, dims=([0, -1], [1, 0]))", (2, 5, 3), (3, 2)),
    ("torch.einsum('ij,jk', a, b)", (2, 3), (3, 4)),
    ("torch.einsum('ij,jk->ki', [a, b])", (2, 3), (3, 4)),
    ("torch.einsum('...ij,...jk->...ik', a, b)", (5, 2, 3), (3, 4)),
    ("torch.einsum('i...,i->...', a, b)", (2, 3, 4), (2,)),
    ("torch.einsum(a, [0, 1], b, [1, 2], [0, 2])", (2, 3), (3, 4)),
    ("torch.einsum(a, [Ellipsis, 1], b, [1, 2])", (2, 3), (3, 4)),
    ("F.linear(a, b)", (2, 4, 3), (5, 3)),
    ("F.linear(a, b)", (2, 3), (3,)),
    ("torch.linalg.vecdot(a, b)", (2, 3), (2, 3)),
    ("torch.linalg.multi_dot([a, b])", (2, 3), (3, 4)),
    ("torch.chain_matmul(a, b)", (2, 3), (3, 4)),
]


@pytest.mark.parametrize(("source", "first", "second"), PRODUCTS)
def test_products_say_in_letters_what_torch_computes(
    source: str, first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    a, b = torch.rand(first), torch.rand(second)
    result = eval(source, {"torch": torch, "F": torch.nn.functional, "a": a, "b": b})
    meaning = last(source, a=a, b=b).meaning
    torch.testing.assert_close(summed(meaning, a, b), result)


@given(st.data())
def test_matmul_of_any_ranks(data: st.DataObject) -> None:
    batch = data.draw(st.lists(st.integers(1, 3), max_size=3))
    ranks = data.draw(st.tuples(st.integers(0, len(batch)), st.integers(0, len(batch))))
    a_batch, b_batch = (tuple(data.draw(st.sampled_from([n, 1])) for n in batch[len(batch) - rank :]) for rank in ranks)
    a, b = torch.rand(*a_batch, 2, 3), torch.rand(*b_batch, 3, 4)
    meaning = last("a @ b", a=a, b=b).meaning
    assert isinstance(meaning, Contract)
    result = a @ b
    assert len(meaning.output) == result.dim()
    lengths = {
        letter: max(n for letters, array in zip(meaning.inputs, (a, b), strict=True)
                    for other, n in zip(letters, array.shape, strict=True) if other == letter)
        for letter in meaning.output
    }  # fmt: skip
    assert tuple(lengths[letter] for letter in meaning.output) == tuple(result.shape)


def test_linear_names_its_features_and_its_one() -> None:
    operation = last("nn.Linear(64, 1)(torch.ones(8, 64))")
    meaning = operation.meaning
    assert isinstance(meaning, Contract)
    assert operation.name == "F.linear"
    assert meaning.names == (("out", "Linear(64→1) features"),)
    assert meaning.reasons == (("out", "Linear(out_features=1)"),)
    assert meaning.inputs[2] == ("out",)
    assert meaning.inputs[1] == ("out", meaning.inputs[0][-1])


def test_added_products_broadcast_what_they_add() -> None:
    operation = last("torch.addmm(torch.ones(5), torch.ones(2, 3), torch.ones(3, 5))")
    assert isinstance(operation.meaning, Contract)
    assert operation.meaning.inputs[0] == operation.meaning.output[1:]
    batched = last("torch.baddbmm(torch.ones(2, 1, 5), torch.ones(2, 4, 3), torch.ones(2, 3, 5))").meaning
    assert isinstance(batched, Contract)
    assert batched.inputs[0] == batched.output


def test_distances() -> None:
    tables = "torch.cdist(torch.ones(6, 3), torch.ones(4, 3))"
    assert last(tables).meaning == Contract((("row", "sum"), ("column", "sum")), ("row", "column"))
    similar = last("F.cosine_similarity(torch.ones(6, 1, 3), torch.ones(4, 3), dim=-1)").meaning
    assert isinstance(similar, Contract)
    assert len(similar.output) == 2
    assert similar.inputs[0][1:] == similar.inputs[1]


# ---------------------------------------------------------------- losses


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("mse_loss", "warns"), ("l1_loss", "warns"), ("smooth_l1_loss", "warns"), ("huber_loss", "warns"),
        ("kl_div", "warns"), ("poisson_nll_loss", "silent"), ("hinge_embedding_loss", "silent"),
        ("binary_cross_entropy", "raises"), ("binary_cross_entropy_with_logits", "raises"),
        ("soft_margin_loss", "raises"), ("multilabel_soft_margin_loss", "silent"),
    ],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore")
def test_losses_say_what_torch_does(name: str, says: str, recwarn: pytest.WarningsRecorder) -> None:
    function = getattr(torch.nn.functional, name)
    recwarn.clear()
    try:
        function(torch.rand(8, 1), torch.rand(8))
        measured = "silent"
    except (ValueError, RuntimeError):
        measured = "raises"
    told = followed(f"try: F.{name}(torch.rand(8, 1), torch.rand(8))\nexcept (ValueError, RuntimeError): pass")
    operation = told.failures[0][0] if measured == "raises" else told.operations[-1]
    assert operation.name == f"F.{name}"
    assert operation.meaning == Loss("mean", says)
    assert (says == "raises") == (measured == "raises")


def test_loss_reduction_and_weights() -> None:
    assert last("F.mse_loss(torch.ones(3), torch.ones(3), reduction='none')").meaning == Loss("none", "warns")
    assert last("nn.L1Loss(reduction='sum')(torch.ones(3), torch.ones(3))").meaning == Loss("sum", "warns")
    told = last("F.gaussian_nll_loss(torch.ones(3), torch.ones(3), torch.ones(3))")
    assert told.meaning == Loss("mean", "silent")
    assert len(told.shapes) == 3


def test_class_targets_are_no_pairs() -> None:
    scores, classes = "torch.ones(4, 3)", "torch.tensor([0, 1, 2, 0])"
    assert last(f"F.cross_entropy({scores}, {classes})").meaning == Reduce((0, 1), False, "mean")
    assert last(f"F.cross_entropy({scores}, {classes}, reduction='none')").meaning == Map((Kept(1, 0),))


def test_distributions_are_seen_inside() -> None:
    told = followed(
        "d = torch.distributions.Normal(torch.zeros(4, 1), torch.ones(4, 1), validate_args=False)\n"
        "d.log_prob(torch.ones(4))"
    )
    differences = [o for o in told.operations if o.name == "torch.sub" and len(o.shapes) == 2]
    assert differences[0].shapes == ((4,), (4, 1))
    assert any(isinstance(o.meaning, Expand) for o in told.operations)


def test_every_distribution_call_keeps_its_value() -> None:
    torch.manual_seed(0)
    spread = torch.rand(4, 3) + 0.5
    for make in (
        lambda: torch.distributions.Normal(spread, spread).log_prob(spread),
        lambda: torch.distributions.Independent(torch.distributions.Normal(spread, spread), 1).log_prob(spread),
        lambda: torch.distributions.Categorical(logits=spread).log_prob(torch.tensor([0, 1, 2, 0])),
        lambda: torch.distributions.Beta(spread, spread).entropy(),
    ):
        expected = make()
        told = followed("r = make()", make=make)
        assert told.operations
        assert torch.equal(told.results[-1][0], expected)
