"""The cluster-robust t-test against statsmodels' clustered covariance, and its limits."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import EvidenceError
from bakeoff.stats import cluster_t, paired_t


def clustered(seed: int = 0, clusters: int = 30) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(clusters), rng.integers(1, 9, clusters))
    return rng.normal(0.1, 1, groups.size) + rng.normal(0, 1, clusters)[groups], groups


def test_against_statsmodels_clustered_covariance() -> None:
    import statsmodels.api as sm

    d, groups = clustered()
    fit = sm.OLS(d, np.ones_like(d)).fit(
        cov_type="cluster", cov_kwds={"groups": groups, "use_correction": True}, use_t=True
    )
    n, g = d.size, groups.max() + 1
    # statsmodels multiplies by (n − 1)/(n − k) with k = 1 as well, which is 1 here
    result = cluster_t(d, groups=groups)
    assert result.standard_error == pytest.approx(float(fit.bse[0]), rel=1e-9)
    assert result.statistic == pytest.approx(float(fit.tvalues[0]), rel=1e-9)
    assert result.pvalue == pytest.approx(float(fit.pvalues[0]), rel=1e-6)
    assert (result.df, n > g) == (g - 1, True)


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
