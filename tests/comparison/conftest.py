"""Evidence of every design, small and reproducible."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from bakeoff import Predictions, Scores
from bakeoff.evidence import Split
from oracle import worked_examples

SIX = {"boost": 2.4, "forest": 2.2, "logit": 2.1, "svm": 1.9, "bayes": 1.4, "knn": 1.2}


def binary(n: int = 500, models: dict[str, float] | None = None, seed: int = 7) -> tuple[np.ndarray, dict]:
    """Truth and correlated scores in (0, 1); a larger number separates the classes better."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    shared = rng.normal(size=n)
    scores = {
        m: 1 / (1 + np.exp(-(0.7 * shared + 0.7 * rng.normal(size=n) + (truth - 0.5) * d)))
        for m, d in (models or SIX).items()
    }
    return truth, scores


def scored(n: int = 500, models: dict[str, float] | None = None, seed: int = 7, **more: object) -> Predictions:
    truth, scores = binary(n, models, seed)
    return Predictions.from_arrays(truth, y_score=scores, **more)


def labelled(n: int = 500, models: dict[str, float] | None = None, seed: int = 7, **more: object) -> Predictions:
    truth, scores = binary(n, models, seed)
    return Predictions.from_arrays(truth, y_pred={m: (s > 0.5).astype(int) for m, s in scores.items()}, **more)


def splits_of(repeats: int, folds: int, n: int = 500) -> tuple[Split, ...]:
    n_test = n // folds if folds > 1 else n // 3
    return tuple(Split(r, f, n_test, n - n_test) for r in range(repeats) for f in range(folds))


def resampled(models: dict[str, float], repeats: int, folds: int, sd: float = 0.03, seed: int = 7) -> Scores:
    rng = np.random.default_rng(seed)
    shared = rng.normal(0, 0.02, size=repeats * folds)
    cells = np.stack([mean + shared + rng.normal(0, sd, repeats * folds) for mean in models.values()], axis=1)
    return Scores(tuple(models), {"data": cells}, {"data": splits_of(repeats, folds)}, "accuracy", True)


def demsar() -> Scores:
    example = worked_examples("tests")["demsar_2006"]
    return Scores.from_wide(example["data"], models=example["algorithms"], datasets=example["datasets"], measure="auc")


def regression(n: int = 300, seed: int = 7) -> Predictions:
    rng = np.random.default_rng(seed)
    truth = rng.normal(10, 3, n)
    spreads = {"gp": 1.0, "ridge": 1.2, "lasso": 1.25}
    return Predictions.from_arrays(truth, y_value={m: truth + rng.normal(0, s, n) for m, s in spreads.items()})


def multiclass(n: int = 400, seed: int = 7) -> Predictions:
    rng = np.random.default_rng(seed)
    classes = np.array(list("abc"))
    truth = rng.choice(classes, n)
    rates = {"cnn": 0.8, "mlp": 0.7, "tree": 0.66}
    return Predictions.from_arrays(
        truth, y_pred={m: np.where(rng.random(n) < r, truth, rng.choice(classes, n)) for m, r in rates.items()}
    )


@pytest.fixture
def make() -> SimpleNamespace:
    return SimpleNamespace(
        binary=binary, scored=scored, labelled=labelled, resampled=resampled, demsar=demsar, regression=regression,
        multiclass=multiclass, splits_of=splits_of,
    )  # fmt: skip
