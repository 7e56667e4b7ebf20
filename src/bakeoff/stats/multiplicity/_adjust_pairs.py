"""Adjusting the p-values of all pairs of models, using that not every set of pairs can be equal at once.

If A = B and B = C then A = C: the pairs that are truly equal always form a partition of the models into groups of
equals. Shaffer uses how many pairs that can be; Bergmann and Hommel use which.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import FloatArray, check_choice, check_count
from bakeoff.stats.multiplicity._groups import as_pair_pvalues
from bakeoff.stats.multiplicity._pairs import all_pairs

METHODS = ("shaffer", "bergmann")
_BERGMANN_LIMIT = 17  # 2¹⁷ sets of models × up to 136 thresholds


def adjust_pairs(pvalues: ArrayLike, n_models: int, method: str) -> FloatArray:
    """Adjust the p-values of all pairs of models for their number, using the logic among the pairs.

    Parameters
    ----------
    pvalues
        Shape [k(k−1)/2], pairs in the order (0, 1), (0, 2), …, (1, 2), …; NaN stays NaN and counts as not rejected.
    n_models
        Number of models (k).
    method
        ``"shaffer"`` (static) or ``"bergmann"`` (Bergmann–Hommel, dynamic, the most powerful; up to 17 models).

    Returns
    -------
    numpy.ndarray
        Adjusted p-values, in the order given. Both control the family-wise error under any dependence.

    Notes
    -----
    Shaffer: max over j ≤ i of tⱼ·p₍ⱼ₎, where tⱼ is the largest number of pairs, at most m − j + 1, that can be equal
    at once. Bergmann–Hommel: max of ``|I|·min{p in I}`` over all *exhaustive* sets I of pairs that hold the pair, a set
    being exhaustive if exactly its pairs are within the groups of some partition of the models; then, as published
    tables do, the running maximum in the order of p, so that no pair overtakes one with a smaller p. Instead of listing
    partitions (10¹⁰ for 16 models), the largest exhaustive set among the pairs with p ≥ c is found for every subset
    of models and every c by dynamic programming.

    References
    ----------
    Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. JASA 81, 826–831.
    doi:10.1080/01621459.1986.10478341

    Bergmann, B. & Hommel, G. (1988). Improvements of general multiple test procedures for redundant systems of
    hypotheses. In Multiple Hypotheses Testing, 100–115. Springer. doi:10.1007/978-3-642-52307-6_8

    García, S. & Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over multiple data sets"
    for all pairwise comparisons. JMLR 9, 2677–2694. https://www.jmlr.org/papers/v9/garcia08a.html

    Examples
    --------
    >>> from bakeoff.stats import adjust_pairs
    >>> adjust_pairs([0.01, 0.02, 0.04], 3, "shaffer").tolist()
    [0.03, 0.03, 0.04]
    """
    check_choice("method", method, METHODS)
    k = check_count("n_models", n_models, minimum=2)
    array = as_pair_pvalues(pvalues, k)
    # An undefined pair stays in the family: transitivity still ties the other pairs to it. It is never rejected.
    filled = np.where(np.isnan(array), 1.0, array)
    adjusted = _shaffer(filled, k) if method == "shaffer" else _bergmann(filled, k)
    return np.asarray(np.where(np.isnan(array), np.nan, np.clip(adjusted, filled, 1.0)))


def _shaffer(pvalues: FloatArray, k: int) -> FloatArray:
    order = np.argsort(pvalues, kind="stable")
    possible = np.array(possible_true_pairs(k))
    left = np.arange(pvalues.size, 0, -1)
    most = possible[np.searchsorted(possible, left, side="right") - 1]
    adjusted = np.empty_like(pvalues)
    adjusted[order] = np.maximum.accumulate(most * pvalues[order])
    return adjusted


def possible_true_pairs(k: int) -> list[int]:
    """Return, in increasing order, the numbers of pairs that can be equal at once among k models: Σ C(size, 2)."""
    found = [1]  # bit b of found[m] is set where b pairs are possible among m models
    for models in range(1, k + 1):
        possible = 0
        for size in range(1, models + 1):
            possible |= found[models - size] << (size * (size - 1) // 2)
        found.append(possible)
    return [b for b, bit in enumerate(reversed(bin(found[k])[2:])) if bit == "1"]


def _bergmann(pvalues: FloatArray, k: int) -> FloatArray:
    """Return max over exhaustive sets I with the pair of |I|·min p(I).

    A set with min p(I) >= c is a partition into cliques of the graph of pairs with p >= c. So for every threshold c
    (the distinct p-values) we need the largest partition into cliques in which the pair stands in one clique B:
    C(|B|, 2) plus the largest partition of the models outside B.
    """
    if k > _BERGMANN_LIMIT:
        raise ParameterError(
            f"Bergmann–Hommel is computed for at most {_BERGMANN_LIMIT} models. Got {k}.",
            hint="use 'shaffer', which is nearly as powerful and has no such limit",
        )
    thresholds, level = np.unique(pvalues, return_inverse=True)
    allowed = _allowed_thresholds(level, k)
    largest = _largest_partitions(allowed, len(thresholds), k)
    best = _best_with_group(allowed, largest, thresholds, k).reshape((2,) * k)
    by_pair = np.array([best[_both_in(i, j, k)].max() for i, j in all_pairs(k)])
    # keep the order of the p-values: a pair is not rejected before one with a smaller p-value
    in_order = np.maximum.accumulate(np.array([by_pair[level == value].max() for value in range(len(thresholds))]))
    return np.asarray(in_order[level])


def _both_in(i: int, j: int, k: int) -> tuple[int | slice, ...]:
    """Index the groups that hold models i and j in an array with one axis per model (axis 0 = highest bit)."""
    return tuple(1 if k - 1 - axis in (i, j) else slice(None) for axis in range(k))


def _allowed_thresholds(level: NDArray[np.intp], k: int) -> NDArray[np.int64]:
    """Return for every group (a bit mask of models) how many thresholds its smallest p-value reaches.

    Group B is a clique at thresholds 0 … allowed[B] − 1. Groups of fewer than two models reach them all.
    """
    pair_level = np.full((k, k), int(level.max()))
    for (i, j), value in zip(all_pairs(k), level, strict=True):
        pair_level[i, j] = pair_level[j, i] = value
    lowest = np.full(1 << k, int(level.max()))
    for v in range(k):
        below = 1 << v
        joined = lowest[:below].copy()  # every group of models before v, joined by v
        for u in range(v):
            with_u = (np.arange(below) >> u & 1).astype(bool)
            joined[with_u] = np.minimum(joined[with_u], pair_level[u, v])
        lowest[below : 2 * below] = joined
    return lowest + 1


def _largest_partitions(allowed: NDArray[np.int64], n_thresholds: int, k: int) -> NDArray[np.uint8]:
    """Return, for every set of models and threshold, the most pairs that a partition into cliques can hold.

    Sets gain their highest model v in the group C ∪ {v}; what is left of the set is partitioned at its best. With one
    axis per model, all sets left over are one slice, so each group costs one vectorised step.
    """
    best = np.zeros((2,) * k + (n_thresholds,), dtype=np.uint8)
    for v in range(k):
        target_v, source_v = best[_axis_prefix(v, k, 1)], best[_axis_prefix(v, k, 0)]
        np.copyto(target_v, source_v)  # v alone
        for group in range(1, 1 << v):
            reach = int(allowed[group | 1 << v])
            if reach:
                size = group.bit_count()
                inside = [group >> (v - 1 - axis) & 1 for axis in range(v)]
                target = target_v[(*(1 if bit else slice(None) for bit in inside), slice(0, reach))]
                source = source_v[(*(0 if bit else slice(None) for bit in inside), slice(0, reach))]
                np.maximum(target, source + np.uint8(size * (size + 1) // 2), out=target)
    return best.reshape(1 << k, n_thresholds)


def _axis_prefix(v: int, k: int, bit: int) -> tuple[int, ...]:
    """Fix the models above v as absent and v as absent (0) or present (1)."""
    return (0,) * (k - 1 - v) + (bit,)


def _best_with_group(
    allowed: NDArray[np.int64], largest: NDArray[np.uint8], thresholds: FloatArray, k: int
) -> FloatArray:
    """Return for every group B the maximum over its thresholds c of c·(C(|B|, 2) + pairs in the best rest)."""
    groups = np.arange(1 << k)
    size = np.array([g.bit_count() for g in range(1 << k)])
    rest = largest[groups ^ ((1 << k) - 1)]
    value = thresholds * (rest + (size * (size - 1) // 2)[:, None])
    value[np.arange(thresholds.size) >= allowed[:, None]] = 0.0
    return np.asarray(value.max(axis=1))
