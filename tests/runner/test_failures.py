"""Failures are data: recorded with traceback and seed, everything else goes on, and answers say what they did."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
import troublemakers as tm
from troublemakers import Mean, data

from bakeoff import BakeoffError, BakeoffWarning, EvidenceError, Results, run
from bakeoff.protocols import KFold

X, Y = data()


@pytest.mark.parametrize(
    ("model", "kind", "message"),
    [
        (tm.Raises(), "error", "ZeroDivisionError: by design"),
        (tm.Exits(), "error", "SystemExit: 3"),
        (tm.EatsMemory(), "memory", "Unable to allocate"),
        (tm.GivesNaN(), "invalid-output", "predict_proba must be finite, but test row 0"),
        (tm.InventsLabels(), "invalid-output", "labels that are not classes of the truth: 99"),
        (tm.TooFew(), "invalid-output", "y_pred must have one answer per test row (20). Got 19."),
    ],
    ids=lambda v: type(v).__name__ if isinstance(v, Mean) else None,
)
def test_a_failing_model_is_recorded_and_the_rest_goes_on(tmp_path, model, kind, message):
    results = run({"bad": model, "good": Mean()}, (X, Y), KFold(3), store=tmp_path / "s")
    failures = Results.open(tmp_path / "s").failures
    assert len(failures) == 3
    assert set(failures.columns["kind"]) == {kind}
    assert message in failures.columns["message"][0]
    assert "Traceback" in failures.columns["traceback"][0]
    assert failures.columns["seed"][0] > 0
    assert results.status.columns["done"] == [0, 3]
    assert "3 failed" in repr(results)
    assert str(failures).startswith("dataset")


def test_a_retry_that_succeeds_removes_the_failure(tmp_path):
    flag = str(tmp_path / "ready")

    class Fails(Mean):
        def fit(self, X, y):
            if not os.path.exists(flag):
                raise ValueError("not yet")
            return super().fit(X, y)

    store = tmp_path / "s"
    assert len(run({"m": Fails()}, (X, Y), KFold(3), store=store).failures) == 3
    (tmp_path / "ready").touch()
    assert len(run({"m": Fails()}, (X, Y), KFold(3), store=store).failures) == 3
    results = run({"m": Fails()}, (X, Y), KFold(3), store=store, retry_failures=True)
    assert len(results.failures) == 0
    assert results.status.columns["done"] == [3]


def test_on_error_raise_stops_with_the_traceback():
    with pytest.raises(BakeoffError, match=r"(?s)bad on data, repeat 0, fold 0 failed: ZeroDivision.*Traceback"):
        run({"bad": tm.Raises()}, (X, Y), KFold(3), on_error="raise")


def holes():
    results = run({"patchy": tm.RaisesSometimes(), "good": Mean()}, (X, Y), KFold(10))
    failed = len(results.failures)
    assert 0 < failed < 10
    return results, failed


def test_scores_show_the_holes():
    results, failed = holes()
    cells = results.scores("accuracy").cells["data"]
    assert cells.shape == (10, 2)
    assert np.isnan(cells).sum(axis=0).tolist() == [failed, 0]


def test_predictions_stay_paired_and_say_so():
    results, failed = holes()
    with pytest.warns(BakeoffWarning, match=f"'patchy' has no result on {failed} of 10 splits"):
        rows = results.predictions().table()
    assert len(rows.splits) == 10 - failed
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(results.predictions(models=["good"]).table().splits) == 10


THREE = {"good": Mean(), "also": Mean(1), "patchy": tm.RaisesSometimes()}


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize("n_datasets", [1, 6])
def test_a_model_that_failed_on_some_splits_costs_the_others_none(n_datasets):
    sets = {f"d{i}": data(60, seed=i) for i in range(n_datasets)}
    results, alone = (run(models, sets, KFold(10)) for models in (THREE, {m: THREE[m] for m in ("good", "also")}))
    failed = len(results.failures)
    assert 0 < failed < 10 * n_datasets
    assert results.complete == ("good", "also")
    evaluation, others = results.evaluate("accuracy", rng=0), alone.evaluate("accuracy", rng=0)
    own = results.evaluate("accuracy", rng=0, models=["patchy"])
    for dataset in sets:
        for model in alone.models:
            assert evaluation[dataset, model, "accuracy"] == others[dataset, model, "accuracy"]
        assert evaluation[dataset, "patchy", "accuracy"].estimate == own[dataset, "patchy", "accuracy"].estimate
    marked = {e.model for e in evaluation.entries if "some-splits-failed" in {n.code for n in e.interval.notes}}
    assert marked == {"patchy"}
    comparison, pair = results.compare("accuracy", rng=0), alone.compare("accuracy", rng=0)
    assert comparison.verdict == pair.verdict
    assert comparison.pair("good", "also").to_dict() == pair.pair("good", "also").to_dict()
    shared = results.compare("accuracy", rng=0, models=["good", "patchy"]).pair("good", "patchy")
    assert comparison.pair("good", "patchy").estimate == shared.estimate
    assert (
        comparison.pair("good", "patchy").pvalue == shared.pvalue <= comparison.pair("good", "patchy").pvalue_adjusted
    )
    assert {"some-splits-failed", "second-family"} <= {n.code for n in comparison.notes}
    assert comparison.best != "patchy"


def test_equal_failures_are_one_line_with_a_count():
    results, failed = holes()
    folded = results.failures.folded().columns
    assert folded == {
        "dataset": ["data"], "model": ["patchy"], "units": [failed], "kind": ["error"],
        "message": ["ZeroDivisionError: now and then"],
    }  # fmt: skip
    assert len(str(results.failures).splitlines()) == 2


def test_failed_models_are_dropped_on_the_command_line(tmp_path, capsys):
    from bakeoff.cli._app import run as bakeoff

    run(THREE, {"d": (X, Y)}, KFold(10), store=tmp_path / "s", progress=False)
    with pytest.raises(SystemExit) as stop:
        bakeoff(["store", "drop", str(tmp_path / "s"), "--failed"])
    assert stop.value.code == 0
    assert "units were removed" in capsys.readouterr().out
    left = Results.open(tmp_path / "s")
    assert (left.models, len(left.failures)) == (("good", "also"), 0)


def test_a_model_that_never_worked_and_a_data_set_without_one_are_left_out_with_a_note():
    results = run({"bad": tm.Raises(), "good": Mean(), "also": Mean(1)}, {"d": (X, Y)}, KFold(3))
    with pytest.warns(BakeoffWarning, match="'bad' has no result at all and is left out"):
        assert results.predictions().models == ("good", "also")
    with pytest.raises(EvidenceError, match="no split that every model finished"):
        results.predictions(models=["bad"])


def test_comparison_says_what_it_did_about_failures():
    results, _ = holes()
    with pytest.warns(BakeoffWarning):
        comparison = results.compare("accuracy")
    assert "splits-left-out" in {n.code for n in comparison.notes}


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_the_report_shows_the_hole(tmp_path):
    results, _ = holes()
    results.report(title="with holes").save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "ZeroDivisionError: now and then" in page


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_the_report_of_three_models_shows_the_one_that_failed_and_keeps_the_others_whole(tmp_path):
    results = run(THREE, {"d": (X, Y)}, KFold(10))
    report = results.report(title="with holes")
    report.save(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text()
    assert "its numbers are from these alone" in page
    assert "10-fold cross-validation" in page


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_every_command_and_every_verb_gives_one_answer_of_a_store_with_holes(tmp_path, capsys):
    import bakeoff
    from bakeoff.cli._app import run as command

    store = str(tmp_path / "s")
    models = {**THREE, "never": tm.Raises()}
    results = run(models, {"d": (X, Y)}, KFold(10), store=store, progress=False)
    assert results.complete == ("good", "also")

    def said(*line: str) -> str:
        with pytest.raises(SystemExit) as stop:
            command([*line])
        printed = capsys.readouterr()
        assert stop.value.code in (0, 1), printed.err
        return printed.out

    first = str(results.compare("accuracy", rng=0).sentences[0])
    assert bakeoff.compare(results, "accuracy", rng=0).verdict == results.compare("accuracy", rng=0).verdict
    assert bakeoff.evaluate(results, "accuracy", rng=0).entries == results.evaluate("accuracy", rng=0).entries
    shown = said("compare", store, "--measure", "accuracy")
    assert first in shown
    assert "[some-splits-failed]" in shown
    assert "'never' has no result at all" in shown
    shown = said("evaluate", store, "--measure", "accuracy")
    assert "[some-splits-failed]" in shown
    assert "'never' has no result at all" in shown
    shown = said("report", store, "--measure", "accuracy", "-o", str(tmp_path / "r.html"))
    assert first in shown
    assert "[some-splits-failed]" in shown
    assert "'never' has no result at all" in shown
    two = "--baseline", "good", "--candidate", "also", "--measure", "accuracy", "--margin", "0.4"
    assert "p = 0.886" in first
    assert "p = 0.886" in said("gate", store, *two)
    assert first in said("compare", store, "--models", "good,also", "--measure", "accuracy")
    held = bakeoff.gate(results, baseline="good", candidate="patchy", measure="accuracy", margin=0.4)
    assert "splits-left-out" in {n.code for n in held.notes}
    assert "splits-left-out" in {n.code for n in bakeoff.read(store).notes}
    assert bakeoff.read(store, models=["good", "also"]).n == 60
