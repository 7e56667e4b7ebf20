"""What `decide` answers in every context at once, for a page that has no Python.

At a known prevalence the choice depends on the context only through PC(+), and the costs of a draw are lines in PC(+)
between the corners where its choice changes. So the shares of the draws that fall on each rule, and the mean and the
spread of what the units out of the bag pay, are functions of one number. They are tabled along the logit of PC(+), on
the very draws that `decide` makes with the same seed; between two lines of the table they are straight to far less than
their Monte Carlo error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray, RngLike, as_generator
from bakeoff.counts import Draws
from bakeoff.decision._cross_fit import CrossFit
from bakeoff.decision._hull import RocHull
from bakeoff.decision._limits import normal_quantile, percentile, t_quantile, unseen_errors
from bakeoff.decision._out_of_bag import DrawnModel, draws_within, tied_shares
from bakeoff.decision._rules import BinaryRows, RuleTable
from bakeoff.stats.resample import Bins, binned_draws

CONTEXTS = 1024  # lines of the table
_EVERY = 8  # every so many of them the spread of the differences of cost is found
_REPLICATES = 500  # behind the limits of single rules where they have no closed form


@dataclass(frozen=True)
class EveryContext:
    """The answers of `decide` along PC(+), at a known prevalence.

    Attributes
    ----------
    rows, hull, cross_fit
        The evidence, the hulls whose corners are the thresholds, and the rule that chooses.
    logit
        Where the table has lines: the log odds of PC(+), ``[g]``.
    share
        Share of the draws in which each name is chosen, ``[g, names]``.
    mean, spread
        Of what the choice pays out of the bag: means of FPR and FNR ``[g, 2]``; their variances and covariance
        ``[g, 3]``.
    n_draws
        How many draws there are.
    confidence_level
        Level of the intervals.
    """

    rows: BinaryRows
    hull: RocHull
    cross_fit: CrossFit
    logit: FloatArray
    share: FloatArray
    mean: FloatArray
    spread: FloatArray
    n_draws: int
    confidence_level: float = 0.95

    @classmethod
    def of(
        cls, rows: BinaryRows, *, n_resamples: int = 2000, confidence_level: float = 0.95, rng: RngLike = 0
    ) -> EveryContext:
        """Draw as `decide` does with the same seed, and decide in every context on each draw."""
        written = rows.written_out()
        fit = CrossFit.of(written)
        least = 1.0 if written.weight is None else float(written.weight[written.weight > 0].min())
        reach = float(np.log(max(written.totals) / least)) + 1.0  # beyond it no choice of a draw changes
        logit = np.linspace(-reach, reach, CONTEXTS)
        pc = 1 / (1 + np.exp(-logit))
        share, sums, products = (np.zeros((size, CONTEXTS)) for size in (len(fit.names), 2, 3))
        n = 0
        for chosen, fpr, fnr in _decided(written, fit, pc, Draws(n_resamples, as_generator(rng))):
            share += chosen.sum(axis=1)
            paid = np.stack([(chosen * fpr).sum(axis=0), (chosen * fnr).sum(axis=0)])
            sums += paid.sum(axis=1)
            products += np.stack([paid[0] ** 2, paid[1] ** 2, paid[0] * paid[1]]).sum(axis=1)
            n += paid.shape[1]
        mean = sums / max(n, 1)
        squares = np.stack([mean[0] ** 2, mean[1] ** 2, mean[0] * mean[1]])
        spread = np.maximum(products / max(n, 1) - squares, [[0.0], [0.0], [-np.inf]]) * n / max(n - 1, 1)
        return cls(
            rows, RocHull.from_rows(written), fit, logit, (share / max(n, 1)).T, mean.T, spread.T, n, confidence_level
        )

    @property
    def pc(self) -> FloatArray:
        """PC(+) of each line, ``[g]``."""
        return np.asarray(1 / (1 + np.exp(-self.logit)))

    @property
    def reach(self) -> float:
        """How many standard deviations of the draws the interval reaches to each side of the cost of the choice."""
        quantile = t_quantile(self.confidence_level, self.rows.units.n - 1)
        return quantile * float(np.sqrt(self.rows.units.answers * np.exp(-1.0)))

    @property
    def quantile(self) -> float:
        """Two-sided normal quantile of the level."""
        return normal_quantile(self.confidence_level)

    @cached_property
    def lines(self) -> FloatArray:
        """PC(+) of some of the lines, ``[s]``, where differences and limits of single rules are found."""
        return self.pc[::_EVERY]

    @cached_property
    def _first(self) -> list[IntArray]:
        """For each name the first of these lines on which it calls each row, ``[n]``; their number where it never does.

        Thresholds fall as PC(+) rises: what is called on one line is called on all that follow.
        """
        fit = self.cross_fit
        trivial = [np.full(fit.rows.positive.size, line) for line in (self.lines.size, 0)]
        return [*trivial, *(fit.first_called(model, self.lines) for model in fit.rows.outputs)]

    def excess(self) -> FloatArray:
        """Standard error of what each name costs more than the choice, normalised, ``[s, names]``."""
        chosen = self.cross_fit.choices(self.lines)
        seen = (
            self._spread_of_rows(chosen) if self.cross_fit.rows.units.of_row is None else self._spread_of_units(chosen)
        )
        return np.sqrt(seen + self._spread_unseen(chosen))

    def _spread_of_rows(self, chosen: IntArray) -> FloatArray:
        """Variance of the differences where rows are independent: two calls differ where just one has been made yet."""
        rows, lines = self.cross_fit.rows, self.lines.size
        found = np.zeros((lines, len(self._first)))
        for mine, price in ((rows.positive, self.lines), (~rows.positive, 1 - self.lines)):
            weight = None if rows.weight is None else rows.weight[mine]
            squared = None if weight is None else weight**2
            total = float(mine.sum() if weight is None else weight.sum())
            whole = float(mine.sum() if squared is None else squared.sum())
            first = [of_name[mine] for of_name in self._first]
            called = [_up_to(line, weight, lines) / total for line in first]
            square = [_up_to(line, squared, lines) for line in first]
            for winner in np.unique(chosen):
                here = chosen == winner
                for name, line in enumerate(first):
                    both = _up_to(np.maximum(line, first[winner]), squared, lines)
                    differs, gap = square[name] + square[winner] - 2 * both, square[name] - square[winner]
                    mean = called[name] - called[winner]
                    spread = (differs - 2 * mean * gap + mean**2 * whole) * (price / total) ** 2
                    found[here, name] += np.maximum(spread, 0.0)[here]
        return found

    def _spread_of_units(self, chosen: IntArray) -> FloatArray:
        """Variance of the differences where units are groups of rows, or cases that were answered several times."""
        rows, first = self.cross_fit.rows, np.stack(self._first, axis=1)
        weight = np.ones(rows.positive.size) if rows.weight is None else rows.weight
        found = np.zeros((self.lines.size, first.shape[1]))
        for place, (pc, winner) in enumerate(zip(self.lines.tolist(), chosen, strict=True)):
            called = first <= place
            moved = called.astype(np.float64) - called[:, winner][:, None]
            for mine, price in ((rows.positive, pc), (~rows.positive, 1 - pc)):
                share = weight[mine] / weight[mine].sum()
                moved[mine] = price * share[:, None] * (moved[mine] - share @ moved[mine])
            found[place] = (rows.units.sum_rows(moved) ** 2).sum(axis=0)
        return found

    def _spread_unseen(self, chosen: IntArray) -> FloatArray:
        """As in `unseen_errors`: a copy of one fresh case, called by a coin, where one of the two has no error."""
        rows, line = self.cross_fit.rows, np.arange(self.lines.size)
        sizes = np.array([rows.positive.sum(), (~rows.positive).sum()])[:, None, None]
        calls = np.stack(
            [
                [_up_to(first[mine], None, line.size) for first in self._first]
                for mine in (rows.positive, ~rows.positive)
            ]
        )
        constant = (calls == 0).all(axis=0) | (calls == sizes).all(axis=0)
        sure = ((calls == 0) | (calls == sizes)) & ~constant
        odd = sure != sure[:, chosen, line][:, None]
        coin = 0.5 * (np.stack([self.lines, 1 - self.lines]) / np.array(rows.independent)[:, None]) ** 2
        return np.asarray((coin[:, None] * odd).sum(axis=0).T)

    def limits(self) -> tuple[FloatArray, FloatArray] | None:
        """How far the limits of each rule's own cost lie below and above it, normalised, ``[s, names]``.

        None where cases count alike: those limits have a closed form.
        """
        rows, fit = self.cross_fit.rows, self.cross_fit
        if rows.closed_form:
            return None
        calls = {f"{i} {j}": self._first[j] <= i for i in range(self.lines.size) for j in range(2, len(fit.names))}
        table, rng = RuleTable.of_calls(rows, calls), as_generator(0)
        resampled = table.resample(Draws(_REPLICATES, rng, stratified=True))
        drawn = unseen_errors(resampled, table.rates(), rows.independent, rng)
        below, above = np.zeros((2, self.lines.size, len(fit.names)))
        for i, pc in enumerate(self.lines.tolist()):
            cost = fit.costs(np.array([pc]))[:, 0]
            for j in range(2, len(fit.names)):
                rates = drawn[f"{i} {j}"]
                costs = pc * (1 - rates.tpr[:, 0]) + (1 - pc) * rates.fpr[:, 0]
                found = percentile(float(cost[j]), costs, self.confidence_level)
                below[i, j], above[i, j] = found.estimate - found.low, found.high - found.estimate
        return below, above


def _up_to(first: IntArray, weight: FloatArray | None, n: int) -> NDArray[Any]:
    """Number, or weight, of the rows that are called on each of n lines, ``[n]``."""
    return np.asarray(np.cumsum(np.bincount(first, weight, n + 1))[:n])


def _decided(
    rows: BinaryRows, fit: CrossFit, pc: FloatArray, draws: Draws
) -> Iterator[tuple[FloatArray, FloatArray, FloatArray]]:
    """Chunk by chunk the share of each name in each draw's choice and its rates out of the bag, ``[names, b, g]``."""
    models = [DrawnModel.of(rows, name, fit.cells) for name in rows.outputs]
    work = sum(max(rows.positive.size, model.size) for model in models)
    units = rows.units
    by_class = Bins.of(rows.positive.astype(np.int64), 2, units.of_row, units.weight)
    every = [by_class, *(model.bins for model in models)]
    for lanes, drawn in binned_draws(every, units.records, draws_within(draws.n, work), draws.rng, absent=True):
        (bag_n, bag_p), (out_n, out_p) = (total.astype(np.float64) for total in next(drawn))
        defined = lanes[(np.minimum(np.minimum(bag_n, bag_p), np.minimum(out_n, out_p)) > 0)[lanes]]
        bag_n, bag_p, out_n, out_p = (total[defined][:, None] for total in (bag_n, bag_p, out_n, out_p))
        size = (len(fit.names), defined.size, pc.size)
        chosen, fpr, fnr = np.empty(size), np.empty(size), np.empty(size)
        for place, rate in enumerate((0.0, 1.0)):
            chosen[place], fpr[place], fnr[place] = pc * (1 - rate) + (1 - pc) * rate, rate, 1 - rate
        for place, (model, sides) in enumerate(zip(models, drawn, strict=True), start=2):
            some = [side.take(defined, axis=1) for side in sides]
            bag, out = model.over_contexts(some, fit.cells, pc)
            chosen[place] = pc * (1 - bag[1] / bag_p) + (1 - pc) * bag[0] / bag_n
            fpr[place], fnr[place] = out[0] / out_n, 1 - out[1] / out_p
        yield tied_shares(chosen.reshape(size[0], -1), 2).reshape(size), fpr, fnr
