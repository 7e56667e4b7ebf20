"""Training time against quality: is the better model worth the wait?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import translate
from bakeoff.figures._base import MARKERS, DrawnFigure, Style, Texts, finite, measure_label, plain, styles_of
from bakeoff.intervals import Evaluation


@dataclass(frozen=True, repr=False)
class TimeQualityFigure(DrawnFigure):
    """One point per model: seconds to train, and a measure with its interval."""

    kind: ClassVar[str] = "time-quality"

    styles: Mapping[str, Style]
    points: tuple[Mapping[str, Any], ...]
    measure: str

    def _texts(self) -> dict[str, Any]:
        measure = measure_label(self.measure)
        return {
            "title": translate("Time and quality"),
            "caption": translate(
                "Seconds to train (logarithmic) against {measure} with its interval.", measure=measure
            ),
            "x_title": translate("seconds to train"),
            "y_title": measure,
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        for point in self.points:
            style, at = self.styles[point["model"]], (point["time"], point["value"])
            ax.scatter([at[0]], [at[1]], color=style.colour, marker=MARKERS[style.marker], s=40)
            ax.annotate(plain(point["model"], 24), at, xytext=(5, 5), textcoords="offset points", fontsize=8)
        ax.set_xscale("log")
        return {}


def time_quality_figure(
    evaluation: Evaluation, measure: str | None = None, *, dataset: str | None = None
) -> TimeQualityFigure:
    """Collect fit time against a measure; the evaluation must hold ``fit_time``."""
    if "fit_time" not in evaluation.measures:
        raise EvidenceError("the evaluation has no fit_time.", hint="evaluate(results, ['auc', 'fit_time'])")
    name = measure or next(m for m in evaluation.measures if m not in ("fit_time", "predict_time"))
    chosen = dataset or evaluation.datasets[0]
    points = []
    for model in (m for m in evaluation.models if m not in evaluation.baselines):
        time, quality = evaluation[chosen, model, "fit_time"].estimate, evaluation[chosen, model, name]
        if np.isfinite(time) and np.isfinite(quality.estimate):
            limits = {"low": finite(quality.low), "high": finite(quality.high)}
            points.append({"model": model, "time": float(time), "value": quality.estimate, **limits})
    return TimeQualityFigure(
        styles=styles_of(evaluation.models, evaluation.baselines), points=tuple(points), measure=name
    )
