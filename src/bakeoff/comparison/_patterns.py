"""Patterns: how often each (true class, class by a, class by b) occurred; the sufficient statistic of a pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Rows
from bakeoff.measures import Measure

_MAX_BYTES = 1 << 27


@dataclass(frozen=True)
class Patterns:
    """The joint counts of two models on one test set, with the rows behind them where counts do not suffice.

    Attributes
    ----------
    cell_a, cell_b
        Flat confusion cell (true × K + predicted) of each pattern, by model, ``[m]``.
    counts
        Count (or weight) of each pattern, ``[m]``.
    n_classes, positive
        Number of classes, index of the positive one.
    of_row, weight, groups
        Pattern, weight and cluster of each row; only where rows are weighted or grouped.
    """

    cell_a: NDArray[np.int64]
    cell_b: NDArray[np.int64]
    counts: FloatArray
    n_classes: int
    positive: int | None
    of_row: NDArray[np.int64] | None = None
    weight: FloatArray | None = None
    groups: NDArray[np.int32] | None = None

    @classmethod
    def of(cls, rows: Rows, a: str, b: str) -> Patterns:
        """Count the patterns of two models."""
        k = len(rows.classes)
        truth = rows.truth.astype(np.int64)
        key = (truth * k + rows.labels(a)) * k + rows.labels(b)
        distinct, inverse = np.unique(key, return_inverse=True)
        counts = np.bincount(inverse, weights=rows.weight, minlength=distinct.size).astype(np.float64)
        true, called_a, called_b = distinct // (k * k), distinct // k % k, distinct % k
        plain = rows.groups is None and rows.weight is None
        return cls(
            true * k + called_a, true * k + called_b, counts, k, rows.positive,
            *((None, None, None) if plain else (inverse, rows.weight, rows.groups)),
        )  # fmt: skip

    @property
    def discordant(self) -> NDArray[np.bool_]:
        """Which patterns have the two models disagree, ``[m]``."""
        return np.asarray(self.cell_a != self.cell_b)

    def cells(self, cell: NDArray[np.int64], counts: FloatArray) -> FloatArray:
        """Confusion cells of one model from counts ``[..., m]``: ``[..., K, K]``."""
        k = self.n_classes
        order = np.argsort(cell, kind="stable")
        present, start = np.unique(cell[order], return_index=True)
        out = np.zeros((*counts.shape[:-1], k * k))
        out[..., present] = np.add.reduceat(counts[..., order], start, axis=-1)
        return out.reshape(*counts.shape[:-1], k, k)

    def difference(self, measure: Measure, counts: FloatArray) -> FloatArray:
        """measure(a) − measure(b) for counts ``[B, m]``: ``[B]``."""
        return self.difference_of(measure, counts, counts, self.cell_a, self.cell_b)

    def difference_of(
        self,
        measure: Measure,
        counts_a: FloatArray,
        counts_b: FloatArray,
        cell_a: NDArray[np.int64],
        cell_b: NDArray[np.int64],
    ) -> FloatArray:
        """measure(a) − measure(b) where each model has its own counts and cells; in chunks of bounded memory."""
        assert measure.from_confusion is not None
        at_once = max(1, _MAX_BYTES // (16 * (self.n_classes**2 + counts_a.shape[-1])))
        parts = []
        for first in range(0, counts_a.shape[0], at_once):
            chunk = slice(first, first + at_once)
            values = [
                np.asarray(measure.from_confusion(self.cells(cell, counts[chunk]), self.positive))
                for cell, counts in ((cell_a, counts_a), (cell_b, counts_b))
            ]
            with np.errstate(invalid="ignore"):  # both infinite: the difference is undefined, and left out by name
                parts.append(values[0] - values[1])
        return np.concatenate(parts)

    # -- bootstrap ----------------------------------------------------------------------------------------------------

    def draw(self, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Bootstrap counts, ``[B, m]``: a multinomial over patterns; rows or clusters where those are the units."""
        from bakeoff.stats import resample

        if self.of_row is None:
            return resample.cell_bootstrap(self.counts, n_resamples, rng).astype(np.float64)
        chunks = resample.row_weights(self.of_row.size, n_resamples, rng, groups=self.groups)
        return np.concatenate([self._count(chunk) for chunk in chunks])

    def _count(self, drawn: FloatArray) -> FloatArray:
        """Add up rows drawn ``[b, n]`` times into patterns ``[b, m]``."""
        assert self.of_row is not None
        order = np.argsort(self.of_row, kind="stable")
        weighted = drawn if self.weight is None else drawn * self.weight
        start = np.searchsorted(self.of_row[order], np.arange(self.counts.size))
        return np.asarray(np.add.reduceat(weighted[:, order], start, axis=1))

    def jackknife(self, measure: Measure) -> tuple[FloatArray, FloatArray]:
        """Differences with one case of each pattern (or one cluster) left out, ``[u]``, and how many such units."""
        if self.groups is not None:
            tables = self._cluster_tables(self.groups)
            return self.difference(measure, self.counts - tables), np.ones(len(tables))
        m = self.counts.size
        parts = []
        for first in range(0, m, 1000):
            some = np.arange(first, min(first + 1000, m))
            without = np.repeat(self.counts[None], some.size, axis=0)
            without[np.arange(some.size), some] -= np.minimum(1.0, self.counts[some])
            parts.append(self.difference(measure, without))
        return np.concatenate(parts), self.counts

    def _cluster_tables(self, groups: NDArray[np.int32]) -> FloatArray:
        assert self.of_row is not None
        n_groups, m = int(groups.max()) + 1, self.counts.size
        flat = np.bincount(groups.astype(np.int64) * m + self.of_row, weights=self.weight, minlength=n_groups * m)
        return flat.reshape(n_groups, m).astype(np.float64)

    # -- permutation --------------------------------------------------------------------------------------------------

    def swapped(self, measure: Measure, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Differences after swapping the two models' labels by a fair coin on each case (or cluster), ``[B]``."""
        if self.of_row is None:
            coins = rng.binomial(self.counts.astype(np.int64), 0.5, size=(n_resamples, self.counts.size))
            moved = coins.astype(np.float64)
        else:
            moved = self._swapped_rows(n_resamples, rng)
        kept = self.counts - moved
        # A swapped case counts in b's cell for a and in a's cell for b.
        both_cells = np.concatenate([self.cell_a, self.cell_b])
        counts_a = np.concatenate([kept, moved], axis=1)
        counts_b = np.concatenate([moved, kept], axis=1)
        return self.difference_of(measure, counts_a, counts_b, both_cells, both_cells)

    def _swapped_rows(self, n_resamples: int, rng: np.random.Generator) -> FloatArray:
        """Weight of the swapped cases of each pattern, ``[B, m]``; a cluster is swapped as a whole."""
        assert self.of_row is not None
        unit = np.arange(self.of_row.size) if self.groups is None else self.groups
        n_units = int(unit.max()) + 1
        at_once = max(1, _MAX_BYTES // (8 * self.of_row.size))
        parts = []
        for first in range(0, n_resamples, at_once):
            coins = rng.integers(0, 2, size=(min(at_once, n_resamples - first), n_units)).astype(np.float64)
            parts.append(self._count(coins[:, unit]))
        return np.concatenate(parts)
