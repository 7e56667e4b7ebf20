"""What a choice costs on rows that did not make it: in the bag choose, out of the bag pay.

Units are drawn with replacement. In the bag the whole decision is made again by the rule of `CrossFit`: every model
gets its cross-fitted cost, the cheapest is chosen, and its threshold is the one that is cheapest on the bag. The units
that were not drawn, about 1/e of them, pay. So neither the choice of the threshold nor that of the model flatters the
cost.

References
----------
Tsamardinos, I., Greasidou, E. & Borboudakis, G. (2018). Bootstrapping the out-of-sample predictions for efficient and
accurate cross-validation. Machine Learning 107, 1895–1922. https://doi.org/10.1007/s10994-018-5714-4
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._cross_fit import CostCells, CrossFit
from bakeoff.decision._curve import TIE, thin
from bakeoff.decision._rules import BinaryRows
from bakeoff.stats.resample import Bins, binned_draws, called_counts, running_counts

_WORK = 100_000_000  # rows (or thresholds in cells) times models times draws, above which fewer draws are made
_FEWEST = 100  # draws that are made at any size


@dataclass(frozen=True)
class OutOfBag:
    """The whole decision made again on draws of the units.

    Attributes
    ----------
    share
        Name → share of the draws in which it is chosen; a tie is shared.
    cost
        Cost per case of each draw's choice on the units that were not drawn, ``[b]``.
    answers
        How often each case was answered where it is not known which rows belong together.
    """

    share: dict[str, float]
    cost: FloatArray
    answers: int = 1

    @property
    def estimate(self) -> float:
        """Mean cost out of the bag."""
        return float(self.cost.mean()) if self.cost.size else float("nan")

    @property
    def standard_error(self) -> float:
        """Spread of the cost of 1/e of the units, shrunk to that of all of them."""
        spread = float(self.cost.std(ddof=1)) if self.cost.size > 1 else float("nan")
        return spread * float(np.sqrt(self.answers * np.exp(-1.0)))


def draws_within(n_resamples: int, work: float) -> int:
    """As many draws as asked for, or fewer where one takes so much work."""
    return int(min(n_resamples, max(_FEWEST, _WORK / work)))


def tied_shares(costs: FloatArray, n_trivial: int) -> FloatArray:
    """Share of each name in the choice of each draw ``[names, b]``: the cheapest, ties shared, trivial rules first."""
    tied = costs <= costs.min(axis=0) + TIE * np.abs(costs).max(axis=0)
    tied[n_trivial:] &= ~tied[:n_trivial].any(axis=0)
    return np.asarray(tied / tied.sum(axis=0))


def decide_out_of_bag(
    rows: BinaryRows,
    context: OperatingContext,
    known: bool,
    names: tuple[str, ...],
    n_resamples: int,
    rng: np.random.Generator,
) -> OutOfBag:
    """Choose in the bag and pay out of it; `names` are the two trivial rules and the models of the rows.

    Where the prevalence is not `known`, that of the bag chooses and that of the other units pays.
    """
    written = rows.written_out()
    cells = CrossFit.of(written).cells
    models = [DrawnModel.of(written, name, cells) for name in written.outputs]
    work = sum(max(written.positive.size, model.size) for model in models)
    units = written.units
    by_class = Bins.of(written.positive.astype(np.int64), 2, units.of_row, units.weight)
    shares, paid = [], []
    every = [by_class, *(model.bins for model in models)]
    for lanes, drawn in binned_draws(every, units.records, draws_within(n_resamples, work), rng, absent=True):
        bag, rest = (_Stakes.of(total.astype(np.float64), context, known) for total in next(drawn))
        rates = [model.decide(sides, bag, cells) for model, sides in zip(models, drawn, strict=True)]
        chosen = np.stack(
            [bag.cost(np.zeros(1), np.zeros(1)), bag.cost(np.ones(1), np.ones(1)), *(r[0] for r in rates)]
        )
        price = np.stack(
            [rest.cost(np.zeros(1), np.zeros(1)), rest.cost(np.ones(1), np.ones(1)), *(r[1](rest) for r in rates)]
        )
        defined = lanes[((bag.least > 0) & (rest.least > 0))[lanes]]
        share = tied_shares(chosen, 2)
        shares.append(share[:, defined])
        paid.append((share * price).sum(axis=0)[defined])
    share = np.concatenate(shares, axis=1)
    mean = share.mean(axis=1) if share.size else np.full(len(names), np.nan)
    return OutOfBag(dict(zip(names, mean.tolist(), strict=True)), np.concatenate(paid), written.units.answers)


@dataclass(frozen=True)
class _Stakes:
    """Class totals of each draw, ``[b]``, and what errors on each class cost there."""

    positives: FloatArray
    negatives: FloatArray
    base: FloatArray
    miss: FloatArray
    alarm: FloatArray

    @classmethod
    def of(cls, totals: FloatArray, context: OperatingContext, known: bool) -> _Stakes:
        negatives, positives = totals
        total = positives + negatives
        share = positives / np.where(total > 0, total, 1.0)
        pi = np.full_like(share, context.prevalence) if known else share
        base = pi * context.cost_tp + (1 - pi) * context.cost_tn
        return cls(positives, negatives, base, pi * context.miss_weight, (1 - pi) * context.alarm_weight)

    @property
    def least(self) -> FloatArray:
        return np.minimum(self.positives, self.negatives)

    def cost(self, fpr: FloatArray, tpr: FloatArray) -> FloatArray:
        return np.asarray(self.base + self.miss * (1 - tpr) + self.alarm * fpr)


@dataclass(frozen=True)
class DrawnModel:
    """One model's rows by cell, threshold and class: what each draw is summed into.

    Attributes
    ----------
    bins
        Rows by (cell, threshold, class).
    cells, thresholds
        Numbers of cells and of thresholds; a model that answers labels has one threshold and one cell.
    tuned
        Whether a threshold is chosen.
    """

    bins: Bins
    cells: int
    thresholds: int
    tuned: bool

    @classmethod
    def of(cls, rows: BinaryRows, name: str, cells: CostCells) -> DrawnModel:
        output, n = rows.outputs[name], rows.positive.size
        tuned = output.dtype != bool
        if tuned:
            cuts = thin(rows.curve(name))
            bins = rows.bin_of(name, cuts)
            size, of_row, n_cells = cuts.size + 1, cells.of_row, cells.n
        else:
            bins, size, of_row, n_cells = np.where(output, 0, 1), 2, np.zeros(n, dtype=np.int64), 1
        key = (of_row * size + bins) * 2 + rows.positive
        place = Bins.of(key, n_cells * size * 2, rows.units.of_row, rows.units.weight)
        return cls(place, n_cells, size, tuned)

    @property
    def size(self) -> int:
        return self.cells * self.thresholds

    def decide(self, sides: list[NDArray[Any]], bag: _Stakes, cells: CostCells) -> tuple[FloatArray, Any]:
        """Cost in the bag (cross-fitted), and the cost out of it as a function of what is at stake there, ``[b]``."""
        inside, outside = sides
        shape = (self.cells, self.thresholds, 2, -1)
        # Running sums over falling thresholds: what each calls, by cell and class.
        kind = inside.dtype
        called = running_counts(inside.reshape(shape))
        (out,) = running_counts(outside.reshape(shape).sum(axis=0, dtype=kind, keepdims=True))
        whole = called.sum(axis=0, dtype=kind)
        if not self.tuned:
            cost = bag.cost(_over(whole[0, 0], bag.negatives), _over(whole[0, 1], bag.positives))
            return cost, lambda rest: rest.cost(_over(out[0, 0], rest.negatives), _over(out[0, 1], rest.positives))
        hits, alarms = np.zeros(bag.miss.size), np.zeros(bag.miss.size)
        own = inside.reshape(shape)
        for repeat in np.unique(cells.repeat):
            mine = np.flatnonzero(cells.repeat == repeat)
            together = (called if _exact(kind) else own)[mine].sum(axis=0, dtype=kind)
            for cell in mine:
                # Weights are taken away before the sums run: what is left of a threshold without other rows is nothing,
                # exactly. Whole numbers may be taken away after it.
                rest = together - called[cell] if _exact(kind) else np.cumsum(together - own[cell], axis=0, dtype=kind)
                cut = _cheapest(rest, bag)
                alarms, hits = alarms + _at(called[cell, :, 0], cut), hits + _at(called[cell, :, 1], cut)
        cut = _cheapest(whole, bag)
        paid = _at(out[:, 0], cut), _at(out[:, 1], cut)
        cost = bag.cost(_over(alarms, bag.negatives), _over(hits, bag.positives))
        return cost, lambda rest: rest.cost(_over(paid[0], rest.negatives), _over(paid[1], rest.positives))

    def over_contexts(
        self, sides: list[NDArray[Any]], cells: CostCells, pc: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Weight of the negatives and positives called in the bag (cross-fitted) and out of it, each ``[2, b, g]``."""
        shape = (self.cells, self.thresholds, 2, -1)
        inside, outside = (side.reshape(shape) for side in sides)
        if not self.tuned:
            return inside[0, 0][:, :, None] + 0.0 * pc, outside[0, 0][:, :, None] + 0.0 * pc
        rest = np.empty(inside.shape)
        for repeat in np.unique(cells.repeat):
            mine = np.flatnonzero(cells.repeat == repeat)
            together = sum(inside[cell] for cell in mine)
            for cell in mine:
                np.subtract(together, inside[cell], out=rest[cell])
        whole, left = (side.sum(axis=0, dtype=np.float64, keepdims=True) for side in (inside, outside))
        return called_counts(rest, inside.astype(np.float64), pc), called_counts(whole, left, pc)


def _exact(kind: np.dtype[Any]) -> bool:
    return bool(np.issubdtype(kind, np.integer))


def _cheapest(called: NDArray[Any], stakes: _Stakes) -> IntArray:
    """Number of thresholds down to the cheapest, ``[b]``, from what each calls ``[m, 2, b]``; 0 is to call nobody."""
    alarm = stakes.alarm / np.where(called[-1, 0] > 0, called[-1, 0], 1.0)
    miss = stakes.miss / np.where(called[-1, 1] > 0, called[-1, 1], 1.0)
    saved = miss * called[:, 1] - alarm * called[:, 0]
    best = saved.argmax(axis=0)
    return np.where(saved[best, np.arange(best.size)] > 0, best + 1, 0)


def _at(called: NDArray[Any], cut: IntArray) -> FloatArray:
    """What is called at each draw's threshold, ``[m, b]`` → ``[b]``."""
    return np.where(cut > 0, called[cut - 1, np.arange(cut.size)], 0.0)


def _over(part: NDArray[Any], whole: FloatArray) -> FloatArray:
    return np.asarray(part / np.where(whole > 0, whole, 1.0))
