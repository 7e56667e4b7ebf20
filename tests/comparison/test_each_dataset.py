"""Few data sets with folds or rows: each has its own answer, beside the one over them (doors.md, D37)."""

from __future__ import annotations

import json

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import bakeoff
from bakeoff import ParameterError, Predictions, Scores, compare


@pytest.fixture(scope="module")
def results() -> bakeoff.Results:
    models = {"nb": GaussianNB(), "stump": DecisionTreeClassifier(max_depth=1, random_state=0)}
    data = {"wine": load_wine(return_X_y=True), "iris": load_iris(return_X_y=True)}
    return bakeoff.run(models, data, bakeoff.protocols.KFold(6), progress=False)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_every_data_set_is_answered_from_its_own_folds(results) -> None:
    both = results.compare("accuracy", rng=0)
    assert not both.pairs[0].shown
    assert list(both.by_dataset) == ["iris", "wine"] or list(both.by_dataset) == ["wine", "iris"]
    for name in ("iris", "wine"):
        alone = results.compare("accuracy", datasets=[name], rng=0)
        assert alone.best == "nb"
        assert both.by_dataset[name].pairs[0].estimate == alone.pairs[0].estimate
        assert alone.pairs[0].shown
    told = [str(note.text) for note in both.notes if note.code == "data-set-alone"]
    assert all("nb is better than stump" in text for text in told)
    assert "is better than" not in both.verdict  # the answer over the data sets stays what it is
    json.dumps(both.to_dict(), allow_nan=True)


def test_an_unknown_data_set_is_named(results) -> None:
    with pytest.raises(ParameterError, match="iris"):
        results.compare("accuracy", datasets=["irsi"])


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_scores_without_folds_have_no_answer_of_their_own() -> None:
    table = Scores.from_wide([[0.8, 0.7], [0.9, 0.8]], models=["a", "b"], measure="accuracy")
    assert compare(table).by_dataset == {}


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_rows_of_several_test_sets() -> None:
    truth = np.tile([0, 1], 100)
    wrong = np.where(np.arange(200) % 3 == 0, 1 - truth, truth)
    evidence = Predictions.from_arrays(truth, y_pred={"a": truth, "b": wrong}, dataset=np.repeat(["x", "y"], 100))
    assert {d: c.best for d, c in compare(evidence, "accuracy").by_dataset.items()} == {"x": "a", "y": "a"}
