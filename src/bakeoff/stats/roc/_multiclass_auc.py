"""AUC for several classes: Hand and Till's average over pairs, and one class against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.stats.roc._curve import auc_of_rows
from bakeoff.stats.roc._tally import check_no_nan


@dataclass(frozen=True, repr=False)
class MulticlassAucResult(Result):
    """AUC of a table of class scores.

    Attributes
    ----------
    hand_till
        Hand and Till's M: mean over pairs of classes of ½ (A(i|j) + A(j|i)).
    macro, weighted
        Mean one-vs-rest AUC over classes, plain and by class size.
    one_vs_rest
        AUC of each class against the rest, ``[K]``; NaN for a class without rows.
    pairs, pair_aucs
        The pairs (i, j), i < j, of places in `classes`, and their AUC; NaN where a class has no rows.
    classes
        The classes, in the order of the columns.
    notes
        Classes left out.
    """

    hand_till: float
    macro: float
    weighted: float
    one_vs_rest: FloatArray
    pairs: tuple[tuple[int, int], ...]
    pair_aucs: FloatArray
    classes: NDArray[Any]
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {"class": self.classes.tolist(), "one_vs_rest": self.one_vs_rest}


def multiclass_auc(y_true: ArrayLike, y_score: ArrayLike, *, labels: ArrayLike | None = None) -> MulticlassAucResult:
    """How well do class scores separate several classes?

    Parameters
    ----------
    y_true
        Labels ``[n]``.
    y_score
        Score of each class, ``[n, K]``, columns in the order of `labels`.
    labels
        The classes; by default the sorted labels seen, of which there must be K.

    Notes
    -----
    A(i|j) is the chance that a random member of class i has a higher score for class i than a random member of j.
    M does not depend on class sizes. Classes without rows are left out of the averages, with a note.

    References
    ----------
    D. Hand, R. Till (2001), "A simple generalisation of the area under the ROC curve for multiple class classification
    problems", Machine Learning 45, https://doi.org/10.1023/A:1010920819831

    Examples
    --------
    >>> scores = [[0.8, 0.1, 0.1], [0.3, 0.4, 0.3], [0.4, 0.4, 0.2], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]]
    >>> result = multiclass_auc(["a", "a", "b", "c", "b"], scores)
    >>> round(result.hand_till, 4), round(result.macro, 4)
    (0.9375, 0.9167)
    """
    codes, scores, classes = _checked(y_true, y_score, labels)
    sizes = np.bincount(codes, minlength=classes.size)
    present = np.flatnonzero(sizes)
    if present.size < 2:
        raise EvidenceError("multiclass_auc needs rows of at least two classes.")
    empty = [str(value) for value in classes[sizes == 0].tolist()]
    pairs = tuple(combinations(range(classes.size), 2))
    pair_aucs = np.array([_pair_auc(codes, scores, i, j) for i, j in pairs])
    one_vs_rest = np.array([_against_rest(codes, scores, k) for k in range(classes.size)])
    return MulticlassAucResult(
        hand_till=float(np.nanmean(pair_aucs)),
        macro=float(one_vs_rest[present].mean()),
        weighted=float(one_vs_rest[present] @ sizes[present] / sizes.sum()),
        one_vs_rest=one_vs_rest,
        pairs=pairs,
        pair_aucs=pair_aucs,
        classes=classes,
        notes=(note("class-without-rows", empty=", ".join(empty)),) if empty else (),
    )


def hand_till_auc(y_true: ArrayLike, y_score: ArrayLike, *, labels: ArrayLike | None = None) -> float:
    """Return Hand and Till's M alone; see `multiclass_auc`.

    Examples
    --------
    >>> hand_till_auc([0, 0, 1, 1], [[0.9, 0.1], [0.6, 0.4], [0.65, 0.35], [0.2, 0.8]])
    0.75
    """
    return multiclass_auc(y_true, y_score, labels=labels).hand_till


def _pair_auc(codes: IntArray, scores: FloatArray, i: int, j: int) -> float:
    first, second = codes == i, codes == j
    if not (first.any() and second.any()):
        return np.nan
    either = first | second
    of_first = auc_of_rows(first[either], scores[either, i])
    of_second = auc_of_rows(second[either], scores[either, j])
    # With more than two classes A(i|j) and A(j|i) use different columns and differ; Hand and Till average them.
    return (of_first + of_second) / 2.0


def _against_rest(codes: IntArray, scores: FloatArray, k: int) -> float:
    own = codes == k
    return auc_of_rows(own, scores[:, k]) if own.any() else np.nan


def _checked(
    y_true: ArrayLike, y_score: ArrayLike, labels: ArrayLike | None
) -> tuple[IntArray, FloatArray, NDArray[Any]]:
    truth = column_array(y_true)
    try:
        scores = np.asarray(y_score, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvidenceError("y_score must be a rectangular table of numbers.") from None
    classes = np.unique(truth) if labels is None else column_array(labels)
    if truth.ndim != 1 or scores.ndim != 2 or scores.shape != (truth.size, classes.size):
        raise EvidenceError(
            f"y_score must have one row per label and one column per class, {truth.size} × {classes.size}. "
            f"Got shape {scores.shape}.",
            hint="name the classes of the columns with labels= when some class has no rows",
        )
    check_no_nan("y_score", scores)
    return _codes(truth, classes), scores, classes


def _codes(truth: NDArray[Any], classes: NDArray[Any]) -> IntArray:
    place = {value: k for k, value in enumerate(classes.tolist())}
    seen, inverse = np.unique(truth, return_inverse=True)
    unknown = [value for value in seen.tolist() if value not in place]
    if unknown:
        raise EvidenceError(f"y_true has the class {unknown[0]!r}, which is not among labels.")
    return np.asarray(np.array([place[value] for value in seen.tolist()], dtype=np.int64)[inverse])
