"""Any scikit-learn splitter, a number of folds, or a list of row numbers, as a protocol."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff.protocols._base import (
    CORRECTED,
    SINGLE,
    Implications,
    Protocol,
    TrainTestSplit,
    class_labels,
    n_rows,
    split_seed,
)
from bakeoff.protocols._kfold import KFold


@dataclass(frozen=True)
class FromSplitter(Protocol):
    """A scikit-learn splitter as a protocol; made by `as_protocol`.

    A splitter without a ``random_state`` of its own takes it from the experiment's seed, so runs can be repeated.

    Examples
    --------
    >>> from bakeoff.protocols import as_protocol
    >>> from sklearn.model_selection import TimeSeriesSplit
    >>> protocol = as_protocol(TimeSeriesSplit(3))
    >>> type(protocol).__name__, protocol.get_n_splits(range(12))
    ('FromSplitter', 3)
    """

    splitter: Any

    kind: ClassVar[str] = "custom"
    extendable: ClassVar[tuple[str, ...]] = ()

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Ask the splitter; see `Protocol.splits`."""
        splitter = copy.deepcopy(self.splitter)
        if getattr(splitter, "random_state", 0) is None and getattr(splitter, "shuffle", True):
            splitter.random_state = split_seed(seed, 0)
        labels = class_labels(y)
        pairs = self._pairs(splitter, n_rows(X), y if labels is None else labels, groups)
        folds = self._folds_of_repeat(len(pairs))
        for number, (train, test) in enumerate(pairs):
            yield TrainTestSplit(number // folds, number % folds, np.asarray(train), np.asarray(test))

    def _pairs(self, splitter: Any, n: int, y: Any, groups: Any) -> list[tuple[Any, Any]]:
        try:
            with warnings.catch_warnings():  # whoever chose a splitter without groups meant it
                warnings.filterwarnings("ignore", message="The groups parameter is ignored")
                return list(splitter.split(np.zeros((n, 1)), y, groups))
        except ValueError as problem:
            raise EvidenceError(f"{type(self.splitter).__name__} cannot split these rows: {problem}") from None

    def _folds_of_repeat(self, n_pairs: int) -> int:
        """Repeated k-fold has k folds a repeat; independent draws have one; everything else is one repeat."""
        from sklearn.model_selection import BaseShuffleSplit

        per_repeat = getattr(self.splitter, "cvargs", {}).get("n_splits")
        if per_repeat:
            return int(per_repeat)
        return 1 if isinstance(self.splitter, BaseShuffleSplit) else n_pairs

    def _test_share(self, folds: int) -> float:
        size = getattr(self.splitter, "test_size", None)
        if folds == 1 and isinstance(size, float) and 0 < size < 1:
            return size
        return 1 / folds if folds > 1 else 0.1  # scikit-learn's default for independent draws

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`; sizes are those of equal folds (the splitter may do otherwise)."""
        pairs = int(self.splitter.get_n_splits(np.zeros((max(n, 2), 1)), None, np.arange(max(n, 2)) % (n_groups or 2)))
        folds = self._folds_of_repeat(pairs)
        n_test = n * self._test_share(folds)
        overlap = (n - n_test) / n if pairs > 1 and n else 0.0
        inference = CORRECTED if pairs > 1 else SINGLE
        return Implications(self.kind, n - n_test, n_test, pairs, pairs // folds, folds, overlap, True, inference)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Ask the splitter."""
        return int(self.splitter.get_n_splits(X, y, groups))

    def describe(self) -> dict[str, Any]:
        """Return the splitter's name and parameters."""
        public = {k: v for k, v in sorted(vars(self.splitter).items()) if not k.startswith("_")}
        return {"protocol": type(self.splitter).__name__, **{k: _plain(v) for k, v in public.items()}}


def _plain(value: Any) -> Any:
    """Keep plain values; of an object only its kind, since its text may hold an address that changes every time."""
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}
    return value if value is None or isinstance(value, (bool, int, float, str)) else type(value).__name__


@dataclass(frozen=True)
class FixedSplits(Protocol):
    """Splits that someone else decided, such as OpenML's tasks; made by `as_protocol`.

    Examples
    --------
    >>> from bakeoff.protocols import as_protocol
    >>> splits = as_protocol([([0, 1, 2], [3]), ([1, 2, 3], [0])])
    >>> type(splits).__name__, splits.get_n_splits(range(4))
    ('FixedSplits', 2)
    """

    pairs: tuple[tuple[Any, Any], ...]

    kind: ClassVar[str] = "custom"
    extendable: ClassVar[tuple[str, ...]] = ("pairs",)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Repeat the given pairs, after checking their row numbers; see `Protocol.splits`."""
        n = n_rows(X)
        for fold, (train, test) in enumerate(self.pairs):
            rows = np.concatenate([train, test])
            if rows.size == 0 or rows.min() < 0 or rows.max() >= n:
                raise EvidenceError(f"split {fold} names rows outside 0 to {n - 1}.")
            yield TrainTestSplit(0, fold, train, test)

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`."""
        n_train = float(np.mean([len(train) for train, _ in self.pairs]))
        n_test = float(np.mean([len(test) for _, test in self.pairs]))
        tests, pairs = np.concatenate([test for _, test in self.pairs]), len(self.pairs)
        overlap, inference = (n_train / n if n else 0.0, CORRECTED) if pairs > 1 else (0.0, SINGLE)
        disjoint = len(np.unique(tests)) == len(tests)
        return Implications(self.kind, n_train, n_test, pairs, 1, pairs, overlap, disjoint, inference)

    def describe(self) -> dict[str, Any]:
        """Return the kind and the number of pairs; the row numbers themselves enter each unit's key."""
        return {"protocol": "FixedSplits", "pairs": len(self.pairs)}


def as_protocol(protocol: object) -> Protocol:
    """Return a protocol: one of ours, a number of folds, a scikit-learn splitter, or a list of (train, test) rows.

    Examples
    --------
    >>> from sklearn.model_selection import ShuffleSplit
    >>> from bakeoff.protocols import as_protocol
    >>> as_protocol(5)
    KFold(n_splits=5, repeats=1, stratify=True, grouped=None)
    >>> as_protocol(ShuffleSplit(3, test_size=0.5)).get_n_splits()
    3
    """
    if isinstance(protocol, Protocol):
        return protocol
    if isinstance(protocol, int) and not isinstance(protocol, bool):
        return KFold(protocol)
    if hasattr(protocol, "split") and hasattr(protocol, "get_n_splits") and not isinstance(protocol, type):
        return FromSplitter(protocol)
    if isinstance(protocol, (list, tuple)) and protocol and all(_is_pair(p) for p in protocol):
        return FixedSplits(tuple((np.asarray(a, np.int64), np.asarray(b, np.int64)) for a, b in protocol))
    raise ParameterError(
        "protocol must be one of bakeoff.protocols, a number of folds, a scikit-learn splitter, or a list of "
        f"(train, test) row numbers. Got {protocol!r} instead.",
        hint="write KFold(10), not KFold" if isinstance(protocol, type) else None,
    )


def _is_pair(value: object) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(np.ndim(rows) == 1 for rows in value)
