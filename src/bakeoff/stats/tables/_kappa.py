"""Cohen's kappa: agreement beyond chance, plain and weighted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note
from bakeoff._core.validation import FloatArray, check_choice, check_level
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import two_sided_quantile
from bakeoff.stats.tables._binomial import binomial_interval
from bakeoff.stats.tables._square_table import as_square_table, table_of_labels

WEIGHTS = ("none", "linear", "quadratic")


@dataclass(frozen=True, repr=False)
class KappaResult(Tested, law="normal"):
    """Kappa and how sure we are of it.

    Attributes
    ----------
    estimate
        Kappa; NaN when agreement by chance is already perfect (both always give one class).
    standard_error
        Large-sample standard error, for intervals.
    standard_error_null
        Standard error when kappa is 0, for the test; a different number.
    statistic, pvalue
        z = estimate / standard_error_null and its two-sided p-value.
    observed, chance
        Observed agreement P_o and agreement by chance P_c (weighted).
    weights
        ``"none"``, ``"linear"`` or ``"quadratic"``.
    n
        Instances.
    notes
        Choices made and weaknesses seen.
    """

    estimate: float
    standard_error: float
    standard_error_null: float
    statistic: float
    pvalue: float
    observed: float
    chance: float
    weights: str
    n: float
    notes: tuple[Note, ...] = ()

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Normal interval, estimate ± z · standard error, within [−1, 1].

        At perfect agreement the standard error is 0 and measures no uncertainty; there the limits are those of Wilson
        for the observed agreement, carried over to kappa at the same chance agreement.
        """
        check_level(level, "level")
        if self.standard_error < 1e-10:
            share = binomial_interval(min(self.observed, 1.0) * self.n, self.n, confidence_level=level)
            low, high = (max((x - self.chance) / (1.0 - self.chance), -1.0) for x in (share.low, share.high))
            return Interval(self.estimate, low, min(high, 1.0), level, "wilson", self.notes)
        half = two_sided_quantile(level) * self.standard_error
        low, high = max(self.estimate - half, -1.0), min(self.estimate + half, 1.0)
        return Interval(self.estimate, low, high, level, "delta", self.notes)


def cohen_kappa(y_true: ArrayLike, y_pred: ArrayLike, *, weights: str = "none") -> KappaResult:
    """How much do two sets of labels agree beyond what their class shares alone would give?

    Parameters
    ----------
    y_true, y_pred
        Labels ``[n]``: truth and model, or two models.
    weights
        ``"none"``: all disagreements count alike. ``"linear"`` and ``"quadratic"``: a disagreement counts by its
        distance, or squared distance, in the sorted order of the classes (ordinal labels).

    Notes
    -----
    κ = (P_o − P_c) / (1 − P_c), with P_o the observed and P_c the chance agreement (weighted). The standard errors are
    those of Fleiss, Cohen and Everitt.

    References
    ----------
    J. Fleiss, J. Cohen, B. Everitt (1969), "Large sample standard errors of kappa and weighted kappa", Psychological
    Bulletin 72, https://doi.org/10.1037/h0028106
    """
    return cohen_kappa_from_table(table_of_labels(y_true, y_pred), weights=weights)


def cohen_kappa_from_table(table: ArrayLike, *, weights: str = "none") -> KappaResult:
    """Cohen's kappa from a confusion matrix; see `cohen_kappa`.

    Examples
    --------
    >>> result = cohen_kappa_from_table([[50, 0, 0], [0, 48, 2], [0, 4, 46]])
    >>> round(result.estimate, 4), round(result.standard_error, 4)
    (0.94, 0.024)
    """
    check_choice("weights", weights, WEIGHTS)
    counts = as_square_table(table)
    n = float(counts.sum())
    cells = counts / n
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    agreement = _agreement(counts.shape[0], weights)
    observed, chance = float((agreement * cells).sum()), float(rows @ agreement @ columns)
    if 1.0 - chance < 1e-15:  # both use one and the same class only
        undefined = (note("kappa-undefined"),)
        made = KappaResult(np.nan, np.nan, np.nan, np.nan, np.nan, observed, chance, weights, n, undefined)
        return made._keeping(counts=counts)
    kappa = (observed - chance) / (1.0 - chance)
    error, null_error = _standard_errors(cells, agreement, observed, chance, n)
    z, pvalue, notes = _test(kappa, null_error)
    made = KappaResult(kappa, error, null_error, z, pvalue, observed, chance, weights, n, notes)
    return made._keeping(counts=counts)


def _agreement(size: int, weights: str) -> FloatArray:
    if weights == "none" or size == 1:
        return np.eye(size)
    # Cicchetti and Allison's linear weights, Fleiss and Cohen's quadratic: 1 on the diagonal, 0 in the far corners.
    distance = np.abs(np.subtract.outer(np.arange(size), np.arange(size))) / (size - 1.0)
    return 1.0 - distance ** (1 if weights == "linear" else 2)


def _standard_errors(
    cells: FloatArray, agreement: FloatArray, observed: float, chance: float, n: float
) -> tuple[float, float]:
    rows, columns = cells.sum(axis=1), cells.sum(axis=0)
    # What each cell would agree on average with the other rater's shares.
    mean_agreement = np.add.outer(agreement @ columns, agreement.T @ rows)
    # Two different variances (Fleiss, Cohen & Everitt 1969, eqs. for κ and for κ = 0): at the cells seen, for the
    # interval, and at independent margins, for the test. Rounding may take either a little below 0.
    terms = agreement * (1.0 - chance) - mean_agreement * (1.0 - observed)
    variance = float((cells * terms**2).sum()) - (observed * chance - 2.0 * chance + observed) ** 2
    under_null = float((np.outer(rows, columns) * (agreement - mean_agreement) ** 2).sum()) - chance**2
    scale = (1.0 - chance) * n**0.5
    return (max(variance, 0.0) ** 0.5 / (1.0 - chance) / scale, max(under_null, 0.0) ** 0.5 / scale)


def _test(kappa: float, null_error: float) -> tuple[float, float, tuple[Note, ...]]:
    from scipy.special import ndtr

    if null_error < 1e-10:  # one side has no variation, so κ is 0 by construction and cannot be tested
        return 0.0, 1.0, (note("kappa-variance-zero"),)
    z = kappa / null_error
    return z, float(2.0 * ndtr(-abs(z))), ()
