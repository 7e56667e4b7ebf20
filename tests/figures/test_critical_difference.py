from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.figure import Figure
from scipy.stats import rankdata

import bakeoff
from bakeoff.comparison import Comparison
from bakeoff.evidence import Scores
from bakeoff.figures import critical_difference_figure


def test_ranks_and_groups(scores: Scores, over_sets: Comparison) -> None:
    figure = critical_difference_figure(over_sets)
    ranks = rankdata(-scores.matrix(), axis=1).mean(axis=0)
    assert {r["model"]: r["rank"] for r in figure.ranks} == pytest.approx(dict(zip(scores.models, ranks, strict=True)))
    for clique in figure.cliques:
        for a in clique:
            assert all(over_sets.pair(a, b).pvalue_adjusted >= 0.05 for b in clique if b != a)


def test_a_bar_over_a_model_that_does_not_belong_has_a_ring() -> None:
    """Pairs need not follow the ranks: b lies between a and c, differs from both, and a bar joins a and c."""
    table = np.arange(12)[:, None] / 50 + [0.30, 0.28, 0.26] + np.random.default_rng(1).normal(0, 0.001, (12, 3))
    comparison = bakeoff.compare(Scores.from_wide(table, models=["a", "b", "c"], measure="accuracy"), rng=0)
    assert "ring" not in critical_difference_figure(comparison).caption
    odd = critical_difference_figure(replace(comparison, groups=(("a", "c"), ("b",))))
    assert "A ring on a bar" in odd.caption
    display = odd.plot(Figure().subplots())
    assert [len(r.get_offsets()) for r in display.rings_] == [1]


def test_one_data_set_has_no_ranks(over_folds: Comparison) -> None:
    with pytest.raises(bakeoff.EvidenceError, match="several data sets"):
        critical_difference_figure(over_folds)
