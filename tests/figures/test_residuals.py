"""Residuals along the prediction."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.evidence import Predictions
from bakeoff.figures import residuals_figure


def test_a_bias_moves_the_line_and_noise_widens_the_band(values: Predictions) -> None:
    near = residuals_figure(values, "near")
    assert np.mean(near.middle["median"]) == pytest.approx(-3, abs=0.5)
    width = np.mean(np.subtract(near.middle["high"], near.middle["low"]))
    assert width == pytest.approx(2 * 1.2816 * 5, rel=0.1)
    far = residuals_figure(values, "far")  # 0.8 of the truth: what is left grows with the prediction
    assert np.allclose(np.array(far.middle["median"]), 0.25 * np.array(far.middle["x"]), rtol=0.02)


def test_few_rows_make_one_group() -> None:
    truth = np.arange(7.0)
    figure = residuals_figure(Predictions.from_arrays(truth, y_value={"m": truth + 1}), "m")
    assert figure.middle == {"x": [4.0], "low": [-1.0], "median": [-1.0], "high": [-1.0]}
