"""What the operating-context explorer shows: every model's curve, and the answers of `decide` in every context."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.language import numeral, translate
from bakeoff._core.validation import FloatArray, RngLike
from bakeoff.decision import Decision, EveryContext, OperatingContext, binary_rows
from bakeoff.evidence import Predictions
from bakeoff.figures._base import FigureData, finite, keep_visible, rounded
from bakeoff.figures._web import page_words

_MANY = 12  # models from which curves are drawn more coarsely
_UNIT = 65535  # shares of the draws are packed as 16-bit fractions


@dataclass(frozen=True, repr=False)
class ExplorerData(FigureData):
    """The evidence behind the explorer, for pages.

    Attributes
    ----------
    models
        One entry per model: name, simplified curve, its hull's corners and its cross-fitted rates along PC(+), packed,
        and whether it answers labels only.
    trivial
        Names of "always negative" and "always positive".
    positive, negative
        Names of the classes.
    cases
        Cases of the positive and of the negative class.
    prevalence
        Share of positives in the rows.
    context
        Where the explorer starts: prevalence (None: as in the data) and costs; None where no costs are known.
    start
        What `decide` answered there, rule by rule.
    table
        `EveryContext`, packed.
    over_folds
        Whether rows of several folds, and so of several fits, are counted together.
    """

    kind: ClassVar[str] = "explorer"

    dataset: str
    models: tuple[Mapping[str, Any], ...]
    trivial: tuple[str, str]
    positive: str
    negative: str
    cases: tuple[float, float]
    prevalence: float
    context: Mapping[str, float | None] | None
    start: tuple[Mapping[str, Any], ...]
    table: Mapping[str, Any]
    confidence_level: float
    over_folds: bool

    @property
    def called(self) -> str:
        """What the positive class is called after a percent sign: a number, or a yes, is no name there."""
        bare = not any(c.isalpha() for c in self.positive) or self.positive.lower() in ("true", "yes", "y", "t")
        return translate("positives") if bare else self.positive

    def _texts(self) -> dict[str, Any]:
        return {
            "title": translate("Which model, at which threshold, for my costs?"),
            "caption": translate("Move the prevalence and the costs; the cheapest rule is marked in both pictures."),
            "called": self.called,
            "warnings": self._warnings(),
            "text": page_words("explorer"),
        }

    def _warnings(self) -> list[str]:
        found = []
        few = min(self.cases)
        if few < 50:
            found.append(translate("Only {n} rows of the rarer class: the curves are rough.", n=numeral(few)))
        if self.over_folds:
            found.append(
                translate("Rows of all folds are counted together: each threshold is evaluated over several fits.")
            )
        return found


def explorer_data(
    predictions: Predictions,
    *,
    context: OperatingContext | None = None,
    decision: Decision | None = None,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    dataset: str | None = None,
    rng: RngLike = 0,
) -> ExplorerData:
    """Collect what the explorer needs from the predictions of one two-class data set."""
    source = predictions.table(dataset)
    rows = binary_rows(source)
    every = EveryContext.of(rows, n_resamples=n_resamples, confidence_level=confidence_level, rng=rng)
    return ExplorerData(
        dataset=source.name,
        models=tuple(_packed_model(every, model) for model in every.hull.curves),
        trivial=every.hull.trivial,
        positive=str(rows.positive_name),
        negative=str(rows.negative_name),
        cases=rows.cases,
        prevalence=rows.prevalence,
        context=_start(context),
        start=() if decision is None else tuple(_rule(decision, place) for place in range(len(decision._every))),
        table=_packed_table(every),
        confidence_level=confidence_level,
        over_folds=rows.part is not None,
    )


def _packed_model(every: EveryContext, model: str) -> dict[str, Any]:
    curve, hull = every.hull.curves[model], every.hull.hulls[model]
    many = len(every.hull.curves) > _MANY  # grey lines behind the leader's: a pixel more or less is not seen
    visible = keep_visible(curve.fpr, curve.tpr, **({"pixels": 320.0, "tolerance": 0.6} if many else {}))
    return {
        "name": model,
        "labels_only": curve.kind == "labels",
        "curve": {"fpr": rounded(curve.fpr[visible], 4), "tpr": rounded(curve.tpr[visible], 4)},
        "hull": _pack("<f8", hull.fpr, hull.tpr, hull.thresholds),
        "path": _pack("<f8", *every.cross_fit.path(model)),
    }


def _packed_table(every: EveryContext) -> dict[str, Any]:
    limits = every.limits()
    return {
        "lines": [float(every.logit[0]), float(every.logit[-1]), every.logit.size],
        "every": -(-every.logit.size // every.lines.size),
        "share": _pack("<u2", np.round(every.share * _UNIT)),
        "mean": _pack("<f4", every.mean),
        "spread": _pack("<f4", every.spread),
        "excess": _pack("<f4", every.excess()),
        "limits": None if limits is None else [_pack("<f4", side) for side in limits],
        "draws": every.n_draws,
        "reach": every.reach,
        "quantile": every.quantile,
    }


def _pack(kind: str, *arrays: FloatArray) -> str:
    """Numbers one after the other, little-endian, base64."""
    return base64.b64encode(b"".join(np.asarray(a).astype(kind).tobytes() for a in arrays)).decode("ascii")


def _start(context: OperatingContext | None) -> dict[str, float | None] | None:
    if context is None:
        return None
    names = ("prevalence", "cost_fp", "cost_fn", "cost_tp", "cost_tn")
    return {name: getattr(context, name) for name in names}


def _rule(decision: Decision, place: int) -> dict[str, Any]:
    """One line of the answer of `decide`, with the keys of the page's own answers."""
    rule = decision._every[place]
    cost = rule.expected_cost if place else decision.expected_cost
    return {
        "model": rule.model,
        "trivial": rule.trivial,
        "threshold": None if rule.threshold is None else finite(rule.threshold),
        "cost": cost.estimate,
        "low": cost.low,
        "high": cost.high,
        "pBest": finite(rule.p_best),
        "fpr": rule.fpr,
        "tpr": rule.tpr,
        "regret": rule.regret.estimate,
        "regretLow": rule.regret.low,
        "regretHigh": rule.regret.high,
        "pvalue": finite(rule.pvalue),
    }
