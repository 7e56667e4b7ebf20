"""ROC curves, their bands, and the convex hull over all models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.language import translate
from bakeoff.decision import RocAnalysis, roc
from bakeoff.evidence import Predictions
from bakeoff.figures._base import (
    GREY,
    DrawnFigure,
    Style,
    Texts,
    draw_curves,
    frame,
    keep_visible,
    plain,
    rounded,
    short,
    styles_of,
)
from bakeoff.figures._plot import shows

BAND_MODELS = 6  # with more, bands hide the curves


@dataclass(frozen=True, repr=False)
class RocFigure(DrawnFigure):
    """ROC curves, their bands, and the hull across models with the model at each vertex."""

    kind: ClassVar[str] = "roc"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    bands: Mapping[str, Mapping[str, Any]]
    hull: tuple[Mapping[str, Any], ...]

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("ROC curves"),
            "caption": self._caption(),
            "x_title": translate("false positive rate"),
            "y_title": translate("true positive rate"),
        }

    def _caption(self) -> str:
        hull = translate("Dots are the convex hull over all models: only they are best for some costs.")
        return f"{hull} {translate('Bands are 95 %.')}" if self.bands else hull

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        for model, band in self.bands.items():
            colour = self.styles[model].colour
            ax.fill_between(band["fpr"], band["low"], band["high"], color=colour, alpha=0.12, linewidth=0)
        vertices = [v for v in self.hull if v["model"] in self.styles]  # the two trivial corners have no style
        x, y = [v["fpr"] for v in vertices], [v["tpr"] for v in vertices]
        hull = ax.scatter(x, y, s=14, c=[self.styles[v["model"]].colour for v in vertices], zorder=3)
        lines = draw_curves(
            ax, self.curves, self.styles, "fpr", "tpr", lambda c: f"{plain(c['model'], 24)} (AUC {c['auc']:.3f})"
        )
        frame(ax, texts)
        ax.set_aspect("equal")
        return {"lines_": lines, "hull_": hull}


@shows(RocAnalysis, Predictions, name="roc")
def roc_figure(evidence: Predictions | RocAnalysis, *, dataset: str | None = None, bands: bool = True) -> RocFigure:
    """Collect the ROC curves of every model; bands are drawn for up to six models."""
    analysis = evidence if isinstance(evidence, RocAnalysis) else roc(evidence, dataset=dataset)
    wanted = analysis.models if bands and len(analysis.models) <= BAND_MODELS and analysis._rows is not None else ()
    return RocFigure(
        styles=styles_of(analysis.models),
        curves=tuple(_curve(analysis, m) for m in analysis.models),
        bands={m: _band(analysis, m) for m in wanted if analysis.curves[m].kind != "labels"},
        hull=tuple(
            {"fpr": float(v.fpr), "tpr": float(v.tpr), "model": v.model, "threshold": short(v.threshold)}
            for v in analysis.vertices
        ),
    )


def _curve(analysis: RocAnalysis, model: str) -> dict[str, Any]:
    curve, area = analysis.curves[model], analysis.auc[model]
    index = keep_visible(curve.fpr, curve.tpr)
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
