"""What a rule is, and the scene that it looks at."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod

from shapecell.model import Severity, Shape
from shapecell.tracking.align import broadcast_shape, stretched_axes
from shapecell.tracking.axes import AxisIdentity, Layout, One, Outcome
from shapecell.tracking.operation import (
    Along,
    Assign,
    Contract,
    Elementwise,
    Index,
    Insert,
    Loss,
    Meaning,
    NewAxis,
    Operation,
    Reduce,
    Reshape,
    Same,
)
from shapecell.tracking.source import operand_expression, shorten
from shapecell.tracking.tracker import Group


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a rule says of a scene. `crossed` lists (operand, axis) pairs to be drawn as crossed."""

    severity: Severity
    message: str
    why: str
    fixes: tuple[str, ...] = ()
    crossed: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rule: its page in the documentation is made from it.

    Attributes
    ----------
    code, title
        ``"SC101"`` and a one-line meaning.
    severity
        The usual severity, and when it is another, in words.
    why
        What goes wrong when it is left.
    remedy
        How to mend it.
    silent
        When the rule says nothing.
    example, twin
        Code that it must raise in, and a near twin in which it must not. Both run in the tests.
    judge
        The rule itself: a verdict on a scene, or None.
    """

    code: str
    title: str
    severity: str
    why: str
    remedy: str
    silent: str
    example: str
    twin: str
    judge: Callable[[Scene], Verdict | None]


@dataclass(frozen=True, slots=True)
class Fate:
    """What becomes of a result: reduced to a scalar at once, reduced over some axes, used otherwise.

    Only elementwise steps may lie between. `averaged` counts means and sums over every axis.
    """

    averaged: bool = False
    reduced: tuple[tuple[int, ...], ...] = ()
    contracted: bool = False
    used: bool = False


class Scene:
    """One group with one set of operand axes, and what surrounds it. Everything is worked out on demand."""

    def __init__(self, group: Group, layouts: tuple[Layout, ...], outcome: Outcome) -> None:
        self.group = group
        self.layouts = layouts
        self.outcome = outcome
        self.operation: Operation = group.operation
        self.meaning: Meaning = group.operation.meaning
        self.shapes = group.operation.shapes

    @cached_property
    def result_shape(self) -> Shape | None:
        """Shape that the operands are broadcast to (of the selection, for an assignment)."""
        if isinstance(self.meaning, Assign):
            return self.meaning.selection
        if isinstance(self.meaning, Loss):
            return broadcast_shape(self.shapes)
        return self.operation.results[0] if self.operation.results else None

    @cached_property
    def aligned(self) -> tuple[int, ...]:
        """The operands that are broadcast against each other."""
        if isinstance(self.meaning, Assign):
            return (1,) if len(self.shapes) > 1 else ()
        return tuple(range(len(self.shapes)))

    @cached_property
    def stretched(self) -> tuple[tuple[int, ...], ...]:
        """Per operand, the axes of the result along which it is stretched."""
        result = self.result_shape
        if result is None or not isinstance(self.meaning, Elementwise | Assign | Loss):
            return tuple(() for _ in self.shapes)
        return tuple(
            stretched_axes(shape, result) if index in self.aligned and len(shape) <= len(result) else ()
            for index, shape in enumerate(self.shapes)
        )

    # ------------------------------------------------------------ names

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Readable name of each operand: its source text, in the user's code where that is possible."""
        return tuple(self._name(index) for index in range(len(self.shapes)))

    def _name(self, index: int) -> str:
        site, places = self.group.site, self.operation.places
        place = places[index] if index < len(places) else index
        if isinstance(self.meaning, Loss) and site.library_codes:
            file, node = site.expression()
            if isinstance(node, ast.Call) and len(node.args) >= 2 and index < len(node.args):
                return shorten(file.text(file.span(node.args[index])))
        name = site.operand_name(place, index, len(self.shapes))
        return name or f"operand {index + 1}"

    def axis(self, operand: int, result_axis: int) -> AxisIdentity | None:
        """The axis of `operand` that meets axis `result_axis` of the result; None if it has none there."""
        assert self.result_shape is not None
        layout = self.layouts[operand]
        own = result_axis - (len(self.result_shape) - len(layout.axes))
        return layout.axes[own] if 0 <= own < len(layout.axes) else None

    def one(self, operand: int, result_axis: int) -> One | None:
        """Why `operand` has length 1 at `result_axis`; None if it has no axis there."""
        axis = self.axis(operand, result_axis)
        return axis.one if axis is not None else None

    # ------------------------------------------------------------ what surrounds the operation

    def producers(self, operand: int) -> tuple[Group, ...]:
        """The groups that made `operand`."""
        return tuple(self.group.producers[operand]) if operand < len(self.group.producers) else ()

    def same_statement(self, other: Group) -> bool:
        """True if `other` ran in the very statement that this operation is in."""
        mine, theirs = self.group.site, other.site
        if mine.codes[0] is not theirs.codes[0]:
            return False
        file, node = mine.operation_expression()
        _, their_node = theirs.operation_expression()
        if node is None or their_node is None:
            return False
        return file.statement(node) is file.statement(their_node)

    def written_here(self, operand: int, result_axis: int) -> bool:
        """True if the 1 of `operand` was written in the operand's own expression, or in this statement."""
        site, places = self.group.site, self.operation.places
        place = places[operand] if operand < len(places) else operand
        _, node = site.operation_expression()
        found = operand_expression(node, place, len(self.shapes), site.modules) if node else None
        if found is not None and writes_axis(found):
            return True
        return any(self.same_statement(group) and group_writes_axis(group) for group in self.ancestry(operand, 6))

    def transposed_here(self, operand: int) -> bool:
        """True if the operand's own expression transposes it."""
        site, places = self.group.site, self.operation.places
        place = places[operand] if operand < len(places) else operand
        _, node = site.operation_expression()
        found = operand_expression(node, place, len(self.shapes), site.modules) if node else None
        return found is not None and writes_transpose(found)

    def ancestry(self, operand: int, depth: int) -> Iterator[Group]:
        """The groups that made `operand`, and those that made their operands, up to `depth` steps back."""
        seen: set[int] = set()
        level = list(self.producers(operand))
        for _ in range(depth):
            following: list[Group] = []
            for group in level:
                if id(group) in seen:
                    continue
                seen.add(id(group))
                yield group
                for producers in group.producers:
                    following.extend(producers)
            level = following

    @cached_property
    def fate(self) -> Fate:
        """What becomes of the result."""
        averaged = contracted = False
        reduced: list[tuple[int, ...]] = []
        seen: set[int] = {id(self.group)}
        level = list(self.group.consumers)
        used = bool(level)
        shape = self.operation.results[0] if self.operation.results else ()
        for _ in range(12):
            following: list[tuple[Group, int]] = []
            for group, index in level:
                if id(group) in seen or index >= len(group.operation.shapes):
                    continue
                seen.add(id(group))
                meaning, operation = group.operation.meaning, group.operation
                if isinstance(meaning, Reduce):
                    if operation.results and prod(operation.results[0]) == 1:
                        averaged = True
                    else:
                        reduced.append(meaning.axes)
                elif isinstance(meaning, Loss):
                    averaged = averaged or meaning.reduction != "none"
                elif isinstance(meaning, Contract):
                    contracted = True
                elif isinstance(meaning, Elementwise | Same | Along) and operation.results[:1] == (shape,):
                    following.extend(group.consumers)
            level = following
            if not level:
                break
        return Fate(averaged, tuple(reduced), contracted, used)


_AXIS_WRITERS = {"unsqueeze", "expand_dims", "reshape", "view", "newaxis", "atleast_2d", "atleast_3d"}


_TRANSPOSES = {"T", "mT", "t", "transpose", "swapaxes", "permute"}


def writes_transpose(node: ast.AST) -> bool:
    """True if the expression transposes: a column turned into a row on the spot is a wish for a table."""
    return any(isinstance(part, ast.Attribute) and part.attr in _TRANSPOSES for part in ast.walk(node))


def writes_axis(node: ast.AST) -> bool:
    """True if the expression writes a new axis of length 1: ``x[:, None]``, ``unsqueeze``, ``reshape(-1, 1)``."""
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript):
            items = part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice]
            if any(isinstance(item, ast.Constant) and item.value is None for item in items):
                return True
        if isinstance(part, ast.Attribute) and part.attr in _AXIS_WRITERS:
            return True
    return False


def group_writes_axis(group: Group) -> bool:
    """True if the operation writes axes of length 1."""
    meaning = group.operation.meaning
    if isinstance(meaning, Insert):
        return True
    if isinstance(meaning, Reshape):
        return meaning.written is not None and 1 in meaning.written
    return isinstance(meaning, Index) and any(isinstance(item, NewAxis) for item in meaning.items)


def function_name(operation: Operation) -> str:
    """The bare name of an operation: ``"sub"`` for ``"torch.Tensor.sub_"``."""
    return operation.name.rsplit(".", 1)[-1].strip("_")


def is_division(group: Group) -> bool:
    """True if the operation divides its first operand by its second."""
    division = {"div", "divide", "truediv", "true_divide", "itruediv"}
    return isinstance(group.operation.meaning, Elementwise) and function_name(group.operation) in division


def is_additive(group: Group) -> bool:
    """True for additions and subtractions, in place or not."""
    additive = {"add", "sub", "subtract", "iadd", "isub", "radd", "rsub"}
    return isinstance(group.operation.meaning, Elementwise) and function_name(group.operation) in additive


def is_order(group: Group) -> bool:
    """True for comparisons of order: less, greater, or equal too."""
    order = {"lt", "le", "gt", "ge", "less", "less_equal", "greater", "greater_equal"}
    return isinstance(group.operation.meaning, Elementwise) and function_name(group.operation) in order


def is_product(group: Group) -> bool:
    """True for elementwise multiplications."""
    product = {"mul", "multiply", "rmul", "imul"}
    return isinstance(group.operation.meaning, Elementwise) and function_name(group.operation) in product


def shape_text(shape: Shape | None) -> str:
    """``(32, 1)``, ``(32,)``, ``()``."""
    return "?" if shape is None else str(tuple(shape))


def fits(*shapes: Shape) -> bool:
    """True if the shapes broadcast with no operand of full rank being stretched: a fix that truly mends."""
    result = broadcast_shape(shapes)
    return result is not None and all(shape == result for shape in shapes)
