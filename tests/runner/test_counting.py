"""Counts of a store, file by file, are the counts of its rows."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from troublemakers import Mean, Plain, data

from bakeoff import EvidenceError, ParameterError, run
from bakeoff.protocols import KFold
from bakeoff.runner._counting import scores_by_counting


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    store = tmp_path_factory.mktemp("counted") / "s"
    return run({"mean": Mean(), "nb": GaussianNB()}, {"d": data(), "e": data(50, 3)}, KFold(4, repeats=2), store=store)


def test_merged_counts_are_those_of_the_rows(results):
    confusion, tally = results.counts(), results.counts("tally")
    for dataset in results.datasets:
        rows = results.predictions(dataset).table()
        for model in results.models:
            assert np.array_equal(confusion[dataset, model].cells, rows.confusion(model).cells)
            expected = rows.tally(model)
            assert np.array_equal(tally[dataset, model].scores, expected.scores)
            assert np.array_equal(tally[dataset, model].positive, expected.positive)


@pytest.mark.parametrize("measure", ["accuracy", "f1", "auc", "average_precision"])
def test_scores_by_counting_are_the_scores(results, measure):
    expected, got = results.scores(measure), scores_by_counting(results, measure)
    assert got.models == expected.models
    for dataset in results.datasets:
        np.testing.assert_allclose(got.cells[dataset], expected.cells[dataset], rtol=1e-12)
    assert got.design.kind == expected.design.kind


def test_large_results_are_scored_by_counting(results, monkeypatch):
    expected = results.scores("auc")
    monkeypatch.setattr("bakeoff.runner._results.IN_MEMORY", 10)
    monkeypatch.setattr(type(results), "_evidence", lambda *a: pytest.fail("rows were read"))
    monkeypatch.setattr("bakeoff.evidence._on_demand.RowsOnDemand.load", lambda *a: pytest.fail("rows were loaded"))
    got = results.scores("auc")
    np.testing.assert_allclose(got.matrix(), expected.matrix(), rtol=1e-12)


def test_a_measure_that_cannot_be_had_says_why(tmp_path):
    made = run({"plain": Plain()}, data(), KFold(3), store=tmp_path / "s")
    with pytest.raises(EvidenceError, match="auc cannot be computed on 'data': it needs scores of model 'plain'"):
        scores_by_counting(made, "auc")


def test_an_undefined_number_has_its_reason(tmp_path):
    X, y = data(40)
    one_class = [(np.arange(20), np.flatnonzero(y[20:] == 0) + 20), (np.arange(20), np.arange(20, 40))]
    made = run({"mean": Mean()}, (X, y), one_class, store=tmp_path / "s")
    scores = scores_by_counting(made, "auc")
    assert np.isnan(scores.cells["data"]).tolist() == [[True], [False]]
    assert [n.code for n in scores.notes] == ["undefined"]


def test_a_measure_that_is_no_function_of_counts_says_so(results):
    with pytest.raises(ParameterError, match="mse is not a function of counts"):
        scores_by_counting(results, "mse")
    with pytest.raises(ParameterError, match="kind must be one of 'confusion', 'tally'"):
        results.counts("tallies")


def test_a_compacted_store_counts_the_same(tmp_path):
    made = run({"mean": Mean()}, data(), KFold(4), store=tmp_path / "s")
    before = made.counts()["data", "mean"].cells
    made.compact()
    assert np.array_equal(made.counts()["data", "mean"].cells, before)
    assert scores_by_counting(made, "accuracy").cells["data"].shape == (4, 1)
