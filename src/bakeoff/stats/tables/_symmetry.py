"""Two models' labels on the same instances: the same confusion both ways, the same shares of classes?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.note_catalogue import note
from bakeoff._core.result import Note
from bakeoff.stats._tested import Tested
from bakeoff.stats.distributions import chi2_pvalue
from bakeoff.stats.tables._square_table import as_square_table, table_of_labels


@dataclass(frozen=True, repr=False)
class SymmetryResult(Tested):
    """Answer of Bowker's or the Stuart–Maxwell test.

    Attributes
    ----------
    statistic, df, pvalue
        Chi-square, its degrees of freedom and p-value.
    notes
        Choices made.
    """

    statistic: float
    df: int
    pvalue: float
    notes: tuple[Note, ...] = ()


def bowker(labels_a: ArrayLike, labels_b: ArrayLike) -> SymmetryResult:
    """Do two models disagree as often one way as the other, for every pair of classes?

    Parameters
    ----------
    labels_a, labels_b
        Labels given to the same instances, ``[n]``; any number of classes.

    Notes
    -----
    χ² = Σ_{i<j} (n_ij − n_ji)² / (n_ij + n_ji). A pair of classes never confused adds nothing and no degree of
    freedom. For two classes it is McNemar's chi-square on the labels. It does not ask which model is right.

    References
    ----------
    A. Bowker (1948), "A test for symmetry in contingency tables", Journal of the American Statistical Association 43,
    https://doi.org/10.1080/01621459.1948.10483284

    Examples
    --------
    >>> result = bowker(["a", "a", "b", "c", "c", "c"], ["b", "b", "b", "a", "c", "b"])
    >>> result.statistic, result.df
    (4.0, 3)
    """
    return bowker_from_table(table_of_labels(labels_a, labels_b))


def bowker_from_table(table: ArrayLike) -> SymmetryResult:
    """Bowker's test from the table of labels, rows a and columns b; see `bowker`.

    Examples
    --------
    >>> result = bowker_from_table([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df
    (13.7692, 3)
    """
    counts = as_square_table(table)
    upper = np.triu_indices(counts.shape[0], 1)
    one_way, other_way = counts[upper], counts.T[upper]
    total = one_way + other_way
    seen = total > 0
    statistic = float(((one_way - other_way)[seen] ** 2 / total[seen]).sum())
    return _answer(statistic, int(seen.sum()), [])._keeping(counts=counts, by="cells")


def stuart_maxwell(labels_a: ArrayLike, labels_b: ArrayLike) -> SymmetryResult:
    """Do two models predict each class equally often (marginal homogeneity)?

    Parameters
    ----------
    labels_a, labels_b
        Labels given to the same instances, ``[n]``; any number of classes.

    Notes
    -----
    ``χ² = dᵀ S⁺ d`` with ``d_i = n_i· − n_·i, S_ii = n_i· + n_·i − 2 n_ii, S_ij = −(n_ij + n_ji)``. The generalised
    inverse takes care of classes on which the models never disagree; the degrees of freedom are the rank of S. This is
    Stuart's statistic, not Bhapkar's.

    References
    ----------
    A. Stuart (1955), "A test for homogeneity of the marginal distributions in a two-way classification", Biometrika
    42, https://doi.org/10.1093/biomet/42.3-4.412

    Examples
    --------
    >>> result = stuart_maxwell(["a", "a", "b", "c", "c", "c"], ["b", "b", "b", "a", "c", "b"])
    >>> round(result.statistic, 4), result.df
    (3.6, 2)
    """
    return stuart_maxwell_from_table(table_of_labels(labels_a, labels_b))


def stuart_maxwell_from_table(table: ArrayLike) -> SymmetryResult:
    """Stuart–Maxwell test from the table of labels, rows a and columns b; see `stuart_maxwell`.

    Examples
    --------
    >>> result = stuart_maxwell_from_table([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> round(result.statistic, 4), result.df
    (13.7647, 2)
    """
    counts = as_square_table(table)
    difference = counts.sum(axis=1) - counts.sum(axis=0)
    both_ways = counts + counts.T
    np.fill_diagonal(both_ways, 0.0)
    # The null covariance is the Laplacian of the graph of disagreements: one rank less per connected set of classes.
    values, vectors = np.linalg.eigh(np.diag(both_ways.sum(axis=1)) - both_ways)
    # One eigenvalue is 0 for each connected set of classes; the others are far above 1e-10 of the largest.
    kept = values > 1e-10 * max(float(values[-1]), 1e-300)
    coordinates = vectors.T[kept] @ difference
    notes = []
    if kept.sum() < counts.shape[0] - 1:
        notes.append(note("classes-never-exchanged", df=int(kept.sum())))
    made = _answer(float((coordinates**2 / values[kept]).sum()), int(kept.sum()), notes)
    return made._keeping(counts=counts, by="margins")


def _answer(statistic: float, df: int, notes: list[Note]) -> SymmetryResult:
    if df == 0:
        return SymmetryResult(0.0, 0, 1.0, (*notes, note("identical-models:labels")))
    return SymmetryResult(statistic, df, chi2_pvalue(statistic, df), tuple(notes))
