"""Sample: one model's rows as plain arrays, the input of a measure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.evidence import Rows


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
