"""Losses that compare pairs, with what torch itself does when the shapes differ; and losses of class targets."""

from __future__ import annotations

from typing import Literal

from shapecell.adapters.torch.call import Call, Describe
from shapecell.tracking.operation import Kept, Loss, Map, Meaning, Reduce

Says = Literal["warns", "raises", "silent"]
Reduction = Literal["mean", "sum", "none"]

SAYS: dict[str, Says] = {
    "mse_loss": "warns", "l1_loss": "warns", "smooth_l1_loss": "warns", "huber_loss": "warns", "kl_div": "warns",
    "poisson_nll_loss": "silent", "gaussian_nll_loss": "silent", "hinge_embedding_loss": "silent",
    "binary_cross_entropy": "raises", "binary_cross_entropy_with_logits": "raises", "soft_margin_loss": "raises",
    "multilabel_soft_margin_loss": "silent",
}  # fmt: skip

CLASSES = """
    cross_entropy nll_loss ctc_loss triplet_margin_loss triplet_margin_with_distance_loss multi_margin_loss
    multilabel_margin_loss
"""


def _reduction(call: Call) -> Reduction:
    """The reduction in force; the old `size_average` and `reduce` have the last word, as in torch."""
    average, reduce = call.kwargs.get("size_average"), call.kwargs.get("reduce")
    if average is not None or reduce is not None:
        if reduce is False:
            return "none"
        return "sum" if average is False else "mean"
    given = call.kwargs.get("reduction", "mean")
    return given if given in ("sum", "none") else "mean"


def _loss(call: Call) -> Meaning | None:
    return Loss(_reduction(call), SAYS[call.base])


def _ranking(call: Call) -> Meaning | None:
    """``margin_ranking_loss``: all three operands are to have one shape; torch raises only if their ranks differ."""
    return Loss(_reduction(call), "raises" if len(set(map(len, call.shapes))) > 1 else "silent")


def _embeddings(call: Call) -> Meaning | None:
    """``cosine_embedding_loss``: two tables of vectors, and one target for each pair of rows."""
    reduction = _reduction(call)
    return Loss(reduction, "silent") if reduction != "none" else Map(tuple(Kept(0, i) for i in range(call.rank - 1)))


def _classes(call: Call) -> Meaning | None:
    """Class targets: the loss of each sample where nothing is reduced, else one number."""
    if _reduction(call) != "none" or not call.result:
        return Reduce(tuple(range(call.rank)), False, _reduction(call))
    target = 1 if len(call.shapes) > 1 and call.shapes[1] == call.result else 0
    return Map(tuple(Kept(target, axis) for axis in range(len(call.result)))) if target else None


TABLE: dict[str, Describe] = {
    **dict.fromkeys(SAYS, _loss),
    "margin_ranking_loss": _ranking, "cosine_embedding_loss": _embeddings,
    **dict.fromkeys(CLASSES.split(), _classes),
}  # fmt: skip
"""Describing functions by base name."""
