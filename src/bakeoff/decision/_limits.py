"""How sure a cost is: limits of sums of error rates with known prices, and which costs can be told apart.

Newcombe's square-and-add method (MOVER) recovers the variance of each rate from its Wilson limits. It needs no
resampling, respects that costs are bounded, and its limits have width also where no error was seen. Resampled rates
get such a width from `unseen_errors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.result import Interval
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._rules import BinaryRows, Rates, ResampledRates

if TYPE_CHECKING:
    from bakeoff.decision._decision import Alternative


def normal_quantile(level: float) -> float:
    """Two-sided normal quantile of a confidence level."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def t_quantile(level: float, df: float) -> float:
    """Two-sided quantile of Student's t."""
    from scipy.special import stdtrit

    return float(stdtrit(max(df, 1), (1 + level) / 2))


def wilson(share: ArrayLike, n: ArrayLike, z: float) -> tuple[FloatArray, FloatArray]:
    """Wilson's limits of observed proportions with `z` standard errors on each side.

    They are the shares p₀ that a score test with variance p₀(1 − p₀)/n does not reject. Unlike Wald's they stay
    between 0 and 1 and have width where the share is 0 or 1, which a rule without an error needs.
    """
    p, size = np.asarray(share, dtype=np.float64), np.asarray(n, dtype=np.float64)
    centre = (p + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * np.sqrt(p * (1 - p) / size + z * z / (4 * size * size))
    # At 0 and 1 one limit is the share itself; rounding of centre − half must not put it a little beyond.
    return np.where(p <= 0, 0.0, centre - half), np.where(p >= 1, 1.0, centre + half)


def sum_of_rates(
    weights: tuple[ArrayLike, ArrayLike], rates: tuple[ArrayLike, ArrayLike], sizes: tuple[float, float], z: float
) -> tuple[FloatArray, FloatArray]:
    """Limits of w₁·p₁ + w₂·p₂ for two rates of independent samples and weights that are not negative.

    The prevalence is known, so misses are counted among positives and false alarms among negatives: two binomial
    samples. The lower limit of the sum lies √((w₁(p₁ − l₁))² + (w₂(p₂ − l₂))²) below it, since p − l estimates z
    standard errors *near that limit*; likewise above. So the interval is as skew as Wilson's are.

    References
    ----------
    Newcombe, R. G. (1998). Interval estimation for the difference between independent proportions. Statistics in
    Medicine 17, 873–890. https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I
    Zou, G. Y. & Donner, A. (2008). Construction of confidence limits about effect measures: a general approach.
    Statistics in Medicine 27, 1693–1702. https://doi.org/10.1002/sim.3095
    """
    terms = []
    for weight, rate, size in zip(weights, rates, sizes, strict=True):
        w, p = np.asarray(weight, dtype=np.float64), np.asarray(rate, dtype=np.float64)
        low, high = wilson(p, size, z)
        terms.append((w * p, w * (p - low), w * (high - p)))
    (first, first_below, first_above), (second, second_below, second_above) = terms
    below, above = np.hypot(first_below, second_below), np.hypot(first_above, second_above)
    return np.asarray(first + second - below), np.asarray(first + second + above)


def mean_of_cells(prices: ArrayLike, shares: ArrayLike, n: float, z: float) -> tuple[float, float]:
    """Limits of Σ price·share over the cells of one multinomial sample of `n`.

    The prevalence (or the class mix) is that of the sample, so all cells vary together. The cheapest cell serves as the
    base: the shares sum to one, so that its own drops out and the weights of the others are not negative.
    """
    w, p = np.asarray(prices, dtype=np.float64), np.asarray(shares, dtype=np.float64)
    weight = w - w.min()
    estimate = float(w @ p)
    low, high = wilson(p, n, z)
    # Correlation of two cells of a multinomial: −√(p_i p_j / ((1 − p_i)(1 − p_j))).
    spread = np.sqrt(p / np.where(p < 1, 1 - p, 1.0))
    correlation = -np.outer(spread, spread)
    np.fill_diagonal(correlation, 1.0)
    below, above = weight * (p - low), weight * (high - p)
    # Distances at one side, joined as standard errors are; rounding may leave a little less than zero.
    under, over = (max(float(d @ correlation @ d), 0.0) for d in (below, above))
    return estimate - float(np.sqrt(under)), estimate + float(np.sqrt(over))


def cost_limits(
    rows: BinaryRows,
    context: OperatingContext,
    rates: tuple[float, float],
    level: float,
    *,
    prevalence_is_known: bool,
    trivial: bool,
) -> tuple[float, float]:
    """Limits of the cost of a rule with these false and true positive rates, on independent cases that count alike."""
    z, share, n_cases, (fpr, tpr) = normal_quantile(level), rows.prevalence, sum(rows.cases), rates
    if prevalence_is_known:
        pi = context._known_prevalence("expected_cost")
        base = pi * context.cost_tp + (1 - pi) * context.cost_tn
        weights = (pi * context.miss_weight, (1 - pi) * context.alarm_weight)
        low, high = sum_of_rates(weights, (1 - tpr, fpr), rows.cases, z)
        return base + float(low), base + float(high)
    if trivial:  # only the prevalence is uncertain
        each = [float(context.with_prevalence(p).expected_cost(fpr, tpr)) for p in (1.0, 0.0)]
        return mean_of_cells(each, (share, 1 - share), n_cases, z)
    prices = (context.cost_tp, context.cost_fn, context.cost_fp, context.cost_tn)
    hit, alarm = share * tpr, (1 - share) * fpr
    return mean_of_cells(prices, (hit, share * (1 - tpr), alarm, (1 - share) * (1 - fpr)), n_cases, z)


def percentile(estimate: float, draws: FloatArray, level: float) -> Interval:
    """Interval between the quantiles of the replicates, widened where needed to hold the estimate."""
    low, high = (float(q) for q in np.quantile(draws, [(1 - level) / 2, (1 + level) / 2]))
    return Interval(estimate, min(low, estimate), max(high, estimate), level, "percentile")


def told_apart(
    replicates: Mapping[str, FloatArray], ranked: Sequence[Alternative]
) -> tuple[Alternative, tuple[Alternative, ...]]:
    """The choice and the others, each with the p-value of costing more: Holm's procedure on the paired differences."""
    from scipy.special import ndtr

    from bakeoff.stats import adjust

    choice, *others = ranked
    pvalues = []
    for other in others:
        spread = float((replicates[other.model] - replicates[choice.model]).std(ddof=1))
        gap = other.regret.estimate
        pvalues.append(min(2 * float(ndtr(-gap / spread)), 1.0) if spread > 0 else float(gap <= 0))
    adjusted = adjust(pvalues, "holm") if pvalues else np.empty(0)
    return choice, tuple(replace(other, pvalue=float(p)) for other, p in zip(others, adjusted, strict=True))


def not_worse(choice: Alternative, others: Sequence[Alternative], level: float) -> tuple[str, ...]:
    """The choice and what is not shown to cost more."""
    return (choice.model, *(other.model for other in others if other.pvalue > 1 - level))


def unseen_errors(
    resampled: ResampledRates, observed: Mapping[str, Rates], sizes: tuple[int, int], rng: np.random.Generator
) -> dict[str, Rates]:
    """Give resampled rates of exactly 0 or 1 the uncertainty of one more case whose answer is a coin's.

    A rule without a miss among 96 positives is not a rule that never misses. Yet every resample of it never misses,
    which would make it certain to be the best however much a miss costs. One fresh case of each class, called right or
    wrong with equal chance, joins the cases that are drawn (Jeffreys' half a miss and half a hit, as a bootstrap). The
    fresh case is the same for all models, so that models which agree stay tied. `sizes` are the independent positives
    and negatives.
    """
    n_resamples, (n_positive, n_negative) = resampled.prevalence.size, sizes
    alarm, miss = (_coin_errors(n, n_resamples, rng) for n in (n_negative, n_positive))
    found = {}
    for name, rates in resampled.of.items():
        seen = observed[name]
        # A rule that calls nobody or everybody positive does so by definition: nothing is uncertain there.
        constant = (seen.fpr == seen.tpr) & _is_edge(seen.fpr)
        found[name] = Rates(
            np.where(_is_edge(seen.fpr) & ~constant, np.abs(rates.fpr - alarm), rates.fpr),
            np.where(_is_edge(seen.tpr) & ~constant, np.abs(rates.tpr - miss), rates.tpr),
        )
    return found


def _is_edge(rate: FloatArray) -> BoolArray:
    return np.asarray((rate == 0) | (rate == 1))


def _coin_errors(n: int, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Share of a resample of `n` cases that are copies of the fresh case and were called wrong, ``[B, 1]``."""
    copies = rng.binomial(n, 1 / (n + 1), size=n_resamples)
    return np.asarray(rng.binomial(copies, 0.5) / n)[:, None]
