"""Sample: one model's rows as plain arrays, the input of a measure."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Rows


@dataclass(frozen=True)
class Sample:
    """What was true and what one model said, in the one kind of output a measure needs.

    Attributes
    ----------
    truth
        Class codes ``[n]`` or true values ``[n]``.
    output
        Class codes ``[n]``, scores ``[n]``, probabilities ``[n, K]``, values ``[n]`` or outcomes ``[n]``.
    classes, positive
        The classes in order, and the index of the positive one.
    weight
        Weights ``[n]`` or None.

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.measures import Sample, get
    >>> sample = Sample(np.array([0, 1, 1]), np.array([0, 1, 0]), classes=("no", "yes"), positive=1)
    >>> get("recall").of_sample(sample)
    0.5
    """

    truth: NDArray[np.generic]
    output: NDArray[np.generic]
    classes: tuple[Hashable, ...] = ()
    positive: int | None = None
    weight: FloatArray | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.truth.shape[0])

    def weights(self) -> FloatArray:
        """Weights ``[n]``, ones where none were given."""
        return np.ones(self.n) if self.weight is None else self.weight

    def with_weight(self, weight: FloatArray) -> Sample:
        """Replace the weights (a bootstrap replicate)."""
        return replace(self, weight=weight)

    def take(self, rows: NDArray[np.generic]) -> Sample:
        """Keep some rows."""
        weight = None if self.weight is None else self.weight[rows]
        return replace(self, truth=self.truth[rows], output=self.output[rows], weight=weight)


def sample_of(rows: Rows, model: str, needs: str) -> Sample:
    """Return the arrays a measure with these needs asks of one model.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.measures import sample_of
    >>> p = bakeoff.Predictions.from_arrays(["no", "yes", "yes"], y_pred={"a": ["no", "yes", "no"]}, pos_label="yes")
    >>> rows = p.table()
    >>> sample_of(rows, "a", "labels").output.tolist()
    [0, 1, 0]
    """
    readers: dict[str, Callable[[str], NDArray[Any]]] = {
        "labels": rows.labels,
        "scores": rows.scores,
        "probabilities": rows.probabilities,
        "values": rows.values,
        "outcomes": rows.values,
    }
    truth = rows.positives() if needs == "scores" else rows.truth
    return Sample(truth, readers[needs](model), rows.classes, rows.positive, rows.weight)
