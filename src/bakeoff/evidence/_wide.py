"""Tables of scores as people have them: frames and mappings, models in columns or in rows, results of scikit-learn."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import column_array, columns_of, in_order_of, index_of, is_frame, refuse_unknown_order
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.evidence._columns import column, model_names
from bakeoff.evidence._marks import outcome_numbers, refuse_stray_words
from bakeoff.evidence._roles import (
    dataset_column,
    describes_rows,
    model_columns,
    refuse_measures,
    refuse_rows_of_means,
    refuse_summaries,
    refuse_unnamed_folds,
    rows_are_models,
)


class Wide(NamedTuple):
    """A wide table: ``[rows, models]``, what its rows are called, and their repeats and folds where rows are folds."""

    values: FloatArray
    models: list[str]
    datasets: list[str] | None
    splits: dict[str, NDArray[Any] | None]
    notes: tuple[Note, ...]


def numbers(table: Any) -> FloatArray:
    """Return a table of finite numbers and gaps."""
    try:
        values = np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError("the table of scores must hold numbers, rows data sets and columns models.") from None
    if values.ndim != 2 or values.shape[1] < 1:
        raise EvidenceError(f"scores must be a table, rows data sets and columns models. Got shape {values.shape}.")
    return _not_infinite(values)


def vector(values: NDArray[Any], name: str) -> FloatArray:
    """Return a column of finite numbers and gaps."""
    try:
        found = _not_infinite(np.asarray(outcome_numbers(values), dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError(f"the column {name!r} must hold numbers.") from None
    if found.ndim != 1:
        raise EvidenceError(f"the column {name!r} must hold one number per row. Got shape {found.shape}.")
    return found


def _not_infinite(values: FloatArray) -> FloatArray:
    if np.isinf(values).any():
        place = np.argwhere(np.isinf(values))[0].tolist()
        raise EvidenceError(f"scores must be finite, but one is infinite at {place} (row, column).")
    return values


def wide_table(
    table: Any, models: list[str] | None, datasets: list[str] | None, keys: Mapping[str, str | None]
) -> Wide:
    """Read a frame, a mapping model → scores, or an array."""
    if isinstance(table, Mapping) and not any(keys.values()):
        return _mapping(table, models, datasets)
    if is_frame(table) or isinstance(table, Mapping):
        return _frame(table, models, datasets, keys)
    if any(keys.values()):
        raise ParameterError("dataset=, repeat= and fold= name columns of a frame.")
    values = numbers(table)
    return Wide(values, model_names(models, values.shape[1]), datasets, {}, ())


def _mapping(table: Mapping[Any, Any], models: list[str] | None, datasets: list[str] | None) -> Wide:
    """The scores of a mapping model → one score per data set."""
    refuse_unknown_order({f"the scores of {str(m)!r}": v for m, v in table.items()})
    index = next((i for v in table.values() if (i := index_of(v)) is not None), None)
    aligned = {str(m): in_order_of(index, v, f"the scores of {str(m)!r}") for m, v in table.items()}
    named = {m: vector(column_array(v), m) for m, v in aligned.items()}
    kept = list(named) if models is None else models
    columns = [column(named, m, "model") for m in kept]
    lengths = {m: c.size for m, c in zip(kept, columns, strict=True)}
    if len(set(lengths.values())) != 1:
        raise EvidenceError(
            f"every model needs one score per data set, but they have {lengths or 'no'} scores.",
            hint="give the scores of all models on the same data sets, in the same order",
        )
    return Wide(np.stack(columns, axis=1), kept, datasets or _names_in(index), {}, ())


def _frame(table: Any, models: list[str] | None, datasets: list[str] | None, keys: Mapping[str, str | None]) -> Wide:
    """Read a frame: which columns are models, what the rows are; known by name, or asked for."""
    columns = columns_of(table)
    placed = {role: None if name is None else column(columns, name, role) for role, name in keys.items()}
    free = {n: v for n, v in columns.items() if n not in keys.values()}
    notes: tuple[Note, ...] = ()
    if models is not None:
        chosen: dict[str, NDArray[Any]] = {m: vector(column(columns, m, "model"), m) for m in models}
        heading = next((n for n in free if n not in chosen and _is_text(free[n])), None)
        if heading is None and datasets is None and not any(keys.values()):
            refuse_unnamed_folds(n for n in free if n not in chosen)
    else:
        heading, chosen = _heading_and_numbers(free, named=placed["dataset"] is not None or datasets is not None)
        if heading is not None and rows_are_models(heading):
            return _turned(columns[heading], chosen)
        chosen, notes = model_columns(chosen, what="scores")
    names = datasets
    if placed["dataset"] is not None:
        names = [str(v) for v in placed["dataset"].tolist()]
    elif names is None and heading is not None:
        names = [str(v) for v in columns[heading].tolist()]
    elif names is None:
        names = _names_in(index_of(table))
    refuse_summaries(names or ())
    splits = {} if keys["fold"] is None and keys["repeat"] is None else {r: placed[r] for r in ("repeat", "fold")}
    if splits:
        refuse_summaries([str(v) for part in splits.values() if part is not None for v in part.tolist()])
        names = names if placed["dataset"] is not None or datasets is not None else None
    for name, cells in chosen.items():
        if cells.ndim != 1:
            raise EvidenceError(f"the column {name!r} must have one number per row, but has lists in its cells.")
    values = numbers(np.stack(list(chosen.values()), axis=1))
    refuse_rows_of_means(values, names)
    return Wide(values, list(chosen), names, splits, notes)


def _is_text(values: NDArray[Any]) -> bool:
    return outcome_numbers(values).dtype.kind not in "iufb"


def _heading_and_numbers(
    columns: Mapping[str, NDArray[Any]], *, named: bool
) -> tuple[str | None, dict[str, NDArray[Any]]]:
    """The column that names the rows (None without one), and the columns of numbers."""
    plain = {n: outcome_numbers(v) for n, v in columns.items()}
    numeric = {n: v for n, v in plain.items() if v.dtype.kind in "iufb"}
    texts = [n for n in plain if n not in numeric]
    for name in texts:
        if not describes_rows(name) and dataset_column([name]) is None:
            refuse_summaries(map(str, columns[name].tolist()))
            refuse_stray_words(name, columns[name])
    if not named and (numbered := dataset_column(numeric)) is not None:  # data sets may be numbered
        numeric.pop(numbered)
        texts.insert(0, numbered)
    if not numeric:
        raise EvidenceError("the table has no column of numbers.", hint="columns are models, rows are data sets")
    if len(texts) > 1:
        raise EvidenceError(
            f"the table has several columns that are not numbers: {', '.join(map(repr, texts))}.",
            hint="keep one to name the data sets, or list the model columns with models= (--models)",
        )
    return next(iter(texts), None), numeric


def _turned(names: NDArray[Any], columns: Mapping[str, NDArray[Any]]) -> Wide:
    """A table whose rows are models, as its heading says."""
    text = Text("The rows of the table were taken as models and its columns as data sets, as the heading says.")
    columns = {n: v for n, v in columns.items() if not describes_rows(n)}
    if not columns:
        raise EvidenceError("the table has no column of scores.", hint="rows are models, columns data sets")
    refuse_summaries([*columns, *map(str, names.tolist())])
    refuse_measures(columns, "data set", "for one measure name its column: model= and value= (--model, --value)")
    values = numbers(np.stack(list(columns.values()), axis=1)).T
    return Wide(values, [str(n) for n in names.tolist()], list(columns), {}, (Note("rows-are-models", text),))


def _names_in(index: Any) -> list[str] | None:
    """Row labels as names of data sets; None for those that only count the rows."""
    if index is None or list(index) == list(range(len(index))):
        return None
    return [str(v) for v in column_array(list(index)).tolist()]


# -- scikit-learn -----------------------------------------------------------------------------------------------------


def cv_arrays(results: Any, score: str | None) -> tuple[str, dict[str, FloatArray]]:
    """The key of the scores, and model → its scores over the splits."""
    if is_frame(results):
        results = columns_of(results)
    if not isinstance(results, Mapping):
        raise EvidenceError(
            f"from_cv_results needs results by model name, or a fitted search. Got {type(results).__name__}.",
            hint="{name: cross_validate(model, X, y)}",
        )
    if "params" in results:  # a search's cv_results_: one row per candidate
        return _search_arrays(results, score)
    if any(key in results for key in ("fit_time", "score_time")) and not any(
        isinstance(v, Mapping) for v in results.values()
    ):
        raise EvidenceError("these are the results of one model.", hint="give {name: results} with every model's")
    named = {}
    for model, given in results.items():
        if isinstance(given, Mapping):
            score = _only_score(given) if score is None else score
            if score not in given:
                known = [k for k in given if "score" in k or "test" in k]
                raise unknown_choice(f"score of model {model!r}", score, known)
            given = given[score]
        named[str(model)] = vector(column_array(given), str(model))
    if not named:
        raise EvidenceError("no cross-validation results were given.")
    return score or "test_score", named


def _only_score(given: Mapping[str, Any]) -> str:
    tested = [k for k in given if k.startswith("test_")]
    if len(tested) > 1 and "test_score" not in tested:
        raise EvidenceError(f"there are several scores: {', '.join(map(repr, tested))}.", hint="name one with score=")
    return tested[0] if len(tested) == 1 else "test_score"


def is_of_scorers(results: Any) -> bool:
    """Whether scikit-learn made these results: a search, or `cross_validate` of every model."""
    if is_frame(results) or "params" in results:
        return True
    return all(isinstance(given, Mapping) and "fit_time" in given for given in results.values())


def is_search(columns: Iterable[str]) -> bool:
    """Whether these are the columns of a search's ``cv_results_``."""
    names = list(columns)
    return "params" in names and any(re.fullmatch(r"split\d+_test_.+", name) for name in names)


def _candidate(params: Any) -> str:
    """What a candidate is called: its parameters; from a file they come as the text of a mapping."""
    if isinstance(params, str):
        try:
            params = ast.literal_eval(params)
        except (ValueError, SyntaxError, MemoryError, RecursionError):  # the text of an estimator stays as it is
            return str(params).strip("{} ")
    if not isinstance(params, Mapping):
        return str(params)
    return ", ".join(f"{k}={v}" for k, v in params.items()) or "default"


def _search_arrays(results: Mapping[str, Any], score: str | None) -> tuple[str, dict[str, FloatArray]]:
    found: dict[str, dict[int, Any]] = {}
    for key in results:
        match = re.fullmatch(r"split(\d+)_((?:test|train)_.+)", str(key))
        if match:
            found.setdefault(match[2], {})[int(match[1])] = results[key]
    score = _only_score(found) if score is None else score
    wanted = next((k for k in (score, f"test_{score}") if k in found), None)
    if wanted is None:
        raise EvidenceError(f"cv_results_ has no columns 'split…_{score}'.", hint="name the score with score=")
    table = np.stack([vector(np.asarray(found[wanted][i]), wanted) for i in sorted(found[wanted])], axis=0)
    names = [_candidate(p) for p in results["params"]]
    return wanted, {n: table[:, i] for i, n in enumerate(names)}
