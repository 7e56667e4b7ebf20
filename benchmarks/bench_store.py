"""The store at scale: write, open, score and compare 10⁶, 10⁷ and 10⁸ prediction rows; time and peak memory.

``python benchmarks/bench_store.py --rows 1e6 1e7`` prints a table; ``--rows 1e8`` needs about 3 GB of disk. Every step
runs in a process of its own, so that its peak memory is its own. ``--json FILE`` writes the numbers. ``--units 1e5``
times a store of very many small units instead.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

MODELS = 10
DATASETS = 20  # of the store of many units
EXTRA: dict[str, float] = {}  # what a step has to say besides its time: a cluster's memory is not this process's


def make(folder: Path, rows: int, folds: int) -> None:
    """Write a store of ten models on one data set, through the runner's own writer."""
    from bakeoff.protocols import KFold, TrainTestSplit
    from bakeoff.runner._manifest import Manifest, environment
    from bakeoff.runner._records import DatasetEntry, FitFacts, ModelEntry, Provenance
    from bakeoff.runner._store import Store
    from bakeoff.runner._unit import Done, Unit

    n = rows // MODELS
    protocol = KFold(max(folds, 2))
    kind = "k-fold" if folds > 1 else "hold-out"
    names = [f"model {i}" for i in range(MODELS)]
    target: dict[str, Any] = {"task": "binary", "classes": (0, 1), "pos_label": 1}
    provenance = Provenance(**target, protocol=kind)
    data = DatasetEntry(fingerprint="d", n_rows=n, n_features=0, n_splits=folds, grouped=False, **target)
    models = {m: ModelEntry(fingerprint=m, description=m) for m in names}
    store = Store(folder)
    store.register(Manifest({"big": data}, models, protocol.describe(), protocol.family(), kind, 0, environment()))
    for fold in range(folds):
        rng = np.random.default_rng(fold)
        test = np.arange(fold, n, folds)
        y = rng.random(test.size) < 0.3
        for i, model in enumerate(names):
            score = 1 / (1 + np.exp(-(rng.normal(size=test.size) + (1 + 0.01 * i) * y - 0.5)))
            unit = Unit(f"{i:02d}{fold:030d}", "big", model, TrainTestSplit(0, fold, np.arange(n - test.size), test), 0)
            columns = {
                "repeat": np.zeros(test.size, np.int32),
                "fold": np.full(test.size, fold, np.int32),
                "instance": test,
                "y_true": y.astype(np.int64),
                "y_pred": (score >= 0.5).astype(np.int64),
                "y_score": score,
            }
            fit = FitFacts(fit_time=1.0, predict_time=0.1, score_time=0.1)
            store.save(Done(unit, columns, fit), provenance)


def opened(folder: Path):
    from bakeoff import Results

    return Results.open(folder)


def open_only(folder: Path) -> None:
    repr(opened(folder))


def score_accuracy(folder: Path) -> None:
    opened(folder).scores("accuracy").matrix()


def score_auc(folder: Path) -> None:
    opened(folder).scores("auc").matrix()


def evaluate_accuracy(folder: Path) -> None:
    opened(folder).evaluate(["accuracy"], rng=0)


def evaluate_auc(folder: Path) -> None:
    opened(folder).evaluate(["auc"], rng=0)


def compare_accuracy(folder: Path) -> None:
    opened(folder).compare("accuracy", rng=0)


def compare_auc(folder: Path) -> None:
    opened(folder).compare("auc", rng=0)


@contextmanager
def cluster():
    """Two worker processes; says what memory the larger of them took at most."""
    import distributed

    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        distributed.Client(local, set_as_default=False) as client,
    ):
        start = time.perf_counter()
        yield client
        peaks = client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        EXTRA.update(seconds=time.perf_counter() - start, worker_mb=max(peaks.values()))


def dask_confusion(folder: Path) -> None:
    """Confusion cells of every model, counted and merged on the workers of a Dask cluster."""
    with cluster() as client:
        opened(folder).counts("confusion", engine=client)


def dask_auc(folder: Path) -> None:
    """AUC of every unit, computed where its file is."""
    with cluster() as client:
        opened(folder).scores("auc", engine=client)


def bare_confusion(folder: Path) -> None:
    """What Polars itself needs to scan and group the same columns: the yardstick."""
    import polars as pl

    for model in sorted((folder / "predictions" / "dataset=big").iterdir()):
        lazy = pl.scan_parquet(sorted(model.glob("*.parquet")), hive_partitioning=False)
        lazy.group_by("y_true", "y_pred", "repeat", "fold").len().collect(engine="streaming")


def bare_tally(folder: Path) -> None:
    """What Polars itself needs to tally the scores of every model."""
    import polars as pl

    for model in sorted((folder / "predictions" / "dataset=big").iterdir()):
        lazy = pl.scan_parquet(sorted(model.glob("*.parquet")), hive_partitioning=False)
        lazy.group_by("y_score").agg(pl.col("y_true").sum(), pl.len()).collect(engine="streaming")


STEPS = {
    f.__name__: f
    for f in (
        open_only,
        score_accuracy,
        bare_confusion,
        score_auc,
        bare_tally,
        evaluate_accuracy,
        evaluate_auc,
        compare_accuracy,
        compare_auc,
        dask_confusion,
        dask_auc,
    )
}


def many_units(folder: Path, units: int) -> None:
    """Time a store of very many small units: list, open, resume, verify and report, as ratios to a bare listing."""
    import os
    import warnings

    from sklearn.dummy import DummyClassifier

    import bakeoff
    from bakeoff.protocols import KFold
    from bakeoff.runner import Results
    from bakeoff.runner._records import FitFacts
    from bakeoff.runner._store import Store
    from bakeoff.runner._unit import Done

    warnings.simplefilter("ignore")
    rows = 20
    X, y = np.zeros((rows, 1)), np.arange(rows) % 2
    models = {f"model {i}": DummyClassifier(constant=i % 2, strategy="constant") for i in range(MODELS)}
    datasets = {f"data {i}": (X + i, y) for i in range(DATASETS)}
    experiment = bakeoff.Experiment(models, datasets, KFold(5, repeats=units // (5 * MODELS * DATASETS)))
    store = Store(folder)
    store.register(experiment.manifest())
    store._flushes.finish = lambda: None  # the disk's own time is not what is measured
    fit = FitFacts(fit_time=1e-3, predict_time=1e-4, score_time=1e-4)
    for unit in experiment.units():
        test = unit.split.test
        columns = {
            "repeat": np.full(test.size, unit.split.repeat, np.int32),
            "fold": np.full(test.size, unit.split.fold, np.int32),
            "instance": test.astype(np.int64),
            "y_true": y[test],
            "y_pred": y[test],
            "y_score": np.random.default_rng(int(unit.key[:8], 16)).random(test.size) + y[test],
        }
        store.save(Done(unit, columns, fit), experiment._provenance(unit))

    def listing() -> int:
        return sum(len(files) for _, _, files in os.walk(folder))

    def scores() -> None:
        Results.open(folder).scores("accuracy").matrix()

    def report() -> None:
        Results.open(folder).report()

    steps: dict[str, Any] = {
        "bare listing": listing,
        "open and show": lambda: repr(Results.open(folder)),
        "resume (nothing to do)": lambda: experiment.run(folder, progress=False),
        "list": lambda: str(Results.open(folder).status),
        "verify": lambda: Results.open(folder).verify(),
        "scores of every unit": scores,
        "report": report,
        "compact": lambda: Results.open(folder).compact(),
        "open, compacted": lambda: repr(Results.open(folder)),
        "resume, compacted": lambda: experiment.run(folder, progress=False),
        "scores, compacted": scores,
        "report, compacted": report,
    }
    bare = None
    for name, step in steps.items():
        start, busy = time.perf_counter(), time.process_time()
        step()
        seconds, busy = time.perf_counter() - start, time.process_time() - busy
        bare = bare or (seconds, busy)
        times = f"{seconds:>8.2f} s {busy:>8.2f} CPU s"
        print(f"{units:>8} units  {name:<22} {times}  {busy / bare[1]:>8.1f} × a listing", flush=True)


def measure(step: str, folder: Path, *arguments: str) -> dict[str, float]:
    """Run one step in a process of its own; seconds and peak megabytes."""
    command = [sys.executable, __file__, "--step", step, "--folder", str(folder), *arguments]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        nothing = float("nan")
        return {
            "seconds": nothing,
            "cpu": nothing,
            "mb": nothing,
            "problem": done.stderr.strip().splitlines()[-1][:200],
        }
    return {**json.loads(done.stdout.splitlines()[-1]), "wall": time.perf_counter() - start}


def one_step(step: str, folder: Path, rows: int, folds: int) -> None:
    import warnings

    import polars  # noqa: F401  # loaded before the clock starts
    import sklearn  # noqa: F401

    warnings.simplefilter("ignore")
    start, busy = time.perf_counter(), time.process_time()
    if step == "make":
        make(folder, rows, folds)
    else:
        STEPS[step](folder)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "cpu": time.process_time() - busy, "mb": peak, **EXTRA}))


def remark(told: dict[str, Any]) -> str:
    workers = f"workers {told['worker_mb']:.0f} MB" if "worker_mb" in told else ""
    return str(told.get("problem", workers))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, nargs="+", default=[1e5, 1e6])
    parser.add_argument("--folds", type=int, nargs="+", default=[1, 10])
    parser.add_argument("--steps", nargs="+", default=list(STEPS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--units", type=float, help="time a store of so many small units instead")
    parser.add_argument("--step")
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    if options.step:
        one_step(options.step, options.folder, int(options.rows[0]), options.folds[0])
        return
    if options.units:
        with tempfile.TemporaryDirectory() as folder:
            many_units(Path(folder) / "store", int(options.units))
        return
    found = []
    print(f"{'rows':>12} {'folds':>5} {'step':<20} {'seconds':>9} {'CPU s':>9} {'peak MB':>9}")
    for rows in map(int, options.rows):
        for folds in options.folds:
            with tempfile.TemporaryDirectory() as folder:
                store = Path(folder) / "store"
                for step in ("make", *options.steps):
                    told = measure(step, store, "--rows", str(rows), "--folds", str(folds))
                    found.append({"rows": rows, "folds": folds, "step": step, **told})
                    numbers = f"{told['seconds']:>9.2f} {told['cpu']:>9.2f} {told['mb']:>9.0f}"
                    print(f"{rows:>12} {folds:>5} {step:<20} {numbers}  {remark(told)}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
