"""From named columns of a table, wide or long, to the arrays `Predictions.from_arrays` takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff.evidence._door import codes_of

Table = Mapping[str, NDArray[Any]]


def column(table: Table, name: str, role: str) -> NDArray[Any]:
    """Return a column, or say which columns there are."""
    if name in table:
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
        return {str(m): c if isinstance(c, str) else list(c) for m, c in wanted.items()}
    names = list(wanted)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise EvidenceError(f"the column {twice!r} was given twice.", hint="model names must differ")
    return {n: n for n in names}


def _output(table: Table, source: str | Sequence[str], role: str) -> NDArray[Any]:
    if isinstance(source, str):
        return column(table, source, role)
    return np.stack([column(table, s, role).astype(np.float64) for s in source], axis=1)


def arrays_from_columns(
    table: Table,
    *,
    y_true: str,
    outputs: Mapping[str, Any],
    model: str | None,
    keys: Mapping[str, str | None],
) -> dict[str, Any]:
    """Return the keyword arguments of `Predictions.from_arrays`."""
    if not table or not len(next(iter(table.values()))):
        raise EvidenceError("the table has no rows.", hint="is the file or the selection empty?")
    arrays: dict[str, Any] = {"y_true": column(table, y_true, "y_true")}
    for role, name in keys.items():
        if name is None:
            continue
        if role == "dataset" and name not in table:
            arrays[role] = name  # a plain name for the whole table
        else:
            arrays[role] = column(table, name, role)
    for kind, wanted in outputs.items():
        named = {m: _output(table, s, kind) for m, s in output_columns(wanted).items()}
        if named:
            arrays[kind] = named
    return arrays if model is None else _pivot(arrays, column(table, model, "model"))


def _pivot(arrays: dict[str, Any], models: NDArray[Any]) -> dict[str, Any]:
    """Turn long rows (one per instance and model) into one row per instance; all models must share the rows."""
    coded = codes_of("model", models, len(models))
    assert coded is not None
    codes, names = coded
    order = _row_order(arrays, codes)
    blocks = np.split(order, np.searchsorted(codes[order], np.arange(1, len(names))))
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
    keys: list[NDArray[Any]] = [np.arange(codes.size)]
    for role in ("instance", "fold", "repeat", "dataset"):
        values = arrays.get(role)
        if isinstance(values, np.ndarray):
            coded = codes_of(role, values, codes.size)
            assert coded is not None
            keys.append(coded[0])
    return np.lexsort([*keys, codes])


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
