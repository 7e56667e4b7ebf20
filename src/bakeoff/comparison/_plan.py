"""`plan`: how much data does a difference need, and what is the smallest difference that can be seen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, joined, label, numeral, translate
from bakeoff._core.result import Note, Told, warning_note
from bakeoff._core.validation import check_choice, check_count, check_level, check_number
from bakeoff._core.view import Table, View
from bakeoff.comparison._catalogue import catalogue, plannable, planned_test
from bakeoff.comparison._conditions import (
    DATASETS,
    FOLDS,
    INSTANCES,
    MEAN,
    DesignFacts,
    measure_kind,
)
from bakeoff.comparison._entry import Test
from bakeoff.comparison._pilot import Pilot, read_pilot
from bakeoff.comparison._plan_attempts import Attempts, with_attempts
from bakeoff.comparison._plan_sentences import assumed_sentence, needed_sentences, seen_sentences, unit_word
from bakeoff.comparison._planners import DEFAULTS, CannotPlan, PlanFacts, Planner, Planning, class_within
from bakeoff.evidence import Predictions, Scores, paired_rows
from bakeoff.intervals import t_quantile
from bakeoff.measures import Measure, find
from bakeoff.stats import power_paired_t


@dataclass(frozen=True, repr=False)
class Plan(Told):
    """How much evidence a difference needs, and what the evidence at hand can show.

    Attributes
    ----------
    test, unit
        The test planned for, and what is counted: ``"instances"``, ``"splits"`` or ``"data sets"``.
    difference, needed
        The true difference to be shown, and how many units that takes; None where not asked, or not reachable.
    n, power_now, detectable
        The units at hand, the power they give for `difference`, and the smallest difference they show with `power`.
    power, confidence_level, alpha
        Power asked for; level of the test, and its α after allowing for the number of comparisons.
    n_models, n_comparisons
        Models, and the comparisons α is shared among (Bonferroni; Holm needs no more than that).
    curve_n, curve_power
        Power at a range of sizes, for `difference` (or for `detectable`).
    assumptions
        What was assumed about the models.
    n_items, n_attempts
        Items and attempts at each, of a pilot with several attempts; else None.
    half_width, more_items, more_attempts
        Half the width of the interval of the difference: now, with twice the items, with twice the attempts. Where a
        `difference` was asked for, the last two are its power.

    Examples
    --------
    >>> import bakeoff
    >>> plan = bakeoff.plan(measure="auc", difference=0.02, baseline=0.90, correlation=0.8)
    >>> plan.unit, plan.needed
    ('instances', 836)
    """

    measure: str
    test: str
    unit: str
    difference: float | None
    needed: int | None
    n: int | None
    power_now: float | None
    detectable: float | None
    power: float = 0.8
    confidence_level: float = 0.95
    alpha: float = 0.05
    n_models: int = 2
    n_comparisons: int = 1
    curve_n: tuple[int, ...] = ()
    curve_power: tuple[float, ...] = ()
    assumptions: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    n_items: int | None = None
    n_attempts: float | None = None
    half_width: float | None = None
    more_items: float | None = None
    more_attempts: float | None = None
    _label: Text | str = ""

    @property
    def sentences(self) -> tuple[Text, ...]:
        """The plan, sentence by sentence."""
        answers = (*needed_sentences(self), *seen_sentences(self))
        return (answers[0].as_role("headline"), *answers[1:], assumed_sentence(self).as_role("scope"))

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {"n": list(self.curve_n), "power": list(self.curve_power)}

    def _headline(self) -> str:
        found = f"needed {self.needed} {self.unit}" if self.needed is not None else f"detectable {self.detectable}"
        return f"{self.measure} by {self.test!r}, {found}"

    def _view(self) -> View:
        shown = np.unique(np.linspace(0, len(self.curve_n) - 1, 7).round().astype(int)) if self.curve_n else ()
        power = [numeral(100 * self.curve_power[i], ".0f", "\N{NO-BREAK SPACE}%") for i in shown]
        columns = {str(unit_word(self.unit)): [self.curve_n[i] for i in shown], translate("power"): power}
        return View(self.sentences, (Table(columns),) if self.curve_n else (), (), self.notes)


def plan(
    evidence: Predictions | Scores | None = None,
    *,
    measure: str | Measure | None = None,
    difference: float | None = None,
    power: float = 0.8,
    confidence_level: float = 0.95,
    n_rows: int | None = None,
    n_splits: int | None = None,
    n_datasets: int | None = None,
    n_models: int | None = None,
    control: bool = False,
    test: str | None = None,
    baseline: float | None = None,
    prevalence: float | None = None,
    correlation: float | None = None,
    discordant: float | None = None,
    sd: float | None = None,
    n_train: float | None = None,
    n_test: float | None = None,
    n_attempts: int | None = None,
) -> Plan:
    """How many test instances, splits or data sets do I need; or what is the smallest difference I can see?

    Give `difference` to learn how many units it takes, a number of units (`n_rows`, `n_splits` or `n_datasets`) to
    learn the smallest difference they show, or both.

    Parameters
    ----------
    evidence
        A pilot: predictions or scores of two models, from which what is not given is estimated. Rows in groups, rows
        over folds, and measures such as F1 or RMSE are planned from a pilot only: from its influence values.
    measure
        ``"accuracy"``, ``"recall"`` or ``"specificity"`` (McNemar), ``"auc"`` (DeLong), a mean loss (paired t, with
        `sd`); any other smooth measure with a pilot (the interval rule).
    difference
        The true difference to be shown, in the measure's units.
    power, confidence_level
        The chance of showing it, and the level of the test.
    n_rows, n_splits, n_datasets
        Units at hand: test instances, train/test splits of one data set, or data sets.
    n_models, control
        With more than two models α is shared among the comparisons (all pairs, or with a control).
    test
        A test of the catalogue that has a power calculation; by default by what is counted and measured.
    baseline
        Accuracy or AUC of the model to beat (0.85 if neither given nor estimated).
    prevalence, correlation
        Share of positives; correlation of the two models (of being right, or of their scores): 0.5 each if not known.
    discordant
        Share of instances on which exactly one of two models is right.
    sd
        Standard deviation of the differences over instances, splits or data sets.
    n_train, n_test
        Sizes of training and test parts, for splits.
    n_attempts
        With a pilot of outcomes over several attempts: attempts at each item to plan for (by default as many).

    Returns
    -------
    Plan
        `needed`, `detectable`, `power_now`, a power curve as data, and the assumptions.

    Examples
    --------
    "I want to detect 0.01 AUC with 80 % power: how many test instances?"

    >>> import bakeoff
    >>> bakeoff.plan(measure="auc", difference=0.01, baseline=0.90, correlation=0.8).needed
    3451
    """
    given = {name: value for name, value in locals().items() if name in _FACTS and value is not None}
    evidence = paired_rows(evidence)
    pilot = Pilot() if evidence is None else read_pilot(evidence, measure)
    name = _measure_name(measure, pilot, baseline is None and sd is not None)
    known = measure if isinstance(measure, Measure) else find(name)
    pilot, again = with_attempts(pilot, evidence, known, n_attempts)
    facts: PlanFacts = replace(
        pilot.facts,
        within=class_within(known),
        area=(1.0, 0.0) if known is None else known.area,
        **given,
    )
    models = check_count("n_models", 2 if facts.n_models is None else facts.n_models, minimum=2)
    if difference is not None:
        most = known.bounds[1] - known.bounds[0] if known is not None else float("inf")
        difference = check_number("difference", difference, low=-most, high=most)
    entry = _test_for(test, name, known, facts)
    planning = _planning(entry)
    pairs = models - 1 if control else models * (models - 1) // 2
    answer = _answer(
        entry,
        planning.planner(facts, difference),
        Plan(
            measure=name,
            test=entry.name,
            unit=planning.unit,
            difference=difference,
            needed=None,
            n=getattr(facts, _AT_HAND[planning.unit]),
            power_now=None,
            detectable=None,
            power=check_level(power, "power"),
            confidence_level=check_level(confidence_level),
            n_models=models,
            n_comparisons=pairs,
            _label=entry.label,
        ),
    )
    return answer if again is None else _what_more_buys(answer, again)


_FACTS = (
    "n_rows", "n_splits", "n_datasets", "n_models", "baseline", "prevalence", "correlation", "discordant", "sd",
    "n_train", "n_test",
)  # fmt: skip


# -- choosing the test ------------------------------------------------------------------------------------------------


def _measure_name(measure: str | Measure | None, pilot: Pilot, only_sd: bool) -> str:
    if isinstance(measure, Measure):
        return measure.name
    if measure is not None and not isinstance(measure, str):
        raise ParameterError(f"measure must be a name or a Measure. Got {type(measure).__name__} instead.")
    known = find(measure) if measure is not None else None
    if known is not None:
        return known.name
    return measure or pilot.measure or ("score" if only_sd else "accuracy")


def _test_for(test: str | None, name: str, known: Measure | None, facts: PlanFacts) -> Test[Any]:
    """Return the test asked for, or the one `compare` takes for a pair, by what is counted and measured."""
    if test is not None:
        return catalogue()[check_choice("test", test, tuple(catalogue()))]
    if facts.n_datasets is not None:
        return planned_test(DesignFacts(DATASETS, "scores", rows=False, n_datasets=max(facts.n_datasets, 2)))
    if facts.n_splits is not None or facts.n_train is not None:
        return planned_test(DesignFacts(FOLDS, "k-fold", rows=False, n_splits=10, n_folds=10))
    kind = MEAN if known is None else measure_kind(known)
    if facts.over_folds:
        return planned_test(DesignFacts(FOLDS, "k-fold", n_splits=10, n_folds=10, measure=name, measure_kind=kind))
    if not facts.plain:
        return planned_test(DesignFacts(INSTANCES, measure=name, measure_kind=kind, weighted=True))
    if known is not None and not known.has_slope:
        raise ParameterError(
            f"there is no power calculation for {name}.",
            hint="plan for a measure that changes smoothly with the rows: accuracy, auc, f1, a mean loss",
        )
    within = "" if known is None else known.within or ""
    return planned_test(DesignFacts(INSTANCES, measure=name, measure_kind=kind, within=within))


def _planning(test: Test[Any]) -> Planning:
    if isinstance(test.plan, CannotPlan):
        raise ParameterError(
            f"there is no power calculation for {test.label}: {test.plan.reason}.",
            hint=f"test must be one of {', '.join(map(repr, plannable()))}",
        )
    return test.plan


_AT_HAND = {"instances": "n_rows", "splits": "n_splits", "data sets": "n_datasets"}  # unit → how many there are


def _what_more_buys(answer: Plan, again: Attempts) -> Plan:
    """Half-width, or power of the difference asked for: now, with twice the items, with twice the attempts."""
    n, variance = answer.n or again.items, again.variance

    def width(items: int, spread: float) -> float:
        return t_quantile(max(items - 1, 1), answer.confidence_level) * float(np.sqrt(spread / items))

    def bought(items: int, spread: float) -> float:
        if answer.difference is None:
            return width(items, spread)
        return float(power_paired_t(answer.difference, np.sqrt(spread), items, alpha=answer.alpha))

    return replace(
        answer,
        n_items=n,
        n_attempts=again.attempts,
        half_width=width(n, variance),
        more_items=bought(2 * n, variance),
        more_attempts=bought(n, variance - again.of_attempts / 2),
    )


# -- the answer -------------------------------------------------------------------------------------------------------


def _answer(test: Test[Any], planner: Planner, asked: Plan) -> Plan:
    """Fill in what was asked: the units a difference takes, and what the units at hand show."""
    if asked.difference is None and asked.n is None:
        raise ParameterError(
            "plan needs a difference to be shown, or a number of units at hand.",
            hint="difference=0.01, or n_rows=, n_splits=, n_datasets=, or a pilot in evidence=",
        )
    n = None if asked.n is None else check_count(_AT_HAND[asked.unit], asked.n, minimum=planner.minimum)
    alpha = (1 - asked.confidence_level) / asked.n_comparisons
    if n is not None:
        _refuse_hopeless(test, n, asked, alpha)
    wanted = asked.difference
    wanted = None if wanted is None else check_number("difference", abs(wanted), low=0, closed="none")
    needed, more = (None, ()) if wanted is None else _needed(planner, wanted, alpha, asked.power)
    detectable, seen = (None, ()) if n is None else _detectable(planner, n, alpha, asked.power)
    curve = _curve(planner, wanted if wanted is not None else detectable, needed or n, alpha)
    return replace(
        asked,
        difference=wanted,
        needed=needed,
        n=n,
        power_now=None if n is None or wanted is None else float(planner.power_at(wanted, n, alpha)),
        detectable=detectable,
        alpha=alpha,
        curve_n=tuple(size for size, _ in curve),
        curve_power=tuple(power for _, power in curve),
        assumptions=planner.assumptions,
        notes=(*_assumed_note(planner), *more, *seen),
    )


def _refuse_hopeless(test: Test[Any], n: int, asked: Plan, alpha: float) -> None:
    """So few units that the smallest p-value of a pair, times the number of pairs, is not below the level."""
    least = test.least_pvalue(n, 2)
    if least <= alpha:
        return
    enough = next(more for more in count(n) if test.least_pvalue(more, 2) <= alpha)
    raise ParameterError(
        f"with {n} {asked.unit} nothing can be shown: the smallest p-value of a pair is {least:.3g}, times "
        f"{asked.n_comparisons} comparisons {least * asked.n_comparisons:.3g}, whatever the scores.",
        hint=f"it takes {enough} {asked.unit} for {asked.n_models} models; or compare fewer, or with one control",
    )


def _assumed_note(planner: Planner) -> tuple[Note, ...]:
    if not planner.assumed:
        return ()
    listed = joined([Text("{name} = {value:g}", name=label(n), value=DEFAULTS[n]) for n in planner.assumed], "; ")
    text = Text(
        "Assumed, because neither given nor estimated from a pilot: {listed}. The answer depends on it.", listed=listed
    )
    return (Note("assumed", text),)


def _needed(planner: Planner, difference: float, alpha: float, power: float) -> tuple[int | None, tuple[Note, ...]]:
    try:
        return planner.needed(difference, alpha, power), ()
    except ParameterError as problem:
        if "no number of" not in problem.message:
            raise
        return None, (warning_note("unreachable", problem.text),)


def _detectable(planner: Planner, n: int, alpha: float, power: float) -> tuple[float | None, tuple[Note, ...]]:
    try:
        return planner.detectable(n, alpha, power), ()
    except (ParameterError, EvidenceError) as problem:
        return None, (warning_note("undetectable", problem.texts[0]),)


def _curve(planner: Planner, difference: float | None, centre: int | None, alpha: float) -> list[tuple[int, float]]:
    """Power from an eighth to three times the size in question."""
    if difference is None or centre is None:
        return []
    low, high = max(planner.minimum, centre // 8), max(3 * centre, planner.minimum + 4)
    sizes = sorted({round(v) for v in np.geomspace(low, high, planner.curve_points)})
    return [(n, float(planner.power_at(difference, n, alpha))) for n in sizes]
