"""Cross-validation: every row is a test row once in a repeat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.validation import check_count
from bakeoff.protocols._base import (
    CORRECTED,
    Implications,
    Protocol,
    TrainTestSplit,
    check_flag,
    check_members,
    check_rows,
    class_labels,
    group_labels,
    n_rows,
    split_seed,
    wants_groups,
)


@dataclass(frozen=True)
class KFold(Protocol):
    """(Repeated) k-fold cross-validation: the protocol for small and middling data.

    Parameters
    ----------
    n_splits
        Number of folds; each is the test set once.
    repeats
        How often to split anew.
    stratify
        Spread the classes evenly over the folds; has no effect on regression.
    grouped
        Keep rows of a group in one fold. None (default): whenever the data set has groups.

    Examples
    --------
    >>> from bakeoff.protocols import KFold
    >>> [(s.repeat, s.fold, s.test.size) for s in KFold(2, repeats=2).splits(range(6))]
    [(0, 0, 3), (0, 1, 3), (1, 0, 3), (1, 1, 3)]
    """

    n_splits: int = 10
    _: KW_ONLY
    repeats: int = 1
    stratify: bool = True
    grouped: bool | None = None

    kind: ClassVar[str] = "k-fold"

    def __post_init__(self) -> None:
        check_count("n_splits", self.n_splits, minimum=2)
        check_count("repeats", self.repeats)
        check_flag("stratify", self.stratify)
        check_flag("grouped", self.grouped, optional=True)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Split into folds; see `Protocol.splits`."""
        n, where = n_rows(X), f"{self.n_splits}-fold cross-validation"
        check_rows(n, self.n_splits, where)
        labels, codes = class_labels(y) if self.stratify else None, None
        if wants_groups(self.grouped, groups):
            codes = group_labels(groups, n, self.n_splits, f"grouped {where}")
        if labels is not None:
            check_members(labels, self.n_splits, f"stratified {where}")
        for repeat in range(self.repeats):
            splitter = kfold_splitter(self.n_splits, labels, codes, split_seed(seed, repeat))
            for fold, (train, test) in enumerate(splitter.split(np.zeros(n), labels, codes)):
                yield TrainTestSplit(repeat, fold, train, test)

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`; within a repeat two training sets share (k-2)/(k-1) of their rows."""
        k, repeats = self.n_splits, self.repeats
        pairs = k * repeats
        same_repeat = (k - 1) / (pairs - 1) if pairs > 1 else 0.0
        overlap = same_repeat * (k - 2) / (k - 1) + (1 - same_repeat) * (k - 1) / k
        return Implications(self.kind, n * (k - 1) / k, n / k, pairs, repeats, k, overlap, True, CORRECTED)


@dataclass(frozen=True)
class NestedKFold(KFold):
    """Repeated cross-validation that measures its own error: ``evaluate(interval="nested-cv")``.

    Besides the folds of `KFold`, every pair of folds is left out together. What the rows of a fold cost the models
    trained without it and another one shows by how much cross-validation on the rest misses that fold. K(K − 1)/2 more
    fits in a repeat; the error of the estimate needs some 100 folds in all to settle.

    Parameters
    ----------
    n_splits, repeats, stratify, grouped
        As in `KFold`; three folds or more.

    References
    ----------
    Bates, S., Hastie, T. and Tibshirani, R. (2024). Cross-validation: what does it estimate and how well does it do it?
    Journal of the American Statistical Association 119. doi:10.1080/01621459.2023.2197686

    Examples
    --------
    >>> from bakeoff.protocols import NestedKFold
    >>> [(s.fold, s.role, s.test.size) for s in NestedKFold(3, repeats=1).splits(range(6))]
    [(0, 'test', 2), (1, 'test', 2), (2, 'test', 2), (3, 'inner', 4), (4, 'inner', 4), (5, 'inner', 4)]
    """

    _: KW_ONLY
    repeats: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count("n_splits", self.n_splits, minimum=3)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Split into folds, then leave out every pair of them; see `Protocol.splits`."""
        k, folds = self.n_splits, []
        for split in super().splits(X, y, groups, seed=seed):
            yield split
            folds.append(split)
            if len(folds) == k:
                for place, (one, other) in enumerate(combinations(folds, 2), start=k):
                    train = np.intersect1d(one.train, other.train)
                    test = np.union1d(one.test, other.test)
                    yield TrainTestSplit(split.repeat, place, train, test, "inner")
                folds = []


def kfold_splitter(n_splits: int, labels: Any, codes: Any, seed: int) -> Any:
    """Return scikit-learn's splitter for these wishes: stratified or not, grouped or not."""
    from sklearn import model_selection as ms

    stratified, grouped = labels is not None, codes is not None
    cls = {
        (False, False): ms.KFold,
        (True, False): ms.StratifiedKFold,
        (False, True): ms.GroupKFold,
        (True, True): ms.StratifiedGroupKFold,
    }[stratified, grouped]
    return cls(n_splits, shuffle=True, random_state=seed)


@dataclass(frozen=True)
class FiveByTwo(Protocol):
    """5×2 cross-validation: five times, halve the rows and test on each half the model of the other (Dietterich 1998).

    The two training sets of a halving share no row, so its two differences give a variance that overlap does not
    spoil; Alpaydin's combined F test (10 and 5 degrees of freedom) uses all ten.

    Parameters
    ----------
    stratify
        Spread the classes evenly over the halves; has no effect on regression.
    grouped
        Keep rows of a group in one half. None (default): whenever the data set has groups.

    References
    ----------
    Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification learning
    algorithms. Neural Computation 10(7). doi:10.1162/089976698300017197

    Examples
    --------
    >>> from bakeoff.protocols import FiveByTwo
    >>> FiveByTwo().get_n_splits()
    10
    """

    _: KW_ONLY
    stratify: bool = True
    grouped: bool | None = None

    kind: ClassVar[str] = "5x2cv"
    extendable: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        self._halves()

    def _halves(self) -> KFold:
        return KFold(2, repeats=5, stratify=self.stratify, grouped=self.grouped)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Halve the rows five times; see `Protocol.splits`."""
        return self._halves().splits(X, y, groups, seed=seed)

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`."""
        inference = "5×2cv: Alpaydin's F on 10 and 5 degrees of freedom, Dietterich's t on 5"
        overlap = (8 / 9) * 0.5
        return Implications(self.kind, n / 2, n / 2, 10, 5, 2, overlap, True, inference)
