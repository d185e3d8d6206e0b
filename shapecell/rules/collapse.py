"""A scalar that was reduced over an axis which the other operand still has."""

from __future__ import annotations

from shapecell.rules.base import Rule, Scene, Verdict, is_additive, shape_text
from shapecell.tracking.operation import Contract, Elementwise, Reduce


def _summed(scene: Scene, operand: int) -> bool:
    """True if a sum (not a mean, a maximum or a logsumexp) made `operand`."""
    reductions = [g.operation.meaning for g in scene.ancestry(operand, 6) if isinstance(g.operation.meaning, Reduce)]
    return bool(reductions) and isinstance(reductions[0], Reduce) and reductions[0].statistic == "sum"


def _made_from(scene: Scene, operand: int, other: int) -> bool:
    """True if `operand` was reduced from `other` itself: ``x - x.sum()``."""
    producers = {id(group) for group in scene.producers(other)}
    if producers:
        return any(id(group) in producers for group in scene.ancestry(operand, 8))
    atoms = {atom for axis in scene.layouts[other].axes for atom in axis.atoms}
    return bool(atoms & scene.layouts[operand].gone)


def judge_collapse(scene: Scene) -> Verdict | None:
    """SC202: see the rule's text."""
    matches = scene.outcome.notes.get("gone_match")
    if not isinstance(scene.meaning, Elementwise) or not isinstance(matches, tuple) or not is_additive(scene.group):
        return None
    for operand, position, _ in matches:
        others = [i for i in range(len(scene.shapes)) if i != operand and len(scene.shapes[i]) == 1]
        if scene.shapes[operand] != () or not others or not _summed(scene, operand):
            continue
        other = others[0]
        if _made_from(scene, operand, other):
            continue
        axis = scene.axis(other, position)
        along = (axis.name() if axis is not None else None) or f"axis {position} of {scene.names[other]}"
        per_sample = bool(scene.layouts[other].gone)
        return Verdict(
            "high" if per_sample else "medium",
            f"{scene.names[operand]} is one number, summed over {along} too, and is added to every element of "
            f"{scene.names[other]} {shape_text(scene.shapes[other])}, which runs along that axis",
            "The sum probably forgot its axis: the total of all elements is added to each of them.",
        )
    return None


def judge_inner(scene: Scene) -> Verdict | None:
    """SC203: see the rule's text."""
    if not isinstance(scene.meaning, Elementwise) or not is_additive(scene.group):
        return None
    for operand, shape in enumerate(scene.shapes):
        others = [i for i in range(len(scene.shapes)) if i != operand and len(scene.shapes[i]) >= 2]
        if shape != () or not others:
            continue
        target = scene.shapes[others[0]]
        for group in scene.producers(operand):
            shapes = group.operation.shapes
            if not isinstance(group.operation.meaning, Contract) or len(shapes) != 2:
                continue
            if any(len(s) != 1 for s in shapes) or target[-2:] != (shapes[0][0], shapes[1][0]):
                continue
            layouts = group.outcomes[0][0]
            if layouts[0] != layouts[1]:
                continue
            return Verdict(
                "high",
                f"an inner product, one number, is added to every element of {scene.names[others[0]]} "
                f"{shape_text(target)}",
                f"The product of two flat vectors {shape_text(shapes[0])} is a number; transposing a flat vector does "
                "nothing. The matrix has the shape of their outer product, which was probably meant.",
            )
    return None


COLLAPSE = Rule(
    code="SC202",
    title="A sum forgot its axis",
    severity="high where the other operand is a sum for each sample; medium otherwise",
    why=(
        "A term for each sample plus a term summed over the whole batch: the batch's total is added to every sample. "
        "Nothing raises, and the balance of the terms depends on the batch size."
    ),
    remedy="Give the sum its axis, so that both terms have one value for each sample.",
    silent=(
        "The scalar comes from something without that axis (a weight penalty), is a mean, a maximum or a logsumexp, "
        "or was reduced from the other operand itself (x - x.sum())."
    ),
    example="""\
import numpy as np
x = np.ones((16, 5))
reconstruction = x * 0.9
error = ((reconstruction - x) ** 2).sum()
penalty = np.abs(x).sum(axis=1)
cost = (error + penalty).mean()
""",
    twin="""\
import numpy as np
x = np.ones((16, 5))
weights = np.ones(5)
error = ((x * 0.9 - x) ** 2).sum(axis=1)
cost = (error + (weights ** 2).sum()).mean()
""",
    judge=judge_collapse,
)

INNER = Rule(
    code="SC203",
    title="An inner product where an outer product was meant",
    severity="high",
    why="The transpose of a flat vector is itself: np.dot(v, v.T) is a number, and is added to a whole matrix.",
    remedy="Use np.outer(v, v), or v[:, None] * v.",
    silent="The number comes from two different vectors, or the matrix does not have the shape of their outer product.",
    example="""\
import numpy as np
scatter = np.zeros((5, 5))
for sample in np.arange(20.0).reshape(4, 5):
    scatter += np.dot(sample, sample.T)
""",
    twin="""\
import numpy as np
scatter = np.zeros((5, 5))
for sample in np.arange(20.0).reshape(4, 5):
    scatter += np.outer(sample, sample)
""",
    judge=judge_inner,
)
