"""What a user waits for: whole verbs against scikit-learn's bare numbers (13 measures, no interval), same rows.

Processor time of one process; ours and the bare numbers in turn, the least of some rounds. The ratio is ours / bare.
Run it with ``OMP_NUM_THREADS=1`` for one thread.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable

import numpy as np

from benchmarks._timing import Row

ROWS, MODELS = 120_000, 3
GOALS = {
    "evaluate, 13 measures": "≤ 2",
    "evaluate, 13 measures, BCa, 2,000 resamples": "",
    "compare, AUC": "",
    "compare, F1": "",
    "compare, average precision": "≤ 1",
    "decide": "≤ 0.5",
    "report": "≤ 4",
}


def data(rows: int, models: int) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(1)
    y = (rng.random(rows) < 0.3).astype(int)
    scores = {}
    for i in range(models):
        logit = y * 1.6 - 1.2 + (1 + 0.1 * (i % 10)) * rng.normal(size=rows)
        scores[f"m{i}"] = 1 / (1 + np.exp(-logit))
    return y, scores


def bare(y: np.ndarray, scores: dict[str, np.ndarray]) -> None:
    """The numbers that are computed without any interval."""
    from sklearn import metrics as peer

    for s in scores.values():
        p = (s >= 0.5).astype(int)
        peer.accuracy_score(y, p), peer.balanced_accuracy_score(y, p), peer.precision_score(y, p)
        peer.recall_score(y, p), peer.recall_score(y, p, pos_label=0), peer.f1_score(y, p)
        peer.cohen_kappa_score(y, p), peer.matthews_corrcoef(y, p), peer.confusion_matrix(y, p)
        peer.roc_auc_score(y, s), peer.average_precision_score(y, s), peer.log_loss(y, s), peer.brier_score_loss(y, s)


def verbs(y: np.ndarray, scores: dict[str, np.ndarray]) -> dict[str, Callable[[], object]]:
    """Each call makes its evidence: nothing that an earlier one kept is used again."""
    import bakeoff

    context = bakeoff.OperatingContext(prevalence=0.1, cost_fp=1, cost_fn=20)

    def made() -> bakeoff.Predictions:
        return bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1)

    calls: tuple[Callable[[], object], ...] = (
        lambda: bakeoff.evaluate(made(), rng=0),
        lambda: bakeoff.evaluate(made(), rng=0, interval="bca"),
        lambda: bakeoff.compare(made(), "auc", rng=0),
        lambda: bakeoff.compare(made(), "f1", rng=0),
        lambda: bakeoff.compare(made(), "average_precision", rng=0),
        lambda: bakeoff.decide(made(), context, rng=0),
        lambda: bakeoff.report(made(), context),
    )
    return dict(zip(GOALS, calls, strict=True))


def cpu(job: Callable[[], object]) -> float:
    start = time.process_time()
    job()
    return time.process_time() - start


def run(rounds: int = 4) -> list[Row]:
    y, scores = data(ROWS, MODELS)
    jobs = {"bare": lambda: bare(y, scores), **verbs(y, scores)}
    least = dict.fromkeys(jobs, np.inf)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for job in jobs.values():
            job()  # imports are not what is measured
        for _ in range(rounds):
            for name, job in jobs.items():
                least[name] = min(least[name], cpu(job))
    base = least.pop("bare")
    return [
        {
            "job": f"{name}, {MODELS} models × {ROWS:,} rows", "ours_s": took, "peer": "scikit-learn, no intervals",
            "peer_s": base, "ratio": took / base, "goal": GOALS[name], "note": "ratio = ours / bare; processor time",
        }
        for name, took in least.items()
    ]  # fmt: skip
