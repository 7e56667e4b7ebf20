"""Power of the t-tests on differences: independent pairs, and overlapping folds of one data set."""

from __future__ import annotations

import math
from functools import partial

from bakeoff._core.validation import check_alternative, check_count, check_level, check_number
from bakeoff.stats.distributions import noncentral_t_cdf
from bakeoff.stats.power._search import check_effect, check_target, smallest_count, smallest_effect


def power_paired_t(effect: float, sd: float, n: int, *, alpha: float = 0.05, alternative: str = "two-sided") -> float:
    """Return the chance that a paired t-test on n independent pairs detects a true mean difference.

    Parameters
    ----------
    effect : float
        True mean of a − b.
    sd : float
        Standard deviation of the paired differences (of one pair).
    n : int
        Number of pairs.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "less", "greater"}

    Notes
    -----
    Exact for normal differences: noncentral t with n − 1 degrees of freedom and noncentrality √n · effect / sd.

    Examples
    --------
    >>> from bakeoff.stats import power_paired_t
    >>> round(power_paired_t(0.5, 1.0, 34), 3)
    0.808
    """
    return _power(effect, _check_sd(sd) / math.sqrt(check_count("n", n, minimum=2)), n - 1, alpha, alternative)


def sample_size_paired_t(
    effect: float, sd: float, *, alpha: float = 0.05, power: float = 0.8, alternative: str = "two-sided"
) -> int:
    """Return how many independent pairs a paired t-test needs to detect a true mean difference; see `power_paired_t`.

    Examples
    --------
    >>> from bakeoff.stats import sample_size_paired_t
    >>> sample_size_paired_t(0.5, 1.0)
    34
    """
    alpha, power = check_target(alpha, power)
    check_effect(effect, alternative)
    power_at = partial(power_paired_t, effect, sd, alpha=alpha, alternative=alternative)
    return smallest_count(power_at, power, "pairs", maximum=10_000_000)


def detectable_paired_t(
    sd: float, n: int, *, alpha: float = 0.05, power: float = 0.8, alternative: str = "two-sided"
) -> float:
    """Return the smallest true mean difference that n independent pairs detect with the power asked for.

    Examples
    --------
    >>> from bakeoff.stats import detectable_paired_t
    >>> round(detectable_paired_t(0.03, 30), 4)
    0.0159
    """
    alpha, power = check_target(alpha, power)
    error = _check_sd(sd) / math.sqrt(check_count("n", n, minimum=2))
    return _detectable(error, n - 1, alpha, power, alternative)


def power_corrected_t(
    effect: float,
    sd: float,
    *,
    n_splits: int,
    n_train: float,
    n_test: float,
    alpha: float = 0.05,
    alternative: str = "two-sided",
) -> float:
    r"""Return the chance that the corrected resampled t-test detects a true mean difference on one data set.

    Parameters
    ----------
    effect : float
        True mean of a − b.
    sd : float
        Standard deviation of the differences over the splits, as a pilot run shows it (S of `corrected_t`).
    n_splits : int
        J, all train/test pairs: 100 for 10 × 10-fold cross-validation.
    n_train, n_test : int
        Rows in each training and test part; only their ratio matters.
    alpha : float
        Level of the test.
    alternative : {"two-sided", "less", "greater"}

    Notes
    -----
    Exact under the model behind the correction, normal differences of equal correlation
    ρ = n_test / (n_train + n_test): noncentral t with J − 1 degrees of freedom and noncentrality
    :math:`effect / (sd \sqrt{1/J + n_{test}/n_{train}})`.

    Repeats do not help beyond a point: the ratio n_test / n_train stays in the variance however large J is.

    Examples
    --------
    >>> from bakeoff.stats import power_corrected_t
    >>> for repeats in (1, 10, 100):
    ...     print(round(power_corrected_t(0.02, 0.03, n_splits=10 * repeats, n_train=9, n_test=1), 2))
    0.25
    0.47
    0.51
    """
    error = _check_sd(sd) * math.sqrt(1 / check_count("n_splits", n_splits, minimum=2) + _ratio(n_train, n_test))
    return _power(effect, error, n_splits - 1, alpha, alternative)


def sample_size_corrected_t(
    effect: float,
    sd: float,
    *,
    n_train: float,
    n_test: float,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
) -> int:
    """Return how many train/test splits the corrected resampled t-test needs; see `power_corrected_t`.

    Raises
    ------
    ParameterError
        When no number of splits of this data set is enough: repeats share the same rows.

    Examples
    --------
    >>> from bakeoff.stats import sample_size_corrected_t
    >>> sample_size_corrected_t(0.04, 0.03, n_train=9, n_test=1)
    13
    """
    alpha, power = check_target(alpha, power)
    check_effect(effect, alternative)

    rows = {"n_train": n_train, "n_test": n_test}

    def power_at(n_splits: int) -> float:
        return power_corrected_t(effect, sd, n_splits=n_splits, **rows, alpha=alpha, alternative=alternative)

    hint = "repeats of one data set share its rows; more rows, or more data sets, are needed"
    return smallest_count(power_at, power, "splits", maximum=1_000_000, hint=hint)


def detectable_corrected_t(
    sd: float,
    *,
    n_splits: int,
    n_train: float,
    n_test: float,
    alpha: float = 0.05,
    power: float = 0.8,
    alternative: str = "two-sided",
) -> float:
    """Return the smallest true mean difference these splits detect with the power asked for; see `power_corrected_t`.

    Examples
    --------
    >>> from bakeoff.stats import detectable_corrected_t
    >>> round(detectable_corrected_t(0.03, n_splits=100, n_train=900, n_test=100), 4)
    0.0295
    """
    alpha, power = check_target(alpha, power)
    error = _check_sd(sd) * math.sqrt(1 / check_count("n_splits", n_splits, minimum=2) + _ratio(n_train, n_test))
    return _detectable(error, n_splits - 1, alpha, power, alternative)


def _power(effect: float, error: float, df: int, alpha: float, alternative: str) -> float:
    from scipy.special import stdtrit

    effect = check_number("effect", effect)
    alpha, ncp = check_level(alpha, "alpha"), effect / error
    check_alternative(alternative)
    critical = float(stdtrit(df, 1 - (alpha / 2 if alternative == "two-sided" else alpha)))
    # P(T > c) at ncp is P(T < −c) at −ncp: the tail itself, not one minus a number near one
    above, below = noncentral_t_cdf(-critical, df, -ncp), noncentral_t_cdf(-critical, df, ncp)
    return min(1.0, {"two-sided": above + below, "greater": above, "less": below}[alternative])


def _detectable(error: float, df: int, alpha: float, power: float, alternative: str) -> float:
    sign = -1.0 if check_alternative(alternative) == "less" else 1.0
    size = smallest_effect(
        lambda ncp: _power(sign * ncp, 1.0, df, alpha, alternative), power, start=3.0, limit=1e6, what="difference"
    )
    return size * error


def _check_sd(sd: float) -> float:
    return check_number("sd", sd, low=0, closed="none")


def _ratio(n_train: float, n_test: float) -> float:
    train = check_number("n_train", n_train, low=0, closed="none")
    return check_number("n_test", n_test, low=0, closed="none") / train
