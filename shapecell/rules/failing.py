"""Operations that raised: the same diagram, with the axis that does not fit."""

from __future__ import annotations

from shapecell.model import Shape
from shapecell.rules.base import Rule, Scene, Verdict, shape_text
from shapecell.rules.fixes import reshapings, rewritten
from shapecell.tracking.align import broadcast_shape, failing_axis
from shapecell.tracking.operation import Assign, Contract, Elementwise, Loss


def broadcast_pair(scene: Scene) -> tuple[int, int] | None:
    """The first two operands that do not broadcast against each other."""
    for first in range(len(scene.shapes)):
        for second in range(first + 1, len(scene.shapes)):
            if broadcast_shape((scene.shapes[first], scene.shapes[second])) is None:
                return first, second
    return None


def _repairs(scene: Scene, first: int, second: int) -> tuple[str, ...]:
    """Changes of one operand after which the shapes broadcast, the least stretching first."""
    found: list[tuple[int, str]] = []
    for changed, other in ((first, second), (second, first)):
        for template, shape in reshapings(scene.shapes[changed], scene.group.adapter):
            result = broadcast_shape((shape, scene.shapes[other]))
            if result is None:
                continue
            text = rewritten(scene, changed, template)
            if text is not None:
                found.append((len(result) * 10 + (shape != result) + (scene.shapes[other] != result), text))
    return tuple(dict.fromkeys(text for _, text in sorted(found, key=lambda item: item[0])))[:2]


def _contraction_repairs(scene: Scene) -> tuple[str, ...]:
    if len(scene.shapes) != 2:
        return ()
    found = []
    for index in (0, 1):
        if len(scene.shapes[index]) < 2:
            continue
        shapes: list[Shape] = list(scene.shapes)
        own = shapes[index]
        shapes[index] = (*own[:-2], own[-1], own[-2])
        inner = shapes[1][-2] if len(shapes[1]) > 1 else shapes[1][-1]
        if shapes[0][-1] == inner:
            template = (
                "{}.T" if len(own) == 2 else ("{}.mT" if scene.group.adapter == "torch" else "{}.swapaxes(-1, -2)")
            )
            text = rewritten(scene, index, template)
            if text is not None:
                found.append(text)
    return tuple(found)


def judge_failing(scene: Scene, error: str) -> Verdict:
    """The verdict on an operation that raised `error`, which then left the checked code."""
    shapes = " and ".join(f"{name} {shape_text(shape)}" for name, shape in zip(scene.names, scene.shapes, strict=True))
    if isinstance(scene.meaning, Elementwise | Loss | Assign):
        pair = (1, 0) if isinstance(scene.meaning, Assign) else broadcast_pair(scene)
        if isinstance(scene.meaning, Assign):
            target = scene.meaning.selection
            value = scene.shapes[1] if len(scene.shapes) > 1 else ()
            return Verdict(
                "high",
                f"a value of shape {shape_text(value)} does not fit into the {shape_text(target)} that is assigned to",
                f"An assignment stretches the value only, never the target. {error}",
            )
        if pair is not None:
            first, second = pair
            axis = failing_axis((scene.shapes[first], scene.shapes[second]))
            assert axis is not None
            rank = max(len(scene.shapes[first]), len(scene.shapes[second]))
            lengths = [scene.shapes[i][axis - rank + len(scene.shapes[i])] for i in pair]
            return Verdict(
                "high",
                f"{scene.names[first]} {shape_text(scene.shapes[first])} and "
                f"{scene.names[second]} {shape_text(scene.shapes[second])} do not fit: "
                f"axis {axis - rank} has {lengths[0]} against {lengths[1]}",
                "Shapes are aligned from the right, and only a 1 can be stretched.",
                _repairs(scene, first, second),
            )
    if isinstance(scene.meaning, Contract):
        return Verdict("high", f"{shapes} cannot be contracted", error.strip() + ".", _contraction_repairs(scene))
    return Verdict("high", f"{scene.operation.name} cannot take {shapes}", error.strip() + ".")


FAILING = Rule(
    code="SC001",
    title="The shapes do not fit, and the operation raised",
    severity="high",
    why="Shapes are aligned from the right; on each axis the lengths must be equal, or one of them 1.",
    remedy="Write the missing axis (x[:, None], unsqueeze), transpose, or reduce with keepdims.",
    silent="The error was caught inside the checked code.",
    example="""\
import numpy as np
x = np.ones((4, 3))
centred = x - x.mean(axis=1)
""",
    twin="""\
import numpy as np
x = np.ones((4, 3))
try:
    centred = x - x.mean(axis=1)
except ValueError:
    centred = x
""",
    judge=lambda scene: None,
)
