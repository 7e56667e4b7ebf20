"""Power of McNemar's test against enumeration of every outcome."""

from __future__ import annotations

import pytest
from scipy.stats import multinomial

from bakeoff._core.errors import ParameterError
from bakeoff.stats import (
    detectable_mcnemar,
    discordant_rates,
    mcnemar_from_table,
    power_mcnemar,
    sample_size_mcnemar,
)


def _enumerated(a_only: float, b_only: float, n: int, method: str, alternative: str) -> float:
    rejected = 0.0
    for a in range(n + 1):
        for b in range(n + 1 - a):
            chance = multinomial.pmf([a, b, n - a - b], n, [a_only, b_only, 1 - a_only - b_only])
            if chance > 1e-10:
                table = [[n - a - b, a], [b, 0]]
                pvalue = mcnemar_from_table(table, method=method, alternative=alternative).pvalue
                rejected += chance * (pvalue <= 0.05)
    return rejected


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("method", ["auto", "midp", "exact", "chi2"])
@pytest.mark.parametrize(("a_only", "b_only", "n"), [(0.3, 0.1, 14), (0.05, 0.25, 18)])
def test_agrees_with_enumeration(a_only: float, b_only: float, n: int, method: str, alternative: str) -> None:
    power = power_mcnemar(a_only, b_only, n, method=method, alternative=alternative)
    assert power == pytest.approx(_enumerated(a_only, b_only, n, method, alternative), abs=1e-6)


def test_many_discordant_pairs_use_chi_square() -> None:
    assert power_mcnemar(0.45, 0.35, 400) == power_mcnemar(0.45, 0.35, 400, method="chi2")
    assert power_mcnemar(0.45, 0.35, 400, method="midp") == pytest.approx(power_mcnemar(0.45, 0.35, 400), abs=0.03)


def test_large_samples_follow_the_normal_approximation() -> None:
    from scipy.stats import norm

    a_only, b_only, n = 0.031, 0.029, 500_000
    ncp = (a_only - b_only) * n**0.5 / (a_only + b_only - (a_only - b_only) ** 2) ** 0.5
    assert power_mcnemar(a_only, b_only, n) == pytest.approx(norm.sf(1.96 - ncp), abs=2e-3)


def test_rates_from_accuracies() -> None:
    a_only, b_only = discordant_rates(0.9, 0.8, 0.3)
    assert a_only - b_only == pytest.approx(0.1)
    both = 0.9 - a_only
    phi = (both - 0.72) / (0.9 * 0.1 * 0.8 * 0.2) ** 0.5
    assert phi == pytest.approx(0.3)
    with pytest.raises(ParameterError, match=r"correlation must be between .* 0\.6667 for accuracies"):
        discordant_rates(0.9, 0.8, 0.9)


def test_sizes_and_differences_invert_the_power() -> None:
    n = sample_size_mcnemar(0.08, 0.05, power=0.9)
    assert power_mcnemar(0.08, 0.05, n) >= 0.9 > power_mcnemar(0.08, 0.05, n - 1)
    difference = detectable_mcnemar(0.13, n, power=0.9)
    assert difference == pytest.approx(0.03, rel=0.01)
    assert detectable_mcnemar(0.13, n, power=0.9, alternative="less") < difference


def test_equal_models_are_found_different_at_no_more_than_the_level() -> None:
    for n in (10, 50, 1000):
        assert power_mcnemar(0.1, 0.1, n, method="exact") <= 0.05
        assert power_mcnemar(0.1, 0.1, n) < 0.056
    assert power_mcnemar(0.0, 0.0, 100) == 0.0


def test_impossible_plans_are_refused() -> None:
    with pytest.raises(ParameterError, match="must differ in the direction"):
        sample_size_mcnemar(0.05, 0.05)
    with pytest.raises(ParameterError, match="must differ in the direction"):
        sample_size_mcnemar(0.05, 0.08, alternative="greater")
    with pytest.raises(ParameterError, match="p_a_only \\+ p_b_only must be at most 1"):
        power_mcnemar(0.7, 0.5, 10)
    with pytest.raises(ParameterError, match=r"no difference of accuracies can be detected.*use more data"):
        detectable_mcnemar(0.01, 20)
