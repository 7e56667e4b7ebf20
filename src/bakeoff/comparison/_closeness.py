"""Against a margin: equivalent, not inferior or inconclusive, by inverting the interval of each difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff._core.validation import FloatArray
from bakeoff.comparison._jobs import Finding
from bakeoff.stats.distributions import one_sided_pvalue


@dataclass(frozen=True, kw_only=True)
class Close:
    """What was shown of a pair against a margin; nothing where none was given.

    Attributes
    ----------
    shown, pvalue
        Of a against b, see `closeness`, and the adjusted p-value that a is not inferior.
    other_shown, other_pvalue
        The same of b against a.
    pvalue_equivalent, low, high
        Adjusted p-value of equivalence, and the 1 − 2α interval that the one-sided tests go by.
    """

    shown: str = ""
    pvalue: float = float("nan")
    other_shown: str = ""
    other_pvalue: float = float("nan")
    pvalue_equivalent: float = float("nan")
    low: float = float("nan")
    high: float = float("nan")


def close_pairs(findings: Sequence[Finding], margin: float, sign: int, *, alpha: float, adjusted: bool) -> list[Close]:
    """Hold every pair against the margin, allowing for their number unless told not to."""
    raw = margin_pvalues(findings, margin, sign)
    table = adjust_margin_pvalues(raw) if adjusted else raw
    m = len(findings) if adjusted else 1
    found = []
    for finding, p, q in zip(findings, table, raw, strict=True):
        low, high = finding.limits(1 - 2 * alpha)
        found.append(
            Close(
                shown=closeness(p, q, m, alpha),
                pvalue=float(p[0]),
                other_shown=closeness(p[::-1], q[::-1], m, alpha),
                other_pvalue=float(p[1]),
                pvalue_equivalent=float(p.max()) if not np.isnan(p).any() else float("nan"),
                low=low,
                high=high,
            )
        )
    return found


def margin_pvalues(findings: Sequence[Finding], margin: float, sign: int) -> FloatArray:
    """Return p-values ``[m, 2]``: that a is not inferior to b, and that b is not inferior to a.

    `sign` is +1 where more is better. For a measure where less is better, a is not inferior when a − b is below the
    margin.
    """
    table = np.full((len(findings), 2), np.nan)
    for row, finding in enumerate(findings):
        a_holds = {"bound": -sign * margin, "above": sign > 0}
        b_holds = {"bound": sign * margin, "above": sign < 0}
        for column, side in enumerate((a_holds, b_holds)):
            table[row, column] = one_sided_pvalue(
                finding.limits, float(side["bound"]), above=bool(side["above"]), smallest=finding.smallest_pvalue
            )
    return table


def adjust_margin_pvalues(pvalues: FloatArray) -> FloatArray:
    """Allow for the number of pairs, step by step as Holm does.

    "a is inferior" and "b is inferior" cannot both be true of one pair, so at each step only the pairs with a
    hypothesis left count (Shaffer's use of logical constraints), which keeps the family-wise error of all 2m
    conclusions at the level.
    """
    flat = pvalues.ravel()
    adjusted = np.full(flat.size, np.nan)
    left = np.isfinite(pvalues).sum(axis=1)
    running = 0.0
    for index in np.argsort(flat, kind="stable"):
        if np.isnan(flat[index]):
            continue
        running = max(running, min(1.0, float(flat[index]) * int((left > 0).sum())))
        adjusted[index] = running
        left[index // 2] -= 1
    return adjusted.reshape(pvalues.shape)


def closeness(adjusted: FloatArray, raw: FloatArray, n_pairs: int, alpha: float) -> str:
    """Name what was shown about a against b within the margin.

    Parameters
    ----------
    adjusted, raw
        P-values ``[2]`` that a is not inferior to b and that b is not inferior to a.
    n_pairs
        Number of pairs, for the opposite conclusion that a is worse by more than the margin (Bonferroni).

    Returns
    -------
    str
        ``"equivalent"`` (both one-sided tests reject), ``"not inferior"`` (a's does), ``"inferior"`` (a is worse by
        more than the margin) or ``"inconclusive"``.
    """
    if np.isnan(raw).any():
        return "inconclusive"
    if (adjusted < alpha).all():
        return "equivalent"
    if adjusted[0] < alpha:
        return "not inferior"
    return "inferior" if (1 - raw[0]) * n_pairs < alpha else "inconclusive"
