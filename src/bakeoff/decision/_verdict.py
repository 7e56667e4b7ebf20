"""The decision in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bakeoff._core.language import tr

if TYPE_CHECKING:
    from bakeoff.decision._decision import Alternative, Decision

SURE = 0.95


def amount(cost: float) -> str:
    """Write a cost for a person: four digits, thousands apart."""
    return f"{cost:,.0f}" if abs(cost) >= 10_000 else f"{cost:.4g}"


def verdict(decision: Decision) -> str:
    """Say what to do, what it costs, how sure that is, and where it stops being true."""
    said = [_what_to_do(decision), *_how_sure(decision), *_where(decision)]
    return " ".join(said)


def _what_to_do(decision: Decision) -> str:
    cost = decision.expected_cost
    values = {
        "model": decision.model,
        "cost": amount(cost.estimate),
        "low": amount(cost.low),
        "high": amount(cost.high),
    }
    if not decision.worth_deploying:
        best = next((a for a in decision.alternatives if not a.trivial), None)
        said = tr("No model is worth deploying: '{model}' costs {cost} per case.", **values)
        if best is None:
            return said
        other = tr("The best model, {model}, costs {cost}.", model=best.model, cost=amount(best.expected_cost.estimate))
        return f"{said} {other}"
    if decision.threshold is None:
        return tr("Use {model}: it costs {cost} per case ({low} to {high}).", **values)
    return tr(
        "Use {model} with the threshold {threshold}: it costs {cost} per case ({low} to {high}).",
        threshold=f"{decision.threshold:.4g}",
        **values,
    )


def _how_sure(decision: Decision) -> list[str]:
    other = decision.runner_up
    if other is None:
        return []
    gap = amount(other.regret.estimate)
    said = [tr("The second best, {model}, costs {gap} more.", model=other.model, gap=gap)]
    if not decision.worth_deploying and not other.trivial:
        said = []  # it is the best model, whose cost has been told
    share = f"{100 * decision.p_best:.0f}"
    if decision.p_best >= SURE:
        said.append(tr("In {share} % of the resamples this choice is the cheapest.", share=share))
    else:
        said.append(_doubt(decision, other, share))
    return said


def _doubt(decision: Decision, other: Alternative, share: str) -> str:
    rival = max(decision.alternatives, key=lambda a: a.p_best)
    return tr(
        "The data do not settle it: the choice is the cheapest in {share} % of the resamples, {model} in {other} %.",
        share=share,
        model=rival.model,
        other=f"{100 * rival.p_best:.0f}",
    )


def _where(decision: Decision) -> list[str]:
    held = decision.holds_for
    if held is None:
        return []
    low, high = (f"{100 * p:.3g}" for p in held.prevalence)
    if low == high:  # the curves on all rows name another model here, as a note says: there is no range to speak of
        return []
    return [
        tr("At these costs the choice stays the same for prevalences from {low} % to {high} %.", low=low, high=high)
    ]
