"""An axis that meets another axis of the same array: wrong axis, missing keepdims, square matrices."""

from __future__ import annotations

from math import prod

from shapecell.model import Severity
from shapecell.rules.base import Rule, Scene, Verdict, is_division, is_product, shape_text
from shapecell.rules.fixes import new_axes, rewritten
from shapecell.tracking.align import broadcast_shape
from shapecell.tracking.axes import Crossing, related


def _fixes(scene: Scene, crossing: Crossing) -> tuple[str, ...]:
    """The operand with axes added on the right, so that its axis meets the one it belongs to."""
    if crossing.belongs is None or scene.result_shape is None:
        return ()
    shape = scene.shapes[crossing.operand]
    against = scene.shapes[crossing.against]
    missing = len(against) - crossing.belongs - (len(shape) - crossing.axis)
    if missing <= 0 or len(shape) != 1:
        return ()
    mended = (*shape, *[1] * missing)
    if broadcast_shape((mended, against)) != scene.result_shape or prod(mended) != prod(shape):
        return ()
    text = rewritten(scene, crossing.operand, new_axes(len(shape), missing, scene.group.adapter))
    return (text,) if text is not None else ()


def _placed_on_purpose(scene: Scene, crossing: Crossing) -> bool:
    """True if the operand's axes were placed by writing new ones: ``d[None, :]`` says which axis is meant."""
    ones = [axis.one for axis in scene.layouts[crossing.operand].axes if axis.one is not None]
    return any(one.intent == "explicit" and not one.reduced for one in ones)


def _recurrent(scene: Scene) -> bool:
    """True if the expression did not cross when it first ran: a loop carries a state from one axis to the other.

    ``r = (M * r).sum(axis=1)`` and the forward step of a hidden Markov model turn "to" into "from" on every pass.
    """
    outcomes = scene.group.outcomes
    return bool(outcomes) and not outcomes[0][1].crossings


def judge_crossing(scene: Scene) -> Verdict | None:
    """SC201: see the rule's text."""
    crossings = [c for c in scene.outcome.crossings if not c.symmetric and not _placed_on_purpose(scene, c)]
    if not crossings or _recurrent(scene):
        return None
    crossing = min(crossings, key=lambda c: c.strength != "strong")
    severity: Severity = "high" if crossing.strength == "strong" else "medium"
    operand, against = scene.names[crossing.operand], scene.names[crossing.against]
    own = scene.layouts[crossing.operand].axes[crossing.axis].name() or f"axis {crossing.axis} of {operand}"
    met = scene.axis(crossing.against, crossing.position)
    other = (met.name() if met is not None else None) or f"another axis of {against}"
    if own == other:
        own, other = f"axis {crossing.axis} of {operand}", f"another axis of {against}"
    message = (
        f"the axis of {operand} {shape_text(scene.shapes[crossing.operand])} is {own}, but it meets {other} of "
        f"{against} {shape_text(scene.shapes[crossing.against])}"
    )
    why = "Both lengths are equal, so nothing raises."
    if crossing.belongs is not None:
        why += f" It belongs to axis {crossing.belongs} of {against}; a reduction without keepdims lost that place."
    if crossing.strength == "weak":
        why += " That the axes differ was learned from what they met before."
    return Verdict(severity, message, why, _fixes(scene, crossing), tuple((c.operand, c.axis) for c in crossings))


CROSSING = Rule(
    code="SC201",
    title="An axis meets another axis of the same origin",
    severity="high; medium where the axes are known to differ only from what they met before",
    why=(
        "A statistic over axis 1 of a square x has the axis 0 of x. Subtracted without keepdims it is aligned with "
        "axis 1: every row is shifted by another row's mean. With unequal lengths it would raise; with equal ones "
        "it is silently wrong."
    ),
    remedy="Keep the dimension (keepdims=True), or write the missing axis: statistic[:, None].",
    silent=(
        "The axis meets itself (keepdims, [:, None]), its place was written (d[None, :]), the arrays are unrelated, "
        "two whole arrays of one shape meet (A + A.T), both axes are alike by construction (x @ x.T), or a loop "
        "carries a state from one axis to the other (r = (M * r).sum(axis=1))."
    ),
    example="""\
import numpy as np
x = np.arange(36.0).reshape(6, 6)
centred = x - x.mean(axis=1)
""",
    twin="""\
import numpy as np
x = np.arange(36.0).reshape(6, 6)
centred = x - x.mean(axis=1, keepdims=True)
columns = x - x.mean(axis=0)
""",
    judge=judge_crossing,
)


def judge_twice(scene: Scene) -> Verdict | None:
    """SC205: see the rule's text."""
    if not (is_division(scene.group) or is_product(scene.group)) or len(scene.shapes) != 2:
        return None
    flat = next((i for i, shape in enumerate(scene.shapes) if len(shape) == 1), None)
    if flat is None or len(scene.shapes[1 - flat]) != 2:
        return None
    table, vector = scene.layouts[1 - flat], scene.layouts[flat]
    atom = vector.axes[0].atom
    axes = [axis.atom for axis in table.axes]
    if atom is None or any(other is None or not related(other, atom) for other in axes):
        return None
    for group in scene.producers(1 - flat):
        before = group.outcomes[0][0] if group.outcomes else ()
        same = is_division(group) == is_division(scene.group) and is_product(group) == is_product(scene.group)
        if same and len(before) == 2 and vector in before:
            name = scene.names[flat]
            new = ".unsqueeze(1)" if scene.group.adapter == "torch" else "[:, None]"
            return Verdict(
                "high",
                f"{name} {shape_text(scene.shapes[flat])} scales axis 1 of the square table "
                f"{shape_text(scene.shapes[1 - flat])} for the second time, and axis 0 never",
                "Both axes of the table run over what the vector runs over. A flat vector meets the last axis each "
                "time; scaling both sides takes it once as a column.",
                (f"{name}{new} for one of the two",),
            )
    return None


TWICE = Rule(
    code="SC205",
    title="A vector scales the same axis of a square table twice",
    severity="high",
    why=(
        "A covariance becomes a correlation when it is divided by the deviations once along each axis. Divided twice "
        "by the flat vector, only the columns are scaled."
    ),
    remedy="Divide by np.outer(v, v), or once by v[:, None] and once by v.",
    silent="One of the two is a column, or the table's axes do not both run over what the vector runs over.",
    example="""\
import numpy as np
x = np.arange(60.0).reshape(12, 5) ** 2
covariance = np.cov(x, rowvar=False)
deviation = x.std(axis=0)
correlation = covariance / deviation / deviation
""",
    twin="""\
import numpy as np
x = np.arange(60.0).reshape(12, 5) ** 2
covariance = np.cov(x, rowvar=False)
deviation = x.std(axis=0)
correlation = covariance / deviation[:, None] / deviation
""",
    judge=judge_twice,
)
