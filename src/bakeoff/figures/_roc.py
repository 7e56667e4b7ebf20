"""ROC curves, their bands, and the convex hull over all models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import translate
from bakeoff.decision import RocAnalysis, roc
from bakeoff.evidence import Predictions
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, keep_visible, rounded, short, styles_of
from bakeoff.figures._plot import shows
from bakeoff.stats import RocCurveResult

BAND_MODELS = 6  # with more, bands hide the curves
MOST_NAMED = 30  # points with a threshold written at each


@dataclass(frozen=True, repr=False)
class RocFigure(DrawnFigure):
    """ROC curves, their bands, and the hull across models with the model at each vertex."""

    kind: ClassVar[str] = "roc"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    bands: Mapping[str, Mapping[str, Any]]
    hull: tuple[Mapping[str, Any], ...]
    thresholds: bool = False

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("ROC curves"),
            "caption": self._caption(),
            "x_title": translate("false positive rate"),
            "y_title": translate("true positive rate"),
        }

    def _caption(self) -> str:
        said = [translate("Dots are the convex hull over all models: only they are best for some costs.")]
        said += [translate("Bands are 95 %.")] if self.bands else []
        said += [translate("At each point its threshold.")] if self.thresholds else []
        return " ".join(said)

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        for model, band in self.bands.items():
            colour = self.styles[model].colour
            ax.fill_between(band["fpr"], band["low"], band["high"], color=colour, alpha=0.12, linewidth=0)
        vertices = [v for v in self.hull if v["model"] in self.styles]  # the two trivial corners have no style
        x, y = [v["fpr"] for v in vertices], [v["tpr"] for v in vertices]
        hull = ax.scatter(x, y, s=14, c=[self.styles[v["model"]].colour for v in vertices], zorder=3)
        lines = self._curves_on(ax, "fpr", "tpr", area=("AUC", "auc"))
        for curve in self.curves if self.thresholds else ():
            ax.plot(curve["fpr"], curve["tpr"], "o", markersize=2.5, color=self.styles[curve["model"]].colour)
            for point in zip(curve["fpr"], curve["tpr"], curve["threshold"], strict=True):
                ax.annotate(_named(point[2]), point[:2], xytext=(3, -8), textcoords="offset points", fontsize=6.5)
        ax.set_aspect("equal")
        return {"lines_": lines, "hull_": hull}


def _named(threshold: float | None) -> str:
    return "∞" if threshold is None else format(threshold, ".3g")


def _check_few(n_points: int) -> None:
    if n_points > MOST_NAMED:
        raise ParameterError(
            f"thresholds are written at up to {MOST_NAMED} points, but the curve has {n_points}.",
            hint="leave thresholds out",
        )


@shows(RocCurveResult, name="roc")
def _curve_figure(found: RocCurveResult, *, thresholds: bool | None = None) -> RocFigure:
    """One curve from arrays; a short one with its thresholds."""
    few = found.fpr.size <= MOST_NAMED if thresholds is None else thresholds
    if few:
        _check_few(found.fpr.size)
    kept = np.arange(found.fpr.size) if few else keep_visible(found.fpr, found.tpr)
    curve = {
        "model": "",
        "fpr": rounded(found.fpr[kept]),
        "tpr": rounded(found.tpr[kept]),
        "threshold": [short(t) for t in found.thresholds[kept]],
        "auc": found.area,
    }
    return RocFigure(styles=styles_of([""]), curves=(curve,), bands={}, hull=(), thresholds=few)


@shows(RocAnalysis, Predictions, name="roc")
def roc_figure(
    evidence: Predictions | RocAnalysis, *, dataset: str | None = None, bands: bool = True, thresholds: bool = False
) -> RocFigure:
    """Collect the ROC curves of every model; bands are drawn for up to six models.

    With `thresholds` each point has its threshold written at it, for curves of up to 30 points.
    """
    analysis = evidence if isinstance(evidence, RocAnalysis) else roc(evidence, dataset=dataset)
    wanted = analysis.models if bands and len(analysis.models) <= BAND_MODELS and analysis._rows is not None else ()
    return RocFigure(
        styles=styles_of(analysis.models),
        curves=tuple(_curve(analysis, m, whole=thresholds) for m in analysis.models),
        thresholds=thresholds,
        bands={m: _band(analysis, m) for m in wanted if analysis.curves[m].kind != "labels"},
        hull=tuple(
            {"fpr": float(v.fpr), "tpr": float(v.tpr), "model": v.model, "threshold": short(v.threshold)}
            for v in analysis.vertices
        ),
    )


def _curve(analysis: RocAnalysis, model: str, *, whole: bool) -> dict[str, Any]:
    curve, area = analysis.curves[model], analysis.auc[model]
    if whole:
        _check_few(curve.fpr.size)
    index = np.arange(curve.fpr.size) if whole else keep_visible(curve.fpr, curve.tpr)
    return {
        "model": model,
        "fpr": rounded(curve.fpr[index]),
        "tpr": rounded(curve.tpr[index]),
        "threshold": [short(t) for t in curve.thresholds[index]],
        "auc": area.estimate,
        "low": area.low,
        "high": area.high,
    }


def _band(analysis: RocAnalysis, model: str) -> dict[str, Any]:
    band = analysis.band(model)
    return {"fpr": rounded(band.fpr), "low": rounded(band.low, 4), "high": rounded(band.high, 4)}
