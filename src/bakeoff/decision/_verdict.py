"""The decision in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff._core.language import Text

if TYPE_CHECKING:
    from bakeoff.decision._decision import Decision

SURE = 0.95


def amount(cost: float) -> str:
    """Write a cost for a person: four digits, thousands apart."""
    return f"{cost:,.0f}" if abs(cost) >= 10_000 else f"{cost:.4g}"


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
        threshold=f"{decision.threshold:.4g}",
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
    sure = _settled(decision) if decision.p_best >= SURE else _doubt(decision)
    if not decision.worth_deploying and not other.trivial:
        return [sure]  # the second is the best model, whose cost stands in the sentence before
    gap = amount(other.regret.estimate)
    return [Text("The second best, {model}, costs {gap} more.", model=other.model, gap=gap).as_role("lead"), sure]


def _settled(decision: Decision) -> Text:
    share = f"{100 * decision.p_best:.0f}"
    return Text("In {share} % of the resamples this choice is the cheapest.", share=share).as_role("lead")


def _doubt(decision: Decision) -> Text:
    rival = max(decision.alternatives, key=lambda a: a.p_best)
    text = Text(
        "The data do not settle it: the choice is the cheapest in {share} % of the resamples, {model} in {other} %.",
        share=f"{100 * decision.p_best:.0f}",
        model=rival.model,
        other=f"{100 * rival.p_best:.0f}",
    )
    return text.as_role("caution")


def _where(decision: Decision) -> list[Text]:
    held = decision.holds_for
    if held is None:
        return []
    low, high = (f"{100 * p:.3g}" for p in held.prevalence)
    if low == high:  # the curves on all rows name another model here, as a note tells: there is no range
        return []
    text = Text(
        "At these costs the choice stays the same for prevalences from {low} % to {high} %.", low=low, high=high
    )
    return [text.as_role("scope")]
