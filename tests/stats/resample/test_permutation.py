"""Paired permutation: AUC is linear in the swaps, and one sign-flip kernel serves all measures."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import auc
from bakeoff.stats.resample import auc_swap_contributions, exact_swap_pvalue, permutation_pvalue, sign_flip


@pytest.fixture(params=["C or whatever is active", "NumPy"])
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy" if request.param == "NumPy" else "")


def swapped_difference(y: np.ndarray, a: np.ndarray, b: np.ndarray, swap: np.ndarray) -> float:
    return auc(y, np.where(swap, b, a)) - auc(y, np.where(swap, a, b))


@pytest.mark.parametrize("seed", range(6))
def test_auc_difference_is_linear_in_the_swaps_with_ties_of_every_kind(seed: int) -> None:
    rng = np.random.default_rng(seed)
    y = np.array([True, False, True, False, False, True, False])
    a, b = rng.integers(0, 4, (2, 7)).astype(float)  # ties within a model, between models, between classes
    contributions = auc_swap_contributions(y, a, b)
    for swap in itertools.product([False, True], repeat=7):
        signs = np.where(swap, -1, 1)
        assert signs @ contributions == pytest.approx(swapped_difference(y, a, b, np.array(swap)), abs=1e-12)


def test_contributions_on_ranks_swap_ranks(rng: np.random.Generator) -> None:
    y = rng.random(40) < 0.5
    a, b = rng.normal(size=40) + y, 100 * (rng.normal(size=40) + y).round(1)
    ranks = [stats.rankdata(s) for s in (a, b)]
    contributions = auc_swap_contributions(y, a, b, ranks=True)
    swap = rng.random(40) < 0.5
    assert np.where(swap, -1, 1) @ contributions == pytest.approx(swapped_difference(y, *ranks, swap), abs=1e-12)
    assert contributions.sum() == pytest.approx(auc(y, a) - auc(y, b), abs=1e-12)


@pytest.mark.usefixtures("path")
def test_sign_flips_have_the_law_of_fair_signs(rng: np.random.Generator) -> None:
    values = rng.normal(size=(30, 2)) * [1.0, 3.0]
    flips = sign_flip(values, 40_000, 0)
    assert flips.shape == (40_000, 2)
    expected = values.T @ values
    error = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / 40_000)
    assert (np.abs(np.cov(flips.T) - expected) < 5 * error).all()
    assert np.abs(flips.mean(axis=0)) == pytest.approx(0, abs=5 * np.sqrt(np.diag(expected).max() / 40_000))


@pytest.mark.usefixtures("path")
def test_few_rows_give_every_sign_pattern_equally_often() -> None:
    values = 2.0 ** np.arange(5)  # every pattern of signs has its own sum
    flips = sign_flip(values, 32_000, 1)[:, 0]
    patterns, seen = np.unique(flips, return_counts=True)
    assert patterns.size == 32
    assert stats.chisquare(seen).pvalue > 1e-3


@pytest.mark.usefixtures("path")
def test_signs_of_far_apart_rows_and_of_replicates_are_independent() -> None:
    values = np.zeros((100, 4))
    values[[0, 7, 8, 99], range(4)] = 1.0
    flips = sign_flip(values, 20_000, 2)
    assert set(np.unique(flips)) == {-1.0, 1.0}
    correlation = np.corrcoef(flips.T) - np.eye(4)
    assert np.abs(correlation).max() < 5 / np.sqrt(20_000)
    assert abs(np.corrcoef(flips[:-1, 0], flips[1:, 0])[0, 1]) < 5 / np.sqrt(20_000)
    assert abs(np.corrcoef(flips[:-1024, 0], flips[1024:, 0])[0, 1]) < 5 / np.sqrt(18_000)


def test_permutation_of_auc_agrees_with_recomputing_it(rng: np.random.Generator) -> None:
    y = rng.random(60) < 0.4
    a, b = rng.normal(size=60) + 1.5 * y, rng.normal(size=60) + 0.8 * y
    flips = sign_flip(auc_swap_contributions(y, a, b), 3000, 0)[:, 0]
    naive = [swapped_difference(y, a, b, rng.random(60) < 0.5) for _ in range(3000)]
    assert stats.ks_2samp(flips, naive).pvalue > 1e-3


def test_clusters_are_swapped_together() -> None:
    groups = np.repeat([4, 7], 3)
    flips = sign_flip(np.array([1.0, 2, 3, 10, 20, 30]), 500, 0, groups=groups)[:, 0]
    assert set(np.unique(flips)) == {-66.0, -54.0, 54.0, 66.0}


@pytest.mark.parametrize(("alternative", "expected"), [("two-sided", 4 / 6), ("greater", 3 / 6), ("less", 5 / 6)])
def test_pvalue_counts_the_observed_among_its_replicates(alternative: str, expected: float) -> None:
    assert permutation_pvalue(1.0, [1.0, -1.0, 0.5, 2.0, 0.0], alternative) == pytest.approx(expected)


def test_a_tie_that_rounding_has_parted_still_counts() -> None:
    assert permutation_pvalue(0.3, [0.1 + 0.2 - 1e-16, 0.0], "greater") == pytest.approx(2 / 3)


def test_identical_models_have_pvalue_one() -> None:
    assert permutation_pvalue(0.0, sign_flip(np.zeros(20), 99, 0)[:, 0]) == 1.0


def test_the_level_is_kept_exactly() -> None:
    """Under exchangeability the p-value is uniform on 1/(B+1), …: at level 0.05 it rejects 5 %."""
    rng = np.random.default_rng(0)
    rejected = 0
    for seed in range(1500):
        difference = rng.normal(size=12)
        pvalue = permutation_pvalue(difference.sum(), sign_flip(difference, 99, seed)[:, 0])
        rejected += pvalue <= 0.05
    assert rejected / 1500 == pytest.approx(0.05, abs=4 * np.sqrt(0.05 * 0.95 / 1500))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(("a", "b"), [(8, 2), (2, 8), (5, 5), (0, 3), (1, 0)])
def test_accuracy_needs_no_permutation(a: int, b: int, alternative: str) -> None:
    exact = exact_swap_pvalue(a, b, alternative)
    assert exact == pytest.approx(stats.binomtest(a, a + b, 0.5, alternative=alternative).pvalue, rel=1e-10)
    difference = np.concatenate([np.ones(a), -np.ones(b), np.zeros(7)])
    simulated = permutation_pvalue(difference.sum(), sign_flip(difference, 20_000, 0)[:, 0], alternative)
    assert simulated == pytest.approx(exact, abs=5 * np.sqrt(0.25 / 20_000) + 1e-4)


def test_no_discordant_row_gives_pvalue_one() -> None:
    assert exact_swap_pvalue(0, 0) == 1.0


def test_wrong_input_is_refused() -> None:
    with pytest.raises(ParameterError, match="alternative must be one of"):
        permutation_pvalue(1.0, [1.0], "bigger")
    with pytest.raises(EvidenceError, match="observed must be a finite number"):
        permutation_pvalue(np.nan, [1.0])
    with pytest.raises(EvidenceError, match=r"score_a and score_b must be paired, row by row\. Got 2 and 3 rows"):
        auc_swap_contributions([0, 1], [1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(EvidenceError, match="must be finite"):
        sign_flip([1.0, np.inf], 10, 0)
