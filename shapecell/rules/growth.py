"""Broadcasts whose result is much larger than anything that went in."""

from __future__ import annotations

from math import prod

from shapecell.rules.base import Rule, Scene, Verdict, shape_text
from shapecell.tracking.align import growth
from shapecell.tracking.operation import Elementwise

LARGE_RESULT = 10_000_000
"""Elements; 80 MB of float64."""
LARGE_GROWTH = 50.0
HUGE_RESULT = 250_000_000


def judge_growth(scene: Scene) -> Verdict | None:
    """SC103: see the rule's text."""
    if not isinstance(scene.meaning, Elementwise) or scene.result_shape is None:
        return None
    elements, factor = prod(scene.result_shape), growth(scene.shapes, scene.result_shape)
    if elements < LARGE_RESULT or factor < LARGE_GROWTH:
        return None
    return Verdict(
        "medium" if elements >= HUGE_RESULT else "low",
        f"the result {shape_text(scene.result_shape)} has {elements:,} elements, {factor:,.0f} times an operand's",
        f"It takes about {elements * 8 / 1e9:.1f} GB in float64. If only a reduction of it is needed, work in chunks, "
        "or use a form that never builds it (a matrix product, cdist).",
    )


GROWTH = Rule(
    code="SC103",
    title="A broadcast makes a very large array",
    severity="low; medium from 250 million elements",
    why="A table of all pairs grows with the square of the data: what works on a sample exhausts memory on the rest.",
    remedy="Work in chunks, or use a form that never builds the table.",
    silent="The result is below 10 million elements, or less than 50 times the largest operand.",
    example="""\
import numpy as np
a = np.zeros(3_200, dtype=np.int8)
table = a[:, None] - np.zeros(3_200, dtype=np.int8)
""",
    twin="""\
import numpy as np
a = np.zeros(300, dtype=np.int8)
table = a[:, None] - np.zeros(300, dtype=np.int8)
""",
    judge=judge_growth,
)
