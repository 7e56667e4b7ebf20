from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff import BakeoffError
from bakeoff.stats import sign_test


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
def test_p_value_and_interval_are_scipy_s_binomial_test(alternative):
    d = [1] * 9 + [-1] * 3
    theirs = scipy_stats.binomtest(9, 12, alternative=alternative)
    ours = sign_test(d, alternative=alternative)
    limits, interval = theirs.proportion_ci(0.9), ours.confidence_interval(0.9)
    assert ours.pvalue == pytest.approx(theirs.pvalue, rel=1e-12)
    assert (interval.low, interval.high) == pytest.approx((limits.low, limits.high), abs=1e-12)


def test_ties_are_decided_in_decimal():
    result = sign_test([0.1 + 0.2, 0.5], [0.3, 0.4])
    assert (result.wins, result.losses, result.ties) == (1, 0, 1)


def test_odd_ties_are_split_with_one_dropped():
    d = [1, 1, 1, -1, 0, 0, 0]
    assert sign_test(d, ties="split").pvalue == pytest.approx(scipy_stats.binomtest(4, 6).pvalue)


def test_identical_models():
    result = sign_test([0.5, 0.6], [0.5, 0.6])
    assert (result.pvalue, result.ties) == (1, 2)
    assert np.isnan(result.estimate)
    assert result.notes[0].code == "identical-models"
    interval = result.confidence_interval()
    assert (interval.low, interval.high) == (0, 1)


def test_few_pairs_are_said_to_be_few():
    assert sign_test([1, 2, 3]).notes[0].code == "few-pairs"
    assert sign_test([1, 2, 3, 4, 5, 6]).notes == ()


def test_errors():
    with pytest.raises(BakeoffError, match="ties must be one of"):
        sign_test([1, 2], ties="half")
