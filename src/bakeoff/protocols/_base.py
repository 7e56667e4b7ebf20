"""What a protocol is: a frozen recipe that splits the rows of a data set into training and test parts."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.result import Result
from bakeoff._core.validation import IntArray, named_stream
from bakeoff.evidence import RESAMPLED, Design

Pairs: TypeAlias = "Iterator[tuple[IntArray, IntArray]]"


@dataclass(frozen=True, slots=True, eq=False)
class TrainTestSplit:
    """One train/test pair: the rows to learn from, and the rows to test on.

    Attributes
    ----------
    repeat, fold
        Where the pair stands in the protocol; both count from 0.
    train, test
        Row numbers of the data set. A bootstrap's `train` names a row as often as it was drawn.
    role
        ``"test"`` for rows not learned from; ``"apparent"`` for a test on the training rows themselves (.632 needs it);
        ``"inner"`` for two folds left out together (nested cross-validation).

    Examples
    --------
    >>> from bakeoff.protocols import KFold
    >>> split = next(KFold(2).splits(range(6), seed=1))
    >>> split.repeat, split.fold, split.train.size, split.test.size
    (0, 0, 3, 3)
    """

    repeat: int
    fold: int
    train: IntArray
    test: IntArray
    role: str = "test"


@dataclass(frozen=True, repr=False)
class Implications(Result):
    """What a protocol implies for inference on `n` rows.

    Attributes
    ----------
    kind
        ``hold-out``, ``k-fold``, ``5x2cv``, ``leave-one-out``, ``leave-group-out``, ``bootstrap`` or ``custom``.
    n_train, n_test
        Training rows and test rows of one pair (the mean where they differ).
    n_pairs
        J, the number of train/test pairs a model is fitted on.
    repeats, folds
        How the pairs are arranged: ``n_pairs == repeats * folds``.
    overlap
        Share of a training set's rows that another training set also has, averaged over pairs of training sets.
        Scores over pairs that share training rows are not independent, so their plain t-test is too sure of itself.
    disjoint_tests
        Whether every row is a test row at most once in a repeat.
    inference
        Which inference fits scores made this way.

    Examples
    --------
    >>> from bakeoff.protocols import KFold
    >>> implied = KFold(10, repeats=3).implications(300)
    >>> implied.n_pairs, implied.n_test, round(implied.correction, 4)
    (30, 30.0, 0.1111)
    """

    kind: str
    n_train: float
    n_test: float
    n_pairs: int
    repeats: int
    folds: int
    overlap: float
    disjoint_tests: bool
    inference: str

    @property
    def correction(self) -> float:
        """Nadeau and Bengio's n_test / n_train, added to 1/J in the variance of a mean over pairs."""
        return self.n_test / self.n_train

    @property
    def rho(self) -> float:
        """The correlation between the scores of two pairs, n_test / (n_train + n_test)."""
        return self.n_test / (self.n_train + self.n_test)


CORRECTED = "corrected resampled t (Nadeau and Bengio): variance (1/J + n_test/n_train)·S²"
SINGLE = "one test set: McNemar, DeLong or a paired bootstrap over its rows"


class Protocol(ABC):
    """Base of the protocols; every one is also a scikit-learn splitter (``cv=``).

    The splits of a data set depend on its rows, the seed and nothing else: every model sees the same ones, and asking
    for more repeats keeps those already drawn.

    Examples
    --------
    >>> from bakeoff.protocols import KFold, Protocol
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> isinstance(KFold(5), Protocol)
    True
    >>> cross_val_score(GaussianNB(), *load_iris(return_X_y=True), cv=KFold(5)).size
    5
    """

    kind: ClassVar[str]
    extendable: ClassVar[tuple[str, ...]] = ("repeats",)
    """Fields that only add splits: a store may grow along them."""

    @abstractmethod
    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Split the rows of `X`; yields one `TrainTestSplit` per train/test pair, in order of repeat and fold.

        Parameters
        ----------
        X
            Anything with a length or a shape; only the number of rows is used.
        y
            Class labels, where classes are to be spread evenly; None or numbers on a scale for regression.
        groups
            Group of each row; rows of a group stay together.
        seed
            The seed all randomness comes from.
        """

    @abstractmethod
    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """Say what the protocol implies for inference on `n` rows (in `n_groups` groups)."""

    def design(self, n: int, *, n_models: int = 1, n_datasets: int = 1, task: str = "", n_groups: int = 0) -> Design:
        """Return the `Design` of evidence made this way on `n` rows, as `choose` and `advise` read it."""
        implied = self.implications(n, n_groups=n_groups or None)
        several = implied.n_pairs > 1 and self.kind != "leave-one-out"
        unit = "data sets" if n_datasets > 1 else ("folds" if several else "instances")
        kind = self.kind if self.kind in RESAMPLED else ("k-fold" if implied.folds > 1 else "hold-out")
        return Design(
            unit=unit, kind=kind if implied.n_pairs > 1 else "test set", task=task, n_models=n_models,
            n_datasets=n_datasets, n_rows=n, n_repeats=implied.repeats, n_folds=implied.folds, n_splits=implied.n_pairs,
            n_train=implied.n_train, n_test=implied.n_test, n_groups=n_groups,
        )  # fmt: skip

    def apparent(self, X: Any) -> TrainTestSplit | None:
        """Return the pair that trains and tests on all rows, where the protocol's estimate needs it."""
        return None

    def split(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Pairs:
        """Yield (train, test) row numbers: scikit-learn's splitter interface, so that ``cv=protocol`` works."""
        for split in self.splits(X, y, groups, seed=seed):
            if split.role == "test":
                yield split.train, split.test

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of train/test pairs (scikit-learn's splitter interface)."""
        n_groups = None if groups is None else len(np.unique(np.asarray(groups)))
        return self.implications(0 if X is None else n_rows(X), n_groups=n_groups).n_pairs

    def describe(self) -> dict[str, Any]:
        """Return the protocol as plain values: its name and parameters."""
        names = [f.name for f in dataclasses.fields(self)]  # type: ignore[arg-type]  # every protocol is a dataclass
        return {"protocol": type(self).__name__, **{name: getattr(self, name) for name in names}}

    def family(self) -> dict[str, Any]:
        """Return `describe` without the fields that only add splits; protocols of one family share their splits."""
        return {k: v for k, v in self.describe().items() if k not in self.extendable}


def n_rows(X: Any) -> int:
    """Return the number of rows of an array, a frame, a sparse matrix or a list."""
    shape = getattr(X, "shape", None)
    return int(shape[0]) if shape is not None else len(X)


def split_seed(seed: int, *names: object) -> int:
    """Return the 31-bit seed that belongs to these names, as scikit-learn's splitters take it."""
    return int(named_stream(seed, "split", *names).integers(2**31 - 1))


def class_labels(y: Any) -> Any:
    """Return `y` as an array if it holds classes, else None (missing, or numbers on a scale).

    Floats count as classes only when they are a handful of whole numbers; everything that is not a float does.
    """
    if y is None:
        return None
    from bakeoff._core.frames import column_array

    labels = column_array(y)
    if labels.dtype.kind == "f" and (not np.array_equal(labels, np.round(labels)) or len(np.unique(labels)) > 20):
        return None
    return labels if labels.dtype.kind != "O" else labels.astype(str)


def check_members(y: Any, minimum: int, where: str) -> None:
    """Raise if a class has fewer than `minimum` rows, naming it."""
    classes, counts = np.unique(y, return_counts=True)
    fewest = int(counts.min())
    if fewest < minimum:
        rare = classes[counts.argmin()].item()
        have = f"{fewest} row{'s' * (fewest != 1)}"
        if len(classes) > 20:
            hint = f"y has {len(classes)} distinct values: for regression set stratify=False, or give y as floats"
        else:
            hint = "use fewer folds, merge or drop the rare class, or set stratify=False"
        raise EvidenceError(
            f"{where} needs at least {minimum} rows of every class, but class {rare!r} has {have}.", hint=hint
        )


def check_rows(n: int, minimum: int, where: str) -> None:
    """Raise if there are fewer rows than the protocol needs."""
    if n < minimum:
        raise EvidenceError(f"{where} needs at least {minimum} rows. Got {n}.")


def group_labels(groups: ArrayLike | None, n: int, minimum: int, where: str) -> Any:
    """Return one group per row as integers; raise when they are missing or too few."""
    if groups is None:
        raise EvidenceError(f"{where} needs the group of every row. Got none.", hint="give groups= with the data set")
    from bakeoff._core.frames import column_array

    array = column_array(groups)
    if array.shape != (n,):
        raise EvidenceError(f"groups must name one group per row ({n}). Got shape {array.shape} instead.")
    distinct, codes = np.unique(array.astype(str) if array.dtype.kind == "O" else array, return_inverse=True)
    if len(distinct) < minimum:
        raise EvidenceError(f"{where} needs at least {minimum} groups. Got {len(distinct)}.")
    return codes


def wants_groups(grouped: bool | None, groups: Any) -> bool:
    """Rows of a group stay together unless that was refused; asking for it makes groups necessary."""
    return groups is not None if grouped is None else grouped


def check_flag(name: str, value: object, *, optional: bool = False) -> None:
    """Raise unless `value` is True or False (or None where that is allowed)."""
    if isinstance(value, bool) or (optional and value is None):
        return
    allowed = "True, False or None" if optional else "True or False"
    raise ParameterError(f"{name} must be {allowed}. Got {value!r} instead.")
