"""A context that is not known exactly: ranges or distributions for the prevalence and the costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeAlias

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.validation import FloatArray, check_count, check_number
from bakeoff.decision._context import OperatingContext

# A number, a (low, high) range taken as uniform, or a SciPy frozen distribution (anything with rvs and mean).
Uncertain: TypeAlias = Any


@dataclass(frozen=True, kw_only=True)
class UncertainContext:
    """An operating context some of whose numbers are only known within a range or by a distribution.

    Each argument is a number, a range ``(low, high)`` (taken as uniform), or a SciPy frozen distribution. The numbers
    are taken as independent of each other.

    Parameters
    ----------
    prevalence, cost_fp, cost_fn, cost_tp, cost_tn
        As in `OperatingContext`; `prevalence` None means "as in the data".

    Examples
    --------
    >>> context = UncertainContext(prevalence=(0.005, 0.02), cost_fp=10, cost_fn=(5_000, 15_000))
    >>> mean = context.mean()
    >>> mean.prevalence, mean.cost_fn
    (0.0125, 10000.0)
    >>> low, high = context.pc_range()
    >>> round(low, 3), round(high, 3)
    (0.715, 0.968)
    """

    prevalence: Uncertain = None
    cost_fp: Uncertain = 1.0
    cost_fn: Uncertain = 1.0
    cost_tp: Uncertain = 0.0
    cost_tn: Uncertain = 0.0

    def __post_init__(self) -> None:
        for name, value in self._items():
            _check_uncertain(name, value)
        for corner in self._corners():
            OperatingContext(**corner)  # every extreme must be a reasonable context

    def at(self, prevalence: float) -> UncertainContext:
        """Resolve "as in the data": take this prevalence if none was given."""
        if self.prevalence is not None:
            return self
        return UncertainContext(**{**dict(self._items()), "prevalence": prevalence})

    def mean(self) -> OperatingContext:
        """Return the context of the mean numbers.

        The expected cost is linear in prevalence times cost, and the numbers are independent, so the rule that is
        cheapest here is the one that is cheapest on average over the uncertainty.
        """
        means: dict[str, Any] = {name: _mean(value) for name, value in self._items()}
        return OperatingContext(**means)

    def draw(self, n: int, rng: RngLike = None) -> list[OperatingContext]:
        """Draw `n` possible contexts."""
        generator = as_generator(rng)
        columns = {name: _draw(value, check_count("n", n), generator) for name, value in self._items()}
        known = {name: column for name, column in columns.items() if column is not None}
        return [OperatingContext(**{name: float(column[i]) for name, column in known.items()}) for i in range(n)]

    def draw_pc(self, n: int, rng: RngLike = None) -> FloatArray:
        """Draw `n` values of PC(+), ``[n]``."""
        return np.array([context.pc for context in self.draw(n, rng)])

    def pc_range(self) -> tuple[float, float]:
        """Return the smallest and largest PC(+) over the ranges (the central 99.9 % of a distribution)."""
        values = [OperatingContext(**corner).pc for corner in self._corners()]
        return min(values), max(values)

    def _items(self) -> list[tuple[str, Any]]:
        return [(f.name, getattr(self, f.name)) for f in fields(self)]

    def _corners(self) -> list[dict[str, Any]]:
        corners: list[dict[str, Any]] = [{}]
        for name, value in self._items():
            ends = sorted(set(_ends(value))) if value is not None else [None]
            corners = [{**corner, name: end} for corner in corners for end in ends]
        return corners


@dataclass(frozen=True)
class ContextDraws:
    """The numbers of the context for every resample, ``[B]`` each; NaN prevalence means that of the resample."""

    prevalence: FloatArray
    cost_fp: FloatArray
    cost_fn: FloatArray
    cost_tp: FloatArray
    cost_tn: FloatArray

    @classmethod
    def of(cls, given: OperatingContext | UncertainContext, n: int, rng: np.random.Generator) -> ContextDraws:
        """Draw `n` contexts, or repeat the one that is known."""
        drawn = given.draw(n, rng) if isinstance(given, UncertainContext) else [given] * n
        shares = [np.nan if c.prevalence is None else c.prevalence for c in drawn]
        names = ("cost_fp", "cost_fn", "cost_tp", "cost_tn")
        return cls(np.array(shares), *(np.array([getattr(c, name) for c in drawn]) for name in names))

    def slice(self, start: int, stop: int) -> ContextDraws:
        """Keep some of the draws."""
        names = ("prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn")
        return ContextDraws(*(getattr(self, name)[start:stop] for name in names))

    def cost(self, fpr: FloatArray, tpr: FloatArray, share: FloatArray) -> FloatArray:
        """Return the expected cost of each resample at its rates; `share` is the resample's own prevalence."""
        pi = np.where(np.isnan(self.prevalence), share, self.prevalence)
        on_positives = tpr * self.cost_tp + (1 - tpr) * self.cost_fn
        on_negatives = fpr * self.cost_fp + (1 - fpr) * self.cost_tn
        return pi * on_positives + (1 - pi) * on_negatives


def as_context(context: object) -> OperatingContext | UncertainContext:
    """Accept a context, an uncertain context, or a mapping of either's arguments."""
    if isinstance(context, (OperatingContext, UncertainContext)):
        return context
    if isinstance(context, Mapping):
        certain = all(value is None or isinstance(value, (int, float)) for value in context.values())
        return OperatingContext(**context) if certain else UncertainContext(**context)
    raise ParameterError(
        f"context must be an OperatingContext. Got {type(context).__name__} instead.",
        hint="OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)",
    )


def _is_distribution(value: object) -> bool:
    return all(hasattr(value, method) for method in ("rvs", "mean", "ppf"))


def _check_uncertain(name: str, value: Uncertain) -> None:
    if value is None and name == "prevalence":
        return
    if isinstance(value, tuple):
        if len(value) != 2 or not value[0] <= value[1]:
            raise ParameterError(f"{name} must be a number, a range (low, high) or a distribution. Got {value!r}.")
        for end in value:
            check_number(name, end)
    elif not _is_distribution(value):
        check_number(name, value)


def _ends(value: Uncertain) -> tuple[float, ...]:
    if isinstance(value, tuple):
        return float(value[0]), float(value[1])
    if _is_distribution(value):
        return float(value.ppf(0.0005)), float(value.ppf(0.9995))
    return (float(value),)


def _mean(value: Uncertain) -> float | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return (float(value[0]) + float(value[1])) / 2
    return float(value.mean()) if _is_distribution(value) else float(value)


def _draw(value: Uncertain, n: int, rng: np.random.Generator) -> FloatArray | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return rng.uniform(float(value[0]), float(value[1]), n)
    if _is_distribution(value):
        return np.asarray(value.rvs(size=n, random_state=rng), dtype=np.float64)
    return np.full(n, float(value))
