"""Units and their draws: what every bootstrap stands on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, IntArray, RngLike, as_generator, check_count
from bakeoff.stats._kernels import LANES, CountPlan, bin_counts, count_plan, count_table, padded
from bakeoff.stats.roc import code_order


@dataclass(frozen=True)
class DrawUnits:
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
) -> DrawUnits:
    """Number the units: strata one after the other; within a stratum rows in `order`, or clusters as they sort."""
    stratum = np.zeros(n, dtype=np.int64) if strata is None else _codes("strata", strata, n)
    if groups is not None:
        return _clusters(_codes("groups", groups, n), stratum)
    if strata is None and order is None:
        return DrawUnits(np.arange(n), np.array([n]), clustered=False)
    inside = np.arange(n) if order is None else order
    ranked = inside if strata is None else inside[np.argsort(stratum[inside], kind="stable")]
    of_row = np.empty(n, dtype=np.int64)
    of_row[ranked] = np.arange(n)
    return DrawUnits(of_row, np.bincount(stratum), clustered=False)


def _clusters(group: IntArray, stratum: IntArray) -> DrawUnits:
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
    return DrawUnits(place[group], np.bincount(of_group), clustered=True)


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


@dataclass(frozen=True)
class Bins:
    """Rows by bin.

    Attributes
    ----------
    units
        Unit of each row, bin by bin, as the kernels want it.
    starts
        First row of each bin and the number of rows, ``[m + 1]``.
    weight
        Weight of each row in that order; None where each counts once.
    """

    units: NDArray[np.int32]
    starts: IntArray
    weight: FloatArray | None = None

    @classmethod
    def of(cls, bin_of_row: IntArray, n_bins: int, unit: IntArray | None, weight: FloatArray | None = None) -> Bins:
        """Sort the rows by bin; without `unit` every row is one."""
        order = code_order(bin_of_row)
        starts = np.concatenate([[0], np.cumsum(np.bincount(bin_of_row, minlength=n_bins))])
        return cls(padded(order if unit is None else unit[order]), starts, None if weight is None else weight[order])


def binned_draws(
    bins: Sequence[Bins],
    n_units: int,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    absent: bool = False,
) -> Iterator[tuple[IntArray, Iterator[list[NDArray[Any]]]]]:
    """Draw units, and yield block by block what was drawn in each bin, ``[m, 64]``, one way of binning after the other.

    Before them come the columns that are replicates, nearly all: a few overshoot and must be left out. The draws are
    those of `row_weights` under the same seed. With `absent`, how many rows (or how much weight) of each bin were not
    drawn comes second. Whole counts are int32. The counts of many models need the memory of one, if each is used up
    before the next is asked for, and all before the next block.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import Bins, binned_draws
    >>> bins = Bins.of(np.array([0, 0, 1, 1]), 2, None)
    >>> lanes, [[drawn]] = next(binned_draws([bins], 4, 10, rng=0))
    >>> drawn[:, lanes].sum(axis=0).tolist()
    [4, 4, 4, 4, 4, 4, 4, 4, 4, 4]
    """
    units = make_units(n_units, strata=strata)
    plan, seed = units.plan, new_seed(rng)
    if strata is not None:
        place = units.of_row.astype(np.int32)
        bins = [Bins(padded(place[b.units[: b.starts[-1]]]), b.starts, b.weight) for b in bins]
    left, block = check_count("n_resamples", n_resamples), 0
    while left > 0:
        table, kept = count_table(plan, seed, block)
        lanes = np.flatnonzero(kept)[:left]
        yield lanes, (_signed(bin_counts(table, b.units, b.starts, b.weight, absent=absent)) for b in bins)
        left -= lanes.size
        block += 1


def _signed(counts: list[NDArray[Any]]) -> list[NDArray[Any]]:
    return [side.view(np.int32) if side.dtype == np.uint32 else side for side in counts]
