"""The interval rule: exact and edge rules first, then one formula for every smooth measure.

*One model*: the value moved by ∓ t(ν)·SE on the scale of its link, where it is nearly normal. *A difference*: the
extremes of a − b over the ellipse of the two values on their link scale, whose shadow on any line is the t interval.
Standard errors come from influence values; ν, how well the variance is known, from their fourth moment (of groups:
Satterthwaite).

*The guard*: an unseen row of weight min(1, 2/ν). ν/2 is about the number of units that carry the variance; where it is
small, the next row may be of a kind not seen yet, and no function of the rows that were seen knows of it. Its move is
added in squares: to both sides, for one model's ranking or loss to the bad side only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from bakeoff._core.validation import FloatArray, IntArray, combine, dot
from bakeoff.counts import Answers, Cells, Counted, Influence, Tally, can_leave_out, leave_out
from bakeoff.measures import Measure, Trait

RULE, LINEARIZED = "rule", "linearized"  # the names of the two intervals from influence values
Limits = tuple[float, float]
LEAVE_ONE_OUT = 1.75  # as 20 folds: of an unstable tree on 50 rows the level was 28 % without it
EXACT_ITEMS = 100  # items of unequal size are left out one by one up to here
EXACT_GROUPS = 50  # groups left out one by one up to here; above, CR2 on summed influences differs by less than a point
_NEGLIGIBLE = 1e-9  # of the size of the value: a standard error below this is rounding


@dataclass(frozen=True)
class Spread:
    """How well a value, or a difference, is known.

    Attributes
    ----------
    se, df
        Standard error, and degrees of freedom of its square.
    weight, move
        The guard: weight of one unseen row, and how far it moves the value.
    """

    se: float
    df: float
    weight: float = 0.0
    move: float = 0.0

    def guarded(self, value: float, limits: Limits, level: float, *, down: bool = True, up: bool = True) -> Limits:
        """Widen limits by the unseen row, in squares."""
        move = self.move / self.se if self.se > 0 else 0.0  # in standard errors, which have no unit
        unseen = self.weight * move**2
        fourth = 2 / self.df + unseen * move**2
        df = 2 * (1 + unseen) ** 2 / fourth if fourth > 0 else self.df  # of the variance with that row in it
        far = t_quantile(df, level) * self.se * float(np.sqrt(unseen))
        low, high = limits
        return value - float(np.hypot(value - low, down * far)), value + float(np.hypot(high - value, up * far))


@dataclass(frozen=True)
class Rule:
    """The rule for one measure of several models on the same rows.

    Attributes
    ----------
    counted, measure
        What was counted, and the formula.
    factor
        By how much standard errors are multiplied: for leave-one-out, whose fits vary while its rows cannot show it.
    """

    counted: Counted
    measure: Measure
    factor: float = 1.0

    # -- what is known of the models ----------------------------------------------------------------------------------

    @cached_property
    def influence(self) -> Influence:
        """Values of all models, and what each row moves in them."""
        return self.counted.influence(self.measure)

    @cached_property
    def _deviations(self) -> FloatArray:
        """What each record contributes, ``[records, k]``: its squares, times copies, sum to the variances."""
        units, psi = self.influence.units, self.influence.by_unit()
        groups = units.kind == "group"
        if groups and (units.n > EXACT_GROUPS or not can_leave_out(self.counted)):
            return np.asarray(psi / np.sqrt(1 - units.leverage())[:, None])
        linear = np.asarray(psi * np.sqrt(units.n / max(units.n - 1, 1)))
        # A long item draws a quotient of sums to itself: from n = 10, lengths lognormal(1.2), 86 % without, 91 % with.
        uneven = self.measure.has(Trait.UNEVEN) and units.n <= EXACT_ITEMS
        if not (groups or uneven):
            return linear
        left, _ = leave_out(self.counted, self.measure)
        moved = (self.influence.value - left) * np.sqrt((units.n - 1) / units.n)
        return np.where(np.isfinite(moved), moved, linear)  # without its only success a cost is undefined

    def _moved(self, models: tuple[int, ...], contrast: FloatArray) -> FloatArray:
        """What each record contributes to a contrast of models, ``[records]``."""
        return combine(self._deviations[:, models], contrast)

    @cached_property
    def _group_df(self) -> float:
        return satterthwaite_df(self.influence.units.leverage())

    def stretch(self, models: tuple[int, ...], contrast: FloatArray) -> float:
        """By how much standard error and guard are multiplied: over folds, for what retraining changes."""
        return self.factor * self._uneven(models, contrast)

    def _uneven(self, models: tuple[int, ...], contrast: FloatArray) -> float:
        """What very uneven weights take: a few heavy rows that happen to be right show no variance of their own.

        The light rows tell how often rows are wrong. The fewer the rows are worth, below half of their number, the
        more of the variance is the one of weights that know nothing of the answers. With 5 % of the rows weighing 20,
        specificity covered 74 % without it.
        """
        units = self.influence.units
        if units.importance is None or units.kind == "group":
            return 1.0
        share, once = units.leverage(), units.once
        squares = float(dot(once, share**2))
        blind, moved = 1 - 2 / (units.n * squares), self._moved(models, contrast)
        seen, alike = float(dot(once, moved**2)), float(dot(once, (moved / share) ** 2)) / units.n * squares
        return float(np.sqrt(1 + blind * (alike / seen - 1))) if blind > 0 and alike > seen > 0 else 1.0

    def spread(self, models: tuple[int, ...], contrast: FloatArray) -> Spread:
        """Of a contrast of models: (1) for one, (1, −1) for a difference."""
        key = (models, tuple(contrast.tolist()))
        if key not in self._spreads:
            self._spreads[key] = self._make_spread(models, contrast)
        return self._spreads[key]

    @cached_property
    def _spreads(self) -> dict[tuple[tuple[int, ...], tuple[float, ...]], Spread]:
        return {}

    def _make_spread(self, models: tuple[int, ...], contrast: FloatArray) -> Spread:
        units = self.influence.units
        moved = self._moved(models, contrast)
        carriers = fourth_moment_df(moved, units.once)
        df = self._group_df if units.kind == "group" else carriers
        stretch = self.stretch(models, contrast)
        se = stretch * float(np.sqrt(dot(units.once, moved**2)))
        rows = self.counted.units
        move = self.counted.form.unseen_move(self.measure, rows, models, contrast) if se > 0 else None
        if move is None:
            return Spread(se, df)
        mean_weight = float(rows.as_they_are().sum()) / rows.cases  # of one case, not of its copies
        move *= mean_weight * self.measure.unseen * stretch
        return Spread(se, df, min(1.0, 2 / min(df, carriers)), move)

    def moves(self, model: int, se: float) -> bool:
        """Whether any unit moves the value: its standard error is more than rounding."""
        size, (low, high) = abs(float(self.influence.value[model])), self.measure.bounds
        if low < 0 < high and np.isfinite(high - low):
            size = max(size, min(-low, high))  # a kappa of 0 has the size of its scale
        return se > max(_NEGLIGIBLE * size, self._near, 1e-300)

    @property
    def _near(self) -> float:
        """What is no distance on the measure's scale; a scale without an end has units of its own."""
        scale = self.measure.bounds[1] - self.measure.bounds[0]
        return 1e-12 * scale if np.isfinite(scale) else 0.0

    def _at_edge(self, model: int, se: float) -> bool:
        value = float(self.influence.value[model])
        low, high = self.measure.bounds
        return not self.moves(model, se) or min(abs(value - low), abs(value - high)) <= self._near

    # -- limits -------------------------------------------------------------------------------------------------------

    def one(self, model: int, level: float) -> Limits:
        """Limits of one model's value."""
        value = float(self.influence.value[model])
        spread = self.spread((model,), np.ones(1))
        if self._at_edge(model, spread.se):
            return self._edge(model, level)
        step = t_quantile(spread.df, level) * spread.se
        ends = linked(self.measure.link, np.full(2, value), np.array([-step, step]))
        # A loss, or a ranking, has its bad side where rows that were not seen would take it.
        low, high = spread.guarded(
            value,
            (float(ends[0]), float(ends[1])),
            level,
            down=self.measure.link != "log",
            up=not self.measure.of_ranks,
        )
        return self._within(low, high)

    def difference(self, a: int, b: int, level: float) -> Limits:
        """Limits of a − b, to the last digit those of b − a turned round; within what two values can differ by."""
        turned = self._order(a) > self._order(b)
        low, high = self._difference(b, a, level) if turned else self._difference(a, b, level)
        low, high = (-high, -low) if turned else (low, high)
        most = self.measure.bounds[1] - self.measure.bounds[0]
        return max(low, -most), min(high, most)

    def _pair(self, a: int, b: int) -> tuple[FloatArray, float, float]:
        """Row standard errors of two models, their correlation, and the stretch of the difference; made once."""
        if (a, b) not in self._pairs:
            both, once = self._deviations[:, [a, b]], self.influence.units.once
            rows = np.sqrt(dot(once, both**2))
            product = float(rows[0] * rows[1])
            shared = float(dot(once, both[:, 0] * both[:, 1]))
            correlation = min(max(shared / product, -1.0), 1.0) if product > 0 else 0.0
            self._pairs[a, b] = rows, correlation, self.stretch((a, b), np.array([1.0, -1.0]))
        return self._pairs[a, b]

    @cached_property
    def _pairs(self) -> dict[tuple[int, int], tuple[FloatArray, float, float]]:
        return {}

    @cached_property
    def _variances(self) -> FloatArray:
        return np.asarray(dot(self.influence.units.once, self._deviations**2))

    def _order(self, model: int) -> tuple[float, float]:
        return float(self.influence.value[model]), float(self._variances[model])

    def _difference(self, a: int, b: int, level: float) -> Limits:
        value = self.influence.value[[a, b]]
        gap = float(value[0] - value[1])
        spread = self.spread((a, b), np.array([1.0, -1.0]))
        rows, correlation, stretch = self._pair(a, b)
        errors = rows * stretch
        if spread.se <= _NEGLIGIBLE * float(np.abs(value).max() or 1.0):
            return self._alike(a, gap, level)
        if any(self._at_edge(m, error) for m, error in zip((a, b), errors, strict=True)):
            # One model at its edge: the squares of both models' distances add, as if they were independent.
            (low_a, high_a), (low_b, high_b) = self.one(a, level), self.one(b, level)
            down, up = np.hypot(value[0] - low_a, high_b - value[1]), np.hypot(high_a - value[0], value[1] - low_b)
            return gap - float(down), gap + float(up)
        limits = on_ellipse(value, errors, correlation, spread.df, self.measure.link, level)
        return spread.guarded(gap, limits, level)

    def _within(self, low: float, high: float) -> Limits:
        return max(low, self.measure.bounds[0]), min(high, self.measure.bounds[1])

    def _edge(self, model: int, level: float) -> Limits:
        """Where no unit moves the value: a share z²/(n + z²) of a class answers otherwise, the worst and best ways."""
        z2 = normal_quantile(level) ** 2
        value = float(self.influence.value[model])
        if self.measure.is_area:
            from bakeoff.stats.roc import newcombe_limits

            factor, constant = self.measure.area
            up, down = (max(int(n), 1) for n in self._worth_by_class())
            low, high = newcombe_limits((value - constant) / factor, up, down, level)
            return constant + factor * low, constant + factor * high
        ways = self.counted.form.edge_values(self.measure, self.counted.units, model, z2)
        ways = ways[np.isfinite(ways)]
        if not ways.size:
            return float("nan"), float("nan")
        return self._within(min(float(ways.min()), value), max(float(ways.max()), value))

    def _worth_by_class(self) -> list[float]:
        """How many units the rows of each class of a ranking are worth: the positives and the negatives, or several."""
        form = self.counted.form
        assert isinstance(form, Tally | Answers)
        return [self.counted.units.worth(rows) for rows in form.by_class]

    def _alike(self, model: int, gap: float, level: float) -> Limits:
        """The two did the same throughout: what one of them may do on rows not seen."""
        if self.measure.of_ranks:
            z2 = normal_quantile(level) ** 2
            far = z2 / (min(self._worth_by_class()) + z2) * self.measure.area[0]
        else:
            low, high = self._edge(model, level)
            value = float(self.influence.value[model])
            far = max(value - low, high - value)
        return gap - far, gap + far


def tango(measure: Measure, counted: Counted, a: int, b: int) -> Callable[[float], Limits]:
    """Tango's score limits of the difference of two shares of right answers on plain rows, within their class."""
    from bakeoff.stats.tables import tango_limits

    only_a, only_b, n = discordant(measure, counted, a, b)
    return lambda level: tango_limits(only_a, only_b, n, level)


def discordant(measure: Measure, counted: Counted, a: int, b: int) -> tuple[int, int, int]:
    """Cases that count for a only, for b only, and all cases of the class that the share is within."""
    form = counted.form
    assert isinstance(form, Cells)
    truth, answers = form.code[:, 0] // form.classes, form.code[:, [a, b]] % form.classes
    counts = (answers == truth[:, None]) == measure.greater_is_better
    if measure.within == "all":
        mine = np.ones(truth.size, dtype=bool)
    else:
        mine = (truth == form.positive) == (measure.within == "positive")
    once = counted.units.once * mine
    only_a, only_b = dot(once, counts[:, 0] & ~counts[:, 1]), dot(once, counts[:, 1] & ~counts[:, 0])
    return int(only_a), int(only_b), int(once.sum())


# -- the formula ------------------------------------------------------------------------------------------------------


def normal_quantile(level: float) -> float:
    """z with the level between −z and z."""
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def t_quantile(df: float, level: float) -> float:
    """t with the level between −t and t."""
    return float(t_quantiles(np.array(df), level))


def t_quantiles(df: FloatArray | IntArray, level: float) -> FloatArray:
    """The same of each of several degrees of freedom."""
    from scipy.special import stdtrit

    return np.asarray(stdtrit(np.maximum(df, 1.0), (1 + level) / 2))


def fourth_moment_df(moved: FloatArray, copies: FloatArray) -> float:
    """2 / (squared coefficient of variation of Σ moved²), at most n − 1: j equal units and zeros elsewhere give 2j."""
    square = (moved / (np.abs(moved).max() or 1.0)) ** 2  # ν has no unit
    second, n = float(dot(copies, square)), float(copies.sum())
    if second <= 0:
        return max(n - 1, 1.0)
    spare = float(dot(copies, square * square)) / second**2 - 1 / n
    return min(2 / max(spare, 1e-300), n - 1)


def satterthwaite_df(share: FloatArray) -> float:
    """Bell & McCaffrey's degrees of freedom of the CR2 variance of a mean over groups with these shares of the rows."""
    # A quadratic form in the residuals has the mean and variance of a χ² with (tr M)²/tr M² degrees of freedom.
    residual, scale = np.eye(share.size) - share[:, None], 1 / np.sqrt(1 - share)
    m = scale[:, None] * (residual @ (share[:, None] * residual.T)) * scale
    return float(np.trace(m) ** 2 / (m**2).sum())


def on_ellipse(
    values: FloatArray, errors: FloatArray, correlation: float, df: float, link: str, level: float
) -> Limits:
    """Extremes of a − b where (a, b) moves on an ellipse on the link scale; r near 1 makes it a line."""
    step, rest = t_quantile(df, level) * errors, float(np.sqrt(max(1 - correlation**2, 0.0)))

    def gap(x: FloatArray, y: FloatArray) -> FloatArray:
        return linked(link, values[0], step[0] * x) - linked(link, values[1], step[1] * (correlation * x + rest * y))

    coarse = gap(*_CIRCLE)
    ends = []
    for sign in (1, -1):
        near = _ANGLES[np.argmin(sign * coarse)] + _NEARBY
        ends.append(float(sign * np.min(sign * gap(np.cos(near), np.sin(near)))))
    return ends[0], ends[1]


_ANGLES = np.linspace(0, 2 * np.pi, 241)
_CIRCLE = np.cos(_ANGLES), np.sin(_ANGLES)
_NEARBY = np.linspace(-0.03, 0.03, 301)


# -- links: the scales on which measures are nearly normal ------------------------------------------------------------


def linked(link: str, value: FloatArray | np.float64, step: FloatArray) -> FloatArray:
    """Move values by steps (in units of the value) along a straight line on the link scale."""
    return np.asarray(_MOVED[link](value, step))


def _skewed(h: FloatArray) -> FloatArray:
    """A mean square moved by h, relative: log scale downwards, −1/x upwards, never beyond e^{2h}.

    The mean of squares and its standard error rise together; the log takes out half of that, −1/x the whole.
    """
    up = np.clip(h, 0, 0.7968)
    return np.where(h < 0, np.exp(np.minimum(h, 0)), np.where(h < 0.7968, 1 / (1 - up), np.exp(2 * np.clip(h, 0, 300))))


def _logit(value: FloatArray | np.float64, step: FloatArray) -> FloatArray:
    from scipy.special import expit, logit

    return np.asarray(expit(logit(value) + step / (value * (1 - value))))


_MOVED: dict[str, Callable[[Any, FloatArray], FloatArray]] = {
    "identity": lambda v, d: v + d,
    "log": lambda v, d: v * np.exp(np.clip(d / v, -700, 700)),
    "logit": _logit,
    "fisher": lambda v, d: np.tanh(np.arctanh(v) + d / (1 - v**2)),
    "square": lambda v, d: v * np.sqrt(_skewed(2 * d / v)),  # the root of a mean square
    "square_share": lambda v, d: 1 - (1 - v) * _skewed(-d / (1 - v)),  # 1 − mean square / variance
}
