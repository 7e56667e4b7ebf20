"""How far to trust a simulated posterior: split R-hat and effective sample size."""

from __future__ import annotations

import numpy as np

from bakeoff._core.validation import FloatArray


def split_rhat(chains: FloatArray) -> float:
    """Return Gelman and Rubin's R-hat of one quantity, each chain split in half; 1 when all halves agree.

    Parameters
    ----------
    chains : array, shape (n_chains, n_draws)

    References
    ----------
    Vehtari, Gelman, Simpson, Carpenter & Bürkner (2021). Rank-normalization, folding, and localization: an improved
    R-hat for assessing convergence of MCMC. *Bayesian Analysis* 16(2), 667–718. https://doi.org/10.1214/20-BA1221
    """
    half = chains.shape[1] // 2
    halves = np.concatenate([chains[:, :half], chains[:, -half:]])
    within = halves.var(axis=1, ddof=1).mean()
    between = half * halves.mean(axis=1).var(ddof=1)
    if within == 0:
        return 1.0 if between == 0 else float("inf")
    return float(np.sqrt((half - 1) / half + between / (half * within)))


def effective_sample_size(chains: FloatArray) -> float:
    """Return how many independent draws the correlated draws of all chains are worth, for their mean.

    Geyer's initial positive sequence: autocorrelations are summed in pairs until a pair turns negative.
    """
    n_chains, n = chains.shape
    centred = chains - chains.mean(axis=1, keepdims=True)
    autocovariance = _autocovariance(centred).mean(axis=0)
    within = autocovariance[0] * n / (n - 1)
    if within == 0:
        return float(n_chains * n)
    between = chains.mean(axis=1).var(ddof=1) if n_chains > 1 else 0.0
    # the overall variance, so that chains that sit apart are worth little
    rho = 1 - (within - autocovariance) / (within * (n - 1) / n + between)
    pairs = rho[1 : 2 * ((n - 1) // 2) + 1].reshape(-1, 2).sum(axis=1)
    stop = np.argmax(pairs < 0) if (pairs < 0).any() else pairs.size
    # Sums of pairs are made to fall (Geyer's initial monotone sequence). Antithetic chains may be worth more than their
    # length, but, as in Stan, at most log₁₀ of it times as much.
    time = 1 + 2 * np.minimum.accumulate(pairs[:stop]).sum() if stop else 1.0
    return float(n_chains * n / max(time, 1 / np.log10(n_chains * n + 10)))


def _autocovariance(centred: FloatArray) -> FloatArray:
    n = centred.shape[1]
    spectrum = np.fft.rfft(centred, n=2 * n, axis=1)
    return np.asarray(np.fft.irfft(np.abs(spectrum) ** 2, axis=1)[:, :n] / n)
