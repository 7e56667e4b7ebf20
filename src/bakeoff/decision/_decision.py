"""The answer of `decide`: a model, a threshold, what it costs, how sure that is, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.language import Text, joined, numeral, translate
from bakeoff._core.result import Interval, Note, Result, attribute_columns, late
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.decision._context import OperatingContext, amount
from bakeoff.decision._multiclass import MulticlassContext
from bakeoff.decision._uncertain import UncertainContext
from bakeoff.intervals import Slices

_SURE = 0.95  # share of resamples above which the verdict takes the choice as settled


@dataclass(frozen=True, repr=False)
class Alternative(Result):
    """One of the things one could do: a model at its best threshold, or a trivial rule.

    Attributes
    ----------
    model, threshold
        ``score >= threshold`` is called positive; None for a model that answers labels; ±inf for trivial rules.
    expected_cost
        Per case, with its interval: by the rule that chose, each threshold evaluated on rows that did not choose it.
    regret
        What it costs more than the choice, per case, with its interval (0 for the choice itself).
    p_best
        Share of the resamples in which the whole choice falls on it.
    trivial
        Whether it is a trivial rule.
    fpr, tpr
        The rates behind the cost; NaN with several classes.
    context_share
        Share of the possible contexts in which it is the cheapest; NaN when the context is known exactly.
    pvalue
        Of costing more than the choice, adjusted for the number of rivals (Holm); NaN for the choice itself.
    """

    model: str
    threshold: float | None
    expected_cost: Interval
    regret: Interval
    p_best: float
    trivial: bool = False
    fpr: float = float("nan")
    tpr: float = float("nan")
    context_share: float = float("nan")
    pvalue: float = float("nan")
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class HoldsFor:
    """The contexts around the one asked about in which `decide` makes the same choice, by the rule that made it.

    Attributes
    ----------
    pc
        Interval of PC(+).
    prevalence
        The same as prevalences at the costs given.
    cost_ratio
        The same as ratios cost_fn / cost_fp at the prevalence given (costs above those of right answers).
    threshold_pc, threshold_prevalence
        PC(+) and prevalences for which the threshold stays the same too.
    """

    pc: tuple[float, float]
    prevalence: tuple[float, float]
    cost_ratio: tuple[float, float]
    threshold_pc: tuple[float, float]
    threshold_prevalence: tuple[float, float]


@dataclass(frozen=True, repr=False)
class Decision(Result):
    """What to do in a context, what it costs, and how far the answer can be trusted.

    Attributes
    ----------
    model, threshold
        The choice: a model at a threshold (``score >= threshold`` is called positive; None for a model that answers
        labels), or a trivial rule ``always <class>`` (threshold ±inf).
    expected_cost
        Per case in the currency of the costs: model and threshold are chosen again on resamples of the units by the
        same rule, and paid for by the units that were not drawn. What a trivial rule costs needs no such draw; for a
        model that answers labels the estimate is its mean cost, and only the interval allows for the choice.
    alternatives
        The others, cheapest first, each with cost, regret and share of the resamples.
    holds_for
        The contexts for which the same model stays the choice; None with several classes.
    p_best
        Share of the resamples in which the whole choice is this model. It is no probability of being the best one.
    not_worse
        The choice, and whatever is not shown to cost more (Holm's procedure on paired differences of cost).
    context
        The context, with the prevalence used.
    choice
        The choice as an `Alternative`.
    apparent_cost, optimism
        Cost on the rows that chose the threshold, and by how much it is too low, as rows that did not choose show.
    cross_fitted
        Whether a threshold was chosen, and so evaluated on rows that did not choose it.
    calibrated_threshold, calibrated_cost
        Elkan's threshold for calibrated probabilities, moved to the prevalence of these rows, and what it costs; None
        when the scores are no probabilities.
    slices
        The decision by slice, where ``by=`` was asked for; else None.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [9, 8, 7, 6, 5, 4] * 20, [6, 9, 4, 2, 5, 1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> context = bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=10)
    >>> decision = bakeoff.decide(p, context, rng=0)
    >>> decision.model, decision.threshold, round(decision.expected_cost.estimate, 3)
    ('a', 6.0, 0.273)
    """

    model: str
    threshold: float | None
    expected_cost: Interval
    alternatives: tuple[Alternative, ...]
    holds_for: HoldsFor | None
    p_best: float
    context: OperatingContext | UncertainContext | MulticlassContext
    choice: Alternative
    apparent_cost: float
    cross_fitted: bool
    not_worse: tuple[str, ...] = ()
    optimism: float = 0.0
    calibrated_threshold: float | None = None
    calibrated_cost: float | None = None
    dataset: str = "data"
    notes: tuple[Note, ...] = ()
    slices: Slices | None = None

    @property
    def worth_deploying(self) -> bool:
        """Whether a model beats the trivial rules."""
        return not self.choice.trivial

    @property
    def runner_up(self) -> Alternative | None:
        """The second best, or None."""
        return self.alternatives[0] if self.alternatives else None

    @property
    def regret(self) -> Interval | None:
        """What the second best costs more, per case."""
        return None if self.runner_up is None else self.runner_up.regret

    @property
    def sentences(self) -> tuple[Text, ...]:
        """The answer in sentences, each with its role: the headline first, then leads, cautions and scope."""
        return (*_what_to_do(self), *_how_sure(self), *_where(self))

    @property
    def verdict(self) -> str:
        """The answer in plain sentences, in the language of the reader."""
        return " ".join(map(str, self.sentences))

    @property
    def _every(self) -> tuple[Alternative, ...]:
        return (self.choice, *self.alternatives)

    def _columns(self) -> dict[str, Sequence[Any]]:
        cost = {"expected_cost": "expected_cost.estimate", "low": "expected_cost.low", "high": "expected_cost.high"}
        regret = {"regret": "regret.estimate", "regret_low": "regret.low", "regret_high": "regret.high"}
        found = attribute_columns(self._every, "model", "threshold", **cost, **regret)
        return found | attribute_columns(self._every, "p_best", "fpr", "tpr")

    def _view(self) -> View:
        every = self._every
        costs = [estimate_cell(*(getattr(a.expected_cost, k) for k in ("estimate", "low", "high"))) for a in every]
        columns: dict[str, Sequence[Any]] = {
            "model": [a.model for a in every],
            "threshold": [None if a.trivial or a.threshold is None else a.threshold for a in every],
            translate("cost per case"): costs,
            translate("more than the choice"): [a.regret.estimate for a in every],
            translate("share of resamples"): [numeral(100 * a.p_best, ".1f", "\N{NO-BREAK SPACE}%") for a in every],
        }
        level = Text("{level} % confidence intervals", level=numeral(100 * self.expected_cost.confidence_level))
        paid = Text(
            "The table: each rule on rows that did not choose its threshold; the first sentence also pays for choosing."
        )
        return View(self.sentences, (Table(columns),), (level, paid) if self.cross_fitted else (level,), self.notes)

    def _headline(self) -> str:
        cost = self.expected_cost.estimate
        return f"model={self.model!r}, threshold={self.threshold}, expected_cost={cost:.4g}, p_best={self.p_best:.3f}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values, with the verdict."""
        verdict = " ".join(text.english for text in self.sentences)
        return {**super().to_dict(), "worth_deploying": self.worth_deploying, "verdict": verdict}

    def report(self, **options: Any) -> Any:
        """Make the HTML report of this decision."""
        return late("bakeoff.report", "report")(self, **options)


# -- the verdict: what to do and what it costs, how sure that is, and where it stops being true ------------------------


def _what_to_do(decision: Decision) -> list[Text]:
    cost = decision.expected_cost
    values: dict[str, Any] = {
        "model": decision.model,
        "cost": amount(cost.estimate),
        "low": amount(cost.low),
        "high": amount(cost.high),
    }
    if not decision.worth_deploying:
        return _nothing_to_deploy(decision)
    text = Text("Use {model}: it costs {cost} per case ({low} to {high}).", **values)
    if decision.threshold is not None:
        values["threshold"] = numeral(decision.threshold, ".4g")
        text = Text("Use {model} with the threshold {threshold}: it costs {cost} per case ({low} to {high}).", **values)
    return [text.as_role("headline")]


def _nothing_to_deploy(decision: Decision) -> list[Text]:
    cost = amount(decision.expected_cost.estimate)
    text = Text("No model is worth deploying: '{model}' costs {cost} per case.", model=decision.model, cost=cost)
    found = [text.as_role("headline")]
    best = next((a for a in decision.alternatives if not a.trivial), None)
    if best is not None:
        cost = amount(best.expected_cost.estimate)
        found.append(Text("The best model, {model}, costs {cost}.", model=best.model, cost=cost).as_role("lead"))
    return found


def _how_sure(decision: Decision) -> list[Text]:
    other = decision.runner_up
    if other is None:
        return []
    tied = _tied(decision)
    sure = _settled(decision) if decision.p_best >= _SURE else _doubt(decision)
    if tied:
        return [*tied, *([sure] if len(decision.alternatives) >= 2 else [])]
    if not decision.worth_deploying and not other.trivial:
        return [sure]  # the second is the best model, whose cost stands in the sentence before
    gap = amount(other.regret.estimate)
    return [Text("The second best, {model}, costs {gap} more.", model=other.model, gap=gap).as_role("lead"), sure]


def _tied(decision: Decision) -> list[Text]:
    """Tell which others cost the same on every resample: they are the same choice under other names."""
    same = [a.model for a in decision.alternatives if a.regret.low == a.regret.high == 0]
    if not same:
        return []
    text = Text("{models} cost the same on every resample: they are tied.", models=_listed((decision.model, *same)))
    return [text.as_role("lead")]


def _listed(names: Sequence[str], most: int = 6) -> Text:
    """'a', 'a and b', 'a, b and c', 'a, b, … and 12 more'."""
    if len(names) > most:
        return Text("{names} and {n} more", names=joined(names[: most - 1], ", "), n=len(names) - most + 1)
    if len(names) < 2:
        return joined(names)
    return Text("{names} and {last}", names=joined(names[:-1], ", "), last=names[-1])


def _settled(decision: Decision) -> Text:
    share = numeral(100 * decision.p_best, ".0f")
    return Text("In {share} % of the resamples this is the choice.", share=share).as_role("lead")


def _doubt(decision: Decision) -> Text:
    share = numeral(100 * decision.p_best, ".0f")
    others = [name for name in decision.not_worse if name != decision.model]
    if others:
        text = Text(
            "The data do not settle it: in {share} % of the resamples this is the choice. Not shown to cost more: "
            "{models}.",
            share=share,
            models=_listed(others),
        )
        return text.as_role("caution")
    rival = max(decision.alternatives, key=lambda a: a.p_best)
    text = Text(
        "The data do not settle it: in {share} % of the resamples this is the choice, in {other} % it is {model}.",
        share=share,
        model=rival.model,
        other=numeral(100 * rival.p_best, ".0f"),
    )
    return text.as_role("caution")


def _where(decision: Decision) -> list[Text]:
    held = decision.holds_for
    if held is None:
        return []
    low, high = (numeral(100 * p, ".3g") for p in held.threshold_prevalence)
    wide_low, wide_high = (numeral(100 * p, ".3g") for p in held.prevalence)
    if wide_low == wide_high:  # the choice changes right here: there is no range
        return []
    if (low, high) == (wide_low, wide_high) or decision.threshold is None:
        text = Text(
            "At these costs the choice stays the same for prevalences from {low} % to {high} %.",
            low=wide_low,
            high=wide_high,
        )
    else:
        text = Text(
            "At these costs model and threshold stay the same for prevalences from {low} % to {high} %, the model from "
            "{wide_low} % to {wide_high} %.",
            low=low,
            high=high,
            wide_low=wide_low,
            wide_high=wide_high,
        )
    return [text.as_role("scope")]
