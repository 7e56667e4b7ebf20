"""Intervals and tests over folds by name: rows as the unit (cv-clt, cv-rows), nested cross-validation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import t as student

import bakeoff
from bakeoff.intervals import fold_rule
from bakeoff.protocols import KFold, NestedKFold
from oracle import cases


def over_folds(given):
    """Losses by repeat and row as errors of predicted values: |0 − loss|."""
    a, b, fold = (np.asarray(given[k], dtype=float) for k in ("loss_a", "loss_b", "fold"))
    repeats, n = a.shape
    return bakeoff.Predictions.from_arrays(
        np.zeros(a.size), y_value={"a": a.ravel(), "b": b.ravel()}, fold=fold.ravel().astype(int),
        repeat=np.repeat(np.arange(repeats), n), instance=np.tile(np.arange(n), repeats),
    )  # fmt: skip


@pytest.mark.parametrize("case", cases("cv_clt"), ids=lambda case: case["id"])
def test_rows_over_folds_as_fitted(case):
    rows, n = over_folds(case["input"]), len(case["input"]["loss_a"][0])
    pair = bakeoff.compare(rows, "mae", test="cv-clt").pair("a", "b")
    one = bakeoff.evaluate(rows, "mae", interval="cv-clt")
    for name, found in (("a", one["a", "mae"]), ("b", one["b", "mae"]), ("difference", pair)):
        expected = case["expected"][name]
        half = student.ppf(0.975, n - 1) * expected["se_rows_ddof1"]
        assert found.estimate == pytest.approx(expected["estimate"], rel=1e-9)
        assert (found.high - found.low) / 2 == pytest.approx(half, rel=1e-9)


@pytest.mark.parametrize("test", ["cv-rows", "cv-clt"])
def test_claims_by_name(test, rng):
    y = rng.integers(0, 2, 100)
    pred = {m: np.where(rng.random(100) < 0.85, y, 1 - y) for m in "ab"}
    rows = bakeoff.Predictions.from_arrays(y, y_pred=pred, fold=np.arange(100) % 10)
    kind, fitted = (bakeoff.compare(rows, "accuracy", test=test, claim=c).pair("a", "b") for c in ("kind", "fitted"))
    width = [p.high - p.low for p in (kind, fitted)]
    assert width[0] > width[1] if test == "cv-rows" else width[0] == width[1]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_f1_near_chance_is_told_over_folds():
    """Its share of positive calls follows the training rows: two equal stumps were called different in up to 35 %."""
    rng = np.random.default_rng(2)
    y = np.tile([0, 0, 0, 0, 1], 40)
    noise, signal = (np.where(rng.random(200) < p, y, rng.random(200) < 0.3).astype(int) for p in (0.0, 0.8))

    def told(models, measure, **options):
        rows = bakeoff.Predictions.from_arrays(y, y_pred=models, pos_label=1, fold=np.arange(200) // 5 % 5)
        found = [bakeoff.evaluate(rows, measure, **options), bakeoff.compare(rows, measure, **options)]
        return ["near-chance" in {note.code for note in result._notes()} for result in found]

    near, far = {"a": noise, "b": signal}, {"a": signal, "b": signal[::-1].copy()[::-1]}
    for measure in ("f1", "recall", "accuracy", "kappa", "balanced_accuracy"):
        assert told(near, measure) == [True, True]
        assert told(far, measure) == [False, False]
        assert told(near, measure, claim="fitted") == [False, False]


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize(("right", "told"), [(0.50, True), (0.66, True), (0.84, False)])
@pytest.mark.parametrize("measure", ["accuracy", "f1", "auc"])
def test_a_lucky_sample_near_chance_is_told(right, told, measure):
    """With 66 % right of 100 kappa is told from 0, but not if its error were twice what rows show, as it may be."""
    y = np.tile([0, 1], 50)
    share = np.arange(100) // 2 % 25 < 25 * right  # of both classes alike
    score = np.where(share, y, 1 - y) + np.linspace(0, 0.1, 100)
    repeats, n = 2, 100
    fold = np.concatenate([np.arange(n) // 2 % 5, np.arange(n) // 10 % 5])
    given = (
        {"y_score": {"a": np.tile(score, repeats)}}
        if measure == "auc"
        else {"y_pred": {"a": np.tile(score > 0.5, repeats)}}
    )
    rows = bakeoff.Predictions.from_arrays(
        np.tile(y, repeats).astype(given.get("y_pred", {"a": y})["a"].dtype), pos_label=1, fold=fold,
        repeat=np.repeat(np.arange(repeats), n), instance=np.tile(np.arange(n), repeats), **given,
    )  # fmt: skip
    for claim, expected in (("kind", told), ("fitted", False)):
        notes = bakeoff.evaluate(rows, measure, claim=claim)["a", measure].notes
        assert ("near-chance" in {note.code for note in notes}) == expected


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_fits_that_jump_are_allowed_for_near_chance():
    """What moves all rows of a fold at once was not seen: equal stumps were called different in 32 % by F1."""
    rng, n, repeats, folds = np.random.default_rng(5), 60, 3, 5
    y = np.tile([0, 0, 1], 20)
    fold = np.array([rng.permutation(n) % folds for _ in range(repeats)])
    jump = rng.choice([0.02, 0.98], (repeats, folds))  # share that each fit calls positive
    share = {"a": jump[np.arange(repeats)[:, None], fold], "b": 0.3}
    called = {m: (rng.random((repeats, n)) < share[m]).astype(int) for m in "ab"}
    rows = bakeoff.Predictions.from_arrays(
        np.tile(y, repeats), y_pred={m: c.ravel() for m, c in called.items()}, pos_label=1, fold=fold.ravel(),
        repeat=np.repeat(np.arange(repeats), n), instance=np.tile(np.arange(n), repeats),
    )  # fmt: skip
    plain = fold_rule(bakeoff.measures.get("recall"), rows.table(), ("a", "b"))
    one, whole = (np.ones(1), replace(plain, jumps=True))
    psi = plain._of_units[:, :, 0]
    w = psi.var(axis=0, ddof=1).sum() / (plain._deviations[:, 0] ** 2).sum()
    assert plain.stretch((0,), one) ** 2 == pytest.approx(1 + 0.3 * folds * w * (1 + w), rel=1e-9)
    left, each = (psi - psi.mean(axis=0)) * np.sqrt(repeats / (repeats - 1)), []
    for r in range(repeats):
        for k in range(folds):
            x = left[r, fold[r] == k]
            pairs = [x[i] * x[j] for i in range(x.size) for j in range(x.size) if i != j]
            each.append(n**2 * np.mean(pairs))
    moved_at_once, alone = (folds - 1) * np.mean(each), float((plain._deviations[:, 0] ** 2).sum())
    assert whole.stretch((0,), one) ** 2 == pytest.approx(1 + moved_at_once / alone, rel=1e-9)
    assert whole.stretch((0,), one) > plain.stretch((0,), one)
    pair = np.array([1.0, -1.0])
    used, half = whole.difference(0, 1, 0.95), bakeoff.compare(rows, "recall").pair("a", "b")
    assert half.low <= used[0] < plain.difference(0, 1, 0.95)[0]
    assert whole.stretch((0, 1), pair) > plain.stretch((0, 1), pair)
    fitted = bakeoff.compare(rows, "recall", claim="fitted").pair("a", "b")
    assert half.high - half.low > fitted.high - fitted.low


@pytest.mark.parametrize("measure", ["accuracy", "f1", "kappa", "auc", "brier", "gini"])
def test_linearized_is_the_delta_method_over_units(measure, rng):
    """Estimate ± t(units − 1) · SE with the same SE in evaluate and compare; groups are summed first."""
    n = 120
    y = (rng.random(n) < 0.4).astype(int)
    score = {m: 1 / (1 + np.exp(-(1.5 * y + rng.normal(size=n) - 0.7))) for m in "ab"}
    for groups, units in ((None, n), (np.arange(n) % 15, 15)):
        rows = bakeoff.Predictions.from_arrays(y, y_score=score, groups=groups)
        one = bakeoff.evaluate(rows, measure, interval="linearized")["a", measure]
        pair = bakeoff.compare(rows, measure, test="linearized").pair("a", "b")
        quantile = student.ppf(0.975, units - 1)
        counted = bakeoff.measures.get(measure).form.of(rows.table(), ("a", "b"), bakeoff.measures.get(measure).needs)
        influence = bakeoff.counts.Counted(counted, rows.table().units).influence(bakeoff.measures.get(measure))
        error = influence.combine([[1, 1], [0, -1]]).standard_error()
        assert (one.high - one.low) / 2 == pytest.approx(quantile * error[0], rel=1e-9)
        assert (pair.high - pair.low) / 2 == pytest.approx(quantile * error[1], rel=1e-9)
        assert pair.pvalue == pytest.approx(2 * student.sf(abs(pair.estimate) / error[1], units - 1), rel=1e-7)


FEW = pytest.mark.filterwarnings("ignore:the error of cross-validation is itself")


@pytest.fixture(scope="module")
def nested():
    from sklearn.linear_model import LinearRegression
    from sklearn.tree import DecisionTreeRegressor

    case = cases("nested_cv")[0]["input"]
    models = {"ols": LinearRegression(), "stump": DecisionTreeRegressor(max_depth=1, random_state=0)}
    data = {"d": (np.asarray(case["X"]), np.asarray(case["y"]))}
    return bakeoff.run(models, data, NestedKFold(5, repeats=3), progress=False), data["d"]


@FEW
def test_nested_cross_validation_by_hand(nested):
    """The same fits done here, one by one, and given to stats.nested_cv."""
    from sklearn.linear_model import LinearRegression

    results, (X, y) = nested
    found = bakeoff.evaluate(results.predictions(), "mse", interval="nested-cv", confidence_level=0.9)["ols", "mse"]
    fold, outer, inner = np.empty((3, y.size), dtype=int), np.empty((3, y.size)), []
    for split in NestedKFold(5, repeats=3).splits(X, seed=0):
        if split.role == "test":
            fold[split.repeat, split.test] = split.fold

    def losses(out, on):
        return (LinearRegression().fit(X[~out], y[~out]).predict(X[on]) - y[on]) ** 2

    for r in range(3):
        parts = [fold[r] == k for k in range(5)]
        for part in parts:
            outer[r, part] = losses(part, part)
        inner.append([[None if i is j else losses(i | j, i) for j in parts] for i in parts])
    expected = bakeoff.stats.nested_cv(outer, inner, outer, fold, confidence_level=0.9)
    assert [found.estimate, found.low, found.high] == pytest.approx(
        [expected.estimate, max(expected.low, 0), expected.high], rel=1e-9
    )


@FEW
def test_the_rest_of_a_nested_run_is_repeated_cross_validation(nested):
    results, _ = nested
    assert results.predictions().design.describe() == "3 × 5-fold cross-validation of 2 models on 1 data set (40 rows)"
    assert results.status.columns["planned"] == [15, 15]
    assert results.status.columns["missing"] == [0, 0]
    assert results.compare("mse").choice.chosen == "cv-rows"
    root = results.evaluate(["mse", "rmse"], interval="nested-cv")
    assert root["ols", "rmse"].estimate == pytest.approx(root["ols", "mse"].estimate ** 0.5)
    assert any(note.code == "few-repeats" for note in root["ols", "mse"].notes)


def test_nested_needs_its_protocol_and_a_mean_loss(nested):
    results, (X, y) = nested
    with pytest.raises(bakeoff.ParameterError, match="does not apply to r2"):
        results.evaluate("r2", interval="nested-cv")
    from sklearn.dummy import DummyRegressor

    plain = bakeoff.run({"m": DummyRegressor()}, {"d": (X, y)}, KFold(5), progress=False)
    for evidence in (plain.predictions(), plain.predictions().select(models=["m"])):
        with pytest.raises(bakeoff.ParameterError, match="NestedKFold"):
            bakeoff.evaluate(evidence, "mse", interval="nested-cv")
    one_set = bakeoff.Predictions.from_arrays([0.0, 1.0], y_value={"m": [0.1, 0.9]})
    with pytest.raises(bakeoff.ParameterError, match="NestedKFold"):
        bakeoff.evaluate(one_set, "mse", interval="nested-cv")
    with pytest.raises(bakeoff.ParameterError, match="at least 3"):
        NestedKFold(2)


@FEW
def test_a_nested_store_is_read_again(tmp_path):
    from sklearn.naive_bayes import GaussianNB

    first = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", NestedKFold(3, repeats=1), store=tmp_path, progress=False)
    again = bakeoff.Results.open(tmp_path) if hasattr(bakeoff.Results, "open") else first
    assert set(first.verify().columns["status"]) == {"sound"}
    one, two = (str(r.evaluate("accuracy", interval="nested-cv")["nb", "accuracy"]) for r in (first, again))
    assert one == two


def test_scikit_learn_sees_the_outer_folds_only():
    protocol = NestedKFold(4, repeats=2)
    assert len(list(protocol.split(range(20)))) == protocol.get_n_splits() == 8


def test_the_corrected_t_of_uneven_folds_is_that_of_stats_from_rows_and_from_scores():
    rng = np.random.default_rng(0)
    truth, fold = 10 + rng.normal(size=47), np.sort(rng.integers(0, 4, 47))
    given = truth + rng.normal(size=47)
    evidence = bakeoff.Predictions.from_arrays(truth, y_value={"a": given}, fold=fold)
    size = np.bincount(fold)
    of_folds = np.array([np.abs(given - truth)[fold == k].mean() for k in range(4)])
    textbook = bakeoff.stats.corrected_t(of_folds, np.zeros(4), n_train=47 - size, n_test=size).confidence_interval(
        0.95
    )
    for found in (
        bakeoff.evaluate(evidence, "mae", interval="corrected-t")["a", "mae"],
        bakeoff.evaluate(evidence.scores("mae"))["a", "mae"],
    ):
        assert (found.low, found.high) == pytest.approx((textbook.low, textbook.high), rel=1e-9)
