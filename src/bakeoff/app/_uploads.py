"""Uploaded files: read in a private temporary folder as every other file, the columns of tables guessed."""

from __future__ import annotations

import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence import Predictions, Scores, can_be_model, read, read_table, refuse_cells, unpacked

_TRUTH_NAMES = ("y_true", "truth", "true", "y", "target", "label", "class", "actual", "observed", "outcome")
_FOLD_NAMES = ("fold", "split")
_REPEAT_NAMES = ("repeat", "run", "rep", "seed")
_GROUP_NAMES = ("group", "groups", "cluster", "subject", "patient", "user", "document", "site")
_DATASET_NAMES = ("dataset", "data set", "data_set", "data", "problem", "task")
_MOST_CLASSES = 50
_MOST_UNPACKED = 2**28
_FINISHED = (".counts", ".eval", ".json", ".jsonl")  # may hold evidence that needs no roles: counts and logs
_KINDS = (*_FINISHED, ".csv", ".tsv", ".txt", ".ndjson", ".parquet", ".pq", ".arrow", ".feather")


@dataclass
class Uploads:
    """Tables by identifier; identifiers cannot be guessed, and never are paths."""

    folder: Path

    def __post_init__(self) -> None:
        self._tables: dict[str, tuple[str, Any]] = {}

    def add(self, name: str, content: bytes) -> tuple[str, Any]:
        """Read an uploaded file and keep its table; the file itself is deleted."""
        suffixes = [s for s in map(str.lower, Path(name).suffixes) if s in _KINDS]
        if not suffixes:
            raise EvidenceError(
                "only tables, counts and logs can be read here: CSV, TSV, JSON lines and Parquet, compressed or not, "
                ".counts, and the logs of evaluation tools.",
                hint="save the table as .csv or .parquet",
            )
        identifier = secrets.token_urlsafe(9)
        stem = re.sub(r"[^\w+-]", "_", Path(name).stem)[:80] or "log"  # a log may name its model by its file or folder
        path = self.folder / identifier / stem / f"{stem}{suffixes[-1]}"
        path.parent.mkdir(parents=True)
        kept = suffixes[-1] in (".counts", ".eval")  # archives of their own kind
        path.write_bytes(content if kept else unpacked(content, Path(name).name, _MOST_UNPACKED))
        try:
            table = _finished(path, only=kept) if suffixes[-1] in _FINISHED else None
            table = read_table(path) if table is None else table
        except EvidenceError as problem:
            message = problem.message.replace(str(path), Path(name).name)
            raise EvidenceError(message, hint=problem.hint) from None
        finally:
            shutil.rmtree(self.folder / identifier, ignore_errors=True)
        if isinstance(table, Predictions):
            table = table if table.n else None
        if table is None or not (isinstance(table, Predictions) or len(table)):
            raise EvidenceError("the table has no rows.", hint="is the file empty?")
        if not isinstance(table, Predictions):
            refuse_cells(table.columns)
        self._tables[identifier] = (Path(name).name, table)
        while len(self._tables) > 20:  # the oldest uploads make room
            self._tables.pop(next(iter(self._tables)))
        return identifier, table

    def get(self, identifier: str) -> tuple[str, Any]:
        """Return the name and table of an upload."""
        if identifier not in self._tables:
            raise EvidenceError("this upload is no longer here.", hint="drop the file again")
        return self._tables[identifier]


def _finished(path: Path, *, only: bool) -> Predictions | None:
    """Counts and logs, which say themselves what they hold; None where the file is a table."""
    try:
        found = read(path)
    except EvidenceError:
        if only:
            raise
        return None
    source = found.source
    tables = ("json", "jsonl", "ndjson", "scores", "cv-results")
    plain = source is None or source.format in tables
    return found if isinstance(found, Predictions) and (only or not plain) else None


def told_of(table: Any) -> dict[str, Any]:
    """What the page needs of an upload: the columns of a table to give roles to, or the models of finished evidence."""
    if isinstance(table, Predictions):
        return {"rows": table.n, "preview": {}, "values": {}, "guess": {"mode": "ready", "models": list(table.models)}}
    preview = {c: [None if v is None else str(v) for v in table[c].head(5).to_list()] for c in table.columns}
    return {"rows": len(table), "preview": preview, "values": values_of(table), "guess": guess(table)}


def guess(table: Any) -> dict[str, Any]:
    """Guess what each column is; the user confirms."""
    kinds = {name: _kind(table[name]) for name in table.columns}
    lowered = {name.lower().strip(): name for name in table.columns}

    def named(wanted: tuple[str, ...]) -> str | None:
        return next((lowered[w] for w in wanted if w in lowered), None)

    keys = {"fold": named(_FOLD_NAMES), "repeat": named(_REPEAT_NAMES), "groups": named(_GROUP_NAMES)}
    outcomes = _outcome_columns(table, kinds, set())
    if outcomes and named(_TRUTH_NAMES) is None and named(_DATASET_NAMES) is None:
        item = next((n for n, k in kinds.items() if n not in outcomes and table[n].n_unique() == len(table)), None)
        return {"mode": "outcomes", "item": item, "models": outcomes, "kinds": kinds, **keys}
    truth = named(_TRUTH_NAMES) or _class_column(table, kinds, {*keys.values(), named(_DATASET_NAMES)})
    taken = {truth, *keys.values()}
    numeric = [n for n, k in kinds.items() if k == "number" and n not in taken and can_be_model(n, table[n])]
    dataset = named(_DATASET_NAMES)
    if truth is None and numeric and (dataset or len(table) <= 200):
        splits = {"fold": keys["fold"], "repeat": keys["repeat"]}
        return {"mode": "scores", "dataset": dataset, "models": numeric, "kinds": kinds, **splits}
    classes = [] if truth is None else [str(v) for v in table[truth].unique().sort().to_list()[:_MOST_CLASSES]]
    as_classes = truth is not None and (kinds[truth] != "number" or len(classes) <= 20)
    roles = {n: _role(n, table, truth, as_classes, kinds[n]) for n in table.columns if n not in taken}
    chances = [n for n, role in roles.items() if role == "score" and table[n].is_between(0, 1).all()]
    if chances:  # beside probabilities, ages and prices are features
        roles |= {n: "skip" for n, role in roles.items() if role == "score" and n not in chances}
    positive = _positive(classes)
    return {
        "mode": "predictions",
        "truth": truth,
        "roles": roles,
        "classes": classes,
        "positive": positive,
        "kinds": kinds,
        **keys,
    }


def _outcome_columns(table: Any, kinds: dict[str, str], taken: set[str | None]) -> list[str]:
    """The columns of numbers, where they are several and all hold 0 and 1 alone: right and wrong answers."""
    numeric = [n for n, k in kinds.items() if k == "number" and can_be_model(n, table[n])]
    binary = [n for n in numeric if set(table[n].drop_nulls().unique().to_list()) <= {0, 1}]
    return binary if len(binary) > 1 and len(binary) == len(numeric) else []


def values_of(table: Any) -> dict[str, list[str]]:
    """The values of every column that has few enough to be classes."""
    found = {n: table[n].drop_nulls().unique() for n in table.columns}
    return {n: [str(v) for v in values.sort().to_list()] for n, values in found.items() if len(values) <= _MOST_CLASSES}


def _class_column(table: Any, kinds: dict[str, str], taken: set[str | None]) -> str | None:
    """The one text column whose few values come again and again: it can only be the truth."""
    texts = [n for n, k in kinds.items() if k == "text" and n not in taken]
    found = [n for n in texts if 2 <= table[n].n_unique() <= min(20, len(table) // 4)]
    return found[0] if len(found) == 1 else None


def _kind(column: Any) -> str:
    return "number" if column.dtype.is_numeric() else "text"


def _role(name: str, table: Any, truth: str | None, as_classes: bool, kind: str) -> str:
    if truth is None or (kind == "number" and not can_be_model(name, table[name])):
        return "skip"
    if not as_classes:
        return "value" if kind == "number" else "skip"
    values = set(map(str, table[name].unique().to_list()[: _MOST_CLASSES + 1]))
    if values <= set(map(str, table[truth].unique().to_list())):
        return "pred"
    return "score" if kind == "number" and len(values) > 2 else "skip"


def _positive(classes: list[str]) -> str | None:
    """Offer a positive class only where it is the usual word for one; the user must confirm it."""
    if len(classes) != 2:
        return None
    usual = ("1", "true", "yes", "y", "positive", "pos", "malignant", "fraud", "churn", "spam", "bad")
    return next((c for c in classes if c.lower() in usual), None)


def evidence_of(name: str, table: Any, mapping: dict[str, Any]) -> Predictions | Scores:
    """Make evidence of a table as the user mapped it; counts and logs are evidence already."""
    if isinstance(table, Predictions):
        return table
    if mapping.get("mode") == "scores":
        models = [str(m) for m in mapping.get("models", [])]
        if not models:
            raise EvidenceError("no column is a model.", hint="say which columns hold the scores of a model")
        keys: dict[str, Any] = {k: mapping.get(k) or None for k in ("dataset", "fold", "repeat")}
        greater = {"greater": True, "lower": False}.get(str(mapping.get("better")))
        named = mapping.get("measure") or None
        return Scores.from_wide(table, models=models, measure=named, greater_is_better=greater, **keys)
    if mapping.get("mode") == "outcomes":
        models = [str(m) for m in mapping.get("models", [])]
        if not models:
            raise EvidenceError("no column is a model.", hint="say which columns hold the answers of a model")
        placed = {k: mapping[k] for k in ("item", "groups") if mapping.get(k)}
        return Predictions.from_outcomes(table, models=models, dataset=Path(name).stem, **placed)
    roles = mapping.get("roles", {})
    by_role = {kind: [n for n, r in roles.items() if r == kind] for kind in ("pred", "score", "value")}
    placed = {k: mapping[k] for k in ("fold", "repeat", "groups") if mapping.get(k)}
    truth = str(mapping.get("truth") or "")
    if not truth:
        raise EvidenceError("no column is the truth.", hint="say which column holds what really was")
    scores, classes = _by_class(table, truth, by_role["score"])
    if scores and not mapping.get("positive") and table[truth].drop_nulls().n_unique() == 2:
        raise EvidenceError("scores need a positive class.", hint="choose the class that high scores stand for")
    return Predictions.from_frame(
        table, y_true=truth, y_pred=by_role["pred"] or None, y_score=scores or None, classes=classes,
        y_value=by_role["value"] or None, pos_label=mapping.get("positive") or None, dataset=Path(name).stem, **placed,
    )  # fmt: skip


def _by_class(table: Any, truth: str, columns: list[str]) -> tuple[Any, list[Any] | None]:
    """Columns `rf_red, rf_green, rf_blue` of the classes red, green and blue are the probabilities of one model, rf."""
    classes = table[truth].drop_nulls().unique().sort().to_list() if truth in table.columns else []
    if not 2 < len(classes) <= _MOST_CLASSES:
        return columns, None
    models: dict[str, list[str]] = {}
    for first in columns:
        stem = first.removesuffix(str(classes[0]))
        whole = [f"{stem}{c}" for c in classes]
        if stem != first and stem.rstrip("_.- ") and set(whole) <= set(columns):
            models[stem.rstrip("_.- ")] = whole
    if not models:
        return columns, None
    used = {c for whole in models.values() for c in whole}
    return {**models, **{c: c for c in columns if c not in used}}, classes
