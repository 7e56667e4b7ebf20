from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import Tally, h_from_tally, h_measure, tally_scores
from bakeoff.stats.roc import prices_of_rows
from oracle import assert_case, cases, worked_examples


@pytest.mark.parametrize("case", cases("h_measure"), ids=lambda c: c["id"])
def test_golden_values_under_three_priors(case: dict[str, Any]) -> None:
    y, s = case["input"]["y"], case["input"]["score"]
    got = {
        "H_beta_2_2": h_measure(y, s),
        "H_R_default_beta_2_1plus_pi0_over_pi1": h_measure(y, s, prior="severity"),
        "H_beta_1plus_pi1_1plus_pi0": h_measure(y, s, prior="priors"),
    }
    assert_case(case, got)
    assert h_measure(y, s, prior=(2, 2)) == h_measure(y, s)


def test_asah_and_fawcett_against_the_r_package() -> None:
    examples = worked_examples("roc_cost")
    asah = examples["pROC_aSAH"]
    for key, prior in (("H_measure_R_hmeasure_default", "severity"), ("H_measure_SR1", "beta22")):
        for marker, expected in asah[key].items():
            assert h_measure(asah["y_outcome_Poor"], asah[marker], prior=prior) == pytest.approx(expected, rel=1e-9)
    twenty = examples["fawcett2006_20"]
    expected = twenty["H_measure"]["R_hmeasure_1.0-2_default_SR=n1/n0"]
    assert h_measure(twenty["y"], twenty["score"], prior="severity") == pytest.approx(expected, rel=1e-9)


def test_against_numerical_integration(rng: np.random.Generator) -> None:
    from scipy.integrate import quad
    from scipy.stats import beta

    y, s = rng.random(40) < 0.3, rng.integers(0, 6, 40)
    cuts = [np.inf, *np.unique(s)]
    share = y.mean()
    rates = [((s >= t)[~y].mean(), (s >= t)[y].mean()) for t in cuts]

    def loss(c: float, points: list[tuple[float, float]]) -> float:
        return min(c * (1 - share) * x + (1 - c) * share * (1 - t) for x, t in points) * beta.pdf(c, 3, 1.5)

    ours = quad(loss, 0, 1, args=(rates,), limit=200)[0]
    trivial = quad(loss, 0, 1, args=([(0, 0), (1, 1)],), limit=200)[0]
    assert h_measure(y, s, prior=(3, 1.5)) == pytest.approx(1 - ours / trivial, abs=1e-5)


def test_bounds_and_tally() -> None:
    assert h_measure([0, 0, 1, 1], [1, 2, 3, 4]) == 1.0
    assert h_measure([0, 1, 0, 1], [1, 1, 1, 1]) == 0.0
    assert h_measure([0, 0, 1, 1], [4, 3, 2, 1]) == pytest.approx(0.0, abs=1e-15)
    y, s = np.array([True, False, True]), np.array([1.0, 2.0, 3.0])
    assert h_from_tally(tally_scores(y, s)) == h_measure(y, s)


def test_bad_prior_is_named() -> None:
    with pytest.raises(ParameterError, match="did you mean 'beta22'"):
        h_measure([0, 1], [0, 1], prior="beta2")
    with pytest.raises(ParameterError, match="two Beta parameters"):
        h_measure([0, 1], [0, 1], prior=(1, 2, 3))  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="prior must be a finite number"):
        h_measure([0, 1], [0, 1], prior=(1, 0))


@pytest.mark.parametrize("seed", range(5))
def test_prices_of_rows_add_up_to_h_and_tell_what_a_row_moves(seed: int) -> None:
    rng = np.random.default_rng(seed)
    up, down = rng.integers(0, 4, (2, 15)).astype(float)
    prices, places = prices_of_rows(up, down), -np.arange(15.0)

    def h(up: np.ndarray, down: np.ndarray) -> float:
        return h_from_tally(Tally(places, up, down))

    assert prices.h_of(up, down) == pytest.approx(h(up, down), abs=1e-12)
    of_up, of_down = prices.gradient(up, down)
    for place in np.flatnonzero((up > 0) & (down > 0)):
        one = 1e-6 * (np.arange(15) == place)
        assert of_up[place] == pytest.approx((h(up + one, down) - h(up, down)) / 1e-6, abs=1e-5)
        assert of_down[place] == pytest.approx((h(up, down + one) - h(up, down)) / 1e-6, abs=1e-5)
