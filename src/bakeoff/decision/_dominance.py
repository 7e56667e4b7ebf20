"""Dominance: which of two models is cheaper, in which contexts; lower envelopes of cost lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.decision._chain import upper_chain
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._point import TIE, OperatingPoint, cheapest_point
from bakeoff.decision._ranges import ContextRange, ContextRanges, hull_boundaries

if TYPE_CHECKING:
    from bakeoff.decision._curve import RocCurve


@dataclass(frozen=True)
class Envelope:
    """The useful points of one model: the corners of its hull, which are the lines of its lower cost envelope.

    The trivial ends (0, 0) and (1, 1) of a curve are not the model's own merit and are left out, unless it has
    nothing else.

    Attributes
    ----------
    fpr, tpr, thresholds
        ``[v]``, in rising order of FPR.

    Examples
    --------
    >>> from bakeoff.decision import Envelope, RocCurve
    >>> envelope = Envelope.of_curve(RocCurve.from_arrays([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 5, 4]))
    >>> envelope.fpr.round(3).tolist(), envelope.tpr.round(3).tolist()
    ([0.0, 0.333], [0.667, 1.0])
    """

    fpr: FloatArray
    tpr: FloatArray
    thresholds: FloatArray

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

    def best(self, context: OperatingContext, name: str) -> OperatingPoint:
        """Return the cheapest corner in the context."""
        return cheapest_point(context, [name] * self.fpr.size, self.thresholds, self.fpr, self.tpr)


@dataclass(frozen=True, repr=False)
class Dominance(Result):
    """Which of two models is cheaper, in which contexts.

    Attributes
    ----------
    model_a, model_b
        The two models.
    winner
        The model that is never dearer and somewhere cheaper; ``"equal"`` when they cost the same everywhere,
        ``"neither"`` when each is cheaper somewhere.
    ranges
        Intervals of PC(+) and the cheaper model on each (``"equal"`` where they cost the same).

    Examples
    --------
    >>> from bakeoff.decision import RocCurve, dominance
    >>> dominance(RocCurve.from_point(0.2, 0.6, model="C3"), RocCurve.from_point(0.3, 0.4, model="C1")).winner
    'C3'
    """

    model_a: str
    model_b: str
    winner: str
    ranges: ContextRanges
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        return self.ranges._columns()


def dominance(curve_a: RocCurve, curve_b: RocCurve, *, trivial: bool = True) -> Dominance:
    """Tell whether one model beats another in every context, or where each is cheaper.

    Both are taken at their best threshold for each context. With `trivial`, either may be replaced by a trivial rule
    where that is cheaper (so that two models are equal where neither is worth using); this is dominance of the hulls.
    Without, the models' own points are compared.

    Examples
    --------
    >>> from bakeoff.decision import RocCurve, dominance
    >>> dominance(RocCurve.from_point(0.4, 0.9, model="A"), RocCurve.from_point(0.1, 0.6, model="B")).winner
    'neither'
    """
    own = {curve.model: Envelope.of_curve(curve) for curve in (curve_a, curve_b)}
    pair = {model: envelope.with_ends() for model, envelope in own.items()} if trivial else own
    ranges = cheaper_of(curve_a.model, curve_b.model, pair)
    seen = {r.model for r in ranges} - {"equal"}
    winner = "equal" if not seen else seen.pop() if len(seen) == 1 else "neither"
    return Dominance(curve_a.model, curve_b.model, winner, ranges)


def cheaper_of(a: str, b: str, envelopes: Mapping[str, Envelope]) -> ContextRanges:
    """Return the intervals of PC(+) with the cheaper of two models on each; exact, from the crossings of the lines."""
    x = crossings(envelopes[a], envelopes[b])
    middle = (x[1:] + x[:-1]) / 2
    gap = envelopes[a].at(middle) - envelopes[b].at(middle)
    names = np.where(np.abs(gap) <= TIE, "equal", np.where(gap < 0, a, b))
    pieces = [ContextRange(str(n), np.nan, float(lo), float(hi)) for n, lo, hi in zip(names, x, x[1:], strict=False)]
    return ContextRanges(tuple(pieces)).by_model()


def crossings(a: Envelope, b: Envelope) -> FloatArray:
    """Return every PC(+) where either envelope bends or the two cross, with 0 and 1."""
    bends = np.unique(np.concatenate((a.breaks, b.breaks)))
    gap = a.at(bends) - b.at(bends)
    cross = np.flatnonzero(gap[:-1] * gap[1:] < 0)
    part = gap[cross] / (gap[cross] - gap[cross + 1])
    return np.unique(np.concatenate((bends, bends[cross] + part * (bends[cross + 1] - bends[cross]))))


@dataclass(frozen=True)
class Dominated:
    """A model that is the cheapest in no context.

    Attributes
    ----------
    model
        Its name.
    by
        The models or trivial rules that beat it, in order of PC(+).
    alone
        Those that, on their own or replaced by a trivial rule, are never dearer than it.
    ranges
        Who is cheapest on which interval of PC(+), and so beats it there.

    Examples
    --------
    >>> from bakeoff.decision import RocHull
    >>> hull = RocHull.from_points({"C1": (0.3, 0.4), "C3": (0.2, 0.6)})
    >>> hull.dominated["C1"].by
    ('always negative', 'C3', 'always positive')
    """

    model: str
    by: tuple[str, ...]
    alone: tuple[str, ...]
    ranges: ContextRanges


def dominated_by(model: str, envelopes: Mapping[str, Envelope], ranges: ContextRanges) -> Dominated:
    """Find who beats a model that owns no corner of the hull."""
    ended = {name: envelope.with_ends() for name, envelope in envelopes.items()}
    alone = tuple(o for o in ended if o != model and {r.model for r in cheaper_of(o, model, ended)} <= {o, "equal"})
    return Dominated(model, tuple(dict.fromkeys(ranges.models)), alone, ranges)
