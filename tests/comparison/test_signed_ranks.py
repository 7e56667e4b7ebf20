"""All pairs at once: each gets what it gets alone."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff.comparison import _ranks


def tables(rng: np.random.Generator) -> dict[str, np.ndarray]:
    better = np.array([0, 0.01, 0.02, 0.05])
    base = rng.normal(0.8, 0.05, (30, 4)) + better
    few = base.copy()
    few[4:, 1] = few[4:, 0]  # these two differ on four data sets
    same = base.copy()
    same[:, 2] = same[:, 3] + 1e-15
    many = rng.normal(0.8, 0.05, (140, 4)) + better
    return {
        "continuous": base, "2 decimals": base.round(2), "one decimal": base.round(1), "few differences": few,
        "the same": same, "five data sets": base[:5], "normal": many, "normal, ties": many.round(2),
    }  # fmt: skip


@pytest.mark.parametrize("path", ["", "numpy"])
@pytest.mark.parametrize("alternative", ["two-sided", "less"])
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_all_pairs_at_once_get_what_each_gets_alone(
    alternative: str, path: str, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BAKEOFF_KERNELS", path)
    for name, table in tables(rng).items():
        scores = bakeoff.Scores.from_wide(table, models=list("abcd"), measure="auc")
        together = bakeoff.compare(scores, alternative=alternative, margin=0.01, rng=0)
        with monkeypatch.context() as patch:
            one_by_one = lambda job: tuple(_ranks._finding(job, pair) for pair in job.pairs)  # noqa: E731
            patch.setattr(_ranks, "_all_findings", one_by_one)
            alone = bakeoff.compare(scores, alternative=alternative, margin=0.01, rng=0)
        for ours, expected in zip(together.pairs, alone.pairs, strict=True):
            assert repr(ours.to_dict()) == repr(expected.to_dict()), name
