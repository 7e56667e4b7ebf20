"""Bootstrap replicates of the difference of two models, any measure, rows drawn for both alike.

What is redrawn follows the measure: the joint cells of truth and two models' labels (a multinomial, whatever the
number of rows), rows of losses, rows over sorted scores, or whole clusters where rows are grouped. Models are taken in
the order of their names, so an answer does not depend on the order in which they were given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.random import named_stream
from bakeoff._core.validation import FloatArray
from bakeoff.comparison._patterns import Patterns
from bakeoff.evidence import Rows
from bakeoff.measures import Measure, Sample, sample_of

_JACKKNIFE_BLOCKS = 100  # leaving out blocks of rows, where leaving out each row in turn would be too dear


class Draws(NamedTuple):
    """Replicates of measure(a) − measure(b), ``[B]``, and BCa's acceleration."""

    differences: FloatArray
    acceleration: float


Source = Callable[[str, str], Draws]


def difference_draws(measure: Measure, rows: Rows, n_resamples: int, seed: int) -> Source:
    """Return a function of two model names that gives the bootstrap of their difference."""
    if measure.from_confusion is not None:
        return lambda a, b: _cells(measure, rows, a, b, n_resamples, seed)
    models = sorted(rows.models)
    table = _common_draws(measure, rows, models, n_resamples, named_stream(seed, rows.name, "rows"))
    leave = _left_out(measure, rows, models)

    def of_pair(a: str, b: str) -> Draws:
        i, j = models.index(a), models.index(b)
        return Draws(table[:, i] - table[:, j], acceleration(leave[:, i] - leave[:, j]))

    return of_pair


def acceleration(left_out: FloatArray, weight: FloatArray | None = None) -> float:
    """BCa's acceleration from the values that a statistic takes with each row (cell, cluster, block) left out."""
    from bakeoff.stats.resample import acceleration_from_influence

    defined = np.isfinite(left_out)
    if not defined.any():
        return 0.0
    count = None if weight is None else weight[defined]
    # Leaving a row out moves the statistic against the row's influence.
    return float(acceleration_from_influence(-left_out[defined], count))


# -- functions of confusion cells -------------------------------------------------------------------------------------


def _cells(measure: Measure, rows: Rows, a: str, b: str, n_resamples: int, seed: int) -> Draws:
    first, second = sorted((a, b))
    patterns = Patterns.of(rows, first, second)
    counts = patterns.draw(n_resamples, named_stream(seed, rows.name, first, second, "cells"))
    sign = 1.0 if (a, b) == (first, second) else -1.0
    moved, weight = patterns.jackknife(measure)
    return Draws(sign * patterns.difference(measure, counts), acceleration(sign * moved, weight))


# -- everything else --------------------------------------------------------------------------------------------------


def _common_draws(
    measure: Measure, rows: Rows, models: list[str], n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Replicates of every model on the same draws of rows, ``[B, k]``."""
    from bakeoff.stats import resample

    if measure.terms is not None and measure.combine is not None:
        terms = stacked_terms(measure, rows, models)
        means = resample.mean_bootstrap(
            terms.reshape(rows.n, -1), n_resamples, rng, weights=rows.weight, groups=rows.groups
        )
        return np.asarray(measure.combine(means.reshape(n_resamples, len(models), -1)))
    if measure.name == "auc" and rows.weight is None:
        scores = np.stack([rows.scores(m) for m in models], axis=1)
        return resample.auc_bootstrap(rows.positives(), scores, n_resamples, rng, groups=rows.groups)
    if measure.from_tally is not None:
        return _over_tallies(measure, rows, models, n_resamples, rng)
    weights = resample.row_weights(rows.n, n_resamples, rng, groups=rows.groups)
    samples = [sample_of(rows, m, measure.needs) for m in models]
    parts = [np.stack([_weighted(measure, s, np.asarray(w, float)) for s in samples], axis=1) for w in weights]
    return np.concatenate(parts)


def stacked_terms(measure: Measure, rows: Rows, models: list[str]) -> FloatArray:
    """Row terms of every model, ``[n, k, m]``."""
    assert measure.terms is not None
    return np.stack([measure.terms(sample_of(rows, m, measure.needs)) for m in models], axis=1)


def _weighted(measure: Measure, sample: Sample, counts: FloatArray) -> FloatArray:
    """The measure with rows counted `counts` times, ``[B, n]`` (and by their own weights)."""
    return measure.of_weights(sample, counts if sample.weight is None else counts * sample.weight)


def _over_tallies(
    measure: Measure, rows: Rows, models: list[str], n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    from bakeoff.stats import resample

    function = measure.from_tally
    assert function is not None
    scores = np.stack([rows.scores(m) for m in models], axis=1)
    thresholds = resample.distinct_scores(scores)
    chunks = resample.tally_bootstrap(
        rows.positives(), scores, n_resamples, rng, weights=rows.weight, groups=rows.groups
    )
    parts = []
    for chunk in chunks:
        each = zip(thresholds, chunk.positives, chunk.negatives, strict=True)
        parts.append(np.stack([np.atleast_1d(function(t, p, n)) for t, p, n in each], axis=1))
    return np.concatenate(parts)


# -- leaving rows out -------------------------------------------------------------------------------------------------


def _left_out(measure: Measure, rows: Rows, models: list[str]) -> FloatArray:
    """Values of every model with each row, cluster or block of rows left out, ``[units, k]``."""
    from bakeoff.stats import resample

    if measure.terms is not None and measure.combine is not None:
        return _left_out_means(measure, rows, models)
    if measure.name == "auc" and rows.weight is None and rows.groups is None:
        scores = np.stack([rows.scores(m) for m in models], axis=1)
        return -resample.auc_influence(rows.positives(), scores)
    samples = [sample_of(rows, m, measure.needs) for m in models]
    unit = blocks_of(rows)
    kept = [(unit != u).astype(np.float64) for u in range(int(unit.max()) + 1)]
    return np.stack([_weighted(measure, s, np.array(kept)) for s in samples], axis=1)


def blocks_of(rows: Rows) -> NDArray[np.int64]:
    """Cluster of each row where rows are grouped, else one of at most a hundred interleaved blocks."""
    if rows.groups is not None and rows.n_groups <= _JACKKNIFE_BLOCKS:
        return rows.groups.astype(np.int64)
    base = np.arange(rows.n) if rows.groups is None else rows.groups
    return np.asarray(base % min(_JACKKNIFE_BLOCKS, rows.n), dtype=np.int64)


def _left_out_means(measure: Measure, rows: Rows, models: list[str]) -> FloatArray:
    assert measure.combine is not None
    terms = stacked_terms(measure, rows, models)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    sums, totals = terms * weight[:, None, None], weight
    if rows.groups is not None:
        shape = (rows.n_groups, *terms.shape[1:])
        flat = [np.bincount(rows.groups, column, minlength=rows.n_groups) for column in sums.reshape(rows.n, -1).T]
        sums = np.stack(flat, axis=1).reshape(shape)
        totals = np.asarray(np.bincount(rows.groups, weight, minlength=rows.n_groups), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        means = (sums.sum(axis=0) - sums) / (totals.sum() - totals)[:, None, None]
    return np.asarray(measure.combine(means))
