"""The exact null distribution of Friedman's statistic, with or without ties."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, IntArray

_BUDGET = 6_000_000  # sums of ranks looked at in one step


def exact_friedman_pvalue(ranks: FloatArray) -> float:
    """Return P(statistic >= observed) when each row's ranks may stand in any order among the models.

    The statistic grows with Σⱼ Sⱼ², Sⱼ the rank sums. Rows are added one at a time to the distribution of the rank
    sums; since every order is equally likely, only the sorted sums matter, which leaves k! times fewer of them.
    """
    doubled = np.rint(2 * ranks).astype(np.int64)
    rows = doubled - doubled.min(axis=1, keepdims=True)  # a constant per row shifts all sums alike
    rows = rows[np.argsort(rows.max(axis=1) > 0, kind="stable")]
    observed = _spread(rows.sum(axis=0)[None, :])[0]
    if rows.max() == 0:
        return 1.0
    sums, weight = np.zeros((1, ranks.shape[1]), dtype=np.int64), np.ones(1)
    for row in rows[rows.max(axis=1) > 0][:-1]:
        sums, weight = _merge(*_add_row(sums, weight, row))
    sums, weight = _add_row(sums, weight, rows[-1])
    return float(min(1.0, weight[_spread(sums) >= observed].sum()))


def _spread(sums: IntArray) -> IntArray:
    """Return k Σ S² − (Σ S)², an integer that orders tables as Friedman's statistic does."""
    return np.asarray(sums.shape[1] * (sums**2).sum(axis=1) - sums.sum(axis=1) ** 2)


def _add_row(sums: IntArray, weight: FloatArray, row: IntArray) -> tuple[IntArray, FloatArray]:
    """Add every arrangement of a row to every vector of sums."""
    arrangements = _arrangements(row, len(sums))
    added = (sums[:, None, :] + arrangements[None, :, :]).reshape(-1, row.size)
    return added, np.repeat(weight / len(arrangements), len(arrangements))


def _arrangements(row: IntArray, n_states: int) -> IntArray:
    from math import factorial

    if row.size > 9 or factorial(row.size) * n_states > 50 * _BUDGET:
        raise _infeasible(row.size)
    found = np.unique(np.array(list(permutations(row.tolist())), dtype=np.int64), axis=0)
    if len(found) * n_states > _BUDGET:
        raise _infeasible(row.size)
    return found


def _merge(sums: IntArray, weight: FloatArray) -> tuple[IntArray, FloatArray]:
    """Sort each vector of sums and add up the weights of equal ones."""
    ordered = np.sort(sums, axis=1)
    ordered -= ordered[:, :1]
    base = int(ordered.max()) + 1
    if base ** (ordered.shape[1] - 1) < 2**62:
        codes = ordered[:, 1:] @ (base ** np.arange(ordered.shape[1] - 1, dtype=np.int64))
        _, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
        return ordered[first], np.asarray(np.bincount(inverse, weight), dtype=np.float64)
    distinct, inverse = np.unique(ordered, axis=0, return_inverse=True)
    return distinct, np.asarray(np.bincount(inverse.ravel(), weight), dtype=np.float64)


def _infeasible(k: int) -> ParameterError:
    return ParameterError(
        f"the exact distribution of Friedman's statistic is out of reach for this table of {k} models.",
        hint="use method='chi2'; ff_pvalue is accurate for tables of this size",
    )
