from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff.stats import average_precision, average_precision_from_tally, precision_recall_curve, tally_scores
from bakeoff.stats.roc import ks_from_tally
from oracle import assert_case, cases, worked_examples


def ks(y, s, sample_weight=None) -> float:
    tally = tally_scores(np.asarray(y, dtype=bool), np.asarray(s, dtype=float), sample_weight)
    return float(ks_from_tally(tally.positives, tally.negatives))


@pytest.mark.parametrize("case", cases("precision_recall"), ids=lambda c: c["id"])
def test_golden_values_from_rocr(case: dict[str, Any]) -> None:
    y, s = case["input"]["y"], case["input"]["score"]
    curve = precision_recall_curve(y, s)
    f1 = 2 * curve.precision * curve.recall / (curve.precision + curve.recall)
    got = {
        "thresholds": curve.thresholds,
        "precision": curve.precision,
        "recall": curve.recall,
        "average_precision_step": average_precision(y, s),
        "max_f1": f1.max(),
        "ks": ks(y, s),
        "lift_top_threshold": curve.precision[0] / curve.prevalence,
    }
    assert_case(case, got)


def test_twenty_instances_ks() -> None:
    e = worked_examples("roc_cost")["fawcett2006_20"]
    assert ks(e["y"], e["score"]) == pytest.approx(e["H_measure"]["KS"])


def test_against_sklearn_with_weights(rng: np.random.Generator) -> None:
    from sklearn.metrics import average_precision_score

    y, s, w = rng.random(80) < 0.3, rng.integers(0, 20, 80) / 7, rng.random(80)
    assert average_precision(y, s, sample_weight=w) == pytest.approx(average_precision_score(y, s, sample_weight=w))


def test_backward_score_has_ks_zero() -> None:
    assert ks([0, 0, 1, 1], [4, 3, 2, 1]) == 0.0


def test_many_tallies_at_once(rng: np.random.Generator) -> None:
    y, s = rng.random(50) < 0.4, rng.integers(0, 9, 50) / 3.0
    t = tally_scores(y, s)
    stack_p, stack_n = np.stack([t.positives, 2 * t.positives]), np.stack([t.negatives, 2 * t.negatives])
    assert average_precision_from_tally(stack_p, stack_n) == pytest.approx([average_precision(y, s)] * 2)
    assert ks_from_tally(stack_p, stack_n) == pytest.approx([ks(y, s)] * 2)
    lead = average_precision_from_tally(np.array([0, 1, 1]), np.array([0, 1, 0]))
    assert lead == pytest.approx(average_precision([1, 0, 1], [2, 2, 1]))
