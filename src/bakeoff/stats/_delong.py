"""DeLong's inference for AUC: one model, two on the same instances, two on different ones, many."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Interval, Result
from bakeoff._core.validation import (
    BoolArray,
    FloatArray,
    as_binary_truth,
    check_alternative,
    check_choice,
    check_level,
)
from bakeoff.stats._auc_edge import mover_limits, newcombe_limits, unseen_difference
from bakeoff.stats._auc_variance import auc_covariance
from bakeoff.stats._score_input import as_binary_scores, as_score_vector, check_both_classes, check_no_nan

NEGLIGIBLE = 1e-20
"""A variance below this is rounding: AUCs are multiples of 1/(n⁺n⁻) and their variances far larger."""

_SINGLE_ROW = "A class has a single row (or cluster): the variance of an AUC cannot be estimated, and p is undefined."


@dataclass(frozen=True, repr=False)
class DeLongInterval(Result):
    """An AUC and its confidence interval.

    Attributes
    ----------
    estimate
        AUC.
    standard_error
        DeLong's; 0 for a perfect ranking (the interval is then not DeLong's, see the notes), NaN with one row of a
        class.
    low, high
        Confidence limits within [0, 1].
    confidence_level, method
        ``"logit"`` or ``"wald"`` as asked, or ``"newcombe"`` where DeLong's variance says nothing.
    notes
        Choices made and weaknesses seen.
    """

    estimate: float
    standard_error: float
    low: float
    high: float
    confidence_level: float = 0.95
    method: str = "logit"
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, repr=False)
class DeLongTest(Result):
    """Answer of DeLong's test of two AUCs.

    Attributes
    ----------
    statistic
        z (or t, unpaired): the difference in standard errors.
    pvalue
        For equal AUCs.
    estimate
        AUC of a minus AUC of b.
    standard_error
        Of the difference.
    auc_a, auc_b
        The two areas.
    df
        Degrees of freedom of the unpaired test; infinite for the paired one.
    alternative
        ``"greater"``: a has the larger AUC.
    paired
        Whether both were measured on the same rows.
    n_positive, n_negative
        Rows of each class (unpaired: of the smaller side).
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    pvalue: float
    estimate: float
    standard_error: float
    auc_a: float
    auc_b: float
    df: float
    alternative: str
    paired: bool
    n_positive: int
    n_negative: int
    notes: tuple[Note, ...] = ()

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the interval of the difference a − b: estimate ± quantile × standard error, within [−1, 1].

        Where DeLong's variance is zero it says nothing, and a wider rule takes its place, named in `method`.
        """
        check_level(level, "level")
        if self.standard_error > 0:
            half = _quantile(level, self.df) * self.standard_error
            low, high = max(self.estimate - half, -1.0), min(self.estimate + half, 1.0)
            return Interval(self.estimate, low, high, level, "delong", self.notes)
        sizes = (self.n_positive, self.n_negative)
        if self.paired and self.estimate == 0.0:
            return Interval(0.0, *unseen_difference(*sizes, level), level, "tango", self.notes)
        low, high = mover_limits(self.auc_a, self.auc_b, *sizes, level)
        return Interval(self.estimate, low, high, level, "newcombe-mover", self.notes)


@dataclass(frozen=True, repr=False)
class DeLongMany(Result):
    """Answer of the DeLong test that k AUCs are equal.

    Attributes
    ----------
    statistic, df, pvalue
        Chi-square, its degrees of freedom (rank of the covariance of the contrasts) and p-value.
    aucs
        AUC of each column, ``[k]``.
    covariance
        Their covariance, ``[k, k]``.
    notes
        Choices made and weaknesses seen.
    """

    statistic: float
    df: int
    pvalue: float
    aucs: FloatArray
    covariance: FloatArray
    notes: tuple[Note, ...] = ()


def delong_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: str = "logit",
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> DeLongInterval:
    """How sure are we of an AUC?

    Parameters
    ----------
    y_true, y_score, pos_label
        As in `roc_curve`.
    confidence_level
        Nominal coverage.
    method
        ``"logit"`` (default): symmetric on the scale log(AUC / (1 − AUC)), so the limits stay within (0, 1) and
        coverage holds better near 1. ``"wald"``: AUC ± z · standard error, clipped to [0, 1] (pROC's).
    groups
        Cluster of each row (patient, user, site). Rows of one cluster may depend on each other; clusters are taken
        as independent (Obuchowski's variance).

    Notes
    -----
    A perfect ranking (AUC 0 or 1) has DeLong variance zero, which would claim certainty. There, and when a class has
    a single row, the limits are Newcombe's: all θ with ``|AUC − θ| ≤ z √V(θ)``, where V is Hanley and McNeil's
    variance. A note says so.

    References
    ----------
    E. DeLong, D. DeLong, D. Clarke-Pearson (1988), Biometrics 44, https://doi.org/10.2307/2531595

    R. Newcombe (2006), "Confidence intervals for an effect size measure based on the Mann–Whitney statistic. Part 2",
    Statistics in Medicine 25, https://doi.org/10.1002/sim.2324

    N. Obuchowski (1997), "Nonparametric analysis of clustered ROC curve data", Biometrics 53,
    https://doi.org/10.2307/2533958

    Examples
    --------
    Fawcett's twenty instances, in order of falling score:

    >>> y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    >>> result = delong_interval(y, range(20, 0, -1))
    >>> result.estimate, round(result.low, 3), round(result.high, 3)
    (0.68, 0.404, 0.87)
    """
    check_choice("method", method, ("logit", "wald"))
    level = check_level(confidence_level)
    positive, score, _ = as_binary_scores(y_true, y_score, pos_label=pos_label)
    aucs, covariance = auc_covariance(positive, score[:, None], groups)
    area, error = float(aucs[0]), float(np.sqrt(covariance[0, 0]))
    n_positive = int(positive.sum())
    if error**2 > NEGLIGIBLE:
        low, high = _logit_limits(area, error, level) if method == "logit" else _wald_limits(area, error, level)
        return DeLongInterval(area, error, low, high, level, method)
    low, high = newcombe_limits(area, n_positive, positive.size - n_positive, level)
    return DeLongInterval(area, error, low, high, level, "newcombe", (_edge_note(area, error),))


def _logit_limits(area: float, error: float, level: float) -> tuple[float, float]:
    logit = np.log(area / (1.0 - area))
    half = _quantile(level) * error / (area * (1.0 - area))
    return float(1.0 / (1.0 + np.exp(half - logit))), float(1.0 / (1.0 + np.exp(-half - logit)))


def _wald_limits(area: float, error: float, level: float) -> tuple[float, float]:
    half = _quantile(level) * error
    return max(area - half, 0.0), min(area + half, 1.0)


def _edge_note(area: float, error: float) -> Note:
    if np.isnan(error):
        reason = "a class has a single row (or cluster), so DeLong's variance cannot be estimated"
    else:
        reason = f"DeLong's variance is zero at AUC {area:g} and says nothing about the uncertainty"
    return warning_note("auc-variance-undefined", f"The interval is Newcombe's: {reason}.")


def _quantile(level: float, df: float = np.inf) -> float:
    from scipy.special import ndtri, stdtrit

    share = (1.0 + level) / 2.0
    return float(ndtri(share) if np.isinf(df) else stdtrit(df, share))


def delong_test(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    alternative: str = "two-sided",
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> DeLongTest:
    """Do two models rank the same instances equally well?

    Parameters
    ----------
    y_true, pos_label
        As in `roc_curve`.
    score_a, score_b
        Scores of the two models on the same rows, ``[n]``.
    alternative
        ``"greater"``: a has the larger AUC.
    groups
        Cluster of each row, as in `delong_interval`.

    Notes
    -----
    z = (AUC_a − AUC_b) / √(Var_a + Var_b − 2 Cov), normal for large samples. Identical rankings give p = 1. A
    difference with variance zero (a perfect ranking against a constant one) has no p-value here; a permutation test
    has one.

    References
    ----------
    E. DeLong, D. DeLong, D. Clarke-Pearson (1988), Biometrics 44, https://doi.org/10.2307/2531595

    X. Sun, W. Xu (2014), "Fast implementation of DeLong's algorithm", IEEE Signal Processing Letters 21,
    https://doi.org/10.1109/LSP.2014.2337313

    Examples
    --------
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0]
    >>> result = delong_test(y, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2], [0.5, 0.9, 0.6, 0.7, 0.8, 0.1, 0.2, 0.3])
    >>> round(result.estimate, 4), round(result.pvalue, 3)
    (0.125, 0.54)
    """
    check_alternative(alternative)
    positive = as_binary_truth(y_true, pos_label=pos_label)
    pair = [as_score_vector(name, s, n=positive.size) for name, s in (("score_a", score_a), ("score_b", score_b))]
    check_both_classes(positive)
    aucs, covariance = auc_covariance(positive, np.column_stack(pair), groups)
    variance = float(covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1])
    n_positive = int(positive.sum())
    return _test(aucs, variance, np.inf, alternative, n_positive, positive.size - n_positive)


def delong_unpaired(
    y_a: ArrayLike,
    score_a: ArrayLike,
    y_b: ArrayLike,
    score_b: ArrayLike,
    *,
    alternative: str = "two-sided",
    pos_label: object = None,
) -> DeLongTest:
    """Do two models, measured on different instances, rank equally well?

    Parameters
    ----------
    y_a, score_a, y_b, score_b
        Truth and scores of each model on its own rows, ``[n_a]`` and ``[n_b]``.
    alternative
        ``"greater"``: a has the larger AUC.
    pos_label
        As in `roc_curve`.

    Notes
    -----
    D = (AUC_a − AUC_b) / √(Var_a + Var_b), referred to Student's t with Welch's degrees of freedom (as pROC does;
    others use the normal, which gives slightly smaller p-values).

    Examples
    --------
    >>> result = delong_unpaired([1, 1, 0, 0], [4, 2, 3, 1], [1, 0, 1, 0, 1], [5, 4, 3, 2, 1])
    >>> round(result.estimate, 3), round(result.df, 2)
    (0.25, 6.72)
    """
    check_alternative(alternative)
    sides = [as_binary_scores(y, s, pos_label=pos_label)[:2] for y, s in ((y_a, score_a), (y_b, score_b))]
    parts = [auc_covariance(positive, score[:, None]) for positive, score in sides]
    aucs = np.concatenate([part[0] for part in parts])
    variances = np.array([part[1][0, 0] for part in parts])
    sizes = np.array([positive.size for positive, _ in sides])
    total = float(variances.sum())
    df = total**2 / float((variances**2 / (sizes - 1)).sum()) if total > 0 else np.inf
    n_positive = min(int(positive.sum()) for positive, _ in sides)
    n_negative = min(int((~positive).sum()) for positive, _ in sides)
    return _test(aucs, total, df, alternative, n_positive, n_negative, paired=False)


def _test(
    aucs: FloatArray,
    variance: float,
    df: float,
    alternative: str,
    n_positive: int,
    n_negative: int,
    *,
    paired: bool = True,
) -> DeLongTest:
    difference = float(aucs[0] - aucs[1])
    if abs(difference) < 1e-14:
        difference = 0.0
    statistic, pvalue, notes = _standardised(difference, variance, df, alternative)
    error = 0.0 if variance <= NEGLIGIBLE else float(np.sqrt(variance))
    areas = (float(aucs[0]), float(aucs[1]))
    sizes = (n_positive, n_negative)
    return DeLongTest(statistic, pvalue, difference, error, *areas, df, alternative, paired, *sizes, tuple(notes))


def _standardised(difference: float, variance: float, df: float, alternative: str) -> tuple[float, float, list[Note]]:
    if variance > NEGLIGIBLE:
        z = difference / variance**0.5
        return z, _tail(z, df, alternative), []
    if difference == 0.0:
        message = "The AUCs are equal and nothing in the data separates the two rankings, so p = 1."
        return 0.0, 1.0, [Note("identical-models", message)]
    if np.isnan(variance):
        return np.nan, np.nan, [warning_note("auc-variance-undefined", _SINGLE_ROW)]
    message = "The AUCs have DeLong variance zero (perfect or constant rankings), so p is undefined."
    hint = " A permutation test answers here."
    return float(np.copysign(np.inf, difference)), np.nan, [warning_note("auc-variance-zero", message + hint)]


def _tail(z: float, df: float, alternative: str) -> float:
    from scipy.special import ndtr, stdtr

    def below(value: float) -> float:
        return float(ndtr(value) if np.isinf(df) else stdtr(df, value))

    if alternative == "two-sided":
        return 2.0 * below(-abs(z))
    return below(-z) if alternative == "greater" else below(z)


def delong_many(
    y_true: ArrayLike,
    scores: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> DeLongMany:
    """Do k models rank the same instances equally well?

    Parameters
    ----------
    y_true, pos_label
        As in `roc_curve`.
    scores
        Scores, rows = instances and columns = models, ``[n, k]``.
    groups
        Cluster of each row, as in `delong_interval`.

    Notes
    -----
    χ² = (L θ)ᵀ (L S Lᵀ)⁺ L θ for the contrasts L of each model with the last; ⁺ is a generalised inverse, so that
    models with the same ranking lower the degrees of freedom instead of breaking the test.

    Examples
    --------
    >>> y = [1, 1, 0, 1, 0, 0, 1, 0]
    >>> scores = np.column_stack([[9, 8, 7, 6, 5, 4, 3, 2], [5, 9, 6, 7, 8, 1, 2, 3], [9, 2, 4, 7, 3, 6, 8, 1]])
    >>> result = delong_many(y, scores)
    >>> result.df, np.round(result.aucs, 4).tolist()
    (2, [0.75, 0.625, 0.8125])
    """
    positive = as_binary_truth(y_true, pos_label=pos_label)
    table = _score_table(scores, positive)
    check_both_classes(positive)
    aucs, covariance = auc_covariance(positive, table, groups)
    statistic, df, pvalue, notes = _homogeneity(aucs, covariance)
    return DeLongMany(statistic, df, pvalue, aucs, covariance, tuple(notes))


def _score_table(scores: ArrayLike, positive: BoolArray) -> FloatArray:
    try:
        table = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvidenceError("scores must be a rectangular table of numbers.") from None
    if table.ndim != 2 or table.shape[0] != positive.size or table.shape[1] < 2:
        raise EvidenceError(
            f"scores must be rows = instances and columns = at least two models, {positive.size} rows as in y_true. "
            f"Got shape {table.shape}."
        )
    check_no_nan("scores", table)
    return table


def _homogeneity(aucs: FloatArray, covariance: FloatArray) -> tuple[float, int, float, list[Note]]:
    from scipy.special import chdtrc

    contrast = aucs[:-1] - aucs[-1]
    spread = covariance[:-1, :-1] - covariance[:-1, -1:] - covariance[-1:, :-1] + covariance[-1, -1]
    if np.isnan(spread).any():
        return np.nan, contrast.size, np.nan, [warning_note("auc-variance-undefined", _SINGLE_ROW)]
    values, vectors = np.linalg.eigh(spread)
    kept = values > max(NEGLIGIBLE, 1e-10 * float(values[-1]))
    rank, coordinates = int(kept.sum()), vectors.T @ contrast
    if np.abs(coordinates[~kept]).max(initial=0.0) > 1e-9:
        message = "Some AUCs differ with DeLong variance zero (perfect or constant rankings): the test is undefined."
        return np.inf, rank, np.nan, [warning_note("auc-variance-zero", message)]
    if rank == 0:
        return 0.0, 0, 1.0, [Note("identical-models", "All models rank the instances alike, so p = 1.")]
    statistic = float((coordinates[kept] ** 2 / values[kept]).sum())
    notes = []
    if rank < contrast.size:
        notes.append(Note("redundant-models", f"Some models rank alike: {rank} degrees of freedom remain."))
    return statistic, rank, float(chdtrc(rank, statistic)), notes
