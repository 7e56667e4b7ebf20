"""ROC curve, AUC and hull of ten million rows against scikit-learn, in the same run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff.stats import auc, roc_curve, roc_hull
from benchmarks._timing import seconds

Row = dict[str, Any]
ROWS = 10**7


def side_by_side(ours: Callable[[], object], peer: Callable[[], object], rounds: int, each: int) -> tuple[float, float]:
    """Median seconds of both, taken in turns so that a busy moment of the machine meets both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for job, kept, repeats in ((ours, times[0], each), (peer, times[1], 1)):
            for _ in range(repeats):
                kept.append(seconds(job))
    return float(np.median(times[0])), float(np.median(times[1]))


def data(n: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    y = (rng.random(n) < 0.5).astype(np.int64)
    log_odds = rng.normal(size=n) + y
    scores = {
        "probabilities": lambda: 1.0 / (1.0 + np.exp(-log_odds)),
        "log odds": lambda: log_odds,
        "4 decimals": lambda: np.round(1.0 / (1.0 + np.exp(-log_odds)), 4),
    }
    return y, scores[kind]()


def run(n: int = ROWS, *, rounds: int = 3, each: int = 3) -> list[Row]:
    """Return rows of job, seconds of ours and of the peer, and their ratio (for the hull: hull over curve)."""
    from sklearn import metrics

    rows: list[Row] = []
    for kind in ("probabilities", "log odds", "4 decimals"):
        y, s = data(n, kind)
        points = roc_curve(y, s)
        ours = (lambda: roc_curve(y, s), lambda: auc(y, s), lambda: roc_hull(points.fpr, points.tpr))  # noqa: B023
        peers = (
            lambda: metrics.roc_curve(y, s, drop_intermediate=False),  # noqa: B023
            lambda: metrics.roc_auc_score(y, s),  # noqa: B023
        )
        rounds = rounds if kind == "probabilities" else 1  # the peer takes five seconds a call
        curve, peer_curve = side_by_side(ours[0], peers[0], rounds, each)
        area, peer_auc = side_by_side(ours[1], peers[1], rounds, each)
        hull, own_curve = side_by_side(ours[2], ours[0], 3 * rounds, 1)
        assert abs(auc(y, s) - metrics.roc_auc_score(y, s)) < 1e-12
        rows += [
            _row(f"roc_curve, n = {n:.0e}, {kind}", curve, peer_curve, "scikit-learn", "≥ 10"),
            _row(f"auc, n = {n:.0e}, {kind}", area, peer_auc, "scikit-learn", "≥ 18"),
            {
                "job": f"roc_hull of {points.fpr.size:.0e} points, {kind}",
                "ours": hull,
                "peer": own_curve,
                "ratio": hull / own_curve,
                "against": "our roc_curve (time of hull / time of curve)",
                "goal": "≤ 0.3",
            },
        ]
    return rows


def _row(job: str, ours: float, peer: float, against: str, goal: str) -> Row:
    return {"job": job, "ours": ours, "peer": peer, "ratio": peer / ours, "against": against, "goal": goal}


if __name__ == "__main__":
    for row in run():
        print(
            f"{row['job']:45} {row['ours']:9.4f} s  {row['peer']:9.4f} s  {row['ratio']:8.2f}  goal {row['goal']:6}"
            f"  {row['against']}"
        )
