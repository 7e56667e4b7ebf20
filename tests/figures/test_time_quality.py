from __future__ import annotations

import pytest
from sklearn.naive_bayes import GaussianNB

import bakeoff
from bakeoff.figures import time_quality_figure
from bakeoff.intervals import Evaluation
from bakeoff.protocols import KFold


def test_points_are_the_evaluation() -> None:
    results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), progress=False)
    evaluation = results.evaluate(["accuracy", "fit_time"])
    (point,) = time_quality_figure(evaluation).points
    (dataset,) = evaluation.datasets
    assert point["model"] == "nb"
    assert point["time"] == evaluation[dataset, "nb", "fit_time"].estimate
    assert point["value"] == evaluation[dataset, "nb", "accuracy"].estimate


def test_times_are_asked_for(evaluation: Evaluation) -> None:
    with pytest.raises(bakeoff.EvidenceError, match="no fit_time"):
        time_quality_figure(evaluation)
