"""Frames, mappings and numbered columns are taken as they are meant."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores, read

TRUTH = [0, 1, 0, 1, 1, 0, 1, 1] * 10
LABELS = {"a": [0, 1, 0, 1, 0, 0, 1, 1] * 10, "b": [1, 1, 0, 0, 0, 0, 1, 0] * 10}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_the_columns_of_a_frame_are_models(frame) -> None:
    given = Predictions.from_arrays(TRUTH, y_pred=frame(LABELS))
    assert given.models == ("a", "b")
    assert bakeoff.compare(given).pair("a", "b").estimate == pytest.approx(3 / 8)


def test_a_mapping_of_scores_is_a_table() -> None:
    table = {"a": [0.8, 0.7, 0.9], "b": (0.7, 0.6, 0.9), "c": pl.Series([0.1, 0.2, 0.3])}
    scores = Scores.from_wide(table, measure="auc")
    assert scores.models == ("a", "b", "c")
    assert scores.wide()["b"].to_list() == [0.7, 0.6, 0.9]
    assert Scores.from_wide(table, models=["c", "a"]).models == ("c", "a")
    with pytest.raises(EvidenceError, match="one score per data set"):
        Scores.from_wide({"a": [0.8, 0.7], "b": [0.7]})
    with pytest.raises(EvidenceError, match="must hold numbers"):
        Scores.from_wide({"a": ["x", "y"], "b": [0.7, 0.8]})


def test_numbered_columns_are_columns_not_rows() -> None:
    """Asked for with [0], narwhals gives the first row of a table whose columns are numbered."""
    values = np.random.default_rng(2).random((9, 3))
    scores = Scores.from_wide(pd.DataFrame(values))
    assert scores.models == ("0", "1", "2")
    assert np.asarray(scores.wide()[["0", "1", "2"]]).tolist() == values.tolist()
    comparison = bakeoff.compare(scores, control=1)
    assert comparison.control == "1"
    assert comparison.pair(0, 1) == comparison.pair("0", "1")


def test_two_columns_of_one_name() -> None:
    frame = pd.DataFrame([[0, 1, 1], [1, 0, 1]], columns=["y", "a", "a"])
    with pytest.raises(EvidenceError, match="two columns named 'a'"):
        Predictions.from_frame(frame, y_true="y", y_pred=["a"])


def test_names_of_measures_have_no_case() -> None:
    assert bakeoff.measures.get("AUC") is bakeoff.measures.get("auc")
    with pytest.raises(ParameterError, match="did you mean 'accuracy'"):
        bakeoff.measures.get("Acuracy")


@pytest.mark.parametrize("written", ["true", "True", True])
def test_the_positive_class_as_files_write_it(written: object) -> None:
    given = Predictions.from_arrays(np.array(TRUTH) == 1, y_score={"a": np.arange(80.0)}, pos_label=written)
    assert given.scores("auc").wide()["a"].to_list() == [bakeoff.stats.auc(TRUTH, np.arange(80.0))]


def test_the_bare_constructor_names_the_others() -> None:
    with pytest.raises(ParameterError, match="from_arrays"):
        Predictions([0, 1, 1], {"a": [0, 1, 0]})  # type: ignore[arg-type]


def test_values_given_as_labels() -> None:
    with pytest.raises(EvidenceError, match="y_value"):
        Predictions.from_arrays([1.5, 2.5, 3.0], y_pred={"a": [1.4, 2.6, 3.1]})


def test_two_scales_of_outcomes_are_asked_about_and_can_be_meant() -> None:
    table = {"a": [0.2, 0.5, 0.9], "b": [20.0, 60.0, 80.0]}
    with pytest.raises(EvidenceError, match="mixed_scales"):
        Predictions.from_outcomes(table)
    assert Predictions.from_outcomes(table, mixed_scales=True).models == ("a", "b")
    assert Predictions.from_outcomes({"a": [0.2, 0.5, 0.9], "b": [2.0, 3.0, 4.0]}).n == 3  # seconds, say


def test_a_direction_for_outcomes_is_not_lost(tmp_path) -> None:
    file = tmp_path / "seconds.csv"
    file.write_text("old,new\n1.1,2.2\n1.2,2.1\n")
    with pytest.raises(ParameterError, match="measure"):
        read(file, format="outcomes", greater_is_better=False)
