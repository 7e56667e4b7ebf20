from __future__ import annotations

import numpy as np
import pytest

from bakeoff.evidence import Predictions
from bakeoff.figures import confusion_figure


def test_counts_and_shares_of_rows(predictions: Predictions) -> None:
    figure = confusion_figure(predictions, "a")
    assert np.array(figure.counts) == pytest.approx(predictions.table().confusion("a").cells)
    assert np.array(figure.rates).sum(axis=1) == pytest.approx([1, 1])


def test_a_class_without_rows_has_no_shares() -> None:
    predictions = Predictions.from_arrays(
        ["x", "y"] * 10, y_pred={"a": ["x", "y", "z", "y"] * 5}, classes=["x", "y", "z"]
    )
    figure = confusion_figure(predictions, "a")
    assert figure.classes == ("x", "y", "z")
    assert figure.rates[2] == (None, None, None)


def test_a_threshold_chosen_on_the_rows_is_told(predictions: Predictions) -> None:
    model = predictions.models[0]
    assert "also chose the threshold" not in confusion_figure(predictions, model).caption
    assert "also chose the threshold" in confusion_figure(predictions, model, threshold=0.3).caption
