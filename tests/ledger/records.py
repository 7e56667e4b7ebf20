"""Turn results into plain fields: numbers as they are, sentences as they read, notes by their codes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

Fields = dict[str, Any]

PAIR = (
    "estimate", "low", "high", "statistic", "pvalue", "pvalue_adjusted", "effect_size", "effect", "method", "better",
    "conclusion", "simultaneous_low", "simultaneous_high",
)  # fmt: skip
MARGIN = ("closeness", "pvalue_not_inferior", "pvalue_equivalent", "margin_low", "margin_high")


def plain(value: Any) -> Any:
    """Return a JSON value; floats keep all their digits, and what JSON lacks (NaN, infinities) becomes its name."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)


def flat(fields: Any, head: str = "") -> Iterator[tuple[str, Any]]:
    """Walk nested fields: dotted name → number or text."""
    if isinstance(fields, Mapping):
        items: Iterable[tuple[Any, Any]] = fields.items()
    elif isinstance(fields, list):
        items = enumerate(fields)
    else:
        yield head, fields
        return
    empty = True
    for key, value in items:
        empty = False
        yield from flat(value, f"{head}.{key}" if head else str(key))
    if empty:
        yield head, "(empty)"


def codes(notes: Iterable[Any]) -> list[str]:
    return sorted({note.code for note in notes})


def interval(found: Any) -> Fields:
    return {
        "estimate": found.estimate, "low": found.low, "high": found.high, "method": found.method,
        "notes": codes(found.notes),
    }  # fmt: skip


def evaluation(found: Any) -> dict[str, Fields]:
    """Measure → data set and model → interval, with the number of cases."""
    by_measure: dict[str, Fields] = {}
    several = len(found.datasets) > 1
    for entry in found.entries:
        who = f"{entry.dataset}/{entry.model}" if several else entry.model
        by_measure.setdefault(entry.measure, {})[who] = {**interval(entry.interval), "n": entry.n}
    return by_measure


def comparison(found: Any, *, reasons: bool = False) -> Fields:
    """What `compare` answers, with the reasons for and against the tests where wanted."""
    columns = (*PAIR, *(MARGIN if found.margin is not None else ()))
    fields: Fields = {
        "chosen": found.choice.chosen,
        "posthoc": found.choice.posthoc,
        "adjust": found.choice.adjust,
        "pairs": {f"{p.model_a}-{p.model_b}": {c: getattr(p, c) for c in columns} for p in found.pairs},
        "values": found.values,
        "groups": ["/".join(group) for group in found.groups],
        "notes": codes(found.notes),
        "verdict": found.verdict,
    }
    if reasons:
        fields |= {"reason": found.choice.reason, "rejected": found.choice.rejected}
    if found.omnibus is not None:
        omnibus = found.omnibus
        fields["omnibus"] = {
            "test": omnibus.test, "statistic": omnibus.statistic, "df": omnibus.df, "pvalue": omnibus.pvalue,
            "details": omnibus.details,
        }  # fmt: skip
    if found.ranks is not None:
        fields["ranks"] = found.ranks
    if found.critical_difference is not None:
        fields["critical_difference"] = found.critical_difference
    if found.bayes:
        chances = ("test", "rope", "p_a_better", "p_equivalent", "p_b_better")
        fields["bayes"] = {f"{b.model_a}-{b.model_b}": {c: getattr(b, c) for c in chances} for b in found.bayes}
    if found.checks:
        fields["checks"] = [[c.code, c.subject, c.passed, c.statistic, c.pvalue] for c in found.checks]
    return fields


def decision(found: Any) -> Fields:
    def one(way: Any) -> Fields:
        return {
            "model": way.model, "threshold": way.threshold, "cost": interval(way.expected_cost),
            "regret": interval(way.regret), "p_best": way.p_best, "fpr": way.fpr, "tpr": way.tpr,
            "context_share": way.context_share,
        }  # fmt: skip

    holds = found.holds_for
    names = ("pc", "prevalence", "cost_ratio", "threshold_pc")
    return {
        "choice": one(found.choice),
        "expected_cost": interval(found.expected_cost),
        "alternatives": [one(way) for way in found.alternatives],
        "holds_for": None if holds is None else {name: getattr(holds, name) for name in names},
        "apparent_cost": found.apparent_cost, "optimism": found.optimism, "cross_fitted": found.cross_fitted,
        "calibrated_threshold": found.calibrated_threshold, "calibrated_cost": found.calibrated_cost,
        "notes": codes(found.notes), "verdict": found.verdict,
    }  # fmt: skip


def roc_analysis(found: Any) -> Fields:
    corners = found.vertices
    return {
        "auc": {m: interval(i) for m, i in found.auc.items()},
        "areas": {m: c.auc for m, c in found.curves.items()},
        "hull": {
            "auc": found.hull.auc, "fpr": corners.fpr, "tpr": corners.tpr, "model": list(corners.model),
            "threshold": corners.threshold,
        },
        "ranges": [[r.model, r.threshold, r.pc_low, r.pc_high] for r in found.ranges()],
        "dominated": sorted(found.dominated), "average": found.average, "notes": codes(found.notes),
    }  # fmt: skip


LIMITS = ("low", "high", "low_simultaneous", "high_simultaneous")


def cost_curves(found: Any) -> Fields:
    """Curves, bands and the difference of the first two models, at every tenth context."""
    fields: Fields = {"area": found.area, "areas": found.areas, "at": found.at(np.linspace(0.05, 0.95, 7))}
    band = found.band
    fields["band"] = {name: {m: v[5::10] for m, v in getattr(band, name).items()} for name in ("cost", *LIMITS)}
    fields["band"]["method"] = band.method
    if len(found.models) > 1:
        gap = found.difference(*found.models[:2])
        fields["difference"] = {name: getattr(gap, name)[5::10] for name in ("estimate", *LIMITS)}
        fields["difference"]["area"] = interval(gap.area)
        fields["difference"]["significant"] = [[r.model, r.pc_low, r.pc_high] for r in gap.significant]
    return {**fields, "notes": codes(found.notes)}


def plan(found: Any) -> Fields:
    names = ("test", "unit", "difference", "needed", "n", "power_now", "detectable", "alpha", "n_comparisons")
    return {
        **{name: getattr(found, name) for name in names},
        "curve": dict(zip(found.curve_n, found.curve_power, strict=True)),
        "assumptions": found.assumptions, "notes": codes(found.notes), "verdict": found.verdict,
    }  # fmt: skip


def advice(found: Any) -> Fields:
    names = ("protocol_code", "protocol_reason", "test", "test_reason", "then", "avoid", "path")
    return {**{name: getattr(found, name) for name in names}, "verdict": found.verdict}
