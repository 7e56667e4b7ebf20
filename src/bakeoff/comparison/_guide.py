"""The decision guide as data: a tree of questions whose leaves are what `compare` itself would choose.

The leaves are not written down: each answer fixes a part of the situation, and `choose` names the test. So the guide,
its figure and an interview in a browser can never disagree with the program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.language import tr
from bakeoff._core.result import Result
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._choose import BESIDE, choose
from bakeoff.comparison._situation import (
    AUC,
    COUNTS,
    DATASETS,
    FOLDS,
    INSTANCES,
    ITEMS,
    MEAN,
    RIGHT_OR_WRONG,
    Situation,
)


@dataclass(frozen=True)
class Leaf:
    """What to do: the test, why, and what is reported with it.

    Examples
    --------
    >>> from bakeoff.comparison import Leaf
    >>> Leaf("mcnemar", "McNemar's test", "right or wrong on the same rows").test
    'mcnemar'
    """

    test: str
    title: str
    reason: str
    then: str = ""


@dataclass(frozen=True)
class Answer:
    """One answer to a question, and where it leads.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> [answer.text for answer in guide().root.answers]
    ['one', 'several']
    """

    code: str
    text: str
    leads_to: Question | Leaf


@dataclass(frozen=True)
class Question:
    """A question of the guide, with its answers.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> guide().root.text
    'How many data sets?'
    """

    code: str
    text: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, repr=False)
class Guide(Result):
    """The whole tree.

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
        said: list[tuple[str, str]] = []
        while isinstance(node, Question) and node.code in answers:
            found = next((a for a in node.answers if a.code == answers[node.code]), None)
            if found is None:
                break
            said.append((node.text, found.text))
            node = found.leads_to
        return tuple(said), node

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
    """Return the decision guide in the active language: which test for which evidence, and why.

    Examples
    --------
    >>> from bakeoff.comparison import guide
    >>> said, leaf = guide().follow({"datasets": "several", "models": "two"})
    >>> leaf.test
    'wilcoxon'
    """
    return Guide(_build())


# -- building ---------------------------------------------------------------------------------------------------------

Facts = Mapping[str, Any]
Ask = Callable[[Facts], "Question | Leaf"]


def _build() -> Question:
    one = {"n_datasets": 1}
    several = {"n_datasets": 20, "unit": DATASETS, "kind": "scores", "rows": False}
    return Question(
        "datasets",
        tr("How many data sets?"),
        (
            Answer("one", tr("one"), _evidence(one)),
            Answer("several", tr("several"), _models(several)),
        ),
    )


def _evidence(facts: Facts) -> Question:
    test_set = {**facts, "unit": INSTANCES, "kind": "test set", "rows": True, "n_rows": 1000}
    folds = {**facts, "unit": FOLDS, "n_splits": 10, "n_folds": 10, "rows": False}
    items = {**facts, "unit": ITEMS, "kind": "test set", "rows": True, "n_rows": 1000}
    return Question(
        "evidence",
        tr("What do you have?"),
        (
            Answer("test-set", tr("predictions on one test set"), _clusters(test_set, _measure)),
            Answer("folds", tr("scores (or predictions) of several train/test splits"), _protocol(folds)),
            Answer("outcomes", tr("an outcome per item, without a truth column"), _clusters(items, _outcomes)),
        ),
    )


def _protocol(facts: Facts) -> Question:
    return Question(
        "protocol",
        tr("How were the splits made?"),
        (
            Answer("5x2cv", tr("five times 2-fold cross-validation"), _models({**facts, "kind": "5x2cv"})),
            Answer("k-fold", tr("k-fold cross-validation, once or repeated"), _models({**facts, "kind": "k-fold"})),
            Answer("hold-out", tr("repeated hold-out"), _models({**facts, "kind": "hold-out"})),
        ),
    )


def _clusters(facts: Facts, then: Ask) -> Question:
    return Question(
        "clusters",
        tr("Do several rows belong together (one patient, user or document)?"),
        (
            Answer("no", tr("no"), then(facts)),
            Answer("yes", tr("yes"), then({**facts, "n_groups": 50})),
        ),
    )


def _measure(facts: Facts) -> Question:
    kinds = (
        ("accuracy", tr("accuracy or error rate"), "accuracy", RIGHT_OR_WRONG),
        ("auc", tr("AUC"), "auc", AUC),
        ("loss", tr("a mean loss: log loss, Brier, squared or absolute error"), "log_loss", MEAN),
        ("other", tr("another: F1, kappa, precision, recall …"), "f1", COUNTS),
    )
    return Question(
        "measure",
        tr("Which measure?"),
        tuple(
            Answer(code, text, _models({**facts, "measure": name, "measure_kind": kind}))
            for code, text, name, kind in kinds
        ),
    )


def _outcomes(facts: Facts) -> Question:
    binary = {**facts, "measure": "accuracy", "measure_kind": RIGHT_OR_WRONG}
    graded = {**facts, "measure": "mean_outcome", "measure_kind": MEAN}
    return Question(
        "outcome",
        tr("What is an outcome?"),
        (
            Answer("binary", tr("solved or not (1 or 0)"), _models(binary)),
            Answer("graded", tr("a graded score"), _models(graded)),
        ),
    )


def _models(facts: Facts) -> Question:
    return Question(
        "models",
        tr("How many models?"),
        (
            Answer("two", tr("two"), _leaf({**facts, "n_models": 2})),
            Answer("more", tr("three or more"), _leaf({**facts, "n_models": 5})),
        ),
    )


def _leaf(facts: Facts) -> Leaf:
    situation = Situation(**facts)
    choice, _ = choose(situation)
    return Leaf(choice.chosen, title(choice.chosen), _general(choice.chosen), follow_up(situation, choice.chosen))


def _general(test: str) -> str:
    """Why the test, without the sizes of one situation."""
    return _WHY[test]()


_WHY: Mapping[str, Callable[[], str]] = {
    "friedman": lambda: tr("ranks within each data set need no common scale across data sets"),
    "wilcoxon": lambda: tr("signed ranks need no normality and count larger differences more"),
    "5x2cv-f": lambda: tr("it uses all ten differences and holds its level"),
    "corrected-t": lambda: tr("it allows for training sets that overlap"),
    "delong": lambda: tr("the variance of paired AUCs is known in closed form"),
    "cluster-t": lambda: tr("only clusters are taken as independent"),
    "cochran-q": lambda: tr("right or wrong on the same instances, all models together"),
    "mcnemar": lambda: tr("only the instances where the two models differ can tell"),
    "paired-t": lambda: tr("the mean of paired differences of many items is close to normal"),
    "bootstrap": lambda: tr("no formula is known: rows are resampled for all models alike"),
}


def follow_up(situation: Situation, test: str) -> str:
    """What comes after or beside the test."""
    if test == "friedman":
        return tr("then Wilcoxon's signed-rank test of the pairs, adjusted by Holm")
    if test == "cochran-q":
        return tr("then McNemar's test of the pairs, adjusted by Holm")
    if situation.n_models > 2:
        return tr("for every pair, adjusted by Holm")
    beside = BESIDE.get(test)
    return tr("with {test} beside it", test=title(beside)) if beside else ""


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
        return
    yield f"{indent}{node.text}"
    for answer in node.answers:
        yield f"{indent}· {answer.text}"
        yield from _lines(answer.leads_to, depth + 1)
