"""Rejection regions: what is coloured is what the test rejects."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff import stats
from bakeoff.figures import figure_of, null_figure
from bakeoff.figures._null import NullFigure

RNG = np.random.default_rng(3)
TABLE = RNG.normal(size=(12, 4)) + np.array([0, 0.4, 0.8, 1.2])
RESULTS = {
    "t": stats.paired_t(TABLE[:, 0], TABLE[:, 3]),
    "one side": stats.paired_t(TABLE[:, 0], TABLE[:, 3], alternative="less"),
    "signed ranks": stats.wilcoxon(TABLE[:, 0], TABLE[:, 2]),
    "counts": stats.mcnemar_from_table([[40, 4], [15, 9]], method="exact"),
    "chi2": stats.mcnemar_from_table([[145, 10], [25, 20]], method="chi2_corrected"),
    "friedman": stats.friedman(TABLE),
    "F": stats.repeated_measures_anova(TABLE),
    "tukey": stats.tukey(TABLE),
    "dunnett": stats.dunnett(TABLE, 0),
    "no way to reject": stats.wilcoxon([1.0, 2.0, 3.0]),
}


def inside(figure: NullFigure, value: float) -> bool:
    return any(low <= value <= high for low, high in figure.region)


@pytest.mark.parametrize("name", RESULTS)
def test_a_value_lies_in_the_region_where_the_test_rejects_it(name: str) -> None:
    figure = null_figure(RESULTS[name])
    null = RESULTS[name].null_distribution
    assert figure.statistics
    assert [inside(figure, v) for v in figure.statistics] == [null.rejects(v) for v in figure.statistics]
    if not figure.discrete:  # what is coloured has the probability α
        x, density = np.array(figure.x), np.array(figure.density)
        area = sum(np.trapezoid(density[(x >= a) & (x <= b)], x[(x >= a) & (x <= b)]) for a, b in figure.region)
        assert area == pytest.approx(figure.alpha, abs=0.02)


def test_the_level_is_the_one_asked_for() -> None:
    strict, loose = (null_figure(RESULTS["t"], alpha=alpha) for alpha in (0.01, 0.1))
    assert strict.critical > loose.critical
    assert "α = 0.01" in strict.caption


def test_a_hull_lies_in_roc_space_and_its_lines_cost_what_they_say() -> None:
    hull = bakeoff.RocHull.from_points({"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)})
    context = bakeoff.OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2)
    figure = figure_of(hull, context=context)
    assert {p["model"]: p["on_hull"] for p in figure.points} == {"C1": False, "C2": False, "C3": True}
    for line in figure.lines:
        assert [context.expected_cost(*end) for end in line["ends"]] == pytest.approx([line["cost"]] * 2)
    (line,) = figure_of(hull, context=context, cost=0.1).lines  # the lecture's: TPR = FPR / 2 + 0.9
    assert line["ends"] == ((0.0, pytest.approx(0.9)), (pytest.approx(0.2), pytest.approx(1.0)))
    vertical = bakeoff.OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=0)
    assert figure_of(hull, context=vertical).lines == ()


def test_replicates_are_all_counted() -> None:
    draws = RNG.normal(size=333)
    figure = figure_of(stats.bootstrap_interval(0.0, draws, method="percentile"))
    assert sum(figure.counts) == 333
    assert figure.edges[0] <= draws.min() + 1e-5
    with pytest.raises(bakeoff.ParameterError, match="replicates of one statistic"):
        figure_of(stats.bootstrap_interval([0.0, 0.1], RNG.normal(size=(99, 2)), method="percentile"))


def test_thresholds_are_written_at_the_points_of_a_short_curve() -> None:
    short = stats.roc_curve([0, 1, 1, 0], [0.1, 0.8, 0.35, 0.4])
    assert figure_of(short).curves[0]["threshold"] == [None, 0.8, 0.4, 0.35, 0.1]
    axes = short.plot().ax_
    assert {"∞", "0.8", "0.35"} <= {text.get_text() for text in axes.texts}
    long = bakeoff.Predictions.from_arrays(np.arange(80) % 2, y_score={"m": np.arange(80) / 80}, pos_label=1)
    with pytest.raises(bakeoff.ParameterError, match="up to 30 points"):
        figure_of(long, thresholds=True)


def test_the_guide_is_drawn_with_the_path_of_the_advice() -> None:
    display = bakeoff.advise(n_models=4, n_datasets=14, control="a").plot()
    bold = [line for line in display.ax_.lines if line.get_linewidth() == 2.0]
    assert len(bold) == 3  # several data sets, three or more models, against a control
