"""Source text of call sites: from an instruction to its exact sub-expression, and to the names in it."""

from __future__ import annotations

import ast
import linecache
from dataclasses import dataclass
from types import CodeType
from typing import ClassVar

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source: lines from 1, columns from 0 in characters."""

    line: int
    end_line: int
    col: int
    end_col: int


def shorten(text: str, limit: int = LONGEST_NAME) -> str:
    """`text` on one line, its middle cut out if it is longer than `limit` characters."""
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    head = (limit - 1) * 2 // 3
    return f"{text[:head]}…{text[head + 1 - limit :]}"


class SourceFile:
    """One file's lines and syntax tree, from `linecache`, where IPython registers cells too."""

    _cache: ClassVar[dict[str, SourceFile]] = {}

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._by_span: dict[tuple[int, int, int, int], ast.AST] = {}
        self._by_end: dict[tuple[int, int], list[ast.AST]] = {}
        self._parents: dict[ast.AST, ast.AST] = {}
        try:
            tree = ast.parse("".join(lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        for parent in ast.walk(tree):
            for node in ast.iter_child_nodes(parent):
                self._parents[node] = parent
                if isinstance(node, ast.expr | ast.stmt):
                    line, col = node.lineno, node.col_offset
                    end_line, end_col = node.end_lineno or line, node.end_col_offset or col
                    # An expression statement has the span of its expression; walk() meets the outer one first.
                    self._by_span[line, end_line, col, end_col] = node
                    self._by_end.setdefault((end_line, end_col), []).append(node)

    @classmethod
    def of(cls, filename: str) -> SourceFile:
        lines = linecache.getlines(filename)
        found = cls._cache.get(filename)
        if found is None or found.lines != lines:
            if len(cls._cache) >= 128:
                cls._cache.pop(next(iter(cls._cache)))
            found = cls._cache[filename] = cls(list(lines))
        return found

    def node(self, position: tuple[int | None, int | None, int | None, int | None]) -> ast.AST | None:
        """The expression or statement that an instruction at `position` (of ``co_positions``) belongs to."""
        line, end_line, col, end_col = position
        if line is None or end_line is None or col is None or end_col is None:
            return None
        node = self._by_span.get((line, end_line, col, end_col))
        if node is None:
            # The call of a method in a chain over several lines starts at the method's name.
            candidates = [n for n in self._by_end.get((end_line, end_col), []) if isinstance(n, ast.Call)]
            node = candidates[-1] if candidates else None
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            statement = self.statement(node)
            if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
                return statement
        if isinstance(node, ast.Expr):
            return node.value
        return node

    def statement(self, node: ast.AST) -> ast.AST:
        """The statement that holds `node`."""
        while not isinstance(node, ast.stmt) and node in self._parents:
            node = self._parents[node]
        return node

    def characters(self, line: int, byte_column: int) -> int:
        """A column in UTF-8 bytes as one in characters."""
        if not 1 <= line <= len(self.lines):
            return byte_column
        return len(self.lines[line - 1].encode()[:byte_column].decode(errors="ignore"))

    def span(self, node: ast.AST) -> Span:
        """Where `node` stands."""
        line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]  # expr and stmt have them
        return Span(
            line,
            end_line,
            self.characters(line, node.col_offset),  # type: ignore[attr-defined]
            self.characters(end_line, node.end_col_offset),  # type: ignore[attr-defined]
        )

    def text(self, span: Span) -> str:
        """The source of `span`, exactly."""
        lines = self.lines[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_col]
        lines[0] = lines[0][span.col :]
        return "".join(lines)


def instruction_position(code: CodeType, offset: int) -> tuple[int | None, int | None, int | None, int | None]:
    """Line, end line, column and end column (in bytes) of the instruction at byte `offset` of `code`."""
    for index, position in enumerate(code.co_positions()):
        if index == offset // 2:
            return position
    return (None, None, None, None)


def result_name(file: SourceFile, node: ast.AST) -> str | None:
    """The variable that the value of `node` is bound to, else the source of `node` if it is short."""
    statement = file.statement(node)
    if isinstance(statement, ast.Assign) and statement.value is node and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name | ast.Attribute):
            return shorten(file.text(file.span(target)))
    if isinstance(statement, ast.AnnAssign | ast.AugAssign) and (statement is node or statement.value is node):
        return shorten(file.text(file.span(statement.target)))
    if isinstance(node, ast.expr):
        return shorten(file.text(file.span(node)), 40)
    return None


def operand_nodes(node: ast.AST, count: int, modules: frozenset[str]) -> list[ast.expr] | None:
    """The expressions of the operands of an operator, or of the positional arguments of a call, `self` included.

    `modules` are names bound to modules: ``np.add(a, b)`` has no `self`, ``x.add(b)`` has.
    """
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.Compare(left=left, comparators=[right]):
            return [left, right]
        case ast.AugAssign(target=target, value=value):
            return [target, value]
        case ast.Assign(targets=[target], value=value):
            return [target, value]
        case ast.UnaryOp(operand=operand):
            return [operand]
        case ast.Subscript(value=value, slice=items):
            return [value, *(items.elts if isinstance(items, ast.Tuple) else [items])]
        case ast.Attribute(value=value):
            return [value]
        case ast.Call(func=ast.Attribute(value=value), args=args) if not _names_module(value, modules):
            return [value, *args]
        case ast.Call(args=args):
            return list(args)
    return None


def _names_module(node: ast.expr, modules: frozenset[str]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in modules


def operand_expression(
    node: ast.AST, place: int | tuple[int, int] | str, count: int, modules: frozenset[str]
) -> ast.expr | None:
    """The expression at `place` (see `Operation.places`) of the operator or call `node`."""
    if isinstance(place, str):
        if isinstance(node, ast.Call):
            return next((keyword.value for keyword in node.keywords if keyword.arg == place), None)
        return None
    nodes = operand_nodes(node, count, modules)
    if nodes is None:
        return None
    index, element = place if isinstance(place, tuple) else (place, None)
    if index >= len(nodes):
        return None
    found = nodes[index]
    if any(isinstance(n, ast.Starred) for n in nodes[: index + 1]):
        return None
    if element is not None and not isinstance(node, ast.Subscript):
        if isinstance(found, ast.List | ast.Tuple) and element < len(found.elts):
            return found.elts[element]
        return None
    return found
