"""Influence values: how much one case moves a measure. They give BCa's acceleration without refitting n times."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff.stats.resample._means import as_columns, as_weights
from bakeoff.stats.resample._tallies import as_labelled_scores
from bakeoff.stats.roc import placements

FloatArray = NDArray[np.float64]


def acceleration_from_influence(values: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return BCa's acceleration a = Σ w l³ / (6 (Σ w l²)^{3/2}) from influence values l.

    Parameters
    ----------
    values
        Influence (or jackknife) value of each case, or of each kind of case.
    weights
        How many cases have each value (cell counts); one each by default.

    Returns
    -------
    acceleration : float
        0 when no case has any influence.

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals, doi:10.1080/01621459.1987.10478410.
    """
    influence = np.asarray(values, dtype=np.float64).reshape(-1)
    weight = as_weights(weights if weights is None else np.asarray(weights).reshape(-1), influence.size)
    influence = np.where(weight > 0, influence, 0.0)
    if not np.isfinite(influence).all():
        raise EvidenceError("influence values must be finite where their weight is positive.")
    centred = influence - np.average(influence, weights=weight)
    square = float(weight @ centred**2)
    return 0.0 if square == 0 else float(weight @ centred**3) / (6.0 * square**1.5)


def cell_influence(statistic: Callable[[FloatArray], ArrayLike], cells: ArrayLike) -> FloatArray:
    """Return the jackknife influence of a case in each cell on a function of the table.

    Leaving out any of the cases in a cell gives the same table, so the n refits of a jackknife are as many as cells.

    Parameters
    ----------
    statistic
        Function of tables ``[m, *shape]`` that returns ``[m]``.
    cells
        Counts, any shape.

    Returns
    -------
    influence : float array, shape of cells
        (n − 1)(T̄ − T₍₋c₎), with T̄ the mean over cases; 0 in empty cells. Use the counts as weights in
        `acceleration_from_influence`.
    """
    counts = np.asarray(cells, dtype=np.float64)
    filled = np.argwhere(counts >= 1)
    total = counts.sum()
    if total < 2:
        return np.zeros_like(counts)
    without = np.repeat(counts[None], len(filled), axis=0)
    without[(np.arange(len(filled)), *filled.T)] -= 1
    left_out = np.asarray(statistic(without), dtype=np.float64)
    influence = np.zeros_like(counts)
    weight = counts[tuple(filled.T)]
    influence[tuple(filled.T)] = (total - 1) * (np.average(left_out, weights=weight) - left_out)
    return influence


def cluster_influence(statistic: Callable[[FloatArray], ArrayLike], tables: ArrayLike) -> FloatArray:
    """Return the jackknife influence of each cluster: tables ``[G, ...]`` → ``[G]`` by leaving one cluster out."""
    per_cluster = np.asarray(tables, dtype=np.float64)
    left_out = np.asarray(statistic(per_cluster.sum(axis=0) - per_cluster), dtype=np.float64)
    influence: FloatArray = (per_cluster.shape[0] - 1) * (left_out.mean() - left_out)
    return influence


def mean_influence(losses: ArrayLike, weights: ArrayLike | None = None) -> FloatArray:
    """Return the influence of each row on the (weighted) mean of each column, ``[n, k]``: n wᵢ (xᵢ − x̄) / Σw."""
    values = as_columns("losses", losses)
    weight = as_weights(weights, values.shape[0])
    mean = weight @ values / weight.sum()
    influence: FloatArray = values.shape[0] * weight[:, None] * (values - mean) / weight.sum()
    return influence


def auc_influence(positive: ArrayLike, scores: ArrayLike) -> FloatArray:
    """Return the influence of each row on each model's AUC, ``[n, k]``.

    A positive's is (its placement − AUC) · n/P, where its placement is the share of negatives it beats; a negative's
    likewise with n/N (DeLong's structural components, rescaled). Their mean is 0.

    References
    ----------
    E. R. DeLong et al. (1988), doi:10.2307/2531595.
    """
    truth, columns = as_labelled_scores(positive, scores)
    aucs, of_positives, of_negatives = placements(truth, columns)
    influence = np.empty_like(columns)
    influence[truth] = (of_positives.T - aucs) * truth.size / of_positives.shape[1]
    influence[~truth] = (of_negatives.T - aucs) * truth.size / of_negatives.shape[1]
    return influence
