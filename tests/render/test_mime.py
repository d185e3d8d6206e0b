"""The MIME bundle: exactly three types, bounded, and valid after the schema."""

from __future__ import annotations

import dataclasses
import hashlib
import json

from hypothesis import given, settings

from shapecell.model import Report
from shapecell.render.mime import MAX_BROADCASTS, MIME_TYPE, mime_bundle
from tests.render import examples as ex
from tests.render.strategies import hostile, reports
from tests.test_schema import VALIDATOR


def test_exactly_three_types() -> None:
    source = "loss = 1\n"
    snapshot = dataclasses.replace(
        ex.EVERYTHING.snapshot(), source=source, source_hash=hashlib.sha256(source.encode()).hexdigest()
    )
    bundle = mime_bundle(Report(snapshot), level="high")
    assert sorted(bundle) == [MIME_TYPE, "text/html", "text/plain"]
    assert MIME_TYPE == "application/vnd.shapecell+json"
    assert bundle[MIME_TYPE] == Report(snapshot).to_dict()
    assert bundle[MIME_TYPE]["source_hash"] == hashlib.sha256(b"loss = 1\n").hexdigest()
    assert bundle["text/plain"] == Report(snapshot).to_text(level="high")
    assert bundle["text/html"] == Report(snapshot).to_html(level="high")


def test_a_report_is_shown_so_where_it_is_a_cells_value() -> None:
    assert ex.EVERYTHING._repr_mimebundle_() == mime_bundle(ex.EVERYTHING)


def test_saved_notebooks_stay_small() -> None:
    many = tuple(
        dataclasses.replace(ex.SCALED, site=dataclasses.replace(ex.SCALED.site, line=line)) for line in range(2000)
    )
    report = ex.report(ex.PAIRS_FINDING, broadcasts=many)
    bundle = mime_bundle(report)
    data = bundle[MIME_TYPE]
    assert len(data["broadcasts"]) == MAX_BROADCASTS + 1
    assert data["unrecorded"] == 2000 - MAX_BROADCASTS
    assert Report.from_dict(data).broadcasts[0] == ex.PAIRS
    assert sum(len(json.dumps(value)) for value in bundle.values()) < 600_000
    assert f"and {2000 - 100:,} more" in bundle["text/html"]


@settings(max_examples=40, deadline=None)
@given(reports(hostile))
def test_always_valid_and_encodable(report: Report) -> None:
    bundle = mime_bundle(report)
    json.dumps(bundle, ensure_ascii=False).encode("utf-8")
    VALIDATOR.validate(bundle[MIME_TYPE])
