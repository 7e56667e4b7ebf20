"""One cell of an evaluation: a measure of a model on a data set, with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.language import Text, joined, numeral
from bakeoff._core.result import Interval, Result, columns_of


@dataclass(frozen=True, repr=False)
class Entry(Result):
    """One cell of an evaluation.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> entry = bakeoff.evaluate(p, "accuracy").entries[0]
    >>> entry.model, entry.measure, entry.n, entry.interval.method
    ('a', 'accuracy', 100, 'wilson')
    """

    dataset: str
    model: str
    measure: str
    interval: Interval
    n: int
    n_units: int = 0
    standard_error: float = float("nan")

    @property
    def note(self) -> str:
        """The notes of the interval as one text, in the language of the reader."""
        return str(self._note)

    @property
    def estimate(self) -> float:
        """The number."""
        return self.interval.estimate

    @property
    def low(self) -> float:
        """Its lower confidence limit."""
        return self.interval.low

    @property
    def high(self) -> float:
        """Its upper confidence limit."""
        return self.interval.high

    def _columns(self) -> dict[str, Sequence[Any]]:
        return columns_of_entries((self,))

    @property
    def _note(self) -> Text:
        return joined(n.text for n in self.interval.notes)


def columns_of_entries(entries: Sequence[Entry]) -> dict[str, Sequence[Any]]:
    """The columns of an evaluation's frame."""
    names = ("dataset", "model", "measure", "estimate", "low", "high", "method", "n", "note", "standard_error")
    return columns_of(entries, (*names, "n_units"), method="interval.method", note="_note")


def level_text(level: float) -> Text:
    """What the limits of a table are."""
    return Text("{level} % confidence intervals", level=numeral(100 * level))
