"""Measures of labels: functions of the confusion matrix, true classes in rows.

Every function takes cells ``[..., K, K]`` and the index of the positive class, and returns ``[...]``, so that a
bootstrap of thousands of replicates is one call. A quotient 0/0 is NaN: undefined, never a silent 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text, label
from bakeoff._core.validation import FloatArray
from bakeoff.counts import CELLS
from bakeoff.measures._measure import Measure, Trait
from bakeoff.measures._other import outcome_share

Positive = int | None
RIGHT_OR_WRONG = frozenset({Trait.RIGHT_OR_WRONG})
CellFunction = Callable[[FloatArray, Positive], FloatArray]
CountFunction = Callable[[FloatArray, Positive], tuple[FloatArray, FloatArray]]  # → successes, trials


def ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """Divide; NaN for 0/0, infinity for a positive number over 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.divide(numerator, denominator), dtype=np.float64)


def _total(cells: FloatArray) -> FloatArray:
    return np.asarray(cells.sum(axis=(-2, -1)))


def _right(cells: FloatArray) -> FloatArray:
    return np.asarray(np.trace(cells, axis1=-2, axis2=-1))


def _parts(cells: FloatArray, positive: Positive) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """TP, FN, FP, TN; several classes: the positive one against the rest."""
    p = _index(positive)
    tp = cells[..., p, p]
    fn = cells[..., p, :].sum(axis=-1) - tp
    fp = cells[..., :, p].sum(axis=-1) - tp
    return tp, fn, fp, _total(cells) - tp - fn - fp


def _index(positive: Positive) -> int:
    if positive is None:
        raise ParameterError("this measure needs a positive class.", hint="name it with pos_label=")
    return positive


# -- proportions: (successes, trials) --------------------------------------------------------------------------------


def _accuracy(cells: FloatArray, positive: Positive) -> tuple[FloatArray, FloatArray]:
    return _right(cells), _total(cells)


def _error(cells: FloatArray, positive: Positive) -> tuple[FloatArray, FloatArray]:
    return _total(cells) - _right(cells), _total(cells)


def _share(hits: str, others: str) -> CountFunction:
    """Successes and trials from two of the counts TP, FN, FP and TN: precision is TP of TP and FP."""
    hit, other = (("tp", "fn", "fp", "tn").index(name) for name in (hits, others))

    def counts(cells: FloatArray, positive: Positive) -> tuple[FloatArray, FloatArray]:
        parts = _parts(cells, positive)
        return parts[hit], parts[hit] + parts[other]

    return counts


_recall, _specificity, _fpr, _fnr = _share("tp", "fn"), _share("tn", "fp"), _share("fp", "tn"), _share("fn", "tp")


def _proportion(
    name: str,
    counts: CountFunction,
    meaning: str,
    undefined_when: str,
    *,
    greater: bool = True,
    positive: bool = True,
    **more: Any,
) -> Measure:
    def value(cells: FloatArray, index: Positive) -> FloatArray:
        return ratio(*counts(cells, index))

    return Measure(
        name, greater, (0.0, 1.0), "labels", meaning, undefined_when,
        form=CELLS, value=value, share=counts, needs_positive=positive, limits=("wilson",), link="logit", **more,
    )  # fmt: skip


# -- functions of several rates --------------------------------------------------------------------------------------


def balanced_accuracy(cells: FloatArray, positive: Positive) -> FloatArray:
    """Mean recall over the classes that occur in the truth."""
    return averaged("recall", by_frequency=False)(cells, positive)


def g_mean(cells: FloatArray, positive: Positive) -> FloatArray:
    """Geometric mean of the recalls of all classes."""
    return np.asarray(np.prod(_per_class("recall", cells), axis=-1) ** (1.0 / cells.shape[-1]))


def f_beta_of(beta: float) -> CellFunction:
    """Fβ = (1+β²)TP / ((1+β²)TP + β²FN + FP): defined (0) for a class that is never predicted."""

    def function(cells: FloatArray, positive: Positive) -> FloatArray:
        tp, fn, fp, _ = _parts(cells, positive)
        weighted = (1 + beta**2) * tp
        return ratio(weighted, weighted + beta**2 * fn + fp)

    return function


def jaccard(cells: FloatArray, positive: Positive) -> FloatArray:
    """TP / (TP + FN + FP)."""
    tp, fn, fp, _ = _parts(cells, positive)
    return ratio(tp, tp + fn + fp)


def mcc(cells: FloatArray, positive: Positive) -> FloatArray:
    """Matthews correlation; several classes: Gorodkin's R_K."""
    rows, columns, total = cells.sum(axis=-1), cells.sum(axis=-2), _total(cells)
    covariance = _right(cells) * total - (rows * columns).sum(axis=-1)
    spreads = [total**2 - (sizes**2).sum(axis=-1) for sizes in (rows, columns)]
    # One class only, or one answer: what rounding leaves of its spread is none.
    spread = np.prod([np.where(s > 1e-12 * total**2, s, 0.0) for s in spreads], axis=0)
    return np.where(spread > 0, ratio(covariance, np.sqrt(spread)), np.nan)


def kappa_with(power: int) -> CellFunction:
    """κ = (P_o − P_c)/(1 − P_c) with disagreement weights |i − j|^power; power 0 counts every disagreement alike."""

    def function(cells: FloatArray, positive: Positive) -> FloatArray:
        k = cells.shape[-1]
        steps = np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)
        disagreement = (steps > 0).astype(np.float64) if power == 0 else steps**power
        chance = cells.sum(axis=-1)[..., :, None] * cells.sum(axis=-2)[..., None, :]
        observed = (disagreement * cells).sum(axis=(-2, -1)) * _total(cells)
        return 1.0 - ratio(observed, (disagreement * chance).sum(axis=(-2, -1)))

    return function


def lr_positive(cells: FloatArray, positive: Positive) -> FloatArray:
    """TPR / FPR; infinite when there is no false alarm."""
    return ratio(ratio(*_recall(cells, positive)), ratio(*_fpr(cells, positive)))


def lr_negative(cells: FloatArray, positive: Positive) -> FloatArray:
    """FNR / TNR."""
    return ratio(ratio(*_fnr(cells, positive)), ratio(*_specificity(cells, positive)))


# -- averages over classes -------------------------------------------------------------------------------------------


def _per_class(kind: str, cells: FloatArray) -> FloatArray:
    hits = np.diagonal(cells, axis1=-2, axis2=-1)
    support, called = cells.sum(axis=-1), cells.sum(axis=-2)
    denominators = {"precision": called, "recall": support, "f1": (support + called) / 2}
    return ratio(hits, denominators[kind])


def averaged(kind: str, *, by_frequency: bool) -> CellFunction:
    """Mean over the classes that occur in the truth: plain, as for balanced accuracy, or by how often each occurs."""

    def function(cells: FloatArray, positive: Positive) -> FloatArray:
        support = cells.sum(axis=-1)
        weight = support if by_frequency else (support > 0).astype(np.float64)
        values = np.where(support > 0, _per_class(kind, cells), 0.0)
        return ratio((values * weight).sum(axis=-1), weight.sum(axis=-1))

    return function


_CLASS_MEANING = {
    "precision": "of the rows called a class, the share that are of it",
    "recall": "of the rows of a class, the share that were found",
    "f1": "harmonic mean of precision and recall of a class",
}
_CLASS_UNDEFINED = {
    "precision": "a class is never predicted",
    "recall": "a predicted class never occurs in the truth",
    "f1": "there are no rows",
}


def _averaged(kind: str) -> list[Measure]:
    what, undefined = _CLASS_MEANING[kind], _CLASS_UNDEFINED[kind]

    def mean(how: str, meaning: str, *, by_frequency: bool) -> Measure:
        return Measure(
            f"{kind}_{how}", True, (0.0, 1.0), "labels", f"{what}; {meaning}", undefined, form=CELLS, link="logit",
            value=averaged(kind, by_frequency=by_frequency), label=_averaged_label(kind, how),
        )  # fmt: skip

    # With one label per row, counts pooled over classes give the same number for all three: the accuracy.
    micro = _proportion(
        f"{kind}_micro", _accuracy, f"{what}; counts pooled over classes (equals accuracy)", "there are no rows",
        positive=False, label=_averaged_label(kind, "micro"),
    )  # fmt: skip
    plain, weighted = ("macro", "plain mean over classes"), ("weighted", "mean over classes by their frequency")
    return [mean(*plain, by_frequency=False), micro, mean(*weighted, by_frequency=True)]


def _averaged_label(kind: str, how: str) -> Text:
    return Text("{measure} ({average})", measure=label("F1" if kind == "f1" else kind), average=label(how))


# -- costs -----------------------------------------------------------------------------------------------------------


def expected_cost(cost_matrix: ArrayLike | None = None, priors: Sequence[float] | None = None) -> Measure:
    """Mean cost of a case, for a cost matrix and (optionally) class priors other than the sample's.

    Parameters
    ----------
    cost_matrix
        ``[K, K]``, true classes in rows, predicted classes in columns, in class order; by default every error costs 1.
    priors
        Proportion of each class where the model will be used; by default as in the data.

    Examples
    --------
    Always calling the cancer costs 9.90 € a case when one in a hundred has it, a false alarm costs 10 € and a missed
    cancer 10 000 €:

    >>> import bakeoff
    >>> cost = bakeoff.measures.expected_cost([[0, 10], [10_000, 0]], priors=[0.99, 0.01])
    >>> round(cost([0, 0, 1, 1], [1, 1, 1, 1]), 2)
    9.9
    """
    costs = None if cost_matrix is None else _checked_costs(cost_matrix)
    prior = None if priors is None else _checked_priors(priors, costs)

    def function(cells: FloatArray, positive: Positive) -> FloatArray:
        k = cells.shape[-1]
        matrix = 1.0 - np.eye(k) if costs is None else costs
        if matrix.shape[0] != k or (prior is not None and prior.size != k):
            raise ParameterError(
                f"the cost matrix is for {matrix.shape[0]} classes, but the data has {k}.",
                hint="rows and columns follow the classes in sorted order, or in the order of classes=",
            )
        if prior is None:
            return ratio((cells * matrix).sum(axis=(-2, -1)), _total(cells))
        per_class = ratio((cells * matrix).sum(axis=-1), cells.sum(axis=-1))
        return np.asarray(np.where(prior > 0, per_class * prior, 0.0).sum(axis=-1))

    low, high = (0.0, 1.0) if costs is None else (float(costs.min()), float(costs.max()))
    return Measure(
        "expected_cost", False, (low, high), "labels",
        "mean cost of a case, for a cost matrix and class priors",
        "a class that the priors count on does not occur", form=CELLS, value=function,
    )  # fmt: skip


def _checked_costs(cost_matrix: ArrayLike) -> FloatArray:
    costs: Any = np.asarray(cost_matrix, dtype=np.float64)
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1]:
        raise ParameterError(f"cost_matrix must be square, true classes in rows. Got shape {costs.shape}.")
    if not np.isfinite(costs).all():
        raise ParameterError("cost_matrix must be finite numbers.")
    return np.asarray(costs, dtype=np.float64)


def _checked_priors(priors: Sequence[float], costs: FloatArray | None) -> FloatArray:
    prior = np.asarray(priors, dtype=np.float64)
    if prior.ndim != 1 or (prior < 0).any() or abs(prior.sum() - 1) > 1e-6:
        raise ParameterError(f"priors must be proportions that sum to 1. Got {list(priors)}.")
    if costs is not None and prior.size != costs.shape[0]:
        raise ParameterError(f"priors must have one value per class ({costs.shape[0]}). Got {prior.size}.")
    return prior


def f_beta(beta: float) -> Measure:
    """Fβ: recall counts β times as much as precision.

    Examples
    --------
    >>> import bakeoff
    >>> f2 = bakeoff.measures.f_beta(2)
    >>> round(f2([1, 1, 1, 0], [1, 0, 0, 0]), 4)
    0.3846
    """
    if not beta > 0:
        raise ParameterError(f"beta must be positive. Got {beta!r}.")
    return Measure(
        f"f_{beta:g}", True, (0.0, 1.0), "labels",
        f"precision and recall in one, recall weighing {beta:g} times as much",
        "there are no positives, neither true nor predicted", form=CELLS, value=f_beta_of(beta), needs_positive=True,
        link="logit", label=label(f"F{beta:g}"),
    )  # fmt: skip


_NO_POSITIVES = "there are no positives"
_NO_NEGATIVES = "there are no negatives"

MEASURES: tuple[Measure, ...] = (
    _proportion(
        "accuracy", _accuracy, "share of right answers", "there are no rows", positive=False, traits=RIGHT_OR_WRONG,
        within="all",
        outcomes=outcome_share("accuracy", "share of items solved", greater=True),
        loss=("error", lambda error: 1.0 - error),
    ),
    _proportion(
        "error", _error, "share of wrong answers", "there are no rows", greater=False, positive=False,
        traits=RIGHT_OR_WRONG, within="all",
        outcomes=outcome_share("error", "share of items not solved", greater=False),
        loss=("error", lambda error: error),
    ),
    Measure(
        "balanced_accuracy", True, (0.0, 1.0), "labels", "mean recall over classes: each class counts the same",
        "there are no rows", form=CELLS, value=balanced_accuracy, link="logit",
    ),
    Measure(
        "kappa", True, (-1.0, 1.0), "labels", "agreement beyond chance: (P_o − P_c)/(1 − P_c)",
        "truth and predictions are all one class, so agreement by chance is certain", form=CELLS, value=kappa_with(0),
        link="fisher",
    ),
    Measure(
        "kappa_linear", True, (-1.0, 1.0), "labels", "agreement beyond chance for ordered classes, by steps apart",
        "truth and predictions are all one class, so agreement by chance is certain", form=CELLS, value=kappa_with(1),
        link="fisher",
    ),
    Measure(
        "kappa_quadratic", True, (-1.0, 1.0), "labels", "agreement beyond chance for ordered classes, by squared steps",
        "truth and predictions are all one class, so agreement by chance is certain", form=CELLS, value=kappa_with(2),
        link="fisher",
    ),
    Measure(
        "mcc", True, (-1.0, 1.0), "labels", "correlation of truth and prediction (Matthews)",
        "the truth or the predictions are all one class", form=CELLS, value=mcc,
        link="fisher", label=label("MCC"),
    ),
    _proportion(
        "precision", _share("tp", "fp"), "of rows called positive, the share that are", "no row is predicted positive",
        traits=frozenset({Trait.PREDICTIVE}),
    ),
    _proportion(
        "recall", _recall, "of the positives, the share that were found (TPR, sensitivity)", _NO_POSITIVES,
        within="positive",
    ),
    _proportion(
        "specificity", _specificity, "of the negatives, the share called negative (TNR)", _NO_NEGATIVES,
        within="negative",
    ),
    _proportion(
        "fpr", _fpr, "of the negatives, the share called positive", _NO_NEGATIVES, greater=False, label=label("FPR"),
        within="negative",
    ),
    _proportion(
        "fnr", _fnr, "of the positives, the share missed", _NO_POSITIVES, greater=False, label=label("FNR"),
        within="positive",
    ),
    _proportion(
        "npv", _share("tn", "fn"), "of the rows called negative, the share that are", "no row is predicted negative",
        label=label("NPV"), traits=frozenset({Trait.PREDICTIVE}),
    ),
    Measure(
        "f1", True, (0.0, 1.0), "labels", "harmonic mean of precision and recall",
        "there are no positives, neither true nor predicted", form=CELLS, value=f_beta_of(1.0), needs_positive=True,
        link="logit", label=label("F1"),
    ),
    Measure(
        "jaccard", True, (0.0, 1.0), "labels", "true positives over everything that is or was called positive",
        "there are no positives, neither true nor predicted", form=CELLS, value=jaccard, needs_positive=True,
        link="logit",
    ),
    Measure(
        "g_mean", True, (0.0, 1.0), "labels", "geometric mean of the recalls: zero if one class is never found",
        "a class does not occur in the truth", form=CELLS, value=g_mean, link="logit", label=label("G-mean"),
    ),
    Measure(
        "lr_positive", True, (0.0, np.inf), "labels", "how many times a positive call multiplies the odds (TPR/FPR)",
        "there are no positives or no negatives, or nothing is called positive", form=CELLS, value=lr_positive,
        link="log", needs_positive=True,
    ),
    Measure(
        "lr_negative", False, (0.0, np.inf), "labels", "how many times a negative call multiplies the odds (FNR/TNR)",
        "there are no positives or no negatives, or nothing is called negative", form=CELLS, value=lr_negative,
        link="log", needs_positive=True,
    ),
    expected_cost(),
    *(measure for kind in ("precision", "recall", "f1") for measure in _averaged(kind)),
)  # fmt: skip
