"""The vocabulary of operations: what an adapter may say about a framework call.

An adapter turns every call into an `Operation` whose `meaning` is one of the classes below. Everything after
that (axes, rules, pictures) reads the meaning and never asks which framework it was. A call that no meaning fits
is `Opaque`: its result has new axes, and nothing is concluded from it.

All axes are counted from the left, from 0, already normalised (never negative). Letters and labels stand for
axes; they are hashable and carry no meaning of their own.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from shapecell.model import Intent, Kind, Shape

# ---------------------------------------------------------------- how an axis is indexed


@dataclass(frozen=True, slots=True)
class Slice:
    """A slice of one axis. `whole` if it keeps every element in order, `key` tells different slices apart."""

    whole: bool = True
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Integer:
    """One element of one axis; the axis vanishes. `key` is the index if it is a literal or known integer."""

    key: Hashable = None


@dataclass(frozen=True, slots=True)
class NewAxis:
    """``None`` / ``np.newaxis``: an explicit 1 appears."""


@dataclass(frozen=True, slots=True)
class Advanced:
    """An integer array that indexes one axis. `operand` is its position in the operands."""

    operand: int


@dataclass(frozen=True, slots=True)
class Mask:
    """A boolean array that indexes as many axes as it has. `operand` is its position in the operands."""

    operand: int


Item = Slice | Integer | NewAxis | Advanced | Mask

# ---------------------------------------------------------------- meanings


@dataclass(frozen=True, slots=True)
class Elementwise:
    """Operands aligned from the right and broadcast against each other: arithmetic, comparisons, ``where``.

    `in_place` is the position of the operand that is also the result (``a += b``, ``out=a``), else None.
    `pairs` marks a comparison or difference whose operands usually are pairs (``==``, ``-``).
    """

    in_place: int | None = None
    pairs: bool = False


@dataclass(frozen=True, slots=True)
class Assign:
    """``target[items] = value`` and ``copyto(target, value)``: operand 1 is broadcast into a part of operand 0.

    `items` covers every axis of the target (ellipses and missing trailing slices filled in).
    `selection` is the shape of the part that is written.
    """

    items: tuple[Item, ...]
    selection: Shape


@dataclass(frozen=True, slots=True)
class Contract:
    """``einsum``: `inputs[i][k]` is the letter of axis k of operand i, `output` the letters of the result.

    Letters in the output that several operands share are batch letters and broadcast (1 against n); letters
    missing from the output are summed away. Everything of this kind is expressed so: ``matmul`` of (b, n, k) and
    (k, m) is ``[("b", "n", "k"), ("k", "m")] → ("b", "n", "m")``, a bias of a linear layer one more operand.
    `names` gives new names for output letters that stand for a layer's features (``{"m": "Linear(64→1) features"}``)
    and `reasons` why such an axis is 1 (``{"m": "Linear(out_features=1)"}``).
    """

    inputs: tuple[tuple[Hashable, ...], ...]
    output: tuple[Hashable, ...]
    names: tuple[tuple[Hashable, str], ...] = ()
    reasons: tuple[tuple[Hashable, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Reduce:
    """`axes` of operand 0 vanish, or stay as explicit 1s with `keepdims`. `statistic` is ``"sum"``, ``"mean"``, …

    Further operands (weights of ``average``, ``where=``) are aligned with operand 0.
    """

    axes: tuple[int, ...]
    keepdims: bool = False
    statistic: str = "sum"


@dataclass(frozen=True, slots=True)
class Permute:
    """Axis i of the result is axis `order[i]` of operand 0."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Reshape:
    """The same elements in the same order under another shape (the result's).

    `written` is the shape as it stands in the call, -1 included, if the call spells it out (it may be empty for
    ``flatten``); a 1 in it is explicit. None if the shape came from elsewhere (``reshape(y.shape)``).
    """

    written: Shape | None = None


@dataclass(frozen=True, slots=True)
class Insert:
    """Explicit 1s appear at `positions` of the result (``unsqueeze``, ``expand_dims``, ``atleast_2d``)."""

    positions: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Drop:
    """Axes of length 1 at `positions` of operand 0 vanish. `every` if no axis was named (a bare ``squeeze()``)."""

    positions: tuple[int, ...]
    every: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """``a[items]``. `items` covers every axis of operand 0 in order, with NewAxis where the result has new ones.

    Advanced indices broadcast against each other; their result axes stand where `advanced_at` says (result axis
    of the first), as NumPy decides it: in place when adjacent, in front otherwise.
    """

    items: tuple[Item, ...]
    advanced_at: int = 0


@dataclass(frozen=True, slots=True)
class Expand:
    """``broadcast_to`` / ``expand``: 1s of operand 0 become the result's lengths, on purpose; new axes on the left.

    Several operands: each is expanded to the one common shape; result i belongs to operand i.
    """


@dataclass(frozen=True, slots=True)
class Repeat:
    """``tile`` / ``repeat`` / ``repeat_interleave``: axis i of operand 0 is repeated `times[i]` times.

    `times` is aligned with the result's axes; operand axes are aligned from the right. A count of None: unknown.
    """

    times: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Concatenate:
    """Operands joined along `axis`; their other axes are the same axes."""

    axis: int


@dataclass(frozen=True, slots=True)
class Stack:
    """Operands joined along a new axis at `axis` of the result; all operands have the same axes."""

    axis: int


@dataclass(frozen=True, slots=True)
class Split:
    """``split`` / ``chunk`` / ``unbind``: each result is a part of operand 0 along `axis`; `removed` for unbind."""

    axis: int
    removed: bool = False


@dataclass(frozen=True, slots=True)
class Along:
    """Shape kept, but something runs along `axes`: ``softmax``, ``cumsum``, ``sort``, normalisation.

    `action` is ``"normalise"`` (softmax, log_softmax, normalize: afterwards sums or norms along the axes are 1),
    ``"sort"`` (order along the axes changes), ``"scan"`` (cumsum), ``"standardise"`` (batch, layer norm) or
    ``"other"``. Axes of the result are those of operand 0. Further operands are parameters.
    """

    axes: tuple[int, ...]
    action: Literal["normalise", "sort", "scan", "standardise", "other"] = "other"


@dataclass(frozen=True, slots=True)
class Gather:
    """``take_along_axis``, ``torch.gather``: result axes are operand 0's except `axis`, which is operand 1's."""

    axis: int


@dataclass(frozen=True, slots=True)
class Kept:
    """Result axis that is axis `axis` of operand `operand`."""

    operand: int
    axis: int


@dataclass(frozen=True, slots=True)
class New:
    """Result axis that did not exist before: `name` is readable; `reason` and `intent` say why, if it is 1."""

    name: str | None = None
    reason: str | None = None
    intent: Intent = "incidental"


@dataclass(frozen=True, slots=True)
class Map:
    """Each axis of the result given one by one: layers, convolution, embedding, pooling, attention, ``diag``.

    With several results, the sources are those of the first; others with the same shape get the same axes.
    `scanned` is the axis of operand 0 that the layer goes along step by step: a recurrent layer's time.
    """

    sources: tuple[Kept | New, ...]
    scanned: int | None = None


@dataclass(frozen=True, slots=True)
class Loss:
    """Operands 0 and 1 are pairs that should have one shape: ``mse_loss``, ``log_prob``. Further ones are weights.

    `reduction` is ``"mean"``, ``"sum"`` or ``"none"``. `framework_says` is what the framework itself does when
    they differ.
    """

    reduction: Literal["mean", "sum", "none"] = "mean"
    framework_says: Literal["warns", "raises", "silent"] = "silent"


@dataclass(frozen=True, slots=True)
class Create:
    """An array from no array: ``zeros``, ``randn``, ``arange``. `parameter` if it is a declared model parameter."""

    parameter: bool = False


@dataclass(frozen=True, slots=True)
class Same:
    """Result axes are exactly operand 0's: ``copy``, ``astype``, ``to``, ``numpy()``, ``from_numpy``, ``detach``."""


@dataclass(frozen=True, slots=True)
class Opaque:
    """Anything else. `batch` if axis 0 of the result certainly is axis 0 of operand 0."""

    batch: bool = False


Meaning = (
    Elementwise | Assign | Contract | Reduce | Permute | Reshape | Insert | Drop | Index | Expand | Repeat
    | Concatenate | Stack | Split | Along | Gather | Map | Loss | Create | Same | Opaque
)  # fmt: skip

KIND_OF: dict[type, Kind] = {
    Elementwise: "elementwise", Assign: "assign", Contract: "contract", Reduce: "reduce", Permute: "view",
    Reshape: "view", Insert: "view", Drop: "view", Index: "view", Expand: "view", Repeat: "view",
    Concatenate: "join", Stack: "join", Split: "join", Along: "reduce", Gather: "view", Map: "contract",
    Loss: "loss", Create: "create", Same: "view", Opaque: "opaque",
}  # fmt: skip
"""The kind that a report shows for each meaning."""


@dataclass(frozen=True, slots=True)
class Operation:
    """One call, as an adapter describes it. It is asked for once per group, not once per call.

    Attributes
    ----------
    name
        As the user would write it: ``"numpy.subtract"``, ``"torch.mul"``, ``"F.mse_loss"``.
    meaning
        What happens to the axes. Operand numbers in it count the array operands as the adapter hands them to
        `Tracker.record`: in call order, one level deep into tuples and lists, keywords last, plain numbers left out.
    shapes
        Shape of each operand.
    results
        Shape of each array that came out; empty if the call raised.
    places
        For each operand, where it stands in the call: a 0-based positional index (for a method, ``self`` is 0), a
        pair ``(index, element)`` inside a list or tuple argument, or a keyword. Names operands by source text.
    """

    name: str
    meaning: Meaning
    shapes: tuple[Shape, ...]
    results: tuple[Shape, ...] = ()
    places: tuple[int | tuple[int, int] | str, ...] = ()
