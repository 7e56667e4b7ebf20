"""Displays of estimates: forests of measures and differences, scores over folds, time against quality."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff.figures._estimates import (
    BoxFigure,
    DifferenceForestFigure,
    ForestFigure,
    TimeQualityFigure,
    box_figure,
    difference_forest_figure,
    forest_figure,
    time_quality_figure,
)
from bakeoff.figures.displays._base import GREY, MARKERS, Display, plain


class ForestDisplay(Display):
    """Estimates with intervals.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> evaluation = bakeoff.evaluate(p, ["accuracy", "auc"], rng=0)
    >>> from bakeoff.figures import ForestDisplay, forest_figure
    >>> from matplotlib.figure import Figure
    >>> display = ForestDisplay(forest_figure(evaluation, "auc")).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'AUC'
    """

    data: ForestFigure
    size = (6.2, 3.6)

    @classmethod
    def from_evaluation(cls, evaluation: Any, measure: str | None = None, **options: Any) -> ForestDisplay:
        """Compute from an evaluation and draw."""
        return cls(forest_figure(evaluation, measure, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        draw_rows(self, ax, self.data.rows, self.data.styles, "model", self.data.x_title)
        if self.data.reference is not None:
            ax.axvline(self.data.reference, color=GREY, linestyle="--", linewidth=1)


class DifferenceForestDisplay(Display):
    """Differences with intervals.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import DifferenceForestDisplay, difference_forest_figure
    >>> from matplotlib.figure import Figure
    >>> display = DifferenceForestDisplay(difference_forest_figure(comparison)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'difference in AUC'
    """

    data: DifferenceForestFigure
    size = (6.2, 3.8)

    @classmethod
    def from_comparison(cls, comparison: Any) -> DifferenceForestDisplay:
        """Compute from a comparison and draw."""
        return cls(difference_forest_figure(comparison)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        draw_rows(self, ax, self.data.rows, self.data.styles, "winner", self.data.x_title)
        ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
        if self.data.margin:
            ax.axvspan(-self.data.margin, self.data.margin, color="#a06c00", alpha=0.12)


def draw_rows(display: Any, ax: Any, rows: Any, styles: Any, key: str, x_title: str) -> None:
    display.points_ = []
    for place, row in enumerate(rows):
        if row["estimate"] is None:
            continue
        style = styles.get(row[key])
        colour = style.colour if style else "black"
        if row["low"] is not None and row["high"] is not None:
            ax.plot([row["low"], row["high"]], [place, place], color=colour, linewidth=2)
        marker = MARKERS[style.marker] if style else "o"
        display.points_ += ax.plot([row["estimate"]], [place], marker=marker, color=colour, linestyle="")
    ax.set_yticks(range(len(rows)), [plain(row["label"]) for row in rows], fontsize=8)
    ax.invert_yaxis()
    ax.set_xlabel(plain(x_title))
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(axis="x", alpha=0.25)


class BoxDisplay(Display):
    """Scores over folds or data sets.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76], [0.88, 0.84], [0.67, 0.60]]
    >>> scores = bakeoff.Scores.from_wide(table, models=["a", "b"], measure="auc")
    >>> from bakeoff.figures import BoxDisplay, box_figure
    >>> from matplotlib.figure import Figure
    >>> display = BoxDisplay(box_figure(scores)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    ''
    """

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
        ax.set_xticks(
            range(len(values)), [plain(g["model"], 24) for g in self.data.groups], rotation=20, ha="right", fontsize=8
        )
        ax.set_ylabel(plain(self.data.y_title))
        ax.spines[["top", "right"]].set_visible(False)


class TimeQualityDisplay(Display):
    """Training time against quality.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.protocols import KFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), progress=False)
    >>> evaluation = results.evaluate(["accuracy", "fit_time"])
    >>> from bakeoff.figures import TimeQualityDisplay, time_quality_figure
    >>> from matplotlib.figure import Figure
    >>> display = TimeQualityDisplay(time_quality_figure(evaluation)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    'seconds to train'
    """

    data: TimeQualityFigure

    @classmethod
    def from_evaluation(cls, evaluation: Any, measure: str | None = None, **options: Any) -> TimeQualityDisplay:
        """Compute from an evaluation that holds fit_time and draw."""
        return cls(time_quality_figure(evaluation, measure, **options)).plot()  # type: ignore[no-any-return]

    def _draw(self, ax: Any) -> None:
        for point in self.data.points:
            style = self.data.styles[point["model"]]
            ax.scatter([point["time"]], [point["value"]], color=style.colour, marker=MARKERS[style.marker], s=40)
            ax.annotate(
                plain(point["model"], 24),
                (point["time"], point["value"]),
                xytext=(5, 5),
                textcoords="offset points",
                fontsize=8,
            )
        ax.set_xscale("log")
        self.titles(ax)
