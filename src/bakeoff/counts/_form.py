"""What every form of counts can do, and what it asks of a measure.

A *form* holds what a row adds: a cell of the confusion table, terms of sums, a place in a ranking, or the answer
itself. It knows nothing of units, weights, groups or slices; `Counted` joins it with its units.
Letters of the shapes: b replicates, n rows, k models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, named_stream
from bakeoff.evidence import Rows, Units

if TYPE_CHECKING:
    from bakeoff.stats.resample import RankedDraws

MAX_BYTES = 1 << 27  # totals of replicates held at once


class Countable(Protocol):
    """What counting asks of a measure; `bakeoff.Measure` is one."""

    @property
    def value(self) -> Callable[..., Any]:
        """The formula on the totals of its form."""

    @property
    def gradient(self) -> Callable[..., Any] | None:
        """Derivative of the value in the totals, where it is known in closed form (tallies)."""

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
    def drawn(self) -> Callable[[RankedDraws], FloatArray] | None:
        """The values ``[B, k]`` on draws of sorted rows, where there is a pass for it (tallies)."""

    @property
    def needs(self) -> str:
        """Labels, scores, probabilities, values or outcomes."""


@dataclass(frozen=True)
class Draws:
    """How to draw: how many replicates, from which named stream of a seed, and whether the class counts stay fixed.

    A generator in place of the seed is drawn from as it is, for a caller whose other draws follow in the same stream.
    """

    n: int
    seed: int | np.random.Generator
    stream: tuple[str, ...] = ()
    stratified: bool = False

    @property
    def rng(self) -> np.random.Generator:
        """A fresh generator at the start of the stream: the same draws every time it is asked for."""
        return self.seed if isinstance(self.seed, np.random.Generator) else named_stream(self.seed, *self.stream)


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
        self, measure: Countable, weight: FloatArray, models: tuple[int, ...], contrast: FloatArray
    ) -> float | None:
        """The most that one row of weight 1, of a kind not seen yet, moves a contrast of models; None if not known."""

    def edge_values(self, measure: Countable, weight: FloatArray, model: int, z2: float) -> FloatArray:
        """Values if z²/(n + z²) of the rows of a class had been answered otherwise, in each way; empty if not known."""

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

    def of(self, rows: Rows, models: tuple[str, ...], needs: str) -> Form:
        """Hold what each row adds, for resampling."""

    def value(self, measure: Countable, rows: Rows, model: str) -> float:
        """The measure over all rows, from counts that may have been made by an engine without loading rows."""

    def by_split(self, measure: Countable, rows: Rows, model: str) -> FloatArray:
        """The measure on each split, ``[J]``."""


def worth_rows(weight: FloatArray) -> float:
    """How many equally important rows these weights are worth (Kish): their number where all are equal."""
    return float(weight.sum() ** 2 / (weight**2).sum())


def coins(units: Units, draws: Draws) -> Iterator[FloatArray]:
    """Yield fair coins of whole records, chunk by chunk, ``[b, records]``."""
    at_once, rng = max(1, MAX_BYTES // (8 * units.rows)), draws.rng
    sizes = [min(at_once, draws.n - first) for first in range(0, draws.n, at_once)]
    for size in sizes:
        yield rng.integers(0, 2, size=(size, units.records)).astype(np.float64)


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
