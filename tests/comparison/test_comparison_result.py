"""The result: fixed columns, pairs from either side, JSON, printing."""

from __future__ import annotations

import json
import pickle

import pandas as pd
import pytest

from bakeoff import Comparison, ParameterError, compare

COLUMNS = [
    "model_a", "model_b", "measure", "estimate", "low", "high", "statistic", "pvalue", "pvalue_adjusted",
    "effect_size", "effect", "method",
]  # fmt: skip


@pytest.fixture
def six(make) -> Comparison:
    return compare(make.scored(), margin=0.05)


def test_columns_in_the_order_of_the_contract(make, six) -> None:
    assert list(six.to_frame().columns[:12]) == COLUMNS
    for evidence in (make.demsar(), make.resampled({"a": 0.8, "b": 0.7}, 10, 10), make.regression()):
        assert list(compare(evidence, rng=0).to_frame().columns[:12]) == COLUMNS
    assert len(six.to_frame()) == 15
    assert six.to_frame(backend="polars").columns[:12] == COLUMNS


def test_a_pair_from_either_side(six) -> None:
    forth, back = six.pair("boost", "knn"), six.pair("knn", "boost")
    assert back.estimate == -forth.estimate
    assert (back.low, back.high) == (-forth.high, -forth.low)
    assert back.statistic == -forth.statistic
    assert back.effect_size == -forth.effect_size
    assert (back.pvalue, back.better) == (forth.pvalue, forth.better)
    assert (forth.conclusion, back.conclusion) == ("a is better", "b is better")
    assert back.flipped() == forth


def test_unsigned_statistics_do_not_turn(make) -> None:
    result = compare(make.labelled().select(models=["boost", "knn"]))
    assert result.pair("boost", "knn").statistic == result.pair("knn", "boost").statistic > 0


def test_pairs_that_were_not_compared(six, make) -> None:
    with pytest.raises(ParameterError, match="did you mean 'knn'"):
        six.pair("boost", "kn")
    with pytest.raises(ParameterError, match="they are the same"):
        six.pair("boost", "boost")
    against = compare(make.scored(), control="logit")
    with pytest.raises(ParameterError, match="with the control 'logit' only"):
        against.pair("boost", "knn")


def test_groups_and_letters_agree(six) -> None:
    for p in six.pairs:
        together = any({p.model_a, p.model_b} <= set(group) for group in six.groups)
        assert together is not p.shown
        assert bool(set(six.letters[p.model_a]) & set(six.letters[p.model_b])) is together
    assert {m for group in six.groups for m in group} == set(six.models)


def test_values_and_ranks_are_best_first(make, six) -> None:
    assert list(six.values.values()) == sorted(six.values.values(), reverse=True)
    assert six.best == next(iter(six.values))
    ranks = compare(make.demsar(), rng=0).ranks
    assert list(ranks.values()) == sorted(ranks.values())
    error = compare(make.labelled(), "error")
    assert list(error.values.values()) == sorted(error.values.values())


def test_control_groups_are_who_was_not_told_apart_from_it(make) -> None:
    result = compare(make.scored(), control="logit")
    expected = {p.model_a for p in result.pairs if not p.shown} | {"logit"}
    assert set(result.groups[0]) == expected


def test_json_and_pickle(make, six) -> None:
    for result in (six, compare(make.demsar(), rng=0)):
        document = json.loads(json.dumps(result.to_dict(), allow_nan=False))
        assert document["kind"] == "Comparison"
        assert document["verdict"] == result.verdict
        assert len(document["pairs"]) == len(result.pairs)
        assert document["choice"]["chosen"] == result.choice.chosen
        assert pickle.loads(pickle.dumps(result)).verdict == result.verdict


def test_printing(six) -> None:
    assert repr(six).startswith("Comparison(auc of 6 models by 'rule': ")
    assert "\n" not in repr(six)
    assert " ".join(str(six).split()).startswith(six.verdict)
    assert max(map(len, str(six).splitlines())) <= 80
    shown = six._repr_html_()
    assert shown.index("has the best AUC") < shown.index("<table")
    assert "boost − knn" in repr(six.pair("boost", "knn"))


def test_frames_round_trip_through_pandas(six) -> None:
    frame = six.to_frame()
    assert isinstance(frame, pd.DataFrame)
    assert frame["pvalue_adjusted"].ge(frame["pvalue"]).all()


def test_same_seed_same_answer(make) -> None:
    frames = (compare(make.regression(), test="bootstrap", rng=seed).to_frame() for seed in (1, 1, 2))
    first, second, other = frames
    pd.testing.assert_frame_equal(first, second)
    assert not first["low"].equals(other["low"])
