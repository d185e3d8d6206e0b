"""Axes that meet: aligned from the right, compared, and related to each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

from shapecell.model import Shape
from shapecell.tracking.axes import (
    Atom,
    AxisIdentity,
    Crossing,
    Layout,
    One,
    Origin,
    conflict,
    join,
    related,
)

MAX_GONE = 32

ResultName = Callable[[], str | None]


def no_name() -> None:
    """The name of a result that has none."""


def union_of_gone(layouts: Sequence[Layout]) -> frozenset[Atom]:
    """Atoms reduced away on the way to any of `layouts`, bounded."""
    if not layouts:
        return frozenset()
    if len(layouts) == 1:
        return layouts[0].gone
    gone = frozenset().union(*(layout.gone for layout in layouts))
    return gone if len(gone) <= MAX_GONE else layouts[0].gone


def combined_one(ones: Sequence[One]) -> One:
    """Why an axis is 1 where several 1s met: what was written on purpose speaks first."""
    best = next((one for one in ones if one.intent == "explicit"), ones[0])
    reduced = frozenset().union(*(one.reduced for one in ones))
    if reduced == best.reduced:
        return best
    return One(best.reason, best.intent, reduced, best.origin, best.index)


def learn(a: AxisIdentity, b: AxisIdentity) -> None:
    """Relate two axes of one length that met: pairwise, if both are products of the same lengths."""
    if len(a.atoms) == len(b.atoms):
        for x, y in zip(a.atoms, b.atoms, strict=True):
            if x.length == y.length:
                join(x, y)


def axes_related(a: AxisIdentity | None, b: AxisIdentity | None) -> bool:
    """True if both are known to be the same axis, or one is a part or copy of the other."""
    if a is None or b is None or not a.atoms or len(a.atoms) != len(b.atoms):
        return False
    return all(related(x, y) for x, y in zip(a.atoms, b.atoms, strict=True))


def axes_disordered(a: AxisIdentity, b: AxisIdentity) -> bool:
    """True if both are products of the same axes in different orders."""
    if len(a.atoms) != len(b.atoms) or len(a.atoms) < 2:
        return False
    ours, theirs = [atom.root for atom in a.atoms], [atom.root for atom in b.atoms]
    return ours != theirs and Counter(ours) == Counter(theirs)


class Meeting:
    """Operands broadcast to one shape: the axes of the result, and what was found on the way.

    Axes are taken to be the same only where two whole arrays of one shape meet. That a vector was stretched along an
    axis proves little: the states of ``v[:, None] + transition`` are those of both axes.
    """

    def __init__(self, layouts: Sequence[Layout], result: Shape, result_name: ResultName) -> None:
        self.layouts = layouts
        self.result = result
        self.crossings: list[Crossing] = []
        self.disordered: list[tuple[int, int, int]] = []
        axes = [self._axis(position, length) for position, length in enumerate(result)]
        self.axes = told_apart(axes, result_name)

    @property
    def notes(self) -> dict[str, object]:
        """What was found besides crossings, under the keys that `Outcome` documents."""
        return {"disordered": tuple(self.disordered)} if self.disordered else {}

    def at(self, operand: int, position: int) -> AxisIdentity | None:
        """The axis of `operand` that meets axis `position` of the result."""
        axes = self.layouts[operand].axes
        own = position - (len(self.result) - len(axes))
        return axes[own] if 0 <= own < len(axes) else None

    def is_stretched(self, operand: int) -> bool:
        """True if `operand` has fewer axes than the result, or a 1 where the result has more."""
        return self.layouts[operand].shape != self.result

    def _axis(self, position: int, length: int) -> AxisIdentity:
        met = [(i, axis) for i in range(len(self.layouts)) if (axis := self.at(i, position)) is not None]
        if length == 1:
            ones = [axis.one for _, axis in met if axis.one is not None]
            return AxisIdentity(1, one=combined_one(ones)) if ones else AxisIdentity(1, one=One(None, "incidental"))
        full = [(i, axis) for i, axis in met if axis.length == length and axis.atoms]
        if not full:
            return AxisIdentity(length, (Atom(Origin(None), position, length),))
        for (i, a), (j, b) in combinations(full, 2):
            self._compare(position, i, a, j, b)
        return min(full, key=lambda pair: self._doubt(*pair))[1]

    def _doubt(self, operand: int, axis: AxisIdentity) -> tuple[bool, bool, bool]:
        """Least for the axis to keep: of a known array, of a whole operand (so that all come from one), not merged."""
        generic = any(atom.origin.generic for atom in axis.atoms)
        return generic, self.is_stretched(operand), len(axis.atoms) > 1

    def _compare(self, position: int, first: int, a: AxisIdentity, second: int, b: AxisIdentity) -> None:
        whole = not self.is_stretched(first) and not self.is_stretched(second)
        if a.atom is None or b.atom is None:
            if axes_disordered(a, b):
                self.disordered.append((position, first, second))
            elif whole:
                learn(a, b)
            return
        found = conflict(a.atom, b.atom)
        if found is None:
            if whole:
                join(a.atom, b.atom)
            return
        blamed, other = self._blame(first, second)
        if blamed is None:
            return
        strength, origin = found
        mine = self.at(blamed, position)
        assert mine is not None
        assert mine.atom is not None
        self.crossings.append(
            Crossing(
                position=position,
                operand=blamed,
                axis=position - (len(self.result) - len(self.layouts[blamed].axes)),
                against=other,
                belongs=self._home(mine.atom, other),
                strength=strength,
                symmetric=origin.symmetric,
            )
        )

    def _blame(self, first: int, second: int) -> tuple[int | None, int]:
        """Which of two operands in conflict is the one out of place: the one that is stretched.

        None if neither is: two whole arrays that meet crosswise (``A + A.T``) do so on purpose.
        """
        ranks = [len(self.layouts[i].axes) for i in (first, second)]
        stretched = [self.is_stretched(i) for i in (first, second)]
        if not any(stretched):
            return None, first
        if ranks[0] != ranks[1]:
            return (first, second) if ranks[0] < ranks[1] else (second, first)
        if stretched[0] != stretched[1]:
            return (first, second) if stretched[0] else (second, first)
        return second, first

    def _home(self, atom: Atom, operand: int) -> int | None:
        """The axis of `operand` that `atom` is at home in; None if there is none."""
        for index, axis in enumerate(self.layouts[operand].axes):
            if axis.atom is not None and related(axis.atom, atom):
                return index
        for index, axis in enumerate(self.layouts[operand].axes):
            if axis.atom is not None and axis.atom.origin is atom.origin and axis.atom.index == atom.index:
                return index
        return None


def mirrored(meeting: Meeting, result_name: ResultName) -> tuple[AxisIdentity, ...]:
    """The axes of the result; those along which an array met its own transpose are new and alike (``A + A.T``)."""
    whole = [layout.axes for i, layout in enumerate(meeting.layouts) if not meeting.is_stretched(i)]
    alike = {
        position
        for a, b in combinations(whole, 2)
        for p, q in combinations(range(len(meeting.result)), 2)
        if _same_atom(a[p], b[q]) and _same_atom(a[q], b[p]) and not _alike(a[p], a[q])
        for position in (p, q)
    }
    origin = Origin(lambda: result_name() or "the table", symmetric=True)
    return tuple(
        AxisIdentity(axis.length, (Atom(origin, position, axis.length, axis.name),)) if position in alike else axis
        for position, axis in enumerate(meeting.axes)
    )


def _same_atom(a: AxisIdentity, b: AxisIdentity) -> bool:
    return a.atom is not None and b.atom is not None and a.atom.root is b.atom.root


def _alike(a: AxisIdentity, b: AxisIdentity) -> bool:
    """True if two axes are one, or alike by construction already."""
    assert a.atom is not None
    assert b.atom is not None
    return _same_atom(a, b) or (a.atom.origin is b.atom.origin and a.atom.origin.symmetric)


def told_apart(
    axes: Sequence[AxisIdentity], result_name: ResultName, symmetric: bool | None = None
) -> tuple[AxisIdentity, ...]:
    """`axes`, those that are one and the same made copies that differ.

    The two axes of ``sq[:, None] + sq`` or ``x @ x.T`` run over the same things, and yet are not one axis: a mean
    over one of them belongs to the other.
    """
    same = [(i, j) for i, j in combinations(range(len(axes)), 2) if _same_atom(axes[i], axes[j])]
    if not same:
        return tuple(axes)
    if symmetric is None:
        symmetric = all(axes[i].atom is axes[j].atom for i, j in same)
    origin = Origin(lambda: result_name() or "the table", symmetric=symmetric)
    doubled = {index for pair in same for index in pair}
    return tuple(
        AxisIdentity(axis.length, (Atom(origin, index, axis.length, twin=axis.atom),)) if index in doubled else axis
        for index, axis in enumerate(axes)
    )
