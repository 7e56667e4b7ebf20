from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import binomial_interval
from oracle import assert_case, cases, worked_examples

METHODS = ("wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys")


@pytest.mark.parametrize("method", METHODS)
def test_golden_limits_from_r(method: str) -> None:
    (case,) = cases("binomial_ci")
    key = method.replace("-", "_")
    for row in case["expected"]["intervals"]:
        got = binomial_interval(row["x"], row["n"], method=method)
        assert_case(case, [got.low, got.high], np.clip(row[key], 0, 1).tolist(), path=f"/{row['x']}/{row['n']}")


@pytest.mark.parametrize("method", ["wilson", "clopper-pearson", "agresti-coull"])
def test_newcombe_examples(method: str) -> None:
    for row in worked_examples("roc_cost")["proportion_intervals_95"]["cases"]:
        got = binomial_interval(row["x"], row["n"], method=method)
        assert [got.low, got.high] == pytest.approx(row[method.replace("-", "_")], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_arrays_give_the_same_as_numbers(method: str) -> None:
    k, n = np.array([0, 3, 7, 10]), np.array([10, 10, 9, 10])
    many = binomial_interval(k, n, method=method, confidence_level=0.9)
    for i in range(4):
        one = binomial_interval(int(k[i]), int(n[i]), method=method, confidence_level=0.9)
        assert (many.low[i], many.high[i]) == (one.low, one.high)
    assert binomial_interval([[1, 2]], 5, method=method).low.shape == (1, 2)


@pytest.mark.parametrize("method", [m for m in METHODS if m != "wald"])
@pytest.mark.parametrize("n", [1, 5, 30, 10**7])
def test_edge_is_never_of_zero_width_and_holds_the_estimate(method: str, n: int) -> None:
    got = binomial_interval([0, n], n, method=method)
    assert got.low[0] == 0.0
    assert got.high[1] == 1.0
    assert (got.high > got.low).all()
    assert got.high[0] == pytest.approx(1.0 - got.low[1], rel=1e-6)


def test_wald_at_the_edge_warns_and_no_trials_is_everything() -> None:
    assert binomial_interval(5, 5, method="wald").notes[0].code == "wald-at-edge"
    nothing = binomial_interval([0, 1], [0, 2])
    assert (nothing.low[0], nothing.high[0]) == (0.0, 1.0)
    assert np.isnan(nothing.estimate[0])
    assert nothing.notes[0].code == "no-trials"


def test_a_wider_level_is_a_wider_interval() -> None:
    for method in METHODS:
        narrow, wide = (binomial_interval(7, 20, confidence_level=c, method=method) for c in (0.8, 0.99))
        assert wide.low < narrow.low < narrow.high < wide.high


def test_bad_input_is_named() -> None:
    with pytest.raises(EvidenceError, match="Got k = 6, n = 5"):
        binomial_interval(6, 5)
    with pytest.raises(EvidenceError, match="0 <= k <= n"):
        binomial_interval([1, -1], 5)
    with pytest.raises(ParameterError, match="did you mean 'wilson'"):
        binomial_interval(1, 5, method="wilsn")
    with pytest.raises(ParameterError, match=r"0\.95, not 95"):
        binomial_interval(1, 5, confidence_level=95)


@pytest.mark.parametrize("p", [0.02, 0.3, 0.5, 0.97])
@pytest.mark.parametrize("n", [10, 50])
def test_coverage_by_enumeration(p: float, n: int) -> None:
    from scipy.stats import binom

    k = np.arange(n + 1)
    mass = binom.pmf(k, n, p)
    covered = {}
    for method in METHODS:
        got = binomial_interval(k, n, method=method)
        covered[method] = mass[(got.low <= p) & (p <= got.high)].sum()
    assert covered["clopper-pearson"] >= 0.95
    assert covered["wilson"] > 0.88
    assert covered["agresti-coull"] >= covered["wilson"] - 1e-12
