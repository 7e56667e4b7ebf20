"""One model's rows on one data set: counted once, drawn once, asked by many measures."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.counts import CELLS, Counted, Draws, acceleration, resample
from bakeoff.evidence import Rows
from bakeoff.intervals._rule import Rule
from bakeoff.measures import Measure


@dataclass(frozen=True)
class ModelRows:
    """What the interval of a measure is made from.

    Attributes
    ----------
    rows, model
        The evidence, and whose answers are measured.
    n_resamples, seed, stratified
        How to draw; every kind of draw has its own stream under the seed, so that a result does not depend on which
        other measures are asked for.
    """

    rows: Rows
    model: str
    n_resamples: int
    seed: int
    stratified: bool = False
    _counts: dict[str, Counted] = field(default_factory=dict, repr=False)
    _rules: dict[str, Rule] = field(default_factory=dict, repr=False)

    def counted(self, measure: Measure) -> Counted:
        """The rows as the measure counts them; measures of labels share one count."""
        kind = "cells" if measure.form is CELLS else measure.name
        if kind not in self._counts:
            self._counts[kind] = self._count(measure)
        return self._counts[kind]

    def _count(self, measure: Measure) -> Counted:
        return Counted(measure.form.of(self.rows, (self.model,), measure.needs), self.rows.units)

    def replicates(self, measure: Measure) -> FloatArray:
        """The measure on each draw of the units, ``[B]``; NaN where it is undefined there."""
        kind = "cells" if measure.form is CELLS else "rows"
        draws = Draws(self.n_resamples, self.seed, (self.rows.name, self.model, kind), self.stratified)
        return resample(self.counted(measure), measure, draws)[:, 0]

    def acceleration(self, measure: Measure) -> float:
        """BCa's acceleration."""
        return float(acceleration(self.counted(measure), measure)[0])

    def rule(self, measure: Measure) -> Rule:
        """The interval rule of this model."""
        if measure.name not in self._rules:
            self._rules[measure.name] = Rule(self.counted(measure), measure)
        return self._rules[measure.name]

    def standard_error(self, measure: Measure) -> float:
        """Linearised standard error over units, with factor n/(n − 1)."""
        return float(self.rule(measure).influence.standard_error()[0])

    def edge_values(self, measure: Measure, z2: float) -> FloatArray:
        """Values if a share z²/(n + z²) of the rows had been answered otherwise, in each way; empty if not known."""
        counted = self.counted(measure)
        weight = counted.units.spread(counted.units.once[None])
        ways = counted.form.edge_values(measure, weight, 0, z2)
        return ways[np.isfinite(ways)]
