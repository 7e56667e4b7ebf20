"""Several data sets: Demšar's and García & Herrera's examples through `compare`."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores, compare, stats
from oracle import worked_examples

DEMSAR = worked_examples("tests")["demsar_2006"]


def test_demsar_four_models(make) -> None:
    result = compare(make.demsar(), rng=0)
    expected = DEMSAR["independently_computed"]["from_printed_table"]
    assert (result.choice.chosen, result.choice.posthoc, result.choice.adjust) == ("friedman", "wilcoxon", "holm")
    assert result.omnibus.statistic == pytest.approx(expected["F_tie_corrected"], rel=1e-9)
    assert result.omnibus.pvalue == pytest.approx(expected["p_F_tie"], rel=1e-9)
    assert result.omnibus.details["chi2"] == pytest.approx(expected["chi2_tie_corrected"], rel=1e-9)
    ranks = dict(zip(DEMSAR["algorithms"], expected["average_ranks"], strict=True))
    assert result.ranks == pytest.approx(ranks)
    assert next(iter(result.ranks)) == "C4.5+m+cf"


def test_demsar_two_models(make) -> None:
    result = compare(make.demsar().select(models=["C4.5+m", "C4.5"]), rng=0)
    pair = result.pair("C4.5+m", "C4.5")
    assert pair.statistic == DEMSAR["published"]["wilcoxon_table2"]["T"]
    assert pair.pvalue == 0.0078125
    assert pair.better == "C4.5+m"
    assert result.bayes[0].test == "bayes-signed-rank"


def test_demsar_nemenyi(make) -> None:
    result = compare(make.demsar(), posthoc="nemenyi")
    assert result.critical_difference == pytest.approx(DEMSAR["published"]["nemenyi_CD_05"], abs=0.005)
    assert not any(p.shown for p in result.pairs)  # "no pair significant"
    assert result.groups == (tuple(result.ranks),)
    wider = compare(make.demsar(), posthoc="nemenyi", confidence_level=0.90)
    shown = {frozenset((p.model_a, p.model_b)) for p in wider.pairs if p.shown}
    assert shown == {frozenset(("C4.5", "C4.5+m")), frozenset(("C4.5", "C4.5+m+cf"))}


@pytest.mark.parametrize("adjust", ["holm", "hochberg", "hommel"])
def test_demsar_against_the_control(make, adjust: str) -> None:
    result = compare(make.demsar(), control="C4.5", posthoc="mean-ranks", adjust=adjust)
    better = [p.model_a for p in result.pairs if p.shown]
    assert sorted(better) == sorted(DEMSAR["published"]["rejected_by_holm_hochberg_hommel"])
    # The paper's z come from unrounded scores, where one tie is broken: 2.416 for 2.488 here.
    assert result.pair("C4.5+m", "C4.5").statistic == pytest.approx(2.342, abs=1e-3)
    assert all(p.model_b == "C4.5" for p in result.pairs)


def test_demsar_bonferroni_dunn(make) -> None:
    result = compare(make.demsar(), control="C4.5", posthoc="bonferroni-dunn")
    assert [p.model_a for p in result.pairs if p.shown] == DEMSAR["published"]["rejected_by_bonferroni_dunn"]
    assert result.critical_difference == pytest.approx(1.1681425306400992)


ADJUSTMENTS = {"bonferroni": "bonf"} | {
    name: name for name in ("holm", "hochberg", "hommel", "finner", "holland", "rom", "li", "shaffer", "bergmann")
}


@pytest.mark.parametrize("which", ["garcia_herrera_2008", "garcia_2010"])
@pytest.mark.parametrize("adjust", ADJUSTMENTS)
def test_garcia_and_herrera(which: str, adjust: str) -> None:
    example = worked_examples("tests")[which]
    scores = Scores.from_wide(example["data"], models=example["algorithms"], datasets=example["datasets"])
    result = compare(scores, posthoc="mean-ranks", adjust=adjust)
    for row in example["independently_computed"]["all_pairs_table_scmamp"]:
        pair = result.pair(*row["pair"].split(" vs "))
        assert pair.pvalue == pytest.approx(row["raw"], rel=1e-6)
        if adjust == "li" and which == "garcia_2010":
            continue  # the largest p-value is 1, where Li's procedure divides by zero; scmamp prints 1 throughout
        assert pair.pvalue_adjusted == pytest.approx(row[ADJUSTMENTS[adjust]], rel=1e-6)


def test_conover_quade_aligned_tukey_and_dunnett(make) -> None:
    values = make.demsar().matrix()
    for posthoc, function in (("conover", stats.conover),):
        raw = function(values).pvalue
        got = compare(make.demsar(), posthoc=posthoc)
        assert [p.pvalue for p in got.pairs] == pytest.approx(list(raw))
    for test, function in (("quade", stats.quade_posthoc), ("aligned-friedman", stats.aligned_posthoc)):
        got = compare(make.demsar(), test=test)
        assert [p.pvalue for p in got.pairs] == pytest.approx(list(function(values).pvalue))
    tukey = compare(make.demsar(), test="anova")
    assert [p.pvalue_adjusted for p in tukey.pairs] == pytest.approx(list(stats.tukey(values).pvalue))
    assert all(p.pvalue <= p.pvalue_adjusted for p in tukey.pairs)
    dunnett = compare(make.demsar(), test="anova", control="C4.5")
    assert [p.pvalue_adjusted for p in dunnett.pairs] == pytest.approx(list(stats.dunnett(values, 0).pvalue))
    assert "sphericity" in {c.code for c in tukey.checks}
    assert tukey.omnibus.pvalue == stats.repeated_measures_anova(values).pvalue_gg


def test_sign_test_and_its_median(make) -> None:
    pair = compare(make.demsar().select(models=["C4.5+m", "C4.5"]), test="sign").pair("C4.5+m", "C4.5")
    values = make.demsar().select(models=["C4.5+m", "C4.5"]).matrix()
    d = values[:, 0] - values[:, 1]
    assert pair.pvalue == stats.sign_test(values[:, 0], values[:, 1]).pvalue
    assert pair.estimate == pytest.approx(np.median(d))
    # n = 14: the third smallest and third largest cover the median with 1 − 2·P(B ≤ 2) = 98.7 %; the fourth with 94.3 %
    assert (pair.low, pair.high) == pytest.approx((np.sort(d)[2], np.sort(d)[-3]))


def test_folds_are_averaged_and_not_counted_as_data_sets() -> None:
    rng = np.random.default_rng(3)
    cells = {f"d{i}": 0.8 + rng.normal(0, 0.02, (10, 2)) + [0.01 * (i % 3), 0] for i in range(8)}
    from bakeoff.evidence import Split

    splits = {d: tuple(Split(0, f, 10, 90) for f in range(10)) for d in cells}
    scores = Scores(("a", "b"), cells, splits, "accuracy", True)
    result = compare(scores, rng=0)
    means = np.array([c.mean(axis=0) for c in cells.values()])
    assert result.pair("a", "b").pvalue == stats.wilcoxon(means[:, 0], means[:, 1]).pvalue
    assert "folds-averaged" in {n.code for n in result.notes}
    hierarchical = compare(scores, test="bayes-hierarchical", rng=0)
    assert hierarchical.bayes[0].p_a_better + hierarchical.bayes[0].p_b_better <= 1
    assert np.isnan(hierarchical.pair("a", "b").pvalue)
    # It reads the folds, and it has no p-value by design: neither "folds averaged" nor "no p-value" is so.
    assert not {"folds-averaged", "no-pvalue"} & {n.code for n in hierarchical.notes}


def test_predictions_on_several_data_sets(make) -> None:
    truth, scores = make.binary(600, {"a": 2.0, "b": 1.0})
    dataset = np.repeat([f"d{i}" for i in range(6)], 100)
    predictions = Predictions.from_arrays(truth, y_score=scores, dataset=dataset)
    result = compare(predictions, rng=0)
    values = predictions.scores("auc").matrix()
    assert result.pair("a", "b").pvalue == stats.wilcoxon(values[:, 0], values[:, 1]).pvalue


def test_missing_cells_are_named_and_left_out(make) -> None:
    values = make.demsar().matrix()
    values[2, 1] = np.nan
    scores = Scores.from_wide(values, models=DEMSAR["algorithms"], datasets=DEMSAR["datasets"])
    with pytest.warns(bakeoff.BakeoffWarning, match=r"1 of 14 data sets.*C4\.5\+m on breast cancer wisconsin"):
        result = compare(scores, rng=0)
    complete = np.delete(values, 2, axis=0)
    assert result.omnibus.pvalue == pytest.approx(stats.friedman(complete).ff_pvalue)


def test_too_many_gaps(make) -> None:
    values = make.demsar().matrix()
    values[1:, 1] = np.nan
    scores = Scores.from_wide(values, models=DEMSAR["algorithms"], datasets=DEMSAR["datasets"])
    with pytest.raises(EvidenceError, match=r"only 1 of 14 data sets.*C4\.5\+m on breast cancer"):
        compare(scores)


def test_less_is_better_turns_winners_not_signs(make) -> None:
    values = make.demsar().matrix()
    errors = Scores.from_wide(1 - values, models=DEMSAR["algorithms"], measure="error")
    up, down = compare(make.demsar(), rng=0), compare(errors, rng=0)
    for pair in up.pairs:
        other = down.pair(pair.model_a, pair.model_b)
        assert other.estimate == pytest.approx(-pair.estimate)
        assert other.better == pair.better
        assert other.pvalue == pytest.approx(pair.pvalue)
    assert list(down.ranks) == list(up.ranks)


def test_three_data_sets_warn_with_what_it_takes(make) -> None:
    three = make.demsar().select(datasets=DEMSAR["datasets"][:3], models=["C4.5", "C4.5+m"])
    with pytest.warns(bakeoff.BakeoffWarning, match=r"below 0\.25.*at least 6 data sets"):
        result = compare(three, rng=0)
    assert "few-data-sets" in {n.code for n in result.notes}
    assert "Caution" in result.verdict


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"posthoc": "nemenyi", "adjust": "holm"}, "would do it twice"),
        ({"posthoc": "nemenyi", "control": "C4.5"}, "posthoc='bonferroni-dunn'"),
        ({"posthoc": "dunnett"}, "give control="),
        ({"posthoc": "conover", "alternative": "greater"}, "two-sided"),
        ({"adjust": "shaffer", "control": "C4.5"}, "logic of all pairs"),
        ({"adjust": "holmes"}, "did you mean 'holm'"),
        ({"control": "C4.6"}, "did you mean 'C4.5'"),
        ({"confidence_level": 95}, "give a fraction"),
        ({"margin": -0.1}, "margin must be"),
        ({"rope": -1}, "rope must be"),
        ({"n_resamples": 5}, "n_resamples must be"),
        ({"alternative": "larger"}, "alternative must be"),
        ({"measure": "accuracy"}, "scores are of 'auc'"),
    ],
)
def test_bad_options(make, options: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compare(make.demsar(), **options)


def test_posthoc_without_an_omnibus(make) -> None:
    with pytest.raises(ParameterError, match="follows a test of all models"):
        compare(make.demsar().select(models=["C4.5", "C4.5+m"]), posthoc="nemenyi")


def test_not_evidence() -> None:
    with pytest.raises(ParameterError, match=r"Got list instead.*Scores\.from_wide"):
        compare([[1, 2], [3, 4]])


def test_says_when_no_pair_could_ever_be_shown() -> None:
    rng = np.random.default_rng(0)
    values = np.sort(rng.random((8, 5)), axis=1)  # every data set ranks the models alike
    scores = Scores.from_wide(values, models=list("abcde"))
    with pytest.warns(
        bakeoff.BakeoffWarning, match=r"smallest p-value of a pair is 0\.00781.*10 comparisons.*It takes 9"
    ):
        result = compare(scores, rng=0)
    assert result.omnibus.pvalue == pytest.approx((1 / 120) ** 7)  # all eight orders alike, of 5! each
    assert "perfect-agreement" in {n.code for n in result.notes}
    assert not any(p.shown for p in result.pairs)
    assert "no pair could be shown" in result.verdict
    assert compare(scores, rng=0, control="a").pair("e", "a").shown


@pytest.mark.parametrize(
    ("adjust", "alternative", "hopeless"),
    [
        ("holm", "two-sided", True),
        ("hochberg", "two-sided", False),
        ("bh", "two-sided", False),
        ("by", "two-sided", True),
        ("none", "two-sided", False),
        ("holm", "greater", False),
    ],
)
def test_no_pair_can_be_shown_is_said_only_where_it_is_true(adjust: str, alternative: str, hopeless: bool) -> None:
    """Six data sets, three models in one order on all of them: 3 · 2/2⁶ = 0.094, but step-up procedures reject all."""
    table = np.linspace(0.6, 0.8, 6)[:, None] + np.outer(1 + np.arange(6) / 10, [0.1, 0.05, 0.0])
    scores = Scores.from_wide(table, models=["a", "b", "c"], measure="accuracy")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = compare(scores, adjust=adjust, alternative=alternative)
    assert any(note.code == "no-pair-can-be-shown" for note in result.notes) is hopeless
    assert all(pair.shown for pair in result.pairs) is not hopeless
