from __future__ import annotations

import base64

import numpy as np
import pytest

import bakeoff
from bakeoff.decision import RocHull, binary_rows
from bakeoff.evidence import Predictions
from bakeoff.figures import explorer_data


def test_corners_and_shares_are_packed_without_loss(predictions: Predictions) -> None:
    data = explorer_data(predictions, n_resamples=50)
    hull = RocHull.from_rows(binary_rows(predictions.table()))
    for model in data.models:
        fpr, tpr, threshold = np.frombuffer(base64.b64decode(model["hull"]), dtype="<f8").reshape(3, -1)
        own = hull.hulls[model["name"]]
        assert (fpr == own.fpr).all()
        assert (tpr == own.tpr).all()
        assert (threshold == own.thresholds).all()
    shares = np.frombuffer(base64.b64decode(data.table["share"]), dtype="<u2").reshape(-1, len(data.models) + 2) / 65535
    assert shares.sum(axis=1) == pytest.approx(1, abs=1e-4)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_warnings_and_start(predictions: Predictions) -> None:
    plain = explorer_data(predictions, n_resamples=50).to_dict()
    assert "all folds" in plain["warnings"][-1]
    assert plain["text"] == {}
    assert plain["context"] is None
    few = Predictions.from_arrays([0, 0, 1] * 10, y_score={"a": np.linspace(0, 1, 30)}, pos_label=1)
    context = bakeoff.OperatingContext(prevalence=0.1, cost_fn=5)
    decision = bakeoff.decide(few, context, rng=0)
    data = explorer_data(few, n_resamples=50, context=context, decision=decision).to_dict()
    assert data["warnings"][-1] == "Only 10 rows of the rarer class: the curves are rough."
    assert (data["context"]["prevalence"], data["context"]["cost_fn"]) == (0.1, 5)
    assert data["start"][0]["model"] == decision.model
    assert data["start"][0]["cost"] == decision.expected_cost.estimate
