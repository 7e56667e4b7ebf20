"""The verbs `roc` and `cost_curves`: from predictions to curves, hull and cost curves of every model."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bakeoff._core.errors import BakeoffWarning, EvidenceError
from bakeoff._core.language import Text, listed, numeral, translate
from bakeoff._core.result import (
    SCHEMA_VERSION,
    Interval,
    Note,
    Result,
    attribute_columns,
    emit,
    jsonable,
    unique,
    warning_note,
)
from bakeoff._core.validation import RngLike, as_generator, check_choice, check_count, check_level
from bakeoff._core.view import Table, View, estimate_cell
from bakeoff.counts import Draws
from bakeoff.decision._averaging import average_roc
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._cost_curve import CostCurve
from bakeoff.decision._curve import OperatingPoint, RocCurve
from bakeoff.decision._dominance import Dominance, Dominated, dominance
from bakeoff.decision._hull import RocHull, Vertices
from bakeoff.decision._limits import normal_quantile, sum_of_rates
from bakeoff.decision._ranges import ContextRanges
from bakeoff.decision._roc_bands import RocBand, resampled_area, roc_band
from bakeoff.decision._rules import BinaryRows, binary_rows, one_table
from bakeoff.evidence import Predictions, Rows
from bakeoff.measures import compute, get

AVERAGES = ("vertical", "threshold", "pooled")


@dataclass(frozen=True, repr=False)
class RocAnalysis(Result):
    """The ROC curves of every model on one data set, and their hull.

    Attributes
    ----------
    dataset
        Name of the data set.
    curves
        Model → `RocCurve`; with folds, the average of the folds' curves.
    auc
        Model → `Interval` of its area.
    hull
        The `RocHull` over all models and the trivial rules. With folds it is built on threshold averages, so that its
        thresholds can be set.
    folds
        Model → the curves of its folds; empty for one test set.
    average
        ``"vertical"``, ``"threshold"``, ``"pooled"``, or ``"none"`` for one test set.
    """

    dataset: str
    curves: Mapping[str, RocCurve]
    auc: Mapping[str, Interval]
    hull: RocHull
    folds: Mapping[str, tuple[RocCurve, ...]]
    average: str
    _rows: BinaryRows | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """The models, in order."""
        return tuple(self.curves)

    @property
    def vertices(self) -> Vertices:
        """Vertices of the hull: fpr, tpr, model, threshold."""
        return self.hull.vertices

    @property
    def dominated(self) -> dict[str, Dominated]:
        """Models that are the cheapest in no context."""
        return self.hull.dominated

    def __getitem__(self, model: str) -> RocCurve:
        return self.curves[model]

    def best(self, context: OperatingContext) -> OperatingPoint:
        """Return the cheapest model and threshold in a context."""
        return self.hull.best(context)

    def ranges(self, *, prevalence: float | None = None, by: str = "threshold", trivial: bool = True) -> ContextRanges:
        """List who is cheapest on which interval of PC(+)."""
        return self.hull.ranges(prevalence=prevalence, by=by, trivial=trivial)

    def dominance(self, a: str, b: str, *, trivial: bool = True) -> Dominance:
        """Tell whether one model beats another in every context, or where each is cheaper."""
        return dominance(self.hull.curves[a], self.hull.curves[b], trivial=trivial)

    def band(self, model: str, **options: Any) -> RocBand:
        """Put a confidence band around a model's curve; options as in `roc_band`."""
        if self._rows is None:
            raise EvidenceError("a band needs the rows behind the curve.")
        return roc_band(self._rows, model, **options)

    def _columns(self) -> dict[str, Sequence[Any]]:
        areas = attribute_columns(
            (self.auc[m] for m in self.models), auc="estimate", low="low", high="high", method="method"
        )
        owned = [sum(r.pc_high - r.pc_low for r in self.ranges() if r.model == m) for m in self.models]
        dominated = [m in self.dominated for m in self.models]
        return {"model": list(self.models), **areas, "share_of_contexts": owned, "dominated": dominated}

    @property
    def sentences(self) -> tuple[Text, ...]:
        """Whose area is largest, and who is never the one to use."""
        best = max(self.auc.values(), key=lambda a: a.estimate)
        names = [m for m in self.models if self.auc[m].estimate >= best.estimate - 1e-12]
        cell = estimate_cell(best.estimate, best.low, best.high)
        found = [Text("Largest AUC: {models}, {cell}.", models=listed(names), cell=cell).as_role("headline")]
        beaten = [m for m in self.models if m in self.dominated]
        if beaten:
            found.append(Text("Never the cheapest, whatever the costs: {models}.", models=listed(beaten)))
        return tuple(found)

    def _view(self) -> View:
        found = self._columns()
        limits = zip(*(found[name] for name in ("auc", "low", "high")), strict=True)
        columns = {
            "model": found["model"],
            "AUC": [estimate_cell(*row) for row in limits],
            translate("cheapest in"): [
                numeral(100 * v, ".0f", "\N{NO-BREAK SPACE}%") for v in found["share_of_contexts"]
            ],
        }
        below = Text("“cheapest in”: the share of contexts, by PC(+), in which the model costs least")
        return View(self.sentences, (Table(columns),), (below,), self.notes)

    def to_dict(self) -> dict[str, Any]:
        """Return curves, areas and hull (not the curves of single folds) as JSON-able values."""
        return {
            "kind": "RocAnalysis",
            "schema_version": SCHEMA_VERSION,
            "dataset": self.dataset,
            "average": self.average,
            "curves": jsonable(self.curves),
            "auc": jsonable(self.auc),
            "hull": self.hull.to_dict(),
            "notes": jsonable(self.notes),
        }

    def _headline(self) -> str:
        shown = ", ".join(f"{m} {self.auc[m].estimate:.4f}" for m in self.models[:4])
        return f"{self.dataset!r}: auc {shown}; hull {self.hull.auc:.4f}"


def roc(
    predictions: Predictions,
    *,
    average: str = "vertical",
    dataset: str | None = None,
    confidence_level: float = 0.95,
) -> RocAnalysis:
    """Which trade-offs between hits and false alarms do the models offer, and which model offers the best?

    Parameters
    ----------
    predictions
        Scores (or labels) of the models on one data set.
    average
        With folds: ``"vertical"`` (mean TPR at each FPR), ``"threshold"`` (mean point at each threshold), or
        ``"pooled"`` (all rows as one test set, although they were scored by different fits).
    dataset
        Which data set, when there are several.
    confidence_level
        Level of the intervals of the areas.

    Examples
    --------
    >>> import bakeoff
    >>> y = [1, 1, 0, 1, 1, 0, 0, 0]
    >>> p = bakeoff.Predictions.from_arrays(y, y_score={"a": [9, 8, 7, 6, 5, 4, 3, 2], "b": [7, 9, 8, 6, 1, 2, 3, 4]})
    >>> analysis = bakeoff.roc(p)
    >>> analysis["a"].auc, [v.model for v in analysis.vertices]
    (0.875, ['always 0', 'a', 'a', 'always 1'])
    """
    check_choice("average", average, AVERAGES)
    level = check_level(confidence_level)
    table = one_table(predictions, dataset)
    rows = binary_rows(table)
    folds, notes = _fold_curves(rows)
    pooled = {m: rows.curve(m) for m in rows.outputs} if not folds or average == "pooled" else {}
    curves = pooled or {m: average_of(folds[m], average) for m in folds}
    with_thresholds = pooled or {m: average_of(folds[m], "threshold") for m in folds}
    hull = RocHull.from_curves(with_thresholds.values(), negative=rows.negative_name, positive=rows.positive_name)
    areas = {m: _area(table, rows, curves[m], level) for m in curves}
    kind = "none" if rows.part is None else "pooled" if pooled else average
    found = RocAnalysis(table.name, curves, areas, hull, folds, kind, rows, unique([*notes, *_pooling(kind)]))
    emit(found.notes)
    return found


def cost_curves(
    predictions: Predictions,
    *,
    dataset: str | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 2000,
    rng: RngLike = 0,
) -> CostCurve:
    """What does each model cost in every context at once, and who is cheapest where?

    Out-of-fold rows are counted together: each threshold is evaluated over all folds.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([1, 1, 0, 1, 0, 0], y_score={"a": [9, 8, 7, 6, 5, 4]})
    >>> curves = bakeoff.cost_curves(p)
    >>> round(curves.at(0.5), 4), curves.ranges().models
    (0.1667, ('a', 'a'))
    """
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples, minimum=50)
    rows = binary_rows(one_table(predictions, dataset))
    seed = int(as_generator(rng).integers(2**63))
    notes = _pooling("none" if rows.part is None else "threshold")
    return CostCurve.from_rows(rows, confidence_level=level, n_resamples=draws, seed=seed, notes=notes)


@dataclass(frozen=True, repr=False)
class OneVsRest(Result):
    """ROC analyses of several classes, each against the rest, and the areas that sum them up.

    Attributes
    ----------
    analyses
        Class → `RocAnalysis` of that class against the rest.
    macro_auc, hand_till
        Model → mean of the one-vs-rest areas, and Hand & Till's M (mean over pairs of classes).

    References
    ----------
    Hand, D. J. & Till, R. J. (2001). A simple generalisation of the area under the ROC curve for multiple class
    classification problems. Machine Learning 45, 171–186. https://doi.org/10.1023/A:1010920819831
    """

    analyses: Mapping[object, RocAnalysis]
    macro_auc: Mapping[str, float]
    hand_till: Mapping[str, float]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, label: object) -> RocAnalysis:
        return self.analyses[label]

    def _columns(self) -> dict[str, Sequence[Any]]:
        models = list(self.macro_auc)
        columns: dict[str, Sequence[Any]] = {"model": models}
        for label, analysis in self.analyses.items():
            columns[f"auc {label}"] = [analysis.auc[m].estimate for m in models]
        return columns | {
            "macro_auc": [self.macro_auc[m] for m in models],
            "hand_till": [self.hand_till[m] for m in models],
        }

    def _headline(self) -> str:
        return ", ".join(f"{m}: macro {self.macro_auc[m]:.4f}, M {self.hand_till[m]:.4f}" for m in self.macro_auc)


def roc_one_vs_rest(
    predictions: Predictions, *, dataset: str | None = None, confidence_level: float = 0.95
) -> OneVsRest:
    """Analyse each class against the rest, for models that give a probability per class.

    Examples
    --------
    >>> import bakeoff
    >>> from bakeoff.decision import roc_one_vs_rest
    >>> chances = [[0.7, 0.2, 0.1], [0.5, 0.3, 0.2], [0.2, 0.6, 0.2], [0.3, 0.4, 0.3], [0.1, 0.2, 0.7], [0.4, 0.3, 0.3]]
    >>> p = bakeoff.Predictions.from_arrays(["x", "x", "y", "y", "z", "z"] * 10, y_score={"a": chances * 10})
    >>> round(roc_one_vs_rest(p)["z"].curves["a"].auc, 3)
    0.938
    """
    rows = one_table(predictions, dataset)
    rows = rows.about(rows.models, "probabilities").in_memory()
    analyses = {
        label: roc(Predictions({rows.name: replace(rows, positive=code)}), confidence_level=confidence_level)
        for code, label in enumerate(rows.classes)
    }
    macro = {m: float(np.mean([a.curves[m].auc for a in analyses.values()])) for m in rows.models}
    hand_till = {m: compute(get("hand_till_auc"), rows, m).value for m in rows.models}
    return OneVsRest(analyses, macro, hand_till)


def average_of(curves: Sequence[RocCurve], method: str) -> RocCurve:
    """Average fold curves; a model that answers labels is averaged as a point."""
    if curves[0].kind != "labels":
        return average_roc(curves, method=method).curve
    fpr, tpr = (float(np.mean([getattr(c, rate)[1] for c in curves])) for rate in ("fpr", "tpr"))
    sizes = {name: sum(getattr(c, name) for c in curves) for name in ("n_positive", "n_negative")}
    return RocCurve.from_point(fpr, tpr, model=curves[0].model, **sizes)


def _fold_curves(rows: BinaryRows) -> tuple[dict[str, tuple[RocCurve, ...]], list[Note]]:
    """Trace the curve of every fold that has both classes."""
    if rows.part is None or rows.repeat is None:
        return {}, []
    key = rows.repeat * (int(rows.part.max()) + 1) + rows.part
    weighs = np.ones(key.size, dtype=bool) if rows.weight is None else rows.weight > 0
    kept, lost = [], 0
    for split in np.unique(key):
        member = np.flatnonzero((key == split) & weighs)
        both = 0 < int(rows.positive[member].sum()) < member.size
        kept += [member] if both else []
        lost += not both
    if not kept:
        text = Text(
            "no fold has rows of both classes, so fold curves cannot be averaged and all rows are pooled; scores of "
            "different fits may not be comparable (pooled leave-one-out scores of a constant model have AUC 0)."
        )
        return {}, [warning_note("pooled-folds", text)]
    notes = []
    if lost:
        text = Text(
            "averaged over {n} of {folds} folds: the others have rows of one class only.",
            n=len(kept),
            folds=len(kept) + lost,
        )
        notes.append(warning_note("one-class-folds", text))
    return {m: tuple(rows.curve(m, member) for member in kept) for m in rows.outputs}, notes


def _pooling(kind: str) -> tuple[Note, ...]:
    texts = {
        "vertical": Text("curves are vertical averages over folds; the hull is built on threshold averages."),
        "threshold": Text(
            "out-of-fold rows are counted together: a threshold is taken to mean the same in every fold."
        ),
        "pooled": Text("rows of all folds are pooled as one test set, although different fits scored them."),
    }
    return (Note(f"folds-{kind}", texts[kind]),) if kind in texts else ()


def _area(table: Rows, rows: BinaryRows, curve: RocCurve, level: float) -> Interval:
    """Return the interval of the AUC as `evaluate` gives it; of (TPR + TNR)/2 for a model that answers labels."""
    output = rows.outputs[curve.model]
    if bool((output == output[0]).all()):  # one answer throughout ranks nothing, in any sample
        return Interval(0.5, 0.5, 0.5, level, "exact")
    if curve.kind == "labels" and rows.closed_form:
        weights, rates = (0.5, 0.5), (1 - curve.tpr[1], curve.fpr[1])
        low, high = sum_of_rates(weights, rates, rows.cases, normal_quantile(level))
        return Interval(curve.auc, float(1 - high), float(1 - low), level, "mover-wilson")
    pooled = curve.kind == "scores" and rows.part is not None
    if pooled and rows.units.plain and rows.units.answers == 1:
        from bakeoff.stats.roc import DELONG, delong_interval

        one = rows.written_out()
        found = delong_interval(one.positive, one.outputs[curve.model], confidence_level=level)
        return Interval(found.estimate, found.low, found.high, level, DELONG, found.notes)
    if pooled or curve.kind == "labels":  # `evaluate` averages over folds, and has no area of labels
        return resampled_area(rows, curve, Draws(2000, 0, stratified=True), level)
    from bakeoff.intervals import evaluate

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        alone = Predictions({table.name: table.select([curve.model])})
        return evaluate(alone, "auc", confidence_level=level, rng=0)[curve.model, "auc"]
