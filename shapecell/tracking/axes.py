"""Axis identity: where each axis of each array comes from, and which axes are known to be the same or different.

An axis is a product of `Atom` s (one, unless axes were merged by a reshape). An atom is one axis of one `Origin`:
an array that came from outside, a layer's features, a fresh axis that an operation made. Atoms that meet in an
elementwise operation become related (union-find). Two axes are *crossed* when both are different axes of one
common origin; two unrelated arrays that meet are never in conflict.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal

from shapecell.model import Intent, Shape

Strength = Literal["strong", "weak"]

MAX_PARTS = 256


@dataclass(eq=False, slots=True)
class Origin:
    """Something that brought axes into being.

    Attributes
    ----------
    label
        Name, or a function that works it out when the report is read (a name costs a look at the source).
    parameter
        A declared model parameter.
    generic
        Stands for many arrays at once (the ninth and later ones at a site): nothing may be concluded from it.
    symmetric
        Its axes 0 and 1 are alike by construction (``x @ x.T``): crossing them does no harm.
    axis_names
        Names of its axes given by the user, or None.
    """

    label: str | Callable[[], str | None] | None = None
    parameter: bool = False
    generic: bool = False
    symmetric: bool = False
    axis_names: tuple[str | None, ...] | None = None

    def name(self) -> str | None:
        if callable(self.label):
            self.label = self.label()
        return self.label


class Atom:
    """One axis of one origin. `twin` is the atom that it is a copy or a part of (a Gram matrix's axis, a slice).

    `label` overrides the readable name ``"<origin> axis <index>"``.
    """

    __slots__ = ("_members", "_parts", "_root", "index", "label", "length", "origin", "twin", "whole")

    def __init__(
        self,
        origin: Origin,
        index: int,
        length: int,
        label: str | Callable[[], str | None] | None = None,
        twin: Atom | None = None,
    ) -> None:
        self.origin = origin
        self.index = index
        self.length = length
        self.label = label
        self.twin = twin
        self.whole: tuple[Atom, tuple[Atom, ...]] | None = None
        self._parts: dict[Hashable, tuple[Atom, ...]] = {}
        self._root: Atom = self
        self._members: dict[Origin, int] = {} if origin.generic else {origin: index}

    @property
    def root(self) -> Atom:
        atom = self
        while atom._root is not atom:
            atom._root = atom._root._root
            atom = atom._root
        return atom

    @property
    def members(self) -> dict[Origin, int]:
        """Axes known to be this one: origin → index of its axis."""
        return self.root._members

    def name(self) -> str | None:
        """Readable name of the axis."""
        names = self.origin.axis_names
        if names is not None and self.index < len(names) and names[self.index] is not None:
            return names[self.index]
        if callable(self.label):
            self.label = self.label()
        if self.label is not None:
            return self.label
        origin = self.origin.name()
        if origin is None:
            if self.whole is not None:
                whole = self.whole[0].name()
                return f"{whole}, part {self.index + 1} of {len(self.whole[1])}" if whole else None
            return self.twin.name() if self.twin is not None else None
        return f"{origin} axis {self.index}"

    def part(self, key: Hashable, length: int) -> Atom:
        """The part of this axis that `key` selects: the same for the same key, related to the whole.

        Parts beyond the first `MAX_PARTS` are not told apart.
        """
        found = self._parts.get((key, length))
        if found is None:
            many = len(self._parts) >= MAX_PARTS
            if many:
                key = "many"
            origin = Origin(None, generic=many or self.origin.generic)
            found = self._parts.setdefault((key, length), (Atom(origin, 0, length, self.label, twin=self),))
        return found[0]

    def picking(self, source: AxisIdentity) -> Atom:
        """This axis of an index array, as it stands in what it picks from `source`: with that one's name."""
        found = self._parts.get(("picking", source))
        if found is None:
            found = (Atom(Origin(None, generic=self.origin.generic), 0, self.length, source.name, twin=self),)
            self._parts["picking", source] = found
        return found[0]

    def image(self, label: str | None = None) -> Atom:
        """This axis of a matrix, as it stands in a product: named alike or `label`, related to nothing.

        An image is its own image, so that a state that runs through a loop keeps its axes.
        """
        found = self._parts.get(("image", label))
        if found is None:
            origin = Origin(None, generic=self.origin.generic)
            found = (Atom(origin, 0, self.length, label or self.name),)
            self._parts["image", label] = found[0]._parts["image", label] = found
        return found[0]

    def split(self, lengths: tuple[int, ...]) -> tuple[Atom, ...]:
        """The atoms that this axis becomes when a reshape splits it; merging all of them gives it back."""
        found = self._parts.get(("split", lengths))
        if found is None:
            origin = Origin(None, generic=self.origin.generic)
            found = tuple(Atom(origin, index, length) for index, length in enumerate(lengths))
            for atom in found:
                atom.whole = (self, found)
            self._parts["split", lengths] = found
        return found

    def lineage(self) -> Iterable[Atom]:
        """The atom and those that it is a copy or part of, nearest first."""
        atom: Atom | None = self
        while atom is not None:
            yield atom
            atom = atom.twin

    def __repr__(self) -> str:
        return f"<{self.name() or '?'}: {self.length}>"


@dataclass(frozen=True, slots=True)
class One:
    """Why an axis has length 1. `reduced` are the atoms that a keepdims reduction collapsed into it."""

    reason: str | None
    intent: Intent
    reduced: frozenset[Atom] = frozenset()
    origin: Origin | None = None
    index: int = 0


class AxisIdentity:
    """One axis: its length, and either its atoms (row-major product) or, for length 1, why it is 1.

    Immutable by agreement, with its hash worked out once: layouts are keys of a dictionary on a hot path.
    """

    __slots__ = ("_hash", "atoms", "length", "one")

    def __init__(self, length: int, atoms: tuple[Atom, ...] = (), one: One | None = None) -> None:
        self.length = length
        self.atoms = atoms
        self.one = one
        self._hash = hash((length, atoms, one))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, AxisIdentity)
            and self._hash == other._hash
            and (self.length, self.atoms, self.one) == (other.length, other.atoms, other.one)
        )

    def __repr__(self) -> str:
        return f"<axis {self.name() or '?'}: {self.length}>"

    @property
    def atom(self) -> Atom | None:
        """The one atom of an axis that was not merged from several; None for others and for 1s."""
        return self.atoms[0] if len(self.atoms) == 1 else None

    def name(self) -> str | None:
        """Readable name, or None."""
        if self.one is not None and self.one.origin is not None:
            origin = self.one.origin.name()
            return f"{origin} axis {self.one.index}" if origin else None
        names = [atom.name() for atom in self.atoms]
        return " × ".join(name or "?" for name in names) if any(names) else None


class Layout:
    """The axes of one array.

    Attributes
    ----------
    axes
        One identity per axis.
    gone
        Atoms that were reduced away on the way to this array.
    normalised
        Atoms along which a softmax or the like ran last.
    """

    __slots__ = ("_hash", "axes", "gone", "normalised", "shape")

    def __init__(
        self,
        axes: tuple[AxisIdentity, ...],
        gone: frozenset[Atom] = frozenset(),
        normalised: frozenset[Atom] = frozenset(),
    ) -> None:
        self.axes = axes
        self.gone = gone
        self.normalised = normalised
        self.shape: Shape = tuple(axis.length for axis in axes)
        self._hash = hash((axes, gone, normalised))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Layout)
            and self._hash == other._hash
            and (self.axes, self.gone, self.normalised) == (other.axes, other.gone, other.normalised)
        )

    def __repr__(self) -> str:
        return f"Layout{self.axes}"


@dataclass(frozen=True, slots=True)
class Crossing:
    """Axis `axis` of operand `operand` met, at axis `position` of the result, an axis known to be another one.

    `against` is the operand with which it is in conflict, and `belongs` the axis of that operand where it is at home
    (None if that axis is gone).
    """

    position: int
    operand: int
    axis: int
    against: int
    belongs: int | None
    strength: Strength
    symmetric: bool = False


@dataclass(slots=True)
class Outcome:
    """What an operation made of its operands' axes, remembered so that it is worked out once.

    Attributes
    ----------
    results
        Layout of each result.
    crossings
        Axes that met the wrong axis.
    notes
        Further facts that rules read, by name:

        ``"gone_match"`` (elementwise)
            Operands that were reduced over an axis which they now are stretched along again: triples of operand,
            axis of the result, `Strength`.
        ``"disordered"`` (wherever operands are broadcast; absent if there are none)
            Merged axes that met with the same factors in another order, ``batch × time`` against ``time × batch``:
            triples of axis of the result and the two operands.
        ``"scrambled"`` (reshape)
            A `Scramble`; absent if the axes came through.
        ``"summed"`` (contraction)
            For each letter that vanished, the frozenset of the atoms it had.
        ``"reduced"`` (reduction), ``"along"``
            The axes that vanished, or that a softmax, scan or sort ran along: a tuple of `AxisIdentity`.
    """

    results: tuple[Layout, ...]
    crossings: tuple[Crossing, ...] = ()
    notes: dict[str, object] = field(default_factory=dict)


def conflict(a: Atom, b: Atom) -> tuple[Strength, Origin] | None:
    """The origin of which `a` and `b` are different axes, and how sure that is; None if there is none.

    Strong: both are axes of that origin, or parts or copies of such. Weak: it was learned from what they met before.
    """
    kin = [(i + j, x, y) for i, x in enumerate(a.lineage()) for j, y in enumerate(b.lineage())]
    for _, x, y in sorted(kin, key=itemgetter(0)):
        if x.root is y.root:
            return None
        if x.origin is y.origin and not x.origin.generic and x.index != y.index:
            return ("strong", x.origin)
    mine, other = a.members, b.members
    if len(mine) > len(other):
        mine, other = other, mine
    for origin, index in mine.items():
        if other.get(origin, index) != index:
            return ("weak", origin)
    return None


def related(a: Atom, b: Atom) -> bool:
    """True if the atoms are known to be the same axis, or one is a copy or part of (an equal of) the other."""
    roots = {atom.root for atom in a.lineage()}
    return any(atom.root in roots for atom in b.lineage())


def join(a: Atom, b: Atom) -> None:
    """Learn that `a` and `b` are the same axis.

    Does nothing if they are related already or in conflict, or if one stands for the axes of many arrays: what one of
    those met says nothing about the others.
    """
    if a.origin.generic or b.origin.generic:
        return
    if related(a, b) or conflict(a, b) is not None or a.length != b.length:
        return
    root, other = a.root, b.root
    if len(root._members) < len(other._members):
        root, other = other, root
    root._members.update(other._members)
    other._members = {}
    other._root = root


def fresh_layout(shape: Shape, origin: Origin, *, reason: str | None = None, intent: Intent | None = None) -> Layout:
    """New axes for an array of `shape` that comes from `origin`. Its 1s are incidental unless said otherwise."""
    why: Intent = intent or ("explicit" if origin.parameter else "incidental")
    if reason is None and origin.parameter:
        reason = "a parameter declared so"
    return Layout(
        tuple(
            AxisIdentity(1, one=One(reason, why, origin=origin, index=index))
            if length == 1
            else AxisIdentity(length, (Atom(origin, index, length),))
            for index, length in enumerate(shape)
        )
    )
