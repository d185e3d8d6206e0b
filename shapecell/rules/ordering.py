"""Axes in the wrong order: a reshape where a transpose was meant, a softmax over the wrong axis."""

from __future__ import annotations

from shapecell.rules.base import Rule, Scene, Verdict, is_division, shape_text
from shapecell.tracking.operation import Along, Contract, Index, Integer, Map, Reduce, Reshape, Slice
from shapecell.tracking.transfer.reshaping import Scramble


def judge_scramble(scene: Scene) -> Verdict | None:
    """SC401: see the rule's text."""
    scramble = scene.outcome.notes.get("scrambled")
    if not isinstance(scene.meaning, Reshape) or not isinstance(scramble, Scramble):
        return None
    before, after = scramble.before, scramble.after
    message = f"{scene.names[0]} {shape_text(before)} is reshaped to {shape_text(after)}, which scrambles its axes"
    if _shifted(scene):
        return Verdict("low", message, "What follows cuts off a slice and reshapes back: a shift, done by reshaping.")
    split = _split_around(scramble)
    if split is not None:
        kept, parted = split
        return Verdict(
            "high",
            message,
            f"Axis {parted} is split, and one part is put in front of axis {kept}. A reshape does not move axes: it "
            "mixes them. Split the axis in place first, then transpose.",
        )
    if scramble.disorder == "cut" or len([length for length in before if length > 1]) < 2:
        return None
    if scene.meaning.written is not None and -1 in scene.meaning.written:
        return Verdict("low", message, "With a length left to be worked out (-1) it may as well be cut into chunks.")
    if scramble.disorder == "mixed":
        return Verdict("medium", message, "A new axis holds the end of one old axis and the start of the next one.")
    order = _order(before, after)
    transposed = "permute" if scene.group.adapter == "torch" else "transpose"
    fixes = (f"{scene.names[0]}.{transposed}({', '.join(map(str, order))})",) if order is not None else ()
    return Verdict(
        "medium" if len(set(before)) < 2 else "high",
        message,
        "The lengths are the old ones in another order, but a reshape does not move axes: it reads the elements in "
        "their old order. A transpose was probably meant.",
        fixes,
    )


def _shifted(scene: Scene) -> bool:
    """True if a part of the result is reshaped again: the relative shift of position scores is done so."""
    return any(
        isinstance(sliced.operation.meaning, Index)
        and any(isinstance(item, Slice) and not item.whole for item in sliced.operation.meaning.items)
        and any(isinstance(again.operation.meaning, Reshape) for again, _ in sliced.consumers)
        for sliced, _ in scene.group.consumers
    )


def _split_around(scramble: Scramble) -> tuple[int, int] | None:
    """The axis T and the axis C of ``(T, C) → (a, T, b)`` with ``a × b = C``; None if it is no such reshape."""
    before = [scramble.before[axis] for axis in scramble.sources]
    after = [scramble.after[axis] for axis in scramble.targets]
    if len(before) == 2 and len(after) == 3 and after[1] == before[0] and after[0] * after[2] == before[1]:
        return scramble.sources[0], scramble.sources[1]
    return None


def _order(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...] | None:
    """The permutation that takes `before` to `after`, axes of one length kept in order; None if there is none."""
    if len(before) != len(after):
        return None
    left = list(enumerate(before))
    order = []
    for length in after:
        found = next((entry for entry in left if entry[1] == length), None)
        if found is None:
            return None
        left.remove(found)
        order.append(found[0])
    return tuple(order)


def judge_softmax(scene: Scene) -> Verdict | None:
    """SC402: see the rule's text."""
    meaning = scene.meaning
    if not isinstance(meaning, Along) or meaning.action != "normalise" or len(meaning.axes) != 1:
        return None
    axis = meaning.axes[0]
    shape = scene.shapes[0]
    if len(shape) >= 2 and shape[axis] == 1 and max(shape) > 1:
        one = scene.layouts[0].axes[axis].one
        if axis == 0 or (one is not None and one.intent == "incidental" and one.reason):
            because = f" ({one.reason})" if one is not None and one.reason and axis else ""
            return Verdict(
                "medium",
                f"{scene.operation.name} runs over axis {axis} of {scene.names[0]} {shape_text(shape)}, whose length "
                f"is 1{because}",
                "Every result is 1, whatever the scores are.",
            )
    for group, operand in scene.group.consumers:
        contraction = group.operation.meaning
        if not isinstance(contraction, Contract) or len(contraction.inputs) != 2 or len(shape) < 3:
            continue
        letters = contraction.inputs[operand]
        if len(letters) != len(shape):
            continue
        other = contraction.inputs[1 - operand]
        summed = [k for k, letter in enumerate(letters) if letter not in contraction.output]
        batch = [letter for letter in letters if letter in other and letter in contraction.output]
        if axis in summed or len(summed) != 1 or not batch or letters[axis] in other:
            continue
        if _renormalised(scene, summed[0]):
            continue
        return Verdict(
            "high",
            f"{scene.operation.name} runs over axis {axis} of {scene.names[0]} {shape_text(shape)}, but the weighted "
            f"sum that follows runs over axis {summed[0]}",
            "The weights of one weighted sum do not add up to 1: they were normalised along another axis. In "
            "attention the softmax runs over the keys.",
        )
    return None


def _renormalised(scene: Scene, axis: int) -> bool:
    """True if its sum over `axis` divides something: soft assignments are divided by their totals."""
    return any(
        isinstance(group.operation.meaning, Reduce)
        and axis in group.operation.meaning.axes
        and any(is_division(consumer) for consumer, _ in group.consumers)
        for group, _ in scene.group.consumers
    )


def judge_recurrent(scene: Scene) -> Verdict | None:
    """SC404: see the rule's text."""
    meaning = scene.meaning
    if not isinstance(meaning, Map) or meaning.scanned != 0 or len(scene.shapes[0]) != 3:
        return None
    for group, operand in scene.group.consumers:
        taken = group.operation.meaning
        if operand != 0 or not isinstance(taken, Index) or len(taken.items) < 2:
            continue
        first, second = taken.items[:2]
        if isinstance(first, Slice) and first.whole and second == Integer(-1):
            steps, batch, _ = scene.shapes[0]
            return Verdict(
                "high",
                f"the recurrent layer goes along axis 0 of {scene.names[0]} {shape_text(scene.shapes[0])}, {steps} "
                "steps, but the last step is then taken from axis 1",
                f"Without batch_first=True axis 0 is time and axis 1 the batch of {batch}: [:, -1] is the last sample, "
                "at every step, and information flows from sample to sample.",
                ("batch_first=True",),
            )
    return None


RECURRENT = Rule(
    code="SC404",
    title="A recurrent layer goes along the batch",
    severity="high",
    why="torch's LSTM, GRU and RNN take (time, batch, feature) unless batch_first=True is given.",
    remedy="Give the layer batch_first=True, or transpose its input, and take the last step along time.",
    silent="The last step is taken from axis 0, or the layer is batch_first.",
    example="""\
import torch
rows = torch.randn(10, 28, 5)
output, _ = torch.nn.LSTM(5, 4)(rows)
last = output[:, -1]
""",
    twin="""\
import torch
rows = torch.randn(10, 28, 5)
output, _ = torch.nn.LSTM(5, 4, batch_first=True)(rows)
last = output[:, -1]
""",
    judge=judge_recurrent,
)


SCRAMBLE = Rule(
    code="SC401",
    title="A reshape scrambles axes where a transpose was meant",
    severity="high; medium where all lengths are equal or only two axes are mixed",
    why=(
        "reshape keeps the elements in their order and only cuts them up anew. Reshaping (height, width, channel) to "
        "(channel, height, width) mixes pixels and channels; the shape looks right."
    ),
    remedy="Use transpose, permute or moveaxis to move axes; reshape only merges neighbours or splits one axis.",
    silent=(
        "The new axes are old ones merged with their neighbours or split, the lengths have nothing in common, or one "
        "of them is left to be worked out (-1)."
    ),
    example="""\
import numpy as np
image = np.zeros((32, 24, 3))
channels_first = image.reshape(3, 32, 24)
""",
    twin="""\
import numpy as np
image = np.zeros((32, 24, 3))
channels_first = image.transpose(2, 0, 1)
pixels = image.reshape(-1, 3)
""",
    judge=judge_scramble,
)

SOFTMAX = Rule(
    code="SC402",
    title="A softmax runs over another axis than the sum that uses it",
    severity="high; medium for a softmax over an axis of length 1",
    why=(
        "A softmax makes weights that add up to 1 along its axis. If the weighted sum runs along another axis, the "
        "weights of one output do not add up to 1, and every position competes with the wrong ones."
    ),
    remedy="Give the softmax the axis that is summed away afterwards: in attention, that of the keys.",
    silent=(
        "The sum runs over the axis of the softmax, or the weights are also summed over the other axis (soft "
        "assignments, divided by their totals)."
    ),
    example="""\
import torch
query, key, value = torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 4)
weights = torch.softmax(query @ key.transpose(1, 2), dim=1)
mixed = weights @ value
""",
    twin="""\
import torch
query, key, value = torch.randn(2, 5, 4), torch.randn(2, 7, 4), torch.randn(2, 7, 4)
weights = torch.softmax(query @ key.transpose(1, 2), dim=2)
mixed = weights @ value
""",
    judge=judge_softmax,
)
