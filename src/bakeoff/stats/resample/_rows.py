"""Draws of rows: as weights for measures that take weights, as indices for those that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.validation import FloatArray, IntArray, RngLike, check_count
from bakeoff.stats.resample._units import make_units, new_seed, tables

MAX_BYTES = 1 << 26  # weights held at once by default: 64 MB


def row_weights(
    n: int,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    chunk: int | None = None,
) -> Iterator[FloatArray]:
    """Yield bootstrap weights chunk by chunk: how often each row was drawn, for measures that accept weights.

    Parameters
    ----------
    n
        Number of rows.
    n_resamples, rng, strata, groups
        As in `sum_bootstrap`.
    chunk
        Most replicates in a chunk; by default at most 64, fewer when a chunk would take more than 64 MB.

    Yields
    ------
    weights : float array ``[b, n]``
    """
    units = make_units(n, strata=strata, groups=groups)
    at_most = chunk or max(1, MAX_BYTES // (8 * n))
    for table in tables(units.plan, check_count("n_resamples", n_resamples), new_seed(rng)):
        for first in range(0, table.shape[1], at_most):
            yield table[units.of_row, first : first + at_most].T.astype(np.float64, order="C")


def map_rows(
    function: Callable[[IntArray], Any],
    n: int,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> FloatArray:
    """Evaluate `function(rows)` on every bootstrap sample of row indices: ``[B, ...]``.

    The last resort, for measures that take no weights; the samples are those of `row_weights` under the same seed.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import map_rows
    >>> x = np.arange(101.0)
    >>> medians = map_rows(lambda rows: np.median(x[rows]), 101, 500, 0)
    >>> np.quantile(medians, [0.025, 0.975]).tolist()
    [41.0, 60.0]
    """
    rows = np.arange(n)
    chunks = row_weights(n, n_resamples, rng, strata=strata, groups=groups)
    values = [function(np.repeat(rows, weight.astype(np.int64))) for weights in chunks for weight in weights]
    return np.asarray(values, dtype=np.float64)


def map_weights(
    function: Callable[[FloatArray], ArrayLike],
    n: int,
    n_resamples: int,
    rng: RngLike = None,
    *,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    chunk: int | None = None,
) -> FloatArray:
    """Evaluate `function(weights [b, n])`, which returns ``[b, ...]``, on every chunk of weights: ``[B, ...]``.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import map_weights
    >>> x = np.arange(10.0)
    >>> means = map_weights(lambda weight: weight @ x / weight.sum(axis=1), 10, 500, 0)
    >>> means.shape, bool(abs(means.mean() - 4.5) < 0.2)
    ((500,), True)
    """
    chunks = row_weights(n, n_resamples, rng, strata=strata, groups=groups, chunk=chunk)
    return np.concatenate([np.asarray(function(weights), dtype=np.float64) for weights in chunks])
