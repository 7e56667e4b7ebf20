"""Costs that differ from case to case: a column per kind of outcome, expected cost and savings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, Result, warning_note
from bakeoff._core.validation import FloatArray, as_binary_truth, as_floats, check_level
from bakeoff.decision._context import COSTS
from bakeoff.decision._curve import truth_and_calls


@dataclass(frozen=True, repr=False)
class InstanceCosts(Result):
    """What each outcome costs on each case: a fraud of 5 € and one of 5 000 € are not the same miss.

    Parameters
    ----------
    cost_fp, cost_fn, cost_tp, cost_tn
        A number, or one number per case ``[n]``.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Bahnsen, A. C., Aouada, D. & Ottersten, B. (2015). Example-dependent cost-sensitive decision trees. Expert Systems
    with Applications 42, 6609–6619. https://doi.org/10.1016/j.eswa.2015.04.042

    Examples
    --------
    Four transactions; missing a fraud costs its amount, looking into one costs 5 €.

    >>> costs = InstanceCosts(cost_fp=5, cost_fn=[100, 20, 3, 50], cost_tp=5)
    >>> result = costs.savings([1, 1, 0, 0], [1, 0, 0, 1])
    >>> result.total_cost, result.baseline_cost, result.savings
    (30.0, 20.0, -0.5)
    """

    cost_fp: ArrayLike = 1.0
    cost_fn: ArrayLike = 1.0
    cost_tp: ArrayLike = 0.0
    cost_tn: ArrayLike = 0.0

    def __post_init__(self) -> None:
        for name in COSTS:
            values = as_floats(name, getattr(self, name))
            if values.ndim > 1 or not np.isfinite(values).all():
                raise ParameterError(f"{name} must be a finite number, or one finite number per case.")
            object.__setattr__(self, name, values)

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {name: self._column(name, self._size).tolist() for name in COSTS}

    def _headline(self) -> str:
        return ", ".join(f"{name}: {np.size(getattr(self, name))} value(s)" for name in ("cost_fp", "cost_fn"))

    def per_case(self, y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: object = None) -> FloatArray:
        """Return what each answer cost, ``[n]``."""
        truth, positive = truth_and_calls(y_true, y_pred, pos_label)
        tp, fn, fp, tn = (self._column(name, truth.size) for name in ("cost_tp", "cost_fn", "cost_fp", "cost_tn"))
        unreasonable = ~truth & (tn > fp)
        if unreasonable.any():
            row = int(unreasonable.argmax())
            raise ParameterError(
                f"the costs of case {row} are unreasonable: a true negative costs {tn[row]:g}, "
                f"more than a false positive, {fp[row]:g}."
            )
        costs: FloatArray = np.where(truth, np.where(positive, tp, fn), np.where(positive, fp, tn))
        return costs

    def thresholds(self, n: int | None = None) -> FloatArray:
        """Return Elkan's threshold of each case: call it positive when a calibrated P(positive) is at least this."""
        size = n or self._size
        alarm = self._column("cost_fp", size) - self._column("cost_tn", size)
        miss = self._column("cost_fn", size) - self._column("cost_tp", size)
        # A case on which nothing hangs (a fraud below the price of looking) is never worth an alarm.
        never = miss <= 0
        return np.where(never, np.inf, alarm / np.where(never, 1.0, alarm + miss))

    def savings(
        self, y_true: ArrayLike, y_pred: ArrayLike, *, pos_label: object = None, confidence_level: float = 0.95
    ) -> Savings:
        """Compare a model's cost with the cheaper of the two trivial rules.

        savings = 1 − cost(model) / min(cost(always negative), cost(always positive)); 1 is the best, 0 no better than
        doing nothing clever, negative worse than that.
        """
        level = check_level(confidence_level)
        truth = as_binary_truth(y_true, pos_label=pos_label)
        own = self.per_case(y_true, y_pred, pos_label=pos_label)
        never, always = (self.per_case(truth, np.full(truth.size, answer)) for answer in (False, True))
        rule, trivial = min((("always negative", never), ("always positive", always)), key=lambda pair: pair[1].sum())
        return _savings(own, trivial, rule, level)

    @property
    def _size(self) -> int:
        return max(np.size(getattr(self, name)) for name in COSTS)

    def _column(self, name: str, n: int) -> FloatArray:
        values = np.asarray(getattr(self, name))
        if values.ndim == 1 and values.size != n:
            raise EvidenceError(f"{name} must have one cost per case. Got {values.size} costs for {n} cases.")
        return np.broadcast_to(values, n)


@dataclass(frozen=True, repr=False)
class Savings(Result):
    """What a model costs under costs that differ from case to case, against the cheaper trivial rule.

    Attributes
    ----------
    total_cost, mean_cost
        Cost of the model, in all and per case (an `Interval`, from the spread of the costs).
    baseline, baseline_cost
        The cheaper trivial rule and its total cost.
    savings
        1 − total_cost / baseline_cost; NaN when the trivial rule costs nothing.
    mean_saved
        Cost saved per case against the trivial rule (an `Interval`, paired case by case).
    """

    total_cost: float
    mean_cost: Interval
    baseline: str
    baseline_cost: float
    savings: float
    mean_saved: Interval
    notes: tuple[Note, ...] = ()


def _savings(own: FloatArray, trivial: FloatArray, rule: str, level: float) -> Savings:
    baseline = float(trivial.sum())
    text = Text("savings are undefined: {rule!r} costs {baseline:g}.", rule=rule, baseline=baseline)
    notes = (warning_note("free-baseline", text),) if baseline <= 0 else ()
    share = 1 - float(own.sum()) / baseline if baseline > 0 else np.nan
    mean, saved = _mean_interval(own, level), _mean_interval(trivial - own, level)
    return Savings(float(own.sum()), mean, rule, baseline, share, saved, notes)


def _mean_interval(values: FloatArray, level: float) -> Interval:
    """Student's interval of a mean of independent cases."""
    from scipy import stats

    mean = float(values.mean())
    if values.size < 2:
        note = warning_note("one-case", Text("one case has no spread: the interval is undefined."))
        return Interval(mean, np.nan, np.nan, level, "t", (note,))
    half = float(stats.t.ppf((1 + level) / 2, values.size - 1) * values.std(ddof=1) / np.sqrt(values.size))
    return Interval(mean, mean - half, mean + half, level, "t")
