"""Bootstrap of AUC: exact draws, the right AUC of each, and the closed form of their variance."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import EvidenceError
from bakeoff.stats.resample import _auc as auc_module
from bakeoff.stats.resample import _units as engine
from bakeoff.stats.resample import auc_bootstrap, ideal_auc_covariance, ideal_auc_variance
from bakeoff.stats.resample._tallies import ScoreCells
from bakeoff.stats.resample._units import make_units, new_seed, tables
from bakeoff.stats.roc import sorted_order


def weighted_auc(y: np.ndarray, score: np.ndarray, weight: np.ndarray) -> float:
    """AUC by forming every pair."""
    gap = score[y][:, None] - score[~y][None, :]
    psi = (gap > 0) + 0.5 * (gap == 0)
    up, down = weight[y], weight[~y]
    return float(up @ psi @ down / (up.sum() * down.sum()))


def data(rng: np.random.Generator, n: int, decimals: int = 12, k: int = 2) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.4
    common = rng.normal(size=(n, 1))  # models agree to some extent, as they do in practice
    return y, np.round(common + rng.normal(size=(n, k)) + 1.4 * y[:, None], decimals)


def assert_covariance(draws: np.ndarray, expected: np.ndarray, replicates: int) -> None:
    """Each entry within 5 standard errors of a covariance from that many (nearly normal) replicates."""
    variance = np.diag(expected)
    error = np.sqrt((np.outer(variance, variance) + expected**2) / replicates)
    assert (np.abs(np.cov(draws.T) - expected) < 5 * error).all()


@pytest.fixture(params=["C or whatever is active", "NumPy"])
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy" if request.param == "NumPy" else "")


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("decimals", [12, 1, 0], ids=["no ties", "ties", "heavy ties"])
@pytest.mark.parametrize("design", ["plain", "stratified", "clusters"])
def test_each_replicate_is_the_auc_of_its_rows(decimals: int, design: str, rng: np.random.Generator) -> None:
    n = 180
    y, scores = data(rng, n, decimals)
    groups = rng.integers(0, 40, n) if design == "clusters" else None
    aucs = auc_bootstrap(y, scores, 100, 7, stratified=design == "stratified", groups=groups)
    strata = y if design == "stratified" else None
    units = make_units(n, strata=strata, groups=groups, order=sorted_order(scores[:, 0].copy())[0])
    weights = np.concatenate([table[units.of_row].T for table in tables(units.plan, 100, new_seed(7))])
    expected = [[weighted_auc(y, column, w) for column in scores.T] for w in weights]
    np.testing.assert_allclose(aucs, expected, rtol=1e-12)


@pytest.mark.parametrize("decimals", [12, 1], ids=["no ties", "ties"])
@pytest.mark.parametrize("stratified", [False, True])
def test_distribution_is_that_of_the_naive_row_bootstrap(
    decimals: int, stratified: bool, rng: np.random.Generator
) -> None:
    n, resamples = 90, 3000
    y, scores = data(rng, n, decimals)
    ours = auc_bootstrap(y, scores, resamples, rng, stratified=stratified)
    rows = [np.flatnonzero(y), np.flatnonzero(~y)] if stratified else [np.arange(n)]
    naive = np.empty((resamples, 2))
    for b in range(resamples):
        drawn = np.concatenate([rng.choice(part, part.size) for part in rows])
        weight = np.bincount(drawn, minlength=n)
        naive[b] = [weighted_auc(y, column, weight) for column in scores.T]
    for statistic in (lambda a: a[:, 0], lambda a: a[:, 0] - a[:, 1]):
        assert stats.ks_2samp(statistic(ours), statistic(naive)).pvalue > 1e-3
    assert_covariance(ours, np.cov(naive.T), resamples // 2)
    assert_covariance(ours, ideal_auc_covariance(y, scores, stratified=stratified), resamples)


def test_pvalues_of_ks_against_the_naive_bootstrap_are_uniform_over_seeds(rng: np.random.Generator) -> None:
    """A KS test per seed: were the engine off, small p-values would pile up."""
    n = 40
    y, scores = data(rng, n, 1, k=1)
    pvalues = []
    for seed in range(60):
        drawn = rng.integers(0, n, (200, n))
        weights = np.stack([np.bincount(row, minlength=n) for row in drawn])
        usable = (weights @ y > 0) & (weights @ ~y > 0)
        naive = [weighted_auc(y, scores[:, 0], w) for w in weights[usable]]
        ours = auc_bootstrap(y, scores, 200, seed)[:, 0]
        jitter = [1e-9 * rng.random(len(a)) for a in (ours, naive)]
        pvalues.append(stats.ks_2samp(ours + jitter[0], np.array(naive) + jitter[1]).pvalue)
    assert stats.kstest(pvalues, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("stratified", [False, True])
def test_few_distinct_scores_are_counted_first_with_the_same_distribution(
    stratified: bool, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    y = rng.random(8000) < 0.3
    scores = np.clip(np.round(rng.normal(size=(8000, 2)) + y[:, None]), -1, 2)
    assert ScoreCells.of(y, scores) is not None
    collapsed = auc_bootstrap(y, scores, 4000, 1, stratified=stratified)
    monkeypatch.setattr(ScoreCells, "of", classmethod(lambda cls, truth, columns: None))
    rowwise = auc_bootstrap(y, scores, 4000, 2, stratified=stratified)
    for column in range(2):
        assert stats.ks_2samp(collapsed[:, column], rowwise[:, column]).pvalue > 1e-3
    ideal = ideal_auc_covariance(y, scores, stratified=stratified)
    assert_covariance(collapsed, ideal, 4000)
    assert_covariance(rowwise, ideal, 4000)


def test_many_distinct_scores_are_not_counted_first(rng: np.random.Generator) -> None:
    y, scores = data(rng, 6000)
    assert ScoreCells.of(y, scores) is None


def test_stratified_replicates_keep_the_class_sizes(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> None:
    y, scores = data(rng, 300)
    seen = []

    def spy(*args: object, **kwargs: object) -> object:
        answer = auc_module_blocks(*args, **kwargs)
        seen.append(answer[1][answer[3]])
        return answer

    auc_module_blocks = auc_module.auc_blocks
    monkeypatch.setattr(auc_module, "auc_blocks", spy)
    auc_bootstrap(y, scores, 200, 0, stratified=True)
    assert (np.concatenate(seen) == y.sum()).all()
    seen.clear()
    auc_bootstrap(y, scores, 200, 0)
    assert np.concatenate(seen).std() == pytest.approx(np.sqrt(300 * y.mean() * (1 - y.mean())), rel=0.25)


def test_whole_clusters_are_drawn(rng: np.random.Generator) -> None:
    """Doubling every row as a cluster of two gives the bootstrap of the single rows."""
    y, scores = data(rng, 200)
    single = auc_bootstrap(y, scores, 3000, 1).std(axis=0)
    doubled = auc_bootstrap(np.tile(y, 2), np.tile(scores, (2, 1)), 3000, 2, groups=np.tile(np.arange(200), 2))
    naive = auc_bootstrap(np.tile(y, 2), np.tile(scores, (2, 1)), 3000, 3).std(axis=0)
    np.testing.assert_allclose(doubled.std(axis=0), single, rtol=0.1)
    np.testing.assert_allclose(naive, single / np.sqrt(2), rtol=0.1)


def test_whole_weights_are_repeated_measurements_of_one_row(rng: np.random.Generator) -> None:
    """A weight travels with its row: weight 2 everywhere changes nothing, and the draws are the unweighted ones."""
    y, scores = data(rng, 150, 1)
    weighted = auc_bootstrap(y, scores, 2000, 1, weights=np.full(150, 2.0))
    assert_covariance(weighted, ideal_auc_covariance(y, scores), 2000)
    some = rng.integers(1, 4, 150).astype(float)
    uneven = auc_bootstrap(y, scores, 4000, 2, weights=some)
    centre = [weighted_auc(y, column, some) for column in scores.T]
    np.testing.assert_allclose(uneven.mean(axis=0), centre, atol=4 * uneven.std(axis=0).max() / np.sqrt(4000) + 0.002)


def test_a_replicate_of_one_class_is_nan() -> None:
    y = np.array([True] + [False] * 5)
    aucs = auc_bootstrap(y, np.arange(6.0), 4000, 0)[:, 0]
    assert np.isnan(aucs).mean() == pytest.approx((5 / 6) ** 6 + (1 / 6) ** 6, abs=0.03)


def test_same_seed_same_answer_and_a_generator_moves_on() -> None:
    y, score = np.arange(100) % 3 == 0, np.sin(np.arange(100.0))
    assert np.array_equal(auc_bootstrap(y, score, 50, 3), auc_bootstrap(y, score, 50, 3))
    generator = np.random.default_rng(3)
    first, second = auc_bootstrap(y, score, 50, generator), auc_bootstrap(y, score, 50, generator)
    assert np.array_equal(first, auc_bootstrap(y, score, 50, 3))
    assert not np.array_equal(first, second)


def test_more_replicates_begin_with_the_same_ones() -> None:
    y, score = np.arange(100) % 3 == 0, np.sin(np.arange(100.0))
    assert np.array_equal(auc_bootstrap(y, score, 300, 3)[:50], auc_bootstrap(y, score, 50, 3))


def test_only_the_order_of_scores_matters() -> None:
    y, score = np.arange(100) % 3 == 0, np.sin(np.arange(100.0)).round(1)
    assert np.array_equal(auc_bootstrap(y, np.exp(3 * score), 200, 3), auc_bootstrap(y, score, 200, 3))


def test_how_blocks_are_shared_out_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    y, score = np.arange(100) % 3 == 0, np.sin(np.arange(100.0))
    at_once = auc_bootstrap(y, score, 1000, 3)
    monkeypatch.setattr(engine, "_ABOUT_A_SECOND", 1)
    assert np.array_equal(auc_bootstrap(y, score, 1000, 3), at_once)


def test_infinite_scores_are_scores_and_nan_is_refused() -> None:
    y = np.array([0, 0, 1, 1] * 20)
    score = np.array([-np.inf, 0.0, 1.0, np.inf] * 20)
    assert (auc_bootstrap(y, score, 20, 0) == 1.0).all()
    with pytest.raises(EvidenceError, match=r"scores must not have missing values, but has 1 NaN \(the first at row 3"):
        auc_bootstrap(y[:4], [0.0, 1.0, 2.0, np.nan], 20, 0)


@pytest.mark.parametrize(
    ("y", "scores", "message"),
    [
        ([1, 1, 1], [1.0, 2.0, 3.0], "both classes"),
        ([0, 1], [1.0, 2.0, 3.0], r"one row per label\. Got 3 and 2 rows"),
        ([0, 1], np.zeros((2, 2, 2)), r"\[rows, models\]"),
    ],
)
def test_evidence_that_cannot_answer_is_refused(y: list[int], scores: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        auc_bootstrap(y, scores, 10, 0)


def test_stratified_clusters_that_hold_both_classes_are_refused() -> None:
    with pytest.raises(EvidenceError, match="some group has rows in two strata"):
        auc_bootstrap([0, 1, 0, 1], [1.0, 2.0, 3.0, 4.0], 10, 0, stratified=True, groups=[0, 0, 1, 1])


@pytest.mark.parametrize("stratified", [False, True])
def test_ideal_covariance_is_that_of_all_possible_samples(stratified: bool) -> None:
    """Enumerate every bootstrap sample of five rows, with ties within and between classes."""
    y = np.array([True, False, True, False, False])
    scores = np.array([[3.0, 1.0], [3.0, 2.0], [1.0, 1.0], [0.0, 2.0], [1.0, 0.0]])
    moments = []
    for rows in itertools.product(range(5), repeat=5):
        weight = np.bincount(rows, minlength=5)
        n_up = weight[y].sum()
        if (n_up == 2) if stratified else (0 < n_up < 5):
            moments.append([weighted_auc(y, column, weight) for column in scores.T])
    values = np.array(moments)
    np.testing.assert_allclose(
        ideal_auc_covariance(y, scores, stratified=stratified), np.cov(values.T, bias=True), rtol=1e-10
    )


@pytest.mark.parametrize("stratified", [False, True])
def test_simulated_variance_agrees_with_the_ideal(stratified: bool, rng: np.random.Generator) -> None:
    y, scores = data(rng, 250, 1, k=3)
    draws = auc_bootstrap(y, scores, 30_000, rng, stratified=stratified)
    ideal = ideal_auc_covariance(y, scores, stratified=stratified)
    assert_covariance(draws, ideal, 30_000)
    assert ideal_auc_variance(y, scores[:, 1], stratified=stratified) == pytest.approx(ideal[1, 1], rel=1e-12)


def test_ideal_variance_tends_to_delongs(rng: np.random.Generator) -> None:
    from bakeoff.stats import delong_many

    y, scores = data(rng, 4000)
    np.testing.assert_allclose(
        ideal_auc_covariance(y, scores, stratified=True), delong_many(y, scores).covariance, rtol=0.01
    )
