"""The data of figures against the rooms that compute the numbers; nothing is drawn here."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import figures
from bakeoff.comparison import guide
from bakeoff.evidence import Predictions, Scores
from bakeoff.figures import DISPLAYS, FigureData, bundle, script_json, web_text
from bakeoff.figures._simplify import keep_visible


@pytest.fixture(scope="module")
def predictions() -> Predictions:
    rng = np.random.default_rng(11)
    truth = rng.random(300) < 0.4
    scores = {m: np.clip(k * truth + rng.random(300) * (1 - k), 0, 1) for m, k in (("a", 0.1), ("b", 0.3), ("c", 0.2))}
    return Predictions.from_arrays(truth.astype(int), y_score=scores, pos_label=1, dataset="d", fold=np.arange(300) % 5)


@pytest.fixture(scope="module")
def scores() -> Scores:
    rng = np.random.default_rng(12)
    base = rng.uniform(0.6, 0.9, 12)
    shift = (("old", 0.0), ("new", 0.06), ("odd", 0.01), ("far", -0.05))
    return Scores.from_wide(pl.DataFrame({m: base + d + rng.normal(0, 0.01, 12) for m, d in shift}), measure="auc")


@pytest.fixture(scope="module")
def every(predictions: Predictions, scores: Scores) -> dict[str, FigureData]:
    evaluation = bakeoff.evaluate(predictions, ["auc", "accuracy"], baselines=True, rng=0)
    over_sets, over_folds = bakeoff.compare(scores, rng=0), bakeoff.compare(predictions, "auc", rng=0)
    draws = np.random.default_rng(0).dirichlet([5, 2, 1], 3000)
    plan = bakeoff.plan(measure="accuracy", difference=0.05, baseline=0.8)
    times = figures.TimeQualityFigure(
        title="t", caption="", styles=figures.styles_of(("a", "b")), measure="auc", x_title="s", y_title="auc",
        points=tuple({"model": m, "time": t, "value": 0.8, "low": 0.7, "high": 0.9} for m, t in (("a", 0.1), ("b", 9))),
    )  # fmt: skip
    made = (
        figures.roc_figure(predictions), figures.precision_recall_figure(predictions),
        figures.calibration_figure(predictions), figures.cost_curve_figure(predictions),
        figures.score_distribution_figure(predictions, "a", threshold=0.5), figures.forest_figure(evaluation),
        figures.difference_forest_figure(over_folds), figures.critical_difference_figure(over_sets),
        figures.confusion_figure(predictions, "a"), figures.pair_heatmap_figure(over_sets), figures.box_figure(scores),
        times, figures.posterior_figure(np.array([0.01, 0.03, -0.01, 0.02]), rho=0.2, rope=0.01),
        figures.simplex_figure(draws), figures.power_figure(plan.curve_n, plan.curve_power),
        figures.advice_tree_figure(guide()), figures.explorer_data(predictions, replicates=20),
    )  # fmt: skip
    return {f.kind: f for f in made}


def renderers() -> set[str]:
    block = re.search(r"RENDERERS = \{(.*?)\};", web_text("figures.js"), re.DOTALL)
    assert block is not None
    return set(re.findall(r'"([a-z-]+)":', block.group(1)))


def test_every_kind_has_a_web_renderer_and_a_display(every: dict[str, FigureData]) -> None:
    kinds = {c.kind for c in _subclasses(FigureData)}
    assert set(every) == kinds
    assert renderers() == kinds
    assert set(DISPLAYS) == kinds - {"explorer", "advice-tree"}  # these two only make sense on a page


def _subclasses(base: type[FigureData]) -> Iterator[type[FigureData]]:
    for child in base.__subclasses__():
        yield child
        yield from _subclasses(child)


def test_data_is_strict_json(every: dict[str, FigureData]) -> None:
    for kind, data in every.items():
        text = script_json(data.to_dict())
        assert json.loads(text)["kind"] == kind
        assert data.title
        assert "<" not in text


def test_every_kind_is_drawn_by_matplotlib(every: dict[str, FigureData]) -> None:
    for kind, data in every.items():
        drawn = figures.draw(data)
        if kind in DISPLAYS:
            drawn.canvas.draw()
            (axes,) = drawn.axes
            assert axes.has_data() or axes.texts, kind
        else:
            assert drawn is None


@pytest.mark.parametrize("name", ["$\\frac{", "$x$", "a\nb", "<b>", "x" * 5000, "نموذج"])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_name_breaks_a_display(name: str) -> None:
    truth = np.arange(40) % 2
    scores = {name: np.linspace(0, 1, 40), "b": truth * 0.5 + 0.2}
    predictions = Predictions.from_arrays(truth, y_score=scores, pos_label=1)
    for data in (figures.roc_figure(predictions), figures.confusion_figure(predictions, name)):
        figures.draw(data).canvas.draw()


def test_roc(predictions: Predictions, every: dict[str, FigureData]) -> None:
    analysis, data = bakeoff.roc(predictions), every["roc"].to_dict()
    for curve in data["curves"]:
        known = analysis.curves[curve["model"]]
        assert curve["auc"] == pytest.approx(analysis.auc[curve["model"]].estimate)
        assert curve["low"] <= curve["auc"] <= curve["high"]
        at = np.interp(known.fpr, curve["fpr"], curve["tpr"])
        assert len(curve["fpr"]) <= known.fpr.size
        assert np.trapezoid(curve["tpr"], curve["fpr"]) == pytest.approx(np.trapezoid(known.tpr, known.fpr), abs=2e-3)
        assert at.shape == known.tpr.shape
    assert [(v["fpr"], v["tpr"], v["model"]) for v in data["hull"]] == [
        (v.fpr, v.tpr, v.model) for v in analysis.vertices
    ]


def test_precision_recall(predictions: Predictions, every: dict[str, FigureData]) -> None:
    from sklearn.metrics import average_precision_score

    rows = predictions.table()
    for curve in every["precision-recall"].to_dict()["curves"]:
        known = average_precision_score(rows.positives(), rows.scores(curve["model"]))
        assert curve["average_precision"] == pytest.approx(known)
    assert every["precision-recall"].to_dict()["prevalence"] == pytest.approx(rows.positives().mean())


def test_cost_curve(predictions: Predictions, every: dict[str, FigureData]) -> None:
    curves, data = bakeoff.cost_curves(predictions), every["cost-curve"].to_dict()
    known = curves.ranges(by="model")
    assert [(r["model"], r["low"], r["high"]) for r in data["ranges"]] == [
        (r.model, r.pc_low, r.pc_high) for r in known
    ]
    assert data["ranges"][0]["low"] == 0
    assert data["ranges"][-1]["high"] == 1
    for envelope in data["envelopes"]:
        pc, cost = np.array(envelope["pc"]), np.array(envelope["cost"])
        assert np.all(cost <= np.minimum(pc, 1 - pc) + 1e-5)


def test_forest_and_differences(predictions: Predictions, every: dict[str, FigureData]) -> None:
    evaluation = bakeoff.evaluate(predictions, ["auc", "accuracy"], baselines=True, rng=0)
    rows = every["forest"].to_dict()["rows"]
    assert [r["estimate"] for r in rows] == sorted((r["estimate"] for r in rows), reverse=True)
    for row in rows:
        known = evaluation["d", row["model"], "auc"]
        assert (row["estimate"], row["low"], row["high"]) == pytest.approx((known.estimate, known.low, known.high))
    comparison = bakeoff.compare(predictions, "auc", rng=0)
    for row in every["difference-forest"].to_dict()["rows"]:
        a, b = row["label"].split(" − ")
        known = comparison.pair(a, b)
        assert row["estimate"] == pytest.approx(known.estimate)
        assert row["estimate"] >= 0  # better minus worse
        assert row["pvalue"] == pytest.approx(known.pvalue_adjusted)


def test_ranks_pairs_and_boxes(scores: Scores, every: dict[str, FigureData]) -> None:
    from scipy.stats import rankdata

    ranks = rankdata(-scores.matrix(), axis=1).mean(axis=0)
    data = every["critical-difference"].to_dict()
    assert {r["model"]: r["rank"] for r in data["ranks"]} == pytest.approx(dict(zip(scores.models, ranks, strict=True)))
    comparison = bakeoff.compare(scores, rng=0)
    for clique in data["cliques"]:
        for a in clique:
            assert all(comparison.pair(a, b).pvalue_adjusted >= 0.05 for b in clique if b != a)
    heat = every["pair-heatmap"].to_dict()
    for i, a in enumerate(heat["models"]):
        for j, b in enumerate(heat["models"]):
            if i != j:
                assert heat["difference"][i][j] == pytest.approx(comparison.pair(a, b).estimate)
                assert heat["difference"][i][j] == pytest.approx(-heat["difference"][j][i])
                assert heat["pvalue"][i][j] == pytest.approx(heat["pvalue"][j][i])
    box = every["box"].to_dict()
    np.testing.assert_allclose(np.transpose([g["values"] for g in box["groups"]]), scores.matrix())


def test_confusion_and_scores(predictions: Predictions, every: dict[str, FigureData]) -> None:
    rows = predictions.table()
    data = every["confusion"].to_dict()
    assert np.array(data["counts"]) == pytest.approx(rows.confusion("a").cells)
    assert np.array(data["rates"]).sum(axis=1) == pytest.approx([1, 1])
    shares = every["score-distribution"].to_dict()
    assert sum(shares["positive"]) == pytest.approx(1, abs=1e-3)
    assert sum(shares["negative"]) == pytest.approx(1, abs=1e-3)


def test_posterior_shares_are_those_of_the_test(every: dict[str, FigureData]) -> None:
    known = bakeoff.stats.bayes_correlated_t(np.array([0.01, 0.03, -0.01, 0.02]), rho=0.2, rope=0.01)
    data = every["posterior"].to_dict()
    assert [s["p"] for s in data["shares"]] == pytest.approx([known.p_b_better, known.p_equivalent, known.p_a_better])
    x, density = np.array(data["x"]), np.array(data["density"])
    inside = (x >= -0.01) & (x <= 0.01)
    assert np.trapezoid(density[inside], x[inside]) == pytest.approx(known.p_equivalent, abs=0.03)


@pytest.mark.parametrize("n", [50, 5_000, 200_000])
def test_simplified_curves_are_off_by_less_than_a_third_of_a_pixel(n: int) -> None:
    rng = np.random.default_rng(n)
    tall = np.cumsum(rng.random(n) < 0.5) / n * 2
    x = np.concatenate([[0.0], np.cumsum(rng.random(n)) ** 2])
    x, y = x / x[-1], np.concatenate([[0.0], tall / max(tall[-1], 1e-9)])
    kept = keep_visible(x, y)
    assert kept[0] == 0
    assert kept[-1] == n
    assert kept.size <= 3_000
    assert distance_in_pixels(x, y, kept) <= 0.3


def distance_in_pixels(x: Any, y: Any, kept: Any) -> float:
    """Largest distance of a point of the curve from the kept segment that replaces it, on 640 pixels."""
    place = np.clip(np.searchsorted(kept, np.arange(x.size), side="right") - 1, 0, kept.size - 2)
    a, b = kept[place], kept[place + 1]
    dx, dy, px, py = x[b] - x[a], y[b] - y[a], x - x[a], y - y[a]
    along = np.clip((px * dx + py * dy) / np.maximum(dx**2 + dy**2, 1e-300), 0, 1)
    return float(640 * np.hypot(px - along * dx, py - along * dy).max())


def test_a_model_keeps_its_style() -> None:
    some, more = figures.styles_of(("a", "b")), figures.styles_of(("a", "b", "c", "always 0"), ("always 0",))
    assert some["a"] == more["a"]
    many = figures.styles_of([f"m{i}" for i in range(30)])
    assert len({(s.colour, s.dash) for s in many.values()}) == 30
    assert more["always 0"].dash


def contrast(one: str, two: str) -> float:
    def luminance(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts)
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


def test_colours_can_be_seen_on_both_papers() -> None:
    for style in figures.styles_of([f"m{i}" for i in range(10)] + ["t"], ("t",)).values():
        assert contrast(style.colour, "#ffffff") >= 3
        assert contrast(style.colour_dark, "#14171c") >= 3


def test_results_plot_themselves(predictions: Predictions, scores: Scores) -> None:
    import matplotlib.pyplot as plt

    analysis = bakeoff.roc(predictions)
    results = {
        "forest": bakeoff.evaluate(predictions, ["auc"], rng=0),
        "difference-forest": bakeoff.compare(predictions, "auc", rng=0),
        "critical-difference": bakeoff.compare(scores, rng=0),
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
    for result in (next(iter(analysis.curves.values())), analysis.hull):
        result.plot()
        plt.close("all")
    with pytest.raises(bakeoff.ParameterError, match="no picture"):
        bakeoff.decide(predictions, bakeoff.OperatingContext(prevalence=0.4), rng=0, n_resamples=50).plot()


def test_the_bundle_is_one_script() -> None:
    text = bundle("report")
    assert not re.search(r"^(import|export) ", text, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names))


def test_a_bar_over_a_model_that_does_not_belong_says_so() -> None:
    """Pairs need not follow the ranks: b lies between a and c, differs from both, and a bar joins a and c."""
    from dataclasses import replace

    from matplotlib.figure import Figure

    table = np.arange(12)[:, None] / 50 + [0.30, 0.28, 0.26] + np.random.default_rng(1).normal(0, 0.001, (12, 3))
    comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="accuracy"), rng=0)
    assert "ring" not in figures.critical_difference_figure(comparison).caption
    odd = figures.critical_difference_figure(replace(comparison, groups=(("a", "c"), ("b",))))
    assert "A ring on a bar" in odd.caption
    display = figures.CriticalDifferenceDisplay(odd).plot(Figure().subplots())
    assert [len(r.get_offsets()) for r in display.rings_] == [1]
