"""The protocols split rows as they promise, and state what that implies."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import model_selection as ms
from sklearn.datasets import load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression

from bakeoff import EvidenceError, ParameterError
from bakeoff.protocols import (
    Bootstrap,
    FiveByTwo,
    HoldOut,
    KFold,
    LeaveGroupOut,
    LeaveOneOut,
    as_protocol,
)

X, Y = load_iris(return_X_y=True)
GROUPS = np.arange(150) % 15
EVERY = [
    HoldOut(),
    HoldOut(repeats=3),
    KFold(5),
    KFold(3, repeats=2),
    FiveByTwo(),
    LeaveOneOut(),
    LeaveGroupOut(),
    Bootstrap(7),
    as_protocol(ms.RepeatedKFold(n_splits=4, n_repeats=2)),
    as_protocol(ms.ShuffleSplit(3)),
]


def rows(split):
    return split.repeat, split.fold, split.train.tolist(), split.test.tolist()


@pytest.mark.parametrize("protocol", EVERY, ids=repr)
def test_same_seed_same_splits_other_seed_other_splits(protocol):
    first, again = ([rows(s) for s in protocol.splits(X, Y, GROUPS, seed=3)] for _ in range(2))
    assert first == again
    other = [rows(s) for s in protocol.splits(X, Y, GROUPS, seed=4)]
    deterministic = isinstance(protocol, (LeaveOneOut, LeaveGroupOut))
    assert (first == other) == deterministic


@pytest.mark.parametrize("protocol", EVERY, ids=repr)
def test_no_row_both_teaches_and_judges_and_numbers_are_consecutive(protocol):
    splits = list(protocol.splits(X, Y, GROUPS))
    assert all(not set(s.train) & set(s.test) and s.test.size for s in splits)
    assert len({(s.repeat, s.fold) for s in splits}) == len(splits) == protocol.get_n_splits(X, Y, GROUPS)
    assert {s.repeat for s in splits} == set(range(max(s.repeat for s in splits) + 1))


@pytest.mark.parametrize(
    ("few", "many"),
    [(HoldOut(repeats=2), HoldOut(repeats=4)), (KFold(3), KFold(3, repeats=3)), (Bootstrap(3), Bootstrap(9))],
    ids=["hold-out", "k-fold", "bootstrap"],
)
def test_more_repeats_keep_the_splits_already_drawn(few, many):
    drawn = [rows(s) for s in many.splits(X, Y)]
    assert [rows(s) for s in few.splits(X, Y)] == drawn[: few.get_n_splits(X)]
    assert few.family() == many.family()
    assert few.describe() != many.describe()


def test_holdout_is_two_thirds_and_keeps_class_shares():
    (split,) = HoldOut().splits(X, Y)
    assert (split.train.size, split.test.size) == (100, 50)
    assert sorted(np.bincount(Y[split.test]).tolist()) == [16, 17, 17]


def test_kfold_tests_every_row_once_in_a_repeat_with_equal_classes():
    for repeat in range(2):
        splits = [s for s in KFold(10, repeats=2).splits(X, Y) if s.repeat == repeat]
        assert sorted(np.concatenate([s.test for s in splits]).tolist()) == list(range(150))
        assert all(np.bincount(Y[s.test]).tolist() == [5, 5, 5] for s in splits)


@pytest.mark.parametrize(
    "protocol", [HoldOut(repeats=2), KFold(5), FiveByTwo(), LeaveGroupOut(2), Bootstrap(5)], ids=repr
)
@pytest.mark.parametrize("stratify", [True, False])
def test_groups_stay_together(protocol, stratify):
    labels = Y if stratify else None
    for split in protocol.splits(X, labels, GROUPS):
        assert not set(GROUPS[split.train]) & set(GROUPS[split.test])


def test_groups_can_be_ignored_or_demanded():
    mixed = [s for s in KFold(5, grouped=False).splits(X, Y, GROUPS) if set(GROUPS[s.train]) & set(GROUPS[s.test])]
    assert mixed
    with pytest.raises(EvidenceError, match="needs the group of every row"):
        list(KFold(5, grouped=True).splits(X, Y))


def test_five_by_two_halves_share_no_training_row():
    splits = list(FiveByTwo().splits(X, Y))
    for repeat in range(5):
        first, second = (s for s in splits if s.repeat == repeat)
        assert not set(first.train) & set(second.train)
        assert set(first.train) == set(second.test)


def test_bootstrap_draws_n_rows_with_replacement_and_judges_the_rest():
    sizes = []
    for split in Bootstrap(200, estimator="plain").splits(range(300)):
        assert split.train.size == 300
        sizes.append(split.test.size / 300)
    assert abs(np.mean(sizes) - np.exp(-1)) < 0.005
    assert Bootstrap(3, estimator="plain").apparent(X) is None
    apparent = Bootstrap(3).apparent(X)
    assert apparent.role == "apparent"
    assert np.array_equal(apparent.train, apparent.test)


def test_bootstrap_of_a_rare_class_draws_again():
    labels = np.array([0] * 6 + [1])
    assert all(len(set(labels[s.train])) == 2 for s in Bootstrap(100).splits(labels, labels))


def test_protocols_are_scikit_learn_splitters():
    scores = ms.cross_val_score(DummyClassifier(), X, Y, cv=KFold(5, repeats=2))
    assert scores.shape == (10,)
    diabetes = load_diabetes(return_X_y=True)
    assert ms.cross_val_score(LinearRegression(), *diabetes, cv=KFold(4)).shape == (4,)
    assert ms.cross_val_predict(DummyClassifier(), X, Y, cv=LeaveGroupOut(), groups=GROUPS).shape == (150,)


@pytest.mark.parametrize(
    "protocol",
    [HoldOut(repeats=40), KFold(10), KFold(10, repeats=3), FiveByTwo(), LeaveOneOut(), LeaveGroupOut()],
    ids=repr,
)
def test_implications_agree_with_the_splits(protocol):
    n = 150
    splits = list(protocol.splits(range(n), None, GROUPS if isinstance(protocol, LeaveGroupOut) else None))
    said = protocol.implications(n, n_groups=15)
    assert said.n_pairs == len(splits) == said.repeats * said.folds
    assert said.n_train == pytest.approx(np.mean([s.train.size for s in splits]))
    assert said.n_test == pytest.approx(np.mean([s.test.size for s in splits]))
    sets = [set(s.train.tolist()) for s in splits[:60]]
    shared = [len(a & b) / len(a) for i, a in enumerate(sets) for b in sets[:i]]
    assert said.overlap == pytest.approx(np.mean(shared), abs=0.02)


@pytest.mark.parametrize(
    "protocol", [HoldOut(), HoldOut(repeats=4), KFold(5, repeats=2), FiveByTwo(), Bootstrap(7)], ids=repr
)
def test_the_design_is_that_of_the_evidence_it_makes(protocol):
    from bakeoff import run

    evidence = run(DummyClassifier(), (X, Y), protocol).predictions().design
    said = protocol.design(150, task="multiclass")
    names = ("unit", "kind", "n_repeats", "n_folds", "n_splits", "n_rows")
    if isinstance(protocol, (Bootstrap, HoldOut)):
        names = names[:-1]  # evidence counts the test rows
    if protocol == HoldOut():
        names = ("n_splits",)  # a single test set is all the evidence knows
    assert {n: getattr(said, n) for n in names} == {n: getattr(evidence, n) for n in names}
    assert said.n_train == pytest.approx(evidence.n_train or 100, rel=0.03)


def test_implications_of_ten_fold_are_those_of_nadeau_and_bengio():
    said = KFold(10, repeats=10).implications(1000)
    assert (said.n_pairs, said.correction, said.rho) == (100, pytest.approx(1 / 9), pytest.approx(0.1))
    assert "Nadeau" in said.inference


def test_scikit_learn_splitters_keep_their_own_seed_and_get_ours_otherwise():
    own = as_protocol(ms.ShuffleSplit(2, random_state=5))
    assert [rows(s) for s in own.splits(X, seed=0)] == [rows(s) for s in own.splits(X, seed=1)]
    repeated = list(as_protocol(ms.RepeatedKFold(n_splits=3, n_repeats=2)).splits(X))
    assert [(s.repeat, s.fold) for s in repeated] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]


def test_a_description_does_not_change_from_one_run_to_the_next():
    one, two = (as_protocol(ms.ShuffleSplit(2, random_state=np.random.RandomState(5))) for _ in range(2))
    assert one.describe() == two.describe()
    assert one.describe()["random_state"] == "RandomState"


def test_given_rows_are_a_protocol():
    protocol = as_protocol([([0, 1, 2], [3, 4]), ([3, 4], [0, 1])])
    assert [s.test.tolist() for s in protocol.splits(range(5))] == [[3, 4], [0, 1]]
    with pytest.raises(EvidenceError, match=r"split 0 names rows outside 0 to 3"):
        list(protocol.splits(range(4)))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: KFold(1), "n_splits must be a whole number of at least 2. Got 1 instead."),
        (lambda: HoldOut(1.5), r"test_size must be a finite number in \(0, 1\)"),
        (lambda: HoldOut(stratify="yes"), "stratify must be True or False"),
        (lambda: Bootstrap(estimator="632plus"), "must be one of 'plain', '632', '632\\+'"),
        (lambda: as_protocol(KFold), r"Hint: write KFold\(10\), not KFold"),
        (lambda: as_protocol("ten-fold"), "protocol must be one of bakeoff.protocols"),
    ],
)
def test_bad_protocols_say_what_is_wrong(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize(
    ("protocol", "n", "y", "groups", "message"),
    [
        (KFold(10), 5, None, None, "10-fold cross-validation needs at least 10 rows. Got 5."),
        (KFold(5), 12, ["a"] * 10 + ["b"] * 2, None, "at least 5 rows of every class, but class 'b' has 2 rows"),
        (KFold(5), 60, list(range(60)), None, "y has 60 distinct values: for regression set stratify=False"),
        (LeaveGroupOut(), 4, None, None, "leave-group-out needs the group of every row"),
        (LeaveGroupOut(), 4, None, [1, 1, 1, 1], "leave-group-out needs at least 2 groups. Got 1."),
        (KFold(3), 9, None, [1, 1, 2], r"one group per row \(9\). Got shape \(3,\)"),
    ],
)
def test_rows_that_cannot_be_split_say_why(protocol, n, y, groups, message):
    with pytest.raises(EvidenceError, match=message):
        list(protocol.splits(range(n), y, groups))
