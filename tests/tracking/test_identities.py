"""Arrays are known while they live and never kept alive."""

from __future__ import annotations

import gc
from weakref import ref

import pytest

from shapecell.tracking import identities
from shapecell.tracking.axes import Origin, fresh_layout
from shapecell.tracking.groups import Value
from shapecell.tracking.identities import Identities
from shapecell.tracking.tracker import Tracker
from tests.tracking.fake import Adapter, Array


@pytest.fixture
def fake() -> Adapter:
    return Adapter(Tracker())


def test_arrays_are_never_kept_alive(fake: Adapter) -> None:
    arrays = [Array(4, 4), Array(4)]
    arrays.append(fake.add(*arrays))
    arrays.append(fake.mean(arrays[-1], 0))
    dead = [ref(array) for array in arrays]
    arrays.clear()
    gc.collect()
    assert [reference() for reference in dead] == [None] * 4
    assert len(fake.tracker.groups) == 2


def test_a_settled_site_keeps_no_array_alive(fake: Adapter) -> None:
    x = Array(3)
    for _ in range(20):
        result = fake.quick_add(x, x)
    assert fake.tracker.steady
    dead = ref(result), ref(x)
    del result, x
    gc.collect()
    assert (dead[0](), dead[1]()) == (None, None)


def test_the_place_of_a_dead_array_says_nothing_about_the_next_one() -> None:
    table = Identities()
    value = Value(fresh_layout((3,), Origin("x")), None)
    seen = set()
    for _ in range(1000):
        array = Array(3)
        assert table.get(array) is None
        seen.add(id(array))
        table.put(array, value)
        assert table.get(array) is value
        del array
    assert len(seen) < 1000, "no address was used twice: the test shows nothing"


def test_the_table_of_identities_stays_proportional_to_the_living() -> None:
    table = Identities()
    value = Value(fresh_layout((3,), Origin("x")), None)
    living = [Array(3) for _ in range(100)]
    for array in living:
        table.put(array, value)
    kept = []
    for _ in range(5):
        kept = [Array(3) for _ in range(4000)]
        for array in kept:
            table.put(array, value)
    kept.clear()
    for _ in range(9000):
        table.put(Array(3), value)
    assert len(table) < 9000
    assert all(table.get(array) is value for array in living)
    table.clear()
    assert len(table) == 0


def test_scalars_without_weak_references_are_held_in_small_number(fake: Adapter) -> None:
    x = Array(4)
    x.name = "x"
    totals = [fake.total(x) for _ in range(identities.MAX_SCALARS + 50)]
    known = [fake.known(total) is not None for total in totals]
    assert known == [False] * 50 + [True] * identities.MAX_SCALARS
    value = fake.known(totals[-1])
    assert value is not None
    (gone,) = value.layout.gone
    assert gone.name() == "x axis 0"
