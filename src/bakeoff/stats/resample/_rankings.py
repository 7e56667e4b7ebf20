"""Bootstrap of rankings: rows are sorted once, and a pass over counts gives a measure of 64 replicates at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray, RngLike, check_count
from bakeoff.stats._kernels import (
    CountPlan,
    FallingRows,
    bin_counts,
    hull_lanes,
    over_tables,
    partial_pass,
    precision_pass,
)
from bakeoff.stats.resample._tallies import ScoreCells, as_labelled_scores
from bakeoff.stats.resample._units import collect, make_units, new_seed
from bakeoff.stats.roc import upper_hull


@dataclass(frozen=True)
class RankedDraws:
    """Draws of the rows of several rankings, the same for all of them; nothing is drawn until a measure is asked for.

    Attributes
    ----------
    models
        The rows of each model in descending order of score.
    plan, seed, n_resamples, n_jobs
        The draw: the same as that of `tally_bootstrap` under the same seed.
    """

    models: tuple[FallingRows, ...]
    plan: CountPlan
    seed: int
    n_resamples: int
    n_jobs: int | None = None

    def average_precision(self) -> FloatArray:
        """Average precision of every model on every replicate, ``[B, k]``; NaN without positives."""
        return self._collect(self.models, precision_pass)

    def partial_area(self, share: float, *, sensitivity: bool = False) -> FloatArray:
        """Area over the false positive rates up to `share`, ``[B, k]``; NaN where a class is missing.

        With `sensitivity`, of specificity over the highest `share` of the true positive rates.
        """

        def area(table: NDArray[np.uint8], model: FallingRows) -> FloatArray:
            negatives, positives = bin_counts(table, *model.by_class)[0].astype(np.float64)
            with np.errstate(invalid="ignore"):
                return np.asarray(partial_pass(table, model, share * negatives) / (negatives * positives))

        return self._collect([model.mirrored() for model in self.models] if sensitivity else self.models, area)

    def of_hulls(self, function: Callable[[FloatArray, FloatArray], float]) -> FloatArray:
        """A function of the false and true positives at the vertices of the hull, ``[B, k]``; NaN without a class."""

        def value(table: NDArray[np.uint8], model: FallingRows) -> FloatArray:
            hulls = _hulls(table, *model.steps)
            both = [(x.astype(np.float64), y.astype(np.float64)) for x, y in hulls]
            return np.array([function(x, y) if x[-1] > 0 and y[-1] > 0 else np.nan for x, y in both])

        return self._collect(self.models, value)

    def _collect(
        self, models: Sequence[FallingRows], value: Callable[[NDArray[np.uint8], FallingRows], FloatArray]
    ) -> FloatArray:
        def work(table: NDArray[np.uint8]) -> FloatArray:
            return np.stack([value(table, model) for model in models], axis=1)

        def run(first: int, count: int) -> tuple[FloatArray, BoolArray]:
            return over_tables(self.plan, self.seed, first, count, work, self.n_jobs)

        (values,) = collect(self.n_resamples, self.plan.n_units, run)
        return np.asarray(values)


def _hulls(
    table: NDArray[np.uint8], units: NDArray[np.int32], starts: IntArray
) -> list[tuple[NDArray[Any], NDArray[Any]]]:
    """Vertices of the hull of each lane of a table; rows by step and class, `FallingRows.steps`."""
    found = hull_lanes(table, units, starts)
    if found is not None:
        return list(found)
    counts = bin_counts(table, units, starts)[0]
    points = np.zeros((counts.shape[1], 2, counts.shape[0] // 2 + 1), dtype=np.int64)
    points[:, :, 1:] = counts.reshape(-1, 2, counts.shape[1]).cumsum(axis=0, dtype=np.int64).transpose(2, 1, 0)
    return [(x[kept], y[kept]) for x, y in points for kept in (upper_hull(x, y),)]


def ranked_draws(
    positive: ArrayLike,
    scores: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    stratified: bool = False,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> RankedDraws | None:
    """Sort the rows of every model; None where so few scores are distinct that tallies are faster.

    Parameters are those of `tally_bootstrap`; the replicates are the same too.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import ranked_draws
    >>> rng = np.random.default_rng(1)
    >>> y = rng.random(500) < 0.4
    >>> precision = ranked_draws(y, rng.normal(size=500) + y, 2000, rng=0).average_precision()
    >>> precision.shape, bool(0.6 < precision.mean() < 0.8)
    ((2000, 1), True)
    """
    truth, columns = as_labelled_scores(positive, scores)
    if groups is None and ScoreCells.of(truth, columns) is not None:
        return None
    units = make_units(truth.size, strata=truth if stratified else None, groups=groups)
    models = tuple(FallingRows.of(truth, np.ascontiguousarray(column), units.of_row) for column in columns.T)
    return RankedDraws(models, units.plan, new_seed(rng), check_count("n_resamples", n_resamples), n_jobs)
