"""What models are called, and in which order they are given, moves no number; `rope=` answers for every pair."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import Predictions, Scores

NAMES = (("a", "b"), ("old", "new"), ("x", "y"))
random = np.random.default_rng(1)
TRUTH = random.integers(0, 2, 100)
SCORES = [1 / (1 + np.exp(-(gain * (TRUTH - 0.5) + random.normal(size=100)))) for gain in (2.0, 1.5)]
TABLE = random.normal([0.84, 0.8, 0.8], 0.05, (12, 3))


def numbers(names: tuple[str, str], measure: str, test: str, order: int = 1) -> list[float]:
    outputs = dict(list(zip(names, SCORES, strict=True))[::order])
    found = bakeoff.compare(Predictions.from_arrays(TRUTH, y_score=outputs, pos_label=1), measure, test=test, rng=0)
    (pair,) = found.pairs
    low, high = (pair.low, pair.high) if pair.model_a == names[0] else (-pair.high, -pair.low)
    return [pair.pvalue, low, high]


@pytest.mark.parametrize("test", ["auto", "bootstrap", "permutation"])
@pytest.mark.parametrize("measure", ["f1", "auc", "brier"])
def test_names_of_models_move_no_number(measure, test):
    first, *others = [numbers(names, measure, test) for names in NAMES]
    assert others == [first] * len(others)
    np.testing.assert_allclose(numbers(NAMES[0], measure, test, order=-1), first, rtol=1e-9)


def table(names: str, columns: list[int]) -> Scores:
    wide = {"dataset": [f"data {row}" for row in range(12)], **{names[m]: TABLE[:, m].tolist() for m in columns}}
    return Scores.from_wide(pl.DataFrame(wide), dataset="dataset")


@pytest.mark.parametrize("test", ["bayes-signed-rank", "bayes-sign", "wilcoxon"])
def test_names_of_models_move_no_posterior(test):
    found = [
        bakeoff.compare(table(names, columns), test=test, rope=0.01, rng=0).bayes
        for names, columns in (("abc", [0, 1]), ("zkm", [0, 1]), ("abc", [1, 0]))
    ]
    given, renamed, turned = ([one.p_a_better, one.p_equivalent, one.p_b_better] for (one,) in found)
    assert renamed == given
    assert turned == given[::-1]


def test_rope_gives_the_probabilities_of_every_pair_of_three_models():
    found = bakeoff.compare(table("abc", [0, 1, 2]), test="bayes-signed-rank", rope=0.01, rng=0)
    assert len(found.bayes) == 3
    for one in found.bayes:
        assert one.p_a_better + one.p_equivalent + one.p_b_better == pytest.approx(1)
    best = max(max(one.p_a_better, one.p_b_better) for one in found.bayes)
    assert f"{best:.2f}"[:3] in f"{found.verdict}{found}"
    assert len(bakeoff.compare(table("abc", [0, 1, 2]), rope=0.01, rng=0).bayes) == 3
