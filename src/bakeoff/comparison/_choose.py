"""How ``test="auto"`` chooses: by the design of the evidence and the measure, never by the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import said, tr
from bakeoff._core.notes import Note, warning_note
from bakeoff._core.result import Result
from bakeoff._core.validation import check_choice
from bakeoff.comparison._catalogue import TESTS, title
from bakeoff.comparison._situation import AUC, COUNTS, FOLDS, ITEMS, MEAN, OTHER, RIGHT_OR_WRONG, Situation
from bakeoff.comparison._words import measure_word

BESIDE: Mapping[str, str] = {
    "corrected-t": "bayes-correlated-t",
    "wilcoxon": "bayes-signed-rank",
    "5x2cv-f": "5x2cv-t",
    "bootstrap": "permutation",
}
"""What is reported beside a test (for two models), without being asked for."""


@dataclass(frozen=True, repr=False)
class Choice(Result):
    """Which test was taken, and why the others were not.

    Attributes
    ----------
    chosen
        Name of the test.
    reason
        Why it suits the design.
    rejected
        Every other test of the catalogue → why it was not taken.
    automatic
        False when the test was asked for by name.
    posthoc, adjust
        What follows for the pairs, and how their p-values allow for the number of pairs; empty for a single pair.

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 15 + [1] * 5 + [0] * 5}
    >>> choice = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).choice
    >>> choice.chosen, choice.rejected["wilcoxon"]
    ('mcnemar', 'needs a score per data set; there is one data set')
    """

    chosen: str
    reason: str
    rejected: Mapping[str, str] = field(default_factory=dict)
    automatic: bool = True
    posthoc: str = ""
    adjust: str = ""

    def _columns(self) -> dict[str, Sequence[Any]]:
        taken = [("chosen", self.chosen, self.reason)]
        table = taken + [("rejected", name, why) for name, why in self.rejected.items()]
        return {key: [row[i] for row in table] for i, key in enumerate(("status", "test", "reason"))}

    def __str__(self) -> str:
        width = max(map(len, (self.chosen, *self.rejected)))
        lines = [f"chosen    {self.chosen:{width}}  {self.reason}"]
        return "\n".join(lines + [f"rejected  {name:{width}}  {why}" for name, why in self.rejected.items()])

    def _headline(self) -> str:
        return f"{self.chosen!r}, {'chosen by design' if self.automatic else 'asked for by name'}"


@dataclass(frozen=True)
class Rule:
    """When a test is the one to take: the first rule whose `when` holds decides."""

    test: str
    when: Callable[[Situation], bool]
    reason: Callable[[Situation], str]


RULES: tuple[Rule, ...] = (
    Rule(
        "friedman",
        lambda s: s.several_datasets and s.n_models > 2,
        lambda s: tr(
            "{k} models on {n} data sets: ranks within each data set need no common scale across data sets",
            k=s.n_models,
            n=s.n_datasets,
        ),
    ),
    Rule(
        "wilcoxon",
        lambda s: s.several_datasets,
        lambda s: tr(
            "two models on {n} data sets: signed ranks need no normality and count larger differences more",
            n=s.n_datasets,
        ),
    ),
    Rule(
        "5x2cv-f",
        lambda s: s.unit == FOLDS and s.kind == "5x2cv",
        lambda s: tr("5×2 cross-validation: the combined F uses all ten differences and holds its level"),
    ),
    Rule(
        "corrected-t",
        lambda s: s.unit == FOLDS,
        lambda s: tr(
            "{n} train/test splits of one data set overlap: the corrected variance allows for it", n=s.n_splits
        ),
    ),
    Rule(
        "bootstrap",
        lambda s: s.weighted,
        lambda s: tr("the rows are weighted: they are resampled with their weights"),
    ),
    Rule(
        "delong",
        lambda s: s.measure_kind == AUC and s.grouped,
        lambda s: tr("AUC on rows in clusters: DeLong's variance is summed over whole clusters"),
    ),
    Rule(
        "delong",
        lambda s: s.measure_kind == AUC,
        lambda s: tr("AUC on one test set: the variance of paired AUCs is known in closed form"),
    ),
    Rule(
        "cluster-t",
        lambda s: s.grouped and s.measure_kind in (RIGHT_OR_WRONG, MEAN),
        lambda s: tr("the rows come in clusters: differences are summed over whole clusters"),
    ),
    Rule(
        "bootstrap",
        lambda s: s.grouped,
        lambda s: tr("{measure} on rows in clusters: whole clusters are resampled", measure=measure_word(s.measure)),
    ),
    Rule(
        "cochran-q",
        lambda s: s.measure_kind == RIGHT_OR_WRONG and s.n_models > 2,
        lambda s: tr("{k} models, right or wrong on the same instances", k=s.n_models),
    ),
    Rule(
        "mcnemar",
        lambda s: s.measure_kind == RIGHT_OR_WRONG,
        lambda s: tr("two models, right or wrong on the same instances: only those where they differ can tell"),
    ),
    Rule(
        "paired-t",
        lambda s: s.unit == ITEMS and s.measure_kind == MEAN,
        lambda s: tr("graded outcomes of the same items: the mean of the paired differences"),
    ),
    Rule(
        "bootstrap",
        lambda s: s.measure_kind in (MEAN, COUNTS, OTHER),
        lambda s: tr(
            "{measure} on one test set: rows are resampled for all models alike", measure=measure_word(s.measure)
        ),
    ),
)


def choose(situation: Situation, test: str = "auto") -> tuple[Choice, tuple[Note, ...]]:
    """Choose the test for the situation, or check one asked for by name.

    Parameters
    ----------
    situation
        The design and the measure.
    test
        ``"auto"``, or the name of a test, which is refused where it cannot be computed, and noted where it is unsound.

    Examples
    --------
    >>> from bakeoff.comparison import Situation, choose
    >>> choice, notes = choose(Situation("instances", n_models=3))
    >>> choice.chosen
    'cochran-q'
    """
    check_choice("test", test, ("auto", *TESTS))
    refuse_single_score(situation)
    if test == "auto":
        rule = next(rule for rule in RULES if rule.when(situation))
        return Choice(rule.test, rule.reason(situation), rejections(situation, rule.test)), ()
    notes = check_override(situation, test)
    return Choice(test, tr("asked for by name"), rejections(situation, test), automatic=False), notes


def refuse_single_score(situation: Situation) -> None:
    """One number per model holds no information on how sure it is."""
    if not situation.rows and situation.n_datasets == 1 and situation.n_splits == 1:
        raise EvidenceError(
            "compare needs more than one score per model: a single data set with a single score says nothing about "
            "how much the scores vary.",
            hint="give predictions row by row, the scores of several folds, or scores of several data sets",
        )
    if situation.n_models < 2:
        raise EvidenceError(
            f"compare needs at least two models. Got {situation.n_models}.",
            hint="for one model alone use evaluate; to test a model against chance add a baseline model",
        )


def check_override(situation: Situation, test: str) -> tuple[Note, ...]:
    """Refuse a test that cannot be computed here; warn about one that would mislead."""
    broken = TESTS[test].broken(situation)
    impossible = [c for c in broken if c.severity == "impossible"]
    if impossible:
        fitting = next(rule for rule in RULES if rule.when(situation)).test
        raise ParameterError(
            f"test={test!r} does not fit this evidence: it {impossible[0].reason(situation)}.",
            hint=f"test='auto' would take {fitting!r} here",
        )
    return tuple(
        warning_note(
            c.code,
            said("{test} was asked for by name, but it {situation}.", test=title(test), situation=c.reason(situation)),
        )
        for c in broken
        if c.severity == "unsound"
    )


def rejections(situation: Situation, chosen: str) -> dict[str, str]:
    """Say for every other test why it was not taken."""
    return {name: _why_not(name, situation, chosen) for name in TESTS if name != chosen}


def _why_not(name: str, situation: Situation, chosen: str) -> str:
    if BESIDE.get(chosen) == name and (situation.n_models == 2 or name == "permutation"):
        return tr("reported beside it")
    broken = TESTS[name].broken(situation)
    if broken:
        return broken[0].reason(situation)
    return _VALID_TOO[name]()


_VALID_TOO: Mapping[str, Callable[[], str]] = {
    "mcnemar": lambda: tr("valid here too; it is the special case for two models"),
    "cochran-q": lambda: tr("valid here too, before looking at the pairs"),
    "delong": lambda: tr("valid here too, and needs no resampling"),
    "cluster-t": lambda: tr("valid here too: differences summed over whole clusters"),
    "bootstrap": lambda: tr("valid here too; it needs random numbers where a formula is at hand"),
    "permutation": lambda: tr("valid here too; it asks whether the models are exchangeable, and needs random numbers"),
    "paired-t": lambda: tr("valid here too when the pairs are many; it leans on the normal distribution of the mean"),
    "corrected-t": lambda: tr("valid here too, with a heuristic allowance for overlap"),
    "5x2cv-t": lambda: tr("valid here too; its answer depends on which of the ten folds comes first"),
    "5x2cv-f": lambda: tr("valid here too: it was made for 5×2 cross-validation"),
    "bayes-correlated-t": lambda: tr("valid here too; compares two models at a time, ask for it by name"),
    "wilcoxon": lambda: tr("valid here too: signed ranks, two models at a time"),
    "sign": lambda: tr("valid here too; it counts only who wins, so it finds less"),
    "bayes-signed-rank": lambda: tr("valid here too; compares two models at a time, ask for it by name"),
    "bayes-sign": lambda: tr("valid here too; it counts only who wins, so it finds less"),
    "bayes-hierarchical": lambda: tr("valid here too, and uses the folds; it takes a simulation, ask for it by name"),
    "friedman": lambda: tr("valid here too: ranks within each data set"),
    "quade": lambda: tr("valid here too; it weights data sets by how much the models differ there"),
    "aligned-friedman": lambda: tr("valid here too; it compares differences across data sets as if on one scale"),
    "anova": lambda: tr("valid here too, if the differences are normal and of one size"),
}
