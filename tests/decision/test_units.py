"""What a weight, a frequency, a repeat and a group mean for curves and bands: the laws that `decide` obeys too.

`tests/properties/test_unit_laws.py` holds `decide` to them; here are `roc`, its bands, `cost_curves`, and several
classes at given priors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import OperatingContext, Predictions
from bakeoff.decision import binary_rows

N = 120
PRIORS = OperatingContext.multiclass([[0, 1, 5], [2, 0, 1], [8, 4, 0]], priors=[0.5, 0.3, 0.2])
Numbers = dict[str, Any]

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


def evidence(kind: str, take: Any = slice(None), **keys: Any) -> Predictions:
    random = np.random.default_rng(3)
    if kind == "classes":
        y = random.integers(0, 3, N)
        raw = {m: np.exp(gain * np.eye(3)[y] + random.normal(size=(N, 3))) for m, gain in {"a": 1.8, "b": 1.0}.items()}
        outputs = {m: (r / r.sum(axis=1, keepdims=True))[take] for m, r in raw.items()}
        return Predictions.from_arrays(y[take], y_score=outputs, **keys)
    y = (random.random(N) < 0.4).astype(int)
    scores = {m: gain * y + random.normal(size=N) for m, gain in {"a": 1.8, "b": 1.0}.items()}
    if kind == "labels":
        called = {m: (s > 0.8).astype(int)[take] for m, s in scores.items()}
        return Predictions.from_arrays(y[take], y_pred=called, pos_label=1, **keys)
    return Predictions.from_arrays(y[take], y_score={m: s[take] for m, s in scores.items()}, pos_label=1, **keys)


def areas(p: Predictions) -> Numbers:
    return {m: (i.estimate, i.low, i.high) for m, i in bakeoff.roc(p).auc.items()}


def bands(p: Predictions) -> Numbers:
    analysis = bakeoff.roc(p)
    found = {k: analysis.band("a", kind=k, n_resamples=400, rng=0) for k in ("pointwise", "simultaneous", "ks")}
    return {k: (b.tpr[20:81:20], b.low[20:81:20], b.high[20:81:20]) for k, b in found.items()}


def costs(p: Predictions) -> Numbers:
    curves = bakeoff.cost_curves(p, n_resamples=600, rng=0)
    band, gap = curves.band, curves.difference("a", "b")
    found = {m: (band.cost[m][20:81:20], band.low[m][20:81:20], band.high[m][20:81:20]) for m in curves.models}
    return {**found, "a - b": (gap.estimate[20:81:20], gap.low[20:81:20], gap.high[20:81:20])}


def decided(p: Predictions) -> Numbers:
    found = bakeoff.decide(p, PRIORS, n_resamples=800, rng=0)
    ways = (found.choice, *found.alternatives)
    return {w.model: (w.expected_cost.estimate, w.expected_cost.low, w.expected_cost.high) for w in ways}


QUESTIONS = pytest.mark.parametrize(
    ("kind", "ask"),
    [
        ("scores", areas),
        ("labels", areas),
        ("scores", bands),
        ("scores", costs),
        ("labels", costs),
        ("classes", decided),
    ],
    ids=["roc", "roc-labels", "roc-bands", "cost-curves", "cost-curves-labels", "classes"],
)
Ask = Callable[[Predictions], Numbers]


def same(one: Numbers, other: Numbers, share: float = 0.0) -> None:
    """Estimates are equal; limits too, or apart by at most a share of the width (Monte-Carlo error)."""
    assert list(one) == list(other)
    for name, (estimate, low, high) in one.items():
        np.testing.assert_allclose(other[name][0], estimate, rtol=1e-9, atol=1e-12, err_msg=name)
        slack = share * np.max(np.asarray(high) - low) + 1e-9
        for old, new in zip((low, high), other[name][1:], strict=True):
            np.testing.assert_allclose(new, old, rtol=0, atol=slack, err_msg=name)


@QUESTIONS
def test_scaling_the_weights_changes_nothing(kind: str, ask: Ask) -> None:
    weight = 0.05 + np.random.default_rng(2).gamma(2.0, size=N)
    same(ask(evidence(kind, sample_weight=weight)), ask(evidence(kind, sample_weight=7.3 * weight)))


@QUESTIONS
def test_equal_weights_are_no_weights(kind: str, ask: Ask) -> None:
    same(ask(evidence(kind)), ask(evidence(kind, sample_weight=np.full(N, 4.0))))


@QUESTIONS
def test_a_frequency_is_rows_written_several_times(kind: str, ask: Ask) -> None:
    times = np.random.default_rng(4).integers(0, 4, N)
    rows = np.repeat(np.arange(N), times)
    same(ask(evidence(kind, rows)), ask(evidence(kind, frequency=times)), share=0.15)


@pytest.mark.parametrize("named", [True, False], ids=["instances-named", "instances-by-place"])
@QUESTIONS
def test_answers_given_again_change_nothing(kind: str, ask: Ask, named: bool) -> None:
    rows = np.tile(np.arange(N), 3)
    keys = {"instance": rows} if named else {}
    same(ask(evidence(kind)), ask(evidence(kind, rows, repeat=np.repeat(np.arange(3), N), **keys)), share=0.2)


@QUESTIONS
def test_rows_written_twice_inside_their_group_change_nothing(kind: str, ask: Ask) -> None:
    groups, rows = np.arange(N) // 4, np.repeat(np.arange(N), 2)
    same(ask(evidence(kind, groups=groups)), ask(evidence(kind, rows, groups=groups[rows])), share=0.2)


def test_cases_are_counted_once_over_repeats_and_with_their_frequencies() -> None:
    once = binary_rows(evidence("scores").table())
    positives, negatives = once.cases
    assert (positives + negatives, once.independent) == (N, (positives, negatives))
    rows, folds = np.tile(np.arange(N), 2), {"repeat": np.repeat([0, 1], N), "fold": np.tile(np.arange(N) % 5, 2)}
    for keys in ({}, {"instance": rows}, {"groups": rows}):
        again = binary_rows(evidence("scores", rows, **folds, **keys).table())
        assert again.cases == once.cases
        assert again.independent == once.independent
    doubled = binary_rows(evidence("scores", frequency=np.full(N, 2)).table())
    assert doubled.cases == (2 * positives, 2 * negatives)
    assert binary_rows(evidence("scores", groups=np.zeros(N, int)).table()).independent == (1, 1)


def test_pooled_folds_keep_their_unit() -> None:
    """The pooled curve of grouped folds has a wider interval than that of as many independent rows."""
    fold, groups = np.arange(N) % 5, np.arange(N) // 6
    rows = np.repeat(np.arange(N), 4)
    copied = {"fold": fold[rows], "groups": rows}
    alone, grouped = (
        bakeoff.roc(p, average="pooled").auc["a"]
        for p in (evidence("scores", fold=fold), evidence("scores", rows, **copied))
    )
    assert (alone.method, grouped.method) == ("delong", "percentile")
    assert grouped.high - grouped.low == pytest.approx(alone.high - alone.low, rel=0.2)
    assert bakeoff.roc(evidence("scores", fold=fold, groups=groups), average="pooled").auc["a"].method == "percentile"


def test_a_fold_whose_only_positive_rows_stand_for_no_case_is_left_out() -> None:
    y = evidence("scores").table().positives()
    fold = np.arange(N) % 4
    times = np.where(y & (fold == 0), 0, 1)
    kept = np.flatnonzero(times)
    with pytest.warns(bakeoff.BakeoffWarning, match="3 of 4 folds"):
        carried = bakeoff.roc(evidence("scores", fold=fold, frequency=times))
    with pytest.warns(bakeoff.BakeoffWarning, match="3 of 4 folds"):
        written = bakeoff.roc(evidence("scores", kept, fold=fold[kept]))
    assert carried["a"].auc == pytest.approx(written["a"].auc)
