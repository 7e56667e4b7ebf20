"""Planning a comparison of AUCs: DeLong's variance where it holds, else simulated cases under the interval rule."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, check_number
from bakeoff.comparison._planners import PlanFacts, Planner
from bakeoff.counts import Counted, Tally
from bakeoff.evidence import Units
from bakeoff.intervals import Rule
from bakeoff.measures import get
from bakeoff.stats import detectable_delong, power_delong, sample_size_delong

ENOUGH = 30  # rows of the rarer class from which the power of DeLong's test holds to first order
_DRAWS = 200  # simulated test sets: a Monte-Carlo error of at most 0.035 in the power
_STEPS = 7


def plan_areas(facts: PlanFacts, difference: float | None) -> Planner:
    """Binormal scores: N(0, 1) for negatives, N(μ, 1) for positives, correlated within a class."""
    if facts.area != (1.0, 0.0):
        return _plan_scaled(facts, difference)
    names = ("baseline", "prevalence", "correlation")
    assumptions = {name: facts.or_default(name) for name in names}
    baseline, prevalence, correlation = assumptions.values()
    check_number("prevalence", prevalence, low=0, high=1, closed="none")
    if not 0 < baseline + (difference or 0.0) < 1:
        raise ParameterError(
            f"baseline + difference must be between 0 and 1, as no AUC is more. Got {baseline:g} + {difference:g}.",
            hint="give baseline=, the AUC of the model to beat, or ask for a smaller difference",
        )
    rarer = min(prevalence, 1 - prevalence)

    def classes(n: int) -> tuple[int, int]:
        positives = min(max(round(n * prevalence), 2), n - 2)
        return positives, n - positives

    @cache
    def power_at(gap: float, n: int, alpha: float) -> float:
        if min(classes(n)) >= ENOUGH:
            return power_delong(baseline + gap, baseline, *classes(n), correlation=correlation, alpha=alpha)
        return _simulated_power((baseline + gap, baseline), n, prevalence, correlation, alpha)

    def needed(gap: float, alpha: float, power: float) -> int:
        found = sample_size_delong(
            baseline + gap, baseline, prevalence=prevalence, correlation=correlation, alpha=alpha, power=power
        )
        if min(classes(found)) >= ENOUGH:
            return found
        low, high = found - 1, int(np.ceil(ENOUGH / rarer)) + 1  # enough there: the formula asks for fewer
        while high - low > max(1, high // 50):  # to 2 %: the simulated power is not known better
            middle = (low + high) // 2
            low, high = (low, middle) if power_at(gap, middle, alpha) >= power else (middle, high)
        return high

    def detectable(n: int, alpha: float, power: float) -> float:
        if min(classes(n)) >= ENOUGH:
            return detectable_delong(baseline, *classes(n), correlation=correlation, alpha=alpha, power=power)
        low, high = 0.0, 1 - baseline - 1e-6
        if power_at(high, n, alpha) < power:
            raise ParameterError(
                f"no difference of AUCs can be detected with a power of {power:g}: even at {high:.3g} the power is "
                f"{power_at(high, n, alpha):.3g}.",
                hint="use more data",
            )
        for _ in range(_STEPS):
            middle = (low + high) / 2
            low, high = (low, middle) if power_at(middle, n, alpha) >= power else (middle, high)
        return high

    return Planner(
        power_at=power_at,
        needed=needed,
        detectable=detectable,
        assumptions=assumptions,
        assumed=facts.unknown(*names),
        minimum=4,
        curve_points=12,
    )


def _plan_scaled(facts: PlanFacts, difference: float | None) -> Planner:
    """The same for a linear function of the AUC."""
    factor, constant = facts.area
    baseline = None if facts.baseline is None else (facts.baseline - constant) / factor
    plain = plan_areas(replace(facts, area=(1.0, 0.0), baseline=baseline), difference and difference / factor)
    return replace(
        plain,
        power_at=lambda gap, n, alpha: plain.power_at(gap / factor, n, alpha),
        needed=lambda gap, alpha, power: plain.needed(gap / factor, alpha, power),
        detectable=lambda n, alpha, power: factor * plain.detectable(n, alpha, power),
        assumptions={**plain.assumptions, "baseline": constant + factor * plain.assumptions["baseline"]},
    )


def _simulated_power(areas: tuple[float, float], n: int, prevalence: float, correlation: float, alpha: float) -> float:
    """How often the rule's interval leaves out zero; test sets with fewer than two rows of a class show nothing."""
    from scipy.special import ndtri

    for name, area in zip(("auc_a", "auc_b"), areas, strict=True):
        check_number(name, area, low=0, high=1, closed="none")
    shift = np.sqrt(2) * ndtri(np.array(areas))
    rng = np.random.default_rng(0)  # common draws: power grows smoothly with the difference
    shown = 0
    for _ in range(_DRAWS):
        positive = rng.random(n) < prevalence
        common, own = rng.normal(size=(n, 1)), rng.normal(size=(n, 2))
        sign = np.copysign(1.0, correlation) if correlation else 1.0
        scores = np.sqrt(abs(correlation)) * common * [1.0, sign] + np.sqrt(1 - abs(correlation)) * own
        if 2 <= positive.sum() <= n - 2:
            shown += _shown(scores + positive[:, None] * shift, positive, alpha)
    return shown / _DRAWS


def _shown(scores: FloatArray, positive: np.ndarray, alpha: float) -> bool:
    measure = get("auc")
    rule = Rule(Counted(Tally(scores, positive), Units.of(len(positive))), measure)
    spread = rule.spread((0, 1), np.array([1.0, -1.0]))
    gap = float(rule.influence.value[0] - rule.influence.value[1])
    if abs(gap) < spread.se:  # no level in use leaves out zero within one standard error
        return False
    low, high = rule.difference(0, 1, 1 - alpha)
    return low > 0 or high < 0
