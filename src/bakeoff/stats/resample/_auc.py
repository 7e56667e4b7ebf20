"""Bootstrap of the AUC of several models on the same draws."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, RngLike, as_generator, check_count
from bakeoff.stats._kernels import auc_blocks, rank_layout
from bakeoff.stats.resample._tallies import ScoreCells, as_labelled_scores, map_tallies
from bakeoff.stats.resample._units import collect, make_units, new_seed
from bakeoff.stats.roc import sorted_order


def auc_bootstrap(
    positive: ArrayLike,
    scores: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    stratified: bool = False,
    groups: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Resample rows and return the AUC of every model on every replicate, paired across models.

    Each replicate is an exact bootstrap sample (multinomial counts), and its AUC counts ties one half. Rows are
    sorted once per model; a replicate is then one pass over the counts. Scores with few distinct values are counted
    first, so that the cost follows the distinct outcomes.

    Parameters
    ----------
    positive
        True class, ``[n]`` (True/False, 0/1 or −1/1).
    scores
        One column per model, ``[n, k]`` (or ``[n]``); higher means more positive.
    n_resamples
        Number of replicates B.
    rng
        Seed or generator. The same seed gives the same answer on either kernel path and any number of threads.
    stratified
        Draw positives and negatives separately, so that their numbers stay fixed.
    groups
        Cluster label per row, ``[n]``: whole clusters are drawn.
    weights
        Weight per row, ``[n]``; weighted replicates take the slower way over tallies.
    n_jobs
        Threads; None uses all cores (or ``OMP_NUM_THREADS``).

    Returns
    -------
    aucs : float array ``[B, k]``
        NaN for a replicate that drew one class only (possible when a class is tiny and `stratified` is False).

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import auc_bootstrap
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> scores = rng.normal(size=(500, 2)) + y[:, None] * [1.0, 1.5]
    >>> aucs = auc_bootstrap(y, scores, 2000, rng=0)
    >>> low, high = np.quantile(aucs[:, 1] - aucs[:, 0], [0.025, 0.975])
    >>> bool(0 < low < high < 0.2)
    True
    """
    truth, columns = as_labelled_scores(positive, scores)
    n_resamples = check_count("n_resamples", n_resamples)
    if weights is not None:
        return map_tallies(
            auc_of_tallies, truth, columns, n_resamples, rng, stratified=stratified, groups=groups, weights=weights
        )
    cells = None if groups is not None else ScoreCells.of(truth, columns)
    if cells is not None:
        return _auc_of_cells(cells, n_resamples, rng, stratified)
    rankings = [sorted_order(np.ascontiguousarray(column)) for column in columns.T]
    # Units in the first model's order: its pass then reads memory in sequence.
    units = make_units(truth.size, strata=truth if stratified else None, groups=groups, order=rankings[0][0])
    plan, seed = units.plan, new_seed(rng)
    layouts = [
        rank_layout(truth, column, units.of_row, plan.n_units, ranking)
        for column, ranking in zip(columns.T, rankings, strict=True)
    ]
    twice, positives, negatives = collect(
        n_resamples, plan.n_units, lambda first, count: auc_blocks(plan, seed, first, count, layouts, n_jobs)
    )
    pairs = positives.astype(np.float64) * negatives
    with np.errstate(invalid="ignore"):  # one class only: 0 / 0, undefined, NaN
        return np.asarray(twice / (2.0 * pairs[:, None]))


def _auc_of_cells(cells: ScoreCells, n_resamples: int, rng: RngLike, stratified: bool) -> FloatArray:
    generator = as_generator(rng)
    at_once = max(1, (1 << 24) // cells.count.size)
    parts = []
    for first in range(0, n_resamples, at_once):
        chunk = cells.tallies(cells.draw(min(at_once, n_resamples - first), generator, stratified))
        parts.append(chunk.map(auc_of_tallies))
    return np.concatenate(parts)


def auc_of_tallies(positives: FloatArray, negatives: FloatArray) -> FloatArray:
    """Return the AUC of each tally, ``[b, m]`` → ``[b]``; scores descend along the last axis."""
    above = np.cumsum(positives, axis=1) - 0.5 * positives
    pairs = positives.sum(axis=1) * negatives.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.einsum("bm,bm->b", above, negatives) / pairs)
