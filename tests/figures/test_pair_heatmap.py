from __future__ import annotations

import pytest

from bakeoff.comparison import Comparison
from bakeoff.figures import pair_heatmap_figure


def test_cells_are_row_minus_column(over_sets: Comparison) -> None:
    figure = pair_heatmap_figure(over_sets)
    for i, a in enumerate(figure.models):
        assert figure.difference[i][i] is None
        for j, b in enumerate(figure.models):
            if i != j:
                assert figure.difference[i][j] == pytest.approx(over_sets.pair(a, b).estimate)
                assert figure.difference[i][j] == pytest.approx(-figure.difference[j][i])
                assert figure.pvalue[i][j] == pytest.approx(figure.pvalue[j][i])
                assert figure.better[i][j] == (figure.difference[i][j] > 0)
