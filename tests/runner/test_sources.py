"""Data sets from files: marks, identifiers and row labels are what people mean by them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from bakeoff import BakeoffWarning, EvidenceError
from bakeoff.runner import Dataset, load_dataset


@pytest.fixture
def churn(tmp_path: Path) -> Path:
    rows = ["id,f1,f2,churned"]
    for i in range(60):
        gap, target = ("NA" if i % 17 == 0 else f"{i % 7 / 7:.3f}"), ("?" if i % 10 == 0 else ("no", "yes")[i % 2])
        rows.append(f"{i},{i * 37 % 101 / 101:.3f},{gap},{target}")
    path = tmp_path / "churn.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_d29_a_mark_in_the_target_is_no_class(churn: Path) -> None:
    with pytest.warns(BakeoffWarning, match="'id'"):
        data = load_dataset(churn, target="churned")
    with pytest.raises(EvidenceError, match=r"'\?' \(6 rows\)") as refused:
        data.prepared()
    assert "drop_missing" in str(refused.value)


def test_d29_unlabelled_rows_are_left_out_on_request_and_a_mark_in_a_feature_is_a_gap(churn: Path) -> None:
    with pytest.warns(BakeoffWarning) as told:
        data = load_dataset(churn, target="churned", drop_missing=True)
    assert "6 of 60 rows" in str(told[0].message)
    assert (data.n, data.n_features) == (54, 2)  # the id is no feature
    assert data.prepared().target.classes == ("no", "yes")
    assert data.missing_features == int(np.isnan(np.asarray(data.X)).sum()) == 3


def test_d29_an_identifier_can_be_kept(churn: Path) -> None:
    assert load_dataset(churn, target="churned", drop=[]).n_features == 3


def test_a_class_may_be_called_none() -> None:
    labels = ["none", "mild", "severe"] * 4
    with pytest.raises(EvidenceError, match="'none'"):
        Dataset(np.zeros((12, 1)), labels).prepared()
    assert Dataset(np.zeros((12, 1)), labels, task="classification").prepared().target.classes[1] == "none"


def test_d11_rows_of_a_data_set_are_matched_by_their_labels() -> None:
    X = pd.DataFrame({"a": np.arange(10.0)})
    y = pd.Series(np.arange(10) % 2)
    assert Dataset(X, y.sample(frac=1, random_state=0)).truth.tolist() == y.tolist()
    with pytest.raises(EvidenceError, match="row labels"):
        Dataset(X, y.rename(lambda i: i + 100))
