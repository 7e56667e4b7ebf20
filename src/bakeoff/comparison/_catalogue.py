"""The catalogue of tests, and how ``test="auto"`` chooses from it: by design and measure, never by the results.

One ordered list of entries, from which everything that shows or chooses tests is derived.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from bakeoff._core.errors import EvidenceError, ParameterError, unknown_choice
from bakeoff._core.language import Text, translate
from bakeoff._core.result import Note, Result, Written, warning_note
from bakeoff._core.validation import check_choice
from bakeoff._core.view import Table, View
from bakeoff.comparison._conditions import DesignFacts
from bakeoff.comparison._entry import Test
from bakeoff.comparison._jobs import J
from bakeoff.comparison._planners import Planning
from bakeoff.comparison.tests import areas, datasets, folds, instances, labels, posteriors, resampling, rule

_ENTRIES: dict[str, Test[Any]] = {}


def catalogue() -> Mapping[str, Test[Any]]:
    """Return every test by name, in the order of preference: ``test="auto"`` takes the first one that is valid.

    Examples
    --------
    >>> from bakeoff import comparison
    >>> print(comparison.catalogue()["permutation"].label)
    the paired permutation test
    """
    return MappingProxyType(_ENTRIES)


def register(test: Test[J]) -> Test[J]:
    """Add a test of your own, so that `compare`, `advise`, the guide and the help of the commands know it.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff import comparison
    >>> try:
    ...     comparison.register(comparison.catalogue()["permutation"])
    ... except bakeoff.ParameterError as problem:
    ...     print(problem)
    ...
    there is a test named 'permutation' already. Hint: give yours another name
    """
    if test.name in _ENTRIES or test.name == "auto":
        raise ParameterError(f"there is a test named {test.name!r} already.", hint="give yours another name")
    if test.before is not None and test.before not in _ENTRIES:
        raise unknown_choice("before", test.before, tuple(_ENTRIES))
    listed = dict(_ENTRIES)
    _ENTRIES.clear()
    for name, entry in listed.items():
        if name == test.before:
            _ENTRIES[test.name] = test
        _ENTRIES[name] = entry
    _ENTRIES.setdefault(test.name, test)
    return test


def unregister(name: str) -> None:
    """Take a test out of the catalogue again."""
    del _ENTRIES[name]


def plannable() -> tuple[str, ...]:
    """Name the tests that can be planned for.

    Examples
    --------
    >>> from bakeoff import comparison
    >>> "mcnemar" in comparison.plannable(), "sign" in comparison.plannable()
    (True, False)
    """
    return tuple(name for name, entry in _ENTRIES.items() if isinstance(entry.plan, Planning))


@dataclass(frozen=True, repr=False)
class Choice(Written, Result):
    """Which test was taken, and why the others were not.

    Attributes
    ----------
    chosen
        Name of the test.
    reason
        Why it suits the design, in the reader's language.
    rejected
        Every other test of the catalogue → why it was not taken, in the reader's language.
    automatic
        False when the test was asked for by name.
    posthoc, adjust
        What follows for the pairs, and how their p-values allow for the number of pairs; empty for a single pair.

    Examples
    --------
    >>> import bakeoff
    >>> right = {"a": [1] * 90 + [0] * 10, "b": [1] * 75 + [0] * 15 + [1] * 5 + [0] * 5}
    >>> choice = bakeoff.compare(bakeoff.Predictions.from_outcomes(right), rng=0).choice
    >>> choice.chosen, choice.rejected["sign"]
    ('mcnemar', 'needs a score per data set; there is one data set')
    """

    _written = ("chosen", "reason", "rejected", "automatic", "posthoc", "adjust")

    chosen: str
    _because: Text
    _others: Mapping[str, Text | str] = field(default_factory=dict)
    automatic: bool = True
    posthoc: str = ""
    adjust: str = ""

    @property
    def _label(self) -> Text:
        """The test in words, and as it is typed."""
        return Text("{label} ({name})", label=catalogue()[self.chosen].label, name=self.chosen)

    @property
    def reason(self) -> str:
        """Why the test suits the design."""
        return str(self._because)

    @property
    def rejected(self) -> dict[str, str]:
        """Why every other test was not taken."""
        return {name: str(why) for name, why in self._others.items()}

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = [self.chosen, *self._others]
        status = ["chosen", *["rejected"] * len(self._others)]
        return {"status": status, "test": names, "reason": [self._because, *self._others.values()]}

    def _view(self) -> View:
        taken = Text("Test: {test} ({reason}).", test=catalogue()[self.chosen].label, reason=self._because)
        columns = zip(*self._others.items(), strict=True)
        others = dict(zip((translate("test not taken"), translate("why")), columns, strict=True))
        return View((taken.as_role("headline"),), (Table(others),))

    def _headline(self) -> str:
        return f"{self.chosen!r}, {'chosen by design' if self.automatic else 'asked for by name'}"


def choose(facts: DesignFacts, test: str = "auto") -> tuple[Choice, tuple[Note, ...]]:
    """Choose the test for a design, or check one asked for by name.

    Parameters
    ----------
    facts
        The design and the measure.
    test
        ``"auto"``, or the name of a test, which is refused where it cannot be computed, and noted where it is unsound.

    Examples
    --------
    >>> from bakeoff.comparison import DesignFacts, choose
    >>> choice, notes = choose(DesignFacts("instances", n_models=3))
    >>> choice.chosen
    'cochran-q'
    """
    check_choice("test", test, ("auto", *catalogue()))
    refuse_single_score(facts)
    if test == "auto":
        entry = first_valid(facts)
        return Choice(entry.name, entry.reason(facts), rejections(facts, entry)), ()
    entry = catalogue()[test]
    notes = check_override(facts, entry)
    return Choice(test, Text("asked for by name"), rejections(facts, entry), automatic=False), notes


def first_valid(facts: DesignFacts, among: Callable[[Test[Any]], bool] = lambda entry: True) -> Test[Any]:
    """Return the first test whose conditions all hold; failing that, the first that is at least sound."""
    entries = [entry for entry in catalogue().values() if among(entry)]
    sound = [e for e in entries if all(c.severity == "not preferred" for c in e.broken(facts))]
    valid = [e for e in sound if not e.broken(facts)]
    if not sound:
        raise EvidenceError(
            "no test of the catalogue is sound for this design.",
            hint="give predictions row by row, the scores of several folds, or scores of several data sets",
        )
    return (valid or sound)[0]


def planned_test(facts: DesignFacts) -> Test[Any]:
    """Return the test a plan is made for: that of a pair, since pairs are what a verdict is about."""
    return first_valid(replace(facts, n_models=2), among=lambda entry: isinstance(entry.plan, Planning))


def refuse_single_score(facts: DesignFacts) -> None:
    """One number per model holds no information on how sure it is."""
    if not facts.rows and facts.n_datasets == 1 and facts.n_splits == 1:
        raise EvidenceError(
            "compare needs more than one score per model: a single data set with a single score says nothing about "
            "how much the scores vary.",
            hint="give predictions row by row, the scores of several folds, or scores of several data sets",
        )
    if facts.n_models < 2:
        raise EvidenceError(
            f"compare needs at least two models. Got {facts.n_models}.",
            hint="for one model alone use evaluate; to test a model against chance add a baseline model",
        )


def check_override(facts: DesignFacts, entry: Test[Any]) -> tuple[Note, ...]:
    """Refuse a test that cannot be computed here; warn about one that would mislead."""
    broken = entry.broken(facts)
    impossible = [c for c in broken if c.severity == "impossible"]
    if impossible:
        raise ParameterError(
            f"test={entry.name!r} does not fit this evidence: it {impossible[0].reason(facts)}.",
            hint=f"test='auto' would take {first_valid(facts).name!r} here",
        )
    return tuple(
        warning_note(c.code, Text("{test} was asked for by name, but it {why}.", test=entry.label, why=c.reason(facts)))
        for c in broken
        if c.severity == "unsound"
    )


def rejections(facts: DesignFacts, chosen: Test[Any]) -> dict[str, Text | str]:
    """Say for every other test why it was not taken."""
    return {name: _why_not(entry, facts, chosen) for name, entry in catalogue().items() if name != chosen.name}


def _why_not(entry: Test[Any], facts: DesignFacts, chosen: Test[Any]) -> Text | str:
    if entry.name in chosen.includes or (entry.name in chosen.companions and facts.n_models == 2):
        return Text("also reported")
    broken = entry.broken(facts)
    return broken[0].reason(facts) if broken else entry.also


for _family in (instances, areas, rule, labels, resampling, folds, datasets, posteriors):
    for _entry in _family.TESTS:
        register(_entry)
