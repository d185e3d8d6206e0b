"""A report as JSON-ready data and back. The published schema is ``shapecell/report.schema.json``."""

from __future__ import annotations

import dataclasses
import functools
import types
from collections.abc import Mapping
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from shapecell.model import SCHEMA_VERSION, Snapshot


def to_plain(snapshot: Snapshot) -> dict[str, Any]:
    """`snapshot` as dicts, lists, strings and numbers, with the version of the schema.

    Lone surrogates in a string, which no JSON file can hold, are written as escapes.
    """
    return {"version": SCHEMA_VERSION, **cast("dict[str, Any]", _plain(snapshot))}


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    return value


def from_plain(data: Mapping[str, Any]) -> Snapshot:
    """The inverse of `to_plain`.

    Raises
    ------
    ValueError
        If `data` is no report, or one of another version; the message names the part that is wrong.
    """
    version = data.get("version") if isinstance(data, Mapping) else None
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise ValueError(
            f"the report is of version {version}, this shapecell reads version {SCHEMA_VERSION}: update shapecell"
        )
    if version != SCHEMA_VERSION:
        raise ValueError(f"not a shapecell report of version {SCHEMA_VERSION} (version is {version!r})")
    return cast(Snapshot, _read(Snapshot, {k: v for k, v in data.items() if k != "version"}, "report"))


@functools.cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _wrong(where: str, wanted: str, value: object) -> ValueError:
    text = repr(value)
    return ValueError(
        f"not a shapecell report: {where} must be {wanted}, not {text if len(text) < 60 else text[:57] + '...'}"
    )


def _read(kind: Any, value: Any, where: str) -> Any:
    """`value` as the annotated type `kind`: a dataclass, a tuple, a literal, a union with None or a plain type."""
    origin = get_origin(kind)
    if origin in (Union, types.UnionType):
        if value is None and type(None) in get_args(kind):
            return None
        (inner,) = (option for option in get_args(kind) if option is not type(None))
        return _read(inner, value, where)
    if origin is Literal:
        if value not in get_args(kind):
            raise _wrong(where, f"one of {', '.join(map(repr, get_args(kind)))}", value)
        return value
    if origin is tuple:
        if not isinstance(value, list | tuple):
            raise _wrong(where, "a list", value)
        return tuple(_read(get_args(kind)[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    if dataclasses.is_dataclass(kind):
        return _read_fields(cast(type, kind), value, where)
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise _wrong(where, f"of type {kind.__name__}", value)
    return value


def _read_fields(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, Mapping):
        raise _wrong(where, "an object", value)
    hints = _hints(kind)
    for name in hints:
        if name not in value:
            raise ValueError(f"not a shapecell report: {where} lacks {name!r}")
    for name in value:
        if name not in hints:
            raise ValueError(f"not a shapecell report: {where} has an unknown key {name!r}")
    return kind(**{name: _read(hint, value[name], f"{where}.{name}") for name, hint in hints.items()})
