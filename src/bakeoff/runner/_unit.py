"""A unit of work: one model, fitted on one training part, tested on one test part."""

from __future__ import annotations

import json
import os
import time
import traceback
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import BakeoffError, EvidenceError
from bakeoff._core.result import jsonable
from bakeoff._core.text import shorten
from bakeoff._core.validation import named_stream
from bakeoff.evidence import Columns, ask, take_rows
from bakeoff.protocols import TrainTestSplit
from bakeoff.runner._dataset import PreparedDataset
from bakeoff.runner._fingerprint import split_fingerprint, unit_key
from bakeoff.runner._meter import MemoryPeak, global_seed, inner_threads, same_process
from bakeoff.runner._models import Model, fit_arguments, with_seed
from bakeoff.runner._records import FailureFacts, FitFacts, Json, UnitFacts

_WARNINGS_KEPT = 5
_LONGEST_MESSAGE = 2_000
_LONGEST_TRACE = 20_000


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """What is to be done: the split of a data set, the model, the seed, and the key it will be stored under."""

    key: str
    dataset: str
    model: str
    split: TrainTestSplit
    seed: int

    @property
    def label(self) -> str:
        """Name the unit for a person."""
        return f"{self.model} on {self.dataset}, repeat {self.split.repeat}, fold {self.split.fold}"

    def facts(self) -> UnitFacts:
        """What is known before the work."""
        split = self.split
        return UnitFacts(
            key=self.key,
            dataset=self.dataset,
            model=self.model,
            repeat=split.repeat,
            fold=split.fold,
            role=split.role,
            seed=self.seed,
            n_train=int(np.count_nonzero(np.bincount(split.train))),  # a bootstrap repeats rows
            n_test=int(split.test.size),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Done:
    """Predictions of a unit, column by column, and what it cost."""

    unit: Unit
    columns: Columns
    fit: FitFacts


@dataclass(frozen=True, slots=True, eq=False)
class Failed:
    """What went wrong with a unit.

    Attributes
    ----------
    kind
        ``"error"`` (the model raised), ``"invalid-output"`` (NaN, unknown labels …), ``"memory"``, ``"timeout"`` or
        ``"worker-died"``.
    """

    unit: Unit
    kind: str
    message: str
    traceback: str = ""
    seconds: float = 0.0
    attempts: int = 1

    def facts(self) -> FailureFacts:
        """What is stored of it, besides which unit it was."""
        names = ("kind", "message", "traceback", "seconds", "attempts")
        return FailureFacts(**{name: getattr(self, name) for name in names})


Outcome: TypeAlias = "Done | Failed"


class InvalidOutput(EvidenceError):
    """A model's answers are not what answers must be."""


def make_units(dataset: PreparedDataset, models: Iterable[Model], split: TrainTestSplit, seed: int) -> Iterator[Unit]:
    """Name the units of a split: their seed is shared by all models, their keys say all that determines each."""
    split = replace(split, test=np.sort(split.test))  # rows are stored in one order, whatever the splitter's was
    own_seed = int(named_stream(seed, "unit", split.repeat, split.fold).integers(2**31 - 1))
    rows = split_fingerprint(split.train, split.test)
    place = split.repeat, split.fold, split.role
    for model in models:
        names = dataset.name, dataset.fingerprint, model.name, model.fingerprint
        key = unit_key(*names, *place, rows, own_seed)
        yield Unit(key, dataset.name, model.name, split, own_seed)


def perform(unit: Unit, dataset: PreparedDataset, model: Model, *, threads: int | None = 1) -> Outcome:
    """Fit and ask; whatever the model does comes back as an outcome. Only Ctrl-C gets through."""
    process = os.getpid()
    try:
        return _performed(unit, dataset, model, threads)
    finally:
        if os.getpid() != process:  # forked by the model: it must not go on as if it were the run
            os._exit(0)


def _performed(unit: Unit, dataset: PreparedDataset, model: Model, threads: int | None) -> Outcome:
    start = time.perf_counter()
    try:
        with (
            same_process(),
            inner_threads(threads),
            global_seed(unit.seed),
            warnings.catch_warnings(record=True) as caught,
        ):
            warnings.simplefilter("always")
            columns, fit = _fit_and_ask(unit, dataset, model)
        return Done(unit, columns, replace(fit, warnings=_distinct(caught)))
    except KeyboardInterrupt:
        raise
    except BaseException as problem:  # also SystemExit: a model must not end the run
        seconds = time.perf_counter() - start
        return Failed(unit, _kind(problem), _message(problem), _trace(), seconds)


def _fit_and_ask(unit: Unit, dataset: PreparedDataset, model: Model) -> tuple[Columns, FitFacts]:
    train, test = unit.split.train, unit.split.test
    source = dataset.source
    estimator = with_seed(model.fresh(), unit.seed)
    weight = None if source.sample_weight is None else source.sample_weight[train]
    groups = None if source.groups is None else source.groups[train]
    arguments = fit_arguments(estimator, weight, groups)
    X_train, y_train, X_test = take_rows(source.X, train), dataset.target.y[train], take_rows(source.X, test)
    memory, start = MemoryPeak(), time.perf_counter()
    fitted = estimator.fit(X_train, y_train, **arguments)
    fit_time = time.perf_counter() - start
    fitted = estimator if fitted is None else fitted
    try:
        columns, seconds = ask(fitted, X_test, dataset.target, y_train)
        _check_length(columns, test.size)
    except EvidenceError as problem:
        raise InvalidOutput(problem.message, hint=problem.hint) from None
    fit = FitFacts(
        fit_time=fit_time,
        predict_time=seconds.predict,
        score_time=seconds.score,
        peak_memory=memory.bytes(),
        chosen=chosen_parameters(fitted),
        weighted_fit=None if weight is None else any(k.endswith("sample_weight") for k in arguments),
    )
    return {**_row_columns(unit, dataset), **columns}, fit


def _row_columns(unit: Unit, dataset: PreparedDataset) -> Columns:
    test = unit.split.test
    columns: dict[str, NDArray[Any]] = {
        "repeat": np.full(test.size, unit.split.repeat, np.int32),
        "fold": np.full(test.size, unit.split.fold, np.int32),
        "instance": test.astype(np.int64),
        "y_true": dataset.target.y[test],
    }
    source = dataset.source
    if source.groups is not None:
        columns["group"] = _plain_groups(source.groups[test])
    if source.sample_weight is not None:
        columns["weight"] = source.sample_weight[test]
    return columns


def _plain_groups(groups: NDArray[Any]) -> NDArray[Any]:
    return groups.astype(np.int64) if groups.dtype.kind in "iu" else groups.astype(str)


def _check_length(columns: Columns, n: int) -> None:
    for name, values in columns.items():
        if values.shape[0] != n:
            raise EvidenceError(f"{name} must have one answer per test row ({n}). Got {values.shape[0]}.")


def chosen_parameters(model: Any) -> Json | None:
    """Return what a tuned model chose (``best_params_``), also when it is the last step of a pipeline."""
    steps = getattr(model, "steps", None)
    if steps:
        return chosen_parameters(steps[-1][1])
    best = getattr(model, "best_params_", None)
    if not isinstance(best, Mapping):
        return None
    parameters: Json = json.loads(json.dumps(jsonable(best)))
    return parameters


def _distinct(caught: list[warnings.WarningMessage]) -> tuple[str, ...]:
    texts = (" ".join(f"{w.category.__name__}: {w.message}".split())[:300] for w in caught)
    return tuple(dict.fromkeys(texts))[:_WARNINGS_KEPT]


def _kind(problem: BaseException) -> str:
    if isinstance(problem, MemoryError):
        return "memory"
    return "invalid-output" if isinstance(problem, InvalidOutput) else "error"


def _message(problem: BaseException) -> str:
    text = shorten(_words(problem), _LONGEST_MESSAGE)
    return f"{type(problem).__name__}: {text}" if text else type(problem).__name__


def _words(problem: BaseException) -> str:
    """What an exception says of itself; nothing where saying it fails, too."""
    try:
        return Exception.__str__(problem) if isinstance(problem, BakeoffError) else str(problem)  # English in a store
    except Exception:  # the model's own class of exceptions
        return ""


def _trace() -> str:
    """Return the traceback of what is being handled; of a very long one both ends."""
    text = traceback.format_exc()
    if len(text) <= 2 * _LONGEST_TRACE:
        return text
    return f"{text[:_LONGEST_TRACE]}\n…\n{text[-_LONGEST_TRACE:]}"
