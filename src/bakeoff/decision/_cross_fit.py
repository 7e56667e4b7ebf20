"""The rule that decides: each model's threshold is chosen on some rows and evaluated on others, and the cheapest wins.

In each part (a fold, or a tenth of the units) rows are called with the threshold that is cheapest on the other parts of
their repeat. Which threshold that is depends on the context only through PC(+), and changes at the corners of the hull
of those other parts. So one pass over the rows gives the cost of every model in every context, and the contexts in
which the choice stays the same follow from the rule that made it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import BoolArray, FloatArray, IntArray, named_stream
from bakeoff.decision._curve import TIE, hull_boundaries, upper_chain
from bakeoff.decision._rules import BinaryRows, fold_parts
from bakeoff.stats import upper_hull
from bakeoff.stats.roc import code_order

_NUDGE = 1e-9  # how far inside a piece its two ends are looked at, as a share of its length


@dataclass(frozen=True)
class CostCells:
    """What is left out together when a threshold is chosen: parts of repeats.

    Attributes
    ----------
    of_row
        Cell of each row, ``[n]``.
    repeat
        Repeat of each cell, ``[c]``: a cell's threshold is chosen on the other cells of its repeat.
    """

    of_row: IntArray
    repeat: IntArray

    @classmethod
    def of(cls, rows: BinaryRows) -> CostCells:
        """Take the folds, or random parts from a stream of their own: the same rows are always parted alike."""
        part = fold_parts(rows, named_stream(0, "parts"))
        repeat = np.zeros(part.size, dtype=np.int64) if rows.repeat is None else rows.repeat
        size = int(part.max()) + 1
        found, of_row = np.unique(repeat * size + part, return_inverse=True)
        return cls(of_row.astype(np.int64), found // size)

    @property
    def n(self) -> int:
        """Number of cells."""
        return int(self.repeat.size)

    @cached_property
    def rows_of(self) -> list[IntArray]:
        """The rows of each cell, rising."""
        return np.split(code_order(self.of_row), np.cumsum(np.bincount(self.of_row, minlength=self.n))[:-1])


@dataclass(frozen=True)
class _Corners:
    """The thresholds of one cell that are cheapest in some context on the other cells, PC(+) rising.

    Attributes
    ----------
    from_pc
        PC(+) from which each but the first is the cheapest, ``[v − 1]``.
    thresholds, alarms, hits
        The thresholds, and the weight of the cell's own negatives and positives that each calls, ``[v]``.
    """

    from_pc: FloatArray
    thresholds: FloatArray
    alarms: FloatArray
    hits: FloatArray

    def at(self, pc: NDArray[Any]) -> IntArray:
        return np.asarray(np.searchsorted(self.from_pc, pc, side="right"))


@dataclass(frozen=True)
class CrossFit:
    """Every model with thresholds chosen on other rows than those it is evaluated on.

    Attributes
    ----------
    rows, cells
        The evidence, and how it is parted.
    trivial
        Names of the two trivial rules: nobody, everybody.
    """

    rows: BinaryRows
    cells: CostCells
    trivial: tuple[str, str]

    @classmethod
    def of(cls, rows: BinaryRows) -> CrossFit:
        """Part the rows as their folds do, or at random; once."""
        return rows.once("cross-fit", lambda: cls(rows, CostCells.of(rows), rows.trivial))

    @property
    def names(self) -> tuple[str, ...]:
        """The trivial rules and the models."""
        return (*self.trivial, *self.rows.outputs)

    @cached_property
    def _corners(self) -> dict[str, tuple[_Corners, ...]]:
        return {name: self._corners_of(name) for name, output in self.rows.outputs.items() if output.dtype != bool}

    def _corners_of(self, model: str) -> tuple[_Corners, ...]:
        rows, cells = self.rows, self.cells
        falling, place = rows.places(model)
        key = falling.size * rows.positive + place  # negatives, then positives
        found: list[_Corners | None] = [None] * cells.n
        for repeat in np.unique(cells.repeat):
            mine = np.flatnonzero(cells.repeat == repeat)
            weights = [self._weights(key, cells.rows_of[cell], falling.size) for cell in mine]
            whole = np.sum(weights, axis=0)
            together = _running(whole)
            for cell, own in zip(mine, weights, strict=True):
                called = _running(own)
                # Whole numbers may be taken away after the sums ran; of weights what is left of a place is nothing.
                rest = together - called if rows.weight is None else _running(whole - own)
                found[cell] = _corners(falling, rest, called)
        return tuple(corners for corners in found if corners is not None)

    def _weights(self, key: IntArray, member: IntArray, size: int) -> NDArray[Any]:
        weight = None if self.rows.weight is None else self.rows.weight[member]
        return np.bincount(key[member], weight, 2 * size).reshape(2, size)

    def called(self, model: str, pc: float) -> BoolArray:
        """Rows that a model calls positive at PC(+), each with the threshold of the other parts, ``[n]``."""
        output = self.rows.outputs[model]
        if output.dtype == bool:
            return output
        chosen = np.array([corners.thresholds[int(corners.at(np.asarray(pc)))] for corners in self._corners[model]])
        return np.asarray(output >= chosen[self.cells.of_row])

    def first_called(self, model: str, pc: FloatArray) -> IntArray:
        """The first of rising PC(+) at which a model calls each row, ``[n]``; their number where it never does."""
        output = self.rows.outputs[model]
        if output.dtype == bool:
            return np.where(output, 0, pc.size)
        found = np.empty(output.size, dtype=np.int64)
        for cell, corners in enumerate(self._corners[model]):
            mine = self.cells.of_row == cell
            found[mine] = np.searchsorted(-corners.thresholds[corners.at(pc)], -output[mine], side="left")
        return found

    def rates(self, name: str, pc: NDArray[Any]) -> tuple[FloatArray, FloatArray]:
        """False and true positive rate of a model or a trivial rule at each PC(+), ``[g]``."""
        if name in self.trivial:
            rate = np.full(np.shape(pc), float(self.trivial.index(name)))
            return rate, rate
        if name not in self._corners:
            fpr, tpr = self.rows.rates(self.rows.outputs[name])
            return np.full(np.shape(pc), fpr), np.full(np.shape(pc), tpr)
        n_positive, n_negative = self.rows.totals
        alarms, hits = np.zeros(np.shape(pc)), np.zeros(np.shape(pc))
        for corners in self._corners[name]:
            line = corners.at(pc)
            alarms, hits = alarms + corners.alarms[line], hits + corners.hits[line]
        return alarms / n_negative, hits / n_positive

    def path(self, model: str) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Where along PC(+) a model's calls change ``[e]``, and its FPR and TPR in between, ``[e + 1]``."""
        bends = np.unique(np.concatenate([[], *(c.from_pc for c in self._corners.get(model, ()))]))
        return bends, *self.rates(model, np.append(-1.0, bends))

    def costs(self, pc: NDArray[Any]) -> FloatArray:
        """Normalised cost of every name at each PC(+), ``[names, g]``."""
        found = []
        for name in self.names:
            fpr, tpr = self.rates(name, pc)
            found.append(pc * (1 - tpr) + (1 - pc) * fpr)
        return np.stack(found)

    def choices(self, pc: NDArray[Any]) -> IntArray:
        """Which name is chosen at each PC(+), ``[g]``: the cheapest; of tied ones a trivial rule, else the first."""
        return first_of_tied(self.costs(pc))

    def holds(self, pc: float) -> tuple[float, float]:
        """The interval of PC(+) around this one in which the same name is chosen.

        Between two corners every cost is a line in PC(+), so what is cheapest at both ends of a piece is cheapest all
        over it. The pieces are looked at outwards from `pc`; where the choice changes, the crossing is bisected.
        """
        bends = [c.from_pc for corners in self._corners.values() for c in corners]
        edges = np.unique(np.clip(np.concatenate([[0.0, pc, 1.0], *bends]), 0.0, 1.0))
        low, high = edges[:-1], edges[1:]
        inset = _NUDGE * (high - low)
        wanted = self.choices(np.array([pc]))[0]
        start = int(np.searchsorted(edges, pc))
        ends = [pc, pc]
        for side, pieces in enumerate((range(start - 1, -1, -1), range(start, low.size))):
            near, far, step = (low, high, inset) if side else (high, low, -inset)
            stays, lasts = (self.choices(at) == wanted for at in (near + step, far - step))
            for piece in pieces:
                if not stays[piece]:
                    break
                ends[side] = far[piece] if lasts[piece] else self._crossing(near[piece] + step[piece], far[piece])
                if not lasts[piece]:
                    break
        return float(ends[0]), float(ends[1])

    def _crossing(self, inside: float, outside: float) -> float:
        """Where the choice changes on the way from one end of a piece to the other; just before it."""
        fpr, tpr = np.stack([self.rates(name, np.array([inside])) for name in self.names], axis=1)  # all over the piece
        wanted = int(self.choices(np.array([inside]))[0])
        for _ in range(60):
            middle = (inside + outside) / 2
            if int(first_of_tied(middle * (1 - tpr) + (1 - middle) * fpr)[0]) == wanted:
                inside = middle
            else:
                outside = middle
        return inside


def first_of_tied(costs: FloatArray) -> IntArray:
    """Which cost is the least; of those that differ by rounding only, the first."""
    return np.asarray((costs <= costs.min(axis=0) + TIE * np.abs(costs).max(axis=0)).argmax(axis=0))


def _running(counts: NDArray[Any]) -> NDArray[Any]:
    """What is called down to each place, from nothing on, ``[2, m]`` → ``[2, m + 1]``."""
    called = np.zeros((2, counts.shape[1] + 1), dtype=counts.dtype)
    np.cumsum(counts, axis=1, out=called[:, 1:])
    return called


def _corners(falling: FloatArray, rest: NDArray[Any], own: NDArray[Any]) -> _Corners:
    """Corners of the hull of what is called of the rest, and of the cell's own rows at the same thresholds."""
    candidates = upper_hull(*rest)  # of whole counts this is exact
    # A part that leaves one class empty cannot weigh the two errors; the other class decides alone.
    alarms, hits = (side[candidates] / max(float(side[-1]), 1e-300) for side in rest)
    corners = upper_chain(alarms, hits)
    keep = candidates[corners]
    own_alarms, own_hits = own[:, keep].astype(np.float64)
    thresholds = np.append(np.inf, falling)[keep]
    from_pc = hull_boundaries(alarms[corners], hits[corners])[0][1:]
    return _Corners(from_pc, thresholds, own_alarms, own_hits)


def cheapest_order(costs: Mapping[str, float], names: tuple[str, ...]) -> list[str]:
    """Names by cost; those that tie stay in the order given."""
    slack = TIE * max(abs(cost) for cost in costs.values())
    left, order = list(names), []
    while left:
        least = min(costs[name] for name in left)
        order.append(next(name for name in left if costs[name] <= least + slack))
        left.remove(order[-1])
    return order
