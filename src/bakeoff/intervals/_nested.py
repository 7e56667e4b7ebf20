"""The interval of nested cross-validation: from losses of single rows, by models trained without one or two folds."""

from __future__ import annotations

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence import Rows
from bakeoff.intervals._closed_forms import ModelRows
from bakeoff.measures import Measure, as_loss, from_loss, losses_of

ENOUGH_FOLDS = 100  # of all repeats, for the error of cross-validation to settle


def nested_interval(measure: Measure, asked: ModelRows, method: str, level: float) -> Interval:
    """The mean loss of a model trained on all rows, with the error of cross-validation itself."""
    from bakeoff.stats import nested_cv

    rows, loss = asked.rows, as_loss(measure)
    if rows.inner is None or asked.model not in rows.inner.outputs or rows.instance is None:
        raise ParameterError(
            f"interval {method!r} needs answers of models trained without two folds, and there are none.",
            hint="make the evidence with bakeoff.run(…, bakeoff.protocols.NestedKFold(10, repeats=…))",
        )
    if loss is None or rows.row_weight is not None:
        why = "it knows no weights" if loss else "it is for plain means of losses, such as accuracy, brier or rmse"
        raise ParameterError(f"interval {method!r} does not apply to {measure.name}: {why}.")
    outer, fold, inner = _losses(loss, rows, rows.inner, asked.model)
    found = nested_cv(outer, inner, outer, fold, confidence_level=level)
    bottom, top = loss.bounds
    low, middle, high = (float(np.clip(x, bottom, top)) for x in (found.low, found.estimate, found.high))
    low, middle, high = from_loss(measure, (low, middle, high))
    return Interval(middle, low, high, level, method, _notes(rows, fold))


def _losses(
    loss: Measure, rows: Rows, inner: Rows, model: str
) -> tuple[FloatArray, IntArray, list[list[list[FloatArray | None]]]]:
    """Losses and folds by repeat and instance, and the inner losses as `nested_cv` takes them."""
    known, at = np.unique(np.asarray(rows.instance), return_inverse=True)
    at_inner = np.searchsorted(known, np.asarray(inner.instance))
    assert rows.split_index is not None
    repeat = np.array([s.repeat for s in rows.splits])[rows.split_index]
    outer, fold = np.empty((repeat.max() + 1, known.size)), np.empty((repeat.max() + 1, known.size), dtype=np.int64)
    outer[repeat, at] = losses_of(loss, rows, [model])[:, 0]
    fold[repeat, at] = np.array([s.fold for s in rows.splits])[rows.split_index]
    folds = range(int(fold.max()) + 1)
    table: list[list[list[FloatArray | None]]] = [[[None for _ in folds] for _ in folds] for _ in outer]
    given = losses_of(loss, inner, [model])[:, 0]
    for index, split in enumerate(inner.splits):
        mine = np.flatnonzero(inner.split_index == index)
        of_row = fold[split.repeat, at_inner[mine]]
        one, other = np.unique(of_row)
        table[split.repeat][one][other] = given[mine[of_row == one]]
        table[split.repeat][other][one] = given[mine[of_row == other]]
    return outer, fold, table


def _notes(rows: Rows, fold: IntArray) -> tuple[Note, ...]:
    text = Text("the interval is about this kind of model, retrained on all {n} rows.", n=fold.shape[1])
    notes: tuple[Note, ...] = (Note("claim", text),)
    folds = fold.shape[0] * (int(fold.max()) + 1)
    if folds < ENOUGH_FOLDS:
        text = Text(
            "the error of cross-validation is itself estimated, from {n} folds in all; take {enough} or more.",
            n=folds, enough=ENOUGH_FOLDS,
        )  # fmt: skip
        notes = (*notes, warning_note("few-repeats", text))
    if rows.groups is not None:
        text = Text("the {method} interval takes rows as independent, but they are grouped.", method="nested-cv")
        notes = (*notes, warning_note("ignores-groups", text))
    return notes
