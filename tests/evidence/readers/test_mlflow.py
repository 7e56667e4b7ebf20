"""Scores from a table of MLflow runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from bakeoff import EvidenceError
from bakeoff.evidence.readers import read_mlflow


def test_a_table_of_mlflow_runs_is_scores():
    runs = pd.DataFrame(
        {
            "tags.mlflow.runName": ["rf", "nb"] * 3,
            "params.data": ["a", "a", "b", "b", "c", "c"],
            "metrics.auc": [0.9, 0.8, 0.7, 0.6, np.nan, 0.5],
        }
    )
    scores = read_mlflow(runs, "auc", dataset="params.data")
    assert scores.models == ("nb", "rf")
    assert scores.wide()["rf"].tolist()[:2] == [0.9, 0.7]
    assert scores.missing() == [("c", "rf")]
    with pytest.raises(EvidenceError, match=r"no column 'params\.set' for the dataset"):
        read_mlflow(runs, "auc", dataset="params.set")
