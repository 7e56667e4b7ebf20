"""What the operating-context explorer shows: every model's curve, hull and resampled rules, packed for the page."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import translate
from bakeoff._core.random import RngLike, as_generator
from bakeoff._core.validation import FloatArray, IntArray
from bakeoff.counts import Draws
from bakeoff.decision import BinaryRows, OperatingContext, Rates, RocCurve, RocHull, RuleTable, binary_rows
from bakeoff.evidence import Predictions
from bakeoff.figures._base import FigureData, Style, keep_visible, rounded, short, styles_of
from bakeoff.figures._web import page_words

_MOST_RULES = 40  # vertices of one model's hull that are resampled; others borrow their neighbour's deviations
_UNIT = 65535  # rates are packed as 16-bit fractions: 1.5e-5 is far below their standard error


@dataclass(frozen=True, repr=False)
class ExplorerData(FigureData):
    """The evidence behind the explorer, for pages.

    Attributes
    ----------
    models
        One entry per model: name, simplified curve, hull vertices (fpr, tpr, threshold), packed replicates of the
        rates at those vertices, and whether it answers labels only.
    trivial
        Names of "always negative" and "always positive".
    positive, negative
        Names of the classes.
    n_positive, n_negative
        Rows of each class.
    context
        Where the explorer starts: prevalence (None: as in the data) and costs.
    replicates
        Bootstrap replicates behind intervals and probabilities of being best.
    over_folds
        Whether rows of several folds, and so of several fits, are counted together.
    """

    kind: ClassVar[str] = "explorer"

    dataset: str
    models: tuple[Mapping[str, Any], ...]
    styles: Mapping[str, Style]
    trivial: tuple[str, str]
    positive: str
    negative: str
    n_positive: float
    n_negative: float
    context: Mapping[str, float | None]
    replicates: int
    confidence_level: float
    over_folds: bool

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Which model, at which threshold, for my costs?"),
            "caption": translate("Move the prevalence and the costs; the cheapest rule is marked in both pictures."),
            "warnings": self._warnings(),
            "text": page_words("explorer"),
        }

    def _warnings(self) -> list[str]:
        found = [
            translate(
                "Thresholds are chosen and judged on the same rows, so costs look slightly better than they will be."
            )
        ]
        few = min(self.n_positive, self.n_negative)
        if few < 50:
            found.append(translate("Only {n} rows of the rarer class: the curves are rough.", n=f"{few:g}"))
        if self.over_folds:
            found.append(
                translate("Rows of all folds are counted together: each threshold is judged over several fits.")
            )
        return found


def explorer_data(
    predictions: Predictions,
    *,
    context: OperatingContext | None = None,
    replicates: int | None = None,
    confidence_level: float = 0.95,
    dataset: str | None = None,
    rng: RngLike = 0,
) -> ExplorerData:
    """Collect what the explorer needs from the predictions of one two-class data set."""
    table = predictions.table(dataset)
    rows = binary_rows(table)
    hull = RocHull.from_rows(rows)
    curves = hull.curves
    vertices = {model: _own_vertices(hull, model) for model in curves}
    count = (200 if len(curves) <= 4 else 100) if replicates is None else replicates
    drawn = _replicated(rows, vertices, count, as_generator(rng))
    n = sum(rows.cases)
    return ExplorerData(
        dataset=table.name,
        models=tuple(_packed(model, curves[model], vertices[model], drawn[model]) for model in curves),
        styles=styles_of(tuple(curves)),
        trivial=hull.trivial,
        positive=str(rows.positive_name),
        negative=str(rows.negative_name),
        n_positive=n * rows.totals[0] / sum(rows.totals),
        n_negative=n * rows.totals[1] / sum(rows.totals),
        context=_start(context),
        replicates=count,
        confidence_level=confidence_level,
        over_folds=rows.part is not None,
    )


def _own_vertices(hull: RocHull, model: str) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Vertices of one model's own hull: fpr, tpr, threshold."""
    envelope = hull.hulls[model]
    return envelope.fpr, envelope.tpr, envelope.thresholds


def _resampled(size: int) -> IntArray:
    """Which vertices are resampled: all, or evenly spread ones when there are very many."""
    return np.unique(np.linspace(0, size - 1, min(size, _MOST_RULES)).round().astype(np.int64))


def _replicated(
    rows: BinaryRows, vertices: Mapping[str, tuple[FloatArray, ...]], n: int, rng: np.random.Generator
) -> Mapping[str, Rates]:
    """Resample the rates of every vertex of every model on the same draws of rows, ``[B, m]``."""
    labelled = {m for m, output in rows.outputs.items() if output.dtype == bool}
    thresholds = {m: np.array([np.nan]) if m in labelled else v[2][_resampled(v[2].size)] for m, v in vertices.items()}
    return RuleTable.of(rows, thresholds).resample(Draws(n, rng, stratified=True)).of


def _packed(model: str, curve: RocCurve, vertices: tuple[FloatArray, ...], drawn: Rates) -> dict[str, Any]:
    fpr, tpr, threshold = vertices
    visible = keep_visible(curve.fpr, curve.tpr)
    return {
        "name": model,
        "labels_only": curve.kind == "labels",
        "curve": {
            "fpr": rounded(curve.fpr[visible]),
            "tpr": rounded(curve.tpr[visible]),
            "threshold": [short(t) for t in curve.thresholds[visible]],
        },
        "hull": {
            "fpr": [float(v) for v in fpr],
            "tpr": [float(v) for v in tpr],
            "threshold": [short(t) for t in threshold],
            "resampled": _resampled(fpr.size).tolist(),
        },
        "auc": float(curve.auc),
        "replicates": {"fpr": _pack(drawn.fpr), "tpr": _pack(drawn.tpr)},
    }


def _pack(rates: FloatArray) -> str:
    """Rates ``[B, m]`` as 16-bit fractions, little-endian, base64."""
    return base64.b64encode(np.round(rates * _UNIT).astype("<u2").tobytes()).decode("ascii")


def _start(context: OperatingContext | None) -> dict[str, float | None]:
    given = context or OperatingContext()
    names = ("prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn")
    return {name: getattr(given, name) for name in names}
