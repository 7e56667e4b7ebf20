""".632 and .632+ against worked cases, ipred, brute force and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.stats import bootstrap_error, no_information_loss, no_information_rate
from bakeoff.stats.resample import err632, err632_plus, leave_one_out_bootstrap
from bakeoff.stats.resample._point632 import _derivative
from oracle import worked_examples

CASES = worked_examples("roc_cost")["bootstrap_632plus_formula"]


@pytest.mark.parametrize("case", CASES["cases"], ids=lambda case: f"err1={case['Err1']:.2f}")
def test_worked_cases(case: dict[str, float]) -> None:
    estimate, rate, weight = err632_plus(case["err"], case["Err1"], case["gamma"])
    assert (estimate, rate, weight) == pytest.approx((case["err632plus"], case["R"], case["w"]), rel=1e-9)
    assert err632(case["err"], case["Err1"]) == pytest.approx(case["err632"], rel=1e-12)


@pytest.mark.parametrize(
    ("training", "outside", "gamma", "rate"),
    [(0.0, 0.6, 0.5, 1.0), (0.3, 0.2, 0.5, 0.0), (0.5, 0.6, 0.4, 0.0), (0.2, 0.2, 0.2, 0.0)],
)
def test_overfitting_rate_is_clipped(training: float, outside: float, gamma: float, rate: float) -> None:
    estimate, got, weight = err632_plus(training, outside, gamma)
    assert got == rate
    assert 0.632 <= weight <= 1.0
    assert min(training, outside, gamma) <= estimate <= max(training, outside)


def test_ipred_on_iris_with_lda() -> None:
    """R's ipred: apparent error 0.2, leave-one-out bootstrap 0.211, .632+ 0.207, up to Monte-Carlo error."""
    from sklearn.datasets import load_iris
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

    x, y = load_iris(return_X_y=True)
    x = x[:, :2]
    rng = np.random.default_rng(0)
    counts = rng.multinomial(150, [1 / 150] * 150, size=120)
    losses = np.array(
        [LinearDiscriminantAnalysis().fit(np.repeat(x, c, 0), np.repeat(y, c)).predict(x) != y for c in counts]
    )
    everywhere = LinearDiscriminantAnalysis().fit(x, y).predict(x)
    result = bootstrap_error(losses, counts, everywhere != y, no_information_rate=no_information_rate(y, everywhere))
    expected = CASES["ipred_R"]
    assert result.training_error == pytest.approx(expected["apparent"], abs=1e-9)
    assert result.bootstrap_error == pytest.approx(expected["boot"], abs=0.01)
    assert result.estimate == pytest.approx(expected["632plus_nboot200_seed290875"], abs=0.008)
    interval = result.confidence_interval()
    assert interval.low < result.estimate < interval.high
    assert 0.02 < result.standard_error < 0.05  # a proportion of 0.21 in 150 rows has 0.033


def test_leave_one_out_bootstrap_by_hand() -> None:
    losses = np.array([[1, 0, math.nan], [0, math.nan, 1.0], [math.nan, 0, 1.0]])
    counts = np.array([[0, 0, 3], [0, 2, 1], [2, 1, 0]])
    counts[1, 2] = 0
    result = leave_one_out_bootstrap(losses, counts)
    assert result.per_row.tolist() == [0.5, 0.0, 1.0]
    assert result.estimate == 0.5


def test_derivative_is_that_of_reweighting() -> None:
    """All 27 resamples of 3 rows, weighted by their probability: D is the numerical derivative of the estimate."""
    rng = np.random.default_rng(3)
    resamples = np.array([np.bincount(c, minlength=3) for c in np.ndindex(3, 3, 3)])
    losses = rng.uniform(size=resamples.shape)
    # the loss must depend on the resample as a set of counts only
    for row in np.unique(resamples, axis=0):
        same = (resamples == row).all(axis=1)
        losses[same] = losses[same][0]

    def estimate(weights: np.ndarray) -> float:
        total = 0.0
        for j in range(3):
            out = resamples[:, j] == 0
            chance = np.prod(weights ** resamples[out], axis=1)
            total += weights[j] * (chance @ losses[out, j]) / chance.sum()
        return total

    even, step = np.full(3, 1 / 3), 1e-6
    derivative = [(estimate((1 - step) * even + step * np.eye(3)[i]) - estimate(even)) / step / 3 for i in range(3)]
    result = leave_one_out_bootstrap(losses, resamples)
    per_resample = np.where(resamples == 0, losses, 0).mean(axis=1)
    assert result.estimate == pytest.approx(estimate(even))
    got = _derivative(resamples.astype(float), result.per_row - result.estimate, per_resample)
    assert got == pytest.approx(derivative, rel=1e-4)


def test_standard_error_matches_the_spread_over_data_sets(rng: np.random.Generator) -> None:
    estimates, errors = [], []
    for _ in range(120):
        y = np.arange(24) % 2
        x = rng.normal(size=24) + y
        counts = rng.multinomial(24, [1 / 24] * 24, size=80)
        # threshold halfway between the class means of the resample
        means = [(counts * (y == c) @ x) / np.maximum((counts * (y == c)).sum(axis=1), 1) for c in (0, 1)]
        losses = (x > np.mean(means, axis=0)[:, None]) != y
        result = leave_one_out_bootstrap(losses, counts)
        estimates.append(result.estimate)
        errors.append(result.standard_error)
    assert np.mean(errors) == pytest.approx(np.std(estimates), rel=0.25)


def test_no_information() -> None:
    rng = np.random.default_rng(1)
    truth, predicted = rng.integers(0, 3, 50), rng.integers(0, 3, 50)
    pairs = np.mean(truth[:, None] != predicted[None, :])
    assert no_information_rate(truth, predicted) == pytest.approx(pairs)
    assert no_information_loss(truth, predicted, lambda y, f: y != f) == pytest.approx(pairs)
    probabilities = rng.dirichlet([1, 1, 1], size=50)
    expected = np.mean([[-np.log(p[t]) for p in probabilities] for t in truth])
    got = no_information_loss(truth, probabilities, lambda y, p: -np.log(p[np.arange(len(y)), y]))
    assert got == pytest.approx(expected)


def test_other_estimators_and_their_needs(rng: np.random.Generator) -> None:
    counts = rng.multinomial(20, [1 / 20] * 20, size=60)
    losses = rng.uniform(size=(60, 20))
    plain = bootstrap_error(losses, counts, estimator="plain")
    assert plain.estimate == plain.bootstrap_error
    half = bootstrap_error(losses, counts, np.full(20, 0.1), estimator="632")
    assert half.estimate == pytest.approx(0.368 * 0.1 + 0.632 * plain.estimate)
    assert half.standard_error == pytest.approx(plain.standard_error * half.estimate / plain.estimate)
    assert not half.is_rate
    with pytest.raises(EvidenceError, match=r"needs training_losses.*fit the model on all rows"):
        bootstrap_error(losses, counts)
    with pytest.raises(EvidenceError, match="needs no_information_rate"):
        bootstrap_error(losses, counts, np.zeros(20))
    with pytest.raises(ParameterError, match="estimator must be one of"):
        bootstrap_error(losses, counts, estimator=".632")


def test_no_errors_at_all_still_has_an_interval(rng: np.random.Generator) -> None:
    counts = rng.multinomial(20, [1 / 20] * 20, size=60)
    result = bootstrap_error(np.zeros((60, 20)), counts, np.zeros(20), no_information_rate=0.5)
    interval = result.confidence_interval()
    assert result.estimate == 0.0
    assert interval.low == 0.0
    assert 0.1 < interval.high < 0.3


def test_rows_never_left_out_are_noted() -> None:
    counts = np.array([[1, 0, 2, 1], [1, 2, 0, 1], [1, 2, 1, 0]])
    result = leave_one_out_bootstrap(np.ones((3, 4)), counts)
    assert math.isnan(result.per_row[0])
    assert "never-left-out" in [note.code for note in result.notes]


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (np.ones((3, 4)), "no row is ever outside a resample"),
        (np.full((3, 4), 0.5), "counts must be whole numbers"),
        (np.zeros((2, 4)), "tables of equal shape"),
    ],
)
def test_bad_resamples_are_named(counts: np.ndarray, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        leave_one_out_bootstrap(np.ones((3, 4)), counts)


def test_missing_loss_out_of_the_bag_is_an_error() -> None:
    with pytest.raises(EvidenceError, match="losses must be finite"):
        leave_one_out_bootstrap(np.full((2, 2), math.nan), np.array([[0, 2], [2, 0]]))
