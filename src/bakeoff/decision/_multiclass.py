"""The operating context of several classes: a cost matrix, the class priors, and the cheapest answer for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.validation import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class MulticlassContext:
    """What each confusion costs and how often each class comes. Make it with `OperatingContext.multiclass`.

    Attributes
    ----------
    cost_matrix
        ``[K, K]``, true classes in rows, predicted in columns.
    priors
        ``[K]``, proportions of the classes where the model will work; None means "as in the data".
    classes
        The labels, in the order of the matrix; None when the matrix was not labelled (sorted class order).

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Domingos, P. (1999). MetaCost. KDD, 155–164. https://doi.org/10.1145/312129.312220

    Examples
    --------
    >>> from bakeoff.decision import OperatingContext
    >>> context = OperatingContext.multiclass([[0, 1, 5], [2, 0, 1], [10, 4, 0]])
    >>> context.cheapest([[0.7, 0.1, 0.2], [0.1, 0.2, 0.7]]).tolist()
    [1, 2]
    >>> context.expected_cost([[8, 2, 0], [0, 9, 1], [1, 0, 9]])
    0.43...
    """

    cost_matrix: FloatArray
    priors: FloatArray | None = None
    classes: tuple[object, ...] | None = None

    @classmethod
    def make(
        cls, cost_matrix: Any, priors: ArrayLike | None = None, *, classes: Sequence[object] | None = None
    ) -> MulticlassContext:
        """Check and normalise: an array, a mapping ``{true: {predicted: cost}}`` or a labelled pandas frame."""
        matrix, labels = _labelled(cost_matrix, classes)
        costs = _check_costs(matrix, labels)
        if isinstance(priors, Mapping):
            priors = _by_label(priors, labels)
        return cls(costs, None if priors is None else _check_priors(priors, len(costs)), labels)

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.cost_matrix)

    def at(self, priors: ArrayLike) -> MulticlassContext:
        """Resolve "as in the data": take these priors if none were given."""
        return self if self.priors is not None else self.with_priors(priors)

    def with_priors(self, priors: ArrayLike) -> MulticlassContext:
        """Return the same costs with other class priors."""
        return replace(self, priors=_check_priors(priors, self.n_classes))

    def expected_cost(self, confusion: ArrayLike, *, per: float = 1.0) -> float:
        """Return the expected cost of a confusion matrix (counts, true classes in rows), for one case or for `per`.

        With priors, each true class is weighted by its prior instead of by its share of the counts:
        Σ_i π_i Σ_j C[i, j]·n[i, j]/n[i, ·].
        """
        counts = np.asarray(confusion, dtype=np.float64)
        if counts.shape != self.cost_matrix.shape or not np.isfinite(counts).all() or (counts < 0).any():
            raise EvidenceError(
                f"confusion must be {self.n_classes} × {self.n_classes} counts, true classes in rows. "
                f"Got shape {counts.shape}."
            )
        totals = counts.sum(axis=1)
        priors = totals / totals.sum() if self.priors is None else self.priors
        if ((totals == 0) & (priors > 0)).any():
            empty = int(np.argmax((totals == 0) & (priors > 0)))
            raise EvidenceError(f"the expected cost is undefined: class {self._name(empty)} was never observed.")
        per_class = (counts * self.cost_matrix).sum(axis=1) / np.where(totals == 0, 1, totals)
        return float(per * (priors @ per_class))

    def expected_costs(self, probabilities: ArrayLike) -> FloatArray:
        """Return the expected cost of each answer for each case, ``[n, K]``: probabilities times the cost matrix."""
        rows = np.asarray(probabilities, dtype=np.float64)
        if rows.ndim != 2 or rows.shape[1] != self.n_classes:
            raise EvidenceError(f"probabilities must have {self.n_classes} columns. Got shape {rows.shape}.")
        return rows @ self.cost_matrix

    def cheapest(self, probabilities: ArrayLike) -> IntArray:
        """Return, for each case, the position of the answer with the least expected cost (the first if tied)."""
        best: IntArray = np.argmin(self.expected_costs(probabilities), axis=1)
        return best

    def always(self) -> FloatArray:
        """Return the expected cost of each trivial rule "always answer j", ``[K]``; needs priors."""
        if self.priors is None:
            raise ParameterError(
                "the cost of the trivial rules needs priors.", hint="resolve them with context.at(priors)"
            )
        return self.priors @ self.cost_matrix

    def _name(self, position: int) -> str:
        return repr(self.classes[position]) if self.classes else f"number {position}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MulticlassContext):
            return NotImplemented
        same_priors = (
            np.array_equal(self.priors, other.priors)
            if self.priors is not None and other.priors is not None
            else self.priors is other.priors
        )
        return np.array_equal(self.cost_matrix, other.cost_matrix) and same_priors and self.classes == other.classes

    def __hash__(self) -> int:
        return hash((self.cost_matrix.tobytes(), self.classes))


def _labelled(cost_matrix: Any, classes: Sequence[object] | None) -> tuple[Any, tuple[object, ...] | None]:
    if hasattr(cost_matrix, "iloc") and hasattr(cost_matrix, "columns"):  # a pandas frame, without importing pandas
        rows = zip(cost_matrix.index, cost_matrix.to_numpy(), strict=True)
        cost_matrix = {true: dict(zip(cost_matrix.columns, costs, strict=True)) for true, costs in rows}
    if not isinstance(cost_matrix, Mapping):
        return cost_matrix, tuple(classes) if classes is not None else None
    if not all(isinstance(costs, Mapping) for costs in cost_matrix.values()):
        raise ParameterError(
            "a cost matrix given as a mapping must hold a mapping for every true class.",
            hint="{'no': {'no': 0, 'yes': 1}, 'yes': {'no': 5, 'yes': 0}}: true classes outside, predicted inside",
        )
    labels = tuple(classes) if classes is not None else tuple(cost_matrix)
    try:
        return [[cost_matrix[true][predicted] for predicted in labels] for true in labels], labels
    except KeyError as missing:
        raise ParameterError(f"the cost matrix has no entry for the class {missing}.") from None


def _by_label(priors: Mapping[Any, float], labels: tuple[object, ...] | None) -> list[float]:
    if labels is None or set(priors) != set(labels):
        raise ParameterError("priors given by class need a cost matrix labelled with the same classes.")
    return [priors[label] for label in labels]


def _check_costs(matrix: Any, labels: tuple[object, ...] | None) -> FloatArray:
    try:
        costs: NDArray[np.float64] = np.array(matrix, dtype=np.float64)
    except (TypeError, ValueError):
        raise ParameterError("cost_matrix must be a square table of numbers.") from None
    if costs.ndim != 2 or costs.shape[0] != costs.shape[1] or len(costs) < 2:
        raise ParameterError(
            f"cost_matrix must be square, true classes in rows and predicted in columns. Got shape {costs.shape}."
        )
    if not np.isfinite(costs).all():
        raise ParameterError("cost_matrix must be finite numbers. Got NaN or infinity.")
    if labels is not None and len(labels) != len(costs):
        raise ParameterError(f"cost_matrix is {len(costs)} × {len(costs)}, but {len(labels)} classes were named.")
    right = np.diag(costs)[:, None]
    if (costs < right).any():
        true, predicted = map(int, np.argwhere(costs < right)[0])
        name = labels or range(len(costs))
        raise ParameterError(
            f"the costs are unreasonable: for true class {name[true]!r}, the right answer costs {costs[true, true]:g}, "
            f"more than the wrong answer {name[predicted]!r}, {costs[true, predicted]:g}.",
            hint="rows are true classes, columns predicted; gains are negative costs on the diagonal",
        )
    if (costs == right).all():
        raise ParameterError("the costs leave nothing to decide: right and wrong answers cost the same.")
    costs.setflags(write=False)
    return costs


def _check_priors(priors: ArrayLike, n_classes: int) -> FloatArray:
    try:
        shares = np.array(priors, dtype=np.float64)
    except (TypeError, ValueError):
        shares = np.array(np.nan)
    if shares.shape != (n_classes,) or not np.isfinite(shares).all() or (shares < 0).any():
        raise ParameterError(f"priors must be {n_classes} proportions, one per class. Got {priors!r}.")
    if abs(shares.sum() - 1) > 1e-6:
        raise ParameterError(f"priors must sum to 1. Got a sum of {shares.sum():g}.")
    normalised: FloatArray = shares / shares.sum()
    normalised.setflags(write=False)
    return normalised
