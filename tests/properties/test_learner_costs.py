"""Laws of cost-sensitive decisions that hold for every cost matrix and every probability."""

from __future__ import annotations

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from bakeoff import OperatingContext
from bakeoff.learners import correct_prior, cost_sample_weight, decide_min_cost

shares = st.floats(0.01, 1.0)


@st.composite
def problems(draw):
    """A cost matrix in which no class is dominated, and probabilities of a few cases."""
    k = draw(st.integers(2, 4))
    costs = draw(arrays(float, (k, k), elements=st.floats(0.5, 100.0)))
    np.fill_diagonal(costs, 0.0)
    P = draw(arrays(float, (5, k), elements=shares))
    return costs, P / P.sum(axis=1, keepdims=True)


def clear(P, costs):
    """Cases whose two cheapest answers differ by more than rounding."""
    expected = np.sort(P @ costs, axis=1)
    return expected[:, 1] - expected[:, 0] > 1e-6


@given(problems(), st.floats(0.01, 100.0))
def test_only_ratios_of_costs_matter(problem, factor):
    costs, P = problem
    sure = clear(P, costs) & clear(P, costs * factor)
    np.testing.assert_array_equal(decide_min_cost(P, costs)[sure], decide_min_cost(P, costs * factor)[sure])


@given(problems(), st.lists(st.floats(0, 50), min_size=4, max_size=4))
def test_what_every_answer_costs_changes_nothing(problem, shifts):
    costs, P = problem
    shifted = costs + np.array(shifts[: len(costs)])[:, None]
    sure = clear(P, costs)
    np.testing.assert_array_equal(decide_min_cost(P, costs)[sure], decide_min_cost(P, shifted)[sure])


@given(problems(), st.randoms(use_true_random=False))
def test_classes_may_be_renamed(problem, random):
    costs, P = problem
    order = list(range(len(costs)))
    random.shuffle(order)
    sure = clear(P, costs)
    renamed = decide_min_cost(P[:, order], costs[np.ix_(order, order)])
    np.testing.assert_array_equal(np.array(order)[renamed][sure], decide_min_cost(P, costs)[sure])


@given(st.floats(0.1, 100), st.floats(0.1, 100), st.floats(0, 1))
def test_two_classes_are_elkans_threshold(cost_fp, cost_fn, p):
    context = OperatingContext(cost_fp=cost_fp, cost_fn=cost_fn)
    assume(abs(p - context.threshold) > 1e-9)
    assert decide_min_cost([[1 - p, p]], context.cost_matrix)[0] == int(p >= context.threshold)


@given(problems(), st.lists(shares, min_size=4, max_size=4), st.lists(shares, min_size=4, max_size=4))
def test_prior_correction_can_be_undone_and_chained(problem, first, second):
    _, P = problem
    k = P.shape[1]
    a, b = (np.array(v[:k]) / sum(v[:k]) for v in (first, second))
    even = np.full(k, 1 / k)
    there = correct_prior(P, a, b)
    np.testing.assert_allclose(there.sum(axis=1), 1)
    np.testing.assert_allclose(correct_prior(there, b, a), P, atol=1e-9)
    np.testing.assert_allclose(correct_prior(correct_prior(P, a, even), even, b), there, atol=1e-9)


@given(problems(), st.lists(st.integers(1, 9), min_size=4, max_size=4))
def test_weights_keep_the_number_of_rows(problem, counts):
    costs, _ = problem
    y = np.repeat(np.arange(len(costs)), counts[: len(costs)])
    weights = cost_sample_weight(y, costs)
    assert np.isclose(weights.sum(), len(y))
    np.testing.assert_allclose(weights, cost_sample_weight(y, 3 * costs))
