"""Sums and means of columns over drawn units."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, IntArray, RngLike, check_count
from bakeoff.stats._kernels import cell_sum_blocks, sum_blocks, word_columns
from bakeoff.stats.resample._units import DrawUnits, collect, make_units, new_seed


def sum_bootstrap(
    columns: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Resample rows and return the sums of their values, all columns from the same draws.

    Ratio measures (R², relative errors, weighted means) are functions of several sums; ask for their columns at once.

    Parameters
    ----------
    columns
        Values by row, ``[n, k]``.
    n_resamples
        Number of replicates B.
    rng
        Seed or generator.
    strata
        Label per row, ``[n]``: rows are drawn within strata.
    groups
        Cluster label per row, ``[n]``: whole clusters are drawn.
    n_jobs
        Threads; None uses all cores (or ``OMP_NUM_THREADS``). The answer does not depend on it.

    Returns
    -------
    sums : float array ``[B, k]``
        Replicate b is Σᵢ countᵢ valueᵢ with exact multinomial counts.
    """
    values = as_columns("columns", columns)
    units = make_units(values.shape[0], strata=strata, groups=groups)
    return unit_sums(units, units.totals(values), check_count("n_resamples", n_resamples), rng, n_jobs)


def unit_sums(units: DrawUnits, totals: FloatArray, n_resamples: int, rng: RngLike, n_jobs: int | None) -> FloatArray:
    """Draw units and add their totals ``[units, k]`` up: ``[B, k]``."""
    if (one := _one_column_each(totals)) is not None:
        return cell_sums(units, *one, totals.shape[1], n_resamples, rng, n_jobs)
    plan, seed, columns = units.plan, new_seed(rng), word_columns(totals)
    (sums,) = collect(
        n_resamples, plan.n_units, lambda first, count: sum_blocks(plan, seed, first, count, columns, n_jobs)
    )
    return sums


_FEW_COLUMNS = 3  # up to here a sum of every column costs no more than finding out which one a unit adds to


def _one_column_each(totals: FloatArray) -> tuple[IntArray, FloatArray] | None:
    """Which column each unit adds to, and what, where it is one only (bins, cells); None where some add to several."""
    if totals.shape[1] <= _FEW_COLUMNS or ((totals[:64] != 0).sum(axis=1) > 1).any():
        return None
    filled = totals != 0
    if (filled.sum(axis=1) > 1).any():
        return None
    column = filled.argmax(axis=1)
    return column, totals[np.arange(column.size), column]


def cell_sums(
    units: DrawUnits,
    cell: IntArray,
    value: FloatArray,
    n_cells: int,
    n_resamples: int,
    rng: RngLike,
    n_jobs: int | None,
) -> FloatArray:
    """Draw units and add the value of each to its cell, ``[B, n_cells]``: the cost does not grow with the cells."""
    plan, seed, columns = units.plan, new_seed(rng), word_columns(np.abs(value)[:, None])
    signed = 2 * cell + (value < 0)  # the words are of magnitudes: what is negative is added up by itself
    (sums,) = collect(
        n_resamples,
        plan.n_units,
        lambda first, count: cell_sum_blocks(plan, seed, first, count, columns, signed, 2 * n_cells, n_jobs),
    )
    return np.asarray(sums[:, 0::2] - sums[:, 1::2])


def mean_bootstrap(
    losses: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    weights: ArrayLike | None = None,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Resample rows and return the (weighted) mean of each column, paired across columns.

    Parameters
    ----------
    losses
        Per-row losses, one column per model, ``[n, k]`` (or ``[n]``).
    weights
        Weight of each row, ``[n]``; the replicate's mean is Σ count·w·loss / Σ count·w.
    n_resamples, rng, strata, groups, n_jobs
        As in `sum_bootstrap`.

    Returns
    -------
    means : float array ``[B, k]``
    """
    values = as_columns("losses", losses)
    n = int(values.shape[0])
    if weights is None and groups is None:
        return sum_bootstrap(values, n_resamples, rng, strata=strata, n_jobs=n_jobs) / n
    weight = as_weights(weights, n)
    joint = np.column_stack([values * weight[:, None], weight])
    sums = sum_bootstrap(joint, n_resamples, rng, strata=strata, groups=groups, n_jobs=n_jobs)
    with np.errstate(invalid="ignore", divide="ignore"):  # a replicate without weight has no mean: NaN
        return np.asarray(sums[:, :-1] / sums[:, -1:])


def as_columns(name: str, values: ArrayLike) -> FloatArray:
    """Return finite floats ``[n, k]``; a vector is one column."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or array.shape[0] == 0:
        raise EvidenceError(f"{name} must be [rows, columns] with at least one row. Got shape {array.shape} instead.")
    if not np.isfinite(array).all():
        row, column = np.argwhere(~np.isfinite(array))[0]
        raise EvidenceError(f"{name} must be finite. Got {array[row, column]} at row {row}, column {column}.")
    return array


def as_weights(weights: ArrayLike | None, n: int) -> FloatArray:
    """Return one non-negative finite weight per row; ones when None."""
    if weights is None:
        return np.ones(n)
    weight = np.asarray(weights, dtype=np.float64)
    if weight.shape != (n,) or not np.isfinite(weight).all() or (weight < 0).any() or weight.sum() == 0:
        raise EvidenceError(f"weights must be {n} finite, non-negative numbers, not all zero, one per row.")
    return weight
