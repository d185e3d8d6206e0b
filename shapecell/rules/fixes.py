"""Replacement expressions. Each is tried on the actual shapes before it is offered."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from shapecell.model import Shape
from shapecell.rules.base import Scene, fits
from shapecell.tracking.source import operand_expression, shorten

LONGEST_FIX = 160


def rewritten(scene: Scene, operand: int, template: str) -> str | None:
    """The operation's source with `operand` replaced by `template`, in which ``{}`` stands for its old text.

    None if the operation is not in the user's own code, or the operand is not to be found in it.
    """
    site = scene.group.site
    if site.library_codes:
        return None
    file, node = site.operation_expression()
    if node is None:
        return None
    places = scene.operation.places
    place = places[operand] if operand < len(places) else operand
    found = operand_expression(node, place, len(scene.shapes), site.modules)
    if found is None:
        return None
    old = " ".join(file.text(file.span(found)).split())
    whole, part = file.span(node), file.span(found)
    before = file.text(type(whole)(whole.line, part.line, whole.col, part.col))
    after = file.text(type(whole)(part.end_line, whole.end_line, part.end_col, whole.end_col))
    new = template.format(old if _is_tight(found) else f"({old})")
    text = " ".join(f"{before}{new}{after}".split())
    return text if len(text) <= LONGEST_FIX else shorten(text, LONGEST_FIX)


def _is_tight(node: ast.expr) -> bool:
    return isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List)


def reshapings(shape: Shape, framework: str) -> Iterator[tuple[str, Shape]]:
    """Ways to write an array of `shape` with one axis of length 1 less or more: (template, new shape)."""
    for axis in reversed(range(len(shape))):
        if shape[axis] == 1:
            spelled = axis - len(shape) if axis == len(shape) - 1 else axis
            yield f"{{}}.squeeze({spelled})", (*shape[:axis], *shape[axis + 1 :])
    for axis in reversed(range(len(shape) + 1)):
        yield new_axis(axis, len(shape), framework), (*shape[:axis], 1, *shape[axis:])
    if len(shape) == 2:
        yield "{}.T", (shape[1], shape[0])
    if len(shape) == 2 and 1 in shape:
        yield "{}.reshape(-1)", (shape[0] * shape[1],)


def new_axis(axis: int, rank: int, framework: str) -> str:
    """Template that writes a new axis of length 1 at `axis` of an array of `rank` axes."""
    if framework == "torch":
        return f"{{}}.unsqueeze({axis})"
    return "{}[" + ", ".join([":"] * axis + ["None"] + [":"] * (rank - axis if axis < rank else 0)) + "]"


def matching_fixes(scene: Scene, first: int, second: int, limit: int = 3) -> tuple[str, ...]:
    """Ways to give operands `first` and `second` one shape by dropping or adding an axis of length 1."""
    found: list[str] = []
    framework = scene.group.adapter
    for changed, other in ((first, second), (second, first)):
        for template, shape in reshapings(scene.shapes[changed], framework):
            if fits(shape, scene.shapes[other]):
                text = rewritten(scene, changed, template)
                if text is not None and text not in found:
                    found.append(text)
                    break
    return tuple(found[:limit])


def new_axes(rank: int, count: int, framework: str) -> str:
    """Template that writes `count` new axes of length 1 on the right of an array of `rank` axes."""
    if framework == "torch" and count == 1:
        return "{}.unsqueeze(-1)"
    if rank == 1:
        return "{}[:" + ", None" * count + "]"
    return "{}[..." + ", None" * count + "]"
