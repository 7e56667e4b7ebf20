"""The choice follows DESIGN.md section 6, row by row, and gives a reason for every test that was not taken."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import bakeoff
from bakeoff import EvidenceError, ParameterError, Predictions, Scores, compare
from bakeoff.comparison import DesignFacts, catalogue, choose


def design(**facts: object) -> DesignFacts:
    return DesignFacts(**{"unit": "instances", "n_rows": 500, **facts})


ROWS = [
    ({"measure_kind": "right or wrong"}, "mcnemar"),
    ({"measure_kind": "right or wrong", "n_models": 6}, "cochran-q"),
    ({"measure": "auc", "measure_kind": "auc"}, "delong"),
    ({"measure": "auc", "measure_kind": "auc", "n_models": 6}, "delong"),
    ({"measure": "f1", "measure_kind": "counts"}, "rule"),
    ({"measure": "f1", "measure_kind": "counts", "within": "positive"}, "mcnemar"),
    ({"measure": "log_loss", "measure_kind": "mean"}, "paired-t"),
    ({"measure": "log_loss", "measure_kind": "mean", "carriers": 9.0}, "rule"),
    ({"measure": "auc", "measure_kind": "auc", "rarer": 12}, "rule"),
    ({"measure": "auc", "measure_kind": "auc", "near_end": True}, "rule"),
    ({"measure": "auc", "measure_kind": "auc", "margin": True}, "rule"),
    ({"measure": "average_precision", "measure_kind": "other", "n_models": 4}, "rule"),
    ({"measure": "auc_hull", "measure_kind": "other", "smooth": False}, "bootstrap"),
    ({"unit": "folds", "kind": "5x2cv", "n_splits": 10, "n_repeats": 5, "n_folds": 2}, "cv-rows"),
    ({"unit": "folds", "kind": "5x2cv", "n_splits": 10, "n_repeats": 5, "n_folds": 2, "rows": False}, "5x2cv-f"),
    ({"unit": "folds", "kind": "k-fold", "n_splits": 100, "n_repeats": 10, "n_folds": 10}, "cv-rows"),
    (
        {"unit": "folds", "kind": "k-fold", "n_splits": 100, "n_repeats": 10, "n_folds": 10, "rows": False},
        "corrected-t",
    ),
    ({"unit": "folds", "kind": "hold-out", "n_splits": 30, "n_repeats": 30}, "corrected-t"),
    ({"unit": "folds", "kind": "k-fold", "n_splits": 10, "n_folds": 10, "n_models": 5}, "cv-rows"),
    ({"unit": "data sets", "n_datasets": 14, "rows": False}, "wilcoxon"),
    ({"unit": "data sets", "n_datasets": 14, "n_models": 4, "rows": False}, "friedman"),
    ({"unit": "data sets", "n_datasets": 14, "n_splits": 10, "n_models": 4}, "friedman"),
    ({"unit": "items", "measure_kind": "right or wrong"}, "mcnemar"),
    ({"unit": "items", "measure_kind": "right or wrong", "n_models": 3}, "cochran-q"),
    ({"unit": "items", "measure": "mean_outcome", "measure_kind": "mean"}, "paired-t"),
    ({"n_groups": 40}, "rule"),
    ({"n_groups": 40, "measure": "auc", "measure_kind": "auc"}, "rule"),
    ({"n_groups": 40, "measure": "f1", "measure_kind": "counts"}, "rule"),
    ({"unit": "items", "n_groups": 40, "measure": "mean_outcome", "measure_kind": "mean"}, "rule"),
    ({"weighted": True}, "rule"),
    ({"unit": "data sets", "n_datasets": 3, "rows": False}, "wilcoxon"),
    ({"n_rows": 12}, "mcnemar"),
]


@pytest.mark.parametrize(("facts", "expected"), ROWS)
def test_design_table(facts: dict, expected: str) -> None:
    choice, notes = choose(design(**facts))
    assert choice.chosen == expected
    assert choice.automatic
    assert notes == ()


@pytest.mark.parametrize(("facts", "expected"), ROWS)
def test_every_other_test_has_a_reason(facts: dict, expected: str) -> None:
    choice, _ = choose(design(**facts))
    assert set(choice.rejected) == set(catalogue()) - {expected}
    for name, reason in choice.rejected.items():
        assert len(reason) > 10, name
        assert "{" not in reason
    assert not [
        r for n, r in choice.rejected.items() if r.startswith("needs") and n in ("bootstrap",) and expected == "delong"
    ]


@pytest.mark.parametrize(("facts", "expected"), ROWS)
def test_what_auto_takes_is_sound(facts: dict, expected: str) -> None:
    broken = catalogue()[expected].broken(design(**facts))
    assert [c.code for c in broken if c.severity != "not preferred"] == []


DESIGNS = {
    "one test set": {"unit": "instances", "kind": "test set"},
    "leave-one-out": {"unit": "instances", "kind": "leave-one-out"},
    "items": {"unit": "items", "kind": "test set"},
    "k-fold": {"unit": "folds", "kind": "k-fold", "n_folds": 10, "n_repeats": 10, "n_splits": 100},
    "5x2cv": {"unit": "folds", "kind": "5x2cv", "n_folds": 2, "n_repeats": 5, "n_splits": 10},
    "hold-out": {"unit": "folds", "kind": "hold-out", "n_repeats": 30, "n_splits": 30},
    "bootstrap": {"unit": "folds", "kind": "bootstrap", "n_repeats": 50, "n_splits": 50},
    "data sets": {"unit": "data sets", "kind": "scores", "rows": False, "n_datasets": 14},
    "data sets with folds": {"unit": "data sets", "kind": "k-fold", "n_folds": 10, "n_splits": 10, "n_datasets": 14},
}
MEASURES = {
    "right or wrong": "accuracy", "auc": "auc", "mean": "log_loss", "counts": "f1", "other": "average_precision",
}  # fmt: skip


def grid() -> Iterator[tuple[str, DesignFacts]]:
    """360 designs by name: unit and folds × kind of measure × models × clusters × weights."""
    everything = product(DESIGNS.items(), MEASURES.items(), (2, 4), (0, 40), (False, True))
    for (name, facts), (kind, measure), k, groups, weighted in everything:
        clusters, weights = "clusters" if groups else "rows", "weighted" if weighted else "plain"
        yield (
            f"{name}, {kind}, {k} models, {clusters}, {weights}",
            design(**facts, measure=measure, measure_kind=kind, n_models=k, n_groups=groups, weighted=weighted),
        )


def test_auto_chooses_as_recorded() -> None:
    """`choices.json` holds the choice for every design: a change of it is a change of what users get."""
    recorded = json.loads(Path(__file__).with_name("choices.json").read_text(encoding="utf-8"))
    chosen = {name: choose(facts)[0].chosen for name, facts in grid()}
    assert len(chosen) == 360
    assert chosen == recorded


def test_the_choice_is_valid_and_every_other_test_has_its_reason() -> None:
    for name, facts in grid():
        choice, _ = choose(facts)
        assert catalogue()[choice.chosen].broken(facts) == [], name
        assert set(choice.rejected) == set(catalogue()) - {choice.chosen}
        assert all(len(reason) > 10 and "{" not in reason for reason in choice.rejected.values()), name


@pytest.mark.parametrize("test", ["wilcoxon", "friedman", "sign", "bayes-signed-rank", "corrected-t", "5x2cv-f"])
def test_impossible_override_is_refused_with_a_way_out(make, test: str) -> None:
    with pytest.raises(ParameterError, match=r"does not fit this evidence.*test='auto' would take 'delong'"):
        compare(make.scored(models={"a": 2, "b": 1}), test=test)


def test_unknown_test_names_the_nearest(make) -> None:
    with pytest.raises(ParameterError, match="did you mean 'wilcoxon'"):
        compare(make.demsar(), test="wilcoxen")


@pytest.mark.parametrize(
    ("test", "code"),
    [("paired-t", "dependent-folds"), ("wilcoxon", "dependent-folds"), ("sign", "dependent-folds")],
)
def test_unsound_override_on_folds_is_noted(make, test: str, code: str) -> None:
    with pytest.warns(bakeoff.BakeoffWarning, match="inflated type-I error"):
        result = compare(make.resampled({"a": 0.8, "b": 0.75}, 10, 10), test=test)
    note = next(n for n in result.notes if n.code == code)
    assert note.level == "warning"
    assert "asked for by name" in result.verdict
    assert not result.choice.automatic


@pytest.mark.parametrize("test", ["friedman", "anova"])
def test_omnibus_over_dependent_folds_is_noted(make, test: str) -> None:
    with pytest.warns(bakeoff.BakeoffWarning, match="inflated type-I error"):
        result = compare(make.resampled({"a": 0.8, "b": 0.75, "c": 0.79}, 2, 10), test=test)
    assert result.omnibus.test == test


def test_mcnemar_on_clusters_is_noted(make) -> None:
    groups = np.repeat(np.arange(50), 10)
    predictions = make.labelled(models={"a": 2.0, "b": 1.4}, groups=groups)
    with pytest.warns(bakeoff.BakeoffWarning, match="come in clusters"):
        result = compare(predictions, test="mcnemar")
    assert "rows-in-clusters" in {n.code for n in result.notes}
    assert compare(predictions).choice.chosen == "rule"


def test_pooling_folds_by_name_is_noted_and_repeats_are_refused(make) -> None:
    truth, scores = make.binary(200, {"a": 2.0, "b": 1.4})
    fold = np.arange(200) % 10
    once = Predictions.from_arrays(truth, y_score=scores, fold=fold)
    assert compare(once, rng=0).choice.chosen == "cv-rows"
    with pytest.warns(bakeoff.BakeoffWarning, match="pool the predictions of 10 models"):
        assert compare(once, test="delong").choice.chosen == "delong"
    twice = Predictions.from_arrays(
        np.tile(truth, 2), y_score={m: np.tile(s, 2) for m, s in scores.items()}, fold=np.tile(fold, 2),
        repeat=np.repeat([0, 1], 200),
    )  # fmt: skip
    with pytest.raises(ParameterError, match="predicted 2 times"):
        compare(twice, test="delong")


def test_one_score_per_model_is_refused() -> None:
    with pytest.raises(EvidenceError, match=r"single score.*Hint: give predictions row by row"):
        compare(Scores.from_wide([[0.8, 0.7]], models=["a", "b"]))


def test_one_model_is_refused(make) -> None:
    with pytest.raises(EvidenceError, match=r"at least two models\. Got 1"):
        compare(make.scored(models={"a": 1.0}))


def test_choice_prints_as_a_table(make) -> None:
    choice = compare(make.scored(models={"a": 2, "b": 1})).choice
    text = str(choice)
    assert text.startswith("Test: DeLong's test (AUC on one test set")
    assert all(re.search(rf"^{re.escape(name)}  ", text, re.M) for name in catalogue() if name != "delong")
