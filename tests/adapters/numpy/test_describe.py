"""Each family of functions, and the meaning that is recorded of it."""

from __future__ import annotations

import pytest

from shapecell.tracking.axes import Origin, fresh_layout
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
from shapecell.tracking.transfer import transfer
from tests.adapters.numpy.recording import collecting, last_operation

ALL = Slice()
PART = Slice(False, None)

ELEMENTWISE = [
    ("a + b", Elementwise(), ((3, 4), (4,))),
    ("a - b", Elementwise(pairs=True), ((3, 4), (4,))),
    ("a == one", Elementwise(pairs=True), ((3, 4), (3, 1))),
    ("a != one", Elementwise(pairs=True), ((3, 4), (3, 1))),
    ("a < one", Elementwise(), ((3, 4), (3, 1))),
    ("a += b", Elementwise(0), ((3, 4), (4,))),
    ("np.add(b, a, out=a)", Elementwise(1), ((4,), (3, 4))),
    ("np.add(a, b, out)", Elementwise(2), ((3, 4), (4,), (3, 4))),
    ("np.add(a, b, out=(out,))", Elementwise(2), ((3, 4), (4,), (3, 4))),
    ("np.add(a, b, where=m2, out=out)", Elementwise(2), ((3, 4), (4,), (3, 4), (3, 4))),
    ("np.exp(a)", Elementwise(), ((3, 4),)),
    ("2 - a", Elementwise(pairs=True), ((3, 4),)),
    ("[1, 2, 3, 4] * a", Elementwise(), ((4,), (3, 4))),
    ("a + s", Elementwise(), ((3, 4), ())),
    ("np.divmod(a, b + 1)", Elementwise(), ((3, 4), (4,))),
    ("np.frompyfunc(lambda x, y: x, 2, 1)(a, b)", Elementwise(), ((3, 4), (4,))),
    ("np.where(m2, a, b)", Elementwise(), ((3, 4), (3, 4), (4,))),
    ("np.where(m2, 0, b)", Elementwise(), ((3, 4), (4,))),
    ("np.clip(a, 0, b)", Elementwise(), ((3, 4), (4,))),
    ("np.clip(a, 0, 1, out=a)", Elementwise(0), ((3, 4),)),
    ("a.clip(min=b)", Elementwise(), ((3, 4), (4,))),
    ("np.select([m2, m2], [a, b], default=0)", Elementwise(), ((3, 4), (3, 4), (3, 4), (4,))),
    ("np.choose(ia, [a, b])", Elementwise(), ((3, 4), (3, 4), (4,))),
    ("np.isclose(a, b)", Elementwise(), ((3, 4), (4,))),
    ("np.allclose(a, b)", Elementwise(pairs=True), ((3, 4), (4,))),
    ("np.array_equal(a, out)", Elementwise(pairs=True), ((3, 4), (3, 4))),
    ("a.round(1)", Elementwise(), ((3, 4),)),
    ("np.nan_to_num(a)", Elementwise(), ((3, 4),)),
    ("a[0] = 1.0 + b", Assign((Integer(), ALL), (4,)), ((3, 4), (4,))),
    ("a[:, :2] = c[:, None]", Assign((ALL, Slice(False, (None, 2, None))), (3, 2)), ((3, 4), (3, 1))),
    ("a[i] = b", Assign((Advanced(2), ALL), (2, 4)), ((3, 4), (4,), (2,))),
    ("a[m] = b", Assign((Mask(2), ALL), (2, 4)), ((3, 4), (4,), (3,))),
    ("a[m2] = np.arange(8.0)", Assign((Mask(2),), (8,)), ((3, 4), (8,), (3, 4))),
    ("a[..., 1] = c", Assign((ALL, Integer()), (3,)), ((3, 4), (3,))),
    ("np.copyto(a, b)", Assign((ALL, ALL), (3, 4)), ((3, 4), (4,))),
    ("np.copyto(a, 1.0)", Elementwise(in_place=0), ((3, 4),)),
    ("np.add.at(a, i, b)", Assign((Advanced(2), ALL), (2, 4)), ((3, 4), (4,), (2,))),
    ("np.put_along_axis(a, ia, b[None], 1)", Assign((ALL, Advanced(2)), (3, 4)), ((3, 4), (1, 4), (3, 4))),
]

CONTRACTIONS = [
    ("a @ b", Contract((("n?", "k"), ("k",)), ("n?",))),
    ("c @ a", Contract((("k",), ("k", "m?")), ("m?",))),
    ("b @ b", Contract((("k",), ("k",)), ())),
    ("a @ t.swapaxes(1, 2)", Contract((("n?", "k"), (("batch", 1), "k", "m?")), (("batch", 1), "n?", "m?"))),
    ("np.vecdot(a, b)", Contract(((("batch", 1), "n"), ("n",)), (("batch", 1),))),
    ("np.vecdot(a, a, axis=0)", Contract((("n", ("batch", 1)), ("n", ("batch", 1))), (("batch", 1),))),
    ("np.dot(a, b)", Contract(((("a", 0), "sum"), ("sum",)), (("a", 0),))),
    ("a.dot(sq)", Contract(((("a", 0), "sum"), ("sum", ("b", 0))), (("a", 0), ("b", 0)))),
    ("np.dot(t, sq)", Contract(((("a", 0), ("a", 1), "sum"), ("sum", ("b", 0))), (("a", 0), ("a", 1), ("b", 0)))),
    ("np.dot(a, s)", Elementwise()),
    ("np.inner(a, b)", Contract(((("a", 0), "sum"), ("sum",)), (("a", 0),))),
    ("np.vdot(a, a)", Contract(((0, 1), (0, 1)), ())),
    ("np.outer(b, c)", Contract(((("a", 0),), (("b", 0),)), (("a", 0), ("b", 0)))),
    ("np.outer(a, c)", Opaque()),
    ("np.subtract.outer(b, a)", Contract(((("a", 0),), (("b", 0), ("b", 1))), (("a", 0), ("b", 0), ("b", 1)))),
    ("np.tensordot(a, sq, 1)", Contract(((("a", 0), ("sum", 0)), (("sum", 0), ("b", 1))), (("a", 0), ("b", 1)))),
    ("np.tensordot(t, a, ([1, 2], [0, 1]))",
     Contract(((("a", 0), ("sum", 0), ("sum", 1)), (("sum", 0), ("sum", 1))), (("a", 0),))),
    ("np.einsum('ij,j->i', a, b)", Contract((("i", "j"), ("j",)), ("i",))),
    ("np.einsum('ij, j', a, b)", Contract((("i", "j"), ("j",)), ("i",))),
    ("np.einsum('...j,jk->...k', t, sq)",
     Contract(((("batch", 2), ("batch", 1), "j"), ("j", "k")), (("batch", 2), ("batch", 1), "k"))),
    ("np.einsum('...j,j', a, b)", Contract(((("batch", 1), "j"), ("j",)), (("batch", 1),))),
    ("np.einsum(a, [0, 1], b, [1], [0])", Contract(((0, 1), (1,)), (0,))),
    ("np.einsum('ji', a)", Contract((("j", "i"),), ("i", "j"))),
    ("np.einsum('ii->i', sq)", Map((New("diagonal"),))),
    ("np.einsum('ij->j', a, optimize=True)", Contract((("i", "j"),), ("j",))),
    ("np.kron(a, a)", Opaque()),
    ("np.cross(np.ones((5, 3)), np.ones(3))", Elementwise()),
    ("np.linalg.solve(sq, b)", Contract((("row", "column"), ("row",)), ("column",))),
    ("np.linalg.solve(sq, a.T)", Contract((("row", "column"), ("row", "of b")), ("column", "of b"))),
    ("np.linalg.inv(sq)", Map((Kept(0, 1), Kept(0, 0)))),
    ("np.linalg.pinv(a)", Map((Kept(0, 1), Kept(0, 0)))),
    ("np.linalg.det(sq)", Reduce((0, 1), False, "det")),
    ("np.linalg.eigvalsh(sq)", Map((New("eigenvalues"),))),
    ("np.linalg.multi_dot([a, sq, b])", Contract(((0, 1), (1, 2), (2,)), (0,))),
    ("np.linalg.norm(a, axis=1, keepdims=True)", Reduce((1,), True, "norm")),
    ("np.linalg.norm(a)", Reduce((0, 1), False, "norm")),
    ("np.cov(a)", Map((Kept(0, 0), Kept(0, 0)))),
    ("np.corrcoef(a, rowvar=False)", Map((Kept(0, 1), Kept(0, 1)))),
]  # fmt: skip

REDUCTIONS = [
    ("a.sum()", Reduce((0, 1), False, "sum")),
    ("a.sum(0)", Reduce((0,), False, "sum")),
    ("a.sum(axis=-1, keepdims=True)", Reduce((1,), True, "sum")),
    ("np.sum(a, 1)", Reduce((1,), False, "sum")),
    ("np.sum(axis=1, a=a)", Reduce((1,), False, "sum")),
    ("np.mean(t, axis=(0, -1))", Reduce((0, 2), False, "mean")),
    ("t.mean((0, 1), keepdims=True)", Reduce((0, 1), True, "mean")),
    ("a.mean(1, None, None, True)", Reduce((1,), True, "mean")),
    ("np.amax(a, 0)", Reduce((0,), False, "max")),
    ("np.nanmean(a, axis=0)", Reduce((0,), False, "mean")),
    ("a.std(0, ddof=1)", Reduce((0,), False, "std")),
    ("np.median(a, axis=1)", Reduce((1,), False, "median")),
    ("np.percentile(a, 50, axis=1)", Reduce((1,), False, "percentile")),
    ("np.quantile(a, [0.1, 0.9], axis=0)", Map((New("quantiles"), Kept(0, 1)))),
    ("a.argmax(1)", Reduce((1,), False, "argmax")),
    ("a.argmax(1, keepdims=True)", Reduce((1,), True, "argmax")),
    ("a.any(0)", Reduce((0,), False, "any")),
    ("np.add.reduce(a)", Reduce((0,), False, "sum")),
    ("np.maximum.reduce(a, axis=1, keepdims=True)", Reduce((1,), True, "max")),
    ("np.add.reduce(a, axis=None)", Reduce((0, 1), False, "sum")),
    ("np.sum(a, axis=0, where=m2)", Reduce((0,), False, "sum")),
    ("np.average(a, axis=1)", Reduce((1,), False, "mean")),
    ("np.average(a, axis=1, weights=b + 1)", Contract(((0, 1), (1,)), (0,))),
    ("np.average(a, axis=0, weights=a + 1)", Reduce((0,), False, "mean")),
    ("np.trace(sq)", Reduce((0, 1), False, "trace")),
    ("np.count_nonzero(a, axis=1)", Reduce((1,), False, "count_nonzero")),
    ("np.ptp(a, axis=1)", Reduce((1,), False, "ptp")),
    ("np.trapezoid(a)", Reduce((1,), False, "trapezoid")),
    ("a.cumsum(1)", Along((1,), "scan")),
    ("np.cumprod(a)", Reshape(())),
    ("np.add.accumulate(a)", Along((0,), "scan")),
    ("np.sort(a)", Along((1,), "sort")),
    ("np.argsort(a, axis=0)", Along((0,), "sort")),
    ("a.sort(0)", Along((0,), "sort")),
    ("np.fft.fft(a)", Along((1,), "other")),
    ("np.fft.rfft(a)", Map((Kept(0, 0), New("frequencies")))),
    ("np.diff(a)", Index((ALL, Slice(False, "diff")))),
    ("np.roll(a, 1, axis=0)", Index((Slice(False, "roll"), ALL))),
    ("np.flip(a, 1)", Index((ALL, Slice(False, "flip")))),
    ("np.gradient(a)", Map((Kept(0, 0), Kept(0, 1)))),
    ("np.pad(a, ((0, 0), (1, 1)))", Map((Kept(0, 0), New()))),
    ("np.delete(a, 0, axis=1)", Index((ALL, Slice(False, "delete")))),
    ("np.unique(a)", Opaque()),
    ("np.bincount(ia.ravel())", Opaque()),
    ("np.histogram(a)", Opaque()),
]

VIEWS = [
    ("a.reshape(2, 6)", Reshape((2, 6))),
    ("a.reshape((-1, 1))", Reshape((-1, 1))),
    ("a.reshape(-1)", Reshape((-1,))),
    ("np.reshape(a, (4, 3))", Reshape((4, 3))),
    ("np.reshape(a, 12)", Reshape((12,))),
    ("a.ravel()", Reshape(())),
    ("a.flatten()", Reshape(())),
    ("a.transpose()", Permute((1, 0))),
    ("t.transpose(2, 0, 1)", Permute((2, 0, 1))),
    ("t.transpose((2, 0, -2))", Permute((2, 0, 1))),
    ("np.transpose(t, (1, 0, 2))", Permute((1, 0, 2))),
    ("t.swapaxes(0, -1)", Permute((2, 1, 0))),
    ("np.moveaxis(t, 0, -1)", Permute((1, 2, 0))),
    ("np.moveaxis(t, [0, 1], [2, 0])", Permute((1, 2, 0))),
    ("np.rollaxis(t, 2)", Permute((2, 0, 1))),
    ("np.matrix_transpose(t)", Permute((0, 2, 1))),
    ("np.rot90(a)", Permute((1, 0))),
    ("one.squeeze()", Drop((1,), every=True)),
    ("np.squeeze(one, axis=-1)", Drop((1,))),
    ("np.expand_dims(b, 0)", Insert((0,))),
    ("np.expand_dims(b, (0, -1))", Insert((0, 2))),
    ("np.atleast_2d(b)", Insert((0,))),
    ("np.atleast_3d(b)", Insert((0, 2))),
    ("np.atleast_1d(b)", Same()),
    ("np.broadcast_to(b, (3, 4))", Expand()),
    ("np.broadcast_arrays(a, b)", Expand()),
    ("np.tile(b, (2, 3))", Repeat((2, 3))),
    ("np.tile(a, 2)", Repeat((1, 2))),
    ("np.repeat(a, 2, axis=0)", Repeat((2, 1))),
    ("a.repeat([1, 2, 3], 0)", Repeat((None, 1))),
    ("a.copy()", Same()),
    ("a.astype(int)", Same()),
    ("np.zeros_like(a)", Same()),
    ("np.full_like(a, 3)", Same()),
    ("np.zeros_like(a, shape=(2,))", Opaque()),
    ("np.tril(sq)", Same()),
    ("np.diag(b)", Map((Kept(0, 0), New("diagonal")))),
    ("np.diag(sq)", Map((New("diagonal"),))),
    ("np.diagonal(t, 0, 1, 2)", Map((Kept(0, 0), New("diagonal")))),
    ("np.lib.stride_tricks.sliding_window_view(b, 2)", Map((New("windows"), New("window")))),
    ("np.meshgrid(b, c)", Map((Kept(1, 0), Kept(0, 0)))),
    ("np.meshgrid(b, c, indexing='ij')", Map((Kept(0, 0), Kept(1, 0)))),
    ("np.meshgrid(b, c, sparse=True)", Insert((1,))),
    ("np.ix_(i, i)", Insert((0,))),
    ("np.concatenate([a, a])", Concatenate(0)),
    ("np.concatenate((a, one), axis=-1)", Concatenate(1)),
    ("np.stack([b, b], axis=-1)", Stack(1)),
    ("np.vstack([b, b])", Stack(0)),
    ("np.vstack([a, a])", Concatenate(0)),
    ("np.hstack([b, c])", Concatenate(0)),
    ("np.hstack([a, a])", Concatenate(1)),
    ("np.column_stack([b, b])", Stack(1)),
    ("np.dstack([a, a])", Stack(2)),
    ("np.append(b, c)", Concatenate(0)),
    ("np.concatenate([b, [1.0, 2.0]])", Opaque()),
    ("np.split(a, 2, axis=1)", Split(1)),
    ("np.array_split(a, 2)", Split(0)),
    ("np.hsplit(a, 2)", Split(1)),
    ("np.unstack(a)", Split(0, removed=True)),
    ("a[i]", Index((Advanced(1), ALL))),
    ("a[:, i]", Index((ALL, Advanced(1)), 1)),
    ("a[ij, i]", Index((Advanced(1), Advanced(2)))),
    ("a[m]", Index((Mask(1), ALL))),
    ("a[m2]", Index((Mask(1),))),
    ("t[i - i, :, i]", Index((Advanced(1), ALL, Advanced(2)))),
    ("t[:, 0, i]", Index((ALL, Integer(), Advanced(1)), 1)),
    ("t[0, :, i]", Index((Integer(), ALL, Advanced(1)), 0)),
    ("t[:, i, ..., i]", Index((ALL, Advanced(1), Advanced(1)), 0)),
    ("a[None, i]", Index((NewAxis(), Advanced(1), ALL), 1)),
    ("a[[0, 2]]", Index((Slice(False, (0, 2)), ALL))),
    ("np.take(a, i, axis=1)", Index((ALL, Advanced(1)), 1)),
    ("a.take(0, axis=0)", Index((Integer(0), ALL), 0)),
    ("a.compress([True, False, True], axis=0)", Index((Slice(False, "compress"), ALL))),
    ("np.take_along_axis(a, ia, axis=1)", Gather(1)),
    ("np.searchsorted(b, a)", Map((Kept(1, 0), Kept(1, 1)))),
    ("np.interp(c, b, b)", Map((Kept(0, 0),))),
    ("np.linspace(0, 1, 5)", Create()),
]


@pytest.mark.parametrize(("source", "meaning", "shapes"), ELEMENTWISE, ids=[case[0] for case in ELEMENTWISE])
def test_elementwise_and_assignments(source: str, meaning: Meaning, shapes: object) -> None:
    operation = last_operation(source)
    assert operation.meaning == meaning
    assert operation.shapes == shapes


@pytest.mark.parametrize(
    ("source", "meaning"),
    CONTRACTIONS + REDUCTIONS + VIEWS,
    ids=[case[0] for case in CONTRACTIONS + REDUCTIONS + VIEWS],
)
def test_other_meanings(source: str, meaning: Meaning) -> None:
    assert last_operation(source).meaning == meaning


EVERY = [case[0] for case in (*ELEMENTWISE, *CONTRACTIONS, *REDUCTIONS, *VIEWS)]


@pytest.mark.parametrize("source", EVERY)
def test_axes_can_be_carried_along_to_the_shape_that_came_out(source: str) -> None:
    operation = last_operation(source)
    layouts = tuple(fresh_layout(shape, Origin(f"operand {n}")) for n, shape in enumerate(operation.shapes))
    outcome = transfer(operation, layouts)
    assert [layout.shape for layout in outcome.results] == list(operation.results)


def test_places_name_where_operands_stand() -> None:
    assert last_operation("a += b").places == (0, 1)
    assert last_operation("2 - a").places == (1,)
    assert last_operation("np.concatenate([b, c])").places == ((0, 0), (0, 1))
    assert last_operation("np.add(a, b, out=out, where=m2)").places == (0, 1, "out", "where")
    assert last_operation("np.sum(axis=0, a=a)").places == ("a",)
    assert last_operation("a[i] = b").places == (0, 1, 1)


def test_a_sum_over_everything_has_a_result_of_rank_zero() -> None:
    assert last_operation("a.sum()").results == ((),)
    assert last_operation("b @ b").results == ((),)


def test_names_are_as_a_user_writes_them() -> None:
    names = ["a - b", "np.mean(a)", "a.mean()", "np.linalg.norm(a)", "np.add.reduce(a)", "a[i]"]
    assert [last_operation(name).name for name in names] == [
        "numpy.subtract", "numpy.mean", "ndarray.mean", "numpy.linalg.norm", "numpy.add.reduce", "ndarray.__getitem__",
    ]  # fmt: skip


def test_a_function_is_recorded_once_and_not_what_it_calls_inside() -> None:
    import numpy as np

    x = np.ones((3, 4))
    with collecting() as collector:
        np.cov(x)
        np.std(x, axis=0)
        np.allclose(x, x)
    assert [operation.name for operation in collector.operations] == ["numpy.cov", "numpy.std", "numpy.allclose"]


def test_masked_arrays_and_matrices_are_followed_below_their_classes() -> None:
    import numpy as np

    masked, matrix = np.ma.masked_array(np.ones((3, 1))), np.matrix(np.eye(3))
    with collecting() as collector:
        masked + np.ones(3)
        matrix * matrix
    assert any(o.name == "numpy.add" and o.shapes == ((3, 1), (3,)) for o in collector.operations)
    assert any(o.name == "numpy.dot" for o in collector.operations)


def test_numbers_alone_are_not_recorded() -> None:
    import numpy as np

    with collecting() as collector:
        np.add(1, 2)
        np.float64(1) + np.float64(2)
        np.sum([1, 2, 3])
    assert [operation.shapes for operation in collector.operations if operation.shapes] == []


def test_whole_numbers_that_are_values_do_not_tell_calls_apart() -> None:
    import numpy as np

    x, v = np.zeros((3, 4)), np.ones(4)
    with collecting() as collector:
        for i in range(3):
            x[i] = v
            np.clip(x, 0, i)
        for axis in range(2):
            x.sum(axis)
    names = [(operation.name, key) for operation, key in zip(collector.operations, collector.keys, strict=True)]
    assert len({key for name, key in names if name == "ndarray.__setitem__"}) == 1
    assert len({key for name, key in names if name == "numpy.clip"}) == 1
    assert len({key for name, key in names if name == "ndarray.sum"}) == 2
