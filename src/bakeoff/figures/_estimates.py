"""Figures of estimates: forest plots of measures and of differences, ranks, scores over folds, time against quality."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import tr
from bakeoff.comparison import Comparison
from bakeoff.comparison._words import measure_word
from bakeoff.evidence import Scores
from bakeoff.figures._base import FigureData
from bakeoff.figures._palette import Style, styles_of
from bakeoff.intervals import Evaluation
from bakeoff.measures import find


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


@dataclass(frozen=True, repr=False)
class ForestFigure(FigureData):
    """One measure of every model with its interval.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> evaluation = bakeoff.evaluate(p, ["accuracy", "auc"], rng=0)
    >>> from bakeoff.figures import forest_figure
    >>> figure = forest_figure(evaluation, "auc")
    >>> figure.title
    'AUC of each model'
    """

    kind: ClassVar[str] = "forest"

    styles: Mapping[str, Style]
    rows: tuple[Mapping[str, Any], ...]
    measure: str
    greater_is_better: bool
    reference: float | None
    bounds: tuple[float | None, float | None]
    x_title: str


def forest_figure(evaluation: Evaluation, measure: str | None = None, *, dataset: str | None = None) -> ForestFigure:
    """Collect one measure of every model, best first; the dashed line is the best trivial baseline.

    Examples
    --------
    >>> import bakeoff
    >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4] * 20, [0.6, 0.9, 0.4, 0.2, 0.5, 0.1] * 20
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": a, "b": b})
    >>> evaluation = bakeoff.evaluate(p, ["accuracy", "auc"], rng=0)
    >>> from bakeoff.figures import forest_figure
    >>> forest_figure(evaluation, "auc").kind
    'forest'
    """
    name = measure or evaluation.measures[0]
    chosen = dataset or evaluation.datasets[0]
    known = find(name)
    greater = True if known is None else known.greater_is_better
    present = {e.model for e in evaluation.entries if e.dataset == chosen}  # trivial rules are those of its own classes
    cells = {m: evaluation[chosen, m, name] for m in evaluation.models if m in present}
    order = sorted(cells, key=lambda m: _rank_key(cells[m].estimate, greater))
    trivial = [cells[m].estimate for m in evaluation.baselines if m in cells and np.isfinite(cells[m].estimate)]
    reference = (max(trivial) if greater else min(trivial)) if trivial else None
    shown = [m for m in order if m not in evaluation.baselines] or order
    bounds = (None, None) if known is None else tuple(_finite(b) for b in known.bounds)
    return ForestFigure(
        title=tr("{measure} of each model", measure=measure_word(name)),
        caption=tr("Dots are estimates, lines {level} % intervals; the dashed line is the best trivial rule.",
                   level=f"{100 * evaluation.confidence_level:g}"),
        styles=styles_of(evaluation.models, evaluation.baselines),
        rows=tuple(
            {"label": m, "model": m, **{k: _finite(getattr(cells[m], k)) for k in ("estimate", "low", "high")}}
            for m in shown
        ),
        measure=name,
        greater_is_better=greater,
        reference=reference,
        bounds=(bounds[0], bounds[1]),
        x_title=measure_word(name),
    )  # fmt: skip


def _rank_key(value: float, greater: bool) -> float:
    return float("inf") if np.isnan(value) else (-value if greater else value)


@dataclass(frozen=True, repr=False)
class DifferenceForestFigure(FigureData):
    """Differences between models with their intervals.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import difference_forest_figure
    >>> figure = difference_forest_figure(comparison)
    >>> figure.title
    'Differences in AUC'
    """

    kind: ClassVar[str] = "difference-forest"

    styles: Mapping[str, Style]
    rows: tuple[Mapping[str, Any], ...]
    measure: str
    margin: float | None
    x_title: str


_MOST_PAIRS = 30


def _pairs_caption(comparison: Comparison, n: int) -> str:
    """With several pairs the adjusted p-value decides, not the interval; and what is left out is said."""
    level = f"{100 * comparison.confidence_level:g}"
    if n < 2:
        return tr(
            "Each line is one pair with its {level} % interval; one that crosses zero shows no difference.", level=level
        )
    text = tr(
        "Each line is one pair with its {level} % interval taken alone; in colour where the adjusted p-value shows a "
        "difference.", level=level,
    )  # fmt: skip
    if n <= _MOST_PAIRS:
        return text
    return tr("The {shown} largest of {n} differences.", shown=_MOST_PAIRS, n=n) + " " + text


def difference_forest_figure(comparison: Comparison) -> DifferenceForestFigure:
    """Collect the pairs, each written as better minus worse, largest difference first (thirty at most).

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import difference_forest_figure
    >>> difference_forest_figure(comparison).kind
    'difference-forest'
    """
    sign = 1 if comparison.greater_is_better else -1
    pairs = [p if sign * p.estimate >= 0 else p.flipped() for p in comparison.pairs if np.isfinite(p.estimate)]
    pairs.sort(key=lambda p: -abs(p.estimate))
    return DifferenceForestFigure(
        title=tr("Differences in {measure}", measure=measure_word(comparison.measure)),
        caption=_pairs_caption(comparison, len(pairs)),
        styles=styles_of(comparison.models),
        rows=tuple(
            {
                "label": f"{p.model_a} − {p.model_b}", "winner": p.better or None, "estimate": _finite(p.estimate),
                "low": _finite(p.low), "high": _finite(p.high), "pvalue": _finite(p.pvalue_adjusted),
            }
            for p in pairs[:_MOST_PAIRS]
        ),
        measure=comparison.measure,
        margin=comparison.margin,
        x_title=tr("difference in {measure}", measure=measure_word(comparison.measure)),
    )  # fmt: skip


@dataclass(frozen=True, repr=False)
class CriticalDifferenceFigure(FigureData):
    """Mean ranks over data sets, and the groups that cannot be told apart.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import critical_difference_figure
    >>> figure = critical_difference_figure(comparison)
    >>> figure.title
    'Mean ranks over 15 data sets'
    """

    kind: ClassVar[str] = "critical-difference"

    styles: Mapping[str, Style]
    ranks: tuple[Mapping[str, Any], ...]
    cliques: tuple[tuple[str, ...], ...]
    cd: float | None
    n_datasets: int


def _ranks_caption(comparison: Comparison) -> str:
    """Pairs tested one by one need not follow the ranks: a group may leave out a model between its members."""
    text = tr("1 is best. A bar joins models of which no two were shown to differ.")
    order = list(comparison.ranks or ())
    places = [sorted(order.index(m) for m in group) for group in comparison.groups if len(group) > 1]
    if all(p[-1] - p[0] == len(p) - 1 for p in places):
        return text
    return text + " " + tr("A ring on a bar marks a model above it that does not belong to the group.")


def critical_difference_figure(comparison: Comparison) -> CriticalDifferenceFigure:
    """Collect the ranks and groups; a bar joins models only if every pair among them was not shown to differ.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78, 0.70], [0.92, 0.90, 0.85], [0.75, 0.76, 0.71], [0.88, 0.84, 0.80], [0.67, 0.60, 0.62]] * 3
    >>> comparison = bakeoff.compare(bakeoff.Scores.from_wide(table, models=["a", "b", "c"], measure="auc"), rng=0)
    >>> from bakeoff.figures import critical_difference_figure
    >>> critical_difference_figure(comparison).kind
    'critical-difference'
    """
    if comparison.ranks is None:
        raise EvidenceError("ranks need several data sets.", hint="compare scores over data sets")
    return CriticalDifferenceFigure(
        title=tr("Mean ranks over {n} data sets", n=comparison.design.n_datasets),
        caption=_ranks_caption(comparison),
        styles=styles_of(comparison.models),
        ranks=tuple({"model": m, "rank": float(r)} for m, r in comparison.ranks.items()),
        cliques=comparison.groups,
        cd=comparison.critical_difference,
        n_datasets=comparison.design.n_datasets,
    )


@dataclass(frozen=True, repr=False)
class BoxFigure(FigureData):
    """Scores of every fold or data set, by model, paired.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76], [0.88, 0.84], [0.67, 0.60]]
    >>> scores = bakeoff.Scores.from_wide(table, models=["a", "b"], measure="auc")
    >>> from bakeoff.figures import box_figure
    >>> figure = box_figure(scores)
    >>> figure.title
    'AUC over data sets'
    """

    kind: ClassVar[str] = "box"

    styles: Mapping[str, Style]
    groups: tuple[Mapping[str, Any], ...]
    labels: tuple[str, ...]
    paired: bool
    y_title: str


def box_figure(scores: Scores, *, dataset: str | None = None) -> BoxFigure:
    """Collect the scores over the folds of one data set, or over data sets.

    Examples
    --------
    >>> import bakeoff
    >>> table = [[0.81, 0.78], [0.92, 0.90], [0.75, 0.76], [0.88, 0.84], [0.67, 0.60]]
    >>> scores = bakeoff.Scores.from_wide(table, models=["a", "b"], measure="auc")
    >>> from bakeoff.figures import box_figure
    >>> box_figure(scores).kind
    'box'
    """
    over_sets = dataset is None and len(scores.datasets) > 1
    if over_sets:
        values, labels = scores.matrix(), list(scores.datasets)
    else:
        name = dataset or scores.datasets[0]
        values = scores.folds(name)
        splits = scores.splits[name]
        many = len({s.repeat for s in splits}) > 1
        labels = [f"{s.repeat}/{s.fold}" if many else f"fold {s.fold}" for s in splits] or ["all"]
    return BoxFigure(
        title=tr("{measure} over data sets", measure=measure_word(scores.measure))
        if over_sets
        else tr("{measure} over folds", measure=measure_word(scores.measure)),
        caption=tr("Thin lines join what was measured on the same data: compare along them."),
        styles=styles_of(scores.models),
        groups=tuple({"model": m, "values": [_finite(v) for v in values[:, i]]} for i, m in enumerate(scores.models)),
        labels=tuple(labels),
        paired=True,
        y_title=measure_word(scores.measure),
    )


@dataclass(frozen=True, repr=False)
class TimeQualityFigure(FigureData):
    """Training time against quality: is the better model worth the wait?

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.protocols import KFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), progress=False)
    >>> evaluation = results.evaluate(["accuracy", "fit_time"])
    >>> from bakeoff.figures import time_quality_figure
    >>> figure = time_quality_figure(evaluation)
    >>> figure.title
    'Time and quality'
    """

    kind: ClassVar[str] = "time-quality"

    styles: Mapping[str, Style]
    points: tuple[Mapping[str, Any], ...]
    measure: str
    x_title: str
    y_title: str


def time_quality_figure(
    evaluation: Evaluation, measure: str | None = None, *, dataset: str | None = None
) -> TimeQualityFigure:
    """Collect fit time against a measure; the evaluation must hold ``fit_time``.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.protocols import KFold
    >>> from sklearn.naive_bayes import GaussianNB
    >>> results = bakeoff.run({"nb": GaussianNB()}, "sklearn:iris", KFold(5), progress=False)
    >>> evaluation = results.evaluate(["accuracy", "fit_time"])
    >>> from bakeoff.figures import time_quality_figure
    >>> time_quality_figure(evaluation).kind
    'time-quality'
    """
    if "fit_time" not in evaluation.measures:
        raise EvidenceError("the evaluation has no fit_time.", hint="evaluate(results, ['auc', 'fit_time'])")
    name = measure or next(m for m in evaluation.measures if m not in ("fit_time", "predict_time"))
    chosen = dataset or evaluation.datasets[0]
    points = []
    for model in (m for m in evaluation.models if m not in evaluation.baselines):
        time, quality = evaluation[chosen, model, "fit_time"].estimate, evaluation[chosen, model, name]
        if np.isfinite(time) and np.isfinite(quality.estimate):
            limits = {"low": _finite(quality.low), "high": _finite(quality.high)}
            points.append({"model": model, "time": float(time), "value": quality.estimate, **limits})
    return TimeQualityFigure(
        title=tr("Time and quality"),
        caption=tr("Seconds to train (logarithmic) against {measure} with its interval.", measure=measure_word(name)),
        styles=styles_of(evaluation.models, evaluation.baselines),
        points=tuple(points),
        measure=name,
        x_title=tr("seconds to train"),
        y_title=measure_word(name),
    )
