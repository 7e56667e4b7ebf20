"""The ROC convex hull over several models: which model has each vertex, at which threshold, for which contexts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, numeral
from bakeoff._core.result import SCHEMA_VERSION, Note, Result, attribute_columns, jsonable
from bakeoff._core.validation import BoolArray, FloatArray, IntArray, check_choice
from bakeoff._core.view import View
from bakeoff.decision._context import OperatingContext
from bakeoff.decision._curve import (
    TIE,
    Envelope,
    OperatingPoint,
    RocCurve,
    cheapest_point,
    hull_boundaries,
    upper_chain,
)
from bakeoff.decision._dominance import Dominated, dominated_by
from bakeoff.decision._ranges import ContextRange, ContextRanges, ranges_table, ranges_text
from bakeoff.decision._rules import BinaryRows
from bakeoff.evidence import always


class HullVertex(NamedTuple):
    """A corner of the hull: where it is, whose it is, and at which threshold that model works there."""

    fpr: float
    tpr: float
    model: str
    threshold: float


class Vertices(tuple[HullVertex, ...]):
    """The vertices from (0, 0) to (1, 1); also readable by column: ``vertices.fpr``, ``.tpr``, ``.model``, …"""

    __slots__ = ()

    @property
    def fpr(self) -> FloatArray:
        """False positive rates, ``[v]``."""
        return np.array([v.fpr for v in self])

    @property
    def tpr(self) -> FloatArray:
        """True positive rates, ``[v]``."""
        return np.array([v.tpr for v in self])

    @property
    def model(self) -> tuple[str, ...]:
        """Owner of each vertex."""
        return tuple(v.model for v in self)

    @property
    def threshold(self) -> FloatArray:
        """Threshold of each vertex, ``[v]``."""
        return np.array([v.threshold for v in self])


@dataclass(frozen=True, repr=False)
class RocHull(Result):
    """The best that can be had in ROC space with these models: every point below it is beaten in every context.

    The trivial classifiers ``always <negative>`` and ``always <positive>`` always take part, so that "no model is
    worth deploying" can be the answer.

    Attributes
    ----------
    vertices
        Corners from (0, 0) to (1, 1): ``fpr, tpr, model, threshold``; collinear points are left out.
    owners
        All the models that reach each vertex (the first is the one named in `vertices`).
    hulls
        Each model's own useful points, and the trivial rules, by name.
    curves
        Each model's curve.
    trivial
        Names of the two trivial rules, negative first.

    References
    ----------
    Provost, F. & Fawcett, T. (2001). Robust classification for imprecise environments. Machine Learning 42, 203–231.
    https://doi.org/10.1023/A:1007601015854

    Examples
    --------
    Three classifiers that answer labels (Holte & Drummond 2005): the third beats the others in every context.

    >>> points = {"C1": (0.3, 0.4), "C2": (0.5, 0.7), "C3": (0.2, 0.6)}
    >>> hull = RocHull.from_points(points)
    >>> [v.model for v in hull.vertices]
    ['always negative', 'C3', 'always positive']
    >>> [(r.model, round(r.pc_low, 3), round(r.pc_high, 3)) for r in hull.ranges()]
    [('always negative', 0.0, 0.25), ('C3', 0.25, 0.667), ('always positive', 0.667, 1.0)]
    >>> sorted(hull.dominated)
    ['C1', 'C2']
    """

    vertices: Vertices
    owners: tuple[tuple[str, ...], ...]
    hulls: Mapping[str, Envelope]
    curves: Mapping[str, RocCurve] = field(default_factory=dict)
    trivial: tuple[str, str] = ("always negative", "always positive")
    notes: tuple[Note, ...] = ()

    @classmethod
    def from_curves(
        cls, curves: Iterable[RocCurve], *, negative: object = "negative", positive: object = "positive"
    ) -> RocHull:
        """Build the hull over several curves; `negative` and `positive` name the classes of the trivial rules."""
        by_name = _named(curves)
        trivial = (always(negative), always(positive))
        hulls = {name: curve.envelope for name, curve in by_name.items() if name not in trivial}
        hulls = {trivial[0]: Envelope.constant(0.0), trivial[1]: Envelope.constant(1.0), **hulls}
        vertices, owners = _merge(hulls, ends=True)
        return cls(vertices, owners, hulls, by_name, trivial)

    @classmethod
    def from_rows(cls, rows: BinaryRows) -> RocHull:
        """Build the hull of all models on the same rows, once."""
        names = {"negative": rows.negative_name, "positive": rows.positive_name}
        return rows.once("hull", lambda: cls.from_curves(map(rows.curve, rows.outputs), **names))

    @classmethod
    def from_arrays(
        cls, y_true: ArrayLike, y_score: Mapping[str, ArrayLike], *, pos_label: object = None, **names: object
    ) -> RocHull:
        """Build the hull of scored models: `y_score` maps model name → scores ``[n]``."""
        curves = [RocCurve.from_arrays(y_true, s, model=m, pos_label=pos_label) for m, s in y_score.items()]
        return cls.from_curves(curves, **names)

    @classmethod
    def from_points(cls, points: Mapping[str, tuple[float, float]], **names: object) -> RocHull:
        """Build the hull of models that answer labels: name → (fpr, tpr)."""
        if not isinstance(points, Mapping):
            raise EvidenceError(f"points must be a mapping, name → (fpr, tpr). Got {type(points).__name__}.")
        curves = []
        for name, point in points.items():
            try:
                fpr, tpr = point
            except (TypeError, ValueError):
                raise EvidenceError(f"the point of {name!r} must be (fpr, tpr). Got {point!r:.60}.") from None
            curves.append(RocCurve.from_point(fpr, tpr, model=name))
        return cls.from_curves(curves, **names)

    @property
    def fpr(self) -> FloatArray:
        """False positive rates of the vertices, ``[v]``."""
        return self.vertices.fpr

    @property
    def tpr(self) -> FloatArray:
        """True positive rates of the vertices, ``[v]``."""
        return self.vertices.tpr

    @property
    def models(self) -> tuple[str, ...]:
        """The models (without the trivial rules), in the order given."""
        return tuple(name for name in self.hulls if name not in self.trivial)

    @property
    def prevalence(self) -> float:
        """Share of positives in the rows of the first curve that has rows; NaN when only rates were given."""
        shares = [curve.prevalence for curve in self.curves.values()]
        return next((share for share in shares if not np.isnan(share)), np.nan)

    @cached_property
    def auc(self) -> float:
        """Area under the hull."""
        return float(np.trapezoid(self.tpr, self.fpr))

    def is_trivial(self, model: str) -> bool:
        """Tell whether a name is that of a trivial rule."""
        return model in self.trivial

    def resolve(self, context: OperatingContext) -> OperatingContext:
        """Give the context the prevalence of the rows if it has none of its own."""
        if context.prevalence is None and np.isnan(self.prevalence):
            raise ParameterError(
                "the context says 'prevalence as in the data', but only rates were given, no rows.",
                hint="give OperatingContext(prevalence=...)",
            )
        return context.at(self.prevalence)

    def best(self, context: OperatingContext) -> OperatingPoint:
        """Return the cheapest model and threshold in the context; a trivial rule when no model beats it.

        Examples
        --------
        >>> from bakeoff import OperatingContext, RocHull
        >>> hull = RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)})
        >>> hull.best(OperatingContext(prevalence=0.01, cost_fp=10, cost_fn=10_000)).model
        'always positive'
        """
        vertices = self.vertices
        trivial: BoolArray = np.array([self.is_trivial(m) for m in vertices.model])
        return cheapest_point(
            self.resolve(context), vertices.model, vertices.threshold, vertices.fpr, vertices.tpr, trivial
        )

    def best_of_each(self, context: OperatingContext) -> dict[str, OperatingPoint]:
        """Return each model's own cheapest point in the context, trivial rules included, cheapest first."""
        resolved = self.resolve(context)
        points = {
            name: cheapest_point(resolved, [name] * own.fpr.size, own.thresholds, own.fpr, own.tpr)
            for name, own in self.hulls.items()
        }
        ranked = sorted(points, key=lambda m: (points[m].normalised_cost, not self.is_trivial(m)))
        return {name: points[name] for name in ranked}

    def ranges(self, *, prevalence: float | None = None, by: str = "threshold", trivial: bool = True) -> ContextRanges:
        """List who is cheapest on which interval of PC(+).

        Parameters
        ----------
        prevalence
            Adds the same intervals as ratios cost_fn / cost_fp at this prevalence.
        by
            ``"threshold"``: one interval per model and threshold; ``"model"``: neighbouring thresholds joined.
        trivial
            Whether the trivial rules take part; without them, somebody's model wins in every context.

        Examples
        --------
        >>> from bakeoff import RocHull
        >>> RocHull.from_points({"A": (0.4, 0.9), "B": (0.1, 0.6)}).ranges(trivial=False).models
        ('B', 'A')
        """
        check_choice("by", by, ("threshold", "model"))
        own = {name: envelope for name, envelope in self.hulls.items() if not self.is_trivial(name)}
        vertices = self.vertices if trivial else _merge(own)[0]
        low, high = hull_boundaries(vertices.fpr, vertices.tpr)
        wide = [
            ContextRange(v.model, v.threshold, float(a), float(b))
            for v, a, b in zip(vertices, low, high, strict=True)
            if b > a
        ]
        found = ContextRanges(tuple(wide), prevalence)
        return found if by == "threshold" else found.by_model()

    @cached_property
    def dominated(self) -> dict[str, Dominated]:
        """The models that are the cheapest in no context: name → by whom, over which contexts."""
        winners = {owner for names in self.owners if not self.is_trivial(names[0]) for owner in names}
        return {
            name: dominated_by(name, self.hulls, self.ranges(by="model")) for name in self.models if name not in winners
        }

    def _columns(self) -> dict[str, Sequence[Any]]:
        low, high = hull_boundaries(self.fpr, self.tpr)
        columns = ("model", "threshold", "fpr", "tpr")
        table: dict[str, Sequence[Any]] = {name: list(getattr(self.vertices, name)) for name in columns}
        return table | {"pc_low": low.tolist(), "pc_high": high.tolist()}

    def _view(self) -> View:
        parts = ranges_text(self.ranges(by="model"))
        text = Text("AUC of the hull: {auc}. Cheapest, by PC(+): {ranges}.", auc=numeral(self.auc, ".4f"), ranges=parts)
        return View((text.as_role("headline"),), (ranges_table(self._columns()),), (), self._notes())

    def to_dict(self) -> dict[str, Any]:
        """Return the hull (not the curves it was made of) as JSON-able values."""
        beaten = {m: {"by": list(d.by), "alone": list(d.alone)} for m, d in self.dominated.items()}
        return {
            "kind": "RocHull",
            "schema_version": SCHEMA_VERSION,
            "models": list(self.models),
            "trivial": list(self.trivial),
            "auc": self.auc,
            "vertices": [jsonable(v._asdict()) for v in self.vertices],
            "owners": jsonable(self.owners),
            "ranges": jsonable(self.ranges()._columns()),
            "dominated": beaten,
            "notes": jsonable(self.notes),
        }

    def _headline(self) -> str:
        names = ", ".join(dict.fromkeys(v.model for v in self.vertices))
        return f"{len(self.vertices)} vertices of {names}; auc={self.auc:.4f}"


def _named(curves: Iterable[RocCurve]) -> dict[str, RocCurve]:
    by_name: dict[str, RocCurve] = {}
    for curve in curves:
        if curve.model in by_name:
            raise EvidenceError(f"two curves are named {curve.model!r}.", hint="give each model its own name")
        by_name[curve.model] = curve
    if not by_name:
        raise EvidenceError("a hull needs at least one curve.")
    return by_name


def _merge(hulls: Mapping[str, Envelope], *, ends: bool = False) -> tuple[Vertices, tuple[tuple[str, ...], ...]]:
    """Join the models' hulls; at a shared corner the first named (the trivial rules) is the owner."""
    names = [name for name, envelope in hulls.items() for _ in range(envelope.fpr.size)]
    fpr, tpr, thresholds = map(np.concatenate, attribute_columns(hulls.values(), "fpr", "tpr", "thresholds").values())
    vertices, owners = [], []
    chain = upper_chain(fpr, tpr)
    for i in _with_ends(chain, fpr, tpr) if ends else chain.tolist():
        here = np.flatnonzero((np.abs(fpr - fpr[i]) <= TIE) & (np.abs(tpr - tpr[i]) <= TIE))
        vertices.append(HullVertex(float(fpr[i]), float(tpr[i]), names[i], float(thresholds[i])))
        owners.append(tuple(dict.fromkeys(names[j] for j in here)))
    return Vertices(vertices), tuple(owners)


def _with_ends(chain: IntArray, fpr: FloatArray, tpr: FloatArray) -> list[int]:
    """Put (0, 0) and (1, 1) at the ends: they are corners even under a vertical or horizontal first step."""
    origin = int(np.flatnonzero((fpr == 0) & (tpr == 0))[0])
    corner = int(np.flatnonzero((fpr == 1) & (tpr == 1))[0])
    inner = [int(i) for i in chain if i not in (origin, corner)]
    return [origin, *inner, corner]
