from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats
from scipy.integrate import dblquad

from bakeoff.stats.distributions._studentized import (
    many_to_one_quantile,
    many_to_one_sf,
    studentized_range_quantile,
    studentized_range_sf,
)


@pytest.mark.parametrize(
    ("q", "k", "df"), [(3.5, 3, 10), (1.0, 5, 2), (6.18, 5, 60), (8.0, 3, 4), (0.01, 3, 5), (3.0, 2, 7), (2.9, 12, 30)]
)
def test_range_is_scipy_s(q, k, df):
    assert studentized_range_sf(q, k, df) == pytest.approx(scipy_stats.studentized_range.sf(q, k, df), rel=1e-8)


@pytest.mark.parametrize("df", [1, 2, 7, 40, np.inf])
def test_two_groups_are_student_s_t(df):
    t = np.array([0.1, 1.3, 2.2, 6.0, 40.0])
    two_sided = 2 * (scipy_stats.t.sf(t, df) if np.isfinite(df) else scipy_stats.norm.sf(t))
    assert studentized_range_sf(t * np.sqrt(2), 2, df) == pytest.approx(two_sided, rel=1e-7)
    assert many_to_one_sf(t, 1, df) == pytest.approx(two_sided, rel=1e-7)


def test_far_tails_keep_their_digits():
    # for a large range, P ≈ k(k−1)·P(Z > q/√2): the Bonferroni bound over pairs
    q = 15.0
    bound = 3 * 2 * scipy_stats.norm.sf(q / np.sqrt(2))
    assert studentized_range_sf(q, 3) == pytest.approx(bound, rel=1e-3)


def test_two_to_one_is_a_bivariate_t_integral():
    t, df = 2.1, 9

    def density(y, x):
        form = (x * x - x * y + y * y) / 0.75
        return (1 + form / df) ** (-(df + 2) / 2) / (2 * np.pi * np.sqrt(0.75))

    inside, _ = dblquad(density, -t, t, -t, t, epsabs=1e-11)
    assert many_to_one_sf(t, 2, df) == pytest.approx(1 - inside, abs=1e-9)


@pytest.mark.parametrize("df", [3, 25, np.inf])
def test_quantiles_invert_the_tails(df):
    for level in (0.5, 0.95, 0.999):
        q, t = studentized_range_quantile(level, 6, df), many_to_one_quantile(level, 5, df)
        assert studentized_range_sf(q, 6, df) == pytest.approx(1 - level, rel=1e-8)
        assert many_to_one_sf(t, 5, df) == pytest.approx(1 - level, rel=1e-8)


def test_tails_below_machine_precision_are_neither_zero_nor_wrong():
    t = np.array([100.0, 600.0])
    assert many_to_one_sf(t, 1, 9) == pytest.approx(2 * scipy_stats.t.sf(t, 9), rel=1e-9)
    assert many_to_one_sf(1e9, 3) > 0
    assert studentized_range_sf(1e9, 3, 30) > 0


def test_edges():
    assert studentized_range_sf([0.0, np.inf, np.nan], 3).tolist() == pytest.approx([1.0, 0.0, np.nan], nan_ok=True)
    assert studentized_range_sf([0.0, -1.0], 5, 4).tolist() == [1.0, 1.0]
    assert studentized_range_sf(np.empty(0), 3, 5).size == 0
