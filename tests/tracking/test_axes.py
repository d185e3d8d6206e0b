"""What is known of axes: conflicts, relations, names, parts."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from shapecell.tracking.axes import (
    Atom,
    AxisIdentity,
    Layout,
    One,
    Origin,
    conflict,
    fresh_layout,
    join,
    related,
)

ATOMS = 9
PAIRS = st.lists(st.tuples(st.integers(0, ATOMS - 1), st.integers(0, ATOMS - 1)), max_size=24)


def cubes(length: int = 4) -> list[Atom]:
    """The axes of three cubes."""
    return [Atom(origin, index, length) for origin in (Origin("x"), Origin("y"), Origin("z")) for index in range(3)]


def test_axes_of_one_origin_are_in_strong_conflict() -> None:
    x = Origin("x")
    assert conflict(Atom(x, 0, 4), Atom(x, 1, 4)) == ("strong", x)


def test_unrelated_arrays_are_never_in_conflict() -> None:
    assert conflict(Atom(Origin("x"), 0, 4), Atom(Origin("y"), 1, 4)) is None


def test_a_conflict_that_was_learned_is_weak() -> None:
    x, y = Origin("x"), Origin("y")
    a, b, c, d = Atom(x, 0, 4), Atom(x, 1, 4), Atom(y, 0, 4), Atom(Origin("z"), 0, 4)
    join(a, c)
    join(b, d)
    assert conflict(c, d) == ("weak", x)


def test_nothing_is_concluded_from_axes_that_stand_for_many() -> None:
    many, x = Origin("many", generic=True), Origin("x")
    g, h, a, b = Atom(many, 0, 4), Atom(many, 1, 4), Atom(x, 0, 4), Atom(x, 1, 4)
    assert conflict(g, h) is None
    join(a, g)
    assert not related(a, g)
    assert conflict(g, b) is None
    assert conflict(g.part("head", 3), h.part("head", 3)) is None
    assert g.part("head", 3).origin.generic
    assert all(atom.origin.generic for atom in g.split((2, 2)))


def test_axes_of_different_lengths_are_not_joined() -> None:
    a, b = Atom(Origin("x"), 0, 4), Atom(Origin("y"), 0, 5)
    join(a, b)
    assert not related(a, b)


@settings(deadline=None)
@given(PAIRS)
def test_joining_makes_an_equivalence_and_never_joins_a_conflict(pairs: list[tuple[int, int]]) -> None:
    atoms = cubes()
    groups = [{i} for i in range(ATOMS)]
    for i, j in pairs:
        together = groups[i] | groups[j]
        clash = any(k // 3 == m // 3 and k != m for k in together for m in together)
        join(atoms[i], atoms[j])
        if not clash:
            for k in together:
                groups[k] = together
    for i, j in combinations(range(ATOMS), 2):
        a, b = atoms[i], atoms[j]
        assert related(a, b) == related(b, a) == (j in groups[i])
        found = conflict(a, b)
        assert (found is None) == (conflict(b, a) is None)
        if i // 3 == j // 3:
            assert found == ("strong", a.origin)
        elif j in groups[i]:
            assert found is None
        else:
            clash = any(k // 3 == m // 3 for k in groups[i] for m in groups[j])
            assert (found is not None) == clash


@settings(deadline=None)
@given(PAIRS)
def test_a_conflict_is_never_learned_away(pairs: list[tuple[int, int]]) -> None:
    atoms = cubes()
    known: set[tuple[int, int]] = set()
    for i, j in pairs:
        join(atoms[i], atoms[j])
        now = {(k, m) for k, m in combinations(range(ATOMS), 2) if conflict(atoms[k], atoms[m]) is not None}
        assert known <= now
        known = now


def test_the_same_part_is_the_same_atom() -> None:
    axis = Atom(Origin("x"), 0, 10)
    head = axis.part((None, 5, None), 5)
    assert axis.part((None, 5, None), 5) is head
    assert axis.part((5, None, None), 5) is not head
    assert related(head, axis)
    assert related(head, axis.part((5, None, None), 5))
    assert conflict(head, axis) is None


def test_parts_of_different_axes_of_one_array_are_in_conflict() -> None:
    x = Origin("x")
    a, b = Atom(x, 0, 10).part("head", 5), Atom(x, 1, 10).part("head", 5)
    found = conflict(a, b)
    assert found is not None
    assert found[1] is x


def test_pieces_of_a_split_axis_are_different_axes() -> None:
    axis = Atom(Origin("x"), 0, 12)
    rows, columns = axis.split((3, 4))
    assert axis.split((3, 4)) == (rows, columns)
    assert axis.split((4, 3)) != (rows, columns)
    assert (rows.length, columns.length) == (3, 4)
    square = Atom(Origin("y"), 0, 9).split((3, 3))
    assert conflict(*square) is not None


def test_names() -> None:
    named = Origin("x", axis_names=("batch", None))
    assert Atom(named, 0, 4).name() == "batch"
    assert Atom(named, 1, 4).name() == "x axis 1"
    assert Atom(named, 2, 4).name() == "x axis 2"
    assert Atom(Origin("x"), 0, 4, "features").name() == "features"
    assert Atom(Origin(None), 0, 4).name() is None
    assert Atom(Origin("x"), 0, 4).part("head", 2).name() == "x axis 0"
    assert Atom(Origin("x"), 0, 4).split((2, 2))[1].name() == "x axis 0, part 2 of 2"
    x = Origin("x")
    merged = AxisIdentity(20, (Atom(x, 0, 4), Atom(Origin(None), 0, 5)))
    assert merged.name() == "x axis 0 × ?"
    assert merged.atom is None
    assert AxisIdentity(1, one=One("kept", "explicit")).name() is None
    assert AxisIdentity(1, one=One("kept", "explicit", origin=x, index=2)).name() == "x axis 2"


def test_a_name_is_worked_out_once() -> None:
    asked: list[int] = []

    def label() -> str:
        asked.append(1)
        return "x"

    origin = Origin(label)
    assert [Atom(origin, 0, 4).name(), Atom(origin, 1, 4).name()] == ["x axis 0", "x axis 1"]
    assert len(asked) == 1


def test_fresh_layouts_say_why_their_axes_are_1() -> None:
    data = fresh_layout((3, 1), Origin("y"))
    declared = fresh_layout((3, 1), Origin("weight", parameter=True))
    assert data.shape == (3, 1)
    assert data.axes[0].atom is not None
    assert data.axes[1].one is not None
    assert data.axes[1].one.intent == "incidental"
    assert declared.axes[1].one is not None
    assert declared.axes[1].one.intent == "explicit"
    assert declared.axes[1].one.reason
    written = fresh_layout((1,), Origin("y"), reason="written", intent="explicit").axes[0].one
    assert written == One("written", "explicit", origin=written.origin if written else None)


def test_layouts_are_equal_by_their_axes_and_hash_alike() -> None:
    layout = fresh_layout((3, 1, 4), Origin("x"))
    atom = layout.axes[0].atom
    assert atom is not None
    copy = Layout(tuple(AxisIdentity(axis.length, axis.atoms, axis.one) for axis in layout.axes))
    assert layout == copy
    assert hash(layout) == hash(copy)
    assert layout != Layout(layout.axes, frozenset({atom}))
    assert layout != Layout(layout.axes, normalised=frozenset({atom}))
    assert layout != fresh_layout((3, 1, 4), Origin("x"))
    assert layout != (3, 1, 4)
