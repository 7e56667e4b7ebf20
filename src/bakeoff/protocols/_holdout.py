"""Hold-out: keep some rows aside, once or several times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import ParameterError
from bakeoff._core.validation import check_count, check_number
from bakeoff.protocols._base import (
    CORRECTED,
    SINGLE,
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
class HoldOut(Protocol):
    """Train on part of the rows, test on the rest: the protocol for large data.

    Parameters
    ----------
    test_size
        Share of the rows kept for the test (or their number); by default a third.
    stratify
        Keep the class shares in both parts; has no effect on regression.
    repeats
        How often to draw. Repeated draws share rows, so their scores need the corrected t.
    grouped
        Keep rows of a group on one side. None (default): whenever the data set has groups; stratification then
        gives way. `test_size` then counts groups.

    Examples
    --------
    >>> from bakeoff.protocols import HoldOut
    >>> [(len(train), len(test)) for train, test in HoldOut(repeats=2).split(range(90))]
    [(60, 30), (60, 30)]
    """

    test_size: float = 1 / 3
    _: KW_ONLY
    stratify: bool = True
    repeats: int = 1
    grouped: bool | None = None

    kind: ClassVar[str] = "hold-out"

    def __post_init__(self) -> None:
        check_count("repeats", self.repeats)
        check_flag("stratify", self.stratify)
        check_flag("grouped", self.grouped, optional=True)
        if isinstance(self.test_size, bool) or not isinstance(self.test_size, (int, float)):
            raise ParameterError(f"test_size must be a share or a number of rows. Got {self.test_size!r} instead.")
        if isinstance(self.test_size, int):
            check_count("test_size", self.test_size)
        else:
            check_number("test_size", self.test_size, low=0, high=1, closed="none")

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Draw the parts; see `Protocol.splits`."""
        n = n_rows(X)
        check_rows(n, 2, "hold-out")
        labels, codes = class_labels(y) if self.stratify else None, None
        if wants_groups(self.grouped, groups):
            codes = group_labels(groups, n, 2, "grouped hold-out")
        elif labels is not None:
            check_members(labels, 2, "stratified hold-out")
        for repeat in range(self.repeats):
            splitter = self._splitter(labels, codes, split_seed(seed, repeat))
            ((train, test),) = splitter.split(np.zeros(n), labels, codes)
            yield TrainTestSplit(repeat, 0, train, test)

    def _splitter(self, labels: Any, codes: Any, seed: int) -> Any:
        from sklearn import model_selection as ms

        if codes is not None:
            return ms.GroupShuffleSplit(1, test_size=self.test_size, random_state=seed)
        cls = ms.ShuffleSplit if labels is None else ms.StratifiedShuffleSplit
        return cls(1, test_size=self.test_size, random_state=seed)

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`; two random training sets share n_train/n of their rows."""
        n_test = self.test_size if isinstance(self.test_size, int) else math.ceil(self.test_size * n - 1e-9)
        n_train = max(n - n_test, 0)
        overlap = n_train / n if self.repeats > 1 and n else 0.0
        inference = CORRECTED if self.repeats > 1 else SINGLE
        return Implications(self.kind, n_train, n_test, self.repeats, self.repeats, 1, overlap, True, inference)
