"""Simulated errors: type I where it is known, power where it is known."""

from __future__ import annotations

import pytest

from bakeoff import ParameterError, stats


def test_levels_and_power_are_those_known() -> None:
    rates = stats.simulate_errors(["paired-t", "wilcoxon", "sign"], n=12, effects=[0, 0.8], n_samples=20_000)
    assert rates.of("paired-t")[0].tolist() == pytest.approx(
        [0.05, stats.power_paired_t(effect=0.8, sd=1.0, n=12)], abs=0.01
    )
    assert rates.of("wilcoxon")[0][0] == pytest.approx(0.0425, abs=0.006)  # P(T <= 13) twice
    assert rates.of("sign")[0][0] == pytest.approx(0.0386, abs=0.006)
    assert (rates.low <= rates.rejected).all()
    assert (rates.rejected <= rates.high).all()


def test_shared_rows_break_the_plain_test_and_not_the_corrected_one() -> None:
    rates = stats.simulate_errors(n=10, correlation=0.1, effects=[0], n_samples=20_000)
    plain, corrected, ranks = rates.rejected[:, 0]
    assert plain > 0.12
    assert ranks > 0.12
    assert corrected == pytest.approx(0.05, abs=0.006)


def test_the_seed_decides() -> None:
    first, second = (stats.simulate_errors(["sign"], n_samples=500, rng=4) for _ in range(2))
    assert first.rejected.tolist() == second.rejected.tolist()
    with pytest.raises(ParameterError):
        stats.simulate_errors(["anova"])
