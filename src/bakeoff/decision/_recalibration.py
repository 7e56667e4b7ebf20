"""Logistic recalibration: logit P(y) = a + b·logit(p), fitted by iteratively reweighted least squares."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.validation import FloatArray

CLIP = 1e-12  # stated probabilities nearer to 0 or 1 than this have no usable logit
_STEPS, _HALVINGS = 100, 40


@dataclass(frozen=True)
class LogisticFit:
    """A logistic regression.

    Attributes
    ----------
    beta, covariance
        Coefficients and their covariance by the observed information, ``[p]`` and ``[p, p]``.
    fitted
        Chance of a positive at each line of the design, ``[m]``.
    """

    beta: FloatArray
    covariance: FloatArray
    fitted: FloatArray


def clipped_logit(probability: FloatArray, count: FloatArray) -> tuple[FloatArray, tuple[Note, ...]]:
    """Logits of stated probabilities ``[m]`` of `count` rows each; those of 0 and 1 are cut, and counted in a note."""
    kept = np.clip(probability, CLIP, 1 - CLIP)
    cut = int(np.rint(count[kept != probability].sum()))
    text = Text("{n} stated probabilities of (nearly) 0 or 1 were moved to {clip:g} from it.", n=cut, clip=CLIP)
    return np.log(kept) - np.log1p(-kept), (Note("certain-probabilities", text),) if cut else ()


def no_slope(logit: FloatArray, positives: FloatArray, negatives: FloatArray) -> Note | None:
    """Why no finite slope fits best, if so: one probability throughout, or classes that separate."""
    with_positives, with_negatives = logit[positives > 0], logit[negatives > 0]
    if not with_positives.size or not with_negatives.size:
        return warning_note("no-recalibration", Text("the recalibration slope is undefined: there is one class only."))
    if np.ptp(logit) == 0:
        text = Text("the recalibration slope is undefined: one probability was stated throughout.")
        return warning_note("no-recalibration", text)
    apart = with_positives.min() >= with_negatives.max() or with_positives.max() <= with_negatives.min()
    if not apart:
        return None
    text = Text("the recalibration slope is undefined: the stated probabilities separate the classes.")
    return warning_note("no-recalibration", text)


def fit_logistic(
    design: FloatArray, positives: FloatArray, size: FloatArray, offset: FloatArray | None = None
) -> LogisticFit:
    """Maximise the likelihood of `positives` among `size` at each line of the design ``[m, p]``.

    The likelihood is concave, so a Newton step that is halved until it gains cannot diverge where a maximum exists.
    The first coefficient is the intercept, and starts at the log odds; the others start at 0.
    """
    shift = np.zeros(size.size) if offset is None else offset
    beta = np.zeros(design.shape[1])
    share = positives.sum() / size.sum()
    beta[0] = np.log(share / (1 - share)) - float(np.average(shift, weights=size))

    def likelihood(at: FloatArray) -> float:
        eta = design @ at + shift
        return float(positives @ eta - size @ np.logaddexp(0.0, eta))

    reached = likelihood(beta)
    for _ in range(_STEPS):
        fitted, information = _information(design, beta, shift, size)
        step = np.linalg.lstsq(information, design.T @ (positives - size * fitted), rcond=None)[0]
        for _ in range(_HALVINGS):
            value = likelihood(beta + step)
            if value >= reached:
                break
            step = step / 2
        beta, gain, reached = beta + step, value - reached, value
        if np.abs(step).max() <= 1e-11 * max(1.0, float(np.abs(beta).max())) or gain <= 0:
            break
    fitted, information = _information(design, beta, shift, size)
    return LogisticFit(beta, np.asarray(np.linalg.pinv(information), dtype=np.float64), fitted)


def _information(
    design: FloatArray, beta: FloatArray, offset: FloatArray, size: FloatArray
) -> tuple[FloatArray, FloatArray]:
    fitted = 1 / (1 + np.exp(-np.clip(design @ beta + offset, -700, 700)))
    return fitted, (design * (size * fitted * (1 - fitted))[:, None]).T @ design
