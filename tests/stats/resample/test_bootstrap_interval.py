from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import bootstrap_interval
from bakeoff.stats.resample import acceleration_from_influence
from oracle import assert_case, cases


def _replicates(case: dict[str, Any]) -> tuple[float, np.ndarray]:
    data = np.array(case["input"]["data"], dtype=float)
    return data.mean(), data[np.array(case["input"]["resample_indices_1based"]) - 1].mean(axis=1)


@pytest.mark.parametrize("case", cases("bootstrap_ci"), ids=lambda c: c["id"])
def test_golden_intervals_from_boot(case: dict[str, Any]) -> None:
    estimate, replicates = _replicates(case)
    level, skew = case["input"]["conf_level"], case["expected"]["acceleration_jackknife"]
    percentile, normal = (
        bootstrap_interval(estimate, replicates, method=m, confidence_level=level) for m in ("percentile", "normal")
    )
    bca = bootstrap_interval(estimate, replicates, method="bca", confidence_level=level, acceleration=skew)
    got = {
        "t0": estimate,
        "boot_se": bca.standard_error,
        "bias": bca.bias,
        "percentile_type7": [percentile.low, percentile.high],
        "normal": [normal.low, normal.high],
        "bca_levels_z0_midrank": [bca.level_low, bca.level_high],
        "bca_linear_quantile_type7_midrank": [bca.low, bca.high],
    }
    assert_case(case, got)


def test_basic_is_percentile_reflected() -> None:
    for case in cases("bootstrap_ci"):
        estimate, replicates = _replicates(case)
        p, b = (bootstrap_interval(estimate, replicates, method=m) for m in ("percentile", "basic"))
        assert (b.low, b.high) == pytest.approx((2 * estimate - p.high, 2 * estimate - p.low))


@pytest.mark.parametrize("method", ["percentile", "basic", "normal", "bca"])
def test_table_of_statistics_is_column_by_column(method: str, rng: np.random.Generator) -> None:
    replicates = rng.normal(size=(200, 3)) ** 2
    replicates[::7, 1] = np.nan
    estimate, skew = np.array([0.9, 1.0, 1.1]), np.array([0.0, 0.1, -0.1])
    table = bootstrap_interval(estimate, replicates, method=method, acceleration=skew)
    for j in range(3):
        column = replicates[:, j][~np.isnan(replicates[:, j])]
        one = bootstrap_interval(estimate[j], column, method=method, acceleration=skew[j])
        assert (table.low[j], table.high[j]) == pytest.approx((one.low, one.high), rel=1e-12)
    assert table.notes[0].code == "undefined-replicates"
    assert "29 of 200" in table.notes[0].message


def test_bca_without_acceleration_is_bc_with_a_note(rng: np.random.Generator) -> None:
    replicates = rng.normal(size=500)
    silent = bootstrap_interval(0.1, replicates, method="bca", acceleration=0.0)
    noted = bootstrap_interval(0.1, replicates, method="bca")
    assert (silent.low, silent.high) == (noted.low, noted.high)
    assert [n.code for n in noted.notes] == ["no-acceleration"]


def test_replicates_on_one_side_still_give_finite_limits(rng: np.random.Generator) -> None:
    got = bootstrap_interval(5.0, rng.random(99), method="bca", acceleration=0.0)
    assert np.isfinite([got.low, got.high]).all()
    assert "replicates-on-one-side" in [n.code for n in got.notes]


def test_matches_scipy_bca_levels(rng: np.random.Generator) -> None:
    from scipy.stats import bootstrap

    data = rng.exponential(size=30)
    theirs = bootstrap((data,), np.mean, n_resamples=999, method="BCa", rng=np.random.default_rng(5))
    leave_one_out = (data.sum() - data) / (data.size - 1)
    influence = leave_one_out.mean() - leave_one_out
    skew = (influence**3).sum() / (6 * (influence**2).sum() ** 1.5)
    ours = bootstrap_interval(data.mean(), theirs.bootstrap_distribution, method="bca", acceleration=skew)
    expected = (theirs.confidence_interval.low, theirs.confidence_interval.high)
    assert (ours.low, ours.high) == pytest.approx(expected, rel=1e-12)


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match=r"\[B, m\]"):
        bootstrap_interval([1.0, 2.0], [1.0, 2.0, 3.0], method="bca")
    with pytest.raises(EvidenceError, match="at least 2 defined"):
        bootstrap_interval(1.0, [np.nan, 1.0], method="percentile")
    with pytest.raises(EvidenceError, match="estimate must be finite"):
        bootstrap_interval(np.nan, [1.0, 2.0], method="percentile")
    with pytest.raises(ParameterError, match="'percentile', 'basic'"):
        bootstrap_interval(1.0, [1.0, 2.0], method="studentized")


def test_weights_count_cases() -> None:
    values, counts = np.array([0.5, -1.0, 2.0]), np.array([3, 4, 2])
    assert acceleration_from_influence(values, counts) == pytest.approx(
        acceleration_from_influence(np.repeat(values, counts)), rel=1e-12
    )


def test_undefined_influence_is_refused_unless_no_case_has_it() -> None:
    assert acceleration_from_influence([1.0, 2.0, np.nan], [1, 1, 0]) == pytest.approx(0.0)
    with pytest.raises(EvidenceError, match="influence values must be finite"):
        acceleration_from_influence([1.0, np.nan])


def test_replicates_that_differ_from_the_estimate_by_rounding_are_ties(rng):
    """Else the interval would depend on the scale of weights, which moves the last digits of every replicate."""
    draws = np.round(rng.normal(0.8, 0.05, 400), 1)
    rounded = draws * (1 + 2e-16 * rng.choice([-1, 0, 1], 400))
    exact, found = (bootstrap_interval(0.8, given, method="bca", acceleration=0.02) for given in (draws, rounded))
    assert (draws == 0.8).sum() > 40
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), rel=1e-12)
    assert found.level_low == exact.level_low
