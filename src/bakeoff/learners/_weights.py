"""Costs as weights: how much each row should weigh for a learner that minimises plain error."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.learners._costs import check_cost_matrix
from bakeoff.learners._targets import Targets, check_targets


def cost_sample_weight(y: Any, cost_matrix: Any) -> FloatArray:
    """Weigh each row by what an error on it costs, for the ``sample_weight`` of any learner.

    The weight of class i is V_i = Σ_j (C[i, j] − C[i, i]), scaled so that the weights sum to the number of rows. With
    two classes this is exact (Elkan's theorem: a learner that minimises weighted error minimises expected cost). With
    more classes a row has one weight but several possible errors, so that the weights only approximate a matrix whose
    rows hold different costs; minimum expected cost decisions (`CostSensitiveClassifier`) keep the whole matrix.

    Parameters
    ----------
    y
        ``[n]`` true classes.
    cost_matrix
        True classes in rows, predicted in columns, in sorted class order; or labelled.

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Ting, K. M. (2002). An instance-weighting method to induce cost-sensitive trees. IEEE TKDE 14(3), 659–665.
    https://doi.org/10.1109/TKDE.2002.1000348

    Examples
    --------
    >>> cost_sample_weight(["no", "no", "no", "yes"], [[0, 1], [5, 0]]).tolist()
    [0.5, 0.5, 0.5, 2.5]
    """
    targets, weights = _weights_of_classes(y, cost_matrix)
    return weights[targets.codes]


def cost_class_weight(y: Any, cost_matrix: Any) -> dict[Any, float]:
    """Weigh each class by what an error on it costs, for the ``class_weight`` of scikit-learn's learners.

    The same weights as `cost_sample_weight`, by class.

    Examples
    --------
    >>> cost_class_weight(["no", "no", "no", "yes"], [[0, 1], [5, 0]])
    {'no': 0.5, 'yes': 2.5}
    """
    targets, weights = _weights_of_classes(y, cost_matrix)
    return dict(zip(targets.classes.tolist(), weights.tolist(), strict=True))


def _weights_of_classes(y: Any, cost_matrix: Any) -> tuple[Targets, FloatArray]:
    targets = check_targets(y)
    counts = targets.counts(None)
    return targets, weight_per_class(check_cost_matrix(cost_matrix, targets.classes, counts), counts)


def weight_per_class(costs: FloatArray, counts: FloatArray | IntArray) -> FloatArray:
    """Return the weight of each class, with a weighted mean of 1 over rows that occur `counts` times."""
    regret: FloatArray = (costs - np.diag(costs)[:, None]).sum(axis=1)
    total = float(regret @ counts)
    if total == 0:  # one class only: nothing can go wrong
        return np.ones(len(costs))
    return regret * (float(np.sum(counts)) / total)


def weigh_rows(costs: FloatArray, codes: IntArray, sample_weight: FloatArray | None) -> FloatArray:
    """Return the user's weights times the weights of the costs, of the same total as the user's."""
    given: NDArray[np.float64] = np.ones(len(codes)) if sample_weight is None else sample_weight
    counts = np.bincount(codes, weights=given, minlength=len(costs))
    return given * weight_per_class(costs, counts)[codes]
