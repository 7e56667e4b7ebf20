"""The hierarchical test against published runs of Stan, and against brute-force quadrature of its posterior."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import bayes_hierarchical
from bakeoff.stats.bayes._gibbs import _log_prior_nu, sample_posterior, slice_step
from bakeoff.stats.bayes._hierarchical import _evidence
from oracle import worked_examples


def test_benavoli_2017_hnb_against_nbc() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    scores = np.array(example["percent_correct"]) / 100
    result = bayes_hierarchical(scores[2] - scores[0], rho=0.1, rope=0.01, n_samples=8000, rng=1)
    got = [result.p_a_better, result.p_equivalent, result.p_b_better]
    assert got == pytest.approx(example["published"]["hierarchical_hnb_vs_nbc_rope_0.01"], abs=0.005)
    stan = example["independently_computed"]["hierarchical_baycomp_pystan3.10_hnb_vs_nbc"]
    assert got == pytest.approx(stan, abs=0.004)
    assert result.rhat < 1.03
    assert result.effective_samples > 500
    assert "poor-mixing" not in [note.code for note in result.notes]


def test_the_sampler_agrees_with_quadrature(rng: np.random.Generator) -> None:
    """Integrate the posterior of (δ₀, σ₀, ν) on a grid, each δᵢ by its own sum; no step is shared with the sampler."""
    table = rng.normal([[0.00], [0.03], [0.01], [0.02], [0.025]], 0.03, size=(5, 12))
    evidence, _ = _evidence(table, 0.1)
    delta0, sigma0 = np.linspace(-2.5, 3.5, 41), np.geomspace(0.004, 8, 36)
    log_nu = np.linspace(np.log(0.05), np.log(120), 14)
    delta = np.linspace(-6, 7, 400)
    t = scipy_stats.t(evidence.df, evidence.mean[:, None], np.sqrt(evidence.variance)[:, None])
    at_delta, at_delta0 = t.pdf(delta) * (delta[1] - delta[0]), t.pdf(delta0)
    log_posterior = np.empty((log_nu.size, sigma0.size, delta0.size))
    for i, y in enumerate(log_nu):
        nu, prior = 1 + np.exp(y), np.interp(y, *_log_prior_nu()) + y
        for j, s in enumerate(sigma0):
            z = (delta[:, None] - delta0) / s
            smooth = (1 + z**2 / nu) ** (-(nu + 1) / 2) / s * scipy_stats.t.pdf(0, nu)
            # effects closer together than the grid of δ can show: all at δ₀
            marginal = at_delta @ smooth if s > 0.05 else at_delta0
            log_posterior[i, j] = np.log(marginal).sum(axis=0) + prior + np.log(s)
    posterior = np.exp(log_posterior - log_posterior.max())
    posterior /= posterior.sum()
    draws = sample_posterior(evidence, 1500, 8, np.random.default_rng(0))
    for probability in (0.1, 0.25, 0.5, 0.75, 0.9):
        for sample, grid, axes in (
            (draws.delta0, delta0, (0, 1)),
            (np.log(draws.sigma0), np.log(sigma0), (0, 2)),
            (np.log(draws.nu - 1), log_nu, (1, 2)),
        ):
            mass = posterior.sum(axis=axes)
            cdf = np.interp(np.quantile(sample, probability), grid, mass.cumsum() - mass / 2)
            assert cdf == pytest.approx(probability, abs=0.035)


def test_reduction_of_the_folds_is_the_integral_over_sigma() -> None:
    """∫ N(x; δ1, σ²M) dσ over a flat σ is proportional to the Student t the sampler uses."""
    x, rho = np.array([0.3, -0.1, 0.4, 0.2, 0.05]), 0.2
    correlation = (1 - rho) * np.eye(5) + rho
    sigma = np.geomspace(1e-3, 200, 40_000)
    shifts = np.array([-0.4, 0.0, 0.17, 0.5])
    integral = []
    for shift in shifts:
        residual = x - shift
        quadratic = residual @ np.linalg.solve(correlation, residual)
        integral.append(np.trapezoid(sigma**-5.0 * np.exp(-quadratic / (2 * sigma**2)), sigma))
    evidence, _ = _evidence(np.array([x, x[::-1] + 1]), rho)
    centre, scale = evidence.mean[0] * evidence.scale, np.sqrt(evidence.variance[0]) * evidence.scale
    density = scipy_stats.t.pdf(shifts, evidence.df, centre, scale)
    assert np.array(integral) / integral[0] == pytest.approx(density / density[0], rel=1e-3)


def test_slice_sampler_finds_a_gamma(rng: np.random.Generator) -> None:
    x, draws = np.ones(400), []
    for _ in range(60):
        x = slice_step(
            lambda v: np.where(v > 0, 2 * np.log(np.maximum(v, 1e-300)) - v, -np.inf), x, 2.0, 0.0, 50.0, rng
        )
        draws.append(x)
    last = np.concatenate(draws[20:])
    assert last.mean() == pytest.approx(3.0, abs=0.1)
    assert np.mean(last > 5) == pytest.approx(scipy_stats.gamma.sf(5, 3), abs=0.02)


def test_noisy_data_sets_are_drawn_to_the_others(rng: np.random.Generator) -> None:
    table = rng.normal(0.02, 0.01, size=(10, 10))
    table[0] = 0.2 + 0.3 * rng.normal(size=10)
    result = bayes_hierarchical(table, rho=0.1, rope=0.005, n_samples=2000, rng=0)
    assert abs(result.dataset_means[0] - 0.02) < abs(table[0].mean() - 0.02)
    assert result.next_a_better + result.next_equivalent + result.next_b_better == pytest.approx(1.0)
    assert result.low < result.mean < result.high


def test_units_do_not_matter(rng: np.random.Generator) -> None:
    table = rng.normal(0.01, 0.02, size=(6, 8))
    fraction = bayes_hierarchical(table, rho=0.1, rope=0.005, n_samples=1600, rng=3)
    percent = bayes_hierarchical(100 * table, rho=0.1, rope=0.5, n_samples=1600, rng=3)
    assert percent.p_a_better == pytest.approx(fraction.p_a_better, abs=1e-9)
    assert percent.mean == pytest.approx(100 * fraction.mean)


def test_without_rope_nothing_is_equivalent(rng: np.random.Generator) -> None:
    result = bayes_hierarchical(rng.normal(0.01, 0.02, size=(4, 6)), rho=0.1, n_samples=1600, rng=3)
    assert result.p_equivalent == 0.0
    assert result.p_a_better + result.p_b_better == pytest.approx(1.0)


def test_a_data_set_without_spread_is_remarked_upon(rng: np.random.Generator) -> None:
    table = rng.normal(0.01, 0.02, size=(4, 6))
    table[2] = 0.01
    result = bayes_hierarchical(table, rho=0.1, rope=0.01, n_samples=1600, rng=3)
    assert result.notes[0].code == "constant-difference"
    assert np.isfinite(result.mean)


def test_degenerate_evidence() -> None:
    same = bayes_hierarchical(np.zeros((3, 5)), rho=0.1)
    assert (same.p_equivalent, same.notes[0].code) == (1.0, "identical-models")
    with pytest.raises(EvidenceError, match="vary over the folds of at least one data set"):
        bayes_hierarchical([[0.1] * 4, [0.2] * 4], rho=0.1)
    with pytest.raises(EvidenceError, match=r"at least 2 data sets.*use bayes_correlated_t"):
        bayes_hierarchical([[0.1, 0.2, 0.3]], rho=0.1)
    with pytest.raises(ParameterError, match="n_samples must be"):
        bayes_hierarchical(np.eye(4), rho=0.1, n_samples=10)
