"""What a decision tells: its verdict in plain sentences, and notes on its weak points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from bakeoff._core.language import Text, joined, numeral
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._rules import BinaryRows

if TYPE_CHECKING:
    from bakeoff.decision._decision import Decision
    from bakeoff.decision._uncertain import UncertainContext

SURE = 0.95  # share of resamples above which the verdict takes the choice as settled
FEW = 30  # cases of a class below which its error rate is poorly known
SHIFT = 0.05  # relative difference of prevalences that is worth a note


# -- verdict ----------------------------------------------------------------------------------------------------------


def amount(cost: float) -> Text:
    """A cost for a person: four digits, thousands apart."""
    return numeral(cost, ",.0f" if abs(cost) >= 10_000 else ".4g")


def sentences(decision: Decision) -> tuple[Text, ...]:
    """What to do and what it costs, how sure that is, and where it stops being true."""
    return (*_what_to_do(decision), *_how_sure(decision), *_where(decision))


def _what_to_do(decision: Decision) -> list[Text]:
    cost = decision.expected_cost
    values = {
        "model": decision.model,
        "cost": amount(cost.estimate),
        "low": amount(cost.low),
        "high": amount(cost.high),
    }
    if not decision.worth_deploying:
        return _nothing_to_deploy(decision)
    if decision.threshold is None:
        return [Text("Use {model}: it costs {cost} per case ({low} to {high}).", **values).as_role("headline")]
    text = Text(
        "Use {model} with the threshold {threshold}: it costs {cost} per case ({low} to {high}).",
        threshold=numeral(decision.threshold, ".4g"),
        **values,
    )
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
    sure = _settled(decision) if decision.p_best >= SURE else _doubt(decision)
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


# -- notes ------------------------------------------------------------------------------------------------------------


def out_of_bag(apparent: float, paid: float, n_resamples: int) -> Note:
    """Tell what the choice looks like on the rows that made it, and what it costs on others."""
    text = Text(
        "on the rows that chose model and threshold the cost is {apparent} per case; chosen again on {n} resamples and "
        "paid for by rows that did not choose, it is {paid}.",
        apparent=amount(apparent),
        n=n_resamples,
        paid=amount(paid),
    )
    return Note("choice-out-of-bag", text)


def trivial_may_be_better(rule: str) -> Note:
    """Warn that the model beats a trivial rule only on the rows that chose its threshold."""
    text = Text(
        "on rows that did not choose, the choice costs more than {rule!r}: it may not be worth deploying. More rows "
        "would tell.",
        rule=rule,
    )
    return warning_note("trivial-may-be-better", text)


def hull_disagrees(model: str) -> Note:
    """Tell that another model looks cheaper on the rows that chose its threshold."""
    text = Text(
        "on the rows that chose the thresholds {model!r} looks cheaper; evaluated on other rows it is not.", model=model
    )
    return Note("hull-disagrees", text)


def calibration_notes(model: str, elkan: tuple[float, float], excess: FloatArray, level: float) -> list[Note]:
    """Tell when the threshold that is right for calibrated probabilities costs reliably more than the one found.

    `elkan` is that threshold and its cost; `excess` the resampled difference of the two costs.
    """
    if np.quantile(excess, (1 - level) / 2) <= 0:
        return []
    threshold, cost = elkan
    text = Text(
        "the probabilities of {model!r} are not calibrated for this: the threshold {threshold:.3g}, right for "
        "calibrated ones, costs {cost} per case. Use the threshold found, or calibrate the model.",
        model=model,
        threshold=threshold,
        cost=amount(cost),
    )
    return [Note("not-calibrated", text)]


def prevalence_notes(rows: BinaryRows, given: OperatingContext | UncertainContext) -> list[Note]:
    """Tell where the prevalence comes from, or that it differs from that of the rows."""
    if given.prevalence is None:
        text = Text(
            "the prevalence is that of the rows, {prevalence:.4g}; give one if the model will meet another.",
            prevalence=rows.prevalence,
        )
        return [Note("prevalence-from-data", text)]
    stated = (given if isinstance(given, OperatingContext) else given.mean()).prevalence
    if stated is None or abs(stated - rows.prevalence) <= SHIFT * max(stated, rows.prevalence):
        return []
    text = Text(
        "the rows have {observed:.3g} % positives, the context {stated:.3g} %: the error rates of each class are "
        "taken over, which holds if only the mix of the classes changes.",
        observed=100 * rows.prevalence,
        stated=100 * stated,
    )
    return [Note("prevalence-shift", text)]


def size_notes(rows: BinaryRows) -> list[Note]:
    """Warn when one class has so few cases that its error rate is hardly known."""
    n_positive, n_negative = rows.cases
    if min(rows.cases) >= FEW:
        return []
    text = Text(
        "there are only {fewest:g} {kind}: the error rate of that class, and so the cost, is poorly known.",
        fewest=min(rows.cases),
        kind="positives" if n_positive <= n_negative else "negatives",
    )
    return [warning_note("few-rows-of-a-class", text)]
