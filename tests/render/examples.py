"""Reports built by hand, one for each thing that a picture must be able to show."""

from __future__ import annotations

from shapecell.model import Axis, Broadcast, Finding, Frame, Kind, Operand, Problem, Report, Shape, Site, Snapshot

CELL = "/tmp/ipykernel_77/1234.py"
LIBRARY = "/usr/lib/python3.12/site-packages/torch/distributions/normal.py"


def site(
    line: int,
    source: str,
    *,
    filename: str = CELL,
    function: str = "<module>",
    stack: tuple[Frame, ...] = (),
) -> Site:
    return Site(filename, line, line, 0, len(source), source, function, stack)


def operand(name: str, *axes: Axis) -> Operand:
    return Operand(name, tuple(axis.length for axis in axes), axes)


def operation(
    where: Site,
    operands: tuple[Operand, ...],
    result: Shape | None,
    *,
    name: str = "torch.sub",
    kind: Kind = "elementwise",
    growth: float = 1.0,
    count: int = 1,
    first: int = 1,
    last: int = 1,
    failing_axis: int | None = None,
    variants: tuple[tuple[Shape, ...], ...] = (),
) -> Broadcast:
    stretched = tuple(
        any(a.position == p and a.stretched_to is not None for o in operands for a in o.axes)
        for p in range(len(result or ()))
    )
    return Broadcast(
        name, name.split(".")[0], kind, operands, result, stretched, growth, where, count, first, last, failing_axis,
        variants,
    )  # fmt: skip


def report(*findings: Finding, broadcasts: tuple[Broadcast, ...] = (), operations: int = 41) -> Report:
    seen = (*(finding.broadcast for finding in findings), *broadcasts)
    return Report(Snapshot(findings=findings, broadcasts=seen, operations=operations, frameworks=("torch",)))


PAIRS = operation(
    site(2, "pred - y"),
    (
        operand(
            "pred",
            Axis(32, "x axis 0", position=0),
            Axis(1, "Linear(64→1) features", "Linear(out_features=1)", "incidental", 1, 32),
        ),
        operand("y", Axis(32, "y axis 0", position=1)),
    ),
    (32, 32),
    growth=32.0,
    count=5000,
    first=12,
    last=250_003,
    variants=(((7, 1), (7,)),),
)
PAIRS_FINDING = Finding(
    "SC101",
    "high",
    "both operands are stretched: 32 predictions against 32 targets become 32×32 pairs",
    "No part of the code asks for a table.",
    ("pred.squeeze(-1) - y", "pred - y.unsqueeze(1)"),
    PAIRS.site,
    PAIRS,
    5000,
)

CROSSED = operation(
    site(7, "x - x.mean(axis=1)", function="centre", stack=(Frame(CELL, 12, "<module>", "centre(x)"),)),
    (
        operand("x", Axis(6, "x axis 0", position=0), Axis(6, "x axis 1", position=1)),
        operand("x.mean(axis=1)", Axis(6, "x axis 0", position=1, crossed=True)),
    ),
    (6, 6),
    name="numpy.subtract",
    first=30,
    last=30,
)
CROSSED_FINDING = Finding(
    "SC201",
    "medium",
    "the axis of x.mean(axis=1) is x axis 0, but it meets x axis 1",
    "Both lengths are equal, so nothing raises.",
    ("x - x.mean(axis=1)[:, None]",),
    CROSSED.site,
    CROSSED,
    1,
)

FAILING = operation(
    site(9, "features * weights"),
    (
        operand("features", Axis(32, position=0), Axis(64, position=1)),
        operand("weights", Axis(32, position=1)),
    ),
    None,
    name="torch.mul",
    failing_axis=1,
)
FAILING_FINDING = Finding(
    "SC001",
    "high",
    "features (32, 64) and weights (32,) do not fit: axis -1 has 64 against 32",
    "Shapes are aligned from the right, and only a 1 can be stretched.",
    ("features * weights.unsqueeze(1)",),
    FAILING.site,
    FAILING,
    1,
)

PRODUCT = operation(
    site(10, "x @ w"),
    (
        operand("x", Axis(8, "batch", position=0), Axis(5, "feature")),
        operand("w", Axis(5, "feature"), Axis(3, "class", position=1)),
    ),
    (8, 3),
    name="torch.matmul",
    kind="contract",
)
FAILING_PRODUCT = operation(
    site(10, "x @ w"),
    (operand("x", Axis(8, position=0), Axis(5)), operand("w", Axis(4), Axis(3, position=1))),
    None,
    name="torch.matmul",
    kind="contract",
)

HIGH_RANK = operation(
    site(11, "attention_scores_of_the_second_decoder_layer + mask"),
    (
        operand(
            "attention_scores_of_the_second_decoder_layer",
            *(Axis(n, position=i) for i, n in enumerate((2, 3, 4, 5))),
            Axis(1, None, "unsqueeze", "explicit", 4, 6),
            Axis(7, position=5),
        ),
        operand("mask", Axis(6, position=4), Axis(7, position=5)),
    ),
    (2, 3, 4, 5, 6, 7),
    growth=6.0,
)

SCALED = operation(
    site(13, "a * t"), (operand("a", Axis(4, position=0)), operand("t")), (4,), name="numpy.multiply", count=3
)

ASSIGNED = operation(
    site(14, "target[:4] = v"),
    (
        operand("target", Axis(10), Axis(3)),
        operand("v", Axis(1, "v axis 0", "(N, 1) data", "incidental", 0, 4), Axis(3, position=1)),
    ),
    (4, 3),
    name="numpy.ndarray.__setitem__",
    kind="assign",
)

MISFIT = operation(
    site(15, "target[:4] = v"),
    (
        operand("target", Axis(10), Axis(3)),
        operand("v", Axis(5, position=0, stretched_to=4), Axis(1, position=1, stretched_to=3)),
    ),
    (4, 3),
    name="numpy.ndarray.__setitem__",
    kind="assign",
)
MISFIT_FINDING = Finding("SC001", "high", "it does not fit", "", (), MISFIT.site, MISFIT, 1)

INSIDE = operation(
    site(
        7,
        "Normal(mu, s).log_prob(y)",
        filename="/home/me/train.py",
        function="step",
        stack=(
            Frame("/home/me/train.py", 30, "<module>", "step(batch)"),
            Frame(LIBRARY, 85, "log_prob", "value - self.loc", True),
        ),
    ),
    (
        operand("value", Axis(64, position=1)),
        operand("self.loc", Axis(64, position=0), Axis(1, None, "(N, 1) data", "incidental", 1, 64)),
    ),
    (64, 64),
    growth=64.0,
)
INSIDE_FINDING = Finding("SC101", "low", "both operands are stretched into a table", "", (), INSIDE.site, INSIDE, 1)

EVERYTHING = Report(
    Snapshot(
        findings=(PAIRS_FINDING, FAILING_FINDING, CROSSED_FINDING, INSIDE_FINDING),
        broadcasts=(PAIRS, CROSSED, INSIDE, HIGH_RANK, SCALED, ASSIGNED),
        operations=250_041,
        problems=(Problem("hooking numpy", "AttributeError: no ufunc <b>", 3),),
        suppressed=(CROSSED_FINDING,),
        unrecorded=12,
        frameworks=("numpy", "torch"),
        source="import torch\nloss = ((pred - y) ** 2).mean()\n",
        source_hash="0" * 64,
    )
)
