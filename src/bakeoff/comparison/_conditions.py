"""Conditions: what a test needs of the design, as data.

`choose` reads them to say why a test was not taken, `compare` to refuse or to warn when a test is asked for by name,
`advise` and the guide to explain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from bakeoff._core.language import Text
from bakeoff.comparison._facts import AUC, FOLDS, MEAN, RIGHT_OR_WRONG, DesignFacts
from bakeoff.intervals import FEW_FOR_DELONG, HIGH_AREA
from bakeoff.measures import label_of

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
    severity: Severity


def _no_folds(facts: DesignFacts) -> Text:
    if facts.several_datasets:
        return Text("is for the folds of one data set; here data sets are the unit")
    return Text("needs scores of several train/test splits; there is one")


ROWS = Condition(
    "needs-rows",
    lambda f: f.rows,
    lambda f: Text("needs predictions instance by instance; only scores were given"),
    "impossible",
)
ONE_DATASET = Condition(
    "needs-one-data-set",
    lambda f: f.n_datasets == 1,
    lambda f: Text("is about one data set; here {n} data sets are the unit", n=f.n_datasets),
    "impossible",
)
NOT_REPEATED = Condition(
    "rows-repeated",
    lambda f: f.n_repeats == 1,
    lambda f: Text(
        "every instance was predicted {n} times (once per repeat), and would be counted {n} times", n=f.n_repeats
    ),
    "impossible",
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
    "impossible",
)
AREA = Condition(
    "measure-not-auc",
    lambda f: f.measure_kind == AUC,
    lambda f: Text("compares AUC, not {measure}", measure=label_of(f.measure)),
    "impossible",
)
MEAN_OF_ROWS = Condition(
    "measure-not-a-mean",
    lambda f: f.measure_kind in (RIGHT_OR_WRONG, MEAN),
    lambda f: Text(
        "needs a value on every instance whose mean is the measure; {measure} is not such a mean",
        measure=label_of(f.measure),
    ),
    "impossible",
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
    "no-clusters",
    lambda f: f.grouped,
    lambda f: Text("is for rows in clusters; no groups were given"),
    "not preferred",
)
UNWEIGHTED = Condition(
    "rows-weighted",
    lambda f: not f.weighted,
    lambda f: Text("has no place for weights, but the rows are weighted"),
    "impossible",
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
HAS_FOLDS = Condition("needs-folds", lambda f: f.unit == FOLDS, _no_folds, "impossible")
FIVE_BY_TWO = Condition(
    "needs-5x2cv",
    lambda f: f.kind == "5x2cv" and f.unit == FOLDS,
    lambda f: Text("needs five replications of 2-fold cross-validation on one data set"),
    "impossible",
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
    "needs-data-sets",
    lambda f: not f.one_test_set,
    lambda f: Text("needs a score per data set; there is one data set"),
    "impossible",
)
SEVERAL = Condition(
    "one-data-set",
    lambda f: f.unit == FOLDS or f.n_datasets > 1,
    lambda f: Text("needs at least two data sets; there is one"),
    "impossible",
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
    "impossible",
)
FOLDS_IN_DATASETS = Condition(
    "needs-folds-in-data-sets",
    lambda f: f.several_datasets and f.n_splits > 1,
    lambda f: Text("needs the fold scores of several data sets"),
    "impossible",
)

WITHIN_CLASS = Condition(
    "measure-not-a-share",
    lambda f: f.measure_kind == RIGHT_OR_WRONG or bool(f.within),
    lambda f: Text("compares how often models are right, not {measure}", measure=label_of(f.measure)),
    "impossible",
)
TWO_OR_WITHIN = Condition(
    "several-models",
    lambda f: f.n_models == 2 or f.within in ("positive", "negative"),
    lambda f: Text("compares two models; with {n} models a test of all together goes first", n=f.n_models),
    "not preferred",
)
SMOOTH = Condition(
    "measure-not-smooth",
    lambda f: f.smooth,
    lambda f: Text(
        "needs a measure that changes smoothly with the rows; {measure} does not", measure=label_of(f.measure)
    ),
    "impossible",
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
BY_NAME = Condition(
    "by-name",
    lambda f: False,
    lambda f: Text("valid here too; asked for by name"),
    "not preferred",
)
ROWS_OVER_FOLDS = Condition(
    "needs-rows-over-folds",
    lambda f: f.rows and f.unit == FOLDS and f.kind in ("k-fold", "5x2cv") and f.smooth,
    lambda f: Text("needs predictions of every row over the folds of one data set, and a smooth measure"),
    "impossible",
)

PAIRED_REPEATS = Condition(
    "cases-not-known",
    lambda f: f.paired_repeats,
    lambda f: Text(
        "needs to know which case each row is about, since every case was predicted {n} times", n=f.n_repeats
    ),
    "impossible",
)

ON_ROWS = (ONE_DATASET, ROWS, NOT_REPEATED, NOT_FOLDS)
"""What every test on the instances of one test set needs."""

ON_SCORES = (SCORES_UNIT, SEVERAL, INDEPENDENT_UNITS)
"""What every test on one score per data set needs."""
