"""Many weightings in one call give what each gives alone, and what the definitions give."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import median_absolute_error, roc_auc_score

from bakeoff.counts import Sample
from bakeoff.measures import get


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(7)


def hand_till_by_pairs(truth, table, weight):
    """The definition: the mean over ordered pairs of classes of one AUC each, rows counted `weight` times."""
    present = [c for c in range(table.shape[1]) if weight[truth == c].sum() > 0]
    areas = []
    for i in present:
        for j in present:
            if i != j:
                rows = np.isin(truth, (i, j)) & (weight > 0)
                areas.append(roc_auc_score(truth[rows] == i, table[rows, i], sample_weight=weight[rows]))
    return np.mean(areas) if areas else np.nan


@pytest.mark.parametrize("decimals", [1, 8], ids=["ties", "no ties"])
def test_hand_till_of_many_weightings_is_the_mean_over_pairs(rng, decimals):
    truth = np.array([0] * 12 + [1] * 10 + [2] * 8 + [3] * 2)
    table = np.round(rng.dirichlet(np.ones(4), truth.size), decimals)
    weights = rng.multinomial(truth.size, np.full(truth.size, 1 / truth.size), size=40).astype(float)
    weights[0, truth != 1] = 0.0  # one class only: undefined
    weights[1, truth == 3] = 0.0  # a class that is not drawn
    measure = get("hand_till_auc")
    sample = Sample(truth, table, classes=(0, 1, 2, 3))
    found = measure.value(sample, weights)
    assert np.isnan(found[0])
    np.testing.assert_allclose(found[1:], [hand_till_by_pairs(truth, table, w) for w in weights[1:]], rtol=1e-12)


def test_hand_till_of_plain_rows_is_scikit_learns(rng):
    truth, table = rng.integers(0, 3, 200), rng.dirichlet(np.ones(3), 200)
    expected = roc_auc_score(truth, table, multi_class="ovo", average="macro")
    assert get("hand_till_auc")(truth, table, labels=[0, 1, 2]) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", ["median_absolute_error", "relative_absolute_error"])
def test_errors_of_many_weightings_are_those_of_repeated_rows(rng, name):
    truth, output = rng.normal(size=30), rng.normal(size=30)
    weights = rng.multinomial(30, np.full(30, 1 / 30), size=25).astype(float)
    measure = get(name)
    repeated = [np.repeat(np.arange(30), w.astype(int)) for w in weights]
    expected = [measure(truth[r], output[r]) for r in repeated]
    np.testing.assert_allclose(measure.value(Sample(truth, output), weights), expected, rtol=1e-12)


def test_median_of_even_and_odd_numbers_of_rows(rng):
    for n in (1, 2, 7, 8):
        truth, output = rng.normal(size=n), rng.normal(size=n)
        expected = median_absolute_error(truth, output)
        assert get("median_absolute_error")(truth, output) == pytest.approx(expected, rel=1e-14)
