"""From evidence to a job: the measure, the pairs, and complete, paired numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._finding import MeasureInfo
from bakeoff.comparison._situation import DATASETS, FOLDS, Situation, outcomes_are_binary, situation_of
from bakeoff.evidence import Predictions, Rows, Scores
from bakeoff.measures import Measure, find, for_rows, get, require, unavailable


@dataclass(frozen=True)
class Prepared:
    """Evidence made ready: the situation, and what the procedures will read."""

    situation: Situation
    measure: Measure | MeasureInfo
    models: tuple[str, ...]
    rows: Rows | None = None
    matrix: FloatArray | None = None
    units: tuple[str, ...] = ()
    n_train: float | None = None
    n_test: float | None = None
    folds: tuple[FloatArray, ...] = ()
    overlap: tuple[float, ...] = ()
    notes: tuple[Note, ...] = ()


def prepare(evidence: Any, measure: str | Measure | None, *, control: str | None) -> Prepared:
    """Check the evidence against the question and bring it into the shape the procedures read."""
    if isinstance(evidence, Predictions):
        return _from_predictions(evidence, measure, control)
    if isinstance(evidence, Scores):
        return _from_scores(evidence, _measure_of_scores(evidence, measure), control)
    raise ParameterError(
        f"compare needs bakeoff.Predictions or bakeoff.Scores. Got {type(evidence).__name__} instead.",
        hint="Predictions.from_frame(df, y_true=…, y_score=[…]) or Scores.from_wide(df)",
    )


# -- the measure ------------------------------------------------------------------------------------------------------


def default_measure(predictions: Predictions) -> str:
    """AUC where every model has scores and the positive class is known; else accuracy, RMSE or the mean outcome."""
    tables = list(predictions)
    task = tables[0].task
    if task == "outcomes":
        return "accuracy" if all(outcomes_are_binary(rows) for rows in tables) else "mean_outcome"
    if task == "regression":
        return "rmse"
    can_rank = all(unavailable(get("auc"), rows, m) is None for rows in tables for m in rows.models)
    has_labels = all(unavailable(get("accuracy"), rows, m) is None for rows in tables for m in rows.models)
    return "auc" if task == "binary" and (can_rank or not has_labels) else "accuracy"


def _measure_of_scores(scores: Scores, asked: str | Measure | None) -> MeasureInfo:
    """Scores carry their measure; naming it again is fine, naming another is not."""
    name = asked.name if isinstance(asked, Measure) else asked
    known = find(name or scores.measure)
    if name is not None and scores.measure not in (name, "score", known.name if known else name):
        raise ParameterError(
            f"the scores are of {scores.measure!r}, not of {name!r}.",
            hint="leave measure= out, or compute the scores of that measure",
        )
    unnamed = scores.measure == "score" and name is not None
    greater = known.greater_is_better if unnamed and known is not None else scores.greater_is_better
    bounds = known.bounds if known is not None else (-np.inf, np.inf)
    return MeasureInfo(name or scores.measure, greater, _seen_bounds(bounds, scores))


def _seen_bounds(bounds: tuple[float, float], scores: Scores) -> tuple[float, float]:
    """The catalogue's bounds, unless the numbers lie outside them (percentages, for instance)."""
    values = np.concatenate([cells.ravel() for cells in scores.cells.values()])
    values = values[np.isfinite(values)]
    if values.size and bounds[0] <= values.min() and values.max() <= bounds[1]:
        return bounds
    return (-np.inf, np.inf)


# -- predictions ------------------------------------------------------------------------------------------------------


def _from_predictions(predictions: Predictions, asked: str | Measure | None, control: str | None) -> Prepared:
    measure = get(default_measure(predictions) if asked is None else asked)
    situation = situation_of(predictions, measure, name=measure.name, control=control is not None)
    notes = _measure_note(asked, measure.name)
    if not situation.one_test_set:
        scores = predictions.scores(measure)
        prepared = _from_scores(scores, measure, control, situation)
        rows = predictions.table() if situation.n_datasets == 1 else None
        return replace(prepared, rows=rows, notes=(*notes, *_grouped_notes(situation), *prepared.notes))
    rows = predictions.table().written_out()
    measure = for_rows(measure, rows)
    if measure.needs == "times":
        raise EvidenceError(
            f"{measure.name} was measured once for each model, which says nothing about how much it varies.",
            hint="compare times over several splits: run the models with a resampling protocol",
        )
    for model in rows.models:
        require(measure, rows, model)
    return Prepared(situation, measure, rows.models, rows, notes=(*notes, *_label_notes(measure, rows)))


def _measure_note(asked: object, name: str) -> tuple[Note, ...]:
    return (
        ()
        if asked is not None
        else (Note("default-measure", said("No measure was named; {name} was compared.", name=name)),)
    )


def _label_notes(measure: Measure, rows: Rows) -> tuple[Note, ...]:
    if measure.needs != "labels" or not any(rows.labels_are_derived(m) for m in rows.models):
        return ()
    names = [m for m in rows.models if rows.labels_are_derived(m)]
    rule = "p ≥ 0.5" if len(rows.classes) == 2 else "the likeliest class"
    message = said("The labels of {names} were derived from probabilities ({rule}).", names=", ".join(names), rule=rule)
    return (Note("derived-labels", message),)


def _grouped_notes(situation: Situation) -> tuple[Note, ...]:
    if not situation.grouped or situation.unit != FOLDS:
        return ()
    message = said(
        "The rows are grouped, and the comparison is over folds: it is right only if the folds keep groups together "
        "(leave-group-out)."
    )
    return (Note("groups-in-folds", message),)


# -- scores -----------------------------------------------------------------------------------------------------------


def _from_scores(
    scores: Scores, measure: Measure | MeasureInfo, control: str | None, situation: Situation | None = None
) -> Prepared:
    situation = situation or situation_of(scores, None, name=measure.name, control=control is not None)
    situation = replace(situation, measure=measure.name)
    if situation.unit == DATASETS:
        return _over_datasets(scores, measure, situation)
    return _over_folds(scores, measure, situation)


def _over_folds(scores: Scores, measure: Measure | MeasureInfo, situation: Situation) -> Prepared:
    """One data set: every split must have every model."""
    name = scores.datasets[0]
    cells, splits = scores.cells[name], scores.splits[name]
    complete = np.asarray(np.isfinite(cells).all(axis=1))
    notes = _left_out_note(scores, cells, complete, [f"fold {s.fold} of repeat {s.repeat}" for s in splits])
    if complete.sum() < 2:
        raise EvidenceError(
            f"compare needs at least two splits with a score of every model. Got {int(complete.sum())} of "
            f"{len(cells)}.",
            hint="leave out the model that failed, or run its missing folds again",
        )
    if not complete.all():  # the balance of a 5×2 design is gone; what is left is plain resampling
        kind = "k-fold" if situation.kind == "5x2cv" else situation.kind
        situation = replace(situation, kind=kind, n_splits=int(complete.sum()))
    kept = [s for s, keep in zip(splits, complete, strict=True) if keep]
    train = [s.n_train for s in kept]
    known = bool(kept) and all(train) and all(s.n_test for s in kept)
    return Prepared(
        situation, measure, scores.models, matrix=cells[complete],
        units=tuple(f"repeat {s.repeat}, fold {s.fold}" for s in kept),
        n_train=float(np.mean([t for t in train if t])) if known else None,
        n_test=float(np.mean([s.n_test for s in kept])) if known else None,
        notes=(*notes, *_reasons(scores)),
    )  # fmt: skip


def _over_datasets(scores: Scores, measure: Measure | MeasureInfo, situation: Situation) -> Prepared:
    """Several data sets: one mean per model and data set, over the splits that every model has."""
    tables = {d: cells[np.isfinite(cells).all(axis=1)] for d, cells in scores.cells.items()}
    kept = [d for d, cells in tables.items() if len(cells)]
    lost = [d for d in scores.datasets if d not in kept]
    notes = [*_reasons(scores), *_partial_notes(scores, tables, kept)]
    if lost:
        notes.append(_lost_note(scores, lost))
    if len(kept) < 2 and len(scores.datasets) > 1:
        raise EvidenceError(
            f"only {len(kept)} of {len(scores.datasets)} data sets have a score of every model; missing: "
            f"{_cells(scores, lost)}.",
            hint="leave out the model with gaps (.select(models=…)), or fill the gaps",
        )
    if situation.n_splits > 1:
        notes.append(_FOLDS_AVERAGED)
    splits = [scores.splits[d] for d in kept]
    return Prepared(
        replace(situation, n_datasets=len(kept)), measure, scores.models,
        matrix=np.stack([tables[d].mean(axis=0) for d in kept]),
        units=tuple(kept),
        folds=tuple(tables[d] for d in kept),
        overlap=tuple(_overlap(s) for s in splits),
        notes=tuple(notes),
    )  # fmt: skip


def _overlap(splits: Sequence[Any]) -> float:
    """n_test / (n_train + n_test); from the number of folds where the sizes are not known."""
    sized = [s.n_test / (s.n_train + s.n_test) for s in splits if s.n_train and s.n_test]
    if sized:
        return float(np.mean(sized))
    folds = len(splits) / max(len({s.repeat for s in splits}), 1)
    return 1 / folds if folds > 1 else 0.5


_FOLDS_AVERAGED = Note(
    "folds-averaged",
    said(
        "Each data set enters with one number per model, the mean over its splits: folds of one data set are not "
        "independent data sets."
    ),
)


def _reasons(scores: Scores) -> list[Note]:
    """Why single scores are missing, as plain notes: the warning is that splits or data sets were left out for it."""
    return [Note(note.code, note.message) for note in scores.notes]


def _left_out_note(scores: Scores, cells: FloatArray, complete: BoolArray, names: list[str]) -> list[Note]:
    if complete.all():
        return []
    gaps = [
        f"{scores.models[j]!r} in {names[i] if i < len(names) else f'split {i}'}"
        for i, j in np.argwhere(~np.isfinite(cells))
    ]
    listed = ", ".join(gaps[:6]) + (", …" if len(gaps) > 6 else "")
    message = said(
        "{lost} of {n} splits were left out for all models, because a score is missing: {listed}.",
        lost=int((~complete).sum()),
        n=len(cells),
        listed=listed,
    )
    return [warning_note("incomplete-splits", message)]


def _partial_notes(scores: Scores, tables: dict[str, FloatArray], kept: list[str]) -> list[Note]:
    short = [d for d in kept if len(tables[d]) < len(scores.cells[d])]
    if not short:
        return []
    listed = ", ".join(f"{d} ({len(tables[d])} of {len(scores.cells[d])} splits used)" for d in short[:6])
    more = ", …" if len(short) > 6 else ""
    return [
        warning_note(
            "incomplete-splits",
            said("Splits without a score of every model were left out: {listed}{more}.", listed=listed, more=more),
        )
    ]


def _lost_note(scores: Scores, lost: list[str]) -> Note:
    message = said(
        "{n} of {n2} data sets were left out, because a score is missing: {scores}.",
        n=len(lost),
        n2=len(scores.datasets),
        scores=_cells(scores, lost),
    )
    return warning_note("incomplete-data-sets", message)


def _cells(scores: Scores, datasets: list[str]) -> str:
    gaps = []
    for dataset in datasets:
        absent = np.flatnonzero(~np.isfinite(scores.cells[dataset]).any(axis=0))
        missing = [scores.models[j] for j in absent] or ["no split is complete"]
        gaps.append(f"{', '.join(missing)} on {dataset}")
    return "; ".join(gaps[:6]) + ("; …" if len(gaps) > 6 else "")


def find_model(models: Sequence[str], name: str, role: str) -> int:
    """Return the position of a model, or say which models there are."""
    if str(name) not in models:
        raise unknown_choice(role, name, models)
    return list(models).index(str(name))
