"""Confidence intervals for a proportion."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, check_choice, check_level

Limits = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, repr=False)
class BinomialIntervalResult(Result):
    """Confidence limits of one or many proportions: floats for one, arrays of the shape of ``k, n`` for many.

    Attributes
    ----------
    estimate
        k / n; NaN where n is 0.
    low, high
        Limits within [0, 1].
    confidence_level, method
        As asked.
    notes
        Weaknesses of the method met on these counts.
    """

    estimate: Any
    low: Any
    high: Any
    confidence_level: float = 0.95
    method: str = "wilson"
    notes: tuple[Note, ...] = ()


def binomial_interval(
    k: ArrayLike, n: ArrayLike, *, confidence_level: float = 0.95, method: str = "wilson"
) -> BinomialIntervalResult:
    """How sure are we of a proportion such as an accuracy, seen as `k` of `n`?

    Parameters
    ----------
    k, n
        Successes and trials: numbers, or arrays that broadcast. With ``n = 0`` nothing is known: [0, 1].
    confidence_level
        Nominal coverage.
    method
        ``"wilson"`` (score interval; the default: close to its level for every n), ``"clopper-pearson"`` (never below
        its level, often well above), ``"jeffreys"`` (Beta(½, ½) posterior; the lower limit is 0 at k = 0 and the
        upper 1 at k = n), ``"agresti-coull"`` and ``"wald"`` (both clipped to [0, 1]; Wald misses its level for
        small n and has zero width at k = 0 and k = n).

    Notes
    -----
    Assumes independent instances. Wilson: the p with ``|k/n − p| ≤ z √(p(1−p)/n)``.

    References
    ----------
    L. Brown, T. Cai, A. DasGupta (2001), "Interval estimation for a binomial proportion", Statistical Science 16,
    https://doi.org/10.1214/ss/1009213286

    Examples
    --------
    >>> interval = binomial_interval(143, 150)
    >>> round(interval.low, 4), round(interval.high, 4)
    (0.9068, 0.9772)
    """
    limits = _METHODS[check_choice("method", method, _METHODS)]
    level = check_level(confidence_level)
    successes, trials = _counts(k, n)
    with np.errstate(invalid="ignore", divide="ignore"):
        low, high = limits(successes, trials, 1.0 - level)
    low, high = np.where(trials > 0, low, 0.0), np.where(trials > 0, high, 1.0)
    estimate = np.divide(successes, trials, out=np.full(trials.shape, np.nan), where=trials > 0)
    notes = _notes(successes, trials, method)
    made = BinomialIntervalResult(_plain(estimate), _plain(low), _plain(high), level, method, notes)
    return made._keeping(k=_plain(successes), n=_plain(trials))


def _counts(k: ArrayLike, n: ArrayLike) -> Limits:
    try:
        successes, trials = np.broadcast_arrays(np.asarray(k, dtype=np.float64), np.asarray(n, dtype=np.float64))
    except (TypeError, ValueError, OverflowError):
        raise EvidenceError("k and n must be numbers, or arrays of the same shape.") from None
    bad = ~(np.isfinite(trials) & (successes >= 0) & (successes <= trials))
    if bad.any():
        first = np.flatnonzero(bad.ravel())[0]
        raise EvidenceError(
            f"k successes of n trials need 0 <= k <= n. Got k = {successes.ravel()[first]:g}, "
            f"n = {trials.ravel()[first]:g}."
        )
    return successes, trials


def _notes(successes: FloatArray, trials: FloatArray, method: str) -> tuple[Note, ...]:
    notes = []
    if (trials == 0).any():
        notes.append(note("no-trials"))
    if method == "wald" and ((trials > 0) & ((successes == 0) | (successes == trials))).any():
        notes.append(note("wald-at-edge"))
    return tuple(notes)


def _plain(values: FloatArray) -> Any:
    return float(values) if values.ndim == 0 else values


def _z(alpha: float) -> float:
    from scipy.special import ndtri

    return float(-ndtri(alpha / 2.0))


def _wilson(k: FloatArray, n: FloatArray, alpha: float) -> Limits:
    z = _z(alpha)
    centre = (k + z * z / 2.0) / (n + z * z)
    half = z / (n + z * z) * np.sqrt(k * (n - k) / n + z * z / 4.0)
    # At the ends the limit is 0 or 1 by algebra; rounding must not move it past the estimate.
    return np.where(k == 0, 0.0, centre - half), np.where(k == n, 1.0, centre + half)


def _wald(k: FloatArray, n: FloatArray, alpha: float) -> Limits:
    share = k / n
    half = _z(alpha) * np.sqrt(share * (1.0 - share) / n)
    return np.clip(share - half, 0.0, 1.0), np.clip(share + half, 0.0, 1.0)


def _agresti_coull(k: FloatArray, n: FloatArray, alpha: float) -> Limits:
    z2 = _z(alpha) ** 2  # Wald after adding z²/2 successes and z²/2 failures: its centre is Wilson's
    return _wald(k + z2 / 2.0, n + z2, alpha)


def _beta_limits(k: FloatArray, n: FloatArray, alpha: float, low: Limits, high: Limits) -> Limits:
    """Quantiles of two beta distributions; 0 at no success and 1 at no failure, so that the estimate is inside."""
    from scipy.special import betaincinv

    with np.errstate(all="ignore"):
        lower = np.where(k == 0, 0.0, betaincinv(low[0], low[1], alpha / 2.0))
        upper = np.where(k == n, 1.0, betaincinv(high[0], high[1], 1.0 - alpha / 2.0))
    return lower, upper


def _clopper_pearson(k: FloatArray, n: FloatArray, alpha: float) -> Limits:
    # Inverts the two one-sided binomial tests; binomial tails are beta distribution functions.
    return _beta_limits(k, n, alpha, (k, n - k + 1.0), (k + 1.0, n - k))


def _jeffreys(k: FloatArray, n: FloatArray, alpha: float) -> Limits:
    posterior = (k + 0.5, n - k + 0.5)
    return _beta_limits(k, n, alpha, posterior, posterior)


_METHODS = {
    "wilson": _wilson,
    "wald": _wald,
    "clopper-pearson": _clopper_pearson,
    "agresti-coull": _agresti_coull,
    "jeffreys": _jeffreys,
}
