"""Which files of the package does one call enter? The fewer, the sooner a reader has followed it.

    python -m benchmarks.walks              one line for each call, with the most that is wanted
    python -m benchmarks.walks --files      the files too, in the order in which they are entered
    python -m benchmarks.walks --json       for a machine
    python -m benchmarks.walks compare      one call only

A file is entered when a function defined in it starts to run. Every call is made once before it is watched, so that
imports and what is remembered for the whole process do not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

import bakeoff

PACKAGE = Path(bakeoff.__file__).parent
MOST = {"evaluate": 20, "compare": 22, "decide": 20, "report": 75}  # files, as issue 13 asks


def files_entered(call: Callable[[], object]) -> list[str]:
    """Files of the package that a call enters the second time it is made, in the order of first entry."""
    entered: dict[str, None] = {}

    def watch(frame: FrameType, event: str, argument: object) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            entered.setdefault(frame.f_code.co_filename)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
        call()
        threading.setprofile(watch)
        sys.setprofile(watch)
        try:
            call()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)
    paths = [Path(name) for name in entered]
    return [path.relative_to(PACKAGE).as_posix() for path in paths if path.is_relative_to(PACKAGE)]


def predictions() -> bakeoff.Predictions:
    """Scores of two models on one test set of two classes."""
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, 300)
    latent = {name: gain * (truth - 0.5) + random.normal(size=300) for name, gain in {"a": 2.5, "b": 1.5}.items()}
    return bakeoff.Predictions.from_arrays(
        truth, y_score={name: 1 / (1 + np.exp(-v)) for name, v in latent.items()}, pos_label=1
    )


def write_store(folder: Path) -> None:
    """Run three models on one data set in five folds."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    random = np.random.default_rng(1)
    X = random.normal(size=(200, 4))
    y = (X[:, 0] + random.normal(size=200) > 0).astype(int)
    models = {"lr": LogisticRegression(), "nb": GaussianNB(), "knn": KNeighborsClassifier(9)}
    bakeoff.run(models, (X, y), bakeoff.protocols.KFold(5), store=folder, n_jobs=1, progress=False)


def calls(folder: Path) -> dict[str, Callable[[], Any]]:
    """The calls that are watched; the store is written when it is asked for."""
    p, store = predictions(), folder / "store"
    context = bakeoff.OperatingContext(prevalence=0.2, cost_fp=1.0, cost_fn=8.0)

    def report_of_a_store() -> Any:
        if not store.exists():
            write_store(store)
        return bakeoff.report(bakeoff.Results.open(store))

    return {
        "evaluate": lambda: bakeoff.evaluate(p, ["auc", "average_precision"], rng=0),
        "compare": lambda: bakeoff.compare(p, "auc", rng=0),
        "decide": lambda: bakeoff.decide(p, context, rng=0),
        "report": lambda: bakeoff.report(p),
        "report-store": report_of_a_store,
    }


def walks(only: str | None = None) -> dict[str, list[str]]:
    """Name of the call → the files it enters."""
    with tempfile.TemporaryDirectory() as folder:
        return {name: files_entered(call) for name, call in calls(Path(folder)).items() if only in (None, name)}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("call", nargs="?", help="evaluate, compare, decide, report or report-store; else all")
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = walks(options.call)
    if options.json:
        print(json.dumps(found))
        return 0
    for name, files in found.items():
        packages = {file.partition("/")[0] for file in files if "/" in file}
        print(f"{name:14}{len(files):4} files, at most {MOST.get(name, '–')} wanted; {len(packages)} packages")
        for file in files if options.files else ():
            print(f"    {file}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
