"""By slice: the rows cut, limits that hold for all slices at once, how far the slices differ, shares given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts import Counted, Influence
from bakeoff.evidence import Rows
from bakeoff.intervals._rule import Rule, fourth_moment_df, t_quantile, t_quantiles
from bakeoff.intervals._slices import Each, Gap, Heterogeneity, SliceEntry, Slices, Worst
from bakeoff.measures import Measure, Trait, compute

FEW_UNITS = 20  # below this in a slice χ² is not near enough: Welch's F
# Estimated weights raise Q; beyond this share of its standard deviation χ² rejects 6.5 % and more at 5 %.
RAISED = 0.12
# Below so many units a slice, for each slice, Welch's F of skewed values rejects 8 to 35 % at 5 %.
UNITS_A_SLICE = 4
# Skewed values of 40 units (about 20 by the fourth moment) in 6 slices: limits of all hold in 79 % at 95 %.
SKEWED, SKEWED_DF = 0.5, 30
_NEGLIGIBLE = 1e-12  # of the size of the value: a standard error below this is rounding
_MANY_DF = 200  # above this t is normal enough for the studentised range


# -- cutting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cut:
    """The rows of one data set, cut: which slice each row is in, and the names of the slices that occur."""

    by: str
    code: IntArray
    names: tuple[str, ...]

    def parts(self, rows: Rows) -> list[Rows]:
        """The rows of each slice, as one test set each."""
        return [one_test_set(part) for part in self.pieces(rows)]

    def pieces(self, rows: Rows) -> list[Rows]:
        """The rows of each slice, with their folds."""
        order = np.argsort(self.code, kind="stable")
        places = np.split(order, np.searchsorted(self.code[order], np.arange(1, len(self.names))))
        return [rows.take(np.sort(place)) for place in places]


def names_of(by: Any) -> tuple[str, ...]:
    """One name, or several that are crossed."""
    names = (by,) if isinstance(by, str) else tuple(by) if isinstance(by, (list, tuple)) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise ParameterError(f"by must be the name of a slice, or several that are crossed. Got {by!r}.")
    return tuple(dict.fromkeys(names))


def cut(rows: Rows, by: Any) -> Cut:
    """Cut the rows by one slice, or by the crossing of several."""
    names = names_of(by)
    for name in names:
        if name not in rows.slices:
            if not rows.slices:
                raise EvidenceError(
                    f"the evidence has no slice {name!r}: no slices were kept with it.",
                    hint="name the columns when the evidence is made: slices=[…] (--slice COLUMN)",
                )
            raise unknown_choice("by", name, rows.slices)
    first, *others = (rows.slices[name] for name in names)
    code, labels = first.code, list(first.names)
    for one in others:
        code = code * len(one.names) + one.code
        labels = [f"{left} × {right}" for left in labels for right in one.names]
    seen = np.bincount(code, minlength=len(labels)) > 0
    if seen.all():
        return Cut(" × ".join(names), code, tuple(labels))
    place = np.cumsum(seen) - 1
    return Cut(" × ".join(names), place[code], tuple(np.array(labels, dtype=object)[seen].tolist()))


def one_test_set(rows: Rows) -> Rows:
    """Rows of a slice of several folds are pooled: a slice of a fold may hold no row."""
    if len(rows.splits) < 2:
        return rows
    repeat = np.array([s.repeat for s in rows.splits])[rows.split_index]
    again = rows.n_repeats > 1 and rows.instance is not None
    return replace(
        rows, splits=(), split_index=None, attempt=repeat.astype(np.int64) if again else rows.attempt, times={}
    )


# -- what is known of the slices --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """Values of the slices and how well they are known, for one model or pair.

    Attributes
    ----------
    estimate, error, units
        Of each slice, ``[S]``.
    covariance
        Where slices share units (groups that reach over slices): ``[S, S]``; else None.
    trials
        Of what each value is the share, where it is a proportion, ``[S]``; else None.
    jackknife
        Of sums of unequal items: standard errors by the interval rule on the scale of the link, the values on it, and
        degrees of freedom, ``[3, S]``; else None.
    carriers
        About twice the number of units that carry the variance of each slice, ``[S]``: as many as there are where they
        are alike.
    """

    names: tuple[str, ...]
    estimate: FloatArray
    error: FloatArray
    units: IntArray
    covariance: FloatArray | None = None
    trials: FloatArray | None = None
    jackknife: FloatArray | None = None
    carriers: FloatArray | None = None

    def of_gap(self, a: int, b: int) -> tuple[float, float]:
        """Standard error of a difference of two slices, and its degrees of freedom (Welch)."""
        first, second = float(self.error[a] ** 2), float(self.error[b] ** 2)
        shared = 0.0 if self.covariance is None else float(self.covariance[a, b])
        spread = max(first + second - 2 * shared, 0.0)
        parts = first**2 / max(self.units[a] - 1, 1) + second**2 / max(self.units[b] - 1, 1)
        return float(np.sqrt(spread)), (first + second) ** 2 / parts if parts > 0 else float("inf")


def known_of(
    measure: Measure, rows: Rows, models: tuple[str, ...], names: tuple[str, ...], parts: Sequence[Rows]
) -> Known:
    """Linearised values of every slice: of one model, or of the difference of two."""
    contrast = np.array([[1.0], [-1.0]])[: len(models)]
    values = np.array([[compute(measure, part, m).value for m in models] for part in parts]) @ contrast[:, 0]
    found = [
        _influence(measure, part, models, contrast) if np.isfinite(value) and measure.has_slope else None
        for part, value in zip(parts, values, strict=True)
    ]
    errors = np.array([np.nan if i is None else float(i.standard_error()[0]) for i in found])
    errors[errors <= _NEGLIGIBLE * np.abs(values)] = 0.0
    units = np.array([part.units.n for part in parts])
    shared = _shared_covariance(rows, parts, found)
    uneven = measure.has(Trait.UNEVEN) and shared is None
    carriers = [np.nan if i is None else fourth_moment_df(i.by_unit()[:, 0], i.units.once) for i in found]
    return Known(
        names, values, errors, units, shared, carriers=np.array(carriers),
        jackknife=_by_rule(measure, parts, models, values) if uneven else None,
    )  # fmt: skip


def _by_rule(measure: Measure, parts: Sequence[Rows], models: tuple[str, ...], values: FloatArray) -> FloatArray:
    """Spread by the interval rule: a long item draws the value to itself, and few long ones carry the variance."""
    found = np.full((3, len(parts)), np.nan)
    for s in np.flatnonzero(np.isfinite(values)).tolist():
        counted = Counted(measure.form.of(parts[s], models, measure.needs), parts[s].units)
        spread = Rule(counted, measure).spread(tuple(range(len(models))), np.array([1.0, -1.0])[: len(models)])
        log = measure.link == "log" and len(models) == 1 and values[s] > 0
        error, value = (spread.se / values[s], np.log(values[s])) if log else (spread.se, values[s])
        found[:, s] = error, value, spread.df
    return found


def _influence(measure: Measure, part: Rows, models: tuple[str, ...], contrast: FloatArray) -> Influence:
    counted = Counted(measure.form.of(part, models, measure.needs), part.units)
    with np.errstate(divide="ignore", invalid="ignore"):
        return counted.influence(measure).combine(contrast)


def _shared_covariance(rows: Rows, parts: Sequence[Rows], found: Sequence[Influence | None]) -> FloatArray | None:
    """Covariance of slices that share units; None where none does."""
    key = rows.groups if rows.groups is not None else rows.instance if rows.units.of_row is not None else None
    if key is None:
        return None
    own = [np.unique(np.asarray(part.instance if part.groups is None else part.groups)) for part in parts]
    every = np.unique(np.concatenate(own))
    if sum(ids.size for ids in own) == every.size:
        return None
    psi = np.zeros((every.size, len(parts)))
    for s, (ids, one) in enumerate(zip(own, found, strict=True)):
        if one is None:
            continue
        n = one.units.n
        psi[np.searchsorted(every, ids), s] = one.by_unit()[:, 0] * np.sqrt(n / max(n - 1, 1))
    return np.asarray(psi.T @ psi)


def sidak(level: float, slices: int) -> float:
    """The level at which each of so many intervals must hold, so that all do at this level."""
    return float(level ** (1 / max(slices, 1)))


def limits(known: Known, level: float) -> tuple[FloatArray, FloatArray]:
    """Limits that hold for all slices at once: Šidák's, each with t(units − 1)."""
    each = sidak(level, len(known.names))
    half = t_quantiles(known.units - 1, each) * known.error
    return known.estimate - half, known.estimate + half


def adjusted(known: Known) -> FloatArray:
    """P-values of no difference in each slice, allowing for all slices (Šidák)."""
    from scipy.special import stdtr

    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(known.estimate / known.error)
    alone = 2 * stdtr(np.maximum(known.units - 1, 1), -t)
    alone = np.where((known.error == 0) & (known.estimate == 0), 1.0, alone)
    return at_least_one(alone, len(known.names))


def at_least_one(pvalue: ArrayLike, slices: int) -> FloatArray:
    """Šidák: the chance that the least p-value of so many slices without a difference is as small."""
    return np.asarray(-np.expm1(slices * np.log1p(-np.minimum(pvalue, 1 - 1e-16))))


def heterogeneity(known: Known) -> Heterogeneity:
    """Cochran's Q on χ²(S − 1), Welch's F where slices are small or many; Wald's form of Q with shared units.

    The variance of a proportion follows from its value, so that equal proportions are given one variance: a slice of
    few rows with no error among them would else weigh most (Pearson's χ²; Q with each its own: up to 26 % at 5 %).
    """
    if known.trials is not None and known.covariance is None:
        return _equal_shares(known.estimate, known.trials)
    usable = np.isfinite(known.estimate) & (known.error > 0)
    x, w = known.estimate[usable], 1 / known.error[usable] ** 2
    n, k = known.units[usable], int(usable.sum())
    if k < 2:
        return _too_few(k)
    from scipy.special import chdtrc, fdtrc

    if known.covariance is not None:
        contrast = np.eye(k)[1:] - np.eye(k)[:1]
        spread = contrast @ known.covariance[np.ix_(usable, usable)] @ contrast.T
        apart = contrast @ x
        q = float(apart @ np.linalg.pinv(spread) @ apart)
        return Heterogeneity(q, float(k - 1), float(chdtrc(k - 1, q)), "Wald, slices that share units")
    q = _q(x, w)
    error, moved, df = 1 / np.sqrt(w), x, (n - 1).astype(np.float64)
    if known.jackknife is not None and (known.jackknife[0, usable] > 0).all():
        error, moved, df = known.jackknife[:, usable]
    if n.min() >= FEW_UNITS and 2 * (k - 2) * _spare(w, df) * np.sqrt((k - 1) / 2) <= RAISED:
        return Heterogeneity(q, float(k - 1), float(chdtrc(k - 1, q)), "Cochran's Q")
    w = 1 / error**2
    spare = _spare(w, df)
    f = _q(moved, w) / (k - 1) / (1 + 2 * (k - 2) * spare)
    return Heterogeneity(f, (float(k - 1), 1 / (3 * spare)), float(fdtrc(k - 1, 1 / (3 * spare), f)), "Welch's F")


def _too_few(k: int) -> Heterogeneity:
    return Heterogeneity(float("nan"), float(max(k - 1, 0)), float("nan"), "too few slices with a spread")


def _q(x: FloatArray, weight: FloatArray) -> float:
    return float(weight @ (x - weight @ x / weight.sum()) ** 2)


def _spare(weight: FloatArray, df: FloatArray) -> float:
    """How much estimated weights add to Q: Welch's Λ, by the degrees of freedom of each variance."""
    return float(((1 - weight / weight.sum()) ** 2 / np.maximum(df, 1)).sum()) / (weight.size**2 - 1)


def _equal_shares(share: FloatArray, trials: FloatArray) -> Heterogeneity:
    from scipy.special import chdtrc

    usable = np.isfinite(share) & (trials > 0)
    share, trials, k = share[usable], trials[usable], int(usable.sum())
    if k < 2:
        return _too_few(k)
    mean = float(trials @ share / trials.sum())
    spread = mean * (1 - mean)
    q = float(trials @ (share - mean) ** 2 / spread) if spread > 0 else 0.0
    return Heterogeneity(q, float(k - 1), float(chdtrc(k - 1, q)), "Cochran's Q, pooled variance")


def skewed(known: Known) -> tuple[Note, ...]:
    """A warning where few units carry the variance: t with all of them less one is then too sure."""
    if known.carriers is None or known.trials is not None or known.jackknife is not None:
        return ()
    with np.errstate(invalid="ignore"):
        found = np.flatnonzero(known.carriers < np.minimum(SKEWED * known.units, SKEWED_DF))
    if not found.size:
        return ()
    text = Text(
        "In {slices} a few units carry most of the spread: limits that hold for all slices may be too narrow there.",
        slices=", ".join(known.names[s] for s in found[:6]) + (", …" if found.size > 6 else ""),
    )
    return (warning_note("skewed-slices", text),)


def too_ready(known: Known) -> tuple[Note, ...]:
    """A warning where the test of heterogeneity may reject too often: many slices of few units."""
    few, k = int(known.units.min()) if known.units.size else 0, len(known.names)
    if known.trials is not None or known.covariance is not None or k < 5 or few >= UNITS_A_SLICE * k:
        return ()
    text = Text(
        "{k} slices of as few as {n} units: where values are skewed, the test of whether slices differ rejects too "
        "often, 8 to 35 % at a level of 5 %. Merge slices.",
        k=k, n=few,
    )  # fmt: skip
    return (warning_note("many-small-slices", text),)


@lru_cache(maxsize=64)
def _range_quantile(level: float, k: int, df: float) -> float:
    from bakeoff.stats.distributions import studentized_range_quantile

    return studentized_range_quantile(level, k, df)


def widest(known: Known, level: float, greater_is_better: bool) -> Gap:
    """Best and worst slice; limits and p from the studentised range of all slices (Games and Howell)."""
    from bakeoff.stats.distributions import studentized_range_sf

    usable = np.flatnonzero(np.isfinite(known.estimate) & np.isfinite(known.error))
    nan = float("nan")
    if usable.size < 2:
        return Gap(known.names[usable[0]] if usable.size else "", "", nan, nan, nan, nan)
    order = usable[np.argsort(known.estimate[usable], kind="stable")]
    low, high = int(order[0]), int(order[-1])
    best, worst = (high, low) if greater_is_better else (low, high)
    gap = float(known.estimate[high] - known.estimate[low])
    error, df = known.of_gap(high, low)
    if error == 0:
        return Gap(known.names[best], known.names[worst], gap, nan, nan, 1.0 if gap == 0 else nan)
    df = np.inf if df > _MANY_DF else df
    half = _range_quantile(level, usable.size, float(df)) / np.sqrt(2) * error
    pvalue = float(studentized_range_sf(np.sqrt(2) * gap / error, usable.size, df))
    return Gap(known.names[best], known.names[worst], gap, gap - half, gap + half, pvalue)


# -- given shares -----------------------------------------------------------------------------------------------------


def check_shares(shares: Any, names: Sequence[str]) -> FloatArray | None:
    """Shares of the slices in the population: one for every slice, adding up to one."""
    if shares is None:
        return None
    if not isinstance(shares, Mapping):
        raise ParameterError("shares must be {slice: share}.")
    given = {str(name): float(share) for name, share in shares.items()}
    lacking, unknown = [n for n in names if n not in given], [n for n in given if n not in names]
    if lacking or unknown:
        what = f"has no share of {lacking[0]!r}" if lacking else f"names {unknown[0]!r}, which does not occur"
        raise ParameterError(f"shares {what}.", hint=f"the slices are {', '.join(map(repr, list(names)[:8]))}")
    found = np.array([given[n] for n in names])
    if (found < 0).any() or abs(found.sum() - 1) > 1e-6:
        raise ParameterError(f"shares must not be negative and must add up to 1. They add up to {found.sum():g}.")
    return found


def poststratified(
    measure: Measure, rows: Rows, models: tuple[str, ...], cut: Cut, shares: FloatArray, level: float
) -> Interval:
    """The whole, or a difference on it, if the slices had these shares: rows reweighted, residuals within slices."""
    if not measure.has_slope:
        raise ParameterError(f"shares= needs a measure that changes smoothly with the rows; {measure.name} does not.")
    rows = one_test_set(rows)
    once = np.ones(rows.n) if rows.row_weight is None else rows.row_weight
    now = np.bincount(cut.code, once, len(cut.names))
    scale = (shares * now.sum() / np.where(now > 0, now, 1.0))[cut.code]
    weighted = replace(rows, weight=scale if rows.weight is None else rows.weight * scale)
    contrast = np.array([[1.0], [-1.0]])[: len(models)]
    influence = _influence(measure, weighted, models, contrast)
    psi, copies = influence.psi[:, 0], weighted.units.copies_of_rows
    times = np.ones(rows.n) if copies is None else copies.astype(np.float64)
    weight = np.ones(rows.n) if weighted.weight is None else weighted.weight
    total, mass = (np.bincount(cut.code, times * x, len(cut.names)) for x in (psi, weight))
    centred = psi - weight * np.divide(total, mass, out=np.zeros_like(total), where=mass > 0)[cut.code]
    error = float(Influence(influence.value, centred[:, None], influence.units).standard_error()[0])
    half = t_quantile(max(influence.units.n - 1, 1), level) * error
    value = float(influence.value[0])
    return Interval(value, value - half, value + half, level, "post-stratified")


# -- one table --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """A model, or a pair, on one data set, by slices: what a table of slices is made of.

    Attributes
    ----------
    dataset, names, measure
        Who; `names` is one model or two.
    known
        Linearised values.
    sizes
        Rows of each slice, as often as they count.
    pointwise
        The interval of each slice alone.
    ends
        Limits at a level of slice s where its rows show no spread.
    total
        The whole.
    together
        Limits of slice s at a level by a procedure of its own, and its name, where t is not near enough; else None.
    pvalues
        Of a pair: of no difference in each slice alone, by the procedure of its interval.
    every
        All slices of the evidence, in their order, also those in which nothing is known of who is asked about.
    """

    dataset: str
    names: tuple[str, ...]
    measure: Measure
    known: Known
    sizes: Sequence[int]
    pointwise: Sequence[Interval]
    ends: Callable[[int, float], tuple[float, float]]
    total: Interval
    closeness: Sequence[str] = ()
    together: Callable[[int, float], Interval] | None = None
    pvalues: Sequence[float] = ()
    every: Sequence[str] = ()

    def entry(self, slice: str, **values: Any) -> SliceEntry:
        """What is said of one slice."""
        return SliceEntry(slice=slice, dataset=self.dataset, subject=self.names, measure=self.measure.name, **values)

    @property
    def is_mean(self) -> bool:
        """Whether a value is a plain mean over the units of its slice."""
        return any(self.measure.has(t) for t in (Trait.MEAN, Trait.RIGHT_OR_WRONG, Trait.OF_ITEMS))


def table_of(by: str, columns: tuple[str, ...], subjects: Sequence[Subject], level: float, min_n: int) -> Slices:
    """Put the slices of all models or pairs together."""
    entries: list[SliceEntry] = []
    gaps, tests, worsts, totals = {}, {}, {}, {}
    changes: dict[str, None] = {}
    small: dict[str, None] = {}
    notes: dict[Note, None] = {}
    for subject in subjects:
        known = _with_ends(subject, level)
        own = _in_order(subject, _entries(subject, known, level, min_n), level, min_n)
        small |= {e.slice: None for e in own if e.n_units < min_n}
        if subject.together is None:
            notes |= dict.fromkeys(skewed(known))
        notes |= dict.fromkeys(too_ready(known))
        turned = _contradict(subject, own) if len(columns) == 2 and columns[0] == "model_a" else ()
        changes |= dict.fromkeys(turned)
        key = (subject.dataset, *subject.names[: len(columns)], subject.measure.name)
        gaps[key] = widest(known, level, subject.measure.greater_is_better)
        tests[key] = replace(heterogeneity(known), winner_changes=turned)
        worsts[key] = worst_of(own, subject.measure.greater_is_better)
        totals[key] = subject.total
        entries += own
    names = ("dataset", *columns, "measure")
    gap, test, worst, total = (Each(found, names) for found in (gaps, tests, worsts, totals))
    return Slices(
        by, tuple(entries), columns, gap, test, worst, total, tuple(small), tuple(changes), level, tuple(notes)
    )


def _with_ends(subject: Subject, level: float) -> Known:
    """Where a slice shows no spread, the spread of the rule's limits at the end of the scale stands in."""
    known, error = subject.known, subject.known.error.copy()
    for s in np.flatnonzero((error == 0) & np.isfinite(known.estimate)):
        low, high = subject.ends(int(s), level)
        if np.isfinite(high - low) and high > low:
            error[s] = (high - low) / (2 * t_quantile(1e9, level))
    return replace(known, error=error)


def _in_order(subject: Subject, found: Sequence[SliceEntry], level: float, min_n: int) -> list[SliceEntry]:
    """All slices of the evidence: one without a row of who is asked about is shown, and empty."""
    known = {entry.slice: entry for entry in found}
    empty = {"low": np.nan, "high": np.nan, "n": 0, "n_units": 0, "notes": small_notes(0, min_n)}
    none = Interval(np.nan, np.nan, np.nan, level, "")
    return [
        known.get(name) or subject.entry(name, estimate=np.nan, pointwise=none, **empty)
        for name in subject.every or known
    ]


def _entries(subject: Subject, known: Known, level: float, min_n: int) -> list[SliceEntry]:
    low, high = limits(subject.known, level)
    pvalues = adjusted(known) if len(subject.names) == 2 else np.full(len(known.names), np.nan)
    bottom, top = subject.measure.bounds
    if len(subject.names) == 2:
        bottom, top = bottom - top, top - bottom
    found = []
    for s, name in enumerate(known.names):
        notes: list[Note] = []
        ends = float(low[s]), float(high[s])
        value = float(known.estimate[s])
        each = sidak(level, len(known.names))
        if subject.together is not None and np.isfinite(value):
            own = subject.together(s, each)
            ends = own.low, own.high
            if known.units[s] > 1 or known.trials is not None:
                notes.append(_together_note(own.method, each))
        elif subject.known.error[s] == 0 and np.isfinite(value):
            ends = subject.ends(s, each)
            notes.append(_NO_SPREAD)
        elif subject.pvalues and not subject.is_mean and _outside(subject.pointwise[s], ends):
            # t of a mean is right; of a curved measure it can be narrower than the slice's own limits.
            ends, pvalues[s] = subject.ends(s, each), at_least_one(subject.pvalues[s], len(known.names))
            notes.append(_together_note(subject.pointwise[s].method, each))
        if known.units[s] < 2 and known.trials is None:
            ends = (float("nan"), float("nan"))
        notes += small_notes(int(known.units[s]), min_n)
        found.append(
            subject.entry(
                name, estimate=value, low=float(max(ends[0], bottom)), high=float(min(ends[1], top)),
                n=int(subject.sizes[s]), n_units=int(known.units[s]), pointwise=subject.pointwise[s],
                pvalue_adjusted=float(pvalues[s]), closeness=subject.closeness[s] if subject.closeness else "",
                notes=tuple(notes),
            )
        )  # fmt: skip
    return found


def _outside(alone: Interval, ends: tuple[float, float]) -> bool:
    return bool(np.isfinite([alone.low, alone.high, *ends]).all()) and not ends[0] <= alone.low <= alone.high <= ends[1]


def small_notes(units: int, min_n: int) -> tuple[Note, ...]:
    """What to say of a slice with few units."""
    if units >= min_n:
        return ()
    text = Text("only {n} units, fewer than {least}: little can be shown.", n=units, least=min_n)
    if units == 1:
        text = Text("only one unit, fewer than {least}: little can be shown.", least=min_n)
    return (Note("small-slice", text),)


def _together_note(method: str, each: float) -> Note:
    text = Text("limits that hold for all slices: {method} at {level:.4g} % in each.", method=method, level=100 * each)
    return Note("simultaneous", text)


_NO_SPREAD = Note("edge", Text("its rows show no spread: the limits allow for rows not seen yet."))


def _contradict(subject: Subject, entries: Sequence[SliceEntry]) -> tuple[str, ...]:
    """The slices whose limits lie on the other side of zero than the whole."""
    whole = np.sign(subject.total.estimate)
    return tuple(e.slice for e in entries if (e.high < 0 < whole) or (whole < 0 < e.low))


def worst_of(entries: Sequence[SliceEntry], greater_is_better: bool) -> Worst:
    """The slice with the worst value."""
    known = [e for e in entries if np.isfinite(e.estimate)]
    if not known:
        nan = float("nan")
        return Worst("", nan, nan, nan, 0)
    e = (min if greater_is_better else max)(known, key=lambda entry: entry.estimate)
    return Worst(e.slice, e.estimate, e.low, e.high, e.n)
