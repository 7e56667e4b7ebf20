"""DeepEval: ``test_run_*.json`` of its local results folder."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from bakeoff._core.errors import EvidenceError
from bakeoff.evidence.logs._record import Format, Log, Opened, Record, Value, canonical, has, number, scalars, score

_GIVEN_BY_THE_TOOL = re.compile(r"(conversational_)?test_case_\d+")


def _read(opened: Opened) -> Iterable[Log]:
    run = opened.head
    parameters = run.get("hyperparameters") or {}
    named = parameters.get("model") if isinstance(parameters, dict) else None
    model = str(named or run.get("identifier") or opened.path.stem)
    task = str(run.get("datasetAlias") or "data")
    cases = [*(run.get("testCases") or []), *(run.get("conversationalTestCases") or [])]
    yield Log(opened.name, "", [_of_case(task, model, case) for case in cases], _greater(task, cases))


def _greater(task: str, cases: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], bool]:
    """Whether more is better: a case above its threshold succeeds, or (toxicity, bias) fails. None where they differ.

    Scores at the threshold tell nothing: both kinds succeed there.
    """
    found: dict[tuple[str, str], set[bool]] = {}
    for metric in (m for case in cases for m in case.get("metricsData") or []):
        value, limit, success = metric.get("score"), metric.get("threshold"), metric.get("success")
        if number(value) is not None and number(limit) is not None and isinstance(success, bool) and value != limit:
            found.setdefault((task, str(metric.get("name"))), set()).add((value > limit) is success)
    return {metric: greater.pop() for metric, greater in found.items() if len(greater) == 1}


def _of_case(task: str, model: str, case: Mapping[str, Any]) -> Record:
    asked = canonical(case.get("input") or case.get("scenario") or case.get("turns"))
    name = str(case.get("name") or "")
    if asked == "null" and not name:
        raise EvidenceError("a case has neither a name nor an input: nothing tells which item it is.")
    by_name = bool(name) and not _GIVEN_BY_THE_TOOL.fullmatch(name)  # test_case_3 is a place, not a name
    about = scalars({"tags": case.get("tags")}, case.get("additionalMetadata"), case.get("metadata"))
    return Record(task, model, name if by_name else asked, _values(case), text=asked, about=about)


def _values(case: Mapping[str, Any]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for metric in case.get("metricsData") or []:
        found = score(metric.get("score"))
        if metric.get("score") is None and not metric.get("error"):
            found = score(metric.get("success"))
        values[str(metric.get("name"))] = None if metric.get("error") else found
    return values | {"success": score(case.get("success"))}


DEEPEVAL = Format(
    name="deepeval",
    files="test_run_*.json",
    recognised="a document with testCases whose entries have metricsData",
    claims=lambda o: o.kind == "json" and has(o.head, "testCases") and isinstance(o.head["testCases"], list),
    read=_read,
    how="set DEEPEVAL_RESULTS_FOLDER, and run deepeval again",
)
