"""Where the scores of positives and of negatives lie."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff.evidence import Predictions
from bakeoff.figures._base import BLUE, GREY, DrawnFigure, Texts, plain, rounded


@dataclass(frozen=True, repr=False)
class ScoreDistributionFigure(DrawnFigure):
    """Histograms of one model's scores, by class."""

    kind: ClassVar[str] = "score-distribution"

    model: str
    edges: tuple[float, ...]
    positive: tuple[float, ...]
    negative: tuple[float, ...]
    positive_name: str
    negative_name: str
    threshold: float | None

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Scores of {model}", model=self.model),
            "caption": translate("Share of each class in each range of scores."),
            "x_title": translate("score"),
            "y_title": translate("share of the class"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        sides = ((self.negative, self.negative_name, GREY), (self.positive, self.positive_name, BLUE))
        for heights, name, colour in sides:
            ax.stairs(heights, self.edges, fill=True, alpha=0.35, label=plain(name), color=colour)
        if self.threshold is not None:
            ax.axvline(self.threshold, color="black", linestyle="--")
        ax.legend(frameon=False)
        return {}


def score_distribution_figure(
    predictions: Predictions, model: str, *, dataset: str | None = None, bins: int = 30, threshold: float | None = None
) -> ScoreDistributionFigure:
    """Count one model's scores in bins, by class, as shares of each class."""
    rows = predictions.table(dataset)
    tally = rows.tally(model)
    edges = np.histogram_bin_edges(tally.scores, bins=bins)
    positive, negative = (
        np.histogram(tally.scores, edges, weights=w)[0] / max(w.sum(), 1e-300) for w in (tally.positive, tally.negative)
    )
    return ScoreDistributionFigure(
        model=model,
        edges=tuple(rounded(edges, 6)),
        positive=tuple(rounded(positive)),
        negative=tuple(rounded(negative)),
        positive_name=str(rows.pos_label),
        negative_name=" / ".join(str(c) for c in rows.classes if c != rows.pos_label),
        threshold=threshold,
    )
