"""Equivalence and non-inferiority against statsmodels and by their definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from statsmodels.stats.weightstats import ttost_paired

from bakeoff._core.errors import ParameterError
from bakeoff.stats import corrected_t, noninferiority, paired_t, tost


def _pair(rng: np.random.Generator, shift: float) -> tuple[np.ndarray, np.ndarray]:
    base = rng.normal(0.8, 0.05, 30)
    return base + rng.normal(shift, 0.01, 30), base


def test_agrees_with_statsmodels(rng: np.random.Generator) -> None:
    for shift in (0.0, 0.008, -0.02):
        a, b = _pair(rng, shift)
        pvalue, lower, upper = ttost_paired(a, b, -0.01, 0.01)
        result = tost(a, b, margin=0.01)
        assert result.pvalue == pytest.approx(pvalue, rel=1e-9)
        assert (result.statistic_lower, result.pvalue_lower) == pytest.approx(lower[:2], rel=1e-9)
        assert (result.statistic_upper, result.pvalue_upper) == pytest.approx(upper[:2], rel=1e-9)
        assert result.pvalue == max(result.pvalue_lower, result.pvalue_upper)


def test_equivalence_is_the_90_percent_interval_inside_the_margin(rng: np.random.Generator) -> None:
    seen = set()
    for shift in np.linspace(-0.012, 0.012, 25):
        result = tost(*_pair(rng, shift), margin=0.01)
        interval = result.confidence_interval(0.9)
        inside = interval.low > -0.01 and interval.high < 0.01
        assert (result.pvalue < 0.05) == inside
        seen.add(inside)
    assert seen == {True, False}


def test_fold_sizes_bring_the_correction(rng: np.random.Generator) -> None:
    a, b = _pair(rng, 0.0)
    corrected = tost(a, b, margin=0.01, n_train=90, n_test=10)
    assert corrected.standard_error == corrected_t(a, b, n_train=90, n_test=10).standard_error
    assert corrected.method == "corrected-t"
    assert corrected.pvalue > tost(a, b, margin=0.01).pvalue


def test_noninferiority_at_margin_zero_is_superiority(rng: np.random.Generator) -> None:
    a, b = _pair(rng, 0.002)
    superiority = paired_t(a, b, alternative="greater")
    assert noninferiority(a, b, margin=0).pvalue == superiority.pvalue
    assert noninferiority(a, b, margin=0.01).pvalue == tost(a, b, margin=0.01).pvalue_lower


def test_noninferiority_of_an_error_measure_turns_the_sign(rng: np.random.Generator) -> None:
    a, b = _pair(rng, 0.002)
    accuracy = noninferiority(a, b, margin=0.005)
    error = noninferiority(1 - a, 1 - b, margin=0.005, greater_is_better=False)
    assert error.pvalue == pytest.approx(accuracy.pvalue, rel=1e-9)
    assert error.estimate == pytest.approx(-accuracy.estimate)


@pytest.mark.parametrize("test", [tost, noninferiority])
def test_no_spread_has_no_answer(test) -> None:  # type: ignore[no-untyped-def]
    same = test([0.8, 0.9], [0.8, 0.9], margin=0.01)
    assert math.isnan(same.pvalue)
    assert same.notes[-1].code == "identical-models"
    constant = test([0.85, 0.95], [0.8, 0.9], margin=0.01)
    assert math.isnan(constant.pvalue)
    assert constant.notes[-1].code == "constant-difference"


def test_margins_have_no_sign() -> None:
    for margin in (0, -0.01):
        with pytest.raises(ParameterError, match=r"margin must be positive.*without a sign"):
            tost([0.1, 0.2], margin=margin)
    with pytest.raises(ParameterError, match="margin must be positive"):
        noninferiority([0.1, 0.2], margin=-0.01)


def test_sizes_come_together() -> None:
    with pytest.raises(ParameterError, match="given together"):
        tost([0.1, 0.2], margin=0.1, n_train=90)
