"""Measures of scores: how well the positives are ranked above the negatives. All are functions of the score tally."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bakeoff import stats
from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text, label
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, IntArray, check_number, dot
from bakeoff.counts import ANSWERS, TALLY, Counted, Draws, Sample, multipliers
from bakeoff.evidence import Rows
from bakeoff.measures._measure import Measure, Trait
from bakeoff.stats import Tally

if TYPE_CHECKING:
    from bakeoff.stats.resample import RankedDraws

_ONE_CLASS = "only one class occurs in the truth"


def _auc(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    return stats.auc_from_tally(positive, negative)


def _average_precision(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    return stats.average_precision_from_tally(positive, negative)


def _auc_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """DeLong's placements: a positive moves AUC by the share of negatives below it less AUC, a negative likewise."""
    p, n = up.sum(), down.sum()
    above, below = np.cumsum(up) - up / 2, n - np.cumsum(down) + down / 2
    area = float(dot(above, down)) / (p * n)
    return below / (p * n) - area / p, above / (p * n) - area / n


def _average_precision_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A row changes the precision at its own place and at every place below it."""
    hits, calls, p = np.cumsum(up), np.maximum(np.cumsum(up + down), 1e-300), up.sum()
    value = float(dot(up, hits / calls)) / p
    diluted, raised = _from_here_down(up * hits / calls**2), _from_here_down(up / calls)
    return (hits / calls - value + raised - diluted) / p, -diluted / p


def _gini(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    return 2 * _auc(scores, positive, negative) - 1


def _gini_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    of_up, of_down = _auc_gradient(scores, up, down)
    return 2 * of_up, 2 * of_down


def _from_here_down(x: FloatArray) -> FloatArray:
    return np.asarray(np.cumsum(x[::-1])[::-1])


# -- maxima over thresholds -------------------------------------------------------------------------------------------
# Their derivative is that of the value at the thresholds chosen, as if they had been fixed: at a maximum, moving the
# threshold changes nothing. Their bias is what the choice finds in the noise of the rows it is made on; out of the bag,
# on rows that had no part in it, it is gone.


def _ks(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
    return stats.roc.ks_from_tally(positive, negative)


def _gap_at(place: int, up: FloatArray, down: FloatArray) -> float:
    """TPR − FPR when all from the top to this place are called positive."""
    called = slice(0, place + 1)
    return float(up[called].sum() / up.sum() - down[called].sum() / down.sum())


def _widest_gap(up: FloatArray, down: FloatArray) -> int:
    return int(np.argmax(np.cumsum(up) / up.sum() - np.cumsum(down) / down.sum()))


def _ks_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    called = np.arange(up.size) <= _widest_gap(up, down)
    return (called - dot(up, called) / up.sum()) / up.sum(), -(called - dot(down, called) / down.sum()) / down.sum()


def _ks_where(rows: Rows, model: str) -> Note | None:
    tally = rows.tally(model)
    if not tally.positive.sum() > 0 or not tally.negative.sum() > 0:
        return None
    at = tally.scores[_widest_gap(np.asarray(tally.positive), np.asarray(tally.negative))]
    text = Text(
        "the largest distance of {model!r} is at the threshold {at:.6g}. Chosen on these rows it is larger than on new "
        "ones; the lower limit is that of a threshold chosen on some rows and used on others.",
        model=model, at=float(at),
    )  # fmt: skip
    return Note("chosen-threshold", text)


def _tied_along_hull(up: FloatArray, down: FloatArray) -> IntArray:
    """Of each place, the segment of the hull it lies on: the ranking that has the hull as its ROC curve."""
    _, _, vertices = stats.hull_of_tally(Tally(-np.arange(up.size, dtype=np.float64), up, down))
    return np.asarray(np.searchsorted(vertices, np.arange(1, up.size + 1), side="left") - 1, dtype=np.int64)


def _added(segment: IntArray, x: FloatArray) -> FloatArray:
    return np.bincount(segment, x, minlength=int(segment.max()) + 1).astype(np.float64)


def _auc_hull_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    segment = _tied_along_hull(up, down)
    of_up, of_down = _auc_gradient(scores, _added(segment, up), _added(segment, down))
    return of_up[segment], of_down[segment]


def _h_gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
    return stats.roc.prices_of_rows(up, down).gradient(up, down)


def _out_of_bag(
    chosen: Callable[[FloatArray, FloatArray, FloatArray, FloatArray], float], *, halfway: bool = False
) -> Callable[[Counted, Draws], float]:
    """Mean over draws of the value on the rows not drawn, by the choice made on the rows drawn.

    Many thresholds are chosen at once: what is best on some rows is as much too good there as it falls short elsewhere,
    so that the value of the best ones lies halfway (measured: 44 to 63 % of the way).
    """

    def debiased(counted: Counted, draws: Draws) -> float:
        written, found = counted.written_out(), []
        for drawn in multipliers(written.units, draws):
            (up, down), (up_out, down_out) = (written.apply(m)[0] for m in (drawn, (drawn == 0).astype(np.float64)))
            usable = np.minimum.reduce([side.sum(axis=1) for side in (up, down, up_out, down_out)]) > 0
            found += [chosen(up[b], down[b], up_out[b], down_out[b]) for b in np.flatnonzero(usable)]
        elsewhere = float(np.mean(found)) if found else float("nan")
        if not halfway:
            return elsewhere
        up, down = (side[0] for side in written.apply(np.ones((1, written.units.n)))[0])
        return (elsewhere + chosen(up, down, up, down)) / 2

    return debiased


def _ks_elsewhere(up: FloatArray, down: FloatArray, up_out: FloatArray, down_out: FloatArray) -> float:
    return _gap_at(_widest_gap(up, down), up_out, down_out)


def _auc_hull_elsewhere(up: FloatArray, down: FloatArray, up_out: FloatArray, down_out: FloatArray) -> float:
    segment = _tied_along_hull(up, down)
    return float(_auc(up, _added(segment, up_out), _added(segment, down_out)))


def _h_elsewhere(up: FloatArray, down: FloatArray, up_out: FloatArray, down_out: FloatArray) -> float:
    return stats.roc.prices_of_rows(up, down).h_of(up_out, down_out)


# -- gains ------------------------------------------------------------------------------------------------------------


def gain(share: float = 0.1) -> Measure:
    """Share of the positives among the top `share` of the rows by score; a tie at the cut is shared in proportion.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.gain(0.4)([0, 0, 1, 1, 0], [0.1, 0.2, 0.9, 0.3, 0.4])
    0.5
    """
    part = check_number("share", share, low=0, high=1, closed="none")

    def value(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> FloatArray:
        up, both = np.asarray(positive, dtype=np.float64), np.asarray(positive + negative, dtype=np.float64)
        with np.errstate(invalid="ignore"):
            return np.asarray((up * _taken(both, part)).sum(axis=-1) / up.sum(axis=-1))

    def gradient(scores: FloatArray, up: FloatArray, down: FloatArray) -> tuple[FloatArray, FloatArray]:
        """A row above the cut pushes another below it, which is positive with the chance that rows at the cut have."""
        both, p = up + down, up.sum()
        taken = _taken(both, part)
        caught = float(dot(up, taken) / p)
        middle = (np.cumsum(both) - both / 2) / both.sum()
        near = np.abs(middle - part) <= np.maximum(both / both.sum() / 2, 0.5 * up.size ** (-1 / 3))
        at_cut = float(up[near].sum() / both[near].sum())
        return (taken * (1 - at_cut) + at_cut * part - caught) / p, at_cut * (part - taken) / p

    name = "gain" if part == 0.1 else f"gain[{part:g}]"
    return Measure(
        name, True, (0.0, 1.0), "scores", f"share of the positives among the {100 * part:g} % with the highest scores",
        "there are no positives", form=TALLY, value=value, gradient=gradient, needs_positive=True, link="logit",
        label=label(name),
    )  # fmt: skip


def _taken(both: FloatArray, share: float) -> FloatArray:
    """How much of each place is within the top share of all rows, ``[..., m]``: of a tie at the cut, a part."""
    below = np.cumsum(both, axis=-1)
    left = share * below[..., -1:] - (below - both)
    return np.clip(np.divide(left, both, out=np.zeros_like(left), where=both > 0), 0.0, 1.0)


def _each(function: Callable[[Tally], float]) -> Callable[[FloatArray, NDArray[Any], NDArray[Any]], Any]:
    """Make a function of one tally work on replicates ``[B, m]``; NaN where a class is empty."""

    def over_replicates(scores: FloatArray, positive: NDArray[Any], negative: NDArray[Any]) -> Any:
        if np.ndim(positive) > 1:
            rows = zip(positive, negative, strict=True)
            return np.array([over_replicates(scores, p, n) for p, n in rows], dtype=np.float64)
        if not positive.sum() > 0 or not negative.sum() > 0:
            return float("nan")
        return function(Tally(scores, positive, negative))

    return over_replicates


def _auc_hull(tally: Tally) -> float:
    false_positives, true_positives, _ = stats.hull_of_tally(tally)
    return _hull_area(false_positives, true_positives)


def _hull_area(false_positives: NDArray[Any], true_positives: NDArray[Any]) -> float:
    return float(np.trapezoid(true_positives / true_positives[-1], false_positives / false_positives[-1]))


def _h_measure(tally: Tally) -> float:
    return stats.h_from_tally(tally)


def partial_auc(*, max_fpr: float | None = None, min_tpr: float | None = None, standardize: bool = True) -> Measure:
    """Area under the part of the ROC curve with FPR ≤ `max_fpr` or TPR ≥ `min_tpr`, McClish-standardised by default.

    Examples
    --------
    >>> import bakeoff
    >>> measure = bakeoff.measures.partial_auc(max_fpr=0.2)
    >>> round(measure([0, 0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.7]), 3)
    1.0
    """
    if (max_fpr is None) == (min_tpr is None):
        raise ParameterError("partial_auc needs either max_fpr or min_tpr, not both.")

    sensitivity = min_tpr is not None
    low = check_number("min_tpr", 0.0 if min_tpr is None else min_tpr, low=0, high=1)
    high = check_number("max_fpr", 1.0 if max_fpr is None else max_fpr, low=0, high=1, closed="right")

    def function(tally: Tally) -> float:
        curve = stats.roc_from_tally(tally)
        return stats.partial_area(curve.fpr, curve.tpr, low, high, sensitivity=sensitivity, standardize=standardize)

    def drawn(draws: RankedDraws) -> FloatArray:
        share = 1.0 - low if sensitivity else high
        area = draws.partial_area(share, sensitivity=sensitivity)
        return stats.standardized_area(area, 0.0, share) if standardize else area

    side = f"FPR up to {max_fpr:g}" if max_fpr is not None else f"TPR from {min_tpr:g}"
    is_default = max_fpr == 0.1 and standardize
    name = "partial_auc" if is_default else f"partial_auc[{side}{'' if standardize else ', raw'}]"
    scale = "on AUC's scale (0.5 is chance)" if standardize else "as a plain area"
    return Measure(
        name, True, (0.0, 1.0), "scores", f"area under the ROC curve for {side}, {scale}", _ONE_CLASS,
        form=TALLY, value=_each(function), drawn=drawn, needs_positive=True, link="logit",
        label=label(name.replace("partial_auc", "partial AUC")),
    )  # fmt: skip


def _hand_till(sample: Sample, weights: FloatArray) -> FloatArray:
    """Hand & Till's M over the classes that occur, for every weighting ``[B, n]``: the mean AUC over ordered pairs.

    The AUC of the pair (i, j) is how well the probability of class i tells its rows from those of class j. One pass
    over the rows sorted by the probability of i gives the credit of every row (the weight of class i above it, ties
    by half); summed by class, that is the AUC of i against every other class at once.
    """
    truth, table = np.asarray(sample.truth, dtype=np.int64), np.asarray(sample.output, dtype=np.float64)
    if (table == table[:1]).all():
        return np.full(len(weights), 0.5)  # a constant rule ranks nothing, whatever rows are drawn
    member = np.equal.outer(truth, np.arange(table.shape[1])).astype(np.float64)
    total = weights @ member
    wins = np.stack([_credit(table[:, i], member[:, i], weights) @ member for i in range(table.shape[1])], axis=1)
    pairs = total[:, :, None] * total[:, None, :] * (1.0 - np.eye(table.shape[1]))
    counted = pairs > 0
    areas = np.divide(wins, pairs, out=np.zeros_like(wins), where=counted)
    n_pairs = counted.sum(axis=(1, 2))
    return np.where(n_pairs > 0, areas.sum(axis=(1, 2)) / np.maximum(n_pairs, 1), np.nan)


def _hand_till_gradient(sample: Sample, weight: FloatArray) -> FloatArray:
    """What a row of each class would move at the place of each row seen, ``[n, K]``; nothing for absent classes.

    A row of class c stands in the areas of c against every other class, and of every other class against c: each moves
    by the row's placement less the area, over the weight of class c.
    """
    truth, table = np.asarray(sample.truth, dtype=np.int64), np.asarray(sample.output, dtype=np.float64)
    n, k = table.shape
    member = np.equal.outer(truth, np.arange(k)) * weight[:, None]
    total = member.sum(axis=0)
    here = total > 0
    moves = np.zeros((n, k))
    for i in np.flatnonzero(here):
        order = np.argsort(table[:, i], kind="stable")
        ranked, cumulated = table[order, i], np.zeros((n + 1, k))
        np.cumsum(member[order], axis=0, out=cumulated[1:])
        first, last = (np.searchsorted(ranked, table[:, i], side=side) for side in ("left", "right"))
        below = np.divide(cumulated[first] + cumulated[last], 2 * total, out=np.zeros((n, k)), where=here)
        areas = member[:, i] @ below / total[i]
        others = here & (np.arange(k) != i)
        moves[:, i] += (below - areas)[:, others].sum(axis=1)  # as one of class i, above the others
        moves[:, others] += (1 - below[:, [i]]) - areas[others]  # as one of the others, below class i
    pairs = int(here.sum()) * (int(here.sum()) - 1)
    return np.asarray(np.divide(moves, pairs * total, out=np.zeros((n, k)), where=here & (pairs > 0)))


def _credit(scores: FloatArray, is_positive: FloatArray, weights: FloatArray) -> FloatArray:
    """Each row's weight times the weight of the positives that score above it (ties by half), ``[B, n]``."""
    order = np.argsort(scores, kind="stable")
    ranked = scores[order]
    first, last = np.searchsorted(ranked, ranked, side="left"), np.searchsorted(ranked, ranked, side="right")
    below = np.zeros((len(weights), scores.size + 1))
    np.cumsum((weights * is_positive)[:, order], axis=1, out=below[:, 1:])
    above = below[:, -1:] - (below[:, first] + below[:, last]) / 2
    credit = np.empty_like(weights)
    credit[:, order] = above
    return credit * weights


MEASURES: tuple[Measure, ...] = (
    Measure(
        "auc", True, (0.0, 1.0), "scores", "chance that a positive is scored above a negative (ties count half)",
        _ONE_CLASS, form=TALLY, value=_auc, gradient=_auc_gradient, needs_positive=True, link="logit",
        label=label("AUC"), unseen=0.5, traits=frozenset({Trait.AREA}), limits=("delong",),
    ),
    Measure(
        "gini", True, (-1.0, 1.0), "scores", "2·AUC − 1: 0 for chance, 1 for a perfect ranking (accuracy ratio)",
        _ONE_CLASS, form=TALLY, value=_gini, gradient=_gini_gradient, needs_positive=True, link="fisher",
        label=label("Gini"), unseen=0.5, traits=frozenset({Trait.AREA}), area=(2.0, -1.0), limits=("delong",),
    ),
    Measure(
        "ks", True, (0.0, 1.0), "scores", "largest distance of TPR and FPR over all thresholds (Kolmogorov–Smirnov)",
        _ONE_CLASS, form=TALLY, value=_ks, gradient=_ks_gradient, smooth=False, needs_positive=True,
        label=label("KS"), limits=("debiased",), debiased=_out_of_bag(_ks_elsewhere), caution=_ks_where,
    ),
    gain(),
    partial_auc(max_fpr=0.1),
    Measure(
        "auc_hull", True, (0.5, 1.0), "scores", "area under the convex hull of the ROC curve (best thresholds)",
        _ONE_CLASS, form=TALLY, value=_each(_auc_hull), gradient=_auc_hull_gradient, smooth=False, needs_positive=True,
        drawn=lambda draws: draws.of_hulls(_hull_area), label=label("AUC of the hull"), limits=("debiased",),
        debiased=_out_of_bag(_auc_hull_elsewhere),
    ),
    Measure(
        "average_precision", True, (0.0, 1.0), "scores", "precision averaged over recall (area under the PR steps)",
        "there are no positives", form=TALLY, value=_average_precision, gradient=_average_precision_gradient,
        drawn=lambda draws: draws.average_precision(), needs_positive=True, link="logit",
    ),
    Measure(
        "hand_till_auc", True, (0.0, 1.0), "probabilities", "mean pairwise AUC over classes (Hand & Till's M)",
        _ONE_CLASS, form=ANSWERS, value=_hand_till, gradient=_hand_till_gradient, link="logit", unseen=0.5,
        label=label("Hand–Till AUC"),
    ),
    Measure(
        "h_measure", True, (0.0, 1.0), "scores", "Hand's H: loss saved over Beta(2, 2) cost ratios, 1 is perfect",
        _ONE_CLASS, form=TALLY, value=_each(_h_measure), gradient=_h_gradient, smooth=False,
        drawn=lambda draws: draws.of_hulls(stats.h_of_hull), needs_positive=True, label=label("H measure"),
        limits=("debiased",), debiased=_out_of_bag(_h_elsewhere, halfway=True),
    ),
)  # fmt: skip
