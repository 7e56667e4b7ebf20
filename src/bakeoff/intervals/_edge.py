"""Intervals at the edge: a perfect (or worst possible) result is never certain.

Resampling a perfect result gives the same perfect result every time, and a standard error of zero. What was not seen
may still exist: a little prior mass on every cell (Jeffreys' half a case in each cell of a two-class table; two cases
spread evenly over the cells in general) lets the unseen happen, and the posterior quantile gives the far limit.
For an accuracy of 1 this is Jeffreys' interval.
"""

from __future__ import annotations

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray
from bakeoff.counts import CELLS, TALLY
from bakeoff.evidence import Rows
from bakeoff.intervals._model_rows import ModelRows
from bakeoff.measures import Measure

_PRIOR_CASES = 2.0
_DRAWS = 4000


def edge_limits(measure: Measure, asked: ModelRows, estimate: float, level: float) -> tuple[float, float] | None:
    """Return limits for a degenerate result of a confusion or score measure; None where no prior cell helps."""
    values = asked.kept(f"edge {measure.name}", lambda: _posterior(measure, asked))
    if not values.size:
        return None
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    # The estimate is an end of the scale, so its own side of the interval is the estimate.
    return min(float(low), estimate), max(float(high), estimate)


def _posterior(measure: Measure, asked: ModelRows) -> FloatArray:
    """Draw the measure from its posterior; empty where there is nothing to draw."""
    rows, model = asked.rows, asked.model
    if measure.form is CELLS:
        draws = asked.kept("edge cells", lambda: _cell_draws(asked))
        values = np.asarray(measure.value(draws, rows.positive))
    elif measure.form is TALLY:
        values = _score_draws(measure, rows, model, asked.stream("edge"))
    else:
        return np.empty(0)
    return np.asarray(values[np.isfinite(values)])


def _cell_draws(asked: ModelRows) -> FloatArray:
    cells = _scaled(asked.rows, asked.rows.confusion(asked.model).cells)
    prior = (cells + _PRIOR_CASES / cells.size).ravel()
    return asked.stream("edge").dirichlet(prior, size=_DRAWS).reshape(_DRAWS, *cells.shape)


def _score_draws(measure: Measure, rows: Rows, model: str, rng: np.random.Generator) -> FloatArray:
    """Bayesian bootstrap with half a positive below every score and half a negative above every score."""
    tally = rows.tally(model)
    positive = np.concatenate([[0.0], _scaled(rows, tally.positive), [_PRIOR_CASES / 4]])
    negative = np.concatenate([[_PRIOR_CASES / 4], _scaled(rows, tally.negative), [0.0]])
    scores = np.concatenate([[np.inf], tally.scores, [-np.inf]])
    shape = np.concatenate([positive, negative])
    values = []
    for _ in range(_DRAWS // 4):
        weight = rng.gamma(np.maximum(shape, 1e-300))
        values.append(float(measure.value(scores, weight[: len(positive)], weight[len(positive) :])))
    return np.array(values)


def _scaled(rows: Rows, counts: FloatArray) -> FloatArray:
    """Counts of cases; importance weights, whose scale means nothing, are brought to mean 1."""
    weight = rows.units.weight
    return counts if weight is None else counts / weight.mean()


EDGE_NOTE = Note(
    "edge",
    Text(
        "the result is at the end of its scale, where resampling sees no spread; the interval allows for unseen "
        "errors (Jeffreys' prior of half a case)."
    ),
)
