"""DeLong's test of two AUCs, on the same rows or on different ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval, Result
from bakeoff._core.validation import FloatArray, as_binary_truth, check_alternative, check_level
from bakeoff.stats.roc._covariance import auc_covariance
from bakeoff.stats.roc._delong import NEGLIGIBLE, newcombe_limits, quantile, size_notes
from bakeoff.stats.roc._input import as_binary_scores, as_score_vector, check_both_classes


@dataclass(frozen=True, repr=False)
class DeLongTestResult(Result):
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

        Where DeLong's variance is zero it measures no uncertainty; a wider rule takes its place, named in `method`.
        """
        check_level(level, "level")
        if self.standard_error > 0:
            half = quantile(level, self.df) * self.standard_error
            low, high = max(self.estimate - half, -1.0), min(self.estimate + half, 1.0)
            return Interval(self.estimate, low, high, level, "delong", self.notes)
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
    return two_aucs_result(aucs, variance, np.inf, alternative, n_positive, positive.size - n_positive)


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
    return two_aucs_result(aucs, total, df, alternative, n_positive, n_negative, paired=False)


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
    return DeLongTestResult(statistic, pvalue, difference, error, *areas, df, alternative, paired, *sizes, tuple(notes))


def _standardised(
    difference: float, variance: float, df: float, alternative: str, sizes: tuple[int, int]
) -> tuple[float, float, list[Note]]:
    if variance > NEGLIGIBLE:
        z = difference / variance**0.5
        return z, _tail(z, df, alternative), list(size_notes(*sizes))
    if difference == 0.0:
        return 0.0, 1.0, [note("identical-models:aucs")]
    if np.isnan(variance):
        return np.nan, np.nan, [note("auc-variance-undefined")]
    return float(np.copysign(np.inf, difference)), np.nan, [note("auc-variance-zero")]


def _tail(z: float, df: float, alternative: str) -> float:
    from scipy.special import ndtr, stdtr

    def below(value: float) -> float:
        return float(ndtr(value) if np.isinf(df) else stdtr(df, value))

    if alternative == "two-sided":
        return 2.0 * below(-abs(z))
    return below(-z) if alternative == "greater" else below(z)


def unseen_difference(n_positive: int, n_negative: int, level: float) -> tuple[float, float]:
    """Return an interval for the difference of two AUCs whose rankings do not differ on the rows seen.

    As Tango's interval for no discordant pair: ± z² / (m + z²), with m the size of the smaller class.
    """
    from scipy.special import ndtri

    z2 = float(ndtri((1.0 + level) / 2.0)) ** 2
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
