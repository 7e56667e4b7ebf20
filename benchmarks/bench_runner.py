"""The runner's overhead: 1000 small fits against a bare loop, and against scikit-learn's `cross_validate`.

``python -m benchmarks.bench_runner [FITS [ROUNDS]]`` prints what each takes. The same fits, the same predictions
(labels and probabilities), the same two measures on both sides; ours also keeps every prediction. Rounds alternate;
medians.
Small fits are naive Bayes, medium ones forests of 30 trees.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

FITS = 200
MEDIUM_FITS = 30


def _work(fits: int, medium: bool = False):
    from sklearn.datasets import load_breast_cancer
    from sklearn.ensemble import RandomForestClassifier
    from sklearn.naive_bayes import GaussianNB

    from bakeoff.protocols import KFold

    X, y = load_breast_cancer(return_X_y=True)
    model = RandomForestClassifier(30, random_state=0) if medium else GaussianNB()
    return model, X, y, KFold(10, repeats=fits // 10)


def bare_loop(fits: int) -> None:
    from sklearn.base import clone

    model, X, y, protocol = _work(fits)
    for train, test in protocol.split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        fitted.predict(X[test])
        fitted.predict_proba(X[test])


def ours(fits: int, *, store: bool, n_jobs: int | None = None, scored: bool = False, medium: bool = False) -> None:
    from bakeoff import run

    model, X, y, protocol = _work(fits, medium)
    with tempfile.TemporaryDirectory() as folder:
        results = run({"model": model}, (X, y), protocol, store=Path(folder) / "s" if store else None, n_jobs=n_jobs)
        if scored:
            results.scores("accuracy")
            results.scores("auc")


def scikit_learn(fits: int, n_jobs: int | None, *, medium: bool = False) -> None:
    from sklearn.model_selection import cross_validate

    model, X, y, protocol = _work(fits, medium)
    cross_validate(model, X, y, cv=list(protocol.split(X, y)), scoring=["accuracy", "roc_auc"], n_jobs=n_jobs)


def medians(jobs: dict[str, Callable[[], None]], rounds: int) -> dict[str, float]:
    """Seconds of each job, taken in turns so that a busy machine is busy for all of them."""
    taken: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            taken[name].append(time.perf_counter() - start)
    return {name: statistics.median(times) for name, times in taken.items()}


def run(fits: int = FITS, rounds: int = 3) -> list[dict[str, object]]:
    warnings.simplefilter("ignore")
    ours(20, store=True, scored=True)  # imports are not what is measured
    jobs: dict[str, Callable[[], None]] = {
        "bare": lambda: bare_loop(fits),
        "memory": lambda: ours(fits, store=False),
        "store": lambda: ours(fits, store=True),
        "ours 1": lambda: ours(fits, store=False, scored=True),
        "sklearn 1": lambda: scikit_learn(fits, None),
        "ours 2": lambda: ours(fits, store=False, n_jobs=2, scored=True),
        "ours 2 kept": lambda: ours(fits, store=True, n_jobs=2, scored=True),
        "sklearn 2": lambda: scikit_learn(fits, 2),
        "medium 1": lambda: ours(MEDIUM_FITS, store=False, scored=True, medium=True),
        "sklearn medium 1": lambda: scikit_learn(MEDIUM_FITS, None, medium=True),
        "medium 2": lambda: ours(MEDIUM_FITS, store=False, n_jobs=2, scored=True, medium=True),
        "sklearn medium 2": lambda: scikit_learn(MEDIUM_FITS, 2, medium=True),
    }
    took = medians(jobs, rounds)
    rows: list[dict[str, object]] = []
    for name, words in (("memory", "in memory"), ("store", "every unit a synced Parquet file")):
        extra = 1000 * (took[name] - took["bare"]) / fits
        rows.append(
            {
                "job": f"runner: {fits} small fits, {words}",
                "ours_s": took[name],
                "peer": "bare loop of fits",
                "peer_s": took["bare"],
                "ratio": extra,
                "goal": "≤ 5",
                "note": "ratio = extra milliseconds per unit",
            }
        )
    small, medium = f"{fits} small fits", f"{MEDIUM_FITS} medium fits"
    for mine, theirs, words in (
        ("ours 1", "sklearn 1", f"{small} and two measures, n_jobs=1"),
        ("ours 2", "sklearn 2", f"{small} and two measures, n_jobs=2"),
        ("ours 2 kept", "sklearn 2", f"{small} and two measures, n_jobs=2, every unit kept on disk"),
        ("medium 1", "sklearn medium 1", f"{medium} and two measures, n_jobs=1"),
        ("medium 2", "sklearn medium 2", f"{medium} and two measures, n_jobs=2"),
    ):
        rows.append(
            {
                "job": f"runner: {words}",
                "ours_s": took[mine],
                "peer": "scikit-learn cross_validate",
                "peer_s": took[theirs],
                "goal": "" if "kept" in mine else "≥ 0.91",
                "note": "ours also syncs every unit to disk" if "kept" in mine else "",
            }
        )
    return rows


if __name__ == "__main__":
    for row in run(*map(int, sys.argv[1:3])):
        ratio = row.get("ratio") or row["peer_s"] / row["ours_s"]  # type: ignore[operator]
        took = f"{row['ours_s']:7.2f} s  {row['peer']:<28} {row['peer_s']:7.2f} s"
        print(f"{row['job']:<75} {took}  {ratio:6.2f} ({row['goal']})")
