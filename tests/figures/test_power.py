from __future__ import annotations

import pytest

import bakeoff
from bakeoff.figures import figure_of, power_figure


def test_the_figure_of_a_plan_is_its_curve() -> None:
    plan = bakeoff.plan(measure="accuracy", difference=0.05, baseline=0.8)
    figure = figure_of(plan)
    assert figure.x == pytest.approx(plan.curve_n)
    assert figure.power == pytest.approx(plan.curve_power, abs=1e-4)
    assert (figure.target, figure.at) == (plan.power, plan.needed)
    assert figure.to_dict()["x_title"] == "instances"


def test_without_a_unit_the_axis_is_sample_size() -> None:
    assert power_figure([100, 200], [0.4, 0.7]).to_dict()["x_title"] == "sample size"
