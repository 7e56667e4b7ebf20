"""A result is made once and read in any language: the words of many results, in three languages, against a snapshot.

``BAKEOFF_UPDATE_SNAPSHOTS=1 pytest tests/core/test_sentences.py`` writes `sentences.json` anew; read the difference.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import BakeoffWarning, OperatingContext, Predictions, Scores
from bakeoff._core.language import LANGUAGES, language

SNAPSHOTS = Path(__file__).with_name("sentences.json")
Case = Callable[[], Any]


# -- evidence ----------------------------------------------------------------------------------------------------------


def scored(n: int = 200, models: Iterable[str] = ("good", "poor"), seed: int = 3, **more: Any) -> Predictions:
    """Correlated scores of two classes, the first model better than the next."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    shared = rng.normal(size=n)
    scores = {
        name: 1 / (1 + np.exp(-(shared + rng.normal(size=n) + (truth - 0.5) * (4 - i))))
        for i, name in enumerate(models)
    }
    return Predictions.from_arrays(truth, y_score=scores, **more)


def labelled(n: int = 120, **more: Any) -> Predictions:
    rng = np.random.default_rng(5)
    truth = rng.choice(["bird", "cat", "dog"], n)
    calls = {
        m: np.where(rng.random(n) < p, truth, rng.choice(["bird", "cat", "dog"], n))
        for m, p in (("a", 0.8), ("b", 0.5))
    }
    return Predictions.from_arrays(truth, y_pred=calls, **more)


def shy() -> Predictions:
    """One model that calls nothing positive, one that calls everything so."""
    truth = [0, 1, 1, 0, 1, 0, 0, 1, 0, 1]
    return Predictions.from_arrays(truth, y_pred={"shy": [0] * 10, "bold": [1] * 10}, pos_label=1)


def useless() -> Predictions:
    """Scores that have nothing to do with the truth."""
    rng = np.random.default_rng(4)
    return Predictions.from_arrays(np.arange(100) % 2, y_score={"a": rng.random(100), "b": rng.random(100)})


def values(**more: Any) -> Predictions:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=80)
    return Predictions.from_arrays(
        truth, y_value={"near": truth + 0.1 * rng.normal(size=80), "far": truth + rng.normal(size=80)}, **more
    )


def one_class_folds() -> Predictions:
    truth = [0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0, 1]
    scores = {"a": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.2, 0.9, 0.1, 0.3, 0.4], "b": [0.5, 0.1] * 6}
    return Predictions.from_arrays(truth, y_score=scores, fold=[0] * 4 + [1] * 4 + [2] * 4)


def cv_scores(**more: Any) -> Scores:
    rng = np.random.default_rng(8)
    return Scores.from_cv_results(
        {"a": 0.85 + 0.02 * rng.normal(size=10), "b": 0.8 + 0.02 * rng.normal(size=10)}, measure="accuracy", **more
    )


def table_of_scores(models: int = 4, sets: int = 9) -> Scores:
    rng = np.random.default_rng(9)
    names = ("one", "two", "three", "four")[:models]
    return Scores.from_wide(
        0.7 + 0.05 * rng.normal(size=(sets, models)) - 0.04 * np.arange(models), models=names, measure="accuracy"
    )


RARE = OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=20)
FOLDS = np.arange(200) % 5

EVALUATIONS: dict[str, Case] = {
    "evaluate two classes": lambda: bakeoff.evaluate(scored(), rng=0),
    "evaluate folds": lambda: bakeoff.evaluate(scored(fold=FOLDS), ["auc", "f1"], rng=0),
    "evaluate folds, plain t": lambda: bakeoff.evaluate(scored(fold=FOLDS), "auc", interval="t", rng=0),
    "evaluate folds of one class": lambda: bakeoff.evaluate(one_class_folds(), ["auc", "recall", "accuracy"], rng=0),
    "evaluate leave-one-out": lambda: bakeoff.evaluate(scored(30, fold=np.arange(30)), ["auc", "accuracy"], rng=0),
    "evaluate groups": lambda: bakeoff.evaluate(scored(groups=np.arange(200) // 20), ["auc", "accuracy"], rng=0),
    "evaluate groups by Wald": lambda: bakeoff.evaluate(
        scored(groups=np.arange(200) // 20), "accuracy", interval="wald"),
    "evaluate three classes": lambda: bakeoff.evaluate(labelled(), rng=0),
    "evaluate empty calls": lambda: bakeoff.evaluate(shy(), ["precision", "npv", "lr_positive", "mcc", "f1"], rng=0),
    "evaluate few rows": lambda: bakeoff.evaluate(scored(14), ["auc", "brier", "average_precision", "f1"], rng=0),
    "evaluate perfect models": lambda: bakeoff.evaluate(
        Predictions.from_arrays([0, 1] * 20, y_score={"a": [0.1, 0.9] * 20, "b": [0.2, 0.8] * 20}),
        ["auc", "accuracy", "brier", "kappa"], rng=0),
    "evaluate perfect models by Wald": lambda: bakeoff.evaluate(
        Predictions.from_arrays([0, 1] * 20, y_pred={"a": [0, 1] * 20}), "accuracy", interval="wald"),
    "evaluate values": lambda: bakeoff.evaluate(values(), rng=0),
    "evaluate values in folds": lambda: bakeoff.evaluate(values(fold=np.arange(80) % 4), ["rmse", "r2"], rng=0),
    "evaluate outcomes": lambda: bakeoff.evaluate(
        Predictions.from_outcomes({"a": [1, 0, 1, 1] * 10, "b": [1, 1, 0, 0] * 10}), rng=0),
    "evaluate scores": lambda: bakeoff.evaluate(cv_scores()),
    "evaluate scores with sizes": lambda: bakeoff.evaluate(cv_scores(n_train=90, n_test=10)),
    "evaluate one score each": lambda: bakeoff.evaluate(table_of_scores(2, 3)),
    "scores of folds of one class": lambda: one_class_folds().scores("auc"),
}  # fmt: skip

DECISIONS: dict[str, Case] = {
    "decide": lambda: bakeoff.decide(scored(), RARE, rng=0),
    "decide with equal costs": lambda: bakeoff.decide(scored(), OperatingContext(), rng=0),
    "decide with folds": lambda: bakeoff.decide(scored(fold=FOLDS), RARE, rng=0),
    "decide for nobody": lambda: bakeoff.decide(useless(), OperatingContext(prevalence=0.01, cost_fp=50), rng=0),
    "decide on few rows": lambda: bakeoff.decide(scored(16), RARE, rng=0),
    "decide by labels": lambda: bakeoff.decide(shy(), RARE, rng=0),
    "decide three classes": lambda: bakeoff.decide(
        labelled(), OperatingContext.multiclass([[0, 1, 2], [3, 0, 1], [5, 2, 0]]), rng=0),
    "roc": lambda: bakeoff.roc(scored()),
    "roc of folds": lambda: bakeoff.roc(scored(fold=FOLDS)),
    "roc of folds of one class": lambda: bakeoff.roc(one_class_folds()),
    "cost curves": lambda: bakeoff.cost_curves(scored(), rng=0),
    "cost curves of folds": lambda: bakeoff.cost_curves(scored(fold=FOLDS), rng=0),
}  # fmt: skip

COMPARISONS: dict[str, Case] = {
    "compare areas": lambda: bakeoff.compare(scored(), rng=0),
    "compare accuracy": lambda: bakeoff.compare(scored(), "accuracy", rng=0),
    "compare F1": lambda: bakeoff.compare(scored(), "f1", rng=0),
    "compare with a margin": lambda: bakeoff.compare(scored(), "auc", margin=0.05, control="poor", rng=0),
    "compare four models": lambda: bakeoff.compare(scored(models=("a", "b", "c", "d")), rng=0),
    "compare folds": lambda: bakeoff.compare(cv_scores(n_train=90, n_test=10), rng=0),
    "compare folds of unknown size": lambda: bakeoff.compare(cv_scores(), rng=0),
    "compare folds, plain t": lambda: bakeoff.compare(cv_scores(n_train=90, n_test=10), test="paired-t", rng=0),
    "compare folds, posterior": lambda: bakeoff.compare(
        cv_scores(n_train=90, n_test=10), test="bayes-correlated-t", rng=0),
    "compare data sets": lambda: bakeoff.compare(table_of_scores(), rng=0),
    "compare two on data sets": lambda: bakeoff.compare(table_of_scores(2), rng=0),
    "compare with a control": lambda: bakeoff.compare(table_of_scores(), control="four", rng=0),
    "compare on three data sets": lambda: bakeoff.compare(table_of_scores(3, 3), rng=0),
    "compare twins": lambda: bakeoff.compare(
        Predictions.from_arrays([0, 1] * 20, y_pred=dict.fromkeys("ab", [0, 1, 1, 1] * 10)), "accuracy", rng=0),
    "compare groups": lambda: bakeoff.compare(scored(groups=np.arange(200) // 20), "accuracy", rng=0),
    "compare few rows": lambda: bakeoff.compare(scored(12), "accuracy", rng=0),
    "plan rows": lambda: bakeoff.plan(measure="accuracy", difference=0.02, n_rows=500, baseline=0.85),
    "plan areas": lambda: bakeoff.plan(measure="auc", difference=0.03, baseline=0.8, prevalence=0.3),
    "plan from evidence": lambda: bakeoff.plan(scored(), measure="accuracy", difference=0.03),
    "plan data sets": lambda: bakeoff.plan(table_of_scores(2), difference=0.02),
    "advise on nothing yet": lambda: bakeoff.advise(n_models=2, n_datasets=1, n_rows=300, task="binary", measure="auc"),
    "advise on data sets": lambda: bakeoff.advise("scores", n_models=5, n_datasets=20),
    "advise on evidence": lambda: bakeoff.advise(cv_scores()),
}  # fmt: skip

# Without a seed the numbers differ from call to call, the words do not.
SEEDLESS: dict[str, Case] = {"evaluate without a seed": lambda: bakeoff.evaluate(scored(), "f1")}

CASES = {**SEEDLESS, **EVALUATIONS, **DECISIONS, **COMPARISONS}


# -- what a person reads -----------------------------------------------------------------------------------------------


def made(name: str, tongue: str) -> Any:
    """The result of a case, made under one language."""
    with language(tongue), warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        return CASES[name]()


def words(result: Any) -> dict[str, list[str]]:
    """All sentences of a result in the active language, by the place where they stand."""
    found: dict[str, list[str]] = {}
    for place, text in _words(result):
        found.setdefault(place, []).append(text)
    return found


def _words(result: Any) -> Iterator[tuple[str, str]]:
    if hasattr(result, "design"):
        yield "design", str(result.design.describe())
    if hasattr(result, "verdict"):
        yield "verdict", str(result.verdict)
    notes = result._notes() if hasattr(result, "_notes") else result.notes
    yield from (("notes", str(note)) for note in notes)
    yield from (("alternatives", str(n)) for a in getattr(result, "alternatives", ()) for n in a.expected_cost.notes)
    yield from (("areas", str(n)) for i in getattr(result, "auc", {}).values() for n in getattr(i, "notes", ()))
    if isinstance(result, bakeoff.Comparison):
        yield "choice", str(result.choice)
        yield from (("checks", _checked(check)) for check in result.checks)
    if type(result).__name__ in ("Advice", "Plan"):
        yield "all", str(result)


def _checked(check: Any) -> str:
    from bakeoff._core.language import render

    return render(getattr(check, "text", check.message))


@cache
def snapshots() -> dict[str, dict[str, dict[str, list[str]]]]:
    return json.loads(SNAPSHOTS.read_text(encoding="utf-8"))


def in_all_languages(name: str) -> dict[str, dict[str, list[str]]]:
    """The words of a case by language, each made and read under it."""
    found = {}
    for tongue in LANGUAGES:
        result = made(name, tongue)
        with language(tongue):
            found[tongue] = words(result)
    return found


def test_the_words_are_those_of_the_snapshot():
    now = {name: in_all_languages(name) for name in CASES}
    if os.environ.get("BAKEOFF_UPDATE_SNAPSHOTS"):
        SNAPSHOTS.write_text(json.dumps(now, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        snapshots.cache_clear()
    assert now == snapshots()


# -- one result, many readers ------------------------------------------------------------------------------------------

LATE = {**EVALUATIONS, **DECISIONS, **COMPARISONS}
READERS = [("es", "en"), ("en", "pt"), ("pt", "es")]


@pytest.mark.parametrize(("maker", "reader"), READERS)
@pytest.mark.parametrize("name", LATE)
def test_what_a_person_reads_is_in_the_language_of_the_reader(name, maker, reader):
    ours, theirs = made(name, maker), made(name, reader)
    with language(reader):
        assert words(ours) == snapshots()[name][reader]
        assert str(ours) == str(theirs)
        assert repr(ours) == repr(theirs)
        assert ours._repr_html_() == theirs._repr_html_()


@pytest.mark.parametrize("name", LATE)
def test_what_a_program_reads_is_english(name):
    english = made(name, "en").to_dict()
    foreign = made(name, "pt")
    with language("es"):
        assert json.dumps(foreign.to_dict()) == json.dumps(english)
        frame = foreign.to_frame(backend="polars")
    assert frame.equals(made(name, "en").to_frame(backend="polars"))


def test_a_decision_has_sentences_with_roles():
    decision = made("decide", "en")
    roles = [text.role for text in decision.sentences]
    assert (roles[0], roles[1], roles[-1]) == ("headline", "lead", "scope")
    assert set(roles) <= {"headline", "lead", "caution", "scope"}
    assert decision.verdict == " ".join(text.english for text in decision.sentences)
    nobody = made("decide for nobody", "es")
    assert nobody.sentences[0].role == "headline"
    assert nobody.sentences[0].english.startswith("No model is worth deploying")
