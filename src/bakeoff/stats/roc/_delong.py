"""The confidence interval of one AUC: DeLong's, and where its variance is zero or unknown, Newcombe's."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import check_choice, check_level
from bakeoff.stats.roc._covariance import auc_covariance
from bakeoff.stats.roc._input import as_binary_scores

NEGLIGIBLE = 1e-20
"""A variance below this is rounding: AUCs are multiples of 1/(n⁺n⁻) and their variances far larger."""
FEW_ROWS = 10
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
        as independent (Obuchowski's variance).

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
        low, high = _logit_limits(area, error, level) if method == "logit" else _wald_limits(area, error, level)
        return DeLongIntervalResult(area, error, low, high, level, method, size_notes(*sizes))
    low, high = newcombe_limits(area, *sizes, level)
    return DeLongIntervalResult(area, error, low, high, level, "newcombe", (_edge_note(area, error),))


def _logit_limits(area: float, error: float, level: float) -> tuple[float, float]:
    logit = np.log(area / (1.0 - area))
    half = quantile(level) * error / (area * (1.0 - area))  # delta method: d logit(A)/dA = 1/(A(1 − A))
    return float(1.0 / (1.0 + np.exp(half - logit))), float(1.0 / (1.0 + np.exp(-half - logit)))


def _wald_limits(area: float, error: float, level: float) -> tuple[float, float]:
    half = quantile(level) * error
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
    from scipy.special import ndtri

    z = float(ndtri((1.0 + level) / 2.0))

    def excess(theta: float) -> float:
        return (area - theta) ** 2 - z * z * hanley_mcneil_variance(theta, n_positive, n_negative)

    # At θ = area the statistic is 0 (or 0/0 at area 0 and 1, hence the step inside); at the far end V is 0.
    start = area + (end - area) * 1e-12
    return float(brentq(excess, start, end, xtol=1e-14))


def hanley_mcneil_variance(theta: float, n_positive: int, n_negative: int) -> float:
    """Return Newcombe's form of the Hanley–McNeil variance of an AUC of θ (exponential scores)."""
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


def quantile(level: float, df: float = np.inf) -> float:
    """Return the two-sided quantile of the normal (infinite df) or of Student's t."""
    from scipy.special import ndtri, stdtrit

    share = (1.0 + level) / 2.0
    return float(ndtri(share) if np.isinf(df) else stdtrit(df, share))
