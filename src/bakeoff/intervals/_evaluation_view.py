"""What is shown of an evaluation: the best model first, then measures in rows and models in columns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bakeoff._core.language import Own, Text, listed, translate
from bakeoff._core.text import format_number, format_value
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.intervals._entry import Entry, level_text
from bakeoff.measures import label_of

if TYPE_CHECKING:
    from bakeoff.intervals._evaluation import Evaluation

_BEST = "*"
_FEW_MEASURES = 3  # of which there is space for standard errors too
_FEW_MODELS = 3  # that fit side by side in 80 columns
_MANY_DATASETS = 6


def evaluation_view(evaluation: Evaluation) -> View:
    """Arrange it: headline, tables, level, notes."""
    design = Text("Evidence: {design}.", design=evaluation.design.description)
    found = headline(evaluation)
    known = any(not math.isnan(e.low) for e in evaluation.entries)
    below = [level_text(evaluation.confidence_level)] if known else []
    if _compares(evaluation):
        below.append(Text("* the best model; compare tells whether a difference is more than chance"))
    more = len(evaluation.datasets) - _MANY_DATASETS
    if len(evaluation.measures) > 1 and more > 0:
        below.append(Text("… and {n} more data sets", n=more))
    return View((*([found] if found else ()), design), _tables(evaluation), below, evaluation._notes())


def headline(evaluation: Evaluation) -> Text | None:
    """Who is best in the first measure asked for, or the default one, of one data set; ties are called ties."""
    measure = first_measure(evaluation)
    own = [e for e in evaluation.entries if e.measure == measure and not math.isnan(e.estimate)]
    real = [e for e in own if e.model not in evaluation.baselines]
    if len(evaluation.datasets) != 1 or not real:
        return None
    best = _best(evaluation, own)
    values: dict[str, Any] = {"measure": label_of(measure)}
    if len(real) == 1 and (best is None or best[0] in real):
        cell = estimate_cell(real[0].estimate, real[0].low, real[0].high)
        return Text("{measure} of {model}: {cell}.", model=real[0].model, cell=cell, **values).as_role("headline")
    if best is None:
        return None
    values["cell"] = estimate_cell(best[0].estimate, best[0].low, best[0].high)
    if all(e.model in evaluation.baselines for e in best):
        text = Text("No model beats the trivial rule {model}: {measure} {cell}.", model=best[0].model, **values)
    elif len(best) == 1:
        text = Text("Best {measure}: {model}, {cell}.", model=best[0].model, **values)
    else:
        models, value = listed([e.model for e in best]), format_number(best[0].estimate)
        text = Text("Best {measure}: {models} tie at {value}.", models=models, value=value, **values)
    return text.as_role("headline")


def first_measure(evaluation: Evaluation) -> str:
    """The measure that the headline is about."""
    named = evaluation._first in evaluation.measures
    return evaluation._first if named else next(iter(evaluation.measures), "")


def _best(evaluation: Evaluation, entries: Sequence[Entry]) -> list[Entry] | None:
    """The best of some entries of one measure and data set; several where they tie; None where it is not known."""
    known = [e for e in entries if not math.isnan(e.estimate)]
    greater = evaluation.greater_is_better.get(entries[0].measure) if entries else None
    if greater is None or not known:
        return None
    top = (max if greater else min)(e.estimate for e in known)
    return [e for e in known if math.isclose(e.estimate, top, rel_tol=1e-12, abs_tol=1e-15)]


def _real(evaluation: Evaluation) -> list[str]:
    """The models without the trivial rules; of many the best come first, as the last may not fit."""
    models = [m for m in evaluation.models if m not in evaluation.baselines]
    measure = first_measure(evaluation)
    if len(models) <= _FEW_MODELS or measure not in evaluation.greater_is_better:
        return models
    sign = -1 if evaluation.greater_is_better[measure] else 1
    found = {m: [e.estimate for e in evaluation.entries if (e.model, e.measure) == (m, measure)] for m in models}
    means = {m: sign * sum(v) / max(len(v), 1) for m, v in found.items()}
    return sorted(models, key=lambda m: math.inf if math.isnan(means[m]) else means[m])


def _compares(evaluation: Evaluation) -> bool:
    return len(_real(evaluation)) > 1 and bool(evaluation.greater_is_better)


def _tables(evaluation: Evaluation) -> list[Table]:
    if len(evaluation.models) == 1 and len(evaluation.datasets) == 1:
        return [_one_model(evaluation.entries)]
    several = len(evaluation.datasets) > 1
    if several and len(evaluation.measures) == 1:
        title = Text("{measure} on each data set", measure=label_of(evaluation.measures[0]))
        rows = [(dataset, dataset, evaluation.measures[0]) for dataset in evaluation.datasets]
        return [Table(_cells(evaluation, rows, translate("data set")), title)]
    tables = []
    for dataset in evaluation.datasets[:_MANY_DATASETS]:
        rows = [(str(label_of(measure)), dataset, measure) for measure in evaluation.measures]
        tables.append(Table(_cells(evaluation, rows, "measure"), dataset if several else ""))
    return tables


def _one_model(entries: Sequence[Entry]) -> Table:
    return Table(
        {
            "measure": [str(label_of(e.measure)) for e in entries],
            translate("estimate and interval"): [estimate_cell(e.estimate, e.low, e.high) for e in entries],
            translate("standard error"): [e.standard_error for e in entries],
        }
    )


def _cells(evaluation: Evaluation, rows: Sequence[tuple[str, str, str]], first: str) -> dict[str, Sequence[Any]]:
    """Columns of models, the real ones first; the best of a row is marked; few measures have their standard errors."""
    found = {(e.dataset, e.model, e.measure): e for e in evaluation.entries}
    real = _real(evaluation)
    models = [*real, *evaluation.baselines]
    columns: dict[str, list[str]] = {first: [], **{Own(m): [] for m in models}}
    for name, dataset, measure in rows:
        entries = {m: entry for m in models if (entry := found.get((dataset, m, measure))) is not None}
        best = _best(evaluation, [e for m, e in entries.items() if m in real]) if _compares(evaluation) else None
        columns[first].append(name)
        for model in models:
            entry = entries.get(model)
            columns[model].append("–" if entry is None else _cell(entry, entry in (best or ())))
        if len(evaluation.measures) <= _FEW_MEASURES and any(e.standard_error > 0 for e in entries.values()):
            columns[first].append(translate("standard error"))
            for model in models:
                columns[model].append(format_value(entries[model].standard_error if model in entries else None))
    return dict(columns)


def _cell(entry: Entry, best: bool) -> str:
    number, *rest = estimate_cell(entry.estimate, entry.low, entry.high).split(" ", 1)
    return " ".join([number + _BEST * best, *rest])
