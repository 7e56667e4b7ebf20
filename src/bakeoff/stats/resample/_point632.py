"""The bootstrap's estimates of prediction error: leave-one-out bootstrap, .632 and .632+, with standard errors."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Interval, Note, Result
from bakeoff._core.validation import FloatArray, as_float_vector, check_choice, check_level, check_number

ESTIMATORS = ("plain", "632", "632+")
_OUT, _IN = 0.632, 0.368  # 1 − 1/e and 1/e as printed: the share of rows that a resample holds, and leaves out


@dataclass(frozen=True, repr=False)
class BootstrapErrorResult(Result):
    """Prediction error by the bootstrap.

    Attributes
    ----------
    estimate, standard_error
        The error asked for, and its standard error by the infinitesimal jackknife.
    estimator
        ``"plain"``, ``"632"`` or ``"632+"``.
    training_error
        Resubstitution error: the model fitted on all rows, evaluated on the same rows.
    bootstrap_error
        Leave-one-out bootstrap error Err⁽¹⁾: each row evaluated by models that did not see it.
    no_information_rate
        γ, the error if the outputs had nothing to do with the truth (NaN where it is not needed).
    relative_overfitting, weight
        R of .632+ (0 no overfitting, 1 complete), and the weight of the bootstrap error in the estimate.
    n, n_resamples
        Rows and bootstrap resamples.
    """

    estimate: float
    standard_error: float
    estimator: str
    training_error: float
    bootstrap_error: float
    no_information_rate: float
    relative_overfitting: float
    weight: float
    n: int
    n_resamples: int
    is_rate: bool = False
    notes: tuple[Note, ...] = ()

    def confidence_interval(self, level: float = 0.95) -> Interval:
        """Return the interval for the error.

        For right/wrong losses it is Wilson's, with the number of rows that would give the same standard error, so that
        it stays in [0, 1] and has a width at 0 errors too; for other losses estimate ± z · standard error.
        """
        from scipy.special import ndtri

        level = check_level(level, "level")
        z = float(ndtri(0.5 + level / 2))
        if self.is_rate:
            low, high = _wilson(self.estimate, self.standard_error, self.n, z)
            return Interval(self.estimate, low, high, level, f"{self.estimator}-wilson", self.notes)
        half = z * self.standard_error
        return Interval(self.estimate, self.estimate - half, self.estimate + half, level, self.estimator, self.notes)


def bootstrap_error(
    losses: ArrayLike,
    counts: ArrayLike,
    training_losses: ArrayLike | None = None,
    *,
    no_information_rate: float | None = None,
    estimator: str = "632+",
) -> BootstrapErrorResult:
    r"""Return a model's prediction error from bootstrap resamples, by the plain, .632 or .632+ rule.

    .. math::
        \widehat{Err}^{(.632)} &= .368\, \overline{err} + .632\, \widehat{Err}^{(1)} \\
        \widehat{Err}^{(.632+)} &= (1 - w)\, \overline{err} + w \min(\widehat{Err}^{(1)}, \gamma), \quad
        w = \frac{.632}{1 - .368 R}, \quad R = \frac{\widehat{Err}^{(1)} - \overline{err}}{\gamma - \overline{err}}

    Parameters
    ----------
    losses : array_like, shape (B, n)
        Loss of each row under the model fitted on each resample. Only rows outside the resample count; others may hold
        anything, NaN included.
    counts : array_like, shape (B, n)
        How often each row is in each resample (0 = out of the bag).
    training_losses : array_like, shape (n,)
        Loss of each row under the model fitted on *all* rows. Needed by ``"632"`` and ``"632+"``. It is not the loss of
        the bootstrap models on their own samples.
    no_information_rate : float
        γ, for ``"632+"``: from `no_information_rate` (labels) or `no_information_loss` (any loss), applied to the
        outputs of the model fitted on all rows.
    estimator : {"632+", "632", "plain"}
        ``"plain"`` is the leave-one-out bootstrap itself: unbiased for a model trained on about 63 % of the rows, so
        pessimistic.

    Returns
    -------
    BootstrapErrorResult
        `estimate`, `standard_error`, their ingredients, and ``confidence_interval(level)``.

    Notes
    -----
    R is 0 unless training error < bootstrap error and training error < γ, and at most 1. The standard error of Err⁽¹⁾
    is the infinitesimal jackknife taken through the same resamples, less what their finite number adds; for .632 and
    .632+ it is scaled by estimate / Err⁽¹⁾, as the authors propose. It does not know the variability of R.

    References
    ----------
    Efron & Tibshirani (1997). Improvements on cross-validation: the .632+ bootstrap method. *Journal of the American
    Statistical Association* 92(438), 548–560. https://doi.org/10.1080/01621459.1997.10474007

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats import bootstrap_error
    >>> rng = np.random.default_rng(0)
    >>> counts = rng.multinomial(40, [1 / 40] * 40, size=200)
    >>> losses = rng.uniform(size=(200, 40)) < 0.3
    >>> result = bootstrap_error(losses, counts, np.zeros(40), no_information_rate=0.5)
    >>> print(f"training 0, bootstrap {result.bootstrap_error:.2f}, .632+ {result.estimate:.2f}")
    training 0, bootstrap 0.28, .632+ 0.23
    """
    check_choice("estimator", estimator, ESTIMATORS)
    table, times = _check_resamples(losses, counts)
    outside = leave_one_out_bootstrap(table, times)
    training = _training_error(training_losses, times.shape[1], estimator)
    gamma = _check_gamma(no_information_rate, estimator)
    if estimator == "632+":
        estimate, overfitting, weight = err632_plus(training, outside.estimate, gamma)
    else:
        overfitting, weight = math.nan, _OUT if estimator == "632" else 1.0
        estimate = err632(training, outside.estimate) if estimator == "632" else outside.estimate
    scale = estimate / outside.estimate if outside.estimate else 1.0
    return BootstrapErrorResult(
        estimate=estimate,
        standard_error=outside.standard_error * abs(scale),
        estimator=estimator,
        training_error=training,
        bootstrap_error=outside.estimate,
        no_information_rate=gamma,
        relative_overfitting=overfitting,
        weight=weight,
        n=times.shape[1],
        n_resamples=times.shape[0],
        is_rate=bool(np.isin(table[times == 0], (0, 1)).all()),
        notes=(*outside.notes, *_memorised_notes(training, estimator)),
    )


def _memorised_notes(training: float, estimator: str) -> tuple[Note, ...]:
    """Where the training error is 0, the estimate depends on the no-information rate (docs/statistical-validity.md)."""
    return (note("memorised"),) if estimator == "632+" and training == 0 else ()


def err632(training_error: float, bootstrap_error: float) -> float:
    """Return .368 · training error + .632 · leave-one-out bootstrap error."""
    training = check_number("training_error", training_error)
    return _IN * training + _OUT * check_number("bootstrap_error", bootstrap_error)


def err632_plus(
    training_error: float, bootstrap_error: float, no_information_rate: float
) -> tuple[float, float, float]:
    """Return the .632+ estimate, its relative overfitting rate R in [0, 1] and the weight of the bootstrap error."""
    training = check_number("training_error", training_error)
    outside = check_number("bootstrap_error", bootstrap_error)
    gamma = check_number("no_information_rate", no_information_rate)
    overfits = outside > training and gamma > training
    # Clipped to [0, 1] as Efron and Tibshirani (1997) define it: R beyond would give weights outside [.632, 1].
    rate = min((outside - training) / (gamma - training), 1.0) if overfits else 0.0
    weight = _OUT / (1 - _IN * rate)
    return (1 - weight) * training + weight * min(outside, gamma), rate, weight


@dataclass(frozen=True, repr=False)
class LeaveOneOutBootstrapResult(Result):
    """The leave-one-out bootstrap error.

    Attributes
    ----------
    estimate, standard_error
        Err⁽¹⁾ and its infinitesimal-jackknife standard error.
    per_row
        Mean loss of each row over the resamples that left it out; NaN for a row that was never left out.
    """

    estimate: float
    standard_error: float
    per_row: FloatArray
    notes: tuple[Note, ...] = ()


def leave_one_out_bootstrap(losses: ArrayLike, counts: ArrayLike) -> LeaveOneOutBootstrapResult:
    r"""Return the error of each row under models whose resample left it out, averaged over rows.

    .. math:: \widehat{Err}^{(1)} = \frac1n \sum_i \hat E_i, \qquad
              \hat E_i = \frac{\sum_b I_i^b Q_i^b}{\sum_b I_i^b}

    with the standard error :math:`\sqrt{\sum_i D_i^2}`, where the derivative with respect to the weight of row i is

    .. math:: D_i = \Big(2 + \frac1{n-1}\Big) \frac{\hat E_i - \widehat{Err}^{(1)}}{n}
              + e_n\, \mathrm{Cov}_b(N_i^b, q^b), \qquad q^b = \frac1n \sum_i I_i^b Q_i^b, \quad e_n = (1 - 1/n)^{-n}

    Arguments as in `bootstrap_error`. Noise of a finite number of resamples inflates Σ D²; its expectation,
    :math:`e_n^2 (n - 1) \mathrm{Var}_b(q) / B`, is taken off.
    """
    table, times = _check_resamples(losses, counts)
    n_resamples, n = times.shape
    out = times == 0
    left_out = out.sum(axis=0)
    lost = np.where(out, table, 0.0)
    with np.errstate(invalid="ignore"):
        per_row = lost.sum(axis=0) / left_out
    estimate = float(np.nanmean(per_row))
    per_resample = lost.sum(axis=1) / n
    raw = float(np.sum(_derivative(times, per_row - estimate, per_resample) ** 2))
    noise = (1 - 1 / n) ** (-2 * n) * (n - 1) * float(per_resample.var()) / n_resamples
    notes = _resample_notes(int((left_out == 0).sum()), noise > raw / 2 > 0)
    # at the least, what the choice of the n test rows contributes, were the models always the same
    floor = float(np.nanvar(per_row)) / n
    return LeaveOneOutBootstrapResult(estimate, math.sqrt(max(raw - noise, floor)), per_row, notes)


def _derivative(times: FloatArray, excess: FloatArray, per_resample: FloatArray) -> FloatArray:
    """Influence of each row on Err⁽¹⁾: as a test row, and as a training row (D above)."""
    n_resamples, n = times.shape
    covariance = (times - times.mean(axis=0)).T @ (per_resample - per_resample.mean()) / n_resamples
    return np.asarray((2 + 1 / (n - 1)) * np.nan_to_num(excess) / n + (1 - 1 / n) ** -n * covariance)


def _resample_notes(never_out: int, noisy: bool) -> tuple[Note, ...]:
    notes = []
    if never_out:
        notes.append(note("never-left-out", never_out=never_out))
    if noisy:
        notes.append(note("few-resamples"))
    return tuple(notes)


def _check_resamples(losses: ArrayLike, counts: ArrayLike) -> tuple[FloatArray, FloatArray]:
    table, times = np.asarray(losses, dtype=np.float64), np.asarray(counts, dtype=np.float64)
    if times.ndim != 2 or table.shape != times.shape or min(times.shape) < 2:
        raise EvidenceError(
            "losses and counts must be tables of equal shape, resamples × rows, at least 2 × 2. "
            f"Got shapes {table.shape} and {times.shape}."
        )
    if (times < 0).any() or not (times == np.rint(times)).all():
        raise EvidenceError("counts must be whole numbers: how often each row is in each resample.")
    if not (times == 0).any():
        raise EvidenceError("no row is ever outside a resample, so nothing can be evaluated: counts has no 0.")
    if not np.isfinite(table[times == 0]).all():
        raise EvidenceError("losses must be finite wherever the row is outside the resample (counts 0).")
    return table, times


def _training_error(training_losses: ArrayLike | None, n: int, estimator: str) -> float:
    if training_losses is None:
        if estimator == "plain":
            return math.nan
        raise EvidenceError(
            f"bootstrap_error(estimator={estimator!r}) needs training_losses.",
            hint="fit the model on all rows and give its loss on each of them",
        )
    vector = as_float_vector("training_losses", np.asarray(training_losses, dtype=np.float64))
    if vector.size != n:
        raise EvidenceError(f"training_losses must have one value per row ({n}). Got {vector.size}.")
    return float(vector.mean())


def _check_gamma(rate: float | None, estimator: str) -> float:
    if rate is not None:
        return check_number("no_information_rate", rate)
    if estimator == "632+":
        raise EvidenceError(
            "bootstrap_error(estimator='632+') needs no_information_rate.",
            hint="compute it by no_information_rate(y_true, y_pred) or no_information_loss(y_true, output, loss)",
        )
    return math.nan


def _wilson(rate: float, error: float, n: int, z: float) -> tuple[float, float]:
    """Wilson's limits for the sample size at which a proportion would have this standard error."""
    # At 0 or 1 no standard error gives a size; all n rows then stand for themselves.
    size = rate * (1 - rate) / error**2 if error > 0 and 0 < rate < 1 else float(n)
    centre = (rate + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size))
    return max(0.0, centre - half), min(1.0, centre + half)
