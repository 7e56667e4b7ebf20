"""Power of Friedman's test against the test itself, and its level under equal models."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import detectable_friedman, friedman, power_friedman, sample_size_friedman
from bakeoff.stats.power._friedman import _chi2


def test_statistic_is_that_of_the_test(rng: np.random.Generator) -> None:
    tables = rng.normal(size=(20, 9, 4))
    assert _chi2(tables) == pytest.approx([friedman(table).statistic for table in tables])


def test_agrees_with_the_test_itself(rng: np.random.Generator) -> None:
    means, sd, n = np.array([0.80, 0.80, 0.81, 0.82]), 0.02, 15
    difficulty = rng.normal(0, 0.1, size=(800, n, 1))
    tables = means + difficulty + rng.normal(0, sd, size=(800, n, 4))
    rejected = np.mean([friedman(table).ff_pvalue <= 0.05 for table in tables])
    assert rejected == pytest.approx(power_friedman(means, sd, n), abs=0.06)


def test_equal_models_are_found_different_at_the_level() -> None:
    assert power_friedman([0.5] * 5, 0.1, 12) == pytest.approx(0.05, abs=0.008)


def test_the_answer_is_reproducible_and_its_error_as_stated() -> None:
    assert power_friedman([0, 0, 1], 1.0, 12) == power_friedman([0, 0, 1], 1.0, 12)
    runs = [power_friedman([0, 0, 1], 1.0, 12, n_resamples=500, rng=seed) for seed in range(40)]
    assert np.std(runs) < 1.4 * 0.5 / np.sqrt(500)


def test_sizes_and_differences_invert_the_power() -> None:
    means = [0.80, 0.80, 0.81, 0.82]
    n = sample_size_friedman(means, 0.02, n_resamples=4000)
    assert power_friedman(means, 0.02, n, n_resamples=4000) >= 0.8
    assert power_friedman(means, 0.02, n) == pytest.approx(0.8, abs=0.04)
    advantage = detectable_friedman(4, 0.02, 20, n_resamples=4000)
    assert power_friedman([advantage, 0, 0, 0], 0.02, 20) == pytest.approx(0.8, abs=0.03)


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ParameterError, match="means must differ"):
        sample_size_friedman([0.5, 0.5], 0.1)
    with pytest.raises(ParameterError, match=r"no advantage can be detected"):
        detectable_friedman(2, 0.1, 3, n_resamples=200)
