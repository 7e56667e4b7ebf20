"""Intervals in closed form: one entry each, with what it serves, when `auto` takes it, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text, label
from bakeoff._core.result import Interval, Note, warning_note
from bakeoff._core.validation import FloatArray, dot
from bakeoff.counts import Counted, Draws, acceleration, resample
from bakeoff.evidence import Rows, ScoreTally, Units
from bakeoff.intervals._fold_rule import Claim, FoldRule, fold_rule
from bakeoff.intervals._rule import LEAVE_ONE_OUT, LINEARIZED, RULE, Limits, Rule, linked, normal_quantile, t_quantile
from bakeoff.measures import Measure, Trait


@dataclass(frozen=True)
class ModelRows:
    """What the interval of a measure is made from.

    Attributes
    ----------
    rows, model
        The evidence, and whose answers are measured.
    n_resamples, seed, stratified
        How to draw; the seed is asked for by those that do. Every kind of draw has its own stream under it, so that a
        result does not depend on which other measures are asked for.
    """

    rows: Rows
    model: str
    n_resamples: int
    seed: Callable[[], int]
    stratified: bool = False
    _counts: dict[str, Counted] = field(default_factory=dict, repr=False)
    _rules: dict[str, Rule] = field(default_factory=dict, repr=False)
    _by_class: dict[str, float] = field(default_factory=dict, repr=False)
    _fold_rules: dict[tuple[str, Claim], FoldRule | None] = field(default_factory=dict, repr=False)

    def of(self, rows: Rows) -> ModelRows:
        """The same question about other rows; itself where they are the same."""
        return self if rows is self.rows else ModelRows(rows, self.model, self.n_resamples, self.seed, self.stratified)

    def counted(self, measure: Measure) -> Counted:
        """The rows as the measure counts them; measures of labels share one count, those of scores one ranking."""
        kind = measure.form.name if measure.of_cells or measure.of_tally else measure.name
        if kind not in self._counts:
            self._counts[kind] = self._count(measure)
        return self._counts[kind]

    def _count(self, measure: Measure) -> Counted:
        return Counted(measure.form.of(self.rows, (self.model,), measure.needs), self.rows.units)

    def replicates(self, measure: Measure) -> FloatArray:
        """The measure on each draw of the units, ``[B]``; NaN where it is undefined there."""
        kind = "cells" if measure.of_cells else "rows"
        draws = Draws(self.n_resamples, self.seed(), (self.rows.name, kind), self.stratified)
        return resample(self.counted(measure), measure, draws)[:, 0]

    def acceleration(self, measure: Measure) -> float:
        """BCa's acceleration."""
        return float(acceleration(self.counted(measure), measure)[0])

    def rule(self, measure: Measure) -> Rule:
        """The interval rule of this model."""
        name = measure.name
        if name not in self._rules:
            factor = LEAVE_ONE_OUT if leaves_one_out(self.rows) else 1.0
            self._rules[name] = Rule(self.counted(measure), measure, factor)
        return self._rules[name]

    def cases(self) -> ScoreTally | None:
        """The model's tally where rows are whole cases of their own: an AUC and its error then need no row."""
        units = self.rows.units
        return self.rows.tally(self.model) if units.of_row is None and units.importance is None else None

    def forget(self, measure: Measure) -> None:
        """Let go of what only this measure needed: what every row moves in it, and terms of its own."""
        self._rules.pop(measure.name, None)
        self._counts.pop(measure.name, None)

    def fold_rule(self, measure: Measure, claim: Claim) -> FoldRule | None:
        """The rule of this model over folds, where there is one."""
        if (measure.name, claim) not in self._fold_rules:
            self._fold_rules[measure.name, claim] = fold_rule(measure, self.rows, (self.model,), claim)
        return self._fold_rules[measure.name, claim]

    def standard_error(self, measure: Measure) -> float:
        """Linearised standard error over units, with factor n/(n − 1)."""
        return float(self.rule(measure).influence.standard_error()[0])

    def edge_values(self, measure: Measure, z2: float) -> FloatArray:
        """Values if a share z²/(n + z²) of the rows had been answered otherwise, in each way; empty if not known."""
        counted = self.counted(measure)
        ways = counted.form.edge_values(measure, counted.units, 0, z2)
        return ways[np.isfinite(ways)]


@dataclass(frozen=True, kw_only=True)
class ClosedForm:
    """One method of intervals on one test set.

    Attributes
    ----------
    name
        What ``evaluate(interval=...)`` calls it.
    serves
        Whether the measure has such an interval at all.
    holds
        Whether it is valid for this measure of these rows without a caution, so that ``"auto"`` may take it.
    otherwise
        What to say when it does not serve a measure.
    limits
        Measure, rows, value and level → the interval.
    error
        Its own standard error, where that is not the rule's.
    """

    name: str
    serves: Callable[[Measure], bool]
    otherwise: str
    limits: Callable[[Measure, ModelRows, float, float], Interval]
    holds: Callable[[Measure, ModelRows], bool] = lambda measure, asked: True
    error: Callable[[Measure, ModelRows], float] | None = None


def _plain(measure: Measure, asked: ModelRows) -> bool:
    return asked.rows.units.plain and asked.rows.units.answers == 1 and not leaves_one_out(asked.rows)


def leaves_one_out(rows: Rows) -> bool:
    """Whether every fit was tested on a single row, so that folds cannot be averaged."""
    return len(rows.splits) > 1 and float(np.mean([s.n_test for s in rows.splits])) <= 1.5


def _enough_for_delong(measure: Measure, asked: ModelRows) -> bool:
    """DeLong's variance needs placements that vary: enough rows of the rarer class, and an area not near its end."""
    if not _plain(measure, asked):
        return False
    tally = asked.cases()
    if tally is not None:
        positives, n = float(tally.positive.sum()), float((tally.positive + tally.negative).sum())
    else:
        positives, n = float(dot(asked.rows.units.once, asked.rows.positives())), asked.rows.units.n
    if min(positives, n - positives) < FEW_FOR_DELONG:
        return False
    factor, constant = measure.area
    value = (
        asked.rule(measure).influence.value[0]
        if tally is None
        else measure.form.value(measure, asked.rows, asked.model)
    )
    return 1 - HIGH_AREA <= (float(value) - constant) / factor <= HIGH_AREA


FEW_FOR_DELONG, HIGH_AREA = 25, 0.98


# -- proportions ------------------------------------------------------------------------------------------------------


def is_share(measure: Measure) -> bool:
    return "wilson" in measure.limits


def _binomial(name: str) -> ClosedForm:
    def limits(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
        from bakeoff.stats import binomial_interval

        right, of = successes(measure, asked, estimate)
        result = binomial_interval(right, of, confidence_level=level, method=name)
        notes = _dependence_notes(name, asked.rows.units)
        if name == "wald" and result.low == result.high:
            result = binomial_interval(right, of, confidence_level=level, method="wilson")
            text = Text("Wald's interval has zero width at 0 % and 100 %; Wilson's is shown instead.")
            notes = (*notes, Note("wald-zero-width", text))
        return Interval(estimate, float(result.low), float(result.high), level, result.method, notes)

    otherwise = "it is for proportions such as accuracy, precision or recall"
    return ClosedForm(name=name, serves=is_share, holds=_plain, otherwise=otherwise, limits=limits)


def successes(measure: Measure, asked: ModelRows, estimate: float) -> tuple[float, float]:
    """Successes and trials in whole cases; with importance weights, of as many rows as would tell as much."""
    units = asked.rows.units
    if not measure.has_share:  # 0/1 outcomes
        whole = units.importance is None
        trials = float((units.cases if units.kind == "group" else units.n) if whole else units.n_effective)
        return (float(round(estimate * trials)) if whole else estimate * trials), trials
    right, of = measure.share(asked.rows.confusion(asked.model).cells, asked.rows.positive)
    scale = 1.0
    if units.importance is not None and asked.rows.row_weight is not None:
        scale = units.n_effective / float(asked.rows.row_weight.sum())
    return float(right) * scale, float(of) * scale


def _dependence_notes(method: str, units: Units) -> tuple[Note, ...]:
    notes: tuple[Note, ...] = ()
    if units.of_row is not None:
        text = Text("the {method} interval takes rows as independent, but they are grouped.", method=method)
        notes = (warning_note("ignores-groups", text),)
    if units.importance is not None:
        text = Text(
            "the {method} interval knows no weights; it is that of {n:.0f} rows, the effective number.",
            method=method, n=units.n_effective,
        )  # fmt: skip
        notes = (*notes, warning_note("effective-rows", text))
    return notes


# -- areas ------------------------------------------------------------------------------------------------------------


def _delong(name: str, kind: str) -> ClosedForm:
    def limits(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
        """DeLong's variance; of groups Obuchowski's, on t with as many degrees of freedom as groups less one."""
        units, error = asked.rows.units, delong_error(measure, asked)
        if error == 0 or not measure.bounds[0] < estimate < measure.bounds[1]:
            return _delong_at_edge(measure, asked, kind, name, level)
        step = (normal_quantile(level) if units.of_row is None else t_quantile(units.n - 1, level)) * error
        low, high = linked(
            measure.link if kind == "logit" else "identity", np.full(2, estimate), np.array([-step, step])
        )
        return Interval(estimate, float(low), float(high), level, name)

    return ClosedForm(
        name=name,
        serves=lambda measure: measure.is_area,
        holds=_enough_for_delong,
        otherwise="it is for auc and gini",
        limits=limits,
        error=delong_error,
    )


def delong_error(measure: Measure, asked: ModelRows) -> float:
    """Influences by class, with DeLong's factor m/(m − 1) in each: of rows, or of the groups that hold such rows."""
    name, tally = measure.name, asked.cases()
    if tally is not None:
        from bakeoff.stats import auc_error_from_tally

        return measure.area[0] * auc_error_from_tally(tally.positive, tally.negative)
    if name not in asked._by_class:
        stratum = asked.rows.positives().astype(np.int64)
        asked._by_class[name] = float(asked.rule(measure).influence.standard_error("stratum", stratum)[0])
    return asked._by_class[name]


def _delong_at_edge(measure: Measure, asked: ModelRows, kind: str, name: str, level: float) -> Interval:
    """Placements that do not vary have no variance: the statistics package has limits for that."""
    from bakeoff.stats import delong_interval

    take, units = asked.rows.units.written_out()
    positive, scores = asked.rows.positives()[take], asked.rows.scores(asked.model)[take]
    result = delong_interval(positive, scores, confidence_level=level, method=kind, groups=units.of_row)
    factor, constant = measure.area
    middle, low, high = (constant + factor * float(x) for x in (result.estimate, result.low, result.high))
    return Interval(middle, low, high, level, name, result.notes)


# -- values that few rows make too large ------------------------------------------------------------------------------


def _debiased(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
    """The near limit from the value without its bias, the far one from the value as it is: both sides are safe.

    What is too large by its bias cannot be far below the truth, so that one standard error upwards is enough there.
    """
    rule = asked.rule(measure)
    low, high = debiased_limits(measure, asked, rule, level)
    return Interval(estimate, low, high, level, "debiased", weak_notes(measure, asked.rows, rule))


def debiased_limits(measure: Measure, asked: ModelRows, rule: Rule, level: float) -> Limits:
    """Limits of such a value on one test set, or over folds; of zero width where no row moves it."""
    estimate, spread = float(rule.influence.value[0]), rule.spread((0,), np.ones(1))
    if not rule.moves(0, spread.se):
        return estimate, estimate
    n = min(asked.n_resamples, max(_LEAST_DRAWS, _DRAWN_ROWS // asked.rows.n))
    draws = Draws(n, asked.seed(), (asked.rows.name, "debiased"))
    # Over folds the bias is that of the rows of one repeat.
    bias = float(rule.counted.values(measure)[0, 0]) - measure.debiased(rule.counted, draws)
    centre, step = estimate - max(bias, 0.0), t_quantile(spread.df, level) * spread.se
    low, _ = spread.guarded(centre, (centre - step, centre), level)
    return max(low, measure.bounds[0]), min(estimate + step, measure.bounds[1])


# A mean over draws needs fewer of them than the limits of a distribution, and the fewer the more rows there are.
_LEAST_DRAWS, _DRAWN_ROWS = 25, 200_000


# -- every smooth measure ---------------------------------------------------------------------------------------------


def _rule(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
    rule = asked.rule(measure)
    low, high = rule.one(0, level)
    return Interval(estimate, low, high, level, RULE, weak_notes(measure, asked.rows, rule))


def _linearized(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
    """Delta method over units: t with units − 1; clusters are summed first."""
    n = asked.rows.units.n
    found = t_interval(estimate, asked.standard_error(measure), max(n - 1, 1), level, LINEARIZED)
    return replace(found, notes=(*found.notes, *uneven_notes(measure, asked.rule(measure), (0,))))


_FEW_CARRY = 8  # degrees of freedom: WER of 10 and 20 utterances, lengths lognormal(1.2), covers 90 to 93 % at 95 %


def uneven_notes(measure: Measure, rule: Rule, models: Sequence[int]) -> tuple[Note, ...]:
    """Where few items are so large that they carry the value: the rest says little, however many there are."""
    if not measure.has(Trait.UNEVEN) or min(rule.spread((m,), np.ones(1)).df for m in models) >= _FEW_CARRY:
        return ()
    text = Text("a few large items carry {name}: its interval may be too narrow.", name=label(measure.name))
    return (warning_note("few-items-carry", text),)


def weak_notes(measure: Measure, rows: Rows, rule: Rule, models: Sequence[int] = (0,)) -> tuple[Note, ...]:
    """Where the rule itself was measured to be weak (docs/calibration.md): say so."""
    units, notes = rows.units, []
    if units.effective_groups < FEW_GROUPS:
        text = Text(
            "only {n} groups, worth {worth:.1f} of equal size: too few for a conclusion.",
            n=units.n, worth=units.effective_groups,
        )  # fmt: skip
        notes.append(warning_note("few-groups", text))
    if units.importance is not None and units.n_effective < units.cases / 2:
        text = Text(
            "the weights are very uneven: {n} rows are worth {worth:.0f}, and the interval is weak.",
            n=units.cases, worth=units.n_effective,
        )  # fmt: skip
        notes.append(warning_note("uneven-weights", text))
    if measure.link in ("square", "square_share"):
        df = min(rule.spread((m,), np.ones(1)).df for m in models)
        if df < 10 or df < units.n / 10:
            text = Text(
                "few rows carry {name}: with such errors its interval is weak; mae is steadier.",
                name=label(measure.name),
            )
            notes.append(warning_note("heavy-tails", text))
        elif units.n < FEW_FOR_SQUARES:
            text = Text(
                "{n} rows may lack the few large errors that {name} would rest on, and then its interval is too short; "
                "mae is steadier.",
                n=units.n, name=label(measure.name),
            )  # fmt: skip
            notes.append(Note("tail-unseen", text))
    return (*notes, *uneven_notes(measure, rule, models), *_few_in_class(measure, rows, rule))


FEW_GROUPS, FEW_IN_CLASS = 5, 10
FEW_FOR_SQUARES = 200  # of 100 errors with 3 degrees of freedom a tenth of the samples missed and looked harmless
FEW_FOR_MACRO = 30  # such means of F1 covered 91 % with ten rows of a class: what one class loses is a whole share


def _few_in_class(measure: Measure, rows: Rows, rule: Rule) -> tuple[Note, ...]:
    """Fewer than ten cases of a class, for measures of cells or ranks; for plain means over classes fewer than 30."""
    if not rows.classes or not (measure.of_cells or measure.of_ranks):
        return ()
    counts = np.bincount(rows.truth, rows.frequency, minlength=len(rows.classes))
    fewest = round(float(counts[counts > 0].min()) * rule.counted.units.cases / float(counts.sum()))  # in one repeat
    if fewest >= (FEW_FOR_MACRO if measure.name.endswith("_macro") else FEW_IN_CLASS):
        return ()
    text = Text("the rarest class has only {n} rows: the interval is weak.", n=fewest)
    return (warning_note("few-in-class", text),)


# -- smooth functions of counts ---------------------------------------------------------------------------------------


def _delta(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
    """Delta method: the measure is a smooth function of cell proportions; normal limits.

    For kappa of independent rows this is Fleiss, Cohen & Everitt's asymptotic standard error, for F1 averages
    Takahashi's.
    """
    from scipy.special import ndtri

    units = asked.rows.units
    error = asked.standard_error(measure) * np.sqrt((units.n - 1) / units.n)
    half = float(ndtri((1 + level) / 2)) * float(error)
    return Interval(estimate, estimate - half, estimate + half, level, "delta")


def _t(measure: Measure, asked: ModelRows, estimate: float, level: float) -> Interval:
    """Student's interval of a mean over units; weights enter the standard error, clusters are summed first."""
    n = asked.rows.units.n
    if n < 2:
        return undefined(level, "t", Text("{name} of a single row has no interval", name=label(measure.name)))
    return t_interval(estimate, asked.standard_error(measure), n - 1, level, "t")


def t_interval(estimate: float, error: float, df: float, level: float, method: str) -> Interval:
    """Student's interval: estimate ± t·error."""
    from scipy.special import stdtrit

    half = float(stdtrit(df, (1 + level) / 2)) * error
    return Interval(estimate, estimate - half, estimate + half, level, method)


def undefined(level: float, method: str, reason: Text) -> Interval:
    """An interval that does not exist, with the reason."""
    nan = float("nan")
    return Interval(nan, nan, nan, level, method, (warning_note("undefined", Text("{reason}.", reason=reason)),))


CLOSED_FORMS: dict[str, ClosedForm] = {
    form.name: form
    for form in (
        *(_binomial(name) for name in ("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys")),
        _delong("delong", "logit"),
        _delong("delong-wald", "wald"),
        ClosedForm(
            name=RULE,
            serves=lambda measure: measure.has_slope,
            otherwise="it is for measures that change smoothly with the rows; rows are resampled for the others",
            limits=_rule,
        ),
        ClosedForm(
            name=LINEARIZED,
            serves=lambda measure: measure.has_slope,
            otherwise="it is for measures that change smoothly with the rows",
            limits=_linearized,
            error=lambda measure, asked: asked.standard_error(measure),
        ),
        ClosedForm(
            name="debiased",
            serves=lambda measure: measure.has_bias,
            otherwise="it is for values that few rows make too large, such as ks",
            limits=_debiased,
        ),
        ClosedForm(
            name="delta",
            serves=lambda measure: measure.of_cells,
            holds=_plain,
            otherwise="it is for measures of the confusion matrix",
            limits=_delta,
        ),
        ClosedForm(
            name="t",
            serves=lambda measure: measure.has(Trait.MEAN),
            holds=_plain,
            otherwise="it needs several folds, or a plain mean of per-instance losses",
            limits=_t,
            error=lambda measure, asked: asked.standard_error(measure),
        ),
    )
}
BOOTSTRAP = ("bootstrap", "bca", "percentile", "basic", "normal")
CORRECTED_T = "corrected-t"
FOLD_METHODS = ("cv-rows", "cv-clt", CORRECTED_T, "nested-cv")
METHODS = ("auto", *CLOSED_FORMS, *BOOTSTRAP, *FOLD_METHODS)
# How an interval is named in a paper, and where it is described.
PAPER_WORDS: dict[str, tuple[Text, tuple[str, ...]]] = {
    "wilson": (Text("Wilson's score method"), ("wilson1927",)),
    "delong": (Text("DeLong's method on the logit scale"), ("delong1988",)),
    "delong-wald": (Text("DeLong's method"), ("delong1988",)),
    RULE: (Text("Student's t from influence values on the scale of the measure's link"), ("efron1982", "bell2002")),
    LINEARIZED: (Text("linearisation with Student's t"), ("wolter2007",)),
    "bca": (Text("the bias-corrected and accelerated bootstrap"), ("efron1987",)),
    "percentile": (Text("the percentile bootstrap"), ("efron1982",)),
    "cv-rows": (Text("Student's t over rows and folds, allowing for retraining"), ("bayle2020",)),
    "cv-clt": (Text("the central limit theorem over rows, of the models as fitted"), ("bayle2020",)),
    CORRECTED_T: (Text("the corrected resampled t-test"), ("nadeau2003",)),
}


def auto_method(measure: Measure, asked: ModelRows) -> str:
    """Pick the interval of one test set: the measure's own closed form where it holds, the rule, else BCa."""
    known = next((name for name in measure.limits if CLOSED_FORMS[name].holds(measure, asked)), None)
    return known or (RULE if measure.has_slope else "bca")


def check_method(method: str, measure: Measure, asked: ModelRows, *, folds: bool) -> str:
    """Return the method to use for a measure; one that cannot serve it is an error that says what can."""
    if method == "auto":
        return "cv-rows" if folds else auto_method(measure, asked)
    if method in BOOTSTRAP and measure.needs != "times":
        return "bca" if method == "bootstrap" else method
    if folds and method in ("t", *FOLD_METHODS):
        return method
    form = CLOSED_FORMS.get(method)
    if form is not None and form.serves(measure):
        return method
    if method == "nested-cv":
        return method  # says itself what it needs
    reason = "it needs several folds" if method in FOLD_METHODS else "there is nothing to resample"
    raise ParameterError(
        f"interval {method!r} does not apply to {measure.name}: {reason if form is None else form.otherwise}.",
        hint="leave interval='auto', which picks a fitting one for each measure",
    )
