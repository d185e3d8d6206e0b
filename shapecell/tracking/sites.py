"""Call sites: captured as code objects and offsets while the code runs, resolved to source when a report is read."""

from __future__ import annotations

import ast
import sys
import sysconfig
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

from shapecell.model import Frame, Site
from shapecell.tracking.source import (
    SourceFile,
    instruction_position,
    operand_expression,
    result_name,
    shorten,
)

MAX_FRAMES = 64

_OWN = str(Path(__file__).resolve().parents[1])
_LIBRARY_ROOTS = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {str(Path(ast.__file__).resolve().parent)}
)
KNOWN_FILES: dict[str, bool] = {}
"""What `is_third_party` found out, by file name; for hot paths."""

_module_names: dict[int, tuple[int, frozenset[str]]] = {}


def _is_third_party_file(filename: str) -> bool:
    if filename.startswith("<"):
        return filename.startswith(("<frozen ", "<__array_function__", "<eval_with_key>", "<decorator-gen"))
    path = filename.replace("\\", "/")
    if "/site-packages/" in path or "/dist-packages/" in path:
        return True
    return filename.startswith(_LIBRARY_ROOTS) or is_own(filename)


def is_own(filename: str) -> bool:
    """True for shapecell's own files."""
    return filename.startswith(_OWN)


def is_third_party(code: CodeType) -> bool:
    """True if `code` belongs to an installed package or the standard library; cells and projects are the user's."""
    filename = code.co_filename
    known = KNOWN_FILES.get(filename)
    if known is None:
        known = KNOWN_FILES[filename] = _is_third_party_file(filename)
    return known


def _modules_in(namespace: dict[str, Any]) -> frozenset[str]:
    key, size = id(namespace), len(namespace)
    known = _module_names.get(key)
    if known is None or known[0] != size:
        names = frozenset(name for name, value in list(namespace.items()) if isinstance(value, ModuleType))
        if len(_module_names) > 256:
            _module_names.clear()
        known = _module_names[key] = (size, names)
    return known[1]


class CallSite:
    """Where an operation was called: the frames from the operation outwards, innermost first."""

    __slots__ = ("_site", "codes", "modules", "offsets")

    def __init__(self, codes: tuple[CodeType, ...], offsets: tuple[int, ...], modules: frozenset[str]) -> None:
        self.codes = codes
        self.offsets = offsets
        self.modules = modules
        self._site: Site | None = None

    @classmethod
    def capture(cls, frame: FrameType, entry_code: CodeType | None = None) -> CallSite:
        """The site at which `frame` stands now; frames outside `entry_code` (the check's own) are left out.

        So are the outermost frames that are third-party, `entry_code` among them: they only run the user's code.
        """
        codes: list[CodeType] = []
        offsets: list[int] = []
        modules = _modules_in(frame.f_globals)
        current: FrameType | None = frame
        while current is not None and len(codes) < MAX_FRAMES:
            if not is_own(current.f_code.co_filename):
                codes.append(current.f_code)
                offsets.append(current.f_lasti)
            if current.f_code is entry_code:
                break
            current = current.f_back
        while len(codes) > 1 and is_third_party(codes[-1]):
            codes.pop()
            offsets.pop()
        return cls(tuple(codes), tuple(offsets), modules)

    @property
    def user_index(self) -> int | None:
        """Position in `codes` of the innermost frame of the user's own code; None if there is none."""
        return next((i for i, code in enumerate(self.codes) if not is_third_party(code)), None)

    @property
    def library_codes(self) -> tuple[CodeType, ...]:
        """Library code between the user's line and the operation, innermost first."""
        index = self.user_index
        return self.codes if index is None else self.codes[:index]

    def _node(self, index: int) -> tuple[SourceFile, ast.AST | None]:
        code = self.codes[index]
        file = SourceFile.of(code.co_filename)
        return file, file.node(instruction_position(code, self.offsets[index]))

    def expression(self) -> tuple[SourceFile, ast.AST | None]:
        """Source file and syntax node of the user's expression (of the operation's, if no user frame is there)."""
        return self._node(self.user_index or 0)

    def operation_expression(self) -> tuple[SourceFile, ast.AST | None]:
        """Source file and syntax node of the expression that made the call, in library code perhaps."""
        return self._node(0)

    def operand_name(self, place: int | tuple[int, int] | str | None, index: int, count: int = 2) -> str | None:
        """Source text of an operand, or None where it has none of its own.

        Parameters
        ----------
        place
            Where it stands in the call, see `Operation.places`; None if not told.
        index
            Its number among the operands, taken for the place if that is None.
        count
            How many operands there are.
        """
        file, node = self._node(0)
        if node is None:
            return None
        found = operand_expression(node, index if place is None else place, count, self.modules)
        return None if found is None else shorten(file.text(file.span(found)))

    def result_name(self) -> str | None:
        """Name of the variable that the result is bound to, else the short source of the expression."""
        file, node = self._node(0)
        return None if node is None else result_name(file, node)

    def resolve(self) -> Site:
        """The site as plain data. Reads source files; remembered."""
        if self._site is None:
            self._site = self._resolve()
        return self._site

    def _resolve(self) -> Site:
        index = self.user_index or 0
        code = self.codes[index]
        file, node = self._node(index)
        outer = tuple(self._frame(i) for i in range(len(self.codes) - 1, index, -1))
        library = tuple(self._frame(i) for i in range(index - 1, -1, -1))
        if node is not None:
            span = file.span(node)
            return Site(
                code.co_filename, span.line, span.end_line, span.col, span.end_col, file.text(span),
                code.co_name, outer + library,
            )  # fmt: skip
        line, end_line, col, end_col = instruction_position(code, self.offsets[index])
        line = line or code.co_firstlineno
        source = file.lines[line - 1].strip() if line <= len(file.lines) else ""
        return Site(
            code.co_filename, line, end_line or line, file.characters(line, col or 0),
            file.characters(end_line or line, end_col or 0), source, code.co_name, outer + library,
        )  # fmt: skip

    def _frame(self, index: int) -> Frame:
        code = self.codes[index]
        line = instruction_position(code, self.offsets[index])[0] or code.co_firstlineno
        lines = SourceFile.of(code.co_filename).lines
        source = lines[line - 1].strip() if line <= len(lines) else ""
        return Frame(code.co_filename, line, code.co_name, source, is_third_party(code))


def caller_code(depth: int) -> CodeType:
    """Code of the frame `depth` levels above the caller of this function."""
    return sys._getframe(depth + 1).f_code
