"""The hierarchical Bayesian comparison: all folds of all data sets in one model, without an external sampler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, RngLike, as_float_matrix, as_generator, check_count, check_number
from bakeoff.stats.bayes._gibbs import ChainDraws, Evidence, sample_posterior
from bakeoff.stats.bayes._mcmc import effective_sample_size, split_rhat
from bakeoff.stats.bayes._sign import ALL_EQUAL


@dataclass(frozen=True, repr=False)
class BayesHierarchicalResult(Result):
    """Answer of the hierarchical test.

    Attributes
    ----------
    p_a_better, p_equivalent, p_b_better
        Posterior probability that on a next data set "a better by more than the rope", "practically equal" and "b
        better" is the most probable outcome (the number Corani et al. report).
    next_a_better, next_equivalent, next_b_better
        Posterior predictive probability of each outcome on one next data set.
    rope
        Half-width of the region of practical equivalence.
    mean, low, high
        Posterior mean of δ₀, the mean difference over data sets, and its central 95 % credible interval.
    spread, nu
        Posterior medians of σ₀ and ν, the scale and the degrees of freedom of the differences among data sets.
    dataset_means
        Posterior mean of δᵢ, the difference on each data set, drawn towards the others as far as its noise suggests.
    rhat, effective_samples
        The worst split R-hat (1 is perfect) and the smallest effective sample size over δ₀, log σ₀ and log ν.
    monte_carlo_error
        Standard error of the three leading probabilities due to sampling (the largest).
    """

    p_a_better: float
    p_equivalent: float
    p_b_better: float
    next_a_better: float
    next_equivalent: float
    next_b_better: float
    rope: float
    mean: float
    low: float
    high: float
    spread: float
    nu: float
    dataset_means: FloatArray
    rhat: float
    effective_samples: float
    monte_carlo_error: float
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        hidden = ("dataset_means", "notes")
        return {name: [value] for name, value in vars(self).items() if name not in hidden and not name.startswith("_")}


def bayes_hierarchical(
    differences: ArrayLike,
    *,
    rho: float,
    rope: float = 0.0,
    n_samples: int = 16_000,
    n_chains: int = 16,
    rng: RngLike = None,
) -> BayesHierarchicalResult:
    r"""Compare two models on several data sets from all their cross-validation folds, in one hierarchical model.

    .. math::
        x_i \sim \mathcal N(\delta_i \mathbf 1, \Sigma_i),\quad
        \Sigma_i = \sigma_i^2 \big[(1-\rho) I + \rho \mathbf 1 \mathbf 1^{\mathsf T}\big],\qquad
        \delta_i \sim t_\nu(\delta_0, \sigma_0)

    with flat priors on σᵢ, σ₀ and δ₀ over wide bounds and ν − 1 ~ Gamma(α, β), α ~ U(0.5, 5), β ~ U(0.05, 0.15). A
    data set whose folds are noisy is drawn towards the others; the answer concerns a *next* data set.

    Parameters
    ----------
    differences : array_like, shape (N, J)
        Score of a minus score of b: one row per data set, one column per train/test split.
    rho : float
        Correlation of the splits of one data set: n_test / (n_train + n_test), 1/k for (repeated) k-fold.
    rope : float
        Half-width of the region of practical equivalence.
    n_samples, n_chains : int
        Posterior draws in all, after warm-up, and the independent chains they come from.
    rng : int, Generator or None
        Seed for reproducible draws.

    Returns
    -------
    BayesHierarchicalResult
        `p_a_better`, `p_equivalent`, `p_b_better`, the shrunken differences, and diagnostics of the sampler.

    Notes
    -----
    σᵢ is integrated out exactly: given δᵢ, the folds of data set i amount to a Student t with J − 2 degrees of
    freedom around their mean. What is left is sampled by a blocked Gibbs sampler (`_gibbs`). Data sets
    whose differences do not vary at all are given the smallest spread seen among the others, with a note.

    References
    ----------
    Corani, Benavoli, Demšar, Mangili & Zaffalon (2017). Statistical comparison of classifiers through Bayesian
    hierarchical modelling. *Machine Learning* 106, 1817–1837. https://doi.org/10.1007/s10994-017-5641-9

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import bayes_hierarchical
    >>> rng = np.random.default_rng(0)
    >>> true_differences = rng.normal(0.02, 0.005, size=(12, 1))
    >>> folds = true_differences + rng.normal(0, 0.02, size=(12, 10))
    >>> result = bayes_hierarchical(folds, rho=0.1, rope=0.005, n_samples=4000, rng=0)
    >>> result.p_a_better > 0.95
    True
    """
    rho = check_number("rho", rho, low=0, high=1, closed="left")
    rope = check_number("rope", rope, low=0)
    n_chains = check_count("n_chains", n_chains, minimum=2)
    n_draws = -(-check_count("n_samples", n_samples, minimum=100 * n_chains) // n_chains)
    table = _check_table(differences)
    if not table.any():
        return _all_equal(table, rope)
    evidence, notes = _evidence(table, rho)
    draws = sample_posterior(evidence, n_draws, n_chains, as_generator(rng))
    return _summarise(draws, rope, evidence.scale, notes)


def _check_table(differences: ArrayLike) -> FloatArray:
    table = as_float_matrix("differences", differences, min_rows=1, min_columns=3)
    if table.shape[0] < 2:
        raise EvidenceError(
            "bayes_hierarchical needs at least 2 data sets (rows of differences). Got 1.",
            hint="for one data set, use bayes_correlated_t",
        )
    return table


def _evidence(table: FloatArray, rho: float) -> tuple[Evidence, list[Note]]:
    """Reduce the folds of each data set to a Student t: mean, scale and J − 2 degrees of freedom, in common units."""
    n_folds = table.shape[1]
    deviations = table.std(axis=1, ddof=1)
    constant = np.ptp(table, axis=1) <= 1e-12 * np.abs(table).max()
    if constant.all():
        raise EvidenceError(
            "bayes_hierarchical needs differences that vary over the folds of at least one data set, "
            "but they are constant in all of them.",
            hint="for one number per data set, use bayes_signed_rank",
        )
    deviations[constant] = deviations[~constant].min()
    unit = float(deviations.mean())
    # Q(δ) = Σ(x − x̄)²/(1 − ρ) + (δ − x̄)² J/(1 + (J−1)ρ); ∫ σ^−J exp(−Q/2σ²) dσ ∝ Q^(−(J−1)/2), a t in δ
    variance = deviations**2 * (n_folds - 1) / (1 - rho) * (1 + (n_folds - 1) * rho) / n_folds / (n_folds - 2)
    evidence = Evidence(
        mean=table.mean(axis=1) / unit,
        variance=variance / unit**2,
        df=n_folds - 2,
        largest=float(np.abs(table).max()) / unit,
        scale=unit,
    )
    return evidence, [note("constant-difference:data-sets", count=int(constant.sum()))] if constant.any() else []


def _summarise(draws: ChainDraws, rope: float, scale: float, notes: list[Note]) -> BayesHierarchicalResult:
    from scipy.special import stdtr

    centre, spread, nu = draws.delta0 * scale, draws.sigma0 * scale, draws.nu
    below = stdtr(nu, (-rope - centre) / spread)
    above = stdtr(nu, (centre - rope) / spread)
    inside = 1 - below - above if rope > 0 else np.zeros_like(above)
    wins = np.stack([(above > below) & (above > inside), (below > above) & (below > inside)])
    p_a, p_b = wins.mean(axis=(1, 2))
    parameters = (centre, np.log(spread), np.log(nu))
    rhat = max(split_rhat(p) for p in parameters)
    effective = min(effective_sample_size(p) for p in parameters)
    error = max(_monte_carlo_error(w.astype(np.float64)) for w in (*wins, ~wins.any(axis=0)))
    low, high = np.quantile(centre, [0.025, 0.975])
    return BayesHierarchicalResult(
        p_a_better=float(p_a),
        p_equivalent=float(1 - wins.any(axis=0).mean()),
        p_b_better=float(p_b),
        next_a_better=float(above.mean()),
        next_equivalent=float(inside.mean()),
        next_b_better=float(below.mean()),
        rope=rope,
        mean=float(centre.mean()),
        low=float(low),
        high=float(high),
        spread=float(np.median(spread)),
        nu=float(np.median(nu)),
        dataset_means=draws.delta_mean * scale,
        rhat=rhat,
        effective_samples=effective,
        monte_carlo_error=error,
        notes=(*notes, *_sampler_notes(rhat, effective, error)),
    )


def _monte_carlo_error(indicator: FloatArray) -> float:
    p = float(indicator.mean())
    return max(float(np.sqrt(p * (1 - p) / effective_sample_size(indicator))), 1 / indicator.size)


def _sampler_notes(rhat: float, effective: float, error: float) -> list[Note]:
    notes = [note("monte-carlo:chains", rhat=rhat, effective=effective, error=error)]
    # Looser than the 1.01 and 400 of Vehtari et al. (2021): it warns of chains that have plainly not mixed.
    if rhat > 1.05 or effective < 200:
        notes.append(note("poor-mixing"))
    return notes


def _all_equal(table: FloatArray, rope: float) -> BayesHierarchicalResult:
    nothing, unknown = ("p_a_better", "p_b_better", "next_a_better", "next_b_better"), ("low", "high", "spread", "nu")
    return BayesHierarchicalResult(
        **dict.fromkeys((*nothing, "mean", "effective_samples", "monte_carlo_error"), 0.0),
        **dict.fromkeys(("p_equivalent", "next_equivalent", "rhat"), 1.0),
        **dict.fromkeys(unknown, float("nan")),
        rope=rope,
        dataset_means=np.zeros(table.shape[0]),
        notes=(ALL_EQUAL,),
    )
