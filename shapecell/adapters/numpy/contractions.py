"""Products that sum axes away: ``@``, generalised ufuncs, ``dot``, ``einsum``, ``tensordot``, linear algebra."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from shapecell.adapters.numpy.call import Call, Describe, UfuncCall, UnfollowableError
from shapecell.model import Shape
from shapecell.tracking.operation import Contract, Elementwise, Kept, Map, Meaning, New, Opaque, Reduce

Letters = tuple[Hashable, ...]


def batch(count: int) -> Letters:
    """Letters of `count` leading axes that broadcast, aligned from the right."""
    return tuple(("batch", count - i) for i in range(count))


def parse_signature(signature: str) -> tuple[list[list[str]], list[list[str]]]:
    """Core dimensions of the inputs and of the outputs of a generalised ufunc, ``?`` kept."""
    inputs, outputs = signature.replace(" ", "").split("->")
    return tuple(  # type: ignore[return-value]  # two of them
        [[name for name in group.split(",") if name] for group in re.findall(r"\(([^)]*)\)", side)]
        for side in (inputs, outputs)
    )


def _core_axes(call: Call, index: int, core: Sequence[str], rank: int) -> tuple[int, ...]:
    """Where the core dimensions of operand `index` are: last, or as ``axes=`` or ``axis=`` says."""
    axes = call.kwargs.get("axes")
    axis = call.kwargs.get("axis")
    if axes is not None and core:
        found = call.axes(axes[index] if isinstance(axes, list | tuple) else axes, rank)
        if len(set(found)) != len(core):
            raise UnfollowableError("axes do not fit the signature")
        return found
    if axis is not None and len(core) == 1:
        return (call.axis(axis, rank),)
    return tuple(range(rank - len(core), rank))


def generalised(call: UfuncCall) -> Meaning:
    """A generalised ufunc, by its signature: ``(n?,k),(k,m?)->(n?,m?)``."""
    ufunc = call.ufunc
    inputs, outputs = parse_signature(ufunc.signature or "")
    shapes = call.shapes[: ufunc.nin]
    if len(shapes) < ufunc.nin or call.places[: ufunc.nin] != list(range(ufunc.nin)) or len(outputs) != 1:
        raise UnfollowableError("an operand is a number, or there are several results")
    if call.kwargs.get("keepdims") or len(call.operands) > ufunc.nin:
        raise UnfollowableError("the result goes elsewhere")
    dropped = {
        name
        for core, shape in zip(inputs, shapes, strict=True)
        for name in core
        if name.endswith("?") and len(shape) < len(core)
    }
    letters: list[Letters] = []
    longest = 0
    for index, (core, shape) in enumerate(zip(inputs, shapes, strict=True)):
        names = [name for name in core if name not in dropped]
        if len(shape) < len(names):
            raise UnfollowableError("an operand has too few axes")
        at = _core_axes(call, index, names, len(shape))
        leading = iter(batch(len(shape) - len(names)))
        longest = max(longest, len(shape) - len(names))
        letters.append(tuple(names[at.index(axis)] if axis in at else next(leading) for axis in range(len(shape))))
    result = [name for name in outputs[0] if name not in dropped]
    if any(name not in {letter for operand in letters for letter in operand} for name in result):
        raise UnfollowableError("the result has a size of its own")
    rank = longest + len(result)
    explicit = isinstance(call.kwargs.get("axes"), list | tuple) and len(call.kwargs["axes"]) > ufunc.nin
    at = _core_axes(call, ufunc.nin, result, rank) if explicit else tuple(range(longest, rank))
    leading = iter(batch(longest))
    output = tuple(result[at.index(axis)] if axis in at else next(leading) for axis in range(rank))
    return Contract(tuple(letters), output)


def _two(call: Call, first: str, second: str) -> tuple[Shape, Shape]:
    if call.operand(call.get(first)) != 0 or call.operand(call.get(second)) not in (0, 1):
        raise UnfollowableError("an operand is no array")
    if len(call.operands) != 2:
        raise UnfollowableError("not two operands")
    return call.shapes[0], call.shapes[1]


def _dot(call: Call) -> Meaning:
    a, b = _two(call, "a", "b")
    if not a or not b:
        return Elementwise()
    first: Letters = (*(("a", i) for i in range(len(a) - 1)), "sum")
    rest: Letters = tuple(("b", i) for i in range(len(b) - 1))
    second = (*rest[:-1], "sum", *rest[-1:])
    return Contract((first, second), (*first[:-1], *rest))


def _inner(call: Call) -> Meaning:
    a, b = _two(call, "a", "b")
    if not a or not b:
        return Elementwise()
    first: Letters = tuple(("a", i) for i in range(len(a) - 1))
    second: Letters = tuple(("b", i) for i in range(len(b) - 1))
    return Contract(((*first, "sum"), (*second, "sum")), (*first, *second))


def _vdot(call: Call) -> Meaning:
    a, b = _two(call, "a", "b")
    if a != b:
        raise UnfollowableError("both are flattened")
    letters: Letters = tuple(range(len(a)))
    return Contract((letters, letters), ())


def _matmul(call: Call) -> Meaning:
    """``np.linalg.matmul``; the operator itself is a ufunc."""
    return generalised(UfuncCall(np.matmul, call.args, call.kwargs))


def _vecdot(call: Call) -> Meaning:
    a, b = _two(call, "x1", "x2")
    axis = call.get("axis", -1)
    if not a or not b or axis >= 0:
        raise UnfollowableError("axes counted from the left do not align")
    rank = max(len(a), len(b))
    names = [("batch", rank - i) if i != rank + axis else "sum" for i in range(rank)]
    return Contract(
        (tuple(names[rank - len(a) :]), tuple(names[rank - len(b) :])), tuple(n for n in names if n != "sum")
    )


def _outer(call: Call) -> Meaning:
    """``outer`` of vectors, and ``ufunc.outer`` of any two arrays."""
    if len(call.operands) != 2:
        raise UnfollowableError("not two operands")
    a, b = call.shapes
    if call.base in ("outer", "linalg.outer") and (len(a) != 1 or len(b) != 1):
        raise UnfollowableError("flattened")
    first: Letters = tuple(("a", i) for i in range(len(a)))
    second: Letters = tuple(("b", i) for i in range(len(b)))
    return Contract((first, second), first + second)


def _tensordot(call: Call) -> Meaning:
    a, b = _two(call, "a", "b")
    axes = call.get("axes", 2)
    if isinstance(axes, int):
        left: Any = range(len(a) - axes, len(a))
        right: Any = range(axes)
    else:
        left, right = axes
    lefts, rights = (call.axes(list(v) if isinstance(v, range) else v, len(s)) for v, s in ((left, a), (right, b)))
    first: list[Hashable] = [("a", i) for i in range(len(a))]
    second: list[Hashable] = [("b", i) for i in range(len(b))]
    for number, (i, j) in enumerate(zip(lefts, rights, strict=True)):
        first[i] = second[j] = ("sum", number)
    free = [letter for letter in (*first, *second) if letter[0] != "sum"]  # type: ignore[index]
    return Contract((tuple(first), tuple(second)), tuple(free))


def _cross(call: Call) -> Meaning:
    """Vectors stand on the last axis; the others broadcast."""
    names = ("a", "b") if call.base == "cross" else ("x1", "x2")
    a, b = _two(call, *names)
    if not a or not b or a[-1] != 3 or b[-1] != 3 or any(
        call.get(n, -1) not in (-1, None) for n in ("axis", "axisa", "axisb", "axisc")
    ):  # fmt: skip
        raise UnfollowableError("vectors on another axis")
    return Elementwise()


def _subscripts(call: Call) -> tuple[list[list[Hashable]], list[Hashable] | None, list[Any]]:
    """Letters of the inputs and of the output (None if it is implied), ``...`` as Ellipsis; and the operands."""
    args = call.args
    if isinstance(args[0], str):
        text = args[0].replace(" ", "")
        left, arrow, right = text.partition("->")

        def letters(part: str) -> list[Hashable]:
            return [Ellipsis if m == "..." else m for m in re.findall(r"\.\.\.|.", part)]

        return [letters(p) for p in left.split(",")], letters(right) if arrow else None, list(args[1:])
    pairs = len(args) // 2
    inputs = [list(args[2 * i + 1]) for i in range(pairs)]
    output = list(args[-1]) if len(args) % 2 else None
    return inputs, output, [args[2 * i] for i in range(pairs)]


def _einsum(call: Call) -> Meaning:
    inputs, output, operands = _subscripts(call)
    if [id(op) for op in operands] != [id(op) for op in call.operands] or len(inputs) != len(operands):
        raise UnfollowableError("an operand is no array")
    filled: list[Letters] = []
    longest = 0
    for names, shape in zip(inputs, call.shapes, strict=True):
        if Ellipsis in names:
            at = names.index(Ellipsis)
            count = len(shape) - len(names) + 1
            longest = max(longest, count)
            filled.append((*names[:at], *batch(count), *names[at + 1 :]))
        else:
            filled.append(tuple(names))
    if output is None:
        flat = [name for names in inputs for name in names if name is not Ellipsis]
        once = sorted((name for name in set(flat) if flat.count(name) == 1), key=lambda name: (str(type(name)), name))
        output = [Ellipsis, *once] if any(Ellipsis in names for names in inputs) else list(once)
    result: list[Hashable] = []
    for name in output:
        result.extend(batch(longest) if name is Ellipsis else (name,))
    if any(len(set(names)) < len(names) for names in filled):
        return _diagonals(filled, result)
    return Contract(tuple(filled), tuple(result))


def _diagonals(inputs: list[Letters], output: list[Hashable]) -> Meaning:
    """A repeated letter takes a diagonal: ``ii`` is the trace, ``ii->i`` the diagonal."""
    if len(inputs) != 1:
        raise UnfollowableError("a diagonal of one of several operands")
    letters = inputs[0]
    return Map(tuple(New("diagonal") if letters.count(name) > 1 else Kept(0, letters.index(name)) for name in output))


def _multi_dot(call: Call) -> Meaning:
    """A chain of matrices; the first and the last may be vectors."""
    count = call.elements(call.first)
    letters: list[Letters] = []
    for i, shape in enumerate(call.shapes[:count]):
        letters.append((i, i + 1) if len(shape) == 2 else ((i + 1,) if i == 0 else (i,)))
    output = tuple(name for name in (0, count) if any(name in operand for operand in letters))
    return Contract(tuple(letters), output)


def _solve(call: Call) -> Meaning:
    a, b = _two(call, "a", "b")
    if len(b) == 1:
        return Contract(((*batch(len(a) - 2), "row", "column"), ("row",)), (*batch(len(a) - 2), "column"))
    leading = batch(max(len(a), len(b)) - 2)
    return Contract(
        ((*batch(len(a) - 2), "row", "column"), (*batch(len(b) - 2), "row", "of b")), (*leading, "column", "of b")
    )


def _inverse(call: Call) -> Meaning:
    """Rows of the inverse belong to columns of the matrix."""
    rank = call.rank
    return Map((*(Kept(0, i) for i in range(rank - 2)), Kept(0, rank - 1), Kept(0, rank - 2)))


def _eigenvalues(call: Call) -> Meaning:
    kept = tuple(Kept(0, i) for i in range(call.rank - 2))
    return Map((*kept, New("eigenvalues" if "eig" in call.base else "singular values")))


def _of_matrix(call: Call) -> Meaning:
    if call.rank < 2:
        raise UnfollowableError("no matrix")
    return Reduce((call.rank - 2, call.rank - 1), bool(call.get("keepdims", False)), call.base.rpartition(".")[2])


def _covariance(call: Call) -> Meaning:
    """Variables against variables."""
    first = call.first
    if call.operand(first) != 0 or len(call.operands) != 1:
        raise UnfollowableError("two sets of variables")
    if call.rank == 1:
        return Reduce((0,), False, "var") if call.result == () else Opaque()
    axis = 0 if call.get("rowvar", True) else 1
    return Map((Kept(0, axis), Kept(0, axis))) if len(call.result) == 2 else Opaque()


TABLE: dict[str, Describe] = {
    "dot": _dot, "inner": _inner, "vdot": _vdot, "tensordot": _tensordot, "linalg.tensordot": _tensordot,
    "linalg.vecdot": _vecdot, "linalg.matmul": _matmul, "outer": _outer, "linalg.outer": _outer, "ufunc.outer": _outer,
    "cross": _cross, "linalg.cross": _cross, "einsum": _einsum, "linalg.multi_dot": _multi_dot,
    "linalg.solve": _solve, "linalg.inv": _inverse, "linalg.pinv": _inverse,
    **dict.fromkeys(("linalg.eigvals", "linalg.eigvalsh", "linalg.svdvals", "linalg.eig", "linalg.eigh"), _eigenvalues),
    **dict.fromkeys(("linalg.det", "linalg.slogdet", "linalg.cond", "linalg.matrix_rank"), _of_matrix),
    "cov": _covariance, "corrcoef": _covariance,
}  # fmt: skip
"""Describing functions by base name."""
