"""A run's evaluation written to MLflow (needs mlflow, installed by the user)."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bakeoff._core.errors import MissingDependencyError
from bakeoff.runner._results import Results

if TYPE_CHECKING:
    from bakeoff.intervals import Evaluation


def log_mlflow(results: Results, measures: Any = None, *, report: bool = False, **options: Any) -> list[str]:
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
    >>> from bakeoff.runner import log_mlflow
    >>> log_mlflow(Results.open("runs/churn"), ["auc", "accuracy"], report=True)  # doctest: +SKIP
    """
    try:
        import mlflow
    except ImportError:
        raise MissingDependencyError(
            "log_mlflow needs the package 'mlflow', which is not installed.", hint="pip install mlflow"
        ) from None
    evaluation = results.evaluate(measures, **options)
    page = results.report() if report else None
    return [
        _log_model(mlflow, results, evaluation, model, page) for model in results.models if model in evaluation.models
    ]


def _log_model(mlflow: Any, results: Results, evaluation: Evaluation, model: str, page: Any) -> str:
    with mlflow.start_run(run_name=model) as run:
        mlflow.log_params({"model": results.manifest.models[model].description[:500], "seed": results.manifest.seed})
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
