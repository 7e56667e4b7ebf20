"""Laws that every measure of the catalogue keeps: replication, order, renaming, merging, bounds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import bakeoff
from bakeoff import Predictions, measures

ALL = [m for m in measures.catalogue().measures if m.needs not in ("times", "outcomes", "sums", "attempts")]
IDS = [m.name for m in ALL]


def make(measure, seed, n=24):
    """Truth and output of the kind the measure needs, from a seed; ties and rare classes are common."""
    rng = np.random.default_rng(seed)
    if measure.needs == "values":
        truth = np.round(rng.normal(size=n), 1) + 3
        return truth, truth + np.round(rng.normal(size=n), 1), None
    k = 2 if measure.needs_positive or measure.needs == "scores" else int(rng.integers(2, 4))
    classes = list(range(k))
    truth = np.concatenate([classes, rng.integers(0, k, n - k)])
    if measure.needs == "labels":
        return truth, np.concatenate([classes, rng.integers(0, k, n - k)]), classes
    if measure.needs == "scores" or k == 2:
        return truth, np.round(rng.random(n), 1), classes
    table = rng.dirichlet(np.ones(k), n)
    return truth, table, classes


def value(measure, truth, output, classes, **extra):
    return measure(truth, output, **({} if classes is None else {"labels": classes}), **extra)


def same(a, b):
    return (np.isnan(a) and np.isnan(b)) or a == pytest.approx(b, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("measure", ALL, ids=IDS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_weights_are_replication(measure, seed):
    truth, output, classes = make(measure, seed)
    weight = np.random.default_rng(seed + 1).integers(1, 4, len(truth))
    repeated = value(measure, np.repeat(truth, weight), np.repeat(output, weight, axis=0), classes)
    assert same(value(measure, truth, output, classes, sample_weight=weight), repeated)


@pytest.mark.parametrize("measure", ALL, ids=IDS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_row_order_does_not_matter(measure, seed):
    truth, output, classes = make(measure, seed)
    order = np.random.default_rng(seed).permutation(len(truth))
    assert same(value(measure, truth, output, classes), value(measure, truth[order], output[order], classes))


@pytest.mark.parametrize("measure", [m for m in ALL if m.needs != "values"], ids=lambda m: m.name)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_names_of_labels_do_not_matter(measure, seed):
    truth, output, classes = make(measure, seed)
    names = np.array(["ant", "bee", "cat"])[: len(classes)]
    renamed = names[output] if measure.needs == "labels" else output
    # Only binary tasks have an implied positive class (1); it must be named once the labels are words.
    extra = {"pos_label": "bee"} if len(classes) == 2 else {}
    assert same(value(measure, truth, output, classes), value(measure, names[truth], renamed, list(names), **extra))


@pytest.mark.parametrize("measure", ALL, ids=IDS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_bounds_are_respected(measure, seed):
    truth, output, classes = make(measure, seed)
    got = value(measure, truth, output, classes)
    low, high = measure.bounds
    assert np.isnan(got) or low - 1e-12 <= got <= high + 1e-12


@pytest.mark.parametrize("measure", [m for m in ALL if m.needs == "scores"], ids=lambda m: m.name)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_ranking_measures_see_only_the_order_of_scores(measure, seed):
    truth, score, classes = make(measure, seed)
    assert same(value(measure, truth, score, classes), value(measure, truth, np.exp(3 * score) - 7, classes))


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), cut=st.integers(1, 59))
def test_counts_of_the_merge_are_the_merge_of_counts(seed, cut):
    rng = np.random.default_rng(seed)
    truth = np.concatenate([[0, 1], rng.integers(0, 2, 58)])
    score = {"a": np.round(rng.random(60), 1), "b": np.round(rng.random(60), 1)}
    labels = {m: (s > 0.5).astype(int) for m, s in score.items()}

    def table(rows):
        return Predictions.from_arrays(
            truth[rows],
            y_score={m: s[rows] for m, s in score.items()},
            y_pred={m: s[rows] for m, s in labels.items()},
            classes=[0, 1],
        ).table()

    whole, first, second = table(slice(None)), table(slice(0, cut)), table(slice(cut, None))
    assert np.array_equal((first.confusion("a") + second.confusion("a")).cells, whole.confusion("a").cells)
    tally = first.tally("a") + second.tally("a")
    expected = whole.tally("a")
    assert np.array_equal(tally.scores, expected.scores)
    assert np.array_equal(tally.positive, expected.positive)
    assert np.array_equal(tally.negative, expected.negative)


@pytest.mark.parametrize("measure", ALL, ids=IDS)
@settings(max_examples=4, deadline=None)
@example(seed=75317)  # a partial AUC at its floor
@given(seed=st.integers(0, 2**32 - 1))
@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_interval_holds_its_estimate_and_widens_with_the_level(measure, seed):
    truth, output, classes = make(measure, seed, n=40)
    kind = {"labels": "y_pred", "values": "y_value"}.get(measure.needs, "y_score")
    predictions = Predictions.from_arrays(truth, **{kind: {"m": output}}, classes=classes)
    narrow, wide = (
        bakeoff.evaluate(predictions, [measure], confidence_level=level, n_resamples=200, rng=1)["m", measure.name]
        for level in (0.8, 0.95)
    )
    if np.isnan(narrow.low) or np.isnan(wide.low):
        assert narrow.notes or wide.notes
        return
    assert narrow.low <= narrow.estimate <= narrow.high
    assert wide.low <= narrow.low + 1e-12
    assert wide.high >= narrow.high - 1e-12
    assert measure.bounds[0] <= wide.low
    assert wide.high <= measure.bounds[1]
