"""The diagram of one operation as plain data: what stands in which row and column, before it is text or HTML.

One row per operand and one for the result; one column per axis of the result, aligned from the right, and a separate
group of columns for axes that the operation sums away.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from shapecell.model import Axis, Broadcast, Operand, Shape

Mark = Literal["accident", "fails"]

FOLD_FROM_RANK = 6
"""From this rank on, neighbouring columns in which nothing happens share one column."""

ALIGNED = ("elementwise", "loss", "assign")
"""Kinds of operations that stretch an operand along an axis that it lacks."""

_RESULT_LABEL = {"assign": "selection", "loss": "compared"}


@dataclass(frozen=True, slots=True)
class Cell:
    """What one row has in one column.

    Attributes
    ----------
    lengths
        Length of the axis; several where columns were folded into one; None if the operand has no such axis.
    stretched_to
        The lengths it became, or None if it stayed as it was.
    mark
        ``"accident"`` where a finding says that the axis should not be stretched or should not be here, ``"fails"``
        where lengths disagree.
    """

    lengths: tuple[int, ...] | None
    stretched_to: tuple[int, ...] | None = None
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Column:
    """One column. `axes` are the result's axes that it stands for, counted from the right (-1 is the last).

    They are empty for an axis that is summed away. `name` is what is known of where the axis comes from.
    """

    axes: tuple[int, ...]
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One row: an operand or the result.

    Attributes
    ----------
    label
        The operand's expression in the source; ``"result"``, ``"selection"`` or ``"compared"`` for the last row.
    result
        True for the last row.
    cells
        One per column; None where there is nothing to say. Empty if `text` takes their place.
    text
        What stands in place of the cells: ``"scalar"``, a shape whose axes meet none of the result's, or that the
        operation raised.
    notes
        Remarks on the row: why a 1 is 1, which axis met which, how much larger the result is.
    """

    label: str
    result: bool
    cells: tuple[Cell | None, ...]
    text: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagram:
    """A drawn operation. `vanished` says what happened to the columns without axes: contracted or reduced."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    vanished: str


@dataclass(frozen=True, slots=True)
class _Placed:
    """An operand's axes by where they are drawn: a result axis (0 or more), or a vanished one (counted from -1 down).

    None instead of `axes` if the operand is shown by its shape alone.
    """

    operand: Operand
    axes: dict[int, tuple[int, Axis]] | None


def diagram(broadcast: Broadcast, *, finding: bool = False) -> Diagram:
    """The layout of `broadcast`.

    Parameters
    ----------
    broadcast
        The operation.
    finding
        True if a finding is about it: then the axes that were stretched, or that met the wrong axis, are marked.
        An ordinary broadcast has no marks.
    """
    rank = _rank(broadcast)
    placed = _place(broadcast)
    drawn = [p.axes for p in placed if p.axes is not None]
    vanished = sorted({key for axes in drawn for key in axes if key < 0}, reverse=True)
    keys = [*range(rank), *vanished]
    failing = _failing(broadcast, drawn, keys)
    crossing = any(axis.crossed for axes in drawn for _, axis in axes.values())
    stretch_mark: Mark | None = "accident" if finding and not crossing and not failing else None
    rows = [_operand_row(broadcast, p, placed, keys, failing, stretch_mark, finding) for p in placed]
    rows.append(_result_row(broadcast, keys, failing))
    columns = [Column((key - rank,) if key >= 0 else (), _column_name(placed, key)) for key in keys]
    if not any(_informative(placed)):
        columns = [Column(column.axes) for column in columns]
    if rank >= FOLD_FROM_RANK:
        columns, rows = _folded(columns, rows)
    return Diagram(tuple(columns), tuple(rows), "reduced" if broadcast.kind == "reduce" else "contracted")


def shape_text(shape: Shape) -> str:
    """``(32, 1)``, ``(32,)``, ``scalar``."""
    return str(tuple(shape)) if shape else "scalar"


def times_text(factor: float) -> str:
    """``32×``, ``1.5×``, ``60,000×``."""
    return f"{factor:,.0f}×" if factor >= 10 or factor == int(factor) else f"{factor:.1f}×"


# ---------------------------------------------------------------- where each axis goes


def _rank(broadcast: Broadcast) -> int:
    if broadcast.result_shape is not None:
        return len(broadcast.result_shape)
    met = [axis.position for operand in broadcast.operands for axis in operand.axes if axis.position is not None]
    ranks = [len(operand.shape) for operand in broadcast.operands] if broadcast.kind in ALIGNED else []
    return max([*ranks, *(position + 1 for position in met)], default=0)


def _place(broadcast: Broadcast) -> list[_Placed]:
    meets = any(axis.position is not None for operand in broadcast.operands for axis in operand.axes)
    simple = broadcast.result_shape == () or all(len(operand.shape) <= 1 for operand in broadcast.operands)
    contracts = broadcast.kind == "contract" and (meets or simple)
    columns: list[int] = []
    placed = []
    for index, operand in enumerate(broadcast.operands):
        axes = {axis.position: (k, axis) for k, axis in enumerate(operand.axes) if axis.position is not None}
        vanishing = [(k, axis) for k, axis in enumerate(operand.axes) if axis.position is None]
        if contracts or (broadcast.kind == "reduce" and index == 0):
            axes.update(_vanish(vanishing, columns, in_order=broadcast.result_shape is None))
        placed.append(_Placed(operand, axes if axes else None))
    return placed


def _vanish(axes: Sequence[tuple[int, Axis]], columns: list[int], *, in_order: bool) -> dict[int, tuple[int, Axis]]:
    """Columns of an operand's summed axes: with the equally long ones of earlier operands, or simply in order.

    `columns` holds the length of each column so far and is extended.
    """
    out: dict[int, tuple[int, Axis]] = {}
    for order, (k, axis) in enumerate(axes):
        free = [c for c, length in enumerate(columns) if -1 - c not in out and (in_order or length == axis.length)]
        column = order if order in free else min(free, default=len(columns))
        if column == len(columns):
            columns.append(axis.length)
        out[-1 - column] = (k, axis)
    return out


def _failing(broadcast: Broadcast, drawn: Sequence[dict[int, tuple[int, Axis]]], keys: Sequence[int]) -> set[int]:
    """The columns in which an operation that raised has lengths that disagree, or is known to have failed.

    A value that does not fit what it is assigned to disagrees with the selection, not with another operand.
    """
    result = broadcast.result_shape
    if result is not None:
        misfits = {
            key for axes in drawn for key, (_, axis) in axes.items() if key >= 0 and axis.length not in (1, result[key])
        }
        return misfits if broadcast.kind in ALIGNED else set()
    failing = set() if broadcast.kind == "contract" or broadcast.failing_axis is None else {broadcast.failing_axis}
    for key in keys:
        lengths = {axes[key][1].length for axes in drawn if key in axes}
        if len(lengths - {1} if key >= 0 else lengths) > 1:
            failing.add(key)
    return failing


# ---------------------------------------------------------------- rows


def _operand_row(
    broadcast: Broadcast,
    this: _Placed,
    placed: Sequence[_Placed],
    keys: Sequence[int],
    failing: set[int],
    stretch_mark: Mark | None,
    finding: bool,
) -> Row:
    operand, axes, result = this.operand, this.axes, broadcast.result_shape
    if axes is None:
        return Row(operand.name, False, (), shape_text(operand.shape))
    cells: list[Cell | None] = []
    for key in keys:
        if key not in axes:
            grows = key >= 0 and broadcast.kind in ALIGNED and result is not None and result[key] != 1
            cells.append(Cell(None, (result[key],), stretch_mark) if grows and result is not None else Cell(None))
            continue
        axis = axes[key][1]
        mark: Mark | None = None
        if key in failing and (axis.length != 1 or key < 0):
            mark = "fails"
        elif finding and axis.crossed:
            mark = "accident"
        elif axis.stretched_to is not None and axis.length == 1:
            mark = stretch_mark
        becomes = None if axis.stretched_to is None or mark == "fails" else (axis.stretched_to,)
        cells.append(Cell((axis.length,), becomes, mark))
    notes = _operand_notes(this, placed, keys)
    if len(axes) < len(operand.axes):
        notes = (f"shape {shape_text(operand.shape)}", *notes)
    return Row(operand.name, False, tuple(cells), None, notes)


def _operand_notes(this: _Placed, placed: Sequence[_Placed], keys: Sequence[int]) -> tuple[str, ...]:
    """Why each stretched 1 is 1, and which axis each crossed one met."""
    assert this.axes is not None
    notes = []
    for key in keys:
        if key not in this.axes:
            continue
        axis = this.axes[key][1]
        if axis.crossed:
            names = (p.axes[key][1].name for p in placed if p is not this and p.axes is not None and key in p.axes)
            met = next((name for name in names if name and name != axis.name), None)
            notes.append(f"{axis.name or 'an axis'} meets {met or 'another axis of the same origin'}")
        elif axis.stretched_to is not None and axis.length == 1 and axis.reason:
            notes.append(f"1 comes from {axis.reason}")
    return tuple(dict.fromkeys(notes))


def _result_row(broadcast: Broadcast, keys: Sequence[int], failing: set[int]) -> Row:
    label, result = _RESULT_LABEL.get(broadcast.kind, "result"), broadcast.result_shape
    if result is None:
        verb = "broadcast" if broadcast.kind in ALIGNED else "contracted" if broadcast.kind == "contract" else "made"
        return Row("result", True, (), f"cannot be {verb}")
    if not result:
        return Row(label, True, (), "scalar")
    notes: tuple[str, ...] = ()
    if failing:
        notes = ("the value cannot be broadcast into it",)
    elif broadcast.growth > 1 and broadcast.kind in ALIGNED:
        sizes = {prod(operand.shape) for operand in broadcast.operands}
        whose = "either operand" if len(broadcast.operands) == 2 and len(sizes) == 1 else "the largest operand"
        notes = (f"{times_text(broadcast.growth)} the elements of {whose}",)
    cells = (Cell((result[key],), None, "fails" if key in failing else None) if key >= 0 else None for key in keys)
    return Row(label, True, tuple(cells), None, notes)


# ---------------------------------------------------------------- names of columns


def _informative(placed: Sequence[_Placed]) -> list[bool]:
    """For each named axis: whether its name says more than which axis of its own operand it is."""
    return [
        axis.name != f"{p.operand.name} axis {k}"
        for p in placed
        if p.axes is not None
        for k, axis in p.axes.values()
        if axis.name is not None and axis.length != 1
    ]


def _column_name(placed: Sequence[_Placed], key: int) -> str | None:
    """Where the axis comes from, in the words of the operands that have it at full length and rightly."""
    axes = [p.axes[key][1] for p in placed if p.axes is not None and key in p.axes]
    names = dict.fromkeys(axis.name for axis in axes if axis.name and axis.length != 1 and not axis.crossed)
    return " / ".join(names) or None


# ---------------------------------------------------------------- many axes


def _alike(a: Cell | None, b: Cell | None) -> bool:
    """True if two neighbouring cells can be drawn as one: both plain, or both missing and treated alike."""
    if a is None or b is None:
        return a is b
    if a.lengths is None or b.lengths is None:
        return a.lengths is b.lengths and (a.stretched_to is None) == (b.stretched_to is None) and a.mark == b.mark
    return a.stretched_to is None and b.stretched_to is None and a.mark is None and b.mark is None


def _joined(cells: Sequence[Cell | None]) -> Cell | None:
    known = [cell for cell in cells if cell is not None]
    if not known:
        return None
    first = known[0]
    lengths = None if first.lengths is None else tuple(itertools.chain(*(cell.lengths or () for cell in known)))
    stretched = first.stretched_to and tuple(itertools.chain(*(cell.stretched_to or () for cell in known)))
    return Cell(lengths, stretched, first.mark)


def _folded(columns: Sequence[Column], rows: Sequence[Row]) -> tuple[list[Column], list[Row]]:
    """The same columns with each run of neighbours in which nothing happens folded into one."""
    runs: list[list[int]] = []
    for index, column in enumerate(columns):
        previous = runs[-1][-1] if runs else None
        if (
            previous is not None
            and bool(column.axes) == bool(columns[previous].axes)
            and all(_alike(row.cells[previous], row.cells[index]) for row in rows if row.cells)
        ):
            runs[-1].append(index)
        else:
            runs.append([index])
    out = []
    for run in runs:
        names = [columns[i].name for i in run]
        name = " × ".join(name or "?" for name in names) if any(names) else None
        out.append(Column(tuple(itertools.chain(*(columns[i].axes for i in run))), name))
    folded = [
        Row(row.label, row.result, tuple(_joined([row.cells[i] for i in run]) for run in runs), row.text, row.notes)
        if row.cells
        else row
        for row in rows
    ]
    return out, folded
