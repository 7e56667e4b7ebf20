"""Results beside an MLflow run and as skore checks, with stand-ins for the two packages; a clear error without them."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import MissingDependencyError, ParameterError, Predictions
from bakeoff.integrations import mlflow, skore


@pytest.fixture
def evidence() -> Predictions:
    old = np.arange(600) % 5 != 0
    new = old.copy()
    new[np.flatnonzero(old)[:60]] = False
    return Predictions.from_outcomes({"old": old.astype(int), "new": new.astype(int)})


class Client:
    """What is called of `mlflow.MlflowClient`, remembered."""

    said: dict[str, dict[str, Any]]

    def set_tag(self, run: str, key: str, value: str) -> None:
        self.said["tags"][key] = value

    def log_metric(self, run: str, key: str, value: float) -> None:
        self.said["metrics"][key] = value

    def log_dict(self, run: str, content: dict[str, Any], place: str) -> None:
        self.said["artifacts"][place] = content

    def log_text(self, run: str, content: str, place: str) -> None:
        self.said["artifacts"][place] = content


@pytest.fixture
def tracking(monkeypatch) -> SimpleNamespace:
    Client.said = {"tags": {}, "metrics": {}, "artifacts": {}}
    module: Any = ModuleType("mlflow")
    module.MlflowClient, module.active = Client, None
    module.active_run = lambda: module.active
    monkeypatch.setitem(sys.modules, "mlflow", module)
    return module


def test_verdict_numbers_and_report_stand_beside_the_run(tracking, evidence) -> None:
    gate = bakeoff.gate(evidence, baseline="old", candidate="new", margin=0.02)
    assert mlflow.log(gate, run_id="r1") == "r1"
    said = Client.said
    assert said["tags"]["bakeoff.outcome"] == "worse"
    assert said["tags"]["bakeoff.verdict"].startswith("FAILED")
    assert said["metrics"]["bakeoff.accuracy.estimate"] == pytest.approx(gate.estimate)
    assert said["artifacts"]["bakeoff/result.json"]["passed"] is False
    assert "<html" in said["artifacts"]["bakeoff/report.html"]


def test_the_active_run_is_taken_and_none_is_an_error(tracking, evidence) -> None:
    comparison = bakeoff.compare(evidence)
    with pytest.raises(ParameterError, match="no MLflow run is active"):
        mlflow.log(comparison)
    tracking.active = SimpleNamespace(info=SimpleNamespace(run_id="now"))
    assert mlflow.log(comparison) == "now"
    assert "new is" in Client.said["tags"]["bakeoff.verdict"] or "old is" in Client.said["tags"]["bakeoff.verdict"]
    assert any(name.endswith(("new.old.pvalue", "old.new.pvalue")) for name in Client.said["metrics"])


def test_without_the_packages_the_error_says_what_to_install(monkeypatch, evidence) -> None:
    for name, call in (("mlflow", mlflow.log), ("skore", skore.checks)):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(MissingDependencyError, match=f"pip install {name}"):
            call(bakeoff.compare(evidence))


def test_checks_have_what_skore_asks_for(monkeypatch, evidence) -> None:
    monkeypatch.setitem(sys.modules, "skore", ModuleType("skore"))
    failed = bakeoff.gate(evidence, baseline="old", candidate="new", margin=0.02)
    passed = bakeoff.gate(evidence, baseline="new", candidate="old", margin=0.02)
    made = skore.checks(failed, passed, bakeoff.compare(evidence))
    for check in made:
        assert {"code", "title", "report_type", "docs_url", "severity", "slow", "check_function"} <= set(dir(check))
        assert check.report_type == "comparison-estimator"
        assert check.report_types == ["comparison-estimator"]
    told = {check.code: check.check_function(None) for check in made}
    assert told["BKF001"].startswith("FAILED")
    assert told["BKF002"] is None
    assert "is better than" in told["BKF003"]
    with pytest.raises(ParameterError, match="results of bakeoff"):
        skore.checks("verdict")
