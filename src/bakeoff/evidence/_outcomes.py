"""Wide tables of outcomes: rows items, columns models, cells 0/1 or a graded score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import columns_of, is_frame
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence._columns import model_names, names_among
from bakeoff.evidence._door import check_lengths, check_scores, common_index, in_order, named_outputs, per_row
from bakeoff.evidence._marks import missing_rows, outcome_numbers, refuse_sentinels, refuse_stray_words, rows_left_out
from bakeoff.evidence._roles import describes_rows, model_columns, refuse_repeated_items
from bakeoff.evidence._slicing import slice_columns


def wide_outcomes(
    table: Any, models: Sequence[str] | None, keys: Mapping[str, Any], slices: Any, *, drop_missing: bool
) -> tuple[dict[str, FloatArray], dict[str, Any], dict[str, Any], tuple[Note, ...]]:
    """Model → its outcomes; the keys and slices as values; and what was decided."""
    if models is not None and (isinstance(models, str) or not hasattr(models, "__len__")):
        raise ParameterError(f"models must be a list of names. Got {type(models).__name__} instead.")
    columns = _outcome_columns(table, models)
    shared = {role: _taken_column(columns, role, values) for role, values in keys.items()}
    sliced = {name: _taken_column(columns, "slices", values) for name, values in slice_columns(slices).items()}
    if is_frame(table) and models is None and keys["item"] is None:
        refuse_repeated_items(columns, shared["dataset"])
    columns, notes = _outcome_models(columns, models, is_frame(table))
    if not columns:
        raise EvidenceError("the outcome table has no model columns.", hint="cells are numbers, or pass and fail")
    if drop_missing:
        columns, (shared, sliced), dropped = _without_missing_items(columns, (shared, sliced))
        notes = (*notes, *dropped)
    values = {m: check_scores(m, v, "outcomes") for m, v in columns.items()}
    for m, v in values.items():
        refuse_sentinels(f"outcomes of model {m!r}", v)
    n = len(next(iter(values.values())))
    if n == 0:
        raise EvidenceError("the outcome table has no rows.", hint="is the file or the selection empty?")
    check_lengths(n, values, "outcomes")
    return values, shared, sliced, notes


def _outcome_models(
    columns: dict[str, NDArray[Any]], models: Sequence[str] | None, framed: bool
) -> tuple[dict[str, NDArray[Any]], tuple[Note, ...]]:
    """The columns that hold outcomes of models, as numbers."""
    if models is not None:
        return {m: outcome_numbers(columns[m]) for m in names_among(models, list(columns), "models")}, ()
    numbers = {name: outcome_numbers(values) for name, values in columns.items()}
    if not framed:
        return numbers, ()
    texts = [name for name, values in numbers.items() if values.dtype.kind not in "iufb"]
    for name in texts:
        if not describes_rows(name):
            refuse_stray_words(name, numbers[name])
    kept, notes = model_columns({n: v for n, v in numbers.items() if n not in texts}, what="outcomes")
    if texts and kept:
        text = Text("Left out, as they hold no outcomes: {names}.", names=", ".join(map(repr, texts)))
        notes = (*notes, Note("not-models", text))
    return (kept, notes) if kept else (numbers, ())


def _without_missing_items(
    columns: dict[str, NDArray[Any]], keys: tuple[dict[str, Any], dict[str, Any]]
) -> tuple[dict[str, NDArray[Any]], tuple[dict[str, Any], dict[str, Any]], tuple[Note, ...]]:
    check_lengths(len(next(iter(columns.values()))), columns, "outcomes")
    bad = np.logical_or.reduce([missing_rows(v) for v in columns.values()])
    text = Text("{n} of {all} rows were left out: a value is missing in them.", n=int(bad.sum()), all=bad.size)
    notes = rows_left_out(bad, text, "an outcome is missing in every row.")
    if not notes:
        return columns, keys, ()
    shared, sliced = (
        {role: v if v is None or isinstance(v, str) else per_row(role, v, bad.size)[~bad] for role, v in given.items()}
        for given in keys
    )
    return {m: v[~bad] for m, v in columns.items()}, (shared, sliced), notes


def _taken_column(columns: dict[str, NDArray[Any]], role: str, values: Any) -> Any:
    """Values as given, or the named column, which is then no model."""
    if not isinstance(values, str) or (role == "dataset" and values not in columns):
        return values
    if values not in columns:
        raise unknown_choice(role, values, columns)
    return columns.pop(values)


def _outcome_columns(table: Any, models: Sequence[str] | None) -> dict[str, NDArray[Any]]:
    if isinstance(table, Mapping):
        return named_outputs("outcomes", in_order(common_index(outcomes=table), table, "outcomes"))
    if is_frame(table):
        return columns_of(table)
    try:
        array = np.asarray(table)
    except ValueError:
        raise EvidenceError("outcomes must be a table, every row of the same length.") from None
    if array.ndim != 2:
        raise EvidenceError(f"outcomes must be a table, rows items and columns models. Got shape {array.shape}.")
    return named_outputs("outcomes", dict(zip(model_names(models, array.shape[1]), array.T, strict=True)))
