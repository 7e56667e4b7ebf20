"""Predicted against actual values."""

from __future__ import annotations

import numpy as np

from bakeoff.evidence import Predictions
from bakeoff.figures import predicted_figure


def test_dots_are_rows_and_the_ends_are_among_them(values: Predictions) -> None:
    figure = predicted_figure(values, "near")
    rows = values.table()
    pairs = {(float(f"{p:.6g}"), float(f"{a:.6g}")) for p, a in zip(rows.values("near"), rows.truth, strict=True)}
    drawn = list(zip(figure.predicted, figure.actual, strict=True))
    assert len(drawn) == 600
    assert set(drawn) <= pairs
    assert drawn[0][0] == min(p for p, _ in pairs)
    assert drawn[-1][0] == max(p for p, _ in pairs)
    assert "600 of 1,500 rows" in figure.caption


def test_few_rows_are_all_drawn() -> None:
    truth = np.arange(20.0)
    figure = predicted_figure(Predictions.from_arrays(truth, y_value={"m": truth[::-1]}), "m")
    assert len(figure.predicted) == figure.n_rows == 20
    assert "rows are drawn" not in figure.caption
