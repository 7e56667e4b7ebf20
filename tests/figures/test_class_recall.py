"""Recall of each class."""

from __future__ import annotations

import pytest

import bakeoff
from bakeoff.evidence import Predictions
from bakeoff.figures import class_recall_figure


def test_rows_are_those_of_the_evaluation_class_by_class(classes: Predictions) -> None:
    evaluation = bakeoff.evaluate(classes, ["accuracy"], baselines=True, rng=0)
    figure = class_recall_figure(evaluation)
    assert [r["model"] for r in figure.rows] == ["near", "far"] * 3
    cells = evaluation.confusion["near"].cells
    for place, row in enumerate(figure.rows[::2]):
        assert row["estimate"] == pytest.approx(cells[place, place] / cells[place].sum())
        assert row["low"] < row["estimate"] < row["high"]
        assert f"n = {cells[place].sum():g}" in row["label"]
    assert len(class_recall_figure(evaluation, ["far"]).rows) == 3
