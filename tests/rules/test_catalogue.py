"""Every rule raises on its example and is silent on its near twin."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest

from shapecell.model import Report
from shapecell.rules.catalogue import BY_CODE, RULES
from shapecell.rules.explain import all_pages, explain
from tests.helpers import run_checked

CODES = [rule.code for rule in RULES]


def raised(source: str) -> list[str]:
    """Codes of the findings in `source`; a source that raises is judged too."""
    reports: list[Report] = []
    with contextlib.suppress(Exception):
        run_checked(source, keep=reports.append)
    return [finding.rule for finding in reports[0].findings]


@pytest.mark.parametrize("code", CODES)
def test_example_is_raised(code: str) -> None:
    assert code in raised(BY_CODE[code].example)


@pytest.mark.parametrize("code", CODES)
def test_twin_is_not(code: str) -> None:
    assert raised(BY_CODE[code].twin) == []


def test_codes_are_unique_and_ordered() -> None:
    assert len(set(CODES)) == len(CODES)
    assert sorted(CODES) == CODES
    assert all(re.fullmatch(r"SC\d{3}", code) for code in CODES)


def test_explain() -> None:
    page = explain("sc101")
    assert page.startswith("## SC101")
    assert BY_CODE["SC101"].twin.strip() in page
    with pytest.raises(KeyError, match="the rules are SC001"):
        explain("SC999")


def test_document_is_up_to_date() -> None:
    path = Path(__file__).parents[2] / "docs" / "rules.md"
    assert path.read_text(encoding="utf-8") == all_pages(), "run `make docs`"
