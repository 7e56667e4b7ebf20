"""Bootstrap and permutation of any measure against slow, plain loops over rows; clusters; weights."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import Measure, Predictions, compare, measures, stats
from bakeoff.comparison._draws import counted, difference_draws, swap_replicates

MEASURES = ["f1", "kappa", "mcc", "log_loss", "brier", "auc", "average_precision", "calibration_error"]


@pytest.fixture
def two(make) -> Predictions:
    return make.scored(150, {"a": 2.0, "b": 1.2}, seed=3)


def value(measure: Measure, rows, model: str, index: np.ndarray) -> float:
    return measures.compute(measure, rows.take(index), model).value


def loop_bootstrap(measure: Measure, rows, n: int, rng, groups=None) -> np.ndarray:
    found = []
    for _ in range(n):
        if groups is None:
            index = rng.integers(0, rows.n, rows.n)
        else:
            drawn = rng.integers(0, groups.max() + 1, groups.max() + 1)
            index = np.concatenate([np.flatnonzero(groups == g) for g in drawn])
        found.append(value(measure, rows, "a", index) - value(measure, rows, "b", index))
    return np.array(found)


@pytest.mark.parametrize("name", MEASURES)
def test_spread_is_that_of_a_loop_over_rows(two, name: str, rng) -> None:
    rows, measure = two.table(), measures.get(name)
    fast = difference_draws(measure, rows, 2000, seed=1)("a", "b").differences
    slow = loop_bootstrap(measure, rows, 400, rng)
    # The standard error of a standard deviation from 400 draws is 3.5 %; 15 % is more than four of them.
    assert fast.std() == pytest.approx(slow.std(), rel=0.15)
    assert fast.mean() == pytest.approx(slow.mean(), abs=5 * slow.std() / 20)


@pytest.mark.parametrize("name", ["f1", "log_loss", "auc", "average_precision"])
def test_clusters_are_drawn_whole(make, name: str, rng) -> None:
    groups = np.repeat(np.arange(30), 5)
    truth, scores = make.binary(150, {"a": 2.0, "b": 1.2}, seed=3)
    rows = Predictions.from_arrays(truth, y_score=scores, groups=groups).table()
    measure = measures.get(name)
    fast = difference_draws(measure, rows, 2000, seed=1)("a", "b").differences
    slow = loop_bootstrap(measure, rows, 400, rng, groups)
    assert fast.std() == pytest.approx(slow.std(), rel=0.15)


@pytest.mark.parametrize("name", MEASURES)
def test_draws_do_not_depend_on_the_order_of_models(make, name: str) -> None:
    truth, scores = make.binary(150, {"a": 2.0, "b": 1.2}, seed=3)
    turned = Predictions.from_arrays(truth, y_score={"b": scores["b"], "a": scores["a"]}).table()
    plain = Predictions.from_arrays(truth, y_score=scores).table()
    measure = measures.get(name)
    first = difference_draws(measure, plain, 200, seed=1)("a", "b")
    second = difference_draws(measure, turned, 200, seed=1)("b", "a")
    assert first.differences == pytest.approx(-second.differences)
    assert first.acceleration == pytest.approx(-second.acceleration)


def test_acceleration_is_that_of_the_jackknife(two) -> None:
    rows = two.table()
    for name in ("f1", "log_loss"):
        measure = measures.get(name)
        keep = [np.delete(np.arange(rows.n), i) for i in range(rows.n)]
        left = np.array([value(measure, rows, "a", k) - value(measure, rows, "b", k) for k in keep])
        centred = left.mean() - left
        expected = (centred**3).sum() / (6 * (centred**2).sum() ** 1.5)
        assert difference_draws(measure, rows, 100, seed=1)("a", "b").acceleration == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", ["f1", "kappa", "log_loss", "calibration_error"])
def test_swaps_are_those_of_a_loop_over_rows(two, name: str, rng) -> None:
    rows, measure = two.table(), measures.get(name)
    fast = swap_replicates(measure, rows, "a", "b", 2000, seed=1)
    slow = []
    a, b = rows.probabilities("a"), rows.probabilities("b")
    for _ in range(400):
        swap = rng.integers(0, 2, rows.n).astype(bool)[:, None]
        both = {"a": np.where(swap, b, a)[:, 1], "b": np.where(swap, a, b)[:, 1]}
        again = Predictions.from_arrays(rows.truth, y_score=both).table()
        slow.append(measures.compute(measure, again, "a").value - measures.compute(measure, again, "b").value)
    assert fast.std() == pytest.approx(np.std(slow), rel=0.15)
    assert abs(fast.mean()) < 4 * fast.std() / np.sqrt(2000) + 1e-12


def test_clusters_are_swapped_whole(make) -> None:
    groups = np.repeat(np.arange(25), 6)
    truth, scores = make.binary(150, {"a": 2.0, "b": 1.2}, seed=3)
    rows = Predictions.from_arrays(truth, y_score=scores, groups=groups).table()
    for name in ("f1", "log_loss"):
        fast = swap_replicates(measures.get(name), rows, "a", "b", 4000, seed=1)
        measure = measures.get(name)
        if name == "log_loss":
            terms = measure.form.of(rows, ("a", "b"), "probabilities").terms
            d = terms[:, 0, 0] - terms[:, 1, 0]
            sums = np.bincount(groups, d) / rows.n
            assert fast.std() == pytest.approx(np.sqrt((sums**2).sum()), rel=0.05)
        else:
            assert (
                fast.std()
                > swap_replicates(
                    measure, Predictions.from_arrays(truth, y_score=scores).table(), "a", "b", 4000, seed=1
                ).std()
                * 0.5
            )


def test_permutation_of_accuracy_is_the_exact_mcnemar_test(make) -> None:
    predictions = make.labelled(200, {"a": 2.2, "b": 1.4})
    rows = predictions.table()
    exact = stats.mcnemar(rows.correct("a"), rows.correct("b"), method="exact").pvalue
    assert compare(predictions, test="permutation", rng=0).pair("a", "b").pvalue == exact
    bootstrapped = compare(predictions, test="bootstrap", rng=0, n_resamples=20_000).pair("a", "b").pvalue
    assert bootstrapped == pytest.approx(exact, abs=0.005)


def test_permutation_pvalue_is_never_zero(make) -> None:
    predictions = make.labelled(400, {"a": 6.0, "b": 0.0})
    pair = compare(predictions, "f1", test="permutation", rng=0, n_resamples=100).pair("a", "b")
    assert pair.pvalue == pytest.approx(1 / 101)


def test_whole_weights_are_replication(make) -> None:
    truth, scores = make.binary(120, {"a": 2.0, "b": 1.2}, seed=3)
    weight = np.random.default_rng(1).integers(1, 4, 120)
    weighted = Predictions.from_arrays(truth, y_score=scores, sample_weight=weight)
    repeated = Predictions.from_arrays(
        np.repeat(truth, weight), y_score={m: np.repeat(s, weight) for m, s in scores.items()}
    )
    for name in ("f1", "log_loss", "auc"):
        got, expected = (compare(p, name, test="bootstrap", rng=0).pair("a", "b") for p in (weighted, repeated))
        assert got.estimate == pytest.approx(expected.estimate)
        # A row of weight 3 is one row, not three: the interval is wider than that of the repeated rows.
        assert got.high - got.low > expected.high - expected.low
    assert "weighted" in {n.code for n in compare(weighted, "f1", test="bootstrap", rng=0).notes}


def test_patterns_count_what_rows_say(two) -> None:
    rows = two.table()
    measure = measures.get("kappa")
    form = counted(measure, rows, ("a", "b")).form
    patterns = form.patterns()
    counts = patterns.count(None)
    assert counts.sum() == rows.n
    exact = [measures.compute(measure, rows, m).value for m in ("a", "b")]
    assert form.values(measure, form.tables(patterns, counts[None]))[0] == pytest.approx(exact)


def test_many_classes_stay_small() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 60, 3000)
    says = {m: np.where(rng.random(3000) < p, truth, rng.integers(0, 60, 3000)) for m, p in (("a", 0.7), ("b", 0.6))}
    pair = compare(Predictions.from_arrays(truth, y_pred=says), "f1_macro", rng=0, n_resamples=200).pair("a", "b")
    assert pair.low < pair.estimate < pair.high
    assert pair.better == "a"


def test_a_measure_of_ones_own(make) -> None:
    own = Measure.from_function("my accuracy", lambda t, p: float(np.mean(t == p)), needs="labels", bounds=(0, 1))
    predictions = make.labelled(150, {"a": 2.2, "b": 1.4})
    mine = compare(predictions, own, rng=0, n_resamples=500).pair("a", "b")
    ours = compare(predictions, "accuracy", test="bootstrap", rng=0, n_resamples=500).pair("a", "b")
    assert mine.estimate == pytest.approx(ours.estimate)
    assert mine.low == pytest.approx(ours.low, abs=0.02)
    assert mine.pvalue == pytest.approx(ours.pvalue, abs=0.05)


def test_bca_interval_of_the_bootstrap(two) -> None:
    rows, measure = two.table(), measures.get("f1")
    draws = difference_draws(measure, rows, 2000, seed=11)("a", "b")
    pair = compare(two, "f1", rng=0).pair("a", "b")
    expected = stats.bootstrap_interval(pair.estimate, draws.differences, method="bca", acceleration=draws.acceleration)
    assert (pair.low, pair.high) == pytest.approx((expected.low, expected.high), abs=0.02)
