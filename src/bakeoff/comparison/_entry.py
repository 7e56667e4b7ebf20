"""The entries of the catalogue: a test, and a post hoc, each with all that is known of it.

Whatever shows or chooses tests (`compare`, `advise`, the guide, `plan`, the command line's help, the table of the
documentation, the verdict) reads these entries; nothing else is keyed by the name of a test.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal

from bakeoff._core.language import Text
from bakeoff.comparison._conditions import NOT_COUNTED, Condition, DesignFacts
from bakeoff.comparison._jobs import DatasetJob, Finding, J, Omnibus, Outcome
from bakeoff.comparison._planners import CannotPlan, Planning

Reason = Text | Callable[[DesignFacts], Text]
LeastPvalue = Callable[[int, int], float]
"""Units and sides of the test → the smallest p-value a pair can have."""


@dataclass(frozen=True)
class Reference:
    """Where a test is described.

    Examples
    --------
    >>> from bakeoff.comparison import Reference
    >>> print(Reference("Wilcoxon (1945), Individual comparisons by ranking methods", "10.2307/3001968"))
    Wilcoxon (1945), Individual comparisons by ranking methods. doi:10.2307/3001968
    """

    text: str
    doi: str = ""

    def __str__(self) -> str:
        return f"{self.text}. doi:{self.doi}" if self.doi else f"{self.text}."


@dataclass(frozen=True, kw_only=True)
class TestWords:
    """What the sentences of a verdict ask about the test.

    Attributes
    ----------
    pair, pairs
        Its name in a sentence on a single pair, and the name of what compared the pairs in one on several.
    bayesian
        Whether posterior probabilities decide.
    by_ranks
        Whether the models are ordered by mean ranks.
    """

    __test__ = False  # not a test class, whatever pytest makes of its name

    pair: Text
    pairs: Text
    bayesian: bool
    by_ranks: bool


def any_pvalue(n_units: int, sides: int) -> float:
    """A p-value as small as you like: the distribution is continuous."""
    return 0.0


def all_signs_alike(n_units: int, sides: int) -> float:
    """All n differences have one sign: with two sides the smallest p-value of a test of signs or signed ranks."""
    return float(sides * 0.5**n_units)


_FIRST = Text("it is the first test of the catalogue whose conditions all hold")
_ALSO = Text("valid here too")
_NO_PLAN = CannotPlan(Text("its power is not known in closed form"))


@dataclass(frozen=True, kw_only=True)
class Test(Generic[J]):
    """One test of the catalogue.

    Attributes
    ----------
    name, label
        What ``compare(test=...)`` calls it, and its name in a sentence.
    reads
        The kind of job it is given: `InstanceJob`, `FoldJob`, `DatasetJob`, or `Job` for the one of the design.
    run
        Job → outcome.
    needs
        Its conditions, in the order in which they are named. Those of the job it reads are added.
    before
        The test before which it stands in the catalogue; ``"auto"`` takes the first test whose conditions all hold.
    because, why
        The reason given when ``"auto"`` takes it, with the sizes of the design, and the same without them.
    also
        The reason given when it is valid and another was taken.
    companions
        Bayesian tests that are run with it for two models; their posteriors are also reported.
    includes
        Tests whose answer is a part of its own.
    pairs_by
        After a test of all models on instances: the test by which the pairs are compared.
    after
        After a test of all models over data sets: post hocs; the first that fits (pairs or a control) is the default.
    plan
        How to plan for it, or why that cannot be done.
    orders_by
        Whether the models are ordered by their values or by their mean ranks.
    bayesian
        Whether posterior probabilities decide instead of p-values.
    least_pvalue
        The smallest p-value a pair can have.
    reads_folds
        Whether it reads the folds of each data set rather than their mean.
    from_counts
        Whether it reads counts: rows that stand for many, too many to be written out.
    in_words, omnibus
        Names in the verdict where its label does not fit: in the sentence on a pair, and of the test of all models
        together by its answer.
    references
        Literature.

    Examples
    --------
    >>> from bakeoff import comparison
    >>> entry = comparison.catalogue()["permutation"]
    >>> print(entry.label, entry.reads.__name__)
    the paired permutation test InstanceJob
    """

    __test__ = False  # not a test class, whatever pytest makes of its name

    name: str
    label: Text
    reads: type[J]
    run: Callable[[J], Outcome]
    needs: tuple[Condition, ...] = ()
    before: str | None = None
    because: Reason = _FIRST
    why: Text | None = None
    also: Text = _ALSO
    companions: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    pairs_by: str | None = None
    after: tuple[str, ...] = ()
    plan: Planning | CannotPlan = _NO_PLAN
    orders_by: Literal["values", "ranks"] = "values"
    bayesian: bool = False
    least_pvalue: LeastPvalue = any_pvalue
    reads_folds: bool = False
    from_counts: bool = False
    in_words: Text | None = None
    omnibus: Callable[[Omnibus], Text] | None = None
    references: tuple[Reference, ...] = ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Its own conditions, then those of the job it reads."""
        rows = () if self.from_counts else (NOT_COUNTED,)
        return (*self.needs, *(c for c in self.reads.needs if c not in self.needs), *rows)

    def broken(self, facts: DesignFacts) -> list[Condition]:
        """List the conditions that do not hold."""
        return [c for c in self.conditions if not c.holds(facts)]

    def reason(self, facts: DesignFacts) -> Text:
        """Why it is taken for this design."""
        return self.because(facts) if callable(self.because) else self.because

    @property
    def general_reason(self) -> Text:
        """Why it is taken, whatever the sizes."""
        if self.why is not None:
            return self.why
        return _FIRST if callable(self.because) else self.because


@dataclass(frozen=True, kw_only=True)
class PairTable:
    """What a post hoc hands back: a finding per pair, and the critical difference of mean ranks where it has one."""

    findings: tuple[Finding, ...]
    critical_difference: float | None = None


@dataclass(frozen=True, kw_only=True)
class PostHoc:
    """What may follow a test of all models over data sets.

    Attributes
    ----------
    name, label, run
        What ``compare(posthoc=...)`` calls it, its name in a sentence, and job → table of pairs.
    compares
        ``"any"``, ``"pairs"`` (all of them only) or ``"control"`` (needs a control).
    with_control
        For one of all pairs: its counterpart against a control.
    simultaneous
        Whether its p-values allow for the number of comparisons by construction.
    joint_limits
        The distribution behind its simultaneous limits, where it has its own.
    one_sided
        Whether it takes a one-sided alternative.
    least_pvalue
        The smallest p-value a pair can have.
    follows
        Names of the tests of all models that it was made for; empty where any will do.

    Examples
    --------
    >>> from bakeoff.comparison import POSTHOCS
    >>> POSTHOCS["nemenyi"].simultaneous, POSTHOCS["dunnett"].compares
    (True, 'control')
    """

    name: str
    label: Text
    run: Callable[[DatasetJob], PairTable]
    compares: Literal["any", "pairs", "control"] = "any"
    with_control: str | None = None
    simultaneous: bool = False
    joint_limits: Text | None = None
    one_sided: bool = False
    least_pvalue: LeastPvalue = any_pvalue
    follows: tuple[str, ...] = ()

    def fits(self, *, control: bool) -> bool:
        """Whether it compares what was asked: all pairs, or every model with a control."""
        return self.compares in ("any", "control" if control else "pairs")
