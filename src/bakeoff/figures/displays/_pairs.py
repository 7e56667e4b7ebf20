"""Displays of models against each other and of classes against calls: ranks, pairs, confusion."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff.figures._estimates import CriticalDifferenceFigure, critical_difference_figure
from bakeoff.figures._tables import ConfusionFigure, PairHeatmapFigure, confusion_figure, pair_heatmap_figure
from bakeoff.figures.displays._base import Display, plain


class CriticalDifferenceDisplay(Display):
    """The critical-difference diagram.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import CriticalDifferenceDisplay, critical_difference_figure
    >>> from matplotlib.figure import Figure
    >>> display = CriticalDifferenceDisplay(critical_difference_figure(comparison)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    ''
    """

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
            text = f"{plain(entry['model'], 30)} ({entry['rank']:.2f})"
            ax.text(
                end, depth, f"{text} " if left else f" {text}", ha="right" if left else "left", va="center", fontsize=8
            )
        of = {e["model"]: e["rank"] for e in ranks}
        self.bars_, self.rings_ = [], []
        for i, clique in enumerate(bars):
            values = [of[m] for m in clique]
            y = -0.18 - 0.25 * i
            self.bars_ += ax.plot(
                [min(values) - 0.04, max(values) + 0.04], [y, y], color="black", linewidth=4, solid_capstyle="round"
            )
            strangers = [r for m, r in of.items() if m not in clique and min(values) < r < max(values)]
            ring = {"marker": "o", "s": 28, "color": "white", "edgecolor": "black", "linewidth": 0.9, "zorder": 3}
            self.rings_.append(ax.scatter(strangers, [y] * len(strangers), **ring))
        if self.data.cd:
            ax.plot([1, 1 + self.data.cd], [0.75, 0.75], color="black", linewidth=1.5)
            ax.text(1 + self.data.cd / 2, 0.82, f"CD = {self.data.cd:.2f}", ha="center", fontsize=8)
        ax.set_xlim(1 - 0.55 * (k - 1), k + 0.55 * (k - 1))
        ax.axis("off")


class ConfusionDisplay(Display):
    """A confusion matrix.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import ConfusionDisplay, confusion_figure
    >>> from matplotlib.figure import Figure
    >>> display = ConfusionDisplay(confusion_figure(p, "a")).plot(Figure().subplots())
    >>> display.ax_.get_title(loc='left')
    'Confusion matrix of a'
    """

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
        places, names = range(len(self.data.classes)), [plain(c, 20) for c in self.data.classes]
        ax.set_xticks(places, names, rotation=30, ha="right")
        ax.set_yticks(places, names)


class PairHeatmapDisplay(Display):
    """Every pair of models.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import PairHeatmapDisplay, pair_heatmap_figure
    >>> from matplotlib.figure import Figure
    >>> display = PairHeatmapDisplay(pair_heatmap_figure(comparison)).plot(Figure().subplots())
    >>> display.ax_.get_xlabel()
    ''
    """

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
        names = [plain(m, 24) for m in self.data.models]
        ax.set_xticks(range(size), names, rotation=30, ha="right", fontsize=8)
        ax.set_yticks(range(size), names, fontsize=8)
