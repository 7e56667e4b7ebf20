"""The threshold of several classes: one weight per class, tuned for least cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray
from bakeoff.learners._costs import cheapest

# Factors tried on one class's weight: 1 first, so that a tie changes nothing, then from 1/64 to 64 in steps of 2^(1/4).
_FACTORS = np.array([1.0, *(2.0 ** (k / 4) for step in range(1, 25) for k in (step, -step))])
_SWEEPS = 5


def tune_class_weights(
    P: FloatArray,
    codes: NDArray[np.int64],
    costs: FloatArray,
    priors: FloatArray | None,
    sample_weight: FloatArray | None,
) -> tuple[FloatArray, float]:
    """Return weights w of the rule argmin_j Σ_i w_i·P_i·C[i, j], and its expected cost per case on these rows.

    Starts from theory (w = change of priors, 1 if there is none) and improves one class at a time until nothing does:
    a local search, since the cost is a step function of the weights.
    """
    row_weight = _row_weights(codes, len(costs), priors, sample_weight)
    found = np.bincount(codes, weights=sample_weight, minlength=len(costs))
    weights = np.ones(len(costs)) if priors is None else priors / (found / found.sum())
    best = _mean_cost(P * weights, codes, costs, row_weight)
    for _ in range(_SWEEPS):
        before = best
        for k in range(len(costs)):
            weights, best = _improve(k, weights, best, P, codes, costs, row_weight)
        if best >= before - 1e-12:
            break
    return weights, best


def _improve(
    k: int,
    weights: FloatArray,
    best: float,
    P: FloatArray,
    codes: NDArray[np.int64],
    costs: FloatArray,
    row_weight: FloatArray,
) -> tuple[FloatArray, float]:
    """Try the factors on the weight of class k; keep the best, and the first of equals."""
    chosen = weights
    for factor in _FACTORS[1:]:
        tried = weights.copy()
        tried[k] *= factor
        cost = _mean_cost(P * tried, codes, costs, row_weight)
        if cost < best - 1e-12:
            chosen, best = tried, cost
    return chosen, best


def _mean_cost(P: FloatArray, codes: NDArray[np.int64], costs: FloatArray, row_weight: FloatArray) -> float:
    return float(row_weight @ costs[codes, cheapest(P, costs)])


def _row_weights(
    codes: NDArray[np.int64], n_classes: int, priors: FloatArray | None, sample_weight: FloatArray | None
) -> FloatArray:
    """Weights that sum to 1, with each class's share equal to its prior if priors are given."""
    given = np.ones(len(codes)) if sample_weight is None else sample_weight
    totals = np.bincount(codes, weights=given, minlength=n_classes)
    if (totals == 0).any():
        raise EvidenceError(f"class number {int((totals == 0).argmax())} has no out-of-fold row to tune on.")
    shares = totals / totals.sum() if priors is None else priors
    return np.asarray(given * (shares / totals)[codes])
