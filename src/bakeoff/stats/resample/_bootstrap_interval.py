"""Confidence intervals from bootstrap replicates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, as_floats, check_choice, check_level, dot
from bakeoff.stats.resample._sums import as_weights

METHODS = ("percentile", "basic", "normal", "bca")
Limits = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, repr=False)
class BootstrapIntervalResult(Result):
    """Limits of one statistic (floats) or of many (arrays ``[m]``).

    Attributes
    ----------
    estimate
        The statistic on the data themselves.
    low, high
        Confidence limits.
    standard_error
        Standard deviation of the replicates (B − 1 in the denominator).
    bias
        Mean of the replicates minus the estimate.
    level_low, level_high
        The quantile levels read from the replicates: α/2 and 1 − α/2, except for BCa; NaN for ``"normal"``.
    confidence_level, method
        As asked.
    notes
        Choices made and weaknesses seen.
    """

    estimate: Any
    low: Any
    high: Any
    standard_error: Any
    bias: Any
    level_low: Any
    level_high: Any
    confidence_level: float = 0.95
    method: str = "bca"
    notes: tuple[Note, ...] = ()


def bootstrap_interval(
    estimate: ArrayLike,
    replicates: ArrayLike,
    *,
    method: str = "bca",
    confidence_level: float = 0.95,
    acceleration: ArrayLike | None = None,
) -> BootstrapIntervalResult:
    """Turn bootstrap replicates of a statistic into a confidence interval.

    Parameters
    ----------
    estimate
        The statistic on the data: a number, or ``[m]`` of them.
    replicates
        Its bootstrap replicates, ``[B]``, or ``[B, m]``. Undefined (NaN) replicates are left out, with a note.
    method
        ``"percentile"``: the quantiles α/2 and 1 − α/2. ``"basic"``: those quantiles reflected in the estimate.
        ``"normal"``: estimate − bias ± z · standard error. ``"bca"``: quantiles shifted for median bias z0 and
        skewness `acceleration`.
    confidence_level
        Nominal coverage.
    acceleration
        For ``"bca"``: a = Σ l³ / (6 (Σ l²)^1.5) of the jackknife or influence values l. Left out, it is taken as 0
        (the BC interval), with a note.

    Notes
    -----
    z0 counts replicates equal to the estimate one half (mid-rank), which matters for discrete statistics such as
    accuracy. Quantiles are interpolated linearly between order statistics (type 7, NumPy's).

    References
    ----------
    B. Efron (1987), "Better bootstrap confidence intervals", Journal of the American Statistical Association 82,
    https://doi.org/10.1080/01621459.1987.10478410

    Examples
    --------
    >>> interval = bootstrap_interval(5.0, [3.0, 4.0, 5.0, 5.0, 6.0, 7.0, 9.0], method="percentile",
    ...                               confidence_level=0.9)
    >>> round(interval.low, 2), round(interval.high, 2)
    (3.3, 8.4)
    """
    check_choice("method", method, METHODS)
    level = check_level(confidence_level)
    centre, draws, scalar = _checked(estimate, replicates)
    draws, notes = _defined(draws)
    notes += _infinite(draws, method)
    levels, more = _levels(centre, draws, method, level, acceleration)
    low, high = _limits(centre, draws, method, level, levels)
    finite = np.where(np.isinf(draws).any(axis=0), np.nan, 1.0)
    spread = np.nanstd(np.nan_to_num(draws, posinf=0, neginf=0, nan=np.nan), axis=0, ddof=1) * finite
    bias = (np.nanmean(np.nan_to_num(draws, posinf=0, neginf=0, nan=np.nan), axis=0) - centre) * finite

    def shaped(values: FloatArray) -> Any:
        return float(values[0]) if scalar else values

    return BootstrapIntervalResult(
        estimate=shaped(centre),
        low=shaped(low),
        high=shaped(high),
        standard_error=shaped(spread),
        bias=shaped(bias),
        level_low=shaped(levels[0]),
        level_high=shaped(levels[1]),
        confidence_level=level,
        method=method,
        notes=(*notes, *more),
    )._keeping(draws=draws)


def _checked(estimate: ArrayLike, replicates: ArrayLike) -> tuple[FloatArray, FloatArray, bool]:
    centre, draws = as_floats("estimate", estimate), as_floats("replicates", replicates)
    if draws.ndim != centre.ndim + 1 or draws.shape[1:] != centre.shape or centre.ndim > 1:
        raise EvidenceError(
            f"replicates must be [B] for one estimate or [B, m] for m of them. "
            f"Got estimate of shape {centre.shape} and replicates of shape {draws.shape}."
        )
    if not np.isfinite(centre).all():
        raise EvidenceError("estimate must be finite: a statistic undefined on the data has no bootstrap interval.")
    return np.atleast_1d(centre), draws.reshape(draws.shape[0], centre.size), centre.ndim == 0


def _defined(draws: FloatArray) -> tuple[FloatArray, list[Note]]:
    """Drop replicates where the statistic is undefined (they stay NaN in a table of several statistics)."""
    undefined = np.isnan(draws).sum(axis=0)
    if draws.shape[0] - undefined.max(initial=0) < 2:
        raise EvidenceError("a bootstrap interval needs at least 2 defined replicates of the statistic.")
    if not undefined.any():
        return draws, []
    worst = int(undefined.max())
    return draws, [note("undefined-replicates", worst=worst, replicates=draws.shape[0])]


def _infinite(draws: FloatArray, method: str) -> list[Note]:
    """Infinite replicates (a ratio whose denominator was 0) have a place in the order, but no mean and no spread."""
    count = int(np.isinf(draws).any(axis=1).sum())
    if not count:
        return []
    if method in ("normal", "basic"):
        raise EvidenceError(
            f"the {method} bootstrap interval needs finite replicates. {count} of {draws.shape[0]} are infinite.",
            hint="use method='percentile' or 'bca', which need only the order of the replicates",
        )
    return [note("infinite-replicates", count=count, replicates=draws.shape[0])]


def _levels(
    centre: FloatArray, draws: FloatArray, method: str, level: float, acceleration: ArrayLike | None
) -> tuple[Limits, list[Note]]:
    tail = (1.0 - level) / 2.0
    if method == "normal":
        return (np.full(centre.shape, np.nan), np.full(centre.shape, np.nan)), []
    if method != "bca":
        return (np.full(centre.shape, tail), np.full(centre.shape, 1.0 - tail)), []
    return _bca_levels(centre, draws, tail, acceleration)


def _bca_levels(
    centre: FloatArray, draws: FloatArray, tail: float, acceleration: ArrayLike | None
) -> tuple[Limits, list[Note]]:
    from scipy.special import ndtr, ndtri

    notes = []
    if acceleration is None:
        notes.append(note("no-acceleration"))
    given = as_floats("acceleration", 0.0 if acceleration is None else acceleration)
    if given.shape not in ((), centre.shape):
        raise EvidenceError(f"acceleration must be one number per estimate. Got shape {given.shape}.")
    skew = np.broadcast_to(given, centre.shape)
    if not np.isfinite(skew).all():
        raise EvidenceError("acceleration must be finite: it is 0 when all influence values are equal.")
    shift, one_sided = _median_bias(centre, draws)
    if one_sided:
        notes.append(note("replicates-on-one-side"))
    # Efron's (1987) corrected levels: Φ(z0 + (z0 + z)/(1 − a(z0 + z))).
    below, above = (shift + ndtri(share) for share in (tail, 1.0 - tail))
    return (ndtr(shift + below / (1.0 - skew * below)), ndtr(shift + above / (1.0 - skew * above))), notes


def _median_bias(centre: FloatArray, draws: FloatArray) -> tuple[FloatArray, bool]:
    """z0 from the share of replicates below the estimate, ties counting one half; kept inside (0, 1)."""
    from scipy.special import ndtri

    defined = (~np.isnan(draws)).sum(axis=0)
    # A replicate that differs by rounding only is tied with the estimate, and not on either side of it.
    largest = np.abs(np.where(np.isfinite(draws), draws, 0.0)).max(axis=0, initial=0.0)
    tied = np.abs(draws - centre) <= 1e-12 * np.maximum(np.abs(centre), largest)
    share = (((draws < centre) & ~tied).sum(axis=0) + 0.5 * tied.sum(axis=0)) / defined
    # B replicates cannot show a share below 1/(2B); beyond it z0 would be infinite and both limits the same replicate.
    inside = np.clip(share, 0.5 / defined, 1.0 - 0.5 / defined)
    return ndtri(inside), bool((inside != share).any())


def _limits(centre: FloatArray, draws: FloatArray, method: str, level: float, levels: Limits) -> Limits:
    if method == "normal":
        from scipy.special import ndtri

        middle = 2.0 * centre - np.nanmean(draws, axis=0)  # estimate less its bootstrap bias
        half = float(ndtri((1.0 + level) / 2.0)) * np.nanstd(draws, axis=0, ddof=1)
        return middle - half, middle + half
    low, high = _column_quantiles(draws, levels[0]), _column_quantiles(draws, levels[1])
    return (2.0 * centre - high, 2.0 * centre - low) if method == "basic" else (low, high)


def _column_quantiles(draws: FloatArray, levels: FloatArray) -> FloatArray:
    """Quantile of each column at its own level, type 7; NaN sorts last and is not counted."""
    ordered = np.sort(draws, axis=0)
    place = levels * ((~np.isnan(ordered)).sum(axis=0) - 1)
    floor = np.floor(place).astype(np.int64)
    column = np.arange(draws.shape[1])
    left, right = ordered[floor, column], ordered[np.ceil(place).astype(np.int64), column]
    with np.errstate(invalid="ignore"):
        quantile: FloatArray = left + (right - left) * (place - floor)
    return np.where(np.isinf(left) & (left == right) | (place == floor), left, quantile)


def acceleration_from_influence(values: ArrayLike, weights: ArrayLike | None = None) -> float:
    """Return BCa's acceleration a = Σ w l³ / (6 (Σ w l²)^{3/2}) from influence values l.

    Parameters
    ----------
    values
        Influence (or jackknife) value of each case, or of each kind of case.
    weights
        How many cases have each value (cell counts); one each by default.

    Returns
    -------
    acceleration : float
        0 when no case has any influence.

    References
    ----------
    B. Efron (1987), Better bootstrap confidence intervals, doi:10.1080/01621459.1987.10478410.
    """
    influence = np.asarray(values, dtype=np.float64).reshape(-1)
    weight = as_weights(weights if weights is None else np.asarray(weights).reshape(-1), influence.size)
    influence = np.where(weight > 0, influence, 0.0)
    if not np.isfinite(influence).all():
        raise EvidenceError("influence values must be finite where their weight is positive.")
    centred = influence - np.average(influence, weights=weight)
    centred /= np.abs(centred).max(initial=0.0) or 1.0  # a has no unit
    square = float(dot(weight, centred**2))
    return 0.0 if square == 0 else float(dot(weight, centred**3)) / (6.0 * square**1.5)
