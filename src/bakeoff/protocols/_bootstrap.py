"""Bootstrap: train on rows drawn with replacement, test on those not drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from bakeoff._core.errors import EvidenceError
from bakeoff._core.validation import IntArray, check_choice, check_count, named_stream
from bakeoff.evidence import BOOTSTRAP
from bakeoff.protocols._base import (
    Implications,
    Protocol,
    TrainTestSplit,
    check_flag,
    check_rows,
    class_labels,
    group_labels,
    n_rows,
    wants_groups,
)

ESTIMATORS = ("plain", "632", "632+")
_OUT_OF_BAG = float(np.exp(-1))


@dataclass(frozen=True)
class Bootstrap(Protocol):
    """Out-of-bag bootstrap with the plain, .632 or .632+ estimate (Efron and Tibshirani 1997); for very small data.

    A training sample holds about 63.2 % of the distinct rows, so the out-of-bag error is pessimistic; .632 mixes it
    with the apparent error (the model tested on its own training rows), and .632+ does so by how much it overfits.

    Parameters
    ----------
    n_resamples
        How many samples to draw.
    estimator
        ``"632+"`` (default), ``"632"`` or ``"plain"`` (the out-of-bag error itself).
    grouped
        Draw groups instead of rows. None (default): whenever the data set has groups.

    Notes
    -----
    A draw without an out-of-bag row, or with a single class where the data have several, cannot be used and is drawn
    again; past about 20 rows this practically never happens.

    References
    ----------
    Efron, B. and Tibshirani, R. (1997). Improvements on cross-validation: the .632+ bootstrap method. Journal of the
    American Statistical Association 92(438). doi:10.1080/01621459.1997.10474007

    Examples
    --------
    >>> from bakeoff.protocols import Bootstrap
    >>> train, test = next(Bootstrap(50).split(range(100)))
    >>> len(train), set(train) & set(test)
    (100, set())
    """

    n_resamples: int = 200
    _: KW_ONLY
    estimator: str = "632+"
    grouped: bool | None = None

    kind: ClassVar[str] = BOOTSTRAP
    extendable: ClassVar[tuple[str, ...]] = ("n_resamples", "estimator")

    def __post_init__(self) -> None:
        check_count("n_resamples", self.n_resamples)
        check_choice("estimator", self.estimator, ESTIMATORS)
        check_flag("grouped", self.grouped, optional=True)

    def splits(self, X: Any, y: Any = None, groups: Any = None, *, seed: int = 0) -> Iterator[TrainTestSplit]:
        """Draw the samples; each is a repeat of one fold. See `Protocol.splits`."""
        n = n_rows(X)
        check_rows(n, 3, "the bootstrap")
        labels = class_labels(y)
        units = np.arange(n)
        if wants_groups(self.grouped, groups):
            units = group_labels(groups, n, 3, "the grouped bootstrap")
        for repeat in range(self.n_resamples):
            train, test = _draw(units, labels, named_stream(seed, BOOTSTRAP, repeat))
            yield TrainTestSplit(repeat, 0, train, test)

    def apparent(self, X: Any) -> TrainTestSplit | None:
        """Return the pair that trains and tests on all rows: the apparent error of .632 and .632+."""
        rows = np.arange(n_rows(X))
        return None if self.estimator == "plain" else TrainTestSplit(0, 0, rows, rows, "apparent")

    def implications(self, n: int, *, n_groups: int | None = None) -> Implications:
        """See `Protocol.implications`; n_train counts distinct rows."""
        repeats, n_train = self.n_resamples, n * (1 - _OUT_OF_BAG)
        inference = f"bootstrap ({self.estimator}): an interval from the rows' out-of-bag errors, same draws for all"
        return Implications(self.kind, n_train, n - n_train, repeats, repeats, 1, 1 - _OUT_OF_BAG, True, inference)


def _draw(units: IntArray, labels: Any, rng: np.random.Generator) -> tuple[IntArray, IntArray]:
    """Draw units with replacement; return the rows drawn (as often as drawn) and the rows left out."""
    n_units, rows = int(units.max()) + 1, np.arange(units.size)
    several = labels is not None and len(np.unique(labels)) > 1
    for _ in range(1000):
        times = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)[units]
        train, test = np.repeat(rows, times), rows[times == 0]
        if test.size and not (several and len(np.unique(labels[train])) < 2):
            return train, test
    raise EvidenceError(
        "no bootstrap sample with two classes could be drawn in 1000 attempts.",
        hint="one class has too few rows for the bootstrap; use leave-one-out",
    )
