"""The sections of a report, from the material to blocks of text, tables and figures."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import Any

import numpy as np

from bakeoff._core.language import heading, joined, render, translate
from bakeoff._core.notes import Note, unique
from bakeoff._core.text import format_number, format_pvalue, pvalue_phrase
from bakeoff.decision import Decision
from bakeoff.figures import (
    box_figure,
    calibration_figure,
    confusion_figure,
    cost_curve_figure,
    critical_difference_figure,
    difference_forest_figure,
    explorer_data,
    forest_figure,
    pair_heatmap_figure,
    posterior_figure,
    precision_recall_figure,
    roc_figure,
    score_distribution_figure,
    time_quality_figure,
)
from bakeoff.intervals import Evaluation
from bakeoff.measures import find, label_of
from bakeoff.report._blocks import (
    Block,
    Cards,
    Code,
    Figure,
    Figures,
    Folded,
    Notes,
    Paragraph,
    Section,
    Table,
    Verdict,
)
from bakeoff.report._material import Material

_MOST_TABLES = 12  # per-data-set tables shown open; the rest are folded
_MOST_ALIKE = 3  # notes of one kind shown open


def sections_of(material: Material) -> list[Section]:
    """Build every section the material can fill, in reading order."""
    made = [
        _answer(material),
        _evidence(material),
        _measures(material),
        _differences(material),
        _folds(material),
        _roc_and_cost(material),
        _explorer(material),
        _failures(material),
        _notes(material),
        _reproduce(material),
    ]
    return [section for section in made if section is not None]


# -- the answer ------------------------------------------------------------------------------------------------------


def _answer(material: Material) -> Section:
    verdict, cards = Verdict(tuple(_sentences(material))), tuple(_cards(material))
    return Section("answer", translate("The answer"), (verdict, Cards(cards)) if cards else (verdict,))


def _sentences(material: Material) -> Iterator[str]:
    if material.decision is not None:
        yield from _headline_first(material.decision)
    if material.comparison is not None:
        yield from _winner_first(material.comparison)
    elif material.evaluation is not None:
        yield from _one_model_sentences(material.evaluation)
    change = _what_would_change_it(material)
    if change:
        yield change
    if not (material.decision or material.comparison or material.evaluation):
        yield translate("There is nothing to compare.")


def _headline_first(decision: Decision) -> Iterator[str]:
    """The headline of a decision, which tells what to do, then the rest of it as one paragraph."""
    headline, *rest = decision.sentences
    yield str(headline)
    if rest:
        yield str(joined(rest))


def _winner_first(comparison: Any) -> Iterator[str]:
    """Who is best, then whether the models differ at all, then the rest."""
    yield from map(str, sorted(comparison.sentences, key=lambda text: text.role != "headline"))


def _one_model_sentences(evaluation: Evaluation) -> Iterator[str]:
    real = [m for m in evaluation.models if m not in evaluation.baselines]
    measure, level = evaluation.measures[0], f"{100 * evaluation.confidence_level:g}"
    for dataset in evaluation.datasets[:3] if real else ():
        interval = evaluation[dataset, real[0], measure]
        numbers = {k: format_number(getattr(interval, k)) for k in ("estimate", "low", "high")}
        yield translate(
            "{model} has {measure} {estimate} on {dataset} ({level} % interval {low} to {high}).",
            model=real[0], measure=label_of(measure), dataset=dataset, level=level, **numbers,
        )  # fmt: skip


def _what_would_change_it(material: Material) -> str:
    """Say where in the space of costs the cheapest model changes."""
    if material.costs is None:
        return ""
    ranges = [r for r in material.costs.ranges(by="model") if r.pc_high - r.pc_low > 1e-6]
    if not ranges:
        return ""
    if len(ranges) == 1:
        return translate("On these rows {model} is the cheapest choice at any balance of costs.", model=ranges[0].model)
    parts = [
        translate("{model} from {low} to {high}", model=r.model, low=f"{r.pc_low:.2f}", high=f"{r.pc_high:.2f}")
        for r in ranges[:6]
    ]
    return translate(
        "The cheapest choice changes with the weight PC(+) of the positives: {parts}.", parts="; ".join(parts)
    )


def _cards(material: Material) -> Iterator[tuple[str, str]]:
    comparison, evaluation = material.comparison, material.evaluation
    if comparison is not None:
        best = comparison.best
        name, count = label_of(comparison.measure), len(comparison.models)
        yield best, translate("best {measure} among {n} models", measure=name, n=count)
        yield format_number(comparison.values[best]), _value_label(material, best)
        others = [m for m in comparison.values if m != best]
        if others and comparison.control in (None, best, others[0]):
            pair = comparison.pair(best, others[0])
            interval = f"[{format_number(pair.low)}, {format_number(pair.high)}]"
            level = f"{100 * comparison.confidence_level:g}"
            label = translate(
                "over {model}, {level} % interval {interval}", model=others[0], level=level, interval=interval
            )
            yield f"{pair.estimate:+.3g}", label
            yield f"p {pvalue_phrase(pair.pvalue_adjusted)}", translate("{method}, adjusted", method=pair.method)
    elif evaluation is not None:
        yield str(len(evaluation.models) - len(evaluation.baselines)), translate("models")
    if material.decision is not None:
        label = translate("expected cost of a case with {model}", model=material.decision.model)
        yield format_number(material.decision.expected_cost.estimate), label


def _value_label(material: Material, model: str) -> str:
    comparison, evaluation = material.comparison, material.evaluation
    assert comparison is not None
    if (
        evaluation is not None
        and len(evaluation.datasets) == 1
        and comparison.measure in evaluation.measures
        and model in evaluation.models
    ):
        interval = evaluation[model, comparison.measure]
        return translate("its {measure}, {level} % interval {low} to {high}", measure=label_of(comparison.measure),
                  level=f"{100 * interval.confidence_level:g}", low=format_number(interval.low),
                  high=format_number(interval.high))  # fmt: skip
    return translate("its {measure}", measure=label_of(comparison.measure))


# -- the evidence ----------------------------------------------------------------------------------------------------


def _evidence(material: Material) -> Section | None:
    if material.predictions is None and material.scores is None and material.evaluation is None:
        return None
    blocks: list[Block] = []
    source = material.predictions or material.scores or material.evaluation
    assert source is not None
    blocks.append(Paragraph(_sentence_case(source.design.describe()) + "."))
    if material.predictions is not None:
        columns = {heading(k): list(v) for k, v in material.predictions._columns().items()}
        blocks.append(Table("data", translate("Data sets"), columns))
        rows = next(iter(material.predictions))
        if rows.classes and len(material.predictions.datasets) == 1:
            blocks.append(_class_table(rows))
    return Section("evidence", translate("Data and protocol"), tuple(blocks))


def _sentence_case(text: str) -> str:
    return text[:1].upper() + text[1:]


def _class_table(rows: Any) -> Table:
    counts = np.bincount(rows.truth, weights=rows.weight, minlength=len(rows.classes))
    names = [f"{c}{' ' + translate('(positive)') if i == rows.positive else ''}" for i, c in enumerate(rows.classes)]
    shares = [f"{100 * c / counts.sum():.1f} %" for c in counts]
    columns: dict[str, list[Any]] = {
        translate("class"): names,
        translate("rows"): [_count(c) for c in counts],
        translate("share"): shares,
    }
    return Table("classes", translate("Classes"), columns)


def _count(value: float) -> int | float:
    return int(value) if float(value).is_integer() else float(value)


# -- measures --------------------------------------------------------------------------------------------------------


def _measures(material: Material) -> Section | None:
    evaluation = material.evaluation
    if evaluation is None:
        return None
    blocks: list[Block] = [
        Paragraph(translate("Every number with its {level} % interval. Trivial rules, in italics, are to be beaten.",
                     level=f"{100 * evaluation.confidence_level:g}"), muted=True)
    ]  # fmt: skip
    tables: list[Block] = [_measure_table(evaluation, d) for d in evaluation.datasets]
    blocks += tables[:_MOST_TABLES]
    rest = tuple(tables[_MOST_TABLES:])
    if rest:
        blocks.append(Folded(translate("{n} more data sets", n=len(rest)), rest))
    first = material.comparison.measure if material.comparison is not None else evaluation.measures[0]
    if len(evaluation.datasets) == 1 and first in evaluation.measures:
        figures = [Figure(forest_figure(evaluation, first))]
        if "fit_time" in evaluation.measures:
            figures.append(Figure(time_quality_figure(evaluation, first)))
        blocks.append(Figures(tuple(figures)))
    return Section("measures", translate("Measures"), tuple(blocks))


def _measure_table(evaluation: Evaluation, dataset: str) -> Table:
    """Rows models, columns measures: the raw estimates sort, the shown text carries the interval.

    Data sets differ in their trivial rules (of their own classes) and in what can be measured (two classes, or more).
    """
    here = {(e.model, e.measure): e.interval for e in evaluation.entries if e.dataset == dataset}
    models = list(dict.fromkeys(model for model, _ in here))
    columns: dict[str, list[Any]] = {translate("model"): list(models)}
    shown: dict[str, list[str]] = {}
    for measure in dict.fromkeys(measure for _, measure in here):
        cells = [here[m, measure] for m in models]
        known = find(measure)
        arrow = "" if known is None else (" ↑" if known.greater_is_better else " ↓")
        columns[measure + arrow] = [c.estimate for c in cells]
        shown[measure + arrow] = [_cell(c) for c in cells]
    trivial = frozenset(i for i, m in enumerate(models) if m in evaluation.baselines)
    return Table(f"measures-{dataset}", dataset, columns, shown, trivial)


def _cell(interval: Any) -> str:
    text = format_number(interval.estimate, digits=3)
    if np.isnan(interval.low):
        return text
    return f"{text} [{format_number(interval.low, digits=3)}, {format_number(interval.high, digits=3)}]"


# -- differences -----------------------------------------------------------------------------------------------------


def _differences(material: Material) -> Section | None:
    comparison = material.comparison
    if comparison is None:
        return None
    blocks: list[Block] = []
    if comparison.omnibus is not None:
        blocks.append(Paragraph(_omnibus_sentence(comparison.omnibus)))
    many = len(comparison.models) > 6
    figures = [Figure(difference_forest_figure(comparison), wide=many)]
    if comparison.ranks is not None and len(comparison.models) > 2:
        # With many models the ranks are read first, and the list of pairs after them.
        figures.insert(0 if many else 1, Figure(critical_difference_figure(comparison), wide=many))
    if len(comparison.models) > 2:
        figures.append(Figure(pair_heatmap_figure(comparison), wide=many))
    posterior = _posterior(material)
    if posterior is not None:
        figures.append(posterior)
    blocks += [Figures(tuple(figures)), _pair_table(comparison), _choice_block(comparison)]
    if comparison.checks:
        codes, seen = ([render(getattr(c, name)) for c in comparison.checks] for name in ("code", "text"))
        columns = {translate("check"): codes, translate("what was seen"): seen}
        table = Table("checks", "", columns, wrap=frozenset(columns))
        blocks.append(Folded(translate("Assumptions looked at"), (table,)))
    return Section("differences", translate("Differences and tests"), tuple(blocks))


def _omnibus_sentence(omnibus: Any) -> str:
    df = ", ".join(f"{d:g}" for d in omnibus.df)
    return translate(
        "All models together: {title}, {name} = {statistic} on {df} degrees of freedom, p {p}.",
        title=omnibus.title, name=omnibus.statistic_name, statistic=format_number(omnibus.statistic, digits=2), df=df,
        p=pvalue_phrase(omnibus.pvalue),
    )  # fmt: skip


def _posterior(material: Material) -> Figure | None:
    """The Bayesian correlated t-test of the two best models, where there are folds of one data set."""
    comparison, scores = material.comparison, material.scores
    if comparison is None or scores is None or len(scores.datasets) != 1 or scores.design.n_splits < 3:
        return None
    best, second = list(comparison.values)[:2]
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
    return Figure(posterior_figure(gaps, rho=rho, rope=0.01, model_a=best, model_b=second, measure=comparison.measure))


def _pair_table(comparison: Any) -> Table:
    frame = comparison._columns()
    heads = {
        "model_a": translate("a"), "model_b": translate("b"), "estimate": translate("a − b"),
        "low": translate("low"), "high": translate("high"),
        "pvalue": translate("p"), "pvalue_adjusted": translate("p, adjusted"), "conclusion": translate("conclusion"),
        "effect_size": translate("effect size"), "effect": translate("kind of effect"), "method": translate("test"),
    }  # fmt: skip
    columns = {head: list(frame[name]) for name, head in heads.items()}
    for name in ("conclusion", "effect", "method"):
        columns[heads[name]] = [render(v) for v in frame[name]]
    shown = {heads["estimate"]: [f"{v:+.4g}" for v in frame["estimate"]]}
    shown |= {heads[name]: [format_pvalue(v) for v in frame[name]] for name in ("pvalue", "pvalue_adjusted")}
    best = frozenset(i for i, c in enumerate(frame["conclusion"]) if c.endswith("better"))
    return Table(
        "pairs", translate("Every pair: a − b, with interval, test and effect size"), columns, shown, best_rows=best
    )


def _choice_block(comparison: Any) -> Folded:
    rejected = comparison.choice.rejected
    columns = {translate("test not taken"): list(rejected), translate("why"): [str(v) for v in rejected.values()]}
    text = translate(
        "Test taken: {test}. {reason}", test=comparison.choice.chosen, reason=getattr(comparison.choice, "reason", "")
    )
    return Folded(
        translate("Why this test, and why not the others"),
        (Paragraph(text), Table("choice", "", columns, wrap=frozenset({translate("why")}))),
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
        blocks.append(Table("scores", caption, columns))
    return Section("folds", translate("Over folds and data sets"), tuple(blocks))


# -- ROC, costs, explorer --------------------------------------------------------------------------------------------


def _roc_and_cost(material: Material) -> Section | None:
    predictions = material.predictions
    if predictions is None or len(predictions.datasets) != 1 or material.evaluation is None:
        return None
    rows = predictions.table()
    if rows.task not in ("binary", "multiclass"):
        return None
    figures: list[Figure] = []
    if material.roc is not None:
        figures.append(Figure(roc_figure(material.roc)))
    if material.costs is not None:
        figures.append(Figure(cost_curve_figure(material.costs)))
    scorers = [m for m in rows.models if rows.provides(m, "scores")]
    if scorers and rows.task == "binary":
        figures.append(Figure(precision_recall_figure(predictions)))
        if any(rows.provides(m, "probabilities") for m in scorers):
            figures.append(Figure(calibration_figure(predictions)))
        best = material.comparison.best if material.comparison is not None else scorers[0]
        if best in scorers:
            figures.append(Figure(score_distribution_figure(predictions, best)))
    labelled = [m for m in rows.models if rows.provides(m, "labels")]
    if labelled and len(rows.classes) <= 12:
        best = material.comparison.best if material.comparison is not None else ""
        figures.append(Figure(confusion_figure(predictions, best if best in labelled else labelled[0])))
    blocks: list[Block] = [Figures(tuple(figures))] if figures else []
    if material.costs is not None:
        columns = {heading(k): list(v) for k, v in material.costs.ranges(by="model")._columns().items()}
        blocks.append(Table("ranges", translate("Who is cheapest where"), columns))
    if not blocks:
        return None
    return Section("roc", translate("ROC, costs and calibration"), tuple(blocks))


def _explorer(material: Material) -> Section | None:
    if material.predictions is None or material.roc is None:
        return None
    data = explorer_data(material.predictions, context=material.context)
    return Section("explorer", translate("Which model for my costs?"), (Figure(data, wide=True),))


# -- failures, notes, how to repeat it -------------------------------------------------------------------------------


def _failures(material: Material) -> Section | None:
    failures = getattr(material.run, "failures", None)
    if failures is None or not len(failures):
        return None
    columns = {heading(k): list(v) for k, v in failures._columns().items()}
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

    from bakeoff import __version__
    from bakeoff.stats.resample import active_path

    versions = {
        "bakeoff": f"{__version__} ({active_path()} kernels)",
        "numpy": numpy.__version__,
        "python": platform.python_version(),
        "platform": platform.system(),
    }
    columns = {translate("what"): list(versions), translate("version"): list(versions.values())}
    blocks: list[Block] = [Table("versions", translate("Made with"), columns)]
    fingerprint = _fingerprint(material)
    if fingerprint:
        blocks.append(Paragraph(translate("Fingerprint of the predictions: {code}", code=fingerprint), muted=True))
    blocks.append(
        Code("import bakeoff\npredictions = bakeoff.Predictions.read(...)\nbakeoff.report(predictions).save(...)")
    )
    return Section("reproduce", translate("How to repeat it"), tuple(blocks))


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
