"""What is not an array of the right kind is refused in a sentence, never by NumPy's own error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff import EvidenceError
from bakeoff.stats import (
    auc,
    bootstrap_interval,
    cluster_t,
    cochran_q,
    corrected_t,
    cost_envelope,
    delong_many,
    delong_test,
    mcnemar,
    mcnemar_from_table,
    roc_hull,
)

TRUTH, A, B = [0, 1, 0, 1, 1, 0], [1.0, 3.0, 2.0, 5.0, 4.0, 7.0], [2.0, 3.0, 1.0, 4.0, 4.0, 9.0]
RAGGED = [[1, 2], [3]]


@pytest.mark.parametrize("bad", [["a", "b", "c", "d", "e", "f"], RAGGED, {"a": 1}, [1j] * 6])
@pytest.mark.parametrize(
    "call",
    [
        lambda bad: bootstrap_interval(0.5, bad, method="percentile"),
        lambda bad: bootstrap_interval(bad, [1, 2, 3], method="normal"),
        lambda bad: bootstrap_interval(0.5, [0.1, 0.5, 0.9], method="bca", acceleration=bad),
        lambda bad: cost_envelope([0.1, 0.3], [0.5, 0.6], bad),
        lambda bad: corrected_t(A, B, n_train=bad, n_test=10),
        lambda bad: auc(TRUTH, A, sample_weight=bad),
        lambda bad: roc_hull(bad, bad),
        lambda bad: mcnemar(bad, [1, 0, 1, 0, 1, 1]),
        mcnemar_from_table,
        cochran_q,
    ],
)
def test_refused_in_a_sentence(call: Any, bad: Any) -> None:
    with pytest.raises(EvidenceError, match=r"must be"):
        call(bad)


@pytest.mark.parametrize("labels", [[0, None, 1, 1, 0, 1], [0.0, np.nan, 1, 1, 0, 1], ["n", None, "y", "y", "n", "y"]])
def test_missing_labels_and_clusters_are_located(labels: Any) -> None:
    with pytest.raises(EvidenceError, match=r"y_true must not have missing values.*row 1"):
        auc(labels, A)
    with pytest.raises(EvidenceError, match=r"groups must not have missing values.*row 1"):
        cluster_t(A, B, groups=labels)
    with pytest.raises(EvidenceError, match=r"groups must not have missing values.*row 1"):
        delong_test(TRUTH, A, B, groups=labels)


def test_objects_that_hold_plain_values_are_those_values() -> None:
    assert auc(np.array(TRUTH, dtype=object), A) == auc(TRUTH, A)
    right = np.array([True, False, True, True, False, True], dtype=object)
    assert mcnemar(right, TRUTH).pvalue == mcnemar(right.astype(bool), TRUTH).pvalue


def test_mixed_labels_are_named_in_the_error() -> None:
    with pytest.raises(EvidenceError, match="positive class of y_true is not clear: found 1, 'a'"):
        auc(np.array([1, "a", 1, "a", 1, 1], dtype=object), A)


def test_no_replicate_at_all() -> None:
    with pytest.raises(EvidenceError, match="at least 2"):
        bootstrap_interval(0.5, [], method="percentile")


def test_infinite_replicates_keep_their_place_in_the_order() -> None:
    draws = [*range(1, 98), np.inf, np.inf, np.inf]
    found = bootstrap_interval(50, draws, method="percentile", confidence_level=0.9)
    assert (found.low, found.high) == (pytest.approx(5.95), pytest.approx(95.05))
    assert bootstrap_interval(50, draws, method="bca", confidence_level=0.98).high == np.inf
    assert [n.code for n in found.notes] == ["infinite-replicates"]
    with pytest.raises(EvidenceError, match="3 of 100 are infinite"):
        bootstrap_interval(50, draws, method="normal")


def test_variances_that_cancel_are_not_evidence() -> None:
    """Two models rank alike, the third at a constant gap: rounding noise gave chi-square 8e15 and p = 0."""
    scores = np.column_stack([range(6), range(6), [1, 0, 3, 2, 5, 4]])
    result = delong_many([0, 1] * 3, scores)
    assert np.isnan(result.pvalue)
    assert "auc-variance-zero" in [n.code for n in result.notes]
