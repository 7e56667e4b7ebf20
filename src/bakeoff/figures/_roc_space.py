"""ROC space with classifiers as points, the convex hull, and the isocost line of a context."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.language import numeral, translate
from bakeoff.decision import Decision, IsocostLine, OperatingContext, RocCurve, RocHull, isocost_line
from bakeoff.figures._base import (
    GREY,
    MARKERS,
    DrawnFigure,
    Style,
    Texts,
    keep_visible,
    plain,
    rounded,
    short,
    styles_of,
)
from bakeoff.figures._plot import shows

_POINT = 3  # points of a curve that is one rule and the two corners
_FAMILY = (0.5, 1.0, 1.5, 2.0)  # of the cheapest cost: parallel lines, the dearer the lower


@dataclass(frozen=True, repr=False)
class RocSpaceFigure(DrawnFigure):
    """Points of ROC space, their hull, and lines of equal cost."""

    kind: ClassVar[str] = "roc-space"

    styles: Mapping[str, Style]
    points: tuple[Mapping[str, Any], ...]
    hull: tuple[tuple[float, float], ...]
    lines: tuple[Mapping[str, Any], ...]
    curves: tuple[Mapping[str, Any], ...] = ()

    def _texts(self) -> dict[str, Any]:
        caption = translate("Points below the hull, in grey, are the cheapest in no context.")
        if self.lines:
            caption += " " + translate("Points of one dashed line cost the same; the higher line is the cheaper.")
        return {
            "title": translate("ROC space"),
            "caption": caption,
            "x_title": translate("false positive rate"),
            "y_title": translate("true positive rate"),
            "costs": [translate("cost {cost}", cost=numeral(line["cost"], ".3g")) for line in self.lines],
        }

    def _crowded(self) -> bool:
        """Whether names written beside the points would lie on each other."""
        first = {p["model"]: (p["fpr"], p["tpr"]) for p in reversed(self.points)}
        places = np.array(list(first.values()))
        gaps = np.abs(places[:, None] - places[None, :]) - (0.25, 0.06)  # about as wide and high as a name
        return len(places) > 1 and bool((gaps < 0).all(axis=-1).sum() > len(places))

    def _draw(self, ax: Any, texts: Texts) -> dict[str, Any]:
        ax.plot([0, 1], [0, 1], color=GREY, linestyle=":", linewidth=1)
        hull = ax.plot(*zip(*self.hull, strict=True), color="black", linewidth=1.2)
        for line, name in zip(self.lines, texts["costs"], strict=True):
            (x0, y0), (x1, y1) = line["ends"]
            ax.plot([x0, x1], [y0, y1], color=GREY, linestyle="--", linewidth=1)
            ax.annotate(name, (x1, y1), fontsize=7, color=GREY, ha="right", va="bottom")
        for curve in self.curves:
            ax.plot(curve["fpr"], curve["tpr"], color=self.styles[curve["model"]].colour, linewidth=1, alpha=0.7)
        marks, named, crowded = [], set(), self._crowded()
        for point in self.points:
            style = self.styles[point["model"]]
            colour = style.colour if point["on_hull"] else GREY
            place = (point["fpr"], point["tpr"])
            first = point["model"] not in named  # named once, where a model has several points
            label = plain(point["model"], 24) if crowded and first else None
            marks += ax.plot(*place, marker=MARKERS[style.marker], color=colour, linestyle="", label=label)
            if first and not crowded:
                ax.annotate(plain(point["model"], 24), place, xytext=(5, -9), textcoords="offset points", fontsize=8)
            named.add(point["model"])
        if crowded:
            ax.legend(loc="lower right", fontsize=7, frameon=False, ncols=1 + len(named) // 12)
        ax.set_xlim(-0.02, 1.02)
        ax.set_ylim(-0.02, 1.03)
        ax.set_aspect("equal")
        return {"hull_": hull, "points_": marks}


@shows(RocHull, RocCurve, Decision, name="roc-space")
def roc_space_figure(
    evidence: RocHull | RocCurve | Decision, *, context: OperatingContext | None = None, cost: float | None = None
) -> RocSpaceFigure:
    """Collect points, hull and, with a `context`, lines of equal cost: through the best point, or of a `cost`.

    Of a decision they are the rules it weighed, each at its threshold, in the decision's context.

    Examples
    --------
    >>> from bakeoff import OperatingContext, RocHull, figures
    >>> hull = RocHull.from_points({"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)})
    >>> figure = figures.roc_space_figure(hull, context=OperatingContext(prevalence=0.5, cost_fp=1, cost_fn=2))
    >>> [p["model"] for p in figure.points if p["on_hull"]], figure.lines[1]["cost"]
    (['C3'], 0.5)
    """
    if isinstance(evidence, Decision):
        hull, context = _weighed(evidence), context or _context_of(evidence)
    else:
        hull = evidence.hull() if isinstance(evidence, RocCurve) else evidence
    owners = {name for names in hull.owners for name in names}
    corners = {name: list(zip(own.fpr, own.tpr, strict=True)) for name, own in hull.hulls.items()}
    points = tuple(
        {"model": name, "fpr": float(x), "tpr": float(y), "on_hull": name in owners}
        for name in hull.models
        for x, y in corners[name]
        if (x, y) not in ((0.0, 0.0), (1.0, 1.0))
    )
    return RocSpaceFigure(
        styles=styles_of(hull.models),
        points=points,
        hull=tuple((float(x), float(y)) for x, y in zip(hull.fpr, hull.tpr, strict=True)),
        lines=() if context is None else _lines(hull, context, cost),
        curves=tuple(_traced(curve) for curve in hull.curves.values() if curve.fpr.size > _POINT),
    )


def _traced(curve: RocCurve) -> dict[str, Any]:
    kept = keep_visible(curve.fpr, curve.tpr)
    return {"model": curve.model, "fpr": rounded(curve.fpr[kept]), "tpr": rounded(curve.tpr[kept])}


def _context_of(decision: Decision) -> OperatingContext:
    if not isinstance(decision.context, OperatingContext):
        raise ParameterError(
            "this decision has no picture in ROC space: its context is not one prevalence and one pair of costs.",
            hint="plot bakeoff.cost_curves(predictions)",
        )
    return decision.context


def _weighed(decision: Decision) -> RocHull:
    """The rules of a decision as points."""
    rules = [r for r in decision._every if not r.trivial and np.isfinite([r.fpr, r.tpr]).all()]
    if not rules:
        raise ParameterError("this decision has no picture in ROC space.", hint="plot bakeoff.cost_curves(predictions)")
    return RocHull.from_points({r.model: (r.fpr, r.tpr) for r in rules})


def _lines(hull: RocHull, context: OperatingContext, cost: float | None) -> tuple[Mapping[str, Any], ...]:
    resolved = hull.resolve(context)
    if cost is not None:
        made = [isocost_line(resolved, expected_cost=cost)]
    else:
        cheapest = float(hull.best(resolved).expected_cost)
        made = [isocost_line(resolved, expected_cost=share * cheapest) for share in _FAMILY]
    drawn = ({"cost": short(line.expected_cost), "slope": short(line.slope), "ends": _inside(line)} for line in made)
    return tuple(line for line in drawn if line["ends"] is not None)


def _inside(line: IsocostLine) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """The part of a line that lies in the unit square; None where none does, or the line is vertical."""
    if not np.isfinite(line.slope) or not np.isfinite(line.intercept):
        return None
    low, high = 0.0, 1.0
    if line.slope > 0:
        low, high = max(low, -line.intercept / line.slope), min(high, (1 - line.intercept) / line.slope)
    if high <= low:
        return None
    return (low, float(line.tpr_at(low))), (high, float(line.tpr_at(high)))
