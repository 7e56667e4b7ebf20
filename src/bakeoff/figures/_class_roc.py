"""One model's ROC curves, each class against the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bakeoff._core.language import translate
from bakeoff.decision import roc_one_vs_rest
from bakeoff.evidence import Predictions
from bakeoff.figures._base import GREY, DrawnFigure, Style, Texts, keep_visible, rounded, styles_of


@dataclass(frozen=True, repr=False)
class ClassRocFigure(DrawnFigure):
    """ROC curves of one model, a curve for each class."""

    kind: ClassVar[str] = "class-roc"

    model: str
    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Each class against the rest, {model}", model=self.model),
            "caption": translate("One ROC curve for each class: the higher, the better the model sets it apart."),
            "x_title": translate("false positive rate"),
            "y_title": translate("true positive rate"),
        }

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        lines = self._curves_on(ax, "fpr", "tpr", area=("AUC", "auc"))
        ax.set_aspect("equal")
        return {"lines_": lines}


def class_roc_figure(predictions: Predictions, model: str, *, dataset: str | None = None) -> ClassRocFigure:
    """Collect the ROC curves of one model's probabilities, each class against the rest."""
    found = roc_one_vs_rest(predictions.select(models=[model]), dataset=dataset)
    names = [str(label) for label in found.analyses]
    curves = []
    for name, analysis in zip(names, found.analyses.values(), strict=True):
        curve = analysis.curves[model]
        kept = keep_visible(curve.fpr, curve.tpr)
        curves.append(
            {"model": name, "fpr": rounded(curve.fpr[kept]), "tpr": rounded(curve.tpr[kept]), "auc": float(curve.auc)}
        )
    return ClassRocFigure(model, styles_of(names), tuple(curves))
