"""Write the small CSV files that docs/study.md is computed from: scores, folds, choices and data sets of the run.

    python study/scores.py [store] [folder]          (by default runs/study and docs/study)

The store holds every prediction and stays where it was made; these files are committed, so that docs/study.md can be
rebuilt by anyone.
"""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import bakeoff
from bakeoff import Experiment, Results

HERE = Path(__file__).parent
MEASURES = ("accuracy", "balanced_accuracy", "hand_till_auc", "log_loss", "brier", "fit_time", "predict_time")
BY_FOLD = "accuracy"


def main(store: Path, folder: Path, experiment: Path = HERE / "study.toml") -> None:
    results = Results.open(store)
    folder.mkdir(parents=True, exist_ok=True)
    tables = {m: results.scores(m) for m in MEASURES}
    write(folder / "scores.csv", ("dataset", "model", *MEASURES), mean_scores(tables, results.datasets))
    write(
        folder / "folds.csv",
        ("dataset", "repeat", "fold", *results.models),
        fold_scores(tables[BY_FOLD], results.datasets),
    )
    write(folder / "chosen.csv", ("model", "parameter", "value", "times"), choices(results))
    write(folder / "datasets.csv", DATASET_COLUMNS, dataset_rows(Experiment.from_toml(experiment)))
    print(f"scores.csv, folds.csv, chosen.csv and datasets.csv written to {folder}")


def mean_scores(tables: dict[str, bakeoff.Scores], datasets: Sequence[str]) -> Iterable[Sequence[Any]]:
    """One row per data set and model: the mean of every measure over the splits."""
    first = tables[MEASURES[0]]
    means = {m: scores.matrix() for m, scores in tables.items()}
    for dataset in datasets:
        d = first.datasets.index(dataset)
        for k, model in enumerate(first.models):
            yield dataset, model, *(f"{means[m][d, k]:.10g}" for m in MEASURES)


def fold_scores(scores: bakeoff.Scores, datasets: Sequence[str]) -> Iterable[Sequence[Any]]:
    """One row per split, one column per model."""
    for dataset in datasets:
        for split, line in zip(scores.splits[dataset], scores.folds(dataset), strict=True):
            yield dataset, split.repeat, split.fold, *(f"{v:.5f}" for v in line)


def choices(results: Results) -> Iterable[Sequence[Any]]:
    """How often each tuned learner took each value, over all data sets and splits."""
    table = results.chosen.columns
    counted: Counter[tuple[str, str, float]] = Counter()
    for model, chosen in zip(table["model"], table["chosen"], strict=True):
        for name, value in chosen.items():
            counted[model, name.rpartition("__")[2], value] += 1
    for (model, name, value), times in sorted(counted.items()):
        yield model, name, f"{value:g}", times


DATASET_COLUMNS = (
    "dataset",
    "about",
    "rows",
    "features",
    "classes",
    "largest class",
    "missing values",
    "source",
    "licence",
)


def dataset_rows(experiment: Experiment) -> Iterable[Sequence[Any]]:
    """Sizes as the run saw them; sources and licences as written in sources.csv."""
    with (HERE / "sources.csv").open(encoding="utf-8", newline="") as file:
        known = {row["dataset"]: row for row in csv.DictReader(file)}
    for name, data in experiment.datasets.items():
        shares = np.unique(data.target.y, return_counts=True)[1] / data.target.y.size
        sizes = data.source.n, data.source.n_features, len(data.target.classes), f"{shares.max():.2f}"
        row = known.get(name, {"about": "", "source": "", "licence": ""})
        yield name, row["about"], *sizes, data.source.missing_features, row["source"], row["licence"]


def write(path: Path, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(head)
        writer.writerows(rows)


if __name__ == "__main__":
    given = [Path(a) for a in sys.argv[1:3]]
    defaults = [HERE.parent / "runs" / "study", HERE.parent / "docs" / "study"]
    main(*given, *defaults[len(given) :])
