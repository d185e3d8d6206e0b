"""The published JSON schema: it accepts every report, refuses what is none, and knows every field."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator

from shapecell import model
from shapecell.model import Report
from tests.render import examples as ex
from tests.render.strategies import harmless, reports

SCHEMA = json.loads(files("shapecell").joinpath("report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_schema_itself_is_valid() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["properties"]["version"]["const"] == model.SCHEMA_VERSION


@pytest.mark.parametrize("kind", ["Axis", "Operand", "Frame", "Site", "Broadcast", "Finding", "Problem"])
def test_every_field_is_described(kind: str) -> None:
    described = SCHEMA["$defs"][kind.lower()]
    fields = [field.name for field in dataclasses.fields(getattr(model, kind))]
    assert list(described["properties"]) == described["required"] == fields
    assert described["additionalProperties"] is False


def test_every_field_of_the_report_is_described() -> None:
    fields = [field.name for field in dataclasses.fields(model.Snapshot)]
    assert list(SCHEMA["properties"]) == SCHEMA["required"] == ["version", *fields]


def test_the_words_of_the_schema_are_those_of_the_model() -> None:
    defs = SCHEMA["$defs"]
    assert tuple(defs["severity"]["enum"]) == get_args(model.Severity)
    assert tuple(defs["broadcast"]["properties"]["kind"]["enum"]) == get_args(model.Kind)
    assert tuple(defs["axis"]["properties"]["intent"]["enum"]) == (*get_args(model.Intent), None)


@settings(max_examples=40, deadline=None)
@given(reports(harmless))
def test_every_report_is_valid(report: Report) -> None:
    VALIDATOR.validate(json.loads(report.to_json()))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths to every object, list and value inside."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from places(item, (*path, key))


EVERY_PLACE = list(places(ex.report(ex.PAIRS_FINDING).to_dict()))


@pytest.mark.parametrize("path", EVERY_PLACE[1:], ids=lambda path: ".".join(map(str, path)))
def test_reader_and_schema_refuse_the_same(path: tuple[Any, ...]) -> None:
    """A value of a wrong type at any place is refused by both, and `from_dict` says where it stands."""
    data = copy.deepcopy(ex.report(ex.PAIRS_FINDING).to_dict())
    *outer, last = path
    parent = data
    for key in outer:
        parent = parent[key]
    parent[last] = {"unexpected": 1.5}
    assert not VALIDATOR.is_valid(data)
    with pytest.raises(ValueError, match="not a shapecell report") as caught:
        Report.from_dict(data)
    name = next(str(key) for key in reversed(path) if isinstance(key, str))
    assert name in str(caught.value)
    if isinstance(last, str):
        del parent[last]
        assert not VALIDATOR.is_valid(data)
        with pytest.raises(ValueError, match="not a shapecell report"):
            Report.from_dict(data)
        parent[last] = None
        parent["added"] = 1
        assert not VALIDATOR.is_valid(data)
