"""Grouping, settling, bounds, failures and identities of the tracker, on a framework of no numbers."""

from __future__ import annotations

import sys
import sysconfig
import threading
from typing import Any
from weakref import ref

import pytest

from shapecell.tracking import tracker
from shapecell.tracking.allowance import ALLOWED
from shapecell.tracking.groups import Group
from shapecell.tracking.operation import Create, Elementwise, Index, Insert, NewAxis, Permute, Slice
from shapecell.tracking.tracker import MAX_OUTCOMES, MAX_STEADY, MAX_UNKNOWN, STEADY_AFTER, Tracker
from shapecell.tracking.transfer import TRANSFERS
from tests.tracking.fake import Adapter, Array


@pytest.fixture
def fake() -> Adapter:
    return Adapter(Tracker())


def groups(fake: Adapter, name: str | None = None) -> list[Group]:
    return [group for group in fake.tracker if name in (None, group.operation.name)]


# ---------------------------------------------------------------- grouping


def test_executions_at_one_site_with_one_set_of_shapes_are_one_group(fake: Adapter) -> None:
    for _ in range(5):
        fake.add(Array(3, 1), Array(3))
    (group,) = groups(fake)
    assert (group.count, group.first, group.last) == (5, 1, 5)
    assert group.operation.shapes == ((3, 1), (3,))
    assert fake.described == 1
    assert fake.tracker.operations == 5


def test_other_shapes_and_other_sites_are_other_groups(fake: Adapter) -> None:
    for n in (3, 3, 4):
        fake.add(Array(n), Array(n))
    fake.add(Array(3), Array(3))
    assert [group.count for group in groups(fake)] == [2, 1, 1]


def test_one_line_holds_several_sites(fake: Adapter) -> None:
    x = Array(3)
    fake.add(fake.add(x, x), fake.add(x, x))
    assert [group.count for group in groups(fake)] == [1, 1, 1]


def test_static_arguments_tell_groups_apart(fake: Adapter) -> None:
    x = Array(3, 3)
    means = [fake.mean(x, axis) for axis in (0, 1, 0)]
    assert [group.count for group in groups(fake)] == [2, 1]
    first, second, third = (fake.known(m) for m in means)
    assert first is third
    assert first is not second


def test_what_is_allowed_where_the_code_runs_tells_groups_apart(fake: Adapter) -> None:
    for allowed in (frozenset[str](), frozenset({"SC101"})):
        token = ALLOWED.set(allowed)
        try:
            fake.add(Array(3, 1), Array(3))
        finally:
            ALLOWED.reset(token)
    assert [group.allowed for group in groups(fake)] == [frozenset(), frozenset({"SC101"})]


def test_producers_and_consumers_are_linked(fake: Adapter) -> None:
    x = Array(4, 4)
    m = fake.mean(x, 1)
    fake.add(x, m)
    mean, add = groups(fake)
    assert mean.consumers == {(add, 1)}
    assert add.producers == (set(), {mean})


# ---------------------------------------------------------------- axes


def test_an_axis_that_meets_the_wrong_axis_is_a_crossing(fake: Adapter) -> None:
    x = Array(4, 4)
    fake.add(x, fake.mean(x, 1))
    ((_, outcome),) = groups(fake, "add")[0].outcomes
    (crossing,) = outcome.crossings
    assert (crossing.operand, crossing.axis, crossing.against, crossing.belongs, crossing.position) == (1, 0, 0, 0, 1)
    assert crossing.strength == "strong"


@pytest.mark.parametrize("axis", [0, 1])
def test_an_axis_in_its_place_is_no_crossing(fake: Adapter, axis: int) -> None:
    x = Array(4, 4)
    fake.add(x, fake.unsqueeze(fake.mean(x, axis), axis))
    assert groups(fake, "add")[0].outcomes[0][1].crossings == ()


def test_arrays_are_told_apart(fake: Adapter) -> None:
    x, y = Array(4, 4), Array(4, 4)
    fake.add(x, fake.mean(y, 1))
    assert groups(fake, "add")[0].outcomes[0][1].crossings == ()


def test_a_view_that_nobody_saw_is_traced_to_its_base(fake: Adapter) -> None:
    x = Array(4, 4)
    fake.mean(x, 0)
    turned = Array(4, 4, base=x, meaning=Permute((1, 0)))
    fake.add(turned, fake.mean(x, 0))
    assert len(groups(fake, "add")[0].outcomes[0][1].crossings) == 1


def test_views_and_plain_arrays_of_other_shapes_are_never_mistaken(fake: Adapter) -> None:
    """Each unknown array has the axes of its own shape, however many of another shape came before."""
    for number in range(3 * MAX_UNKNOWN):
        base = Array(6, 4, 2)
        view = Array(6, 4, 1, 2, base=base, meaning=Insert((2,)))
        array = view if number % 2 else Array(6, 4, 1, 2)
        fake.transpose(array)
        known = fake.known(array)
        assert known is not None
        assert known.layout.shape == (6, 4, 1, 2)
    assert fake.tracker.problems() == ()


def test_a_meaning_that_does_not_fit_its_base_gives_new_axes(fake: Adapter) -> None:
    base = Array(5)
    array = Array(4, 4, base=base, meaning=Index((Slice(), NewAxis(), Slice())))
    fake.transpose(array)
    known = fake.known(array)
    assert known is not None
    assert known.layout.shape == (4, 4)


def test_names_and_parameters_come_from_the_adapter(fake: Adapter) -> None:
    weight = Array(3, 1)
    weight.name, weight.parameter = "net.0.weight", True
    fake.transpose(weight)
    known = fake.known(weight)
    assert known is not None
    first, second = known.layout.axes
    assert first.name() == "net.0.weight axis 0"
    assert second.one is not None
    assert second.one.intent == "explicit"


# ---------------------------------------------------------------- settling


def test_a_site_settles_after_enough_equal_executions(fake: Adapter) -> None:
    x, y = Array(3), Array(3)
    result = Array(3)
    steady = []
    for _ in range(STEADY_AFTER + 3):
        steady.append(fake.call("add", Elementwise(), (x, y), (result,), sys._getframe()))
    assert steady[:STEADY_AFTER] == [None] * STEADY_AFTER
    entry = steady[STEADY_AFTER]
    assert entry is not None
    assert steady[STEADY_AFTER:] == [entry] * 3
    assert fake.tracker.steady == {next(iter(fake.tracker.steady)): entry}
    assert (entry.group, entry.function, entry.count) == (groups(fake)[0], "add", 0)
    assert entry.made is fake.known(result)


def test_counts_of_settled_sites_are_not_lost(fake: Adapter) -> None:
    x, y = Array(3), Array(3)
    for _ in range(50):
        fake.quick_add(x, y)
    (group,) = groups(fake)
    assert group.count == STEADY_AFTER + 1
    assert fake.tracker.operations == 50
    fake.tracker.settle()
    assert (group.count, group.last, fake.tracker.serial) == (50, 50, 50)
    fake.tracker.settle()
    assert (group.count, fake.tracker.operations) == (50, 50)


def test_something_new_makes_settled_sites_be_followed_again(fake: Adapter) -> None:
    x, y = Array(3), Array(3)
    for number in range(40):
        fake.quick_add(x, y)
        if number == 20:
            assert fake.tracker.steady
            fake.quick_add(x, Array(3, 3))
            assert not fake.tracker.steady
    assert fake.tracker.steady
    fake.tracker.close()
    assert [group.count for group in groups(fake)] == [40, 1]
    assert fake.tracker.operations == 41


def test_new_operands_keep_a_site_from_settling(fake: Adapter) -> None:
    known = [Array(3) for _ in range(STEADY_AFTER)]
    for array in known:
        fake.add(array, array)
    assert not fake.tracker.steady


def test_the_newest_result_of_a_settled_site_is_known_when_it_is_needed(fake: Adapter) -> None:
    x = Array(4, 4)
    last = Array(4, 4)
    for _ in range(STEADY_AFTER + 1):
        steady = fake.call("add", Elementwise(), (x, x), (last,), sys._getframe())
    assert steady is not None
    unseen = Array(4, 4)
    steady.last = ref(unseen)
    fake.add(unseen, fake.mean(x, 1))
    add = groups(fake, "add")[1]
    assert len(add.outcomes[0][1].crossings) == 1
    assert add.producers[0] == {groups(fake, "add")[0]}


def test_a_known_site_learns_what_the_newest_result_of_a_settled_one_is(fake: Adapter) -> None:
    x, last = Array(4, 4), Array(4, 4)
    for operand, is_newest in ((Array(4, 4), False), (Array(4, 4), True)):
        steady = None
        while steady is None:
            steady = fake.call("add", Elementwise(), (x, x), (last,), sys._getframe())
        steady.last = ref(operand) if is_newest else None
        fake.mean(operand, 1)
    assert fake.known(operand) is fake.known(last)
    (mean,) = groups(fake, "mean")
    assert (mean.count, mean.producers) == (2, ({groups(fake, "add")[0]},))


def test_several_groups_of_one_position_settle_side_by_side(fake: Adapter) -> None:
    arrays = [Array(n) for n in range(2, 2 + MAX_STEADY + 3)]
    for _ in range(3):
        for array in arrays:
            for _ in range(20):
                fake.quick_add(array, array)
    chain = []
    entry = next(iter(fake.tracker.steady.values()))
    while entry is not None:
        chain.append(entry)
        entry = entry.next
    assert len(chain) == len(set(chain)) == MAX_STEADY
    fake.tracker.close()
    assert [group.count for group in groups(fake)] == [60] * len(arrays)
    assert fake.tracker.operations == 60 * len(arrays)


def test_ones_that_were_written_are_remembered_when_results_are_not_followed(fake: Adapter) -> None:
    x = Array(5)
    for _ in range(STEADY_AFTER + 1):
        fake.unsqueeze(x, 1)
    assert fake.tracker.steady
    unseen = Array(5, 1)
    fake.add(unseen, Array(5))
    (layouts, _), *_ = groups(fake, "add")[0].outcomes
    one = layouts[0].axes[1].one
    assert one is not None
    assert one.intent == "explicit"
    other = Array(1, 5)
    fake.add(other, Array(5))
    one = groups(fake, "add")[1].outcomes[0][0][0].axes[0].one
    assert one is not None
    assert one.intent == "incidental"


# ---------------------------------------------------------------- bounds


def test_groups_are_bounded_and_the_rest_is_counted(fake: Adapter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracker, "MAX_GROUPS", 10)
    for n in range(1, 31):
        fake.add(Array(n), Array(n))
    assert len(groups(fake)) == 10
    assert fake.tracker.unrecorded == 20
    assert fake.tracker.operations == 30


def test_unknown_arrays_of_a_site_are_bounded_and_the_last_stands_for_many(fake: Adapter) -> None:
    arrays = [Array(4, 4) for _ in range(5 * MAX_UNKNOWN)]
    for array in arrays:
        fake.transpose(array)
    (group,) = groups(fake)
    assert [len(found) for found in group.unknown.values()] == [MAX_UNKNOWN]
    assert len(group.outcomes) == MAX_UNKNOWN
    layouts = [known.layout for array in arrays if (known := fake.known(array)) is not None]
    generic = [[atom.origin.generic for axis in layout.axes for atom in axis.atoms] for layout in layouts]
    assert generic == [[False] * 2] * (MAX_UNKNOWN - 1) + [[True] * 2] * (len(arrays) - MAX_UNKNOWN + 1)
    assert len(set(layouts)) == MAX_UNKNOWN


def test_nothing_is_concluded_from_arrays_that_stand_for_many(fake: Adapter) -> None:
    for number in range(2 * MAX_UNKNOWN):
        x = Array(4, 4)
        fake.add(x, fake.mean(x, 1))
        crossings = sum(len(outcome.crossings) for _, outcome in groups(fake, "add")[0].outcomes)
        assert crossings == min(number + 1, MAX_UNKNOWN - 1)


def test_outcomes_are_bounded_and_the_site_settles_nevertheless(fake: Adapter) -> None:
    made = [Array(4, 4) for _ in range(2 * MAX_OUTCOMES)]
    for number, array in enumerate(made):
        fake.call("make", Create(), (), (array,), sys._getframe(), number)
    results = [fake.add(array, array) for array in made]
    (group,) = groups(fake, "add")
    assert len(group.memo) == len(group.outcomes) == MAX_OUTCOMES
    values = [fake.known(result) for result in results]
    assert len(set(values[: MAX_OUTCOMES + 1])) == MAX_OUTCOMES + 1
    assert len(set(values[MAX_OUTCOMES:])) == 1
    assert values[-1] is not None
    assert values[-1].layout.shape == (4, 4)
    assert all(atom.origin.generic for axis in values[-1].layout.axes for atom in axis.atoms)
    assert [steady.group for steady in fake.tracker.steady.values()] == [group]


def test_problems_are_bounded_and_counted(fake: Adapter) -> None:
    for number in range(500):
        fake.tracker.problem("somewhere", str(number))
    fake.tracker.problem("somewhere", "0")
    problems = fake.tracker.problems()
    assert len(problems) == 200
    assert problems[0].count == 2


# ---------------------------------------------------------------- faults and threads


def test_a_fault_of_a_transfer_is_a_problem_and_the_result_has_new_axes(
    fake: Adapter, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> object:
        raise ZeroDivisionError("our mistake")

    monkeypatch.setitem(TRANSFERS, Elementwise, broken)
    result = fake.add(Array(3, 1), Array(3))
    known = fake.known(result)
    assert known is not None
    assert known.layout.shape == (3, 3)
    (problem,) = fake.tracker.problems()
    assert (problem.where, problem.why) == ("following the axes of add", "ZeroDivisionError: our mistake")


def test_threads_record_at_once(fake: Adapter) -> None:
    rounds, workers = 300, 4
    start = threading.Barrier(workers)
    wrong: list[str] = []

    def work(number: int) -> None:
        start.wait()
        x = Array(4, 4 + number)
        for _ in range(rounds):
            fake.add(x, fake.unsqueeze(fake.mean(x, 1), 1))
            known = fake.known(x)
            if known is None or known.layout.shape != x.shape:
                wrong.append("lost its axes")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        threads = [threading.Thread(target=work, args=(number,)) for number in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert wrong == []
    fake.tracker.close()
    assert fake.tracker.problems() == ()
    assert fake.tracker.operations == 3 * rounds * workers
    assert sum(group.count for group in groups(fake)) == 3 * rounds * workers
    assert all(not outcome.crossings for group in groups(fake) for _, outcome in group.outcomes)


def test_a_library_line_that_serves_two_lines_of_the_user_is_two_groups(fake: Adapter) -> None:
    source = "def helper(fake, a, b):\n    return fake.add(a, b)\n"
    namespace: dict[str, object] = {}
    exec(compile(source, f"{sysconfig.get_path('purelib')}/library/helper.py", "exec"), namespace)
    helper: Any = namespace["helper"]
    helper(fake, Array(3), Array(3))
    for _ in range(2):
        helper(fake, Array(3), Array(3))
    assert [group.count for group in groups(fake)] == [1, 2]
