"""What every result has in common."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import stats


def _apart(n: int) -> np.ndarray:
    return np.arange(5) + np.random.default_rng(1).normal(0, 0.01, (n, 5))


@pytest.mark.parametrize(
    "answer",
    [
        lambda: stats.mcnemar([1] * 9000, [0] * 9000),
        lambda: stats.mcnemar([1] * 9000, [0] * 9000, method="exact"),
        lambda: stats.sign_test(np.ones(5000)),
        lambda: stats.paired_t(_apart(1000)[:, 1], [*_apart(999)[:, 0].tolist(), 0]),
        lambda: stats.cochran_q(np.repeat([[1, 0, 1]], 5000, axis=0)),
        lambda: stats.friedman(_apart(1000)),
        lambda: stats.aligned_posthoc(_apart(1000)),
        lambda: stats.bonferroni_dunn(_apart(1000), 0),
    ],
)
def test_a_tail_below_the_smallest_float_is_not_zero(answer) -> None:
    result = answer()
    pvalue = np.asarray(result.pvalue)
    assert (pvalue > 0).all()
    assert pvalue.min() < 1e-200
