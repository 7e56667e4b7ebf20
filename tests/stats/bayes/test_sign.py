"""The Bayesian sign test against baycomp, Benavoli et al. 2017, and sampling."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff._core.errors import ParameterError
from bakeoff.stats import bayes_sign
from bakeoff.stats.bayes._sign import p_largest
from oracle import assert_case, cases, worked_examples


def test_agrees_with_baycomp() -> None:
    (case,) = cases("bayes_signed_rank")
    given = case["input"]
    result = bayes_sign(given["a"], given["b"], rope=given["rope"])
    got = {"sign_p_a_better": result.p_a_better, "sign_p_rope": result.p_equivalent}
    assert_case(case, {**got, "sign_p_b_better": result.p_b_better})


def test_benavoli_2017() -> None:
    example = worked_examples("tests")["benavoli_2017"]
    nbc, aode = np.array(example["percent_correct"])[:2].mean(axis=2) / 100
    result = bayes_sign(aode, nbc, rope=0.01)
    counts = example["independently_computed"]["sign_counts_nbc_aode_rope_0.01"]
    assert (result.n_b_better, result.n_equivalent, result.n_a_better) == tuple(counts.values())
    published = example["published"]["nbc_aode_signtest_rope_0.01"]
    # the notebook sampled: two standard errors at 50,000 draws
    assert [result.p_b_better, result.p_equivalent, result.p_a_better] == pytest.approx(published, abs=0.004)


@pytest.mark.parametrize("alpha", [[0.7, 3.0, 9.0], [4.0, 5.5, 4.0], [120.0, 131.0, 90.0], [2.0, 0.0, 3.0]])
def test_region_probabilities_agree_with_sampling(alpha: list[float], rng: np.random.Generator) -> None:
    winners = rng.standard_gamma(alpha, size=(200_000, 3)).argmax(axis=1)
    assert p_largest(alpha) == pytest.approx(np.bincount(winners, minlength=3) / 200_000, abs=0.005)


@pytest.mark.parametrize("alpha", [[0.5, 0.5, 0.5], [1.0, 40.0, 3.0], [300.0, 1.0, 310.0], [3.0, 28.0, 24.0]])
def test_panels_agree_with_adaptive_quadrature(alpha: list[float]) -> None:
    from scipy.integrate import quad
    from scipy.stats import gamma

    for i in range(3):
        own, rivals = gamma(alpha[i]), [gamma(alpha[j]) for j in range(3) if j != i]
        limits = {"limit": 500, "epsabs": 1e-13, "points": [alpha[i], *alpha] if alpha[i] > 1 else None}
        top = own.isf(1e-16) + 5
        expected = quad(lambda x, f=own, g=rivals: f.pdf(x) * g[0].cdf(x) * g[1].cdf(x), 0, top, **limits)[0]
        assert p_largest(alpha)[i] == pytest.approx(expected, abs=1e-8)


def test_two_regions_are_a_beta_tail() -> None:
    from scipy.special import betaincc

    assert p_largest([7.5, 0.0, 3.5])[0] == pytest.approx(betaincc(7.5, 3.5, 0.5), rel=1e-9)


def test_large_counts_are_still_exact() -> None:
    p_a, p_rope, p_b = p_largest([20_000.0, 10.0, 19_500.0])
    assert p_rope == pytest.approx(0.0, abs=1e-12)
    # the difference of the two gammas is normal to excellent approximation
    from scipy.special import ndtr

    assert p_a == pytest.approx(ndtr(500 / np.sqrt(39_500)), abs=1e-4)
    assert p_a + p_b == pytest.approx(1.0)


def test_a_decimal_border_is_inside_the_rope() -> None:
    a, b = [0.811, 0.301, 0.9], [0.801, 0.311, 0.8]
    assert np.subtract(a, b)[0] > 0.01
    result = bayes_sign(a, b, rope=0.01)
    assert (result.n_a_better, result.n_equivalent, result.n_b_better) == (1, 2, 0)


def test_without_rope_ties_are_shared() -> None:
    result = bayes_sign([0.1, 0.0, -0.1], rope=0.0)
    assert (result.p_a_better, result.p_equivalent, result.p_b_better) == pytest.approx((0.5, 0.0, 0.5))


def test_identical_models_are_equal() -> None:
    result = bayes_sign([0.5, 0.6], [0.5, 0.6], rope=0.0)
    assert (result.p_equivalent, result.notes[0].code) == (1.0, "identical-models")


def test_parameters_out_of_range() -> None:
    with pytest.raises(ParameterError, match="rope must be a finite number"):
        bayes_sign([0.1], rope=-1)
    with pytest.raises(ParameterError, match="prior_strength must be a finite number"):
        bayes_sign([0.1], rope=0.1, prior_strength=0)
