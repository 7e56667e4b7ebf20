"""Power of the t-tests against R, statsmodels and the tests themselves on simulated data."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.power import TTestPower

from bakeoff._core.errors import ParameterError
from bakeoff.stats import (
    corrected_t,
    detectable_corrected_t,
    detectable_paired_t,
    power_corrected_t,
    power_paired_t,
    sample_size_corrected_t,
    sample_size_paired_t,
)
from oracle import worked_examples

OTHER_WORDS = {"two-sided": "two-sided", "greater": "larger", "less": "smaller"}


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("effect", "n", "alpha"), [(0.5, 20, 0.05), (-0.3, 60, 0.01), (2.0, 4, 0.1), (0.0, 10, 0.05)])
def test_agrees_with_statsmodels(effect: float, n: int, alpha: float, alternative: str) -> None:
    expected = TTestPower().power(effect, n, alpha, alternative=OTHER_WORDS[alternative])
    assert power_paired_t(effect, 1.0, n, alpha=alpha, alternative=alternative) == pytest.approx(expected, abs=1e-6)


def test_sample_size_agrees_with_r() -> None:
    (example,) = worked_examples("tests")["constants"]["power"].values()
    assert sample_size_paired_t(0.5, 1.0, alpha=0.05, power=0.8) == int(np.ceil(example["n"]))


def test_corrected_power_is_that_of_the_test(rng: np.random.Generator) -> None:
    n_splits, rho, sd = 15, 0.25, 0.03
    shared, own = rng.normal(size=(3000, 1)), rng.normal(size=(3000, n_splits))
    # S² estimates (1 − ρ)σ², so σ = sd/√(1 − ρ)
    noise = sd * (own + np.sqrt(rho / (1 - rho)) * shared)
    for effect in (0.0, 0.03, 0.06):
        rejected = [corrected_t(row + effect, n_train=3, n_test=1).pvalue <= 0.05 for row in noise]
        power = power_corrected_t(effect, sd, n_splits=n_splits, n_train=3, n_test=1)
        assert np.mean(rejected) == pytest.approx(power, abs=3.5 * np.sqrt(0.25 / 3000))


def test_sizes_and_differences_invert_the_power() -> None:
    sizes = {"n_train": 200, "n_test": 20}
    j = sample_size_corrected_t(0.03, 0.03, **sizes, power=0.7)
    assert power_corrected_t(0.03, 0.03, n_splits=j, **sizes) >= 0.7
    assert power_corrected_t(0.03, 0.03, n_splits=j - 1, **sizes) < 0.7
    effect = detectable_corrected_t(0.03, n_splits=50, **sizes, power=0.9)
    assert power_corrected_t(effect, 0.03, n_splits=50, **sizes) == pytest.approx(0.9, abs=1e-4)
    less = detectable_paired_t(0.03, 25, alternative="less")
    assert power_paired_t(-less, 0.03, 25, alternative="less") == pytest.approx(0.8, abs=1e-4)


def test_repeats_have_a_limit() -> None:
    with pytest.raises(ParameterError, match=r"no number of splits.*more rows, or more data sets"):
        sample_size_corrected_t(0.01, 0.03, n_train=9, n_test=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"effect": 0.0, "sd": 1.0}, "effect must be a difference"),
        ({"effect": -0.1, "sd": 1.0, "alternative": "greater"}, "effect must be a difference"),
        ({"effect": 0.1, "sd": 0.0}, "sd must be a finite number"),
        ({"effect": 0.1, "sd": 1.0, "power": 0.04}, "power must be above alpha"),
        ({"effect": 0.1, "sd": 1.0, "alpha": 5}, "alpha must be between 0 and 1"),
    ],
)
def test_impossible_plans_are_refused(arguments: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        sample_size_paired_t(**arguments)  # type: ignore[arg-type]
