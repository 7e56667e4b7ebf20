"""Scores of every fold or data set, by model, paired."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff.evidence import Scores
from bakeoff.figures._base import DrawnFigure, Style, Texts, finite, measure_label, plain, styles_of
from bakeoff.figures._plot import shows

_MOST_LINES = 60  # with more, the lines that join pairs hide the boxes


@dataclass(frozen=True, repr=False)
class BoxFigure(DrawnFigure):
    """Box plots of the scores; thin lines join what was measured on the same data."""

    kind: ClassVar[str] = "box"
    size: ClassVar[tuple[float, float]] = (6.4, 4.0)
    grid: ClassVar[str] = "none"

    styles: Mapping[str, Style]
    groups: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    paired: bool
    measure: str
    over_datasets: bool

    def _texts(self) -> dict[str, Any]:
        measure = measure_label(self.measure)
        over_datasets = translate("{measure} over data sets", measure=measure)
        return {
            "title": over_datasets if self.over_datasets else translate("{measure} over folds", measure=measure),
            "caption": translate("Thin lines join what was measured on the same data: compare along them."),
            "y_title": measure,
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        values = np.array([[np.nan if v is None else v for v in g["values"]] for g in self.groups])
        places = range(len(values))
        if self.paired and values.shape[1] <= _MOST_LINES:
            ax.plot(places, values, color="0.8", linewidth=0.6, zorder=0)
        known = [row[~np.isnan(row)] for row in values]
        boxes = ax.boxplot(known, positions=places, widths=0.5, showfliers=False)
        for place, group, row in zip(places, self.groups, values, strict=True):
            colour = self.styles[group["model"]].colour
            ax.scatter(np.full(row.size, place), row, s=9, color=colour, alpha=0.7, zorder=3)
        ax.set_xticks(places, [plain(g["model"], 24) for g in self.groups], rotation=20, ha="right", fontsize=8)
        return {"boxes_": boxes}


@shows(Scores, name="box")
def box_figure(scores: Scores, *, dataset: str | None = None) -> BoxFigure:
    """Collect the scores over the folds of one data set, or over data sets."""
    over_datasets = dataset is None and len(scores.datasets) > 1
    if over_datasets:
        values, labels = scores.matrix(), list(scores.datasets)
    else:
        name = dataset or scores.datasets[0]
        values, labels = scores.folds(name), _fold_labels(scores, name)
    return BoxFigure(
        styles=styles_of(scores.models),
        groups=tuple({"model": m, "values": [finite(v) for v in values[:, i]]} for i, m in enumerate(scores.models)),
        labels=tuple(labels),
        paired=True,
        measure=scores.measure,
        over_datasets=over_datasets,
    )


def _fold_labels(scores: Scores, dataset: str) -> list[str]:
    splits = scores.splits[dataset]
    many = len({s.repeat for s in splits}) > 1
    return [f"{s.repeat}/{s.fold}" if many else translate("fold {fold}", fold=s.fold) for s in splits] or [
        translate("all")
    ]
