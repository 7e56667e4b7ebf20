from __future__ import annotations

import base64
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.figures import explorer_data


def unpacked(text: str, n: int) -> Any:
    return np.frombuffer(base64.b64decode(text), dtype="<u2").reshape(n, -1) / 65535


def test_replicates_scatter_around_the_vertices(predictions: Predictions) -> None:
    data = explorer_data(predictions, replicates=400, rng=0)
    for model in data.models:
        at = model["hull"]["resampled"]
        for rate in ("fpr", "tpr"):
            drawn = unpacked(model["replicates"][rate], 400)
            assert drawn.mean(axis=0) == pytest.approx(np.array(model["hull"][rate])[at], abs=0.02)


def test_warnings_and_start(predictions: Predictions) -> None:
    plain = explorer_data(predictions, replicates=20).to_dict()
    assert "all folds" in plain["warnings"][-1]
    assert plain["text"] == {}
    few = Predictions.from_arrays([0, 0, 1] * 10, y_score={"a": np.linspace(0, 1, 30)}, pos_label=1)
    data = explorer_data(few, replicates=20, context=bakeoff.OperatingContext(prevalence=0.1, cost_fn=5)).to_dict()
    assert data["warnings"][-1] == "Only 10 rows of the rarer class: the curves are rough."
    assert (data["context"]["prevalence"], data["context"]["cost_fn"]) == (0.1, 5)
