"""Cost matrices: every form is read alike, every mistake gets a message that helps."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from bakeoff import OperatingContext, ParameterError
from bakeoff.learners import check_cost_matrix, cost_class_weight, cost_sample_weight

CLASSES = np.array(["high", "low", "mid"])
COSTS = np.array([[0.0, 9.0, 4.0], [1.0, 0.0, 2.0], [3.0, 5.0, 0.0]])
NAMES = ["low", "mid", "high"]  # not in sorted order
ORDER = [1, 2, 0]
LABELLED = COSTS[np.ix_(ORDER, ORDER)]


def nested():
    return {t: {p: LABELLED[i, j] for j, p in enumerate(NAMES)} for i, t in enumerate(NAMES)}


@pytest.mark.parametrize(
    "given",
    [
        COSTS,
        COSTS.tolist(),
        nested(),
        pd.DataFrame(LABELLED, index=NAMES, columns=NAMES),
        pd.DataFrame(LABELLED, index=NAMES, columns=NAMES)[["high", "low", "mid"]],
        pl.DataFrame({"true": NAMES, **{name: LABELLED[:, j] for j, name in enumerate(NAMES)}}),
        OperatingContext.multiclass(nested()),
    ],
    ids=["array", "list", "mapping", "pandas", "pandas-reordered", "polars", "context"],
)
def test_every_form_is_read_in_class_order(given):
    np.testing.assert_array_equal(check_cost_matrix(given, CLASSES), COSTS)


def test_polars_columns_name_numeric_classes():
    frame = pl.DataFrame({"true": [0, 1], "1": [1.0, 0.0], "0": [0.0, 5.0]})
    np.testing.assert_array_equal(check_cost_matrix(frame, np.array([0, 1])), [[0, 1], [5, 0]])


def test_none_is_zero_one_and_balanced_makes_classes_weigh_the_same():
    np.testing.assert_array_equal(check_cost_matrix(None, CLASSES), 1 - np.eye(3))
    costs = check_cost_matrix("balanced", np.array([0, 1]), [90, 10])
    np.testing.assert_allclose(costs, [[0, 100 / 180], [5, 0]])
    assert 90 * costs[0, 1] == pytest.approx(10 * costs[1, 0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0, 1], [1, 0]], "2 × 2 costs for 3 classes: 'high', 'low', 'mid'"),
        ([[0, 1, 2], [1, 0, 2]], "must be square"),
        ([0, 1, 2], "must be square"),
        ("expensive", "cost_matrix, when a word, must be one of 'balanced'"),
        ([["a", "b"], ["c", "d"]], "square table of numbers"),
        (np.where(COSTS == 9, np.nan, COSTS), "NaN or infinity"),
        (np.where(COSTS == 9, np.inf, COSTS), "NaN or infinity"),
        (
            np.where(np.eye(3, dtype=bool), -1, COSTS),
            "must not be negative. Got -1 for true 'high' predicted as 'high'",
        ),
        (OperatingContext(cost_fn=5), "Got an OperatingContext"),
    ],
)
def test_mistakes_are_said_plainly(given, message):
    with pytest.raises(ParameterError, match=message):
        check_cost_matrix(given, CLASSES)


def test_negative_entries_come_with_a_way_out():
    with pytest.raises(ParameterError, match="add a constant to the whole row"):
        check_cost_matrix([[-1, 2], [10, 1]], np.array([0, 1]))
    np.testing.assert_array_equal(check_cost_matrix([[0, 3], [10, 1]], np.array([0, 1])), [[0, 3], [10, 1]])


def test_a_right_answer_may_not_cost_more_than_a_wrong_one():
    with pytest.raises(ParameterError, match="unreasonable"):
        check_cost_matrix([[2, 1], [5, 0]], np.array([0, 1]))


@pytest.mark.parametrize(
    ("costs", "loser"),
    [
        ([[0, 0], [5, 0]], 0),
        ([[0, 5], [0, 0]], 1),
        ([[0, 0, 5], [0, 0, 5], [5, 5, 0]], 0),
        ([[0, 4, 4], [3, 0, 0], [5, 2, 0]], 1),
    ],
)
def test_a_dominated_class_is_refused(costs, loser):
    with pytest.raises(ParameterError, match=f"the class {loser} is dominated"):
        check_cost_matrix(costs, np.arange(len(costs)))


def test_labels_must_be_those_of_the_data():
    extra = {t: {p: 1.0 * (p != t) for p in [*NAMES, "top"]} for t in [*NAMES, "top"]}
    with pytest.raises(ParameterError, match="names the class 'top', which is missing from the data"):
        check_cost_matrix(extra, CLASSES)
    with pytest.raises(ParameterError, match="the data has the class 'mid', which the cost matrix does not name"):
        check_cost_matrix({"low": {"low": 0, "high": 1}, "high": {"low": 2, "high": 0}}, CLASSES)
    with pytest.raises(ParameterError, match="1 is not '1'"):
        check_cost_matrix({"0": {"0": 0, "1": 1}, "1": {"0": 1, "1": 0}}, np.array([0, 1]))
    with pytest.raises(ParameterError, match="no entry for the class 'high'"):
        check_cost_matrix({"low": {"low": 0}, "high": {"low": 2, "high": 0}}, np.array(["high", "low"]))


def test_weights_sum_to_the_rows_and_follow_the_costs():
    y = np.repeat(CLASSES, [5, 3, 2])
    weights = cost_sample_weight(y, COSTS)
    assert weights.sum() == pytest.approx(10)
    by_class = cost_class_weight(y, COSTS)
    # Ting's weights: V_i = Σ_j C[i, j], here 13, 3 and 8.
    assert by_class["high"] / by_class["low"] == pytest.approx(13 / 3)
    assert by_class["mid"] / by_class["low"] == pytest.approx(8 / 3)
    np.testing.assert_array_equal(weights, [by_class[label] for label in y])


def test_weights_count_costs_above_the_right_answer():
    assert cost_class_weight([0, 1], [[2, 3], [6, 1]]) == pytest.approx({0: 2 * 1 / 6, 1: 2 * 5 / 6})
