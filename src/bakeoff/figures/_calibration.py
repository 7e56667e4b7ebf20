"""Stated probability against how often it came true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.language import translate
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision import calibration_curve
from bakeoff.evidence import Predictions, Rows
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, draw_curves, frame, plain, rounded, styles_of


@dataclass(frozen=True, repr=False)
class CalibrationFigure(DrawnFigure):
    """Calibration curves in bins."""

    kind: ClassVar[str] = "calibration"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    several: bool = False  # classes: the stated probability is that of the answer

    def _texts(self) -> dict[str, Any]:
        if self.several:
            return {
                "title": translate("Calibration"),
                "caption": translate(
                    "On the diagonal, of the answers given a chance of 70 %, 70 % are right. Large dots are many cases."
                ),
                "x_title": translate("stated probability of the answer"),
                "y_title": translate("share of right answers"),
            }
        return {
            "title": translate("Calibration"),
            "caption": translate(
                "On the diagonal, of the cases given a chance of 30 %, 30 % are positive. Large dots are many cases."
            ),
            "x_title": translate("stated probability"),
            "y_title": translate("observed share of positives"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        for curve in self.curves:  # a point of few cases is small
            size = [40 * n / max(curve["count"]) for n in curve["count"]]
            ax.scatter(curve["mean"], curve["observed"], s=size, color=self.styles[curve["model"]].colour)
        lines = draw_curves(ax, self.curves, self.styles, "mean", "observed", lambda c: plain(c["model"], 30))
        frame(ax, texts)
        return {"lines_": lines}


def calibration_figure(predictions: Predictions, *, dataset: str | None = None, bins: int = 10) -> CalibrationFigure:
    """Collect the calibration curves of every probability estimator, in bins with Wilson intervals."""
    rows = predictions.table(dataset).written_out()
    several = rows.task == "multiclass"
    shown = [m for m in rows.models if rows.provides(m, "probabilities") and (several or rows.provides(m, "scores"))]
    curves = tuple(_curve(rows, m, bins) for m in shown)
    return CalibrationFigure(styles=styles_of(rows.models), curves=curves, several=several)


def _curve(rows: Rows, model: str, bins: int) -> dict[str, Any]:
    came, stated = _stated(rows, model)
    curve = calibration_curve(  # one draw: where a calibrated model would lie is not shown
        came, stated, method="bins", bins=bins, sample_weight=rows.weight, n_resamples=1
    )
    values = {"mean": curve.stated, "observed": curve.observed}
    if len(rows.models) <= 2:  # bands of many models hide each other
        values |= {"low": curve.low, "high": curve.high}
    counts = [float(c) for c in curve.count]
    return {"model": model, **{name: rounded(v, 4) for name, v in values.items()}, "count": counts}


def _stated(rows: Rows, model: str) -> tuple[BoolArray, FloatArray]:
    """What came true, and its stated probability: of the positive class, or of several classes of the likeliest."""
    if rows.task != "multiclass":
        return rows.positives(), rows.scores(model)
    chances = rows.probabilities(model)
    return chances.argmax(axis=1) == rows.truth, chances.max(axis=1)
