"""Pairing: which items the models share, counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bakeoff._core.result import Result
from bakeoff.evidence._rows import Rows


@dataclass(frozen=True, repr=False)
class Pairing(Result):
    """Which items the models share.

    Attributes
    ----------
    items, paired
        Items that any model answered, and those that all of them did.
    per_model
        Model → its items.
    unpaired
        Model → those of its items that some other model lacks.
    attempts
        Model → its attempts, over all items.
    missing
        Model → cells that the source could not score.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.Predictions.from_outcomes({"a": [1, 0, 1], "b": [0, 0, 1]}).pairing
    Pairing(3 items, 3 answered by all 2 models)
    """

    items: int
    paired: int
    per_model: Mapping[str, int]
    unpaired: Mapping[str, int]
    attempts: Mapping[str, int]
    missing: Mapping[str, int]

    def _headline(self) -> str:
        return f"{self.items} items, {self.paired} answered by all {len(self.per_model)} models"

    def _columns(self) -> dict[str, Sequence[Any]]:
        models = list(self.per_model)
        named = ("per_model", "unpaired", "attempts", "missing")
        return {"model": models} | {name: [getattr(self, name)[m] for m in models] for name in named}


def pairing_of(tables: Sequence[Rows], models: Sequence[str]) -> Pairing:
    """Count items and attempts of every model over all data sets."""
    items = paired = 0
    per_model, unpaired, attempts, missing = (dict.fromkeys(models, 0) for _ in range(4))
    for rows in tables:
        some = rows.task in ("outcomes", "sums")  # the rows of predictions are answered by every model
        each = np.array([rows.cases]) if not some else np.ones(rows.n) if rows.frequency is None else rows.frequency
        has = {m: rows.has(m) if some else np.ones(1, dtype=bool) for m in rows.models}
        everyone = np.logical_and.reduce(list(has.values())) & (len(has) == len(models))
        items += rows.cases
        paired += int(each @ everyone)
        for m, own in has.items():
            per_model[m] += int(each @ own)
            unpaired[m] += int(each @ (own & ~everyone))
            given = rows.outputs[m].attempts if some else None
            attempts[m] += rows.n if given is None else int(given.sum())
            missing[m] += rows.missing.get(m, 0)
    return Pairing(items, paired, per_model, unpaired, attempts, missing)
