"""A report as text: the exact picture, its width, its colours, and streams that cannot write its symbols."""

from __future__ import annotations

import dataclasses
import io
import re

import pytest
from hypothesis import given, settings
from rich.cells import cell_len

from shapecell.model import Axis, Finding, Report, Snapshot
from shapecell.render.text import broadcast_text, finding_text, print_report, report_text
from tests.render import examples as ex
from tests.render.strategies import hostile, reports


def lines(text: str) -> str:
    """`text` without the first line break, so that a picture can be written flush left."""
    return text.strip("\n")


def test_two_operands_stretched() -> None:
    assert report_text(ex.report(ex.PAIRS_FINDING)) == lines("""
shapecheck  1 suspicious · 1 broadcast · 41 ops · torch

  high  line 2  pred - y ×5,000
        both operands are stretched: 32 predictions against 32 targets become 32×32 pairs [SC101]
                  axis -2      axis -1
        pred           32       1 → 32 ⚠   1 comes from Linear(out_features=1)
        y          · → 32 ⚠         32
        result         32           32     32× the elements of either operand
        axes     x axis 0     y axis 0
        No part of the code asks for a table.
        ran 5,000 times, first as operation 12, last as 250,003
        also seen with (7, 1) and (7,)
        fix: pred.squeeze(-1) - y   or   pred - y.unsqueeze(1)
""")


def test_crossed_axis_is_marked_and_the_stretch_is_not() -> None:
    assert report_text(ex.report(ex.CROSSED_FINDING)) == lines("""
shapecheck  1 suspicious · 1 broadcast · 41 ops · torch

  medium  line 7 in centre  x - x.mean(axis=1)
        the axis of x.mean(axis=1) is x axis 0, but it meets x axis 1 [SC201]
                          axis -2    axis -1
        x                       6          6
        x.mean(axis=1)      · → 6          6 ⚠   x axis 0 meets x axis 1
        result                  6          6
        axes             x axis 0   x axis 1
        Both lengths are equal, so nothing raises.
        reached from line 12
        fix: x - x.mean(axis=1)[:, None]
""")


def test_operation_that_raised() -> None:
    assert report_text(ex.report(ex.FAILING_FINDING)) == lines("""
shapecheck  1 suspicious · 1 broadcast · 41 ops · torch

  high  line 9  features * weights
        features (32, 64) and weights (32,) do not fit: axis -1 has 64 against 32 [SC001]
                   axis -2   axis -1
        features        32        64 ✗
        weights          ·        32 ✗
        result     cannot be broadcast
        Shapes are aligned from the right, and only a 1 can be stretched.
        fix: features * weights.unsqueeze(1)
""")


def test_contracted_axes_stand_apart() -> None:
    assert broadcast_text(ex.PRODUCT) == lines("""
         axis -2   axis -1      contracted
x              8         ·               5
w              ·         3               5
result         8         3
axes       batch     class         feature
""")


def test_contraction_that_raised() -> None:
    assert broadcast_text(ex.FAILING_PRODUCT) == lines("""
         axis -2   axis -1      contracted
x              8         ·               5 ✗
w              ·         3               4 ✗
result   cannot be contracted
""")


def test_many_axes_are_folded_and_long_names_cut_in_the_middle() -> None:
    assert broadcast_text(ex.HIGH_RANK) == lines("""
                                axes -6…-3   axis -2   axis -1
attention_scores_o…der_layer       2×3×4×5     1 → 6         7   1 comes from unsqueeze
mask                           · → 2×3×4×5         6         7
result                             2×3×4×5         6         7
result: 6× the elements of the largest operand
""")


def test_scalar() -> None:
    assert broadcast_text(ex.SCALED) == lines("""
         axis -1
a              4
t        scalar
result         4
""")


def test_assignment_shows_the_selection_and_the_target_by_its_shape() -> None:
    assert broadcast_text(ex.ASSIGNED) == lines("""
            axis -2   axis -1
target      (10, 3)
v             1 → 4         3   1 comes from (N, 1) data
selection         4         3
""")


def test_value_that_does_not_fit_the_selection() -> None:
    assert finding_text(ex.MISFIT_FINDING) == lines("""
  high  line 15  target[:4] = v   it does not fit  [SC001]
                    axis -2     axis -1
        target      (10, 3)
        v                 5 ✗     1 → 3
        selection         4 ✗         3   the value cannot be broadcast into it
""")


def test_long_names_of_axes_follow_the_diagram() -> None:
    names = ("torch.ones(8, 3) axis 0", "Linear(64→1) features")
    named = dataclasses.replace(
        ex.SCALED,
        operands=(ex.operand("a", *(Axis(4, name, position=i) for i, name in enumerate(names))), ex.operand("t")),
        result_shape=(4, 4),
    )
    assert broadcast_text(named) == lines("""
         axis -2   axis -1
a              4         4
t        scalar
result         4         4
axis -2 is torch.ones(8, 3) axis 0, axis -1 is Linear(64→1) features
""")


def test_inside_a_library() -> None:
    assert finding_text(ex.INSIDE_FINDING) == lines("""
  low  train.py line 7 in step  Normal(mu, s).log_prob(y)
        both operands are stretched into a table [SC101]
                   axis -2     axis -1
        value       · → 64 ⚠        64
        self.loc        64      1 → 64 ⚠   1 comes from (N, 1) data
        result          64          64     64× the elements of either operand
        inside torch/distributions/normal.py (log_prob, line 85), called from train.py line 7
        reached from train.py line 30
""")


def test_what_is_folded_suppressed_and_not_followed() -> None:
    text = report_text(ex.EVERYTHING, level="high", width=80)
    assert text.startswith("shapecheck  3 suspicious · 6 broadcasts · 250,041 ops · numpy, torch\n\n  high  line 2")
    assert "\n  high  another cell line 9  features * weights\n" in text
    assert text.endswith(
        lines("""
        fix: features * weights.unsqueeze(1)

  1 more (medium): SC201 another cell line 7 in centre
  1 note (low): SC101 train.py line 7 in step
  1 suppressed: SC201 another cell line 7 in centre
  note: hooking numpy: AttributeError: no ufunc <b> (×3)
  and 12 more groups of operations, not recorded: there were too many
""")
    )


def test_level_low_lists_the_ordinary_broadcasts() -> None:
    text = report_text(ex.EVERYTHING, level="low")
    assert "  low  train.py line 7 in step  Normal(mu, s).log_prob(y)\n" in text
    assert text.split("\n")[-3].endswith(" (2, 3, 4, 5, 1, 7) and (6, 7) → (2, 3, 4, 5, 6, 7)")
    assert "\n\n  3 ordinary broadcasts\n" in text
    assert re.search(r"another cell line 13 +a \* t +\(4,\) and scalar → \(4,\) +×3\n", text)
    assert "ordinary" not in report_text(ex.EVERYTHING, level="low", show_broadcasts=False)
    assert "ordinary" in report_text(ex.EVERYTHING, show_broadcasts=True)


def test_calm_when_there_is_nothing() -> None:
    calm = ex.report(broadcasts=(ex.SCALED,))
    assert report_text(calm) == "shapecheck  nothing suspicious · 1 broadcast · 41 ops · torch"
    assert report_text(Report()) == "shapecheck  no array operations seen"


def test_short_message_stays_on_the_line_of_its_expression() -> None:
    finding = dataclasses.replace(ex.FAILING_FINDING, message="does not fit")
    assert finding_text(finding).split("\n")[0] == "  high  line 9  features * weights   does not fit  [SC001]"


def test_one_operand_of_six_axes_keeps_a_stretched_one_apart() -> None:
    text = broadcast_text(ex.HIGH_RANK)
    assert "1 → 6" in text
    assert all(str(length) in text for length in ex.HIGH_RANK.result_shape or ())


def test_wide_lengths_stay_aligned() -> None:
    wide = ex.operation(
        ex.site(1, "a + b"),
        (
            ex.operand("a", Axis(12_345_678, position=0), Axis(1, position=1, stretched_to=3)),
            ex.operand("表", Axis(3, position=1)),
        ),
        (12_345_678, 3),
    )
    picture = broadcast_text(wide).split("\n")
    assert {cell_len(line) for line in picture[:4]} == {cell_len(picture[0])}


def test_everything_that_has_no_name() -> None:
    no_source = ex.operation(ex.site(1, ""), (), (), name="torch.rand")
    finding = Finding("SC1", "medium", "m", "", (), no_source.site, no_source, 1)
    assert finding_text(finding).split("\n") == ["  medium  line 1  torch.rand   m  [SC1]", "        result   scalar"]


@settings(max_examples=60, deadline=None)
@given(reports(hostile))
def test_nothing_reaches_the_terminal_but_text(report: Report) -> None:
    for level in ("high", "low"):
        text = report_text(report, level=level)  # type: ignore[arg-type]
        assert not re.search(
            r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u200e\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]", text
        )
        text.encode("utf-8")


# ---------------------------------------------------------------- streams


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def printed(report: Report, encoding: str) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="\n")
    print_report(report, file=stream)
    stream.flush()
    return stream.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


def test_plain_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_report(ex.EVERYTHING)
    assert capsys.readouterr().out == report_text(ex.EVERYTHING) + "\n"
    assert printed(ex.EVERYTHING, "utf-8") == report_text(ex.EVERYTHING) + "\n"


def test_colour_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    stream = Terminal()
    print_report(ex.EVERYTHING, file=stream)
    assert "\x1b[1;31mhigh\x1b[0m" in stream.getvalue()
    assert re.sub(r"\x1b\[[\d;]*m", "", stream.getvalue()) == report_text(ex.EVERYTHING) + "\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_ascii_stands_in_where_the_stream_lacks_symbols(encoding: str) -> None:
    text = printed(ex.report(ex.PAIRS_FINDING), encoding)
    assert text.split("\n")[4:8] == [
        "                  axis -2      axis -1",
        "        pred           32      1 -> 32 !   1 comes from Linear(out_features=1)",
        "        y         . -> 32 !         32",
        "        result         32           32     32x the elements of either operand",
    ]


def test_names_beyond_the_encoding_are_escaped_and_aligned() -> None:
    named = dataclasses.replace(ex.SCALED, operands=(ex.operand("größe→", Axis(4, position=0)), ex.SCALED.operands[1]))
    finding = Finding("SC1", "high", "m", "", (), named.site, named, 1)
    text = printed(Report(Snapshot(findings=(finding,), operations=1)), "ascii")
    assert "        gr\\xf6\\xdfe->         4\n" in text
