"""Several measures in one ranking, against ranks worked out by hand."""

from __future__ import annotations

import pytest

from bakeoff import EvidenceError, ParameterError, Scores, stats
from bakeoff.comparison import rank_measures

AUC = Scores.from_wide([[0.9, 0.8, 0.7], [0.9, 0.9, 0.7], [0.6, 0.8, 0.7]], models=["a", "b", "c"], measure="auc")
TIME = Scores.from_wide([[9, 1, 2], [9, 1, 2], [9, 1, 2]], models=["a", "b", "c"], measure="fit_time")


def test_ranks_of_both_measures_are_averaged() -> None:
    found = rank_measures([AUC, TIME])
    assert found.ranks[:, 0].tolist() == pytest.approx([(1 + 1.5 + 3) / 3, (2 + 1.5 + 1) / 3, (3 + 3 + 2) / 3])
    assert found.ranks[:, 1].tolist() == [3, 1, 2]  # less time is better
    assert found.combined.tolist() == pytest.approx(found.ranks.mean(axis=1).tolist())
    assert str(found.sentences[0]).startswith("b ranks best over AUC and ")
    assert found.notes[0].code == "weights-of-measures"


def test_weights_move_the_answer() -> None:
    only = rank_measures([AUC, TIME], weights={"fit_time": 0})
    assert only.combined.tolist() == pytest.approx(only.ranks[:, 0].tolist())
    assert only.pvalue == pytest.approx(stats.friedman(AUC.matrix()).pvalue)


def test_a_tie_is_said() -> None:
    reverse = Scores.from_wide([[0.1, 0.2]] * 5, models=["a", "b"], measure="accuracy")
    found = rank_measures([Scores.from_wide([[0.9, 0.8]] * 5, models=["a", "b"], measure="auc"), reverse])
    assert "a and b share the best mean rank" in str(found.sentences[0])


@pytest.mark.parametrize(
    ("scores", "options", "error"),
    [
        ([AUC], {}, ParameterError),
        ([AUC, AUC], {}, ParameterError),
        ([AUC, TIME], {"weights": {"f1": 1}}, ParameterError),
        ([AUC, TIME], {"weights": {"auc": 0, "fit_time": 0}}, ParameterError),
        ([AUC, TIME.select(models=["a", "b"])], {}, EvidenceError),
    ],
)
def test_what_cannot_be_ranked_is_refused(scores, options, error) -> None:
    with pytest.raises(error):
        rank_measures(scores, **options)
