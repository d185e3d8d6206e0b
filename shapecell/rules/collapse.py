"""A scalar that was reduced over an axis which the other operand still has."""

from __future__ import annotations

from shapecell.rules.base import Rule, Scene, Verdict, is_additive, shape_text
from shapecell.tracking.axes import Atom, related
from shapecell.tracking.operation import Contract, Elementwise, Reduce
from shapecell.tracking.tracker import Group


def _summed(scene: Scene, operand: int) -> bool:
    """True if a sum (not a mean, a maximum or a logsumexp) made `operand`."""
    reductions = [g.operation.meaning for g in scene.ancestry(operand, 6) if isinstance(g.operation.meaning, Reduce)]
    return bool(reductions) and isinstance(reductions[0], Reduce) and reductions[0].statistic == "sum"


def _made_from(scene: Scene, operand: int, other: int) -> bool:
    """True if `operand` was reduced from `other` itself: ``x - x.sum()``."""
    producers = {id(group) for group in scene.producers(other)}
    if producers:
        return any(id(group) in producers for group in scene.ancestry(operand, 8))
    atoms = {atom for axis in scene.layouts[other].axes for atom in axis.atoms}
    return bool(atoms & scene.layouts[operand].gone)


def judge_collapse(scene: Scene) -> Verdict | None:
    """SC202: see the rule's text."""
    matches = scene.outcome.notes.get("gone_match")
    if not isinstance(scene.meaning, Elementwise) or not isinstance(matches, tuple) or not is_additive(scene.group):
        return None
    for operand, position, _ in matches:
        others = [i for i in range(len(scene.shapes)) if i != operand and len(scene.shapes[i]) == 1]
        if scene.shapes[operand] != () or not others or not _summed(scene, operand):
            continue
        other = others[0]
        if _made_from(scene, operand, other):
            continue
        axis = scene.axis(other, position)
        along = (axis.name() if axis is not None else None) or f"axis {position} of {scene.names[other]}"
        per_sample = bool(scene.layouts[other].gone)
        return Verdict(
            "high" if per_sample else "medium",
            f"{scene.names[operand]} is one number, summed over {along} too, and is added to every element of "
            f"{scene.names[other]} {shape_text(scene.shapes[other])}, which runs along that axis",
            "The sum probably forgot its axis: the total of all elements is added to each of them.",
        )
    return None


def judge_inner(scene: Scene) -> Verdict | None:
    """SC203: see the rule's text."""
    if not isinstance(scene.meaning, Elementwise) or not is_additive(scene.group):
        return None
    for operand, shape in enumerate(scene.shapes):
        others = [i for i in range(len(scene.shapes)) if i != operand and len(scene.shapes[i]) >= 2]
        if shape != () or not others:
            continue
        target = scene.shapes[others[0]]
        for group in scene.producers(operand):
            shapes = group.operation.shapes
            if not isinstance(group.operation.meaning, Contract) or len(shapes) != 2:
                continue
            if any(len(s) != 1 for s in shapes) or target[-2:] != (shapes[0][0], shapes[1][0]):
                continue
            layouts = group.outcomes[0][0]
            if layouts[0] != layouts[1]:
                continue
            return Verdict(
                "high",
                f"an inner product, one number, is added to every element of {scene.names[others[0]]} "
                f"{shape_text(target)}",
                f"The product of two flat vectors {shape_text(shapes[0])} is a number; transposing a flat vector does "
                "nothing. The matrix has the shape of their outer product, which was probably meant.",
            )
    return None


def _norm(group: Group, depth: int = 4) -> Group | None:
    """The reduction that made a flat vector, with only elementwise steps behind it."""
    level = [group]
    for _ in range(depth):
        for candidate in level:
            if isinstance(candidate.operation.meaning, Reduce):
                return candidate
        level = [
            producer
            for candidate in level
            if isinstance(candidate.operation.meaning, Elementwise)
            for producers in candidate.producers
            for producer in producers
        ]
    return None


def _summed_axes(group: Group) -> list[Atom]:
    """The axes that a reduction or contraction summed away."""
    if not group.outcomes:
        return []
    notes = group.outcomes[0][1].notes
    reduced, summed = notes.get("reduced", ()), notes.get("summed", ())
    atoms: list[Atom] = []
    for axis in reduced if isinstance(reduced, tuple) else ():
        atoms.extend(axis.atoms)
    for some in summed if isinstance(summed, tuple) else ():
        atoms.extend(some)
    return atoms


def judge_norms(scene: Scene) -> Verdict | None:
    """SC204: see the rule's text."""
    if not is_additive(scene.group) or sorted(map(len, scene.shapes)) != [1, 2]:
        return None
    flat = 0 if len(scene.shapes[0]) == 1 else 1
    products = [
        group
        for group in scene.ancestry(1 - flat, 3)
        if isinstance(group.operation.meaning, Contract) and [len(s) for s in group.operation.shapes] == [2, 2]
    ]
    if not products:
        return None
    inner = _summed_axes(products[0])
    for total in scene.producers(flat):
        if not is_additive(total) or [len(s) for s in total.operation.shapes] != [1, 1]:
            continue
        norms = [_norm(next(iter(producers))) if producers else None for producers in total.producers]
        if any(norm is None for norm in norms) or norms[0] is norms[1]:
            continue
        over = [_summed_axes(norm) for norm in norms if norm is not None]
        if all(any(related(a, b) for a in atoms for b in inner) for atoms in over):
            first, second = (total.site.operand_name(i, i) or f"operand {i + 1}" for i in (0, 1))
            new = ".unsqueeze(1)" if scene.group.adapter == "torch" else "[:, None]"
            return Verdict(
                "high",
                f"{first} and {second} are one number for each row of either side of a product, but both lie along "
                f"axis 1 of {scene.names[1 - flat]} {shape_text(scene.shapes[1 - flat])}",
                "In a table of all pairs the numbers of the left side belong to its rows, as a column. Added as two "
                "flat vectors they pair up row by row, and the table is wrong except on its diagonal.",
                (f"{first}{new} + {second}",),
            )
    return None


COLLAPSE = Rule(
    code="SC202",
    title="A sum forgot its axis",
    severity="high where the other operand is a sum for each sample; medium otherwise",
    why=(
        "A term for each sample plus a term summed over the whole batch: the batch's total is added to every sample. "
        "Nothing raises, and the balance of the terms depends on the batch size."
    ),
    remedy="Give the sum its axis, so that both terms have one value for each sample.",
    silent=(
        "The scalar comes from something without that axis (a weight penalty), is a mean, a maximum or a logsumexp, "
        "or was reduced from the other operand itself (x - x.sum())."
    ),
    example="""\
import numpy as np
x = np.ones((16, 5))
reconstruction = x * 0.9
error = ((reconstruction - x) ** 2).sum()
penalty = np.abs(x).sum(axis=1)
cost = (error + penalty).mean()
""",
    twin="""\
import numpy as np
x = np.ones((16, 5))
weights = np.ones(5)
error = ((x * 0.9 - x) ** 2).sum(axis=1)
cost = (error + (weights ** 2).sum()).mean()
""",
    judge=judge_collapse,
)

INNER = Rule(
    code="SC203",
    title="An inner product where an outer product was meant",
    severity="high",
    why="The transpose of a flat vector is itself: np.dot(v, v.T) is a number, and is added to a whole matrix.",
    remedy="Use np.outer(v, v), or v[:, None] * v.",
    silent="The number comes from two different vectors, or the matrix does not have the shape of their outer product.",
    example="""\
import numpy as np
scatter = np.zeros((5, 5))
for sample in np.arange(20.0).reshape(4, 5):
    scatter += np.dot(sample, sample.T)
""",
    twin="""\
import numpy as np
scatter = np.zeros((5, 5))
for sample in np.arange(20.0).reshape(4, 5):
    scatter += np.outer(sample, sample)
""",
    judge=judge_inner,
)

NORMS = Rule(
    code="SC204",
    title="Both vectors of a table of pairs lie along one axis",
    severity="high",
    why=(
        "In |a|² + |b|² - 2ab the norms of a belong to the rows of the table and those of b to its columns. With as "
        "many rows as columns two flat vectors can be added first: the distances are wrong, and nothing raises."
    ),
    remedy="Write the first one as a column: a[:, None] + b - 2 * x @ y.T.",
    silent="One of them is a column, or the vectors were not reduced over the axis that the product sums.",
    example="""\
import numpy as np
x, y = np.ones((6, 3)), np.zeros((6, 3))
a, b = (x ** 2).sum(axis=1), (y ** 2).sum(axis=1)
distance = a + b - 2 * x @ y.T
""",
    twin="""\
import numpy as np
x, y = np.ones((6, 3)), np.zeros((6, 3))
a, b = (x ** 2).sum(axis=1), (y ** 2).sum(axis=1)
distance = a[:, None] + b - 2 * x @ y.T
""",
    judge=judge_norms,
)
