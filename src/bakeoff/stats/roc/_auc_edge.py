"""Where DeLong's variance is zero or cannot be estimated: other intervals, and what to say."""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note

NEGLIGIBLE = 1e-20
"""A variance below this is rounding: AUCs are multiples of 1/(n⁺n⁻) and their variances far larger."""
FEW_ROWS = 10
"""With fewer rows of a class, intervals and tests carry a warning."""
SINGLE_ROW = said(
    "A class has a single row (or cluster): the variance of an AUC cannot be estimated, and p is undefined."
)


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


def size_notes(n_positive: int, n_negative: int) -> tuple[Note, ...]:
    """Warn of a class too small for its variance: with 3 positives, coverage at 95 % was seen to fall to 84 %."""
    rows, name = min((n_positive, "positive"), (n_negative, "negative"))
    if rows >= FEW_ROWS:
        return ()
    message = said(
        "Only {rows} {name} rows: the variance of an AUC is poorly known, and the answer approximate.",
        rows=rows,
        name=name,
    )
    return (warning_note("few-rows-of-a-class", message),)


def quantile(level: float, df: float = np.inf) -> float:
    """Return the two-sided quantile of the normal (infinite df) or of Student's t."""
    from scipy.special import ndtri, stdtrit

    share = (1.0 + level) / 2.0
    return float(ndtri(share) if np.isinf(df) else stdtrit(df, share))
