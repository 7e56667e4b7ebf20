"""Draws: how units are drawn again, as records, as coins, or as counts of the patterns that rows fall into."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray, named_stream
from bakeoff.evidence import Units

MAX_BYTES = 1 << 27  # totals of replicates held at once


@dataclass(frozen=True)
class Draws:
    """How to draw: how many replicates, from which named stream of a seed, and whether the class counts stay fixed.

    A generator in place of the seed is drawn from as it is, for a caller whose other draws follow in the same stream.
    """

    n: int
    seed: int | np.random.Generator
    stream: tuple[str, ...] = ()
    stratified: bool = False

    @property
    def rng(self) -> np.random.Generator:
        """A fresh generator at the start of the stream: the same draws every time it is asked for."""
        return self.seed if isinstance(self.seed, np.random.Generator) else named_stream(self.seed, *self.stream)


def multipliers(units: Units, draws: Draws) -> Iterator[FloatArray]:
    """How often each record is drawn, chunk by chunk, ``[b, records]``: as many as there are, with replacement."""
    from bakeoff.stats.resample import row_weights

    for chunk in row_weights(units.records, draws.n, draws.rng):
        yield np.asarray(chunk, dtype=np.float64)


def coins(units: Units, draws: Draws) -> Iterator[FloatArray]:
    """Yield fair coins of whole records, chunk by chunk, ``[b, records]``."""
    at_once, rng = max(1, MAX_BYTES // (8 * units.rows)), draws.rng
    sizes = [min(at_once, draws.n - first) for first in range(0, draws.n, at_once)]
    for size in sizes:
        yield rng.integers(0, 2, size=(size, units.records)).astype(np.float64)


@dataclass(frozen=True)
class Patterns:
    """Distinct kinds of rows and how many rows are of each: what suffices where rows are independent.

    Resampling rows and counting them again is a multinomial draw over the patterns, whatever the number of rows.

    Attributes
    ----------
    of_row
        Pattern of each row, ``[n]``.
    first
        A row of each pattern, ``[m]``.
    """

    of_row: IntArray
    first: IntArray

    @classmethod
    def of(cls, code: NDArray[np.integer]) -> Patterns:
        """Number the distinct codes of rows ``[n]`` in sorted order."""
        _, first, of_row = np.unique(code, return_index=True, return_inverse=True)
        return cls(of_row.astype(np.int64).ravel(), first.astype(np.int64))

    @property
    def m(self) -> int:
        """Number of patterns."""
        return int(self.first.size)

    def count(self, weight: FloatArray | None) -> FloatArray:
        """Rows (or weight) of each pattern, ``[m]``."""
        return np.bincount(self.of_row, weights=weight, minlength=self.m).astype(np.float64)

    def draw(self, units: Units, draws: Draws, stratum: IntArray | None = None) -> Iterator[FloatArray]:
        """Yield resampled counts of the patterns chunk by chunk, ``[b, m]``; `stratum` is that of each row, ``[n]``."""
        from bakeoff.stats.resample import weighted_cell_bootstrap

        if units.plain:
            yield from self._multinomial(units, draws, stratum)
            return
        take, written = units.written_out()
        weight = np.ones(take.size) if written.weight is None else written.weight
        strata = None if stratum is None or written.kind == "group" else stratum[take]
        yield weighted_cell_bootstrap(
            self.of_row[take], weight, self.m, draws.n, draws.rng, strata=strata, groups=written.of_row
        )

    def _multinomial(self, units: Units, draws: Draws, stratum: IntArray | None) -> Iterator[FloatArray]:
        counts = self.count(units.row_weight)
        of_pattern = np.zeros(self.m, dtype=np.int64) if stratum is None else stratum[self.first]
        members = [np.flatnonzero(of_pattern == s) for s in np.unique(of_pattern)]
        at_once, rng = max(1, MAX_BYTES // (8 * self.m)), draws.rng
        for start in range(0, draws.n, at_once):
            size = min(at_once, draws.n - start)
            drawn = np.zeros((size, self.m))
            for member in members:
                total = counts[member].sum()
                # As many cases are drawn as there are: repeated answers to a case are no new cases.
                cases = max(round(total / units.answers), 1)
                drawn[:, member] = rng.multinomial(cases, counts[member] / total, size=size)
            yield drawn

    def by_record(self, units: Units) -> FloatArray:
        """Weight of each pattern in each record, ``[records, m]``."""
        assert units.of_row is not None
        key = units.of_row * self.m + self.of_row
        flat = np.bincount(key, weights=units.weight, minlength=units.records * self.m)
        return flat.reshape(units.records, self.m).astype(np.float64)
