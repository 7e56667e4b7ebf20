from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff import BakeoffError
from bakeoff.stats import friedman
from bakeoff.stats.ranks._ranking import average_ranks, block_ranks


def enumerated_pvalue(scores):
    """Share of all arrangements within rows whose statistic is at least the observed one."""
    ranks = block_ranks(np.asarray(scores, dtype=float))
    observed = ((ranks.sum(axis=0) - ranks.sum() / ranks.shape[1]) ** 2).sum()
    arrangements = [list(itertools.permutations(row)) for row in ranks]
    at_least = [
        ((np.sum(rows, axis=0) - ranks.sum() / ranks.shape[1]) ** 2).sum() >= observed - 1e-9
        for rows in itertools.product(*arrangements)
    ]
    return np.mean(at_least)


@pytest.mark.parametrize(
    "scores",
    [
        [[3, 2, 1], [1, 3, 2], [3, 1, 2], [3, 2, 1]],
        [[3, 3, 1], [1, 3, 2], [2, 2, 2], [3, 2, 2]],
        [[4, 3, 2, 1], [2, 4, 1, 3], [4, 4, 1, 2]],
        [[1, 1, 2, 2], [2, 2, 1, 3], [5, 5, 5, 5]],
        [[1, 2]] * 5 + [[2, 1]],
    ],
)
def test_exact_p_value_is_the_share_of_all_arrangements(scores):
    assert friedman(scores, method="exact").pvalue == pytest.approx(enumerated_pvalue(scores), abs=1e-12)


def test_exact_p_value_tends_to_iman_davenport(rng):
    scores = rng.normal([0, 0.2, 0.4], 1, (60, 3))
    result = friedman(scores, method="exact")
    assert result.pvalue == pytest.approx(result.ff_pvalue, rel=0.1)


def test_exact_is_refused_where_it_is_out_of_reach(rng):
    with pytest.raises(BakeoffError, match="out of reach for this table of 12 models"):
        friedman(rng.normal(size=(10, 12)), method="exact")


def test_chi2_is_scipy_s(rng):
    for scores in (rng.normal(size=(9, 4)), rng.integers(0, 3, (12, 5))):
        theirs = scipy_stats.friedmanchisquare(*scores.T)
        ours = friedman(scores)
        assert ours.statistic == pytest.approx(theirs.statistic, rel=1e-10)
        assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


def test_rank_one_is_the_best_in_either_direction():
    scores = [[0.9, 0.8, 0.7], [0.6, 0.5, 0.4]]
    assert friedman(scores).mean_ranks.tolist() == [1, 2, 3]
    errors = friedman(scores, greater_is_better=False)
    assert errors.mean_ranks.tolist() == [3, 2, 1]
    assert errors.statistic == friedman(scores).statistic


def test_ties_within_a_data_set_are_decided_in_decimal():
    assert friedman([[0.1 + 0.2, 0.3, 0.1], [0.5, 0.4, 0.3]]).mean_ranks.tolist() == [1.25, 1.75, 3]


def test_each_data_set_is_ranked_on_its_own_scale():
    assert friedman([[1e9, 2e9], [1e-9, 2e-9]]).mean_ranks.tolist() == [2, 1]


def test_perfect_agreement_has_no_zero_p_value():
    result = friedman([[1, 2, 3]] * 4)
    assert (result.kendalls_w, result.ff_statistic) == (1, np.inf)
    assert 0 < result.ff_pvalue < 1e-12
    assert result.notes[0].code == "perfect-agreement"
    assert "0.00463" in result.notes[0].message
    assert friedman([[1, 2, 3]] * 4, method="exact").pvalue == pytest.approx(6**-3)


def test_identical_models():
    result = friedman([[1, 1, 1], [2, 2, 2]])
    assert (result.pvalue, result.ff_pvalue) == (1, 1)
    assert result.notes[0].code == "identical-models"
    assert friedman([[1, 1, 1], [2, 2, 2]], method="exact").pvalue == 1


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1, 2, 3]], "at least 2 rows and 2 columns. Got 1 × 3"),
        ([[1], [2]], "at least 2 rows and 2 columns. Got 2 × 1"),
        ([1, 2, 3], "two-dimensional"),
        ([[1, 2], [3, np.nan]], "row 1, column 1"),
        ([["a", "b"], ["c", "d"]], "table of numbers"),
    ],
)
def test_errors(scores, message):
    with pytest.raises(BakeoffError, match=message):
        friedman(scores)


def test_average_ranks_are_scipy_s(rng):
    values = rng.integers(0, 5, (20, 7)).astype(float)
    assert np.array_equal(average_ranks(values), scipy_stats.rankdata(values, axis=1))


def test_result_speaks():
    text = str(friedman([[3, 2, 1], [1, 3, 2], [3, 1, 2], [3, 2, 1]]))
    assert "iman-davenport F" in text
    assert "2, 6" in text
