"""The decision card: one sentence, a light, one picture and a few numbers, all read from the same results."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff._core.language import numeral, places_apart, translate
from bakeoff._core.text import amount, decimals, fixed, interval, rough, signed
from bakeoff.comparison import Comparison, catalogue
from bakeoff.decision import Decision, OperatingContext
from bakeoff.figures import ExplorerData, LeadFigure, explorer_data, forest_figure, items_figure, words_of
from bakeoff.intervals import Evaluation
from bakeoff.measures import label_of
from bakeoff.report._blocks import Card, Figure
from bakeoff.report._material import Material, begin

_MOST_ITEM_ROWS = 5  # models in the picture of items
_LEANING = 0.2  # adjusted p-values up to this let the light lean
_POWER = (1.959964 + 0.841621) ** 2  # of a two-sided test at 5 % that finds a difference four times in five


def card_of(material: Material) -> Card:
    """The card of whatever there is: a decision, a comparison, or one model."""
    source = material.predictions or material.comparison or material.evaluation
    card = replace(_card_of(material), names=() if source is None else tuple(source.models))
    if material.context is None or material.decision is not None:
        return card
    unused = translate("The costs given were not used: the warnings below say why.")
    return replace(card, asides=(*card.asides, unused))


def _card_of(material: Material) -> Card:
    explorer = _explorer(material)
    if material.decision is not None:
        return _of_decision(material.decision, material, explorer)
    if material.comparison is not None:
        return _of_comparison(material.comparison, material, explorer)
    if material.evaluation is not None:
        return _of_one_model(material.evaluation, material.compared, explorer)
    return Card("", translate("There is nothing to compare."), {})


def leader_of(comparison: Comparison) -> str:
    """Who leads by the order of the test: mean ranks where it compares ranks, else the measure."""
    test = catalogue().get(comparison.choice.chosen)
    if comparison.ranks is not None and test is not None and test.orders_by == "ranks":
        return next(iter(comparison.ranks))
    return comparison.best


def _explorer(material: Material) -> Figure | None:
    if material.predictions is None or material.roc is None:
        return None
    decision = material.decision
    known = decision is not None and isinstance(decision.context, OperatingContext)
    context = decision.context if known and decision is not None else material.context
    if not isinstance(context, OperatingContext):
        context = None
    begin("explorer")
    data = explorer_data(material.predictions, context=context, decision=decision if known else None, rng=material.rng)
    return Figure(data, wide=True)


def light_of(pvalues: Sequence[float], level: float) -> str:
    """Settled when every rival is told apart at the level, leaning when each would be at 80 %, else open."""
    worst = max((p if np.isfinite(p) else 1.0 for p in pvalues), default=0.0)
    return "settled" if worst <= 1 - level else "leaning" if worst <= _LEANING else "open"


# -- costs -----------------------------------------------------------------------------------------------------------


def _of_decision(decision: Decision, material: Material, explorer: Figure | None) -> Card:
    words = words_of("explorer")
    light = light_of([a.pvalue for a in decision.alternatives], decision.expected_cost.confidence_level)
    cost = decision.expected_cost
    digits = decimals(cost.low, cost.high, fallback=2)
    verb = words[{"settled": "useIt", "leaning": "preferIt", "open": "openYet"}[light]]
    if decision.choice.trivial:
        verb = words["deployNone"]
    values = {
        "context": _context(decision.context, explorer, words),
        "rule": _rule(decision, material, words),
        "cost": fixed(cost.estimate, digits),
    }
    headline = _filled(verb, values).lstrip(": ")
    answer = {
        "model": decision.model, "threshold": decision.threshold, "cost": cost.estimate, "low": cost.low,
        "high": cost.high, "p_best": decision.p_best,
        "runner_up": None if decision.runner_up is None else decision.runner_up.model,
    }  # fmt: skip
    lead = None if explorer is not None else Figure(_cost_lead(decision, digits), wide=True)
    asides = _ranks_better(decision, material)
    return Card(light, headline[:1].upper() + headline[1:], answer, asides, lead, explorer=explorer)


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Fill in the words of a web module."""
    return re.sub(r"\{(\w+)\}", lambda found: values.get(found[1], found[0]), template)


def _context(context: Any, explorer: Figure | None, words: Mapping[str, str]) -> str:
    """Prevalence, that of the rows where none was given, and costs, in the words of the page."""
    shown = None if explorer is None else explorer.data
    if not isinstance(context, OperatingContext) or not isinstance(shown, ExplorerData):
        return translate("At these costs")
    share = shown.prevalence if context.prevalence is None else context.prevalence
    prices = {"fp": amount(context.cost_fp), "fn": amount(context.cost_fn)}
    prevalence = str(numeral(100 * share, ".3g", "\u00a0%"))
    return _filled(words["context"], {"prevalence": prevalence, "positive": shown.called, **prices})


def _rule(decision: Decision, material: Material, words: Mapping[str, str]) -> str:
    if decision.choice.trivial and decision.threshold is not None and material.predictions is not None:
        return words["everyone" if decision.threshold < 0 else "nobody"]
    if decision.threshold is None or decision.choice.trivial:
        return decision.model
    return _filled(words["above"], {"model": decision.model, "threshold": str(numeral(decision.threshold, ".3g"))})


def _ranks_better(decision: Decision, material: Material) -> tuple[str, ...]:
    """Where another model has the better measure, say so at once: the page must not name two winners."""
    comparison = material.comparison
    if comparison is None or decision.choice.trivial or leader_of(comparison) == decision.model:
        return ()
    text = translate("Best {measure}: {model}.", model=leader_of(comparison), measure=label_of(comparison.measure))
    return (text,)


def _cost_lead(decision: Decision, digits: int) -> LeadFigure:
    cost, level = decision.expected_cost, decision.expected_cost.confidence_level
    rows = [_leader_row(decision.model, fixed(cost.estimate, digits), interval(cost.low, cost.high, digits))]
    rows += [
        _row(a.model, a.regret.estimate, a.regret.low, a.regret.high, a.pvalue <= 1 - level, digits)
        for a in decision.alternatives
    ]
    return LeadFigure(decision.model, words_of("explorer")["extraCost"], tuple(rows), confidence_level=level)


def _leader_row(label: str, text: str, small: str) -> dict[str, Any]:
    return {"label": label, "leader": True, "estimate": 0.0, "filled": False, "text": text, "small": small}


def _row(label: str, estimate: float, low: float, high: float, told_apart: bool, digits: int) -> dict[str, Any]:
    known = [float(v) if np.isfinite(v) else None for v in (estimate, low, high)]
    return {
        "label": label, "estimate": known[0], "low": known[1], "high": known[2], "filled": told_apart,
        "text": signed(estimate, digits), "small": _apart(low, high, digits),
    }  # fmt: skip


def _apart(low: float, high: float, digits: int) -> str:
    """The interval of a lead: no limit reads as zero that is not."""
    return interval(low, high, places_apart(digits, low, high, 0.0, most=6))


# -- a comparison ----------------------------------------------------------------------------------------------------


def _of_comparison(comparison: Comparison, material: Material, explorer: Figure | None) -> Card:
    leader = comparison.control or leader_of(comparison)
    pairs = [comparison.pair(leader, m) for m in _order(comparison) if m != leader]
    digits = min((decimals(p.low, p.high) for p in pairs), default=3)
    undecided = [p for p in pairs if p.better != leader]
    light = "settled" if not undecided else light_of([_pvalue(p, leader) for p in pairs], comparison.confidence_level)
    estimate, limits = _value(comparison, material, leader)
    measure = str(label_of(comparison.measure))
    rows, second = [_leader_row(leader, f"{measure} {estimate}", limits)], _second(material, leader)
    sign = 1.0 if comparison.greater_is_better else -1.0
    for p in pairs:
        low, high = sorted((sign * p.low, sign * p.high))
        row = _row(p.model_b, sign * p.estimate, low, high, bool(p.better), digits)
        rows.append(row if len(pairs) < 4 and second is None else row | {"small": ""})
    axis = translate("Lead of {model} in {measure}", model=leader, measure=measure)
    lead = LeadFigure(leader, axis, tuple(rows), comparison.margin, comparison.confidence_level)
    answer = {
        "model": leader, "measure": comparison.measure, "value": comparison.values[leader],
        "not_told_apart": [p.model_b for p in undecided],
    }  # fmt: skip
    return Card(
        light,
        _headline(comparison, leader, pairs, light, digits),
        answer,
        _cautions(comparison),
        Figure(lead, wide=True),
        second,
        tuple(_numbers(comparison, material, leader, pairs, digits)),
        explorer,
    )


def _second(material: Material, leader: str) -> Figure | None:
    """Which items separate the models, where they were right or wrong on each; of many models the best few."""
    if not material.right_or_wrong or material.predictions is None or material.comparison is None:
        return None
    models = [leader, *(m for m in material.comparison.values if m != leader)][:_MOST_ITEM_ROWS]
    return Figure(items_figure(material.predictions, models), wide=True)


def _order(comparison: Comparison) -> list[str]:
    by_ranks = comparison.ranks is not None and leader_of(comparison) == next(iter(comparison.ranks))
    return list(comparison.ranks if by_ranks and comparison.ranks is not None else comparison.values)


def _pvalue(pair: Any, leader: str) -> float:
    """The adjusted p-value of a lead; 0 for one that was shown by other means (a posterior), 1 for the other side."""
    if pair.better:
        return 0.0 if pair.better == leader else 1.0
    return float(pair.pvalue_adjusted)


def _headline(comparison: Comparison, leader: str, pairs: Sequence[Any], light: str, digits: int) -> str:
    """What to do, in one sentence whose verb is that of the light."""
    measure, n = str(label_of(comparison.measure)), len(pairs)
    if comparison.control is not None or any(p.better not in ("", leader) for p in pairs) or n == 0:
        return str(next(text for text in comparison.sentences if text.role == "headline"))
    over = comparison.design.n_datasets if comparison.design.unit == "data sets" else 0
    values: dict[str, Any] = {"model": leader, "measure": measure, "n": n, "sets": over}
    if n == 1:
        return _of_two(comparison, pairs[0], light, digits, values)
    left = sum(p.better != leader for p in pairs)
    rivals = translate("any rival") if left == n else translate("{left} of its {n} rivals", left=left, n=n)
    values |= {"left": left, "ahead": n - left, "rivals": rivals}
    if light == "settled" and over:
        return translate("Use {model}: over {sets} data sets it is ahead of every other in {measure}.", **values)
    if light == "settled":
        return translate("Use {model}: it is ahead of every other in {measure}.", **values)
    if light == "leaning":
        return translate(
            "Prefer {model}: ahead of {ahead} of {n} others in {measure}; {left} not told apart.", **values
        )
    if over:
        return translate(
            "No clear winner over {sets} data sets: {model} is ahead in {measure}, but not told apart from {rivals}.",
            **values,
        )
    return translate("No clear winner: {model} is ahead in {measure}, but not told apart from {rivals}.", **values)


def _of_two(comparison: Comparison, pair: Any, light: str, digits: int, values: dict[str, Any]) -> str:
    sign = 1.0 if comparison.greater_is_better else -1.0
    low, high = sorted((sign * pair.low, sign * pair.high))
    values |= {
        "other": pair.model_b, "lead": fixed(abs(pair.estimate), digits), "most": fixed(high, digits),
        "least": fixed(-low, digits),
    }  # fmt: skip
    if light == "settled":
        return translate("Use {model}: ahead of {other} by {lead} in {measure}.", **values)
    if light == "leaning":
        return translate("Prefer {model}: ahead of {other} by {lead} in {measure}, which is not settled.", **values)
    if not np.isfinite(low) or not np.isfinite(high):
        return translate("No clear winner: {model} and {other} are not told apart in {measure}.", **values)
    return translate(
        "No clear winner: {model} may be ahead of {other} by up to {most} in {measure}, or behind by {least}.", **values
    )


def _cautions(comparison: Comparison) -> tuple[str, ...]:
    return tuple(str(text) for text in comparison.sentences if text.role == "caution")


def _value(comparison: Comparison, material: Material, model: str) -> tuple[str, str]:
    """The measure of a model, and its interval where one was found."""
    evaluation, value = material.evaluation, comparison.values[model]
    if evaluation is not None and len(evaluation.datasets) == 1 and comparison.measure in evaluation.measures:
        found = evaluation[model, comparison.measure]
        digits = decimals(found.low, found.high)
        return fixed(value, digits), interval(found.low, found.high, digits)
    widths = [decimals(p.low, p.high) for p in comparison.pairs]
    return fixed(value, min(widths, default=3)), ""


def _numbers(
    comparison: Comparison, material: Material, leader: str, pairs: Sequence[Any], digits: int
) -> list[tuple[str, str, str]]:
    """Three or four numbers: (number, its interval, what it is)."""
    measure, sign = str(label_of(comparison.measure)), 1.0 if comparison.greater_is_better else -1.0
    found = [(*_value(comparison, material, leader), translate("{measure} of {model}", measure=measure, model=leader))]
    if not pairs:
        return found
    closest = min(pairs, key=lambda p: sign * p.estimate if np.isfinite(p.estimate) else np.inf)
    low, high = sorted((sign * closest.low, sign * closest.high))
    if len(pairs) == 1:
        label = translate("{measure} of {model}", measure=measure, model=closest.model_b)
        found.append((*_value(comparison, material, closest.model_b), label))
    else:
        label = translate("lead over the closest, {model}", model=closest.model_b)
        found.append((signed(sign * closest.estimate, digits), _apart(low, high, digits), label))
        group = 1 + sum(p.better != leader for p in pairs)
        of = translate("{n} of {of}", n=group, of=len(pairs) + 1)
        found.append((of, "", translate("models in the leading group")))
    if comparison.ranks is not None and comparison.design.unit == "data sets":
        found.append(
            (str(numeral(comparison.ranks[leader], ".2f")), "", translate("mean rank of {model}", model=leader))
        )
    return [*found, *_rows_needed(comparison, closest)]


def _more_of(unit: str, n: str) -> str:
    if unit == "data sets":
        return translate("about {n} more data sets", n=n)
    return translate("about {n} more items", n=n) if unit == "items" else translate("about {n} more rows", n=n)


def _rows_needed(comparison: Comparison, pair: Any) -> list[tuple[str, str, str]]:
    """How much more evidence would settle a lead of this size: standard errors shrink with the root of n."""
    design, spread = comparison.design, (pair.high - pair.low) / (2 * 1.959964)
    n = design.n_datasets if design.unit == "data sets" else design.n_rows
    open_yet = len(comparison.pairs) == 1 and not pair.better and design.unit != "folds"
    if not (open_yet and n and pair.estimate and np.isfinite(spread)):
        return []
    more = n * (_POWER * (spread / pair.estimate) ** 2 - 1)
    if not 0 < more < 1e9:
        return []
    return [(_more_of(design.unit, rough(more)), "", translate("to settle a lead of this size, 4 times in 5"))]


# -- one model -------------------------------------------------------------------------------------------------------


def _of_one_model(evaluation: Evaluation, measure: str, explorer: Figure | None) -> Card:
    real = [m for m in evaluation.models if m not in evaluation.baselines]
    dataset = evaluation.datasets[0]
    if not real:
        return Card("", translate("There is nothing to compare."), {})
    found = evaluation[dataset, real[0], measure]
    digits = decimals(found.low, found.high)
    headline = translate(
        "{model} has {measure} {estimate}; there is no other model to compare it with.",
        model=real[0], measure=label_of(measure), estimate=fixed(found.estimate, digits),
    )  # fmt: skip
    numbers = []
    for name in sorted(evaluation.measures, key=lambda name: name != measure)[:4]:
        cell = evaluation[dataset, real[0], name]
        places = decimals(cell.low, cell.high)
        numbers.append((fixed(cell.estimate, places), interval(cell.low, cell.high, places), str(label_of(name))))
    picture = Figure(forest_figure(evaluation, measure)) if len(evaluation.datasets) == 1 else None
    answer = {"model": real[0], "measure": measure, "value": found.estimate}
    return Card("", headline, answer, (), picture, None, tuple(numbers), explorer)
