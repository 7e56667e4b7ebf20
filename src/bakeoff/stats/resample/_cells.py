"""Bootstrap of a confusion table, or of any table of counts: redraw the cells, not the rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import FloatArray, IntArray, RngLike, as_generator, check_count
from bakeoff.stats.resample._sums import cell_sums, unit_sums
from bakeoff.stats.resample._units import DrawUnits, make_units, new_seed, tables

_DENSE = 1 << 24  # numbers (128 MB) that may be spent on a column per cell, which the kernels add fastest


def cell_bootstrap(
    cells: ArrayLike, n_resamples: int, rng: RngLike = None, *, strata_axis: int | None = None
) -> IntArray:
    """Redraw a table of counts, as if its rows had been resampled and counted again.

    Resampling n rows with replacement and counting them is exactly one multinomial draw over the cells, so the cost
    is B × cells whatever n is.

    Parameters
    ----------
    cells
        Counts of any shape: a confusion matrix ``[K, K]``, the joint table of two models ``[K, K, K]``, a tally.
        They must be whole numbers; for weighted rows use `weighted_cell_bootstrap`.
    n_resamples
        Number of replicates B.
    rng
        Seed or generator.
    strata_axis
        Axis whose margin stays fixed: 0 for a confusion matrix with true classes in rows means that each class is
        resampled within itself (the stratified bootstrap).

    Returns
    -------
    draws : int array ``[B, *cells.shape]``

    References
    ----------
    B. Efron and R. Tibshirani (1993), An Introduction to the Bootstrap, ch. 5.

    Examples
    --------
    >>> from bakeoff.stats.resample import cell_bootstrap
    >>> draws = cell_bootstrap([[50, 10], [5, 35]], 1000, rng=0, strata_axis=0)
    >>> draws.shape, draws[0].sum(axis=1).tolist()
    ((1000, 2, 2), [60, 40])
    """
    counts = _whole_cells(cells)
    n_resamples = check_count("n_resamples", n_resamples)
    generator = as_generator(rng)
    if strata_axis is None:
        return _draw(counts.reshape(1, -1), n_resamples, generator).reshape(n_resamples, *counts.shape)
    if not -counts.ndim <= strata_axis < counts.ndim:
        raise ParameterError(f"strata_axis must be an axis of cells, which has {counts.ndim}. Got {strata_axis}.")
    front = np.moveaxis(counts, strata_axis, 0)
    draws = _draw(front.reshape(front.shape[0], -1), n_resamples, generator)
    return np.moveaxis(draws.reshape(n_resamples, *front.shape), 1, 1 + strata_axis % counts.ndim)


def _draw(counts: IntArray, n_resamples: int, generator: np.random.Generator) -> IntArray:
    """Multinomial draws within each line of counts: ``[S, C]`` → ``[B, S, C]``."""
    draws = np.zeros((n_resamples, *counts.shape), dtype=np.int64)
    for s, line in enumerate(counts):
        filled = np.flatnonzero(line)  # empty cells stay empty: leave them out of the draw
        if filled.size:
            total = int(line.sum())
            draws[:, s, filled] = generator.multinomial(total, line[filled] / total, size=n_resamples)
    return draws


def weighted_cell_bootstrap(
    cell: ArrayLike,
    weights: ArrayLike,
    n_cells: int,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> FloatArray:
    """Redraw a table of weighted counts: rows are resampled, each carrying its weight to its cell.

    With weights the cells alone no longer tell how variable they are, so the rows are needed: `cell` is the flat cell
    index of each row. The draw is the exact row bootstrap.

    Returns
    -------
    draws : float array ``[B, n_cells]``
    """
    index = np.asarray(cell)
    weight = np.asarray(weights, dtype=np.float64)
    if index.ndim != 1 or weight.shape != index.shape or index.dtype.kind not in "iu":
        raise EvidenceError("cell must hold one whole number per row and weights one number per row.")
    if index.size == 0 or index.min() < 0 or index.max() >= n_cells:
        raise EvidenceError(f"cell must lie between 0 and n_cells − 1 = {n_cells - 1} on every row.")
    n_resamples = check_count("n_resamples", n_resamples)
    units = make_units(index.size, strata=strata, groups=groups)
    if not units.clustered:
        of_unit = np.argsort(units.of_row)
        return cell_sums(units, index[of_unit].astype(np.int64), weight[of_unit], n_cells, n_resamples, rng, None)
    n_units = int(units.sizes.sum())
    if n_units * n_cells <= _DENSE:
        flat: FloatArray = np.bincount(units.of_row * n_cells + index, weight, n_units * n_cells).astype(np.float64)
        return unit_sums(units, flat.reshape(n_units, n_cells), n_resamples, rng, None)
    return _sparse_sums(units, index, weight, n_cells, n_resamples, new_seed(rng))


def _sparse_sums(
    units: DrawUnits, cell: IntArray, weight: FloatArray, n_cells: int, n_resamples: int, seed: int
) -> FloatArray:
    """Sum by cell without a column per cell: rows sorted by cell, one sum per run, a few thousand rows at a time."""
    order = np.argsort(cell, kind="stable")
    draws = np.zeros((n_resamples, n_cells))
    done = 0
    for table in tables(units.plan, n_resamples, seed):
        lanes = table.shape[1]
        for rows in np.array_split(order, -(-order.size // 8192)):
            carried = table.take(units.of_row[rows], axis=0) * weight[rows, None]
            present, start = np.unique(cell[rows], return_index=True)
            draws[done : done + lanes, present] += np.add.reduceat(carried, start, axis=0).T
        done += lanes
    return draws


def _whole_cells(cells: ArrayLike) -> IntArray:
    array = np.asarray(cells)
    if array.dtype.kind not in "iufb" or array.ndim == 0:
        raise EvidenceError("cells must be a table of counts.")
    if not np.isfinite(array).all() or (array < 0).any() or (array != np.floor(array)).any():
        raise EvidenceError(
            "cells must be whole, non-negative counts: a multinomial redraws cases, and a weight is not a case.",
            hint="for weighted rows use weighted_cell_bootstrap, which resamples the rows themselves",
        )
    counts = array.astype(np.int64)
    if counts.sum() == 0:
        raise EvidenceError("cells must hold at least one case. Got an empty table.")
    return counts
