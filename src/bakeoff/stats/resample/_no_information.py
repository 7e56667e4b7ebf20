"""The error of outputs that have nothing to do with the truth: γ of the .632+ bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError

_PAIRS_AT_ONCE = 4_000_000


def no_information_rate(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    r"""Return the error rate if predictions were paired with truths at random: :math:`\gamma = \sum_l p_l (1 - q_l)`.

    p is the share of each class among the truths, q among the predictions of the model fitted on all rows.

    Examples
    --------
    >>> from bakeoff.stats import no_information_rate
    >>> no_information_rate(["a", "a", "b", "b"], ["a", "a", "a", "b"])
    0.5
    """
    truth, predicted = np.asarray(y_true), np.asarray(y_pred)
    if truth.ndim != 1 or truth.shape != predicted.shape or truth.size == 0:
        raise EvidenceError(
            f"y_true and y_pred must be two vectors of equal length. Got shapes {truth.shape} and {predicted.shape}."
        )
    labels, codes = np.unique(np.concatenate([truth, predicted]), return_inverse=True)
    p = np.bincount(codes[: truth.size], minlength=labels.size) / truth.size
    q = np.bincount(codes[truth.size :], minlength=labels.size) / truth.size
    return float(np.sum(p * (1 - q)))


def no_information_loss(
    y_true: ArrayLike, output: ArrayLike, loss: Callable[[NDArray[Any], NDArray[Any]], NDArray[Any]]
) -> float:
    """Return the mean loss over all pairs of a truth and an output, whichever row each belongs to.

    Parameters
    ----------
    y_true : array_like, shape (n,)
    output : array_like, shape (n,) or (n, K)
        Outputs of the model fitted on all rows.
    loss : callable
        ``loss(truths, outputs)`` → losses, vectorised over rows; it is called with n² rows in all.
    """
    truth, outputs = np.asarray(y_true), np.asarray(output)
    n, total = truth.shape[0], 0.0
    if outputs.shape[0] != n or n == 0:
        raise EvidenceError(f"y_true and output must have equal length. Got {n} and {outputs.shape[0]}.")
    # All n² pairs of a truth and an output, as the definition asks; some million at a time.
    step = max(1, _PAIRS_AT_ONCE // n)
    for start in range(0, n, step):
        some = truth[start : start + step]
        repeated = np.repeat(outputs, some.shape[0], axis=0)
        total += float(np.sum(loss(np.tile(some, n), repeated)))
    return float(total / n**2)
