"""Per-item outcomes of several models, from whatever log they come: brought to the same items, then made evidence."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import check_choice
from bakeoff.evidence._predictions import Predictions
from bakeoff.evidence._rows import Rows

Item = Hashable


@dataclass
class ItemTable:
    """Outcomes of one task: model → item → values (one per sample), and the cluster of each item where known."""

    task: str
    outcomes: dict[str, dict[Item, list[float]]] = field(default_factory=dict)
    clusters: dict[Item, Hashable] = field(default_factory=dict)

    def add(self, model: str, item: Item, value: float, cluster: Hashable | None = None) -> None:
        """Add one outcome."""
        self.outcomes.setdefault(model, {}).setdefault(item, []).append(value)
        if cluster is not None:
            self.clusters[item] = cluster


def predictions_of(tables: Mapping[str, ItemTable], *, samples: str, only_common: bool) -> Predictions:
    """Make evidence of one or more tasks.

    Parameters
    ----------
    tables
        Task → outcomes.
    samples
        ``"mean"``: several samples of an item are averaged to one graded outcome. ``"each"``: every sample is a row,
        and the samples of an item are a cluster.
    only_common
        Keep the items that all models have; otherwise models with different items are an error.
    """
    check_choice("samples", samples, ("mean", "each"))
    if not tables:
        raise EvidenceError("the logs hold no per-item scores.")
    return Predictions({task: _rows(table, samples, only_common) for task, table in tables.items()})


def _rows(table: ItemTable, samples: str, only_common: bool) -> Rows:
    items = _common_items(table, only_common)
    if samples == "mean":
        values = {m: [float(np.mean(by_item[i])) for i in items] for m, by_item in table.outcomes.items()}
        groups = [table.clusters.get(i) for i in items] if table.clusters else None
    else:
        times = _common_samples(table, items)
        values = {m: [v for i in items for v in by_item[i]] for m, by_item in table.outcomes.items()}
        groups = [table.clusters.get(i, i) for i in items for _ in range(times[i])]
    named = None if groups is None else [str(g) for g in groups]
    evidence = Predictions.from_outcomes(values, groups=named).table()
    return replace(evidence, name=table.task)


def _common_items(table: ItemTable, only_common: bool) -> list[Item]:
    sets = {model: set(by_item) for model, by_item in table.outcomes.items()}
    common = set.intersection(*sets.values())
    union = set.union(*sets.values())
    if common != union and not only_common:
        counts = ", ".join(f"{m!r} {len(s)}" for m, s in sets.items())
        raise EvidenceError(
            f"the models were scored on different items of {table.task!r} ({counts}; {len(common)} in common).",
            hint="give only_common=True to keep the items that all of them have",
        )
    if not common:
        raise EvidenceError(f"no item of {table.task!r} was scored for every model.")
    return [i for i in next(iter(table.outcomes.values())) if i in common]


def _common_samples(table: ItemTable, items: list[Item]) -> dict[Item, int]:
    """Number of samples of each item, which must be the same for all models, or they do not pair."""
    first, *others = table.outcomes.items()
    times = {i: len(first[1][i]) for i in items}
    for model, by_item in others:
        for i in items:
            if len(by_item[i]) != times[i]:
                counts = f"{times[i]} samples of {first[0]!r} and {len(by_item[i])} of {model!r}"
                raise EvidenceError(f"item {i!r} of {table.task!r} has {counts}.", hint="use samples='mean'")
    return times
