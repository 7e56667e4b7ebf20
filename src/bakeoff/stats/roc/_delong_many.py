"""DeLong's test that the AUCs of several models on the same rows are equal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Result
from bakeoff._core.validation import BoolArray, FloatArray, as_binary_truth
from bakeoff.stats.roc._auc_edge import NEGLIGIBLE, SINGLE_ROW
from bakeoff.stats.roc._auc_variance import auc_covariance
from bakeoff.stats.roc._score_input import check_both_classes, check_no_nan


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

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import delong_many
    >>> scores = np.array([[1, 2], [2, 1], [3, 5], [4, 3], [5, 6], [6, 4]])
    >>> result = delong_many([0, 0, 1, 0, 1, 1], scores)
    >>> result.aucs.round(3).tolist(), result.df
    ([0.889, 1.0], 1)
    """

    statistic: float
    df: int
    pvalue: float
    aucs: FloatArray
    covariance: FloatArray
    notes: tuple[Note, ...] = ()


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
    notes += _dimension_note(aucs.size, int(min(positive.sum(), (~positive).sum())))
    return DeLongMany(statistic, df, pvalue, aucs, covariance, tuple(notes))


def _dimension_note(models: int, rows: int) -> list[Note]:
    """Say when the covariance of many AUCs comes from few rows: its inverse, and so χ², is then too large."""
    if models < 3 or rows >= 10 * models:
        return []
    text = said(
        "{rows} rows of the smaller class are few for {models} models at once: the chi-square rejects too often (12 % "
        "at the 5 % level with 20 rows and 6 models). The adjusted pairs do not depend on it.",
        rows=rows,
        models=models,
    )
    return [Note("many-models-few-rows", text)]


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
        return np.nan, contrast.size, np.nan, [warning_note("auc-variance-undefined", SINGLE_ROW)]
    values, vectors = np.linalg.eigh(spread)
    # what is left of variances that cancel is rounding error of the variances, not a variance
    noise = 64 * np.finfo(np.float64).eps * float(np.abs(covariance).max())
    kept = values > max(NEGLIGIBLE, noise, 1e-10 * float(values[-1]))
    rank, coordinates = int(kept.sum()), vectors.T @ contrast
    if np.abs(coordinates[~kept]).max(initial=0.0) > 1e-9:
        message = said(
            "Some AUCs differ with DeLong variance zero (perfect or constant rankings): the test is undefined."
        )
        return np.inf, rank, np.nan, [warning_note("auc-variance-zero", message)]
    if rank == 0:
        return 0.0, 0, 1.0, [Note("identical-models", said("All models rank the instances alike, so p = 1."))]
    statistic = float((coordinates[kept] ** 2 / values[kept]).sum())
    notes = []
    if rank < contrast.size:
        notes.append(
            Note("redundant-models", said("Some models rank alike: {rank} degrees of freedom remain.", rank=rank))
        )
    return statistic, rank, float(chdtrc(rank, statistic)), notes
