"""Figures of scorers on one data set: ROC, precision–recall, calibration, cost curves, score distributions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import tr
from bakeoff.decision import CostCurve, RocAnalysis, calibration_curve, cost_curves, roc
from bakeoff.evidence import Predictions, Rows
from bakeoff.figures._base import FigureData
from bakeoff.figures._palette import Style, styles_of
from bakeoff.figures._simplify import keep_visible, rounded

_BAND_MODELS = 6  # with more, bands hide the curves


@dataclass(frozen=True, repr=False)
class RocFigure(FigureData):
    """ROC curves, their bands, and the hull across models with the owner of each vertex.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import roc_figure
    >>> figure = roc_figure(p)
    >>> figure.title
    'ROC curves'
    """

    kind: ClassVar[str] = "roc"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    bands: Mapping[str, Mapping[str, Any]]
    hull: tuple[Mapping[str, Any], ...]
    x_title: str
    y_title: str


def roc_figure(evidence: Predictions | RocAnalysis, *, dataset: str | None = None, bands: bool = True) -> RocFigure:
    """Collect the ROC curves of every model; bands are drawn for up to six models.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import roc_figure
    >>> roc_figure(p).kind
    'roc'
    """
    analysis = evidence if isinstance(evidence, RocAnalysis) else roc(evidence, dataset=dataset)
    wanted = analysis.models if bands and len(analysis.models) <= _BAND_MODELS and analysis._rows is not None else ()
    return RocFigure(
        title=tr("ROC curves"),
        caption=tr("Dots are the convex hull over all models: only they are best for some costs. Bands are 95 %."),
        styles=styles_of(analysis.models),
        curves=tuple(_roc_curve(analysis, m) for m in analysis.models),
        bands={m: _roc_band(analysis, m) for m in wanted if analysis.curves[m].kind != "labels"},
        hull=tuple(
            {"fpr": float(v.fpr), "tpr": float(v.tpr), "model": v.model, "threshold": _number(v.threshold)}
            for v in analysis.vertices
        ),
        x_title=tr("false positive rate"),
        y_title=tr("true positive rate"),
    )


def _roc_curve(analysis: RocAnalysis, model: str) -> dict[str, Any]:
    curve = analysis.curves[model]
    index = keep_visible(curve.fpr, curve.tpr)
    area = analysis.auc[model]
    return {
        "model": model,
        "fpr": rounded(curve.fpr[index]),
        "tpr": rounded(curve.tpr[index]),
        "threshold": [_number(t) for t in curve.thresholds[index]],
        "auc": area.estimate,
        "low": area.low,
        "high": area.high,
    }


def _roc_band(analysis: RocAnalysis, model: str) -> dict[str, Any]:
    band = analysis.band(model)
    return {"fpr": rounded(band.fpr), "low": rounded(band.low, 4), "high": rounded(band.high, 4)}


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if np.isfinite(value) else None


@dataclass(frozen=True, repr=False)
class PrecisionRecallFigure(FigureData):
    """Precision against recall over all thresholds.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import precision_recall_figure
    >>> figure = precision_recall_figure(p)
    >>> figure.title
    'Precision and recall'
    """

    kind: ClassVar[str] = "precision-recall"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    prevalence: float
    x_title: str
    y_title: str


def precision_recall_figure(predictions: Predictions, *, dataset: str | None = None) -> PrecisionRecallFigure:
    """Collect the precision–recall curves of every scorer; rows of folds are counted together.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import precision_recall_figure
    >>> precision_recall_figure(p).kind
    'precision-recall'
    """
    from bakeoff.stats import average_precision_from_tally

    rows = predictions.table(dataset)
    curves = []
    for model in _scorers(rows):
        tally = rows.tally(model)
        found = np.cumsum(tally.positive)
        precision = found / (found + np.cumsum(tally.negative))
        recall = found / found[-1]
        index = keep_visible(recall, precision)
        area = float(average_precision_from_tally(tally.positive, tally.negative))
        curves.append(
            {
                "model": model,
                "recall": rounded(recall[index]),
                "precision": rounded(precision[index]),
                "average_precision": area,
            }
        )
    return PrecisionRecallFigure(
        title=tr("Precision and recall"),
        caption=tr("The dashed line is the share of positives: what calling everyone positive gives."),
        styles=styles_of(rows.models),
        curves=tuple(curves),
        prevalence=float(np.average(rows.positives(), weights=rows.weight)),
        x_title=tr("recall"),
        y_title=tr("precision"),
    )


def _scorers(rows: Rows) -> list[str]:
    return [m for m in rows.models if rows.provides(m, "scores")]


@dataclass(frozen=True, repr=False)
class CalibrationFigure(FigureData):
    """Stated probability against how often it came true.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import calibration_figure
    >>> figure = calibration_figure(p)
    >>> figure.title
    'Calibration'
    """

    kind: ClassVar[str] = "calibration"

    styles: Mapping[str, Style]
    curves: tuple[Mapping[str, Any], ...]
    x_title: str
    y_title: str


def calibration_figure(predictions: Predictions, *, dataset: str | None = None, bins: int = 10) -> CalibrationFigure:
    """Collect the calibration curves of every probability estimator, in bins with Wilson intervals.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import calibration_figure
    >>> calibration_figure(p).kind
    'calibration'
    """
    rows = predictions.table(dataset)
    curves = []
    for model in (m for m in rows.models if rows.provides(m, "probabilities") and rows.provides(m, "scores")):
        curve = calibration_curve(
            rows.positives(), rows.scores(model), method="bins", bins=bins, sample_weight=rows.weight, n_resamples=100
        )
        names = {"mean": curve.stated, "observed": curve.observed}
        if len(rows.models) <= 2:  # bands of many models hide each other
            names |= {"low": curve.low, "high": curve.high}
        counts = [float(c) for c in curve.count]
        curves.append({"model": model, **{k: rounded(v, 4) for k, v in names.items()}, "count": counts})
    return CalibrationFigure(
        title=tr("Calibration"),
        caption=tr("On the diagonal, of the cases given a chance of 30 %, 30 % are positive."),
        styles=styles_of(rows.models),
        curves=tuple(curves),
        x_title=tr("stated probability"),
        y_title=tr("observed share of positives"),
    )


@dataclass(frozen=True, repr=False)
class CostCurveFigure(FigureData):
    """Normalised expected cost in every context, and who is cheapest where.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import cost_curve_figure
    >>> figure = cost_curve_figure(p)
    >>> figure.title
    'Cost curves'
    """

    kind: ClassVar[str] = "cost-curve"

    styles: Mapping[str, Style]
    envelopes: tuple[Mapping[str, Any], ...]
    ranges: tuple[Mapping[str, Any], ...]
    trivial: tuple[str, str]
    x_title: str
    y_title: str


def cost_curve_figure(
    evidence: Predictions | CostCurve, *, dataset: str | None = None, bands: bool = False
) -> CostCurveFigure:
    """Collect the cost curves: lower envelope of each model, trivial rules, and the strip of winners.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import cost_curve_figure
    >>> cost_curve_figure(p).kind
    'cost-curve'
    """
    curves = evidence if isinstance(evidence, CostCurve) else cost_curves(evidence, dataset=dataset)
    band = curves.band if bands and len(curves.models) <= _BAND_MODELS else None
    grid = np.linspace(0.0, 1.0, 161) if band is None else band.pc
    envelopes = []
    for model in curves.models:
        cost = np.minimum(np.minimum(curves.at(grid, model), grid), 1 - grid)
        entry: dict[str, Any] = {"model": model, "pc": rounded(grid), "cost": rounded(cost)}
        if band is not None:
            entry |= {"low": rounded(band.low[model], 4), "high": rounded(band.high[model], 4)}
        envelopes.append(entry)
    ranges = curves.ranges(by="model")
    return CostCurveFigure(
        title=tr("Cost curves"),
        caption=tr(
            "Left: false alarms matter; right: misses do. The strip names the cheapest; dashes are trivial rules."
        ),
        styles=styles_of(curves.models),
        envelopes=tuple(envelopes),
        ranges=tuple({"model": r.model, "low": r.pc_low, "high": r.pc_high} for r in ranges),
        trivial=curves.trivial,
        x_title=tr("PC(+): how much the positives matter"),
        y_title=tr("normalised expected cost"),
    )


@dataclass(frozen=True, repr=False)
class ScoreDistributionFigure(FigureData):
    """Where the scores of positives and of negatives lie.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import score_distribution_figure
    >>> figure = score_distribution_figure(p, "a")
    >>> figure.title
    'Scores of a'
    """

    kind: ClassVar[str] = "score-distribution"

    model: str
    edges: tuple[float, ...]
    positive: tuple[float, ...]
    negative: tuple[float, ...]
    positive_name: str
    negative_name: str
    threshold: float | None
    x_title: str
    y_title: str


def score_distribution_figure(
    predictions: Predictions, model: str, *, dataset: str | None = None, bins: int = 30, threshold: float | None = None
) -> ScoreDistributionFigure:
    """Count one model's scores in bins, by class, as shares of each class.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> from bakeoff.figures import score_distribution_figure
    >>> score_distribution_figure(p, "a").kind
    'score-distribution'
    """
    rows = predictions.table(dataset)
    tally = rows.tally(model)
    edges = np.histogram_bin_edges(tally.scores, bins=bins)
    shares = [
        np.histogram(tally.scores, edges, weights=w)[0] / max(w.sum(), 1e-300) for w in (tally.positive, tally.negative)
    ]
    negative = [str(c) for c in rows.classes if c != rows.pos_label]
    return ScoreDistributionFigure(
        title=tr("Scores of {model}", model=model),
        caption=tr("Share of each class in each range of scores."),
        model=model,
        edges=tuple(rounded(edges, 6)),
        positive=tuple(rounded(shares[0])),
        negative=tuple(rounded(shares[1])),
        positive_name=str(rows.pos_label),
        negative_name=" / ".join(negative),
        threshold=threshold,
        x_title=tr("score"),
        y_title=tr("share of the class"),
    )
