"""What rounding hides: the least and greatest value that rows in the bins of a tally can have."""

from __future__ import annotations

from typing import Any

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.evidence._engine import Table


def bounds_of(measure: str, table: Table, key: str, exact: bool, positive: Any) -> tuple[float, float]:
    """Bounds of a measure in `BOUNDED` from a tally whose scores are in the column `key`."""
    worth, hit = table.get("w", table["n"]), np.asarray(table["y_true"] == positive)
    low, high = table.get("low", table[key]), table.get("high", table[key])
    return BOUNDED[measure](low, high, worth * hit, worth * ~hit, exact)


def _auc_bounds(low: FloatArray, high: FloatArray, p: FloatArray, q: FloatArray, exact: bool) -> tuple[float, float]:
    """A pair counts 1 if the positive is surely higher, 0 if surely lower, ½ if tied, 0 to 1 within a bin."""
    order = np.argsort(low, kind="stable")
    low, high, p, q = low[order], high[order], p[order], q[order]
    total = p.sum() * q.sum()
    below = np.concatenate([[0.0], np.cumsum(q[np.argsort(high, kind="stable")])])
    surely = below[np.searchsorted(np.sort(high), low, side="left")]  # negatives whose bin ends below
    cumulated = np.concatenate([[0.0], np.cumsum(q)])
    maybe = cumulated[np.searchsorted(low, high, side="right")]  # negatives whose bin begins not above
    if exact:
        value = float((p * (surely + maybe)).sum() / (2 * total))
        return value, value
    return float((p * surely).sum() / total), float((p * maybe).sum() / total)


def _by_bin(low: FloatArray, high: FloatArray, p: FloatArray, q: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Positives and negatives of each bin, from the highest down; bins that overlap are taken as one."""
    order = np.argsort(-high, kind="stable")
    low, high, p, q = low[order], high[order], p[order], q[order]
    reach = np.minimum.accumulate(low)
    start = np.concatenate([[True], high[1:] < reach[:-1]])
    code = np.cumsum(start) - 1
    return np.bincount(code, p).astype(np.float64), np.bincount(code, q).astype(np.float64)


def _ks_bounds(low: FloatArray, high: FloatArray, p: FloatArray, q: FloatArray, exact: bool) -> tuple[float, float]:
    """TPR − FPR is known at the edges of bins; inside it rises by at most p/P and falls by at most q/N."""
    up, down = _by_bin(low, high, p, q)
    rise, fall = up / up.sum(), down / down.sum()
    at = np.concatenate([[0.0], np.cumsum(rise - fall)])
    edge = float(np.abs(at).max())
    if exact:
        return edge, edge
    return edge, max(edge, float(np.maximum(at[:-1] + rise, fall - at[:-1]).max()))


def _precision_bounds(
    low: FloatArray, high: FloatArray, p: FloatArray, q: FloatArray, exact: bool
) -> tuple[float, float]:
    """Best: positives first, tied. Worst: negatives first, positives one by one (an integral where they are many)."""
    up, down = _by_bin(low, high, p, q)
    tp, fp = np.cumsum(up) - up, np.cumsum(down) - down
    some = up > 0
    up, down, tp, fp = up[some], down[some], tp[some], fp[some]
    if exact:
        value = float((up * (tp + up) / (tp + up + fp + down)).sum() / up.sum())
        return value, value
    from scipy.special import digamma

    m = fp + down
    at = tp + m
    with np.errstate(invalid="ignore"):
        gaps = np.where(at < 1e4, digamma(at + up + 1) - digamma(at + 1), np.log1p(up / (at + 0.5)))
    whole = np.allclose(up, np.round(up))
    worst = up - m * (gaps if whole else np.log1p(up / np.maximum(at, 1e-300)))
    best = up * (tp + up) / (tp + up + fp)
    return float(worst.sum() / up.sum()), float(best.sum() / up.sum())


def _gini_bounds(*bins: Any) -> tuple[float, float]:
    low, high = _auc_bounds(*bins)
    return 2 * low - 1, 2 * high - 1


BOUNDED = {"auc": _auc_bounds, "gini": _gini_bounds, "ks": _ks_bounds, "average_precision": _precision_bounds}
