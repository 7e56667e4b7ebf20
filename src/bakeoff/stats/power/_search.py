"""Searches shared by the power calculations: the smallest sample, or the smallest difference, that is enough."""

from __future__ import annotations

from collections.abc import Callable

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import check_alternative, check_level, check_number


def check_target(alpha: float, power: float) -> tuple[float, float]:
    """Return level and power, both fractions, the power above the level."""
    alpha, power = check_level(alpha, "alpha"), check_level(power, "power")
    if power <= alpha:
        raise ParameterError(
            f"power must be above alpha, which any test reaches by chance. Got power {power:g} and alpha {alpha:g}."
        )
    return alpha, power


def check_effect(effect: float, alternative: str) -> None:
    """Refuse effects that no sample size can show: none at all, or on the wrong side of a one-sided test."""
    check_number("effect", effect)
    check_alternative(alternative)
    if effect == 0 or (alternative == "greater" and effect < 0) or (alternative == "less" and effect > 0):
        raise ParameterError(
            f"effect must be a difference the alternative {alternative!r} looks for. Got {effect!r} instead.",
            hint="effect is the true mean of a − b",
        )


def check_sides(names: str, a: float, b: float, alternative: str) -> None:
    """Refuse two rates that no sample size can tell apart: equal, or on the wrong side of a one-sided test."""
    wrong = {"two-sided": a == b, "greater": a <= b, "less": a >= b}
    if wrong[check_alternative(alternative)]:
        raise ParameterError(f"{names} must differ in the direction {alternative!r} looks for. Got {a:g} and {b:g}.")


def smallest_count(
    power_at: Callable[[int], float],
    target: float,
    what: str,
    *,
    minimum: int = 2,
    maximum: int = 1_000_000_000,
    hint: str = "ask for a larger difference",
) -> int:
    """Return the smallest count whose power reaches the target: doubling, then bisection.

    Power grows with the count but for the small teeth of discrete tests, so the answer is one that suffices and whose
    predecessor does not.
    """
    low, high = minimum - 1, minimum
    while power_at(high) < target:
        if high >= maximum:
            reached = power_at(maximum)
            raise ParameterError(
                f"no number of {what} up to {maximum:,} reaches a power of {target:g}: at {maximum:,} it is "
                f"{reached:.3g}.",
                hint=hint,
            )
        low, high = high, min(2 * high, maximum)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_at(middle) >= target else (middle, high)
    return high


def smallest_effect(
    power_at: Callable[[float], float], target: float, *, start: float, limit: float, what: str
) -> float:
    """Return the effect, up to `limit`, at which the power reaches the target."""
    from scipy.optimize import brentq

    if power_at(limit) < target:
        raise ParameterError(
            f"no {what} can be detected with a power of {target:g}: even at {limit:g} the power is "
            f"{power_at(limit):.3g}.",
            hint="use more data",
        )
    high = min(start, limit)
    while power_at(high) < target:
        high = min(2 * high, limit)
    return float(brentq(lambda effect: power_at(effect) - target, 0.0, high, xtol=1e-6 * high, rtol=1e-6))
