"""Comparing what two runs predicted, bit by bit."""

from __future__ import annotations

import polars as pl

from bakeoff.runner import Results

KEYS = ["dataset", "model", "repeat", "fold", "instance"]


def all_rows(results: Results) -> pl.DataFrame:
    """Every stored prediction of a run, in one order."""
    groups: dict[tuple[str, str], list] = {}
    for record in results.store.records():
        groups.setdefault(record.pair, []).append(record)
    frames = [
        results.store.scan(records).collect().with_columns(dataset=pl.lit(dataset), model=pl.lit(model))
        for (dataset, model), records in groups.items()
    ]
    return pl.concat(frames, how="diagonal").sort(KEYS)


def assert_same_rows(first: Results, second: Results) -> None:
    a, b = all_rows(first), all_rows(second)
    assert a.height > 0
    assert a.select(KEYS).is_duplicated().sum() == 0, "every unit exactly once"
    assert b.select(KEYS).is_duplicated().sum() == 0, "every unit exactly once"
    assert a.equals(b.select(a.columns), null_equal=True), "bit-identical"
