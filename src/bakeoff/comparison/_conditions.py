"""The facts of a design, all that the choice of a test may look at, and what a test needs of them, as data.

`choose` reads them to say why a test was not taken, `compare` to refuse or to warn when a test is asked for by name,
`advise` and the guide to explain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from bakeoff._core.language import Text
from bakeoff._core.validation import FloatArray
from bakeoff.evidence import Design, Predictions, Rows, Scores
from bakeoff.intervals import FEW_FOR_DELONG, FEW_GROUPS, HIGH_AREA, fourth_moment_df
from bakeoff.measures import Measure, Trait, label_of, losses_of, unavailable

INSTANCES, ITEMS, FOLDS, DATASETS = "instances", "items", "folds", "data sets"

RIGHT_OR_WRONG, AUC, MEAN, COUNTS, OTHER = "right or wrong", "auc", "mean", "counts", "other"
"""How a measure is built: right or wrong per instance, AUC, mean of values per instance, confusion counts, or other."""


@dataclass(frozen=True)
class DesignFacts:
    """The design of the evidence and the kind of measure, without any result: choosing a test cannot peek.

    Attributes
    ----------
    unit
        ``"instances"``, ``"items"``, ``"folds"`` or ``"data sets"``: what the test counts.
    kind
        How the evidence was made, see `bakeoff.Design`.
    rows
        Whether there are predictions row by row (else only scores).
    measure, measure_kind
        The measure's name, and how it is built.
    n_models, n_datasets, n_rows, n_repeats, n_folds, n_splits, n_groups
        Sizes; see `bakeoff.Design`.
    weighted
        Whether rows carry weights.
    within
        For a share of right or wrong answers: among ``"all"`` rows, the ``"positive"`` or the ``"negative"`` ones.
    counted
        Whether rows are counts that are too many to be written out.
    predictive
        Whether it is the share of right ones among the rows a model calls.
    smooth
        Whether influence values describe the measure.
    rarer, near_end
        Rows of the rarer of two classes, and whether some model's AUC is near its end; what DeLong's variance needs.
    carriers
        About how many rows carry the variance of the paired differences of a mean, in the pair that has fewest.
    margin
        Whether a margin was asked for.
    paired_repeats
        Whether it is known which rows of several repeats are about one case.
    few_groups
        Whether the groups are worth fewer than five of equal size: too few for a conclusion.

    Examples
    --------
    >>> from bakeoff.comparison import DesignFacts, choose
    >>> choice, notes = choose(DesignFacts("data sets", rows=False, n_models=2, n_datasets=12))
    >>> print(choice.chosen)
    wilcoxon
    """

    unit: str
    kind: str = "test set"
    rows: bool = True
    measure: str = "accuracy"
    measure_kind: str = RIGHT_OR_WRONG
    n_models: int = 2
    n_datasets: int = 1
    n_rows: int | None = None
    n_repeats: int = 1
    n_folds: int = 1
    n_splits: int = 1
    n_groups: int = 0
    weighted: bool = False
    within: str = ""
    predictive: bool = False
    counted: bool = False
    smooth: bool = True
    rarer: float = np.inf
    near_end: bool = False
    carriers: float = np.inf
    margin: bool = False
    few_groups: bool = False
    paired_repeats: bool = True

    @property
    def one_test_set(self) -> bool:
        """Whether independent instances (or items) of one test set are what is counted."""
        return self.unit in (INSTANCES, ITEMS)

    @property
    def several_datasets(self) -> bool:
        """Whether the unit is the data set, and there are at least two."""
        return self.unit == DATASETS and self.n_datasets > 1

    @property
    def grouped(self) -> bool:
        """Whether rows come in clusters."""
        return self.n_groups > 0


def facts_of(evidence: Predictions | Scores, measure: Measure | None, *, name: str) -> DesignFacts:
    """Read the facts from the evidence; `measure` is None where its numbers were given."""
    design: Design = evidence.design
    sizes = {name: getattr(design, name) for name in ("n_models", "n_datasets", "n_rows", "n_folds", "n_splits")}
    tables = list(evidence) if isinstance(evidence, Predictions) else []
    # Times are taken once per fit, also where every row is tested by a fit of its own.
    timed = measure is not None and measure.needs == "times" and design.n_datasets == 1 and design.n_splits > 1
    return DesignFacts(
        unit=FOLDS if timed else design.unit,
        kind=design.kind,
        rows=bool(tables),
        measure=name,
        measure_kind=OTHER if measure is None else measure_kind(measure, tables[0] if tables else None),
        n_repeats=1 if tables and tables[0].attempt is not None else design.n_repeats,
        n_groups=_clusters(design, tables),
        weighted=any(rows.weight is not None for rows in tables),
        within="" if measure is None else measure.within or "",
        predictive=measure is not None and measure.has(Trait.PREDICTIVE),
        smooth=measure is not None and measure.has_slope,
        **sizes,
        **(_sample_facts(measure, tables[0]) if measure is not None and len(tables) == 1 else {}),
    )


def _sample_facts(measure: Measure, rows: Rows) -> dict[str, Any]:
    """What the sample tells about whether a known procedure holds; nothing about which model is better."""
    units = rows.units
    few_groups = units.kind == "group" and units.effective_groups < FEW_GROUPS
    facts: dict[str, Any] = {"paired_repeats": units.answers == 1, "few_groups": few_groups}
    able = all(unavailable(measure, rows, m) is None for m in rows.models)
    if measure.is_area and able:
        factor, constant = measure.area
        tallies = [rows.tally(m) for m in rows.models]
        areas = [(float(measure.value(t.scores, t.positive, t.negative)) - constant) / factor for t in tallies]
        facts["rarer"] = min(float(tallies[0].positive.sum()), float(tallies[0].negative.sum()))
        facts["near_end"] = any(not 1 - HIGH_AREA <= area <= HIGH_AREA for area in areas)
    elif measure.has(Trait.MEAN) and able and units.plain:
        facts["carriers"] = _fewest_carriers(losses_of(measure, rows, rows.models), units.once)
    return facts


def _fewest_carriers(values: FloatArray, copies: FloatArray) -> float:
    """Degrees of freedom of the variance of the paired differences, in the pair that has fewest."""
    k = values.shape[1]
    found = np.inf
    for a in range(min(k, 30)):
        for b in range(a + 1, min(k, 30)):
            moved = values[:, a] - values[:, b]
            moved = moved - copies @ moved / copies.sum()
            if np.abs(moved).max() > 0:
                found = min(found, fourth_moment_df(moved, copies))
    return found


def _clusters(design: Design, tables: list[Rows]) -> int:
    """Units that hold several rows: groups, or cases that were answered several times."""
    if len(tables) == 1 and tables[0].attempt is not None:
        return tables[0].units.records
    return design.n_groups


def measure_kind(measure: Measure, rows: Rows | None = None) -> str:
    """Tell how a measure is built, which decides what tests apply to it."""
    if measure.has(Trait.RIGHT_OR_WRONG):
        return RIGHT_OR_WRONG
    if measure.has(Trait.OF_ITEMS):
        return RIGHT_OR_WRONG if rows is not None and rows.solved_or_not() else MEAN
    if measure.is_area:
        return AUC
    if measure.has(Trait.MEAN):
        return MEAN
    return COUNTS if measure.of_cells else OTHER


Severity = Literal["impossible", "unsound", "not preferred"]


@dataclass(frozen=True)
class Condition:
    """Something a test needs.

    Attributes
    ----------
    code
        Stable identifier; a note about an override that breaks the condition carries it.
    holds
        Whether the design meets it.
    reason
        What to say when it does not.
    severity
        ``"impossible"``: the test cannot be computed. ``"unsound"``: it can, and its p-value would mislead.
        ``"not preferred"``: valid, and another test suits better.

    Examples
    --------
    >>> from bakeoff.comparison import Condition, DesignFacts
    >>> enough = Condition(
    ...     "few-rows", lambda facts: (facts.n_rows or 0) >= 50, lambda facts: "needs 50 rows", "unsound"
    ... )
    >>> enough.holds(DesignFacts("instances", n_rows=20))
    False
    """

    code: str
    holds: Callable[[DesignFacts], bool]
    reason: Callable[[DesignFacts], Text | str]
    severity: Severity = "impossible"


def _no_folds(facts: DesignFacts) -> Text:
    if facts.several_datasets:
        return Text("is for the folds of one data set; here data sets are the unit")
    return Text("needs scores of several train/test splits; there is one")


ROWS = Condition(
    "needs-rows", lambda f: f.rows, lambda f: Text("needs predictions instance by instance; only scores were given")
)
ONE_DATASET = Condition(
    "needs-one-data-set",
    lambda f: f.n_datasets == 1,
    lambda f: Text("is about one data set; here {n} data sets are the unit", n=f.n_datasets),
)
NOT_REPEATED = Condition(
    "rows-repeated",
    lambda f: f.n_repeats == 1,
    lambda f: Text(
        "every instance was predicted {n} times (once per repeat), and would be counted {n} times", n=f.n_repeats
    ),
)
NOT_FOLDS = Condition(
    "pools-folds",
    lambda f: f.unit != FOLDS,
    lambda f: Text(
        "would pool the predictions of {n} models trained on different parts of the data, and ignore how much the "
        "models vary with their training sets",
        n=f.n_splits,
    ),
    "unsound",
)
ACCURACY = Condition(
    "measure-not-accuracy",
    lambda f: f.measure_kind == RIGHT_OR_WRONG,
    lambda f: Text("compares how often models are right, not {measure}", measure=label_of(f.measure)),
)
AREA = Condition(
    "measure-not-auc",
    lambda f: f.measure_kind == AUC,
    lambda f: Text("compares AUC, not {measure}", measure=label_of(f.measure)),
)
MEAN_OF_ROWS = Condition(
    "measure-not-a-mean",
    lambda f: f.measure_kind in (RIGHT_OR_WRONG, MEAN),
    lambda f: Text(
        "needs a value on every instance whose mean is the measure; {measure} is not such a mean",
        measure=label_of(f.measure),
    ),
)
# Scores of folds and data sets are averaged whatever the measure.
MEAN_MEASURE = replace(MEAN_OF_ROWS, holds=lambda f: MEAN_OF_ROWS.holds(f) or not f.one_test_set)
UNGROUPED = Condition(
    "rows-in-clusters",
    lambda f: not f.grouped,
    lambda f: Text("takes the rows as independent, but they come in clusters"),
    "unsound",
)
GROUPED = Condition(
    "no-clusters", lambda f: f.grouped, lambda f: Text("is for rows in clusters; no groups were given"), "not preferred"
)
UNWEIGHTED = Condition(
    "rows-weighted", lambda f: not f.weighted, lambda f: Text("has no place for weights, but the rows are weighted")
)
TWO_MODELS = Condition(
    "several-models",
    lambda f: f.n_models == 2,
    lambda f: Text("compares two models; with {n} models a test of all together goes first", n=f.n_models),
    "not preferred",
)
MANY_MODELS = Condition(
    "two-models",
    lambda f: f.n_models > 2,
    lambda f: Text("is a test of three or more models; there are {n}", n=f.n_models),
    "not preferred",
)
HAS_FOLDS = Condition("needs-folds", lambda f: f.unit == FOLDS, _no_folds)
FIVE_BY_TWO = Condition(
    "needs-5x2cv",
    lambda f: f.kind == "5x2cv" and f.unit == FOLDS,
    lambda f: Text("needs five replications of 2-fold cross-validation on one data set"),
)
INDEPENDENT_UNITS = Condition(
    "dependent-folds",
    lambda f: f.unit != FOLDS,
    lambda f: Text(
        "takes the {n} splits as independent, but their training sets overlap: it finds differences that are not there "
        "(inflated type-I error)",
        n=f.n_splits,
    ),
    "unsound",
)
SCORES_UNIT = Condition(
    "needs-data-sets", lambda f: not f.one_test_set, lambda f: Text("needs a score per data set; there is one data set")
)
SEVERAL = Condition(
    "one-data-set",
    lambda f: f.unit == FOLDS or f.n_datasets > 1,
    lambda f: Text("needs at least two data sets; there is one"),
)
COMPARABLE = Condition(
    "assumes-normality",
    lambda f: not f.several_datasets,
    lambda f: Text(
        "assumes that differences on different data sets are of one size and normal, which the signed ranks do not need"
    ),
    "not preferred",
)
PAIRS = Condition(
    "one-score",
    lambda f: f.one_test_set or f.unit == FOLDS or f.n_datasets > 1,
    lambda f: Text("needs several pairs of values; there is one"),
)
FOLDS_IN_DATASETS = Condition(
    "needs-folds-in-data-sets",
    lambda f: f.several_datasets and f.n_splits > 1,
    lambda f: Text("needs the fold scores of several data sets"),
)

WITHIN_CLASS = replace(
    ACCURACY, code="measure-not-a-share", holds=lambda f: f.measure_kind == RIGHT_OR_WRONG or bool(f.within)
)
TWO_OR_WITHIN = replace(TWO_MODELS, holds=lambda f: f.n_models == 2 or f.within in ("positive", "negative"))
SMOOTH = Condition(
    "measure-not-smooth",
    lambda f: f.smooth,
    lambda f: Text(
        "needs a measure that changes smoothly with the rows; {measure} does not", measure=label_of(f.measure)
    ),
)
ENOUGH_PER_CLASS = Condition(
    "few-in-class",
    lambda f: f.rarer >= FEW_FOR_DELONG and not f.near_end and not f.margin,
    lambda f: Text(
        "its variance holds with {n} rows or more in each class, areas up to {most}, and no margin",
        n=FEW_FOR_DELONG,
        most=HIGH_AREA,
    ),
    "not preferred",
)
ROWS_ALONE = Condition(
    "rows-in-clusters",
    lambda f: not f.grouped and not f.weighted,
    lambda f: Text("for weighted rows and rows in clusters the interval rule holds its level better"),
    "not preferred",
)
MANY_CARRIERS = Condition(
    "few-rows-carry",
    lambda f: f.carriers >= FEW_CARRIERS and not f.weighted,
    lambda f: Text("fewer than {n} rows carry the variance of the differences", n=FEW_CARRIERS),
    "not preferred",
)
FEW_CARRIERS = 25
NOT_ONE_BY_ONE = Condition(
    "leave-one-out",
    lambda f: f.kind != "leave-one-out",
    lambda f: Text("has no allowance for how fits vary, which leave-one-out cannot show"),
    "not preferred",
)
BY_NAME = Condition("by-name", lambda f: False, lambda f: Text("valid here too; asked for by name"), "not preferred")
ROWS_OVER_FOLDS = Condition(
    "needs-rows-over-folds",
    lambda f: f.rows and f.unit == FOLDS and f.kind in ("k-fold", "5x2cv") and f.smooth,
    lambda f: Text("needs predictions of every row over the folds of one data set, and a smooth measure"),
)

NOT_COUNTED = Condition(
    "needs-single-rows",
    lambda f: not f.counted,
    lambda f: Text("reads single rows, and there are counts; the linearised test reads counts"),
)
PREDICTIVE = Condition(
    "measure-not-predictive",
    lambda f: f.predictive,
    lambda f: Text("compares precision or NPV, not {measure}", measure=label_of(f.measure)),
)
PAIRED_REPEATS = Condition(
    "cases-not-known",
    lambda f: f.paired_repeats,
    lambda f: Text(
        "needs to know which case each row is about, since every case was predicted {n} times", n=f.n_repeats
    ),
)

ON_ROWS = (ONE_DATASET, ROWS, NOT_REPEATED, NOT_FOLDS)
"""What every test on the instances of one test set needs."""

ON_SCORES = (SCORES_UNIT, SEVERAL, INDEPENDENT_UNITS)
"""What every test on one score per data set needs."""
