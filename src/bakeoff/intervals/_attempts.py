"""Attempts: how much of the variance of outcomes is items, how much attempts, and what more of either would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.result import Note, Result
from bakeoff._core.validation import FloatArray


@dataclass(frozen=True, repr=False)
class Components(Result):
    """Variance components of one model: one-way random effects, the item as the effect.

    Attributes
    ----------
    n_items, n_attempts
        Items, and attempts at one of them on average.
    var_items, var_attempts, icc
        Variance between items, and of attempts at one; the share of the first in their sum.
    standard_error, se_items_doubled, se_attempts_doubled
        Of the mean: now, with twice the items, with twice the attempts at each.

    Examples
    --------
    >>> from bakeoff.intervals import components
    >>> import numpy as np
    >>> counts = np.array([[4, 4.0, 4.0], [4, 1.0, 1.0], [4, 2.0, 2.0]])  # attempts, right, right² of three items
    >>> round(components("data", "a", "mean_outcome", counts, 0.22).icc, 3)
    0.333
    """

    dataset: str
    model: str
    measure: str
    n_items: int
    n_attempts: float
    var_items: float
    var_attempts: float
    icc: float
    standard_error: float
    se_items_doubled: float
    se_attempts_doubled: float
    notes: tuple[Note, ...] = ()


def components(dataset: str, model: str, measure: str, counts: FloatArray, error: float) -> Components:
    """Components from attempts, Σy and Σy² of each item, ``[n, 3]``, by the ANOVA estimator (unequal attempts too)."""
    m, total, squares = counts.T
    n, every, mean = len(m), float(m.sum()), total / m
    within = float((squares - m * mean**2).sum()) / (every - n) if every > n else float("nan")
    between = float(m @ (mean - total.sum() / every) ** 2) / max(n - 1, 1)
    # What E[between] holds of the variance between items: n₀ of the unbalanced one-way layout, the m of a balanced one.
    size = (every - float(m @ m) / every) / max(n - 1, 1)
    items = (between - within) / size if size > 0 else float("nan")
    notes: tuple[Note, ...] = ()
    if items < 0:
        items = 0.0
        text = Text(
            "items of {model!r} vary less than chance alone would make them: that variance is taken as 0.", model=model
        )
        notes = (Note("no-item-variance", text),)
    of_attempts = within * float((1 / m).mean()) / n  # in the squared standard error
    # Twice the attempts halve what is due to attempts; below that share no standard error can fall.
    fewer = max(error**2 - of_attempts / 2, of_attempts / 2)
    both = items + within
    return Components(
        dataset, model, measure, n, every / n, items, within, items / both if both > 0 else float("nan"), error,
        error / np.sqrt(2), float(np.sqrt(fewer)), notes,
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class Variance(Result):
    """Components of every model, where items were attempted several times.

    Examples
    --------
    >>> import bakeoff
    >>> long = {"id": [1, 1, 2, 2, 3, 3], "m": ["a"] * 6, "t": [0, 1] * 3, "r": [1, 0, 1, 1, 0, 0]}
    >>> p = bakeoff.Predictions.from_outcomes(long, item="id", model="m", outcome="r", attempt="t")
    >>> bakeoff.evaluate(p).variance.entries[0].n_attempts
    2.0
    """

    entries: tuple[Components, ...]
    notes: tuple[Note, ...] = ()

    def _headline(self) -> str:
        return f"{len(self.entries)} models"

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = [name for name in Components.__dataclass_fields__ if name != "notes"]
        return {name: [getattr(e, name) for e in self.entries] for name in names}
