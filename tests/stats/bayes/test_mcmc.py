"""Diagnostics of sampled posteriors, on chains whose answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats.bayes._mcmc import effective_sample_size, split_rhat


def _autoregressive(rng: np.random.Generator, phi: float, shape: tuple[int, int]) -> np.ndarray:
    noise = rng.normal(size=shape)
    chain = np.empty(shape)
    chain[:, 0] = noise[:, 0] / np.sqrt(1 - phi**2)
    for i in range(1, shape[1]):
        chain[:, i] = phi * chain[:, i - 1] + noise[:, i]
    return chain


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregressive_chain(phi: float, rng: np.random.Generator) -> None:
    chains = _autoregressive(rng, phi, (4, 20_000))
    expected = chains.size * (1 - phi) / (1 + phi)
    assert effective_sample_size(chains) == pytest.approx(expected, rel=0.1)
    assert split_rhat(chains) == pytest.approx(1.0, abs=0.01)


def test_chains_apart_are_seen(rng: np.random.Generator) -> None:
    chains = rng.normal(size=(4, 1000)) + np.array([[0], [0], [0], [2]])
    assert split_rhat(chains) > 1.2
    assert effective_sample_size(chains) < 50


def test_constant_chains() -> None:
    assert split_rhat(np.ones((2, 10))) == 1.0
    assert effective_sample_size(np.ones((2, 10))) == 20
