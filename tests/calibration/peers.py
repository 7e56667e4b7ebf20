"""What other packages do on questions we answer too: levels and coverage by the same simulations."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff import stats

Row = dict[str, Any]


def _available(name: str) -> Any:
    try:
        return __import__(name, fromlist=["*"])
    except ImportError:
        return None


def _mcnemar_tests() -> dict[str, Callable[[np.ndarray, np.ndarray], float]]:
    tests: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
        "bakeoff mcnemar (auto)": lambda a, b: stats.mcnemar(a, b).pvalue
    }
    table = lambda a, b: [[int((a & b).sum()), int((a & ~b).sum())], [int((~a & b).sum()), int((~a & ~b).sum())]]  # noqa: E731
    if contingency := _available("statsmodels.stats.contingency_tables"):
        tests["statsmodels mcnemar (exact=False, correction=False)"] = lambda a, b: float(
            contingency.mcnemar(table(a, b), exact=False, correction=False).pvalue
        )
    if mlxtend := _available("mlxtend.evaluate"):
        tests["mlxtend mcnemar (corrected)"] = lambda a, b: float(
            mlxtend.mcnemar(np.array(table(a, b)), corrected=True)[1]
        )
    return tests


def level_peers(runs: int, seed: int = 0) -> list[Row]:
    """Share of pairs of equal models declared different at 5 %: one test set, and a few data sets."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for n, rate in ((50, 0.9), (200, 0.8)):
        pairs = [(rng.random(n) < rate, rng.random(n) < rate) for _ in range(runs)]
        for name, test in _mcnemar_tests().items():
            rows.append(
                _row(name, f"{n} rows, accuracy {rate}", np.mean([_silent(test, a, b) <= 0.05 for a, b in pairs]), runs)
            )
    if autorank := _available("autorank"):
        few = max(runs // 10, 20)
        rows.append(
            _row("autorank (two models, 10 data sets)", "equal models", _autorank_level(autorank, few, rng), few)
        )
    tables = rng.normal(size=(runs, 10, 2))
    ours = np.mean([stats.wilcoxon(t[:, 0], t[:, 1]).pvalue <= 0.05 for t in tables])
    rows.append(_row("bakeoff wilcoxon (two models, 10 data sets)", "equal models", ours, runs))
    return rows


def _autorank_level(autorank: Any, runs: int, rng: np.random.Generator) -> float:
    pandas = __import__("pandas")
    hits = 0
    for _ in range(runs):
        frame = pandas.DataFrame(rng.normal(size=(10, 2)), columns=["a", "b"])
        hits += bool(_silent(lambda f=frame: autorank.autorank(f, verbose=False).pvalue) <= 0.05)
    return hits / runs


def interval_peers(runs: int, seed: int = 1) -> list[Row]:
    """Coverage of nominal 95 % intervals of accuracy and AUC near the edge."""
    rng = np.random.default_rng(seed)
    ci = _available("confidenceinterval")
    rows: list[Row] = []
    for n, rate in ((30, 0.95), (100, 0.9)):
        samples = [rng.random(n) < rate for _ in range(runs)]
        ours = np.mean([_holds(*_pair(stats.binomial_interval(int(s.sum()), n)), rate) for s in samples])
        wald = np.mean([_holds(*_pair(stats.binomial_interval(int(s.sum()), n, method="wald")), rate) for s in samples])
        rows += [_row("bakeoff accuracy (Wilson)", f"n = {n}, rate {rate}", ours, runs),
                 _row("textbook accuracy (Wald)", f"n = {n}, rate {rate}", wald, runs)]  # fmt: skip
        if ci is not None:
            hit = np.mean(
                [
                    _holds(*_silent(lambda s=s: ci.accuracy_score(np.ones(s.size, int), s.astype(int))[1]), rate)
                    for s in samples
                ]
            )
            rows.append(_row("confidenceinterval accuracy_score", f"n = {n}, rate {rate}", hit, runs))
    truth_value = 0.9832  # Φ(3/√2)
    draws = []
    for _ in range(runs):
        truth = np.arange(60) % 2
        draws.append((truth, rng.normal(3.0 * truth)))
    ours = np.mean([_holds(*_pair(_silent(lambda d=d: stats.delong_interval(*d))), truth_value) for d in draws])
    rows.append(_row("bakeoff AUC (DeLong, logit)", "n = 60, AUC 0.98", ours, runs))
    if ci is not None:
        hit = np.mean([_holds(*_silent(lambda d=d: ci.roc_auc_score(*d)[1]), truth_value) for d in draws])
        rows.append(_row("confidenceinterval roc_auc_score (DeLong)", "n = 60, AUC 0.98", hit, runs))
    return rows


def _pair(interval: Any) -> tuple[float, float]:
    return float(interval.low), float(interval.high)


def _holds(low: float, high: float, truth: float) -> bool:
    return bool(low <= truth <= high)


def _silent(function: Callable[..., Any], *arguments: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return function(*arguments)


def _row(name: str, design: str, share: float, runs: int) -> Row:
    return {"procedure": name, "design": design, "share": float(share), "runs": runs}
