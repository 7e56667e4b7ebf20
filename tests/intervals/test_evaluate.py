"""evaluate: the right interval for each measure and design, never of zero width, always around its estimate."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import Predictions
from bakeoff.counts import Cells, Counted
from bakeoff.evidence import Units
from oracle import assert_case, cases, worked_examples


def binary(rng, n=300, **extra):
    truth = rng.integers(0, 2, n)
    score = np.clip(rng.normal(0.4 + 0.2 * truth, 0.2), 0.01, 0.99)
    return Predictions.from_arrays(truth, y_score={"m": score}, **extra)


def test_accuracy_interval_of_the_lecture():
    truth = [1] * 100
    called = [1] * 85 + [0] * 15
    predictions = Predictions.from_arrays(truth, y_pred={"m": called}, classes=[0, 1])
    wald = bakeoff.evaluate(predictions, "accuracy", interval="wald")["m", "accuracy"]
    assert (round(wald.low, 2), round(wald.high, 2)) == (0.78, 0.92)
    wilson = bakeoff.evaluate(predictions, "accuracy")["m", "accuracy"]
    expected = bakeoff.stats.binomial_interval(85, 100)
    assert (wilson.low, wilson.high, wilson.method) == (expected.low, expected.high, "wilson")


@pytest.mark.parametrize("case", cases("confusion_metrics"), ids=lambda c: c["id"])
def test_clopper_pearson_of_accuracy_equals_caret(case):
    given = case["input"]
    predictions = Predictions.from_arrays(given["y_true"], y_pred={"m": given["y_pred"]}, classes=given["labels"])
    interval = bakeoff.evaluate(predictions, "accuracy", interval="clopper-pearson")["m", "accuracy"]
    assert_case(case, {"accuracy_ci95_clopper_pearson": [interval.low, interval.high]})


@pytest.mark.parametrize("case", cases("cohen_kappa"), ids=lambda c: c["id"])
def test_kappa_interval_equals_vcd(case):
    table = np.array(case["input"]["table"], dtype=int)
    truth = np.repeat(np.arange(len(table)), table.sum(axis=1))
    called = np.concatenate([np.repeat(np.arange(len(table)), row) for row in table])
    evidence = Predictions.from_arrays(truth, y_pred={"m": called})
    interval = bakeoff.evaluate(evidence, "kappa", interval="delta")["m", "kappa"]
    assert [interval.low, interval.high] == pytest.approx(case["expected"]["ci95"], rel=1e-6)


def test_percentile_bootstrap_of_the_lecture_is_a_95_percent_interval():
    example = worked_examples("roc_cost")["seed001_percentile_bootstrap"]
    predictions = Predictions.from_arrays([1] * 150, y_pred={"nb": [1] * 143 + [0] * 7}, classes=[0, 1])
    interval = bakeoff.evaluate(predictions, "accuracy", interval="percentile", n_resamples=20_000, rng=0)[
        "nb", "accuracy"
    ]
    exact = example["exact_quantiles_2.5_97.5 (=95% interval)"]
    assert [interval.low, interval.high] == pytest.approx(exact, abs=0.5 / 150)


def test_auc_is_delong_on_the_logit_scale():
    case = cases("auc_delong")[0]
    truth = case["input"]["y"]
    predictions = Predictions.from_arrays(truth, y_score=case["input"]["scores"])
    evaluation = bakeoff.evaluate(predictions, "auc")
    for name in case["input"]["scores"]:
        expected = bakeoff.stats.delong_interval(truth, case["input"]["scores"][name])
        got = evaluation[name, "auc"]
        assert got.method == "delong"
        limits = (expected.estimate, expected.low, expected.high)
        assert (got.estimate, got.low, got.high) == pytest.approx(limits, rel=1e-12)


def test_takahashi_interval_of_macro_f1_against_a_simulation(rng):
    shares = np.array([[0.3, 0.05, 0.02], [0.04, 0.25, 0.05], [0.03, 0.06, 0.2]])
    measure = bakeoff.measures.get("f1_macro")
    draws = rng.multinomial(400, shares.ravel(), size=20_000).reshape(-1, 3, 3).astype(float)
    simulated = np.asarray(measure.value(draws, None)).std()
    counted = Counted(Cells(np.arange(9)[:, None], 3, None), Units.of(9, frequency=(shares * 400).ravel().astype(int)))
    assert counted.influence(measure).standard_error()[0] == pytest.approx(simulated, rel=0.03)


PERFECT = (
    "accuracy",
    "kappa",
    "mcc",
    "f1",
    "f1_macro",
    "balanced_accuracy",
    "g_mean",
    "auc",
    "average_precision",
    "partial_auc",
    "auc_hull",
    "h_measure",
)


@pytest.mark.parametrize("measure", PERFECT)
@pytest.mark.parametrize("interval", ["auto", "percentile"])
@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_perfect_results_are_not_certain(measure, interval):
    truth = np.array([0, 1] * 15)
    predictions = Predictions.from_arrays(truth, y_score={"m": 0.1 + 0.8 * truth}, y_pred={"m": truth})
    got = bakeoff.evaluate(predictions, measure, interval=interval, rng=0, n_resamples=200)["m", measure]
    assert got.estimate == 1.0
    assert (0.4 if measure == "partial_auc" else 0.5) < got.low < 0.995  # one tenth of the curve is little evidence
    assert got.high == 1.0


def test_folds_are_averaged_with_the_corrected_t(rng):
    predictions = binary(rng, fold=np.arange(300) % 10)
    interval = bakeoff.evaluate(predictions, "auc", interval="corrected-t")["m", "auc"]
    folds = predictions.scores("auc").folds()[:, 0]
    reference = bakeoff.stats.corrected_t(folds, np.zeros(10), n_train=270, n_test=30).confidence_interval(0.95)
    assert (interval.method, interval.estimate) == ("corrected-t", pytest.approx(folds.mean()))
    assert (interval.low, interval.high) == pytest.approx((reference.low, min(reference.high, 1.0)))


def test_groups_widen_the_interval(rng):
    truth = np.repeat(rng.integers(0, 2, 60), 10)
    right = np.repeat(rng.random(60) < 0.7, 10)  # whole clusters are right or wrong together
    called = np.where(right, truth, 1 - truth)
    plain = bakeoff.evaluate(Predictions.from_arrays(truth, y_pred={"m": called}), "accuracy", interval="bca", rng=0)
    grouped = bakeoff.evaluate(
        Predictions.from_arrays(truth, y_pred={"m": called}, groups=np.repeat(np.arange(60), 10)), "accuracy", rng=0
    )
    width = [e["m", "accuracy"].high - e["m", "accuracy"].low for e in (plain, grouped)]
    assert width[1] / width[0] == pytest.approx(np.sqrt(10), rel=0.15)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize("fold", [None, np.arange(200) % 5], ids=["rows", "folds"])
def test_heavy_rows_that_are_right_by_luck_do_not_make_an_interval_short(fold):
    """Nineteen of 190 light rows are wrong, and none of ten that weigh 20: a tenth of the heavy ones may be, too."""
    called, weight = np.ones(200, dtype=int), np.ones(200)
    called[:19], weight[190:] = 0, 20
    given = {"sample_weight": weight, "classes": [0, 1], "pos_label": 1, "fold": fold}
    found = bakeoff.evaluate(
        Predictions.from_arrays(np.ones(200, dtype=int), y_pred={"m": called}, **given), "accuracy"
    )
    assert found["m", "accuracy"].low < 0.85


def test_weights_shift_the_estimate_and_influences_carry_them(rng):
    truth = rng.integers(0, 2, 200)
    called = np.where(rng.random(200) < 0.8, truth, 1 - truth)
    weight = rng.random(200) + 0.1
    got = bakeoff.evaluate(
        Predictions.from_arrays(truth, y_pred={"m": called}, sample_weight=weight), "accuracy", rng=0
    )
    interval = got["m", "accuracy"]
    assert interval.estimate == pytest.approx(np.average(truth == called, weights=weight))
    assert interval.method == "rule"
    assert interval.low < interval.estimate < interval.high


def test_same_seed_same_answer_whatever_else_is_asked(rng):
    predictions = binary(rng)
    alone = bakeoff.evaluate(predictions, "brier", rng=3)["m", "brier"]
    among = bakeoff.evaluate(predictions, ["accuracy", "mcc", "brier", "auc"], rng=3)["m", "brier"]
    assert (alone.low, alone.high) == (among.low, among.high)


def test_baselines_stand_beside_the_models(rng):
    evaluation = bakeoff.evaluate(binary(rng), ["accuracy", "auc"], baselines=True, rng=0)
    assert evaluation.baselines == ("always 0", "always 1", "prior")
    assert evaluation["always 1", "auc"].estimate == 0.5
    assert evaluation["always 0", "accuracy"].estimate + evaluation["always 1", "accuracy"].estimate == pytest.approx(
        1.0
    )


def test_frame_dict_and_text(rng):
    evaluation = bakeoff.evaluate(binary(rng), ["accuracy", "auc"], rng=0)
    assert list(evaluation.to_frame().columns) == [
        "dataset",
        "model",
        "measure",
        "estimate",
        "low",
        "high",
        "method",
        "n",
        "note",
        "standard_error",
        "n_units",
    ]
    data = evaluation.to_dict()
    assert (data["kind"], data["schema_version"], len(data["entries"])) == ("Evaluation", 1, 2)
    assert repr(evaluation) == "Evaluation(1 models × 2 measures × 1 data sets)"
    assert "accuracy" in str(evaluation)
    assert "<table" in evaluation._repr_html_()


def test_names_are_escaped_in_html():
    evaluation = bakeoff.evaluate(
        Predictions.from_arrays([0, 1], y_pred={"<script>alert(1)</script>": [0, 1]}), "accuracy"
    )
    assert "<script>" not in evaluation._repr_html_()


def test_regression_losses_have_t_intervals(rng):
    truth = rng.normal(size=80)
    value = truth + rng.normal(size=80)
    interval = bakeoff.evaluate(Predictions.from_arrays(truth, y_value={"m": value}), "mae", interval="t")["m", "mae"]
    from scipy import stats

    loss = np.abs(value - truth)
    low, high = stats.t.interval(0.95, 79, loss.mean(), stats.sem(loss))
    assert (interval.method, interval.low, interval.high) == ("t", pytest.approx(low), pytest.approx(high))


def test_outcomes_of_zero_and_one_are_accuracies():
    predictions = Predictions.from_outcomes({"a": [1] * 30 + [0] * 10, "b": [1] * 20 + [0] * 20})
    interval = bakeoff.evaluate(predictions, "accuracy")["a", "accuracy"]
    expected = bakeoff.stats.binomial_interval(30, 40)
    assert (interval.estimate, interval.low, interval.high) == (0.75, expected.low, expected.high)


def test_infinite_ratios_reach_the_limit() -> None:
    """LR+ with two false positives is infinite in many resamples: dropping them pulled the upper limit in."""
    truth = [1] * 20 + [0] * 20
    predicted = [1] * 17 + [0] * 3 + [1] * 2 + [0] * 18
    evidence = bakeoff.Predictions.from_arrays(truth, y_pred={"a": predicted, "b": truth[::-1]})
    assert bakeoff.evaluate(evidence, ["lr_positive"], interval="bca", rng=1)["a", "lr_positive"].high == np.inf
    with pytest.warns(bakeoff.BakeoffWarning, match="infinite-replicates"):
        normal = bakeoff.evaluate(evidence, ["lr_positive"], interval="normal", rng=1)["a", "lr_positive"]
    assert np.isfinite(normal.high)


def test_a_trivial_rule_of_many_classes_is_not_ranked_for_its_half(monkeypatch):
    """Hand & Till's M of a constant table is ½ whatever rows are drawn; ranking them held up a report for minutes."""
    from bakeoff.counts import Counted, Draws, resample
    from bakeoff.measures import _ranking

    truth = np.arange(60) % 3
    constant, informed = np.tile([0.5, 0.3, 0.2], (60, 1)), np.eye(3)[truth] * 0.4 + 0.2
    table = Predictions.from_arrays(truth, y_score={"same": constant, "informed": informed}).table()
    measure = bakeoff.measures.get("hand_till_auc")
    assert measure(truth, constant) == 0.5
    same, well = (Counted(measure.form.of(table, (m,), measure.needs), table.units) for m in ("same", "informed"))
    assert (resample(well, measure, Draws(50, 0)) == 1).all()
    monkeypatch.setattr(_ranking, "_credit", None)
    np.testing.assert_array_equal(resample(same, measure, Draws(300, 0))[:, 0], np.full(300, 0.5))


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_only_positives_still_have_every_measure_that_can_be_had():
    found = bakeoff.evaluate(Predictions.from_arrays([1, 1, 1], y_score={"m": [0.2, 0.3, 0.7]}), rng=0)
    assert found["m", "recall"].estimate == pytest.approx(1 / 3)
    precision = found["m", "average_precision"]
    assert precision.estimate == 1.0
    assert np.isnan(precision.low)
    assert [note.code for note in precision.notes] == ["no-negatives"]


def test_a_calibration_error_says_that_it_is_biased():
    truth = [0, 1] * 40
    p = bakeoff.Predictions.from_arrays(truth, y_score={"a": [0.3, 0.7, 0.2, 0.9, 0.6, 0.4, 0.1, 0.8] * 10})
    assert "calibration-error-biased" in {n.code for n in bakeoff.evaluate(p, "calibration_error", rng=0).notes}
    assert "calibration-error-biased" not in {n.code for n in bakeoff.evaluate(p, "brier", rng=0).notes}


def test_a_warning_of_one_model_names_it_and_one_of_all_does_not():
    truth, fine, shy = [0, 1] * 20, [0, 1] * 15 + [1, 0] * 5, [0] * 40
    p = bakeoff.Predictions.from_arrays(truth, y_pred={"fine": fine, "shy": shy})
    with pytest.warns(bakeoff.BakeoffWarning, match="'shy': precision undefined"):
        evaluation = bakeoff.evaluate(p, "precision", rng=0)
    assert [n.message for n in evaluation._notes()][-1].startswith("'shy': precision undefined")
    both = bakeoff.Predictions.from_arrays(truth, y_pred={"shy": shy, "shyer": shy})
    with pytest.warns(bakeoff.BakeoffWarning, match="^precision undefined"):
        bakeoff.evaluate(both, "precision", rng=0)


@pytest.mark.parametrize("unit", ["groups", "attempts"])
def test_a_mean_of_right_and_wrong_stays_a_proportion_in_groups_and_over_attempts(unit) -> None:
    """t on the plain scale covered 88 % of 8 to 12 groups with a share near 1, and its limits passed 1."""
    right = np.ones((12, 3))
    right[0, 0] = right[1, 2] = 0
    long = {"item": np.repeat(np.arange(12), 3), "try": np.tile(np.arange(3), 12), "m": ["a"] * 36, "ok": right.ravel()}
    if unit == "groups":
        p = Predictions.from_outcomes({"a": right.ravel()}, groups=long["item"])
    else:
        p = Predictions.from_outcomes(long, item="item", model="m", outcome="ok", attempt="try")
    mean, share = (bakeoff.evaluate(p, name)["a", name] for name in ("mean_outcome", "accuracy"))
    assert mean.estimate == pytest.approx(34 / 36)
    assert 0 < mean.low < mean.estimate < mean.high <= 1
    assert (mean.low, mean.high) == (share.low, share.high)
    one = bakeoff.evaluate(Predictions.from_outcomes({"a": right.ravel() * 0.9}, groups=long["item"]), "mean_outcome")
    assert one["a", "mean_outcome"].high != share.high


@pytest.mark.parametrize("measure", ["ks", "f1"])
def test_as_many_resamples_as_it_takes(measure, rng):
    """The answer is the one of the number it tells; what draws nothing tells none, and a generator is asked once."""
    y = rng.integers(0, 2, 80)
    scores = {m: 1 / (1 + np.exp(-(y + rng.normal(size=80)))) for m in "ab"}
    rows = Predictions.from_arrays(y, y_score=scores, pos_label=1)
    options = {"interval": "bca"} if measure == "f1" else {}
    for ask, read in (
        (lambda n: bakeoff.evaluate(rows, measure, n_resamples=n, rng=3, **options), lambda r: r["a", measure]),
        (lambda n: bakeoff.compare(rows, measure, test="bootstrap", n_resamples=n, rng=3), lambda r: r.pairs[0]),
    ):
        found = ask("auto")
        (told,) = [note.message for note in found.notes if note.code == "resamples"]
        draws = int(told.split(" resamples")[0].replace(",", "").replace(" ", ""))
        assert 2000 <= draws <= 32_000
        one, other = read(found), read(ask(draws))
        assert (one.low, one.high) == (other.low, other.high)
    plain = bakeoff.evaluate(rows, "auc", n_resamples="auto")
    assert "resamples" not in {note.code for note in plain.notes}
    first, second = (bakeoff.evaluate(rows, "ks", n_resamples="auto", rng=np.random.default_rng(1)) for _ in range(2))
    assert first["a", "ks"].low == second["a", "ks"].low


@pytest.mark.parametrize("verb", [bakeoff.evaluate, bakeoff.compare])
def test_a_claim_that_does_not_exist_is_refused(verb):
    rows = Predictions.from_arrays([0, 1] * 10, y_pred={"a": [0, 1] * 10, "b": [1, 1] * 10}, pos_label=1)
    with pytest.raises(bakeoff.ParameterError, match="kind"):
        verb(rows, "accuracy", claim="these models")
    with pytest.raises(bakeoff.ParameterError, match="n_resamples"):
        verb(rows, "accuracy", n_resamples="many")


@pytest.mark.parametrize(("n", "told"), [(100, True), (300, False)])
def test_squared_errors_of_few_rows_say_that_a_tail_may_be_missing(n, told):
    error = np.random.default_rng(3).normal(size=n)
    evidence = bakeoff.Predictions.from_arrays(np.arange(float(n)), y_value={"a": np.arange(n) + error})
    squared, absolute = bakeoff.evaluate(evidence, ["rmse", "mae"], baselines=False).entries
    assert ("tail-unseen" in {note.code for note in squared.interval.notes}) is told
    assert not absolute.interval.notes
