"""Measures of evidence: one number for a model, over all rows or by split, with the reason where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text, joined, label
from bakeoff._core.result import Note, warning_note
from bakeoff._core.validation import FloatArray
from bakeoff.counts import sample_of
from bakeoff.evidence import Predictions, Rows, Scores, Split
from bakeoff.measures._additive import serves
from bakeoff.measures._catalogue import catalogue, get
from bakeoff.measures._measure import Measure, Trait


class Value(NamedTuple):
    """A number, or NaN and the reason why there is none.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import compute, get
    >>> rows = bakeoff.Predictions.from_arrays([0, 0, 1, 1], y_pred={"shy": [0, 0, 0, 0]}).table()
    >>> print(compute(get("precision"), rows, "shy").reason)
    precision undefined: no row is predicted positive in 'data'
    """

    value: float
    reason: Text | None = None


def for_rows(measure: Measure, rows: Rows) -> Measure:
    """Return the measure as it applies here: 0/1 outcomes are right and wrong answers, so accuracy is their mean.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import for_rows, get
    >>> rows = bakeoff.Predictions.from_outcomes({"a": [1, 0, 1, 1]}).table()
    >>> for_rows(get("accuracy"), rows).meaning
    'share of items solved'
    """
    own = measure.outcomes or measure
    if own is measure or not rows.right_or_wrong:
        return measure
    if rows.solved_or_not():
        return own
    return replace(own, limits=())  # an item's mean over attempts is no success or failure


def directed(measure: Measure, rows: Rows) -> Measure:
    """Return the measure with the direction of the outcomes, which may be of something of which less is better.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import bakeoff
    >>> from bakeoff.measures import directed, get
    >>> rows = bakeoff.Predictions.from_outcomes({"a": [1.5, 0.5]}).table()
    >>> directed(get("mean_outcome"), replace(rows, less_is_better=True)).greater_is_better
    False
    """
    if not rows.less_is_better:
        return measure
    if measure.has(Trait.RIGHT_OR_WRONG):
        raise EvidenceError(
            f"of the outcomes of {rows.name!r} less is better: none of them is right or wrong, as {measure.name} asks.",
            hint="measure='mean_outcome' takes them as they are",
        )
    if not measure.greater_is_better:
        return measure
    return replace(measure, greater_is_better=False, bounds=(-np.inf, np.inf))


def rows_for(measure: Measure, rows: Rows, models: Sequence[str]) -> Rows:
    """Return the rows that all of these models answered and on which the measure of each is defined.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, rows_for
    >>> long = {"id": [1, 1, 2], "who": ["a"] * 3, "right": [1, 0, 1], "try": [1, 2, 1]}
    >>> p = bakeoff.Predictions.from_outcomes(long, item="id", model="who", outcome="right", attempt="try")
    >>> rows_for(get("pass@2"), p.table(), ["a"]).n
    1
    """
    return measure.usable_rows(rows.answered(models), models)


def left_out_notes(measure: Measure, rows: Rows, models: Sequence[str]) -> tuple[Note, ...]:
    """How many of the rows that these models answered the measure is not defined on.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, left_out_notes
    >>> left_out_notes(get("pass@1"), bakeoff.Predictions.from_outcomes({"a": [1, 0]}).table(), ["a"])
    ()
    """
    answered = rows.answered(models)
    kept = rows_for(measure, answered, models)
    if kept.n == answered.n:
        return ()
    text = Text(
        "{n} of {all} items have too few attempts for {name} and were left out.",
        n=answered.n - kept.n, all=answered.n, name=label(measure.name),
    )  # fmt: skip
    return (Note("few-attempts", text),)


@dataclass(frozen=True)
class Unavailable:
    """Why the evidence cannot give a measure: what is lacking, and the sentence; ``str`` is the sentence.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, unavailable
    >>> rows = bakeoff.Predictions.from_arrays(["x", "y", "y"], y_pred={"a": ["x", "y", "x"]}).table()
    >>> unavailable(get("recall"), rows, "a").lacks
    'positive class'
    """

    lacks: Literal["task", "times", "positive class", "output"]
    text: Text

    def __str__(self) -> str:
        return str(self.text)


def unavailable(measure: Measure, rows: Rows, model: str) -> Unavailable | None:
    """Return why the evidence cannot give this measure of this model, or None if it can.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, unavailable
    >>> rows = bakeoff.Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1, 0]}).table()
    >>> print(unavailable(get("auc"), rows, "a"))
    it needs scores of model 'a'
    """
    measure = for_rows(measure, rows)
    if rows.task not in measure.tasks:
        return Unavailable("task", _wrong_task(measure, rows))
    if measure.needs == "times":
        text = Text("times are recorded by bakeoff.run, not found in predictions")
        return None if rows.times else Unavailable("times", text)
    if (measure.needs_positive or measure.needs == "scores") and rows.positive is None:
        if len(rows.classes) > 2:
            text = Text("it is about one class against the rest, and there are {n} classes", n=len(rows.classes))
            return Unavailable("positive class", text)
        return Unavailable("positive class", Text("it needs a positive class, which is not named"))
    if not rows.provides(model, measure.needs):
        needs = _NEEDS_IN_WORDS.get(measure.needs, label(measure.needs))
        text = Text("it needs {needs} of model {model!r}", needs=needs, model=model)
        return Unavailable("output", text)
    if measure.columns and not serves(measure, rows.columns):
        ways = joined([", ".join(way) for way in measure.columns], "; ")
        return Unavailable("output", Text("it needs the columns {ways}", ways=ways))
    if not measure.usable_rows(rows, (model,)).n:
        return Unavailable("output", label(measure.undefined_when))
    return None


_NEEDS_IN_WORDS = {"attempts": Text("outcomes that are 0 or 1")}


def _wrong_task(measure: Measure, rows: Rows) -> Text:
    tasks = label(measure.tasks[0])
    for task in measure.tasks[1:]:
        tasks = Text("{names} and {last}", names=tasks, last=label(task))
    return Text(
        "{measure} is for {tasks} tasks, and {name!r} is {task}",
        measure=label(measure.name), tasks=tasks, name=rows.name, task=label(rows.task),
    )  # fmt: skip


def require(measure: Measure, rows: Rows, model: str) -> None:
    """Raise with a hint if the evidence cannot give the measure.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import get, require
    >>> rows = bakeoff.Predictions.from_arrays([0, 1, 1], y_pred={"a": [0, 1, 0]}).table()
    >>> try:
    ...     require(get("auc"), rows, "a")
    ... except bakeoff.EvidenceError as problem:
    ...     print(problem.message)
    ...
    auc cannot be computed on 'data': it needs scores of model 'a'.
    """
    reason = unavailable(measure, rows, model)
    if reason is None:
        return
    hint = {
        "labels": "give y_pred, or y_score as probabilities between 0 and 1",
        "scores": "give y_score and, for labels other than 0/1, pos_label",
        "probabilities": "give y_score as probabilities (between 0 and 1; several classes: one column each)",
        "values": "give y_value",
    }.get(measure.needs)
    if reason.lacks == "positive class":
        hint = _over_classes(measure, rows)
    raise EvidenceError(f"{measure.name} cannot be computed on {rows.name!r}: {reason}.", hint=hint)


def _over_classes(measure: Measure, rows: Rows) -> str:
    """What to take instead of a measure of one class: those of the catalogue that are made of it for all classes."""
    named = "name one class with pos_label= (--positive)"
    if len(rows.classes) < 3:
        return f"{named}, or take an average over classes such as f1_macro"
    known = (get(name) for name in catalogue() if {measure.name} & set(name.split("_")))
    over_all = [m.name for m in known if m.needs != "scores" and not m.needs_positive and rows.task in m.tasks]
    first = f"over all classes: {', '.join(over_all)}; " if over_all else ""
    return f"{first}of each class: evaluate(…).per_class (--per-class); or {named}"


def compute(measure: Measure, rows: Rows, model: str) -> Value:
    """Compute a measure over all rows of one model, from counts where the measure is a function of counts.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import compute, get
    >>> rows = bakeoff.Predictions.from_arrays([0, 0, 1, 1], y_pred={"a": [0, 1, 1, 1]}).table()
    >>> compute(get("accuracy"), rows, "a").value
    0.75
    """
    measure = for_rows(measure, rows)
    require(measure, rows, model)
    own = rows_for(measure, rows, (model,))
    return _explained(measure, measure.form.value(measure, own, model), rows)


def compute_by_split(measure: Measure, rows: Rows, model: str) -> list[Value]:
    """Compute a measure on every split of one model.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import compute_by_split, get
    >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1]}, fold=[0, 0, 1, 1])
    >>> [v.value for v in compute_by_split(get("accuracy"), p.table(), "a")]
    [1.0, 0.5]
    """
    measure = for_rows(measure, rows)
    require(measure, rows, model)
    if len(rows.splits) < 2:
        return [compute(measure, rows, model)]
    values = measure.form.by_split(measure, rows, model)
    return [_explained(measure, float(v), rows, j) for j, v in enumerate(values)]


def _explained(measure: Measure, value: float, rows: Rows, split: int | None = None) -> Value:
    if not np.isnan(value):
        return Value(value)
    where = None if split is None else rows.splits[split]
    return Value(value, undefined_reason(measure, rows.name, where, rows.splits))


def undefined_reason(measure: Measure, dataset: str, split: Split | None = None, splits: Sequence[Split] = ()) -> Text:
    """Return why a measure has no value on a data set, or on one of its splits.

    Examples
    --------
    >>> from bakeoff.measures import get, undefined_reason
    >>> print(undefined_reason(get("recall"), "churn"))
    recall undefined: there are no positives in 'churn'
    """
    where: Text | str = repr(dataset)
    if split is not None and len({s.repeat for s in splits}) == 1:
        where = Text("fold {fold} of {name!r}", fold=split.fold, name=dataset)
    elif split is not None:
        where = Text("fold {fold} of repeat {repeat} of {name!r}", fold=split.fold, repeat=split.repeat, name=dataset)
    return Text(
        "{measure} undefined: {reason} in {where}",
        measure=label(measure.name), reason=label(measure.undefined_when), where=where,
    )  # fmt: skip


def score_predictions(predictions: Predictions, measure: str | Measure) -> Scores:
    """One number per data set, model, repeat and fold; undefined ones are NaN and noted.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import score_predictions
    >>> p = bakeoff.Predictions.from_arrays([0, 1, 0, 1], y_pred={"a": [0, 1, 1, 1]}, fold=[0, 0, 1, 1])
    >>> score_predictions(p, "accuracy").cells["data"].ravel().tolist()
    [1.0, 0.5]
    """
    chosen = get(measure)
    models = predictions.models
    cells: dict[str, FloatArray] = {}
    splits: dict[str, tuple[Split, ...]] = {}
    notes: list[Note] = []
    for rows in predictions:
        table = np.full((max(len(rows.splits), 1), len(models)), np.nan)
        for column, model in enumerate(models):
            if model not in rows.outputs:
                text = Text("model {model!r} has no predictions on {name!r}.", model=model, name=rows.name)
                notes.append(warning_note("model-missing", text))
                continue
            values = compute_by_split(chosen, rows, model)
            table[:, column] = [v.value for v in values]
            reasons = [Text("model {model!r}: {reason}.", model=model, reason=v.reason) for v in values if v.reason]
            notes += [warning_note("undefined", text) for text in reasons]
        cells[rows.name] = table
        splits[rows.name] = rows.splits
    first = next(iter(predictions))
    return Scores(
        models, cells, splits, chosen.name, chosen.greater_is_better,
        protocol=first.protocol, task=first.task, notes=tuple(notes),
    )  # fmt: skip


# -- the mean loss behind a measure, for estimates made of losses of single rows --------------------------------------


def as_loss(measure: Measure) -> Measure | None:
    """Return the mean loss behind a measure: itself, the error for accuracy, MSE for RMSE; None if there is none."""
    name, _ = measure.loss
    if name:
        return get(name)
    return measure if measure.has(Trait.MEAN) and measure.bounds[0] >= 0 else None


def losses_of(measure: Measure, rows: Rows, models: Sequence[str]) -> FloatArray:
    """Loss of each row by model, ``[n, k]``: of a measure that is a mean over rows."""
    return np.stack([measure.form.losses(sample_of(rows, m, measure.needs)) for m in models], axis=1)


def from_loss(measure: Measure, ends: tuple[float, float, float]) -> tuple[float, float, float]:
    """Low, middle and high of the measure from those of its loss."""
    name, function = measure.loss
    if not name:
        return ends
    low, middle, high = np.sort(function(np.array(ends))).tolist()
    return low, middle, high


# -- the measures that are taken when none is named --------------------------------------------------------------------

RARE = 0.1  # share of the rarer class below which accuracy mostly tells how rare it is


def default_measure(predictions: Predictions) -> Measure:
    """The one measure worth comparing: AUC where every model ranks two classes, else of labels, values or outcomes.

    Of labels alone it is accuracy, and balanced accuracy where one of two classes is rare.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import default_measure
    >>> default_measure(bakeoff.Predictions.from_arrays([0] * 95 + [1] * 5, y_pred={"a": [0] * 100})).name
    'balanced_accuracy'
    """
    tables = list(predictions)
    task = tables[0].task
    if not tables[0].classes:
        right = all(rows.solved_or_not() and not rows.less_is_better for rows in tables)
        return get("accuracy") if right else default_measures(tables[0])[0]
    can_rank = all(unavailable(get("auc"), rows, m) is None for rows in tables for m in rows.models)
    has_labels = all(unavailable(get("accuracy"), rows, m) is None for rows in tables for m in rows.models)
    if task == "binary" and (can_rank or not has_labels):
        return get("auc")
    rare = task == "binary" and any(1 - commonest(rows)[1] < RARE for rows in tables)
    return get("balanced_accuracy" if rare else "accuracy")


def commonest(rows: Rows) -> tuple[object, float]:
    """The commonest class and its share of the rows: what always answering it gets right."""
    counts = np.bincount(rows.truth.astype(np.int64), weights=rows.row_weight, minlength=len(rows.classes))
    return rows.classes[int(counts.argmax())], float(counts.max() / counts.sum())


# What `evaluate` shows when no measures are named.
_DEFAULTS = {
    "binary": ("accuracy", "balanced_accuracy", "kappa", "mcc", "precision", "recall", "specificity", "f1", "auc",
               "average_precision", "log_loss", "brier", "calibration_error"),
    "multiclass": ("accuracy", "balanced_accuracy", "kappa", "mcc", "precision_macro", "recall_macro", "f1_macro",
                   "hand_till_auc", "log_loss", "brier", "calibration_error"),
    "regression": ("rmse", "mae", "median_absolute_error", "r2", "root_relative_squared_error",
                   "relative_absolute_error"),
    "outcomes": ("mean_outcome",),
    "sums": ("wer", "bleu", "entity_f1", "entity_precision", "entity_recall", "mean_iou", "perplexity", "bits_per_unit",
             "cost_per_success"),
}  # fmt: skip


def default_measures(rows: Rows) -> tuple[Measure, ...]:
    """Return the measures worth showing for this task that at least one model's output can give.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import default_measures
    >>> rows = bakeoff.Predictions.from_arrays([1.0, 2.0, 3.0], y_value={"a": [1.0, 2.5, 2.0]}).table()
    >>> [m.name for m in default_measures(rows)][:3]
    ['rmse', 'mae', 'median_absolute_error']
    """
    names = _DEFAULTS[rows.task]
    if rows.task == "binary" and rows.positive is None:
        kept = [n for n in names if not get(n).needs_positive]
        names = (*kept, "precision_macro", "recall_macro", "f1_macro")
    chosen = [directed(get(n), rows) for n in names]
    found = tuple(m for m in chosen if any(unavailable(m, rows, model) is None for model in rows.models))
    if not found:
        raise EvidenceError(
            f"no ready measure is made from the columns {', '.join(map(repr, rows.columns))} of {rows.name!r}."
            if rows.columns
            else f"no measure can be computed on {rows.name!r}.",
            hint="name the measure, or make one with measures.ratio(name, numerator, denominator, …)",
        )
    return found
