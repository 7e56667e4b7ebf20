from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff.comparison import Comparison
from bakeoff.evidence import Scores
from bakeoff.figures import difference_forest_figure


def test_rows_are_the_pairs_better_minus_worse(over_folds: Comparison) -> None:
    rows = difference_forest_figure(over_folds).rows
    assert len(rows) == 3
    for row in rows:
        known = over_folds.pair(*row["label"].split(" − "))
        assert row["estimate"] == pytest.approx(known.estimate)
        assert row["estimate"] >= 0
        assert row["pvalue"] == pytest.approx(known.pvalue_adjusted)


def test_the_caption_tells_what_is_left_out() -> None:
    table = np.random.default_rng(3).uniform(0.5, 0.9, (14, 10))
    many = Scores.from_wide(table, models=[f"m{i}" for i in range(10)], measure="rmse")
    figure = difference_forest_figure(bakeoff.compare(many, rng=0))
    assert (len(figure.rows), figure.n_pairs) == (30, 45)
    assert figure.caption.startswith("The 30 largest of 45 differences. ")
    pair = difference_forest_figure(bakeoff.compare(many.select(models=["m0", "m1"]), rng=0))
    assert "crosses zero" in pair.caption
