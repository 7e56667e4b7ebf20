from __future__ import annotations

import pytest
from sklearn.metrics import average_precision_score

from bakeoff.evidence import Predictions
from bakeoff.figures import precision_recall_figure


def test_areas_are_those_of_scikit_learn(predictions: Predictions) -> None:
    rows, data = predictions.table(), precision_recall_figure(predictions).to_dict()
    assert [c["model"] for c in data["curves"]] == ["a", "b", "c"]
    for curve in data["curves"]:
        known = average_precision_score(rows.positives(), rows.scores(curve["model"]))
        assert curve["average_precision"] == pytest.approx(known)
        assert curve["recall"][-1] == 1
    assert data["prevalence"] == pytest.approx(rows.positives().mean())
