"""Which models cannot be told apart: groups from pairwise p-values, and the letters that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import FloatArray, check_count, check_level
from bakeoff.stats.multiplicity._adjust import as_pvalues
from bakeoff.stats.multiplicity._pairs import all_pairs

Group = tuple[int, ...]


def indistinguishable_groups(pvalues: ArrayLike, n_models: int, *, confidence_level: float = 0.95) -> list[Group]:
    """Which models cannot be told apart? The largest groups in which no pair differs significantly.

    Parameters
    ----------
    pvalues
        Adjusted p-values of all pairs, in the order (0, 1), (0, 2), …; an undefined one (NaN) is not significant.
    n_models
        Number of models.
    confidence_level
        1 − α: a pair differs when its p-value is at most α.

    Returns
    -------
    list of tuple
        Groups of columns, each in increasing order; every model is in at least one, alone if it differs from all.

    Notes
    -----
    A group is a maximal clique: *every* pair in it is not significant. The bars of a critical-difference diagram drawn
    from first to last model of a group also cover models in between; with tests that are not based on mean ranks these
    may differ significantly from the rest of the group, and here they are left out.
    Not distinguishable does not mean equal: it may only mean that there were too few data.
    """
    k = check_count("n_models", n_models)
    alike = _alike(as_pair_pvalues(pvalues, k), k, 1 - check_level(confidence_level))
    found = (tuple(sorted(clique)) for clique in _maximal_cliques(alike, set(), set(range(k)), set()))
    return sorted(found)


def letter_display(groups: Sequence[Sequence[int]], n_models: int) -> list[str]:
    """Give every model letters so that two models share a letter exactly if some group holds both.

    Parameters
    ----------
    groups
        Groups of columns, as `indistinguishable_groups` returns them; letters are given in this order.
    n_models
        Number of models.

    Returns
    -------
    list of str
        The letters of each model, such as ``["a", "ab", "b"]``. Groups all of whose pairs are in other groups get none.

    References
    ----------
    Piepho, H.-P. (2004). An algorithm for a letter-based representation of all-pairwise comparisons. Journal of
    Computational and Graphical Statistics 13, 456–466. doi:10.1198/1061860043515
    """
    letters = [""] * check_count("n_models", n_models)
    for letter, group in zip(_letters(), _without_redundant([tuple(g) for g in groups]), strict=False):
        for model in group:
            letters[model] += letter
    return letters


def as_pair_pvalues(pvalues: ArrayLike, n_models: int) -> FloatArray:
    """Return p-values of all pairs of models; their number must fit."""
    array = as_pvalues(pvalues)
    expected = n_models * (n_models - 1) // 2
    if array.size != expected:
        raise EvidenceError(
            f"{n_models} models make {expected} pairs. Got {array.size} p-values.",
            hint="give one p-value per pair, in the order (0, 1), (0, 2), …, (1, 2), …",
        )
    return array


def _alike(pvalues: FloatArray, k: int, level: float) -> list[set[int]]:
    neighbours: list[set[int]] = [set() for _ in range(k)]
    for (i, j), pvalue in zip(all_pairs(k), pvalues, strict=True):
        if not pvalue <= level:  # an undefined p-value (NaN) has shown no difference
            neighbours[i].add(j)
            neighbours[j].add(i)
    return neighbours


def _maximal_cliques(
    alike: list[set[int]], clique: set[int], candidates: set[int], excluded: set[int]
) -> Iterator[set[int]]:
    """Bron and Kerbosch's enumeration with pivoting."""
    if not candidates and not excluded:
        yield clique
        return
    pivot = max(candidates | excluded, key=lambda v: len(alike[v] & candidates))
    for v in sorted(candidates - alike[pivot]):
        yield from _maximal_cliques(alike, clique | {v}, candidates & alike[v], excluded & alike[v])
        candidates = candidates - {v}
        excluded = excluded | {v}


def _without_redundant(groups: list[Group]) -> list[Group]:
    """Drop groups whose every pair (or, for a group of one, whose model) is in another group; smallest first."""
    kept = list(groups)
    for group in sorted(groups, key=len):
        others = [set(g) for g in kept if g is not group]
        pairs = [{i, j} for i in group for j in group if i < j] or [set(group)]
        if all(any(pair <= other for other in others) for pair in pairs):
            kept = [g for g in kept if g is not group]
    return kept


def _letters() -> Iterator[str]:
    """Yield a, b, …, z, A, …, Z, then a1, b1, …: never the same twice."""
    alphabet = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from alphabet
    round_ = 1
    while True:
        yield from (f"{letter}{round_}" for letter in alphabet)
        round_ += 1
