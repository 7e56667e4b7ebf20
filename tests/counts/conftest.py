"""Evidence of every form, and units of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from bakeoff import Predictions, measures
from bakeoff.counts import Counted
from bakeoff.evidence import Rows, Units

REGRESSION = {"mae", "mse", "rmse", "r2", "relative_squared_error", "median_absolute_error"}


@dataclass
class Data:
    """Three models (the third a copy of the first), ties, groups, instances with two answers, weights, copies."""

    seed: int = 1
    n: int = 300
    models: tuple[str, ...] = ("a", "b", "copy")
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.group = self.rng.integers(0, 20, self.n)
        self.instance = np.concatenate([np.arange(self.n // 2)] * 2)
        truth = (self.rng.random(self.n // 2) < 0.4).astype(int)
        self.truth = np.concatenate([truth, truth])
        scores = np.round(0.3 * self.truth[:, None] + self.rng.uniform(0.05, 0.65, (self.n, 2)), 2)
        self.scores = {"a": scores[:, 0], "b": scores[:, 1], "copy": scores[:, 0]}
        self.weight = self.rng.lognormal(size=self.n)
        self.copies = self.rng.integers(1, 4, self.n)

    def rows(self, measure: str, take=slice(None)) -> Rows:
        scores = {m: s[take] for m, s in self.scores.items()}
        if measure in REGRESSION:
            return Predictions.from_arrays(self.truth[take] + 1.5, y_value=scores).table()
        return Predictions.from_arrays(self.truth[take], y_score=scores, pos_label=1).table()

    def counted(self, measure: str, take=slice(None), **units) -> Counted:
        rows, entry = self.rows(measure, take), measures.get(measure)
        return Counted(entry.form.of(rows, rows.models, entry.needs), Units.of(rows.n, **units))

    def units(self, kind: str, take=slice(None)) -> dict[str, np.ndarray]:
        return {
            "rows": {},
            "instances": {"instance": self.instance[take]},
            "groups": {"groups": self.group[take]},
        }[kind]


@pytest.fixture(scope="module")
def data() -> Data:
    return Data()
