"""DeLong's test that the AUCs of several models on the same rows are equal.

From a table of scores, or from scores that come one column at a time: more rows than fit in memory as a table.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import BoolArray, FloatArray, as_binary_truth
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import chi2_pvalue
from bakeoff.stats.roc._delong import (
    NEGLIGIBLE,
    DeLongTestResult,
    auc_covariance,
    covariance_of_columns,
    two_aucs_result,
)
from bakeoff.stats.roc._tally import check_both_classes, check_no_nan


@dataclass(frozen=True, repr=False)
class DeLongManyResult(Tested):
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


def delong_many(
    y_true: ArrayLike, scores: ArrayLike, *, groups: ArrayLike | None = None, pos_label: object = None
) -> DeLongManyResult:
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
    models, rows = aucs.size, int(min(positive.sum(), (~positive).sum()))
    if models >= 3 and rows < 10 * models:  # the inverse of a covariance of many AUCs from few rows is too large, as χ²
        notes.append(note("many-models-few-rows", rows=rows, models=models))
    return DeLongManyResult(statistic, df, pvalue, aucs, covariance, tuple(notes))


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
    contrast = aucs[:-1] - aucs[-1]
    spread = covariance[:-1, :-1] - covariance[:-1, -1:] - covariance[-1:, :-1] + covariance[-1, -1]
    if np.isnan(spread).any():
        return np.nan, contrast.size, np.nan, [note("auc-variance-undefined")]
    values, vectors = np.linalg.eigh(spread)
    # what is left of variances that cancel is rounding error of the variances, not a variance
    noise = 64 * np.finfo(np.float64).eps * float(np.abs(covariance).max())
    kept = values > max(NEGLIGIBLE, noise, 1e-10 * float(values[-1]))
    rank, coordinates = int(kept.sum()), vectors.T @ contrast
    if np.abs(coordinates[~kept]).max(initial=0.0) > 1e-9:
        return np.inf, rank, np.nan, [note("auc-variance-zero:many")]
    if rank == 0:
        return 0.0, 0, 1.0, [note("identical-models:rankings")]
    statistic = float((coordinates[kept] ** 2 / values[kept]).sum())
    notes = []
    if rank < contrast.size:
        notes.append(note("redundant-models", rank=rank))
    return statistic, rank, chi2_pvalue(statistic, rank), notes


@dataclass(frozen=True)
class DeLongColumns:
    """AUCs of k models on the same rows and their covariance, from which every pair's test follows."""

    aucs: FloatArray
    covariance: FloatArray
    n_positive: int
    n_negative: int

    def pair(self, a: int, b: int, alternative: str = "two-sided") -> DeLongTestResult:
        """Test two of the models, as `delong_test` does."""
        s = self.covariance
        variance = float(s[a, a] + s[b, b] - 2.0 * s[a, b])
        return two_aucs_result(self.aucs[[a, b]], variance, np.inf, alternative, self.n_positive, self.n_negative)

    def homogeneity(self) -> DeLongManyResult:
        """Test all of them at once, as `delong_many` does."""
        statistic, df, pvalue, notes = _homogeneity(self.aucs, self.covariance)
        return DeLongManyResult(statistic, df, pvalue, self.aucs, self.covariance, tuple(notes))


def delong_columns(positive: BoolArray, columns: Iterable[FloatArray]) -> DeLongColumns:
    """Return what `covariance_of_columns` finds, to be asked for every pair."""
    n_positive = int(np.count_nonzero(positive))
    return DeLongColumns(*covariance_of_columns(positive, columns), n_positive, positive.size - n_positive)
