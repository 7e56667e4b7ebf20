"""Effect sizes against R's effectsize, and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import (
    cliffs_delta,
    cohen_d,
    cohen_d_interval,
    glass_delta,
    hedges_g,
    rank_biserial,
    vargha_delaney_a,
)
from oracle import assert_case, cases


def test_independent_groups_agree_with_effectsize() -> None:
    (case,) = cases("effect_sizes_independent")
    x, y = case["input"]["x"], case["input"]["y"]
    interval = cohen_d_interval(x, y, kind="pooled")
    got = {
        "cohens_d": cohen_d(x, y, kind="pooled"),
        "cohens_d_ci95": [interval.low, interval.high],
        "hedges_g": hedges_g(x, y, kind="pooled"),
        "glass_delta_sd_of_y": glass_delta(x, y),
        "cliffs_delta": cliffs_delta(x, y),
        "rank_biserial": 2 * vargha_delaney_a(x, y) - 1,
        "vargha_delaney_A": vargha_delaney_a(x, y),
        "mann_whitney_U_x": vargha_delaney_a(x, y) * len(x) * len(y),
    }
    assert_case(case, got)


def test_pairs_agree_with_effectsize() -> None:
    (case,) = cases("effect_sizes_paired")
    x, y = case["input"]["x"], case["input"]["y"]
    interval = cohen_d_interval(x, y)
    got = {
        "cohens_dz": cohen_d(x, y),
        "cohens_dz_ci95": [interval.low, interval.high],
        "hedges_gz": hedges_g(x, y),
        "d_av": cohen_d(x, y, kind="av"),
        "rank_biserial_zeros_dropped": rank_biserial(x, y),
        "rank_biserial_effectsize": rank_biserial(x, y),
    }
    assert_case(case, got)


def test_dominance_agrees_with_all_pairs(rng: np.random.Generator) -> None:
    a, b = rng.integers(0, 6, 23).astype(float), rng.integers(0, 7, 31).astype(float)
    signs = np.sign(a[:, None] - b[None, :])
    assert cliffs_delta(a, b) == pytest.approx(signs.mean(), abs=1e-15)
    assert vargha_delaney_a(a, b) == pytest.approx((1 + signs.mean()) / 2, abs=1e-15)


def test_rank_biserial_agrees_with_ranks_of_scipy(rng: np.random.Generator) -> None:
    d = np.append(rng.integers(-4, 6, 40), [0, 0]) / 100
    kept = d[d != 0]
    ranks = scipy_stats.rankdata(np.abs(np.round(kept, 10)))
    expected = (ranks[kept > 0].sum() - ranks[kept < 0].sum()) / ranks.sum()
    assert rank_biserial(d) == pytest.approx(expected, rel=1e-12)
    assert abs(rank_biserial(d, zeros="split")) < abs(rank_biserial(d))


def test_rank_biserial_sees_decimal_ties() -> None:
    # 0.811 - 0.801 and 0.801 - 0.811 are opposite in decimal; 0.301 - 0.291 is the same size again
    assert rank_biserial([0.811, 0.301, 0.5], [0.801, 0.311, 0.5]) == 0.0


def test_interval_of_d_covers_as_promised(rng: np.random.Generator) -> None:
    hits = 0
    for _ in range(400):
        interval = cohen_d_interval(rng.normal(0.6, 1, 12), np.zeros(12), confidence_level=0.9)
        hits += interval.low <= 0.6 <= interval.high
    assert abs(hits / 400 - 0.9) < 3.5 * np.sqrt(0.09 / 400)


def test_extreme_d_still_has_an_interval() -> None:
    interval = cohen_d_interval([1.0, 1.01, 0.99, 1.0], [0.0, 0.0, 0.0, 0.0])
    assert 0 < interval.low < interval.estimate < interval.high


def test_equal_scores_have_no_effect() -> None:
    same = [0.4, 0.4, 0.4]
    for kind in ("dz", "av", "pooled"):
        assert cohen_d(same, same, kind=kind) == 0.0
    assert rank_biserial(same, same) == 0.0
    assert cliffs_delta(same, same) == 0.0
    assert vargha_delaney_a(same, same) == 0.5


@pytest.mark.parametrize("kind", ["dz", "av", "pooled"])
def test_constant_difference_has_no_d(kind: str) -> None:
    with pytest.raises(EvidenceError, match=r"undefined.*report the difference itself"):
        cohen_d([0.6, 0.6, 0.6], [0.4, 0.4, 0.4], kind=kind)


def test_the_kind_is_named() -> None:
    with pytest.raises(ParameterError, match="kind must be one of 'dz', 'av', 'pooled'"):
        cohen_d([1.0, 2.0], [2.0, 1.0], kind="paired")
    with pytest.raises(ParameterError, match="'dz', 'pooled'"):
        cohen_d_interval([1.0, 2.0], [2.0, 1.0], kind="av")
