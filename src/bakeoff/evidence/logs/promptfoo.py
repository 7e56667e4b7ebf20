"""promptfoo: the output of ``promptfoo eval -o`` as JSON, JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number, scalars

_ANSWERS = re.compile(r"\[(?P<provider>[^\]]+)\] (?P<prompt>.*)", re.DOTALL)
_CELL = re.compile(r"\[(PASS|FAIL|ERROR)\]")
_ERROR = 2  # its failureReason of what is neither right nor wrong
_ID_NAMES = ("item", "id", "name", "key")


def _read(opened: Opened) -> Iterable[Log]:
    if opened.kind == "csv":
        records = list(_of_table(opened))
    else:
        results = opened.head["results"]["results"] if _is_document(opened.head) else opened.lines()
        records = [_of_result(result) for result in results]
    graded = opened.kind == "csv" and any(r.values.get("score") not in (None, 0.0, 1.0) for r in records)
    told = (f"{opened.name}: promptfoo rounds scores to two decimals in CSV; its JSON has them whole.",) * graded
    version = (opened.head.get("metadata") or {}).get("promptfooVersion") if isinstance(opened.head, dict) else None
    yield Log(opened.name, str(version or ""), _named(records), told=told)


def _named(records: list[Record]) -> list[Record]:
    """The provider is the model; where a provider was given several prompts, provider and prompt."""
    prompts: dict[str, set[str | None]] = {}
    for record in records:
        prompts.setdefault(record.model, set()).add(record.filter)
    several = {model for model, found in prompts.items() if len(found) > 1}
    return [
        replace(r, model=f"[{r.model}] {r.filter}" if r.model in several else r.model, filter=None) for r in records
    ]


def _of_result(result: Mapping[str, Any]) -> Record:
    provider, prompt = result.get("provider") or {}, result.get("prompt") or {}
    label = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider
    case = result.get("testCase") or {}
    given = {k: v for k, v in (result.get("vars") or case.get("vars") or {}).items() if not k.startswith("_")}
    about = {k: v for k, v in scalars(given, result.get("metadata"), case.get("metadata")).items() if k[:1] != "_"}
    named = str(prompt.get("label") or result.get("promptId"))
    return Record("data", str(label), canonical(given), _values(result), filter=named, shown=_shown(given), about=about)


def _values(result: Mapping[str, Any]) -> dict[str, Value]:
    reason = result.get("failureReason")
    failed = reason == _ERROR if reason is not None else bool(result.get("error")) and not result.get("gradingResult")
    if failed:  # the provider failed: an assertion that failed is in `error` too
        return {}
    named = {str(k): number(v) for k, v in (result.get("namedScores") or {}).items()}
    return {"score": number(result.get("score")), "success": number(result.get("success")), **named}


def _shown(given: Mapping[str, Any]) -> str:
    name = next((name for name in _ID_NAMES if name in given), next(iter(given), None))
    return canonical(given) if name is None else canonical(given[name])


# -- CSV --------------------------------------------------------------------------------------------------------------


def _of_table(opened: Opened) -> Iterator[Record]:
    """A row is a test; each provider has a column headed [provider] prompt, and columns that tell its score."""
    rows = list(csv.reader(io.StringIO(opened.content.decode("utf-8-sig"))))
    header = rows[0]
    starts = [place for place, name in enumerate(header) if _ANSWERS.fullmatch(name)]
    variables = [name for name in header[: starts[0]] if name != "Description"]
    for row in rows[1:]:
        if not any(row):
            continue
        given = {name: value for name, value in zip(header[: starts[0]], row, strict=False) if name in variables}
        for start, stop in zip(starts, [*starts[1:], len(header)], strict=True):
            heading = _ANSWERS.fullmatch(header[start])
            assert heading is not None
            cells = dict(zip(header[start + 1 : stop], row[start + 1 : stop], strict=False))
            values = _from_cells(row[start] if start < len(row) else "", cells)
            yield Record(
                "data", heading["provider"], canonical(given), values, filter=heading["prompt"], shown=_shown(given),
                about=scalars(given),
            )  # fmt: skip


def _from_cells(answer: str, cells: Mapping[str, str]) -> dict[str, Value]:
    mark = _CELL.match(answer)
    status = cells.get("Status") or (mark[1] if mark else "")
    if status not in ("PASS", "FAIL"):
        return {}
    passed = float(status == "PASS")
    named = json.loads(cells.get("Named Scores") or "{}")
    return {
        "score": float(cells["Score"]) if cells.get("Score") else passed,
        "success": passed,
        **{str(k): number(v) for k, v in named.items()},
    }


def _is_document(head: Any) -> bool:
    return has(head, "results") and has(head["results"], "results") and isinstance(head["results"]["results"], list)


def _claims(opened: Opened) -> bool:
    if opened.kind == "csv":
        return any(_ANSWERS.fullmatch(name) for name in opened.head) and (
            "Status" in opened.head or bool(_CELL.search(opened.content[:100_000].decode("utf-8", "replace")))
        )
    return _is_document(opened.head) or has(opened.head, "provider", "vars", "score")


PROMPTFOO = Format(
    name="promptfoo",
    files="output .json, .jsonl or .csv",
    recognised="results.results with provider, vars and score; a table with columns headed [provider] prompt",
    claims=_claims,
    read=_read,
    how="run promptfoo eval with -o results.json",
)
