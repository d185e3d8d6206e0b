"""Loss functions whose two operands do not have one shape."""

from __future__ import annotations

from shapecell.model import Severity
from shapecell.rules.base import Rule, Scene, Verdict, shape_text
from shapecell.rules.fixes import matching_fixes, new_axes, rewritten
from shapecell.rules.pairs import kind_of_stretch
from shapecell.tracking.operation import Loss

_FRAMEWORK = {
    "warns": "The framework only warns.",
    "silent": "The framework says nothing.",
    "raises": "The framework raises.",
}


def judge_weights(scene: Scene) -> Verdict | None:
    """SC105: see the rule's text."""
    if not isinstance(scene.meaning, Loss) or scene.result_shape is None or len(scene.result_shape) < 3:
        return None
    result = scene.result_shape
    for operand, shape in enumerate(scene.shapes[2:], start=2):
        if len(shape) == 1 and shape[0] > 1 and shape[0] == result[-1] == result[1]:
            framework = scene.group.adapter
            fixes = tuple(
                text
                for text in (rewritten(scene, operand, new_axes(1, len(result) - 2, framework)),)
                if text is not None
            )
            return Verdict(
                "medium",
                f"{scene.names[operand]} {shape_text(shape)} lines up with the last axis of {shape_text(result)}, "
                f"and has the length of axis 1 too",
                "A flat weight is aligned from the right. One weight for each class belongs to axis 1; here it weighs "
                "positions along the last axis.",
                fixes,
            )
    return None


def judge_loss(scene: Scene) -> Verdict | None:
    """SC102: see the rule's text."""
    meaning = scene.meaning
    if not isinstance(meaning, Loss) or len(scene.shapes) < 2:
        return None
    first, second = scene.shapes[:2]
    if first == second or scene.result_shape is None or not first or not second:
        return None
    mutual = bool(set(scene.stretched[0]) - set(scene.stretched[1])) and bool(
        set(scene.stretched[1]) - set(scene.stretched[0])
    )
    kinds = {kind_of_stretch(scene, operand, axis) for operand in (0, 1) for axis in scene.stretched[operand]}
    if kinds <= {"written", "declared"}:
        return None
    if kinds <= {"written", "declared", "keepdims", "sliced"} and (mutual or _own_statistic(scene)):
        return None
    result = shape_text(scene.result_shape)
    message = (
        f"the loss compares {scene.names[0]} {shape_text(first)} with {scene.names[1]} {shape_text(second)}, "
        f"stretched to {result}"
    )
    why = (
        "Every prediction is compared with every target. "
        if mutual
        else "One side is repeated along an axis of the other. "
    ) + f"A loss is meant to compare pairs. {_FRAMEWORK[meaning.framework_says]}"
    severity: Severity = "medium" if kinds & {"keepdims", "sliced"} else "high"
    return Verdict(severity, message, why, matching_fixes(scene, 0, 1))


def _own_statistic(scene: Scene) -> bool:
    """True if one operand is a statistic of the other: the loss against one's own mean is a variance."""
    for operand, other in ((0, 1), (1, 0)):
        made = {id(group) for group in scene.ancestry(operand, 8)}
        producers = {id(group) for group in scene.producers(other)}
        atoms = {atom for axis in scene.layouts[other].axes for atom in axis.atoms}
        if producers & made or (not producers and atoms & scene.layouts[operand].gone):
            return True
    return False


LOSS = Rule(
    code="SC102",
    title="The operands of a loss have different shapes",
    severity="high; medium where one side is a slice or a mean that kept its dimension",
    why=(
        "A loss compares pairs: its operands should have one shape. Where they broadcast instead, most frameworks say "
        "nothing, some warn once, and the loss of an n×n table is minimised by predicting the mean."
    ),
    remedy="Give the prediction and the target one shape before the call.",
    silent=(
        "Both have the same shape, one is a scalar, every 1 that is stretched was written on purpose, or one side is a "
        "statistic of the other."
    ),
    example="""\
import torch
import torch.nn.functional as F
prediction = torch.ones(8, 1)
target = torch.arange(8.0)
loss = F.mse_loss(prediction, target)
""",
    twin="""\
import torch
import torch.nn.functional as F
prediction = torch.ones(8, 1)
target = torch.arange(8.0)
loss = F.mse_loss(prediction, target.unsqueeze(1))
""",
    judge=judge_loss,
)

WEIGHTS = Rule(
    code="SC105",
    title="A flat weight of a loss lines up with positions, not classes",
    severity="medium",
    why=(
        "pos_weight and weight are aligned from the right. With (batch, class, height, width) logits a flat weight for "
        "each class raises, unless the width happens to be the number of classes: then it weighs columns of the image."
    ),
    remedy="Give the weight one axis of length 1 for each axis behind the classes: weight[:, None, None].",
    silent="The loss has fewer than three axes, or the weight has another length than axis 1.",
    example="""\
import torch
import torch.nn.functional as F
logits, labels = torch.zeros(2, 4, 4, 4), torch.ones(2, 4, 4, 4)
loss = F.binary_cross_entropy_with_logits(logits, labels, pos_weight=torch.ones(4))
""",
    twin="""\
import torch
import torch.nn.functional as F
logits, labels = torch.zeros(2, 4, 4, 4), torch.ones(2, 4, 4, 4)
loss = F.binary_cross_entropy_with_logits(logits, labels, pos_weight=torch.ones(4)[:, None, None])
""",
    judge=judge_weights,
)
