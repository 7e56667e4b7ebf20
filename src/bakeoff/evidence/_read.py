"""Reading: any usual file, folder or stream to a table, and a table to evidence. The one way in for files."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Note, warning_note
from bakeoff.evidence._columns import output_columns
from bakeoff.evidence._roles import refuse_no_heading
from bakeoff.evidence._text import beginning, content_of, lines_of, read_text, suffix_of, whole
from bakeoff.evidence._wide import is_search
from bakeoff.evidence.logs import LOG_FORMATS, Asked, Found, Source, evidence_of, find_logs, formats, not_known

if TYPE_CHECKING:
    from bakeoff.evidence._predictions import Predictions
    from bakeoff.evidence._scores import Scores

_TABLES = (".csv", ".tsv", ".txt", ".dat", ".json", ".jsonl", ".ndjson", ".parquet", ".pq", ".arrow", ".feather")
_FOREIGN = {
    b"\x89PNG": "a picture", b"\xff\xd8\xff": "a picture", b"GIF8": "a picture", b"%PDF": "PDF",
    b"PK\x03\x04": "a ZIP archive or spreadsheet", b"\xd0\xcf\x11\xe0": "a spreadsheet", b"SQLite": "a database",
}  # fmt: skip


def read(
    path: str | Path,
    *,
    format: str | None = None,
    task: str | Sequence[str] | None = None,
    metric: str | None = None,
    filter: str | None = None,
    model: str | None = None,
    item: str | None = None,
    attempt: str | None = None,
    errors: str = "missing",
    models: Sequence[str] | None = None,
    value: str | None = None,
    measure: str | None = None,
    greater_is_better: bool | None = None,
    mixed_scales: bool = False,
    drop_missing: bool = False,
    skip_bad: bool = False,
    table: str | None = None,
    sql: str | None = None,
    groups: str | None = None,
    **columns: object,
) -> Predictions | Scores:
    """Read evidence: a table (CSV, TSV, JSON lines, Parquet, Arrow), a folder of them, a store, logs, or ``"-"``.

    What is read follows from what is named: predictions where `y_true` is (with the arguments of
    `Predictions.from_frame`), or where the path is the store of a run; a long table of scores where `model` and
    `value` are; outcomes per item with ``format="outcomes"`` (long where `model` and `value` are named), and numbers
    that add up with ``format="sums"``; else a wide table of scores. Logs of evaluation tools
    (`bakeoff.evidence.formats` lists them) are recognised by what is in them; each task is a data set, and what the
    tool kept about an item are slices.

    Parameters
    ----------
    path
        File, folder, or ``"-"`` for standard input.
    format
        How the file is written or what it holds, where that is not evident: a name of `bakeoff.evidence.formats`.
    task, metric, filter
        Of logs: which tasks, which score, and which way of reading answers; by default all tasks, and the tool's first
        metric and filter, with a note.
    model, item, attempt
        Of a long table, the columns of the model, the item and the attempt. Of logs, fields that take the place of the
        tool's own; `model` may also name the models to take; ``attempt="file"`` takes the answers of several runs of
        one model as attempts.
    errors
        Of logs: what the tool could not score is ``"missing"``, and counted, or ``"wrong"``, and 0.
    models
        The columns of a wide table that are models; by default all that can be.
    measure, greater_is_better
        What scores are, and their direction, as in `Scores.from_wide`.
    mixed_scales
        Of scores and outcomes: take them as they are, though one model's look like percentages of another's.
    drop_missing
        Leave out, for all models alike, the rows in which a value is missing.
    skip_bad
        Leave out the files of a folder that cannot be read; a note lists them.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import bakeoff
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "errors.csv"
    ...     _ = file.write_text("dataset,new,old\\niris,0.05,0.07\\nwine,0.02,0.04\\n")
    ...     print(repr(bakeoff.read(file, measure="error")))
    ...
    Scores(2 data sets, 2 models (new, old), measure 'error')
    """
    if format is not None and format not in formats():
        raise unknown_choice("format", format, formats())
    place = as_path(path)
    refuse_absent(place)
    from bakeoff.evidence._counts_file import is_counts
    from bakeoff.evidence._databases import is_delta, is_duckdb, scan_delta, scan_duckdb
    from bakeoff.evidence._travel import Counts

    if format == "counts" or (format is None and is_counts(place)):
        return Counts.load(place)
    every = {**columns, "groups": groups, "mixed_scales": mixed_scales}
    given = {k: v for k, v in every.items() if v is not None and v is not False}
    if format == "duckdb" or table is not None or sql is not None or (format is None and is_duckdb(place)):
        return scan_duckdb(place, {**given, "model": model, "models": models}, table, sql)
    if format == "delta" or (format is None and is_delta(place)):
        return scan_delta(place, {**given, "model": model, "models": models})
    if (found := _logs(place, format, given, skip_bad)) is not None:
        _refuse_unused("a log", value=value, **{k: v for k, v in given.items() if k not in _OF_LOGS})
        asked = Asked(task, metric, filter, model, item, attempt, errors, groups, drop_missing, greater_is_better)
        evidence = evidence_of(found, asked)
        return evidence if models is None else evidence.select(models=models)
    _refuse_unused("what is no log", task=task, filter=filter, metric=None if format == "cv-results" else metric)
    given |= {k: v for k, v in (("instance", item), ("attempt", attempt)) if v is not None}
    wide = {"models": models, "measure": measure, "greater_is_better": greater_is_better}
    if "y_true" in given or format == "store" or (format is None and is_store(place)):
        of_store = "y_true" not in given
        others = {k: given.pop(k, None) for k in ("attempt", "mixed_scales")}
        unread = {"models": None if of_store else models, "greater_is_better": greater_is_better, "value": value}
        _refuse_unused("predictions", **unread, **others)
        if of_store and models is not None:
            return _stored(place, given.get("pos_label"), [str(m) for m in models])
        given |= {} if model is None else {"model": model}
        return read_predictions(place, given, format=format, drop_missing=drop_missing, skip_bad=skip_bad, strict=True)
    for kind in ("y_pred", "y_score", "y_value"):
        if kind in given:
            raise EvidenceError(
                "predictions need the column of the truth.", hint="name it with y_true= (--truth on the command line)"
            )
    try:
        frame, told = _frame(place, format, skip_bad)
        if format == "cv-results" or (format is None and model is None and is_search(frame.columns)):
            return _search(place, frame, given, wide, metric)
        if format not in _ITEMS:
            with _rows_by_line(place, format, frame):
                scores = _scores(frame, given, wide, model=model, value=value)
            if format is None:
                _refuse_right_or_wrong(scores)
            return replace(scores, notes=(*told, *scores.notes), source=_source(place, format))
    except EvidenceError:
        if format is None and not (given or model) and suffix_of(place) in (".json", ".jsonl"):
            raise not_known(place) from None
        raise
    if measure is not None or greater_is_better is not None:
        raise ParameterError(
            "outcomes do not carry a measure.",
            hint="give it where it is asked for: compare(outcomes, measure=…), with the direction it has",
        )
    with _rows_by_line(place, format, frame, in_order=model is None and not drop_missing):
        items = _items(frame, format, given, models, model=model, value=value, drop_missing=drop_missing)
    return replace(items, notes=(*told, *items.notes), source=_source(place, format))


def _refuse_right_or_wrong(scores: Scores) -> None:
    """Rows of nothing but 0 and 1 are items that were solved or not; as data sets they would be ranked one by one."""
    cells = [np.asarray(values).ravel() for values in scores.cells.values()]
    known = np.concatenate(cells) if cells else np.zeros(0)
    known = known[np.isfinite(known)]
    if len(cells) >= _FEW_ITEMS and known.size and bool(np.isin(known, (0.0, 1.0)).all()):
        raise EvidenceError(
            f"every cell of the {len(cells)} rows is 0 or 1: are they items that a model got right or wrong, or scores "
            "of data sets?",
            hint='say --outcomes (format="outcomes") for items, --format scores (format="scores") for data sets',
        )


_FEW_ITEMS = 10  # fewer rows may be data sets on which models are perfect or useless
_ITEMS = ("outcomes", "sums")
_OF_LOGS = ("groups", "slices", "n_test")  # slices are fields of the log, and all of them are kept


def _logs(place: Path, format: str | None, given: Mapping[str, Any], skip_bad: bool) -> Found | None:
    """Logs of evaluation tools; None where columns of a table are named, or what is there is no log."""
    if any(k in given for k in ("y_true", "y_pred", "y_score", "y_value")):
        return None
    if format in LOG_FORMATS:
        return find_logs(place, format, skip_bad)
    if format is not None or not _exists(place) or is_store(place):
        return None
    return find_logs(place, None, skip_bad)


def _search(place: Path, frame: Any, given: dict[str, Any], wide: dict[str, Any], metric: str | None) -> Scores:
    """A search's ``cv_results_`` as a table: every candidate is a model."""
    from bakeoff.evidence._scores import Scores

    taken = _taken(given, "a search's results", "n_train", "n_test", "mixed_scales")
    chosen = wide.pop("models")
    scores = Scores.from_cv_results(frame.to_dict(as_series=False), score=metric, **wide, **taken)
    scores = scores if chosen is None else scores.select(models=chosen)
    return replace(scores, source=Source("cv-results", files=(place.name,)))


def _source(place: Path, format: str | None) -> Source:
    return Source(format or suffix_of(place).lstrip(".") or "csv", files=(place.name,))


def _scores(frame: Any, given: dict[str, Any], wide: dict[str, Any], *, model: Any, value: Any) -> Scores:
    from bakeoff.evidence._scores import Scores

    keys = _taken(given, "a table of scores", "dataset", "repeat", "fold", "n_train", "n_test", "mixed_scales")
    if model is None:
        _refuse_unused("a wide table of scores (name the column of the models for a long one)", value=value)
        if wide["models"] is None:
            refuse_no_heading(frame.columns)
        return Scores.from_wide(frame, **wide, **keys)
    if value is None:
        raise EvidenceError(
            "a long table of scores needs the column of the scores.", hint="value= (--value COLUMN on the command line)"
        )
    chosen = wide.pop("models")
    scores = Scores.from_frame(frame, model=model, value=value, **wide, **keys)
    return scores if chosen is None else scores.select(models=chosen)


def _items(
    frame: Any, format: str, given: dict[str, Any], models: Any, *, model: Any, value: Any, drop_missing: bool
) -> Predictions:
    from bakeoff.evidence._predictions import Predictions

    keys = ("groups", "sample_weight", "frequency", "instance", "attempt", "slices", "dataset")
    if format == "outcomes":
        taken = _taken(given, "a table of outcomes", *keys, "mixed_scales")
        return Predictions.from_outcomes(
            frame, models=models, model=model, outcome=value, drop_missing=drop_missing, **taken
        )
    taken = _taken({**given, "value": value, "drop_missing": drop_missing or None}, "a table of sums", *keys)
    found = Predictions.from_sums(frame, item=taken.pop("instance"), model=model, **taken)
    return found if models is None else found.select(models=models)


def _taken(given: Mapping[str, Any], what: str, *keys: str) -> dict[str, Any]:
    """The arguments that such evidence takes; others are refused."""
    _refuse_unused(what, **{k: v for k, v in given.items() if k not in keys})
    return {k: given.get(k) for k in keys}


_OPTIONS = {
    "groups": "--groups", "sample_weight": "--weight", "frequency": "--frequency", "instance": "--instance",
    "dataset": "--dataset", "repeat": "--repeat", "fold": "--fold", "n_train": "--n-train", "n_test": "--n-test",
    "pos_label": "--positive", "classes": "--classes", "model": "--model", "models": "--models", "value": "--value",
    "attempt": "--attempt", "slices": "--slice", "drop_missing": "--drop-missing",
    "greater_is_better": "--lower-is-better", "mixed_scales": "--mixed-scales", "y_true": "--truth",
}  # fmt: skip


def _refuse_unused(what: str, **given: Any) -> None:
    """An argument that would be read by nobody is a mistake, not a decoration."""
    unused = [k for k, v in given.items() if v is not None]
    if unused:
        listed = ", ".join(f"{k}= ({_OPTIONS[k]})" if k in _OPTIONS else f"{k}=" for k in unused)
        raise ParameterError(f"{what} has no use for {listed}.", hint="leave it out, or check what the file holds")


def as_path(path: Any) -> Path:
    """Return a path, or say that it is none."""
    try:
        return Path(path)
    except TypeError:
        raise ParameterError(f"path must be the name of a file or folder. Got {type(path).__name__} instead.") from None


def refuse_absent(path: Path) -> None:
    """Say that there is no such file, or that nothing is in it, before anything is asked about its columns."""
    if str(path) != "-" and not _exists(path):
        raise EvidenceError(f"there is no file {str(path)!r}.", hint="check the spelling and the current folder")
    if path.is_file():
        _refuse_empty(path, beginning(path, None, _HEAD))


def _refuse_empty(path: Path, head: bytes) -> None:
    if not head.strip(_BLANK):
        raise EvidenceError(f"the file {str(path)!r} is empty.")


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # too long, or with a NUL
        return False


_HEAD = 2**16
_BLANK = b"\xff\xfe\xef\xbb\xbf \t\r\n\0"  # marks of encodings among them


def read_table(path: Path, format: str | None = None) -> Any:
    """Read a file (CSV, TSV, JSON, JSON lines, Parquet, Arrow; compressed or not) or ``"-"`` as a Polars frame.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import polars as pl
    >>> from bakeoff.evidence import read_table
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "preds.csv"
    ...     pl.DataFrame({"y": ["yes", "no"], "rf": [0.9, 0.2]}).write_csv(file)
    ...     print(read_table(file).columns)
    ...
    ['y', 'rf']
    """
    import polars as pl

    refuse_absent(path)
    if path.is_dir():
        raise EvidenceError(f"{str(path)!r} is a folder, but a file is needed here.")
    try:
        content = content_of(path)
        table = _parsed(path, content, _kind(path, content, format))
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException, UnicodeError, RecursionError) as problem:
        reason = (str(problem).strip().splitlines() or [type(problem).__name__])[0][:200]
        raise EvidenceError(
            f"the file {str(path)!r} could not be read: {reason}.", hint="is it really a table?"
        ) from None
    except OSError as problem:
        raise EvidenceError(f"the file {str(path)!r} could not be read: {problem.strerror or problem}.") from None
    if not table.columns:
        raise EvidenceError(f"the file {str(path)!r} has no columns.", hint="is it really a table?")
    return table


def _kind(path: Path, content: bytes | None, format: str | None) -> str:
    """What a file holds, by its first bytes; text by its name, where that tells."""
    head = beginning(path, content, _HEAD)
    _refuse_empty(path, head)
    if format in ("csv", "tsv", "jsonl", "json", "parquet", "arrow"):
        return format
    foreign = next((kind for magic, kind in _FOREIGN.items() if head.startswith(magic)), None)
    if foreign is not None:
        raise EvidenceError(
            f"the file {str(path)!r} is of a kind that is not known ({foreign}).",
            hint="CSV, TSV, JSON lines and Parquet are read; unpack an archive, save a sheet as CSV",
        )
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith((b"ARROW1", b"FEA1")):
        return "arrow"
    suffix = suffix_of(path)
    if suffix in (".parquet", ".pq"):
        return "parquet"
    if suffix in (".json", ".jsonl", ".ndjson") or (suffix not in _TABLES and head.lstrip()[:1] in (b"{", b"[")):
        return "json"
    return "tsv" if suffix == ".tsv" else "csv"


def _parsed(path: Path, content: bytes | None, kind: str) -> Any:
    import io

    import polars as pl

    source: Any = path if content is None else io.BytesIO(content)
    if kind == "parquet":
        return pl.read_parquet(source, hive_partitioning=False)
    if kind == "arrow":
        return pl.read_ipc(source)
    if kind in ("json", "jsonl"):
        return _from_json(path, whole(path, content))
    return read_text(path, content, f".{kind}")


def _from_json(path: Path, content: bytes) -> Any:
    """JSON lines, a list of records, or columns by name."""
    import polars as pl

    from bakeoff.evidence._marks import numbers_where_meant

    text = content.decode("utf-8-sig")
    try:
        data = json.loads(text)
    except json.JSONDecodeError:
        try:
            data = [json.loads(line) for line in text.split("\n") if line.strip()]
        except json.JSONDecodeError as problem:
            raise EvidenceError(f"the file {str(path)!r} is not JSON: {problem.msg}.") from None
    if isinstance(data, dict) and data and not all(isinstance(v, list) for v in data.values()):
        data = [data]
    records = isinstance(data, list) and all(isinstance(row, dict) for row in data)
    if not data or not (isinstance(data, dict) or records):
        raise EvidenceError(
            f"the file {str(path)!r} is no table.", hint="JSON lines, a list of records, or an object of columns"
        )
    try:
        return numbers_where_meant(pl.DataFrame(data, infer_schema_length=None, strict=False))
    except (TypeError, ValueError):
        raise EvidenceError(f"the file {str(path)!r} is no table: its columns differ in length or kind.") from None


# -- folders ----------------------------------------------------------------------------------------------------------


def is_store(folder: Path) -> bool:
    """Whether a path is the store of a run."""
    if not folder.is_dir():
        return False
    root = folder / "predictions" if (folder / "predictions").is_dir() else folder
    return any(root.glob("dataset=*/model=*")) or (folder / "store.json").exists()


def table_files(folder: Path) -> list[Path]:
    """The tables in a folder, those below it too; hidden ones and marks such as Spark's _SUCCESS are left aside."""
    found = [
        p for p in folder.rglob("*")
        if p.is_file() and not p.name.startswith((".", "_")) and suffix_of(p) in _TABLES and p.stat().st_size
    ]  # fmt: skip
    if not found:
        raise EvidenceError(
            f"the folder {str(folder)!r} holds no tables.", hint="Parquet, CSV, TSV and JSON lines are read"
        )
    return sorted(found)


def _frame(place: Path, format: str | None, skip_bad: bool) -> tuple[Any, tuple[Note, ...]]:
    frame, told = read_folder(place, format, skip_bad) if place.is_dir() else (read_table(place, format), ())
    if not len(frame):
        raise EvidenceError("the table has no rows.", hint="is the file or the selection empty?")
    return frame, told


def read_folder(
    folder: Path, format: str | None = None, skip_bad: bool = False, columns: Mapping[str, Any] | None = None
) -> tuple[Any, tuple[Note, ...]]:
    """Read all tables of a folder as one frame; names such as ``model=rf`` of folders become columns.

    Where `columns` of predictions were named, tables that are models each are refused unless that is said.
    """
    import polars as pl

    from bakeoff.evidence._folders import case_columns, refuse_files_of_models

    files, skipped = [], []
    tables = []
    for file in table_files(folder):
        try:
            table = read_table(file, format)
        except EvidenceError:
            if not skip_bad:
                raise
            skipped.append(file.relative_to(folder).as_posix())
            continue
        files.append(file)
        for part in file.relative_to(folder).parts[:-1]:
            key, found, text = part.partition("=")
            if found and key not in table.columns:
                table = table.with_columns(pl.lit(text).alias(key))
        tables.append(table)
    if not tables:
        raise EvidenceError(f"no file of {str(folder)!r} can be read.", hint="look at one of them alone")
    first = tables[0].columns
    for file, table in zip(files, tables, strict=True):
        if set(table.columns) != set(first):
            odd = sorted(set(table.columns) ^ set(first))
            raise EvidenceError(
                f"the files of {str(folder)!r} have different columns: {odd[0]!r} is in one of {files[0].name!r} and "
                f"{file.name!r} only.",
                hint="give every file the same columns",
            )
    if columns is not None and columns.get("y_true") in first:
        keys = case_columns(columns, first)
        refuse_files_of_models(folder, ((f, t.select(keys)) for f, t in zip(files, tables, strict=True)))
    try:
        return pl.concat([t.select(first) for t in tables], how="vertical_relaxed"), _left_out(skipped)
    except pl.exceptions.PolarsError:
        raise EvidenceError(
            f"the files of {str(folder)!r} have columns of different kinds under one name.",
            hint="give a column the same kind (number or text) in every file",
        ) from None


def _left_out(files: Sequence[str]) -> tuple[Note, ...]:
    if not files:
        return ()
    listed = ", ".join(files[:6]) + (", …" if len(files) > 6 else "")
    text = Text("{n} files could not be read and were left out: {names}.", n=len(files), names=listed)
    return (warning_note("files-left-out", text),)


def _stored(folder: Path, pos_label: Any, models: list[str] | None = None) -> Predictions:
    """A store is scanned where every model has every split; else the shared splits are paired, with a note."""
    from bakeoff.evidence import hooks
    from bakeoff.evidence._folders import scan_store

    run = hooks.run_in_store(folder)
    if run is not None and not set(models or run.models) <= set(run.complete):
        return run.predictions(models=models)
    found = scan_store(folder, pos_label=pos_label)
    return found if models is None else found.select(models=models)


# -- predictions ------------------------------------------------------------------------------------------------------


def read_predictions(
    path: Path,
    columns: Mapping[str, Any],
    *,
    format: str | None = None,
    drop_missing: bool = False,
    skip_bad: bool = False,
    strict: bool = False,
) -> Predictions:
    """Read a file into memory, or scan a folder; `strict`: `dataset` must be a column, not a name."""
    from bakeoff.evidence._databases import is_delta, scan_delta
    from bakeoff.evidence._predictions import Predictions

    refuse_absent(path)
    if is_delta(path):
        return scan_delta(path, {k: v for k, v in columns.items() if v is not None})
    if path.is_dir() and columns.get("y_true") is None:
        return _stored(path, columns.get("pos_label"))
    if columns.get("y_true") is None:
        raise EvidenceError(
            f"the column of the truth in {str(path)!r} must be named.", hint="y_true=… (--truth on the command line)"
        )
    wanted = [c for kind in ("y_pred", "y_score", "y_value") for c in output_columns(columns.get(kind))]
    if not wanted:
        raise EvidenceError(
            f"no column of {str(path)!r} was named as a model's predictions.",
            hint="y_pred=, y_score= or y_value= (--pred, --score or --value on the command line)",
        )
    if path.is_dir():
        from bakeoff.evidence._folders import can_be_scanned, scan_wide

        if not (drop_missing or skip_bad) and can_be_scanned(path, columns):
            return scan_wide(path, columns)
    frame, told = read_folder(path, format, skip_bad, columns) if path.is_dir() else (read_table(path, format), ())
    dataset = columns.get("dataset")
    if strict and dataset is not None and dataset not in frame.columns:
        problem = unknown_choice("the column for dataset", dataset, frame.columns[:30])
        raise EvidenceError(problem.message, hint=problem.hint or "leave --dataset out for a single data set")
    with _rows_by_line(path, format, frame, in_order=columns.get("model") is None and not drop_missing):
        made = Predictions.from_frame(frame, drop_missing=drop_missing, **columns)
    return replace(made, notes=(*told, *made.notes))


@contextmanager
def _rows_by_line(path: Path, format: str | None, frame: Any, *, in_order: bool = True) -> Iterator[None]:
    """Name the rows that an error is about by their lines in the file; `in_order`: all are there, in its order."""
    try:
        yield
    except EvidenceError as problem:
        lines = _lines(path, format) if in_order and path.is_file() and _ROW.search(problem.message) else []
        if len(lines) != len(frame):
            raise
        names = {str(i): f"line {line}" for i, line in enumerate(lines)}
        message = _ROW.sub(lambda found: names.get(found[1], found[0]), problem.message)
        raise EvidenceError(message, hint=problem.hint) from None


_ROW = re.compile(r"\brow (\d+)\b")


def _lines(path: Path, format: str | None) -> list[int]:
    content = content_of(path)
    kind = _kind(path, content, format)
    if kind in ("json", "jsonl"):
        lines = whole(path, content).decode("utf-8-sig").split("\n")
        return [i for i, line in enumerate(lines, start=1) if line.strip()]
    try:
        return lines_of(path, content, f".{kind}") if kind in ("csv", "tsv") else []
    except csv.Error:
        return []
