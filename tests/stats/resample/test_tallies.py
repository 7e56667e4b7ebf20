"""Bootstrap of tallies: positives and negatives at each distinct score, scores descending."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.stats.resample import (
    auc_bootstrap,
    auc_of_tallies,
    distinct_scores,
    map_tallies,
    row_weights,
    tally_bootstrap,
)
from bakeoff.stats.resample._tallies import ScoreCells


def data(rng: np.random.Generator, n: int = 240) -> tuple[np.ndarray, np.ndarray]:
    y = rng.random(n) < 0.4
    scores = rng.normal(size=(n, 2)) + y[:, None]
    scores[:, 1] = scores[:, 1].round(1)
    return y, scores


@pytest.mark.parametrize("weighted", [False, True])
def test_each_tally_counts_its_rows(weighted: bool, rng: np.random.Generator) -> None:
    y, scores = data(rng)
    weight = rng.random(y.size) if weighted else None
    counts = np.concatenate(list(row_weights(y.size, 150, 3)))
    carried = counts if weight is None else counts * weight
    done = 0
    for chunk in tally_bootstrap(y, scores, 150, 3, weights=weight, max_bytes=200_000):
        for model, levels in enumerate(distinct_scores(scores)):
            at = scores[:, model][:, None] == levels
            part = carried[done : done + len(chunk)]
            np.testing.assert_allclose(chunk.positives[model], (part * y) @ at, rtol=1e-12, atol=1e-12)
            np.testing.assert_allclose(chunk.negatives[model], (part * ~y) @ at, rtol=1e-12, atol=1e-12)
        done += len(chunk)
    assert done == 150


def test_chunks_stay_within_the_memory_allowed(rng: np.random.Generator) -> None:
    y, scores = data(rng)
    sizes = [len(chunk) for chunk in tally_bootstrap(y, scores, 100, 0, max_bytes=100_000)]
    assert sum(sizes) == 100
    assert max(sizes) * 24 * scores.size <= 100_000
    assert len(list(tally_bootstrap(y, scores, 5, 0, max_bytes=1))) == 5


@pytest.mark.parametrize("options", [{}, {"stratified": True}, {"groups": np.arange(240) // 4}], ids=str)
def test_auc_of_tallies_is_the_auc_bootstrap(options: dict[str, object], rng: np.random.Generator) -> None:
    y, scores = data(rng)
    by_tally = map_tallies(auc_of_tallies, y, scores, 3000, 1, **options)
    direct = auc_bootstrap(y, scores, 3000, 2, **options)
    assert by_tally.shape == (3000, 2)
    np.testing.assert_allclose(by_tally.mean(axis=0), direct.mean(axis=0), atol=5 * direct.std() / np.sqrt(1500))
    np.testing.assert_allclose(by_tally.std(axis=0), direct.std(axis=0), rtol=0.1)


def test_stratified_tallies_keep_the_class_sizes(rng: np.random.Generator) -> None:
    y, scores = data(rng)
    for chunk in tally_bootstrap(y, scores, 50, 0, stratified=True):
        assert (chunk.positives[0].sum(axis=1) == y.sum()).all()
        assert (chunk.negatives[1].sum(axis=1) == (~y).sum()).all()


@pytest.mark.parametrize("stratified", [False, True])
def test_few_outcomes_are_drawn_as_cells(stratified: bool, rng: np.random.Generator) -> None:
    y = rng.random(10_000) < 0.3
    scores = np.column_stack([rng.integers(0, 4, 10_000), rng.integers(0, 3, 10_000)]).astype(float)
    cells = ScoreCells.of(y, scores)
    assert cells is not None
    assert cells.count.sum() == 10_000
    draws = [*tally_bootstrap(y, scores, 400, 0, stratified=stratified, max_bytes=50_000)]
    assert len(draws) > 1
    positives = np.concatenate([chunk.positives[0] for chunk in draws])
    negatives = np.concatenate([chunk.negatives[0] for chunk in draws])
    assert (positives.sum(axis=1) + negatives.sum(axis=1) == 10_000).all()
    if stratified:
        assert (positives.sum(axis=1) == y.sum()).all()
    levels = distinct_scores(scores)[0]
    expected = [(y & (scores[:, 0] == level)).sum() for level in levels]
    np.testing.assert_allclose(positives.mean(axis=0), expected, rtol=0.02)
    # Paired: both models' tallies come from the same rows.
    totals = [sum(c.positives[m].sum() for c in draws) for m in range(2)]
    assert totals[0] == totals[1]


def test_a_function_of_tallies_may_return_curves(rng: np.random.Generator) -> None:
    y, scores = data(rng)
    grid = np.linspace(0, 1, 11)

    def tpr_at(positives: np.ndarray, negatives: np.ndarray) -> np.ndarray:
        tpr = np.cumsum(positives, axis=1) / positives.sum(axis=1, keepdims=True)
        fpr = np.cumsum(negatives, axis=1) / negatives.sum(axis=1, keepdims=True)
        return np.stack([np.interp(grid, f, t) for f, t in zip(fpr, tpr, strict=True)])

    curves = map_tallies(tpr_at, y, scores, 70, 0)
    assert curves.shape == (70, 2, 11)
    assert (curves[..., -1] == 1.0).all()
