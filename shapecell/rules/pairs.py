"""Two operands that are both stretched: a table of pairs where a list of differences was meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shapecell.model import Severity
from shapecell.rules.base import Rule, Scene, Verdict, is_order, shape_text
from shapecell.rules.fixes import matching_fixes
from shapecell.tracking.axes import related
from shapecell.tracking.operation import Elementwise, Insert, Reshape
from shapecell.tracking.transfer.meeting import axes_related

Stretch = Literal["missing", "keepdims", "sliced", "written", "declared", "incidental"]


@dataclass(frozen=True, slots=True)
class Mutual:
    """`first` is stretched along result axis `at_first`, where `second` has its length, and the other way round."""

    first: int
    second: int
    at_first: int
    at_second: int


def mutual_stretches(scene: Scene) -> list[Mutual]:
    """All pairs of operands that stretch each other, one entry per pair of result axes."""
    found: list[Mutual] = []
    for first in scene.aligned:
        for second in scene.aligned:
            if second <= first:
                continue
            a, b = set(scene.stretched[first]), set(scene.stretched[second])
            for at_first in sorted(a - b, reverse=True):
                found.extend(Mutual(first, second, at_first, at_second) for at_second in sorted(b - a))
    return found


def kind_of_stretch(scene: Scene, operand: int, result_axis: int) -> Stretch:
    """Why `operand` could be stretched along `result_axis`."""
    one = scene.one(operand, result_axis)
    if one is None:
        return "missing"
    if (one.reason or "").startswith("keepdims"):
        return "keepdims"
    if one.reduced:
        return "sliced"
    if one.origin is not None and one.origin.parameter:
        return "declared"
    return "written" if one.intent == "explicit" else "incidental"


def _fits_its_reduction(scene: Scene, operand: int, other: int, result_axis: int) -> bool:
    """True if a kept dimension meets the axis it was reduced from: what keepdims is for."""
    one = scene.one(operand, result_axis)
    axis = scene.axis(other, result_axis)
    if one is None or axis is None or not axis.atoms:
        return False
    return any(related(atom, reduced) for atom in axis.atoms for reduced in one.reduced)


def _table_of_itself(scene: Scene, mutual: Mutual) -> bool:
    """True if one operand is the other one with a written axis: ``labels.view(-1, 1) == labels``."""
    for operand, other in ((mutual.first, mutual.second), (mutual.second, mutual.first)):
        for group in scene.ancestry(operand, 1):
            if not isinstance(group.operation.meaning, Reshape | Insert):
                continue
            source = {id(producer) for producer in group.producers[0]}
            if source and source & {id(producer) for producer in scene.producers(other)}:
                return True
        a = scene.axis(operand, mutual.at_second if operand == mutual.first else mutual.at_first)
        b = scene.axis(other, mutual.at_first if operand == mutual.first else mutual.at_second)
        if (
            a is not None
            and b is not None
            and a.atoms
            and a.atoms == b.atoms
            and not scene.producers(other)
            and all(isinstance(g.operation.meaning, Reshape | Insert) for g in scene.ancestry(operand, 3))
        ):
            return True
    return False


def _turned_here(scene: Scene, mutual: Mutual) -> bool:
    """True if a column meets a row that the expression itself made by a transpose: ``norm * norm.T``."""
    shapes = scene.shapes[mutual.first], scene.shapes[mutual.second]
    same_rank = len(shapes[0]) == len(shapes[1])
    return same_rank and (scene.transposed_here(mutual.first) != scene.transposed_here(mutual.second))


def _judge_one(scene: Scene, mutual: Mutual) -> tuple[Severity, str] | None:
    first, second = mutual.first, mutual.second
    assert scene.result_shape is not None
    if _fits_its_reduction(scene, first, second, mutual.at_first):
        return None
    if _fits_its_reduction(scene, second, first, mutual.at_second):
        return None
    kinds = (
        kind_of_stretch(scene, first, mutual.at_first),
        kind_of_stretch(scene, second, mutual.at_second),
    )
    equal = scene.result_shape[mutual.at_first] == scene.result_shape[mutual.at_second]
    stretches = zip(kinds, (first, second), (mutual.at_first, mutual.at_second), strict=True)
    here = any(kind == "written" and scene.written_here(operand, axis) for kind, operand, axis in stretches)
    if 0 in scene.result_shape or _turned_here(scene, mutual):
        return None
    if "declared" in kinds or kinds == ("written", "written") or here or _table_of_itself(scene, mutual):
        return None
    own = scene.axis(first, mutual.at_second)
    other = scene.axis(second, mutual.at_first)
    same = axes_related(own, other)
    averaged = scene.fate.averaged
    if "incidental" in kinds:
        if not equal:
            return (
                "low",
                "no axis was written on purpose, but the lengths differ, as in a table that is wanted",
            )
        if is_order(scene.group) and not averaged:
            return ("low", "a comparison of positions with bounds makes a mask for each row")
        return ("high", "no part of the code asks for a table")
    if "keepdims" in kinds:
        if same:
            return ("high", "the kept dimension meets the very axis that both operands share")
        return (
            ("medium", "a kept dimension is for the array that was reduced, not for another vector") if equal else None
        )
    if equal and ("written" in kinds or "sliced" in kinds):
        made = "written elsewhere" if "written" in kinds else "left by a slice"
        if same:
            return ("high", "both operands run along the same axis, once as a column and once flat")
        if averaged:
            return ("medium", f"the axis of length 1 was {made}, and the table is averaged at once, as a loss is")
        return ("low", f"the axis of length 1 was {made}")
    return None


_RANK: dict[Severity, int] = {"high": 0, "medium": 1, "low": 2}


def _because(scene: Scene, operand: int, result_axis: int) -> str | None:
    one = scene.one(operand, result_axis)
    if one is None:
        return f"{scene.names[operand]} has no axis there"
    if one.reason:
        return f"the 1 of {scene.names[operand]} comes from {one.reason}"
    return f"{scene.names[operand]} had its 1 from the start"


def judge_pairs(scene: Scene) -> Verdict | None:
    """SC101: see the rule's text."""
    if not isinstance(scene.meaning, Elementwise):
        return None
    judged = [(m, v) for m in mutual_stretches(scene) if (v := _judge_one(scene, m)) is not None]
    if not judged:
        return None
    mutual, (severity, evidence) = min(judged, key=lambda pair: _RANK[pair[1][0]])
    first, second = mutual.first, mutual.second
    assert scene.result_shape is not None
    rows = scene.result_shape[mutual.at_second]
    columns = scene.result_shape[mutual.at_first]
    message = (
        f"both operands are stretched: {shape_text(scene.shapes[first])} against "
        f"{shape_text(scene.shapes[second])} makes {rows}×{columns} pairs"
    )
    parts = [_because(scene, first, mutual.at_first), _because(scene, second, mutual.at_second)]
    why = f"{'; '.join(part for part in parts if part)}; {evidence}."
    if scene.fate.averaged:
        why += " The table is averaged at once: the value looks plausible, and is wrong."
    return Verdict(severity, message, why, matching_fixes(scene, first, second))


PAIRS = Rule(
    code="SC101",
    title="Both operands are stretched into a table of pairs",
    severity="high; medium where a new axis was written elsewhere or kept by a reduction; low where lengths differ",
    why=(
        "A column (n, 1) and a flat vector (n,) do not meet element by element: each is stretched along the other's "
        "axis, and the result is an n×n table of all pairs. A mean over it is finite, differentiable, and minimised "
        "by predicting the mean of the targets."
    ),
    remedy="Give both operands one shape: squeeze the column, or write the new axis of the other one.",
    silent=(
        "The table was asked for: a new axis is written in the expression itself (a[:, None] - b, unsqueeze), both "
        "operands write one, one of them is transposed in the expression (norm * norm.T), a kept dimension meets the "
        "axis it was reduced from, or one operand is the other one reshaped (labels.view(-1, 1) == labels)."
    ),
    example="""\
import numpy as np
prediction = np.ones((8, 1))
target = np.arange(8.0)
loss = ((prediction - target) ** 2).mean()
""",
    twin="""\
import numpy as np
a = np.arange(8.0)
b = np.arange(8.0)
distance = np.abs(a[:, None] - b).min(axis=1)
""",
    judge=judge_pairs,
)
