"""MLflow: scores from its table of runs, and an evaluation written to it (needs mlflow, installed by the user)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, MissingDependencyError
from bakeoff._core.frames import columns_of, is_frame, make_frame
from bakeoff._core.result import late
from bakeoff.evidence import Scores

_MODEL = "tags.mlflow.runName"


def read_mlflow(
    runs: Any, metric: str, *, model: str = _MODEL, dataset: str | None = None, fold: str | None = None
) -> Scores:
    """Return scores from a table of MLflow runs.

    Parameters
    ----------
    runs
        The frame ``mlflow.search_runs(…)`` returns.
    metric
        Name of the metric, as logged (without ``metrics.``).
    model, dataset, fold
        Columns that name the model (the run's name by default), the data set and the fold, such as ``"params.model"``.

    Examples
    --------
    >>> import polars as pl
    >>> from bakeoff.runner.readers import read_mlflow
    >>> runs = {"tags.mlflow.runName": ["a", "b"] * 2, "params.fold": [0, 0, 1, 1], "metrics.auc": [0.8, 0.7, 0.9, 0.8]}
    >>> read_mlflow(pl.DataFrame(runs), "auc", fold="params.fold").models
    ('a', 'b')
    """
    if not is_frame(runs):
        raise EvidenceError(f"runs must be the frame of mlflow.search_runs. Got {type(runs).__name__}.")
    columns = columns_of(runs)
    value = f"metrics.{metric}" if f"metrics.{metric}" in columns else metric
    for role, name in (("metric", value), ("model", model), ("dataset", dataset), ("fold", fold)):
        if name is not None and name not in columns:
            raise EvidenceError(f"the runs have no column {name!r} for the {role}.")
    numbers = np.asarray(columns[value], dtype=np.float64)
    kept = np.isfinite(numbers)
    chosen = {role: name for role, name in (("model", model), ("dataset", dataset), ("fold", fold)) if name is not None}
    table = {role: columns[name][kept].tolist() for role, name in chosen.items()}
    frame = make_frame({**table, metric: numbers[kept].tolist()}, "polars")
    options: dict[str, Any] = {role: role for role in ("dataset", "fold") if role in chosen}
    return Scores.from_frame(frame, model="model", value=metric, measure=metric, **options)


def log_mlflow(results: Any, measures: Any = None, *, report: bool = False, **options: Any) -> list[str]:
    """Write a run's models to MLflow: one MLflow run per model, with its measures, their limits and its parameters.

    Parameters
    ----------
    results
        A `bakeoff.Results`.
    measures
        Measures to log; by default those worth knowing for the task.
    report
        Also attach the HTML report, as an artifact of every run.
    options
        Passed to `Results.evaluate`.

    Returns
    -------
    list of str
        The MLflow run identifiers.

    Examples
    --------
    >>> from bakeoff import Results
    >>> from bakeoff.runner.readers import log_mlflow
    >>> log_mlflow(Results.open("runs/churn"), ["auc", "accuracy"], report=True)  # doctest: +SKIP
    """
    try:
        import mlflow
    except ImportError:
        raise MissingDependencyError(
            "log_mlflow needs the package 'mlflow', which is not installed.", hint="pip install mlflow"
        ) from None
    evaluation = results.evaluate(measures, **options)
    page = late("bakeoff.report", "report")(results) if report else None
    return [
        _log_model(mlflow, results, evaluation, model, page) for model in results.models if model in evaluation.models
    ]


def _log_model(mlflow: Any, results: Any, evaluation: Any, model: str, page: Any) -> str:
    with mlflow.start_run(run_name=model) as run:
        mlflow.log_params({"model": results.manifest.models[model]["description"][:500], "seed": results.manifest.seed})
        mlflow.log_params({f"protocol.{k}": v for k, v in results.protocol.items()})
        several = len(evaluation.datasets) > 1
        for entry in evaluation.entries:
            if entry.model != model or not np.isfinite(entry.interval.estimate):
                continue
            name = f"{entry.dataset}.{entry.measure}" if several else entry.measure
            limits = {"": entry.interval.estimate, ".low": entry.interval.low, ".high": entry.interval.high}
            mlflow.log_metrics({f"{name}{k}": float(v) for k, v in limits.items() if np.isfinite(v)})
        if page is not None:
            with tempfile.TemporaryDirectory() as folder:
                page.save(Path(folder) / "report.html")
                mlflow.log_artifact(str(Path(folder) / "report.html"))
        return str(run.info.run_id)
