"""Which of the errors that were seen is the one that left the checked code."""

from __future__ import annotations

import contextlib

import pytest

from shapecell.tracking import tracker
from shapecell.tracking.tracker import MAX_OUTCOMES, Tracker
from tests.tracking.fake import Adapter, Array


@pytest.fixture
def fake() -> Adapter:
    return Adapter(Tracker())


def test_the_error_that_escapes_is_matched_by_identity(fake: Adapter) -> None:
    errors = []
    for n in (3, 4, 5):
        with pytest.raises(ValueError, match="broadcast") as caught:
            fake.add(Array(2), Array(n))
        errors.append(caught.value)
    fake.tracker.close(errors[1])
    assert fake.tracker.escaped is not None
    assert fake.tracker.escaped.group.operation.shapes == ((2,), (4,))
    assert not fake.tracker.failures


@pytest.mark.parametrize("link", ["__cause__", "__context__"])
def test_an_error_raised_in_answer_to_it_is_matched_too(fake: Adapter, link: str) -> None:
    with pytest.raises(ValueError) as caught:
        fake.add(Array(2), Array(3))
    answer = RuntimeError("in layer 3")
    setattr(answer, link, caught.value)
    fake.tracker.close(answer)
    assert fake.tracker.escaped is not None


def test_a_note_in_its_message_does_not_hide_it(fake: Adapter) -> None:
    with pytest.raises(ValueError) as caught:
        fake.add(Array(2), Array(3))
    caught.value.args = (f"{caught.value.args[0]} in layer 3",)
    fake.tracker.close(caught.value)
    assert fake.tracker.escaped is not None


def test_an_error_that_was_caught_is_not_taken_for_a_later_one_at_its_address(fake: Adapter) -> None:
    with contextlib.suppress(ValueError):
        fake.add(Array(2), Array(3))
    later = ValueError("of the user's own")
    fake.tracker.failures[0].error_id = id(later)
    fake.tracker.close(later)
    assert fake.tracker.escaped is None


def test_failures_are_bounded_and_closing_lets_go_of_them(fake: Adapter) -> None:
    for _ in range(3 * tracker.MAX_FAILURES):
        with contextlib.suppress(ValueError):
            fake.add(Array(2), Array(3))
    assert len(fake.tracker.failures) == tracker.MAX_FAILURES
    fake.tracker.close()
    assert (len(fake.tracker.failures), fake.tracker.escaped) == (0, None)
    (group,) = fake.tracker
    assert group.count == 3 * tracker.MAX_FAILURES
    assert len(group.outcomes) <= MAX_OUTCOMES


def test_a_chain_of_errors_that_bites_its_tail_ends(fake: Adapter) -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    fake.tracker.close(first)
    assert fake.tracker.escaped is None
