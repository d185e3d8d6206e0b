"""A report as HTML: what it may contain, what is left without attributes, and that nothing gets through unescaped."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from typing import get_args

import pytest
from hypothesis import given, settings

from shapecell.model import Axis, Report, Severity
from shapecell.render.html import report_html
from shapecell.render.words import visible
from tests.render import examples as ex
from tests.render.strategies import HOSTILE, hostile, reports

TAGS = {
    "div", "p", "strong", "small", "code", "br", "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
}  # fmt: skip
ATTRIBUTES = {"style", "scope", "colspan"}
VOID = {"br"}
COLOUR = re.compile(r"(?:^|;)color:(#[0-9a-f]{6})(?:;|$)")
BACKGROUND = re.compile(r"(?:^|;)background-color:(#[0-9a-f]{6})(?:;|$)")


class Reader(HTMLParser):
    """Reads HTML strictly: every tag closed in order; keeps the text and the rows of tables."""

    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.styles: list[str] = []
        self.text = ""
        self.rows: list[list[str]] = []
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.styles += [value or "" for name, value in attrs if name == "style"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if "tr" in self.open:
            self.rows[-1][-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError("a comment")

    def handle_decl(self, decl: str) -> None:
        raise AssertionError("a declaration")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError("a declaration")

    def handle_pi(self, data: str) -> None:
        raise AssertionError("a processing instruction")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def check(source: str) -> Reader:
    """Everything that must hold of any report's HTML."""
    read = Reader(source)
    assert read.tags <= TAGS
    assert read.attributes <= ATTRIBUTES
    for style in read.styles:
        assert re.fullmatch(r"[a-zA-Z0-9#:;,'. ()-]*", style)
        assert "url" not in style
        assert "var(" not in style
        colour, background = COLOUR.search(style), BACKGROUND.search(style)
        assert (colour is None) == (background is None)
        if colour and background:
            light, dark = sorted((luminance(colour[1]), luminance(background[1])), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5
    return read


@pytest.mark.parametrize("level", get_args(Severity))
def test_every_level(level: Severity) -> None:
    read = check(report_html(ex.EVERYTHING, level=level))
    assert "3 suspicious · 6 broadcasts · 250,041 ops · numpy, torch" in read.text
    for finding in (*ex.EVERYTHING.findings, *ex.EVERYTHING.suppressed):
        assert finding.message in read.text
        assert finding.site.source in read.text
    assert "note: hooking numpy: AttributeError: no ufunc <b> (×3)" in read.text
    assert "and 12 more groups of operations" in read.text


def test_markers_are_text_and_survive_without_attributes() -> None:
    source = report_html(ex.report(ex.PAIRS_FINDING, ex.FAILING_FINDING, ex.CROSSED_FINDING))
    bare = re.sub(r"<(\w+)[^>]*>", r"<\1>", source)
    read = Reader(bare)
    assert read.attributes == set()
    assert read.rows == [
        ["", "axis -2", "axis -1", ""],
        ["pred", "32", "1 → 32 ⚠", "1 comes from Linear(out_features=1)"],
        ["y", "· → 32 ⚠", "32", ""],
        ["result", "32", "32", "32× the elements of either operand"],
        ["axes", "x axis 0", "y axis 0", ""],
        ["", "axis -2", "axis -1"],
        ["features", "32", "64 ✗"],
        ["weights", "·", "32 ✗"],
        ["result", "cannot be broadcast"],
        ["", "axis -2", "axis -1", ""],
        ["x", "6", "6", ""],
        ["x.mean(axis=1)", "· → 6", "6 ⚠", "x axis 0 meets x axis 1"],
        ["result", "6", "6", ""],
        ["axes", "x axis 0", "x axis 1", ""],
    ]
    assert "fix: pred.squeeze(-1) - y \xa0or\xa0 pred - y.unsqueeze(1)" in read.text
    assert "line 2 \xa0pred - y ×5,000" in read.text


def test_ordinary_broadcasts_and_notes_are_folded() -> None:
    source = report_html(ex.EVERYTHING)
    folded = "".join(re.findall(r"<details.*?</details>", source))
    assert "both operands are stretched into a table" in folded
    assert "a * t" in folded
    assert "32 predictions" not in folded
    assert Reader(folded).text.count("1 note (low)") == 1


def test_long_names_of_axes_follow_the_diagram() -> None:
    long = dataclasses.replace(
        ex.PAIRS, operands=(ex.operand("p", Axis(32, "<b>" * 9, position=0)), ex.PAIRS.operands[1])
    )
    read = check(report_html(ex.report(dataclasses.replace(ex.PAIRS_FINDING, broadcast=long))))
    assert "axis -2 is <b><b><b><b><b><b><b><b><b>, axis -1 is y axis 0" in read.text
    assert ["axes"] not in [row[:1] for row in read.rows]


def test_calm_when_there_is_nothing() -> None:
    assert check(report_html(ex.report(broadcasts=()))).text == (
        "shapecheck \xa0nothing suspicious · 0 broadcasts · 41 ops · torch"
    )


@settings(max_examples=60, deadline=None)
@given(reports(hostile))
def test_hostile_strings_never_get_through(report: Report) -> None:
    source = report_html(report, level="medium")
    read = check(source)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", source)
    for finding in report.findings[:1]:
        assert visible(finding.message) in read.text


@pytest.mark.parametrize("text", HOSTILE)
def test_hidden_characters_are_written_out(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert visible(shown) == shown
    if text.isprintable():
        assert shown == text


def test_joiners_stay() -> None:
    assert visible("👩\u200d🔬 ok") == "👩\u200d🔬 ok"
