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
    lengths have nothing in common. `sources` and `targets` are the old and the new axes that are concerned; the
    others came through. Arrays without elements are never scrambled.
    """

    disorder: Disorder
    before: Shape
    after: Shape
    sources: tuple[int, ...] = ()
    targets: tuple[int, ...] = ()


@dataclass(slots=True)
class _Factor:
    """An atom among the factors of a shape: `axis` is the old axis it is in; a `piece` was cut off an atom."""

    atom: Atom
    axis: int
    piece: bool = False

    @property
    def length(self) -> int:
        return self.atom.length


@dataclass(slots=True)
class _Segment:
    """The shortest run of factors that makes a whole number of new axes: `targets` are their positions."""

    factors: list[_Factor]
    targets: list[int]


def reshaped(
    source: Layout, shape: Shape, written: Shape | None, origin: Origin
) -> tuple[tuple[AxisIdentity, ...], Scramble | None]:
    """The axes of `source` under the new `shape`, and how they were scrambled, if they were.

    Only axes between boundaries that old and new shape have in common can affect each other: the rest survive.
    """
    if source.shape == shape and written is None:
        return source.axes, None
    if 0 in source.shape or 0 in shape:
        atoms, scramble = _without_elements(source, shape), None
    else:
        atoms, scramble = _with_elements(source, shape)
    axes: list[AxisIdentity] = []
    kept = iter([axis for axis in source.axes if axis.length == 1])
    spelled = written is not None and len(written) == len(shape)
    for position, length in enumerate(shape):
        if length != 1:
            own_atoms = atoms.get(position) or (Atom(origin, position, length),)
            axes.append(AxisIdentity(length, _rejoined(own_atoms)))
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


def _without_elements(source: Layout, shape: Shape) -> dict[int, tuple[Atom, ...]]:
    """Atoms of the new axes where a length is 0 and products prove nothing: equal lengths at the start stay."""
    old = [axis for axis in source.axes if axis.length != 1]
    new = [position for position, length in enumerate(shape) if length != 1]
    found: dict[int, tuple[Atom, ...]] = {}
    for axis, position in zip(old, new, strict=False):
        if axis.length != shape[position]:
            break
        found[position] = axis.atoms
    return found


def _with_elements(source: Layout, shape: Shape) -> tuple[dict[int, tuple[Atom, ...]], Scramble | None]:
    """Atoms of the new axes by position (those that are missing are new), and the worst disorder."""
    factors = [_Factor(atom, index) for index, axis in enumerate(source.axes) for atom in axis.atoms]
    found: dict[int, tuple[Atom, ...]] = {}
    scrambles: list[Scramble] = []
    for segment in _segments(factors, shape):
        lengths = [shape[position] for position in segment.targets]
        products, disorder = _distribute(segment.factors, lengths)
        found.update(zip(segment.targets, products or (), strict=False))
        given = {factor.atom for factor in segment.factors}
        was_cut = products is None or any(atom not in given for atoms in products for atom in atoms)
        sources = tuple(dict.fromkeys(factor.axis for factor in segment.factors))
        if was_cut and sorted(source.axes[axis].length for axis in sources) == sorted(lengths):
            disorder = "permuted"
        if disorder is not None:
            scrambles.append(Scramble(disorder, source.shape, shape, sources, tuple(segment.targets)))
    order: tuple[Disorder, ...] = ("permuted", "mixed", "cut")
    return found, min(scrambles, key=lambda scramble: order.index(scramble.disorder), default=None)


def _segments(factors: list[_Factor], shape: Shape) -> list[_Segment]:
    """Factors and new axes between the boundaries that both shapes have in common; lengths of 1 are left out."""
    out: list[_Segment] = []
    rest = iter(factors)
    new = iter([position for position, length in enumerate(shape) if length != 1])
    for factor in rest:
        segment = _Segment([factor], [])
        old_size, new_size = factor.length, 1
        while old_size != new_size:
            if old_size < new_size:
                another = next(rest, None)
                if another is None:
                    return out
                segment.factors.append(another)
                old_size *= another.length
            else:
                position = next(new, None)
                if position is None:
                    return out
                segment.targets.append(position)
                new_size *= shape[position]
        out.append(segment)
    return out


def _distribute(factors: list[_Factor], lengths: list[int]) -> tuple[list[tuple[Atom, ...]] | None, Disorder | None]:
    """The atoms of each new axis of a segment, None where lengths do not divide each other; and the disorder."""
    rest = list(factors)
    out: list[tuple[Atom, ...]] = []
    mixed = False
    for wanted in lengths:
        taken: list[Atom] = []
        pieces = 0
        left = wanted
        while left > 1:
            factor = rest.pop(0)
            if left % factor.length == 0:
                taken.append(factor.atom)
                pieces += factor.piece
                left //= factor.length
            elif factor.length % left == 0:
                first, second = factor.atom.split((left, factor.length // left))
                taken.append(first)
                rest.insert(0, _Factor(second, factor.axis, piece=True))
                mixed = mixed or pieces > 0
                pieces += 1
                left = 1
            else:
                return None, "cut"
        out.append(tuple(taken))
    return out, "mixed" if mixed else None


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
