"""The operating context of a two-class decision: how often the positive class comes, and what each outcome costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError, unknown_choice
from bakeoff._core.language import Text, numeral
from bakeoff._core.validation import FloatArray, as_floats, check_number

if TYPE_CHECKING:
    from bakeoff.decision._multiclass import MulticlassContext
    from bakeoff.decision._uncertain import ContextDraws, UncertainContext


COSTS = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")
NUMBERS = ("prevalence", *COSTS)


@dataclass(frozen=True, kw_only=True)
class OperatingContext:
    """How common the positive class is where the model will work, and what its right and wrong answers cost.

    Parameters
    ----------
    prevalence
        Proportion of positives where the model will be used, in [0, 1]. None means "as in the data": resolve it with
        `at` (the verbs do) before asking for a slope or an expected cost.
    cost_fp, cost_fn
        Cost of a false positive (false alarm) and of a false negative (miss), in any one currency.
    cost_tp, cost_tn
        Cost of the right answers, zero unless they cost something (a treatment, an inspection); negative is a benefit.

    Raises
    ------
    ParameterError
        When a right answer costs more than the wrong one on the same class (Elkan's "unreasonable" matrix: the worst
        thing to do would be to be right), or when nothing depends on being right.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments. Machine Learning 42, 203–231.
    https://doi.org/10.1023/A:1007601015854

    Examples
    --------
    A test for a cancer that one person in a hundred has: a false alarm costs 10 €, a missed cancer 10 000 €.

    >>> cancer = OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)
    >>> round(cancer.expected_cost(fpr=0.4, tpr=0.9), 2), round(cancer.expected_cost(fpr=1, tpr=1), 2)
    (13.96, 9.9)
    >>> round(cancer.slope, 4), round(cancer.threshold, 6), round(cancer.pc, 4)
    (0.099, 0.000999, 0.9099)
    """

    prevalence: float | None = None
    cost_fp: float = 1.0
    cost_fn: float = 1.0
    cost_tp: float = 0.0
    cost_tn: float = 0.0

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_number("prevalence", self.prevalence, low=0.0, high=1.0))
        for name in COSTS:
            object.__setattr__(self, name, check_number(name, getattr(self, name)))
        _check_reasonable(self)

    @classmethod
    def from_counts(
        cls,
        n_positive: float,
        n_negative: float,
        *,
        cost_fp: float = 1.0,
        cost_fn: float = 1.0,
        cost_tp: float = 0.0,
        cost_tn: float = 0.0,
    ) -> OperatingContext:
        """Make the context whose prevalence is that of `n_positive` positives among `n_negative` negatives.

        >>> round(OperatingContext.from_counts(150, 300, cost_fp=1, cost_fn=4).slope, 12)
        0.5
        """
        positive = check_number("n_positive", n_positive, low=0.0)
        negative = check_number("n_negative", n_negative, low=0.0)
        if positive + negative == 0:
            raise ParameterError("n_positive and n_negative must not both be zero.")
        share = positive / (positive + negative)
        return cls(prevalence=share, cost_fp=cost_fp, cost_fn=cost_fn, cost_tp=cost_tp, cost_tn=cost_tn)

    @staticmethod
    def multiclass(
        cost_matrix: Any, priors: ArrayLike | None = None, *, classes: Sequence[object] | None = None
    ) -> MulticlassContext:
        """Make the context of several classes from a cost matrix (rows true, columns predicted) and class priors.

        Examples
        --------
        >>> from bakeoff import OperatingContext
        >>> context = OperatingContext.multiclass([[0, 1, 4], [1, 0, 1], [20, 5, 0]], priors=[0.5, 0.3, 0.2])
        >>> context.cost_matrix.tolist()[2]
        [20.0, 5.0, 0.0]
        """
        from bakeoff.decision._multiclass import MulticlassContext

        return MulticlassContext.make(cost_matrix, priors, classes=classes)

    @property
    def miss_weight(self) -> float:
        """What a miss costs above a hit: ``cost_fn − cost_tp``."""
        return self.cost_fn - self.cost_tp

    @property
    def alarm_weight(self) -> float:
        """What a false alarm costs above a correct rejection: ``cost_fp − cost_tn``."""
        return self.cost_fp - self.cost_tn

    @property
    def slope(self) -> float:
        """Slope of the isocost lines in ROC space: (cost_fp − cost_tn)·N / ((cost_fn − cost_tp)·P); inf if vertical."""
        positive = self._known_prevalence("slope")
        self._check_stakes("the slope of isocost lines")
        return _ratio((1 - positive) * self.alarm_weight, positive * self.miss_weight)

    @property
    def threshold(self) -> float:
        """Elkan's threshold: predict positive when a calibrated P(positive) is at least this.

        (cost_fp − cost_tn) / (cost_fp − cost_tn + cost_fn − cost_tp); the prevalence is already in the probability.
        """
        return self.alarm_weight / (self.alarm_weight + self.miss_weight)

    @property
    def pc(self) -> float:
        """PC(+), the abscissa of cost curves: P·cost_fn / (P·cost_fn + N·cost_fp), with costs above right answers."""
        positive = self._known_prevalence("pc")
        self._check_stakes("PC(+)")
        missed, alarmed = positive * self.miss_weight, (1 - positive) * self.alarm_weight
        return missed / (missed + alarmed)

    @property
    def cost_matrix(self) -> FloatArray:
        """Costs with true classes in rows (negative, positive) and predictions in columns."""
        return np.array([[self.cost_tn, self.cost_fp], [self.cost_fn, self.cost_tp]])

    @overload
    def expected_cost(self, fpr: float, tpr: float, *, per: float = ...) -> float: ...
    @overload
    def expected_cost(self, fpr: ArrayLike, tpr: ArrayLike, *, per: float = ...) -> FloatArray: ...
    def expected_cost(self, fpr: ArrayLike, tpr: ArrayLike, *, per: float = 1.0) -> float | FloatArray:
        """Return the expected cost of working at (fpr, tpr), for one case or for `per` cases.

        P·(FNR·cost_fn + TPR·cost_tp) + N·(FPR·cost_fp + TNR·cost_tn), elementwise over arrays.

        >>> OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000).expected_cost(0.1, 0.6, per=1000)
        40990.0
        """
        positive = self._known_prevalence("expected_cost")
        alarms, hits = check_rates(fpr, tpr)
        on_positives = self.cost_fn - self.miss_weight * hits
        on_negatives = self.cost_tn + self.alarm_weight * alarms
        return _plain(per * (positive * on_positives + (1 - positive) * on_negatives))

    @overload
    def normalised_cost(self, fpr: float, tpr: float) -> float: ...
    @overload
    def normalised_cost(self, fpr: ArrayLike, tpr: ArrayLike) -> FloatArray: ...
    def normalised_cost(self, fpr: ArrayLike, tpr: ArrayLike) -> float | FloatArray:
        """Return the expected cost on the scale 0 (always right) to 1 (always wrong): PC·FNR + (1 − PC)·FPR."""
        pc = self.pc
        alarms, hits = check_rates(fpr, tpr)
        return _plain(pc * (1 - hits) + (1 - pc) * alarms)

    def at(self, prevalence: float) -> OperatingContext:
        """Resolve "as in the data": take this prevalence if none was given, else change nothing."""
        return self if self.prevalence is not None else self.with_prevalence(prevalence)

    def with_prevalence(self, prevalence: float | None) -> OperatingContext:
        """Return the same costs at another prevalence."""
        return replace(self, prevalence=prevalence)

    def threshold_on(self, data_prevalence: float) -> float:
        """Return the threshold for probabilities calibrated where positives had `data_prevalence`, used at ours.

        Elkan's threshold moved by the change of base rate: its odds are divided by the odds ratio of the prevalences.

        >>> OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000).threshold_on(0.5)
        0.09...
        """
        ours = self._known_prevalence("threshold_on")
        self._check_stakes("the moved threshold")
        theirs = check_number("data_prevalence", data_prevalence, low=0.0, high=1.0, closed="none")
        odds = _ratio(self.threshold, 1 - self.threshold)
        moved = odds * _ratio((1 - ours) * theirs, ours * (1 - theirs)) if odds else 0.0
        return 1.0 if math.isinf(moved) else moved / (1 + moved)

    def _check_stakes(self, what: str) -> None:
        """The only class that occurs must have an error that costs something, or no rule is better than another."""
        positive = self._known_prevalence(what)
        if positive * self.miss_weight + (1 - positive) * self.alarm_weight == 0:
            raise ParameterError(
                f"{what} is undefined: no error costs anything at prevalence {positive:g}.",
                hint="give a prevalence between 0 and 1, or a cost to the error of the class that occurs",
            )

    def _known_prevalence(self, what: str) -> float:
        if self.prevalence is None:
            raise ParameterError(
                f"{what} needs a prevalence, but this context says 'as in the data' (prevalence=None).",
                hint="give OperatingContext(prevalence=...), or resolve it with context.at(share_of_positives)",
            )
        return self.prevalence


def resampled_cost(
    context: OperatingContext | ContextDraws, fpr: FloatArray, tpr: FloatArray, share: FloatArray
) -> FloatArray:
    """Return the expected cost of each resample at its rates, ``[B]``; `share` is the resample's own prevalence."""
    pi = share if context.prevalence is None else context.prevalence
    on_positives = tpr * context.cost_tp + (1 - tpr) * context.cost_fn
    on_negatives = fpr * context.cost_fp + (1 - fpr) * context.cost_tn
    return np.asarray(pi * on_positives + (1 - pi) * on_negatives)


def as_context(context: object) -> OperatingContext | UncertainContext:
    """Accept a context, an uncertain context, or a mapping of either's arguments."""
    if isinstance(context, OperatingContext):
        return context
    from bakeoff.decision._uncertain import UncertainContext

    if isinstance(context, UncertainContext):
        return context
    if isinstance(context, Mapping):
        odd = [name for name in context if name not in NUMBERS]
        if odd:
            raise unknown_choice("an argument of the context", odd[0], NUMBERS)
        certain = all(value is None or isinstance(value, Real) for value in context.values())
        return OperatingContext(**context) if certain else UncertainContext(**context)
    raise ParameterError(
        f"context must be an OperatingContext. Got {type(context).__name__} instead.",
        hint="OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)",
    )


def one_context(context: Any, given: dict[str, Any]) -> Any:
    """The context as an object, or made of the numbers that were given."""
    if context is not None and given:
        raise ParameterError(f"give either a context or {', '.join(given)}, not both.")
    if context is None and not given:
        raise ParameterError(
            "decide needs a context: what errors cost, and how common the positive class is.",
            hint="decide(predictions, cost_fp=…, cost_fn=…, prevalence=…), or an OperatingContext",
        )
    return given if context is None else context


def check_rates(fpr: ArrayLike, tpr: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Return the two rates as float arrays, each between 0 and 1."""
    return check_shares("fpr", fpr), check_shares("tpr", tpr)


def check_shares(name: str, values: ArrayLike) -> FloatArray:
    """Return numbers between 0 and 1 as a float array."""
    array = as_floats(name, values)
    inside = (array >= -1e-12) & (array <= 1 + 1e-12)
    if not inside.all():
        raise ParameterError(f"{name} must be between 0 and 1. Got {array[~inside].flat[0]:g}.")
    return array


def shift_prevalence(probability: ArrayLike, data_prevalence: float, prevalence: float) -> float | FloatArray:
    """Move calibrated probabilities from the prevalence of the data to another one (Elkan 2001, theorem 2).

    p' = b'(p − pb) / (b − pb + b'p − bb'), with b the old prevalence and b' the new one.

    >>> round(float(shift_prevalence(0.8, 0.5, 0.1)), 6)
    0.307692
    """
    old = check_number("data_prevalence", data_prevalence, low=0.0, high=1.0, closed="none")
    new = check_number("prevalence", prevalence, low=0.0, high=1.0)
    p = check_shares("probability", probability)
    return _plain(new * p * (1 - old) / (new * p * (1 - old) + (1 - new) * (1 - p) * old))


def slope_of_pc(pc: float) -> float:
    """Slope of the isocost lines at this PC(+): (1 − PC)/PC; inf at 0."""
    return (1 - pc) / pc if pc > 0 else np.inf


def cost_ratio_of_pc(pc: float, prevalence: float) -> float:
    """The ratio cost_fn / cost_fp that gives this PC(+) at this prevalence."""
    positive = check_number("prevalence", prevalence, low=0.0, high=1.0, closed="none")
    return np.inf if pc >= 1 else pc * (1 - positive) / ((1 - pc) * positive)


def prevalences_of_pc(low: float, high: float, context: OperatingContext) -> tuple[float, float]:
    """The prevalences that give an interval of PC(+) at the costs of `context`, low to high."""
    if context.miss_weight == 0 or context.alarm_weight == 0:
        return 0.0, 1.0  # only one kind of error costs anything: PC(+) is the same at every prevalence
    return _prevalence_of_pc(low, context), _prevalence_of_pc(high, context)


def _prevalence_of_pc(pc: float, context: OperatingContext) -> float:
    missed, alarmed = (1 - pc) * context.miss_weight, pc * context.alarm_weight
    return alarmed / (missed + alarmed) if missed + alarmed > 0 else np.nan


def amount(cost: float) -> Text:
    """A cost for a person: four digits, thousands apart."""
    return numeral(cost, ",.0f" if abs(cost) >= 10_000 else ".4g")


def _check_reasonable(context: OperatingContext) -> None:
    pairs = (
        ("a true positive", context.cost_tp, "a false negative", context.cost_fn),
        ("a true negative", context.cost_tn, "a false positive", context.cost_fp),
    )
    for right, cost_right, wrong, cost_wrong in pairs:
        if cost_right > cost_wrong:
            raise ParameterError(
                f"the costs are unreasonable: {right} (the right answer) costs {cost_right:g}, "
                f"more than {wrong} (the wrong one), {cost_wrong:g}.",
                hint="costs are positive when money is lost; give gains as negative costs of the right answers",
            )
    if context.miss_weight == 0 and context.alarm_weight == 0:
        raise ParameterError("the costs leave nothing to decide: right and wrong answers cost the same.")


def _ratio(numerator: float, denominator: float) -> float:
    if denominator == 0:
        return math.inf if numerator > 0 else math.nan
    return numerator / denominator


def _plain(values: FloatArray) -> float | FloatArray:
    return float(values) if np.ndim(values) == 0 else values
