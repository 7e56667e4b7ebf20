"""MLflow: scores from its table of runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import columns_of, is_frame
from bakeoff.evidence._scores import Scores

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
    >>> from bakeoff.evidence.readers import read_mlflow
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
    kept = np.isfinite(np.asarray(columns[value], dtype=np.float64))
    table = {name: columns[name][kept] for name in (value, model, dataset, fold) if name is not None}
    return Scores.from_frame(table, model=model, value=value, measure=metric, dataset=dataset, fold=fold)
