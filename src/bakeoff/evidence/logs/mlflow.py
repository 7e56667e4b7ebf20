"""MLflow: tables of ``log_table`` and ``evaluate``, in a file store or alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number, scalars, score

_IDS = ("item", "item_id", "id", "sample_id", "example_id", "case_id", "question_id", "doc_id")
_INPUTS = ("inputs", "input", "request", "question", "prompt", "query")
_ATTEMPTS = ("attempt", "epoch", "trial")
_RUN_NAME = re.compile(r"^run_name:\s*['\"]?(.*?)['\"]?\s*$", re.MULTILINE)
_DELETED = re.compile(r"^lifecycle_stage:\s*deleted", re.MULTILINE)
_SCORE = re.compile(r"(?P<metric>.+?)(/v\d+)?/(score|value)")


def _read(opened: Opened) -> Iterable[Log]:
    columns = [str(c) for c in opened.head["columns"]]
    rows = [dict(zip(columns, row, strict=False)) for row in opened.head["data"]]
    run = _run_folder(opened.path)
    if run and _DELETED.search(_meta(run)):
        return
    parameters = _texts(run / "params") if run else {}
    model = (_name(run) if run else "") or parameters.get("model") or (run.name if run else opened.path.stem)
    item = next((c for c in _IDS if c in columns), None)
    asked = next((c for c in _INPUTS if c in columns), None)
    if item is None and asked is None:
        if run:  # a run may keep other tables
            yield Log(opened.name, "", [], told=(f"{opened.name}: no column identifies an item, so it was not read.",))
            return
        raise EvidenceError(
            f"no column of the table {opened.name!r} identifies an item: {', '.join(map(repr, columns[:12]))}.",
            hint=f"log a column {_IDS[0]!r}, or the inputs as {_INPUTS[0]!r}",
        )
    attempt = next((c for c in _ATTEMPTS if c in columns), None)
    metrics = _metrics(columns, rows, {item, attempt, asked})
    extra = {f"params.{key}": value for key, value in parameters.items()}
    records = [
        Record(
            opened.path.stem, model, canonical(row[item or str(asked)]), _values(row, metrics),
            attempt=None if attempt is None else row[attempt], text=None if asked is None else canonical(row[asked]),
            about={**scalars({c: row[c] for c in columns if c != attempt and c not in metrics.values()}), **extra},
        )
        for row in rows
    ]  # fmt: skip
    yield Log(opened.name, "", records)


def _metrics(columns: Sequence[str], rows: Sequence[Mapping[str, Any]], taken: set[str | None]) -> dict[str, str]:
    """Metric → its column: those named ``<metric>/score``, and every other column of numbers."""
    scored = {match["metric"]: c for c in columns if (match := _SCORE.fullmatch(c))}
    numeric = [
        c for c in columns
        if c not in taken and c not in scored.values()
        and any(r[c] is not None for r in rows) and all(r[c] is None or number(r[c]) is not None for r in rows)
    ]  # fmt: skip
    return scored | {c: c for c in numeric if c not in scored}


def _values(row: Mapping[str, Any], metrics: Mapping[str, str]) -> dict[str, Value]:
    return {metric: score(row[column]) for metric, column in metrics.items()}


# -- the run that a table belongs to ----------------------------------------------------------------------------------


def _run_folder(path: Path) -> Path | None:
    """The folder above ``artifacts``; it is a run's where it has a meta.yaml or parameters."""
    above = [p for p in path.resolve().parents if p.name == "artifacts"]
    return above[-1].parent if above else None


def _name(run: Path) -> str:
    named = _texts(run / "tags").get("mlflow.runName")
    found = _RUN_NAME.search(_meta(run))
    return named or (found[1] if found else "")


def _meta(run: Path) -> str:
    meta = run / "meta.yaml"
    return meta.read_text(encoding="utf-8") if meta.is_file() else ""


def _texts(folder: Path) -> dict[str, str]:
    if not folder.is_dir():
        return {}
    return {p.name: p.read_text(encoding="utf-8", errors="replace").strip() for p in folder.iterdir() if p.is_file()}


MLFLOW = Format(
    name="mlflow",
    files="a store's folder, or a table .json of log_table or evaluate",
    recognised="a document with columns and data",
    claims=lambda o: (
        o.kind == "json" and has(o.head, "columns", "data") and isinstance(o.head["data"], list)
        and all(isinstance(row, list) for row in o.head["data"][:3])
    ),
    read=_read,
    how="log the table of items with mlflow.log_table",
)  # fmt: skip
