"""Operating contexts: slopes, thresholds, PC(+) and costs, against the lectures, Elkan and Weka."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import EvidenceError, ParameterError
from bakeoff.decision import MulticlassContext, OperatingContext, shift_prevalence
from oracle import assert_case, cases, worked_examples

EXAMPLES = worked_examples("roc_cost")


@pytest.mark.parametrize("case", EXAMPLES["seed000_slopes"]["cases"])
def test_slopes_of_the_lecture(case):
    example = EXAMPLES["seed000_slopes"]
    context = OperatingContext.from_counts(example["P"], example["N"], cost_fp=case["cFP"], cost_fn=case["cFN"])
    assert context.slope == pytest.approx(case["slope"], rel=1e-12)


def test_slopes_of_fawcett():
    by_prior, by_cost = EXAMPLES["fawcett2006_iso_slopes"]["cases"]
    assert OperatingContext.from_counts(1, by_prior["neg_to_pos"]).slope == pytest.approx(by_prior["slope"])
    even = OperatingContext(prevalence=0.5, cost_fn=by_cost["cFN_over_cFP"])
    assert even.slope == pytest.approx(by_cost["slope"])


@pytest.mark.parametrize("case", EXAMPLES["seed004_cancer"]["contexts"])
def test_cancer_costs(case):
    context = OperatingContext(prevalence=case["prior_pos"], cost_fp=case["cFP"], cost_fn=case["cFN"])
    rates = {"A": (0.4, 0.9), "B": (0.1, 0.6), "always_negative": (0, 0), "always_positive": (1, 1)}
    assert context.pc == pytest.approx(case["PC_plus"], rel=1e-12)
    for name, (fpr, tpr) in rates.items():
        assert context.expected_cost(fpr, tpr) == pytest.approx(case["expected_cost"][name], rel=1e-12)
        assert context.expected_cost(fpr, tpr, per=1000) == pytest.approx(1000 * case["expected_cost"][name])


@pytest.mark.parametrize("case", EXAMPLES["elkan2001"]["cases"])
def test_elkan_threshold(case):
    context = OperatingContext(cost_fp=case["C10"], cost_fn=case["C01"], cost_tn=case["C00"], cost_tp=case["C11"])
    assert context.threshold == pytest.approx(case["p_star"], rel=1e-12)


@pytest.mark.parametrize("case", EXAMPLES["elkan2001"]["base_rate_cases"])
def test_shift_of_base_rate(case):
    assert shift_prevalence(case["p"], case["b"], case["b_new"]) == pytest.approx(case["p_new"], rel=1e-12)


def test_threshold_on_other_base_rate_undoes_the_shift():
    context = OperatingContext(prevalence=0.02, cost_fp=3, cost_fn=40)
    on_data = context.threshold_on(0.4)
    assert shift_prevalence(on_data, 0.4, 0.02) == pytest.approx(context.threshold, rel=1e-12)


def test_costs_of_right_answers_enter_slope_threshold_and_cost():
    context = OperatingContext(prevalence=0.25, cost_fp=5, cost_fn=20, cost_tp=2, cost_tn=1)
    assert context.slope == pytest.approx((5 - 1) * 0.75 / ((20 - 2) * 0.25))
    assert context.threshold == pytest.approx(4 / 22)
    by_hand = 0.25 * (0.3 * 20 + 0.7 * 2) + 0.75 * (0.1 * 5 + 0.9 * 1)
    assert context.expected_cost(0.1, 0.7) == pytest.approx(by_hand)
    low, high = context.expected_cost(0, 1), context.expected_cost(1, 0)
    assert low + (high - low) * context.normalised_cost(0.1, 0.7) == pytest.approx(by_hand)
    assert context.cost_matrix.tolist() == [[1, 5], [20, 2]]


def test_expected_cost_is_vectorised():
    context = OperatingContext(prevalence=0.5, cost_fn=3)
    costs = context.expected_cost(np.array([0.0, 0.5, 1.0]), np.array([0.0, 0.5, 1.0]))
    assert costs.tolist() == [1.5, 1.0, 0.5]


def test_prevalence_as_in_the_data_must_be_resolved():
    context = OperatingContext(cost_fn=4)
    with pytest.raises(ParameterError, match="as in the data"):
        context.slope
    with pytest.raises(ParameterError, match=r"slope needs a prevalence.*Hint: give OperatingContext\(prevalence"):
        context.slope
    assert context.at(1 / 3).slope == pytest.approx(0.5)
    assert context.at(0.2).at(0.9).prevalence == 0.2
    assert context.with_prevalence(0.2).with_prevalence(0.9).prevalence == 0.9
    assert OperatingContext(cost_fn=4).threshold == 0.2  # the threshold on a probability needs none


def test_extreme_prevalences():
    never = OperatingContext(prevalence=0.0)
    assert never.slope == np.inf
    assert never.pc == 0.0
    assert OperatingContext(prevalence=1.0).slope == 0.0
    free_alarms = OperatingContext(prevalence=0.3, cost_fp=0)
    assert (free_alarms.slope, free_alarms.pc, free_alarms.threshold) == (0.0, 1.0, 0.0)
    with pytest.raises(ParameterError, match="PC"):
        OperatingContext(prevalence=1.0, cost_fn=0).pc


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"cost_tp": 2}, r"a true positive \(the right answer\) costs 2, more than a false negative"),
        ({"cost_fp": 1, "cost_tn": 3}, r"a true negative .* costs 3, more than a false positive"),
        ({"cost_fp": 0, "cost_fn": 0}, "nothing to decide"),
        ({"prevalence": 1.2}, r"prevalence must be a finite number in \[0, 1\]"),
        ({"prevalence": np.nan}, "prevalence"),
        ({"cost_fn": np.nan}, "cost_fn must be a finite number"),
        ({"cost_fp": np.inf}, "cost_fp"),
        ({"cost_fp": "dear"}, "cost_fp"),
    ],
)
def test_unreasonable_contexts_are_refused(arguments, message):
    with pytest.raises(ParameterError, match=message):
        OperatingContext(**arguments)


@pytest.mark.parametrize("bad", [(-0.1, 0.5), (0.5, 1.5), (np.nan, 0.5)])
def test_rates_out_of_range_are_refused(bad):
    with pytest.raises(ParameterError, match="between 0 and 1"):
        OperatingContext(prevalence=0.5).expected_cost(*bad)


@pytest.mark.parametrize("case", cases("min_expected_cost"), ids=lambda c: c["id"])
def test_cheapest_answers_of_several_classes(case):
    context = OperatingContext.multiclass(case["input"]["cost_rows_true_cols_pred"])
    probabilities = case["input"]["P"]
    assert_case(
        case,
        {
            "expected_costs": context.expected_costs(probabilities),
            "decision_1based": (context.cheapest(probabilities) + 1).tolist(),
        },
    )


def test_metacost_relabelling():
    example = EXAMPLES["metacost_relabel_rule"]
    context = OperatingContext.multiclass(np.transpose(example["C_rows_pred_cols_true"]))
    assert context.cheapest(example["P"]).tolist() == example["relabel"]
    np.testing.assert_allclose(context.expected_costs(example["P"]), example["expected_costs"], rtol=1e-12)


def test_weka_credit_cost():
    example = EXAMPLES["weka_creditg_cost"]
    # credit-g has 700 good and 300 bad customers; 183 bad were called good at 5, 112 good called bad at 1.
    context = OperatingContext.multiclass([[0, 1], [5, 0]])
    confusion = [[700 - 112, 112], [183, 300 - 183]]
    assert context.expected_cost(confusion) == pytest.approx(example["mean_cost"], rel=1e-12)
    assert context.expected_cost(confusion, per=1000) == pytest.approx(example["total_cost"], rel=1e-12)


def test_multiclass_of_two_classes_is_the_binary_context():
    binary = OperatingContext(prevalence=0.2, cost_fp=3, cost_fn=7, cost_tp=1, cost_tn=0.5)
    several = OperatingContext.multiclass(binary.cost_matrix, [0.8, 0.2])
    assert several.expected_cost([[80, 20], [10, 40]]) == pytest.approx(binary.expected_cost(0.2, 0.8))
    np.testing.assert_allclose(several.always(), [binary.expected_cost(0, 0), binary.expected_cost(1, 1)])
    p = np.linspace(0, 1, 101)
    answers = several.cheapest(np.stack([1 - p, p], axis=1))
    assert (answers == (p > binary.threshold)).all()


def test_labelled_cost_matrices():
    labelled = OperatingContext.multiclass({"b": {"b": 0, "a": 5}, "a": {"b": 1, "a": 0}}, {"a": 0.3, "b": 0.7})
    assert labelled.classes == ("b", "a")
    assert labelled.cost_matrix.tolist() == [[0, 5], [1, 0]]
    assert labelled.priors.tolist() == [0.7, 0.3]
    ordered = OperatingContext.multiclass({"b": {"b": 0, "a": 5}, "a": {"b": 1, "a": 0}}, classes=["a", "b"])
    assert ordered.cost_matrix.tolist() == [[0, 1], [5, 0]]
    import pandas as pd

    frame = pd.DataFrame([[0, 1], [5, 0]], index=["a", "b"], columns=["a", "b"])
    assert OperatingContext.multiclass(frame) == ordered
    assert isinstance(ordered, MulticlassContext)
    assert hash(OperatingContext.multiclass(frame)) == hash(ordered)
    assert ordered != labelled


@pytest.mark.parametrize(
    ("matrix", "priors", "message"),
    [
        ([[0, 1]], None, "must be square"),
        ([[0, 1], [np.nan, 0]], None, "finite"),
        ([[2, 1], [1, 0]], None, "for true class 0, the right answer costs 2, more than the wrong answer 1"),
        ([[1, 1], [1, 1]], None, "nothing to decide"),
        ([[0, 1], [1, 0]], [0.5, 0.6], "sum to 1"),
        ([[0, 1], [1, 0]], [1.0], "2 proportions"),
        ({"a": {"a": 0}}, {"b": 1}, "square"),
        ({"a": {"a": 0, "b": 1}, "b": {"b": 0}}, None, "no entry for the class 'a'"),
    ],
)
def test_unreasonable_cost_matrices_are_refused(matrix, priors, message):
    with pytest.raises(ParameterError, match=message):
        OperatingContext.multiclass(matrix, priors)


def test_multiclass_cost_needs_every_class():
    context = OperatingContext.multiclass([[0, 1], [1, 0]], [0.5, 0.5])
    with pytest.raises(EvidenceError, match="number 1 was never observed"):
        context.expected_cost([[3, 1], [0, 0]])
    with pytest.raises(EvidenceError, match="2 × 2 counts"):
        context.expected_cost([[3, 1, 0], [0, 0, 0]])


@pytest.mark.parametrize("context", [{"prevalence": 0, "cost_fp": 0}, {"prevalence": 1, "cost_fn": 0}])
@pytest.mark.parametrize("asked", ["slope", "pc"])
def test_nothing_at_stake_is_said_not_nan(context, asked):
    with pytest.raises(ParameterError, match="no error costs anything"):
        getattr(OperatingContext(**context), asked)
    with pytest.raises(ParameterError, match="no error costs anything"):
        OperatingContext(**context).threshold_on(0.5)


def test_a_flat_mapping_of_costs_says_what_to_write():
    with pytest.raises(ParameterError, match=r"a mapping for every true class.*Hint: {'no'"):
        OperatingContext.multiclass({("no", "yes"): 1, ("yes", "no"): 5})
