"""Sums: measures that are functions of means of row terms (losses, squares, parts of a variance)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, dot
from bakeoff.counts._draws import Draws
from bakeoff.counts._form import Countable, Form, FormKind, RowTerms, Sample, sample_of, splits_of, stencil
from bakeoff.evidence import Rows, Units

_AT_ONCE = 1 << 14  # rows
_MOST_OUTCOMES = 9  # of many classes a few other outcomes show how far one row can move


class SumTotals(NamedTuple):
    """Sums of the terms ``[b, k, t]`` and of the weights ``[b]``."""

    sums: FloatArray
    weight: FloatArray

    @property
    def means(self) -> FloatArray:
        """Means of the terms, ``[b, k, t]``; NaN where there is no weight."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.sums / self.weight[:, None, None])


@dataclass(frozen=True)
class Sums:
    """Terms of each row by model, ``[n, k, t]``.

    Attributes
    ----------
    stratum
        Class of each row, for stratified draws; None where there are no classes.
    other
        Makes the terms that the same answers of some models would have with another outcome, ``[any, c, t]``.
    """

    terms: FloatArray
    stratum: NDArray[Any] | None = None
    other: Callable[[tuple[int, ...]], FloatArray] | None = field(default=None, repr=False)

    def take(self, rows: NDArray[Any]) -> Sums:
        """Keep some rows; what other outcomes would give is that of all rows."""
        return Sums(self.terms[rows], None if self.stratum is None else self.stratum[rows], self.other)

    def unseen_move(
        self, measure: Countable, units: Units, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that a seen answer moves with another outcome; unknown where there are no classes."""
        if self.other is None or units.kind == "group":
            return None
        totals = self.totals(units.as_they_are())
        means = totals.means[0][list(models)]
        whole = models == tuple(range(self.terms.shape[1]))  # a copy of all terms would be the most that is held
        gradient = (self if whole else Sums(self.terms[:, list(models)])).gradient(measure, means)
        moves = _along(self.other(models), means, gradient) / totals.weight[0]
        return float(np.abs(moves @ contrast).max())

    def edge_values(self, measure: Countable, units: Units, model: int, z2: float) -> FloatArray:
        """Values if a share of the rows had the worst, or the best, terms of another outcome."""
        if self.other is None:
            return np.empty(0)
        mean, other = self.totals(units.as_they_are()).means[0, model], self.other((model,))[:, 0]
        share = z2 / (units.worth() + z2)
        each = np.asarray(measure.value((1 - share) * mean + share * other))
        return np.array([float(measure.value(mean)), float(np.nanmin(each)), float(np.nanmax(each))])

    def totals(self, weights: FloatArray) -> SumTotals:
        """Sums with rows weighted ``[b, n]``."""
        # einsum, not BLAS: BLAS adds equal columns in unequal order, so that identical models would differ.
        return SumTotals(np.einsum("bn,nkt->bkt", weights, self.terms), weights.sum(axis=1))

    def values(self, measure: Countable, totals: SumTotals) -> FloatArray:
        """The measure of every model, ``[b, k]``."""
        return np.asarray(measure.value(totals.means), dtype=np.float64)

    def gradient(self, measure: Countable, means: FloatArray) -> FloatArray:
        """Derivative of each model's value in its own means, ``[k, t]``."""
        if measure.has_gradient:
            return np.asarray(measure.gradient(means), dtype=np.float64)
        unit = np.exp2(np.frexp(np.abs(self.terms).max(axis=0))[1].astype(np.float64))  # squares may be no floats
        spread = unit * (self.terms / unit).std(axis=0)
        size = np.abs(means)
        # A step of a thousandth of the mean, or of the spread where that is smaller, or where the mean is nothing but
        # rounding error (a centred term).
        centred = size <= 1e-9 * spread
        steps = 1e-3 * np.where(centred | ((spread < size) & (spread > 0)), spread, size)
        return stencil(lambda x: np.asarray(measure.value(x)), means, steps)

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative of the values in the weight of each row, ``[n, k]``: the gradient times (term − mean) / Σw."""
        totals = self.totals(weight)
        means = totals.means[0]
        return np.asarray(_along(self.terms, means, self.gradient(measure, means)) / totals.weight[0])

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Values on draws of the units, ``[B, k]``."""
        from bakeoff.stats.resample import mean_bootstrap

        take, written = units.written_out()
        terms = self.terms if units.copies is None else self.terms[take]
        strata = None if self.stratum is None or not draws.stratified else self.stratum[take]
        how: dict[str, Any] = {"weights": written.weight, "strata": strata, "groups": written.of_row}
        means = mean_bootstrap(terms.reshape(len(terms), -1), draws.n, draws.rng, **how)
        return np.asarray(measure.value(means.reshape(draws.n, *terms.shape[1:])))

    def leave_out(self, measure: Countable, units: Units) -> tuple[FloatArray, FloatArray] | None:
        """Each record left out, one copy of it."""
        weight = np.ones(units.rows) if units.weight is None else units.weight
        each = units.sum_rows(self.terms * weight[:, None, None])
        size = units.sum_rows(weight)
        once = units.once
        whole = SumTotals(np.einsum("u,ukt->kt", once, each), once @ size)
        with np.errstate(divide="ignore", invalid="ignore"):
            return self.values(measure, SumTotals(whole.sums - each, whole.weight - size)), once

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Half the sum of two models stays, half the difference changes its sign with the coin, ``[B]``."""
        from bakeoff.stats.resample import sign_flip

        take, written = units.written_out()
        weight = np.ones(take.size) if written.weight is None else written.weight
        scaled = self.terms[take] * (weight / weight.sum())[:, None, None]
        middle = scaled.sum(axis=(0, 1)) / 2
        flips = sign_flip((scaled[:, 0] - scaled[:, 1]) / 2, draws.n, draws.rng, groups=written.of_row)
        return np.asarray(measure.value(middle + flips) - measure.value(middle - flips))


def _along(terms: FloatArray, means: FloatArray, gradient: FloatArray) -> FloatArray:
    """The gradient times (term − mean), ``[n, k]``; some rows at a time, so that memory does not follow the terms."""
    found = np.empty(terms.shape[:2])
    for first in range(0, len(terms), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        np.einsum("nkt,kt->nk", terms[some] - means, gradient, out=found[some])
    return found


def _side_by_side(columns: list[FloatArray]) -> FloatArray:
    """Terms of each model ``[n, t]`` put together, ``[n, k, t]``; those of one are not copied."""
    return columns[0][:, None] if len(columns) == 1 else np.stack(columns, axis=1)


@dataclass(frozen=True)
class SumsKind(FormKind):
    """A measure that is a function of the means of these row terms.

    `unseen` makes, from the terms ``[n, t]``, those that the same rows would have with another outcome; where there are
    classes, another class is another outcome. `by_row`: the terms of a row depend on that row alone.
    """

    terms: RowTerms
    name: str = "sums"
    unseen: Callable[[FloatArray], FloatArray | None] | None = None
    by_row: bool = False

    @property
    def row_terms(self) -> RowTerms | None:
        """The terms, where those of a row depend on that row alone."""
        return self.terms if self.by_row else None

    def losses(self, sample: Sample) -> FloatArray:
        """The first term of each row."""
        return np.asarray(self.terms(sample)[:, 0], dtype=np.float64)

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold the terms of each row."""
        samples = [sample_of(rows, m, needs) for m in models]
        terms = _side_by_side([self.terms(sample) for sample in samples])
        if self.unseen is not None:
            each = [self.unseen(terms[:, j]) for j in range(terms.shape[1])]
            known = [one for one in each if one is not None]
            if len(known) < len(each):
                return Sums(terms)
            return Sums(terms, None, lambda chosen: _side_by_side([known[j] for j in chosen]))
        if len(rows.classes) < 2:  # no other outcome is known
            return Sums(terms)

        def other(chosen: tuple[int, ...]) -> FloatArray:
            k, truth = len(rows.classes), np.asarray(samples[0].truth, dtype=np.int64)
            shifts = range(1, min(k, _MOST_OUTCOMES))
            each = [[self.terms(replace(samples[j], truth=(truth + s) % k)) for j in chosen] for s in shifts]
            stacked = [_side_by_side(columns) for columns in each]
            return stacked[0] if len(stacked) == 1 else np.concatenate(stacked)

        return Sums(terms, rows.truth, other)

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure of the means over all rows."""
        return self._of_sample(measure, sample_of(rows, model, measure.needs))

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure of the means over each split."""
        sample = sample_of(rows, model, measure.needs)
        return np.array([self._of_sample(measure, sample.take(part)) for part in splits_of(rows)])

    def _of_sample(self, measure: Countable, sample: Sample) -> float:
        weight = sample.weights()
        total = float(weight.sum())
        return float(measure.value(dot(weight, self.terms(sample)) / total)) if total > 0 else float("nan")
