"""Wilson's rule by its definition, and how it differs from imbalanced-learn's."""

from __future__ import annotations

import imblearn.utils.estimator_checks as sampler_checks
import numpy as np
import pandas as pd
import polars as pl
import pytest
from imblearn.under_sampling import EditedNearestNeighbours
from scipy import sparse
from scipy.spatial.distance import cdist

from bakeoff import BakeoffWarning, EvidenceError, ParameterError
from bakeoff.learners import WilsonEditing


def by_definition(X, y, k):
    """Keep a row unless another class has more of its k nearest other rows than its own class."""
    distance = cdist(X, X)
    np.fill_diagonal(distance, np.inf)
    keep = []
    for i in range(len(y)):
        votes = dict.fromkeys(set(y), 0)
        for j in np.argsort(distance[i])[:k]:
            votes[y[j]] += 1
        keep.append(votes[y[i]] == max(votes.values()))
    return np.flatnonzero(keep)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = rng.choice(["a", "b", "c"], size=240, p=[0.6, 0.3, 0.1])
    centres = {"a": 0.0, "b": 1.2, "c": 2.0}
    return rng.normal(size=(240, 3)) + np.array([centres[label] for label in y])[:, None], y


@pytest.mark.parametrize("k", [1, 3, 4, 7])
def test_the_rule_by_its_definition(k, data):
    X, y = data
    editing = WilsonEditing(n_neighbors=k)
    kept, labels = editing.fit_resample(X, y)
    expected = by_definition(X, y, k)
    np.testing.assert_array_equal(editing.sample_indices_, expected)
    np.testing.assert_array_equal(kept, X[expected])
    np.testing.assert_array_equal(labels, y[expected])
    assert 0 < len(expected) < len(y)


def test_imbalanced_learns_default_is_another_rule(data):
    X, y = data
    ours, _ = WilsonEditing().fit_resample(X, y)
    theirs, labels = EditedNearestNeighbours().fit_resample(X, y)
    assert len(theirs) < len(ours)  # one contradicting neighbour is enough there
    assert (labels == "c").sum() == (y == "c").sum()  # and the smallest class is not edited


def test_imbalanced_learns_mode_rule_agrees_where_nothing_ties():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, size=200)
    X = rng.normal(size=(200, 2)) + y[:, None]
    editing = EditedNearestNeighbours(kind_sel="mode", sampling_strategy="all").fit(X, y)
    editing.fit_resample(X, y)
    ours = WilsonEditing()
    ours.fit_resample(X, y)
    np.testing.assert_array_equal(ours.sample_indices_, np.sort(editing.sample_indices_))


def test_a_tied_vote_keeps_the_row():
    # Row 0's neighbours are one of each class: no class has more votes than its own. The lower label wins there.
    X = np.array(
        [[0.0], [1.0], [1.1], [1.2], [50], [51], [52], [53], [90], [91], [92], [93], [-30], [-31], [-32], [-33]]
    )
    y = np.array([2, 0, 1, 2, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
    ours = WilsonEditing()
    ours.fit_resample(X, y)
    assert 0 in ours.sample_indices_
    theirs = EditedNearestNeighbours(kind_sel="mode", sampling_strategy="all")
    theirs.fit_resample(X, y)
    assert 0 not in theirs.sample_indices_


def test_a_row_does_not_vote_for_itself_even_when_it_has_a_twin():
    # Three twins "a" and a stray "b" among them: with k = 3 the stray's voters are the three, whatever the sort order.
    X = np.array([[0.0], [0.0], [0.0], [0.0], [9.0], [9.1], [9.2], [9.3]])
    y = np.array(["a", "b", "a", "a", "b", "b", "b", "b"])
    editing = WilsonEditing()
    editing.fit_resample(X, y)
    assert editing.sample_indices_.tolist() == [0, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("strategy", "edited"),
    [("not minority", ["a", "b"]), ("majority", ["a"]), (["c"], ["c"]), ("all", ["a", "b", "c"])],
)
def test_only_the_chosen_classes_are_edited(strategy, edited, data):
    X, y = data
    everything = set(by_definition(X, y, 3))
    editing = WilsonEditing(sampling_strategy=strategy)
    editing.fit_resample(X, y)
    assert editing.sampling_strategy_ == edited
    spared = {i for i in range(len(y)) if y[i] not in edited}
    assert set(editing.sample_indices_) == everything | spared


def test_a_class_is_never_wiped_out():
    X, y = np.arange(10.0)[:, None], np.array(["a"] * 9 + ["b"])
    with pytest.warns(BakeoffWarning, match="every row of the class 'b'"):
        _, labels = WilsonEditing().fit_resample(X, y)
    assert labels.tolist() == y.tolist()


def test_rows_come_back_as_they_came(data):
    X, y = data
    kept = by_definition(X, y, 3)
    table = pd.DataFrame(X, columns=["p", "q", "r"], index=np.arange(1000, 1240))
    edited, labels = WilsonEditing().fit_resample(table, pd.Series(y, index=table.index))
    pd.testing.assert_frame_equal(edited, table.iloc[kept])
    assert labels.index.equals(edited.index)
    frame, series = WilsonEditing().fit_resample(pl.DataFrame(X, schema=["p", "q", "r"]), pl.Series(y))
    assert isinstance(frame, pl.DataFrame)
    assert isinstance(series, pl.Series)
    np.testing.assert_array_equal(frame.to_numpy(), X[kept])
    thin, _ = WilsonEditing().fit_resample(sparse.csr_matrix(X), y)
    np.testing.assert_array_equal(thin.toarray(), X[kept])


# Not among them: checks of one-hot targets, of text and NaN in X (editing needs distances), and of a tag that only
# imbalanced-learn's own samplers have (sample_indices_ is checked above).
SAMPLER_CHECKS = [
    "check_target_type", "check_samplers_one_label", "check_samplers_fit", "check_samplers_fit_resample",
    "check_samplers_sampling_strategy_fit_resample", "check_samplers_sparse", "check_samplers_pandas",
    "check_samplers_pandas_sparse", "check_samplers_list", "check_samplers_preserve_dtype", "check_samplers_2d_target",
    "check_sampler_get_feature_names_out", "check_sampler_get_feature_names_out_pandas",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:A column-vector y was passed")
@pytest.mark.parametrize("name", SAMPLER_CHECKS)
def test_imbalanced_learns_sampler_checks(name):
    getattr(sampler_checks, name)("WilsonEditing", WilsonEditing())


def test_mistakes_are_said_plainly(data):
    X, y = data
    with pytest.raises(ParameterError, match="must be one of 'all', 'not minority', 'majority'"):
        WilsonEditing(sampling_strategy="minority").fit_resample(X, y)
    with pytest.raises(ParameterError, match="names 'z'"):
        WilsonEditing(sampling_strategy=["z"]).fit_resample(X, y)
    with pytest.raises(EvidenceError, match="needs more than 3 rows"):
        WilsonEditing().fit_resample(X[:3], ["a", "b", "a"])
    with pytest.raises(ParameterError, match="n_neighbors must be a whole number"):
        WilsonEditing(n_neighbors=0).fit_resample(X, y)
