"""Runs the body of ``%%shapecheck`` where another cell magic stands above it."""

from __future__ import annotations

import ast
from typing import Any

from IPython.core.interactiveshell import InteractiveShell


def compile_body(shell: InteractiveShell, body: str) -> tuple[str, list[Any], Any]:
    """The file name of `body`, the code of its statements, and the code of its last expression (or None)."""
    source = shell.transform_cell(body)
    name = shell.compile.cache(source, shell.execution_count, raw_code=body)
    tree = shell.transform_ast(shell.compile.ast_parse(source, filename=name))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    statements = [shell.compile(ast.Module([node], []), name, "exec") for node in tree.body]
    return name, statements, None if last is None else shell.compile(ast.Expression(last.value), name, "eval")


def run_compiled(shell: InteractiveShell, statements: list[Any], last: Any) -> Any:
    """Run what `compile_body` made in the user's namespace; the value of the last expression, as ``%%time`` has it."""
    __tracebackhide__ = True
    for code in statements:
        exec(code, shell.user_global_ns, shell.user_ns)
    return None if last is None else eval(last, shell.user_global_ns, shell.user_ns)
