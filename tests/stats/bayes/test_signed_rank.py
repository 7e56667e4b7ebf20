"""The Bayesian signed-rank test against baycomp, Benavoli et al. 2017, and the definition by double sums."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import bayes_signed_rank
from bakeoff.stats.bayes._signed_rank import _partner_limits, _regions
from oracle import assert_case, cases, worked_examples


def test_agrees_with_baycomp() -> None:
    (case,) = cases("bayes_signed_rank")
    given = case["input"]
    result = bayes_signed_rank(given["a"], given["b"], rope=given["rope"], n_samples=100_000, rng=1)
    got = {"signed_rank_p_a_better": result.p_a_better, "signed_rank_p_rope": result.p_equivalent}
    assert_case(case, {**got, "signed_rank_p_b_better": result.p_b_better})


def test_benavoli_2017() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    nbc, aode = np.array(example["percent_correct"])[:2].mean(axis=2) / 100
    result = bayes_signed_rank(aode, nbc, rope=0.01, rng=1)
    published = example["published"]["nbc_aode_signedrank_rope_0.01"]
    assert [result.p_b_better, result.p_equivalent, result.p_a_better] == pytest.approx(published, abs=0.006)


@pytest.mark.parametrize("rope", [0.0, 0.02])
def test_cumulative_sums_equal_double_sums(rope: float, rng: np.random.Generator) -> None:
    z = np.sort(np.append(np.round(rng.normal(0, 0.03, 15), 2), 0.0))
    weights = rng.dirichlet(np.ones(z.size), size=6)
    above, below = _regions(weights, _partner_limits(z, rope))
    sums = np.round(z[:, None] + z[None, :], 10)
    expected_above = np.where(sums > 2 * rope, 1.0, np.where(sums == 2 * rope, 0.5, 0.0))
    expected_below = np.where(sums < -2 * rope, 1.0, np.where(sums == -2 * rope, 0.5, 0.0))
    assert (sums == 2 * rope).any()
    assert above == pytest.approx(np.einsum("si,sj,ij->s", weights, weights, expected_above), abs=1e-12)
    assert below == pytest.approx(np.einsum("si,sj,ij->s", weights, weights, expected_below), abs=1e-12)


def test_float_noise_does_not_decide() -> None:
    a, b = np.array([0.811, 0.301, 0.7, 0.65]), np.array([0.801, 0.311, 0.7, 0.65])
    with_noise = bayes_signed_rank(a, b, rope=0.01, rng=3)
    clean = bayes_signed_rank([0.01, -0.01, 0.0, 0.0], rope=0.01, rng=3)
    assert with_noise.p_equivalent == clean.p_equivalent


def test_monte_carlo_error_is_honest() -> None:
    d = [0.02, -0.01, 0.015, -0.02, 0.01, 0.0, 0.03]
    runs = [bayes_signed_rank(d, rope=0.005, n_samples=2000, rng=seed) for seed in range(60)]
    spread = np.std([run.p_a_better for run in runs], ddof=1)
    assert 0.6 < spread / runs[0].monte_carlo_error < 1.4
    assert runs[0].notes[0].code == "monte-carlo"


def test_swapping_models_swaps_the_answer() -> None:
    d = np.array([0.02, -0.01, 0.015, 0.03])
    forth, back = bayes_signed_rank(d, rng=0), bayes_signed_rank(-d, rng=1)
    assert forth.p_a_better == pytest.approx(back.p_b_better, abs=0.01)
    assert forth.p_equivalent == 0.0


def test_same_seed_same_answer_whatever_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    d = [0.02, -0.01, 0.015, -0.02]
    once = bayes_signed_rank(d, rope=0.01, rng=5)
    monkeypatch.setattr("bakeoff.stats.bayes._signed_rank._CELLS_AT_ONCE", 1000)
    assert bayes_signed_rank(d, rope=0.01, rng=5).p_a_better == once.p_a_better


def test_identical_models_are_equal() -> None:
    result = bayes_signed_rank([0.5, 0.6], [0.5, 0.6])
    assert (result.p_equivalent, result.notes[0].code) == (1.0, "identical-models")


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(ParameterError, match="n_samples must be a whole number of at least 100"):
        bayes_signed_rank([0.1, 0.2], n_samples=10)
