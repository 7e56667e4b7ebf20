"""Both errors of a test by simulation: how often it rejects where nothing differs, and where something does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.result import Result
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_generator,
    check_choice,
    check_count,
    check_number,
)
from bakeoff.stats.distributions import Null
from bakeoff.stats.means._corrected_t import CORRECTED_T
from bakeoff.stats.means._paired_t import PAIRED_T
from bakeoff.stats.ranks import average_ranks, wilcoxon
from bakeoff.stats.tables import binomial_interval


@dataclass(frozen=True, repr=False)
class ErrorRates(Result):
    """How often tests rejected in simulated samples.

    Attributes
    ----------
    tests, effects
        What was tried: tests by name, true differences in standard deviations of one difference.
    rejected
        Share of samples in which a test rejected, ``[tests, effects]``. At effect 0 it is the type I error; elsewhere
        it is the power, and 1 minus it the type II error.
    low, high
        Wilson's 95 % limits of these shares: what the number of samples leaves open.
    n, correlation, alpha, n_samples
        The design.

    Examples
    --------
    >>> from bakeoff import stats
    >>> rates = stats.simulate_errors(n=10, correlation=0.5, n_samples=2000)
    >>> rates.rejected[0, 0] > 0.2, rates.rejected[1, 0] < 0.08
    (np.True_, np.True_)
    """

    tests: tuple[str, ...]
    effects: tuple[float, ...]
    rejected: FloatArray
    low: FloatArray
    high: FloatArray
    n: int
    correlation: float
    alpha: float
    n_samples: int

    def of(self, test: str) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Shares of a test with their limits, one for each effect."""
        place = self.tests.index(check_choice("test", test, self.tests))
        return self.rejected[place], self.low[place], self.high[place]

    def _columns(self) -> dict[str, Any]:
        pairs = [(i, j) for i in range(len(self.tests)) for j in range(len(self.effects))]
        return {
            "test": [self.tests[i] for i, _ in pairs],
            "effect": [self.effects[j] for _, j in pairs],
            **{name: [float(getattr(self, name)[at]) for at in pairs] for name in ("rejected", "low", "high")},
        }


def simulate_errors(
    tests: Sequence[str] | None = None,
    *,
    n: int = 10,
    effects: Sequence[float] = (0.0, 0.5, 1.0, 1.5),
    correlation: float = 0.0,
    alpha: float = 0.05,
    n_samples: int = 10_000,
    rng: RngLike = 0,
) -> ErrorRates:
    """Simulate type I and type II errors of tests of `n` paired differences.

    Parameters
    ----------
    tests
        Any of ``paired-t``, ``corrected-t``, ``wilcoxon`` and ``sign``, by default the first three; all see the same
        samples.
    n
        Differences in a sample: data sets, or splits of one data set.
    effects
        True differences in standard deviations of one difference; 0 shows the type I error.
    correlation
        Between any two differences of a sample. 0: data sets. Splits of one data set share rows; of k folds about 1/k
        (Nadeau and Bengio), and the corrected t-test is told this number.
    alpha
        Level of the tests.
    n_samples
        Simulated samples for each effect.
    rng
        Seed or generator.

    Notes
    -----
    Differences are normal with equal variances and correlations. The simulation is exact for them, up to the limits
    that `ErrorRates` gives; `bakeoff.plan` finds the size of sample for a power.

    References
    ----------
    Nadeau, C. & Bengio, Y. (2003). Inference for the generalization error. Machine Learning 52, 239–281.
    https://doi.org/10.1023/A:1024068626366

    Examples
    --------
    >>> from bakeoff import stats
    >>> rates = stats.simulate_errors(n=14, effects=[0, 1], n_samples=4000)
    >>> 0.03 < rates.of("paired-t")[0][0] < 0.06 < 0.8 < rates.of("paired-t")[0][1]
    np.True_
    """
    tests = tuple(_REJECTS)[:3] if tests is None else tuple(tests)
    for test in tests:
        check_choice("tests", test, tuple(_REJECTS))
    n, n_samples = check_count("n", n, minimum=2), check_count("n_samples", n_samples)
    correlation = check_number("correlation", correlation, low=0, high=1, closed="left")
    alpha = check_number("alpha", alpha, low=0, high=1, closed="none")
    generator = as_generator(rng)
    shared = np.sqrt(correlation) * generator.standard_normal((n_samples, 1))
    noise = shared + np.sqrt(1 - correlation) * generator.standard_normal((n_samples, n))
    shifts = [check_number("effects", effect) for effect in effects]
    counts = np.array([[_REJECTS[t](noise + e, correlation, alpha).sum() for e in shifts] for t in tests])
    limits = [[binomial_interval(int(k), n_samples) for k in row] for row in counts]
    return ErrorRates(
        tests=tests,
        effects=tuple(shifts),
        rejected=counts / n_samples,
        low=np.array([[found.low for found in row] for row in limits]),
        high=np.array([[found.high for found in row] for row in limits]),
        n=n,
        correlation=correlation,
        alpha=alpha,
        n_samples=n_samples,
    )


def _t(differences: FloatArray, ratio: float, alpha: float) -> Any:
    n = differences.shape[1]
    error = np.sqrt((1 / n + ratio) * differences.var(axis=1, ddof=1))
    return np.abs(differences.mean(axis=1)) > Null("t", (n - 1,)).critical(alpha) * error


def _wilcoxon(differences: FloatArray, _: float, alpha: float) -> Any:
    n = differences.shape[1]
    positive = (average_ranks(np.abs(differences)) * (differences > 0)).sum(axis=1)
    smaller = np.minimum(positive, n * (n + 1) / 2 - positive)
    return smaller <= Null("signed-rank", (n,), "lower").critical(alpha)


def _sign(differences: FloatArray, _: float, alpha: float) -> Any:
    n = differences.shape[1]
    positive = (differences > 0).sum(axis=1)
    return np.minimum(positive, n - positive) <= Null("binomial", (n,), "lower").critical(alpha)


Rejects = Callable[[FloatArray, float, float], Any]
_IN_ORDER: tuple[Rejects, ...] = (
    lambda d, rho, alpha: _t(d, 0.0, alpha),
    lambda d, rho, alpha: _t(d, rho / (1 - rho), alpha),
    _wilcoxon,
    _sign,
)
_REJECTS: dict[str, Rejects] = dict(zip((PAIRED_T, CORRECTED_T, wilcoxon.__name__, "sign"), _IN_ORDER, strict=True))
