"""Data sets: features, truth, and what must be known before any model is fitted."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.frames import column_array, columns_of, in_order_of, index_of, is_frame
from bakeoff._core.validation import as_array, check_choice
from bakeoff.evidence import (
    CLASSIFICATION,
    REGRESSION,
    Target,
    check_rows,
    check_truth,
    distinct_labels,
    first_missing,
    guess_task,
    refuse_marks,
    settle_target,
)
from bakeoff.runner._fingerprint import data_fingerprint


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Rows to learn from and to be tested on.

    Parameters
    ----------
    X
        Features: an array, a sparse matrix, or a pandas or Polars frame (categorical columns stay as they are).
    y
        True labels (strings, whole numbers, booleans) or, for regression, numbers.
    name
        The data set's name in tables and in the store.
    task
        ``"classification"`` or ``"regression"``; by default what the models are, else what `y` looks like.
    pos_label
        The positive class of two; may be left out for {0, 1}, {-1, 1} and {False, True}.
    groups
        Group of each row (patient, site, document); rows of a group stay together in splits.
    sample_weight
        Weight of each row; given to models that take it, and to the measures.

    Examples
    --------
    >>> from bakeoff.runner import Dataset
    >>> Dataset([[0.0], [1.0], [2.0]], ["no", "yes", "yes"], name="tiny", pos_label="yes")
    Dataset('tiny', 3 rows, 1 feature, classification)
    """

    X: Any
    y: Any
    _: KW_ONLY
    name: str = "data"
    task: str | None = None
    pos_label: Hashable | None = None
    groups: Any = None
    sample_weight: Any = None
    truth: NDArray[Any] = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name.strip():
            raise ParameterError(f"the name of a data set must be text. Got {self.name!r} instead.")
        if self.task is not None:
            check_choice("task", self.task, (CLASSIFICATION, REGRESSION))
        index = index_of(self.X)
        for name in ("y", "groups", "sample_weight"):  # rows are matched by pandas' labels, as pandas does
            aligned = in_order_of(index, getattr(self, name), f"{name} of data set {self.name!r}")
            object.__setattr__(self, name, aligned)
        truth = check_truth(self.name, self.y)
        object.__setattr__(self, "truth", truth)
        if isinstance(self.X, (list, tuple)):
            object.__setattr__(self, "X", as_array(f"X of data set {self.name!r}", self.X))
        check_rows(self.name, "X", self.X, truth.size)
        for name in ("groups", "sample_weight"):
            values = getattr(self, name)
            if values is not None:
                column = column_array(values)
                check_rows(self.name, name, column, truth.size)
                object.__setattr__(self, name, column)
        _check_extras(self)

    def __repr__(self) -> str:
        width = self.n_features
        return f"Dataset({self.name!r}, {self.n} rows, {width} feature{'s' * (width != 1)}, {self.resolved_task()})"

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.truth.size)

    @property
    def n_features(self) -> int:
        """Number of feature columns."""
        shape = getattr(self.X, "shape", (0, 1))
        return int(shape[1]) if len(shape) > 1 else 1

    def resolved_task(self, models_task: str | None = None) -> str:
        """Return the task: what was given, else what the models are for, else what the truth looks like."""
        return self.task or models_task or guess_task(self.truth)

    @cached_property
    def missing_features(self) -> int:
        """Number of missing values (NaN, None) among the features."""
        return _count_missing(self.X)

    def prepared(self, models_task: str | None = None) -> PreparedDataset:
        """Settle task, classes and positive class, checking that the truth fits them."""
        task = self.resolved_task(models_task)
        if self.task is None and task == CLASSIFICATION:
            labels = distinct_labels(self.truth)
            hint = (
                "leave those rows out (drop_missing = true in the experiment file); if it is a class, say so with task"
            )
            refuse_marks(self.truth, labels, f"data set {self.name!r}: the target", hint=f"{hint}='classification'")
        return PreparedDataset(self, settle_target(self.name, self.truth, task, self.pos_label))


@dataclass(frozen=True, eq=False)
class PreparedDataset:
    """A data set with its task settled: what the runner works on."""

    source: Dataset
    target: Target

    @property
    def name(self) -> str:
        """The data set's name."""
        return self.source.name

    @cached_property
    def fingerprint(self) -> str:
        """Hash of everything that can change a prediction."""
        source = self.source
        shown = f"{self.target.task}:{self.target.pos_label!r}"
        return data_fingerprint(source.X, self.target.y, source.groups, source.sample_weight, shown)


def as_datasets(datasets: object) -> list[Dataset]:
    """Return data sets from one, a list of them, or a mapping name → data set, (X, y) or scikit-learn's bunch."""
    if isinstance(datasets, Dataset) or _is_bunch(datasets):
        datasets = [datasets]
    if isinstance(datasets, tuple) and len(datasets) == 2 and not isinstance(datasets[0], (Dataset, str)):
        datasets = {"data": datasets}
    if isinstance(datasets, Mapping):
        found = [_as_dataset(value, str(name)) for name, value in datasets.items()]
    elif isinstance(datasets, Sequence) and not isinstance(datasets, str):
        found = [_as_dataset(value, None) for value in datasets]
    else:
        found = [_as_dataset(datasets, None)]
    if not found:
        raise ParameterError("datasets must name at least one data set. Got none.")
    refuse_repeated((d.name for d in found), "data sets")
    return found


def _as_dataset(value: object, name: str | None) -> Dataset:
    if isinstance(value, str):
        from bakeoff.runner._sources import load_dataset

        value = load_dataset(value, name=name)
    if isinstance(value, Dataset):
        return value if name in (None, value.name) else _renamed(value, str(name))
    if isinstance(value, Mapping) and _is_bunch(value):
        return Dataset(value["data"], value["target"], name=name or "data")
    if isinstance(value, (tuple, list)) and len(value) in (2, 3):
        return Dataset(value[0], value[1], name=name or "data", groups=value[2] if len(value) == 3 else None)
    raise ParameterError(
        f"a data set must be a Dataset, (X, y), (X, y, groups) or a name such as 'sklearn:iris'. "
        f"Got {type(value).__name__} instead."
    )


def _renamed(dataset: Dataset, name: str) -> Dataset:
    kept = {k: getattr(dataset, k) for k in ("task", "pos_label", "groups", "sample_weight")}
    return Dataset(dataset.X, dataset.y, name=name, **kept)


def _is_bunch(value: object) -> bool:
    return isinstance(value, Mapping) and {"data", "target"} <= set(value) and not isinstance(value["data"], Dataset)


def refuse_repeated(names: Iterable[str], what: str) -> None:
    """Raise when two of `what` share a name."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ParameterError(f"two {what} are named {name!r}.", hint="give each a name of its own")
        seen.add(name)


def _check_extras(dataset: Dataset) -> None:
    weight = dataset.sample_weight
    if weight is not None:
        numbers = np.asarray(weight, dtype=np.float64)
        if not np.isfinite(numbers).all() or (numbers < 0).any() or not numbers.any():
            raise EvidenceError(f"data set {dataset.name!r}: weights must be finite, not negative, and not all zero.")
        object.__setattr__(dataset, "sample_weight", numbers)
    if dataset.groups is not None and (gap := first_missing(dataset.groups)) is not None:
        raise EvidenceError(f"data set {dataset.name!r}: groups must not be missing, but row {gap} has none.")


def _count_missing(X: Any) -> int:
    if hasattr(X, "tocsr"):
        return int(np.isnan(X.data).sum()) if X.data.dtype.kind == "f" else 0
    if is_frame(X):
        return sum(_count_missing(column) for column in columns_of(X).values())
    array = np.asarray(X)
    if array.dtype.kind == "f":
        return int(np.isnan(array).sum())
    if array.dtype.kind == "O":
        return sum(v is None or v != v for v in array.ravel().tolist())
    return 0
