"""DeLong: the covariance of AUCs, the interval of one and the test of two."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note, Result
from bakeoff._core.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    as_binary_truth,
    as_groups,
    check_alternative,
    check_choice,
    check_level,
)
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import inverted_pvalue, tail_pvalue, two_sided_quantile
from bakeoff.stats.roc._tally import as_binary_scores, as_score_vector, check_both_classes, sorted_order

_BLOCK = 2**18  # rows looked at at a time, for one model
_INT32_ROWS = 2**30  # twice a number of rows must fit 31 bits


class Placements(NamedTuple):
    """Placement values of k score columns.

    Attributes
    ----------
    aucs
        AUC of each column, ``[k]``.
    of_positives
        For each positive, the share of negatives below it, a tie counting one half, ``[k, n_positive]``.
    of_negatives
        For each negative, the share of positives above it, a tie counting one half, ``[k, n_negative]``.
    """

    aucs: FloatArray
    of_positives: FloatArray
    of_negatives: FloatArray


def placements(positive: BoolArray, scores: FloatArray) -> Placements:
    """Return the placement values of each column of `scores` ``[n, k]``, in the order of the rows.

    One sort per column; counts are whole numbers until the last division.
    """
    n_positive = int(np.count_nonzero(positive))
    n_negative = positive.size - n_positive
    n_models = scores.shape[1]
    of_positives, of_negatives = np.empty((n_models, n_positive)), np.empty((n_models, n_negative))
    aucs, rows_of = np.empty(n_models), (np.flatnonzero(positive), np.flatnonzero(~positive))
    for j in range(n_models):
        doubled = others_below_twice(positive, np.ascontiguousarray(scores[:, j]))
        won, lost = doubled[rows_of[0]], doubled[rows_of[1]]
        aucs[j] = int(won.sum()) / (2 * n_positive * n_negative)
        np.divide(won, 2.0 * n_negative, out=of_positives[j])
        np.divide(2 * n_positive - lost, 2.0 * n_positive, out=of_negatives[j])
    return Placements(aucs, of_positives, of_negatives)


def others_below_twice(positive: BoolArray, score: FloatArray) -> IntArray:
    """Twice the number of rows of the other class below each row, a tie counting one half."""
    order, ranked = sorted_order(score)
    truth = positive[order]
    if (ranked[1:] == ranked[:-1]).any():
        counts = _with_ties(ranked, truth)
    else:
        # A positive has as many negatives below as its place less the positives up to it.
        positives = np.cumsum(truth)
        counts = 2 * np.where(truth, np.arange(1, score.size + 1) - positives, positives)
    doubled = np.empty(score.size, dtype=np.int64)
    doubled[order] = counts
    return doubled


def _with_ties(ranked: FloatArray, truth: BoolArray) -> IntArray:
    """Return the same for one sorted column by its groups of equal scores: below once, tied half."""
    ends = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True))
    sizes = np.diff(ends, prepend=-1)
    positives_to = np.cumsum(truth)[ends]
    positives = np.diff(positives_to, prepend=0)
    for_positives = 2 * (ends + 1 - positives_to) - (sizes - positives)
    for_negatives = 2 * positives_to - positives
    return np.where(truth, np.repeat(for_positives, sizes), np.repeat(for_negatives, sizes))


def auc_covariance(
    positive: BoolArray, scores: FloatArray, groups: ArrayLike | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return the AUC of each column of `scores` ``[n, k]`` and their covariance ``[k, k]``.

    DeLong's for independent rows; Obuchowski's for rows in `groups`. NaN where a class has one row (or cluster).
    """
    if groups is None:
        return covariance_of_columns(positive, scores.T)
    placed = placements(positive, scores)
    return placed.aucs, _clustered(placed, positive, groups)


def covariance_of_columns(positive: BoolArray, columns: Iterable[FloatArray]) -> tuple[FloatArray, FloatArray]:
    """Return AUCs and DeLong's covariance of score columns ``[n]`` that are looked at one after the other.

    Of each column only whole numbers are kept, twice the count of rows of the other class below each row: 4 bytes a row
    and model, and exact.
    """
    kind = np.int32 if positive.size < _INT32_ROWS else np.int64
    below: list[NDArray[Any]] = [
        others_below_twice(positive, np.ascontiguousarray(column)).astype(kind) for column in columns
    ]
    up, down = np.flatnonzero(positive), np.flatnonzero(~positive)
    aucs = np.array([int(b[up].sum(dtype=np.int64)) for b in below]) / (2.0 * up.size * down.size)
    # The share below a positive has mean AUC over the positives; the share below a negative, mean 1 − AUC.
    of_positives = _covariance_of_means(below, up, aucs, 2.0 * down.size)
    return aucs, of_positives + _covariance_of_means(below, down, 1.0 - aucs, 2.0 * up.size)


def _covariance_of_means(
    below: list[NDArray[Any]], rows: NDArray[np.intp], means: FloatArray, scale: float
) -> FloatArray:
    """Covariance of the means of the placements over the rows of one class; NaN of a single row.

    In pieces small enough for BLAS to stay on one thread, where models are few: waking threads costs more than a
    20 × 20 result, and on a busy machine a hundred times more.
    """
    k = len(below)
    if rows.size < 2:
        return np.full((k, k), np.nan)
    step = max(_BLOCK // k**2, 256)
    total = np.zeros((k, k))
    for start in range(0, rows.size, step):
        some = rows[start : start + step]
        piece = np.stack([b[some] for b in below]) / scale - means[:, None]
        total += piece @ piece.T
    # The unbiased covariance of the placements (m − 1), over m for that of their means: DeLong et al.'s S₁₀/m or S₀₁/n.
    return total / (rows.size * (rows.size - 1.0))


def _clustered(placed: Placements, positive: BoolArray, groups: ArrayLike) -> FloatArray:
    """Obuchowski (1997): sums of centred placements per cluster take the place of single rows."""
    cluster, n_clusters = as_groups(groups, positive.size)
    sums, counts = [], []
    for values, rows in ((placed.of_positives, positive), (placed.of_negatives, ~positive)):
        centred = (values - placed.aucs[:, None]) / values.shape[1]
        sums.append(np.array([np.bincount(cluster[rows], row, minlength=n_clusters) for row in centred]))
        counts.append(np.unique(cluster[rows]).size)
    if min(counts) < 2:
        return np.full((placed.aucs.size,) * 2, np.nan)
    # A cluster may hold rows of both classes, hence the cross terms; the factors I/(I − 1) are Obuchowski's.
    (up, down), (i_up, i_down) = sums, counts
    cross = up @ down.T
    covariance: FloatArray = (
        i_up / (i_up - 1.0) * (up @ up.T)
        + i_down / (i_down - 1.0) * (down @ down.T)
        + n_clusters / (n_clusters - 1.0) * (cross + cross.T)
    )
    return covariance


NEGLIGIBLE = 1e-20
"""A variance below this is rounding: AUCs are multiples of 1/(n⁺n⁻) and their variances far larger."""
FEW_ROWS = 10
DELONG = "delong"  # the name of the method
"""With fewer rows of a class, intervals and tests carry a warning."""


@dataclass(frozen=True, repr=False)
class DeLongIntervalResult(Result):
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
        ``"logit"`` or ``"wald"`` as asked, or ``"newcombe"`` where DeLong's variance is zero or unknown.
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


def delong_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    confidence_level: float = 0.95,
    method: str = "logit",
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> DeLongIntervalResult:
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
        as independent (Obuchowski's variance, on t with one degree of freedom less than there are clusters).

    Notes
    -----
    A perfect ranking (AUC 0 or 1) has DeLong variance zero, which would claim certainty. There, and when a class has
    a single row, the limits are Newcombe's: all θ with ``|AUC − θ| ≤ z √V(θ)``, where V is Hanley and McNeil's
    variance. A note tells it.

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
    sizes = (int(positive.sum()), int((~positive).sum()))
    if error**2 > NEGLIGIBLE:
        limits, z = _logit_limits if method == "logit" else _wald_limits, two_sided_quantile(level, _df_of(groups))
        low, high = limits(area, error, z)
        made = DeLongIntervalResult(area, error, low, high, level, method, size_notes(*sizes))
        return made._keeping(n_positive=sizes[0], n_negative=sizes[1], quantile=z)
    low, high = newcombe_limits(area, *sizes, level)
    return DeLongIntervalResult(area, error, low, high, level, "newcombe", (_edge_note(area, error),))


def _df_of(groups: ArrayLike | None) -> float:
    """A variance over few groups is itself uncertain: t with groups − 1, as normal limits are too narrow there."""
    return np.inf if groups is None else max(np.unique(np.asarray(groups)).size - 1.0, 1.0)


def _logit_limits(area: float, error: float, z: float) -> tuple[float, float]:
    logit = np.log(area / (1.0 - area))
    half = z * error / (area * (1.0 - area))  # delta method: d logit(A)/dA = 1/(A(1 − A))
    return float(1.0 / (1.0 + np.exp(half - logit))), float(1.0 / (1.0 + np.exp(-half - logit)))


def _wald_limits(area: float, error: float, z: float) -> tuple[float, float]:
    half = z * error
    return max(area - half, 0.0), min(area + half, 1.0)


def _edge_note(area: float, error: float) -> Note:
    if np.isnan(error):
        return note("auc-variance-undefined:single-row")
    return note("auc-variance-undefined:perfect", area=area)


def newcombe_limits(area: float, n_positive: int, n_negative: int, level: float) -> tuple[float, float]:
    """Return all θ with ``|area − θ| ≤ z √V(θ)``: Newcombe's method 5, a Wilson interval for AUC.

    V(θ) is Hanley and McNeil's variance with both class sizes in its second-order terms replaced by their mean. It
    depends on θ, not on the data, so an AUC of 1 on few rows gets a wide interval. Newcombe (2006),
    https://doi.org/10.1002/sim.2324
    """
    low = 0.0 if area <= 0.0 else _boundary(area, 0.0, n_positive, n_negative, level)
    high = 1.0 if area >= 1.0 else _boundary(area, 1.0, n_positive, n_negative, level)
    return low, high


def _boundary(area: float, end: float, n_positive: int, n_negative: int, level: float) -> float:
    from scipy.optimize import brentq

    z = two_sided_quantile(level)

    def excess(theta: float) -> float:
        return (area - theta) ** 2 - z * z * hanley_mcneil_variance(theta, n_positive, n_negative)

    # At θ = area the statistic is 0 (or 0/0 at area 0 and 1, hence the step inside); at the far end V is 0.
    start = area + (end - area) * 1e-12
    return float(brentq(excess, start, end, xtol=1e-14))


def hanley_mcneil_variance(theta: float, n_positive: int, n_negative: int) -> float:
    """Return Newcombe's form of the Hanley–McNeil variance of an AUC of θ (exponential scores)."""
    # One mean size for both classes makes the variance symmetric in θ and 1 − θ, as the AUC itself is.
    mean_size = (n_positive + n_negative) / 2.0
    second = (1.0 - theta) / (2.0 - theta) + theta / (1.0 + theta)
    return theta * (1.0 - theta) * (1.0 + (mean_size - 1.0) * second) / (n_positive * n_negative)


def size_notes(n_positive: int, n_negative: int) -> tuple[Note, ...]:
    """Warn of a class too small for its variance: with 3 positives, coverage at 95 % was seen to fall to 84 %."""
    rows = min(n_positive, n_negative)
    if rows >= FEW_ROWS:
        return ()
    if n_positive >= n_negative:  # of two equally small classes one is named
        return (note("few-rows-of-a-class:negative", rows=rows),)
    return (note("few-rows-of-a-class:positive", rows=rows),)


@dataclass(frozen=True, repr=False)
class DeLongTestResult(Tested, law="t"):
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
        Degrees of freedom of the unpaired test, and of groups; infinite for paired rows.
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

        Where DeLong's variance is zero it measures no uncertainty; a wider rule takes its place, named in `method`.
        """
        check_level(level, "level")
        if self.standard_error > 0:
            half = two_sided_quantile(level, self.df) * self.standard_error
            low, high = max(self.estimate - half, -1.0), min(self.estimate + half, 1.0)
            return Interval(self.estimate, low, high, level, DELONG, self.notes)
        sizes = (self.n_positive, self.n_negative)
        if self.paired and self.estimate == 0.0:
            return Interval(0.0, *unseen_difference(*sizes, level), level, "tango", self.notes)
        low, high = mover_limits(self.auc_a, self.auc_b, *sizes, level)
        return Interval(self.estimate, low, high, level, "newcombe-mover", self.notes)


def delong_test(
    y_true: ArrayLike,
    score_a: ArrayLike,
    score_b: ArrayLike,
    *,
    alternative: str = "two-sided",
    groups: ArrayLike | None = None,
    pos_label: object = None,
) -> DeLongTestResult:
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
    z = (AUC_a − AUC_b) / √(Var_a + Var_b − 2 Cov), normal for large samples. Identical rankings give p = 1.
    For a difference with variance zero (a perfect ranking against a constant one) or none (one row of a class), the
    p-value is that of the interval, from Newcombe's limits of each area.

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
    made = two_aucs_result(aucs, variance, _df_of(groups), alternative, n_positive, positive.size - n_positive)
    return made._keeping(covariance=covariance)


def delong_unpaired(
    y_a: ArrayLike,
    score_a: ArrayLike,
    y_b: ArrayLike,
    score_b: ArrayLike,
    *,
    alternative: str = "two-sided",
    pos_label: object = None,
) -> DeLongTestResult:
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
    # Welch–Satterthwaite with the rows of each sample less one, as pROC: AUCs have no degrees of freedom of their own.
    df = total**2 / float((variances**2 / (sizes - 1)).sum()) if total > 0 else np.inf
    n_positive = min(int(positive.sum()) for positive, _ in sides)
    n_negative = min(int((~positive).sum()) for positive, _ in sides)
    made = two_aucs_result(aucs, total, df, alternative, n_positive, n_negative, paired=False)
    return made._keeping(covariance=np.diag(variances))


def two_aucs_result(
    aucs: FloatArray,
    variance: float,
    df: float,
    alternative: str,
    n_positive: int,
    n_negative: int,
    *,
    paired: bool = True,
) -> DeLongTestResult:
    difference = float(aucs[0] - aucs[1])
    # AUCs are multiples of 1/(2n⁺n⁻): up to millions of rows, anything this small is rounding of two equal areas.
    if abs(difference) < 1e-14:
        difference = 0.0
    sizes = (n_positive, n_negative)
    statistic, pvalue, notes = _standardised(difference, variance, df, alternative, sizes)
    error = 0.0 if variance <= NEGLIGIBLE else float(np.sqrt(variance))
    areas = (float(aucs[0]), float(aucs[1]))
    if np.isnan(pvalue):  # DeLong's variance says nothing: the p-value that goes with the interval
        pvalue = inverted_pvalue(lambda level: mover_limits(*areas, *sizes, level), alternative)
    return DeLongTestResult(statistic, pvalue, difference, error, *areas, df, alternative, paired, *sizes, tuple(notes))


def _standardised(
    difference: float, variance: float, df: float, alternative: str, sizes: tuple[int, int]
) -> tuple[float, float, list[Note]]:
    if variance > NEGLIGIBLE:
        z = difference / variance**0.5
        return z, float(tail_pvalue(z, alternative, df)), list(size_notes(*sizes))
    if difference == 0.0:
        return 0.0, 1.0, [note("identical-models:aucs")]
    if np.isnan(variance):
        return np.nan, np.nan, [note("auc-variance-undefined:newcombe")]
    return float(np.copysign(np.inf, difference)), np.nan, [note("auc-variance-zero")]


def unseen_difference(n_positive: int, n_negative: int, level: float) -> tuple[float, float]:
    """Return an interval for the difference of two AUCs whose rankings do not differ on the rows seen.

    As Tango's interval for no discordant pair: ± z² / (m + z²), with m the size of the smaller class.
    """
    z2 = two_sided_quantile(level) ** 2
    half = z2 / (min(n_positive, n_negative) + z2)
    return -half, half


def mover_limits(auc_a: float, auc_b: float, n_positive: int, n_negative: int, level: float) -> tuple[float, float]:
    """Return an interval for AUC_a − AUC_b from Newcombe's limits of each, combined as if independent.

    Square-and-add of the distances to the limits (Zou & Donner 2008, https://doi.org/10.1002/sim.3095); conservative
    for positively correlated scores.
    """
    difference = auc_a - auc_b
    low_a, high_a = newcombe_limits(auc_a, n_positive, n_negative, level)
    low_b, high_b = newcombe_limits(auc_b, n_positive, n_negative, level)
    down, up = np.hypot(auc_a - low_a, high_b - auc_b), np.hypot(high_a - auc_a, auc_b - low_b)
    return float(max(difference - down, -1.0)), float(min(difference + up, 1.0))
