"""Stated probability against how often it came true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff._core.text import shorten
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.decision import calibration_curve
from bakeoff.evidence import Predictions, Rows
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, rounded, styles_of

_GRAIN = 3  # decimals of a stated probability: finer ones are not seen
_DRAWS = 200  # of outcomes, for the strip


@dataclass(frozen=True, repr=False)
class CalibrationFigure(DrawnFigure):
    """The best monotone curve of each model (no bins to choose), and where calibrated ones would lie."""

    kind: ClassVar[str] = "calibration"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    several: bool = False  # classes: the stated probability is that of the answer

    def _texts(self) -> dict[str, Any]:
        if self.several:
            meaning = translate("On the diagonal, of the answers given a chance of 70 %, 70 % are right.")
            axes = translate("stated probability of the answer"), translate("share of right answers")
        else:
            meaning = translate("On the diagonal, of the cases given a chance of 30 %, 30 % are positive.")
            axes = translate("stated probability"), translate("observed share of positives")
        strips = [c["model"] for c in self.curves if "low" in c]
        shaded = [translate("Shaded: where {model} would lie if calibrated.", model=shorten(m)) for m in strips]
        caption = [meaning, translate("Large dots are many cases."), *shaded]
        return {
            "title": translate("Calibration"), "caption": " ".join(caption), "x_title": axes[0], "y_title": axes[1],
        }  # fmt: skip

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        for curve in self.curves:  # a point of few cases is small
            size = [40 * n / max(curve["count"]) for n in curve["count"]]
            ax.scatter(curve["mean"], curve["observed"], s=size, color=self.styles[curve["model"]].colour)
        lines = self._curves_on(ax, "mean", "observed")
        return {"lines_": lines}


def calibration_figure(
    predictions: Predictions, *, dataset: str | None = None, shaded: str | None = None
) -> CalibrationFigure:
    """Collect the calibration curves of every probability estimator.

    The strip shows where the curve of the model `shaded` (by default the only one) would lie if it were calibrated.
    """
    rows = predictions.table(dataset).written_out()
    several = rows.task == "multiclass"
    shown = [m for m in rows.models if rows.provides(m, "probabilities") and (several or rows.provides(m, "scores"))]
    only = shown[0] if len(shown) == 1 else shaded
    curves = tuple(_curve(rows, m, strip=m == only) for m in shown)
    return CalibrationFigure(styles=styles_of(rows.models), curves=curves, several=several)


def _curve(rows: Rows, model: str, *, strip: bool) -> dict[str, Any]:
    came, stated = _stated(rows, model)
    curve = calibration_curve(
        came, np.round(stated, _GRAIN), sample_weight=rows.weight, n_resamples=_DRAWS if strip else 1
    )
    values = {"mean": curve.stated, "observed": curve.observed}
    if strip:
        values |= {"low": curve.calibrated_low, "high": curve.calibrated_high}
    counts = [float(c) for c in curve.count]
    return {"model": model, **{name: rounded(v, 4) for name, v in values.items()}, "count": counts}


def _stated(rows: Rows, model: str) -> tuple[BoolArray, FloatArray]:
    """What came true, and its stated probability: of the positive class, or of several classes of the likeliest."""
    if rows.task != "multiclass":
        return rows.positives(), rows.scores(model)
    chances = rows.probabilities(model)
    return chances.argmax(axis=1) == rows.truth, chances.max(axis=1)
