"""Bootstrap of sums and means: exact counts times values, jointly over columns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats.resample import mean_bootstrap, row_weights, sum_bootstrap


@pytest.fixture(params=["C or whatever is active", "NumPy"])
def path(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_KERNELS", "numpy" if request.param == "NumPy" else "")


@pytest.mark.usefixtures("path")
@pytest.mark.parametrize("design", ["plain", "strata", "groups"])
def test_each_replicate_sums_its_rows(design: str, rng: np.random.Generator) -> None:
    values = rng.normal(size=(330, 3))
    labels = None if design == "plain" else rng.integers(0, 6 if design == "strata" else 50, 330)
    chosen = {} if labels is None else {design: labels}
    sums = sum_bootstrap(values, 130, 4, **chosen)
    weights = np.concatenate(list(row_weights(330, 130, 4, **chosen)))
    np.testing.assert_allclose(sums, weights @ values, rtol=1e-10, atol=1e-10)


def test_means_have_the_variance_of_the_mean(rng: np.random.Generator) -> None:
    loss = rng.exponential(size=(500, 2))
    loss[:, 1] += loss[:, 0]
    means = mean_bootstrap(loss, 8000, rng)
    expected = np.cov(loss.T, bias=True) / 500
    error = np.sqrt((np.outer(np.diag(expected), np.diag(expected)) + expected**2) / 8000)
    assert (np.abs(np.cov(means.T) - expected) < 5 * error).all()
    naive = loss[rng.integers(0, 500, (3000, 500))].mean(axis=1)
    assert stats.ks_2samp(means[:, 0] - means[:, 1], naive[:, 0] - naive[:, 1]).pvalue > 1e-3


def test_strata_are_resampled_within_themselves(rng: np.random.Generator) -> None:
    strata = np.repeat(["a", "b", "c"], [100, 60, 5])
    loss = np.select([strata == "a", strata == "b"], [1.0, 5.0], 9.0)
    assert mean_bootstrap(loss, 200, 1, strata=strata) == pytest.approx(np.full((200, 1), loss.mean()), rel=1e-12)
    loss += rng.normal(size=165)
    within = sum(np.var(loss[strata == s]) * (strata == s).sum() for s in "abc") / 165**2
    assert mean_bootstrap(loss, 6000, 1, strata=strata).var() == pytest.approx(within, rel=0.1)


def test_groups_are_drawn_whole_and_the_mean_is_over_the_rows_drawn(rng: np.random.Generator) -> None:
    groups = np.repeat(np.arange(40), rng.integers(1, 9, 40))
    loss = rng.normal(size=groups.size) + rng.normal(size=40)[groups] * 2
    means = mean_bootstrap(loss, 4000, 1, groups=groups)[:, 0]
    members = [np.flatnonzero(groups == g) for g in range(40)]
    naive = [loss[np.concatenate([members[g] for g in rng.integers(0, 40, 40)])].mean() for _ in range(4000)]
    assert stats.ks_2samp(means, naive).pvalue > 1e-3
    assert means.std() > 1.5 * mean_bootstrap(loss, 4000, 1).std()


def test_weights_give_weighted_means(rng: np.random.Generator) -> None:
    loss, weight = rng.normal(size=80), rng.random(80)
    means = mean_bootstrap(loss, 3000, 1, weights=weight)[:, 0]
    rows = rng.integers(0, 80, (3000, 80))
    naive = (loss * weight)[rows].sum(axis=1) / weight[rows].sum(axis=1)
    assert stats.ks_2samp(means, naive).pvalue > 1e-3


def test_constant_losses_have_constant_means() -> None:
    np.testing.assert_allclose(mean_bootstrap(np.full(1000, 0.1), 100, 1), 0.1, rtol=1e-12)


def test_a_ratio_of_sums_needs_its_columns_from_the_same_draws(rng: np.random.Generator) -> None:
    truth = rng.normal(size=200)
    error = rng.normal(size=200) * 0.5
    sums = sum_bootstrap(np.column_stack([error**2, truth, truth**2, np.ones(200)]), 3000, 1)
    r2 = 1 - sums[:, 0] / (sums[:, 2] - sums[:, 1] ** 2 / sums[:, 3])
    rows = rng.integers(0, 200, (3000, 200))
    naive = 1 - (error[rows] ** 2).sum(axis=1) / (200 * truth[rows].var(axis=1))
    assert stats.ks_2samp(r2, naive).pvalue > 1e-3


@pytest.mark.parametrize(
    ("losses", "options", "message"),
    [
        ([1.0, np.nan], {}, "losses must be finite. Got nan at row 1, column 0"),
        (np.zeros((0, 2)), {}, "at least one row"),
        ([1.0, 2.0], {"strata": [1]}, r"strata must have one label per row, shape \(2,\)"),
        ([1.0, 2.0], {"weights": [1.0, -1.0]}, "2 finite, non-negative numbers"),
        ([1.0, 2.0], {"weights": [0.0, 0.0]}, "not all zero"),
    ],
)
def test_evidence_that_cannot_answer_is_refused(losses: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        mean_bootstrap(losses, 10, 0, **options)


def test_the_number_of_replicates_must_be_positive() -> None:
    with pytest.raises(ParameterError, match="n_resamples must be a whole number of at least 1"):
        mean_bootstrap([1.0, 2.0], 0, 0)
