"""Averages that divide by the wrong count, and tables that every pass of a loop overwrites."""

from __future__ import annotations

from math import prod

from shapecell.rules.base import Rule, Scene, Verdict, is_division, is_product, shape_text
from shapecell.tracking.align import stretched_axes
from shapecell.tracking.axes import Layout
from shapecell.tracking.operation import Assign, Reduce, Slice
from shapecell.tracking.tracker import Group


def _sum_of(scene: Scene, operand: int) -> Group | None:
    """The sum that made `operand`."""
    for group in scene.producers(operand):
        meaning = group.operation.meaning
        if isinstance(meaning, Reduce) and meaning.statistic == "sum":
            return group
    return None


def _masked_product(above: Group, mask: Layout) -> tuple[Group, Layout] | None:
    """The product that `above` sums, if `mask` (perhaps with new axes) is one of its factors; and that factor."""
    real = [axis for axis in mask.axes if axis.length != 1]
    for product in above.producers[0]:
        if not is_product(product) or not product.operation.results or not product.outcomes:
            continue
        for layout in product.outcomes[0][0]:
            if real and [axis for axis in layout.axes if axis.length != 1] == real:
                return product, layout
    return None


def judge_count(scene: Scene) -> Verdict | None:
    """SC403: see the rule's text."""
    if not is_division(scene.group) or len(scene.shapes) != 2 or scene.shapes[1] != ():
        return None
    above, below = _sum_of(scene, 0), _sum_of(scene, 1)
    if above is None or below is None or not below.outcomes or below.operation.results[:1] != ((),):
        return None
    found = _masked_product(above, below.outcomes[0][0][0])
    if found is None or not isinstance(above.operation.meaning, Reduce):
        return None
    product, factor = found
    result = product.operation.results[0]
    lost = stretched_axes(factor.shape, result)
    summed = above.operation.meaning.axes
    name = below.site.operand_name(0, 0) or "the mask"
    if scene.shapes[0] == () and lost:
        times = prod(result[axis] for axis in lost)
        return Verdict(
            "medium",
            f"the sum runs over {shape_text(result)}, but the count is that of {name} {shape_text(factor.shape)}: "
            f"{times} times too small",
            f"{name} was stretched along axis {', '.join(map(str, lost))} in the product, so each of its elements "
            "counts several times above, and once below.",
            (f"divide by {name}.sum() * {times}",),
        )
    kept = [axis for axis in range(len(result)) if axis not in summed and axis not in lost and result[axis] > 1]
    if scene.shapes[0] != () and kept:
        return Verdict(
            "medium",
            f"{name} is counted over all of {shape_text(factor.shape)}, but the sum keeps axis {kept[0]}: every "
            f"entry is divided by the count of all {result[kept[0]]}",
            "A mean for each entry of that axis divides by its own count.",
            (f"divide by {name}.sum over the same axes, with keepdims",),
        )
    return None


def judge_overwriting(scene: Scene) -> Verdict | None:
    """SC302: see the rule's text."""
    meaning = scene.meaning
    if not isinstance(meaning, Assign) or len(scene.shapes) < 2:
        return None
    target, value = scene.shapes[0], scene.shapes[1]
    whole = all(isinstance(item, Slice) and item.whole for item in meaning.items)
    if not whole or len(target) < 2 or len(value) != len(target) - 1 or value != target[1:]:
        return None
    if scene.group.count != target[0] or target[0] < 3:
        return None
    name = scene.names[0].split("[")[0]
    return Verdict(
        "medium",
        f"each of {scene.group.count} passes writes {shape_text(value)} into all {target[0]} rows of {name} "
        f"{shape_text(target)}",
        "There are as many passes as rows, and each overwrites what the ones before it wrote. One row for each pass "
        "was probably meant.",
        (f"{name}[i] = {scene.names[1]}",),
    )


COUNT = Rule(
    code="SC403",
    title="A masked mean divides by the wrong count",
    severity="medium",
    why=(
        "A mask (batch, time, 1) multiplied with (batch, time, class) counts once for each class in the sum, and once "
        "in mask.sum(): the mean is too large by the number of classes."
    ),
    remedy="Divide by the sum of the mask stretched to the shape of the values, or take the mean over that axis first.",
    silent=(
        "The mask has the shape of what it masks, or the stretched axis is not summed. Two NumPy scalars are divided "
        "without calling NumPy's functions: that is not seen."
    ),
    example="""\
import torch
loss, mask = torch.ones(4, 10, 3), torch.ones(4, 10, 1)
mean = (loss * mask).sum() / mask.sum()
""",
    twin="""\
import torch
loss, mask = torch.ones(4, 10, 3), torch.ones(4, 10, 1)
mean = (loss.mean(dim=2, keepdim=True) * mask).sum() / mask.sum()
""",
    judge=judge_count,
)

OVERWRITING = Rule(
    code="SC302",
    title="Each pass of a loop overwrites a whole table",
    severity="medium",
    why="table[:] = row stretches the row over the whole table. In a loop over the rows only the last one survives.",
    remedy="Write one row: table[i] = row.",
    silent="The assignment runs another number of times than the table has rows.",
    example="""\
import numpy as np
table = np.empty((4, 3))
for i in range(4):
    table[:] = np.full(3, i)
""",
    twin="""\
import numpy as np
table = np.empty((4, 3))
table[:] = np.zeros(3)
for i in range(4):
    table[i] = np.full(3, i)
""",
    judge=judge_overwriting,
)
