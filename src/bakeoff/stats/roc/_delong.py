"""DeLong's confidence interval of an AUC."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Result
from bakeoff._core.validation import check_choice, check_level
from bakeoff.stats.roc._auc_edge import NEGLIGIBLE, newcombe_limits, quantile, size_notes
from bakeoff.stats.roc._auc_variance import auc_covariance
from bakeoff.stats.roc._score_input import as_binary_scores


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

    Examples
    --------
    >>> from bakeoff.stats import delong_interval
    >>> found = delong_interval([0, 0, 1, 0, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> round(found.estimate, 4), round(found.low, 4), round(found.high, 4)
    (0.8889, 0.2614, 0.9945)
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
    sizes = (int(positive.sum()), int((~positive).sum()))
    if error**2 > NEGLIGIBLE:
        low, high = _logit_limits(area, error, level) if method == "logit" else _wald_limits(area, error, level)
        return DeLongInterval(area, error, low, high, level, method, size_notes(*sizes))
    low, high = newcombe_limits(area, *sizes, level)
    return DeLongInterval(area, error, low, high, level, "newcombe", (_edge_note(area, error),))


def _logit_limits(area: float, error: float, level: float) -> tuple[float, float]:
    logit = np.log(area / (1.0 - area))
    half = quantile(level) * error / (area * (1.0 - area))
    return float(1.0 / (1.0 + np.exp(half - logit))), float(1.0 / (1.0 + np.exp(-half - logit)))


def _wald_limits(area: float, error: float, level: float) -> tuple[float, float]:
    half = quantile(level) * error
    return max(area - half, 0.0), min(area + half, 1.0)


def _edge_note(area: float, error: float) -> Note:
    if np.isnan(error):
        reason = "a class has a single row (or cluster), so DeLong's variance cannot be estimated"
    else:
        reason = f"DeLong's variance is zero at AUC {area:g} and says nothing about the uncertainty"
    return warning_note("auc-variance-undefined", said("The interval is Newcombe's: {reason}.", reason=reason))
