"""What a test hands back: findings about pairs, the test of all models together, posteriors and checks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from bakeoff._core.language import Text
from bakeoff._core.notes import Note
from bakeoff._core.result import Interval, Result
from bakeoff._core.validation import FloatArray

Limits = Callable[[float], tuple[float, float]]
"""Confidence level → low and high of the difference a − b."""


class Pair(NamedTuple):
    """Two models by their positions; with a control, b is the control."""

    a: int
    b: int


def limits_of(interval_at: Callable[[float], Interval]) -> Limits:
    """Turn a result's ``confidence_interval`` into limits at any level."""

    def limits(level: float) -> tuple[float, float]:
        interval = interval_at(level)
        return float(interval.low), float(interval.high)

    return limits


@dataclass(frozen=True, repr=False, kw_only=True)
class BayesPair(Result):
    """Posterior probabilities about one pair.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        That a is better by more than `rope`, that the two are within it, that b is better by more.
    test
        Name of the Bayesian test.

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83], "b": [0.80, 0.81, 0.80, 0.82, 0.80]}
    >>> evidence = bakeoff.Scores.from_cv_results(scores, measure="accuracy", n_train=80, n_test=20)
    >>> posterior = bakeoff.compare(evidence, rng=0).bayes[0]
    >>> round(posterior.p_a_better + posterior.p_equivalent + posterior.p_b_better, 6)
    1.0
    """

    model_a: str
    model_b: str
    p_a_better: float
    p_equivalent: float
    p_b_better: float
    rope: float
    test: str = ""
    notes: tuple[Note, ...] = ()

    def flipped(self) -> BayesPair:
        """The same, with a and b exchanged."""
        return replace(
            self,
            model_a=self.model_b,
            model_b=self.model_a,
            p_a_better=self.p_b_better,
            p_b_better=self.p_a_better,
        )


@dataclass(frozen=True, kw_only=True)
class Finding:
    """What a test says about one pair, before allowing for the other pairs.

    Attributes
    ----------
    limits
        Interval of the difference at any level; the test against a margin inverts it.
    effect_size, effect
        Size of the effect with the sign of a − b, and which effect size it is.
    method
        The test, and the interval where it is another's.
    signed
        Whether the statistic changes its sign when a and b change places.
    simultaneous, joint
        The p-value that allows for all pairs by construction, and the limits that do, for procedures that have them.
    direction
        Sign of the difference the test saw, where it may differ from that of the estimate (rank tests).
    smallest_pvalue
        Least p-value the procedure can give.
    posterior
        For a Bayesian test: what decides instead of a p-value.
    """

    pair: Pair
    estimate: float
    statistic: float
    pvalue: float
    limits: Limits
    effect_size: float
    effect: str
    method: str
    signed: bool = True
    simultaneous: float | None = None
    joint: tuple[float, float] | None = None
    direction: float | None = None
    smallest_pvalue: float = 0.0
    posterior: BayesPair | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, repr=False, kw_only=True)
class Omnibus(Result):
    """The test of all models together.

    Attributes
    ----------
    test
        Its name in the catalogue; `title` is its name in a sentence, in the reader's language.
    statistic, df, pvalue
        The answer; `df` has one or two numbers.
    statistic_name
        ``"chi2"`` or ``"F"``.
    details
        Further numbers of the test (Iman–Davenport's F with Friedman's χ², epsilon and corrected p-values …).

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 20 + [1] * 5, "c": [0] * 30 + [1] * 70}
    >>> omnibus = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).omnibus
    >>> omnibus.test, round(omnibus.statistic, 3)
    ('cochran-q', 10.909)
    """

    test: str = ""
    statistic: float
    df: tuple[float, ...]
    pvalue: float
    statistic_name: str = "chi2"
    details: dict[str, Any] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    _label: Text | str = ""

    @property
    def title(self) -> str:
        """The test as named in a sentence."""
        return str(self._label)

    def named(self, test: str, label: Text) -> Omnibus:
        """The same as the answer of a test of the catalogue."""
        return replace(self, test=test, _label=label)

    def _columns(self) -> dict[str, Sequence[Any]]:
        df = ", ".join(f"{d:g}" for d in self.df)
        row = {"test": self.test, "statistic": self.statistic, "df": df, "pvalue": self.pvalue}
        return {name: [value] for name, value in row.items()}


@dataclass(frozen=True, repr=False)
class Check(Result):
    """One assumption, looked at.

    Attributes
    ----------
    code
        Stable identifier: ``"normality"``, ``"sphericity"``, ``"outliers"`` …
    subject
        What was checked: a pair of models, a fold, all models.
    passed
        Whether there is no evidence against the assumption; None when it cannot be evaluated.
    text, message
        What was seen: the sentence, which follows the reader's language, and the same in English.
    statistic, pvalue
        Of the check, where it has them (NaN where not).

    Examples
    --------
    >>> import bakeoff
    >>> scores = {"a": [0.81, 0.84, 0.79, 0.86, 0.83], "b": [0.80, 0.81, 0.80, 0.82, 0.80]}
    >>> evidence = bakeoff.Scores.from_cv_results(scores, measure="accuracy", n_train=80, n_test=20)
    >>> [check.code for check in bakeoff.compare(evidence, rng=0).checks]
    ['normality', 'outliers']
    """

    code: str
    subject: str
    passed: bool | None
    text: Text
    statistic: float = float("nan")
    pvalue: float = float("nan")

    @property
    def message(self) -> str:
        """What was seen, in English."""
        return self.text.english

    def _plain(self) -> dict[str, Any]:
        """What is written of it to JSON."""
        names = ("code", "subject", "passed", "message", "statistic", "pvalue")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Outcome:
    """What a test hands back.

    Attributes
    ----------
    findings
        One per pair of the job; none where another test or a post hoc compares the pairs.
    values
        The measure of each model, ``[k]``.
    ranks
        Mean rank of each model, ``[k]``, 1 is best.
    bayes
        Posterior of each pair, from a Bayesian test.
    """

    findings: tuple[Finding, ...]
    values: FloatArray
    omnibus: Omnibus | None = None
    ranks: FloatArray | None = None
    bayes: tuple[BayesPair, ...] = ()
    checks: tuple[Check, ...] = ()
    critical_difference: float | None = None
    notes: tuple[Note, ...] = ()
