"""From named columns of a table, wide or long, to the arrays `Predictions.from_arrays` takes."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note, warning_note
from bakeoff.evidence._door import (
    class_order,
    codes_of,
    names_other_class,
    refuse_other_class,
    rows_by_code,
    seen_or_stated,
)
from bakeoff.evidence._marks import missing_rows, rows_left_out
from bakeoff.evidence._roles import refuse_training_rows
from bakeoff.evidence._slicing import slice_columns, slicing

Table = Mapping[str, NDArray[Any]]


def column(table: Table, name: str, role: str) -> NDArray[Any]:
    """Return a column, or say which columns there are."""
    if isinstance(name, str) and name in table:
        return table[name]
    problem = unknown_choice(f"the column for {role}", name, list(table)[:30])
    raise EvidenceError(problem.message, hint=problem.hint or "is it the right file, and are the names spelt as in it?")


def output_columns(wanted: Any) -> dict[str, str | list[str]]:
    """Normalise a column, a list of columns or a mapping to model name → column (or list of class columns)."""
    if wanted is None:
        return {}
    if isinstance(wanted, str):
        return {wanted: wanted}
    if isinstance(wanted, Mapping):
        return {str(m): c if isinstance(c, str) else _listed(c) for m, c in wanted.items()}
    names = _listed(wanted)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise EvidenceError(f"the column {twice!r} was given twice.", hint="model names must differ")
    return {n: n for n in names}


def names_among(wanted: Any, known: Sequence[str], what: str) -> list[str]:
    """Names asked for (None: all), each known."""
    if wanted is None:
        return list(known)
    try:
        names = [wanted] if isinstance(wanted, str) else [str(w) for w in wanted]
    except TypeError:
        raise ParameterError(f"{what} must be a list of names. Got {type(wanted).__name__} instead.") from None
    for name in names:
        if name not in known:
            raise unknown_choice(what, name, known)
    if not names:
        raise ParameterError(f"{what} must name at least one.")
    return names


def model_names(models: Sequence[str] | None, n: int) -> list[str]:
    """Names of the columns of an array, numbered where none are given."""
    names = [f"model {i + 1}" for i in range(n)] if models is None else list(models)
    if len(names) != n:
        raise EvidenceError(f"the table has {n} columns, but {len(names)} model names were given.")
    return names


def _listed(columns: Any) -> list[str]:
    try:
        return [str(c) for c in columns]
    except TypeError:
        raise ParameterError(f"columns are named by text. Got {type(columns).__name__} instead.") from None


def _output(table: Table, source: str | Sequence[str], role: str, classes: Any, truth: NDArray[Any]) -> NDArray[Any]:
    """One column, or the columns of the classes: each belongs to the class in its name."""
    if isinstance(source, str):
        return column(table, source, role)
    order = class_order(source, seen_or_stated(truth, classes), stated=classes is not None)
    try:
        return np.stack([column(table, source[i], role).astype(np.float64) for i in order], axis=1)
    except (TypeError, ValueError):
        raise EvidenceError(f"the columns {', '.join(map(repr, source[:4]))} must hold probabilities.") from None


def _without_gaps(table: Table, wanted: Sequence[str], whole: Sequence[str]) -> tuple[Table, tuple[Note, ...]]:
    """Leave out the rows with a gap in a wanted column; of a long table, all rows of such a case (by `whole`)."""
    n = len(next(iter(table.values())))
    bad = np.zeros(n, dtype=bool)
    for name in wanted:
        bad |= missing_rows(column(table, name, "drop_missing"))
    if bad.any() and whole:
        case = np.array(["\x1f".join(map(str, key)) for key in zip(*(table[k].tolist() for k in whole), strict=True)])
        bad = np.isin(case, case[bad])
    text = Text("{n} of {all} rows were left out: a value is missing in them.", n=int(bad.sum()), all=n)
    notes = rows_left_out(bad, text, "a value is missing in every row.")
    return ({name: values[~bad] for name, values in table.items()} if notes else table), notes


def refuse_columns_of_other_class(tables: Iterable[Any], y_score: Any, *, long: bool = False) -> None:
    """Refuse a column named after the class that is not the positive one, where its scores bear that out."""
    columns = {m: s for m, s in output_columns(y_score).items() if isinstance(s, str)}
    for rows in tables:
        if rows.task != "binary" or rows.positive is None:
            continue
        named = dict.fromkeys(rows.models, next(iter(columns.values()), "")) if long else columns
        for model, source in named.items():
            if source and names_other_class(model, source, rows.classes, rows.positive):
                scores = rows.outputs[model].scores
                if scores is not None:
                    refuse_other_class(
                        model, scores, rows.truth == rows.positive, rows.classes, rows.positive, column=source
                    )


def _is_named(dataset: str, table: Table, used: Sequence[str]) -> bool:
    """Whether the name of a data set is no misspelt column."""
    free = [c for c in table if c not in used]
    close = difflib.get_close_matches(dataset.casefold(), [c.casefold() for c in free], n=1, cutoff=0.75)
    return not close and sorted(dataset.casefold()) not in [sorted(c.casefold()) for c in free]


def arrays_from_columns(
    table: Table,
    *,
    y_true: str,
    outputs: Mapping[str, Any],
    model: str | None,
    keys: Mapping[str, str | None],
    slices: Any = None,
    classes: Any = None,
    drop_missing: bool = False,
) -> tuple[dict[str, Any], tuple[Note, ...]]:
    """Return the keyword arguments of `Predictions.from_arrays`, and what is to be told about them."""
    if any(values.ndim == 0 for values in table.values()):
        raise ParameterError("every column must hold one value per row.")
    if not table or not len(next(iter(table.values()))):
        raise EvidenceError("the table has no rows.", hint="is the file or the selection empty?")
    named = {kind: output_columns(wanted) for kind, wanted in outputs.items()}
    sources = [c for of in named.values() for s in of.values() for c in ([s] if isinstance(s, str) else s)]
    used = [y_true, *sources, *([] if model is None else [model])]
    sliced_by = slice_columns(slices)
    told = {name for name in (*used, *keys.values(), *sliced_by.values()) if isinstance(name, str)}
    for unnamed in (name for name in table if name not in told):
        refuse_training_rows(unnamed, table[unnamed])
    notes: tuple[Note, ...] = ()
    if drop_missing:
        column(table, y_true, "y_true")
        placed = [c for c in keys.values() if c is not None and c in table]
        case = [c for r, c in keys.items() if r in ("instance", "fold", "repeat", "dataset") and c in placed]
        if model is not None and keys.get("instance") is None:
            raise EvidenceError(
                "rows can be left out of a long table only if it tells which case a row is about.",
                hint="name the column of the case with instance= (--instance)",
            )
        table, notes = _without_gaps(table, [*used, *placed], [] if model is None else case)
    arrays: dict[str, Any] = {"y_true": column(table, y_true, "y_true")}
    for role, name in keys.items():
        if name is None:
            continue
        if role == "dataset" and isinstance(name, str) and name not in table and _is_named(name, table, used):
            arrays[role] = name  # a plain name for the whole table
        else:
            arrays[role] = column(table, name, role)
    sliced = {n: slicing(n, column(table, source, "slices")) for n, source in sliced_by.items()}
    arrays |= {f"slice {n!r}": np.array(one.names, dtype=object)[one.code] for n, one in sliced.items()}
    for kind, of in named.items():
        if of:
            arrays[kind] = {m: _output(table, s, kind, classes, arrays["y_true"]) for m, s in of.items()}
    if model is not None:
        arrays = _pivot(arrays, column(table, model, "model"))
        notes = (*notes, *_order_notes(arrays))
    arrays["slices"] = {n: arrays.pop(f"slice {n!r}") for n in sliced}
    return arrays, notes


def _order_notes(wide: Mapping[str, Any]) -> tuple[Note, ...]:
    """Without identifiers rows are paired by their order; only a truth that is different in every row shows it."""
    models = max((len(wide[k]) for k in ("y_pred", "y_score", "y_value") if k in wide), default=0)
    if "instance" in wide or models < 2 or len(set(wide["y_true"].tolist())) == len(wide["y_true"]):
        return ()
    text = Text(
        "The rows of the models were paired by their order in the table; name the column that identifies a case to "
        "be sure (instance=, --instance)."
    )
    return (warning_note("paired-by-order", text),)


def _pivot(arrays: dict[str, Any], models: NDArray[Any]) -> dict[str, Any]:
    """Turn long rows (one per instance and model) into one row per instance; all models must share the rows."""
    codes, names = codes_of("model", models, len(models))
    blocks = rows_by_code(codes, len(names), _row_order(arrays, codes))
    first = blocks[0]
    shared = {k: v for k, v in arrays.items() if k not in ("y_pred", "y_score", "y_value")}
    for name, block in zip(names, blocks, strict=True):
        _check_same_rows(shared, first, block, str(names[0]), str(name))
    wide: dict[str, Any] = {k: v[first] if isinstance(v, np.ndarray) else v for k, v in shared.items()}
    for kind in ("y_pred", "y_score", "y_value"):
        if kind in arrays:
            values = _only(arrays[kind], kind)
            wide[kind] = {str(n): values[b] for n, b in zip(names, blocks, strict=True)}
    return wide


def _only(named: Mapping[str, NDArray[Any]], kind: str) -> NDArray[Any]:
    if len(named) != 1:
        raise EvidenceError(f"a long table (model=) has one column of {kind}. Got {list(named)}.")
    return next(iter(named.values()))


def _row_order(arrays: Mapping[str, Any], codes: NDArray[np.int64]) -> NDArray[np.intp]:
    """Sort by model, then by whatever identifies a row; without identifiers the order within a model is kept."""
    told = {role: arrays.get(role) for role in ("instance", "fold", "repeat", "dataset")}
    keys = [codes_of(role, v, codes.size)[0] for role, v in told.items() if isinstance(v, np.ndarray)]
    return np.lexsort([np.arange(codes.size), *keys, codes])


def _check_same_rows(
    shared: Mapping[str, Any], first: NDArray[np.intp], block: NDArray[np.intp], name_a: str, name_b: str
) -> None:
    where = shared["dataset"] if isinstance(shared.get("dataset"), str) else "the table"
    if first.size != block.size:
        raise EvidenceError(
            f"all models need the same rows, but {name_a!r} and {name_b!r} have different numbers of rows in "
            f"{where} ({first.size} and {block.size}).",
            hint="keep only the instances that every model was scored on",
        )
    for role, values in shared.items():
        if isinstance(values, np.ndarray) and role != "sample_weight":
            differ = values[first] != values[block]
            if np.any(differ):
                row = int(np.argmax(differ))
                raise EvidenceError(
                    f"all models need the same rows, but {role} differs between {name_a!r} and {name_b!r} at row {row} "
                    f"({values[first].tolist()[row]!r} and {values[block].tolist()[row]!r}).",
                    hint="name the column that identifies an instance with instance=",
                )
