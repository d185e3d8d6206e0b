"""The algebra of reshape: which axes survive, merge and split when the elements stay in row-major order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shapecell.model import Shape
from shapecell.tracking.axes import Atom, AxisIdentity, Layout, One, Origin

Disorder = Literal["permuted", "mixed", "cut"]


@dataclass(frozen=True, slots=True)
class Scramble:
    """A reshape whose new axes do not follow the old ones.

    `disorder` is ``"permuted"`` where the lengths are the old ones in another order (a transpose was meant),
    ``"mixed"`` where one new axis holds the end of one old axis and the start of the next, ``"cut"`` where the
    lengths have nothing in common.
    """

    disorder: Disorder
    before: Shape
    after: Shape


@dataclass(slots=True)
class _Factor:
    atom: Atom
    length: int
    piece: bool = False


def reshaped(
    source: Layout, shape: Shape, written: Shape | None, origin: Origin
) -> tuple[tuple[AxisIdentity, ...], Scramble | None]:
    """The axes of `source` under the new `shape`, and how they were scrambled, if they were."""
    if source.shape == shape and written is None:
        return source.axes, None
    factors = [_Factor(atom, atom.length) for axis in source.axes for atom in axis.atoms]
    lengths = [length for length in shape if length != 1]
    products, mixed = _distribute(factors, lengths)
    scramble = None
    if products is None:
        before = tuple(axis.length for axis in source.axes if axis.length != 1)
        disorder: Disorder = "permuted" if sorted(before) == sorted(lengths) else "cut"
        scramble = Scramble(disorder, source.shape, shape)
    elif mixed:
        scramble = Scramble("mixed", source.shape, shape)
    axes: list[AxisIdentity] = []
    kept = iter([axis for axis in source.axes if axis.length == 1])
    following = iter(products or ())
    spelled = written is not None and len(written) == len(shape)
    for position, length in enumerate(shape):
        if length != 1:
            atoms = next(following, (Atom(origin, position, length),))
            axes.append(AxisIdentity(length, _rejoined(atoms)))
            continue
        own = next(kept, None)
        if spelled and written is not None and written[position] == 1:
            why = One("a reshape that wrote the 1", "explicit", own.one.reduced if own and own.one else frozenset())
            axes.append(AxisIdentity(1, one=why))
        elif own is not None:
            axes.append(own)
        else:
            axes.append(
                AxisIdentity(1, one=One("a reshape to this shape", "incidental", origin=origin, index=position))
            )
    return tuple(axes), scramble


def _distribute(factors: list[_Factor], lengths: list[int]) -> tuple[list[tuple[Atom, ...]] | None, bool]:
    """The atoms of each new axis, and whether one mixes pieces of two; None where the boundaries do not agree."""
    rest = list(factors)
    out: list[tuple[Atom, ...]] = []
    mixed = False
    for wanted in lengths:
        taken: list[Atom] = []
        pieces = 0
        left = wanted
        while left > 1:
            if not rest:
                return None, mixed
            factor = rest.pop(0)
            if factor.length <= 0:
                return None, mixed
            if left % factor.length == 0:
                taken.append(factor.atom)
                pieces += factor.piece
                left //= factor.length
            elif factor.length % left == 0:
                first, second = factor.atom.split((left, factor.length // left))
                taken.append(first)
                rest.insert(0, _Factor(second, second.length, piece=True))
                mixed = mixed or pieces > 0
                pieces += 1
                left = 1
            else:
                return None, mixed
        if left != 1:
            return None, mixed
        out.append(tuple(taken))
    return (out, mixed) if not any(factor.length != 1 for factor in rest) else (None, mixed)


def _rejoined(atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
    """Pieces that a split made, put together again where all of them are side by side."""
    out = list(atoms)
    index = 0
    while index < len(out):
        whole = out[index].whole
        if whole is not None and tuple(out[index : index + len(whole[1])]) == whole[1]:
            out[index : index + len(whole[1])] = [whole[0]]
            index = max(index - 1, 0)
        else:
            index += 1
    return tuple(out)
