"""Post hocs on mean ranks: Nemenyi for all pairs, plain z-tests for pairs or a control, and the critical difference."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray, check_choice, check_count, check_level
from bakeoff.stats._blocks import ALL_TIED, check_blocks
from bakeoff.stats.distributions import Null, studentized_range_quantile, studentized_range_sf, two_sided_normal
from bakeoff.stats.multiplicity import ControlResult, PairsResult, all_pairs, check_control, pair_differences
from bakeoff.stats.ranks._ranking import block_ranks


def nemenyi(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in mean rank? Nemenyi's test, simultaneous over all pairs.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1.

    Returns
    -------
    PairsResult
        `statistic` is ``q = √2·|R̄ᵢ − R̄ⱼ| / √(k(k+1)/(6N))``, referred to the studentised range of k models, infinite
        degrees of freedom; `pvalue` is adjusted by construction; `estimate` is R̄ᵢ − R̄ⱼ (negative: the first is better).

    Notes
    -----
    The variance is not corrected for ties, as is standard, so with ties the test is conservative. The answer for a pair
    depends on which other models are in the table; `wilcoxon_pairs` with `adjust` does not have that weakness.
    García & Herrera (2008) call "Nemenyi" a Bonferroni correction of z-tests: that is
    ``adjust(friedman_pairs(scores).pvalue, "bonferroni")``.

    References
    ----------
    Nemenyi, P. B. (1963). Distribution-free multiple comparisons. PhD thesis, Princeton University.

    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from bakeoff.stats import nemenyi
    >>> nemenyi([[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]).pvalue.round(4).tolist()
    [0.1805, 0.0356, 0.7593]
    """
    ranks = _ranks(scores, greater_is_better)
    q = np.abs(pair_differences(ranks.mean(axis=0))) / _standard_error(*ranks.shape) * np.sqrt(2)
    made = _rank_pairs(ranks, "nemenyi", q, studentized_range_sf(q, ranks.shape[1]), adjusted=True)
    return made._keeping(ranks=ranks, null=Null("range", (ranks.shape[1], np.inf), "upper"))


def friedman_pairs(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in mean rank? A z-test for every pair, not adjusted.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1.

    Returns
    -------
    PairsResult
        `statistic` is z = (R̄ᵢ − R̄ⱼ) / √(k(k+1)/(6N)), negative where the first model ranks better; `pvalue` is for
        `adjust` (holm, hochberg, …) or `adjust_pairs` (shaffer, bergmann), as in García & Herrera.

    References
    ----------
    García, S. & Herrera, F. (2008). An extension on "Statistical comparisons of classifiers over multiple data sets"
    for all pairwise comparisons. JMLR 9, 2677–2694. https://www.jmlr.org/papers/v9/garcia08a.html

    Examples
    --------
    >>> from bakeoff.stats import friedman_pairs
    >>> friedman_pairs([[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]).statistic.round(3).tolist()
    [-1.768, -2.475, -0.707]
    """
    ranks = _ranks(scores, greater_is_better)
    z = pair_differences(ranks.mean(axis=0)) / _standard_error(*ranks.shape)
    return _rank_pairs(ranks, "friedman z", z, two_sided_normal(z))


def conover(scores: ArrayLike, *, greater_is_better: bool = True) -> PairsResult:
    """Which pairs of models differ in mean rank? Conover's t-tests, not adjusted.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    greater_is_better
        Whether the highest score gets rank 1.

    Returns
    -------
    PairsResult
        `statistic` is ``|t|`` with `df` = (N−1)(k−1); `estimate` is R̄ᵢ − R̄ⱼ (negative: the first is better); `pvalue`
        is for `adjust` or `adjust_pairs`.

    Notes
    -----
    ``t = |Rᵢ − Rⱼ| / √(2N(A − B)/((N−1)(k−1)))``, with R rank sums, A = Σ r², B = Σⱼ Rⱼ²/N: the residual of the two-way
    layout of the ranks, ties included. That residual shrinks as soon as *any* models differ, whether or not the pair in
    question does: it makes the test powerful, and makes it miss its family-wise level. In simulations with two of five
    models far better than the rest, Conover with Holm told equal models apart in 11 % of the tables at the 5 % level
    (``tests/calibration/test_rank_levels.py``); `wilcoxon_pairs` with Holm holds it.

    References
    ----------
    Conover, W. J. (1999). Practical Nonparametric Statistics, 3rd ed., p. 371. Wiley.

    Examples
    --------
    >>> from bakeoff.stats import conover
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]
    >>> conover(table).pvalue.round(4).tolist()
    [0.0123, 0.0026, 0.207]
    """
    ranks = _ranks(scores, greater_is_better)
    n, k = ranks.shape
    means = ranks.mean(axis=0)
    df = (n - 1) * (k - 1)
    squares = float((ranks**2).sum())
    residual = squares - n * float((means**2).sum())
    # Rounding of a difference of large sums: all data sets agree on the order.
    if residual <= 1e-10 * squares:
        residual = 0.0
    t = _ratios(np.abs(pair_differences(means)), np.sqrt(2 * residual / (df * n)))
    return _rank_pairs(ranks, "conover", t, _agreeing_pvalues(t, df, n), df=df, notes=_agreement_notes(t, n))


def friedman_control(scores: ArrayLike, control: int, *, greater_is_better: bool = True) -> ControlResult:
    """Which models differ from a control in mean rank? A z-test for each, not adjusted.

    Parameters
    ----------
    scores
        Shape [N, k]: rows are data sets, columns are models.
    control
        Column of the control model, counting from 0.
    greater_is_better
        Whether the highest score gets rank 1.

    Returns
    -------
    ControlResult
        `statistic` is z = (R̄_other − R̄_control) / √(k(k+1)/(6N)), negative where the other model ranks better;
        `pvalue` is for `adjust` (holm, hochberg, hommel, …).

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from bakeoff.stats import adjust, friedman_control
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]
    >>> adjust(friedman_control(table, 0).pvalue, "holm").round(4).tolist()
    [0.0771, 0.0267]
    """
    ranks = _ranks(scores, greater_is_better)
    n, k = ranks.shape
    column = check_control(control, k)
    others = [j for j in range(k) if j != column]
    means = ranks.mean(axis=0)
    estimate = means[others] - means[column]
    z = estimate / _standard_error(n, k)
    return ControlResult(
        control=column,
        others=others,
        statistic=z,
        pvalue=two_sided_normal(z),
        estimate=estimate,
        estimate_kind="difference of mean ranks",
        method="friedman z",
        notes=tie_notes(ranks),
    )._keeping(ranks=ranks)


def bonferroni_dunn(scores: ArrayLike, control: int, *, greater_is_better: bool = True) -> ControlResult:
    """Which models differ from a control in mean rank? Dunn's test with Bonferroni's adjustment.

    Parameters
    ----------
    scores, control, greater_is_better
        As in `friedman_control`.

    Returns
    -------
    ControlResult
        As `friedman_control`, with `pvalue` multiplied by the number of other models.

    Notes
    -----
    ``adjust(friedman_control(scores, control).pvalue, "holm")`` rejects everything this test rejects, and more.

    References
    ----------
    Dunn, O. J. (1961). Multiple comparisons among means. JASA 56, 52–64. doi:10.1080/01621459.1961.10482090

    Examples
    --------
    >>> from bakeoff.stats import bonferroni_dunn
    >>> table = [[.80, .77, .76], [.62, .59, .60], [.97, .96, .95], [.66, .65, .63]]
    >>> bonferroni_dunn(table, 0).pvalue.round(4).tolist()
    [0.1542, 0.0267]
    """
    plain = friedman_control(scores, control, greater_is_better=greater_is_better)
    pvalue = np.minimum(1.0, len(plain.others) * plain.pvalue)
    made = replace(plain, pvalue=pvalue, method="bonferroni-dunn", adjusted=True)
    return made._keeping(**plain._inputs)


def critical_difference(
    n_models: int, n_datasets: int, *, confidence_level: float = 0.95, kind: str = "nemenyi"
) -> float:
    """How far apart must two mean ranks be to differ significantly?

    Parameters
    ----------
    n_models, n_datasets
        Number of models (k) and of data sets (N).
    confidence_level
        1 − α, simultaneous over all comparisons.
    kind
        ``"nemenyi"`` (all pairs) or ``"bonferroni-dunn"`` (each model against a control).

    Returns
    -------
    float
        q_α·√(k(k+1)/(6N)), with q_α the studentised range quantile over √2 (infinite degrees of freedom), or the normal
        quantile at α/(2(k−1)).

    References
    ----------
    Demšar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1–30.

    Examples
    --------
    >>> from bakeoff.stats import critical_difference
    >>> round(critical_difference(4, 14), 3), round(critical_difference(4, 14, kind="bonferroni-dunn"), 3)
    (1.254, 1.168)
    """
    k = check_count("n_models", n_models, minimum=2)
    n = check_count("n_datasets", n_datasets, minimum=1)
    level = check_level(confidence_level)
    check_choice("kind", kind, ("nemenyi", "bonferroni-dunn"))
    if kind == "nemenyi":
        # Tables of q_α (Demšar's Table 5) hold the studentised range over √2, for all k models, not k − 1.
        q = studentized_range_quantile(level, k) / np.sqrt(2)
    else:
        from scipy.special import ndtri

        q = -ndtri((1 - level) / (2 * (k - 1)))
    return float(q * _standard_error(n, k))


def tie_notes(ranks: FloatArray) -> tuple[Note, ...]:
    """Note what ties do to tests whose variance ignores them."""
    k = ranks.shape[1]
    if (ranks == (k + 1) / 2).all():
        return (ALL_TIED,)
    if not np.array_equal(np.sort(ranks, axis=1), np.broadcast_to(np.arange(1, k + 1), ranks.shape)):
        return (note("ties"),)
    return ()


def _standard_error(n: int, k: int) -> float:
    """Return the standard error of the difference of two mean ranks, without ties."""
    # The k ranks of a data set have variance (k² − 1)/12 and correlate at −1/(k − 1): Var(rᵢ − rⱼ) = k(k + 1)/6.
    return float(np.sqrt(k * (k + 1) / (6 * n)))


def _ranks(scores: ArrayLike, greater_is_better: bool) -> FloatArray:
    return block_ranks(check_blocks(scores), greater_is_better=greater_is_better)


def _rank_pairs(ranks: FloatArray, method: str, statistic: FloatArray, pvalue: FloatArray, **more: Any) -> PairsResult:
    """Return what a procedure on mean ranks found, with a note on ties unless it has its own notes."""
    about: dict[str, Any] = {"estimate_kind": "difference of mean ranks", "notes": tie_notes(ranks), **more}
    estimate, pairs = pair_differences(ranks.mean(axis=0)), all_pairs(ranks.shape[1])
    made = PairsResult(pairs=pairs, method=method, statistic=statistic, pvalue=pvalue, estimate=estimate, **about)
    return made._keeping(ranks=ranks)


def _ratios(size: FloatArray, spread: float) -> FloatArray:
    """Divide, with 0/0 = 0 (models that never differ) and x/0 = ∞ (data sets that all agree)."""
    if spread > 0:
        return size / spread
    return np.where(size > 0, np.inf, 0.0)


def _agreeing_pvalues(statistic: FloatArray, df: int, n: int) -> FloatArray:
    """Return two-sided t p-values; where t is infinite, the probability that n data sets agree on a pair by chance."""
    from scipy.special import stdtr

    finite = np.where(np.isinf(statistic), 0.0, statistic)
    return np.asarray(np.where(np.isinf(statistic), 0.5 ** (n - 1), np.minimum(1.0, 2 * stdtr(df, -finite))))


def _agreement_notes(statistic: FloatArray, n: int) -> tuple[Note, ...]:
    if not statistic.any():
        return (ALL_TIED,)
    if np.isinf(statistic).any():
        return (note("perfect-agreement:conover", n=n),)
    return ()
