"""Outcomes and sums of items in a lazy table: the engine adds attempts up and pairs the models; counts come back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.evidence._counted import Asked, CountedRows, Scanned
from bakeoff.evidence._engine import Engine, Items, Roles, column_name, distinct_values, lazy
from bakeoff.evidence._slicing import slice_columns

_NAMES = {"item": "y_true", "model": "which", "dataset": "from_", "groups": "group", "sample_weight": "weight"}


def scan_items(
    table: Any, task: str, *, model: str | None, columns: Any, slices: Any, keys: Mapping[str, Any]
) -> Scanned:
    """Make evidence of a long lazy table: one row per item and model, or per item, model and attempt."""
    given = {role: c for role, c in {**keys, "model": model}.items() if c is not None}
    for role, column in given.items():
        if not isinstance(column, str):
            raise ParameterError(
                f"{role} of a lazy table is the name of a column. Got {type(column).__name__} instead."
            )
    for role in ("item", "model"):
        if role not in given:
            raise EvidenceError(f"a lazy table needs the column of the {role}.", hint=f"name it with {role}=")
    sliced = slice_columns(slices)
    schema = lazy(table).collect_schema()
    added = [columns] if isinstance(columns, str) else list(columns or ())
    used = {*given.values(), *sliced.values()}
    added = added or [c for c in schema.names() if c not in used and schema[c].is_numeric()]
    if not added:
        raise EvidenceError("there is no column of numbers that add up.", hint="name them with columns=")
    own = {_NAMES.get(role, role): column for role, column in given.items() if role != "item"}
    lines = Engine(table, Roles(given["item"], {"all": {"sum": tuple(added)}}, own, sliced))
    lines.check()
    return _paired(lines, task, tuple(added))


def _paired(lines: Engine, task: str, columns: tuple[str, ...]) -> Scanned:
    """One row for each item, with what every model did on it."""
    import narwhals as nw

    frame, numbers = lines.frame, [column_name("sum", 0, j) for j in range(len(columns))]
    if task == "outcomes":
        frame = frame.with_columns(sum0_1=nw.col("sum0") * nw.col("sum0"))
        numbers = ["sum0", "sum0_1"]
    names = frame.collect_schema().names()
    on = [k for k in ("y_true", "from_") if k in names]
    kept = [k for k in names if k in ("group", "weight", "frequency") or k.startswith("slice:")]
    _refuse_twice(lines, frame, [*on, "which", *(k for k in ("attempt",) if k in names)])
    paired = frame.group_by(*on, *kept).agg(nw.len().alias("lines_"))
    if lines.size(paired) != lines.size(frame.group_by(*on).agg(nw.len().alias("lines_"))):
        raise EvidenceError(f"{' and '.join(kept)} must be the same on all rows of an item, but differs within one.")
    models = distinct_values(frame, "which")
    for i, model in enumerate(models):
        mine = (
            frame.filter(nw.col("which") == model)
            .group_by(*on)
            .agg(
                *[nw.col(c).sum().alias(column_name("sum", i, j)) for j, c in enumerate(numbers)],
                nw.len().alias(f"attempts{i}"),
            )
        )
        mine = mine.select(
            *[nw.col(k).alias(f"{k}_{i}") for k in on], *[c for c in mine.collect_schema().names() if c not in on]
        )
        paired = paired.join(mine, left_on=on, right_on=[f"{k}_{i}" for k in on], how="left")
    made = [
        c
        for i in range(len(models))
        for c in (f"attempts{i}", *(column_name("sum", i, j) for j in range(len(numbers))))
    ]
    filled = {c: nw.when(nw.col(c).is_null()).then(0).otherwise(nw.col(c)) for c in made}
    paired = paired.select(*on, *kept, *[e.alias(c) for c, e in filled.items()])
    paired = paired.with_columns(zero_=nw.when(nw.col("attempts0") < 0).then(1).otherwise(0))
    answers = {
        str(model): {
            "sum": tuple(column_name("sum", i, j) for j in range(len(numbers))),
            "attempts": (f"attempts{i}",),
        }
        for i, model in enumerate(models)
    }
    keys = {k: k for k in kept if not k.startswith("slice:")} | ({"dataset": "from_"} if "from_" in on else {})
    cut = {k.removeprefix("slice:"): k for k in kept if k.startswith("slice:")}
    roles = Roles("zero_", answers, keys, cut, None, Items(task, columns if task == "sums" else ()))
    engine = Engine(paired, roles, "data")
    parts_of = {str(d): engine.only(d) for d in engine.datasets()} if "from_" in on else {"data": engine}
    for part in parts_of.values():
        part.check()
    return Scanned({name: CountedRows(name, Asked(part)) for name, part in parts_of.items()})


def _refuse_twice(lines: Engine, frame: Any, keys: list[str]) -> None:
    import narwhals as nw

    counted = frame.group_by(*keys).agg(nw.len().alias("lines_"))
    again = lines.table(counted.filter(nw.col("lines_") > 1).sort(*keys).head(1))
    if again["lines_"].size:
        item, model = again["y_true"].tolist()[0], again["which"].tolist()[0]
        raise EvidenceError(
            f"item {item!r} comes more than once for model {model!r}.",
            hint="tell attempts apart with attempt=, data sets with dataset=",
        )
