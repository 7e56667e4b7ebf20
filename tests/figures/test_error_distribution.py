"""Shares of rows within any distance of the truth."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.evidence import Predictions
from bakeoff.figures import error_distribution_figure


def test_curves_are_the_empirical_shares(values: Predictions) -> None:
    figure = error_distribution_figure(values)
    rows = values.table()
    for curve in figure.curves:
        error = np.abs(rows.values(curve["model"]) - rows.truth)
        for x, share in zip(curve["error"], curve["share"], strict=True):
            assert share == pytest.approx(np.mean(error <= x * (1 + 1e-4)), abs=2e-3)
        assert curve["error"][0] == 0
        assert curve["error"][-1] == pytest.approx(figure.largest, rel=1e-4)


def test_weights_count() -> None:
    p = Predictions.from_arrays([0.0, 0.0], y_value={"m": [1.0, 2.0]}, sample_weight=[3.0, 1.0])
    (curve,) = error_distribution_figure(p).curves
    assert dict(zip(curve["error"], curve["share"], strict=True))[1.0] == 0.75
