"""Bootstrap runs end to end: .632 and .632+ from the store, with intervals."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from troublemakers import data

from bakeoff import Results, run
from bakeoff.protocols import Bootstrap, LeaveOneOut
from bakeoff.stats import no_information_rate
from bakeoff.stats.resample import err632, err632_plus
from oracle import worked_examples

IRIS = load_iris()
ONE_NEIGHBOUR = KNeighborsClassifier(1)


def by_hand(model, X, y, n_resamples, seed=0):
    """Apparent error, leave-one-out bootstrap error and γ by a plain loop (Efron and Tibshirani 1997)."""
    wrong, left_out = np.zeros(len(y)), np.zeros(len(y))
    for train, test in Bootstrap(n_resamples).split(X, y, seed=seed):
        wrong[test] += model.fit(X[train], y[train]).predict(X[test]) != y[test]
        left_out[test] += 1
    said = model.fit(X, y).predict(X)
    return np.mean(said != y), np.mean(wrong / left_out), no_information_rate(y, said)


@pytest.mark.parametrize("estimator", ["plain", "632", "632+"])
def test_errors_are_those_of_a_plain_loop(tmp_path, estimator):
    X, y = data(60)
    results = run({"1-nn": ONE_NEIGHBOUR}, (X, y), Bootstrap(30, estimator=estimator), store=tmp_path / "s")
    apparent, outside, gamma = by_hand(KNeighborsClassifier(1), X, y, 30)
    expected = {"plain": outside, "632": err632(apparent, outside), "632+": err632_plus(apparent, outside, gamma)[0]}
    evaluation = Results.open(tmp_path / "s").evaluate(["error", "accuracy"], rng=0)
    assert evaluation["1-nn", "error"].estimate == pytest.approx(expected[estimator], abs=1e-12)
    assert evaluation["1-nn", "accuracy"].estimate == pytest.approx(1 - expected[estimator], abs=1e-12)
    assert evaluation["1-nn", "error"].method == f"bootstrap {estimator}"
    assert len(list((tmp_path / "s" / "apparent").rglob("*.parquet"))) == (estimator != "plain")
    assert results.predictions().design.kind == "bootstrap"
    assert sum(results.status.columns["missing"]) == 0


def test_632_plus_agrees_with_ipred_on_iris():
    case = worked_examples("roc_cost")["bootstrap_632plus_formula"]["ipred_R"]
    lda = LinearDiscriminantAnalysis()
    results = run({"lda": lda}, {"iris": (IRIS.data[:, :2], IRIS.target)}, Bootstrap(200))
    interval = results.evaluate(["error"])["lda", "error"]
    assert interval.estimate == pytest.approx(case["632plus_nboot200_seed290875"], abs=0.012)
    apparent = results.store.records("apparent")
    rows = results.store.scan(apparent).collect()
    assert (rows["y_true"] != rows["y_pred"]).mean() == pytest.approx(case["apparent"], abs=1e-9)
    assert interval.low < interval.estimate < interval.high


def test_a_model_that_memorises_noise_is_not_praised():
    rng = np.random.default_rng(1)
    sets = {f"noise {i}": (rng.normal(size=(40, 4)), np.tile([0, 1], 20)) for i in range(6)}

    def errors(estimator):
        evaluation = run({"1-nn": ONE_NEIGHBOUR}, sets, Bootstrap(20, estimator=estimator)).evaluate(["error"])
        return np.array([evaluation[d, "1-nn", "error"].estimate for d in sets])

    plus, plain632 = errors("632+"), errors("632")
    assert plus.mean() > 0.4, ".632+ is cut at the no-information rate of 0.5, so it cannot average 0.5 itself"
    assert plain632.mean() < 0.36, ".632 is fooled by a training error of 0"


def test_regression_losses_and_measures_that_are_no_mean_loss():
    X = np.random.default_rng(0).normal(size=(60, 2))
    y = X @ [1.0, 2.0] + np.random.default_rng(1).normal(size=60)
    models = {"line": LinearRegression(), "1-nn": KNeighborsRegressor(1)}
    evaluation = run(models, (X, y), Bootstrap(30)).evaluate(["mse", "rmse", "r2"], rng=0)
    for model in models:
        mse, rmse = evaluation[model, "mse"], evaluation[model, "rmse"]
        assert rmse.estimate == pytest.approx(np.sqrt(mse.estimate))
        assert rmse.low <= rmse.estimate <= rmse.high
    assert evaluation["line", "mse"].estimate < evaluation["1-nn", "mse"].estimate
    (note,) = [n for n in evaluation.notes if n.code == "out-of-bag"]
    assert note.message.startswith("r2: not a mean loss")


def test_growing_from_plain_to_632_adds_only_the_apparent_unit(tmp_path):
    X, y = data(40)
    run({"1-nn": ONE_NEIGHBOUR}, (X, y), Bootstrap(10, estimator="plain"), store=tmp_path / "s")
    before = {p.name: p.stat().st_mtime_ns for p in tmp_path.rglob("*.parquet")}
    results = run({"1-nn": ONE_NEIGHBOUR}, (X, y), Bootstrap(12), store=tmp_path / "s")
    after = {p.name: p.stat().st_mtime_ns for p in tmp_path.rglob("*.parquet")}
    assert {k: after[k] for k in before} == before
    assert len(after) == len(before) + 3
    assert results.evaluate(["error"])["1-nn", "error"].method == "bootstrap 632+"


def test_leave_one_out_is_pooled_not_averaged():
    X, y = data(30)
    evaluation = run({"1-nn": ONE_NEIGHBOUR}, (X, y), LeaveOneOut()).evaluate(["accuracy"])
    said = [
        KNeighborsClassifier(1).fit(np.delete(X, i, 0), np.delete(y, i)).predict(X[i : i + 1])[0] for i in range(30)
    ]
    assert evaluation["1-nn", "accuracy"].estimate == pytest.approx(np.mean(said == y))
