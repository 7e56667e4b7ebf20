"""The noncentral t distribution against SciPy where SciPy is right, and by its own definition elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff.stats.distributions._noncentral_t import noncentral_t_cdf


@pytest.mark.parametrize("df", [1, 2, 5, 9, 30, 99, 1000])
@pytest.mark.parametrize("ncp", [-3.0, 0.0, 0.4, 2.0, 6.0])
def test_agrees_with_scipy(df: int, ncp: float) -> None:
    for t in (-1.0, 0.0, 0.3, 1.9, 4.0, 12.0):
        assert noncentral_t_cdf(t, df, ncp) == pytest.approx(scipy_stats.nct.cdf(t, df, ncp), abs=2e-9)


def test_far_out_it_agrees_with_simulation(rng: np.random.Generator) -> None:
    draws = (rng.normal(size=200_000) + 180) / np.sqrt(rng.chisquare(3, size=200_000) / 3)
    for t in (120.0, 200.0, 400.0):
        assert noncentral_t_cdf(t, 3, 180) == pytest.approx(np.mean(draws <= t), abs=0.005)


def test_the_two_ways_meet() -> None:
    for df in (1, 3, 20, 500):
        t = np.sqrt(2 * df)
        below, above = (noncentral_t_cdf(t * (1 + e), df, 0.9 * t) for e in (-1e-9, 1e-9))
        assert below == pytest.approx(above, abs=1e-8)
