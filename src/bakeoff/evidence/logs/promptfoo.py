"""promptfoo: the output of ``promptfoo eval -o`` as JSON, JSON lines or CSV."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, scalars, score

_ANSWERS = re.compile(r"\[(?P<provider>.+?)\] (?P<prompt>.*)", re.DOTALL)
_CELL = re.compile(r"\[(PASS|FAIL|ERROR)\]")
_ERROR = 2  # its failureReason of what is neither right nor wrong
_Placed = tuple[Any, Record]  # with the column of the tool's table: a provider with its settings, and a prompt
_ID_NAMES = ("item", "id", "name", "key")


def _read(opened: Opened) -> Iterable[Log]:
    if opened.kind == "csv":
        records = list(_of_table(opened))
    else:
        results = opened.head["results"]["results"] if _is_document(opened.head) else opened.lines()
        records = [_of_result(result) for result in results]
    graded = opened.kind == "csv" and any(r.values.get("score") not in (None, 0.0, 1.0) for _, r in records)
    told = (f"{opened.name}: promptfoo rounds scores to two decimals in CSV; its JSON has them whole.",) * graded
    version = (opened.head.get("metadata") or {}).get("promptfooVersion") if isinstance(opened.head, dict) else None
    yield Log(opened.name, str(version or ""), _named(records), told=told)


def _named(records: list[_Placed]) -> list[Record]:
    """The provider is the model; where a provider was given several prompts, provider and prompt.

    One provider with two settings stands in two columns of one name: they are numbered, and not taken for repeats.
    """
    prompts: dict[str, dict[str | None, dict[Any, int]]] = {}
    for column, record in records:
        columns = prompts.setdefault(record.model, {}).setdefault(record.filter, {})
        columns.setdefault(column, len(columns) + 1)
    named = []
    for column, r in records:
        found = prompts[r.model]
        name = f"[{r.model}] {r.filter}" if len(found) > 1 else r.model
        place = f" ({found[r.filter][column]})" if len(found[r.filter]) > 1 else ""
        named.append(replace(r, model=name + place, filter=None))
    return named


def _of_result(result: Mapping[str, Any]) -> _Placed:
    provider, prompt = result.get("provider") or {}, result.get("prompt") or {}
    label = (provider.get("label") or provider.get("id")) if isinstance(provider, dict) else provider
    case = result.get("testCase") or {}
    given = {k: v for k, v in (result.get("vars") or case.get("vars") or {}).items() if not k.startswith("_")}
    about = {k: v for k, v in scalars(given, result.get("metadata"), case.get("metadata")).items() if k[:1] != "_"}
    named = str((prompt.get("label") if isinstance(prompt, dict) else prompt) or result.get("promptId"))
    values, column = _values(result), result.get("promptIdx")
    item = canonical(given or case.get("description") or {})
    shown = _shown(given) if given else item
    return column, Record("data", str(label), item, values, filter=named, shown=shown, about=about)


def _values(result: Mapping[str, Any]) -> dict[str, Value]:
    reason = result.get("failureReason")
    failed = reason == _ERROR if reason is not None else bool(result.get("error")) and not result.get("gradingResult")
    if failed:  # the provider failed: an assertion that failed is in `error` too
        return {}
    named = {str(k): score(v) for k, v in (result.get("namedScores") or {}).items()}
    return {"score": score(result.get("score")), "success": score(result.get("success")), **named}


def _shown(given: Mapping[str, Any]) -> str:
    name = next((name for name in _ID_NAMES if name in given), next(iter(given), None))
    return canonical(given) if name is None else canonical(given[name])


# -- CSV --------------------------------------------------------------------------------------------------------------


def _of_table(opened: Opened) -> Iterator[_Placed]:
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
            yield start, Record(
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
        **{str(k): score(v) for k, v in named.items()},
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
