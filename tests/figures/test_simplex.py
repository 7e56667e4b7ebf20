from __future__ import annotations

import numpy as np
import pytest

from bakeoff.figures import simplex_figure


def test_shares_count_the_most_probable_outcome_of_each_draw() -> None:
    draws = np.array([[0.6, 0.3, 0.1], [0.1, 0.8, 0.1], [0.5, 0.1, 0.4], [0.2, 0.3, 0.5]])
    figure = simplex_figure(draws, model_a="x", model_b="y")
    assert figure.p == pytest.approx((0.5, 0.25, 0.25))
    assert figure.points == tuple(map(tuple, draws.tolist()))
    assert figure.to_dict()["labels"] == ["x better", "practically equal", "y better"]


def test_many_draws_are_thinned_for_the_screen() -> None:
    draws = np.random.default_rng(0).dirichlet([5, 2, 1], 6000)
    assert len(simplex_figure(draws, most=1500).points) == 1500
