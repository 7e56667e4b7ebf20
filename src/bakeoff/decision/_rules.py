"""Two-class rows, and rules on them: chosen on other rows, counted together, resampled together.

A rule is "call positive what model m scores at least t". A row falls into the bin of the first of a model's rules
that calls it positive, so the counts of all rules are running sums over bins; and rows of the same class and bins are
one pattern. Resampling the rows is a draw of the counts of these patterns, whatever the number of rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.counts import Draws, Patterns
from bakeoff.decision._curve import RocCurve
from bakeoff.evidence import Predictions, Rows, Units, always, paired_rows
from bakeoff.stats.resample import Bins, binned_draws

T = TypeVar("T")
_MANY_ROWS = 20_000
_ROWS_A_PATTERN = 200  # a pattern is drawn in the time of so many rows
_KEPT_ROWS = 2_000_000  # times models: curves and hulls of that many stay with the evidence
PARTS = 10  # parts in turn left out of the choice of a threshold


# -- two-class rows ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BinaryRows:
    """Rows of a two-class problem.

    Attributes
    ----------
    positive
        True for rows of the positive class, ``[n]``.
    outputs
        Model → scores ``[n]`` (float), or called positive ``[n]`` (bool) for a model that answers labels.
    units
        What is independent among the rows, and what each of them weighs.
    cases
        Numbers of positive and of negative cases: whole copies counted, several answers to one case once.
    part, repeat
        Fold of each row within its repeat, and its repeat, ``[n]``; None for one test set.
    negative_name, positive_name
        Labels of the two classes.
    """

    positive: BoolArray
    outputs: Mapping[str, NDArray[Any]]
    units: Units
    cases: tuple[float, float]
    part: IntArray | None = None
    repeat: IntArray | None = None
    negative_name: object = "negative"
    positive_name: object = "positive"

    @classmethod
    def from_arrays(cls, positive: BoolArray, outputs: Mapping[str, NDArray[Any]]) -> BinaryRows:
        """Take every row as one independent case."""
        n_positive = int(np.count_nonzero(positive))
        return cls(positive, outputs, Units.of(positive.size), (n_positive, positive.size - n_positive))

    @cached_property
    def weight(self) -> FloatArray | None:
        """What each row adds to a count, ``[n]``; None where each adds one."""
        return self.units.row_weight

    @cached_property
    def totals(self) -> tuple[float, float]:
        """Weight of the positive and of the negative rows: what rates are divided by."""
        return self._sum(self.positive), self._sum(~self.positive)

    @property
    def prevalence(self) -> float:
        """Share of positives."""
        positive, negative = self.totals
        return positive / (positive + negative)

    @property
    def trivial(self) -> tuple[str, str]:
        """Names of the rules that call nobody and everybody positive."""
        return always(self.negative_name), always(self.positive_name)

    @property
    def closed_form(self) -> bool:
        """Whether cases are independent and count alike, so that rates have limits without a draw."""
        return counts_alike(self.units)

    @property
    def independent(self) -> tuple[int, int]:
        """Numbers of independent positives and negatives: cases, or groups that have any."""
        if self.units.kind == "group" and self.units.of_row is not None:
            sizes = [float(np.unique(self.units.of_row[mine]).size) for mine in (self.positive, ~self.positive)]
        else:
            sizes = list(self.cases)
        return max(round(sizes[0]), 1), max(round(sizes[1]), 1)

    def rates(self, called: BoolArray) -> tuple[float, float]:
        """False and true positive rate of calling these rows positive."""
        n_positive, n_negative = self.totals
        return self._sum(called & ~self.positive) / n_negative, self._sum(called & self.positive) / n_positive

    def curve(self, model: str, member: IntArray | None = None) -> RocCurve:
        """Trace the curve of a model on all rows together (made once), or on some of them."""
        if member is not None:
            return self._trace(model, member)
        return self.once(("curve", model), lambda: self._trace(model))

    def once(self, name: object, make: Callable[[], T]) -> T:
        """Make something of these rows (a curve, their hull, cross-fitted thresholds) where it is not made yet."""
        if name not in self._kept:
            self._kept[name] = make()
        found: T = self._kept[name]
        return found

    @cached_property
    def _kept(self) -> dict[object, Any]:
        return {}

    def places(self, model: str) -> tuple[FloatArray, IntArray]:
        """The distinct scores of a model, falling, and the place of each row among them (made once)."""
        from bakeoff.stats import falling_places

        return self.once(("places", model), lambda: falling_places(self.outputs[model]))

    def bin_of(self, model: str, thresholds: FloatArray) -> IntArray:
        """The first of falling thresholds that each row's score reaches, ``[n]``; their number where it is none."""
        if self.outputs[model].dtype == bool:
            return np.where(self.outputs[model], 0, 1).astype(np.int64)
        falling, place = self.places(model)
        reached = np.searchsorted(-falling, -thresholds, side="right")  # so many distinct scores reach each of them
        return np.asarray(np.cumsum(np.bincount(reached, minlength=falling.size + 1))[place])

    def _trace(self, model: str, member: IntArray | None = None) -> RocCurve:
        positive, output, weight = self.positive, self.outputs[model], self.weight
        if member is not None:
            positive, output, weight = positive[member], output[member], None if weight is None else weight[member]
        if output.dtype == bool:
            return RocCurve.from_labels(positive, output, model=model, sample_weight=weight)
        from bakeoff.stats import tally_scores

        return RocCurve.from_tally(*tally_scores(positive, output, weight), model=model)

    def written_out(self) -> BinaryRows:
        """The same with every whole copy as a row of its own."""
        if self.units.copies is None:
            return self
        take, units = self.units.written_out()
        part, repeat = (None if column is None else column[take] for column in (self.part, self.repeat))
        outputs = {model: output[take] for model, output in self.outputs.items()}
        return replace(self, positive=self.positive[take], outputs=outputs, units=units, part=part, repeat=repeat)

    def _sum(self, member: BoolArray) -> float:
        return float(np.count_nonzero(member) if self.weight is None else self.weight[member].sum())


def one_table(predictions: Predictions, dataset: str | None) -> Rows:
    """Return the rows of the one data set asked about."""
    predictions = paired_rows(predictions)
    if not isinstance(predictions, Predictions):
        raise ParameterError(
            f"predictions must be a Predictions object. Got {type(predictions).__name__} instead.",
            hint="make it with Predictions.from_arrays(y_true, y_score={'model': scores})",
        )
    return predictions.table(dataset)


def binary_rows(rows: Rows) -> BinaryRows:
    """Take from the evidence what decisions need: scores where a model has them, else its labels.

    They are made once and keep their curves, hull and cross-fitted thresholds, unless rows are very many.
    """
    found: BinaryRows | None = rows.kept.get("binary")
    if found is None:
        found = _make_binary_rows(rows)
        if found.positive.size * len(found.outputs) <= _KEPT_ROWS:
            rows.kept["binary"] = found
    return found


def _make_binary_rows(rows: Rows) -> BinaryRows:
    _check_two_classes(rows)
    positive = rows.positives()
    scored = {m for m in rows.models if rows.provides(m, "scores")}
    outputs = {m: rows.scores(m) if m in scored else rows.labels(m) == rows.positive for m in rows.models}
    part, repeat = _folds(rows)
    others = [c for i, c in enumerate(rows.classes) if i != rows.positive]
    negative = others[0] if len(others) == 1 else f"not {rows.pos_label}"
    n_negative, n_positive = cases_by_class(rows, positive.astype(np.int64), 2).tolist()
    units = at_one_scale(rows.units)
    found = BinaryRows(positive, outputs, units, (n_positive, n_negative), part, repeat, negative, rows.pos_label)
    if min(found.totals) <= 0:
        missing = "positive" if found.totals[0] <= 0 else "negative"
        raise EvidenceError(
            f"{rows.name!r} has no {missing} rows: costs of both kinds of error cannot be estimated.",
            hint="give rows of both classes; is the positive class the one that is meant?",
        )
    return found


def at_one_scale(units: Units) -> Units:
    """Importance on a scale of its own: costs that tie stay tied, whatever the weights were multiplied by."""
    if units.weight is None or units.importance is None:
        return units
    mean = units.importance.mean()
    return replace(units, weight=np.round(units.weight / mean, 12), importance=np.round(units.importance / mean, 12))


def counts_alike(units: Units) -> bool:
    """Whether every case counts as much as any other, and is independent of it.

    Where each case was answered equally often, a rate varies at most as if all answers to a case were alike, that is as
    a binomial of as many trials as there are cases: so limits in closed form serve repeated answers too.
    """
    return units.kind != "group" and units.weight is None


def cases_by_class(rows: Rows, truth: IntArray, n_classes: int) -> FloatArray:
    """Number of cases of each class, ``[K]``: whole copies counted, several answers to one case once."""
    counts = np.bincount(truth, weights=rows.frequency, minlength=n_classes).astype(np.float64)
    units = rows.units
    return counts / (units.answers if units.kind == "row" else counts.sum() / rows.cases)


def _check_two_classes(rows: Rows) -> None:
    if not rows.classes:
        raise EvidenceError(
            f"ROC curves and decisions need two classes, but {rows.name!r} holds no classes.",
            hint="give the true classes as y_true, and scores (y_score) or predicted classes (y_pred)",
        )
    if rows.positive is None and len(rows.classes) > 2:
        listed = ", ".join(map(repr, rows.classes[:6]))
        raise EvidenceError(
            f"ROC curves and decisions need two classes, but {rows.name!r} has {len(rows.classes)} ({listed}).",
            hint="name one class, against the rest, with pos_label= (--positive); or give the costs of all classes: "
            "OperatingContext.multiclass(cost_matrix) (--costs)",
        )


def _folds(rows: Rows) -> tuple[IntArray | None, IntArray | None]:
    if len(rows.splits) < 2 or rows.split_index is None:
        return None, None
    fold = np.array([s.fold for s in rows.splits])
    repeat = np.array([s.repeat for s in rows.splits])
    return fold[rows.split_index], np.unique(repeat, return_inverse=True)[1][rows.split_index]


# -- rules counted together -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rates:
    """False and true positive rates of the rules of one model: ``[m]`` as observed, ``[B, m]`` resampled."""

    fpr: FloatArray
    tpr: FloatArray


@dataclass(frozen=True)
class ResampledRates:
    """Rates of every model's rules on the same draws, and the share of positives in each draw, ``[B]``."""

    of: Mapping[str, Rates]
    prevalence: FloatArray


@dataclass(frozen=True)
class RuleTable:
    """Rules of several models and the patterns of rows they tell apart.

    Attributes
    ----------
    thresholds
        Model → falling thresholds ``[m]``; a model that answers labels has the one rule NaN.
    bins
        Model → bin of each pattern ``[C]``: the first rule that calls it positive, ``m`` when none does.
    positive
        Class of each pattern, ``[C]``.
    patterns, rows
        Pattern of each row, and the rows.
    """

    thresholds: Mapping[str, FloatArray]
    bins: Mapping[str, IntArray]
    positive: BoolArray
    patterns: Patterns
    rows: BinaryRows

    @classmethod
    def of(cls, rows: BinaryRows, thresholds: Mapping[str, FloatArray]) -> RuleTable:
        """Sort the rows into patterns."""
        bins = {model: rows.bin_of(model, values) for model, values in thresholds.items()}
        patterns = joint_patterns(
            rows.positive.astype(np.int64), [(of_row, thresholds[model].size + 1) for model, of_row in bins.items()]
        )
        first = patterns.first
        return cls(thresholds, {m: b[first] for m, b in bins.items()}, rows.positive[first], patterns, rows)

    @classmethod
    def of_calls(cls, rows: BinaryRows, calls: Mapping[str, BoolArray]) -> RuleTable:
        """One rule for each name, given by the rows it calls positive, ``[n]``."""
        return cls.of(replace(rows, outputs=calls), {name: np.array([np.nan]) for name in calls})

    def rates(self) -> dict[str, Rates]:
        """Rates of each model's rules as observed, ``[m]``."""
        counts = self.patterns.count(self.rows.weight)[None]
        return {model: Rates(found.fpr[0], found.tpr[0]) for model, found in self._rates(counts).items()}

    def resample(self, draws: Draws) -> ResampledRates:
        """Draw the units again and again, all rules on the same draws."""
        units, m = self.rows.units, self.patterns.m
        alone = units.plain and units.copies is None and units.answers == 1
        if alone and units.rows >= _MANY_ROWS and m * _ROWS_A_PATTERN > units.rows:
            return self._resample_rows(draws)
        stratum = self.rows.positive.astype(np.int64) if draws.stratified else None
        found: list[dict[str, Rates]] = []
        shares = []
        for counts in self.patterns.draw(self.rows.units, draws, stratum):
            found.append(self._rates(counts))
            shares.append(counts[:, self.positive].sum(axis=1) / counts.sum(axis=1))
        rates = {
            model: Rates(*(np.concatenate([getattr(chunk[model], rate) for chunk in found]) for rate in ("fpr", "tpr")))
            for model in self.bins
        }
        return ResampledRates(rates, np.concatenate(shares))

    def _resample_rows(self, draws: Draws) -> ResampledRates:
        """The same by drawing rows, which is faster where there are nearly as many patterns."""
        truth = self.rows.positive.astype(np.int64)
        sizes = {model: self.thresholds[model].size + 1 for model in self.bins}
        of_row = {model: 2 * of_pattern[self.patterns.of_row] + truth for model, of_pattern in self.bins.items()}
        bins = [Bins.of(of_row[model], 2 * size, None) for model, size in sizes.items()]
        found: dict[str, list[NDArray[Any]]] = {model: [] for model in self.bins}
        shares = []
        strata = truth if draws.stratified else None
        for lanes, each in binned_draws(bins, truth.size, draws.n, draws.rng, strata=strata):
            for (model, size), (counts,) in zip(sizes.items(), each, strict=True):
                called = np.cumsum(counts.reshape(size, 2, -1), axis=0, dtype=np.int32)[:, :, lanes]
                # A resample without a class has no such rate, and nothing at stake on it either.
                found[model].append((called[:-1] / np.maximum(called[-1], 1)).transpose(1, 2, 0))
            shares.append(called[-1, 1] / called[-1].sum(axis=0))
        rates = {model: Rates(*np.concatenate(chunks, axis=1)) for model, chunks in found.items()}
        return ResampledRates(rates, np.concatenate(shares))

    def _rates(self, counts: FloatArray) -> dict[str, Rates]:
        classes = [self.positive == side for side in (False, True)]
        drawn = [np.ascontiguousarray(counts[:, mine].T) for mine in classes]
        return {
            model: Rates(
                *(
                    _shares(of_class, bins[mine], self.thresholds[model].size + 1)
                    for of_class, mine in zip(drawn, classes, strict=True)
                )
            )
            for model, bins in self.bins.items()
        }


def joint_patterns(truth: IntArray, columns: Iterable[tuple[IntArray, int]]) -> Patterns:
    """Distinct combinations of the truth and of columns of codes, each with how many codes it can have."""
    key = truth
    for codes, size in columns:
        key = key * size + codes
        if key.max(initial=0) > 2**40:  # relabel before the key overflows
            key = Patterns.of(key).of_row
    return Patterns.of(key)


def _shares(counts: FloatArray, bins: IntArray, n_bins: int) -> FloatArray:
    """Share of one class that each rule of a model calls, ``[b, m]``, from counts of its patterns ``[C, b]``."""
    from scipy.sparse import csr_array

    membership = csr_array((np.ones(bins.size), (bins, np.arange(bins.size))), shape=(n_bins, bins.size))
    called = np.cumsum((membership @ counts).T, axis=1)
    # A resample without this class has no such rate, and nothing at stake on it either.
    return np.asarray(called[:, :-1] / np.where(called[:, -1:] > 0, called[:, -1:], 1.0))


# -- parts to leave out ----------------------------------------------------------------------------------------------


def fold_parts(rows: BinaryRows, rng: np.random.Generator) -> IntArray:
    """Return the parts to hold out: the folds, a few joined ones where they are many, or random parts.

    Random parts serve repeated hold-out, where no repeat has another fold to choose on.
    """
    if rows.part is None or rows.repeat is None or not _has_other_folds(rows.part, rows.repeat):
        return random_parts(rows, rng)
    n_parts = int(rows.part.max()) + 1
    if n_parts <= 2 * PARTS:
        return rows.part
    return np.asarray(rng.permutation(np.arange(n_parts) % PARTS)[rows.part])


def _has_other_folds(part: IntArray, repeat: IntArray) -> bool:
    return all(np.unique(part[repeat == r]).size > 1 for r in np.unique(repeat))


def random_parts(rows: BinaryRows, rng: np.random.Generator) -> IntArray:
    """Split whole units at random into parts, each class evenly where a unit has one class."""
    units = rows.units
    if units.kind == "group":
        part = rng.permutation(np.arange(units.records) % PARTS)
    else:
        positive = rows.positive if units.of_row is None else units.sum_rows(rows.positive.astype(np.float64)) > 0
        part = np.empty(units.records, dtype=np.int64)
        for kind in (True, False):
            member = np.flatnonzero(positive == kind)
            part[member] = rng.permutation(np.arange(member.size) % PARTS)
    return part if units.of_row is None else part[units.of_row]
