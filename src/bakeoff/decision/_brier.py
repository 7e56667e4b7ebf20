"""The Brier score taken apart: calibration and discrimination, and the curve of which it is the area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, check_choice, check_count, dot
from bakeoff.decision._calibration import METHODS, group_means, groups_of, probability_tally


@dataclass(frozen=True, repr=False)
class BrierDecomposition(Result):
    """Brier score = miscalibration − discrimination + uncertainty (+ spread within groups).

    Attributes
    ----------
    brier
        Mean squared error of the probabilities.
    miscalibration
        What recalibration would save (Murphy's reliability): weighted mean of (stated − observed)² over groups.
    discrimination
        What the model knows (Murphy's resolution): weighted mean of (observed − prevalence)² over groups.
    uncertainty
        Prevalence times its complement: the score of "prior".
    within
        What grouping hides: 0 for the isotonic decomposition.
    """

    brier: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    within: float
    method: str
    notes: tuple[Note, ...] = ()

    @property
    def skill(self) -> float:
        """1 − Brier / uncertainty: 0 is no better than the prevalence, 1 perfect."""
        return 1 - self.brier / self.uncertainty if self.uncertainty > 0 else np.nan


def brier_decomposition(
    y_true: ArrayLike,
    probability: ArrayLike,
    *,
    method: str = "isotonic",
    bins: int = 10,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> BrierDecomposition:
    """Split the Brier score into what calibration costs and what discrimination saves.

    Parameters
    ----------
    y_true, probability
        True classes and stated probabilities, ``[n]``.
    method
        ``"isotonic"``: against the best monotone recalibration (CORP; exact, no bins to choose). ``"bins"``: Murphy's
        with `bins` of equal width.

    References
    ----------
    Murphy, A. H. (1973). A new vector partition of the probability score. Journal of Applied Meteorology 12, 595–600.
    https://doi.org/10.1175/1520-0450(1973)012<0595:ANVPOT>2.0.CO;2
    Dimitriadis, T., Gneiting, T. & Jordan, A. I. (2021). PNAS 118, e2016191118. https://doi.org/10.1073/pnas.2016191118

    Examples
    --------
    >>> parts = brier_decomposition([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> total = parts.miscalibration - parts.discrimination + parts.uncertainty
    >>> bool(abs(total - parts.brier) < 1e-12), round(parts.brier, 4)
    (True, 0.1667)
    """
    check_choice("method", method, METHODS)
    tally = probability_tally(y_true, probability, pos_label=pos_label, sample_weight=sample_weight)
    group = groups_of(tally, method, check_count("bins", bins))
    stated, observed, count = group_means(tally, group)
    n, p = count.sum(), tally.thresholds
    brier = float((dot(tally.positives, (1 - p) ** 2) + dot(tally.negatives, p**2)) / n)
    share = float(tally.positives.sum() / n)
    if method == "isotonic":
        # CORP: the score of the recalibrated forecast stands between the two.
        recalibrated = float((count * observed * (1 - observed)).sum() / n)
        miscalibration, discrimination = brier - recalibrated, share * (1 - share) - recalibrated
    else:
        miscalibration = float((count * (stated - observed) ** 2).sum() / n)
        discrimination = float((count * (observed - share) ** 2).sum() / n)
    uncertainty = share * (1 - share)
    within = brier - (miscalibration - discrimination + uncertainty)
    return BrierDecomposition(brier, miscalibration, discrimination, uncertainty, within, method)


@dataclass(frozen=True, repr=False)
class BrierCurve(Result):
    """Expected cost when the stated probabilities are taken at their word, against the cost of a false alarm.

    At cost proportion c (a false positive costs 2c, a false negative 2(1 − c)) the threshold is c itself. The area
    under the curve is the Brier score; above the best-threshold curve it shows what miscalibration costs, and where.

    Attributes
    ----------
    cost_proportion, loss
        The curve, piecewise straight, ``[m]`` (each jump has two points).
    optimal
        Loss at the best threshold for each point, ``[m]``.
    area
        Area under `loss`: the Brier score.
    """

    cost_proportion: FloatArray
    loss: FloatArray
    optimal: FloatArray
    area: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {"cost_proportion": self.cost_proportion, "loss": self.loss, "optimal": self.optimal}

    def _headline(self) -> str:
        return f"area={self.area:.6f} (the Brier score), {self.loss.size} points"


def brier_curve(
    y_true: ArrayLike,
    probability: ArrayLike,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> BrierCurve:
    """Trace what the probabilities cost when used as they are, for every cost proportion.

    loss(c) = 2·(c·P(y = 0, p ≥ c) + (1 − c)·P(y = 1, p < c)).

    References
    ----------
    Hernández-Orallo, J., Flach, P. & Ferri, C. (2011). Brier curves: a new cost-based visualisation of classifier
    performance. ICML, 585–592.

    Examples
    --------
    >>> curve = brier_curve([0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9])
    >>> round(curve.area, 6)
    0.166667
    """
    tally = probability_tally(y_true, probability, pos_label=pos_label, sample_weight=sample_weight)
    n = float((tally.positives + tally.negatives).sum())
    # On (a, b] between neighbouring probabilities the same rows are called positive: those at or above b.
    edges = np.unique(np.concatenate(([0.0], tally.thresholds, [1.0])))
    first = np.searchsorted(tally.thresholds, edges[1:], side="left")
    alarms = (tally.negatives.sum() - np.append(0, np.cumsum(tally.negatives))[first]) / n
    misses = np.append(0, np.cumsum(tally.positives))[first] / n
    c = np.repeat(edges, 2)[1:-1]
    loss = 2 * (c * np.repeat(alarms, 2) + (1 - c) * np.repeat(misses, 2))
    return BrierCurve(c, loss, _optimal(tally, c, n), float(np.trapezoid(loss, c)))


def _optimal(tally: Any, c: FloatArray, n: float) -> FloatArray:
    from bakeoff.stats import envelope_of_points

    positives, negatives = float(tally.positives.sum()), float(tally.negatives.sum())
    if positives == 0 or negatives == 0:
        return np.zeros(c.size)
    fpr = 1 - np.append(0, np.cumsum(tally.negatives)) / negatives
    tpr = 1 - np.append(0, np.cumsum(tally.positives)) / positives
    alarm, miss = c * negatives / n, (1 - c) * positives / n
    pc = miss / (miss + alarm)
    least: FloatArray = 2 * (miss + alarm) * envelope_of_points(fpr, tpr).at(pc)
    return least
