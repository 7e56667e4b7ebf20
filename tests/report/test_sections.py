"""A report of every kind of evidence has the sections that evidence can fill, and says what it could not show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff.evidence import Predictions, Scores
from bakeoff.report import Report


def names(made: Report) -> list[str]:
    return [s.name for s in made._sections]


def kinds(made: Report) -> list[str]:
    return [f["kind"] for f in made.to_dict()["figures"]]


def two_class(n: int = 120, models: int = 3, **more: Any) -> Predictions:
    rng = np.random.default_rng(3)
    truth = rng.random(n) < 0.4
    noise = {f"m{i}": np.clip(0.2 * i * truth + 0.4 + rng.normal(0, 0.2, n), 0, 1) for i in range(1, models + 1)}
    return Predictions.from_arrays(np.where(truth, "yes", "no"), y_score=noise, pos_label="yes", **more)


def test_one_test_set() -> None:
    made = bakeoff.report(two_class())
    assert names(made) == ["answer", "how", "measures", "differences", "roc", "evidence", "notes", "reproduce"]
    assert {"lead", "roc", "cost-curve", "precision-recall", "calibration", "confusion", "forest", "explorer"} <= set(
        kinds(made)
    )
    assert "m3" in made.to_dict()["verdict"][0]


def test_folds_add_their_section_and_a_posterior() -> None:
    made = bakeoff.report(two_class(fold=np.arange(120) % 5))
    assert "folds" in names(made)
    assert {"box", "posterior"} <= set(kinds(made))


def test_a_context_puts_the_decision_first() -> None:
    context = bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=8)
    made = bakeoff.report(two_class(), context)
    verdict = made.to_dict()["verdict"]
    assert verdict[0].startswith(("Use ", "No model"))
    assert verdict[0].count(". ") == 0  # a headline is one sentence
    explorer = next(f for f in made.to_dict()["figures"] if f["kind"] == "explorer")
    assert explorer["context"]["cost_fn"] == 8


def test_several_classes_with_string_names() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(["ant", "bee", "cat"], 150)
    guess = {
        m: np.where(rng.random(150) < p, truth, rng.choice(["ant", "bee", "cat"], 150))
        for m, p in (("a", 0.3), ("b", 0.8))
    }
    made = bakeoff.report(Predictions.from_arrays(truth, y_pred=guess))
    assert {"confusion", "class-recall"} <= set(kinds(made))
    assert kinds(made).count("confusion") == 2
    assert "explorer" not in kinds(made)
    assert "b" in made.to_dict()["verdict"][0]


def test_regression() -> None:
    rng = np.random.default_rng(5)
    truth = rng.normal(size=80)
    values = {"near": truth + rng.normal(0, 0.2, 80), "far": truth + rng.normal(0, 0.9, 80)}
    made = bakeoff.report(Predictions.from_arrays(truth, y_value=values))
    assert "near" in made.to_dict()["verdict"][0]
    assert "roc" not in names(made)
    assert {"predicted", "residuals", "error-distribution", "forest"} <= set(kinds(made))
    drawn = [f["model"] for f in made.to_dict()["figures"] if f["kind"] == "predicted"]
    assert drawn == ["near", "far"]


def test_probabilities_of_several_classes_have_curves() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(["ant", "bee", "cat"], 150)
    chances = {
        m: rng.dirichlet([1, 1, 1], 150) + k * (truth[:, None] == np.array(["ant", "bee", "cat"]))
        for m, k in (("a", 0.5), ("b", 2.0))
    }
    chances = {m: v / v.sum(axis=1, keepdims=True) for m, v in chances.items()}
    made = bakeoff.report(Predictions.from_arrays(truth, y_score=chances, classes=["ant", "bee", "cat"]))
    assert {"class-roc", "calibration", "class-recall", "confusion"} <= set(kinds(made))
    curves = next(f for f in made.to_dict()["figures"] if f["kind"] == "class-roc")
    assert curves["model"] == made.to_dict()["answer"]["model"] == "b"


def test_scores_over_many_data_sets() -> None:
    rng = np.random.default_rng(6)
    base = rng.uniform(0.5, 0.9, (15, 1))
    table = {m: (base + d).ravel() + rng.normal(0, 0.01, 15) for m, d in (("old", 0.0), ("new", 0.08), ("odd", 0.02))}
    made = bakeoff.report(Scores.from_wide(pl.DataFrame(table)))
    assert {"critical-difference", "box", "pair-heatmap", "difference-forest"} <= set(kinds(made))
    assert len(made.tables["scores"].columns) == 4
    assert "new" in made.to_dict()["verdict"][0]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_predictions_of_many_data_sets() -> None:
    rng = np.random.default_rng(7)
    n, sets = 40, 14
    dataset = np.repeat([f"d{i:02d}" for i in range(sets)], n)
    truth = (rng.random(n * sets) < 0.5).astype(int)
    guess = {m: np.where(rng.random(n * sets) < p, truth, 1 - truth) for m, p in (("a", 0.6), ("b", 0.8))}
    made = bakeoff.report(Predictions.from_arrays(truth, y_pred=guess, dataset=dataset, pos_label=1))
    measures = [t for t in made.tables if t.startswith("measures-")]
    assert len(measures) == sets
    assert "2 more data sets" in made.html
    assert "folds" in names(made)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_data_sets_with_different_classes_have_their_own_trivial_rules() -> None:
    """A study of many data sets: two classes here, three there, other names everywhere."""
    rng = np.random.default_rng(8)
    tables = {}
    for name, classes in (
        ("pets", ["cat", "dog"]),
        ("iris", ["setosa", "versicolor", "virginica"]),
        ("coin", ["h", "t"]),
    ):
        truth = rng.choice(classes, 60)
        guess = {m: np.where(rng.random(60) < p, truth, rng.choice(classes, 60)) for m, p in (("a", 0.5), ("b", 0.9))}
        tables[name] = Predictions.from_arrays(truth, y_pred=guess, dataset=name).table()
    made = bakeoff.report(Predictions(tables))
    rows = {t: made.tables[f"measures-{t}"].columns["model"] for t in tables}
    assert rows["pets"][:2] == ["b", "a"]  # the best first
    assert set(rows["pets"][2:]) == {"always cat", "always dog", "prior"}
    assert {m for m in rows["iris"] if m.startswith("always")} == {f"always {c}" for c in tables["iris"].classes}
    assert "always cat" not in rows["coin"]


def test_pairs_that_matter_come_first() -> None:
    values = 0.5 + np.arange(10) / 50 + np.random.default_rng(9).normal(0, 0.03, (20, 10))
    scores = Scores.from_wide(values, models=[f"m{i}" for i in range(10)], measure="accuracy")
    made, comparison = bakeoff.report(scores), bakeoff.compare(scores, rng=0)
    table = made.tables["pairs"].columns
    leader = made.to_dict()["answer"]["model"]
    assert table["a"][:9] == [leader] * 9
    assert leader not in {*table["a"][9:], *table["b"][9:]}
    assert len(table["a"]) == len(comparison.pairs)
    undecided = [c == "no difference shown" for c in table["conclusion"][9:]]
    assert undecided == sorted(undecided, reverse=True)


def test_the_order_of_the_test_names_the_leader() -> None:
    """Mean rank and mean score disagree: the page names one leader, that of the test that was taken."""
    rng = np.random.default_rng(36)
    base = rng.uniform(0.6, 0.95, 12)
    table = np.clip(base[:, None] - np.linspace(0, 0.06, 6) + rng.normal(0, 0.02, (12, 6)), 0.3, 0.999).round(4)
    scores = Scores.from_wide(table, models=list("ABCDEF"))
    comparison = bakeoff.compare(scores, rng=0)
    assert comparison.best != next(iter(comparison.ranks))
    made = bakeoff.report(scores)
    answer = made.to_dict()["answer"]
    assert answer["model"] == next(iter(comparison.ranks))
    assert answer["model"] in answer["headline"]
    lead = next(f for f in made.to_dict()["figures"] if f["kind"] == "lead")
    assert lead["rows"][0]["label"] == answer["model"]


def test_the_compared_measure_comes_first_and_four_are_open() -> None:
    made = bakeoff.report(two_class(), measure="brier")
    table = made.tables["measures-data"]
    assert next(iter(table.columns.values()))[0] == made.to_dict()["answer"]["model"]
    assert list(table.columns)[1].startswith("Brier")
    assert len(table.columns) == 5
    assert "more-measures-data" in made.tables


def test_the_confusion_matrix_is_at_the_chosen_threshold() -> None:
    predictions = two_class()
    context = bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=8)
    made, decision = bakeoff.report(predictions, context), bakeoff.decide(predictions, context, rng=0)
    figure = next(f for f in made.to_dict()["figures"] if f["kind"] == "confusion")
    assert figure["model"] == decision.model
    assert f"{decision.threshold:.3g}" in figure["title"]
    called = predictions.table().scores(decision.model) >= decision.threshold
    assert figure["counts"][1][1] == np.count_nonzero(called & predictions.table().positives())


def test_how_to_repeat_it(tmp_path: Path) -> None:
    import hashlib

    source = tmp_path / "preds.csv"
    source.write_text("y,s\n1,0.9\n")
    context = bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=8)
    made = bakeoff.report(two_class(), context, rng=7, sources=[source], command="bakeoff report preds.csv")
    assert "rng=7" in made.html
    assert "bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=8)" in made.html
    assert "bakeoff report preds.csv" in made.html
    assert hashlib.sha256(source.read_bytes()).hexdigest() in made.html
    assert str(tmp_path) not in made.html


def test_many_notes_of_one_kind_are_folded() -> None:
    from bakeoff._core.result import warning_note
    from bakeoff.report._blocks import Folded, Notes, Section
    from bakeoff.report._exports import as_dict
    from bakeoff.report._sections import _by_kind

    blocks = list(
        _by_kind((*(warning_note("undefined-folds", f"fold {i}.") for i in range(8)), warning_note("x", "y.")))
    )
    assert [type(b) for b in blocks] == [Notes, Folded, Notes]
    assert [len(b.notes) for b in blocks if isinstance(b, Notes)] == [3, 1]
    assert blocks[1].summary == "5 more of this kind"
    assert len(blocks[1].blocks[0].notes) == 5
    section = Section("notes", "Notes", tuple(blocks))
    assert len(as_dict("t", [section])["notes"]) == 9  # what is folded on the page is still in the JSON


def test_two_models_and_one_model() -> None:
    two = bakeoff.report(two_class(models=2))
    assert "pair-heatmap" not in kinds(two)
    assert "difference-forest" in kinds(two)
    one = bakeoff.report(two_class(models=1))
    assert "differences" not in names(one)
    assert one.to_dict()["verdict"][0].startswith("m1 ")
    assert "explorer" in kinds(one)
    assert one.to_dict()["answer"]["light"] is None


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_outcomes() -> None:
    rng = np.random.default_rng(8)
    solved = {"small": rng.random(60) < 0.4, "large": rng.random(60) < 0.8}
    made = bakeoff.report(Predictions.from_outcomes({m: v.astype(float) for m, v in solved.items()}))
    assert "large" in made.to_dict()["verdict"][0]
    assert "roc" not in names(made)
    (figure,) = (f for f in made.to_dict()["figures"] if f["kind"] == "items")
    assert figure["models"] == ["large", "small"]
    flips = made.tables["flips"].columns
    large, small = (np.asarray(solved[m], dtype=bool) for m in ("large", "small"))
    assert flips["only a right"] == [np.count_nonzero(large & ~small)]
    assert flips["only b right"] == [np.count_nonzero(~large & small)]
    parted = made.tables["items"].columns
    assert parted["models right"][: flips["only a right"][0]] == [1] * flips["only a right"][0]
    assert len(parted["item"]) == 60
    # One measure under one name: the card has its value and its interval, as the table.
    (table,) = (t for n, t in made.tables.items() if n.startswith("measures-"))
    assert list(table.columns)[1].startswith("accuracy")
    assert "mean outcome" not in made.html
    assert table.shown["accuracy ↑"][0].split(" ", 1)[1] in made.html.partition('id="how"')[0]


def test_a_run_with_failures_says_so(tmp_path: Path) -> None:
    from sklearn.dummy import DummyClassifier
    from sklearn.model_selection import StratifiedKFold
    from sklearn.tree import DecisionTreeClassifier

    class Broken(DummyClassifier):
        def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
            raise RuntimeError("<b>no luck</b>")

    rng = np.random.default_rng(9)
    X = rng.normal(size=(90, 3))
    y = (X[:, 0] + rng.normal(0, 0.5, 90) > 0).astype(int)
    models = {"tree": DecisionTreeClassifier(max_depth=2), "dummy": DummyClassifier(), "broken": Broken()}
    results = bakeoff.run(models, {"toy": (X, y)}, StratifiedKFold(3), store=tmp_path / "store", engine="serial")
    made = bakeoff.report(results)
    assert "failures" in names(made)
    assert any("no luck" in str(c) for column in made.tables["failures"].columns.values() for c in column)
    assert "<b>no luck" not in made.html


def test_the_room_and_its_verb_share_a_name() -> None:
    import importlib

    room = importlib.import_module("bakeoff.report")
    assert isinstance(room(two_class(models=1)), Report)
    assert isinstance(bakeoff.report(two_class(models=1)), Report)


def test_results_given_are_used_not_computed_again() -> None:
    predictions = two_class(models=2)
    evaluation = bakeoff.evaluate(predictions, ["accuracy"])
    made = bakeoff.report(predictions, evaluation)
    (table,) = (t for n, t in made.tables.items() if n.startswith("measures-"))
    assert [c for c in table.columns if c.startswith("acc")] == ["accuracy ↑"]
    assert len(table.columns) == 2
    with pytest.raises(bakeoff.ParameterError, match="one Evaluation"):
        bakeoff.report(evaluation, evaluation)
    with pytest.raises(bakeoff.ParameterError, match="cannot show str"):
        bakeoff.report("nonsense")
    with pytest.raises(bakeoff.ParameterError, match="something to report"):
        bakeoff.report()


@pytest.mark.parametrize("lang", ["es", "pt"])
def test_it_speaks_other_languages(lang: str) -> None:
    made = bakeoff.report(two_class(models=2), lang=lang)
    assert f'<html lang="{lang}">' in made.html


def test_repeated_rows_are_counted_once() -> None:
    """J18: 569 rows in the first line and 2845 in the table of the data."""
    y = np.tile([0, 1, 1], 20)
    p = Predictions.from_arrays(np.tile(y, 2), y_pred={"a": np.tile(y, 2), "b": np.tile(1 - y, 2)},
                                repeat=np.repeat([0, 1], 60), fold=np.tile(np.arange(60) % 3, 2),
                                instance=np.tile(np.arange(60), 2))  # fmt: skip
    tables = bakeoff.report(p, rng=0).tables
    assert list(tables["data"].columns["rows"]) == [60]
    assert list(tables["classes"].columns["rows"]) == [20, 40]


def test_costs_that_cannot_be_used_are_not_passed_over() -> None:
    costs = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=9)
    frame = pl.DataFrame({"d": ["x"] * 60 + ["y"] * 60, "t": [0, 1, 1] * 40, "a": np.linspace(0, 1, 120).tolist()})
    frame = frame.with_columns(b=1 - pl.col("a"))
    sets = Predictions.from_frame(frame, y_true="t", y_score=["a", "b"], pos_label=1, dataset="d")
    values = Predictions.from_arrays(np.arange(40.0), y_value={"a": np.arange(40.0) + 1, "b": np.arange(40.0) - 2})
    for evidence in (sets, values):
        made = bakeoff.report(evidence, costs)
        assert "The costs given were not used" in made.html
        assert any(n["code"] == "not-shown" for n in made.to_dict()["notes"])
    assert "The costs given were not used" not in bakeoff.report(two_class(), costs).html


def test_a_context_of_several_classes_is_decided() -> None:
    rng = np.random.default_rng(4)
    truth = rng.choice(["ant", "bee", "cat"], 150)
    guess = {m: np.where(rng.random(150) < p, truth, "ant") for m, p in (("a", 0.3), ("b", 0.8))}
    evidence = Predictions.from_arrays(truth, y_pred=guess)
    context = bakeoff.OperatingContext.multiclass([[0, 1, 1], [4, 0, 1], [4, 1, 0]])
    answer = bakeoff.report(evidence, context).to_dict()["answer"]
    assert answer["model"] == "b"
    assert answer["cost"] == bakeoff.decide(evidence, context, rng=0).expected_cost.estimate


def test_one_model_is_told_by_the_measure_it_would_be_compared_by() -> None:
    one = two_class(models=1)
    assert bakeoff.report(one).to_dict()["answer"]["measure"] == "auc"
    assert bakeoff.report(one, measure="brier").to_dict()["answer"]["measure"] == "brier"
    assert bakeoff.report(one, bakeoff.evaluate(one, ["f1", "auc"])).to_dict()["answer"]["measure"] == "f1"
    made = bakeoff.report(one)
    assert next(iter(made.tables["measures-data"].columns)) == "model"
    assert list(made.tables["measures-data"].columns)[1].startswith("AUC")


@pytest.mark.parametrize(
    ("names", "said"), [(("1", "0"), "positives"), (("yes", "no"), "positives"), (("ill", "well"), "ill")]
)
def test_the_context_names_a_class_that_has_a_name(names: tuple[str, str], said: str) -> None:
    truth, scores = two_class().table().positives(), two_class().table().scores("m1")
    evidence = Predictions.from_arrays(np.where(truth, *names), y_score={"m": scores}, pos_label=names[0])
    made = bakeoff.report(evidence, bakeoff.OperatingContext(prevalence=0.2, cost_fp=1, cost_fn=8))
    assert made.to_dict()["answer"]["headline"].startswith(f"At 20\u00a0% {said}, false alarm 1, miss 8: ")
    as_in_the_data = bakeoff.report(evidence, bakeoff.OperatingContext(cost_fp=1, cost_fn=8)).to_dict()["answer"]
    assert as_in_the_data["headline"].startswith(f"At {100 * truth.mean():.3g}\u00a0% {said}, ")


@pytest.mark.parametrize(("last", "said"), [(0.0, "from any rival"), (3.0, "from 1 of its 2 rivals")])
def test_the_headline_counts_rivals_in_good_english(last: float, said: str) -> None:
    rng = np.random.default_rng(0)
    truth = rng.random(200) < 0.4
    base = truth + rng.normal(0, 0.9, 200)
    scores = {m: base + rng.normal(0, s, 200) for m, s in (("a", 0.2), ("b", 0.2), ("c", 0.2 + last))}
    headline = bakeoff.report(Predictions.from_arrays(truth, y_score=scores, pos_label=True)).to_dict()["answer"][
        "headline"
    ]
    assert headline.endswith(f"not told apart {said}.")
