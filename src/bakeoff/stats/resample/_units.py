"""Units, their draws, and sums over them: what every bootstrap stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, IntArray, RngLike, as_generator, check_count
from bakeoff.stats._kernels import (
    LANES,
    CountPlan,
    cell_sum_blocks,
    count_plan,
    count_table,
    sum_blocks,
    word_columns,
)


@dataclass(frozen=True)
class Units:
    """The units of a resampling design, stratum by stratum.

    Attributes
    ----------
    of_row
        Unit of each row, ``[n]``. Without clusters it is a permutation of the rows.
    sizes
        Number of units in each stratum, ``[S]``; as many are drawn in every replicate.
    clustered
        Whether units are clusters of rows.
    """

    of_row: IntArray
    sizes: IntArray
    clustered: bool

    @property
    def plan(self) -> CountPlan:
        """The draw of these units, for the kernels."""
        return count_plan(self.sizes)

    def totals(self, columns: FloatArray) -> FloatArray:
        """Sum the rows of each unit: ``[n, k]`` → ``[units, k]``."""
        n_units = int(self.sizes.sum())
        if not self.clustered:
            by_unit = np.empty_like(columns)
            by_unit[self.of_row] = columns
            return by_unit
        return np.stack([np.bincount(self.of_row, c, minlength=n_units) for c in columns.T], axis=1)


def make_units(
    n: int, *, strata: ArrayLike | None = None, groups: ArrayLike | None = None, order: IntArray | None = None
) -> Units:
    """Number the units: strata one after the other; within a stratum rows in `order`, or clusters as they sort."""
    stratum = np.zeros(n, dtype=np.int64) if strata is None else _codes("strata", strata, n)
    if groups is not None:
        return _clusters(_codes("groups", groups, n), stratum)
    if strata is None and order is None:
        return Units(np.arange(n), np.array([n]), clustered=False)
    inside = np.arange(n) if order is None else order
    ranked = inside if strata is None else inside[np.argsort(stratum[inside], kind="stable")]
    of_row = np.empty(n, dtype=np.int64)
    of_row[ranked] = np.arange(n)
    return Units(of_row, np.bincount(stratum), clustered=False)


def _clusters(group: IntArray, stratum: IntArray) -> Units:
    """Units are clusters; a stratified draw needs every cluster inside one stratum."""
    of_group = np.zeros(int(group.max()) + 1, dtype=np.int64)
    of_group[group] = stratum
    if not np.array_equal(of_group[group], stratum):
        raise EvidenceError(
            "a stratified cluster bootstrap draws whole groups within strata, but some group has rows in two strata.",
            hint="drop strata= (or stratified=True), or give strata that are constant within each group",
        )
    place = np.empty_like(of_group)
    place[np.argsort(of_group, kind="stable")] = np.arange(of_group.size)
    return Units(place[group], np.bincount(of_group), clustered=True)


def _codes(name: str, labels: ArrayLike, n: int) -> IntArray:
    array = np.asarray(labels)
    if array.shape != (n,):
        raise EvidenceError(f"{name} must have one label per row, shape ({n},). Got shape {array.shape} instead.")
    _, codes = np.unique(array, return_inverse=True)
    return codes.astype(np.int64)


_KEPT = 0.97  # share of lanes a first wave of blocks counts on
_ABOUT_A_SECOND = 1 << 30  # counts drawn and read by the C kernels


def new_seed(rng: RngLike) -> int:
    """Draw the 64-bit seed of one resampling from the caller's generator."""
    return int(as_generator(rng).integers(0, 2**64, dtype=np.uint64))


def collect(n_resamples: int, n_units: int, run: Callable[[int, int], tuple[NDArray[Any], ...]]) -> list[NDArray[Any]]:
    """Run blocks until enough lanes are kept; `run(first, count)` returns arrays by lane, the last one `kept`.

    Replicate b is the b-th kept lane in order of blocks, so it does not matter how the blocks were shared out. A call
    of `run` takes about a second at most, so that Ctrl-C is heard.
    """
    at_once = max(8, _ABOUT_A_SECOND // (LANES * n_units))
    parts: list[list[NDArray[Any]]] = []
    have = first = 0
    while have < n_resamples:
        count = min(at_once, -(-int((n_resamples - have) / _KEPT) // LANES) or 1)
        *values, kept = run(first, count)
        parts.append([value[kept] for value in values])
        have += int(kept.sum())
        first += count
    return [np.concatenate(part)[:n_resamples] for part in zip(*parts, strict=True)]


def tables(plan: CountPlan, n_resamples: int, seed: int) -> Iterator[NDArray[np.uint8]]:
    """Yield the kept lanes of block after block as counts ``[units + 1, lanes]`` until `n_resamples` were given."""
    left, block = n_resamples, 0
    while left > 0:
        table, kept = count_table(plan, seed, block)
        lanes = np.flatnonzero(kept)[:left]
        yield table if lanes.size == LANES else table[:, lanes]
        left -= lanes.size
        block += 1


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


def unit_sums(units: Units, totals: FloatArray, n_resamples: int, rng: RngLike, n_jobs: int | None) -> FloatArray:
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
    units: Units, cell: IntArray, value: FloatArray, n_cells: int, n_resamples: int, rng: RngLike, n_jobs: int | None
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
