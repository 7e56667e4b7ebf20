"""Measures of evidence: one number for a model, over all rows or by split, with the reason where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text, label
from bakeoff._core.notes import Note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Predictions, Rows, Scores, Split
from bakeoff.measures._catalogue import get
from bakeoff.measures._measure import Measure


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
    if rows.task == "outcomes" and measure.outcomes is not None:
        values = [rows.values(m) for m in rows.models]
        if all(np.isin(v, (0.0, 1.0)).all() for v in values):
            return measure.outcomes
    return measure


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
        return Unavailable("positive class", Text("it needs a positive class, which is not named"))
    if not rows.provides(model, measure.needs):
        text = Text("it needs {needs} of model {model!r}", needs=label(measure.needs), model=model)
        return Unavailable("output", text)
    return None


def _wrong_task(measure: Measure, rows: Rows) -> Text:
    tasks = label(measure.tasks[0])
    for task in measure.tasks[1:]:
        tasks = Text("{names} and {last}", names=tasks, last=label(task))
    return Text(
        "{measure} is for {tasks} tasks, and {name!r} is {task}",
        measure=measure.name, tasks=tasks, name=rows.name, task=label(rows.task),
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
        hint = "name it with pos_label= (--positive), or take an average over classes such as f1_macro"
    raise EvidenceError(f"{measure.name} cannot be computed on {rows.name!r}: {reason}.", hint=hint)


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
    return _explained(measure, measure.form.value(measure, rows, model), rows)


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
    return Value(
        value, undefined_reason(measure, rows.name, None if split is None else rows.splits[split], rows.splits)
    )


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
        measure=measure.name, reason=label(measure.undefined_when), where=where,
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
                notes.append(
                    Note(
                        "model-missing",
                        Text("model {model!r} has no predictions on {name!r}.", model=model, name=rows.name),
                        "warning",
                    )
                )
                continue
            values = compute_by_split(chosen, rows, model)
            table[:, column] = [v.value for v in values]
            notes += [
                Note("undefined", Text("model {model!r}: {reason}.", model=model, reason=v.reason), "warning")
                for v in values
                if v.reason
            ]
        cells[rows.name] = table
        splits[rows.name] = rows.splits
    first = next(iter(predictions))
    return Scores(
        models, cells, splits, chosen.name, chosen.greater_is_better,
        protocol=first.protocol, task=first.task, notes=tuple(notes),
    )  # fmt: skip


# What `evaluate` shows when no measures are named.
_DEFAULTS = {
    "binary": ("accuracy", "balanced_accuracy", "kappa", "mcc", "precision", "recall", "specificity", "f1", "auc",
               "average_precision", "log_loss", "brier", "calibration_error"),
    "multiclass": ("accuracy", "balanced_accuracy", "kappa", "mcc", "precision_macro", "recall_macro", "f1_macro",
                   "hand_till_auc", "log_loss", "brier", "calibration_error"),
    "regression": ("rmse", "mae", "median_absolute_error", "r2", "root_relative_squared_error",
                   "relative_absolute_error"),
    "outcomes": ("mean_outcome",),
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
    chosen = [get(n) for n in names]
    return tuple(m for m in chosen if any(unavailable(m, rows, model) is None for model in rows.models))
