"""`decide`: the choice is brute force's, its cost is honest, and it says when nothing is worth deploying."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, language
from bakeoff.decision import OperatingContext, UncertainContext, decide
from oracle import worked_examples

EXAMPLES = worked_examples("roc_cost")


def cancer():
    ill = np.repeat(["ill", "well"], 100)
    answers = {
        "A": np.repeat(["ill", "well", "ill", "well"], [90, 10, 40, 60]),
        "B": np.repeat(["ill", "well", "ill", "well"], [60, 40, 10, 90]),
    }
    return Predictions.from_arrays(ill, y_pred=answers, pos_label="ill")


def scored(rng, n=800, prevalence=0.3, shift=1.5, **options):
    y = rng.random(n) < prevalence
    signal = shift * y + rng.normal(size=n)
    scores = {"good": 1 / (1 + np.exp(-signal)), "noise": rng.random(n)}
    return y, scores, Predictions.from_arrays(y.astype(int), y_score=scores, **options)


def brute_force(y, scores, context):
    """Least cost over every threshold of every model and both trivial rules."""
    rules = [(0.0, 0.0), (1.0, 1.0)]
    for s in scores.values():
        rules += [(np.mean(s[~y] >= t), np.mean(s[y] >= t)) for t in np.unique(s)]
    return min(context.expected_cost(fpr, tpr) for fpr, tpr in rules)


@pytest.mark.parametrize("case", EXAMPLES["seed004_cancer"]["contexts"])
def test_cancer_decisions(case):
    context = OperatingContext(prevalence=case["prior_pos"], cost_fp=case["cFP"], cost_fn=case["cFN"])
    found = decide(cancer(), context, rng=0)
    expected = {"always_negative": "always well", "always_positive": "always ill"}.get(case["best"], case["best"])
    assert found.model == expected
    assert found.expected_cost.estimate == pytest.approx(case["expected_cost"][case["best"]], rel=1e-12)
    costs = {a.model: a.expected_cost.estimate for a in found.alternatives} | {found.model: found.apparent_cost}
    assert costs["A"] == pytest.approx(case["expected_cost"]["A"])
    assert costs["B"] == pytest.approx(case["expected_cost"]["B"])
    assert costs["always well"] == pytest.approx(case["expected_cost"]["always_negative"])
    assert found.context.pc == pytest.approx(case["PC_plus"])


def test_nothing_worth_deploying_is_said():
    found = decide(cancer(), OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000), rng=0)
    assert not found.worth_deploying
    assert found.threshold == -np.inf
    assert found.verdict.startswith(
        "No model is worth deploying: 'always ill' costs 9.9 per case. The best model, A, costs 13.96. The data do not"
    )
    assert found.expected_cost.method == "exact"  # nothing about "always ill" is estimated at a given prevalence
    assert found.runner_up.model == "A"
    assert found.regret.estimate == pytest.approx(4.06)
    assert found.regret.low < 4.06 < found.regret.high


def test_cancer_decision_where_two_models_tie_for_practical_purposes():
    found = decide(cancer(), OperatingContext(prevalence=0.001, cost_fp=10, cost_fn=10_000), rng=0)
    assert found.model == "A"
    assert found.threshold is None
    assert "The data do not settle it" in found.verdict
    assert 0.3 < found.p_best < 0.7
    low, high = found.holds_for.pc
    assert (low, high) == (pytest.approx(0.5), pytest.approx(6 / 7))
    assert found.holds_for.prevalence[0] < 0.001 < found.holds_for.prevalence[1]
    assert found.holds_for.cost_ratio[0] < 1000 < found.holds_for.cost_ratio[1]
    assert "prevalence-shift" in {n.code for n in found.notes}


@pytest.mark.parametrize(
    "costs", [{}, {"cost_fn": 5}, {"cost_fp": 4}, {"prevalence": 0.02, "cost_fn": 30}, {"cost_tp": 0.5, "cost_fn": 3}]
)
def test_the_choice_is_that_of_brute_force(rng, costs):
    y, scores, predictions = scored(rng)
    context = OperatingContext(**costs)
    found = decide(predictions, context, n_resamples=100, rng=0)
    resolved = context.at(float(y.mean()))
    assert found.apparent_cost == pytest.approx(brute_force(y, scores, resolved), rel=1e-12)
    assert found.expected_cost.estimate == pytest.approx(found.apparent_cost + found.optimism)
    if found.worth_deploying:
        called = scores[found.model] >= found.threshold
        rates = called[~y].mean(), called[y].mean()
        assert resolved.expected_cost(*rates) == pytest.approx(found.apparent_cost)


def test_the_headline_is_the_cost_on_rows_that_did_not_choose(rng):
    _, _, predictions = scored(rng)
    found = decide(predictions, OperatingContext(cost_fn=4), rng=0)
    assert found.expected_cost.method == "out-of-bag"
    assert found.optimism > 0
    note = next(n for n in found.notes if n.code == "choice-out-of-bag")
    assert f"the cost is {found.apparent_cost:.4g} per case" in note.message
    assert f"it is {found.expected_cost.estimate:.4g}." in note.message
    assert {"prevalence-from-data"} <= {n.code for n in found.notes}


def chosen_by_hand(y, scores, draws, rng):
    """In the bag choose the cheapest threshold of the cheapest model by its cost in the bag, out of the bag pay."""
    paid = []
    for _ in range(draws):
        bag = rng.integers(0, y.size, y.size)
        out = np.setdiff1d(np.arange(y.size), bag)
        best = (np.inf, None, None)
        for name, s in scores.items():
            for t in [np.inf, *np.unique(s[bag])]:
                cost = np.where(y[bag], 5 * (s[bag] < t), s[bag] >= t).mean()
                best = min(best, (cost, name, t), key=lambda found: found[0])
        paid.append(np.where(y[out], 5 * (scores[best[1]][out] < best[2]), scores[best[1]][out] >= best[2]).mean())
    return np.mean(paid), np.std(paid, ddof=1) / np.sqrt(np.e)


def test_out_of_bag_cost_is_that_of_a_plain_loop(rng):
    """A loop over rows that chooses by the cost in the bag agrees, up to chance and the cross-fitting of our rule."""
    y = rng.random(120) < 0.3
    scores = {f"m{j}": 1.2 * y + rng.normal(size=120) for j in range(4)}
    found = decide(Predictions.from_arrays(y.astype(int), y_score=scores), OperatingContext(cost_fn=5), rng=0)
    cost, error = chosen_by_hand(y, scores, 200, rng)
    assert found.expected_cost.estimate == pytest.approx(cost, rel=0.06)
    half = (found.expected_cost.high - found.expected_cost.low) / 2
    assert half == pytest.approx(1.98 * error, rel=0.25)


def equal_models(rng, n=200, k=20, shared=0.5):
    y = rng.random(n) < 0.3
    common = rng.normal(size=n)
    noise = {f"m{j}": np.sqrt(shared) * common + np.sqrt(1 - shared) * rng.normal(size=n) for j in range(k)}
    return y, {name: 1.2 * y + s for name, s in noise.items()}


@pytest.mark.filterwarnings("ignore:on rows that did not choose")
def test_the_cost_of_a_choice_among_twenty_models_is_not_too_low():
    """The estimate was 30 % too low and its interval held the true cost in 73 of 100 runs."""
    from scipy.special import ndtr

    rng, hits, off = np.random.default_rng(113), [], []
    for run in range(40):
        y, scores = equal_models(rng)
        predictions = Predictions.from_arrays(y.astype(int), y_score=scores)
        found = decide(predictions, OperatingContext(cost_fn=5), n_resamples=150, rng=run)
        t = found.threshold
        truth = 0.7 * (1 - ndtr(t)) + 0.3 * 5 * ndtr(t - 1.2)
        hits.append(found.expected_cost.low <= truth <= found.expected_cost.high)
        off.append(found.expected_cost.estimate / truth - 1)
    assert np.mean(hits) >= 0.85
    assert abs(np.mean(off)) < 0.1


@pytest.mark.filterwarnings("ignore:on rows that did not choose")
@pytest.mark.parametrize("folds", [None, 5])
@pytest.mark.parametrize("costs", [{"cost_fn": 1}, {"cost_fn": 5}])
def test_asked_again_inside_its_range_it_names_the_same(folds, costs):
    """Inside `prevalence` the same model, inside `threshold_prevalence` the same threshold; other seeds too."""
    rng = np.random.default_rng(4)
    for _ in range(6):
        y, scores = equal_models(rng, n=150, k=3)
        extra = {} if folds is None else {"fold": rng.permutation(150) % folds}
        predictions = Predictions.from_arrays(y.astype(int), y_score=scores, **extra)

        def ask(prevalence, seed=0, rows=predictions):
            return decide(rows, OperatingContext(prevalence=float(prevalence), **costs), n_resamples=50, rng=seed)

        first = ask(0.3)
        low, high = first.holds_for.prevalence
        assert low <= 0.3 <= high
        assert not (low <= 0 and high >= 1)
        shares = np.array([0.001, 0.2, 0.5, 0.8, 0.999])
        assert {ask(p, seed=1).model for p in low + (high - low) * shares} == {first.model}
        assert all(ask(p).model != first.model for p in (low - 1e-7, high + 1e-7) if 0 < p < 1)
        low, high = first.holds_for.threshold_prevalence
        assert {ask(p).threshold for p in low + (high - low) * shares} == {first.threshold}
        assert f"from {100 * low:.3g} % to {100 * high:.3g} %" in first.verdict or low == high


def test_p_best_is_the_share_of_whole_choices_and_not_worse_holds_the_rest(rng):
    y, scores = equal_models(rng, k=6)
    scores["bad"] = rng.random(y.size)
    found = decide(Predictions.from_arrays(y.astype(int), y_score=scores), OperatingContext(cost_fn=5), rng=0)
    every = (found.choice, *found.alternatives)
    assert sum(a.p_best for a in every) == pytest.approx(1)
    assert found.p_best == found.choice.p_best < 0.8
    assert found.model in found.not_worse
    assert "always 0" not in found.not_worse
    assert "bad" not in found.not_worse
    assert len(found.not_worse) >= 4
    assert f"in {100 * found.p_best:.0f} % of the resamples" in found.verdict
    assert "Not shown to cost more: m" in found.verdict


@pytest.mark.parametrize(
    ("name", "words"), [("en", "share of"), ("es", "parte de los"), ("pt", "parte das")], ids=["en", "es", "pt"]
)
def test_p_best_is_shown_as_a_share_of_resamples(name, words, rng):
    """With 20 equal models it was 26 % on average where the choice was the best in 4 %: no chance of being best."""
    y, scores, _ = scored(rng)
    found = decide(Predictions.from_arrays(y.astype(int), y_score=scores), OperatingContext(cost_fn=5), rng=0)
    with language(name):
        for shown in (str(found), str(found.choice)):
            assert words in shown
            assert "p_best" not in shown


def test_copies_of_a_model_are_called_a_tie(rng):
    y, scores, _ = scored(rng)
    copies = dict.fromkeys("abc", scores["good"])
    found = decide(Predictions.from_arrays(y.astype(int), y_score=copies), OperatingContext(cost_fn=5), rng=0)
    assert "a, b and c cost the same on every resample: they are tied." in found.verdict
    assert set(found.not_worse) >= {"a", "b", "c"}


def test_noise_is_not_worth_deploying_just_because_a_threshold_fits_its_own_rows():
    """A useless score beats the trivial rule on the rows that choose its threshold; it must not do so usually."""
    rng = np.random.default_rng(5)
    wins = {"folds": 0, "none": 0}
    context = OperatingContext(prevalence=0.5)
    for _ in range(20):
        y, noise = np.repeat([0, 1], 60), rng.random(120)
        for name, extra in (("none", {}), ("folds", {"fold": rng.permutation(np.arange(120) % 10)})):
            predictions = Predictions.from_arrays(y, y_score={"noise": noise}, **extra)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                wins[name] += decide(predictions, context, n_resamples=50, rng=0).worth_deploying
    assert max(wins.values()) <= 10


def test_folds_give_a_cross_fitted_cost(rng):
    y, scores, _ = scored(rng)
    fold = rng.permutation(np.arange(y.size) % 5)
    predictions = Predictions.from_arrays(y.astype(int), y_score=scores, fold=fold)
    context = OperatingContext(prevalence=0.3, cost_fn=4)
    found = decide(predictions, context, rng=0)
    assert found.cross_fitted
    assert found.model == "good"
    assert "choice-out-of-bag" in {n.code for n in found.notes}
    by_hand = np.zeros(y.size, dtype=bool)
    for k in range(5):
        train, test = fold != k, fold == k
        best = min(
            np.unique(scores["good"][train]),
            key=lambda t: context.expected_cost(
                np.mean(scores["good"][train & ~y] >= t), np.mean(scores["good"][train & y] >= t)
            ),
        )
        by_hand[test] = scores["good"][test] >= best
    expected = context.expected_cost(by_hand[~y].mean(), by_hand[y].mean())
    assert found.choice.expected_cost.estimate == pytest.approx(expected, rel=1e-12)
    assert found.choice.expected_cost.estimate >= found.apparent_cost


def test_repeats_are_no_new_instances(rng):
    y, scores, _ = scored(rng, n=300)
    once = Predictions.from_arrays(y.astype(int), y_score=scores, fold=np.arange(300) % 5)
    rows = np.tile(np.arange(300), 10)
    tenfold = Predictions.from_arrays(
        y[rows].astype(int),
        y_score={m: s[rows] for m, s in scores.items()},
        repeat=np.repeat(np.arange(10), 300),
        fold=np.tile(np.arange(300) % 5, 10),
    )
    context = OperatingContext(prevalence=0.3, cost_fn=3)
    one, ten = decide(once, context, rng=0), decide(tenfold, context, rng=0)
    width = one.expected_cost.high - one.expected_cost.low
    assert ten.choice.expected_cost == one.choice.expected_cost
    assert ten.expected_cost.estimate == pytest.approx(one.expected_cost.estimate, rel=0.02)
    assert ten.expected_cost.high - ten.expected_cost.low == pytest.approx(width, rel=0.1)
    spread = [f.alternatives[-1].regret.high - f.alternatives[-1].regret.low for f in (one, ten)]
    assert spread[1] == pytest.approx(spread[0], rel=0.2)


def test_leave_one_out_and_repeated_hold_out(rng):
    y, scores, _ = scored(rng, n=120)
    loo = Predictions.from_arrays(y.astype(int), y_score=scores, fold=np.arange(120))
    assert decide(loo, OperatingContext(), rng=0).cross_fitted
    y, scores, _ = scored(rng, n=600)
    holdout = Predictions.from_arrays(y.astype(int), y_score=scores, repeat=np.repeat([0, 1, 2], 200))
    assert decide(holdout, OperatingContext(), rng=0).cross_fitted


def test_clusters_widen_the_interval(rng):
    y, scores, _ = scored(rng, n=200)
    rows = np.repeat(np.arange(200), 5)  # five copies of each: no new information
    copied = {m: s[rows] for m, s in scores.items()}
    plain = Predictions.from_arrays(y[rows].astype(int), y_score=copied)
    grouped = Predictions.from_arrays(y[rows].astype(int), y_score=copied, groups=rows)
    context = OperatingContext(cost_fn=3)
    narrow, wide = decide(plain, context, rng=0), decide(grouped, context, rng=0)
    ratio = (wide.expected_cost.high - wide.expected_cost.low) / (narrow.expected_cost.high - narrow.expected_cost.low)
    assert ratio == pytest.approx(np.sqrt(5), rel=0.15)


def test_whole_weights_are_copies(rng):
    y, scores, _ = scored(rng, n=200)
    times = rng.integers(1, 4, 200)
    weighted = Predictions.from_arrays(y.astype(int), y_score=scores, frequency=times)
    rows = np.repeat(np.arange(200), times)
    copied = Predictions.from_arrays(y[rows].astype(int), y_score={m: s[rows] for m, s in scores.items()})
    context = OperatingContext(cost_fn=3)
    one, two = decide(weighted, context, rng=0), decide(copied, context, rng=0)
    assert (one.model, one.threshold) == (two.model, two.threshold)
    assert one.expected_cost.estimate == pytest.approx(two.expected_cost.estimate)


def test_identical_models_share_the_chance(rng):
    y, scores, _ = scored(rng)
    same = Predictions.from_arrays(y.astype(int), y_score={"a": scores["good"], "b": scores["good"].copy()})
    found = decide(same, OperatingContext(cost_fn=3), rng=0)
    assert found.p_best == pytest.approx(0.5)
    assert found.runner_up.regret.high == 0


def test_a_constant_model_is_no_rival_of_the_trivial_rule():
    predictions = Predictions.from_arrays(np.repeat([0, 1], 50), y_score={"m": np.zeros(100)})
    found = decide(predictions, OperatingContext(prevalence=0.2, cost_fn=3), rng=0)
    assert found.model == "always 0"
    assert found.p_best == 1.0


def test_same_seed_same_answer(rng):
    _, _, predictions = scored(rng)
    context = OperatingContext(cost_fn=4)
    first, second = (decide(predictions, context, rng=7) for _ in range(2))
    assert first.to_dict() == second.to_dict()


def test_an_unseen_miss_keeps_its_price():
    """No miss among 50 positives, a miss costs a fortune: it cannot be certain that the model beats "always 1"."""
    rng = np.random.default_rng(3)
    y = np.repeat([1, 0], [50, 200])
    score = np.where(y == 1, 1 + rng.random(250), rng.random(250) * 1.1)
    predictions = Predictions.from_arrays(y, y_score={"m": score, "copy": score})
    found = decide(predictions, OperatingContext(cost_fn=1e6), rng=0)
    assert found.model == "always 1"  # left out in turn, the lowest positive is missed
    chances = {a.model: a.p_best for a in (found.choice, *found.alternatives)}
    assert chances["m"] == pytest.approx(chances["copy"])
    cheap = decide(predictions, OperatingContext(cost_fn=1), rng=0)
    assert {a.model: a.p_best for a in (cheap.choice, *cheap.alternatives)}["always 1"] == 0


def test_trivial_rules_doubt_only_the_prevalence():
    """At the prevalence of the rows, the cost of "always" is a share of one class: Wilson's interval."""
    from bakeoff.stats import binomial_interval

    y = np.repeat([1, 0], [96, 404])
    predictions = Predictions.from_arrays(y, y_score={"m": np.linspace(1, 0, 500)})
    found = decide(predictions, OperatingContext(cost_fn=10), rng=0)
    every = {a.model: a.expected_cost for a in (found.choice, *found.alternatives)}
    wilson = binomial_interval(404, 500)
    assert (every["always 1"].low, every["always 1"].high) == pytest.approx((wilson.low, wilson.high))
    several = decide(predictions, OperatingContext.multiclass([[0, 1], [10, 0]]), rng=0)
    again = {a.model: a.expected_cost for a in (several.choice, *several.alternatives)}
    assert (again["always 1"].low, again["always 1"].high) == pytest.approx((wilson.low, wilson.high))


def test_calibration_is_judged(rng):
    n = 4000
    p = rng.beta(1, 3, n)
    y = (rng.random(n) < p).astype(int)
    context = OperatingContext(cost_fn=5)
    right = decide(Predictions.from_arrays(y, y_score={"m": p}), context, rng=0)
    wrong = decide(Predictions.from_arrays(y, y_score={"m": np.sqrt(p)}), context, rng=0)
    assert "not-calibrated" not in {n.code for n in right.notes}
    assert right.calibrated_threshold == pytest.approx(context.threshold)
    assert right.calibrated_cost == pytest.approx(right.apparent_cost, rel=0.03)
    note = next(n for n in wrong.notes if n.code == "not-calibrated")
    assert "right for calibrated ones, costs" in note.message
    assert wrong.apparent_cost == pytest.approx(right.apparent_cost)


def test_few_positives_warn():
    predictions = Predictions.from_arrays([1] * 5 + [0] * 95, y_score={"m": np.linspace(1, 0, 100)})
    with pytest.warns(bakeoff.BakeoffWarning, match="only 5 positives"):
        decide(predictions, OperatingContext(), rng=0)


def test_uncertain_context(rng):
    _, _, predictions = scored(rng)
    uncertain = UncertainContext(prevalence=(0.1, 0.5), cost_fn=(1, 9))
    found = decide(predictions, uncertain, rng=0)
    known = decide(predictions, uncertain.mean(), rng=0)
    assert (found.model, found.threshold) == (known.model, known.threshold)
    wide = found.expected_cost.high - found.expected_cost.low
    assert wide > 2 * (known.expected_cost.high - known.expected_cost.low)
    shares = {a.model: a.context_share for a in (found.choice, *found.alternatives)}
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.01)
    assert np.isnan(known.choice.context_share)
    assert decide(predictions, {"cost_fn": (1, 9)}, rng=0).model == "good"


def test_several_classes(rng):
    costs = [[0, 1, 5], [2, 0, 1], [10, 4, 0]]
    chances = rng.dirichlet([0.5, 0.5, 0.5], 1000)
    y = (rng.random((1000, 1)) > np.cumsum(chances, axis=1)).sum(axis=1)
    names = np.array(["a", "b", "c"])
    predictions = Predictions.from_arrays(
        names[y], y_score={"soft": chances}, y_pred={"hard": names[chances.argmax(axis=1)]}
    )
    context = OperatingContext.multiclass(costs)
    found = decide(predictions, context, rng=0)
    cheapest = np.argmin(chances @ np.array(costs), axis=1)
    by_hand = np.mean(np.array(costs)[y, cheapest])
    assert found.model == "soft"
    assert found.threshold is None
    assert found.holds_for is None
    assert found.expected_cost.estimate == pytest.approx(by_hand)
    assert found.expected_cost.low < by_hand < found.expected_cost.high
    hard = next(a for a in found.alternatives if a.model == "hard")
    assert hard.expected_cost.estimate == pytest.approx(np.mean(np.array(costs)[y, chances.argmax(axis=1)]))
    never = next(a for a in found.alternatives if a.model == "always c")
    assert never.expected_cost.estimate == pytest.approx(np.mean(np.array(costs)[y, 2]))
    shuffled = OperatingContext.multiclass(
        {"c": {"a": 10, "b": 4, "c": 0}, "a": {"a": 0, "b": 1, "c": 5}, "b": {"a": 2, "b": 0, "c": 1}}
    )
    assert decide(predictions, shuffled, rng=0).expected_cost.estimate == pytest.approx(by_hand)


def test_several_classes_at_other_priors(rng):
    y = rng.integers(0, 3, 300)
    answers = np.where(rng.random(300) < 0.7, y, (y + 1) % 3)
    predictions = Predictions.from_arrays(y, y_pred={"m": answers})
    priors = np.array([0.7, 0.2, 0.1])
    costs = np.array([[0, 1, 5], [2, 0, 1], [10, 4, 0]])
    found = decide(predictions, OperatingContext.multiclass(costs, priors), rng=0)
    by_hand = sum(priors[k] * np.mean(costs[k, answers[y == k]]) for k in range(3))
    assert {a.model: a for a in (found.choice, *found.alternatives)}["m"].expected_cost.estimate == pytest.approx(
        by_hand
    )
    trivial = {a.model: a for a in (found.choice, *found.alternatives)}["always 1"]
    assert trivial.expected_cost.estimate == pytest.approx(float(priors @ costs[:, 1]))
    assert trivial.expected_cost.method == "exact"


def test_two_classes_through_the_matrix_agree_with_the_binary_way():
    binary = OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)
    matrix = OperatingContext.multiclass({"well": {"well": 0, "ill": 10}, "ill": {"well": 10_000, "ill": 0}},
                                         {"well": 0.99, "ill": 0.01})  # fmt: skip
    one, two = decide(cancer(), binary, rng=0), decide(cancer(), matrix, rng=0)
    assert one.model == two.model
    costs = [{a.model: a.expected_cost.estimate for a in f.alternatives} for f in (one, two)]
    assert costs[0] == pytest.approx(costs[1])
    limits = [next(a.expected_cost for a in f.alternatives if a.model == "A") for f in (one, two)]
    assert limits[0].low == pytest.approx(limits[1].low, rel=1e-9)
    assert limits[0].high == pytest.approx(limits[1].high, rel=1e-9)


def test_result_prints_and_exports(rng):
    _, _, predictions = scored(rng)
    found = decide(predictions, OperatingContext(prevalence=0.3, cost_fn=4), rng=0)
    assert "\n" not in repr(found)
    assert str(found).startswith("Use good with the threshold ")
    frame = found.to_frame()
    assert frame["model"].iloc[0] == found.model
    assert list(frame.columns)[:5] == ["model", "threshold", "expected_cost", "low", "high"]
    assert (frame["p_best"].sum()) == pytest.approx(1.0)
    data = found.to_dict()
    json.dumps(data, allow_nan=False)
    assert data["verdict"] == found.verdict
    assert data["worth_deploying"] is True
    assert "<table" in found._repr_html_()


def test_what_cannot_be_decided_is_said():
    with pytest.raises(ParameterError, match="context must be an OperatingContext"):
        decide(cancer(), 3)
    with pytest.raises(ParameterError, match="must be a Predictions object"):
        decide([1, 2], OperatingContext())
    two = Predictions.from_arrays([0, 1] * 4, y_score={"m": np.arange(8.0)}, dataset=["a"] * 4 + ["b"] * 4)
    with pytest.raises(EvidenceError, match="2 data sets"):
        decide(two, OperatingContext())
    unnamed = Predictions.from_arrays(["x", "y"] * 5, y_pred={"m": ["x", "y"] * 5})
    with pytest.raises(EvidenceError, match="positive class"):
        decide(unnamed, OperatingContext())
    numbers = Predictions.from_arrays(np.arange(5.0) + 0.5, y_value={"m": np.arange(5.0)})
    with pytest.raises(EvidenceError):
        decide(numbers, OperatingContext())
    with pytest.raises(ParameterError, match="has 3 classes"):
        decide(cancer(), OperatingContext.multiclass(1 - np.eye(3)))
    with pytest.raises(ParameterError, match="are not those of the rows"):
        decide(cancer(), OperatingContext.multiclass({"x": {"x": 0, "y": 1}, "y": {"x": 1, "y": 0}}))


def test_a_range_that_is_a_point_is_not_spoken_of():
    """The cross-fitted choice may not be that of the curves: then "from 30 % to 30 %" would say nothing."""
    from dataclasses import replace

    decision = decide(cancer(), OperatingContext(prevalence=0.3), rng=0)
    assert "stays the same for prevalences" in decision.verdict
    point = replace(decision.holds_for, prevalence=(0.3, 0.3))
    assert "stays the same" not in replace(decision, holds_for=point).verdict
