"""Results plot themselves: each figure declares which results it shows."""

from __future__ import annotations

import matplotlib.pyplot as plt
import pytest
from matplotlib.figure import Figure

import bakeoff
from bakeoff.comparison import Comparison
from bakeoff.evidence import Predictions, Scores
from bakeoff.figures import FigureData, figure_of, plot, roc_space_figure
from bakeoff.intervals import Evaluation


def test_results_plot_themselves(
    predictions: Predictions, scores: Scores, evaluation: Evaluation, over_folds: Comparison, over_sets: Comparison
) -> None:
    analysis = bakeoff.roc(predictions)
    results = {
        "forest": evaluation,
        "difference-forest": over_folds,
        "critical-difference": over_sets,
        "roc": analysis,
        "cost-curve": bakeoff.cost_curves(predictions),
        "box": scores,
        "power": bakeoff.plan(measure="accuracy", difference=0.05, baseline=0.8),
    }
    for kind, result in results.items():
        display = result.plot()
        assert display.data.kind == kind
        assert display.ax_.figure is display.figure_
        _, ax = plt.subplots()
        assert result.plot(ax=ax).ax_ is ax
        plt.close("all")
    curve = next(iter(analysis.curves.values()))
    assert [curve.plot(kind=kind).data.kind for kind in (None, "cost-curve")] == ["roc-space", "cost-curve"]
    assert [analysis.hull.plot(kind=kind).data.kind for kind in (None, "cost-curve")] == ["roc-space", "cost-curve"]
    plt.close("all")


def test_kind_chooses_among_the_figures_of_a_result(over_sets: Comparison, scores: Scores) -> None:
    assert figure_of(over_sets, "differences").kind == "difference-forest"
    assert figure_of(over_sets, "ranks").kind == "critical-difference"
    two = bakeoff.compare(scores.select(models=["old", "new"]), rng=0)
    assert figure_of(two).kind == "difference-forest"
    assert figure_of(two, "ranks").kind == "critical-difference"
    with pytest.raises(bakeoff.ParameterError, match=r"one of 'ranks', 'differences'\. Got 'rank'"):
        figure_of(over_sets, "rank")


def test_what_has_no_picture(predictions: Predictions, every: dict[str, FigureData]) -> None:
    uncertain = bakeoff.decision.UncertainContext(prevalence=(0.2, 0.4), cost_fp=1, cost_fn=5)
    with pytest.raises(bakeoff.ParameterError, match="no picture"):
        bakeoff.decide(predictions, uncertain, rng=0, n_resamples=50).plot()
    with pytest.raises(bakeoff.ParameterError, match="no figure for dict"):
        plot({})
    with pytest.raises(bakeoff.ParameterError, match="on pages only"):
        every["explorer"].plot()


def test_a_decision_is_drawn_in_roc_space_with_its_isocost_lines(predictions: Predictions) -> None:
    context = bakeoff.OperatingContext(prevalence=0.3, cost_fp=1, cost_fn=4)
    decision = bakeoff.decide(predictions, context, rng=0, n_resamples=50)
    figure = decision.plot(ax=Figure().subplots()).data
    assert figure.kind == "roc-space"
    points = {p["model"]: (p["fpr"], p["tpr"]) for p in figure.points}
    assert points[decision.model] == (decision.choice.fpr, decision.choice.tpr)
    assert set(points) == set(predictions.models)
    assert all(line["slope"] == pytest.approx(context.slope, rel=1e-5) for line in figure.lines)


def test_the_data_of_a_figure_draws_itself(every: dict[str, FigureData]) -> None:
    display = every["roc"].plot(Figure().subplots())
    assert [line.get_label()[0] for line in display.lines_] == ["a", "b", "c"]
    assert repr(plot(every["roc"], ax=Figure().subplots())) == "Display(RocFigure('ROC curves'))"


def test_names_of_points_that_lie_together_stand_in_a_legend(predictions: Predictions) -> None:
    near = bakeoff.RocHull.from_points({"a": (0.30, 0.70), "b": (0.31, 0.71), "c": (0.32, 0.72)})
    apart = bakeoff.RocHull.from_points({"a": (0.1, 0.5), "b": (0.5, 0.9)})
    legends = [roc_space_figure(hull).plot().ax_.get_legend() for hull in (near, apart)]
    assert [t.get_text() for t in legends[0].get_texts()] == ["a", "b", "c"]
    assert legends[1] is None
