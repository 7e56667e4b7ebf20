"""What the class mix of the training rows moves: folds of one sample cannot show it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import bakeoff
from bakeoff.intervals import fold_rule
from bakeoff.intervals._class_mix import class_mix_stretch

ONE = np.ones(1)


def over_folds(y, called, folds=5):
    rows = bakeoff.Predictions.from_arrays(y, y_pred=called, pos_label=1, fold=np.arange(y.size) % folds)
    return lambda measure: fold_rule(bakeoff.measures.get(measure), rows.table(), tuple(called))


def stretched(rule, models=(0,), contrast=ONE):
    moved = rule._deviations[:, list(models)] @ contrast
    return class_mix_stretch(rule.whole, rule.measure, models, contrast, moved)


@pytest.fixture
def answers(rng):
    y = np.repeat([0, 1], [300, 100])
    return y, {m: (rng.random(400) < np.where(y == 1, 0.7, 0.2)).astype(int) for m in "ab"}


def test_a_linear_discriminant_moves_its_threshold_with_the_log_odds(answers):
    """Recall = Φ(z): a standard deviation of the log odds, 1/√(n·p·q), moves z by that over the classes' distance."""
    y, called = answers
    rule = over_folds(y, called)("recall")
    recall, fpr = ((called["a"][y == c].sum() + 0.5) / ((y == c).sum() + 1) for c in (1, 0))
    far = 1 / np.sqrt(400 * 0.25 * 0.75) / (norm.ppf(recall) - norm.ppf(fpr))
    moved = (norm.cdf(norm.ppf(recall) + far) - norm.cdf(norm.ppf(recall) - far)) / 2
    rows = float((rule._deviations[:, 0] ** 2).sum())
    # What moves recall within the positives does not hang on how many there are: the two variances add.
    assert stretched(rule) ** 2 == pytest.approx(1 + moved**2 / rows, rel=1e-9)


def test_it_moves_two_models_alike_and_what_weighs_both_errors_little(answers):
    rule_of = over_folds(*answers)
    assert stretched(rule_of("recall")) > 1.1
    assert stretched(rule_of("recall"), (0, 1), np.array([1.0, -1.0])) == pytest.approx(1, abs=0.02)
    assert stretched(rule_of("kappa")) == pytest.approx(1, abs=0.1)


def test_near_chance_it_has_an_end_and_several_classes_have_none(rng):
    y = np.repeat([0, 1], 50)
    rule = over_folds(y, {"a": rng.integers(0, 2, 100)})("recall")
    assert 1 < stretched(rule) < 2.5
    several = np.arange(90) % 3
    assert stretched(over_folds(several, {"a": rng.integers(0, 3, 90)})("accuracy")) == 1.0


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
def test_the_class_that_is_positive_and_copies_of_rows_do_not_matter(rng):
    y, called = np.repeat([0, 1], [70, 30]), {"a": rng.integers(0, 2, 100)}

    def limits(y, called, positive, **extra):
        rows = bakeoff.Predictions.from_arrays(
            y, y_pred={"a": called}, pos_label=positive, fold=np.arange(100) % 5, **extra
        )
        found = bakeoff.evaluate(rows, "kappa")["a", "kappa"]
        assert "near-chance" in {note.code for note in found.notes}
        return found.low, found.high

    plain = limits(y, called["a"], 1)
    assert limits(1 - y, 1 - called["a"], 0) == pytest.approx(plain, rel=1e-9)
    assert limits(y, called["a"], 1, sample_weight=np.full(100, 3.0)) == pytest.approx(plain, rel=1e-9)
