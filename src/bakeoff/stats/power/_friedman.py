"""Power of Friedman's test: how many data sets show that some model differs?"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_float_vector,
    as_generator,
    check_count,
    check_level,
    check_number,
)
from bakeoff.stats._blocks import smallest_pvalue
from bakeoff.stats.power._search import check_target, smallest_count, smallest_effect

_CELLS_AT_ONCE = 2_000_000


def power_friedman(
    means: ArrayLike, sd: float, n_datasets: int, *, alpha: float = 0.05, n_resamples: int = 20_000, rng: RngLike = 0
) -> float:
    """Return the chance that Friedman's test (Iman–Davenport's F) over data sets finds that the models differ.

    Parameters
    ----------
    means : array_like, shape (k,)
        Expected score of each model over data sets; only their differences matter.
    sd : float
        Standard deviation of a model's score around "its mean + the difficulty of the data set": 1/√2 of the standard
        deviation of the difference of two models over data sets.
    n_datasets : int
        Number of data sets.
    alpha : float
        Level of the test.
    n_resamples : int
        Simulated tables. The Monte-Carlo standard error of the answer is at most 0.5/√n_resamples (0.0035 for 20,000).
    rng : int, Generator or None
        The default seed makes the answer reproducible.

    Returns
    -------
    float
        Share of simulated tables of normal scores in which the test rejects; 0 where there are so few data sets that
        even the same order of the models in all of them would not be significant by permutation.

    References
    ----------
    Iman & Davenport (1980). Approximations of the critical region of the Friedman statistic. *Communications in
    Statistics – Theory and Methods* 9(6), 571–595. https://doi.org/10.1080/03610928008827904

    Examples
    --------
    >>> from bakeoff.stats import power_friedman
    >>> power = power_friedman([0.80, 0.80, 0.81, 0.82], 0.02, 20)
    >>> print(f"{power:.1f}")
    0.8
    """
    centres = _check_means(means)
    sd, alpha = check_number("sd", sd, low=0, closed="none"), check_level(alpha, "alpha")
    n = check_count("n_datasets", n_datasets, minimum=2)
    n_resamples = check_count("n_resamples", n_resamples, minimum=100)
    return _rejection_rate(centres / sd, n, alpha, n_resamples, as_generator(rng))


def sample_size_friedman(
    means: ArrayLike, sd: float, *, alpha: float = 0.05, power: float = 0.8, n_resamples: int = 10_000, rng: int = 0
) -> int:
    """Return how many data sets Friedman's test needs to find that the models differ; see `power_friedman`.

    Simulated with one seed for every number of data sets tried; the answer may be off by what a Monte-Carlo error of
    0.5/√n_resamples in the power makes.

    Examples
    --------
    >>> from bakeoff.stats import sample_size_friedman
    >>> 20 < sample_size_friedman([0.80, 0.80, 0.81, 0.82], 0.02, n_resamples=2000) < 26
    True
    """
    alpha, power = check_target(alpha, power)
    if np.ptp(_check_means(means)) == 0:
        raise ParameterError("means must differ: no number of data sets finds a difference that is not there.")
    power_at = partial(power_friedman, means, sd, alpha=alpha, n_resamples=n_resamples, rng=rng)
    return smallest_count(power_at, power, "data sets", maximum=20_000)


def detectable_friedman(
    n_models: int,
    sd: float,
    n_datasets: int,
    *,
    alpha: float = 0.05,
    power: float = 0.8,
    n_resamples: int = 10_000,
    rng: int = 0,
) -> float:
    """Return the smallest advantage of one model over n_models − 1 equal ones that Friedman's test shows.

    See `power_friedman` for `sd` and for the Monte-Carlo error.
    """
    alpha, power = check_target(alpha, power)
    sd = check_number("sd", sd, low=0, closed="none")
    lone = np.zeros(check_count("n_models", n_models, minimum=2))
    lone[0] = 1.0

    def power_at(advantage: float) -> float:
        return power_friedman(advantage * lone, 1.0, n_datasets, alpha=alpha, n_resamples=n_resamples, rng=rng)

    return sd * smallest_effect(power_at, power, start=1.0, limit=50.0, what="advantage")


def _check_means(means: ArrayLike) -> FloatArray:
    return as_float_vector("means", means, minimum=2)


def _rejection_rate(centres: FloatArray, n: int, alpha: float, n_resamples: int, rng: np.random.Generator) -> float:
    from scipy.special import fdtri

    k = centres.size
    if smallest_pvalue(n, k) > alpha:  # not even perfect agreement is that improbable by chance
        return 0.0
    critical = float(fdtri(k - 1, (k - 1) * (n - 1), 1 - alpha))
    # F = (n−1)χ²/(n(k−1) − χ²) exceeds its critical value when χ² exceeds this one
    limit = critical * n * (k - 1) / (n - 1 + critical)
    rejected, step = 0, max(1, _CELLS_AT_ONCE // (n * k))
    for start in range(0, n_resamples, step):
        scores = rng.normal(size=(min(step, n_resamples - start), n, k)) + centres
        # χ² takes few values: one that equals the limit up to rounding is not to be lost.
        rejected += int((_chi2(scores) > limit - 1e-9 * limit).sum())
    return rejected / n_resamples


def _chi2(scores: FloatArray) -> FloatArray:
    """Friedman's χ² of many tables of continuous (untied) scores."""
    _, n, k = scores.shape
    totals = (scores.argsort(axis=2).argsort(axis=2) + 1).sum(axis=1)
    return np.asarray(12 / (n * k * (k + 1)) * ((totals - n * (k + 1) / 2) ** 2).sum(axis=1))
