"""A context that is not known exactly: ranges or distributions for the prevalence and the costs."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import BoolArray, FloatArray, RngLike, as_generator, check_count, check_number
from bakeoff.decision._context import OperatingContext


@runtime_checkable
class Distribution(Protocol):
    """A SciPy frozen distribution, or anything else with its methods."""

    def rvs(self, *, size: int, random_state: np.random.Generator) -> FloatArray:
        """Draw some numbers."""
        ...

    def mean(self) -> float:
        """Return the mean."""
        ...

    def ppf(self, q: float, /) -> float:
        """Return a quantile."""
        ...


# A number, a (low, high) range taken as uniform, or a distribution.
Uncertain: TypeAlias = float | tuple[float, float] | Distribution


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
    """

    prevalence: Uncertain | None = None
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

    def draw(self, n: int, rng: RngLike = None) -> ContextDraws:
        """Draw `n` possible contexts."""
        generator, size = as_generator(rng), check_count("n", n)
        columns: dict[str, Any] = {name: _draw(value, size, generator) for name, value in self._items()}
        drawn = ContextDraws(**columns)
        impossible = drawn.impossible
        if impossible.any():  # beyond the range that was checked when the context was made: say what is wrong with it
            at = int(impossible.argmax())
            one: dict[str, Any] = {name: None if c is None else float(c[at]) for name, c in columns.items()}
            OperatingContext(**one)
        return drawn

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
    """Drawn numbers of a context, ``[n]`` each; no prevalence where it is that of the data."""

    prevalence: FloatArray | None
    cost_fp: FloatArray
    cost_fn: FloatArray
    cost_tp: FloatArray
    cost_tn: FloatArray

    @property
    def impossible(self) -> BoolArray:
        """Which draws are no operating contexts: no share, or a right answer that costs more than the wrong one."""
        unreasonable = (self.cost_tp > self.cost_fn) | (self.cost_tn > self.cost_fp)
        return unreasonable if self.prevalence is None else unreasonable | (np.abs(self.prevalence - 0.5) > 0.5)

    @property
    def pc(self) -> FloatArray:
        """PC(+) of each draw, ``[n]``."""
        if self.prevalence is None:
            raise ParameterError("PC(+) needs a prevalence, but this context says 'as in the data' (prevalence=None).")
        missed = self.prevalence * (self.cost_fn - self.cost_tp)
        alarmed = (1 - self.prevalence) * (self.cost_fp - self.cost_tn)
        return np.asarray(missed / (missed + alarmed))


def _check_uncertain(name: str, value: Uncertain | None) -> None:
    if value is None and name == "prevalence":
        return
    if isinstance(value, tuple):
        if len(value) != 2 or not value[0] <= value[1]:
            raise ParameterError(f"{name} must be a number, a range (low, high) or a distribution. Got {value!r}.")
        for end in value:
            check_number(name, end)
    elif not isinstance(value, Distribution):
        check_number(name, value)


def _ends(value: Uncertain) -> tuple[float, ...]:
    if isinstance(value, tuple):
        return float(value[0]), float(value[1])
    if isinstance(value, Distribution):
        return float(value.ppf(0.0005)), float(value.ppf(0.9995))
    return (float(value),)


def _mean(value: Uncertain | None) -> float | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return (float(value[0]) + float(value[1])) / 2
    return float(value.mean()) if isinstance(value, Distribution) else float(value)


def _draw(value: Uncertain | None, n: int, rng: np.random.Generator) -> FloatArray | None:
    if value is None:
        return None
    if isinstance(value, tuple):
        return rng.uniform(float(value[0]), float(value[1]), n)
    if isinstance(value, Distribution):
        return np.asarray(value.rvs(size=n, random_state=rng), dtype=np.float64)
    return np.full(n, float(value))
