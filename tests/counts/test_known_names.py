"""Influence is what DeLong, clustered DeLong, the cluster-robust t and kappa's delta method compute."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import measures, stats

A_MINUS_B = np.array([[1.0], [-1.0], [0.0]])


def test_delong(data):
    influence = data.counted("auc").influence(measures.get("auc")).combine(A_MINUS_B)
    stratum = data.truth.astype(int)
    expected = stats.delong_test(data.truth, data.scores["a"], data.scores["b"])
    assert influence.value[0] == pytest.approx(expected.estimate, rel=1e-12)
    error = influence.standard_error("stratum", stratum)[0]
    assert error == pytest.approx(expected.estimate / expected.statistic, rel=1e-12)


def test_clustered_delong(data):
    influence = data.counted("auc", groups=data.group).influence(measures.get("auc")).combine(A_MINUS_B)
    expected = stats.delong_test(data.truth, data.scores["a"], data.scores["b"], groups=data.group)
    assert influence.standard_error()[0] == pytest.approx(abs(expected.estimate / expected.statistic), rel=1e-9)


def test_cluster_robust_t_of_a_loss(data):
    influence = data.counted("brier", groups=data.group).influence(measures.get("brier")).combine(A_MINUS_B)
    loss = {m: (data.truth - s) ** 2 for m, s in data.scores.items()}
    expected = stats.cluster_t(loss["a"], loss["b"], groups=data.group)
    assert influence.standard_error("cr2")[0] == pytest.approx(expected.standard_error, rel=1e-9)


def test_paired_t_of_a_loss(data):
    influence = data.counted("mae").influence(measures.get("mae")).combine(A_MINUS_B)
    loss = {m: np.abs(data.truth + 1.5 - s) for m, s in data.scores.items()}
    expected = stats.paired_t(loss["a"], loss["b"])
    assert influence.standard_error()[0] == pytest.approx(expected.standard_error, rel=1e-9)


def test_kappas_asymptotic_standard_error(data):
    counted = data.counted("kappa")
    error = counted.influence(measures.get("kappa")).standard_error()[0] * np.sqrt((data.n - 1) / data.n)
    table = counted.apply()[0, 0]
    assert error == pytest.approx(stats.cohen_kappa_from_table(table).standard_error, rel=1e-9)
