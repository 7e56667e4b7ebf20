"""Adjusting p-values for how many questions were asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, as_floats, check_choice

_ROM_LEVEL = 0.05


def adjust(pvalues: ArrayLike, method: str) -> FloatArray:
    """Adjust p-values for the size of their family, keeping their order.

    Parameters
    ----------
    pvalues
        Shape [m]. An undefined p-value (NaN) stays NaN and is not counted in the family, as in R's ``p.adjust``.
    method
        See the table below.

    Returns
    -------
    numpy.ndarray
        The smallest level at which each hypothesis is rejected by the procedure; compare it with the level directly.

    Notes
    -----
    With p₍₁₎ ≤ … ≤ p₍ₘ₎:

    ==============  =================================================================================================
    ``bonferroni``  m·p. Family-wise error, any dependence.
    ``holm``        max over j ≤ i of (m−j+1)·p₍ⱼ₎. Family-wise error, any dependence; never worse than Bonferroni.
    ``hochberg``    min over j ≥ i of (m−j+1)·p₍ⱼ₎. Family-wise error under independence or positive dependence.
    ``hommel``      closed test of Simes' inequality; as Hochberg, never worse than it.
    ``holland``     max over j ≤ i of 1−(1−p₍ⱼ₎)^(m−j+1) (Holm with Šidák's bound).
    ``finner``      max over j ≤ i of 1−(1−p₍ⱼ₎)^(m/j). Family-wise error only if *no* hypothesis is false (see below).
    ``rom``         max over j ≤ i of rₘ₋ⱼ₊₁·p₍ⱼ₎, with Rom's constants r = α/αⱼ at α = 0.05.
    ``li``          p / (p + 1 − p₍ₘ₎). Two steps; family-wise error under independence; powerless if p₍ₘ₎ is near 1.
    ``bh``          min over j ≥ i of m·p₍ⱼ₎/j. False discovery rate under independence or positive dependence.
    ``by``          as ``bh`` times 1 + 1/2 + … + 1/m. False discovery rate, any dependence.
    ==============  =================================================================================================

    Finner's critical values are close to those of the false discovery rate. The literature on comparing algorithms
    lists it among the family-wise procedures, but when some models differ it exceeds the level for those that do not:
    with two of five models far better, pairwise Wilcoxon tests adjusted by Finner told equal models apart in 12 % of
    the tables at the 5 % level (``tests/calibration/test_rank_levels.py``). Prefer ``holm``, or `adjust_pairs`.

    Rom's constants are those of García et al. (2010), applied step-down as the R package scmamp does, so that published
    tables are reproduced. Rom's own procedure steps up and rejects a little more.

    References
    ----------
    García, S., Fernández, A., Luengo, J. & Herrera, F. (2010). Advanced nonparametric tests for multiple comparisons in
    the design of experiments in computational intelligence and data mining. Information Sciences 180, 2044–2064.
    doi:10.1016/j.ins.2009.12.010

    Examples
    --------
    >>> from bakeoff.stats import adjust
    >>> adjust([0.01, 0.04, 0.03], "holm").tolist()
    [0.03, 0.06, 0.06]
    """
    check_choice("method", method, _METHODS)
    array = as_pvalues(pvalues)
    adjusted = array.copy()
    defined = ~np.isnan(array)
    if defined.any():
        order = np.argsort(array[defined], kind="stable")
        ascending = array[defined][order]
        result = np.empty_like(ascending)
        result[order] = np.clip(_METHODS[method](ascending), ascending, 1.0)
        adjusted[defined] = result
    return adjusted


def as_pvalues(pvalues: ArrayLike) -> FloatArray:
    """Return a vector of p-values in [0, 1]; NaN is allowed."""
    array = as_floats("pvalues", pvalues)
    if array.ndim != 1:
        raise EvidenceError(f"pvalues must be one-dimensional. Got shape {array.shape} instead.")
    outside = (array < 0) | (array > 1)
    if outside.any():
        where = int(outside.argmax())
        raise EvidenceError(f"pvalues must be between 0 and 1. Got {array[where]:g} at position {where}.")
    return array


def _remaining(p: FloatArray) -> FloatArray:
    """Return m, m−1, …, 1: how many hypotheses are left at each step."""
    return np.arange(p.size, 0, -1, dtype=np.float64)


def _holm(p: FloatArray) -> FloatArray:
    return np.asarray(np.maximum.accumulate(_remaining(p) * p))


def _step_up(scaled: FloatArray) -> FloatArray:
    return np.asarray(np.minimum.accumulate(scaled[::-1])[::-1])


def _hommel(p: FloatArray) -> FloatArray:
    """Close Simes' test over all subsets: for each size, the smallest Simes bound a subset with p₍ᵢ₎ can have."""
    m = p.size
    adjusted = np.full(m, np.min(m * p / np.arange(1, m + 1)))
    for size in range(m - 1, 1, -1):
        # the worst subset of this size that holds p₍ᵢ₎ takes the largest others: its Simes value is
        # the smaller of size·p₍ᵢ₎ and the least size·p₍ⱼ₎/rank over the size − 1 largest
        largest = p[m - size + 1 :]
        simes = np.min(size * largest / np.arange(2, size + 1))
        bound = np.minimum(size * p, simes)
        bound[m - size + 1 :] = bound[m - size]
        np.maximum(adjusted, bound, out=adjusted)
    return np.maximum(adjusted, p)


def _sidak_step_down(p: FloatArray, exponent: FloatArray) -> FloatArray:
    """Return the running maximum of 1 − (1 − p)^exponent, without losing the digits of small p-values."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.maximum.accumulate(-np.expm1(exponent * np.log1p(-p))))


def _rom(p: FloatArray) -> FloatArray:
    # Rom's constants depend on the level, so these are adjusted p-values for α = 0.05 only (García et al. 2010).
    return np.asarray(np.maximum.accumulate(_ROM_LEVEL / rom_levels(p.size, _ROM_LEVEL)[::-1] * p))


def rom_levels(m: int, level: float) -> FloatArray:
    """Return Rom's critical levels, from the largest p-value's (the level itself) to the smallest p-value's.

    They solve Σ_{i=1}^{j−1} αⁱ = Σ_{i=1}^{j−2} C(j, i)·α_{i+1}^{j−i} + j·α_j for j = 2, 3, …; α₁ = α, α₂ = α/2.
    With s = j − i, the terms fall like αˢ/s!, so those beyond s = 40 are nothing in double precision.
    """
    from scipy.special import comb

    levels = np.full(m, level)
    for j in range(2, m + 1):
        s = np.arange(2, min(j - 1, 40) + 1)
        overlap = float((comb(j, s) * levels[j - s] ** s).sum())
        levels[j - 1] = (level * (1 - level ** (j - 1)) / (1 - level) - overlap) / j
    return levels


def _li(p: FloatArray) -> FloatArray:
    """Return p/(p + 1 − largest); a p-value of 0 with a largest of 1 stays 0, the level at which it is rejected."""
    below = p + 1 - p[-1]
    return np.asarray(np.divide(p, below, out=np.zeros_like(p), where=below > 0))


def _by(p: FloatArray) -> FloatArray:
    # Benjamini and Yekutieli's price for any dependence: the harmonic number.
    return _step_up((1 / np.arange(1, p.size + 1)).sum() * p.size / np.arange(1, p.size + 1) * p)


_METHODS: dict[str, Callable[[FloatArray], FloatArray]] = {
    "bonferroni": lambda p: p.size * p,
    "holm": _holm,
    # Holm's factors, but stepping up from the largest p: valid by Simes' inequality, hence the condition on dependence.
    "hochberg": lambda p: _step_up(_remaining(p) * p),
    "hommel": _hommel,
    "finner": lambda p: _sidak_step_down(p, p.size / np.arange(1, p.size + 1)),
    "li": _li,
    "rom": _rom,
    "holland": lambda p: _sidak_step_down(p, _remaining(p)),
    "bh": lambda p: _step_up(p.size / np.arange(1, p.size + 1) * p),
    "by": _by,
}
