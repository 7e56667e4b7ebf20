"""Comparison: how sure we are of the differences between models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bakeoff._core.errors import unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note, Result, Told
from bakeoff._core.view import View
from bakeoff.comparison._catalogue import Choice
from bakeoff.comparison._jobs import BayesPair, Check, Omnibus
from bakeoff.comparison._margin_datasets import OverDatasets
from bakeoff.evidence import Design
from bakeoff.intervals import Slices

COLUMNS = (
    "model_a", "model_b", "measure", "estimate", "low", "high", "statistic", "pvalue", "pvalue_adjusted",
    "effect_size", "effect", "method",
)  # fmt: skip
MORE_COLUMNS = ("value_a", "value_b", "better", "conclusion", "simultaneous_low", "simultaneous_high")
QUOTIENT_COLUMNS = ("quotient", "quotient_low", "quotient_high")
MARGIN_COLUMNS = ("closeness", "pvalue_not_inferior", "pvalue_equivalent")

_EXCHANGED = (("model_a", "model_b"), ("value_a", "value_b"))  # fields that change places when a pair is turned round
_TURNED = (("low", "high"), ("margin_low", "margin_high"), ("simultaneous_low", "simultaneous_high"))  # and their sign
_FLIPPED_ALTERNATIVE = {"two-sided": "two-sided", "less": "greater", "greater": "less"}


@dataclass(frozen=True, repr=False)
class PairComparison(Result):
    """Two models compared.

    Attributes
    ----------
    model_a, model_b, measure
        Who is compared, and in what.
    estimate, low, high
        The difference a − b in the measure's own units, and its confidence interval.
    statistic, pvalue, pvalue_adjusted
        Of the test; adjusted for the number of pairs.
    effect_size, effect
        Size of the effect, with the sign of a − b, and which effect size it is.
    method
        The test, and the interval where it is another's.
    value_a, value_b
        The measure of each model.
    better
        The model shown to be better at the level, or an empty text.
    conclusion
        ``"a is better"``, ``"b is better"``, ``"no difference shown"`` or ``"undefined"``.
    margin, closeness
        With a margin: ``"equivalent"``, ``"not inferior"`` (a to b), ``"inferior"`` or ``"inconclusive"``.
    pvalue_not_inferior, pvalue_equivalent
        Adjusted p-values against the margin.
    simultaneous_low, simultaneous_high
        Limits that hold for all pairs at once with the confidence level: Tukey's or Dunnett's where that is the post
        hoc, else Bonferroni's (each interval at level 1 − α/m). `low` and `high` hold for this pair alone.
    quotient, quotient_low, quotient_high
        a / b with its interval (log scale, t over units), where a quotient of the measure means something; else NaN.
    alternative, confidence_level
        As asked.

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 15 + [1] * 5 + [0] * 5}
    >>> pair = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).pair("a", "b")
    >>> round(pair.estimate, 2), round(pair.pvalue, 4), pair.method
    (0.1, 0.0266, 'McNemar, Tango score interval')
    """

    model_a: str
    model_b: str
    measure: str
    estimate: float
    low: float
    high: float
    statistic: float
    pvalue: float
    pvalue_adjusted: float
    effect_size: float
    effect: str
    method: str
    value_a: float = float("nan")
    value_b: float = float("nan")
    better: str = ""
    conclusion: str = "no difference shown"
    margin: float | None = None
    closeness: str = ""
    pvalue_not_inferior: float = float("nan")
    pvalue_equivalent: float = float("nan")
    margin_low: float = float("nan")
    margin_high: float = float("nan")
    simultaneous_low: float = float("nan")
    simultaneous_high: float = float("nan")
    alternative: str = "two-sided"
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()
    _signed: bool = True
    _other_side: tuple[str, float] = ("", float("nan"))
    _over: OverDatasets | None = None
    _quotient: tuple[float, float, float] | None = None
    _working: Any = field(default=None, compare=False)
    _turned: bool = False

    @property
    def quotient(self) -> float:
        """The value of a over that of b."""
        return float("nan") if self._quotient is None else self._quotient[0]

    @property
    def quotient_low(self) -> float:
        """Lower limit of the quotient."""
        return float("nan") if self._quotient is None else self._quotient[1]

    @property
    def quotient_high(self) -> float:
        """Upper limit of the quotient."""
        return float("nan") if self._quotient is None else self._quotient[2]

    def flipped(self) -> PairComparison:
        """The same comparison read from the other side: b − a."""
        changed: dict[str, Any] = {}
        for one, other in _EXCHANGED:
            changed |= {one: getattr(self, other), other: getattr(self, one)}
        for low, high in _TURNED:
            changed |= {low: -getattr(self, high), high: -getattr(self, low)}
        return replace(
            self,
            **changed,
            estimate=-self.estimate,
            statistic=-self.statistic if self._signed else self.statistic,
            effect_size=-self.effect_size,
            conclusion=_FLIPPED_CONCLUSION.get(self.conclusion, self.conclusion),
            closeness=self._other_side[0],
            pvalue_not_inferior=self._other_side[1],
            alternative=_FLIPPED_ALTERNATIVE[self.alternative],
            _other_side=(self.closeness, self.pvalue_not_inferior),
            _over=None,  # it is told of the pair as it was asked for
            _quotient=None if self._quotient is None else _inverse(*self._quotient),
            _turned=not self._turned,
        )

    @property
    def shown(self) -> bool:
        """Whether a difference was shown at the level."""
        return bool(self.better)

    def _columns(self) -> dict[str, Sequence[Any]]:
        more = _more_columns(self.margin, (self,))
        return {name: [getattr(self, name)] for name in (*COLUMNS, *MORE_COLUMNS, *more)}

    def _headline(self) -> str:
        return (
            f"{self.model_a} − {self.model_b}: {self.measure} {self.estimate:+.4g} [{self.low:.4g}, {self.high:.4g}], "
            f"p={self.pvalue_adjusted:.3g}, {self.conclusion}"
        )


def _inverse(quotient: float, low: float, high: float) -> tuple[float, float, float]:
    return 1 / quotient, 1 / high, 1 / low


def _more_columns(margin: float | None, pairs: Sequence[PairComparison]) -> tuple[str, ...]:
    quotients = QUOTIENT_COLUMNS if any(pair._quotient is not None for pair in pairs) else ()
    return (*quotients, *(MARGIN_COLUMNS if margin is not None else ()))


_FLIPPED_CONCLUSION = {"a is better": "b is better", "b is better": "a is better"}


@dataclass(frozen=True, repr=False)
class Comparison(Told):
    """How sure we are of the differences between models, and how that was found out.

    Attributes
    ----------
    measure, greater_is_better, models
        What was compared.
    pairs
        One `PairComparison` per pair, in the order of `models`; with a control, every model against it.
    choice
        The test that was taken and why every other was not.
    omnibus
        The test of all models together, or None.
    ranks
        Mean rank of each model (1 = best), best first, or None where there are no data sets to rank over.
    groups
        Largest sets of models no two of which were shown to differ, best first; with a control, the models not shown
        to differ from it.
    letters
        The same as letters for a table: models that share a letter were not told apart.
    values
        The measure of each model (mean over folds or data sets), best first.
    bayes
        Posterior probabilities, also reported or asked for.
    checks
        The assumptions looked at.
    design, control, margin, alternative, confidence_level, critical_difference, notes
        What it was made from, what was asked, and what is to be noted about it.
    slices
        The pairs by slice, where ``by=`` was asked for; else None.
    by_dataset
        Of few data sets: the answer of each alone, from its own rows or folds (not adjusted for their number).
    sentences, verdict
        What was found: sentences with their roles (headline, lead, caution, scope …), and joined, in the reader's
        language.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76], [0.88, 0.84], [0.67, 0.60], [0.79, 0.74], [0.93, 0.90]]
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["new", "old"], measure="auc"), rng=0)
    >>> print(comparison.choice.chosen, round(comparison.pair("new", "old").pvalue, 4))
    wilcoxon 0.0312
    """

    measure: str
    greater_is_better: bool
    models: tuple[str, ...]
    pairs: tuple[PairComparison, ...]
    choice: Choice
    omnibus: Omnibus | None
    ranks: Mapping[str, float] | None
    groups: tuple[tuple[str, ...], ...]
    letters: Mapping[str, str]
    values: Mapping[str, float]
    design: Design
    bayes: tuple[BayesPair, ...] = ()
    checks: tuple[Check, ...] = ()
    control: str | None = None
    margin: float | None = None
    alternative: str = "two-sided"
    confidence_level: float = 0.95
    critical_difference: float | None = None
    notes: tuple[Note, ...] = ()
    sentences: tuple[Text, ...] = ()
    slices: Slices | None = None
    by_dataset: Mapping[str, Comparison] = field(default_factory=dict)
    _units: tuple[str | Text, ...] = ()  # what was compared on, where each has a name: for `steps`

    def pair(self, a: str, b: str) -> PairComparison:
        """Return the comparison of two models, in either order; the sign is that of a − b.

        Examples
        --------
        >>> import bakeoff
        >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76], [0.88, 0.84], [0.67, 0.60], [0.79, 0.74], [0.93, 0.90]]
        >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["new", "old"], measure="auc"), rng=0)
        >>> round(comparison.pair("new", "old").estimate, 4), round(comparison.pair("old", "new").estimate, 4)
        (0.0325, -0.0325)
        """
        a, b = str(a), str(b)  # models are named by text, also where a table numbered them
        for name in (a, b):
            if name not in self.models:
                raise unknown_choice("model", name, self.models)
        for pair in self.pairs:
            if (pair.model_a, pair.model_b) == (a, b):
                return pair
            if (pair.model_a, pair.model_b) == (b, a):
                return pair.flipped()
        reason = f"every model was compared with the control {self.control!r} only" if a != b else "they are the same"
        error = unknown_choice("pair", f"{a} – {b}", [f"{p.model_a} – {p.model_b}" for p in self.pairs[:12]])
        raise type(error)(f"the pair ({a!r}, {b!r}) was not compared: {reason}.", hint="call compare without control=")

    @property
    def best(self) -> str:
        """The model with the best value (which need not have been shown to be better than the others)."""
        return next(iter(self.values))

    def _columns(self) -> dict[str, Sequence[Any]]:
        more = _more_columns(self.margin, self.pairs)
        return {name: [getattr(p, name) for p in self.pairs] for name in (*COLUMNS, *MORE_COLUMNS, *more)}

    def _headline(self) -> str:
        shown = sum(p.shown for p in self.pairs)
        return (
            f"{self.measure} of {len(self.models)} models by {self.choice.chosen!r}: "
            f"{shown} of {len(self.pairs)} difference{'s' * (len(self.pairs) != 1)} shown"
        )

    def _view(self) -> View:
        from bakeoff.comparison._comparison_view import comparison_view
        from bakeoff.comparison._verdict import CAUTIONS

        return comparison_view(self, frozenset(CAUTIONS))
