from __future__ import annotations

import numpy as np
import pytest

from bakeoff import BakeoffError
from bakeoff.stats import all_pairs, indistinguishable_groups, letter_display


def pvalues(k, different):
    return [0.01 if pair in different else 0.5 for pair in all_pairs(k)]


def test_all_alike_and_all_different():
    assert indistinguishable_groups([0.9, 0.9, 0.9], 3) == [(0, 1, 2)]
    assert indistinguishable_groups([0.01, 0.01, 0.01], 3) == [(0,), (1,), (2,)]
    assert indistinguishable_groups([], 1) == [(0,)]


def test_a_group_has_no_significant_pair_even_in_between():
    # 0 and 2 are alike, 0 and 1 too, but 1 and 2 differ: a bar from 0 to 2 would hide that
    assert indistinguishable_groups(pvalues(3, {(1, 2)}), 3) == [(0, 1), (0, 2)]


def test_groups_are_the_maximal_cliques_by_enumeration(rng):
    k = 7
    for _ in range(20):
        p = rng.choice([0.01, 0.5], 21)
        alike = {pair for pair, value in zip(all_pairs(k), p, strict=True) if value > 0.05}
        cliques = [
            {m for m in range(k) if mask >> m & 1}
            for mask in range(1, 1 << k)
            if all((i, j) in alike for i, j in all_pairs(k) if mask >> i & 1 and mask >> j & 1)
        ]
        maximal = [c for c in cliques if not any(c < other for other in cliques)]
        assert indistinguishable_groups(p, k) == sorted(tuple(sorted(c)) for c in maximal)


def test_level_is_inclusive_and_undefined_is_not_significant():
    assert indistinguishable_groups([0.05], 2) == [(0,), (1,)]
    assert indistinguishable_groups([0.05], 2, confidence_level=0.99) == [(0, 1)]
    assert indistinguishable_groups([np.nan], 2) == [(0, 1)]


def test_letters_are_shared_exactly_by_the_alike(rng):
    k = 8
    for _ in range(20):
        p = rng.choice([0.01, 0.5], 28)
        letters = letter_display(indistinguishable_groups(p, k), k)
        for (i, j), value in zip(all_pairs(k), p, strict=True):
            assert bool(set(letters[i]) & set(letters[j])) == (value > 0.05)
        assert all(letters)


def test_redundant_groups_get_no_letter():
    # three pairs of a triangle are covered by other groups
    groups = [(0, 1, 3), (0, 1, 2), (1, 2, 4), (0, 2, 5)]
    assert letter_display(groups, 6) == ["ac", "ab", "bc", "a", "b", "c"]


def test_errors():
    with pytest.raises(BakeoffError, match="3 models make 3 pairs"):
        indistinguishable_groups([0.1], 3)
    with pytest.raises(BakeoffError, match="n_models must be a whole number"):
        letter_display([(0,)], 0)
