"""Verdict, numbers and report of a result, with the MLflow run they belong to."""

from __future__ import annotations

import math
import re
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff.integrations import needed

_LONGEST_TAG = 5000
_NAMES = ("dataset", "measure", "slice", "model", "model_a", "model_b")


def log(result: Any, run_id: str | None = None) -> str:
    """Add a result to an MLflow run: the verdict as a tag, the numbers as metrics, the report as an artifact.

    Parameters
    ----------
    result
        A gate, comparison, evaluation, decision or flips: whatever has a frame, and a verdict or a report.
    run_id
        The run; by default the active one.

    Returns
    -------
    str
        The run's identifier.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.integrations.mlflow import log
    >>> gate = bakeoff.gate(evidence, baseline="old", candidate="new", margin=0.01)  # doctest: +SKIP
    >>> log(gate)  # doctest: +SKIP
    """
    mlflow = needed("mlflow")
    active = mlflow.active_run()
    if run_id is None and active is None:
        raise ParameterError("no MLflow run is active.", hint="call it inside mlflow.start_run(), or give run_id=")
    run = run_id or str(active.info.run_id)
    client = mlflow.MlflowClient()
    for tag, text in _tags(result).items():
        client.set_tag(run, f"bakeoff.{tag}", text[:_LONGEST_TAG])
    for name, value in _metrics(result).items():
        client.log_metric(run, f"bakeoff.{name}", value)
    client.log_dict(run, result.to_dict(), "bakeoff/result.json")
    page = _page(result)
    if page is not None:
        client.log_text(run, page, "bakeoff/report.html")
    return run


def _tags(result: Any) -> dict[str, str]:
    told = {"verdict": getattr(result, "verdict", None), "outcome": getattr(result, "outcome", None)}
    return {name: str(value) for name, value in told.items() if value}


def _metrics(result: Any) -> dict[str, float]:
    """Every finite number of the result's frame, named after the row it stands in and its column."""
    columns = result._columns()
    rows = max((len(values) for values in columns.values()), default=0)
    found = {}
    for row in range(rows):
        where = [str(columns[name][row]) for name in _NAMES if name in columns]
        for name, values in columns.items():
            value = values[row]
            if name not in _NAMES and isinstance(value, (bool, int, float)) and math.isfinite(value):
                found[_allowed(".".join([*where, name]))] = float(value)
    return found


def _allowed(name: str) -> str:
    return re.sub(r"[^\w./ -]", "_", name)


def _page(result: Any) -> str | None:
    """The report of a result that one can be made of; a gate's is that of its comparison."""
    from bakeoff.report import report

    try:
        return str(report(getattr(result, "comparison", result)).html)
    except ParameterError:
        return None
