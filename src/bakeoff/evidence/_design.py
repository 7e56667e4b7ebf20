"""Design: how the evidence was made, as far as inference needs to know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bakeoff._core.language import Text, joined
from bakeoff._core.result import Result
from bakeoff.evidence._rows import BOOTSTRAP, RESAMPLED


@dataclass(frozen=True, repr=False)
class Design(Result):
    """What the evidence is: its unit of observation, how it was resampled, and its sizes.

    Attributes
    ----------
    unit
        What is observed independently: ``"instances"`` (one test set), ``"folds"`` (one data set, resampled),
        ``"data sets"`` or ``"items"`` (per-item outcomes).
    kind
        ``"test set"``, ``"k-fold"``, ``"5x2cv"``, ``"hold-out"``, ``"leave-one-out"``, `BOOTSTRAP` or ``"scores"``
        (numbers whose resampling is not known).
    task
        ``"binary"``, ``"multiclass"``, ``"regression"``, ``"outcomes"`` or ``""`` when only scores are given.
    n_models, n_datasets, n_rows
        Numbers of models and data sets; rows of the smallest data set (None when only scores are given).
    n_repeats, n_folds, n_splits
        Repeats, folds in each, and train/test pairs in all (J), of the data set that has fewest.
    n_train, n_test
        Mean sizes of the training and test sets; None when not known.
    n_groups
        Clusters of rows, 0 when rows are independent.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 50}, fold=[0, 1, 2, 3, 4] * 20)
    >>> p.design.describe()
    '5-fold cross-validation of 1 model on 1 data set (100 rows)'
    >>> p.design.unit, p.design.n_folds
    ('folds', 5)
    """

    unit: str
    kind: str
    task: str
    n_models: int
    n_datasets: int
    n_rows: int | None = None
    n_repeats: int = 1
    n_folds: int = 1
    n_splits: int = 1
    n_train: float | None = None
    n_test: float | None = None
    n_groups: int = 0

    @property
    def resampled(self) -> bool:
        """Whether training sets overlap, so that fold scores are not independent."""
        return self.kind in RESAMPLED

    def describe(self) -> str:
        """Return it in words: '10 × 10-fold cross-validation of 3 models on 1 data set (569 rows)'."""
        return str(self.description)

    @property
    def description(self) -> Text:
        """The same as a `Text`, for a sentence that is read later."""
        return Text(
            "{protocol} of {models} on {sets}{rows}",
            protocol=_PHRASES[self.kind](self), models=self._models(), sets=self._sets(), rows=self._rows(),
        )  # fmt: skip

    def _models(self) -> Text:
        return Text("1 model") if self.n_models == 1 else Text("{n} models", n=self.n_models)

    def _sets(self) -> Text:
        return Text("1 data set") if self.n_datasets == 1 else Text("{n} data sets", n=self.n_datasets)

    def _rows(self) -> Text | str:
        if self.n_rows is None:
            return ""
        several = self.n_datasets > 1
        rows = Text("at least {n} rows", n=self.n_rows) if several else Text("{n} rows", n=self.n_rows)
        return joined([" (", rows, ")"], "")


def _k_fold_phrase(design: Design) -> Text:
    once = Text("{k}-fold cross-validation", k=design.n_folds)
    return joined([f"{design.n_repeats} ×", once]) if design.n_repeats > 1 else once


def _hold_out_phrase(design: Design) -> Text:
    return Text("1 hold-out split") if design.n_splits == 1 else Text("{n} hold-out splits", n=design.n_splits)


_PHRASES: dict[str, Callable[[Design], Text]] = {
    "test set": lambda d: Text("one test set"),
    "k-fold": _k_fold_phrase,
    "5x2cv": lambda d: Text("5×2 cross-validation"),
    "hold-out": _hold_out_phrase,
    "leave-one-out": lambda d: Text("leave-one-out"),
    BOOTSTRAP: lambda d: Text("{n} bootstrap resamples", n=d.n_splits),
    "scores": lambda d: Text("scores"),
}
