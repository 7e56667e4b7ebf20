"""The verb `decision_curves`: the net benefit of treating those above a threshold probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Own, Text, joined, numeral
from bakeoff._core.result import Note, Result, emit
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_floats,
    as_generator,
    check_count,
    check_level,
    check_number,
    named_stream,
)
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.counts import Draws
from bakeoff.decision._limits import unseen_errors
from bakeoff.decision._rules import BinaryRows, Rates, RuleTable, binary_rows, one_table
from bakeoff.evidence import Predictions

_MOST_RUNS = 5  # of thresholds with one winner that a sentence can hold
TREAT = ("treat none", "treat all")


@dataclass(frozen=True, repr=False)
class NetBenefitDifference(Result):
    """Difference of two net benefits (a − b; positive means that a is better), paired row by row.

    Attributes
    ----------
    threshold, estimate, low, high
        Threshold probabilities, the difference and its pointwise limits, ``[m]``.
    """

    model_a: str
    model_b: str
    threshold: FloatArray
    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("threshold", "estimate", "low", "high")}

    def _headline(self) -> str:
        return f"{self.model_a} − {self.model_b} at {self.threshold.size} thresholds"


@dataclass(frozen=True, repr=False)
class DecisionCurves(Result):
    """Net benefit of every model, of treating all and of treating none, at threshold probabilities.

    Attributes
    ----------
    threshold
        Threshold probabilities t, ``[m]``: who is at least so likely to be positive is treated.
    net_benefit, low, high
        Model → TP/n − FP/n·t/(1 − t) and its pointwise limits, ``[m]``.
    prevalence
        The prevalence; `standardized` is the net benefit over it.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 0, 1, 1, 0, 1] * 20, y_score={"a": [0.2, 0.4, 0.5, 0.9, 0.3, 0.7] * 20})
    >>> curves = bakeoff.decision_curves(p, thresholds=[0.45], rng=0)
    >>> round(float(curves.net_benefit["a"][0]), 3)
    0.5
    """

    threshold: FloatArray
    net_benefit: Mapping[str, FloatArray]
    low: Mapping[str, FloatArray]
    high: Mapping[str, FloatArray]
    prevalence: float
    confidence_level: float
    dataset: str
    _asked: _Question | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models, and treating all and none."""
        return tuple(self.net_benefit)

    @property
    def standardized(self) -> dict[str, FloatArray]:
        """Model → net benefit as a share of the greatest there can be, the prevalence, ``[m]``."""
        return {model: values / self.prevalence for model, values in self.net_benefit.items()}

    def difference(self, a: str, b: str) -> NetBenefitDifference:
        """By how much is the net benefit of `a` greater than that of `b`, paired on the same resamples?"""
        for name in (a, b):
            if name not in self.net_benefit or self._asked is None:
                raise ParameterError(f"model must be one of {', '.join(self.models)}. Got {name!r} instead.")
        assert self._asked is not None
        drawn = self._asked.resampled(tuple(dict.fromkeys((a, b))))
        estimate = self.net_benefit[a] - self.net_benefit[b]
        low, high = _limits(estimate, drawn[a] - drawn[b], self.confidence_level)
        return NetBenefitDifference(a, b, self.threshold, estimate, low, high, self.confidence_level)

    def _columns(self) -> dict[str, Any]:
        standardized = self.standardized
        tables = {"net_benefit": self.net_benefit, "low": self.low, "high": self.high, "standardized": standardized}
        head: dict[str, Any] = {
            "model": [m for m in self.models for _ in self.threshold],
            "threshold": np.tile(self.threshold, len(self.models)).tolist(),
        }
        return head | {name: np.concatenate([table[m] for m in self.models]) for name, table in tables.items()}

    @property
    def sentences(self) -> tuple[Text, ...]:
        """Who has the greatest net benefit at which thresholds."""
        parts = [
            Text("{model} at {threshold}", model=model, threshold=numeral(low, ".3g"))
            if low == high
            else Text("{model} from {low} to {high}", model=model, low=numeral(low, ".3g"), high=numeral(high, ".3g"))
            for model, low, high in self._best()
        ]
        if len(parts) > _MOST_RUNS:
            places = Counter(name for name, low, high in self._best() for t in self.threshold if low <= t <= high)
            size = self.threshold.size
            parts = [Text("{model} at {n} of {all}", model=m, n=n, all=size) for m, n in places.most_common()]
        text = Text("Greatest net benefit, by threshold probability: {ranges}.", ranges=joined(parts, ", "))
        return (text.as_role("headline"),)

    def _best(self) -> list[tuple[str, float, float]]:
        """Runs of thresholds with one winner; a model that only equals treating all or none does not win."""
        order = [*(m for m in TREAT if m in self.net_benefit), *(m for m in self.models if m not in TREAT)]
        values = np.stack([self.net_benefit[m] for m in order])
        winners = (values >= values.max(axis=0) - 1e-12).argmax(axis=0)
        cuts = [0, *(np.flatnonzero(np.diff(winners)) + 1).tolist(), winners.size]
        t = self.threshold
        return [(order[winners[i]], float(t[i]), float(t[j - 1])) for i, j in pairwise(cuts)]

    def _view(self) -> View:
        shown = np.unique(np.linspace(0, self.threshold.size - 1, min(self.threshold.size, 9)).round().astype(int))
        columns: dict[str, Any] = {"threshold": [numeral(t, ".3g") for t in self.threshold[shown]]}
        for m in self.models:
            found = np.stack([self.net_benefit[m], self.low[m], self.high[m]], axis=1)
            columns[Own(m)] = [estimate_cell(*map(float, found[i])) for i in shown]
        title = Text("Net benefit at {shown} of {all} thresholds", shown=shown.size, all=self.threshold.size)
        level = Text("{level} % confidence intervals", level=numeral(100 * self.confidence_level))
        return View(self.sentences, (Table(columns, title),), (level,), self.notes)

    def _headline(self) -> str:
        return f"{', '.join(self.models)} at {self.threshold.size} thresholds, prevalence {self.prevalence:.3g}"


def decision_curves(
    predictions: Predictions,
    *,
    thresholds: ArrayLike | None = None,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = None,
    dataset: str | None = None,
) -> DecisionCurves:
    """Is a model worth using by someone who treats from a risk of t on, and which one?

    A threshold probability t says that a false alarm weighs t/(1 − t) of a hit; the net benefit is hits less false
    alarms so weighed, per case. Treating all and treating none are among the models.

    Parameters
    ----------
    predictions
        Probabilities of the positive class.
    thresholds
        Threshold probabilities between 0 and 1; 0.01 to 0.99 by default.
    prevalence
        Share of positives where the models will work; the rows' by default. The rates of the rows are taken over.
    confidence_level, n_resamples, rng
        Level of the pointwise limits, from percentiles over resamples of the units.
    dataset
        Which data set, when there are several.

    References
    ----------
    Vickers, A. J. & Elkin, E. B. (2006). Decision curve analysis: a novel method for evaluating prediction models.
    Medical Decision Making 26, 565–574. https://doi.org/10.1177/0272989X06295361

    Examples
    --------
    >>> import bakeoff
    >>> y, p = [1, 1, 0, 1, 0, 0, 0, 0], [0.9, 0.6, 0.7, 0.3, 0.4, 0.2, 0.1, 0.1]
    >>> found = bakeoff.decision_curves(bakeoff.Predictions.from_arrays(y, y_score={"m": p}), thresholds=[0.5], rng=0)
    >>> found.net_benefit["m"].tolist(), found.net_benefit["treat all"].tolist()
    ([0.125], [-0.25])
    """
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples, minimum=50)
    cuts = _thresholds(thresholds)
    table = one_table(predictions, dataset)
    rows, notes = _stated(binary_rows(table), table.name)
    known = None if prevalence is None else check_number("prevalence", prevalence, low=0, high=1, closed="none")
    asked = _Question(rows, cuts, known, draws, int(as_generator(rng).integers(2**63)))
    benefit = asked.observed()
    limits = {name: _limits(benefit[name], asked.resampled((name,))[name], level) for name in benefit}
    low, high = ({name: limits[name][side] for name in benefit} for side in (0, 1))
    share = rows.prevalence if known is None else known
    emit(notes)
    return DecisionCurves(cuts, benefit, low, high, share, level, table.name, asked, notes)


@dataclass(frozen=True)
class _Question:
    """What was asked, with the evidence."""

    rows: BinaryRows
    thresholds: FloatArray
    prevalence: float | None
    n_resamples: int
    seed: int

    @property
    def falling(self) -> FloatArray:
        return self.thresholds[::-1]

    def table(self, models: Sequence[str]) -> RuleTable:
        outputs = {model: self.rows.outputs[model] for model in models}
        return RuleTable.of(replace(self.rows, outputs=outputs), dict.fromkeys(outputs, self.falling))

    def observed(self) -> dict[str, FloatArray]:
        """Net benefit of every model and of both trivial rules, ``[m]``."""
        return self.benefits(self.table(tuple(self.rows.outputs)).rates(), np.array(self.rows.prevalence))

    def resampled(self, names: tuple[str, ...]) -> dict[str, FloatArray]:
        """The same on draws of the units, ``[B, m]``: all names on the same draws."""
        models = [name for name in names if name not in TREAT] or list(self.rows.outputs)[:1]
        table = self.table(models)
        rng = named_stream(self.seed, "decision curves")
        drawn = table.resample(Draws(self.n_resamples, rng, stratified=self.prevalence is not None))
        rates = unseen_errors(drawn, table.rates(), self.rows.independent, rng)
        return self.benefits(rates, drawn.prevalence[:, None])

    def benefits(self, rates: Mapping[str, Rates], share: FloatArray) -> dict[str, FloatArray]:
        """Net benefit at rates of falling thresholds, ``[…, m]``, and that of treating none and all."""
        pi, t = share if self.prevalence is None else self.prevalence, self.thresholds
        found = {model: Rates(rate.fpr[..., ::-1], rate.tpr[..., ::-1]) for model, rate in rates.items()}
        edges = (np.full((*share.shape[:-1], t.size), rate) for rate in (0.0, 1.0))
        found |= {name: Rates(rate, rate) for name, rate in zip(TREAT, edges, strict=True)}
        return {name: np.asarray(pi * rate.tpr - (1 - pi) * rate.fpr * t / (1 - t)) for name, rate in found.items()}


def _limits(estimate: FloatArray, drawn: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentiles of the draws at each threshold, widened where needed to hold the estimate."""
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return np.minimum(low, estimate), np.maximum(high, estimate)


def _thresholds(given: ArrayLike | None) -> FloatArray:
    cuts = np.linspace(0.01, 0.99, 99) if given is None else np.unique(as_floats("thresholds", given))
    if not cuts.size or cuts[0] <= 0 or cuts[-1] >= 1:
        raise ParameterError("thresholds must be probabilities above 0 and below 1.")
    return cuts


def _stated(rows: BinaryRows, name: str) -> tuple[BinaryRows, tuple[Note, ...]]:
    """Keep the models whose scores can be probabilities, and tell which cannot."""
    stated = {m: o for m, o in rows.outputs.items() if o.dtype != bool and o.min() >= 0 and o.max() <= 1}
    if not stated:
        raise EvidenceError(
            f"decision_curves needs probabilities of the positive class, but no model of {name!r} states any.",
            hint="scores must lie between 0 and 1; calibrate the models first",
        )
    left = [m for m in rows.outputs if m not in stated]
    text = Text("left out, since it states no probabilities: {models}.", models=", ".join(left))
    return replace(rows, outputs=stated), (Note("no-probabilities", text),) if left else ()
