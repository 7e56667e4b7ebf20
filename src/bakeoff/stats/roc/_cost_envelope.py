"""Cost curves: the least expected cost over all thresholds, as the operating context moves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray, IntArray, as_floats
from bakeoff.stats.roc._hull import roc_hull


@dataclass(frozen=True, repr=False)
class CostEnvelopeResult(Result):
    """The lower envelope of a set of cost lines, exactly.

    Attributes
    ----------
    pc
        Breakpoints on the axis PC(+), rising from 0 to 1, ``[m + 1]``.
    cost
        Normalised expected cost at each breakpoint; the envelope is straight between them.
    index
        The point (place in the arrays given) that is best between two breakpoints, ``[m]``; −1 is a trivial
        classifier that was not given.
    fpr, tpr
        Its rates, ``[m]``.
    notes
        Choices made.
    """

    pc: FloatArray
    cost: FloatArray
    index: IntArray
    fpr: FloatArray
    tpr: FloatArray
    notes: tuple[Note, ...] = ()

    @property
    def area(self) -> float:
        """Area under the envelope: mean normalised cost when every PC(+) is equally likely; ¼ for trivial rules."""
        return float(np.trapezoid(self.cost, self.pc))

    def at(self, pc: ArrayLike) -> FloatArray:
        """Return the envelope at each `pc`."""
        return np.asarray(np.interp(np.asarray(pc, dtype=np.float64), self.pc, self.cost))

    def _columns(self) -> dict[str, Any]:
        return {"pc_from": self.pc[:-1], "pc_to": self.pc[1:], "index": self.index, "fpr": self.fpr, "tpr": self.tpr}


def cost_envelope(fpr: ArrayLike, tpr: ArrayLike, pc: ArrayLike) -> FloatArray:
    """Least normalised expected cost over the given points, at each operating context.

    A point (FPR, TPR) costs ``FPR·(1 − pc) + FNR·pc``: in the cost space of Drummond and Holte it is the line from
    (0, FPR) to (1, FNR). "Always negative" and "always positive" are always among the candidates.

    Parameters
    ----------
    fpr, tpr
        Points ``[m]``: an ROC curve, or any set of classifiers.
    pc
        PC(+) = P·cost_fn / (P·cost_fn + N·cost_fp), within [0, 1]; any shape.

    Returns
    -------
    ndarray
        Normalised expected cost, of the shape of `pc`.

    References
    ----------
    C. Drummond, R. Holte (2006), "Cost curves: An improved method for visualizing classifier performance",
    Machine Learning 65, https://doi.org/10.1007/s10994-006-8199-5

    Examples
    --------
    The classifiers (FPR .3, TPR .4), (.5, .7) and (.2, .6): the third wins at one half, "always positive" at 0.9.

    >>> [round(cost, 4) for cost in cost_envelope([0.3, 0.5, 0.2], [0.4, 0.7, 0.6], [0.5, 0.9]).tolist()]
    [0.3, 0.1]
    """
    context = as_floats("pc", pc)
    if not ((context >= 0.0) & (context <= 1.0)).all():
        raise EvidenceError("pc must be within [0, 1]: it is the share of expected cost that is at stake on positives.")
    return envelope_of_points(fpr, tpr).at(context)


def envelope_of_points(fpr: ArrayLike, tpr: ArrayLike) -> CostEnvelopeResult:
    """Return the whole lower envelope, with the point that is best on each interval of PC(+).

    It is dual to the ROC hull: a hull vertex is a piece of the envelope, a hull edge of slope s is the breakpoint
    ``pc = 1 / (1 + s)``, where the two ends of the edge cost the same.

    Parameters
    ----------
    fpr, tpr
        Points ``[m]``, as in `cost_envelope`.
    """
    hull = roc_hull(fpr, tpr)
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    crossings = run / (run + rise)
    # A vertical first edge crosses at 0 and a horizontal last one at 1: the trivial rule there is best nowhere else.
    used = np.diff(crossings, prepend=0.0, append=1.0) > 0.0
    x, y, index = hull.fpr[used], hull.tpr[used], hull.index[used]
    breaks = np.concatenate(([0.0], crossings[(crossings > 0.0) & (crossings < 1.0)], [1.0]))
    cost = np.concatenate(([x[0]], x * (1.0 - breaks[1:]) + (1.0 - y) * breaks[1:]))
    return CostEnvelopeResult(breaks, cost, index, x, y)
