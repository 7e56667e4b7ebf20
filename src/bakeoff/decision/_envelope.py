"""Who is cheapest in which context: corners of hulls, which are lines of lower cost envelopes, and ranges of PC(+).

A point (FPR, TPR) of ROC space is the cost line PC·FNR + (1 − PC)·FPR. So the corners of an upper-left hull, FPR
rising, are the lines of a lower envelope, PC(+) rising: the two pictures are dual (Drummond & Holte 2006).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.language import Text, joined, numeral, translate
from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import FloatArray, IntArray, check_number
from bakeoff._core.view import Table
from bakeoff.decision._context import OperatingContext

if TYPE_CHECKING:
    from bakeoff.decision._curve import RocCurve

# Rates are k/N and j/P: their cross products are multiples of 1/(N·P), their rounding is a few units of 1e-16.
_ROUNDING = 1e-15

# Above this many points they are one curve in order, and the hull of a curve prunes nearly all of them fast.
_MANY = 4096


@dataclass(frozen=True)
class Envelope:
    """The useful points of one model: the corners of its hull, which are the lines of its lower cost envelope.

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


@dataclass(frozen=True)
class ContextRange:
    """One interval of PC(+) on which one model (at one threshold, or at any) is the cheapest.

    Attributes
    ----------
    model, threshold
        Who wins; NaN when several thresholds of the model share the interval.
    pc_low, pc_high
        The interval of PC(+) = P·cost_fn / (P·cost_fn + N·cost_fp).

    Examples
    --------
    >>> from bakeoff.decision import RocHull
    >>> hull = RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
    >>> test_a = hull.ranges()[2]
    >>> test_a.model, round(test_a.pc_low, 3), round(test_a.pc_high, 3)
    ('A', 0.5, 0.857)
    >>> [round(ratio) for ratio in test_a.cost_ratios(prevalence=0.01)]
    [99, 594]
    """

    model: str
    threshold: float
    pc_low: float
    pc_high: float

    def __contains__(self, context: object) -> bool:
        pc = context.pc if isinstance(context, OperatingContext) else context
        return isinstance(pc, (int, float)) and self.pc_low <= pc <= self.pc_high

    @property
    def slopes(self) -> tuple[float, float]:
        """The same interval as slopes of isocost lines, low to high."""
        return slope_of_pc(self.pc_high), slope_of_pc(self.pc_low)

    def cost_ratios(self, prevalence: float) -> tuple[float, float]:
        """The same interval as ratios cost_fn / cost_fp at a given prevalence, low to high."""
        return cost_ratio_of_pc(self.pc_low, prevalence), cost_ratio_of_pc(self.pc_high, prevalence)

    def prevalences(self, context: OperatingContext) -> tuple[float, float]:
        """The same interval as prevalences at the costs of `context`, low to high."""
        if context.miss_weight == 0 or context.alarm_weight == 0:
            return 0.0, 1.0  # only one kind of error costs anything: PC(+) is the same at every prevalence
        return prevalence_of_pc(self.pc_low, context), prevalence_of_pc(self.pc_high, context)


@dataclass(frozen=True, repr=False)
class ContextRanges(Result):
    """Who is cheapest on which interval of PC(+), from 0 to 1 without gaps.

    Iterate over it for `ContextRange` objects; `to_frame` has one row per interval.
    """

    ranges: tuple[ContextRange, ...]
    prevalence: float | None = None
    notes: tuple[Note, ...] = ()

    def __iter__(self) -> Iterator[ContextRange]:
        return iter(self.ranges)

    def __len__(self) -> int:
        return len(self.ranges)

    def __getitem__(self, index: int) -> ContextRange:
        return self.ranges[index]

    @property
    def models(self) -> tuple[str, ...]:
        """The winners in order of PC(+)."""
        return tuple(r.model for r in self.ranges)

    def at(self, pc: float) -> ContextRange:
        """Return the interval that holds this PC(+); at a boundary, the upper one."""
        wanted = check_number("pc", pc, low=0.0, high=1.0)
        lows = [r.pc_low for r in self.ranges]
        return self.ranges[max(int(np.searchsorted(lows, wanted, side="right")) - 1, 0)]

    def by_model(self) -> ContextRanges:
        """Join neighbouring intervals of the same model, whatever the threshold."""
        joined: list[ContextRange] = []
        for r in self.ranges:
            if joined and joined[-1].model == r.model:
                joined[-1] = ContextRange(r.model, np.nan, joined[-1].pc_low, r.pc_high)
            else:
                joined.append(r)
        return ContextRanges(tuple(joined), self.prevalence, self.notes)

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, Sequence[Any]] = {
            "model": [r.model for r in self.ranges],
            "threshold": [r.threshold for r in self.ranges],
            "pc_low": [r.pc_low for r in self.ranges],
            "pc_high": [r.pc_high for r in self.ranges],
            "slope_low": [r.slopes[0] for r in self.ranges],
            "slope_high": [r.slopes[1] for r in self.ranges],
        }
        if self.prevalence is not None:
            ratios = [r.cost_ratios(self.prevalence) for r in self.ranges]
            columns |= {"cost_ratio_low": [low for low, _ in ratios], "cost_ratio_high": [high for _, high in ratios]}
        return columns

    def _headline(self) -> str:
        return ", ".join(f"{r.model} [{r.pc_low:.3g}, {r.pc_high:.3g}]" for r in self.ranges[:6])


def ranges_table(columns: Mapping[str, Sequence[Any]]) -> Table:
    """The columns that a person reads, under printed names; a trivial rule has no threshold."""
    names = {"pc_low": translate("PC(+) from"), "pc_high": translate("PC(+) to")}
    shown = ("model", "threshold", "fpr", "tpr", "pc_low", "pc_high")
    found = {names.get(name, name): columns[name] for name in shown if name in columns}
    return Table(found | {"threshold": [t if math.isfinite(t) else None for t in columns["threshold"]]}, max_rows=12)


def ranges_text(ranges: Iterable[ContextRange]) -> Text:
    """Who is cheapest from where to where."""
    parts = [
        Text(
            "{model} from {low} to {high}", model=r.model, low=numeral(r.pc_low, ".3g"), high=numeral(r.pc_high, ".3g")
        )
        for r in ranges
    ]
    return joined(parts, ", ")


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


def slope_of_pc(pc: float) -> float:
    """Slope of the isocost lines at this PC(+): (1 − PC)/PC; inf at 0."""
    return (1 - pc) / pc if pc > 0 else np.inf


def cost_ratio_of_pc(pc: float, prevalence: float) -> float:
    """The ratio cost_fn / cost_fp that gives this PC(+) at this prevalence."""
    positive = check_number("prevalence", prevalence, low=0.0, high=1.0, closed="none")
    return np.inf if pc >= 1 else pc * (1 - positive) / ((1 - pc) * positive)


def prevalence_of_pc(pc: float, context: OperatingContext) -> float:
    """The prevalence that gives this PC(+) at the costs of `context`."""
    missed, alarmed = (1 - pc) * context.miss_weight, pc * context.alarm_weight
    return alarmed / (missed + alarmed) if missed + alarmed > 0 else np.nan
