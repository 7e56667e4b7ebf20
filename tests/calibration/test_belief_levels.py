"""Do posterior probabilities keep to the frequencies they suggest? Equal models, no region of equivalence.

A Bayesian test promises no type-I error. Yet who decides at 97.5 % for one side would like to know how often that
happens to models that are equal: with a flat prior and the right likelihood in 5 % of the cases.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from simulated import Row, level_row
from test_t_levels import differences

from bakeoff import stats


def surprise(result: Any) -> float:
    """Twice the probability left to the losing side (half of "equivalent" each): compared with α as a p-value is."""
    return 2 * min(result.p_a_better, result.p_b_better) + result.p_equivalent


def correlated_t_levels(protocol: str, data: str, runs: int, seed: int = 0) -> Row:
    n_test = 1 / 3 if protocol.startswith("30") else 1 / 10
    table = differences("nearest centroid", protocol, data, runs, seed)
    found = [surprise(stats.bayes_correlated_t(d, rho=n_test)) if np.ptp(d) > 0 else 1.0 for d in table]
    return level_row("bayes_correlated_t", f"{protocol}, nearest centroid, {data}", found)


SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "heavy tails": lambda rng, n: rng.standard_t(2, size=n),
    "many ties": lambda rng, n: rng.normal(size=n).round(0),
}


def data_set_levels(shape: str, n: int, runs: int, seed: int = 1) -> list[Row]:
    rng = np.random.default_rng(seed)
    samples = [SHAPES[shape](rng, n) for _ in range(runs)]
    design = f"{n} data sets, {shape}"
    signed = [surprise(stats.bayes_signed_rank(d, n_samples=4000, rng=0)) for d in samples]
    return [
        level_row("bayes_sign", design, [surprise(stats.bayes_sign(d)) for d in samples]),
        level_row("bayes_signed_rank", design, signed),
    ]


def hierarchical_levels(n: int, runs: int, seed: int = 2) -> Row:
    """Data sets whose true differences scatter around 0; ten folds each, correlated by 0.1."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(runs):
        true = 0.02 * rng.normal(size=(n, 1))
        noise = np.sqrt(0.1) * rng.normal(size=(n, 1)) + np.sqrt(0.9) * rng.normal(size=(n, 10))
        found.append(surprise(stats.bayes_hierarchical(true + 0.05 * noise, rho=0.1, n_samples=3200, rng=0)))
    return level_row("bayes_hierarchical", f"{n} data sets × 10 folds", found)


def all_rows(runs: int) -> list[Row]:
    protocols = ("30 hold-outs of 1/3", "10-fold", "10 x 10-fold")
    rows = [correlated_t_levels(protocol, "digits", runs) for protocol in protocols]
    for shape in SHAPES:
        for n in (6, 14, 40):
            rows += data_set_levels(shape, n, max(runs // 2, 50))
    return [*rows, hierarchical_levels(8, max(runs // 20, 10))]


def test_beliefs_of_normal_differences_are_near_their_frequencies():
    for row in data_set_levels("normal", 14, 400):
        assert row["10 %"] < 0.18


def test_correlated_t_is_the_corrected_t():
    row = correlated_t_levels("30 hold-outs of 1/3", "breast_cancer", 150)
    assert row["reads"] != "liberal"


@pytest.mark.slow
def test_hierarchical_belief():
    assert hierarchical_levels(8, 60)["5 %"] < 0.2
