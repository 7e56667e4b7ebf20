"""The catalogue of tests: what each answers, and the conditions under which it may.

Conditions are data. `choose` reads them to say why a test was not taken, `compare` to refuse or to warn when a test
is asked for by name, `advise` and the guide to explain.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from bakeoff._core.language import tr
from bakeoff.comparison._situation import AUC, FOLDS, MEAN, RIGHT_OR_WRONG, Situation
from bakeoff.comparison._words import measure_word

Severity = Literal["impossible", "unsound", "less apt"]


@dataclass(frozen=True)
class Condition:
    """Something a test needs.

    Attributes
    ----------
    code
        Stable identifier; a note about an override that breaks the condition carries it.
    holds
        Whether the situation meets it.
    reason
        What to say when it does not.
    severity
        ``"impossible"``: the test cannot be computed. ``"unsound"``: it can, and its p-value would mislead.
        ``"less apt"``: valid, and another test suits better.
    """

    code: str
    holds: Callable[[Situation], bool]
    reason: Callable[[Situation], str]
    severity: Severity


@dataclass(frozen=True)
class TestEntry:
    """One test of the catalogue.

    Attributes
    ----------
    name
        What ``compare(test=...)`` calls it.
    title
        Its name in a sentence.
    conditions
        What it needs, in the order in which it is said.
    """

    __test__ = False  # not a test class, whatever pytest makes of its name

    name: str
    title: Callable[[], str]
    conditions: tuple[Condition, ...]

    def broken(self, situation: Situation) -> list[Condition]:
        """List the conditions that do not hold."""
        return [c for c in self.conditions if not c.holds(situation)]


# -- conditions -------------------------------------------------------------------------------------------------------


def _no_folds(s: Situation) -> str:
    if s.several_datasets:
        return tr("is for the folds of one data set; here data sets are the unit")
    return tr("needs scores of several train/test splits; there is one")


ROWS = Condition(
    "needs-rows",
    lambda s: s.rows,
    lambda s: tr("needs predictions instance by instance; only scores were given"),
    "impossible",
)
ONE_DATASET = Condition(
    "needs-one-data-set",
    lambda s: s.n_datasets == 1,
    lambda s: tr("speaks about one data set; here {n} data sets are the unit", n=s.n_datasets),
    "impossible",
)
NOT_REPEATED = Condition(
    "rows-repeated",
    lambda s: s.n_repeats == 1,
    lambda s: tr(
        "every instance was predicted {n} times (once per repeat), and would be counted {n} times", n=s.n_repeats
    ),
    "impossible",
)
NOT_FOLDS = Condition(
    "pools-folds",
    lambda s: s.unit != FOLDS,
    lambda s: tr(
        "would pool the predictions of {n} models trained on different parts of the data, and ignore how much the "
        "models vary with their training sets",
        n=s.n_splits,
    ),
    "unsound",
)
ACCURACY = Condition(
    "measure-not-accuracy",
    lambda s: s.measure_kind == RIGHT_OR_WRONG,
    lambda s: tr("compares how often models are right, not {measure}", measure=measure_word(s.measure)),
    "impossible",
)
AREA = Condition(
    "measure-not-auc",
    lambda s: s.measure_kind == AUC,
    lambda s: tr("compares AUC, not {measure}", measure=measure_word(s.measure)),
    "impossible",
)
MEAN_MEASURE = Condition(
    "measure-not-a-mean",
    lambda s: s.measure_kind in (RIGHT_OR_WRONG, MEAN) or not s.one_test_set,
    lambda s: tr(
        "needs a value on every instance whose mean is the measure; {measure} is not such a mean",
        measure=measure_word(s.measure),
    ),
    "impossible",
)
UNGROUPED = Condition(
    "rows-in-clusters",
    lambda s: not s.grouped,
    lambda s: tr("takes the rows as independent, but they come in clusters"),
    "unsound",
)
GROUPED = Condition(
    "no-clusters",
    lambda s: s.grouped,
    lambda s: tr("is for rows in clusters; no groups were given"),
    "less apt",
)
UNWEIGHTED = Condition(
    "rows-weighted",
    lambda s: not s.weighted,
    lambda s: tr("knows no weights, but the rows are weighted"),
    "impossible",
)
TWO_MODELS = Condition(
    "several-models",
    lambda s: s.n_models == 2,
    lambda s: tr("compares two models; with {n} models a test of all together goes first", n=s.n_models),
    "less apt",
)
MANY_MODELS = Condition(
    "two-models",
    lambda s: s.n_models > 2,
    lambda s: tr("is a test of three or more models; there are {n}", n=s.n_models),
    "less apt",
)
HAS_FOLDS = Condition(
    "needs-folds",
    lambda s: s.unit == FOLDS,
    _no_folds,
    "impossible",
)
FIVE_BY_TWO = Condition(
    "needs-5x2cv",
    lambda s: s.kind == "5x2cv" and s.unit == FOLDS,
    lambda s: tr("needs five replications of 2-fold cross-validation on one data set"),
    "impossible",
)
INDEPENDENT_UNITS = Condition(
    "dependent-folds",
    lambda s: s.unit != FOLDS,
    lambda s: tr(
        "takes the {n} splits as independent, but their training sets overlap: it finds differences that are not there "
        "(inflated type-I error)",
        n=s.n_splits,
    ),
    "unsound",
)
SCORES_UNIT = Condition(
    "needs-data-sets",
    lambda s: not s.one_test_set,
    lambda s: tr("needs a score per data set; there is one data set"),
    "impossible",
)
SEVERAL = Condition(
    "one-data-set",
    lambda s: s.unit == FOLDS or s.n_datasets > 1,
    lambda s: tr("needs at least two data sets; there is one"),
    "impossible",
)
COMPARABLE = Condition(
    "assumes-normality",
    lambda s: not s.several_datasets,
    lambda s: tr(
        "assumes that differences on different data sets are of one size and normal, which the signed ranks do not need"
    ),
    "less apt",
)
PAIRS = Condition(
    "one-score",
    lambda s: s.one_test_set or s.unit == FOLDS or s.n_datasets > 1,
    lambda s: tr("needs several pairs of values; there is one"),
    "impossible",
)
FOLDS_IN_DATASETS = Condition(
    "needs-folds-in-data-sets",
    lambda s: s.several_datasets and s.n_splits > 1,
    lambda s: tr("needs the fold scores of several data sets"),
    "impossible",
)


# -- the tests --------------------------------------------------------------------------------------------------------

_ON_ROWS = (ONE_DATASET, ROWS, NOT_REPEATED, NOT_FOLDS)
_ON_SCORES = (SCORES_UNIT, SEVERAL, INDEPENDENT_UNITS)

_ENTRIES = (
    TestEntry("mcnemar", lambda: tr("McNemar's test"), (*_ON_ROWS, ACCURACY, UNWEIGHTED, UNGROUPED, TWO_MODELS)),
    TestEntry("cochran-q", lambda: tr("Cochran's Q test"), (*_ON_ROWS, ACCURACY, UNWEIGHTED, UNGROUPED, MANY_MODELS)),
    TestEntry("delong", lambda: tr("DeLong's test"), (*_ON_ROWS, AREA, UNWEIGHTED)),
    TestEntry("cluster-t", lambda: tr("the cluster-robust t-test"), (*_ON_ROWS, MEAN_MEASURE, UNWEIGHTED, GROUPED)),
    TestEntry("bootstrap", lambda: tr("the paired bootstrap"), _ON_ROWS),
    TestEntry("permutation", lambda: tr("the paired permutation test"), _ON_ROWS),
    TestEntry(
        "paired-t",
        lambda: tr("the paired t-test"),
        (PAIRS, MEAN_MEASURE, UNWEIGHTED, UNGROUPED, INDEPENDENT_UNITS, COMPARABLE),
    ),
    TestEntry("corrected-t", lambda: tr("the corrected resampled t-test"), (HAS_FOLDS,)),
    TestEntry("5x2cv-t", lambda: tr("Dietterich's 5×2cv t-test"), (FIVE_BY_TWO,)),
    TestEntry("5x2cv-f", lambda: tr("Alpaydin's 5×2cv F-test"), (FIVE_BY_TWO,)),
    TestEntry("bayes-correlated-t", lambda: tr("the Bayesian correlated t-test"), (HAS_FOLDS,)),
    TestEntry("wilcoxon", lambda: tr("Wilcoxon's signed-rank test"), (*_ON_SCORES, TWO_MODELS)),
    TestEntry("sign", lambda: tr("the sign test"), (*_ON_SCORES, TWO_MODELS)),
    TestEntry("bayes-signed-rank", lambda: tr("the Bayesian signed-rank test"), _ON_SCORES),
    TestEntry("bayes-sign", lambda: tr("the Bayesian sign test"), _ON_SCORES),
    TestEntry("bayes-hierarchical", lambda: tr("the hierarchical Bayesian test"), (FOLDS_IN_DATASETS,)),
    TestEntry("friedman", lambda: tr("Friedman's test"), (*_ON_SCORES, MANY_MODELS)),
    TestEntry("quade", lambda: tr("Quade's test"), (*_ON_SCORES, MANY_MODELS)),
    TestEntry("aligned-friedman", lambda: tr("the aligned-rank Friedman test"), (*_ON_SCORES, MANY_MODELS)),
    TestEntry("anova", lambda: tr("repeated-measures analysis of variance"), (*_ON_SCORES, MANY_MODELS, COMPARABLE)),
)

TESTS: Mapping[str, TestEntry] = MappingProxyType({entry.name: entry for entry in _ENTRIES})
"""Every test by name, in the order in which they are listed to the user."""

POSTHOCS = (
    "wilcoxon", "nemenyi", "conover", "tukey", "dunnett", "bonferroni-dunn", "mean-ranks", "quade", "aligned",
)  # fmt: skip
"""What may follow a test of all models together."""

SIMULTANEOUS = ("nemenyi", "tukey", "dunnett", "bonferroni-dunn")
"""Post hocs whose p-values allow for the number of comparisons by construction."""

BY_MEANS = ("paired-t", "anova")
"""Tests over data sets that compare means rather than ranks: models are then ordered by their means."""

AGAINST_CONTROL = ("dunnett", "bonferroni-dunn")
"""Post hocs that need a control."""


def title(test: str) -> str:
    """Name the test as in a sentence."""
    return TESTS[test].title()
