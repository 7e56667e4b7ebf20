"""Experiments: what goes in, what is checked, what comes out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rows import assert_same_rows
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from troublemakers import Mean, Plain, Random, data

from bakeoff import EvidenceError, Experiment, ParameterError, Results, run
from bakeoff.protocols import Bootstrap, FiveByTwo, HoldOut, KFold, LeaveGroupOut, LeaveOneOut, Tuned
from bakeoff.runner import Dataset

X, Y = data()


def test_predictions_are_those_of_a_plain_loop():
    results = run({"svm": SVC(random_state=0)}, (X, Y), KFold(4, repeats=2), seed=5)
    rows = results.predictions().table()
    scores = rows.scores("svm")
    for number, (train, test) in enumerate(KFold(4, repeats=2).split(X, Y, seed=5)):
        model = SVC(random_state=0).fit(X[train], Y[train])
        mine = rows.split_index == number
        assert np.array_equal(rows.instance[mine], test)
        assert np.array_equal(scores[mine], model.decision_function(X[test]))
        assert np.array_equal(rows.labels("svm")[mine], model.predict(X[test]))


def test_all_models_see_the_same_rows_and_open_seeds_are_filled():
    results = run({"a": Random(), "b": Random(), "c": Random(random_state=1)}, (X, Y), KFold(3))
    rows = results.predictions().table()
    assert np.array_equal(rows.scores("a"), rows.scores("b"))
    assert not np.array_equal(rows.scores("a"), rows.scores("c"))
    again = run({"a": Random()}, (X, Y), KFold(3)).predictions().table()
    assert np.array_equal(rows.scores("a"), again.scores("a"))


def test_the_global_generator_is_put_back():
    np.random.seed(1)
    expected = np.random.normal(size=3)
    np.random.seed(1)
    run({"a": Random()}, (X, Y), HoldOut())
    assert np.array_equal(np.random.normal(size=3), expected)


@pytest.mark.filterwarnings("ignore:.*from chance")  # small data, models near chance
def test_multiclass_with_strings_end_to_end(tmp_path):
    names = np.array(["low", "mid", "high"])
    features, codes = data(90, classes=3)
    models = {"nb": GaussianNB(), "svc": LinearSVC(), "plain": Plain()}
    results = run(models, {"levels": (features, names[codes])}, KFold(5), store=tmp_path / "store")
    rows = Results.open(tmp_path / "store").predictions().table()
    assert rows.classes == ("high", "low", "mid")
    assert rows.probabilities("nb").shape == (90, 3)
    assert not rows.provides("svc", "probabilities")
    evaluation = results.evaluate(["accuracy", "kappa"], rng=0)
    assert evaluation["nb", "accuracy"].estimate > evaluation["plain", "accuracy"].estimate
    files = list((tmp_path / "store").rglob("*.parquet"))
    assert len(files) == 15
    stored = pl.read_parquet(files[0])
    assert stored.schema["y_true"] == pl.String


def test_regression_end_to_end(tmp_path):
    models = {"line": LinearRegression(), "tree": DecisionTreeRegressor(random_state=0)}
    results = run(models, "sklearn:diabetes", KFold(5), store=tmp_path / "store")
    rows = results.predictions().table()
    assert rows.task == "regression"
    assert results.evaluate(["rmse"], rng=0)["line", "rmse"].estimate == pytest.approx(55, abs=3)
    scores = results.scores("mae")
    assert scores.cells["diabetes"].shape == (5, 2)
    assert (scores.cells["diabetes"][:, 0] < scores.cells["diabetes"][:, 1]).all()


@pytest.mark.filterwarnings("ignore:.*from chance")  # small data, models near chance
def test_grouped_end_to_end(tmp_path):
    groups = np.array([f"patient {i // 6}" for i in range(60)])
    dataset = Dataset(X, Y, name="clinic", groups=groups)
    results = run([GaussianNB(), Mean()], dataset, LeaveGroupOut(), store=tmp_path / "store")
    rows = results.predictions().table()
    assert (rows.n_groups, len(rows.splits)) == (10, 10)
    for index in range(10):
        assert len(np.unique(rows.groups[rows.split_index == index])) == 1
    assert results.evaluate(["accuracy"], rng=0)["GaussianNB", "accuracy"].estimate > 0.5


def test_frames_with_categories_weights_and_booleans():
    frame = pd.DataFrame({"x": X[:, 0], "city": pd.Categorical(np.where(X[:, 1] > 0, "Lima", "Oslo"))})
    model = HistGradientBoostingClassifier(categorical_features="from_dtype", max_iter=5)
    weight = np.linspace(0.5, 2, 60)
    dataset = Dataset(frame, Y == 1, name="d", sample_weight=weight)
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    results = run({"boost": model}, dataset, KFold(3))
    rows = results.predictions().table()
    assert rows.classes == (False, True)
    assert np.array_equal(np.sort(rows.weight), np.sort(weight))
    weighted = run({"line": pipe}, Dataset(X, Y, sample_weight=weight), HoldOut()).store.records()
    assert weighted[0].weighted_fit is True
    assert (
        run({"plain": Plain()}, Dataset(X, Y, sample_weight=weight), HoldOut()).store.records()[0].weighted_fit is False
    )


def test_weights_reach_the_fit_of_a_pipeline():
    weight = np.where(Y == 1, 50.0, 1.0)
    pipe = make_pipeline(StandardScaler(), LogisticRegression())
    heavy = run({"line": pipe}, Dataset(X, Y, sample_weight=weight), HoldOut()).predictions().table()
    light = run({"line": pipe}, Dataset(X, Y), HoldOut()).predictions().table()
    assert heavy.scores("line").mean() > light.scores("line").mean() + 0.1


def test_tuned_models_keep_what_they_chose(tmp_path):
    tuned = Tuned(
        DecisionTreeClassifier(random_state=0), {"max_depth": [1, 3]}, inner=HoldOut(), measure="balanced_accuracy"
    )
    results = run({"tree": tuned}, (X, Y), KFold(3), store=tmp_path / "s")
    chosen = Results.open(tmp_path / "s").chosen
    assert [c["max_depth"] in (1, 3) for c in chosen.columns["chosen"]] == [True] * 3
    assert results.costs.to_frame().shape == (3, 8)


def test_searches_of_others_are_plain_estimators_whose_choice_is_kept():
    grid = {"max_depth": [1, 3]}
    models = {
        "grid": GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=2),
        "random": RandomizedSearchCV(DecisionTreeClassifier(random_state=0), grid, n_iter=1, cv=2),
        "piped": make_pipeline(StandardScaler(), GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=2)),
    }
    chosen = run(models, (X, Y), HoldOut()).chosen
    assert chosen.columns["model"] == ["grid", "random", "piped"]
    assert all(c["max_depth"] in (1, 3) for c in chosen.columns["chosen"])


def test_costs_are_measured():
    results = run({"slow": Mean(pause=0.05), "quick": Mean()}, (X, Y), KFold(3))
    frame = results.costs.to_frame()
    assert frame[frame.model == "slow"].fit_time.min() >= 0.05
    assert results.scores("fit_time").matrix()[0, 0] > results.scores("fit_time").matrix()[0, 1]


def test_warnings_of_models_are_kept_not_shown():
    results = run({"line": LogisticRegression(max_iter=1)}, (X, Y), HoldOut())
    assert "ConvergenceWarning" in results.warnings.columns["warning"][0]


def test_five_by_two_and_leave_one_out_know_what_they_are():
    assert run(Mean(), (X, Y), FiveByTwo()).predictions().design.kind == "5x2cv"
    assert run(Mean(), (X[:20], Y[:20]), LeaveOneOut()).predictions().design.kind == "leave-one-out"
    design = run(Mean(), (X, Y), HoldOut(repeats=4)).predictions().design
    assert (design.kind, design.n_train, design.n_test, design.n_splits) == ("hold-out", 40, 20, 4)


def test_a_plan_is_a_table_and_a_probe_estimates_its_time(tmp_path):
    experiment = Experiment({"slow": Mean(pause=0.02), "quick": Mean()}, (X, Y), KFold(5))
    plan = experiment.plan(tmp_path / "s")
    assert (plan.total("units"), plan.total("todo"), plan.seconds) == (10, 10, None)
    probed = experiment.plan(tmp_path / "s", probe=True)
    assert (probed.total("done"), probed.total("todo")) == (2, 8)
    assert probed.seconds > 4 * 0.02
    assert "8 to do" in str(probed)
    assert experiment.run(tmp_path / "s").status.columns["done"] == [5, 5]


def test_results_in_memory_can_be_saved(tmp_path):
    results = run([Mean(), GaussianNB()], (X, Y), KFold(3))
    saved = results.save(tmp_path / "s")
    assert_same_rows(results, saved)
    with pytest.raises(EvidenceError, match="already on disk"):
        saved.save(tmp_path / "t")


def refused(kind, message, *arguments, run_with=None, **options):
    """One case: what Experiment (or its run) is given, and what it must say."""
    return pytest.param(kind, message, arguments, options, run_with or {}, id=message)


BAD = [
    refused(ParameterError, "models must name at least one model", {}, (X, Y), 5),
    refused(ParameterError, "two models are named 'a'", [("a", Mean()), ("a", GaussianNB())], (X, Y), 5),
    refused(ParameterError, r"'m' is a class, not an object. Hint: write Mean\(\)", {"m": Mean}, (X, Y), 5),
    refused(ParameterError, "'m' must have fit and predict methods", {"m": object()}, (X, Y), 5),
    refused(ParameterError, "two data sets are named 'data'", Mean(), [(X, Y), (X, Y)], 5),
    refused(EvidenceError, r"X must have as many rows as y \(59\). Got 60.", Mean(), (X, Y[:-1]), 5),
    refused(EvidenceError, "data set 'd' has one class only", Mean(), {"d": (X, np.zeros(60))}, 5),
    refused(EvidenceError, "'d': the truth must not be missing, but row 0", Mean(), {"d": (X, [None, *Y[1:]])}, 5),
    refused(EvidenceError, "labels must be all text, all whole numbers", Mean(), {"d": (X, [1, "a"] * 30)}, 5),
    refused(EvidenceError, "'c' classifies and 'r' predicts numbers", {"r": Ridge(), "c": SVC()}, (X, Y), 5),
    refused(EvidenceError, "y holds numbers on a scale", GaussianNB(), (X, X[:, 0]), 5),
    refused(EvidenceError, "regression needs numbers to predict", Ridge(), (X, ["a", "b"] * 30), 5),
    refused(EvidenceError, "'d': stratified 5-fold .* class 1 has 3 rows", Mean(), {"d": (X, [0] * 57 + [1] * 3)}, 5),
    refused(EvidenceError, "'d': leave-group-out needs the group", Mean(), {"d": (X, Y)}, LeaveGroupOut()),
    refused(ParameterError, r"a data set must be a Dataset, \(X, y\)", Mean(), 7, 5),
    refused(ParameterError, "did you mean 'iris'", Mean(), "sklearn:irises", 5),
    refused(ParameterError, "seed must be a whole number of at least 0", Mean(), (X, Y), 5, seed=-1),
    refused(ParameterError, "did you mean 'processes'", Mean(), (X, Y), 5, run_with={"engine": "proceses"}),
    refused(ParameterError, "n_jobs must be a whole number, not 0", Mean(), (X, Y), 5, run_with={"n_jobs": 0}),
    refused(ParameterError, "cannot stop a unit", Mean(), (X, Y), 5, run_with={"engine": "serial", "time_limit": 3}),
    refused(ParameterError, "on_error must be one of", Mean(), (X, Y), 5, run_with={"on_error": "ignore"}),
]


@pytest.mark.parametrize(("kind", "message", "arguments", "options", "run_with"), BAD)
def test_bad_experiments_are_refused_before_any_work(kind, message, arguments, options, run_with):
    with pytest.raises(kind, match=message):
        Experiment(*arguments, **options).run(**run_with)


def test_missing_features_are_refused_for_models_that_cannot_take_them():
    holes = X.copy()
    holes[3, 1] = np.nan
    with pytest.raises(EvidenceError, match=r"1 missing value in its features, and model 'm' \(GaussianNB\)"):
        Experiment({"m": GaussianNB()}, (holes, Y), 5)
    with pytest.raises(EvidenceError, match="cannot take them"):
        Experiment({"m": make_pipeline(StandardScaler(), SVC())}, (holes, Y), 5)
    fine = {"tree": DecisionTreeClassifier(), "imputed": make_pipeline(SimpleImputer(), SVC())}
    assert len(run(fine, (holes, Y), HoldOut()).failures) == 0


def test_without_a_protocol_the_advised_one_is_taken():
    assert repr(Experiment(Mean(), (X, Y)).protocol) == repr(KFold(5, repeats=5))
    assert repr(Experiment(Mean(), {"d": (X, Y), "e": data(90)}).protocol) == repr(KFold(10))
    assert isinstance(Experiment(Mean(), {"d": (X, Y, np.arange(60) % 6)}).protocol, LeaveGroupOut)
    results = run({"a": Mean(), "b": Mean(1)}, (X, Y), progress=False)
    assert results.status.columns["done"] == [25, 25]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize(
    "protocol", [KFold(4), FiveByTwo(), LeaveOneOut(), Bootstrap(20), HoldOut(repeats=3)], ids=repr
)
@pytest.mark.parametrize("measure", ["fit_time", "predict_time"])
def test_times_are_measures_under_every_protocol(protocol, measure):
    results = run({"a": Mean(), "b": Mean(1)}, {"d": (X, Y)}, protocol, progress=False)
    assert results.evaluate(measure)["a", measure].estimate > 0
    assert results.compare(measure).pairs[0].pvalue <= 1


def test_times_after_leave_one_out_were_measured_once_a_fit():
    found = run({"mean": Mean()}, {"d": (X, Y)}, LeaveOneOut(), progress=False).evaluate("fit_time")
    assert found.entries[0].interval.low < found.entries[0].interval.high
    assert "timed-once" not in {n.code for n in found.entries[0].interval.notes}
