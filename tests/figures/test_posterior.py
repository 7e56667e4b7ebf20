from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff.figures import posterior_figure


def test_shares_and_density_are_those_of_the_test() -> None:
    differences = np.array([0.01, 0.03, -0.01, 0.02])
    known = bakeoff.stats.bayes_correlated_t(differences, rho=0.2, rope=0.01)
    data = posterior_figure(differences, rho=0.2, rope=0.01).to_dict()
    assert [s["p"] for s in data["shares"]] == pytest.approx([known.p_b_better, known.p_equivalent, known.p_a_better])
    assert [s["label"] for s in data["shares"]] == ["b better", "practically equal", "a better"]
    x, density = np.array(data["x"]), np.array(data["density"])
    inside = (x >= -0.01) & (x <= 0.01)
    assert np.trapezoid(density[inside], x[inside]) == pytest.approx(known.p_equivalent, abs=0.03)


def test_the_axis_names_the_measure() -> None:
    differences = np.array([0.01, 0.03, -0.01, 0.02])
    assert posterior_figure(differences, rho=0.2).to_dict()["x_title"] == "difference"
    named = posterior_figure(differences, rho=0.2, measure="balanced_accuracy")
    assert named.to_dict()["x_title"] == "difference in balanced accuracy"
