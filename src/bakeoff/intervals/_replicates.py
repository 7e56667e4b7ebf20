"""Bootstrap replicates of any measure of one model, and the acceleration of BCa, through the resampling engine.

What is redrawn follows the evidence: the cells of a confusion matrix (a multinomial, whatever the number of rows),
rows over sorted scores, rows of losses, or whole clusters when the rows are grouped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.random import named_stream
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Rows
from bakeoff.measures import Measure, sample_of


@dataclass(frozen=True)
class Resampler:
    """Draws of one model's rows on one data set; measures of the same kind share the draws.

    Attributes
    ----------
    seed
        Every kind of draw has its own stream under this seed, so results do not depend on which measures are asked.
    stratified
        Keep the number of rows of each class fixed.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.intervals import Resampler
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> draws = Resampler(p.table(), "a", 200, 0, False)
    >>> draws.replicates(bakeoff.measures.get("accuracy")).shape
    (200,)
    """

    rows: Rows
    model: str
    n_resamples: int
    seed: int
    stratified: bool = False
    _draws: dict[str, FloatArray] = field(default_factory=dict, repr=False)

    def replicates(self, measure: Measure) -> FloatArray:
        """Return the measure on each resample, ``[B]``; NaN where it is undefined there."""
        if measure.from_confusion is not None:
            return np.asarray(measure.from_confusion(self._cells, self.rows.positive))
        if measure.terms is not None and measure.combine is not None:
            return np.asarray(measure.combine(self._means(measure)))
        if measure.name == "auc":
            return self._auc
        if measure.from_tally is not None:
            return self._over_tallies(measure)
        return self._over_weights(measure)

    def acceleration(self, measure: Measure) -> float | None:
        """Return BCa's acceleration from leaving out each row (cell, cluster) in turn; None where that is too dear."""
        from bakeoff.stats import resample

        if measure.from_confusion is not None:
            values, weight = self._jackknife_cells(measure)
        elif measure.terms is not None and measure.combine is not None:
            values, weight = self._jackknife_means(measure)
        elif measure.name == "auc" and self.rows.groups is None and self.rows.weight is None:
            influence = resample.auc_influence(self.rows.positives(), self.rows.scores(self.model))
            return float(resample.acceleration_from_influence(influence))
        else:
            return None
        defined = np.isfinite(values)
        if not defined.any():
            return None
        centre = np.average(values[defined], weights=weight[defined])
        # Leaving a row out moves the measure against the row's influence.
        return float(resample.acceleration_from_influence(centre - values[defined], weight[defined]))

    def kept(self, kind: str, draw: Callable[[], FloatArray]) -> FloatArray:
        """Return what was drawn under this name before, drawing it the first time."""
        if kind not in self._draws:
            self._draws[kind] = draw()
        return self._draws[kind]

    # -- draws ------------------------------------------------------------------------------------------------------

    def _stream(self, kind: str) -> np.random.Generator:
        return named_stream(self.seed, self.rows.name, self.model, kind)

    def _strata(self) -> NDArray[Any] | None:
        return self.rows.truth if self.stratified and self.rows.classes else None

    @cached_property
    def _cells(self) -> FloatArray:
        from bakeoff.stats import resample

        rows, k = self.rows, len(self.rows.classes)
        rng = self._stream("cells")
        if rows.groups is None and rows.integer_weights:
            axis = 0 if self.stratified else None
            cells = rows.confusion(self.model).cells
            return np.asarray(resample.cell_bootstrap(cells, self.n_resamples, rng, strata_axis=axis), dtype=np.float64)
        flat = resample.weighted_cell_bootstrap(
            rows.truth.astype(np.int64) * k + rows.labels(self.model),
            np.ones(rows.n) if rows.weight is None else rows.weight,
            k * k,
            self.n_resamples,
            rng,
            strata=self._strata(),
            groups=rows.groups,
        )
        return np.asarray(flat, dtype=np.float64).reshape(self.n_resamples, k, k)

    def _means(self, measure: Measure) -> FloatArray:
        from bakeoff.stats import resample

        assert measure.terms is not None
        terms = measure.terms(sample_of(self.rows, self.model, measure.needs))
        return np.asarray(
            resample.mean_bootstrap(
                terms,
                self.n_resamples,
                self._stream("rows"),
                weights=self.rows.weight,
                strata=self._strata(),
                groups=self.rows.groups,
            )
        )

    @cached_property
    def _auc(self) -> FloatArray:
        from bakeoff.stats import resample

        if self.rows.weight is not None:
            from bakeoff.measures import get

            return self._over_tallies(get("auc"))
        replicates = resample.auc_bootstrap(
            self.rows.positives(),
            self.rows.scores(self.model)[:, None],
            self.n_resamples,
            self._stream("rows"),
            stratified=self.stratified,
            groups=self.rows.groups,
        )
        return np.asarray(replicates)[:, 0]

    def _over_tallies(self, measure: Measure) -> FloatArray:
        from bakeoff.stats import resample

        function = measure.from_tally
        assert function is not None
        scores = self.rows.scores(self.model)
        (thresholds,) = resample.distinct_scores(scores)
        replicates = resample.map_tallies(
            lambda positive, negative: np.atleast_1d(function(thresholds, positive, negative)),
            self.rows.positives(),
            scores,
            self.n_resamples,
            self._stream("rows"),
            weights=self.rows.weight,
            stratified=self.stratified,
            groups=self.rows.groups,
        )
        return np.asarray(replicates)[:, 0]

    def _over_weights(self, measure: Measure) -> FloatArray:
        from bakeoff.stats import resample

        sample = sample_of(self.rows, self.model, measure.needs)
        if measure.name == "hand_till_auc" and _says_one_thing(sample.output):
            return np.full(self.n_resamples, 0.5)  # a constant rule ranks nothing, whatever rows are drawn
        base = sample.weights()
        found = []
        for chunk in resample.row_weights(
            self.rows.n, self.n_resamples, self._stream("rows"), strata=self._strata(), groups=self.rows.groups
        ):
            found.append(measure.of_weights(sample, base * np.asarray(chunk, dtype=np.float64)))
        return np.concatenate(found)

    # -- leaving one out --------------------------------------------------------------------------------------------

    def _jackknife_cells(self, measure: Measure) -> tuple[FloatArray, FloatArray]:
        assert measure.from_confusion is not None
        cells = self.rows.confusion(self.model).cells
        if self.rows.groups is not None:
            tables = self._cluster_tables()
            return np.asarray(measure.from_confusion(cells - tables, self.rows.positive)), np.ones(len(tables))
        k = len(cells)
        filled = np.flatnonzero(cells.ravel())
        # All rows of a cell give the same answer when left out: one evaluation per cell, weighted by its count.
        without = np.repeat(cells[None], filled.size, axis=0)
        without.reshape(filled.size, k * k)[np.arange(filled.size), filled] -= np.minimum(1.0, cells.ravel()[filled])
        return np.asarray(measure.from_confusion(without, self.rows.positive)), cells.ravel()[filled]

    def _cluster_tables(self) -> FloatArray:
        rows, k = self.rows, len(self.rows.classes)
        assert rows.groups is not None
        key = (rows.groups.astype(np.int64) * k + rows.truth) * k + rows.labels(self.model)
        flat = np.bincount(key, weights=rows.weight, minlength=rows.n_groups * k * k)
        return flat.reshape(rows.n_groups, k, k).astype(np.float64)

    def _jackknife_means(self, measure: Measure) -> tuple[FloatArray, FloatArray]:
        assert measure.terms is not None
        assert measure.combine is not None
        sample = sample_of(self.rows, self.model, measure.needs)
        terms, weight = measure.terms(sample), sample.weights()
        sums, totals = terms * weight[:, None], weight
        if self.rows.groups is not None:
            g = self.rows.groups
            sums = np.stack([np.bincount(g, column) for column in sums.T], axis=1)
            totals = np.bincount(g, weight).astype(np.float64)
        with np.errstate(divide="ignore", invalid="ignore"):
            means = (sums.sum(axis=0) - sums) / (totals.sum() - totals)[:, None]
        return np.asarray(measure.combine(means)), np.ones(len(means))


def _says_one_thing(output: Any) -> bool:
    """Whether a model gives every row the same probabilities, as the trivial rules do."""
    table = np.asarray(output)
    return bool((table == table[:1]).all())
