"""Static figures: every kind of figure data drawn with matplotlib, for papers and slides (SVG, PDF, PNG).

Displays follow scikit-learn's convention: ``RocDisplay.from_predictions(...)``, ``display.plot(ax=None)``, and after
plotting the artists are attributes that end in ``_``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import MissingDependencyError
from bakeoff.figures._base import FigureData
from bakeoff.figures._beliefs import (
    PosteriorFigure,
    PowerFigure,
    SimplexFigure,
    posterior_figure,
    power_figure,
    simplex_figure,
)
from bakeoff.figures._curves import (
    CalibrationFigure,
    CostCurveFigure,
    PrecisionRecallFigure,
    RocFigure,
    ScoreDistributionFigure,
    calibration_figure,
    cost_curve_figure,
    precision_recall_figure,
    roc_figure,
    score_distribution_figure,
)
from bakeoff.figures._estimates import (
    BoxFigure,
    CriticalDifferenceFigure,
    DifferenceForestFigure,
    ForestFigure,
    TimeQualityFigure,
    box_figure,
    critical_difference_figure,
    difference_forest_figure,
    forest_figure,
    time_quality_figure,
)
from bakeoff.figures._palette import Style
from bakeoff.figures._tables import ConfusionFigure, PairHeatmapFigure, confusion_figure, pair_heatmap_figure

_MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "cross": "x"}
_GREY = "#767676"


def pyplot() -> Any:
    """Return matplotlib.pyplot, or say how to install it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise MissingDependencyError.for_extra("matplotlib", "plot", "plot()") from None
    return plt


def _line(style: Style | None) -> dict[str, Any]:
    if style is None:
        return {"color": _GREY}
    dash: Any = "-" if not style.dash else (0, tuple(float(v) for v in style.dash.split()))
    return {"color": style.colour, "linestyle": dash}


class Display:
    """Base of the displays: holds the figure's data, draws it on demand."""

    make: ClassVar[Callable[..., FigureData]]
    size: ClassVar[tuple[float, float]] = (5.4, 4.6)

    def __init__(self, data: Any) -> None:
        self.data = data

    @classmethod
    def from_data(cls, data: FigureData) -> Any:
        """Make the display of data that was computed before."""
        return cls(data)

    def plot(self, ax: Any = None) -> Any:
        """Draw, into `ax` or a new figure; returns the display, with `ax_`, `figure_` and its artists."""
        if ax is None:
            _, ax = pyplot().subplots(figsize=self.size, layout="constrained")
        self.ax_ = ax
        self.figure_ = ax.figure
        self._draw(ax)
        ax.set_title(self.data.title, loc="left", fontsize=11)
        return self

    def _draw(self, ax: Any) -> None:
        raise NotImplementedError  # every display draws itself

    def _titles(self, ax: Any) -> None:
        ax.set_xlabel(self.data.x_title)
        ax.set_ylabel(self.data.y_title)
        ax.spines[["top", "right"]].set_visible(False)
        ax.grid(alpha=0.25)


class _CurvesDisplay(Display):
    def _curves(self, ax: Any, curves: Any, x: str, y: str, label: Callable[[Any], str]) -> None:
        self.lines_ = []
        for curve in curves:
            style = self.data.styles.get(curve["model"])
            self.lines_ += ax.plot(curve[x], curve[y], label=label(curve), linewidth=1.6, **_line(style))
            if "low" in curve and isinstance(curve["low"], list):
                ax.fill_between(
                    curve[x], curve["low"], curve["high"], color=_line(style)["color"], alpha=0.15, linewidth=0
                )
        if self.lines_:
            ax.legend(frameon=False, fontsize=8)
        self._titles(ax)


class RocDisplay(_CurvesDisplay):
    """ROC curves with bands and hull."""

    data: RocFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> RocDisplay:
        """Compute from predictions (or a `RocAnalysis`) and draw."""
        return cls(roc_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 1], [0, 1], color=_GREY, linestyle=":", linewidth=1)
        for model, band in self.data.bands.items():
            colour = self.data.styles[model].colour
            ax.fill_between(band["fpr"], band["low"], band["high"], color=colour, alpha=0.12, linewidth=0)
        owned = [v for v in self.data.hull if v["model"] in self.data.styles]
        colours = [self.data.styles[v["model"]].colour for v in owned]
        self.hull_ = ax.scatter([v["fpr"] for v in owned], [v["tpr"] for v in owned], s=14, c=colours, zorder=3)
        self._curves(ax, self.data.curves, "fpr", "tpr", lambda c: f"{c['model']} (AUC {c['auc']:.3f})")
        ax.set_aspect("equal")


class PrecisionRecallDisplay(_CurvesDisplay):
    """Precision–recall curves."""

    data: PrecisionRecallFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> PrecisionRecallDisplay:
        """Compute from predictions and draw."""
        return cls(precision_recall_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.axhline(self.data.prevalence, color=_GREY, linestyle=":", linewidth=1)
        self._curves(
            ax, self.data.curves, "recall", "precision", lambda c: f"{c['model']} (AP {c['average_precision']:.3f})"
        )


class CalibrationDisplay(_CurvesDisplay):
    """Calibration curves."""

    data: CalibrationFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> CalibrationDisplay:
        """Compute from predictions and draw."""
        return cls(calibration_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 1], [0, 1], color=_GREY, linestyle=":", linewidth=1)
        self._curves(ax, self.data.curves, "mean", "observed", lambda c: str(c["model"]))


class CostCurveDisplay(_CurvesDisplay):
    """Cost curves with the trivial rules and the strip of winners."""

    data: CostCurveFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> CostCurveDisplay:
        """Compute from predictions (or a `CostCurve`) and draw."""
        return cls(cost_curve_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 0.5, 1], [0, 0.5, 0], color=_GREY, linestyle="--", linewidth=1)
        self._curves(ax, self.data.envelopes, "pc", "cost", lambda c: str(c["model"]))
        for r in self.data.ranges:
            style = self.data.styles.get(r["model"])
            ax.axvspan(r["low"], r["high"], ymin=0, ymax=0.025, color=style.colour if style else _GREY)
        ax.set_ylim(0, 0.52)
        ax.set_xlim(0, 1)


class ScoreDistributionDisplay(Display):
    """Scores of each class."""

    data: ScoreDistributionFigure

    @classmethod
    def from_predictions(cls, predictions: Any, model: str, **options: Any) -> ScoreDistributionDisplay:
        """Compute from predictions and draw."""
        return cls(score_distribution_figure(predictions, model, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        for heights, name, colour in (
            (self.data.negative, self.data.negative_name, _GREY),
            (self.data.positive, self.data.positive_name, "#0072b2"),
        ):
            ax.stairs(heights, self.data.edges, fill=True, alpha=0.35, label=name, color=colour)
        if self.data.threshold is not None:
            ax.axvline(self.data.threshold, color="black", linestyle="--")
        ax.legend(frameon=False)
        self._titles(ax)


class ForestDisplay(Display):
    """Estimates with intervals."""

    data: ForestFigure
    size = (6.2, 3.6)

    @classmethod
    def from_evaluation(cls, evaluation: Any, measure: str | None = None, **options: Any) -> ForestDisplay:
        """Compute from an evaluation and draw."""
        return cls(forest_figure(evaluation, measure, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        _draw_rows(self, ax, self.data.rows, self.data.styles, "model", self.data.x_title)
        if self.data.reference is not None:
            ax.axvline(self.data.reference, color=_GREY, linestyle="--", linewidth=1)


class DifferenceForestDisplay(Display):
    """Differences with intervals."""

    data: DifferenceForestFigure
    size = (6.2, 3.8)

    @classmethod
    def from_comparison(cls, comparison: Any) -> DifferenceForestDisplay:
        """Compute from a comparison and draw."""
        return cls(difference_forest_figure(comparison)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        _draw_rows(self, ax, self.data.rows, self.data.styles, "winner", self.data.x_title)
        ax.axvline(0, color=_GREY, linestyle="--", linewidth=1)
        if self.data.margin:
            ax.axvspan(-self.data.margin, self.data.margin, color="#a06c00", alpha=0.12)


def _draw_rows(display: Any, ax: Any, rows: Any, styles: Any, key: str, x_title: str) -> None:
    display.points_ = []
    for place, row in enumerate(rows):
        if row["estimate"] is None:
            continue
        style = styles.get(row[key])
        colour = style.colour if style else "black"
        if row["low"] is not None and row["high"] is not None:
            ax.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=2)
        marker = _MARKERS[style.marker] if style else "o"
        display.points_ += ax.plot([row["estimate"]], [place], marker=marker, color=colour, linestyle="")
    ax.set_yticks(range(len(rows)), [row["label"] for row in rows], fontsize=8)
    ax.invert_yaxis()
    ax.set_xlabel(x_title)
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="x", alpha=0.25)


class CriticalDifferenceDisplay(Display):
    """The critical-difference diagram."""

    data: CriticalDifferenceFigure
    size = (7.0, 3.0)

    @classmethod
    def from_comparison(cls, comparison: Any) -> CriticalDifferenceDisplay:
        """Compute from a comparison over data sets and draw."""
        return cls(critical_difference_figure(comparison)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ranks = sorted(self.data.ranks, key=lambda r: r["rank"])
        k, half = len(ranks), (len(ranks) + 1) // 2
        bars = [c for c in self.data.cliques if len(c) > 1]
        ax.plot([1, k], [0, 0], color="black")
        for r in range(1, k + 1):
            ax.plot([r, r], [0, 0.12], color="black")
            ax.text(r, 0.2, str(r), ha="center", va="bottom", fontsize=8)
        floor = -0.35 - 0.25 * len(bars)
        for i, entry in enumerate(ranks):
            left = i < half
            depth = floor - 0.45 * (i if left else k - 1 - i)
            end = 1 - 0.15 * (k - 1) if left else k + 0.15 * (k - 1)
            colour = self.data.styles[entry["model"]].colour
            ax.plot([entry["rank"], entry["rank"], end], [0, depth, depth], color=colour, linewidth=1.2)
            text = f"{entry['model']} ({entry['rank']:.2f})"
            ax.text(
                end, depth, f"{text} " if left else f" {text}", ha="right" if left else "left", va="center", fontsize=8
            )
        of = {e["model"]: e["rank"] for e in ranks}
        self.bars_ = []
        for i, clique in enumerate(bars):
            values = [of[m] for m in clique]
            y = -0.18 - 0.25 * i
            self.bars_ += ax.plot(
                [min(values) - 0.04, max(values) + 0.04], [y, y], color="black", linewidth=4, solid_capstyle="round"
            )
        if self.data.cd:
            ax.plot([1, 1 + self.data.cd], [0.75, 0.75], color="black", linewidth=1.5)
            ax.text(1 + self.data.cd / 2, 0.82, f"CD = {self.data.cd:.2f}", ha="center", fontsize=8)
        ax.set_xlim(1 - 0.55 * (k - 1), k + 0.55 * (k - 1))
        ax.axis("off")


class ConfusionDisplay(Display):
    """A confusion matrix."""

    data: ConfusionFigure

    @classmethod
    def from_predictions(cls, predictions: Any, model: str, **options: Any) -> ConfusionDisplay:
        """Compute from predictions and draw."""
        return cls(confusion_figure(predictions, model, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        rates = np.array([[np.nan if v is None else v for v in row] for row in self.data.rates])
        self.image_ = ax.imshow(rates, cmap="Blues", vmin=0, vmax=1)
        for i, row in enumerate(self.data.counts):
            for j, count in enumerate(row):
                dark = rates[i, j] > 0.55
                ax.text(
                    j,
                    i,
                    f"{count:g}\n{100 * rates[i, j]:.1f} %",
                    ha="center",
                    va="center",
                    color="white" if dark else "black",
                    fontsize=8,
                )
        ax.set_xticks(range(len(self.data.classes)), self.data.classes, rotation=30, ha="right")
        ax.set_yticks(range(len(self.data.classes)), self.data.classes)


class PairHeatmapDisplay(Display):
    """Every pair of models."""

    data: PairHeatmapFigure

    @classmethod
    def from_comparison(cls, comparison: Any) -> PairHeatmapDisplay:
        """Compute from a comparison and draw."""
        return cls(pair_heatmap_figure(comparison)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        size = len(self.data.models)
        shade = np.zeros((size, size))
        for i in range(size):
            for j in range(size):
                p = self.data.pvalue[i][j]
                if p is not None and p < 0.05:
                    shade[i, j] = 1 if self.data.better[i][j] else -1
                d = self.data.difference[i][j]
                text = "·" if d is None else f"{d:+.3g}\n" + ("" if p is None else f"p={p:.3f}")
                ax.text(j, i, text, ha="center", va="center", fontsize=7)
        self.image_ = ax.imshow(shade, cmap="PiYG", vmin=-2.2, vmax=2.2)
        ax.set_xticks(range(size), self.data.models, rotation=30, ha="right", fontsize=8)
        ax.set_yticks(range(size), self.data.models, fontsize=8)


class BoxDisplay(Display):
    """Scores over folds or data sets."""

    data: BoxFigure
    size = (6.4, 4.0)

    @classmethod
    def from_scores(cls, scores: Any, **options: Any) -> BoxDisplay:
        """Compute from scores and draw."""
        return cls(box_figure(scores, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        values = np.array([[np.nan if v is None else v for v in g["values"]] for g in self.data.groups])
        if self.data.paired and values.shape[1] <= 60:
            ax.plot(range(len(values)), values, color="0.8", linewidth=0.6, zorder=0)
        self.boxes_ = ax.boxplot(
            [row[~np.isnan(row)] for row in values], positions=range(len(values)), widths=0.5, showfliers=False
        )
        for place, (group, row) in enumerate(zip(self.data.groups, values, strict=True)):
            ax.scatter(
                np.full(row.size, place), row, s=9, color=self.data.styles[group["model"]].colour, alpha=0.7, zorder=3
            )
        ax.set_xticks(range(len(values)), [g["model"] for g in self.data.groups], rotation=20, ha="right", fontsize=8)
        ax.set_ylabel(self.data.y_title)
        ax.spines[["top", "right"]].set_visible(False)


class TimeQualityDisplay(Display):
    """Training time against quality."""

    data: TimeQualityFigure

    @classmethod
    def from_evaluation(cls, evaluation: Any, measure: str | None = None, **options: Any) -> TimeQualityDisplay:
        """Compute from an evaluation that holds fit_time and draw."""
        return cls(time_quality_figure(evaluation, measure, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        for point in self.data.points:
            style = self.data.styles[point["model"]]
            ax.scatter([point["time"]], [point["value"]], color=style.colour, marker=_MARKERS[style.marker], s=40)
            ax.annotate(
                point["model"], (point["time"], point["value"]), xytext=(5, 5), textcoords="offset points", fontsize=8
            )
        ax.set_xscale("log")
        self._titles(ax)


class PosteriorDisplay(Display):
    """Posterior of a difference."""

    data: PosteriorFigure

    @classmethod
    def from_differences(cls, differences: Any, **options: Any) -> PosteriorDisplay:
        """Compute from fold differences and draw."""
        return cls(posterior_figure(differences, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot(self.data.x, self.data.density, color="#0072b2")
        ax.fill_between(self.data.x, self.data.density, color="#0072b2", alpha=0.15)
        ax.axvspan(*self.data.rope, color="#a06c00", alpha=0.15)
        ax.axvline(0, color=_GREY, linestyle="--", linewidth=1)
        self._titles(ax)


class SimplexDisplay(Display):
    """Posterior draws on the simplex."""

    data: SimplexFigure

    @classmethod
    def from_draws(cls, draws: Any, **options: Any) -> SimplexDisplay:
        """Compute from posterior draws and draw."""
        return cls(simplex_figure(draws, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        points = np.array(self.data.points)
        height = np.sqrt(3) / 2
        ax.plot([0, 1, 0.5, 0], [0, 0, height, 0], color="black")
        ax.scatter(points[:, 2] + points[:, 1] / 2, points[:, 1] * height, s=4, alpha=0.3, color="#0072b2")
        for x, y, i in ((0, -0.06, 0), (0.5, height + 0.03, 1), (1, -0.06, 2)):
            ax.text(x, y, f"{self.data.labels[i]} {100 * self.data.p[i]:.1f} %", ha="center", fontsize=8)
        ax.axis("off")


class PowerDisplay(Display):
    """A power curve."""

    data: PowerFigure

    @classmethod
    def from_curve(cls, x: Any, power: Any, **options: Any) -> PowerDisplay:
        """Draw a power curve."""
        return cls(power_figure(x, power, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot(self.data.x, self.data.power, color="#0072b2")
        ax.axhline(self.data.target, color=_GREY, linestyle="--", linewidth=1)
        if self.data.at is not None:
            ax.axvline(self.data.at, color=_GREY, linestyle=":", linewidth=1)
        ax.set_ylim(0, 1.02)
        self._titles(ax)


DISPLAYS: dict[str, type[Display]] = {
    "roc": RocDisplay,
    "precision-recall": PrecisionRecallDisplay,
    "calibration": CalibrationDisplay,
    "cost-curve": CostCurveDisplay,
    "score-distribution": ScoreDistributionDisplay,
    "forest": ForestDisplay,
    "difference-forest": DifferenceForestDisplay,
    "critical-difference": CriticalDifferenceDisplay,
    "confusion": ConfusionDisplay,
    "pair-heatmap": PairHeatmapDisplay,
    "box": BoxDisplay,
    "time-quality": TimeQualityDisplay,
    "posterior": PosteriorDisplay,
    "simplex": SimplexDisplay,
    "power": PowerDisplay,
}


def draw(data: FigureData) -> Any:
    """Draw figure data on a new matplotlib figure, without pyplot; None for kinds only a page can show."""
    from bakeoff._core.errors import MissingDependencyError as Missing

    display = DISPLAYS.get(data.kind)
    if display is None:
        return None
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise Missing.for_extra("matplotlib", "plot", "drawing a figure") from None
    figure = Figure(figsize=display.size, layout="constrained")
    FigureCanvasAgg(figure)
    display(data).plot(figure.subplots())
    return figure
