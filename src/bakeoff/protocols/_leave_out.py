"""Leave one row out, or leave one group out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.validation import check_count
from bakeoff.protocols._base import CORRECTED, Implications, Protocol, TrainTestSplit, check_rows, group_labels, n_rows


@dataclass(frozen=True)
class LeaveOneOut(Protocol):
    """Train on all rows but one, test on that one; for very small data.

    Each test set has one row, so the evidence is one prediction per row. Rank measures over the pooled scores mix
    different models (a constant model gets AUC 0): read labels or losses, not AUC, off leave-one-out.

    Examples
    --------
    >>> from bakeoff.protocols import LeaveOneOut
    >>> LeaveOneOut().get_n_splits(range(12))
    12
    """

    kind: ClassVar[str] = "leave-one-out"
    extendable: ClassVar[tuple[str, ...]] = ()

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Leave each row out in turn; see `Protocol.splits`."""
        n = n_rows(X)
        check_rows(n, 2, "leave-one-out")
        rows = np.arange(n)
        for row in rows:
            yield TrainTestSplit(0, int(row), np.delete(rows, row), rows[row : row + 1])

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`."""
        overlap = (n - 2) / (n - 1) if n > 1 else 0.0
        inference = "one prediction per row: McNemar for labels, a paired test over the rows' losses"
        return Implications(self.kind, n - 1, 1, n, 1, n, overlap, True, inference)


@dataclass(frozen=True)
class LeaveGroupOut(Protocol):
    """Train on all groups but some, test on those: how well does the model travel to a new patient, site or year?

    Parameters
    ----------
    n_groups
        How many groups are left out together; every combination is a test set once.

    Examples
    --------
    >>> from bakeoff.protocols import LeaveGroupOut
    >>> groups = ["ann", "ann", "bob", "eve", "eve"]
    >>> [test.tolist() for train, test in LeaveGroupOut().split(range(5), groups=groups)]
    [[0, 1], [2], [3, 4]]
    """

    n_groups: int = 1

    kind: ClassVar[str] = "leave-group-out"
    extendable: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        check_count("n_groups", self.n_groups)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Leave each combination of groups out in turn; see `Protocol.splits`."""
        from sklearn.model_selection import LeavePGroupsOut

        n = n_rows(X)
        codes = group_labels(groups, n, self.n_groups + 1, "leave-group-out")
        pairs = LeavePGroupsOut(self.n_groups).split(range(n), groups=codes)
        for fold, (train, test) in enumerate(pairs):
            yield TrainTestSplit(0, fold, train, test)

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`; sizes are means over groups of equal size."""
        total = n_groups if n_groups is not None else self.n_groups + 1
        pairs, share = comb(total, self.n_groups), self.n_groups / total
        overlap = (1 - 2 * share) / (1 - share) if self.n_groups == 1 and share < 1 else 1 - share
        n_train, n_test = n * (1 - share), n * share
        disjoint = self.n_groups == 1
        inference = f"groups are the units: cluster bootstrap over groups, or {CORRECTED}"
        return Implications(self.kind, n_train, n_test, pairs, 1, pairs, overlap, disjoint, inference)
