"""The decision guide as data: a tree of questions whose leaves are what `compare` itself would choose.

The leaves are not written down: each answer fixes a part of the design, and `choose` names the test. So the guide,
its figure and an interview in a browser can never disagree with the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.language import Text, joined, listed
from bakeoff._core.result import Result, Written
from bakeoff.comparison._catalogue import catalogue, choose
from bakeoff.comparison._conditions import (
    AUC,
    BY_NAME,
    COUNTS,
    DATASETS,
    FOLDS,
    INSTANCES,
    ITEMS,
    MEAN,
    RIGHT_OR_WRONG,
    DesignFacts,
)
from bakeoff.comparison._entry import Test
from bakeoff.comparison._posthocs import POSTHOCS


@dataclass(frozen=True)
class Leaf(Written):
    """What to do: the test, why, and what is reported with it; in words in the reader's language.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> path, leaf = next(guide().leaves())
    >>> print(leaf.test, leaf.title, sep=": ")
    mcnemar: McNemar's test
    """

    _written = ("test", "title", "reason", "then", "by_name")

    test: str
    _label: Text
    _why: Text
    _then: Text | None = None
    _by_name: Text | None = None

    @property
    def title(self) -> str:
        """The test as named in a sentence."""
        return str(self._label)

    @property
    def reason(self) -> str:
        """Why this test."""
        return str(self._why)

    @property
    def then(self) -> str:
        """What comes after it or is also reported; empty where nothing is."""
        return "" if self._then is None else str(self._then)

    @property
    def by_name(self) -> str:
        """What can be asked for by name instead; empty where nothing is to be said."""
        return "" if self._by_name is None else str(self._by_name)


@dataclass(frozen=True)
class Answer(Written):
    """One answer to a question, and where it leads.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> [answer.text for answer in guide().root.answers]
    ['one', 'several']
    """

    _written = ("code", "text", "leads_to")

    code: str
    _text: Text
    leads_to: Question | Leaf

    @property
    def text(self) -> str:
        """The answer in words."""
        return str(self._text)


@dataclass(frozen=True)
class Question(Written):
    """A question of the guide, with its answers.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> guide().root.text
    'How many data sets?'
    """

    _written = ("code", "text", "answers")

    code: str
    _text: Text
    answers: tuple[Answer, ...]

    @property
    def text(self) -> str:
        """The question in words."""
        return str(self._text)


@dataclass(frozen=True, repr=False)
class Guide(Result):
    """The whole tree, in words in the reader's language.

    Attributes
    ----------
    root
        The first question. Every answer leads to another question or to a leaf.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> print(guide().text().splitlines()[0])
    How many data sets?
    """

    root: Question

    def leaves(self) -> Iterator[tuple[tuple[tuple[str, str], ...], Leaf]]:
        """Yield every path, as (question code, answer code) pairs, and the leaf it ends in."""
        yield from _walk(self.root, ())

    def follow(self, answers: Mapping[str, str]) -> tuple[tuple[tuple[str, str], ...], Question | Leaf]:
        """Answer questions by code; return what was asked and answered, and the leaf or the next open question."""
        node: Question | Leaf = self.root
        answered: list[tuple[str, str]] = []
        while isinstance(node, Question) and node.code in answers:
            found = next((a for a in node.answers if a.code == answers[node.code]), None)
            if found is None:
                break
            answered.append((node.text, found.text))
            node = found.leads_to
        return tuple(answered), node

    def text(self) -> str:
        """The tree as indented text."""
        return "\n".join(_lines(self.root, 0))

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = [(" → ".join(answer for _, answer in path), leaf) for path, leaf in self.leaves()]
        return {
            "situation": [where for where, _ in rows],
            "test": [leaf.test for _, leaf in rows],
            "reason": [leaf.reason for _, leaf in rows],
            "then": [leaf.then for _, leaf in rows],
        }

    def _headline(self) -> str:
        return f"{sum(1 for _ in self.leaves())} situations"


def guide() -> Guide:
    """Return the decision guide: which test for which evidence, and why.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> path, leaf = guide().follow({"datasets": "several", "models": "two"})
    >>> print(leaf.test)
    wilcoxon
    """
    return Guide(_ask({}, ("datasets",)))


# -- building ---------------------------------------------------------------------------------------------------------

Facts = Mapping[str, Any]
_ROWS = {"kind": "test set", "rows": True, "n_rows": 1000}
_FOLDS = {"unit": FOLDS, "n_splits": 10, "n_folds": 10}
# Code → the question, and its answers: code, words, what they settle of the design, and what else they make one ask.
_QUESTIONS: dict[str, tuple[Text, tuple[tuple[str, Text, Facts, tuple[str, ...]], ...]]] = {
    "datasets": (Text("How many data sets?"), (
        ("one", Text("one"), {"n_datasets": 1}, ("evidence", "models")),
        ("several", Text("several"), {"n_datasets": 20, "unit": DATASETS, "kind": "scores", "rows": False},
         ("models", "control")),
    )),
    "evidence": (Text("What do you have?"), (
        ("test-set", Text("predictions on one test set"), {**_ROWS, "unit": INSTANCES}, ("clusters", "measure")),
        ("fold-rows", Text("predictions over several train/test splits"), {**_FOLDS, "rows": True}, ("protocol",)),
        ("folds", Text("only the scores of several train/test splits"), {**_FOLDS, "rows": False}, ("protocol",)),
        ("outcomes", Text("an outcome per item, without a truth column"), {**_ROWS, "unit": ITEMS},
         ("clusters", "outcome")),
    )),
    "protocol": (Text("How were the splits made?"), (
        ("5x2cv", Text("five times 2-fold cross-validation"), {"kind": "5x2cv"}, ()),
        ("k-fold", Text("k-fold cross-validation, once or repeated"), {"kind": "k-fold"}, ()),
        ("hold-out", Text("repeated hold-out"), {"kind": "hold-out"}, ()),
    )),
    "clusters": (Text("Do several rows belong together (one patient, user or document)?"), (
        ("no", Text("no"), {}, ()),
        ("yes", Text("yes"), {"n_groups": 50}, ()),
    )),
    "measure": (Text("Which measure?"), (
        ("accuracy", Text("accuracy or error rate"), {"measure": "accuracy", "measure_kind": RIGHT_OR_WRONG}, ()),
        ("auc", Text("AUC"), {"measure": "auc", "measure_kind": AUC}, ()),
        ("loss", Text("a mean loss: log loss, Brier, squared or absolute error"),
         {"measure": "log_loss", "measure_kind": MEAN}, ()),
        ("other", Text("another: F1, kappa, precision, recall …"), {"measure": "f1", "measure_kind": COUNTS}, ()),
    )),
    "outcome": (Text("What is an outcome?"), (
        ("binary", Text("solved or not (1 or 0)"), {"measure": "accuracy", "measure_kind": RIGHT_OR_WRONG}, ()),
        ("graded", Text("a graded score"), {"measure": "mean_outcome", "measure_kind": MEAN}, ()),
    )),
    "models": (Text("How many models?"), (
        ("two", Text("two"), {"n_models": 2}, ()),
        ("more", Text("three or more"), {"n_models": 5}, ()),
    )),
    "control": (Text("Which comparisons?"), (
        ("pairs", Text("all pairs of models"), {}, ()),
        ("control", Text("every model against a control"), {"control": True}, ()),
    )),
}  # fmt: skip


def _ask(facts: Facts, codes: tuple[str, ...]) -> Any:
    """The tree below some questions; of two models it is not asked which are compared."""
    if not codes or (codes[0] == "control" and facts["n_models"] == 2):
        return _leaf(**facts)
    (code, *rest), (text, answers) = codes, _QUESTIONS[codes[0]]
    made = (Answer(c, words, _ask({**facts, **more}, (*then, *rest))) for c, words, more, then in answers)
    return Question(code, text, tuple(made))


def _leaf(*, control: bool = False, **facts: Any) -> Leaf:
    design = DesignFacts(**facts)
    entry = catalogue()[choose(design)[0].chosen]
    then, by_name = follow_up(design, entry, control=control), _others(design, control=control)
    return Leaf(entry.name, entry.label, entry.general_reason, then, by_name)


def _others(facts: DesignFacts, *, control: bool) -> Text | None:
    """What `compare` takes by name: other tests of all models with what follows them, and tests about labels."""
    if facts.unit == DATASETS and facts.n_models > 2:
        options = [_family(test, control=control) for test in catalogue().values() if test.after]
    else:
        alone = [t for t in catalogue().values() if [c.code for c in t.broken(facts)] == [BY_NAME.code]]
        options = [listed([test.label for test in alone])] if alone else []
    return Text("by name also: {options}", options=joined(options, "; ")) if options else None


def _family(test: Test[Any], *, control: bool) -> Text:
    """A test of all models with the post hocs that were made for it."""
    made = [p for p in POSTHOCS.values() if test.name in p.follows and p.fits(control=control)]
    return Text("{test} with {posthocs}", test=test.label, posthocs=listed([p.label for p in made]))


def follow_up(facts: DesignFacts, test: Test[Any], *, control: bool = False) -> Text | None:
    """What comes after the test or is reported with it, if anything."""
    posthoc = POSTHOCS[test.after[0]] if test.after else None
    if posthoc is not None and control:
        return Text("then {test} of every model against the control, adjusted by Holm", test=posthoc.label)
    if posthoc is not None and posthoc.simultaneous:
        return Text("then {test} of the pairs", test=posthoc.label)
    by = posthoc or (None if test.pairs_by is None else catalogue()[test.pairs_by])
    if by is not None:
        return Text("then {test} of the pairs, adjusted by Holm", test=by.label)
    if facts.n_models > 2:
        return Text("for every pair, adjusted by Holm")
    also = (*test.companions, *test.includes)
    return Text("with {test} also reported", test=catalogue()[also[0]].label) if also else None


def _walk(
    node: Question | Leaf, path: tuple[tuple[str, str], ...]
) -> Iterator[tuple[tuple[tuple[str, str], ...], Leaf]]:
    if isinstance(node, Leaf):
        yield path, node
        return
    for answer in node.answers:
        yield from _walk(answer.leads_to, (*path, (node.code, answer.code)))


def _lines(node: Question | Leaf, depth: int) -> Iterator[str]:
    indent = "  " * depth
    if isinstance(node, Leaf):
        then = f", {node.then}" if node.then else ""
        yield f"{indent}→ {node.title}{then}"
        if node.by_name:
            yield f"{indent}  ({node.by_name})"
        return
    yield f"{indent}{node.text}"
    for answer in node.answers:
        yield f"{indent}· {answer.text}"
        yield from _lines(answer.leads_to, depth + 1)
