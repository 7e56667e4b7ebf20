"""The tables of a paper: measures, scores by data set with mean ranks, differences from the leader, costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff._core.language import adjustment_word, listed, numeral, percent, render, translate
from bakeoff._core.text import decimals, fixed, format_pvalue, shorten, signed
from bakeoff.comparison import POSTHOCS, Comparison, catalogue
from bakeoff.decision import Decision
from bakeoff.intervals import Evaluation
from bakeoff.measures import find, label_of
from bakeoff.report._card import leader_of
from bakeoff.report._latex import Cell, PaperTable
from bakeoff.report._material import Material

_SYMBOLS = {"chi2": "χ²"}
_LONGEST = 30  # letters of a name in a table


def tables_of(material: Material) -> Iterator[PaperTable]:
    """Every table the material can fill, in the order of a paper."""
    if material.scores is not None and len(material.scores.wide()) > 1 and len(_wide(material)[0]) > 1:
        yield _scores(material)
    if material.evaluation is not None and len(material.evaluation.datasets) == 1:
        yield _measures(material.evaluation, material.compared)
    if material.comparison is not None:
        yield _differences(material.comparison)
    if material.decision is not None:
        yield _costs(material.decision)


def name_of(model: str) -> str:
    """A name of bearable length."""
    return shorten(" ".join(str(model).split()), _LONGEST)


def limits(low: float, high: float, digits: int) -> str:
    """'[0.79, 0.84]'; with decimal commas the limits stand apart by a semicolon."""
    if not (np.isfinite(low) and np.isfinite(high)):
        return ""
    ends = fixed(low, digits), fixed(high, digits)
    return f"[{('; ' if any(',' in end for end in ends) else ', ').join(ends)}]"


# -- scores by data set ----------------------------------------------------------------------------------------------


def _wide(material: Material) -> tuple[list[str], list[str], Any]:
    """Data sets, models, and a score for each: means over folds."""
    assert material.scores is not None
    table = material.scores.wide()
    columns = {str(name): np.asarray(table[name]) for name in table.columns}
    models = [m for m in material.scores.models if m in columns]
    names = next((list(map(str, columns[c])) for c in columns if c not in models), None)
    values = np.column_stack([columns[m].astype(float) for m in models])
    return names or [str(i + 1) for i in range(len(values))], models, values


def _scores(material: Material) -> PaperTable:
    comparison, (sets, models, values) = material.comparison, _wide(material)
    measure = comparison.measure if comparison is not None else "score"
    greater = comparison.greater_is_better if comparison is not None else True
    digits = 3 if np.nanmax(np.abs(values)) < 10 else 2 if np.nanmax(np.abs(values)) < 1000 else 0
    if comparison is not None and comparison.ranks is not None:
        order = [models.index(m) for m in comparison.ranks if m in models]
        models, values = [models[j] for j in order], values[:, order]
    rows = [(Cell(name_of(s)), *_row(line, greater, digits)) for s, line in zip(sets, values, strict=True)]
    order_note: list[str] = []
    last = [(Cell(translate("mean")), *_row(np.nanmean(values, axis=0), greater, digits))]
    if comparison is not None and comparison.ranks is not None:
        ranks = np.array([comparison.ranks[m] for m in models])
        last.append((Cell(translate("mean rank")), *_row(ranks, False, 2)))
        order_note = [translate("The models stand in the order of their mean ranks.")]
    caption = translate(
        "{measure} of {k} models on {n} data sets.", measure=_upper(label_of(measure)), k=len(models), n=len(sets)
    )
    notes = [translate("Bold: the best of each row."), _direction(greater), *order_note]
    if comparison is not None:
        notes += _omnibus(comparison)
    head = (translate("data set"), *map(name_of, models))
    narrow = max(len(name_of(m)) for m in models) <= digits + 4 or len(models) <= 4
    return PaperTable("scores", caption, head, (*rows, *last), " ".join(notes), len(last), upright=narrow)


def _row(values: Any, greater: bool, digits: int) -> list[Cell]:
    """Numbers of a row, the best bold; what looks the same at these digits is bold together."""
    known = values[np.isfinite(values)]
    best = fixed(float(known.max() if greater else known.min()), digits) if known.size else ""
    return [Cell(text, bold=text == best) for text in (fixed(float(v), digits) for v in values)]


def _direction(greater: bool) -> str:
    return translate("More is better.") if greater else translate("Less is better.")


def _upper(text: Any) -> str:
    word = str(text)
    return word[:1].upper() + word[1:]


# -- measures of one data set ----------------------------------------------------------------------------------------


def _measures(evaluation: Evaluation, first: str) -> PaperTable:
    here = {(e.model, e.measure): e.interval for e in evaluation.entries}
    measures = sorted(evaluation.measures, key=lambda m: m != first)
    models = _ordered(evaluation, here, measures[0])
    columns = [_column(evaluation, here, models, m) for m in measures]
    names = [Cell(name_of(m), italic=m in evaluation.baselines) for m in models]
    rows = tuple((name, *(column[i] for column in columns)) for i, name in enumerate(names))
    level = percent(evaluation.confidence_level)
    caption = translate("Measures of each model with {level} % intervals.", level=level)
    notes = [translate("Bold: the best model. Arrows: whether more or less is better.")]
    if evaluation.baselines:
        notes.append(translate("In italics: trivial rules, to be beaten."))
    heads = (f"{_upper(label_of(m))}{_arrow(m)}" for m in measures)
    return PaperTable("measures", caption, (translate("model"), *heads), rows, " ".join(notes))


def _arrow(measure: str) -> str:
    known = find(measure)
    return "" if known is None else " ↑" if known.greater_is_better else " ↓"


def _sign(measure: str) -> float:
    known = find(measure)
    return -1.0 if known is not None and not known.greater_is_better else 1.0


def _ordered(evaluation: Evaluation, here: Mapping[Any, Any], measure: str) -> list[str]:
    def key(model: str) -> tuple[bool, float]:
        value = -_sign(measure) * here[model, measure].estimate
        return model in evaluation.baselines, value if np.isfinite(value) else np.inf

    return sorted(dict.fromkeys(model for model, _ in here), key=key)


def _column(evaluation: Evaluation, here: Mapping[Any, Any], models: Sequence[str], measure: str) -> list[Cell]:
    found = [here[m, measure] for m in models]
    digits = max((decimals(f.low, f.high) for f in found if np.isfinite(f.high - f.low)), default=3)
    digits = min(digits, 3) if all(abs(f.estimate) <= 1 for f in found if np.isfinite(f.estimate)) else digits
    real = [f.estimate for m, f in zip(models, found, strict=True) if m not in evaluation.baselines]
    known = [_sign(measure) * v for v in real if np.isfinite(v)]
    best = fixed(_sign(measure) * max(known), digits) if len(known) > 1 else ""
    return [
        Cell(
            f"{fixed(f.estimate, digits)} {limits(f.low, f.high, digits)}".strip(),
            bold=m not in evaluation.baselines and fixed(f.estimate, digits) == best,
        )
        for m, f in zip(models, found, strict=True)
    ]


# -- differences -----------------------------------------------------------------------------------------------------


def _differences(comparison: Comparison) -> PaperTable:
    """The leader (or the control) against every other: the pairs a paper speaks of."""
    leader = comparison.control or leader_of(comparison)
    order = list(comparison.ranks or comparison.values)
    pairs = [comparison.pair(leader, m) for m in order if m != leader]
    digits = max((decimals(p.low, p.high, lead=True) for p in pairs if np.isfinite(p.high - p.low)), default=3)
    rows = tuple(
        (
            Cell(name_of(p.model_b), bold=p.better == p.model_b),
            Cell(fixed(p.value_b, digits)),
            Cell(signed(p.estimate, digits)),
            Cell(limits(p.low, p.high, digits)),
            Cell(format_pvalue(p.pvalue)),
            Cell(format_pvalue(p.pvalue_adjusted)),
            Cell(signed(p.effect_size, 2)),
        )
        for p in pairs
    )
    measure = _upper(label_of(comparison.measure))
    head = (
        translate("model"), measure, translate("difference"),
        translate("{level} % interval", level=percent(comparison.confidence_level)), "p", translate("adjusted p"),
        translate("effect size"),
    )  # fmt: skip
    caption = translate(
        "{leader} against every other model: difference in {measure} (the first minus the other).",
        leader=name_of(leader), measure=label_of(comparison.measure),
    )  # fmt: skip
    return PaperTable("differences", caption, head, rows, " ".join(_difference_notes(comparison, leader, pairs)))


def _difference_notes(comparison: Comparison, leader: str, pairs: Sequence[Any]) -> Iterator[str]:
    value = fixed(comparison.values[leader], 3)
    yield translate("{leader} has {value}.", leader=name_of(leader), value=value)
    yield translate("Test of a pair: {test}.", test=pair_test(comparison))
    if comparison.choice.adjust and len(comparison.pairs) > 1:
        yield translate(
            "p-values adjusted for {n} comparisons by {method}; intervals are of each pair alone.",
            n=len(comparison.pairs), method=adjustment_word(comparison.choice.adjust),
        )  # fmt: skip
    effects = list(dict.fromkeys(str(render(p.effect)) for p in pairs if p.effect))
    if effects:
        yield translate("Effect size: {effect}.", effect=listed(effects))
    yield from _omnibus(comparison)


def pair_test(comparison: Comparison) -> str:
    """What compared the pairs: the post hoc where there is one, else the test."""
    after = POSTHOCS.get(comparison.choice.posthoc)
    if after is not None:
        return str(after.label)
    test = catalogue()[comparison.choice.chosen]
    return str(catalogue()[test.pairs_by].label if test.pairs_by and len(comparison.models) > 2 else test.label)


def _omnibus(comparison: Comparison) -> list[str]:
    found = comparison.omnibus
    if found is None:
        return []
    test = catalogue().get(found.test)
    p = format_pvalue(found.pvalue)
    return [
        translate(
            "All models together: {test}, {statistic} = {value}, p {p}.",
            test=found.test if test is None else test.label,
            statistic=_SYMBOLS.get(found.statistic_name, found.statistic_name),
            value=fixed(found.statistic, 2), p=p if p.startswith("<") else f"= {p}",
        )
    ]  # fmt: skip


# -- costs -----------------------------------------------------------------------------------------------------------


def _costs(decision: Decision) -> PaperTable:
    cost = decision.expected_cost
    digits = decimals(cost.low, cost.high, fallback=2)
    chosen = (
        Cell(name_of(decision.model), bold=True),
        Cell(_threshold(decision.threshold)),
        Cell(f"{fixed(cost.estimate, digits)} {limits(cost.low, cost.high, digits)}"),
        Cell("–"),
        Cell("–"),
    )
    rows = [
        (
            Cell(name_of(a.model), italic=a.trivial),
            Cell(_threshold(None if a.trivial else a.threshold)),
            Cell(_with_limits(a.expected_cost, digits)),
            Cell(_with_limits(a.regret, digits)),
            Cell(format_pvalue(a.pvalue)),
        )
        for a in decision.alternatives
    ]
    head = (
        translate("model"), translate("threshold"), translate("cost a case"), translate("extra cost a case"), "p",
    )  # fmt: skip
    caption = translate("Expected cost of each model at its best threshold, at the stated costs and prevalence.")
    notes = translate(
        "The cost of the choice (bold) is measured on cases that did not choose it; the costs of the others, and what "
        "they cost more, on the rows that chose their thresholds. {level} % intervals.",
        level=percent(cost.confidence_level),
    )  # fmt: skip
    return PaperTable("costs", caption, head, (chosen, *rows), notes)


def _threshold(value: float | None) -> str:
    return "–" if value is None or not np.isfinite(value) else str(numeral(value, ".3g"))


def _with_limits(found: Any, digits: int) -> str:
    return f"{fixed(found.estimate, digits)} {limits(found.low, found.high, digits)}".strip()
