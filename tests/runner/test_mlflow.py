"""A run written to MLflow."""

from __future__ import annotations

import sys
import types

import pytest
from troublemakers import Mean, data

from bakeoff import MissingDependencyError, run
from bakeoff.protocols import KFold
from bakeoff.runner import log_mlflow


@pytest.mark.filterwarnings("ignore:.*from chance")  # small data, models near chance
def test_an_evaluation_is_logged_to_mlflow(monkeypatch):
    X, y = data()
    results = run({"a": Mean(), "b": Mean(1)}, (X, y), KFold(3))
    monkeypatch.setitem(sys.modules, "mlflow", None)
    with pytest.raises(MissingDependencyError, match="needs the package 'mlflow'"):
        log_mlflow(results)
    logged = []

    class Run:
        def __init__(self, name):
            self.info = types.SimpleNamespace(run_id=f"id-{name}")

        def __enter__(self):
            return self

        def __exit__(self, *problem):
            return None

    fake = types.ModuleType("mlflow")
    fake.start_run = lambda run_name: Run(run_name)
    fake.log_params = lambda values: logged.append(("params", values))
    fake.log_metrics = lambda values: logged.append(("metrics", values))
    monkeypatch.setitem(sys.modules, "mlflow", fake)
    assert log_mlflow(results, ["accuracy"]) == ["id-a", "id-b"]
    metrics = [v for kind, v in logged if kind == "metrics"]
    assert set(metrics[0]) == {"accuracy", "accuracy.low", "accuracy.high"}
