"""`plan`: how much data does a difference need, and what is the smallest difference that can be seen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import said
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Result
from bakeoff._core.validation import check_choice, check_count, check_level, check_number
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._pilot import pilot_facts
from bakeoff.comparison._plan_sentences import assumed_sentence, needed_sentences, seen_sentences
from bakeoff.comparison._planners import (
    AccuracyPlanner,
    AucPlanner,
    DatasetPlanner,
    FriedmanPlanner,
    LossPlanner,
    Planner,
    SplitPlanner,
)
from bakeoff.comparison._situation import AUC, RIGHT_OR_WRONG, measure_kind
from bakeoff.evidence import Predictions, Scores
from bakeoff.measures import Measure, find

PLANNABLE = ("mcnemar", "delong", "paired-t", "corrected-t", "wilcoxon", "friedman")
_BASELINE, _CORRELATION, _PREVALENCE = 0.85, 0.5, 0.5


@dataclass(frozen=True, repr=False)
class Plan(Result):
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

    @property
    def sentences(self) -> tuple[str, ...]:
        """The plan, sentence by sentence."""
        return (*needed_sentences(self), *seen_sentences(self), assumed_sentence(self))

    @property
    def verdict(self) -> str:
        """The plan in plain sentences."""
        return " ".join(self.sentences)

    def _columns(self) -> dict[str, Sequence[Any]]:
        return {"n": list(self.curve_n), "power": list(self.curve_power)}

    def _headline(self) -> str:
        found = f"needed {self.needed} {self.unit}" if self.needed is not None else f"detectable {self.detectable}"
        return f"{self.measure} by {self.test!r}, {found}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values, the sentences included."""
        return {**super().to_dict(), "verdict": self.verdict}

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *map(str, self.notes)])


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
) -> Plan:
    """How many test instances, splits or data sets do I need; or what is the smallest difference I can see?

    Give `difference` to learn how many units it takes, a number of units (`n_rows`, `n_splits` or `n_datasets`) to
    learn the smallest difference they show, or both.

    Parameters
    ----------
    evidence
        A pilot: predictions or scores of two models, from which what is not given is estimated.
    measure
        ``"accuracy"`` (McNemar), ``"auc"`` (DeLong), or a mean loss (paired t, with `sd`).
    difference
        The true difference to be shown, in the measure's units.
    power, confidence_level
        The chance of showing it, and the level of the test.
    n_rows, n_splits, n_datasets
        Units at hand: test instances, train/test splits of one data set, or data sets.
    n_models, control
        With more than two models α is shared among the comparisons (all pairs, or with a control).
    test
        mcnemar, delong, paired-t, corrected-t, wilcoxon or friedman; by default by what is counted and measured.
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
    facts = {} if evidence is None else pilot_facts(evidence, measure)
    name = _measure_name(measure, facts, baseline is None and sd is not None)
    given = {
        "n_rows": n_rows, "n_splits": n_splits, "n_datasets": n_datasets, "n_models": n_models, "baseline": baseline,
        "prevalence": prevalence, "correlation": correlation, "discordant": discordant, "sd": sd, "n_train": n_train,
        "n_test": n_test,
    }  # fmt: skip
    facts |= {key: value for key, value in given.items() if value is not None}
    models = check_count("n_models", facts.get("n_models", 2), minimum=2)
    if difference is not None:
        known = find(name)
        most = known.bounds[1] - known.bounds[0] if known is not None else float("inf")
        difference = check_number("difference", difference, low=-most, high=most)
    chosen = _test_for(test, name, facts, models)
    planner, notes = _planner(chosen, name, facts, models, difference)
    comparisons = 1 if chosen == "friedman" else (models - 1 if control else models * (models - 1) // 2)
    level, wanted = check_level(confidence_level), check_level(power, "power")
    return _answer(planner, name, difference, _units(planner, facts), wanted, level, models, comparisons, notes)


# -- choosing the test ------------------------------------------------------------------------------------------------


def _measure_name(measure: str | Measure | None, facts: Mapping[str, Any], only_sd: bool) -> str:
    if isinstance(measure, Measure):
        return measure.name
    known = find(measure) if measure is not None else None
    fallback = "score" if only_sd else "accuracy"
    return known.name if known is not None else (measure or facts.get("measure", fallback))


def _test_for(test: str | None, name: str, facts: Mapping[str, Any], n_models: int) -> str:
    if test is not None:
        return check_choice("test", test, PLANNABLE)
    if "n_datasets" in facts:
        return "friedman" if n_models > 2 else "wilcoxon"
    if "n_splits" in facts or "n_train" in facts:
        return "corrected-t"
    known = find(name)
    kind = measure_kind(known) if known is not None else ""
    if kind == RIGHT_OR_WRONG:
        return "mcnemar"
    return "delong" if kind == AUC else "paired-t"


def _planner(
    test: str, name: str, facts: Mapping[str, Any], n_models: int, difference: float | None
) -> tuple[Planner, tuple[Note, ...]]:
    if test == "mcnemar":
        return _accuracy_planner(facts, difference)
    if test == "delong":
        missing = [k for k in ("baseline", "prevalence", "correlation") if k not in facts]
        planner: Planner = AucPlanner(
            facts.get("baseline", _BASELINE), facts.get("prevalence", _PREVALENCE),
            facts.get("correlation", _CORRELATION),
        )  # fmt: skip
        return planner, _assumed_note(missing)
    if "sd" not in facts:
        raise ParameterError(
            f"planning {title(test)} needs sd=, the standard deviation of the differences between two models.",
            hint="take it from a pilot: plan(evidence=…), or from earlier work on such data",
        )
    deviation = check_number("sd", facts["sd"], low=0, closed="none")
    if test == "corrected-t":
        return SplitPlanner(deviation, facts.get("n_train", 9.0), facts.get("n_test", 1.0)), ()
    if test == "friedman":
        return FriedmanPlanner(deviation, max(n_models, 2)), ()
    return (DatasetPlanner(deviation) if test == "wilcoxon" else LossPlanner(deviation)), ()


def _accuracy_planner(facts: Mapping[str, Any], difference: float | None) -> tuple[Planner, tuple[Note, ...]]:
    from bakeoff.stats import discordant_rates

    if "discordant" in facts:
        return AccuracyPlanner(check_number("discordant", facts["discordant"], low=0, high=1, closed="right")), ()
    base = check_number("baseline", facts.get("baseline", _BASELINE), low=0, high=1)
    better = min(max(base + (difference or 0.0), 0.0), 1.0)
    share = sum(discordant_rates(better, base, facts.get("correlation", _CORRELATION)))
    return AccuracyPlanner(share), _assumed_note([k for k in ("baseline", "correlation") if k not in facts])


def _assumed_note(missing: Sequence[str]) -> tuple[Note, ...]:
    if not missing:
        return ()
    defaults = {"baseline": _BASELINE, "correlation": _CORRELATION, "prevalence": _PREVALENCE}
    listed = ", ".join(f"{name} = {defaults[name]:g}" for name in missing)
    message = said(
        "Assumed, because neither given nor estimated from a pilot: {listed}. The answer depends on it.", listed=listed
    )
    return (Note("assumed", message),)


def _units(planner: Planner, facts: Mapping[str, Any]) -> int | None:
    key = {"instances": "n_rows", "splits": "n_splits", "data sets": "n_datasets"}[planner.unit]
    return None if facts.get(key) is None else check_count(key, facts[key], minimum=planner.minimum)


# -- the answer -------------------------------------------------------------------------------------------------------


def _answer(
    planner: Planner,
    name: str,
    difference: float | None,
    n: int | None,
    power: float,
    level: float,
    n_models: int,
    comparisons: int,
    notes: tuple[Note, ...],
) -> Plan:
    if difference is None and n is None:
        raise ParameterError(
            "plan needs a difference to be shown, or a number of units at hand.",
            hint="difference=0.01, or n_rows=, n_splits=, n_datasets=, or a pilot in evidence=",
        )
    alpha = (1 - level) / comparisons
    wanted = None if difference is None else check_number("difference", abs(difference), low=0, closed="none")
    needed, more = (None, ()) if wanted is None else _needed(planner, wanted, alpha, power)
    detectable, seen = (None, ()) if n is None else _detectable(planner, n, alpha, power)
    shown = wanted if wanted is not None else detectable
    curve = _curve(planner, shown, needed or n, alpha)
    return Plan(
        name, planner.test, planner.unit, wanted, needed, n,
        power_now=None if n is None or wanted is None else float(planner.power_at(wanted, n, alpha)),
        detectable=detectable, power=power, confidence_level=level, alpha=alpha, n_models=n_models,
        n_comparisons=comparisons, curve_n=tuple(c for c, _ in curve), curve_power=tuple(p for _, p in curve),
        assumptions=planner.assumptions(), notes=(*notes, *more, *seen),
    )  # fmt: skip


def _needed(planner: Planner, difference: float, alpha: float, power: float) -> tuple[int | None, tuple[Note, ...]]:
    try:
        return planner.needed(difference, alpha, power), ()
    except ParameterError as problem:
        if "no number of" not in problem.message:
            raise
        hint = f" {problem.hint[0].upper()}{problem.hint[1:]}." if problem.hint else ""
        return None, (warning_note("unreachable", f"{problem.message}{hint}"),)


def _detectable(planner: Planner, n: int, alpha: float, power: float) -> tuple[float | None, tuple[Note, ...]]:
    try:
        return planner.detectable(n, alpha, power), ()
    except (ParameterError, EvidenceError) as problem:
        return None, (warning_note("undetectable", problem.message),)


def _curve(planner: Planner, difference: float | None, centre: int | None, alpha: float) -> list[tuple[int, float]]:
    """Power from an eighth to three times the size in question."""
    if difference is None or centre is None:
        return []
    low, high = max(planner.minimum, centre // 8), max(3 * centre, planner.minimum + 4)
    sizes = sorted({round(v) for v in np.geomspace(low, high, planner.curve_points)})
    return [(n, float(planner.power_at(difference, n, alpha))) for n in sizes]
