"""Wilson's editing rule: remove the rows that their own neighbourhood contradicts."""

from __future__ import annotations

import warnings
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OneToOneFeatureMixin
from sklearn.neighbors import NearestNeighbors
from sklearn.utils.validation import check_consistent_length, validate_data

from bakeoff._core.errors import BakeoffWarning, EvidenceError, ParameterError, unknown_choice
from bakeoff._core.validation import BoolArray, IntArray, check_count
from bakeoff.learners._meta import take_rows
from bakeoff.learners._targets import Targets, check_targets


@dataclass(eq=False, repr=False)
class WilsonEditing(OneToOneFeatureMixin, BaseEstimator):
    """Remove the rows that a vote of their nearest neighbours would classify wrongly (Wilson's edited rule).

    For every row, its `n_neighbors` nearest *other* rows vote; the row is removed if another class gets more votes than
    its own. All rows are checked against the full data, then removed at once, and rows of every class are edited:
    noise and overlap go, on both sides of the border. After SMOTE this cleans the synthetic rows that fell among the
    other class.

    It is not imbalanced-learn's ``EditedNearestNeighbours()``, whose default keeps a row only if *all* its neighbours
    agree with it, and edits every class but the smallest. ``EditedNearestNeighbours(kind_sel="mode",
    sampling_strategy="all")`` is the nearest to Wilson's rule there; it differs where the vote is tied (the lower label
    wins; here a tie keeps the row) and on duplicated rows (a row can be its own neighbour).

    Parameters
    ----------
    n_neighbors
        Voters, 3 in Wilson's paper. Odd numbers cannot tie between two classes.
    sampling_strategy
        The classes whose rows may be removed: ``"all"``, ``"not minority"``, ``"majority"``, or a list of labels.
    metric, n_jobs
        As in `sklearn.neighbors.NearestNeighbors`. Distances depend on the units of the columns: scale them first.

    Attributes
    ----------
    sample_indices_ : array
        Positions of the rows kept.
    sampling_strategy_ : list
        The classes that were edited.

    Notes
    -----
    The sampler interface is imbalanced-learn's (`fit_resample`), so that it stands in its pipelines; this class does
    not need it installed. Rows come back as they were given (array, sparse, pandas, Polars). If the vote would remove
    every row of a class, that class is left unedited, with a warning: nothing could be learned of it otherwise.

    References
    ----------
    Wilson, D. L. (1972). Asymptotic properties of nearest neighbor rules using edited data. IEEE Transactions on
    Systems, Man, and Cybernetics 2(3), 408–421. https://doi.org/10.1109/TSMC.1972.4309137

    Examples
    --------
    A stray "b" among the "a" is removed, a stray "a" among the "b" as well:

    >>> X = [[0], [1], [2], [3], [4], [10], [11], [12], [13], [14]]
    >>> y = ["a", "a", "b", "a", "a", "b", "b", "a", "b", "b"]
    >>> edited, labels = WilsonEditing().fit_resample(X, y)
    >>> [row[0] for row in edited], "".join(labels)
    ([0, 1, 3, 4, 10, 11, 13, 14], 'aaaabbbb')
    """

    _sampling_type = "clean-sampling"

    _: KW_ONLY
    n_neighbors: int = 3
    sampling_strategy: Any = "all"
    metric: str = "minkowski"
    n_jobs: int | None = None

    def fit(self, X: Any, y: Any) -> WilsonEditing:
        """Check the data; nothing is learned before `fit_resample`."""
        targets, _ = self._check(X, y)
        self._choose_classes(targets)
        return self

    def fit_resample(self, X: Any, y: Any) -> tuple[Any, Any]:
        """Return the rows and labels that their neighbourhood does not contradict."""
        targets, numeric = self._check(X, y)
        edited = np.isin(targets.codes, self._choose_classes(targets))
        contradicted = edited & self._contradicted(numeric, targets)
        keep = _keep_every_class(~contradicted, targets)
        self.sample_indices_: IntArray = np.flatnonzero(keep)
        return take_rows(X, self.sample_indices_), take_rows(y, self.sample_indices_)

    def _check(self, X: Any, y: Any) -> tuple[Targets, Any]:
        targets = check_targets(y)
        numeric = validate_data(self, X, accept_sparse=["csr", "csc"])
        check_consistent_length(numeric, targets.labels)
        if len(targets.classes) < 2:
            raise EvidenceError("editing needs rows of at least 2 classes. Got 1 class.")
        return targets, numeric

    def _contradicted(self, X: Any, targets: Targets) -> BoolArray:
        """Tell, for each row, whether some class got more votes than the row's own among its nearest other rows."""
        voters = check_count("n_neighbors", self.n_neighbors)
        if voters >= len(targets.codes):
            raise EvidenceError(
                f"n_neighbors={voters} needs more than {voters} rows. Got {len(targets.codes)}.",
                hint="a row's neighbours are the other rows",
            )
        finder = NearestNeighbors(n_neighbors=voters, metric=self.metric, n_jobs=self.n_jobs).fit(X)
        neighbours = finder.kneighbors(return_distance=False)  # without a query, a row is not its own neighbour
        votes = np.stack([(targets.codes[neighbours] == k).sum(axis=1) for k in range(len(targets.classes))], axis=1)
        own = votes[np.arange(len(votes)), targets.codes]
        return np.asarray(votes.max(axis=1) > own)

    def _choose_classes(self, targets: Targets) -> IntArray:
        """Return the positions of the classes to edit, and keep their labels in `sampling_strategy_`."""
        chosen = _edited_classes(self.sampling_strategy, targets)
        self.sampling_strategy_: list[Any] = targets.classes[chosen].tolist()
        return chosen

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        return tags


def _edited_classes(strategy: Any, targets: Targets) -> IntArray:
    if isinstance(strategy, str):
        return _by_word(strategy, targets.counts(None).astype(np.int64))
    labels: NDArray[Any] = np.asarray(list(strategy))
    unknown = [label for label in labels.tolist() if label not in targets.classes.tolist()]
    if unknown:
        raise ParameterError(f"sampling_strategy names {unknown[0]!r}, not one of {targets.classes.tolist()}.")
    return np.flatnonzero(np.isin(targets.classes, labels))


def _by_word(word: str, counts: IntArray) -> IntArray:
    if word == "all":
        return np.arange(len(counts))
    if word == "not minority":
        return np.flatnonzero(np.arange(len(counts)) != counts.argmin())
    if word == "majority":
        return np.array([counts.argmax()])
    raise unknown_choice("sampling_strategy, when a word,", word, ["all", "not minority", "majority"])


def _keep_every_class(keep: BoolArray, targets: Targets) -> BoolArray:
    """Leave a class unedited if editing would remove its last row."""
    left = np.bincount(targets.codes[keep], minlength=len(targets.classes))
    gone = np.flatnonzero(left == 0)
    if len(gone) == 0:
        return keep
    names = ", ".join(repr(targets.classes.tolist()[k]) for k in gone)
    warnings.warn(
        f"Wilson editing would remove every row of the class {names}, so that class was left unedited.",
        BakeoffWarning,
        stacklevel=3,
    )
    return np.asarray(keep | np.isin(targets.codes, gone))
