"""The cluster-robust t-test against statsmodels' clustered covariance, and its limits."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import EvidenceError
from bakeoff.stats import cluster_t, paired_t
from oracle import assert_case, cases


def clustered(seed: int = 0, clusters: int = 30) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(clusters), rng.integers(1, 9, clusters))
    return rng.normal(0.1, 1, groups.size) + rng.normal(0, 1, clusters)[groups], groups


@pytest.mark.parametrize("case", cases("cluster_mean"), ids=lambda case: case["id"])
@pytest.mark.filterwarnings("ignore")
def test_against_club_sandwich(case: dict) -> None:
    """CR2 with Satterthwaite's degrees of freedom, R clubSandwich."""
    given = case["input"]
    result = cluster_t(given["a"], given["b"], groups=given["group"])
    interval = result.confidence_interval(0.95)
    got = {
        "estimate": result.estimate, "se_cr2": result.standard_error, "df_satterthwaite": result.df,
        "t_cr2": result.statistic, "p_cr2": result.pvalue, "ci95_cr2": [interval.low, interval.high],
    }  # fmt: skip
    assert_case(case, {"difference": got})


def test_single_rows_are_the_paired_t_test() -> None:
    d, _ = clustered()
    alone, plain = cluster_t(d, groups=np.arange(d.size)), paired_t(d)
    assert (alone.statistic, alone.df, alone.pvalue) == pytest.approx((plain.statistic, plain.df, plain.pvalue))


def test_alternatives_and_interval() -> None:
    d, groups = clustered()
    two, greater, less = (cluster_t(d, groups=groups, alternative=a) for a in ("two-sided", "greater", "less"))
    assert greater.pvalue + less.pvalue == pytest.approx(1.0)
    assert two.pvalue == pytest.approx(2 * min(greater.pvalue, less.pvalue))
    edge = two.confidence_interval(1 - two.pvalue)
    assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-9)


def test_level_under_clusters() -> None:
    """The plain t-test rejects far too often; the cluster-robust one holds its level."""
    rng = np.random.default_rng(4)
    robust = plain = 0
    for _ in range(400):
        groups = np.repeat(np.arange(40), 10)
        d = rng.normal(size=400) + rng.normal(size=40)[groups]
        robust += cluster_t(d, groups=groups).pvalue < 0.05
        plain += paired_t(d).pvalue < 0.05
    assert robust / 400 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
    assert plain / 400 > 0.3


def test_degenerate() -> None:
    same = cluster_t([0.0] * 40, groups=np.arange(40) % 20)
    assert (same.pvalue, same.notes[0].code) == (1.0, "identical-models")
    constant = cluster_t([0.1] * 40, groups=np.arange(40) % 20)
    assert np.isnan(constant.pvalue)
    assert "constant-difference" in {n.code for n in constant.notes}
    few = cluster_t(*clustered(clusters=5)[:1], groups=clustered(clusters=5)[1])
    assert "few-clusters" in {n.code for n in few.notes}
    with pytest.raises(EvidenceError, match="at least 2 clusters"):
        cluster_t([0.1, 0.2], groups=["a", "a"])
    with pytest.raises(EvidenceError, match="one label per row"):
        cluster_t([0.1, 0.2], groups=["a"])
