"""Resampled counts of cells: by multinomial draws, or through the rows where weights or clusters matter."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from bakeoff._core.result import Interval
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.decision._point import TIE

_CHUNK = 1 << 22  # counts held at once


def draw_cells(
    counts: FloatArray, stratum: IntArray, n_resamples: int, rng: np.random.Generator, *, n_repeats: int = 1
) -> Iterator[FloatArray]:
    """Yield resampled counts ``[b, C]``: one multinomial per stratum, which is the row bootstrap exactly.

    When every instance was predicted `n_repeats` times, as many cases are drawn as there are instances: repeated
    predictions of an instance are no new instances.
    """
    members = [np.flatnonzero(stratum == s) for s in np.unique(stratum)]
    for size in _chunks(n_resamples, counts.size):
        drawn = np.zeros((size, counts.size))
        for member in members:
            total = counts[member].sum()
            n_draws = max(round(total / n_repeats), 1)
            drawn[:, member] = rng.multinomial(n_draws, counts[member] / total, size=size)
        yield drawn


def draw_rows(
    cell: IntArray,
    n_cells: int,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    weight: FloatArray | None,
    groups: IntArray | None,
    stratum: IntArray | None,
) -> Iterator[FloatArray]:
    """Yield resampled weights of the cells ``[b, C]``: rows or whole clusters are drawn, each row with its weight."""
    from bakeoff.stats.resample import row_weights

    carried = np.ones(cell.size) if weight is None else weight
    strata = None if groups is not None else stratum
    for times in row_weights(cell.size, n_resamples, rng, strata=strata, groups=groups):
        yield np.stack([np.bincount(cell, row * carried, minlength=n_cells) for row in times])


def _chunks(n_resamples: int, n_cells: int) -> Iterator[int]:
    size = max(1, min(n_resamples, _CHUNK // max(n_cells, 1)))
    for start in range(0, n_resamples, size):
        yield min(size, n_resamples - start)


def cheapest_first(costs: Mapping[str, float], trivial: Collection[str]) -> list[str]:
    """Order by cost; a trivial rule comes before a model that ties with it."""
    slack = TIE * max(abs(cost) for cost in costs.values())
    return sorted(costs, key=lambda name: costs[name] - slack * (name in trivial))


def p_best(replicates: Mapping[str, FloatArray], trivial: Collection[str] = ()) -> dict[str, float]:
    """Return the share of resamples in which each has the least cost.

    Ties are shared, but a model that only ties with a trivial rule has not earned its place: the rule takes it.
    """
    table = np.stack(list(replicates.values()))
    least = table.min(axis=0)
    tied = table <= least + TIE * np.abs(table).max(axis=0)
    simple = np.array([name in trivial for name in replicates])[:, None]
    tied &= simple | ~(tied & simple).any(axis=0)
    shares = (tied / tied.sum(axis=0)).mean(axis=1)
    return {name: float(share) for name, share in zip(replicates, shares, strict=True)}


def percentile(estimate: float, draws: FloatArray, level: float) -> Interval:
    """Interval between the quantiles of the replicates, stretched to hold the estimate."""
    low, high = (float(q) for q in np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]))
    return Interval(estimate, min(low, estimate), max(high, estimate), level, "percentile")
