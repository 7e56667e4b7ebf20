"""How tests plan: power at a size, size for a difference, smallest difference at a size."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Literal

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text
from bakeoff._core.validation import check_number
from bakeoff.measures import Measure
from bakeoff.stats import power_paired_t
from bakeoff.stats.power import smallest_count, smallest_effect

DEFAULTS: Mapping[str, float] = {"baseline": 0.85, "correlation": 0.5, "prevalence": 0.5}
"""What is assumed of two models where it is neither given nor estimated from a pilot."""


@dataclass(frozen=True, kw_only=True)
class PilotError:
    """How well the rows of a pilot tell the difference of two models.

    Attributes
    ----------
    se, df
        Standard error of the difference from influence values, and its degrees of freedom.
    rows
        Rows of the pilot.
    guard
        Distance that the interval allows for a row not seen, as a standard error; it falls faster than `se`.
    stretch
        Factor in `se` for what retraining might change: the truth may be without it.
    design_effect
        Variance with whole groups as units, over the variance as if all rows were independent.
    """

    se: float
    df: float
    rows: int
    guard: float = 0.0
    stretch: float = 1.0
    design_effect: float | None = None

    @property
    def units(self) -> float:
        """Units of equal weight whose variance has `df` degrees of freedom."""
        return min(self.df + 1, float(self.rows))

    def power(self, difference: float, n: int, alpha: float) -> float:
        """Chance that the interval over n rows like these leaves out zero.

        The interval is wider than the difference varies, by the guard and perhaps by `stretch`: the lesser power is
        told. Variances fall with 1/n; the square of the guard, a row of n with weight 2/ν, with its cube.
        """
        from scipy.special import stdtr, stdtrit

        units = max(round(n * self.units / self.rows), 2)
        wider = sqrt(1 + (self.guard / self.se * self.rows / n) ** 2)
        critical = -float(stdtrit(units - 1, alpha / 2))

        def chance(shrunk: float) -> float:
            level = 2 * float(stdtr(units - 1, -critical * wider * shrunk))
            return power_paired_t(difference, self.se * sqrt(self.units) / shrunk, units, alpha=max(level, 1e-12))

        return min(chance(1.0), chance(self.stretch))


@dataclass(frozen=True, kw_only=True)
class PlanFacts:
    """What is known of the models and the evidence to come, from a pilot or given; None where it is not known.

    Attributes
    ----------
    n_rows, n_splits, n_datasets, n_models, n_train, n_test
        Sizes.
    baseline, prevalence, correlation, discordant, sd
        Value of the model to beat; share of positives; correlation of the models; share of instances where exactly one
        is right; standard deviation of the differences.
    within
        The class that a share of right answers is about, ``"positive"`` or ``"negative"``; empty for all rows.
    area
        Factor and constant of a linear function of the AUC.
    pilot, plain, over_folds
        What the influence values of a pilot tell; whether its rows are independent and alike, or over folds.
    """

    n_rows: int | None = None
    n_splits: int | None = None
    n_datasets: int | None = None
    n_models: int | None = None
    baseline: float | None = None
    prevalence: float | None = None
    correlation: float | None = None
    discordant: float | None = None
    sd: float | None = None
    n_train: float | None = None
    n_test: float | None = None
    within: str = ""
    area: tuple[float, float] = (1.0, 0.0)
    pilot: PilotError | None = None
    plain: bool = True
    over_folds: bool = False

    @property
    def counted_share(self) -> float:
        """Share of the rows that a share of right answers is about."""
        prevalence = self.or_default("prevalence")
        return {"positive": prevalence, "negative": 1 - prevalence}.get(self.within, 1.0)

    def or_default(self, name: str) -> float:
        """A fact, or what is assumed of it."""
        known = getattr(self, name)
        return DEFAULTS[name] if known is None else float(known)

    def unknown(self, *names: str) -> tuple[str, ...]:
        """Those of the facts that are not known."""
        return tuple(name for name in names if getattr(self, name) is None)

    def deviation(self, test: Text) -> float:
        """The standard deviation of the differences, which nothing can stand in for."""
        if self.sd is None:
            raise ParameterError(
                f"planning {test} needs sd=, the standard deviation of the differences between two models.",
                hint="take it from a pilot: plan(evidence=…), or from earlier work on such data",
            )
        return check_number("sd", self.sd, low=0, closed="none")


@dataclass(frozen=True, kw_only=True)
class Planner:
    """A test with what is assumed about the models.

    Attributes
    ----------
    power_at
        Difference, units and α → the chance that the difference is shown.
    needed
        Difference, α and power → units.
    detectable
        Units, α and power → the smallest difference that is shown.
    assumptions, assumed
        What was supposed of the models by name, and which of it was neither given nor estimated.
    minimum, curve_points
        Fewest units the test takes; points of the power curve (few where each is a simulation).
    """

    power_at: Callable[[float, int, float], float]
    needed: Callable[[float, float, float], int]
    detectable: Callable[[int, float, float], float]
    assumptions: Mapping[str, float]
    assumed: tuple[str, ...] = ()
    minimum: int = 2
    curve_points: int = 25


@dataclass(frozen=True, kw_only=True)
class Planning:
    """How a test is planned for.

    Attributes
    ----------
    unit
        What is counted.
    planner
        Facts and the difference to be shown (None where it is asked for) → planner.
    example
        What a plan would ask for in a typical case, for a warning about few instances.
    """

    unit: Literal["instances", "splits", "data sets"]
    planner: Callable[[PlanFacts, float | None], Planner]
    example: Callable[[], Text] | None = None


@dataclass(frozen=True)
class CannotPlan:
    """There is no power calculation for the test, and why."""

    reason: Text


@dataclass(frozen=True, kw_only=True)
class FromDeviation:
    """Makes the planner of a test of paired differences, which depends on their standard deviation alone.

    `power`, `size` and `detectable` are functions of `bakeoff.stats`.
    """

    test: Text
    power: Callable[..., float]
    size: Callable[..., int]
    detectable: Callable[..., float]
    curve_points: int = 25

    def __call__(self, facts: PlanFacts, difference: float | None) -> Planner:
        """Return the planner for the deviation at hand."""
        sd = facts.deviation(self.test)
        return Planner(
            power_at=lambda d, n, alpha: self.power(d, sd, n, alpha=alpha),
            needed=lambda d, alpha, power: self.size(d, sd, alpha=alpha, power=power),
            detectable=lambda n, alpha, power: self.detectable(sd, n, alpha=alpha, power=power),
            assumptions={"sd": sd},
            curve_points=self.curve_points,
        )


def class_within(measure: Measure | None) -> str:
    """The class that a share of right answers is about (recall: the positive rows); empty for all rows."""
    return measure.within if measure is not None and measure.within in ("positive", "negative") else ""


def plan_from_pilot(facts: PlanFacts, difference: float | None) -> Planner:
    """For a test from influence values: a t-test over as many units as carry the variance, a share of the rows.

    ν + 1 units of equal weight have a variance with ν degrees of freedom. Both grow with the rows, so the pilot's share
    of such units among its rows stands for any number of rows. Groups, and rows with large influence, are such units.
    """
    pilot = facts.pilot
    if pilot is None:
        raise ParameterError(
            "planning for this measure needs a pilot: its standard error is known only from data.",
            hint="plan(evidence=…) with the predictions of two models on some rows",
        )
    known = {"pilot_se": pilot.se, "pilot_rows": float(pilot.rows)}
    if pilot.design_effect is not None:
        known["design_effect"] = pilot.design_effect
    fewest = ceil(2 * pilot.rows / pilot.units)  # two units
    return Planner(
        power_at=pilot.power,
        needed=lambda d, alpha, power: smallest_count(
            lambda n: pilot.power(d, n, alpha), power, "rows", minimum=fewest
        ),
        detectable=lambda n, alpha, power: smallest_effect(
            lambda d: pilot.power(d, n, alpha), power, start=pilot.se, limit=1e6 * pilot.se, what="difference"
        ),
        assumptions=known,
    )
