"""Items: outcomes, or numbers that add up, of models that need not have answered the same items, or equally often.

A row is an item. What a model did on it, over all its attempts, is added up here, once: so the item (or its group) is
the unit of every interval and test, and an item that a model lacks is a row with no attempt of it, never a zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import column_array, columns_of, is_frame
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence._columns import names_among
from bakeoff.evidence._door import (
    check_frequency,
    check_weight,
    codes_of,
    per_row,
    rows_by_code,
    rows_that_count,
    unequal,
)
from bakeoff.evidence._marks import outcome_numbers, rows_left_out
from bakeoff.evidence._rows import ModelOutput, Rows
from bakeoff.evidence._slicing import Slicing, slice_columns, slicing

Table = Mapping[str, NDArray[Any]]
OUTCOME, SQUARES = "outcome", "squares"  # an item's outcomes, and their squares, added up over its attempts
_KEYS = ("item", "attempt", "dataset", "groups", "sample_weight", "frequency")


@dataclass(frozen=True)
class LongItems:
    """One line per item, model and attempt.

    Attributes
    ----------
    model
        Name of each line's model, ``[L]``.
    keys
        Role (item, attempt, dataset, groups, sample_weight, frequency) → values ``[L]``, or None.
    slices
        Name → values ``[L]``.
    cells
        What each line adds, ``[L, C]``; NaN where the source could not score it.
    columns
        Names of what is added.
    """

    model: NDArray[Any]
    keys: Mapping[str, NDArray[Any] | None]
    slices: Table
    cells: FloatArray
    columns: tuple[str, ...]

    def take(self, lines: NDArray[Any]) -> LongItems:
        """Keep some lines."""
        keys = {role: None if v is None else v[lines] for role, v in self.keys.items()}
        slices = {name: v[lines] for name, v in self.slices.items()}
        return LongItems(self.model[lines], keys, slices, self.cells[lines], self.columns)

    def of_models(self, models: Sequence[str]) -> LongItems:
        """Keep some models."""
        return self.take(np.isin(self.model, names_among(models, list(dict.fromkeys(self.model.tolist())), "models")))

    def of_each_model(self) -> dict[str, FloatArray]:
        """The first column by model, whose lines stand together."""
        cuts = np.flatnonzero(self.model[1:] != self.model[:-1]) + 1
        return dict(zip(self.model[[0, *cuts]].tolist(), np.split(self.cells[:, 0], cuts), strict=True))

    def without_gaps(self) -> tuple[LongItems, tuple[Note, ...]]:
        """Leave out, for all models alike, the items with a cell that could not be scored."""
        code, names = codes_of("item", self.keys["item"], len(self.model))
        lost = np.bincount(code[np.isnan(self.cells).any(axis=1)], minlength=len(names)) > 0
        text = Text("{n} of {all} items were left out: a value is missing in them.", n=int(lost.sum()), all=lost.size)
        notes = rows_left_out(lost, text, "an outcome is missing in every row.")
        return (self.take(~lost[code]) if notes else self), notes

    def squared(self) -> LongItems:
        """Outcomes with their squares, which tell how much attempts at one item vary."""
        return replace(self, cells=np.column_stack([self.cells, self.cells**2]), columns=(OUTCOME, SQUARES))


# -- tables in --------------------------------------------------------------------------------------------------------


def read_items(table: Any, *, model: str | None, columns: Any, slices: Any, keys: Mapping[str, Any]) -> LongItems:
    """Bring a long frame, or a mapping model → table, into one line per item, model and attempt."""
    if isinstance(table, Mapping) and table and all(isinstance(v, Mapping) or is_frame(v) for v in table.values()):
        parts: dict[str, Table] = {str(name): columns_of(part) for name, part in table.items()}
    elif is_frame(table) or isinstance(table, Mapping):
        parts = _by_model(columns_of(table), model)
    else:
        raise ParameterError(
            f"from_sums needs a data frame, or a mapping model → columns. Got {type(table).__name__} instead."
        )
    named = slice_columns(slices)
    found = [_one_model(name, part, columns, named, keys) for name, part in parts.items()]
    if not any(len(one.cells) for one in found):
        raise EvidenceError("the table has no rows.", hint="is the file or the selection empty?")
    (first, *_), columns = parts, found[0].columns
    for name, one in zip(parts, found, strict=True):
        if keys.get("item") is None and len(one.cells) != len(found[0].cells):
            raise EvidenceError(
                f"items are paired by position, but {first!r} has {len(found[0].cells)} and {name!r} has "
                f"{len(one.cells)}.",
                hint="tell which item a row is about with item=",
            )
        if lacks := sorted(set(columns) ^ set(one.columns)):
            raise EvidenceError(
                f"all models need the same columns, but {first!r} and {name!r} differ in {lacks[0]!r}.",
                hint="name the columns that add up with columns=",
            )
    return LongItems(
        np.concatenate([one.model for one in found]),
        {role: _joined([one.keys[role] for one in found]) for role in _KEYS},
        {name: np.concatenate([one.slices[name] for one in found]) for name in named},
        np.concatenate([one.cells[:, [one.columns.index(c) for c in columns]] for one in found]),
        columns,
    )


def _by_model(table: dict[str, NDArray[Any]], model: str | None) -> dict[str, Table]:
    """Cut a long table into one for each model, in the order in which the models appear."""
    if model is None:
        return {"model": table}
    if model not in table:
        raise unknown_choice("model", model, table)
    n = len(table[model])
    codes, names = codes_of("model", table[model], n)
    others = {name: values for name, values in table.items() if name != model}
    if any(values.shape[:1] != (n,) for values in others.values()):
        raise ParameterError("every column must hold one value per row.")
    parts = sorted(zip(names, rows_by_code(codes, len(names)), strict=False), key=lambda part: int(part[1][0]))
    return {str(who): {name: values[rows] for name, values in others.items()} for who, rows in parts}


def _one_model(name: str, table: Table, columns: Any, slices: Mapping[str, Any], keys: Mapping[str, Any]) -> LongItems:
    """The lines of one model: its keys and slices by name or by position, the rest are numbers that add up."""
    left = {str(c): column_array(v) for c, v in table.items()}
    n = max((len(v) for v in left.values() if v.ndim), default=0)
    taken: dict[str, NDArray[Any] | None] = {role: _key(role, keys.get(role), left, n) for role in _KEYS}
    sliced = {label: _key("slices", source, left, n) for label, source in slices.items()}
    used = {s for s in (*keys.values(), *slices.values()) if isinstance(s, str)}
    rest = {c: v for c, v in left.items() if c not in used}
    chosen = list(rest) if columns is None else [columns] if isinstance(columns, str) else [str(c) for c in columns]
    numbers: dict[str, FloatArray] = {}
    for c in chosen:
        if c not in rest:
            raise unknown_choice("columns", c, rest)
        if columns is not None or rest[c].dtype.kind in "iufb":
            numbers[c] = _numbers(name, c, rest[c], n)
    if not numbers:
        raise EvidenceError(
            f"there is no column of numbers that add up for model {name!r}.", hint="name them with columns="
        )
    return LongItems(
        np.full(n, name, dtype=object),
        taken,
        {label: values for label, values in sliced.items() if values is not None},
        np.stack(list(numbers.values()), axis=1),
        tuple(numbers),
    )


def _key(role: str, source: Any, table: Table, n: int) -> NDArray[Any] | None:
    """Values of a key: those given, one for each row, or the column of that name."""
    if source is None:
        return None
    if isinstance(source, str):
        if source in table:
            return table[source]
        if role == "dataset":
            return np.full(n, source, dtype=object)  # a plain name for the whole table
        raise unknown_choice(role, source, table)
    return per_row(role, source, n)


def _numbers(model: str, name: str, values: NDArray[Any], n: int) -> FloatArray:
    try:
        numbers = np.asarray(outcome_numbers(per_row(f"{name} of model {model!r}", values, n)), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError(f"{name} of model {model!r} must be numbers.", hint="only numbers add up") from None
    if np.isinf(numbers).any():
        row = int(np.isinf(numbers).argmax())
        raise EvidenceError(f"{name} of model {model!r} must be finite, but row {row} is {numbers[row]}.")
    return numbers


def _joined(parts: Sequence[NDArray[Any] | None]) -> NDArray[Any] | None:
    return None if any(part is None for part in parts) else np.concatenate([p for p in parts if p is not None])


# -- rows out ---------------------------------------------------------------------------------------------------------


def build_items(long: LongItems, task: str) -> dict[str, Rows]:
    """Add the attempts of every item and model up: one `Rows` per data set, a row an item."""
    n = len(long.model)
    models, names = codes_of("model", long.model, n)
    places = sorted(range(len(names)), key=lambda c: int((models == c).argmax()))  # as they appear
    models, names = np.argsort(places)[models], [str(names[c]) for c in places]
    by_place = np.arange(n) % (n // len(names))  # without items, every model has as many lines
    item, ids = codes_of("item", by_place if long.keys["item"] is None else long.keys["item"], n)
    _refuse_twice(long, models, names, item, ids)
    weight, cases = check_weight(long.keys["sample_weight"], n), check_frequency(long.keys["frequency"], n)
    group = None if long.keys["groups"] is None else codes_of("groups", long.keys["groups"], n)[0]
    slices = {name: slicing(name, values) for name, values in long.slices.items()}
    per_line = {"groups": group, "sample_weight": weight, "frequency": cases}
    per_line |= {f"slice {name!r}": one.code for name, one in slices.items()}
    code, sets = codes_of("dataset", long.keys["dataset"], n)
    labels = ["data"] if long.keys["dataset"] is None else [str(label) for label in sets]
    return {
        label: _one_dataset(label, task, long, lines, models, names, item, ids, per_line, slices)
        for label, lines in zip(labels, rows_by_code(code, len(labels)), strict=True)
    }


def _one_dataset(
    label: str, task: str, long: LongItems, lines: IntArray, models: IntArray, names: Sequence[str], item: IntArray,
    ids: Sequence[Any], per_line: Mapping[str, NDArray[Any] | None], slices: Mapping[str, Slicing],
) -> Rows:  # fmt: skip
    known = np.unique(item[lines], return_index=True)
    order = np.argsort(known[1])  # items as they appear
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    row = rank[np.searchsorted(known[0], item[lines])]
    first = lines[known[1][order]]
    kept = {role: _of_items(role, values, lines, row, first, ids, item) for role, values in per_line.items()}
    flat, cells = row * len(names) + models[lines], long.cells[lines]
    scored = ~np.isnan(cells).any(axis=1)
    shape = (order.size, len(names))
    attempts = np.bincount(flat[scored], minlength=order.size * len(names)).reshape(shape)
    totals = np.stack([_added(flat[scored], c[scored], shape) for c in cells.T], axis=2)  # [items, models, columns]
    missing = np.bincount(models[lines][~scored], minlength=len(names))
    for name, has in zip(names, attempts.sum(axis=0), strict=True):
        if not has:
            raise EvidenceError(f"model {name!r} has no scored item in {label!r}.", hint="leave it out")
    weight, cases, group = kept["sample_weight"], kept["frequency"], kept["groups"]
    seen = rows_that_count(label, np.flatnonzero(attempts.any(axis=1)), weight, cases)
    outputs = {m: item_output(task, totals[:, j], attempts[:, j]) for j, m in enumerate(names)}
    rows = Rows(
        label,
        task,
        np.zeros(order.size),
        outputs,
        instance=known[0][order] if long.keys["item"] is None else np.array(ids, dtype=object)[known[0][order]],
        groups=None if group is None else np.unique(group, return_inverse=True)[1].astype(np.int32),
        weight=None if weight is None or unequal(weight[seen]) is None else weight,
        frequency=cases,
        slices={name: Slicing(kept[f"slice {name!r}"], one.names) for name, one in slices.items()},
        columns=long.columns if task == "sums" else (),
        missing={m: int(c) for m, c in zip(names, missing, strict=True)},
    )
    return rows if seen.size == order.size else rows.take(seen)


def _added(place: IntArray, values: FloatArray, shape: tuple[int, int]) -> FloatArray:
    total = np.bincount(place, values, shape[0] * shape[1])
    return total.astype(np.float64).reshape(shape)


def item_output(task: str, totals: FloatArray, attempts: IntArray) -> ModelOutput:
    """What one model did on every item, over its attempts."""
    plain = bool((attempts == 1).all())
    if task == "sums":
        return ModelOutput(sums=np.asfortranarray(totals), attempts=None if plain else attempts)
    if plain:
        return ModelOutput(values=np.ascontiguousarray(totals[:, 0]))
    with np.errstate(invalid="ignore"):  # an item that the model lacks has no mean
        return ModelOutput(values=totals[:, 0] / attempts, sums=totals, attempts=attempts)


def _of_items(
    role: str, values: NDArray[Any] | None, lines: IntArray, row: IntArray, first: IntArray, ids: Sequence[Any],
    item: IntArray,
) -> Any:  # fmt: skip
    """A key of items, from lines that must agree on it."""
    if values is None:
        return None
    of_item = values[first]
    differ = values[lines] != of_item[row]
    if differ.any():
        name = ids[int(item[lines][int(differ.argmax())])]
        raise EvidenceError(f"{role} must be the same on all rows of an item, but differs within item {name!r}.")
    return of_item


def _refuse_twice(long: LongItems, models: IntArray, names: Sequence[str], item: IntArray, ids: Sequence[Any]) -> None:
    """An item and model that come twice must be told apart as attempts."""
    key = item.astype(np.int64) * len(names) + models
    for role in ("dataset", "attempt"):
        if long.keys[role] is not None:
            codes, known = codes_of(role, long.keys[role], len(key))
            key = key * len(known) + codes
    _, first, count = np.unique(key, return_index=True, return_counts=True)
    if (count == 1).all():
        return
    line = int(first[count > 1].min())
    attempt = long.keys["attempt"]
    again = "" if attempt is None else f"attempt {attempt.tolist()[line]!r} of "
    raise EvidenceError(
        f"{again}item {ids[int(item[line])]!r} comes more than once for model {names[int(models[line])]!r}.",
        hint="tell attempts apart with attempt=, data sets with dataset=" if not again else "drop the copies",
    )
