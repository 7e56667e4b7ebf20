"""The ROC curve of one model, the corners of its hull, and which of its points is the cheapest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, numeral
from bakeoff._core.result import Note, Result, attribute_columns
from bakeoff._core.validation import BoolArray, FloatArray, IntArray, as_binary_truth, check_number
from bakeoff._core.view import Table, View
from bakeoff.decision._context import OperatingContext, check_rates

if TYPE_CHECKING:
    from bakeoff.decision._hull import RocHull

# Two normalised costs are tied when they differ by less than the rounding of the rates they are made of.
TIE = 2e-15


@dataclass(frozen=True, repr=False)
class OperatingPoint(Result):
    """One model used at one threshold.

    Attributes
    ----------
    model, threshold
        ``score >= threshold`` is called positive; NaN when the model answers labels and has no threshold; ±inf for
        the trivial rules "always negative" and "always positive".
    fpr, tpr
        The rates it works at.
    expected_cost, normalised_cost
        Per case in the currency of the costs, and on the scale 0 (always right) to 1 (always wrong). NaN when the
        point was not asked for in a context.
    tied
        Other (model, threshold) pairs of exactly the same cost.
    """

    model: str
    threshold: float
    fpr: float
    tpr: float
    expected_cost: float = np.nan
    normalised_cost: float = np.nan
    tied: tuple[tuple[str, float], ...] = ()
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[object]]:
        return attribute_columns([self], "model", "threshold", "fpr", "tpr", "expected_cost", "normalised_cost")


def cheapest_point(
    context: OperatingContext,
    models: Sequence[str],
    thresholds: FloatArray,
    fpr: FloatArray,
    tpr: FloatArray,
    trivial: BoolArray | None = None,
) -> OperatingPoint:
    """Return the point of least expected cost; of tied points a trivial rule (it needs no model), else the first."""
    costs = np.asarray(context.normalised_cost(fpr, tpr))
    order = np.flatnonzero(costs <= costs.min() + TIE)
    if trivial is not None:
        order = order[np.argsort(~trivial[order], kind="stable")]
    first = int(order[0])
    return OperatingPoint(
        model=models[first],
        threshold=float(thresholds[first]),
        fpr=float(fpr[first]),
        tpr=float(tpr[first]),
        expected_cost=float(context.expected_cost(fpr[first], tpr[first])),
        normalised_cost=float(costs[first]),
        tied=tuple((models[int(i)], float(thresholds[int(i)])) for i in order[1:]),
    )


@dataclass(frozen=True, repr=False)
class RocCurve(Result):
    """Which true positive rates a model buys at which false positive rates.

    ``score >= threshold`` is called positive; tied scores make one slanted step. (0, 0) is "always negative", (1, 1)
    "always positive". A model that answers labels is a single point between them, and its area is (TPR + TNR)/2.

    Attributes
    ----------
    fpr, tpr, thresholds
        ``[m + 1]`` points from (0, 0) at threshold +inf to (1, 1). NaN thresholds where there is none (labels,
        averages over folds).
    auc
        Area under the curve: P(score⁺ > score⁻) + ½ P(tie).
    n_positive, n_negative
        Rows (or sums of weights) of each class; NaN when only rates were given.
    model
        Name of the model.
    kind
        ``"scores"``, ``"labels"``, ``"vertical average"`` or ``"threshold average"``.

    References
    ----------
    Fawcett, T. (2006). An introduction to ROC analysis. Pattern Recognition Letters 27, 861–874.
    https://doi.org/10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> curve = RocCurve.from_arrays([1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.7, 0.1], model="rf")
    >>> curve
    RocCurve(model='rf', auc=0.9167, 5 points, n_positive=3, n_negative=2)
    >>> RocCurve.from_point(fpr=0.2, tpr=0.8, model="one cut").auc
    0.8
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray
    auc: float
    n_positive: float = np.nan
    n_negative: float = np.nan
    model: str = "model"
    kind: str = "scores"
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_arrays(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        model: str = "model",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> RocCurve:
        """Trace the curve of scores ``[n]`` (high = positive)."""
        from bakeoff.stats import roc_curve

        traced = roc_curve(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
        return cls(traced.fpr, traced.tpr, traced.thresholds, traced.area, traced.n_positive, traced.n_negative, model)

    @classmethod
    def from_tally(
        cls, thresholds: FloatArray, positives: NDArray[Any], negatives: NDArray[Any], *, model: str = "model"
    ) -> RocCurve:
        """Trace the curve of counted scores: falling distinct scores, and how many of each class have each."""
        if not positives.sum() > 0 or not negatives.sum() > 0:
            raise EvidenceError(
                f"the ROC curve of {model!r} needs rows of both classes. "
                f"Got {positives.sum():g} positives and {negatives.sum():g} negatives.",
                hint="use stratified folds",
            )
        hits, alarms = np.cumsum(positives), np.cumsum(negatives)
        tpr, fpr = (np.append(0.0, called / called[-1]) for called in (hits, alarms))
        area, sizes = float(np.trapezoid(tpr, fpr)), (float(hits[-1]), float(alarms[-1]))
        return cls(fpr, tpr, np.append(np.inf, thresholds), area, *sizes, model)

    @classmethod
    def from_labels(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        model: str = "model",
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> RocCurve:
        """Place a model that answers labels ``[n]``: one point."""
        truth, called = truth_and_calls(y_true, y_pred, pos_label)
        weight = np.ones(truth.size) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        cells = [float(weight[truth == t][called[truth == t] == c].sum()) for t in (True, False) for c in (True, False)]
        return cls.from_counts(*cells, model=model)

    @classmethod
    def from_counts(cls, tp: float, fn: float, fp: float, tn: float, *, model: str = "model") -> RocCurve:
        """Place a model that answers labels by its confusion counts."""
        if min(tp, fn, fp, tn) < 0 or tp + fn == 0 or fp + tn == 0:
            raise EvidenceError(
                f"the ROC point of {model!r} needs rows of both classes. "
                f"Got tp={tp:g}, fn={fn:g}, fp={fp:g}, tn={tn:g}."
            )
        return cls.from_point(fp / (fp + tn), tp / (tp + fn), model=model, n_positive=tp + fn, n_negative=fp + tn)

    @classmethod
    def from_point(
        cls, fpr: float, tpr: float, *, model: str = "model", n_positive: float = np.nan, n_negative: float = np.nan
    ) -> RocCurve:
        """Place a model that answers labels by its rates; its area is (TPR + TNR)/2."""
        across, up = check_rates(fpr, tpr)
        if across.ndim or up.ndim:
            raise EvidenceError(
                f"a point of {model!r} is one fpr and one tpr. Got arrays.",
                hint="RocCurve.from_arrays makes a whole curve, from truth and scores",
            )
        x, y = np.array([0.0, float(across), 1.0]), np.array([0.0, float(up), 1.0])
        auc = float(y[1] + 1 - x[1]) / 2
        return cls(x, y, np.array([np.inf, np.nan, -np.inf]), auc, n_positive, n_negative, model, "labels")

    @property
    def prevalence(self) -> float:
        """Share of positives among the rows; NaN when only rates were given."""
        return self.n_positive / (self.n_positive + self.n_negative)

    def tpr_at(self, fpr: ArrayLike) -> Any:
        """Return the true positive rate at given false positive rates, interpolated; the top of vertical steps."""
        wanted, _ = check_rates(fpr, fpr)
        return interpolate_tpr(self.fpr, self.tpr, wanted)

    def point_at(self, threshold: float) -> OperatingPoint:
        """Return the point at which ``score >= threshold`` works; any threshold, seen or not."""
        if np.isnan(self.thresholds).any():
            raise ParameterError(f"{self.model!r} has no thresholds to choose from ({self.kind}).")
        at_or_above = int(np.searchsorted(-self.thresholds[1:], -float(threshold), side="right"))
        return OperatingPoint(self.model, float(threshold), float(self.fpr[at_or_above]), float(self.tpr[at_or_above]))

    def best(self, context: OperatingContext) -> OperatingPoint:
        """Return the cheapest point of this curve in the context (prevalence None: as in these rows).

        The ends of a scored curve take part: there the model is used as a trivial rule.
        """
        own = slice(1, 2) if self.kind == "labels" else slice(None)
        fpr, tpr = self.fpr[own], self.tpr[own]
        return cheapest_point(context.at(self.prevalence), [self.model] * fpr.size, self.thresholds[own], fpr, tpr)

    def partial_auc(
        self, *, max_fpr: float | None = None, min_tpr: float | None = None, standardize: bool = True
    ) -> float:
        """Return the area over FPR in [0, max_fpr], or right of the curve for TPR in [min_tpr, 1] (McClish scale)."""
        from bakeoff.stats import partial_area

        if (max_fpr is None) == (min_tpr is None):
            raise ParameterError("partial_auc needs max_fpr or min_tpr, one of them.")
        if min_tpr is not None:
            low, high = check_number("min_tpr", min_tpr, low=0, high=1, closed="left"), 1.0
        else:
            low, high = 0.0, check_number("max_fpr", max_fpr, low=0, high=1, closed="right")
        area = partial_area(self.fpr, self.tpr, low, high, sensitivity=min_tpr is not None, standardize=standardize)
        return float(area)

    @cached_property
    def envelope(self) -> Envelope:
        """The corners of its hull, found once."""
        return Envelope.of_curve(self)

    def hull(self) -> RocHull:
        """Return the convex hull of this curve alone (with the trivial classifiers)."""
        from bakeoff.decision._hull import RocHull

        return RocHull.from_curves([self])

    def _columns(self) -> dict[str, Any]:
        return {"threshold": self.thresholds, "fpr": self.fpr, "tpr": self.tpr}

    def _view(self) -> View:
        text = Text("AUC of {model}: {auc}.", model=self.model, auc=numeral(self.auc, ".4f")).as_role("headline")
        shown = np.unique(np.linspace(0, self.fpr.size - 1, min(self.fpr.size, 9)).round().astype(int))
        columns = {name: np.asarray(values)[shown] for name, values in self._columns().items()}
        title = Text("{shown} of {all} points", shown=shown.size, all=self.fpr.size)
        return View((text,), (Table(columns, title),), (), self._notes())

    def _headline(self) -> str:
        sizes = "" if np.isnan(self.n_positive) else f", n_positive={self.n_positive:g}, n_negative={self.n_negative:g}"
        return f"model={self.model!r}, auc={self.auc:.4f}, {self.fpr.size} points{sizes}"


def truth_and_calls(y_true: ArrayLike, y_pred: ArrayLike, pos_label: object) -> tuple[BoolArray, BoolArray]:
    """Which rows are positive, and which are called so, ``[n]`` each."""
    truth, answers = as_binary_truth(y_true, pos_label=pos_label), np.asarray(y_pred)
    called: BoolArray = as_binary_truth(answers, name="y_pred") if pos_label is None else answers == pos_label
    if truth.shape != called.shape:
        raise EvidenceError(f"y_true and y_pred must have equal lengths. Got {truth.size} and {called.size}.")
    return truth, called


def interpolate_tpr(fpr: FloatArray, tpr: FloatArray, wanted: FloatArray) -> Any:
    """Read a curve at given false positive rates: linear between points, the highest point of a vertical step."""
    last = np.searchsorted(fpr, wanted, side="right") - 1
    last = np.clip(last, 0, fpr.size - 1)
    following = np.minimum(last + 1, fpr.size - 1)
    run = fpr[following] - fpr[last]
    part = np.divide(wanted - fpr[last], run, out=np.zeros_like(run), where=run > 0)
    heights = tpr[last] + part * (tpr[following] - tpr[last])
    return float(heights) if np.ndim(wanted) == 0 else heights


def interpolate_all(fpr: FloatArray, tpr: FloatArray, wanted: FloatArray) -> FloatArray:
    """`interpolate_tpr` of many curves ``[b, m]`` at the same rising false positive rates, ``[b, g]``.

    Points are looked up among the rates instead of rates among the points: there are few rates.
    """
    b, g = len(fpr), wanted.size
    from_rate = np.searchsorted(wanted, fpr, side="left") + (g + 1) * np.arange(b)[:, None]
    reached = np.cumsum(np.bincount(from_rate.ravel(), minlength=b * (g + 1)).reshape(b, g + 1), axis=1)[:, :g]
    last = np.maximum(reached - 1, 0)
    following = np.minimum(last + 1, fpr.shape[1] - 1)
    (x, y), (next_x, next_y) = (
        [np.take_along_axis(of, place, axis=1) for of in (fpr, tpr)] for place in (last, following)
    )
    run = next_x - x
    part = np.divide(wanted - x, run, out=np.zeros_like(run), where=run > 0)
    return np.asarray(y + part * (next_y - y))


_STEPS = 400  # thresholds kept for resampling: each step moves a rate by at most 1/400


def thin(curve: RocCurve, steps: int = _STEPS) -> FloatArray:
    """Choose thresholds such that neither rate moves by more than 1/steps from one to the next, where ties allow it."""
    thresholds = curve.thresholds[1:]
    if thresholds.size <= 2 * steps or np.isnan(thresholds).any():
        return thresholds
    step = np.floor(steps * curve.fpr[1:]) + np.floor(steps * curve.tpr[1:])
    keep = np.flatnonzero(np.diff(step, append=np.inf) > 0)
    return thresholds[keep]


# Rates are k/N and j/P: their cross products are multiples of 1/(N·P), their rounding is a few units of 1e-16.
_ROUNDING = 1e-15

# Above this many points they are one curve in order, and the hull of a curve prunes nearly all of them fast.
_MANY = 4096


@dataclass(frozen=True)
class Envelope:
    """The useful points of one model: the corners of its hull, which are the lines of its lower cost envelope.

    A point (FPR, TPR) of ROC space is the cost line PC·FNR + (1 − PC)·FPR. So the corners of an upper-left hull, FPR
    rising, are the lines of a lower envelope, PC(+) rising: the two pictures are dual (Drummond & Holte 2006).
    The trivial ends (0, 0) and (1, 1) of a curve are not the model's own merit and are left out, unless it has
    nothing else.

    Attributes
    ----------
    fpr, tpr, thresholds
        ``[v]``, in rising order of FPR.
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray

    @classmethod
    def constant(cls, rate: float) -> Envelope:
        """The one point of a trivial rule: rate 0 calls nobody positive, rate 1 everybody."""
        point = np.array([rate], dtype=np.float64)
        return cls(point, point, np.array([-np.inf if rate else np.inf]))

    @classmethod
    def of_curve(cls, curve: RocCurve) -> Envelope:
        """Keep the corners of the curve's hull; a model that answers labels is its one point."""
        if curve.kind == "labels":
            return cls(curve.fpr[1:2], curve.tpr[1:2], curve.thresholds[1:2])
        own = ~(((curve.fpr == 0) & (curve.tpr == 0)) | ((curve.fpr == 1) & (curve.tpr == 1)))
        inside = np.flatnonzero(own) if own.any() else np.arange(curve.fpr.size)
        keep = inside[upper_chain(curve.fpr[inside], curve.tpr[inside])]
        return cls(curve.fpr[keep], curve.tpr[keep], curve.thresholds[keep])

    def with_ends(self) -> Envelope:
        """Add the trivial rules: the model, or nothing where it is not worth using."""
        fpr, tpr = np.concatenate(([0.0], self.fpr, [1.0])), np.concatenate(([0.0], self.tpr, [1.0]))
        thresholds = np.concatenate(([np.inf], self.thresholds, [-np.inf]))
        keep = upper_chain(fpr, tpr)
        return Envelope(fpr[keep], tpr[keep], thresholds[keep])

    def at(self, pc: ArrayLike) -> Any:
        """Return the normalised expected cost at PC(+): the lowest line PC·FNR + (1 − PC)·FPR."""
        x = np.asarray(pc, dtype=np.float64)
        line = self.line_at(x)
        cost = x * (1 - self.tpr[line]) + (1 - x) * self.fpr[line]
        return float(cost) if cost.ndim == 0 else cost

    def line_at(self, pc: ArrayLike) -> IntArray:
        """Return which corner is the cheapest at PC(+)."""
        if self.fpr.size == 1:
            return np.zeros(np.shape(pc), dtype=np.int64)
        _, high = hull_boundaries(self.fpr, self.tpr)
        return np.asarray(np.searchsorted(high[:-1], np.asarray(pc, dtype=np.float64), side="right"))

    @property
    def breaks(self) -> FloatArray:
        """PC(+) values where the envelope bends, with 0 and 1 at the ends."""
        if self.fpr.size == 1:
            return np.array([0.0, 1.0])
        _, high = hull_boundaries(self.fpr, self.tpr)
        return np.unique(np.concatenate(([0.0], high)))

    @property
    def area(self) -> float:
        """Area under the envelope over PC(+) in [0, 1]: expected normalised cost when every PC(+) is equally likely."""
        x = self.breaks
        return float(np.trapezoid(self.at(x), x))


def hull_boundaries(fpr: FloatArray, tpr: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the interval of PC(+) on which each vertex of a hull is cheapest, ``[v]`` and ``[v]``.

    Two neighbouring vertices cost the same where the isocost slope (1 − PC)/PC is the slope of their segment:
    PC = ΔFPR / (ΔFPR + ΔTPR).
    """
    run, rise = np.diff(fpr), np.diff(tpr)
    crossings = run / (run + rise)
    return np.concatenate(([0.0], crossings)), np.concatenate((crossings, [1.0]))


def upper_chain(fpr: FloatArray, tpr: FloatArray) -> IntArray:
    """Return the indices of the corners, FPR rising; of coincident points the first given, collinear ones left out.

    The chain runs from the point that is best when only false alarms cost (least FPR, then largest TPR) to the one
    that is best when only misses do (largest TPR, then least FPR).
    """
    if fpr.size > _MANY:
        from bakeoff.stats import upper_hull

        candidates = upper_hull(fpr, tpr)
        return candidates[upper_chain(fpr[candidates], tpr[candidates])]
    order = np.lexsort((np.arange(fpr.size), -tpr, fpr))
    chain: list[int] = []
    for i in order.tolist():
        if chain and tpr[i] <= tpr[chain[-1]]:
            continue
        while len(chain) >= 2 and _turn(fpr, tpr, chain[-2], chain[-1], i) >= -_ROUNDING:
            chain.pop()
        chain.append(i)
    return np.array(chain, dtype=np.int64)


def _turn(x: FloatArray, y: FloatArray, a: int, b: int, c: int) -> float:
    """Twice the signed area of a triangle: negative when the path a → b → c turns right, as a hull must."""
    return float((x[b] - x[a]) * (y[c] - y[a]) - (y[b] - y[a]) * (x[c] - x[a]))
