"""What the application makes of a dropped table before the user confirms it."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from bakeoff.app._uploads import evidence_of, guess
from bakeoff.evidence import Predictions, Scores


def table(**more: object) -> pl.DataFrame:
    rng = np.random.default_rng(0)
    return pl.DataFrame({"rf": rng.random(40), "nb": rng.random(40), **more})


def test_a_named_truth_is_found() -> None:
    found = guess(table(y_true=[0, 1] * 20, fold=[0, 1, 2, 3] * 10))
    assert (found["mode"], found["truth"], found["fold"], found["positive"]) == ("predictions", "y_true", "fold", "1")
    assert found["roles"] == {"rf": "score", "nb": "score"}


def test_a_column_of_classes_is_the_truth_whatever_its_name() -> None:
    found = guess(table(tumour=["malignant", "benign"] * 20))
    assert (found["truth"], found["positive"], found["classes"]) == ("tumour", "malignant", ["benign", "malignant"])


def test_names_of_data_sets_are_not_classes() -> None:
    found = guess(table(problem=[f"d{i}" for i in range(40)]))
    assert (found["mode"], found["dataset"], found["models"]) == ("scores", "problem", ["rf", "nb"])
    assert guess(table(which=[f"d{i}" for i in range(40)]))["mode"] == "scores"


def test_labels_are_told_from_scores() -> None:
    found = guess(table(truth=["a", "b"] * 20, svm=["a", "a", "b", "b"] * 10))
    assert found["roles"] == {"rf": "score", "nb": "score", "svm": "pred"}


def test_no_positive_class_is_offered_unless_its_word_says_so() -> None:
    assert guess(table(truth=["north", "south"] * 20))["positive"] is None


@pytest.mark.parametrize("kind", ["predictions", "scores"])
def test_a_confirmed_guess_makes_evidence(kind: str) -> None:
    given = table(truth=[0, 1] * 20) if kind == "predictions" else table(dataset=[f"d{i}" for i in range(40)])
    made = evidence_of("file.csv", given, guess(given))
    assert isinstance(made, Predictions if kind == "predictions" else Scores)
    assert list(made.models) == ["rf", "nb"]
