"""Power of Wilcoxon's signed-rank test against the test itself on simulated data."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import detectable_wilcoxon, power_wilcoxon, sample_size_wilcoxon, wilcoxon
from bakeoff.stats.power._wilcoxon import DISTRIBUTIONS, _cdf, _moments, _quantile

DRAW = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "logistic": lambda rng, shape: rng.logistic(scale=np.sqrt(3) / np.pi, size=shape),
    "laplace": lambda rng, shape: rng.laplace(scale=1 / np.sqrt(2), size=shape),
}


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_agrees_with_the_test_itself(distribution: str, alternative: str, rng: np.random.Generator) -> None:
    samples = DRAW[distribution](rng, (1500, 14)) + 0.6
    rejected = np.mean([wilcoxon(row, alternative=alternative).pvalue <= 0.05 for row in samples])
    power = power_wilcoxon(0.6, 1.0, 14, distribution=distribution, alternative=alternative)
    assert rejected == pytest.approx(power, abs=0.045)


def test_closed_form_meets_simulation_where_it_takes_over() -> None:
    for distribution in DISTRIBUTIONS:
        simulated = power_wilcoxon(0.25, 1.0, 100, distribution=distribution, n_resamples=20_000)
        closed = power_wilcoxon(0.25, 1.0, 101, distribution=distribution)
        assert closed == pytest.approx(simulated, abs=0.02)


def test_moments_under_the_alternative(rng: np.random.Generator) -> None:
    samples = rng.normal(0.4, 1, size=(20_000, 12))
    ranks = np.abs(samples).argsort(axis=1).argsort(axis=1) + 1
    positive = (ranks * (samples > 0)).sum(axis=1)
    mean, deviation = _moments(0.4, 12, "normal")
    assert positive.mean() == pytest.approx(mean, rel=0.01)
    assert positive.std() == pytest.approx(deviation, rel=0.02)


@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_shapes_have_unit_deviation(distribution: str) -> None:
    u = (np.arange(200_000) + 0.5) / 200_000
    x = _quantile(u, distribution)
    assert x.std() == pytest.approx(1.0, abs=2e-3)
    assert _cdf(x, distribution) == pytest.approx(u, abs=1e-9)


def test_few_pairs_can_reject_nothing() -> None:
    assert power_wilcoxon(3.0, 1.0, 5) == 0.0
    assert power_wilcoxon(3.0, 1.0, 6) > 0.9


def test_sizes_and_differences_invert_the_power() -> None:
    n = sample_size_wilcoxon(0.01, 0.02)
    assert power_wilcoxon(0.01, 0.02, n) >= 0.8 > power_wilcoxon(0.01, 0.02, n - 1)
    shift = detectable_wilcoxon(0.02, n)
    assert power_wilcoxon(shift, 0.02, n) == pytest.approx(0.8, abs=1e-3)
    assert power_wilcoxon(-detectable_wilcoxon(0.02, 9, alternative="less"), 0.02, 9, alternative="less") >= 0.79
    assert sample_size_wilcoxon(0.001, 0.02) == pytest.approx(3.29e3, rel=0.01)


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"no shift can be detected.*use more data"):
        detectable_wilcoxon(0.02, 5)
    with pytest.raises(ParameterError, match="effect must be a difference"):
        sample_size_wilcoxon(0.0, 0.02)
    with pytest.raises(ParameterError, match="did you mean 'laplace'"):
        power_wilcoxon(0.1, 1.0, 10, distribution="laplac")
