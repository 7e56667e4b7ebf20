"""Intervals when a class has few rows: what three positives did not show may still exist.

With a handful of rows in a class, resampled tables repeat a few lumps and DeLong's variance of the placements is close
to nothing as soon as all positives happen to rank high: nominal 95 % intervals then hold the truth in 70 to 90 % of the
runs. The interval is stretched to one that is known to hold there: for functions of the confusion matrix the
posterior with two prior cases spread over the cells (as at the edge of the scale); for AUC Newcombe's score-type
interval, whose variance follows from the area itself (Hanley and McNeil) and not from the few placements.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff._core.notes import Note
from bakeoff._core.result import Interval
from bakeoff.evidence import Rows
from bakeoff.intervals._edge import edge_limits
from bakeoff.intervals._replicates import Resampler
from bakeoff.measures import Measure

FEW_ROWS = 15


def smallest_class(rows: Rows) -> int | None:
    """Count the rows of the rarest class that occurs; None for rows without classes, in groups or weighted."""
    if not rows.classes or rows.groups is not None or rows.weight is not None:
        return None
    counts = np.bincount(rows.truth, minlength=len(rows.classes))
    return int(counts[counts > 0].min())


def stretched(interval: Interval, measure: Measure, resampler: Resampler) -> Interval:
    """Widen the interval of a confusion measure or AUC where the rarest class has fewer than `FEW_ROWS` rows."""
    rows = resampler.rows
    fewest = smallest_class(rows)
    if fewest is None or fewest >= FEW_ROWS or np.isnan(interval.low):
        return interval
    if measure.name == "auc":
        positives = int(rows.positives().sum())
        limits: tuple[float, float] | None = newcombe_limits(
            interval.estimate, positives, rows.n - positives, interval.confidence_level
        )
        how = "Newcombe's interval, which needs no variance of their placements"
    elif measure.from_confusion is not None:
        limits = edge_limits(measure, resampler, interval.estimate, interval.confidence_level)
        how = "the posterior with two prior cases spread over the cells"
    else:
        return interval
    if limits is None:
        return interval
    text = f"the rarest class has only {fewest} rows: the interval is stretched to {how}."
    low, high = min(interval.low, limits[0]), max(interval.high, limits[1])
    notes = (*interval.notes, Note("few-in-class", text))
    return Interval(interval.estimate, low, high, interval.confidence_level, interval.method, notes)


def newcombe_limits(auc: float, n_positive: int, n_negative: int, level: float) -> tuple[float, float]:
    """Solve |θ − AUC| = z·√V(θ) on both sides, with Hanley and McNeil's variance at equal class sizes.

    V(θ) = θ(1−θ)/(mn)·[1 + (N−1)(1−θ)/(2−θ) + (N−1)θ/(1+θ)], N = (m+n)/2: method 5 of Newcombe (2006),
    https://doi.org/10.1002/sim.2324.

    Examples
    --------
    >>> low, high = newcombe_limits(0.98, 10, 190, 0.95)
    >>> round(low, 3), round(high, 3)
    (0.86, 0.997)
    """
    from scipy.optimize import brentq
    from scipy.special import ndtri

    z, half = float(ndtri((1 + level) / 2)), (n_positive + n_negative) / 2 - 1

    def error(theta: float) -> float:
        spread = 1 + half * (1 - theta) / (2 - theta) + half * theta / (1 + theta)
        return z * float(np.sqrt(theta * (1 - theta) / (n_positive * n_negative) * spread))

    def side(excess: Callable[[float], float], near: float, far: float) -> float:
        # next to the estimate the error is larger than the distance, at the end of the scale it is 0
        return far if near == far else float(brentq(excess, near, far, xtol=1e-10))

    tiny = 1e-12
    inside = min(max(auc, tiny), 1 - tiny)
    low = side(lambda t: auc - t - error(t), inside, 0.0) if auc > 0 else 0.0
    high = side(lambda t: t - auc - error(t), inside, 1.0) if auc < 1 else 1.0
    return low, high
