"""Input validation of cost matrices for every learner: read, put in class order, refuse what cannot be meant."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.frames import columns_of, is_frame
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.decision import MulticlassContext, OperatingContext


def check_cost_matrix(cost_matrix: Any, classes: NDArray[Any], counts: ArrayLike | None = None) -> FloatArray:
    """Return the costs as ``[K, K]`` floats, true classes in rows and predicted in columns, in the order of `classes`.

    Parameters
    ----------
    cost_matrix
        ``[K, K]`` numbers in sorted class order; or labelled: ``{true: {predicted: cost}}``, a pandas frame (index =
        true, columns = predicted), a Polars frame whose first column holds the true classes, or the context of
        `OperatingContext.multiclass`. None stands for "every error costs 1", ``"balanced"`` for errors that cost
        n / (K·n_i) on class i, so that every class weighs the same.
    classes
        The classes of the data, sorted.
    counts
        Rows of each class, for ``"balanced"``.

    Raises
    ------
    ParameterError
        Wrong shape; NaN or negative entries; a right answer dearer than a wrong one; a class that another one
        dominates (its column is nowhere cheaper, so it would never be predicted); labels that are not the data's.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.learners import check_cost_matrix
    >>> costs = {"ill": {"ill": 0, "well": 100}, "well": {"ill": 1, "well": 0}}
    >>> check_cost_matrix(costs, np.array(["ill", "well"])).tolist()
    [[0.0, 100.0], [1.0, 0.0]]
    """
    n_classes = len(classes)
    if cost_matrix is None:
        return 1.0 - np.eye(n_classes)
    if isinstance(cost_matrix, str):
        return _balanced(cost_matrix, n_classes, counts)
    context = read_costs(cost_matrix)
    costs = align_costs(context, classes)
    _check_not_negative(costs, classes)
    _check_not_dominated(costs, classes)
    return costs


def read_costs(cost_matrix: Any) -> MulticlassContext:
    """Read any of the accepted forms as a context of several classes."""
    if isinstance(cost_matrix, MulticlassContext):
        return cost_matrix
    if isinstance(cost_matrix, OperatingContext):
        raise ParameterError(
            "cost_matrix must be a matrix of costs. Got an OperatingContext, which does not name its positive class.",
            hint="label the costs, {'no': {'no': 0, 'yes': 1}, 'yes': {'no': 5, 'yes': 0}}; "
            "or give context.cost_matrix if the positive class sorts last",
        )
    if is_frame(cost_matrix) and not hasattr(cost_matrix, "iloc"):
        cost_matrix = _labelled_by_first_column(columns_of(cost_matrix))
    return OperatingContext.multiclass(cost_matrix)


def align_costs(context: MulticlassContext, classes: NDArray[Any]) -> FloatArray:
    """Return the context's costs in the order of the data's classes."""
    order = class_order(context, classes)
    return np.array(context.cost_matrix[np.ix_(order, order)])


def class_order(context: MulticlassContext, classes: NDArray[Any]) -> list[int]:
    """Return the position in the context of each class of the data."""
    wanted = classes.tolist()
    if context.classes is None:
        if context.n_classes != len(wanted):
            raise ParameterError(
                f"cost_matrix must have one row and one column per class. Got {context.n_classes} × "
                f"{context.n_classes} costs for {len(wanted)} class{'es' * (len(wanted) != 1)}: {_listed(wanted)}.",
                hint="true classes in rows, predicted in columns, in sorted order; or label the matrix",
            )
        return list(range(context.n_classes))
    named = list(context.classes)
    _check_same_labels(named, wanted)
    return [named.index(label) for label in wanted]


def decide_min_cost(P: ArrayLike, cost_matrix: Any) -> IntArray:
    """Choose for each case the class whose expected cost is least, given its class probabilities.

    Predicting j costs Σ_i P(i | x)·C[i, j] on average; the decision is the j for which that is smallest. With two
    classes and no cost for right answers this is "positive when P ≥ cost_fp / (cost_fp + cost_fn)". It is optimal if
    the probabilities are calibrated, and it is MetaCost's relabelling rule.

    Parameters
    ----------
    P
        ``[n, K]`` class probabilities.
    cost_matrix
        ``[K, K]``, true classes in rows and predicted in columns.

    Returns
    -------
    array ``[n]``
        The position of the chosen class. Ties go to the first class of the matrix (as in R and Weka).

    References
    ----------
    Elkan, C. (2001). The foundations of cost-sensitive learning. IJCAI, 973–978.
    Domingos, P. (1999). MetaCost. KDD, 155–164. https://doi.org/10.1145/312129.312220

    Examples
    --------
    A miss (true class 1 called 0) costs five times a false alarm: 20 % is enough to call it 1.

    >>> decide_min_cost([[0.9, 0.1], [0.8, 0.2]], [[0, 1], [5, 0]]).tolist()
    [0, 1]
    """
    rows = np.asarray(P, dtype=np.float64)
    if rows.ndim != 2:
        raise EvidenceError(f"P must be probabilities, one row per case and one column per class. Got {rows.shape}.")
    if not np.isfinite(rows).all():
        raise EvidenceError("P must be finite probabilities. Got NaN or infinity.")
    costs = check_cost_matrix(cost_matrix, np.arange(rows.shape[1]))
    return cheapest(rows, costs)


def cheapest(P: FloatArray, costs: FloatArray) -> IntArray:
    """Position of the least expected cost in each row; the first if tied."""
    return np.asarray(np.argmin(P @ costs, axis=1))


def _balanced(name: str, n_classes: int, counts: ArrayLike | None) -> FloatArray:
    if name != "balanced" or counts is None:
        raise unknown_choice("cost_matrix, when a word,", name, ["balanced"])
    rows = np.asarray(counts, dtype=np.float64)
    # A class whose rows all have weight 0 is not there: its errors cost nothing.
    of_class = np.divide(rows.sum(), n_classes * rows, out=np.zeros(n_classes), where=rows > 0)
    return np.asarray(of_class[:, None] * (1.0 - np.eye(n_classes)))


def _labelled_by_first_column(columns: dict[str, NDArray[Any]]) -> dict[Any, dict[Any, float]]:
    names = list(columns)
    truth, predicted = columns[names[0]].tolist(), names[1:]
    by_name = {str(label): label for label in truth}  # a frame's column names are strings; the classes may be numbers
    return {true: {by_name.get(name, name): columns[name][row] for name in predicted} for row, true in enumerate(truth)}


def _check_same_labels(named: list[Any], wanted: list[Any]) -> None:
    unseen = [label for label in named if label not in wanted]
    if unseen:
        raise ParameterError(
            f"the cost matrix names the class {unseen[0]!r}, which is missing from the data "
            f"(its classes: {_listed(wanted)}).",
            hint="drop the class from the matrix, or check the spelling and the type (1 is not '1')",
        )
    unpriced = [label for label in wanted if label not in named]
    if unpriced:
        raise ParameterError(
            f"the data has the class {unpriced[0]!r}, which the cost matrix does not name (it names {_listed(named)}).",
            hint="give a row and a column to every class",
        )


def _check_not_negative(costs: FloatArray, classes: NDArray[Any]) -> None:
    if (costs < 0).any():
        true, predicted = map(int, np.argwhere(costs < 0)[0])
        raise ParameterError(
            f"cost_matrix must not be negative. Got {costs[true, predicted]:g} for true {classes.tolist()[true]!r} "
            f"predicted as {classes.tolist()[predicted]!r}.",
            hint="add a constant to the whole row (true class): decisions depend only on differences within a row",
        )


def _check_not_dominated(costs: FloatArray, classes: NDArray[Any]) -> None:
    """Refuse a column that is nowhere cheaper than another: its class could never be the better answer."""
    nowhere_cheaper: BoolArray = np.array((costs[:, :, None] >= costs[:, None, :]).all(axis=0))
    np.fill_diagonal(nowhere_cheaper, False)
    if nowhere_cheaper.any():
        loser, winner = (classes.tolist()[k] for k in np.argwhere(nowhere_cheaper)[0])
        raise ParameterError(
            f"the class {loser!r} is dominated in the cost matrix: whatever the true class, predicting {winner!r} "
            f"costs no more, so {loser!r} would never be predicted.",
            hint=f"give calling a true {loser!r} {winner!r} a cost, or merge the two classes",
        )


def _listed(labels: list[Any]) -> str:
    shown = ", ".join(repr(label) for label in labels[:8])
    return shown + (", …" if len(labels) > 8 else "")
