"""The verb `calibration`: do stated probabilities come true, on the whole, in their spread, and at each level?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Own, Text, label, listed, numeral
from bakeoff._core.result import Interval, Note, Result, attribute_columns, emit, unique
from bakeoff._core.validation import FloatArray, RngLike, as_generator, check_level, dot, named_stream
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.counts import Draws, multipliers
from bakeoff.decision._calibration import (
    CalibrationCurve,
    LogisticFit,
    calibration_curve,
    clipped_logit,
    fit_logistic,
    no_slope,
)
from bakeoff.decision._limits import normal_quantile, percentile, t_quantile
from bakeoff.decision._rules import at_one_scale, one_table
from bakeoff.evidence import Predictions, Rows, Units

MEASURES = ("intercept", "slope", "observed_expected", "spiegelhalter_z", "ici", "e50", "e90")
_DRAWS = 200  # resamples behind the intervals of ICI, E50 and E90
_GRID = 100  # places at which a resample's curve is fitted
_EXACT = 3000  # rows up to which the curve is fitted at every stated probability; above, at quantiles of them


_PRINTED = {
    "intercept": Text("calibration in the large"), "slope": Text("calibration slope"),
    "observed_expected": Text("observed / expected"), "spiegelhalter_z": Text("Spiegelhalter's z"),
    "ici": label("ICI"), "e50": label("E50"), "e90": label("E90"),
}  # fmt: skip


def _calibration_sentence(found: Calibration, model: str) -> Text:
    """Which of the two shifts (all probabilities too high or low, too extreme or too cautious) is shown."""
    shift, slope = found[model, "intercept"], found[model, "slope"]
    shown = [
        Text("too low on average") if shift.low > 0 else None,
        Text("too high on average") if shift.high < 0 else None,
        Text("too extreme (slope below 1)") if slope.high < 1 else None,
        Text("too cautious (slope above 1)") if slope.low > 1 else None,
    ]
    wrong = [text for text in shown if text is not None]
    if wrong:
        return Text("The probabilities of {model} are {what}.", model=model, what=listed(wrong))
    if np.isnan(shift.low) or np.isnan(slope.low):
        return Text("Whether the probabilities of {model} are calibrated cannot be told.", model=model)
    return Text("The probabilities of {model} were not shown to be off.", model=model)


@dataclass(frozen=True, repr=False)
class Calibration(Result):
    """How far stated probabilities can be taken at their word, by model.

    Attributes
    ----------
    intervals
        (model, measure) → `Interval`. Measures: ``intercept`` (calibration in the large: the shift of the log odds with
        the slope fixed at 1; 0 is right), ``slope`` (of the log odds; below 1 overconfident), ``observed_expected``
        (events over the sum of the probabilities), ``spiegelhalter_z`` (standard normal if calibrated; no limits),
        ``ici``, ``e50``, ``e90`` (mean, median and 90 % quantile of the distance between the probability stated and a
        smooth curve of what happened).
    dataset
        Name of the data set.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1, 0, 1] * 20, y_score={"a": [0.2, 0.4, 0.5, 0.9, 0.3, 0.7] * 20})
    >>> round(bakeoff.calibration(p, rng=0).intervals["a", "observed_expected"].estimate, 2)
    1.0
    """

    intervals: Mapping[tuple[str, str], Interval]
    dataset: str
    confidence_level: float
    _rows: Rows | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in order."""
        return tuple(dict.fromkeys(model for model, _ in self.intervals))

    def __getitem__(self, key: tuple[str, str]) -> Interval:
        return self.intervals[key]

    def _label(self, measure: str) -> Text:
        """A measure in words, for `steps`."""
        return _PRINTED[measure]

    def curve(self, model: str, **options: Any) -> CalibrationCurve:
        """Return the calibration curve of a model; options as in `calibration_curve`."""
        if self._rows is None or model not in self.models:
            raise ParameterError(f"model must be one of {', '.join(self.models)}. Got {model!r} instead.")
        options = {"confidence_level": self.confidence_level} | options
        rows = self._rows.written_out()
        return calibration_curve(rows.positives(), rows.scores(model), sample_weight=rows.weight, **options)

    def _columns(self) -> dict[str, Sequence[Any]]:
        models, measures = zip(*self.intervals, strict=True)
        found = attribute_columns(self.intervals.values(), "estimate", "low", "high")
        return {"model": list(models), "measure": list(measures), **found}

    @property
    def sentences(self) -> tuple[Text, ...]:
        """What was found of each model, in a sentence."""
        return tuple(_calibration_sentence(self, model).as_role("headline") for model in self.models)

    def _view(self) -> View:
        columns: dict[str, list[str]] = {"measure": [str(name) for name in _PRINTED.values()]}
        for model in self.models:
            found = [self[model, measure] for measure in _PRINTED]
            columns[Own(model)] = [estimate_cell(i.estimate, i.low, i.high) for i in found]
        level = Text("{level} % confidence intervals", level=numeral(100 * self.confidence_level))
        notes = (*self.notes, *(note for found in self.intervals.values() for note in found.notes))
        return View(self.sentences, (Table(columns),), (level,), notes)

    def _headline(self) -> str:
        shown = (f"{m} slope {self[m, 'slope'].estimate:.3g}, ICI {self[m, 'ici'].estimate:.3g}" for m in self.models)
        return f"{self.dataset!r}: {'; '.join(shown)}"


def calibration(
    predictions: Predictions, *, confidence_level: float = 0.95, rng: RngLike = None, dataset: str | None = None
) -> Calibration:
    """Can the probabilities of each model be taken at their word?

    Parameters
    ----------
    predictions
        Probabilities of the positive class.
    confidence_level
        Level of the intervals: Wald's for intercept and slope, on the log scale for O/E with variance (1 − O/n)/O, and
        percentiles over resamples of the units for ICI, E50 and E90. With weights, groups or repeated answers the
        variances are those of sums over units.
    rng
        Seed or generator of the resampling.
    dataset
        Which data set, when there are several.

    References
    ----------
    Van Calster, B. et al. (2019). Calibration: the Achilles heel of predictive analytics. BMC Medicine 17, 230.
    https://doi.org/10.1186/s12916-019-1466-7
    Austin, P. C. & Steyerberg, E. W. (2019). The Integrated Calibration Index (ICI) and related metrics. Statistics in
    Medicine 38, 4051–4065. https://doi.org/10.1002/sim.8281
    Spiegelhalter, D. J. (1986). Probabilistic prediction in patient management and clinical trials. Statistics in
    Medicine 5, 421–433. https://doi.org/10.1002/sim.4780050506

    Examples
    --------
    >>> import numpy as np, bakeoff
    >>> rng = np.random.default_rng(0)
    >>> p = rng.random(1000)
    >>> y = (rng.random(1000) < p).astype(int)
    >>> found = bakeoff.calibration(bakeoff.Predictions.from_arrays(y, y_score={"m": p}, pos_label=1), rng=0)
    >>> slope = found["m", "slope"]
    >>> slope.low < 1 < slope.high
    True
    """
    level, rows = check_level(confidence_level), one_table(predictions, dataset)
    shown = probability_models(rows, "calibration")
    seed = int(as_generator(rng).integers(2**63))
    intervals: dict[tuple[str, str], Interval] = {}
    notes: list[Note] = []
    for model in shown:
        asked = _Question(rows.positives(), rows.scores(model), at_one_scale(rows.units), level, seed)
        found = asked.answers()
        intervals |= {(model, measure): found[measure] for measure in MEASURES}
        notes += asked.notes
    result = Calibration(intervals, rows.name, level, rows, unique(notes))
    emit(result.notes)
    return result


def probability_models(rows: Rows, verb: str) -> list[str]:
    """The models of two-class rows that state probabilities."""
    found = [m for m in rows.models if rows.provides(m, "probabilities") and rows.provides(m, "scores")]
    if not found:
        raise EvidenceError(
            f"{verb} needs probabilities of the positive class, but no model of {rows.name!r} states any.",
            hint="scores must lie between 0 and 1, and the positive class must be known (pos_label=)",
        )
    return found


@dataclass(frozen=True)
class _Question:
    """One model's stated probabilities, and what happened."""

    positive: Any
    chance: FloatArray
    units: Units
    level: float
    seed: int

    @cached_property
    def y(self) -> FloatArray:
        return np.asarray(self.positive, dtype=np.float64)

    @cached_property
    def weight(self) -> FloatArray:
        given = self.units.row_weight
        return np.ones(self.y.size) if given is None else np.asarray(given, dtype=np.float64)

    @cached_property
    def plain(self) -> bool:
        return self.units.plain and self.units.answers == 1

    @cached_property
    def z(self) -> float:
        return normal_quantile(self.level) if self.plain else t_quantile(self.level, self.units.n - 1)

    @cached_property
    def _logit(self) -> tuple[FloatArray, tuple[Note, ...]]:
        return clipped_logit(self.chance, self.weight)

    @cached_property
    def _undefined(self) -> Note | None:
        weighted = self.weight * self.y
        return no_slope(self._logit[0], weighted, self.weight - weighted)

    @property
    def notes(self) -> tuple[Note, ...]:
        return self._logit[1] + (() if self._undefined is None else (self._undefined,))

    def answers(self) -> dict[str, Interval]:
        found = {"observed_expected": self._observed_expected(), "spiegelhalter_z": self._spiegelhalter()}
        return found | self._in_the_large() | self._slope() | self._distances()

    def _in_the_large(self) -> dict[str, Interval]:
        if 0 < dot(self.y, self.weight) < self.weight.sum():
            fit = fit_logistic(np.ones((self.y.size, 1)), self.weight * self.y, self.weight, self._logit[0])
            return {"intercept": self._wald(fit, np.ones((self.y.size, 1)), 0)}
        return {"intercept": _unknown(self.level)}

    def _slope(self) -> dict[str, Interval]:
        if self._undefined is not None:
            return {"slope": _unknown(self.level)}
        design = np.stack([np.ones(self.y.size), self._logit[0]], axis=1)
        fit = fit_logistic(design, self.weight * self.y, self.weight)
        return {"slope": self._wald(fit, design, 1)}

    def _wald(self, fit: LogisticFit, design: FloatArray, place: int) -> Interval:
        covariance = fit.covariance if self.plain else self._sandwich(fit, design)
        reach = self.z * float(np.sqrt(covariance[place, place]))
        estimate = float(fit.beta[place])
        return Interval(estimate, estimate - reach, estimate + reach, self.level, "wald")

    def _sandwich(self, fit: LogisticFit, design: FloatArray) -> FloatArray:
        """Covariance from the spread of the units' scores: rows of a unit, and their weights, move together."""
        moves = (design * (self.y - fit.fitted)[:, None]) @ fit.covariance
        return _spread(moves, self.units)

    def _observed_expected(self) -> Interval:
        observed, expected = float(dot(self.weight, self.y)), float(dot(self.weight, self.chance))
        ratio = observed / expected if expected > 0 else np.nan
        if observed == 0 or expected == 0:
            return Interval(ratio, np.nan, np.nan, self.level, "log")
        if self.plain:
            variance = (1 - observed / self.weight.sum()) / observed
        else:
            variance = float(_spread((self.y / observed)[:, None], self.units)[0, 0])
        factor = float(np.exp(self.z * np.sqrt(variance)))
        return Interval(ratio, ratio / factor, ratio * factor, self.level, "log")

    def _spiegelhalter(self) -> Interval:
        p, tilt = self.chance, 1 - 2 * self.chance
        terms = ((self.y - p) * tilt)[:, None]
        variance = float(np.sum(tilt**2 * p * (1 - p) * self.weight))
        if not self.plain:
            variance = float(_spread(terms, self.units)[0, 0])
        value = float(dot(self.weight, terms[:, 0])) / np.sqrt(variance) if variance > 0 else np.nan
        return Interval(float(value), np.nan, np.nan, self.level, "spiegelhalter")

    def _distances(self) -> dict[str, Interval]:
        """ICI, E50 and E90 with percentiles over resamples of the units."""
        values, line = np.unique(self.chance, return_inverse=True)
        if values.size > _EXACT:  # neighbouring probabilities are taken together
            line = np.searchsorted(np.quantile(self.chance, np.arange(1, _EXACT) / _EXACT), self.chance)
            line = np.unique(line, return_inverse=True)[1]
            values = np.bincount(line, self.chance) / np.bincount(line)
        estimates = _distances(values, line, self.y, self.weight, values)
        places = values if values.size <= _GRID else np.unique(np.quantile(values, np.linspace(0, 1, _GRID)))
        draws = Draws(_DRAWS, named_stream(self.seed, "calibration"))
        take, units = self.units.written_out()
        line, y = line[take], self.y[take]
        drawn = [
            _distances(values, line, y, weight, places)
            for chunk in multipliers(units, draws)
            for weight in units.spread(chunk)
        ]
        columns = dict(zip(("ici", "e50", "e90"), np.array(drawn).T, strict=True))
        return {
            name: percentile(estimate, columns[name], self.level)
            for name, estimate in zip(columns, estimates, strict=True)
        }


def _unknown(level: float) -> Interval:
    return Interval(np.nan, np.nan, np.nan, level, "undefined")


def _spread(moves: FloatArray, units: Units) -> FloatArray:
    """Covariance of sums over rows ``[n, p]`` that add up within units: G/(G − 1) Σ (u − ū)(u − ū)ᵀ."""
    weighted = moves if units.weight is None else moves * units.weight[:, None]
    sums, times = units.sum_rows(weighted), units.once
    sums = sums - np.average(sums, axis=0, weights=times)
    n = units.n
    return np.asarray(n / max(n - 1, 1) * dot(sums * times[:, None], sums)) * units.answers


def _distances(
    values: FloatArray, line: Any, y: FloatArray, weight: FloatArray, places: FloatArray
) -> tuple[float, float, float]:
    """Mean, median and 90 % quantile over the rows of |curve − p|, the curve fitted at `places`, straight between them.

    `line` is the place of each row among the distinct `values`; rows of weight 0 do not count.
    """
    count = np.bincount(line, weight, values.size).astype(np.float64)
    seen = count > 0
    share = np.bincount(line, weight * y, values.size)[seen] / count[seen]
    curve = np.interp(values[seen], places, local_quadratic(values[seen], share, count[seen], places))
    gap, count = np.abs(curve - values[seen]), count[seen]
    e50, e90 = _weighted_quantiles(gap, count, (0.5, 0.9))
    return float(np.average(gap, weights=count)), e50, e90


def _weighted_quantiles(values: FloatArray, weight: FloatArray, shares: tuple[float, ...]) -> list[float]:
    """Quantiles of values that stand for `weight` rows each; whole weights give those of the rows written out."""
    order = np.argsort(values)
    last = np.cumsum(weight[order])
    first = last - weight[order]
    ranks = np.stack([first, np.maximum(last - weight.min(), first)], axis=1).ravel() / (last[-1] - weight.min())
    return [float(q) for q in np.interp(shares, ranks, np.repeat(values[order], 2))]


def local_quadratic(x: FloatArray, y: FloatArray, weight: FloatArray, at: FloatArray, span: float = 0.75) -> FloatArray:
    """Local quadratic regression with tricube weights over the nearest `span` of the rows, exact at each place ``[g]``.

    `x` are distinct values with the mean outcome and the weight of each. As R's
    ``loess(degree = 2, span = 0.75, surface = "direct")``.
    """
    wanted = np.floor(span * weight.sum() + 1e-5)
    found = np.empty(at.size)
    for first in range(0, at.size, 256):
        some = slice(first, first + 256)
        d = x[None] - at[some, None]
        distance = np.abs(d)
        order = np.argsort(distance, axis=1)
        running = np.cumsum(weight[order], axis=1)
        place = np.minimum((running < wanted - 1e-9).sum(axis=1), x.size - 1)
        reach = np.take_along_axis(distance, np.take_along_axis(order, place[:, None], axis=1), axis=1)
        tricube = np.clip(1 - (distance / np.where(reach > 0, reach, 1.0)) ** 3, 0.0, None) ** 3 * weight
        scaled = d / np.where(reach > 0, reach, 1.0)
        powers = [tricube * scaled**k for k in range(5)]
        moments = [m.sum(axis=1) for m in powers]
        left = np.stack([np.stack([moments[i + j] for j in range(3)], axis=-1) for i in range(3)], axis=-2)
        right = np.stack([(powers[k] * y).sum(axis=1) for k in range(3)], axis=-1)
        # Few distinct values in reach leave no quadratic: the pseudo-inverse takes the smallest one that fits.
        found[some] = (np.linalg.pinv(left, rcond=1e-12, hermitian=True) @ right[..., None])[:, 0, 0]
    return found
