"""Bootstrap of tallies: positives and negatives at each distinct score, redrawn.

Everything that is a function of an ROC curve is a function of the tally: partial AUC, average precision, KS, H-measure,
ROC and cost-curve bands. Replicates come in chunks, so that memory is bounded by rows, never rows × replicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import (
    BoolArray,
    FloatArray,
    IntArray,
    RngLike,
    as_binary_truth,
    as_generator,
    check_count,
)
from bakeoff.stats.resample._rows import MAX_BYTES
from bakeoff.stats.resample._sums import as_weights
from bakeoff.stats.resample._units import make_units, new_seed, tables
from bakeoff.stats.roc import check_no_nan

# With at most n / 200 distinct outcomes, drawing their counts (some 50 ns each) is cheaper than drawing the rows
# (some 0.2 ns each). The rule looks at the data only, never at the path, so that a seed means one answer.
COLLAPSE = 200
_CACHE = 1 << 22  # bytes of a chunk where replicates are small: measures that walk over it are then three times faster
_TRANSPOSED = 4096  # rows turned at a time from one line per row to one line per replicate, in the cache


@dataclass(frozen=True)
class TallyChunk:
    """A chunk of b replicates, paired across models.

    Attributes
    ----------
    positives, negatives
        For each model, the (weighted) rows of each class at each distinct score, scores descending, ``[b, m]``;
        cumulative sums along the last axis are true and false positives at ``score >= threshold``.
    """

    positives: tuple[FloatArray, ...]
    negatives: tuple[FloatArray, ...]

    def __len__(self) -> int:
        return int(self.positives[0].shape[0])

    def map(self, function: Callable[[FloatArray, FloatArray], ArrayLike]) -> FloatArray:
        """Evaluate a function of positives and negatives for every model: ``[b, k, ...]``."""
        both = zip(self.positives, self.negatives, strict=True)
        return np.stack([np.asarray(function(p, n), dtype=np.float64) for p, n in both], axis=1)


def distinct_scores(scores: ArrayLike) -> list[FloatArray]:
    """Return each model's distinct scores, descending: the thresholds that tallies refer to."""
    return [np.unique(column)[::-1] for column in _score_columns(scores).T]


def tally_bootstrap(
    positive: ArrayLike,
    scores: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    stratified: bool = False,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    max_bytes: int = MAX_BYTES,
) -> Iterator[TallyChunk]:
    """Resample rows and yield the tallies of every model, chunk by chunk, paired across models.

    Parameters
    ----------
    positive
        True class, ``[n]``.
    scores
        One column per model, ``[n, k]`` (or ``[n]``).
    n_resamples, rng
        Number of replicates, seed or generator.
    stratified
        Draw positives and negatives separately, so that their numbers stay fixed.
    groups
        Cluster label per row: whole clusters are drawn.
    weights
        Weight per row; tallies then add weights.
    max_bytes
        Memory a chunk may take.

    Yields
    ------
    TallyChunk
    """
    truth, columns = as_labelled_scores(positive, scores)
    n_resamples = check_count("n_resamples", n_resamples)
    cells = None if groups is not None or weights is not None else ScoreCells.of(truth, columns)
    if cells is not None:
        return _from_cells(cells, n_resamples, rng, stratified, max_bytes)
    weight = None if weights is None else as_weights(weights, truth.size)
    return _from_rows(truth, columns, n_resamples, rng, stratified, groups, weight, max_bytes)


def map_tallies(
    function: Callable[[FloatArray, FloatArray], ArrayLike],
    positive: ArrayLike,
    scores: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    stratified: bool = False,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
) -> FloatArray:
    """Evaluate `function(positives [b, m], negatives [b, m])`, which returns ``[b, ...]``, for every model.

    Returns
    -------
    values : float array ``[B, k, ...]``
        Replicate, model, and whatever the function adds. Tallies have scores in descending order.
    """
    chunks = tally_bootstrap(positive, scores, n_resamples, rng, stratified=stratified, groups=groups, weights=weights)
    return np.concatenate([chunk.map(function) for chunk in chunks])


def as_labelled_scores(positive: ArrayLike, scores: ArrayLike) -> tuple[BoolArray, FloatArray]:
    """Check the true classes ``[n]`` and the scores ``[n, k]`` against each other."""
    truth = as_binary_truth(positive, name="positive")
    columns = _score_columns(scores)
    if columns.shape[0] != truth.size:
        raise EvidenceError(f"scores must have one row per label. Got {columns.shape[0]} and {truth.size} rows.")
    if not truth.any() or truth.all():
        raise EvidenceError("positive must have rows of both classes: a ranking measure needs pairs.")
    return truth, columns


def _score_columns(scores: ArrayLike) -> FloatArray:
    """Return scores ``[n, k]``, a vector being one column; ±inf is a score like any other, NaN is an error."""
    array = np.asarray(scores, dtype=np.float64)
    columns = array[:, None] if array.ndim == 1 else array
    if columns.ndim != 2 or 0 in columns.shape:
        raise EvidenceError(f"scores must be [rows, models], at least one of each. Got shape {array.shape} instead.")
    check_no_nan("scores", columns)
    return columns


@dataclass(frozen=True)
class ScoreCells:
    """Distinct outcomes (class and score of every model) and how many rows have each.

    Attributes
    ----------
    positive
        Class of each cell, ``[c]``.
    level
        For each model, the index of the cell's score among that model's distinct scores, descending, ``[c, k]``.
    count
        Rows in each cell, ``[c]``.
    """

    positive: BoolArray
    level: IntArray
    count: IntArray

    @classmethod
    def of(cls, truth: BoolArray, columns: FloatArray) -> ScoreCells | None:
        """Count the distinct outcomes; None when there are too many for that to pay."""
        limit = truth.size // COLLAPSE
        code = truth.astype(np.int64)
        levels = []
        for column in columns.T:
            if limit == 0 or np.unique(column[: 4 * limit]).size > limit:  # a look at the first rows settles most cases
                return None
            distinct, level = np.unique(-column, return_inverse=True)
            cells, code = np.unique(code * distinct.size + level, return_inverse=True)
            if cells.size > limit:
                return None
            levels.append(level)
        _, first, count = np.unique(code, return_index=True, return_counts=True)
        return cls(truth[first], np.stack(levels, axis=1)[first], count)

    def draw(self, n_resamples: int, generator: np.random.Generator, stratified: bool) -> IntArray:
        """Redraw the counts, ``[B, c]``: exactly the row bootstrap, counted."""
        draws = np.empty((n_resamples, self.count.size), dtype=np.int64)
        classes = (self.positive, ~self.positive) if stratified else (np.ones_like(self.positive),)
        for inside in classes:
            total = int(self.count[inside].sum())
            draws[:, inside] = generator.multinomial(total, self.count[inside] / total, size=n_resamples)
        return draws

    def tallies(self, draws: IntArray) -> TallyChunk:
        """Add the drawn cells up at each model's distinct scores."""
        sides: list[tuple[FloatArray, ...]] = []
        for side in (self.positive, ~self.positive):
            part = draws[:, side].astype(np.float64)
            sides.append(tuple(_add_levels(part, level[side], int(level.max()) + 1) for level in self.level.T))
        return TallyChunk(*sides)


def _add_levels(values: FloatArray, level: IntArray, n_levels: int) -> FloatArray:
    """Sum columns that share a level: ``[b, c]`` → ``[b, n_levels]``."""
    order = np.argsort(level, kind="stable")
    present, start = np.unique(level[order], return_index=True)
    tally = np.zeros((values.shape[0], n_levels))
    if present.size:
        tally[:, present] = np.add.reduceat(values[:, order], start, axis=1)
    return tally


def _from_cells(
    cells: ScoreCells, n_resamples: int, rng: RngLike, stratified: bool, max_bytes: int
) -> Iterator[TallyChunk]:
    generator = as_generator(rng)
    at_once = max(1, max_bytes // (32 * cells.count.size * cells.level.shape[1]))
    for first in range(0, n_resamples, at_once):
        yield cells.tallies(cells.draw(min(at_once, n_resamples - first), generator, stratified))


def _from_rows(
    truth: BoolArray,
    columns: FloatArray,
    n_resamples: int,
    rng: RngLike,
    stratified: bool,
    groups: ArrayLike | None,
    weight: FloatArray | None,
    max_bytes: int,
) -> Iterator[TallyChunk]:
    units = make_units(truth.size, strata=truth if stratified else None, groups=groups)
    models = [_Sorted.of(truth, column, units.of_row, weight) for column in columns.T]
    one = 24 * truth.size * len(models)
    at_once = max(1, min(max_bytes, _CACHE) // one, min(4, max_bytes // one))
    for table in tables(units.plan, n_resamples, new_seed(rng)):
        for first in range(0, table.shape[1], at_once):
            lanes = np.ascontiguousarray(table[:, first : first + at_once])
            pairs = [model.tallies(lanes) for model in models]
            yield TallyChunk(tuple(p for p, _ in pairs), tuple(n for _, n in pairs))


@dataclass(frozen=True)
class _Sorted:
    """A model's rows by descending score.

    Attributes
    ----------
    unit
        Unit of each row, ``[n]``.
    up, down
        What a count of the row adds to the positives and to the negatives: its weight or 0, ``[n]``.
    start
        First row of each distinct score, ``[m]``.
    """

    unit: IntArray
    up: FloatArray
    down: FloatArray
    start: IntArray

    @classmethod
    def of(cls, truth: BoolArray, score: FloatArray, unit: IntArray, weight: FloatArray | None) -> _Sorted:
        order = np.argsort(-score, kind="stable")
        falling, carried = score[order], np.ones(score.size) if weight is None else weight[order]
        start = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1]]))
        return cls(unit[order], carried * truth[order], carried * ~truth[order], start)

    def tallies(self, lanes: NDArray[np.uint8]) -> tuple[FloatArray, FloatArray]:
        """Tally counts ``[units, b]`` into positives and negatives, ``[b, m]``."""
        counts = np.empty((lanes.shape[1], self.unit.size), dtype=np.uint8)
        for first in range(0, self.unit.size, _TRANSPOSED):
            part = slice(first, first + _TRANSPOSED)
            counts[:, part] = lanes.take(self.unit[part], axis=0).T
        return self._add_up(counts, self.up), self._add_up(counts, self.down)

    def _add_up(self, counts: NDArray[np.uint8], worth: FloatArray) -> FloatArray:
        values = np.multiply(counts, worth)
        if self.start.size == self.unit.size:
            return values
        return np.add.reduceat(values, self.start, axis=1)
