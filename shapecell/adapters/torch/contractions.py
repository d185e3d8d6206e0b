"""Products that sum axes away: ``@``, ``einsum``, ``tensordot``, linear layers, distances."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import torch

from shapecell.adapters.torch.call import Call, Describe, is_array
from shapecell.model import Shape
from shapecell.tracking.operation import Contract, Kept, Map, Meaning, New, Opaque, Same

Letters = tuple[Hashable, ...]


def batch(count: int) -> Letters:
    """Letters of `count` leading axes that broadcast, aligned from the right."""
    return tuple(("batch", count - i) for i in range(count))


def _longest(*letters: Letters) -> Letters:
    return max(letters, key=len)


def product(first: Shape, second: Shape) -> Contract:
    """``matmul`` of two shapes."""
    a: Letters = (*batch(len(first) - 2), "row", "sum") if len(first) > 1 else ("sum",)
    b: Letters = (*batch(len(second) - 2), "sum", "column") if len(second) > 1 else ("sum",)
    leading = _longest(batch(max(len(first) - 2, 0)), batch(max(len(second) - 2, 0)))
    output = (*leading, *(("row",) if len(first) > 1 else ()), *(("column",) if len(second) > 1 else ()))
    return Contract((a, b), output)


def _matmul(call: Call) -> Meaning | None:
    return product(call.shapes[0], call.shapes[1])


def _outer(call: Call) -> Meaning | None:
    return Contract((("row",), ("column",)), ("row", "column"))


def _added(call: Call) -> Meaning | None:
    """``addmm``, ``addmv``, ``baddbmm``, ``addr``: the first operand is added, broadcast to the product."""
    if len(call.operands) < 3:
        return Opaque()
    core = Contract((("row",), ("column",)), ("row", "column")) if call.base == "addr" else product(*call.shapes[1:3])
    added = core.output[len(core.output) - len(call.shapes[0]) :] if call.shapes[0] else ()
    return Contract((added, *core.inputs), core.output)


def _added_batches(call: Call) -> Meaning | None:
    """``addbmm``: the batch is summed too."""
    output: Letters = ("row", "column")
    added = output[2 - len(call.shapes[0]) :] if call.shapes[0] else ()
    return Contract((added, ("b", "row", "sum"), ("b", "sum", "column")), output)


def features(layer: str, size_in: int, size_out: int, word: str) -> dict[str, tuple[tuple[str, str], ...]]:
    """Name of a layer's new axis, and why it is 1 if it is."""
    reasons = (("out", f"{layer}(out_features=1)"),) if size_out == 1 else ()
    return {"names": (("out", f"{layer}({size_in}→{size_out}) {word}"),), "reasons": reasons}


def _linear(call: Call) -> Meaning | None:
    inputs, weight = call.shapes[:2]
    leading = batch(len(inputs) - 1)
    letters: list[Letters] = [(*leading, "in"), ("out", "in") if len(weight) == 2 else ("in",)]
    if len(call.shapes) > 2:
        letters.append(("out",) if call.shapes[2] else ())
    if len(weight) == 1:
        return Contract(tuple(letters[:2]) + ((),) * (len(call.shapes) - 2), leading)
    return Contract(tuple(letters), (*leading, "out"), **features("Linear", weight[1], weight[0], "features"))


def _bilinear(call: Call) -> Meaning | None:
    first, second, weight = call.shapes[:3]
    leading = batch(len(first) - 1)
    letters: list[Letters] = [(*leading, "in1"), (*batch(len(second) - 1), "in2"), ("out", "in1", "in2")]
    if len(call.shapes) > 3:
        letters.append(("out",))
    named = features("Bilinear", weight[1], weight[0], "features")
    return Contract(tuple(letters), (*leading, "out"), **named)


def _vecdot(call: Call) -> Meaning | None:
    return _aligned(call, call.get(2, "dim", -1))


def _aligned(call: Call, dim: Any) -> Meaning:
    """Two operands broadcast against each other, then summed along `dim` of what they broadcast to."""
    rank = max(map(len, call.shapes[:2]))
    gone = rank - call.axis(dim, rank)
    letters: list[Letters] = [
        tuple("sum" if n == gone else ("batch", n) for n in range(len(shape), 0, -1)) for shape in call.shapes[:2]
    ]
    return Contract(tuple(letters), tuple(("batch", n) for n in range(rank, 0, -1) if n != gone))


def _cosine(call: Call) -> Meaning | None:
    return _aligned(call, call.get(2, "dim", 1))


def _pairwise(call: Call) -> Meaning | None:
    if call.get(4, "keepdim", False):
        kept: tuple[Kept | New, ...] = tuple(Kept(0, i) for i in range(call.rank - 1))
        same = call.shapes[0] == call.shapes[1]
        return Map((*kept, New(None, "keepdim of pairwise_distance", "explicit"))) if same else Opaque()
    return _aligned(call, -1)


def _cdist(call: Call) -> Meaning | None:
    first, second = (batch(len(shape) - 2) for shape in call.shapes[:2])
    return Contract(((*first, "row", "sum"), (*second, "column", "sum")), (*_longest(first, second), "row", "column"))


def _chain(call: Call) -> Meaning | None:
    inputs: list[Letters] = []
    output: list[Hashable] = []
    for index, shape in enumerate(call.shapes):
        if len(shape) == 2:
            inputs.append((index, index + 1))
        else:
            inputs.append((index + 1,) if index == 0 else (index,))
    if len(call.shapes[0]) == 2:
        output.append(0)
    if len(call.shapes[-1]) == 2:
        output.append(len(call.shapes))
    return Contract(tuple(inputs), tuple(output))


def _dims(value: Any, rank: int) -> list[int]:
    values = value if isinstance(value, tuple | list) else [value]
    return [int(v) % rank for v in values]


def _tensordot(call: Call) -> Meaning | None:
    dims = call.get(2, "dims", 2)
    if is_array(dims):
        dims = dims.tolist()
    first, second = (len(shape) for shape in call.shapes[:2])
    if isinstance(dims, int):
        left, right = list(range(first - dims, first)), list(range(dims))
    else:
        left, right = _dims(dims[0], first), _dims(dims[1], second)
    a: list[Hashable] = [("a", i) for i in range(first)]
    b: list[Hashable] = [("b", i) for i in range(second)]
    for i, j in zip(left, right, strict=True):
        a[i] = b[j] = ("sum", i)
    output = [x for i, x in enumerate(a) if i not in left] + [x for j, x in enumerate(b) if j not in right]
    return Contract((tuple(a), tuple(b)), tuple(output))


def _terms(text: str, rank: int) -> Letters:
    """Letters of one term of an equation; the ellipsis stands for as many axes as are left."""
    text = text.replace(" ", "")
    if "..." not in text:
        return tuple(text)
    before, after = text.split("...")
    return (*before, *batch(rank - len(before) - len(after)), *after)


def _sublists(call: Call) -> tuple[list[Letters], Letters | None]:
    """``einsum(a, [0, 1], b, [1, 2], [0, 2])``."""
    args = call.args
    inputs: list[Letters] = []
    ranks = iter(call.shapes)
    for index in range(0, len(args) - 1, 2):
        inputs.append(_sublist(args[index + 1], len(next(ranks))))
    if len(args) % 2 == 0:
        return inputs, None
    longest = max((_ellipsis_of(letters) for letters in inputs), key=len)
    return inputs, _sublist(args[-1], len(longest) + sum(part is not Ellipsis for part in args[-1]))


def _sublist(items: Sequence[Any], rank: int) -> Letters:
    missing = batch(rank - sum(item is not Ellipsis for item in items))
    letters: list[Hashable] = []
    for item in items:
        letters.extend(missing if item is Ellipsis else (_letter(item),))
    return tuple(letters)


def _letter(number: int) -> str:
    """The letter that torch gives a number: A to Z, then a to z."""
    return chr(ord("A") + number) if number < 26 else chr(ord("a") + number - 26)


def _ellipsis_of(letters: Letters) -> Letters:
    return tuple(letter for letter in letters if isinstance(letter, tuple))


def _einsum(call: Call) -> Meaning | None:
    equation = call.args[0]
    output: Letters | None
    if isinstance(equation, str):
        left, arrow, right = equation.partition("->")
        terms = left.split(",")
        inputs = [_terms(term, len(shape)) for term, shape in zip(terms, call.shapes, strict=True)]
        longest = max((_ellipsis_of(letters) for letters in inputs), key=len, default=())
        letters = right.replace(" ", "").replace("...", "")
        output = _terms(right, len(longest) + len(letters)) if arrow else None
    elif isinstance(equation, torch.Tensor):
        inputs, output = _sublists(call)
        longest = max((_ellipsis_of(letters) for letters in inputs), key=len, default=())
    else:
        return Opaque()
    if output is None:
        every = [letter for letters in inputs for letter in letters if not isinstance(letter, tuple)]
        once = sorted((letter for letter in set(every) if every.count(letter) == 1), key=str)
        output = (*longest, *once)
    return Contract(tuple(inputs), output)


def _inner(call: Call) -> Meaning | None:
    """Sums over the last axis of both; a number multiplies."""
    if not call.shapes[0] or not call.shapes[1]:
        return call.elementwise()
    a: Letters = tuple(("a", i) for i in range(len(call.shapes[0]) - 1))
    b: Letters = tuple(("b", i) for i in range(len(call.shapes[1]) - 1))
    return Contract(((*a, "sum"), (*b, "sum")), (*a, *b))


def _kron(call: Call) -> Meaning | None:
    return Map(tuple(New("product") for _ in call.result))


def _cross(call: Call) -> Meaning | None:
    return call.elementwise()


def _correlation(call: Call) -> Meaning | None:
    """``cov``, ``corrcoef``: variables are rows; the result is a table of variables by variables."""
    if call.rank < 2:
        return Opaque()
    return Map((Kept(0, 0), New("variables")))


def _solved(right: int) -> Describe:
    """A linear system: unknowns run along the axes of the right-hand side, operand `right`."""

    def describe(call: Call) -> Meaning | None:
        rank = len(call.result)
        if right >= len(call.shapes) or len(call.shapes[right]) != rank:
            return Opaque()
        return Map(tuple(Kept(right, axis) for axis in range(rank)))

    return describe


def _inverse(call: Call) -> Meaning | None:
    """Rows of the inverse belong to columns of the matrix."""
    if call.rank < 2:
        return Opaque()
    return Map((*(Kept(0, axis) for axis in range(call.rank - 2)), Kept(0, call.rank - 1), Kept(0, call.rank - 2)))


TABLE: dict[str, Describe] = {
    **dict.fromkeys(
        ("matmul", "mm", "bmm", "mv", "dot", "vdot", "linalg_matmul", "sparse_mm", "smm"), _matmul
    ),
    **dict.fromkeys(("outer", "ger"), _outer),
    **dict.fromkeys(("addmm", "addmv", "baddbmm", "addr", "sspaddmm"), _added),
    "addbmm": _added_batches,
    "inner": _inner,
    "linear": _linear, "bilinear": _bilinear, "linalg_vecdot": _vecdot,
    "cosine_similarity": _cosine, "pairwise_distance": _pairwise, "cdist": _cdist,
    "chain_matmul": _chain, "linalg_multi_dot": _chain, "tensordot": _tensordot, "einsum": _einsum,
    **dict.fromkeys(("linalg_solve", "linalg_solve_triangular"), _solved(1)),
    **dict.fromkeys(("cholesky_solve", "triangular_solve"), _solved(0)),
    **dict.fromkeys(("linalg_inv", "inverse", "linalg_pinv", "pinverse"), _inverse),
    **dict.fromkeys(("linalg_cholesky", "cholesky", "linalg_cholesky_ex"), lambda call: Same()),
    "kron": _kron, "cross": _cross, "linalg_cross": _cross, "cov": _correlation, "corrcoef": _correlation,
}  # fmt: skip
"""Describing functions by base name."""
