from __future__ import annotations

import itertools

import numpy as np
import pytest

from bakeoff import BakeoffError
from bakeoff.stats import adjust, adjust_pairs, all_pairs
from bakeoff.stats.multiplicity._adjust import rom_levels
from bakeoff.stats.multiplicity._adjust_pairs import possible_true_pairs

METHODS = ("bonferroni", "holm", "hochberg", "hommel", "finner", "li", "rom", "holland", "bh", "by")


def test_hommel_is_the_closed_test_of_simes(rng):
    for m in range(1, 7):
        p = (rng.random(m) ** 2).round(2)
        closed = np.zeros(m)
        for size in range(1, m + 1):
            for subset in itertools.combinations(range(m), size):
                simes = np.min(size * np.sort(p[list(subset)]) / np.arange(1, size + 1))
                closed[list(subset)] = np.maximum(closed[list(subset)], simes)
        assert adjust(p, "hommel") == pytest.approx(closed, rel=1e-12)


def test_rom_levels_are_those_of_the_paper():
    # α₃ = α/3 + α²/12 in closed form; Rom (1990) prints the rest to four decimals
    assert rom_levels(5, 0.05) == pytest.approx([0.05, 0.025, 0.0169, 0.0127, 0.0102], abs=5e-5)
    assert rom_levels(3, 0.05)[2] == pytest.approx(0.05 / 3 + 0.05**2 / 12, rel=1e-14)
    many = rom_levels(3000, 0.05)
    assert np.isfinite(many).all()
    assert (np.diff(many) < 0).all()


def test_li_of_a_largest_p_value_of_one():
    assert adjust([0.0, 0.2, 1.0], "li").tolist() == [0.0, 1.0, 1.0]


@pytest.mark.parametrize("method", METHODS)
def test_edges(method):
    assert adjust([], method).size == 0
    assert adjust([0.03], method) == pytest.approx([0.03])
    assert adjust([1.0, 1.0], method).tolist() == [1.0, 1.0]
    assert adjust([0.0, 0.0], method).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("method", METHODS)
def test_undefined_p_values_stay_so_and_do_not_count(method):
    with_gap = adjust([0.01, np.nan, 0.2, 0.03], method)
    assert np.isnan(with_gap[1])
    assert with_gap[[0, 2, 3]] == pytest.approx(adjust([0.01, 0.2, 0.03], method))


def test_small_p_values_keep_their_digits():
    for method in ("holland", "finner"):
        assert adjust([1e-30, 0.5], method)[0] == pytest.approx(2e-30, rel=1e-12)


def test_errors():
    with pytest.raises(BakeoffError, match="did you mean 'bonferroni'"):
        adjust([0.1], "bonferoni")
    with pytest.raises(BakeoffError, match=r"between 0 and 1. Got 1.2 at position 1"):
        adjust([0.1, 1.2], "holm")
    with pytest.raises(BakeoffError, match="one-dimensional"):
        adjust([[0.1]], "holm")
    with pytest.raises(BakeoffError, match=r"4 models make 6 pairs\. Got 3"):
        adjust_pairs([0.1, 0.2, 0.3], 4, "shaffer")
    with pytest.raises(BakeoffError, match=r"at most 17 models\. Got 18"):
        adjust_pairs(np.full(153, 0.5), 18, "bergmann")


# --- pairs ------------------------------------------------------------------------------------------------------------


def partitions(items):
    """All partitions of a list into groups."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in partitions(rest):
        yield [[first], *partition]
        for index, group in enumerate(partition):
            yield [*partition[:index], [first, *group], *partition[index + 1 :]]


def enumerated_bergmann(p, k):
    """The definition: the maximum of |I|·min p(I) over the exhaustive sets with the pair, in the order of p."""
    index = {pair: m for m, pair in enumerate(all_pairs(k))}
    found = np.zeros(p.size)
    for partition in partitions(list(range(k))):
        within = [index[pair] for group in partition for pair in itertools.combinations(sorted(group), 2)]
        if within:
            found[within] = np.maximum(found[within], len(within) * p[within].min())
    found = np.maximum(np.minimum(found, 1), p)
    return np.array([found[p <= value].max() for value in p])


@pytest.mark.parametrize("k", [2, 3, 4, 5, 6, 7])
def test_bergmann_is_its_definition(rng, k):
    for decimals in (1, 8):
        p = (rng.random(k * (k - 1) // 2) ** 3).round(decimals)
        assert adjust_pairs(p, k, "bergmann") == pytest.approx(enumerated_bergmann(p, k), rel=1e-12)


def test_possible_numbers_of_true_pairs():
    # García & Herrera (2008): S(5) = {0, 1, 2, 3, 4, 6, 10}
    assert possible_true_pairs(5) == [0, 1, 2, 3, 4, 6, 10]
    for k in (4, 6):
        sizes = {sum(len(g) * (len(g) - 1) // 2 for g in partition) for partition in partitions(list(range(k)))}
        assert possible_true_pairs(k) == sorted(sizes)


@pytest.mark.parametrize("method", ["shaffer", "bergmann"])
def test_two_models_need_no_adjustment(method):
    assert adjust_pairs([0.03], 2, method).tolist() == [0.03]


@pytest.mark.parametrize("method", ["shaffer", "bergmann"])
def test_undefined_pairs_count_as_not_rejected(method):
    with_gap = adjust_pairs([0.01, np.nan, 0.02], 3, method)
    filled = adjust_pairs([0.01, 1.0, 0.02], 3, method)
    assert np.isnan(with_gap[1])
    assert with_gap[[0, 2]] == pytest.approx(filled[[0, 2]])


def test_bergmann_of_twelve_models_is_between_raw_and_shaffer(rng):
    p = rng.random(66) ** 3
    bergmann, shaffer = adjust_pairs(p, 12, "bergmann"), adjust_pairs(p, 12, "shaffer")
    assert (bergmann >= p).all()
    assert (bergmann <= shaffer + 1e-15).all()
    assert (bergmann < shaffer - 1e-6).any()
