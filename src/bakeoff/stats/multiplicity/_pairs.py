"""What every all-pairs and every against-a-control comparison returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import Null

Pair = tuple[int, int]


def all_pairs(n_models: int) -> list[Pair]:
    """List the pairs (i, j) with i < j, in lexicographic order.

    Examples
    --------
    >>> from bakeoff.stats import all_pairs
    >>> all_pairs(3)
    [(0, 1), (0, 2), (1, 2)]
    """
    return [(i, j) for i in range(n_models) for j in range(i + 1, n_models)]


def pair_indices(n_models: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the first and second members of `all_pairs` as arrays."""
    first, second = np.triu_indices(n_models, 1)
    return first, second


def pair_differences(values: FloatArray) -> FloatArray:
    """Return the differences first − second of one value per model, in the order of `all_pairs`."""
    first, second = pair_indices(values.size)
    return np.asarray(values[first] - values[second])


def check_control(control: object, n_models: int) -> int:
    """Return the column of the control model."""
    if isinstance(control, (int, np.integer)) and not isinstance(control, bool) and 0 <= int(control) < n_models:
        return int(control)
    raise ParameterError(
        f"control must be the column of a model, from 0 to {n_models - 1}. Got {control!r} instead.",
        hint="columns count from 0",
    )


@dataclass(frozen=True, repr=False, kw_only=True)
class FamilyResult(Tested):
    """What a family of comparisons returns, one value per comparison.

    Attributes
    ----------
    statistic, pvalue
        One value per comparison; `adjusted` tells whether the p-values are adjusted for their number.
    estimate
        The difference that the statistic is about (its kind is named by `estimate_kind`).
    method, adjusted
        Name of the procedure, and whether its p-values are simultaneous by construction; if not, give them to
        `adjust` or `adjust_pairs`.
    df
        Degrees of freedom of the reference distribution; infinite for a normal one.
    notes
        Choices made and weaknesses seen.
    """

    statistic: FloatArray
    pvalue: FloatArray
    estimate: FloatArray
    estimate_kind: str
    method: str
    adjusted: bool = False
    df: float = float("inf")
    notes: tuple[Note, ...] = ()

    @property
    def null_distribution(self) -> Null:
        """Return the distribution of the statistics under the null hypothesis."""
        found: Null = self._inputs.get("null", Null("t", (self.df,)))
        return found

    def _vectors(self) -> dict[str, list[Any]]:
        names = ("estimate", "statistic", "pvalue", "low", "high")
        return {name: list(getattr(self, name)) for name in names if hasattr(self, name)}

    def _smallest(self) -> str:
        defined = self.pvalue[~np.isnan(self.pvalue)]
        return f", smallest p={defined.min():.4g}" if defined.size else ""


@dataclass(frozen=True, repr=False, kw_only=True)
class PairsResult(FamilyResult):
    """Answer of a comparison of all pairs of models; `estimate` is first − second.

    Attributes
    ----------
    pairs
        The pairs (i, j) of columns, i < j, in lexicographic order.
    """

    pairs: list[Pair]

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {"first": [i for i, _ in self.pairs], "second": [j for _, j in self.pairs], **self._vectors()}

    def _headline(self) -> str:
        return f"method={self.method!r}, pairs={len(self.pairs)}{self._smallest()}"


@dataclass(frozen=True, repr=False, kw_only=True)
class ControlResult(FamilyResult):
    """Answer of a comparison of every model with a control; `estimate` is other − control.

    Attributes
    ----------
    control
        Column of the control model.
    others
        Columns of the models compared with it.
    """

    control: int
    others: list[int]

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {"model": self.others, "control": [self.control] * len(self.others), **self._vectors()}

    def _headline(self) -> str:
        return f"method={self.method!r}, control={self.control}, others={len(self.others)}{self._smallest()}"
