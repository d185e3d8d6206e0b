"""An index array that multiplies the batch instead of picking one element for each row."""

from __future__ import annotations

from shapecell.rules.base import Rule, Scene, Verdict, shape_text
from shapecell.tracking.operation import Advanced, Index, Slice


def judge_index(scene: Scene) -> Verdict | None:
    """SC104: see the rule's text."""
    meaning = scene.meaning
    if not isinstance(meaning, Index) or not scene.operation.results:
        return None
    advanced = [item for item in meaning.items if isinstance(item, Advanced)]
    if len(advanced) != 1 or advanced[0].operand >= len(scene.shapes):
        return None
    operand = advanced[0].operand
    shape, source = scene.shapes[operand], scene.shapes[0]
    position = 0
    kept: list[int] = []
    indexed = 0
    for item in meaning.items:
        if isinstance(item, Slice):
            if item.whole:
                kept.append(source[position])
            position += 1
        elif isinstance(item, Advanced):
            indexed = source[position]
            position += 1
        else:
            return None
    if not kept or not shape or kept[0] == 1 or shape[0] != kept[0]:
        return None
    column = len(shape) > 1 and shape[-1] == 1 and scene.layouts[operand].axes[-1].one is not None
    flat = len(shape) == 1 and shape[0] > indexed and not scene.group.site.library_codes
    if not column and not flat:
        return None
    result = scene.operation.results[0]
    name, index = scene.names[0], scene.names[operand]
    rows = kept[0]
    call = f"{name}.gather(1, {index})" if column else f"{name}.gather(1, {index}.unsqueeze(1))"
    if scene.group.adapter != "torch":
        call = f"np.take_along_axis({name}, {index if column else index + '[:, None]'}, axis=1)"
    return Verdict(
        "high" if column else "medium",
        f"{index} {shape_text(shape)} picks {rows} columns for each of the {rows} rows of {name} {shape_text(source)}: "
        f"the result is {shape_text(result)}",
        "A slice and an index array make every combination of both. One element for each row was probably meant.",
        (call,) if len(source) == 2 else (),
    )


INDEX = Rule(
    code="SC104",
    title="An index array picks for every row what was meant for one",
    severity="high for a column of indices; medium for a flat one that is longer than the axis it indexes",
    why=(
        "values[:, actions] with one action for each row takes all the actions for every row: n×n values where n "
        "were meant. A mean over them is finite and wrong."
    ),
    remedy="Use values[np.arange(n), actions], np.take_along_axis or torch.gather.",
    silent="The index array has another length than the rows, or merely reorders or selects columns.",
    example="""\
import numpy as np
values = np.arange(32.0).reshape(8, 4)
actions = np.array([[0], [1], [2], [3], [0], [1], [2], [3]])
chosen = values[:, actions]
""",
    twin="""\
import numpy as np
values = np.arange(32.0).reshape(8, 4)
actions = np.array([[0], [1], [2], [3], [0], [1], [2], [3]])
chosen = np.take_along_axis(values, actions, axis=1)
reordered = values[:, np.array([3, 1, 0, 2])]
""",
    judge=judge_index,
)
