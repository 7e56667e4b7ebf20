"""From evidence to jobs: the measure, the pairs, and complete, paired numbers. The one place that makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text, joined, label
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.comparison._conditions import DATASETS, FOLDS, PAIRED_REPEATS, ROWS_OVER_FOLDS, DesignFacts, facts_of
from bakeoff.comparison._jobs import (
    DatasetJob,
    FoldJob,
    GivenMeasure,
    InstanceJob,
    Jobs,
    Pair,
    Request,
    RowsOverFoldsJob,
)
from bakeoff.evidence import Predictions, Rows, Scores, Split, always
from bakeoff.measures import (
    RARE,
    Measure,
    commonest,
    default_measure,
    directed,
    find,
    for_rows,
    get,
    require,
    rows_for,
    score_predictions,
    unavailable,
)


def prepare(evidence: Any, measure: str | Measure | None, question: Request | None = None) -> Jobs:
    """Check the evidence against the question and bring it into the shapes the tests read."""
    question = Request() if question is None else question
    if isinstance(evidence, Predictions):
        return _from_predictions(evidence, measure, question)
    if isinstance(evidence, Scores):
        if measure is not None and evidence.measure == "score":  # direction and bounds of the measure named are taken
            evidence = evidence.named(measure)
        given = _measure_of_scores(evidence, measure)
        return _from_scores(evidence, _Asked(question, given, facts_of(evidence, None, name=given.name)))
    raise ParameterError(
        f"compare needs bakeoff.Predictions or bakeoff.Scores. Got {type(evidence).__name__} instead.",
        hint="Predictions.from_frame(df, y_true=…, y_score=[…]) or Scores.from_wide(df)",
    )


@dataclass(frozen=True)
class _Asked:
    """A question about a measure on a design: what all jobs of one comparison share."""

    question: Request
    measure: Measure | GivenMeasure
    facts: DesignFacts

    def of(self, models: tuple[str, ...], **facts: Any) -> dict[str, Any]:
        """The fields of a job of these models, with the facts of the design as they turned out."""
        return {
            "models": models,
            "pairs": _pairs(models, self.question.control),
            "measure": self.measure,
            "facts": replace(self.facts, **facts),
            "question": self.question,
        }


def _pairs(models: tuple[str, ...], control: str | None) -> tuple[Pair, ...]:
    if control is None or len(models) < 2:
        return tuple(Pair(i, j) for i in range(len(models)) for j in range(i + 1, len(models)))
    if str(control) not in models:
        raise unknown_choice("control", control, models)
    place = models.index(str(control))
    return tuple(Pair(i, place) for i in range(len(models)) if i != place)


# -- the measure ------------------------------------------------------------------------------------------------------


def _measure_of_scores(scores: Scores, asked: str | Measure | None) -> GivenMeasure:
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
    return GivenMeasure(name or scores.measure, greater, _seen_bounds(bounds, scores))


def _seen_bounds(bounds: tuple[float, float], scores: Scores) -> tuple[float, float]:
    """The catalogue's bounds, unless the numbers lie outside them (percentages, for instance)."""
    values = np.concatenate([cells.ravel() for cells in scores.cells.values()])
    values = values[np.isfinite(values)]
    if values.size and bounds[0] <= values.min() and values.max() <= bounds[1]:
        return bounds
    return (-np.inf, np.inf)


# -- predictions ------------------------------------------------------------------------------------------------------


def _from_predictions(predictions: Predictions, asked: str | Measure | None, question: Request) -> Jobs:
    measure = directed(default_measure(predictions) if asked is None else get(asked), next(iter(predictions)))
    shared_by_all, left_out, unequal = _on_shared_items(predictions, measure)
    told = (*predictions.notes, *(_measure_notes(predictions, measure) if asked is None else ()), *left_out)
    jobs = _on_same_rows(shared_by_all, measure, question, told)
    if not unequal or not jobs.first.facts.one_test_set:
        return jobs

    def apart(pair: Pair) -> Jobs:
        both = predictions.select(models=[jobs.first.models[i] for i in pair])
        alone = replace(question, control=None)
        return _on_same_rows(_on_shared_items(both, measure)[0], measure, alone, ())

    return replace(jobs, apart=apart)


def _on_shared_items(predictions: Predictions, measure: Measure) -> tuple[Predictions, list[Note], bool]:
    """Keep the items that all models answered, and on which the measure is defined; say how many are left out."""
    tables, notes, unequal = {}, [], False
    for name, rows in predictions.tables.items():
        asked = for_rows(measure, rows)
        if any(unavailable(asked, rows, m) is not None for m in rows.models):
            return predictions, [], False  # told where it is asked for
        kept = rows_for(asked, rows, rows.models)
        if kept.n == 0:
            raise EvidenceError(
                f"no item of {name!r} was answered by all of {', '.join(map(repr, rows.models[:6]))}.",
                hint="compare models that share items: .select(models=[…])",
            )
        if kept is not rows:
            unequal = True
            notes.append(_left_out(rows, kept, measure))
        tables[name] = kept
    return (replace(predictions, tables=tables) if unequal else predictions), notes, unequal


def _left_out(rows: Rows, kept: Rows, measure: Measure) -> Note:
    text = Text(
        "{n} of {all} items are not shared by all models{why} and were left out: {each}.",
        n=rows.n - kept.n,
        all=rows.n,
        why=Text(", or have too few attempts for {name},", name=label(measure.name)) if measure.partial else "",
        each=", ".join(f"{m} {int(rows.has(m).sum()) - kept.n}" for m in rows.models[:6]),
    )
    return Note("items-left-out", text)


def _on_same_rows(predictions: Predictions, measure: Measure, question: Request, notes: tuple[Note, ...]) -> Jobs:
    """Jobs of models that answered the same rows."""
    predictions = predictions.about(measure.needs)
    facts = replace(facts_of(predictions, measure, name=measure.name), margin=question.margin is not None)
    shared = _Asked(question, measure, facts)
    if shared.facts.one_test_set:
        rows = _to_read(predictions.table())
        shared = replace(shared, facts=replace(facts, counted=rows.frequency is not None))
        job = _instance_job(shared, measure, rows)
        for model in rows.models:
            require(job.measure, rows, model)
        return Jobs((job,), (*notes, *_label_notes(job.measure, rows)))
    notes = (*notes, *_grouped_notes(facts))
    # A ranking is about pairs within a fold: a fold of one class has none.
    rows_tell = ROWS_OVER_FOLDS.holds(facts) and PAIRED_REPEATS.holds(facts) and not measure.is_area
    over_units, problem = Jobs(()), None
    try:
        over_units = _from_scores(score_predictions(predictions, measure), shared)
    except EvidenceError as missing:
        if not rows_tell:
            raise
        problem = missing
    if facts.n_datasets > 1:
        return Jobs(over_units.every, (*notes, *over_units.notes))
    # Where a fold has no score the rows still tell: the measure is one of all rows of a repeat.
    rows_first = problem is not None or (rows_tell and over_units.first.facts.n_splits < facts.n_splits)
    shared = shared if rows_first else replace(shared, facts=over_units.first.facts)
    rows = _to_read(predictions.table())
    over_folds = RowsOverFoldsJob(**{**shared.of(rows.models), "measure": measure}, rows=rows)
    over_rows = (over_folds, _instance_job(shared, measure, rows))
    every = (*over_rows, *over_units.every) if rows_first else (*over_units.every, *over_rows)
    return Jobs(every, notes, of_scores=over_units.notes, no_scores=problem)


_MOST_WRITTEN = 2**24


def _to_read(rows: Rows) -> Rows:
    """Every case a row of its own, which every test can read; unless they are too many and their scores are counted."""
    few = rows.frequency is None or int(rows.frequency.sum()) <= _MOST_WRITTEN
    return rows.written_out() if few and rows.fine is None else rows


def _instance_job(shared: _Asked, measure: Measure, rows: Rows) -> InstanceJob:
    measure = for_rows(measure, rows)
    if measure.needs == "times" and shared.facts.one_test_set:
        raise EvidenceError(
            f"{measure.name} was measured once for each model, which says nothing about how much it varies.",
            hint="compare times over several splits: run the models with a resampling protocol",
        )
    return InstanceJob(**{**shared.of(rows.models), "measure": measure}, rows=rows)


RARE_CLASS = "rare-class"  # code of the note that names the trivial rule


def _measure_notes(predictions: Predictions, measure: Measure) -> list[Note]:
    """What was compared where nothing was named; of labels with a rare class also what answering none of it gets."""
    notes = [Note("default-measure", Text("No measure was named; {name} was compared.", name=measure.label))]
    for rows in predictions:
        label, share = commonest(rows) if measure.needs == "labels" and rows.task == "binary" else ("", 0.0)
        if 1 - share < RARE:
            text = Text(
                "The trivial rule {rule} is right on {share:.1f} % of {name!r}, so that accuracy tells little.",
                rule=always(label), share=100 * share, name=rows.name,
            )  # fmt: skip
            notes.append(Note(RARE_CLASS, text))
    return notes


def _label_notes(measure: Measure, rows: Rows) -> tuple[Note, ...]:
    names = [m for m in rows.models if rows.labels_are_derived(m)] if measure.needs == "labels" else []
    if not names:
        return ()
    rule = "p ≥ 0.5" if len(rows.classes) == 2 else Text("the likeliest class")
    message = Text("The labels of {names} were derived from probabilities ({rule}).", names=", ".join(names), rule=rule)
    return (Note("derived-labels", message),)


def _grouped_notes(facts: DesignFacts) -> tuple[Note, ...]:
    if not facts.grouped or facts.unit != FOLDS:
        return ()
    message = Text(
        "The rows are grouped, and the comparison is over folds: it is right only if the folds keep groups together "
        "(leave-group-out)."
    )
    return (Note("groups-in-folds", message),)


# -- scores -----------------------------------------------------------------------------------------------------------


def _from_scores(scores: Scores, shared: _Asked) -> Jobs:
    return _over_datasets(scores, shared) if shared.facts.unit == DATASETS else _over_folds(scores, shared)


def _over_folds(scores: Scores, shared: _Asked) -> Jobs:
    """One data set: every split must have every model."""
    name = scores.datasets[0]
    cells, splits = scores.cells[name], scores.splits[name]
    complete = np.asarray(np.isfinite(cells).all(axis=1))
    notes = _left_out_note(
        scores, cells, complete, [Text("fold {fold} of repeat {repeat}", fold=s.fold, repeat=s.repeat) for s in splits]
    )
    if complete.sum() < 2:
        raise EvidenceError(
            f"compare needs at least two splits with a score of every model. Got {int(complete.sum())} of "
            f"{len(cells)}.",
            hint="leave out the model that failed, or run its missing folds again",
        )
    kept = tuple(s for s, keep in zip(splits, complete, strict=True) if keep)
    fields = shared.of(scores.models, **_facts_of_kept(shared.facts, complete)) | {
        "scores": cells[complete],
        "units": tuple(Text("repeat {repeat}, fold {fold}", repeat=s.repeat, fold=s.fold) for s in kept),
    }
    return Jobs((FoldJob(**fields, splits=kept), DatasetJob(**fields)), (*notes, *_reasons(scores)))


def _facts_of_kept(facts: DesignFacts, complete: BoolArray) -> dict[str, Any]:
    """With a split left out the balance of a 5×2 design is gone; what is left is plain resampling."""
    if complete.all():
        return {}
    return {"kind": "k-fold" if facts.kind == "5x2cv" else facts.kind, "n_splits": int(complete.sum())}


def _over_datasets(scores: Scores, shared: _Asked) -> Jobs:
    """Several data sets: one mean per model and data set, over the splits that every model has."""
    tables = {d: cells[np.isfinite(cells).all(axis=1)] for d, cells in scores.cells.items()}
    kept = [d for d, cells in tables.items() if len(cells)]
    lost = [d for d in scores.datasets if d not in kept]
    notes = [*_reasons(scores), *_partial_notes(scores, tables, kept)]
    if lost:
        notes.append(_lost_note(scores, lost))
    if not kept or (len(kept) < 2 and len(scores.datasets) > 1):
        raise EvidenceError(
            f"only {len(kept)} of {len(scores.datasets)} data sets have a score of every model; missing: "
            f"{_cells(scores, lost)}.",
            hint="leave out the model with gaps (.select(models=…)), or fill the gaps",
        )
    if shared.facts.n_splits > 1:
        notes.append(_FOLDS_AVERAGED)
    job = DatasetJob(
        **shared.of(scores.models, n_datasets=len(kept)),
        scores=np.stack([tables[d].mean(axis=0) for d in kept]),
        units=tuple(kept),
        folds=tuple(tables[d] for d in kept),
        overlap=tuple(_overlap(scores.splits[d]) for d in kept),
    )
    return Jobs((job,), tuple(notes))


def _overlap(splits: Sequence[Split]) -> float:
    """n_test / (n_train + n_test); from the number of folds where the sizes are not known."""
    sized = [s.n_test / (s.n_train + s.n_test) for s in splits if s.n_train and s.n_test]
    if sized:
        return float(np.mean(sized))
    folds = len(splits) / max(len({s.repeat for s in splits}), 1)
    return 1 / folds if folds > 1 else 0.5


_FOLDS_AVERAGED = Note(
    "folds-averaged",
    Text(
        "Each data set enters with one number per model, the mean over its splits: folds of one data set are not "
        "independent data sets."
    ),
)


def _reasons(scores: Scores) -> list[Note]:
    """Why single scores are missing, as plain notes: the warning is that splits or data sets were left out for it."""
    return [Note(note.code, note.text) for note in scores.notes]


def _left_out_note(scores: Scores, cells: FloatArray, complete: BoolArray, names: list[Text]) -> list[Note]:
    if complete.all():
        return []
    gaps = [
        Text("{model!r} in {place}", model=scores.models[j], place=names[i])
        for i, j in np.argwhere(~np.isfinite(cells))
    ]
    message = Text(
        "{lost} of {n} splits were left out for all models, because a score is missing: {listed}.",
        lost=int((~complete).sum()), n=len(cells), listed=_first_six(gaps, ", "),
    )  # fmt: skip
    return [warning_note("incomplete-splits", message)]


def _first_six(parts: Sequence[Text], separator: str) -> Text:
    return joined([*parts[:6], *(["…"] if len(parts) > 6 else [])], separator)


def _partial_notes(scores: Scores, tables: dict[str, FloatArray], kept: list[str]) -> list[Note]:
    short = [d for d in kept if len(tables[d]) < len(scores.cells[d])]
    if not short:
        return []
    parts = [
        Text("{dataset} ({kept} of {n} splits used)", dataset=d, kept=len(tables[d]), n=len(scores.cells[d]))
        for d in short
    ]
    text = Text("Splits without a score of every model were left out: {listed}.", listed=_first_six(parts, ", "))
    return [warning_note("incomplete-splits", text)]


def _lost_note(scores: Scores, lost: list[str]) -> Note:
    message = Text(
        "{n} of {n2} data sets were left out, because a score is missing: {scores}.",
        n=len(lost), n2=len(scores.datasets), scores=_cells(scores, lost),
    )  # fmt: skip
    return warning_note("incomplete-data-sets", message)


def _cells(scores: Scores, datasets: list[str]) -> Text:
    gaps = []
    for dataset in datasets:
        absent = np.flatnonzero(~np.isfinite(scores.cells[dataset]).any(axis=0))
        names = ", ".join(scores.models[j] for j in absent)
        known = Text("{models} on {dataset}", models=names, dataset=dataset)
        gaps.append(known if names else Text("no split is complete on {dataset}", dataset=dataset))
    return _first_six(gaps, "; ")
