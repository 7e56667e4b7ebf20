"""What other packages do on questions we answer too: levels and coverage by the same simulations."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from simulated import coverage_of, level_row

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
    """Equal models declared different: on one test set, and over a few data sets."""
    rng = np.random.default_rng(seed)
    rows: list[Row] = []
    for n, rate in ((50, 0.9), (200, 0.8)):
        pairs = [(rng.random(n) < rate, rng.random(n) < rate) for _ in range(runs)]
        for name, test in _mcnemar_tests().items():
            rows.append(level_row(name, f"{n} rows, accuracy {rate}", [_silent(test, a, b) for a, b in pairs]))
    rows += _cochran_rows(runs, rng)
    return [*rows, *_two_model_rows(runs, rng)]


def _two_model_rows(runs: int, rng: np.random.Generator) -> list[Row]:
    """Equal models over data sets, normal and skewed: autorank takes another test when columns are not normal."""
    rows = []
    for shape, draw in (("normal", rng.normal), ("skewed", rng.exponential)):
        design = f"15 data sets × 2 models, {shape} scores"
        tables = draw(size=(runs, 15, 2))
        rows.append(level_row("bakeoff wilcoxon", design, [stats.wilcoxon(*t.T).pvalue for t in tables]))
        if autorank := _available("autorank"):
            found = [_autorank_pvalue(autorank, t) for t in tables[: max(runs // 4, 20)]]
            rows.append(level_row("autorank", design, found))
    return rows


def _cochran_rows(runs: int, rng: np.random.Generator) -> list[Row]:
    answers = [rng.random((60, 4)) < 0.8 for _ in range(runs)]
    rows = [level_row("bakeoff cochran_q", "60 rows, 4 models", [stats.cochran_q(c).pvalue for c in answers])]
    if mlxtend := _available("mlxtend.evaluate"):
        ones = np.ones(60, dtype=int)
        found = [_silent(lambda c=c: mlxtend.cochrans_q(ones, *c.T.astype(int))[1]) for c in answers[: runs // 4]]
        rows.append(level_row("mlxtend cochrans_q", "60 rows, 4 models", found))
    return rows


def _autorank_pvalue(autorank: Any, table: np.ndarray) -> float:
    pandas = __import__("pandas")
    frame = pandas.DataFrame(table, columns=[f"m{i}" for i in range(table.shape[1])])
    return float(_silent(lambda: autorank.autorank(frame, verbose=False).pvalue))


def fold_peers(runs: int, seed: int = 2) -> list[Row]:
    """mlxtend's tests of two learners on one data set: the learner is the same, its features are two noisy copies."""
    mlxtend = _available("mlxtend.evaluate")
    if mlxtend is None:
        return []
    from sklearn.neighbors import NearestCentroid
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer
    from test_t_levels import two_copies

    a, b = (make_pipeline(FunctionTransformer(_columns, kw_args={"first": i}), NearestCentroid()) for i in (0, 8))
    tests = {
        "mlxtend paired_ttest_resampled (30 hold-outs)": lambda x, y, r: mlxtend.paired_ttest_resampled(
            a, b, x, y, num_rounds=30, random_seed=r
        ),
        "mlxtend paired_ttest_kfold_cv (10-fold)": lambda x, y, r: mlxtend.paired_ttest_kfold_cv(
            a, b, x, y, cv=10, shuffle=True, random_seed=r
        ),
        "mlxtend paired_ttest_5x2cv": lambda x, y, r: mlxtend.paired_ttest_5x2cv(a, b, x, y, random_seed=r),
        "mlxtend combined_ftest_5x2cv": lambda x, y, r: mlxtend.combined_ftest_5x2cv(a, b, x, y, random_seed=r),
    }
    rng = np.random.default_rng(seed)
    samples = []
    for _ in range(runs):
        first, second, y = two_copies("digits", rng)
        samples.append((np.hstack([first, second]), y))
    return [
        level_row(name, "nearest centroid, digits", [_silent(test, x, y, r)[1] for r, (x, y) in enumerate(samples)])
        for name, test in tests.items()
    ]


def _columns(x: np.ndarray, first: int) -> np.ndarray:
    return x[:, first : first + 8]


def interval_peers(runs: int, seed: int = 1) -> list[Row]:
    """Coverage of intervals of accuracy, F1 and AUC near the edge, by confidenceinterval and by ours."""
    rng = np.random.default_rng(seed)
    ci = _available("confidenceinterval")
    few = max(runs // 4, 20)
    rows: list[Row] = []
    for n, rate in ((30, 0.95), (100, 0.9)):
        samples = [rng.random(n) < rate for _ in range(few)]
        design, right = f"n = {n}, rate {rate}", [int(s.sum()) for s in samples]
        for name, method in (("bakeoff accuracy (Wilson)", "wilson"), ("textbook accuracy (Wald)", "wald")):
            found = [
                lambda level, k=k, m=method, n=n: stats.binomial_interval(k, n, confidence_level=level, method=m)
                for k in right
            ]
            rows.append(coverage_of(name, design, rate, found))
        if ci is not None:
            found = [
                lambda level, s=s: _limits(ci.accuracy_score, np.ones(s.size, int), s.astype(int), level)
                for s in samples
            ]
            rows.append(coverage_of("confidenceinterval accuracy_score", design, rate, found))
    truth_value = 0.98305  # Φ(3/√2)
    truth = np.arange(60) % 2
    draws = [rng.normal(3.0 * truth) for _ in range(few)]
    ours = [lambda level, d=d: _silent(stats.delong_interval, truth, d, confidence_level=level) for d in draws]
    rows.append(coverage_of("bakeoff AUC (DeLong, logit)", "n = 60, AUC 0.98", truth_value, ours))
    if ci is not None:
        theirs = [lambda level, d=d: _limits(ci.roc_auc_score, truth, d, level) for d in draws]
        rows.append(coverage_of("confidenceinterval roc_auc_score (DeLong)", "n = 60, AUC 0.98", truth_value, theirs))
    return rows


def _limits(function: Callable[..., Any], truth: np.ndarray, answer: np.ndarray, level: float) -> Any:
    low, high = _silent(function, truth, answer, confidence_level=level)[1]
    return SimpleNamespace(low=float(low), high=float(high))


def _silent(function: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return function(*arguments, **options)
