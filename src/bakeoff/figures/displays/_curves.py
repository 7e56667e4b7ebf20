"""Displays of scorers on one data set: ROC, precision and recall, calibration, cost curves, scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from bakeoff.figures.displays._base import BLUE, GREY, Display, line_style, plain


class _CurvesDisplay(Display):
    def _curves(self, ax: Any, curves: Any, x: str, y: str, label: Callable[[Any], str]) -> None:
        self.lines_ = []
        for curve in curves:
            style = self.data.styles.get(curve["model"])
            self.lines_ += ax.plot(curve[x], curve[y], label=label(curve), linewidth=1.6, **line_style(style))
            if "low" in curve and isinstance(curve["low"], list):
                ax.fill_between(
                    curve[x], curve["low"], curve["high"], color=line_style(style)["color"], alpha=0.15, linewidth=0
                )
        if self.lines_:
            ax.legend(frameon=False, fontsize=8)
        self.titles(ax)


class RocDisplay(_CurvesDisplay):
    """ROC curves with bands and hull.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import RocDisplay, roc_figure
    >>> from matplotlib.figure import Figure
    >>> display = RocDisplay(roc_figure(p)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'false positive rate'
    """

    data: RocFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> RocDisplay:
        """Compute from predictions (or a `RocAnalysis`) and draw."""
        return cls(roc_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        for model, band in self.data.bands.items():
            colour = self.data.styles[model].colour
            ax.fill_between(band["fpr"], band["low"], band["high"], color=colour, alpha=0.12, linewidth=0)
        owned = [v for v in self.data.hull if v["model"] in self.data.styles]
        colours = [self.data.styles[v["model"]].colour for v in owned]
        self.hull_ = ax.scatter([v["fpr"] for v in owned], [v["tpr"] for v in owned], s=14, c=colours, zorder=3)
        self._curves(ax, self.data.curves, "fpr", "tpr", lambda c: f"{plain(c['model'])} (AUC {c['auc']:.3f})")
        ax.set_aspect("equal")


class PrecisionRecallDisplay(_CurvesDisplay):
    """Precision–recall curves.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import PrecisionRecallDisplay, precision_recall_figure
    >>> from matplotlib.figure import Figure
    >>> display = PrecisionRecallDisplay(precision_recall_figure(p)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'recall'
    """

    data: PrecisionRecallFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> PrecisionRecallDisplay:
        """Compute from predictions and draw."""
        return cls(precision_recall_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.axhline(self.data.prevalence, color=GREY, linestyle=":", linewidth=1)
        self._curves(
            ax,
            self.data.curves,
            "recall",
            "precision",
            lambda c: f"{plain(c['model'])} (AP {c['average_precision']:.3f})",
        )


class CalibrationDisplay(_CurvesDisplay):
    """Calibration curves.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import CalibrationDisplay, calibration_figure
    >>> from matplotlib.figure import Figure
    >>> display = CalibrationDisplay(calibration_figure(p)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'stated probability'
    """

    data: CalibrationFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> CalibrationDisplay:
        """Compute from predictions and draw."""
        return cls(calibration_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        self._curves(ax, self.data.curves, "mean", "observed", lambda c: plain(c["model"]))


class CostCurveDisplay(_CurvesDisplay):
    """Cost curves with the trivial rules and the strip of winners.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import CostCurveDisplay, cost_curve_figure
    >>> from matplotlib.figure import Figure
    >>> display = CostCurveDisplay(cost_curve_figure(p)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'PC(+): how much the positives matter'
    """

    data: CostCurveFigure

    @classmethod
    def from_predictions(cls, predictions: Any, **options: Any) -> CostCurveDisplay:
        """Compute from predictions (or a `CostCurve`) and draw."""
        return cls(cost_curve_figure(predictions, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        ax.plot([0, 0.5, 1], [0, 0.5, 0], color=GREY, linestyle="--", linewidth=1)
        self._curves(ax, self.data.envelopes, "pc", "cost", lambda c: plain(c["model"]))
        for r in self.data.ranges:
            style = self.data.styles.get(r["model"])
            ax.axvspan(r["low"], r["high"], ymin=0, ymax=0.025, color=style.colour if style else GREY)
        ax.set_ylim(0, 0.52)
        ax.set_xlim(0, 1)


class ScoreDistributionDisplay(Display):
    """Scores of each class.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import ScoreDistributionDisplay, score_distribution_figure
    >>> from matplotlib.figure import Figure
    >>> display = ScoreDistributionDisplay(score_distribution_figure(p, "a")).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'score'
    """

    data: ScoreDistributionFigure

    @classmethod
    def from_predictions(cls, predictions: Any, model: str, **options: Any) -> ScoreDistributionDisplay:
        """Compute from predictions and draw."""
        return cls(score_distribution_figure(predictions, model, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        for heights, name, colour in (
            (self.data.negative, self.data.negative_name, GREY),
            (self.data.positive, self.data.positive_name, BLUE),
        ):
            ax.stairs(heights, self.data.edges, fill=True, alpha=0.35, label=plain(name), color=colour)
        if self.data.threshold is not None:
            ax.axvline(self.data.threshold, color="black", linestyle="--")
        ax.legend(frameon=False)
        self.titles(ax)
