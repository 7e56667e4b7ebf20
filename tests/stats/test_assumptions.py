"""The looks at assumptions: on the differences, with numbers and notes, and no decision."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff.stats import normality, outliers


def test_normality_is_judged_on_the_differences(rng: np.random.Generator) -> None:
    base = rng.exponential(size=40)  # each column is far from normal, their difference is not
    a = base + rng.normal(0, 0.1, size=40)
    result = normality(a, base)
    assert result.pvalue == pytest.approx(scipy_stats.shapiro(a - base).pvalue)
    assert result.pvalue > 0.05
    assert result.notes == ()
    assert scipy_stats.shapiro(a).pvalue < 0.01


def test_skewed_differences_are_noted(rng: np.random.Generator) -> None:
    result = normality(rng.exponential(size=60))
    assert [note.code for note in result.notes] == ["non-normal-differences"]
    assert "p < 0.001" in result.notes[0].message


def test_many_differences_use_another_test(rng: np.random.Generator) -> None:
    result = normality(rng.normal(size=6000))
    assert result.method == "dagostino-pearson"
    assert 0 < result.pvalue <= 1


@pytest.mark.parametrize("values", [[0.1, 0.2], [0.1, 0.1, 0.1, 0.1]])
def test_untestable_normality_says_so(values: list[float]) -> None:
    result = normality(values)
    assert math.isnan(result.pvalue)
    assert [note.code for note in result.notes] == ["normality-untestable"]


def test_outliers_by_the_median(rng: np.random.Generator) -> None:
    values = np.append(rng.normal(size=50), [9.0, -14.0])
    result = outliers(values)
    assert result.index.tolist() == [51, 50]
    assert result.scale == pytest.approx(scipy_stats.median_abs_deviation(values, scale="normal"), rel=1e-4)
    assert "2 of 52 values far from the rest (the farthest is -14, at position 51)" in result.notes[0].message
    assert result.to_dict()["threshold"] == 3.5
    assert "n_outliers" in str(result)


def test_outliers_when_most_values_are_equal() -> None:
    result = outliers([0.0] * 20 + [0.5])
    assert result.index.tolist() == [20]
    assert outliers([0.2] * 5).index.size == 0
