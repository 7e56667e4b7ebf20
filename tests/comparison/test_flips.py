"""Flips: counts, items, interval and equivalence against R and 50-digit arithmetic; what cannot flip is refused."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions
from oracle import assert_case, cases


@pytest.mark.parametrize("case", cases("flips"), ids=lambda case: case["id"])
def test_flips_against_r_and_brute_force(case) -> None:
    given = case["input"]
    outcomes = {"was": given["correct_before"], "now": given["correct_after"]}
    evidence = Predictions.from_outcomes(outcomes, slices={"slice": given["slice"]})
    found = bakeoff.flips(evidence, "was", "now", margin=given["margin"], by="slice")
    narrow = bakeoff.flips(evidence, "was", "now", confidence_level=0.9)
    assert_case(
        case,
        {
            "both_right": found.both_right, "right_to_wrong": found.lost, "wrong_to_right": found.gained,
            "both_wrong": found.both_wrong, "flip_rate": found.flip_rate,
            "difference_after_minus_before": found.estimate, "ci95_tango": [found.low, found.high],
            "ci90_tango": [narrow.low, narrow.high],
            "equivalent_within_margin_tost_5pct_tango": found.equivalent,
            "items_right_to_wrong_1based": [i + 1 for i in found.lost_items],
            "items_wrong_to_right_1based": [i + 1 for i in found.gained_items],
        },
    )  # fmt: skip
    cut = found.slices.to_frame(backend="polars").select("slice", "n", "lost", "gained").rows()
    assert cut == [tuple(row.values()) for row in case["expected"]["by_slice"]]
    chi2 = bakeoff.stats.mcnemar(given["correct_after"], given["correct_before"], method="chi2").pvalue
    assert found.pvalue == pytest.approx(max(case["expected"]["p_mcnemar_midp"], chi2), rel=1e-9)
    assert narrow.equivalent is None


def test_graded_outcomes_need_a_threshold() -> None:
    evidence = Predictions.from_outcomes({"was": [0.2, 0.9, 0.5, 1.0], "now": [0.6, 0.4, 0.5, 1.0]})
    with pytest.raises(EvidenceError, match="threshold"):
        bakeoff.flips(evidence, "was", "now")
    found = bakeoff.flips(evidence, "was", "now", threshold=0.5)
    assert (found.lost_items, found.gained_items) == ((1,), (0,))


def test_labels_and_scores_flip_too() -> None:
    truth = np.array([0, 1, 1, 0])
    evidence = Predictions.from_arrays(truth, y_score={"was": [0.1, 0.9, 0.2, 0.6], "now": [0.4, 0.4, 0.8, 0.1]})
    found = bakeoff.flips(evidence, "was", "now")
    assert (found.lost_items, found.gained_items) == ((1,), (2, 3))
    assert bakeoff.flips(evidence, "was", "now", threshold=0.35).lost_items == (0,)


def test_mistakes_are_told() -> None:
    evidence = Predictions.from_outcomes({"was": [1, 0], "now": [1, 1]})
    with pytest.raises(ParameterError, match="must differ"):
        bakeoff.flips(evidence, "was", "was")
    with pytest.raises(ParameterError, match="margin"):
        bakeoff.flips(evidence, "was", "now", margin=0)
    values = Predictions.from_arrays([1.5, 2.5, 3.5], y_value={"was": [1, 2, 3], "now": [1, 2, 4]})
    with pytest.raises(EvidenceError, match="right or wrong"):
        bakeoff.flips(values, "was", "now")


def test_the_verdict_names_what_changed() -> None:
    right = {"full": [1, 1, 0, 1, 1, 0, 1, 1] * 25, "quantised": [1, 1, 0, 1, 1, 0, 1, 1] * 24 + [0] * 4 + [1] * 4}
    found = bakeoff.flips(Predictions.from_outcomes(right), "full", "quantised", margin=0.01)
    assert found.verdict.startswith(f"Of 200 items quantised lost {found.lost} that full had right and gained 1")
    assert "was not shown" in found.verdict
    assert found.to_dict()["verdict"] == found.verdict


def test_scores_are_refused_with_a_sentence():
    scores = bakeoff.Scores.from_wide([[0.8, 0.7], [0.9, 0.8]], models=["a", "b"], measure="accuracy")
    with pytest.raises(bakeoff.EvidenceError, match="item by item"):
        bakeoff.flips(scores, "a", "b")


def test_the_verdict_is_printed_once():
    right = {"before": [1, 1, 0, 1, 0, 1], "after": [1, 0, 0, 1, 1, 1]}
    found = bakeoff.flips(bakeoff.Predictions.from_outcomes(right), "before", "after")
    assert " ".join(str(found).split()).count("changed sides") == 1
