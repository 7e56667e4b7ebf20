from __future__ import annotations

import pytest

from bakeoff.evidence import Predictions
from bakeoff.figures import score_distribution_figure


def test_shares_of_each_class_add_up(predictions: Predictions) -> None:
    figure = score_distribution_figure(predictions, "a", bins=20, threshold=0.5)
    assert sum(figure.positive) == pytest.approx(1, abs=1e-3)
    assert sum(figure.negative) == pytest.approx(1, abs=1e-3)
    assert len(figure.edges) == 21
    assert (figure.positive_name, figure.negative_name, figure.threshold) == ("1", "0", 0.5)
