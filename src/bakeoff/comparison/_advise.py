"""`advise`: which protocol and which test, why, and what to avoid; before or after the data are in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import tr
from bakeoff._core.notes import Note
from bakeoff._core.result import Result
from bakeoff._core.validation import check_choice, check_count
from bakeoff.comparison._catalogue import MANY_MODELS, TESTS, TWO_MODELS, title
from bakeoff.comparison._choose import choose
from bakeoff.comparison._guide import Leaf, follow_up, guide
from bakeoff.comparison._protocol_advice import ProtocolAdvice, protocol_for
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
    measure_kind,
    situation_of,
)
from bakeoff.comparison._words import listed
from bakeoff.evidence import Predictions, Scores
from bakeoff.measures import Measure, get

EVIDENCE = ("predictions", "folds", "5x2cv", "hold-outs", "scores", "outcomes", "graded outcomes")
TASKS = ("binary", "multiclass", "regression", "outcomes")
_DEFAULT_MEASURE = {"binary": "auc", "multiclass": "accuracy", "regression": "rmse", "outcomes": "accuracy"}


@dataclass(frozen=True, repr=False)
class Advice(Result):
    """What to do, and why.

    Attributes
    ----------
    protocol, protocol_code, protocol_reason
        How to make the evidence: in words, as code of `bakeoff.protocols`, and why; empty when it is already made.
    test, test_title, test_reason, then
        The test that `compare` will take, why, and what follows or stands beside it.
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
    ('KFold(10, repeats=10)', 'corrected-t')
    """

    protocol: str
    protocol_code: str
    protocol_reason: str
    test: str
    test_title: str
    test_reason: str
    then: str
    avoid: Mapping[str, str] = field(default_factory=dict)
    path: tuple[tuple[str, str], ...] = ()
    example: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The advice, sentence by sentence."""
        said = []
        if self.protocol:
            said.append(
                tr("Make the evidence by {protocol}: {reason}.", protocol=self.protocol, reason=self.protocol_reason)
            )
            said.append(tr("Give every model the same splits."))
        said.append(tr("Compare with {test}. {reason}.", test=self.test_title, reason=_capital(self.test_reason)))
        if self.then:
            said.append(f"{_capital(self.then)}.")
        said += _avoid_sentences(self.avoid)
        return tuple(said)

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why this protocol, and why this test."""
        return tuple(reason for reason in (self.protocol_reason, self.test_reason) if reason)

    @property
    def verdict(self) -> str:
        """The advice in plain sentences."""
        return " ".join(self.sentences)

    def _columns(self) -> dict[str, Sequence[Any]]:
        rows = [("protocol", self.protocol, self.protocol_reason)] if self.protocol else []
        rows.append(("test", self.test_title, self.test_reason))
        rows += [("avoid", what, why) for what, why in self.avoid.items()]
        return {name: [row[i] for row in rows] for i, name in enumerate(("what", "choice", "reason"))}

    def _headline(self) -> str:
        return f"{self.protocol_code or 'evidence at hand'}, test {self.test!r}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values, the sentences included."""
        return {**super().to_dict(), "verdict": self.verdict}

    def __str__(self) -> str:
        return "\n".join([*self.sentences, *([""] if self.example else []), *self.example.splitlines()])


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"


def _avoid_sentences(avoid: Mapping[str, str]) -> list[str]:
    """One sentence per reason, with all that is to be avoided for it."""
    names: dict[str, list[str]] = {}
    for what, why in avoid.items():
        names.setdefault(why, []).append(what)
    return [
        tr("Avoid {what}, which {why}.", what=group[0], why=why)
        if len(group) == 1
        else tr("Avoid {what}: each of them {why}.", what=listed(group), why=why)
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
        What there is: nothing yet (None: a protocol is advised too), ``"predictions"`` (one test set), ``"folds"``,
        ``"5x2cv"``, ``"hold-outs"``, ``"scores"`` (one score per model and data set), ``"outcomes"`` (right or wrong
        per item), ``"graded outcomes"``; or the evidence itself.
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
    ('KFold(10, repeats=10)', 'corrected-t')
    """
    if isinstance(evidence, (Predictions, Scores)):
        situation = _observed(evidence, measure, control)
        return _advice(situation, None, control)
    models = check_count("n_models", n_models, minimum=2)
    datasets = check_count("n_datasets", n_datasets)
    rows = None if n_rows is None else check_count("n_rows", n_rows, minimum=2)
    if task is not None:
        check_choice("task", task, TASKS)
    facts: dict[str, Any] = {
        "n_models": models, "n_datasets": datasets, "n_rows": rows, "weighted": weighted,
        "n_groups": 2 if groups else 0, "control": control is not None, **_measure_facts(task, measure, evidence),
    }  # fmt: skip
    protocol = None
    if evidence is None:
        protocol = protocol_for(rows, n_datasets=datasets, groups=groups)
        facts |= _planned(protocol, datasets)
    else:
        check_choice("evidence", evidence, EVIDENCE)
        facts |= _stated(evidence, datasets)
    return _advice(Situation(**facts), protocol, control)


# -- the situation ----------------------------------------------------------------------------------------------------


def _observed(evidence: Predictions | Scores, measure: str | Measure | None, control: str | None) -> Situation:
    from bakeoff.comparison._prepare import prepare

    prepared = prepare(evidence, measure, control=control)
    known = prepared.measure if isinstance(prepared.measure, Measure) else None
    return situation_of(evidence, known, name=prepared.measure.name, control=control is not None)


def _measure_facts(task: str | None, measure: str | Measure | None, evidence: str | None) -> dict[str, Any]:
    if evidence in ("outcomes", "graded outcomes"):
        graded = evidence == "graded outcomes"
        name = "mean_outcome" if graded else "accuracy"
        return {"measure": name, "measure_kind": MEAN if graded else RIGHT_OR_WRONG}
    chosen = get(measure or _DEFAULT_MEASURE[task or "binary"])
    kind = measure_kind(chosen)
    return {"measure": chosen.name, "measure_kind": kind}


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
        "5x2cv": {"unit": FOLDS, "kind": "5x2cv", "n_folds": 2, "n_repeats": 5, "n_splits": 10},
        "hold-outs": {"unit": FOLDS, "kind": "hold-out", "n_repeats": 30, "n_splits": 30},
        "outcomes": {"unit": ITEMS},
        "graded outcomes": {"unit": ITEMS},
    }
    if evidence == "scores":
        raise ParameterError(
            "one score per model on one data set cannot be compared: it says nothing about how much scores vary.",
            hint="keep the predictions row by row (evidence='predictions') or the fold scores (evidence='folds')",
        )
    return made[evidence]


# -- the advice -------------------------------------------------------------------------------------------------------


def _advice(situation: Situation, protocol: ProtocolAdvice | None, control: str | None) -> Advice:
    choice, _ = choose(situation)
    path, node = guide().follow(_answers(situation))
    assert not isinstance(node, Leaf) or situation.weighted or node.test == choice.chosen
    return Advice(
        protocol="" if protocol is None else protocol.title,
        protocol_code="" if protocol is None else protocol.code,
        protocol_reason="" if protocol is None else protocol.reason,
        test=choice.chosen,
        test_title=title(choice.chosen),
        test_reason=choice.reason,
        then=follow_up(situation, choice.chosen),
        avoid=_avoid(situation),
        path=path,
        example=_example(situation, protocol, control),
    )


def _answers(situation: Situation) -> dict[str, str]:
    """The situation as answers to the guide's questions."""
    kind = {RIGHT_OR_WRONG: "accuracy", AUC: "auc", MEAN: "loss", COUNTS: "other"}.get(situation.measure_kind, "other")
    evidence = {INSTANCES: "test-set", ITEMS: "outcomes", FOLDS: "folds"}.get(situation.unit, "")
    return {
        "datasets": "several" if situation.unit == DATASETS else "one",
        "evidence": evidence,
        "protocol": situation.kind if situation.kind in ("5x2cv", "hold-out") else "k-fold",
        "clusters": "yes" if situation.grouped else "no",
        "measure": kind,
        "outcome": "binary" if situation.measure_kind == RIGHT_OR_WRONG else "graded",
        "models": "two" if situation.n_models == 2 else "more",
    }


def _avoid(situation: Situation) -> dict[str, str]:
    """The tests that would mislead here, and common mistakes of the design."""
    unsound = {}
    for entry in TESTS.values():
        broken = entry.broken(situation)
        if any(c in (TWO_MODELS, MANY_MODELS) for c in broken):
            continue  # not for so many models: nobody would think of it
        if broken and all(c.severity != "impossible" for c in broken):
            reasons = [c.reason(situation) for c in broken if c.severity == "unsound"]
            if reasons:
                unsound[entry.title()] = reasons[0]
    if situation.several_datasets:
        unsound[tr("counting folds as data sets")] = tr("multiplies the evidence without adding any")
    if situation.n_models > 2:
        unsound[tr("testing every pair at the 5 % level")] = tr("finds differences by the number of questions alone")
    return unsound


def _example(situation: Situation, protocol: ProtocolAdvice | None, control: str | None) -> str:
    against = f", control={control!r}" if control else ""
    ask = f'comparison = bakeoff.compare(evidence, "{situation.measure}"{against}, rng=0)'
    show = "print(comparison)"
    if protocol is None:
        return f"{ask}\n{show}"
    run = f"results = bakeoff.run(models, datasets, bakeoff.protocols.{protocol.code})"
    return f"{run}\nevidence = results.predictions()\n{ask}\n{show}"
