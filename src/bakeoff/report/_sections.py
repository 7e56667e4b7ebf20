"""The sections of a report, from the material to blocks of text, tables and figures."""

from __future__ import annotations

import datetime
import platform
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.language import current_language, heading, joined, listed, numeral, p_phrase, render, translate
from bakeoff._core.result import Note, unique
from bakeoff._core.text import decimals, fixed, format_number, format_pvalue, interval, signed
from bakeoff.comparison import Comparison, catalogue
from bakeoff.decision import MulticlassContext
from bakeoff.evidence import Design, direction_assumed
from bakeoff.figures import (
    box_figure,
    calibration_figure,
    class_recall_figure,
    class_roc_figure,
    confusion_figure,
    cost_curve_figure,
    critical_difference_figure,
    difference_forest_figure,
    error_distribution_figure,
    forest_figure,
    pair_heatmap_figure,
    posterior_figure,
    precision_recall_figure,
    predicted_figure,
    residuals_figure,
    roc_figure,
    score_distribution_figure,
    solved_items,
    time_quality_figure,
)
from bakeoff.intervals import Evaluation
from bakeoff.measures import find, label_of
from bakeoff.report._blocks import (
    Block,
    Code,
    Figure,
    Figures,
    Folded,
    Notes,
    Paragraph,
    Section,
    Table,
    Verdict,
    Working,
)
from bakeoff.report._card import card_of, leader_of
from bakeoff.report._material import Material

_MOST_TABLES = 12  # per-data-set tables shown open; the rest are folded
_MOST_ALIKE = 3  # notes of one kind shown open
_MOST_MEASURES = 4  # columns of a table shown open
_MOST_WORKED = 8  # models whose comparison is worked out step by step
_MOST_PAIRS = 20  # lines of the table of pairs on the page
_MOST_IN_GRID = 8  # models in the grid of all pairs
_MOST_CURVES = 6  # in one picture, of more models those that matter
_MOST_ROWS = 24  # in a picture of one row for each model
_MOST_CLASSES = 12  # in a confusion matrix
_MOST_SCATTERED = 2  # models whose predictions are drawn dot by dot
_MOST_ITEMS = 40  # lines of the table of items on the page


def sections_of(material: Material) -> list[Section]:
    """Build every section the material can fill, in reading order."""
    made = [
        Section("answer", translate("The answer"), (card_of(material),)),
        _how(material),
        _measures(material),
        _differences(material),
        _folds(material),
        _roc_and_cost(material),
        _classes(material),
        _errors(material),
        _items(material),
        _evidence(material),
        _failures(material),
        _notes(material),
        _reproduce(material),
    ]
    return [section for section in made if section is not None]


def evidence_line(material: Material) -> str:
    """What it was made from, and when, in one line."""
    source = material.predictions or material.scores or material.evaluation or material.comparison
    parts = [] if source is None else _size(source.design)
    if source is not None and source is material.scores:
        direction = translate("more is better") if source.greater_is_better else translate("less is better")
        told = direction_assumed() in source.notes  # where nobody said it, the card says what was taken
        parts.append(render(label_of(source.measure)) + ("" if told else f" ({direction})"))
    return ", ".join([*parts, datetime.date.today().isoformat()])


def _size(design: Design) -> list[str]:
    parts = [translate("1 model") if design.n_models == 1 else translate("{n} models", n=design.n_models)]
    if design.n_datasets > 1:
        return [*parts, translate("{n} data sets", n=design.n_datasets)]
    if design.n_rows is not None:
        count = numeral(design.n_rows, ",d")
        parts.append(translate("{n} items", n=count) if design.unit == "items" else translate("{n} rows", n=count))
        if design.n_groups:
            parts.append(translate("{n} groups", n=numeral(design.n_groups, ",d")))
    return [*parts, *([translate("{n} splits", n=design.n_splits)] if design.n_splits > 1 else [])]


# -- the sentences of the results ------------------------------------------------------------------------------------


def _how(material: Material) -> Section | None:
    sentences = tuple(_sentences(material))
    on_card = int(material.decision is not None)
    return Section("how", translate("How we know"), (Verdict(sentences, on_card),)) if sentences else None


def _sentences(material: Material) -> Iterator[str]:
    if material.decision is not None:
        headline, *rest = material.decision.sentences
        yield str(headline)
        if rest:
            yield str(joined(rest))
    if material.comparison is not None:
        yield from map(str, sorted(material.comparison.sentences, key=lambda text: text.role != "headline"))
    elif material.evaluation is not None:
        yield from _one_model_sentences(material.evaluation, material.compared)


def _one_model_sentences(evaluation: Evaluation, measure: str) -> Iterator[str]:
    real = [m for m in evaluation.models if m not in evaluation.baselines]
    level = numeral(100 * evaluation.confidence_level)
    for dataset in evaluation.datasets[:3] if real else ():
        found = evaluation[dataset, real[0], measure]
        digits = decimals(found.low, found.high)
        numbers = {k: fixed(getattr(found, k), digits) for k in ("estimate", "low", "high")}
        values = {"model": real[0], "measure": label_of(measure), "level": level, **numbers}
        if len(evaluation.datasets) == 1:
            yield translate("{model} has {measure} {estimate} ({level} % interval {low} to {high}).", **values)
        else:
            yield translate(
                "{model} has {measure} {estimate} on {dataset} ({level} % interval {low} to {high}).",
                dataset=dataset, **values,
            )  # fmt: skip


# -- the evidence ----------------------------------------------------------------------------------------------------


def _evidence(material: Material) -> Section | None:
    if material.predictions is None and material.scores is None and material.evaluation is None:
        return None
    blocks: list[Block] = []
    source = material.predictions or material.scores or material.evaluation
    assert source is not None
    blocks.append(Paragraph(_sentence_case(source.design.describe()) + "."))
    if material.predictions is not None:
        columns = {heading(k): _spoken(k, v) for k, v in material.predictions._columns().items()}
        blocks.append(Table("data", translate("Data sets"), columns))
        rows = next(iter(material.predictions))
        if rows.classes and len(material.predictions.datasets) == 1:
            blocks.append(_class_table(rows))
    return Section("evidence", translate("Data and protocol"), tuple(blocks))


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _spoken(name: str, values: Sequence[Any]) -> list[Any]:
    return [render(v) for v in values] if name == "task" else list(values)


def _class_table(rows: Any) -> Table:
    counts, weights = (
        np.bincount(rows.truth, weights=w, minlength=len(rows.classes)) for w in (rows.frequency, rows.row_weight)
    )
    names = [f"{c}{' ' + translate('(positive)') if i == rows.positive else ''}" for i, c in enumerate(rows.classes)]
    share, shares = translate("share"), weights / weights.sum()
    columns: dict[str, list[Any]] = {
        translate("class"): names,
        translate("rows"): [_count(c) for c in counts / rows.n_repeats],
        share: shares.tolist(),
    }
    shown = {share: [str(numeral(100 * s, ".1f", " %")) for s in shares]}
    return Table("classes", translate("Classes"), columns, shown)


def _count(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


# -- measures --------------------------------------------------------------------------------------------------------


def _measures(material: Material) -> Section | None:
    evaluation = material.evaluation
    if evaluation is None:
        return None
    first = material.compared
    blocks: list[Block] = [
        Paragraph(translate("Every number with its {level} % interval. Trivial rules, in italics, are to be beaten.",
                     level=numeral(100 * evaluation.confidence_level)), muted=True)
    ]  # fmt: skip
    tables = [_measure_tables(evaluation, d, first) for d in evaluation.datasets]
    blocks += [block for pair in tables[:_MOST_TABLES] for block in pair]
    rest = tuple(block for pair in tables[_MOST_TABLES:] for block in pair)
    if rest:
        blocks.append(Folded(translate("{n} more data sets", n=len(tables) - _MOST_TABLES), rest))
    if len(evaluation.datasets) == 1 and first in evaluation.measures:
        figures = [_contenders(material, forest_figure(evaluation, first), "rows", _MOST_ROWS)]
        if "fit_time" in evaluation.measures:
            figures.append(Figure(time_quality_figure(evaluation, first)))
        blocks.append(Figures(tuple(figures)))
    return Section("measures", translate("Measures"), tuple(blocks))


def _measure_tables(evaluation: Evaluation, dataset: str, first: str) -> list[Block]:
    """Models by measures, the compared one first and best first; what goes beyond four measures is folded."""
    here = {(e.model, e.measure): e.interval for e in evaluation.entries if e.dataset == dataset}
    measures = sorted(dict.fromkeys(measure for _, measure in here), key=lambda m: m != first)
    models = _best_first(list(dict.fromkeys(model for model, _ in here)), here, measures[0], evaluation)
    trivial = frozenset(i for i, m in enumerate(models) if m in evaluation.baselines)
    caption = dataset if len(evaluation.datasets) > 1 else ""
    made = [
        Table(f"{name}-{dataset}", caption, *_measure_columns(here, models, some, evaluation.baselines), trivial)
        for name, some in _in_parts(measures)
    ]
    if len(made) == 1:
        return list(made)
    return [made[0], Folded(translate("{n} more measures", n=len(measures) - _MOST_MEASURES), tuple(made[1:]))]


def _in_parts(measures: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """The first few measures, and the rest as many at a time as a page is wide."""
    yield "measures", measures[:_MOST_MEASURES]
    rest = measures[_MOST_MEASURES:]
    for start in range(0, len(rest), _MOST_MEASURES + 1):
        yield f"more-measures{f'-{start}' if start else ''}", rest[start : start + _MOST_MEASURES + 1]


def _best_first(models: list[str], here: Mapping[Any, Any], measure: str, evaluation: Evaluation) -> list[str]:
    known = find(measure)
    sign = 1.0 if known is not None and not known.greater_is_better else -1.0

    def key(model: str) -> tuple[bool, float]:
        value = sign * here[model, measure].estimate
        return model in evaluation.baselines, value if np.isfinite(value) else np.inf

    return sorted(models, key=key)


def _measure_columns(
    here: Mapping[Any, Any], models: list[str], measures: Sequence[str], trivial: Collection[str]
) -> tuple[dict[str, list[Any]], dict[str, list[str]]]:
    """The raw estimates, which sort, and the text that carries the interval."""
    columns: dict[str, list[Any]] = {translate("model"): list(models)}
    shown: dict[str, list[str]] = {}
    for measure in measures:
        cells, known = [here[m, measure] for m in models], find(measure)
        arrow = "" if known is None else (" ↑" if known.greater_is_better else " ↓")
        head = f"{label_of(measure)}{arrow}"
        columns[head] = [c.estimate for c in cells]
        shown[head] = [_cell(c, trivial=m in trivial) for m, c in zip(models, cells, strict=True)]
    return columns, shown


def _cell(found: Any, *, trivial: bool) -> str:
    """An estimate with its interval; that of a trivial rule, which is no guess, alone."""
    if trivial:
        return fixed(found.estimate, 3)
    digits = decimals(found.low, found.high)
    return f"{fixed(found.estimate, digits)} {interval(found.low, found.high, digits)}".strip()


# -- differences -----------------------------------------------------------------------------------------------------


def _differences(material: Material) -> Section | None:
    comparison = material.comparison
    if comparison is None:
        return None
    blocks: list[Block] = []
    if comparison.omnibus is not None:
        blocks.append(Paragraph(_omnibus_sentence(comparison.omnibus)))
    many = len(comparison.models) > 6
    figures = [] if many else [Figure(difference_forest_figure(comparison))]
    if comparison.ranks is not None and len(comparison.models) > 2:
        figures.append(Figure(critical_difference_figure(comparison), wide=many))
    if 2 < len(comparison.models) <= _MOST_IN_GRID:
        figures.append(Figure(pair_heatmap_figure(comparison), wide=many))
    posterior = _posterior(material)
    if posterior is not None:
        figures.append(posterior)
    blocks += [*([Figures(tuple(figures))] if figures else []), _pair_table(comparison), _choice_block(comparison)]
    if material.steps:
        blocks += _working_blocks(comparison)
    if comparison.checks:
        codes, seen = ([render(getattr(c, name)) for c in comparison.checks] for name in ("code", "text"))
        columns = {translate("check"): codes, translate("what was seen"): seen}
        table = Table("checks", "", columns, wrap=frozenset(columns))
        blocks.append(Folded(translate("Assumptions looked at"), (table,)))
    return Section("differences", translate("Differences and tests"), tuple(blocks))


def _omnibus_sentence(omnibus: Any) -> str:
    df = listed([numeral(d) for d in omnibus.df])
    return translate(
        "All models together: {title}, {name} = {statistic} on {df} degrees of freedom, p {p}.",
        title=omnibus.title, name=omnibus.statistic_name.replace("chi2", "χ²"), df=df,
        statistic=format_number(omnibus.statistic, digits=2), p=p_phrase(omnibus.pvalue),
    )  # fmt: skip


def _posterior(material: Material) -> Figure | None:
    """The Bayesian correlated t-test of the two best models, where there are folds of one data set."""
    comparison, scores = material.comparison, material.scores
    if comparison is None or scores is None or len(scores.datasets) != 1 or scores.design.n_splits < 3:
        return None
    best = leader_of(comparison)
    second = next(model for model in comparison.values if model != best)
    design = scores.design
    if design.n_train is None or design.n_test is None:
        return None
    folds = scores.folds()
    sign = 1.0 if comparison.greater_is_better else -1.0
    gaps = sign * (folds[:, scores.models.index(best)] - folds[:, scores.models.index(second)])
    gaps = gaps[np.isfinite(gaps)]
    if gaps.size < 3 or np.ptp(gaps) == 0:
        return None
    rho = design.n_test / (design.n_train + design.n_test)
    rope = comparison.margin or float(f"{0.01 * abs(comparison.values[best]):.1g}")  # one percent of the best value
    return Figure(posterior_figure(gaps, rho=rho, rope=rope, model_a=best, model_b=second, measure=comparison.measure))


def _pair_table(comparison: Comparison) -> Table:
    """The pairs that matter first: those of the leader, then those that were not told apart, the closest first."""
    leader = leader_of(comparison)
    pairs = sorted(
        comparison.pairs, key=lambda p: (leader not in (p.model_a, p.model_b), bool(p.better), abs(p.estimate))
    )
    pairs = [p.flipped() if p.model_b == leader else p for p in pairs]
    digits = [decimals(p.low, p.high, lead=True) for p in pairs]
    numbers = {
        translate("a − b"): [p.estimate for p in pairs],
        translate("low"): [p.low for p in pairs],
        translate("high"): [p.high for p in pairs],
    }
    shown = {h: [signed(v, d) for v, d in zip(c, digits, strict=True)] for h, c in numbers.items()}
    pvalues = {
        translate("p"): [p.pvalue for p in pairs],
        translate("p, adjusted"): [p.pvalue_adjusted for p in pairs],
    }
    columns: dict[str, list[Any]] = {
        translate("a"): [p.model_a for p in pairs],
        translate("b"): [p.model_b for p in pairs],
        **numbers,
        **pvalues,
        translate("conclusion"): [render(p.conclusion) for p in pairs],
        translate("effect size"): [p.effect_size for p in pairs],
        translate("kind of effect"): [render(p.effect) for p in pairs],
        translate("test"): [render(p.method) for p in pairs],
    }
    shown |= {head: [format_pvalue(v) for v in values] for head, values in pvalues.items()}
    wrap = frozenset({translate("conclusion"), translate("kind of effect"), translate("test")})
    best = frozenset(i for i, p in enumerate(pairs) if p.better)
    caption = translate("Pairs, a − b, with interval, test and effect size; those of {model} first", model=leader)
    most = max(_MOST_PAIRS, len(comparison.models) - 1)
    return Table("pairs", caption, columns, shown, best_rows=best, wrap=wrap, on_page=most)


def _test(name: str) -> str:
    """What a person calls a test, and what is typed to ask for it."""
    return f"{catalogue()[name].label} ({name})" if name in catalogue() else name


def _working_blocks(comparison: Any) -> list[Block]:
    """How the answer was worked out, step by step; of very many models there is no end of it."""
    if len(comparison.models) > _MOST_WORKED:
        return []
    return [Folded(translate("The working, step by step"), (Working(comparison.steps(current_language())),))]


def _choice_block(comparison: Any) -> Folded:
    tests: dict[str, list[str]] = {}  # by reason: one reason is one line
    for name, reason in comparison.choice.rejected.items():
        tests.setdefault(str(reason), []).append(_test(name))
    taken = translate("tests not taken")
    columns = {taken: ["; ".join(names) for names in tests.values()], translate("why"): list(tests)}
    text = translate(
        "Test taken: {test}. {reason}",
        test=_test(comparison.choice.chosen),
        reason=getattr(comparison.choice, "reason", ""),
    )
    return Folded(
        translate("Why this test, and why not the others"),
        (Paragraph(text), Table("choice", "", columns, wrap=frozenset(columns))),
    )


# -- folds and data sets ---------------------------------------------------------------------------------------------


def _folds(material: Material) -> Section | None:
    scores = material.scores
    if scores is None or (len(scores.datasets) == 1 and scores.design.n_splits < 2):
        return None
    blocks: list[Block] = [Figure(box_figure(scores), wide=True)]
    if len(scores.datasets) > 1:
        matrix = scores.matrix()
        columns: dict[str, list[Any]] = {translate("data set"): list(scores.datasets)}
        columns |= {m: [float(v) for v in matrix[:, i]] for i, m in enumerate(scores.models)}
        caption = translate("{measure} of each model on each data set", measure=label_of(scores.measure))
        digits = 1 + decimals(float(np.nanmin(matrix)), float(np.nanmax(matrix)))
        shown = {m: [fixed(v, digits) for v in columns[m]] for m in scores.models}
        blocks.append(Table("scores", caption, columns, shown))
    return Section(
        "folds", translate("Over data sets") if len(scores.datasets) > 1 else translate("Over folds"), tuple(blocks)
    )


# -- ROC, costs, explorer --------------------------------------------------------------------------------------------


def _roc_and_cost(material: Material) -> Section | None:
    predictions = material.predictions
    if predictions is None or len(predictions.datasets) != 1 or material.evaluation is None:
        return None
    rows = predictions.table()
    if rows.task != "binary":
        return None
    figures: list[Figure] = []
    if material.roc is not None:
        figures.append(_contenders(material, roc_figure(material.roc)))
    if material.costs is not None:
        figures.append(_contenders(material, cost_curve_figure(material.costs), "envelopes"))
    scorers = [m for m in rows.models if rows.provides(m, "scores")]
    if scorers:
        figures.append(_contenders(material, precision_recall_figure(predictions)))
        best = _shown_model(material, scorers[0])
        if any(rows.provides(m, "probabilities") for m in scorers):
            figures.append(_contenders(material, calibration_figure(predictions, shaded=best)))
        if best in scorers:
            figures.append(Figure(score_distribution_figure(predictions, best)))
    labelled = [m for m in rows.models if rows.provides(m, "labels")]
    if labelled:
        best = _shown_model(material, labelled[0])
        best = best if best in labelled else labelled[0]
        chosen = material.decision
        at = chosen.threshold if chosen is not None and chosen.model == best else None
        figures.append(Figure(confusion_figure(predictions, best, threshold=at)))
    if not figures:
        return None
    return Section("roc", translate("ROC, costs and calibration"), (Figures(tuple(figures)),))


# -- pictures of the other tasks -------------------------------------------------------------------------------------


def _classes(material: Material) -> Section | None:
    """Several classes: how often each is found, what is taken for what, and each against the rest."""
    rows = _single(material, "multiclass")
    if rows is None or material.predictions is None or material.evaluation is None:
        return None
    models = _leading(material, [m for m in rows.models if rows.provides(m, "labels")])
    figures = [Figure(class_recall_figure(material.evaluation, models), wide=len(rows.classes) * len(models) > 8)]
    chances = [m for m in models if rows.provides(m, "probabilities")]
    if chances:
        figures += [
            Figure(class_roc_figure(material.predictions, chances[0])),
            _contenders(material, calibration_figure(material.predictions, shaded=chances[0])),
        ]
    if len(rows.classes) <= _MOST_CLASSES:
        figures += [Figure(confusion_figure(material.predictions, m)) for m in models]
    return Section("classes", translate("Classes"), (Figures(tuple(figures)),))


def _errors(material: Material) -> Section | None:
    """Regression: predicted against actual, what is left over, and how large the errors are."""
    rows = _single(material, "regression")
    if rows is None or material.predictions is None:
        return None
    models = _leading(material, [m for m in rows.models if rows.provides(m, "values")])
    if not models:
        return None
    figures = [
        Figure(make(material.predictions, model))
        for model in models[:_MOST_SCATTERED]
        for make in (predicted_figure, residuals_figure)
    ]
    figures.append(_contenders(material, error_distribution_figure(material.predictions)))
    return Section("errors", translate("Errors"), (Figures(tuple(figures)),))


def _items(material: Material) -> Section | None:
    """Right and wrong answers: who is right where another is wrong, and the items on which the models part."""
    if material.predictions is None or not material.right_or_wrong:
        return None
    models, solved = solved_items(material.predictions)
    models = _leading(material, models, most=len(models))
    tables = [_flips(models, solved)] if len(models) > 1 else []
    return Section("items", translate("Items"), (*tables, _item_table(material.predictions.table(), models, solved)))


def _flips(models: Sequence[str], solved: Mapping[str, Any]) -> Table:
    """For each pair, on how many items which of the two is right; the pairs of the leader first."""
    pairs = [(a, b) for i, a in enumerate(models) for b in models[i + 1 :]]
    columns: dict[str, list[Any]] = {
        translate("a"): [a for a, _ in pairs],
        translate("b"): [b for _, b in pairs],
        translate("only a right"): [int((solved[a] & ~solved[b]).sum()) for a, b in pairs],
        translate("only b right"): [int((~solved[a] & solved[b]).sum()) for a, b in pairs],
        translate("both right"): [int((solved[a] & solved[b]).sum()) for a, b in pairs],
        translate("both wrong"): [int((~solved[a] & ~solved[b]).sum()) for a, b in pairs],
    }
    return Table("flips", translate("Who is right where the other is wrong"), columns, on_page=_MOST_PAIRS)


def _item_table(rows: Any, models: Sequence[str], solved: Mapping[str, Any]) -> Table:
    """Every item, those on which the models part most evenly first."""
    table = np.array([solved[m] for m in models])
    right = table.sum(axis=0)
    order = np.argsort(np.abs(2 * right - len(models)), kind="stable")
    names = [str(i) for i in (np.arange(right.size) if rows.instance is None else rows.instance)]
    columns: dict[str, list[Any]] = {
        translate("item"): [names[i] for i in order],
        translate("models right"): right[order].tolist(),
    }
    shown = list(models)[:_MOST_IN_GRID]
    columns |= {m: ["✓" if right else "✗" for right in solved[m][order]] for m in shown}
    return Table("items", translate("Items, those that part the models first"), columns, on_page=_MOST_ITEMS)


def _single(material: Material, task: str) -> Any:
    """The rows of the one data set, where it is of this task."""
    predictions = material.predictions
    if predictions is None or len(predictions.datasets) != 1:
        return None
    rows = predictions.table()
    return rows if rows.task == task else None


def _leading(material: Material, models: Sequence[str], most: int = 4) -> list[str]:
    """These models in the order of the comparison, the best few."""
    order = list(material.comparison.values) if material.comparison is not None else list(models)
    if material.comparison is not None:
        best = leader_of(material.comparison)
        order = [best, *(m for m in order if m != best)]
    return [m for m in order if m in models][:most]


def _contenders(material: Material, figure: Any, name: str = "curves", most: int = _MOST_CURVES) -> Figure:
    """The curves of the best few of many models, and of those that are cheapest somewhere; the explorer has all."""
    best = [] if material.comparison is None else list(material.comparison.values)[:most]
    curves = getattr(figure, name)
    if len(curves) <= most or not best:
        return Figure(figure)
    keep = {*best, _shown_model(material, best[0]), *(r["model"] for r in getattr(figure, "ranges", ()))}
    return Figure(replace(figure, **{name: tuple(c for c in curves if c["model"] in keep)}))


def _shown_model(material: Material, otherwise: str) -> str:
    """The model whose own pictures are drawn: the one that was chosen, else the leader."""
    if material.decision is not None and not material.decision.choice.trivial:
        return material.decision.model
    return otherwise if material.comparison is None else leader_of(material.comparison)


# -- failures, notes, how to repeat it -------------------------------------------------------------------------------


def _failures(material: Material) -> Section | None:
    failures = getattr(material.run, "failures", None)
    if failures is None or not len(failures):
        return None
    columns = {heading(k): list(v) for k, v in failures.folded().columns.items()}
    text = translate(
        "{n} units of work failed. Everything else was computed; a model with holes is compared where it has scores.",
        n=len(failures),
    )
    table = Table("failures", "", columns, wrap=frozenset({heading("message"), heading("error")}))
    return Section("failures", translate("Failures"), (Paragraph(text), table))


def _notes(material: Material) -> Section | None:
    found: list[Note] = list(material.problems)
    for name in ("predictions", "evaluation", "comparison", "decision", "roc", "costs", "scores"):
        result = getattr(material, name)
        if result is not None:
            found += result._notes()
    notes = unique(found)
    if not notes:
        return None
    ordered = tuple(sorted(notes, key=lambda n: n.level != "warning"))
    return Section("notes", translate("Notes and warnings"), tuple(_by_kind(ordered)))


def _by_kind(notes: tuple[Note, ...]) -> Iterator[Block]:
    """Three notes of a kind are shown and the rest folded: a hundred folds without a positive are one story."""
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        kinds.setdefault(note.code, []).append(note)
    for alike in kinds.values():
        yield Notes(tuple(alike[:_MOST_ALIKE]))
        if len(alike) > _MOST_ALIKE:
            rest = tuple(alike[_MOST_ALIKE:])
            yield Folded(translate("{n} more of this kind", n=len(rest)), (Notes(rest),))


def _reproduce(material: Material) -> Section:
    import numpy
    import scipy

    from bakeoff import __version__
    from bakeoff.stats.resample import active_path

    known = {
        translate("date"): f"{datetime.datetime.now().astimezone():%Y-%m-%d %H:%M %Z}",
        translate("seed"): str(material.rng),
        "bakeoff": f"{__version__} ({active_path()})",
        "Python": f"{platform.python_version()} ({platform.system()})",
        "NumPy": numpy.__version__,
        "SciPy": scipy.__version__,
    }
    for source in material.sources:
        known[source.name] = _hash_of(source)
    fingerprint = _fingerprint(material)
    if fingerprint:
        known[translate("fingerprint of the predictions")] = fingerprint
    columns = {translate("what"): list(known), translate("value"): list(known.values())}
    blocks: list[Block] = [
        Code(_code(material)), Table("versions", translate("Made with"), columns, wrap=frozenset({translate("value")}))
    ]  # fmt: skip
    if material.command:
        blocks.insert(0, Code(material.command, reading=_reading(material.command)))
    return Section("reproduce", translate("How to repeat it"), tuple(blocks))


_NOT_READING = (
    "-o",
    "--output",
    "--title",
    "--exports",
    "--seed",
    "--prevalence",
    "--cost-fp",
    "--cost-fn",
    "--measure",
)


def _reading(command: str) -> str:
    """The file and the columns of a command `bakeoff report …`, for another command on the same evidence."""
    words = iter(shlex.split(command)[2:])
    kept = []
    for word in words:
        if word in _NOT_READING:
            next(words, None)
        elif word != "--json" and not word.startswith(tuple(f"{name}=" for name in _NOT_READING)):
            kept.append(word)
    return shlex.join(kept)


def _hash_of(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of a folder's files."""
    import hashlib

    digest = hashlib.sha256()
    for file in sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]:
        if path.is_dir():
            digest.update(str(file.relative_to(path)).encode())
        digest.update(file.read_bytes())
    return f"SHA-256 {digest.hexdigest()}"


def _code(material: Material) -> str:
    """The call that makes this page again from the same evidence."""
    kind = "scores" if material.predictions is None else "predictions"
    given = [kind]
    if isinstance(material.context, MulticlassContext):
        given.append("context")
    elif material.context is not None:
        names = ("prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn")
        parts = {name: getattr(material.context, name) for name in names}
        inner = ", ".join(f"{name}={value:g}" for name, value in parts.items() if value)
        given.append(f"bakeoff.OperatingContext({inner})")
    if material.measure is not None:
        given.append(f"measure={material.measure!r}")
    return f"import bakeoff\n\nbakeoff.report({', '.join(given)}, rng={material.rng}).save('report.html')"


def _fingerprint(material: Material) -> str:
    """A short hash of truth and answers, to tell whether two reports saw the same rows."""
    import hashlib

    if material.predictions is None:
        return ""
    digest = hashlib.sha256()
    for rows in material.predictions:
        digest.update(rows.name.encode())
        digest.update(np.ascontiguousarray(rows.truth).tobytes())
        for model in rows.models:
            output = rows.output(model)
            for part in output._parts():
                if part is not None:
                    digest.update(model.encode() + np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:16]
