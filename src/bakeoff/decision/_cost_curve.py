"""Cost curves: what each model costs in every context at once (Drummond & Holte)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, unknown_choice
from bakeoff._core.language import Text
from bakeoff._core.result import SCHEMA_VERSION, Note, Result, jsonable
from bakeoff._core.validation import FloatArray
from bakeoff._core.view import View
from bakeoff.decision._context import OperatingContext, check_shares
from bakeoff.decision._cost_bands import CostBand, CostDifference, cost_band, cost_difference
from bakeoff.decision._curve import Envelope, OperatingPoint, RocCurve
from bakeoff.decision._hull import RocHull
from bakeoff.decision._ranges import ContextRanges, ranges_table, ranges_text
from bakeoff.decision._rules import BinaryRows


@dataclass(frozen=True, repr=False)
class LowerEnvelope(Result):
    """The least normalised cost over all models and trivial rules, by its bends.

    Attributes
    ----------
    pc, cost
        Where the envelope bends, from PC(+) 0 to 1, and its height there, ``[b]``.
    models, thresholds
        Who is cheapest on the segment that starts at each bend (the last repeats the one before), ``[b]``.
    """

    pc: FloatArray
    cost: FloatArray
    models: tuple[str, ...]
    thresholds: FloatArray
    notes: tuple[Note, ...] = ()

    @property
    def area(self) -> float:
        """Area under the envelope."""
        return float(np.trapezoid(self.cost, self.pc))

    def _columns(self) -> dict[str, Any]:
        return {"pc": self.pc, "cost": self.cost, "model": self.models, "threshold": self.thresholds}


@dataclass(frozen=True, repr=False)
class CostCurve(Result):
    """Normalised expected cost of every model against the context PC(+), with the trivial rules.

    A point (FPR, TPR) of ROC space is the line from (0, FPR) to (1, FNR); a model is the lower envelope of its lines.
    PC(+) = P·cost_fn / (P·cost_fn + N·cost_fp) sums up prevalence and costs; normalised cost 0 is always right, 1
    always wrong. The lower envelope is dual to the ROC hull.

    Attributes
    ----------
    hull
        The dual ROC hull.
    confidence_level, n_resamples, seed
        How `band` and `difference` are made.

    References
    ----------
    Drummond, C. & Holte, R. C. (2006). Cost curves: an improved method for visualizing classifier performance. Machine
    Learning 65, 95–130. https://doi.org/10.1007/s10994-006-8199-5

    Examples
    --------
    >>> curves = CostCurve.from_points({"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)})
    >>> round(curves.at(0.5), 6), round(curves.at(0.5, model="C1"), 6), round(curves.area, 6)
    (0.3, 0.45, 0.208333)
    >>> curves.ranges().models
    ('always negative', 'C3', 'always positive')
    """

    hull: RocHull
    confidence_level: float = 0.95
    n_resamples: int = 2000
    seed: int = 0
    _rows: BinaryRows | None = field(default=None, repr=False)
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_curves(cls, curves: Iterable[RocCurve], **names: object) -> CostCurve:
        """Make the cost curves of ROC curves."""
        return cls(RocHull.from_curves(curves, **names))

    @classmethod
    def from_points(cls, points: Mapping[str, tuple[float, float]], **names: object) -> CostCurve:
        """Make the cost lines of models that answer labels: name → (fpr, tpr)."""
        return cls(RocHull.from_points(points, **names))

    @classmethod
    def from_arrays(
        cls, y_true: ArrayLike, y_score: Mapping[str, ArrayLike], *, pos_label: object = None, **options: Any
    ) -> CostCurve:
        """Make the cost curves of scored models on the same rows: `y_score` maps model name → scores ``[n]``."""
        from bakeoff._core.validation import as_binary_truth

        positive = as_binary_truth(y_true, pos_label=pos_label)
        scores = {name: np.asarray(values, dtype=np.float64) for name, values in y_score.items()}
        hull = RocHull.from_arrays(y_true, y_score, pos_label=pos_label)
        return cls(hull, _rows=BinaryRows.from_arrays(positive, scores), **options)

    @classmethod
    def from_rows(cls, rows: BinaryRows, **options: Any) -> CostCurve:
        """Make the cost curves of rows, with what bands need."""
        return cls(RocHull.from_rows(rows), _rows=rows, **options)

    @property
    def models(self) -> tuple[str, ...]:
        """The models, without the trivial rules."""
        return self.hull.models

    @property
    def trivial(self) -> tuple[str, str]:
        """Names of the trivial rules, negative first."""
        return self.hull.trivial

    def at(self, pc: ArrayLike, model: str | None = None) -> Any:
        """Return the least normalised cost at PC(+): over everything, or of one model's own thresholds.

        Examples
        --------
        >>> from bakeoff import CostCurve
        >>> curves = CostCurve.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
        >>> round(curves.at(0.7), 3), round(curves.at(0.7, model="B"), 3)
        (0.19, 0.31)
        """
        x = check_shares("pc", pc)
        if model is not None:
            return self._envelope_of(model).at(x)
        return self._whole.at(x)

    def lines(self, model: str) -> FloatArray:
        """Return every cost line of a model, ``[m, 2]``: its height at PC(+) 0 (FPR) and at PC(+) 1 (FNR)."""
        if model in self.trivial:
            return np.array([[0.0, 1.0]] if model == self.trivial[0] else [[1.0, 0.0]])
        self._envelope_of(model)
        curve = self.hull.curves[model]
        return np.stack([curve.fpr, 1 - curve.tpr], axis=1)

    def ranges(self, *, prevalence: float | None = None, by: str = "threshold", trivial: bool = True) -> ContextRanges:
        """List who is cheapest on which interval of PC(+), with cost ratios at a prevalence (see `RocHull.ranges`)."""
        return self.hull.ranges(prevalence=prevalence, by=by, trivial=trivial)

    def best(self, context: OperatingContext) -> OperatingPoint:
        """Return the cheapest model and threshold in a context."""
        return self.hull.best(context)

    @cached_property
    def envelope(self) -> LowerEnvelope:
        """The lower envelope over all models and trivial rules, by its bends."""
        ranges = self.ranges()
        pc = np.array([*(r.pc_low for r in ranges), 1.0])
        models = (*ranges.models, ranges.models[-1])
        thresholds = np.array([*(r.threshold for r in ranges), ranges[-1].threshold])
        return LowerEnvelope(pc, self._whole.at(pc), models, thresholds)

    @cached_property
    def area(self) -> float:
        """Area under the lower envelope: mean normalised cost if every PC(+) is equally likely (trivial rules: 1/4)."""
        return self._whole.area

    @cached_property
    def areas(self) -> dict[str, float]:
        """Area under each model's own envelope, and under each trivial line."""
        return {name: envelope.area for name, envelope in self.hull.hulls.items()}

    @cached_property
    def band(self) -> CostBand:
        """Confidence bands of every model's curve, pointwise and simultaneous over PC(+)."""
        own = {model: self.hull.hulls[model] for model in self.models}
        return cost_band(self._need_rows("band"), own, self.confidence_level, self.n_resamples, self.seed)

    def difference(self, a: str, b: str, *, confidence_level: float | None = None) -> CostDifference:
        """Compare two models' curves on the same rows: a − b with bands, and the contexts where they differ.

        Examples
        --------
        >>> import bakeoff
        >>> y, a, b = [1, 1, 0, 1, 0, 0] * 20, [9, 8, 7, 6, 5, 4] * 20, [6, 9, 4, 2, 5, 1] * 20
        >>> difference = bakeoff.CostCurve.from_arrays(y, {"a": a, "b": b}, n_resamples=200).difference("a", "b")
        >>> difference.area.estimate < 0  # a is cheaper on average over contexts
        True
        """
        pair = {a: self._envelope_of(a), b: self._envelope_of(b)}
        level = self.confidence_level if confidence_level is None else confidence_level
        return cost_difference(self._need_rows("difference"), pair, level, self.n_resamples, self.seed)

    def expected(self, context: OperatingContext, prevalence: ArrayLike | None = None) -> ExpectedCosts:
        """Return costs in money against the prevalence, at the costs of `context`: the curves not normalised."""
        shares = np.linspace(0, 1, 101) if prevalence is None else np.atleast_1d(np.asarray(prevalence, np.float64))
        costs = {name: _expected(envelope, context, shares) for name, envelope in self.hull.hulls.items()}
        return ExpectedCosts(shares, costs, np.min(list(costs.values()), axis=0), context)

    @cached_property
    def _whole(self) -> Envelope:
        return Envelope(self.hull.fpr, self.hull.tpr, self.hull.vertices.threshold)

    def _envelope_of(self, model: str) -> Envelope:
        if model not in self.hull.hulls:
            raise unknown_choice("model", model, self.hull.hulls)
        return self.hull.hulls[model]

    def _need_rows(self, what: str) -> BinaryRows:
        if self._rows is None:
            raise EvidenceError(
                f"{what} needs the rows behind the curves, but only rates or curves were given.",
                hint="make them with cost_curves(predictions) or CostCurve.from_arrays",
            )
        return self._rows

    def _columns(self) -> dict[str, Sequence[Any]]:
        return self.ranges()._columns()

    def _view(self) -> View:
        parts = ranges_text(self.ranges(by="model"))
        text = Text("Cheapest, by PC(+): {ranges}.", ranges=parts).as_role("headline")
        return View((text,), (ranges_table(self._columns()),), (), self._notes())

    def to_dict(self) -> dict[str, Any]:
        """Return the envelope, the areas and the dual hull as JSON-able values."""
        return {
            "kind": "CostCurve",
            "schema_version": SCHEMA_VERSION,
            "envelope": jsonable(self.envelope),
            "area": self.area,
            "areas": jsonable(self.areas),
            "hull": self.hull.to_dict(),
            "notes": jsonable(self.notes),
        }

    def _headline(self) -> str:
        return f"{', '.join(self.models)}; area={self.area:.4f}"


@dataclass(frozen=True, repr=False)
class ExpectedCosts(Result):
    """Expected cost per case against the prevalence, at given costs.

    Attributes
    ----------
    prevalence
        ``[g]``.
    costs
        Model or trivial rule → expected cost at its best threshold for each prevalence, ``[g]``.
    least
        The least of them, ``[g]``.
    context
        The costs.
    """

    prevalence: FloatArray
    costs: Mapping[str, FloatArray]
    least: FloatArray
    context: OperatingContext
    notes: tuple[Note, ...] = ()

    def _columns(self) -> dict[str, Any]:
        return {"prevalence": self.prevalence, **self.costs, "least": self.least}

    def _headline(self) -> str:
        return f"{', '.join(self.costs)} at {self.prevalence.size} prevalences"


def _expected(envelope: Envelope, context: OperatingContext, prevalences: FloatArray) -> FloatArray:
    found = []
    for share in prevalences:
        costs = context.with_prevalence(float(share)).expected_cost(envelope.fpr, envelope.tpr)
        found.append(float(np.min(costs)))
    return np.array(found)
