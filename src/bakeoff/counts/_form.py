"""What every form of counts is made of, what it can do, and what it asks of a measure.

A *form* holds what a row adds: a cell of the confusion table, terms of sums, a place in a ranking, or the answer
itself. It knows nothing of units, weights, groups or slices; `Counted` joins it with its units.
Letters of the shapes: b replicates, n rows, k models.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts._draws import Draws, coins
from bakeoff.evidence import Rows, Units

if TYPE_CHECKING:
    from bakeoff.stats.resample import RankedDraws


@dataclass(frozen=True)
class Sample:
    """What was true and what one model said, in the one kind of output a measure needs.

    Attributes
    ----------
    truth
        Class codes ``[n]`` or true values ``[n]``.
    output
        Class codes ``[n]``, scores ``[n]``, probabilities ``[n, K]``, values ``[n]``, outcomes ``[n]``, sums
        ``[n, C]`` or attempts ``[n, 3]``.
    classes, positive
        The classes in order, and the index of the positive one.
    weight
        What each row counts for (importance times frequency), ``[n]`` or None.
    columns
        Names of the columns of sums.
    cases
        How many whole cases the rows stand for.
    """

    truth: NDArray[np.generic]
    output: NDArray[np.generic]
    classes: tuple[Hashable, ...] = ()
    positive: int | None = None
    weight: FloatArray | None = None
    columns: tuple[str, ...] = ()
    cases: int = 0

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.truth.shape[0])

    def weights(self) -> FloatArray:
        """Weights ``[n]``, ones where none were given."""
        return np.ones(self.n) if self.weight is None else self.weight

    def take(self, rows: NDArray[np.generic] | slice) -> Sample:
        """Keep some rows."""
        weight = None if self.weight is None else self.weight[rows]
        return replace(self, truth=self.truth[rows], output=self.output[rows], weight=weight)


RowTerms = Callable[[Sample], FloatArray]  # what each row adds, [n, t]


def sample_of(rows: Rows, model: str, needs: str) -> Sample:
    """Return the arrays a measure with these needs asks of one model."""
    readers: dict[str, Callable[[str], NDArray[Any]]] = {
        "labels": rows.labels,
        "scores": rows.scores,
        "probabilities": rows.probabilities,
        "values": rows.values,
        "outcomes": rows.values,
        "sums": rows.sums,
        "attempts": rows.attempts,
    }
    truth = rows.positives() if needs == "scores" else rows.truth
    return Sample(truth, readers[needs](model), rows.classes, rows.positive, rows.row_weight, rows.columns, rows.cases)


def splits_of(rows: Rows) -> list[IntArray]:
    """Row numbers of each split; all rows where there are no splits."""
    if rows.split_index is None:
        return [np.arange(rows.n)]
    order = np.argsort(rows.split_index, kind="stable")
    return list(np.split(order, np.searchsorted(rows.split_index[order], np.arange(1, len(rows.splits)))))


class Countable(Protocol):
    """What counting asks of a measure; `bakeoff.Measure` is one."""

    @property
    def value(self) -> Callable[..., Any]:
        """The formula on the totals of its form."""

    @property
    def gradient(self) -> Callable[..., Any]:
        """Derivative of the value in the totals, where it is known in closed form."""

    @property
    def has_gradient(self) -> bool:
        """Whether it is; else it is taken numerically."""

    @property
    def smooth(self) -> bool:
        """Whether the value changes smoothly with the totals, so that influence values describe it."""

    @property
    def is_area(self) -> bool:
        """Whether it is a linear function of the area under the ROC curve, which has kernels of its own."""

    @property
    def area(self) -> tuple[float, float]:
        """Factor and constant of that function."""

    @property
    def drawn(self) -> Callable[[RankedDraws], FloatArray]:
        """The values ``[B, k]`` on draws of sorted rows, where there is a pass for it (tallies)."""

    @property
    def has_pass(self) -> bool:
        """Whether there is."""

    @property
    def needs(self) -> str:
        """Labels, scores, probabilities, values or outcomes."""


class Form(Protocol):
    """Cells, Sums, Tally or Answers of k models on the same rows."""

    def take(self, rows: NDArray[Any]) -> Self:
        """Keep some rows: a fold, a slice, rows written out."""

    def totals(self, weights: FloatArray) -> Any:
        """Add the rows up with weights ``[b, n]``; one leading axis."""

    def values(self, measure: Countable, totals: Any) -> FloatArray:
        """The measure of every model, ``[b, k]``."""

    def slope(self, measure: Countable, weight: FloatArray) -> FloatArray:
        """Derivative of the values in the weight of each row, ``[n, k]``."""

    def unseen_move(
        self, measure: Countable, units: Units, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that one row of weight 1, of a kind not seen yet, moves a contrast of models; None if not known.

        Of whole groups only cells know it: a group is not a row.
        """

    def edge_values(self, measure: Countable, units: Units, model: int, z2: float) -> FloatArray:
        """Values if z²/(n + z²) of the rows of a class had been answered otherwise, in each way; empty if not known.

        n is the number of units that the rows of the class are worth.
        """

    def resample(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Values on draws of the units, ``[B, k]``, by the fastest kernel there is."""

    def leave_out(self, measure: Countable, units: Units) -> tuple[FloatArray, FloatArray] | None:
        """Values without each kind of unit ``[u, k]`` and how many units are alike, where that is exact and fast."""

    def swap(self, measure: Countable, units: Units, draws: Draws) -> FloatArray:
        """Differences of the two models after swapping their answers by a coin on each unit, ``[B]``."""


class FormKind(Protocol):
    """How a measure counts rows: the maker of a form."""

    @property
    def name(self) -> str:
        """``"cells"``, ``"tally"``, ``"sums"``, ``"answers"`` or ``"times"``."""

    @property
    def row_terms(self) -> RowTerms | None:
        """What makes the terms of a row from that row alone, where there is such a thing."""
        return None

    def losses(self, sample: Sample) -> FloatArray:
        """What each row adds to the mean that is the measure, ``[n]``: wrong or right, or its own term."""
        raise TypeError(f"a measure of {self.name} is no mean over rows")

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold what each row adds, for resampling."""

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure over all rows, from counts that may have been made by an engine without loading rows."""

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure on each split, ``[J]``."""


def swapped_by_rows(form: Form, measure: Countable, units: Units, draws: Draws) -> FloatArray:
    """Differences after swaps, for any form that holds a's rows and then b's as one model.

    Every row stands at both models' places; the coin of its unit is its multiplier at one of them. So nothing is
    sorted or counted anew, and the values are those of exchanging the answers and starting over.
    """
    found = []
    for coin in coins(units, draws):
        kept, moved = units.spread((1 - coin) * units.once), units.spread(coin * units.once)
        a = form.values(measure, form.totals(np.concatenate([kept, moved], axis=1)))
        b = form.values(measure, form.totals(np.concatenate([moved, kept], axis=1)))
        with np.errstate(invalid="ignore"):  # both infinite: undefined
            found.append((a - b)[:, 0])
    return np.concatenate(found)


def stencil(function: Callable[[FloatArray], FloatArray], at: FloatArray, steps: FloatArray) -> FloatArray:
    """Derivative of ``function([p, *shape]) → [p]`` in each entry of the points `at` ``[t, *shape]``, by five points.

    Its error is of the fourth order in the step, so that a step of a thousandth gives eleven digits.
    Entries with step 0 get derivative 0.
    """
    flat, far, shape = at.reshape(len(at), -1), steps.reshape(len(at), -1), at.shape[1:]
    point, entry = np.nonzero(far)
    bump = np.zeros((point.size, flat.shape[1]))
    bump[np.arange(point.size), entry] = far[point, entry]
    points = [np.asarray(function((flat[point] + s * bump).reshape(-1, *shape))) for s in (-2, -1, 1, 2)]
    slopes = np.zeros(flat.shape)
    slopes[point, entry] = (points[0] - 8 * points[1] + 8 * points[2] - points[3]) / (12 * far[point, entry])
    return slopes.reshape(at.shape)
