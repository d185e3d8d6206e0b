"""What every test can rely on: a check that a test leaves open does not reach the next test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shapecell import session


@pytest.fixture(autouse=True)
def no_check_outlives_its_test() -> Iterator[None]:
    yield
    running = len(session._sessions)
    session.stop_all()
    assert running == 0, f"{running} checks were still running when the test ended"
