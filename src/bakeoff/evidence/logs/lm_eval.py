"""lm-evaluation-harness: ``samples_<task>_<time>.jsonl`` of ``--log_samples``, and its ``results_<time>.json``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number, scalars, score

_NAME = re.compile(r"samples_(?P<task>.+?)(?P<time>_\d{4}-\d{2}-\d{2}T[\d.:-]+)?\.jsonl")
_BOOKKEEPING = {
    "doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics", "doc_hash", "prompt_hash",
    "target_hash",
}  # fmt: skip
_OF_LIKELIHOODS = ("perplexity", "weighted_perplexity", "bits_per_byte")  # ways of adding up, as its results name them
# What the pairs [log-likelihood, units] of a metric count.
_UNITS = {"word_perplexity": "words", "byte_perplexity": "bytes", "bits_per_byte": "bytes"}


def _read(opened: Opened) -> Iterable[Log]:
    name = _NAME.search(opened.name)
    results = opened.beside(f"results{(name and name['time']) or ''}.json") or {}
    task = name["task"] if name else _task_of(opened.path.stem, results)
    model = str(results.get("model_name") or opened.path.resolve().parent.name)
    lines = opened.lines()
    likelihoods = _likelihoods(lines, results, task)
    records, seen = [], dict[Any, int]()
    for line in lines:
        key = str(line.get("doc_hash") or f"doc_id {line['doc_id']}")
        again = seen[line.get("filter"), key] = seen.get((line.get("filter"), key), 0) + 1
        records.append(
            Record(
                task, model, key if again == 1 else f"{key} ({again})", _values(line, likelihoods),
                filter=None if line.get("filter") is None else str(line["filter"]), shown=str(line["doc_id"]),
                text=key if line.get("doc_hash") else canonical(line.get("doc")), about=scalars(line.get("doc")),
            )
        )  # fmt: skip
    better = (results.get("higher_is_better") or {}).get(task) or {}
    greater = {(task, metric): more for metric, more in better.items() if isinstance(more, bool)}
    yield Log(opened.name, str(results.get("lm_eval_version") or ""), records, greater, _told(results, task, seen))


def _task_of(name: str, results: Mapping[str, Any]) -> str:
    """Early versions name a file by the model's arguments and the task; the results list the tasks."""
    known = [task for task in results.get("configs") or {} if name.endswith(f"_{task}")]
    return max(known, key=len, default=name)


def _likelihoods(lines: Sequence[Mapping[str, Any]], results: Mapping[str, Any], task: str) -> set[str]:
    """Metrics of which a line holds a log-likelihood, alone or with its units: the tool adds them up over documents.

    The results name them by their aggregation; without results they are below zero in every line. Other pairs are the
    true and the predicted class (F1, MCC) or the texts of a corpus measure.
    """
    config = ((results.get("configs") or {}).get(task) or {}).get("metric_list") or []
    named = {str(m.get("metric")) for m in config if isinstance(m, dict) and m.get("aggregation") in _OF_LIKELIHOODS}
    first: dict[str, list[bool]] = {}
    for line in lines:
        for name in _names(line):
            value = (
                line[name][0] if _is_pair(line.get(name)) else number(line.get(name)) if name == "perplexity" else None
            )
            if value is not None:
                first.setdefault(name, []).append(value < 0)
    return named | {name for name, below in first.items() if all(below)}


def _names(line: Mapping[str, Any]) -> list[str]:
    listed = line.get("metrics")
    return listed if isinstance(listed, list) else [key for key in line if key not in _BOOKKEEPING]


def _values(line: Mapping[str, Any], likelihoods: set[str]) -> dict[str, Value]:
    """Scores by metric; a metric that is no number per document (a corpus measure's raw material) is left out."""
    of = score if isinstance(line.get("metrics"), list) else number
    values: dict[str, Value] = {}
    pairs = {name: line[name] for name in _names(line) if name in likelihoods and _is_pair(line.get(name))}
    units = {_UNITS.get(name, "units"): float(pair[1]) for name, pair in pairs.items()}
    for name in _names(line):
        if name in pairs:  # [log-likelihood, units]: the tool adds both up over documents and divides
            values[name] = {"log_likelihood": float(pairs[name][0]), "units": float(pairs[name][1]), **units}
        elif (found := of(line.get(name))) is not None:
            values[name] = {"log_likelihood": found, "units": 1.0} if name in likelihoods else found
    return values


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(number(v) is not None for v in value)


def _told(results: Mapping[str, Any], task: str, seen: Mapping[Any, int]) -> tuple[str, ...]:
    expected = ((results.get("n-samples") or {}).get(task) or {}).get("effective")
    found = len({key for _, key in seen})
    if not isinstance(expected, int) or sum(seen.values()) == 0 or found >= expected:
        return ()
    return (f"{task}: the log holds {found} of the {expected} documents that its results count; was it cut off?",)


LM_EVAL = Format(
    name="lm-eval",
    files="samples_*.jsonl, with results_*.json in the same folder",
    recognised="lines with doc_id and resps",
    claims=lambda o: o.kind in ("jsonl", "json") and has(o.first, "doc_id", "resps"),
    read=_read,
    part=lambda o: (
        o.kind == "json" and has(o.head, "results", "configs") and ("versions" in o.head or "n-shot" in o.head)
    ),
    how="run lm_eval with --log_samples, which writes samples_*.jsonl",
)
