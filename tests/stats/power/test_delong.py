"""Power of DeLong's test against the test itself on binormal scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm

from bakeoff._core.errors import ParameterError
from bakeoff.stats import delong_test, detectable_delong, power_delong, sample_size_delong
from bakeoff.stats.power._delong import _placement_covariance


@pytest.mark.parametrize(
    ("auc_a", "auc_b", "n_pos", "n_neg", "correlation"), [(0.8, 0.7, 50, 60, 0.5), (0.95, 0.9, 40, 160, 0.7)]
)
def test_agrees_with_the_test_itself(
    auc_a: float, auc_b: float, n_pos: int, n_neg: int, correlation: float, rng: np.random.Generator
) -> None:
    truth = np.repeat([1, 0], [n_pos, n_neg])
    shared = np.linalg.cholesky([[1, correlation], [correlation, 1]])
    rejected = 0
    for _ in range(600):
        scores = rng.normal(size=(truth.size, 2)) @ shared.T
        scores[:n_pos] += np.sqrt(2) * norm.ppf([auc_a, auc_b])
        rejected += delong_test(truth, scores[:, 0], scores[:, 1]).pvalue <= 0.05
    power = power_delong(auc_a, auc_b, n_pos, n_neg, correlation=correlation)
    assert rejected / 600 == pytest.approx(power, abs=0.07)


@pytest.mark.parametrize(("auc_a", "auc_b", "r"), [(0.8, 0.8, 1.0), (0.9, 0.6, 0.5), (0.99, 0.95, -0.4), (0.7, 0.7, 0)])
def test_covariance_is_the_bivariate_normal(auc_a: float, auc_b: float, r: float) -> None:
    both = multivariate_normal(cov=[[1, r / 2], [r / 2, 1]]).cdf(norm.ppf([auc_a, auc_b]))
    assert _placement_covariance(auc_a, auc_b, r) == pytest.approx(both - auc_a * auc_b, abs=1e-6)


def test_one_sided_tests_look_one_way() -> None:
    both = power_delong(0.85, 0.8, 200, 200)
    assert power_delong(0.85, 0.8, 200, 200, alternative="greater") > both
    assert power_delong(0.85, 0.8, 200, 200, alternative="less") < 0.001
    assert power_delong(0.8, 0.8, 200, 200) == pytest.approx(0.05)
    assert power_delong(0.8, 0.8, 200, 200, correlation=1.0) == 0.05


def test_sizes_and_differences_invert_the_power() -> None:
    n = sample_size_delong(0.85, 0.82, prevalence=0.2, correlation=0.8)
    n_pos = round(0.2 * n)
    assert power_delong(0.85, 0.82, n_pos, n - n_pos, correlation=0.8) >= 0.8
    difference = detectable_delong(0.82, n_pos, n - n_pos, correlation=0.8)
    assert difference == pytest.approx(0.03, rel=0.01)
    assert detectable_delong(0.82, 200, 200, alternative="less") > 0


def test_rare_positives_need_more_instances() -> None:
    assert sample_size_delong(0.85, 0.82, prevalence=0.05) > 3 * sample_size_delong(0.85, 0.82)


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ParameterError, match="must differ in the direction"):
        sample_size_delong(0.8, 0.8)
    with pytest.raises(ParameterError, match=r"no difference of AUCs can be detected.*use more data"):
        detectable_delong(0.995, 10, 10)
    with pytest.raises(ParameterError, match="auc_a must be a finite number"):
        power_delong(1.0, 0.9, 10, 10)


@pytest.mark.parametrize("auc", ["a", None, 1.0, float("nan")])
def test_sample_size_names_a_bad_auc(auc: object) -> None:
    with pytest.raises(ParameterError, match="auc_a must be a finite number"):
        sample_size_delong(auc, 0.8)  # type: ignore[arg-type]
