"""Every Eval Ever: an aggregate ``.json`` and the instance-level ``.jsonl`` that it names."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, has, parsed, scalars, score


def _read(opened: Opened) -> Iterable[Log]:
    aggregate = _aggregate(opened)
    results = {str(r.get("evaluation_result_id")): r for r in aggregate.get("evaluation_results") or []}
    model = (aggregate.get("model_info") or {}).get("id")
    answers: dict[tuple[str, str, int], Record] = {}
    places: dict[tuple[str, str, str], int] = {}
    greater = {}
    for line in opened.lines():
        metric = str(line.get("evaluation_result_id") or line.get("evaluation_name"))
        result = results.get(metric) or {}
        task, sample = _task(line, result), str(line["sample_id"])
        lower = (result.get("metric_config") or {}).get("lower_is_better")
        if isinstance(lower, bool):
            greater[task, metric] = not lower
        place = places[task, sample, metric] = places.get((task, sample, metric), 0) + 1
        # Lines of one sample differ by metric: one answer. The same metric again is another attempt.
        record = answers.get((task, sample, place)) or Record(
            task, str(model or line.get("model_id")), sample, {}, attempt=place, text=line.get("sample_hash"),
            about=scalars(line.get("metadata")),
        )  # fmt: skip
        answers[task, sample, place] = replace(record, values={**record.values, metric: _score(line)})
    records = [replace(r, values=_in_order(r.values, results)) for r in answers.values()]
    yield Log(opened.name, str(opened.head.get("schema_version") or ""), records, greater)


def _in_order(values: Mapping[str, Value], results: Iterable[str]) -> dict[str, Value]:
    """Scores by metric, first those of the aggregate in its order."""
    return {metric: values[metric] for metric in dict.fromkeys((*results, *values)) if metric in values}


def _task(line: Mapping[str, Any], result: Mapping[str, Any]) -> str:
    named = (result.get("source_data") or {}).get("dataset_name")
    return str(named or str(line.get("evaluation_id") or line.get("evaluation_name")).split("/")[0])


def _score(line: Mapping[str, Any]) -> float | None:
    found = line.get("evaluation") or {}
    value = score(found.get("score"))
    if line.get("error") and value is None:
        return None
    return score(found.get("is_correct")) if value is None else value


def _aggregate(opened: Opened) -> dict[str, Any]:
    """The aggregate in the same folder that names this file; its checksum tells a file that was cut."""
    for place in sorted(opened.path.parent.glob("*.json")):
        document = parsed(place.read_bytes(), place.name)
        detail = document.get("detailed_evaluation_results") if isinstance(document, dict) else None
        if detail and PurePosixPath(str(detail.get("file_path"))).name in (opened.path.name, opened.path.stem):
            expected = detail.get("checksum")
            if detail.get("hash_algorithm") == "sha256" and hashlib.sha256(opened.content).hexdigest() != expected:
                raise EvidenceError(
                    f"the file {opened.name!r} is not the one that {place.name!r} describes: its checksum differs.",
                    hint="it may be cut off or changed; copy or write it again",
                )
            return dict(document)
    return {}


EVERY_EVAL_EVER = Format(
    name="every-eval-ever",
    files="aggregate .json and instance-level .jsonl",
    recognised="lines with evaluation_id, sample_id and evaluation; a document with model_info and evaluation_results",
    claims=lambda o: o.kind in ("json", "jsonl") and has(o.head, "evaluation_id", "sample_id", "evaluation"),
    read=_read,
    part=lambda o: o.kind == "json" and has(o.head, "evaluation_id", "model_info", "evaluation_results"),
    how="convert with --include_samples, which writes the instance-level .jsonl",
)
