"""torchmetrics: metrics updated batch by batch, at odd and at coinciding sizes, checked by hand where that is short."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torchmetrics as tm
import torchmetrics.clustering
import torchmetrics.functional as tmf

SIZES = {"odd": (13, 5), "equal": (8, 8)}


def _classes(metric: Callable[[int], Any]) -> Callable[[int, int], None]:
    def run(n: int, classes: int) -> None:
        m = metric(classes)
        for batch in (n, n, n - 3):
            probability = torch.randn(batch, classes).softmax(dim=-1)
            m.update(probability, torch.randint(0, classes, (batch,)))
        value = m.compute()
        assert torch.isfinite(value).all()

    return run


def _binary(metric: Callable[[], Any]) -> Callable[[int, int], None]:
    def run(n: int, _: int) -> None:
        m = metric()
        head = torch.nn.Linear(4, 1)
        for batch in (n, n, 1):
            chance = torch.sigmoid(head(torch.randn(batch, 4))).squeeze(-1)
            m.update(chance, torch.randint(0, 2, (batch,)))
        m.compute()

    return run


def _labels(metric: Callable[[int], Any]) -> Callable[[int, int], None]:
    def run(n: int, labels: int) -> None:
        m = metric(labels)
        for _ in range(2):
            m.update(torch.rand(n, labels), torch.randint(0, 2, (n, labels)))
        m.compute()

    return run


def _regression(metric: Callable[[], Any]) -> Callable[[int, int], None]:
    def run(n: int, features: int) -> None:
        m = metric()
        net = torch.nn.Linear(features, 1)
        for batch in (n, n - 2):
            x = torch.randn(batch, features)
            truth = x.sum(dim=1).abs() + 0.5
            m.update(net(x).squeeze(1).abs() + 0.5, truth)
        assert torch.isfinite(m.compute()).all()

    return run


def _outputs(metric: Callable[[int], Any]) -> Callable[[int, int], None]:
    def run(n: int, outputs: int) -> None:
        m = metric(outputs)
        for _ in range(2):
            truth = torch.randn(n, outputs)
            m.update(truth + 0.1 * torch.randn(n, outputs), truth)
        m.compute()

    return run


def _images(metric: Callable[[], Any]) -> Callable[[int, int], None]:
    def run(n: int, _: int) -> None:
        side = 16 if n == 8 else 15
        m = metric()
        clean = torch.rand(4, 3, side, side)
        noisy = (clean + 0.1 * torch.randn(4, 1, side, side)).clamp(0, 1)
        m.update(noisy, clean)
        m.compute()

    return run


def confusion_and_recall(n: int, classes: int) -> None:
    """Recall and precision per class from the confusion matrix."""
    guess, truth = torch.randint(0, classes, (4 * n,)), torch.randint(0, classes, (4 * n,))
    table = tm.ConfusionMatrix(task="multiclass", num_classes=classes)(guess, truth).float()
    recall = table.diag() / table.sum(dim=1).clamp(min=1)
    rows = table / table.sum(dim=1, keepdim=True).clamp(min=1)
    columns = table / table.sum(dim=0).clamp(min=1)
    expected = tmf.recall(guess, truth, task="multiclass", num_classes=classes, average="none")
    assert torch.allclose(recall, expected) and rows.shape == columns.shape


def pairwise(n: int, features: int) -> None:
    """All pairwise distances and similarities, and one by hand."""
    x, y = torch.randn(n, features), torch.randn(n - 2, features)
    far = tmf.pairwise_euclidean_distance(x, y)
    by_hand = ((x[:, None] - y[None]) ** 2).sum(-1).sqrt()
    assert torch.allclose(far, by_hand, atol=1e-4)
    tmf.pairwise_cosine_similarity(x, y)
    tmf.pairwise_manhattan_distance(x)
    tmf.pairwise_linear_similarity(x)


def signals(n: int, _: int) -> None:
    """Signal-to-noise ratios of a batch of clips."""
    clean = torch.randn(n, 64)
    noisy = clean + 0.2 * torch.randn(n, 64)
    ratio = tmf.signal_noise_ratio(noisy, clean, zero_mean=True)
    invariant = tm.ScaleInvariantSignalDistortionRatio()(noisy, clean)
    loss = -ratio.mean() + 0.1 * (ratio - ratio.mean()).pow(2).mean() - invariant
    assert torch.isfinite(loss)


def perplexity(n: int, words: int) -> None:
    """Perplexity of a language model with padding."""
    logits, target = torch.randn(n, 6, words), torch.randint(0, words, (n, 6))
    target[:, -1] = -100
    assert tmf.text.perplexity(logits, target, ignore_index=-100) > 0


def retrieval(n: int, _: int) -> None:
    """Retrieval metrics over queries."""
    queries = torch.arange(4 * n) // 4
    score, relevant = torch.rand(4 * n), torch.randint(0, 2, (4 * n,))
    for metric in (tm.retrieval.RetrievalMAP(), tm.retrieval.RetrievalNormalizedDCG(), tm.retrieval.RetrievalMRR()):
        metric.update(score, relevant, indexes=queries)
        metric.compute()


def clustering(n: int, groups: int) -> None:
    """Agreement of two clusterings, and the quality of one."""
    x, a, b = torch.randn(4 * n, 3), torch.arange(4 * n) % groups, torch.randint(0, groups, (4 * n,))
    tm.clustering.AdjustedRandScore()(a, b)
    tm.clustering.NormalizedMutualInfoScore()(a, b)
    tm.clustering.CalinskiHarabaszScore()(x, a)
    tm.clustering.DaviesBouldinScore()(x, a)


def collection(n: int, classes: int) -> None:
    """A collection over a loop of batches, with a running mean of the loss."""
    metrics = tm.MetricCollection(
        {
            "accuracy": tm.Accuracy(task="multiclass", num_classes=classes),
            "f1": tm.F1Score(task="multiclass", num_classes=classes, average="macro"),
        }
    )
    mean = tm.MeanMetric()
    for _ in range(3):
        logits, truth = torch.randn(n, classes), torch.randint(0, classes, (n,))
        metrics.update(logits, truth)
        each = torch.nn.functional.cross_entropy(logits, truth, reduction="none")
        mean.update(each, weight=torch.rand(n))
    metrics.compute()
    assert mean.compute() > 0


METRICS: list[tuple[str, Callable[[int, int], None]]] = [
    ("accuracy", _classes(lambda c: tm.Accuracy(task="multiclass", num_classes=c, average="macro"))),
    ("accuracy_top2", _classes(lambda c: tm.Accuracy(task="multiclass", num_classes=c, top_k=2))),
    ("auroc", _classes(lambda c: tm.AUROC(task="multiclass", num_classes=c))),
    ("auroc_binned", _classes(lambda c: tm.AUROC(task="multiclass", num_classes=c, thresholds=7))),
    ("average_precision", _classes(lambda c: tm.AveragePrecision(task="multiclass", num_classes=c))),
    ("calibration", _classes(lambda c: tm.CalibrationError(task="multiclass", num_classes=c, n_bins=5))),
    ("cohen_kappa", _classes(lambda c: tm.CohenKappa(task="multiclass", num_classes=c, weights="quadratic"))),
    ("f1", _classes(lambda c: tm.F1Score(task="multiclass", num_classes=c, average="weighted"))),
    ("hinge", _classes(lambda c: tm.HingeLoss(task="multiclass", num_classes=c))),
    ("jaccard", _classes(lambda c: tm.JaccardIndex(task="multiclass", num_classes=c))),
    ("matthews", _classes(lambda c: tm.MatthewsCorrCoef(task="multiclass", num_classes=c))),
    ("specificity", _classes(lambda c: tm.Specificity(task="multiclass", num_classes=c, average="macro"))),
    ("binary_accuracy", _binary(lambda: tm.Accuracy(task="binary"))),
    ("binary_auroc", _binary(lambda: tm.AUROC(task="binary", thresholds=11))),
    ("binary_pr_curve", _binary(lambda: tm.PrecisionRecallCurve(task="binary"))),
    ("binary_roc", _binary(lambda: tm.ROC(task="binary", thresholds=8))),
    ("multilabel_f1", _labels(lambda k: tm.F1Score(task="multilabel", num_labels=k))),
    ("multilabel_auroc", _labels(lambda k: tm.AUROC(task="multilabel", num_labels=k))),
    ("label_ranking", _labels(lambda k: tm.classification.MultilabelRankingLoss(num_labels=k))),
    ("coverage_error", _labels(lambda k: tm.classification.MultilabelCoverageError(num_labels=k))),
    ("mean_squared", _regression(tm.MeanSquaredError)),
    ("mean_absolute_percentage", _regression(tm.MeanAbsolutePercentageError)),
    ("log_cosh", _regression(tm.LogCoshError)),
    ("r2", _regression(tm.R2Score)),
    ("spearman", _regression(tm.SpearmanCorrCoef)),
    ("pearson", _regression(tm.PearsonCorrCoef)),
    ("kendall", _regression(tm.KendallRankCorrCoef)),
    ("tweedie", _regression(lambda: tm.TweedieDevianceScore(power=1.5))),
    ("r2_outputs", _outputs(lambda k: tm.R2Score(multioutput="raw_values"))),
    ("pearson_outputs", _outputs(lambda k: tm.PearsonCorrCoef(num_outputs=k))),
    ("concordance_outputs", _outputs(lambda k: tm.ConcordanceCorrCoef(num_outputs=k))),
    ("explained_variance", _outputs(lambda k: tm.ExplainedVariance(multioutput="uniform_average"))),
    ("cosine", _outputs(lambda k: tm.CosineSimilarity(reduction="mean"))),
    ("ssim", _images(lambda: tm.image.StructuralSimilarityIndexMeasure(data_range=1.0))),
    ("psnr", _images(lambda: tm.image.PeakSignalNoiseRatio(data_range=1.0))),
    ("spectral_angle", _images(tm.image.SpectralAngleMapper)),
    ("total_variation", lambda n, _: tm.image.TotalVariation()(torch.rand(n, 3, 9, 9)) and None),
    ("kl_divergence", _classes(lambda c: _Divergence())),
    ("confusion", confusion_and_recall),
    ("pairwise", pairwise),
    ("signals", signals),
    ("perplexity", perplexity),
    ("retrieval", retrieval),
    ("clustering", clustering),
    ("collection", collection),
]


class _Divergence:
    """KL divergence between the given distributions and one-sided smoothed labels."""

    def __init__(self) -> None:
        self.metric = tm.KLDivergence()

    def update(self, probability: torch.Tensor, label: torch.Tensor) -> None:
        smooth = torch.full_like(probability, 0.1 / probability.shape[1])
        smooth[torch.arange(len(label)), label] += 0.9
        smooth = smooth / smooth.sum(dim=1, keepdim=True)
        self.metric.update(smooth, probability)

    def compute(self) -> torch.Tensor:
        value = self.metric.compute()
        assert isinstance(value, torch.Tensor)
        return value


def _bind(run: Callable[[int, int], None], sizes: tuple[int, int]) -> Callable[[], None]:
    return lambda: run(*sizes)


EXAMPLES: list[tuple[str, Callable[[], object]]] = [
    (f"{name}.{size}", _bind(run, sizes)) for name, run in METRICS for size, sizes in SIZES.items()
]
