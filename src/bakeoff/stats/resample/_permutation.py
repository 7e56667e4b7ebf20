"""Paired permutation: under "the two models are exchangeable on every row", any row's pair may be swapped.

For accuracy and mean losses the difference of two models is a sum of per-row differences, and a swap flips the sign of
one term. The difference of two AUCs is linear in the swaps as well (see `auc_swap_contributions`), so one sign-flip
kernel serves all of them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, RngLike, as_float_vector, check_alternative, check_count
from bakeoff.stats._kernels import sign_sums
from bakeoff.stats.resample._sums import as_columns
from bakeoff.stats.resample._tallies import as_labelled_scores
from bakeoff.stats.resample._units import make_units, new_seed
from bakeoff.stats.roc import as_score_vector, sorted_order

_SAME = 1e-12  # relative: replicates this near the observed value are ties that rounding has parted


def sign_flip(
    contributions: ArrayLike,
    n_resamples: int,
    rng: RngLike = None,
    *,
    groups: ArrayLike | None = None,
    n_jobs: int | None = None,
) -> FloatArray:
    """Flip the sign of every row's contribution by a fair coin and add them up, again and again.

    Parameters
    ----------
    contributions
        What each row adds to the difference of two models, ``[n]`` or ``[n, k]`` for k pairs of models: differences
        of losses divided by n, or `auc_swap_contributions`. Their sum is the observed difference.
    n_resamples
        Number of permutations B.
    rng
        Seed or generator.
    groups
        Cluster label per row: the rows of a cluster are swapped together.
    n_jobs
        Threads; None uses all cores (or ``OMP_NUM_THREADS``). The answer does not depend on it.

    Returns
    -------
    replicates : float array ``[B, k]``

    Examples
    --------
    >>> import numpy as np
    >>> from bakeoff.stats.resample import permutation_pvalue, sign_flip
    >>> difference = np.array([3.0, 1.0, 2.0, 2.0, 4.0, 1.0, -0.5, 2.5]) / 8
    >>> replicates = sign_flip(difference, 20_000, rng=0)[:, 0]
    >>> round(permutation_pvalue(difference.sum(), replicates), 2)      # exact: 4 / 256
    0.02
    """
    values = as_columns("contributions", contributions)
    if groups is not None:
        values = make_units(values.shape[0], groups=groups).totals(values)
    return sign_sums(np.ascontiguousarray(values), check_count("n_resamples", n_resamples), new_seed(rng), n_jobs)


def auc_swap_contributions(
    positive: ArrayLike, score_a: ArrayLike, score_b: ArrayLike, *, ranks: bool = False
) -> FloatArray:
    """Return each row's contribution to AUC(a) − AUC(b), such that swapping a row's two scores flips its sign.

    Take a positive i and a negative j, and write ψ(x, y) for 1, ½ or 0 as x is above, equal to or below y. The pair
    adds ψ(aᵢ, aⱼ) − ψ(bᵢ, bⱼ) to the difference. With signs sᵢ, sⱼ = −1 where a row is swapped, all four cases are
    αsᵢ + βsⱼ with

    .. math::

        2α = ψ(a_i, a_j) + ψ(a_i, b_j) − ψ(b_i, a_j) − ψ(b_i, b_j), \\quad
        2β = ψ(a_i, a_j) + ψ(b_i, a_j) − ψ(a_i, b_j) − ψ(b_i, b_j).

    Summed over pairs, a positive's contribution is the difference of its two scores' mid-ranks among *all* 2N scores
    of negatives, and a negative's likewise among the 2P scores of positives: no pair is ever formed.

    Parameters
    ----------
    positive
        True class, ``[n]``.
    score_a, score_b
        The two models' scores, ``[n]``.
    ranks
        Replace each model's scores by their mid-ranks first. Swapping raw scores supposes one common scale; use ranks
        when the models' scales differ (a margin and a probability, say). AUC itself does not change.

    Returns
    -------
    contributions : float array ``[n]``
        Their sum is AUC(a) − AUC(b).

    References
    ----------
    E. S. Venkatraman and C. B. Begg (1996), doi:10.1093/biomet/83.4.835 (swapping ranks within subjects).

    Examples
    --------
    >>> from bakeoff.stats.resample import auc_swap_contributions
    >>> auc_swap_contributions([0, 0, 1, 1], [1, 2, 3, 4], [1, 3, 2, 4]).tolist()
    [0.0, 0.125, 0.125, 0.0]
    """
    pair = [as_score_vector("score_a", score_a), as_score_vector("score_b", score_b)]
    if pair[0].size != pair[1].size:
        raise EvidenceError(
            f"score_a and score_b must be paired, row by row. Got {pair[0].size} and {pair[1].size} rows."
        )
    truth, columns = as_labelled_scores(positive, np.column_stack(pair))
    if ranks:
        columns = np.column_stack([_midranks(column) for column in columns.T])
    a, b = columns.T
    contributions = np.empty(truth.size)
    contributions[truth] = _midrank_gap(a[truth], b[truth], np.concatenate([a[~truth], b[~truth]]))
    contributions[~truth] = _midrank_gap(b[~truth], a[~truth], np.concatenate([a[truth], b[truth]]))
    return contributions / (2.0 * int(truth.sum()) * int((~truth).sum()))


def _midrank_gap(first: FloatArray, second: FloatArray, reference: FloatArray) -> FloatArray:
    """How many reference values (ties one half) lie below `first` minus how many below `second`."""
    ordered = np.sort(reference)
    gap = np.zeros(first.size)
    for values, sign in ((first, 0.5), (second, -0.5)):
        by, ranked = sorted_order(values)  # sorted queries walk the reference in order, which is several times faster
        gap[by] += sign * (
            np.searchsorted(ordered, ranked, side="left") + np.searchsorted(ordered, ranked, side="right")
        )
    return gap


def _midranks(values: FloatArray) -> FloatArray:
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - 0.5 * (counts - 1.0))[inverse])


def permutation_pvalue(observed: float, replicates: ArrayLike, alternative: str = "two-sided") -> float:
    """Return (1 + #{replicates as extreme as observed}) / (B + 1), which is never 0 and keeps the level exactly.

    Parameters
    ----------
    observed
        The difference seen.
    replicates
        Its permutation replicates, ``[B]``, symmetric about 0.
    alternative
        ``"two-sided"`` compares absolute values; ``"greater"`` and ``"less"`` one side.

    References
    ----------
    B. Phipson and G. Smyth (2010), doi:10.2202/1544-6115.1585.

    Examples
    --------
    >>> from bakeoff.stats.resample import permutation_pvalue
    >>> permutation_pvalue(2.0, [0.0, 1.0, -2.0, 3.0])
    0.6
    """
    check_alternative(alternative)
    values = as_float_vector("replicates", replicates)
    seen = float(observed)
    if not np.isfinite(seen):
        raise EvidenceError(f"observed must be a finite number. Got {observed!r}.")
    slack = _SAME * max(abs(seen), float(np.abs(values).max()))
    sided = {"two-sided": np.abs(values) - abs(seen), "greater": values - seen, "less": seen - values}[alternative]
    # The data as observed are one of the permutations: without the 1, p could be 0 and the test a little liberal.
    return float((1 + np.count_nonzero(sided >= -slack)) / (values.size + 1))


def exact_swap_pvalue(n_a_only: int, n_b_only: int, alternative: str = "two-sided") -> float:
    """Return the exact permutation p-value for accuracy: only rows that one model alone has right can change sign.

    The difference of right answers is then 2·Binomial(d, ½) − d with d = n_a_only + n_b_only, so no permutation needs
    to be drawn (this is the exact McNemar test).
    """
    check_alternative(alternative)
    a, b = check_count("n_a_only", n_a_only, minimum=0), check_count("n_b_only", n_b_only, minimum=0)
    if alternative == "two-sided":
        return min(1.0, 2.0 * _upper_tail(max(a, b), a + b))
    return _upper_tail(a if alternative == "greater" else b, a + b)


def _upper_tail(k: int, n: int) -> float:
    """P(Binomial(n, ½) ≥ k)."""
    from scipy.special import bdtrc

    return 1.0 if k == 0 else float(bdtrc(k - 1, n, 0.5))
