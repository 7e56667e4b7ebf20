"""The paired t-test against R, and its degenerate inputs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import cohen_d, paired_t
from oracle import assert_case, cases


def test_agrees_with_r() -> None:
    (case,) = cases("paired_t")
    a, b = case["input"]["a"], case["input"]["b"]
    result = paired_t(a, b)
    interval = result.confidence_interval(0.95)
    got = {
        "t": result.statistic,
        "df": result.df,
        "p": result.pvalue,
        "mean_diff": result.estimate,
        "ci95": [interval.low, interval.high],
        "p_greater": paired_t(a, b, alternative="greater").pvalue,
        "dz": cohen_d(a, b),
    }
    assert_case(case, got)


def test_differences_alone_are_enough() -> None:
    a, b = np.array([0.3, 0.5, 0.9]), np.array([0.1, 0.6, 0.2])
    assert paired_t(a - b).pvalue == paired_t(a, b).pvalue


def test_identical_models_give_one_with_a_note() -> None:
    for alternative in ("two-sided", "less", "greater"):
        result = paired_t([0.8, 0.9, 0.7], [0.8, 0.9, 0.7], alternative=alternative)
        assert (result.statistic, result.pvalue) == (0.0, 1.0)
        assert [note.code for note in result.notes] == ["identical-models"]


def test_constant_difference_is_undefined_though_binary_noise_varies() -> None:
    result = paired_t([0.811, 0.301, 0.901], [0.801, 0.291, 0.891])
    assert math.isnan(result.statistic)
    assert math.isnan(result.pvalue)
    assert result.estimate == pytest.approx(0.01)
    assert [note.code for note in result.notes] == ["constant-difference"]
    interval = result.confidence_interval()
    assert math.isnan(interval.low)
    assert "no-spread" in [note.code for note in interval.notes]


def test_noise_below_rounding_error_is_no_difference() -> None:
    a = np.array([0.1, 0.2, 0.3]) + 0.2
    b = np.array([0.3, 0.4, 0.5])
    assert (a != b).any()
    assert paired_t(a, b).pvalue == 1.0


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([0.1, 0.2], [0.1, 0.2, 0.3], r"paired, value by value\. Got 2 and 3 values"),
        ([0.1], [0.2], r"a needs at least 2 values\. Got 1"),
        ([0.1, math.nan], [0.2, 0.1], "must be finite"),
    ],
)
def test_bad_evidence_is_named(a: list[float], b: list[float], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        paired_t(a, b)


def test_unknown_alternative_gets_a_guess() -> None:
    with pytest.raises(ParameterError, match="did you mean 'greater'"):
        paired_t([1.0, 2.0], [2.0, 1.0], alternative="grater")


def test_interval_level_must_be_a_fraction() -> None:
    with pytest.raises(ParameterError, match=r"give a fraction: 0\.95"):
        paired_t([1.0, 2.0], [2.0, 2.5]).confidence_interval(95)
