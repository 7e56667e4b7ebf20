"""Folders of Parquet files and stores of runs as evidence whose rows are loaded on demand."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence._columns import refuse_columns_of_other_class
from bakeoff.evidence._counted import by_class_names
from bakeoff.evidence._engine import Engine, Roles, asked, distinct_values
from bakeoff.evidence._fitted import PROBA
from bakeoff.evidence._labels import distinct_labels, sorted_classes
from bakeoff.evidence._on_demand import RowsOnDemand
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Rows, Split
from bakeoff.evidence.seals import DAMAGED, examine, require_sound

COMPACT = "compact-"  # how the names of a store's files of many units begin
_ANSWERS = {"y_pred": "label", "y_score": "score", "y_value": "value"}
_KEYS = {"repeat": "repeat", "fold": "fold", "instance": "instance", "group": "groups", "weight": "sample_weight",
         "frequency": "frequency"}  # fmt: skip
_FEW_ROWS = 10  # so few may well have the same truth by chance


# -- folders of wide files --------------------------------------------------------------------------------------------


def can_be_scanned(folder: Path, columns: Mapping[str, Any]) -> bool:
    """Whether the files are wide Parquet of one data set and one set of columns; anything else is read into memory.

    Several answers to one test set, or several test sets: only the rows themselves tell.
    """
    from bakeoff.evidence._read import table_files

    parts = table_files(folder)
    given = {k for k, v in columns.items() if v is not None}
    if any(p.suffix.lower() != ".parquet" for p in parts) or "model" in given or columns.get("slices"):
        return False
    if (given & {"repeat", "fold"} == {"repeat"}) or (given & {"repeat", "instance"} == {"instance"}):
        return False  # do cases come again?
    if any("=" in part for p in parts for part in p.relative_to(folder).parts[:-1]):
        return False
    schemas = [_schema(p) for p in parts]
    if any(schema != schemas[0] for schema in schemas) or columns.get("dataset") in schemas[0]:
        return False
    if columns["y_true"] in schemas[0]:
        refuse_files_of_models(folder, _cases(parts, case_columns(columns, schemas[0])))
    return True


def case_columns(columns: Mapping[str, Any], present: Collection[str]) -> list[str]:
    """Columns that tell of a case and not what a model answered: the truth, and those that were named with it."""
    roles = ("y_true", "model", "dataset", "repeat", "fold", "groups", "sample_weight", "frequency", "instance")
    return [c for role in roles if isinstance(c := columns.get(role), str) and c in present]


def refuse_files_of_models(folder: Path, cases: Iterable[tuple[Path, Any]]) -> None:
    """Files with the very same cases are a model each, not further parts of one."""
    others = iter(cases)
    first, known = next(others)
    for other, same in others:
        if len(known) >= _FEW_ROWS and known.equals(same) and known[known.columns[0]].n_unique() > 1:
            names = [p.relative_to(folder).as_posix() for p in (first, other)]
            raise EvidenceError(
                f"{names[0]!r} and {names[1]!r} have the same truth in every row: is each file a model?",
                hint="put each file into a folder named model=NAME and give model='model' (--model model)",
            )


def _schema(part: Path) -> dict[str, Any]:
    import polars as pl

    return dict(asked(partial(pl.read_parquet_schema, part), part, of_files=True))


def _cases(parts: Sequence[Path], columns: list[str]) -> Iterator[tuple[Path, Any]]:
    """The cases of the first two files, and of the first file in every other folder."""
    import polars as pl

    first_of = {part.parent: part for part in reversed(parts)}
    for part in sorted({*parts[:2], *first_of.values()}):
        read = partial(pl.read_parquet, part, columns=columns, hive_partitioning=False)
        yield part, asked(read, part, of_files=True).select(columns)


def scan_wide(folder: Path, columns: Mapping[str, Any]) -> Predictions:
    """Scan a folder of wide Parquet files (one column per model) as one data set."""
    import polars as pl

    from bakeoff.evidence._read import table_files

    frame = pl.scan_parquet(table_files(folder), hive_partitioning=False)
    name, y_true, classes = columns.get("dataset") or folder.name, str(columns["y_true"]), columns.get("classes")
    outputs = {part: columns.get(kind) for kind, part in _ANSWERS.items()}
    outputs["score"] = by_class_names(frame, y_true, outputs["score"], classes)
    roles = Roles.of(y_true, outputs, {role: columns.get(key) for role, key in _KEYS.items()}, None, None)
    engines = {m: Engine(frame, replace(roles, answers={m: parts}), name, of_files=True)
               for m, parts in roles.answers.items()}  # fmt: skip
    rows = RowsOnDemand(name, engines, classes=classes, pos_label=columns.get("pos_label"))
    refuse_columns_of_other_class([rows], columns.get("y_score"))
    return Predictions({name: rows})


# -- stores -----------------------------------------------------------------------------------------------------------


def stored_rows(
    name: str, frames: Mapping[str, Any], *, classes: Sequence[Hashable] | None = None, **facts: Any
) -> Rows:
    """Rows on demand of one data set whose columns have the names that a store gives them, a frame for each model."""
    engines = {}
    for model, frame in frames.items():
        present = asked(frame.collect_schema, name, of_files=True).names()
        answers: dict[str, tuple[str, ...]] = {part: (c,) for c, part in _ANSWERS.items() if c in present}
        if any(c.startswith(PROBA) for c in present):
            known = classes or sorted_classes(distinct_labels(np.array(distinct_values(frame, "y_true"))))
            answers["score"] = tuple(f"{PROBA}{c}" for c in known)
        keys = {role: role for role in _KEYS if role in present}
        engines[model] = Engine(frame, Roles("y_true", {model: answers}, keys), name, of_files=True)
    return RowsOnDemand(name, engines, classes=classes, **facts)


def scan_store(folder: Path, *, pos_label: Hashable | None = None) -> Predictions:
    """Open a folder laid out ``dataset=<name>/model=<name>/*.parquet`` (names percent-encoded) without reading rows."""
    import polars as pl

    root = folder / "predictions" if (folder / "predictions").is_dir() else folder
    tables: dict[str, Rows] = {}
    for dataset in sorted(root.glob("dataset=*")):
        name, files = unquote(dataset.name.removeprefix("dataset=")), {}
        for model in sorted(dataset.glob("model=*")):
            parts = sorted(p for p in model.glob("*.parquet") if not p.name.startswith("."))
            parts = sorted(set(parts) - superseded(parts, _keys_noted))
            for part in parts:
                require_sound(part)
            if parts:
                files[unquote(model.name.removeprefix("model="))] = parts
        if files:
            frames = {m: pl.scan_parquet(parts, hive_partitioning=False) for m, parts in files.items()}
            facts = _footer_facts(files) | ({} if pos_label is None else {"pos_label": pos_label})
            tables[name] = stored_rows(name, frames, **facts)
    if not tables:
        raise EvidenceError(
            f"the folder {str(folder)!r} holds no predictions (dataset=…/model=…/*.parquet).",
            hint="for a folder of wide Parquet files name the columns: y_true=, y_score= …",
        )
    return Predictions(tables)


def superseded(files: Sequence[Path], keys_of: Callable[[Path], set[str]]) -> set[Path]:
    """Return the files whose units are all in a larger file too: a compaction that was cut off leaves them twice."""
    larger = {f: keys_of(f) for f in files if f.name.startswith(COMPACT)}
    gone = set()
    for file in files if larger else ():
        keys = larger.get(file) or {file.stem}
        if any(keys < others or (keys <= others and file.stem in keys) for others in larger.values()):
            gone.add(file)
    return gone


def _keys_noted(part: Path) -> set[str]:
    """The keys of a compacted file's units; none of a damaged one, which is named when its rows are asked for."""
    return set() if examine(part)[0] == DAMAGED else {str(unit.get("key")) for unit in _units_noted(part)}


def _footer_facts(files: Mapping[str, Sequence[Path]]) -> dict[str, Any]:
    """What the writer noted in the Parquet footers of one data set: classes, sizes and times; else nothing."""
    facts: dict[str, Any] = {}
    splits: dict[tuple[int, int], Split] = {}
    times: dict[tuple[str, tuple[int, int]], tuple[float, float]] = {}
    for model, parts in files.items():
        for part in parts:
            units = _units_noted(part)
            if not units:
                return {}
            for note in units:
                key = (int(note["repeat"]), int(note["fold"]))
                splits[key] = Split(*key, int(note["n_test"]), note.get("n_train"))
                times[model, key] = (float(note.get("fit_time", np.nan)), float(note.get("predict_time", np.nan)))
                facts.update({k: note[k] for k in ("classes", "pos_label", "protocol") if note.get(k) is not None})
    ordered = tuple(splits[k] for k in sorted(splits))
    index = {(s.repeat, s.fold): i for i, s in enumerate(ordered)}
    return facts | {"splits": ordered, "times": {(m, index[k]): t for (m, k), t in times.items()}}


def _units_noted(part: Path) -> list[dict[str, Any]]:
    """The units of work that a file's footer tells of, each with what is needed of it; none where it tells nothing."""
    import polars as pl

    text = asked(partial(pl.read_parquet_metadata, part), part, of_files=True).get("bakeoff")
    try:
        units = json.loads(text).get("units", []) if text else []
        for unit in units:
            int(unit["repeat"]), int(unit["fold"]), int(unit["n_test"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise EvidenceError(f"the footer of the file {str(part)!r} is damaged.", hint="run that unit again") from None
    return list(units)
