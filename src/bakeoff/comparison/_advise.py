"""`advise`: which protocol and which test, why, and what to avoid; before or after the data are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import Text, label, listed
from bakeoff._core.result import Note, Told, Written
from bakeoff._core.validation import check_choice, check_count
from bakeoff._core.view import View
from bakeoff.comparison._catalogue import catalogue, choose
from bakeoff.comparison._conditions import (
    AUC,
    COUNTS,
    DATASETS,
    FOLDS,
    INSTANCES,
    ITEMS,
    MANY_MODELS,
    MEAN,
    RIGHT_OR_WRONG,
    TWO_MODELS,
    DesignFacts,
    facts_of,
    measure_kind,
)
from bakeoff.comparison._entry import Test
from bakeoff.comparison._finish import hopeless_pairs
from bakeoff.comparison._guide import follow_up, guide
from bakeoff.comparison._posthocs import POSTHOCS
from bakeoff.comparison._prepare import prepare
from bakeoff.comparison._protocol_advice import ProtocolAdvice, protocol_for
from bakeoff.evidence import Predictions, Scores
from bakeoff.measures import Measure, get

EVIDENCE = ("predictions", "folds", "fold scores", "5x2cv", "hold-outs", "scores", "outcomes", "graded outcomes")
TASKS = ("binary", "multiclass", "regression", "outcomes")
_DEFAULT_MEASURE = {"binary": "auc", "multiclass": "accuracy", "regression": "rmse", "outcomes": "accuracy"}


@dataclass(frozen=True)
class Avoid:
    """Something not to do, and why."""

    what: Text
    why: Text | str


@dataclass(frozen=True, repr=False, kw_only=True)
class Advice(Written, Told):
    """What to do, and why; in words in the reader's language.

    Attributes
    ----------
    protocol, protocol_code, protocol_reason
        How to make the evidence: in words, as code of `bakeoff.protocols`, and why; empty when it is already made.
    test, test_title, test_reason, then
        The test that `compare` will take, why, and what follows or is also reported.
    avoid
        What not to do → why.
    path
        The questions of the guide and their answers, as far as they are settled.
    example
        Lines of Python to start from.

    Examples
    --------
    >>> import bakeoff
    >>> advice = bakeoff.advise(n_models=3, n_datasets=1, n_rows=300, task="binary")
    >>> advice.protocol_code, advice.test
    ('KFold(5, repeats=5)', 'cv-rows')
    """

    _written = (
        "protocol", "protocol_code", "protocol_reason", "test", "test_title", "test_reason", "then", "avoid", "path",
        "example", "notes", "verdict",
    )  # fmt: skip

    test: str
    example: str
    notes: tuple[Note, ...] = ()
    _protocol: ProtocolAdvice | None
    _label: Text
    _because: Text
    _then: Text | None
    _avoid: tuple[Avoid, ...]
    _answers: Mapping[str, str]

    @property
    def protocol(self) -> str:
        """How to make the evidence."""
        return "" if self._protocol is None else str(self._protocol.title)

    @property
    def protocol_code(self) -> str:
        """The same as code of `bakeoff.protocols`."""
        return "" if self._protocol is None else self._protocol.code

    @property
    def protocol_reason(self) -> str:
        """Why this protocol."""
        return "" if self._protocol is None else str(self._protocol.reason)

    @property
    def test_title(self) -> str:
        """The test as named in a sentence."""
        return str(self._label)

    @property
    def test_reason(self) -> str:
        """Why this test."""
        return str(self._because)

    @property
    def then(self) -> str:
        """What follows the test or is also reported."""
        return "" if self._then is None else str(self._then)

    @property
    def avoid(self) -> dict[str, str]:
        """What not to do, and why."""
        return {str(item.what): str(item.why) for item in self._avoid}

    @property
    def path(self) -> tuple[tuple[str, str], ...]:
        """The questions of the guide and their answers, as far as they are settled."""
        return guide().follow(self._answers)[0]

    @property
    def sentences(self) -> tuple[Text, ...]:
        """The advice, sentence by sentence."""
        found = []
        if self._protocol is not None:
            how = {"protocol": self._protocol.title, "reason": self._protocol.reason}
            found.append(Text("Make the evidence by {protocol}: {reason}.", **how).as_role("headline"))
            found.append(Text("Give every model the same splits."))
        found.append(self._compare_with().as_role("lead"))
        texts = (note.text for note in self.notes)
        found += [(text if isinstance(text, Text) else label(text)).as_role("caution") for text in texts]
        return (*found, *(text.as_role("caution") for text in _avoid_sentences(self._avoid)))

    def _compare_with(self) -> Text:
        if self._then is None:
            return Text("Compare with {test} ({reason}).", test=self._label, reason=self._because)
        return Text("Compare with {test}, {then} ({reason}).", test=self._label, then=self._then, reason=self._because)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why this protocol, and why this test."""
        return tuple(reason for reason in (self.protocol_reason, self.test_reason) if reason)

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows: list[tuple[str, Text, Text | str]] = [("test", self._label, self._because)]
        if self._protocol is not None:
            rows.insert(0, ("protocol", self._protocol.title, self._protocol.reason))
        rows += [("avoid", item.what, item.why) for item in self._avoid]
        return {name: [row[i] for row in rows] for i, name in enumerate(("what", "choice", "reason"))}

    def _headline(self) -> str:
        return f"{self.protocol_code or 'evidence at hand'}, test {self.test!r}"

    def _view(self) -> View:
        return View(self.sentences, code=self.example)


def _avoid_sentences(avoid: Sequence[Avoid]) -> list[Text]:
    """One sentence per reason, with all that is to be avoided for it."""
    names: dict[Text | str, list[Text]] = {}
    for item in avoid:
        names.setdefault(item.why, []).append(item.what)
    return [
        Text("Avoid {what}, which {why}.", what=group[0], why=why)
        if len(group) == 1
        else Text("Avoid {what}: each of them {why}.", what=listed(group), why=why)
        for why, group in names.items()
    ]


def advise(
    evidence: str | Predictions | Scores | None = None,
    *,
    n_models: int | None = None,
    n_datasets: int | None = None,
    n_rows: int | None = None,
    task: str | None = None,
    measure: str | Measure | None = None,
    groups: bool = False,
    weighted: bool = False,
    control: str | None = None,
) -> Advice:
    """Which protocol and which test should I use, and what should I avoid?

    Parameters
    ----------
    evidence
        What there is: nothing yet (None: a protocol is advised too), ``"predictions"`` (one test set), ``"folds"``
        (predictions over folds), ``"fold scores"`` (only their scores), ``"5x2cv"``, ``"hold-outs"``, ``"scores"`` (one
        score per model and data set), ``"outcomes"`` (right or wrong per item), ``"graded outcomes"``; or the evidence
        itself.
    n_models, n_datasets, n_rows
        Numbers of models, data sets, and rows of a data set; read from the evidence where it is given.
    task
        ``"binary"``, ``"multiclass"``, ``"regression"`` or ``"outcomes"``.
    measure
        The measure of interest; by default AUC, accuracy or RMSE by task.
    groups, weighted
        Whether rows come in clusters, or carry weights.
    control
        A model that the others are to be compared with, if there is one.

    Returns
    -------
    Advice
        Protocol and test with reasons, what to avoid, and lines of code to start from.

    Examples
    --------
    >>> import bakeoff
    >>> advice = bakeoff.advise(n_models=2, n_datasets=1, n_rows=800, task="binary")
    >>> advice.protocol_code, advice.test
    ('KFold(5, repeats=5)', 'cv-rows')
    """
    if isinstance(evidence, (Predictions, Scores)):
        return _advice(_observed(evidence, measure), None, control)
    models = check_count("n_models", n_models, minimum=2)
    datasets = check_count("n_datasets", n_datasets)
    rows = None if n_rows is None else check_count("n_rows", n_rows, minimum=2)
    if task is not None:
        check_choice("task", task, TASKS)
    facts: dict[str, Any] = {
        "n_models": models, "n_datasets": datasets, "n_rows": rows, "weighted": weighted,
        "n_groups": 2 if groups else 0, **_measure_facts(task, measure, evidence),
    }  # fmt: skip
    protocol = None
    if evidence is None:
        protocol = protocol_for(rows, n_datasets=datasets, groups=groups)
        facts |= _planned(protocol, datasets)
    else:
        check_choice("evidence", evidence, EVIDENCE)
        facts |= _stated(evidence, datasets)
    return _advice(DesignFacts(**facts), protocol, control)


# -- the facts --------------------------------------------------------------------------------------------------------


def _observed(evidence: Predictions | Scores, measure: str | Measure | None) -> DesignFacts:
    job = prepare(evidence, measure).first
    known = job.measure if isinstance(job.measure, Measure) else None
    return facts_of(evidence, known, name=job.measure.name)


def _measure_facts(task: str | None, measure: str | Measure | None, evidence: str | None) -> dict[str, Any]:
    if evidence in ("outcomes", "graded outcomes"):
        graded = evidence == "graded outcomes"
        name = "mean_outcome" if graded else "accuracy"
        return {"measure": name, "measure_kind": MEAN if graded else RIGHT_OR_WRONG}
    chosen = get(_DEFAULT_MEASURE[task or "binary"] if measure is None else measure)
    kind = measure_kind(chosen)
    facts = {"measure": chosen.name, "measure_kind": kind, "smooth": chosen.has_slope}
    return {**facts, "within": chosen.within or ""}


def _planned(protocol: ProtocolAdvice, n_datasets: int) -> dict[str, Any]:
    splits = protocol.n_folds * protocol.n_repeats
    sizes = {"n_folds": protocol.n_folds, "n_repeats": protocol.n_repeats, "n_splits": splits, "kind": protocol.kind}
    if n_datasets > 1:
        return {"unit": DATASETS, **sizes}
    return {"unit": INSTANCES if protocol.kind == "test set" else FOLDS, **sizes}


def _stated(evidence: str, n_datasets: int) -> dict[str, Any]:
    if n_datasets > 1:
        return {"unit": DATASETS, "kind": "scores", "rows": evidence != "scores"}
    made: dict[str, dict[str, Any]] = {
        "predictions": {"unit": INSTANCES},
        "folds": {"unit": FOLDS, "kind": "k-fold", "n_folds": 10, "n_splits": 10},
        "fold scores": {"unit": FOLDS, "kind": "k-fold", "n_folds": 10, "n_splits": 10, "rows": False},
        "5x2cv": {"unit": FOLDS, "kind": "5x2cv", "n_folds": 2, "n_repeats": 5, "n_splits": 10},
        "hold-outs": {"unit": FOLDS, "kind": "hold-out", "n_repeats": 30, "n_splits": 30},
        "outcomes": {"unit": ITEMS},
        "graded outcomes": {"unit": ITEMS},
    }
    if evidence == "scores":
        raise ParameterError(
            "one score per model on one data set cannot be compared: it says nothing about how much scores vary.",
            hint="keep the predictions row by row (evidence='predictions') or the fold scores (evidence='fold scores')",
        )
    return made[evidence]


# -- the advice -------------------------------------------------------------------------------------------------------


def _advice(facts: DesignFacts, protocol: ProtocolAdvice | None, control: str | None) -> Advice:
    choice, _ = choose(facts)
    entry = catalogue()[choice.chosen]
    return Advice(
        test=entry.name,
        example=_example(facts, protocol, control),
        _protocol=protocol,
        _label=entry.label,
        _because=entry.reason(facts),
        _then=follow_up(facts, entry, control=control is not None),
        _avoid=_avoid(facts),
        _answers={**_answers(facts), "control": "pairs" if control is None else "control"},
        notes=_hopeless(facts, entry, control),
    )


def _hopeless(facts: DesignFacts, entry: Test[Any], control: str | None) -> tuple[Note, ...]:
    """So few data sets that no pair could ever be shown: what `plan` refuses."""
    if facts.unit != DATASETS:
        return ()
    least = (POSTHOCS[entry.after[0]] if entry.after else entry).least_pvalue
    k = facts.n_models
    pairs = k * (k - 1) // 2 if control is None else k - 1
    return tuple(hopeless_pairs(facts.n_datasets, least, comparisons=pairs, factor=pairs))


def _answers(facts: DesignFacts) -> dict[str, str]:
    """The facts as answers to the guide's questions."""
    kind = {RIGHT_OR_WRONG: "accuracy", AUC: "auc", MEAN: "loss", COUNTS: "other"}.get(facts.measure_kind, "other")
    folds = "fold-rows" if facts.rows else "folds"
    evidence = {INSTANCES: "test-set", ITEMS: "outcomes", FOLDS: folds}.get(facts.unit, "")
    return {
        "datasets": "several" if facts.unit == DATASETS else "one",
        "evidence": evidence,
        "protocol": facts.kind if facts.kind in ("5x2cv", "hold-out") else "k-fold",
        "clusters": "yes" if facts.grouped else "no",
        "measure": kind,
        "outcome": "binary" if facts.measure_kind == RIGHT_OR_WRONG else "graded",
        "models": "two" if facts.n_models == 2 else "more",
    }


def _avoid(facts: DesignFacts) -> tuple[Avoid, ...]:
    """The tests that would mislead here, and common mistakes of the design."""
    found = []
    for entry in catalogue().values():
        broken = entry.broken(facts)
        if any(c in (TWO_MODELS, MANY_MODELS) or c.severity == "impossible" for c in broken):
            continue  # it cannot be computed, or is not for so many models: nobody would think of it
        found += [Avoid(entry.label, c.reason(facts)) for c in broken if c.severity == "unsound"][:1]
    if facts.unit == FOLDS and facts.rows and facts.kind == "k-fold":
        found += _OTHER_FOLDS
    if facts.several_datasets:
        found.append(Avoid(Text("counting folds as data sets"), Text("multiplies the evidence without adding any")))
    if facts.n_models > 2:
        found.append(
            Avoid(
                Text("testing every pair at the 5 % level"),
                Text("finds differences by the number of questions alone"),
            )
        )
    return tuple(found)


# Levels and power: simulations over 27 designs with real learners and exact nulls (docs/calibration.md).
_OTHER_FOLDS = (
    Avoid(
        Text("10 × 10-fold cross-validation"),
        Text(
            "takes a hundred fits whose training sets overlap so much that the corrected t-test told equal learners "
            "apart in up to 10 % of runs at the 5 % level"
        ),
    ),
    Avoid(
        Text("a single 10-fold run"),
        Text(
            "has about half the power of 2 × 5-fold, which takes as many fits, and cannot tell what retraining changes"
        ),
    ),
)


def _example(facts: DesignFacts, protocol: ProtocolAdvice | None, control: str | None) -> str:
    against = f", control={control!r}" if control else ""
    ask = f'comparison = bakeoff.compare(evidence, "{facts.measure}"{against}, rng=0)'
    show = "print(comparison)"
    if protocol is None:
        return f"{ask}\n{show}"
    run = f"results = bakeoff.run(models, datasets, bakeoff.protocols.{protocol.code})"
    return f"{run}\nevidence = results.predictions()\n{ask}\n{show}"
