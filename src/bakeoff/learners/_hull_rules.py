"""How a hull answers: which vertex for a context, which mixture for a point, which probability for a case."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision import HullVertex, OperatingContext, RocHull
from bakeoff.learners._cuts import cut_at
from bakeoff.learners._rules import Rule


class Mixture(NamedTuple):
    """A point between two vertices: use `high` with probability `share`, else `low`.

    Examples
    --------
    >>> from bakeoff.decision import HullVertex
    >>> from bakeoff.learners import Mixture
    >>> half = Mixture(HullVertex(0.1, 0.6, "B", 0.5), HullVertex(0.4, 0.9, "A", 0.5), share=0.5)
    >>> half.fpr, half.tpr
    (0.25, 0.75)
    """

    low: HullVertex
    high: HullVertex
    share: float

    @property
    def fpr(self) -> float:
        """False positive rate on average."""
        return (1 - self.share) * self.low.fpr + self.share * self.high.fpr

    @property
    def tpr(self) -> float:
        """True positive rate on average."""
        return (1 - self.share) * self.low.tpr + self.share * self.high.tpr


def mix(low: HullVertex, high: HullVertex, goal: Rule, prevalence: float) -> Mixture:
    """Mix two points so that the goal's rate has its value; rates are linear between them: λ = (v − a) / (b − a)."""
    a, b = goal.of(np.array([low.fpr, high.fpr]), np.array([low.tpr, high.tpr]), prevalence)
    share = 1.0 if a == b else float(np.clip((goal.value - a) / (b - a), 0.0, 1.0))
    return Mixture(low, high, share)


class HullRules:
    """A hull over out-of-fold scores, ready to answer for new rows."""

    def __init__(self, hull: RocHull) -> None:
        self.hull = hull
        self.owners = tuple(dict.fromkeys(v.model for v in hull.vertices if not hull.is_trivial(v.model)))

    def best(self, context: OperatingContext) -> HullVertex:
        """Return the cheapest vertex in the context; a trivial rule if no model beats it."""
        point = self.hull.best(context)
        return HullVertex(point.fpr, point.tpr, point.model, point.threshold)

    def between(self, goal: Rule, context: OperatingContext) -> Mixture:
        """Return the mixture of two neighbouring vertices at which the goal's rate has its value."""
        vertices, prevalence = self.hull.vertices, float(context.prevalence or 0.0)
        rates = goal.of(vertices.fpr, vertices.tpr, prevalence)
        right = int(np.clip(np.searchsorted(rates, goal.value, side="left"), 1, len(vertices) - 1))
        return mix(vertices[right - 1], vertices[right], goal, prevalence)

    def says(self, model: str, threshold: float, scores: FloatArray) -> BoolArray:
        """Tell which scores a vertex calls positive; between the scores seen, its cut lies in the middle of the gap."""
        if np.isinf(threshold):
            return np.full(len(scores), threshold < 0)
        seen = self.hull.curves[model].thresholds
        return np.asarray(scores >= cut_at(seen, int(np.searchsorted(-seen, -threshold)), np.nan))

    def probability(self, scores: Mapping[str, FloatArray], n_rows: int) -> FloatArray:
        """Return the share of thresholds t in [0, 1] whose vertex calls each row positive.

        A vertex is the cheapest on an interval of PC(+), that is, at the prevalence π of the rows, for thresholds
        t = π(1 − PC) / (π(1 − PC) + (1 − π)PC). Were the scores calibrated probabilities p, exactly the t ≤ p would say
        "positive", and their share is p.
        """
        total = np.zeros(n_rows)
        for interval in self.hull.ranges():
            high, low = self._threshold_of(interval.pc_low), self._threshold_of(interval.pc_high)
            own = scores.get(interval.model, total)  # the trivial rules look at no score
            total = total + (high - low) * self.says(interval.model, interval.threshold, own)
        return total

    def _threshold_of(self, pc: float) -> float:
        prevalence = self.hull.prevalence
        alarm, miss = prevalence * (1 - pc), (1 - prevalence) * pc
        return alarm / (alarm + miss)
