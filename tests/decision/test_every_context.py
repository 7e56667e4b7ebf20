"""The tables of every context: on their lines the very numbers of the decision made again, between them close to it."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff._core.validation import as_generator
from bakeoff.decision import EveryContext, OperatingContext, binary_rows
from bakeoff.decision._out_of_bag import decide_out_of_bag
from bakeoff.evidence import Predictions

DRAWS = 120


def evidence(kind: str) -> Predictions:
    rng = np.random.default_rng(5)
    n = 180
    truth = rng.random(n) < 0.35
    scores = {f"m{i}": (truth + rng.normal(0, 0.7 + 0.3 * i, n)).round(1) for i in range(3)}
    more: dict[str, object] = {
        "rows": {},
        "folds": {"fold": np.arange(n) % 5},
        "groups": {"groups": np.arange(n) // 6},
        "weights": {"sample_weight": rng.uniform(0.5, 2.0, n)},
        "labels": {"y_pred": {"rule": np.where(rng.random(n) < 0.8, truth, ~truth).astype(int)}},
    }[kind]
    return Predictions.from_arrays(truth.astype(int), y_score=scores, pos_label=1, **more)


@pytest.mark.parametrize("kind", ["rows", "folds", "groups", "weights", "labels"])
def test_lines_are_the_decision_made_again(kind: str) -> None:
    rows = binary_rows(evidence(kind).table())
    every = EveryContext.of(rows, n_resamples=DRAWS, rng=0)
    for line in (200, 430, 512, 600, 850):
        pc = float(every.pc[line])
        context = OperatingContext(prevalence=0.5, cost_fp=2 * (1 - pc), cost_fn=2 * pc)
        again = decide_out_of_bag(rows, context, True, every.cross_fit.names, DRAWS, as_generator(0))
        both = np.array([1 - pc, pc])
        (vf, vn, cov), mean = every.spread[line], every.mean[line]
        assert mean @ both == pytest.approx(again.estimate, rel=1e-9)
        variance = both @ np.array([[vf, cov], [cov, vn]]) @ both
        assert np.sqrt(max(variance, 0.0)) == pytest.approx(again.cost.std(ddof=1), rel=1e-6, abs=1e-9)
        assert every.share[line] == pytest.approx(list(again.share.values()), abs=1e-9)


def test_a_path_is_the_cross_fitted_rates() -> None:
    every = EveryContext.of(binary_rows(evidence("folds").table()), n_resamples=50)
    at = np.random.default_rng(0).random(50)
    for model in ("m0", "m2"):
        bends, fpr, tpr = every.cross_fit.path(model)
        place = np.searchsorted(bends, at, side="right")
        expected = every.cross_fit.rates(model, at)
        assert fpr[place] == pytest.approx(expected[0])
        assert tpr[place] == pytest.approx(expected[1])


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize("kind", ["rows", "groups"])
def test_differences_have_the_spread_of_the_resamples(kind: str) -> None:
    predictions = evidence(kind)
    every = EveryContext.of(binary_rows(predictions.table()), n_resamples=50)
    assert (every.limits() is None) == (kind == "rows")
    excess = every.excess()
    for line in (50, 64, 80):
        pc = float(every.lines[line])
        context = OperatingContext(prevalence=0.5, cost_fp=2 * (1 - pc), cost_fn=2 * pc)
        decision = bakeoff.decide(predictions, context, rng=0)
        names = every.cross_fit.names
        assert decision.model == names[int(every.cross_fit.choices(np.array([pc]))[0])]
        for other in decision.alternatives:
            width = (other.regret.high - other.regret.low) / 3.92
            assert excess[line, names.index(other.model)] == pytest.approx(width, rel=0.35, abs=0.004)


@pytest.mark.parametrize("kind", ["rows", "folds", "weights", "labels"])
def test_the_spread_of_differences_row_by_row(kind: str) -> None:
    rows = binary_rows(evidence(kind).table())
    every = EveryContext.of(rows, n_resamples=50)
    fit, weight = every.cross_fit, np.ones(rows.positive.size) if rows.weight is None else rows.weight
    found = every.excess()
    for line in (58, 61, 64, 67):
        pc = float(every.lines[line])
        calls = [np.zeros(weight.size), np.ones(weight.size), *(fit.called(model, pc) for model in rows.outputs)]
        winner = int(fit.choices(np.array([pc]))[0])
        for name, called in enumerate(calls):
            moved = called.astype(float) - calls[winner]
            for mine, price in ((rows.positive, pc), (~rows.positive, 1 - pc)):
                share = weight[mine] / weight[mine].sum()
                moved[mine] = price * share * (moved[mine] - share @ moved[mine])
            # Every model errs on both classes here: nothing unseen is added.
            assert found[line, name] == pytest.approx(np.sqrt((moved**2).sum()), rel=1e-9, abs=1e-8)
