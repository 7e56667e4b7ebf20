"""What a report is about: the results given, and those it computes from the predictions among them."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bakeoff._core.errors import BakeoffError, BakeoffWarning, ParameterError
from bakeoff._core.language import joined
from bakeoff._core.result import Note, warning_note
from bakeoff.comparison import Comparison, compare
from bakeoff.decision import (
    CostCurve,
    Decision,
    MulticlassContext,
    OperatingContext,
    RocAnalysis,
    RocHull,
    cost_curves,
    decide,
    roc,
)
from bakeoff.evidence import Predictions, Scores
from bakeoff.intervals import Evaluation, evaluate
from bakeoff.measures import score_predictions

_watcher: ContextVar[Callable[[str], None] | None] = ContextVar("bakeoff_report_watcher", default=None)
_MOST_DRAWN = 400_000_000  # rows × models × resamples: about a minute


@dataclass
class Material:
    """Everything the sections draw on; what is not there is left out of the report."""

    predictions: Predictions | None = None
    scores: Scores | None = None
    evaluation: Evaluation | None = None
    comparison: Comparison | None = None
    decision: Decision | None = None
    context: OperatingContext | MulticlassContext | None = None
    roc: RocAnalysis | None = None
    costs: CostCurve | None = None
    run: Any = None
    measure: str | None = None
    rng: int = 0
    sources: tuple[Path, ...] = ()
    command: str = ""
    steps: bool = False
    problems: tuple[Note, ...] = ()

    @property
    def binary(self) -> bool:
        """Whether there is one two-class data set with a named positive class."""
        if self.predictions is None or len(self.predictions.datasets) != 1:
            return False
        rows = self.predictions.table()
        return rows.positive is not None and rows.task == "binary"

    @property
    def compared(self) -> str:
        """The measure that everything rests on: the one compared, else the one asked for, else what `compare` takes."""
        if self.comparison is not None:
            return self.comparison.measure
        assert self.evaluation is not None
        measures = self.evaluation.measures
        asked = (self.measure, self.evaluation._first)
        return next((name for name in asked if name in measures), measures[0])

    @property
    def right_or_wrong(self) -> bool:
        """Whether there is one data set of items that every model got right or wrong."""
        if self.predictions is None or len(self.predictions.datasets) != 1:
            return False
        rows = self.predictions.table()
        return rows.solved_or_not() and not rows.unequal


_KINDS: tuple[tuple[type, str], ...] = (
    (Predictions, "predictions"),
    (Scores, "scores"),
    (Evaluation, "evaluation"),
    (Comparison, "comparison"),
    (Decision, "decision"),
    (OperatingContext, "context"),
    (MulticlassContext, "context"),
    (RocAnalysis, "roc"),
    (CostCurve, "costs"),
)


def gather(
    results: Sequence[Any],
    *,
    measure: str | None,
    rng: int,
    sources: Sequence[str | Path] = (),
    command: str = "",
    steps: bool = False,
) -> Material:
    """Sort the results by kind, then compute what the predictions or scores among them can still tell."""
    material = Material(measure=measure, rng=rng, sources=tuple(map(Path, sources)), command=command, steps=steps)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)  # every warning is a note in the report
        for result in results:
            _place(material, result)
        _complete(material, measure, rng)
    return material


def _place(material: Material, result: Any) -> None:
    for kind, name in _KINDS:
        if isinstance(result, kind):
            if getattr(material, name) is not None:
                raise ParameterError(f"report takes one {kind.__name__}. Got two.")
            setattr(material, name, result)
            return
    if isinstance(result, RocHull):
        return
    if callable(getattr(result, "predictions", None)) and hasattr(result, "failures"):  # what `run` returns
        material.run = result
        whole = result.complete
        if len(whole) in (0, 1, len(result.models)):
            material.predictions = result.predictions()
            return
        material.predictions = result.predictions(models=whole)  # a model that failed on some splits costs no other any
        if material.evaluation is None:
            material.evaluation = _try(material, result.evaluate, baselines=True)
        return
    raise ParameterError(
        f"report cannot show {type(result).__name__}.",
        hint="give Predictions, Scores, the Results of a run, or what evaluate, compare, decide or roc return",
    )


def _complete(material: Material, measure: str | None, rng: int) -> None:
    predictions = material.predictions
    if predictions is not None:
        if material.evaluation is None:
            many = _resamples(predictions)
            right = material.right_or_wrong and not predictions.table().less_is_better
            wanted = ["accuracy"] if right else None  # outcomes of 0 and 1 have one mean, under one name
            material.evaluation = _try(
                material, evaluate, predictions, wanted, rng=rng, baselines=True, n_resamples=many
            )
        if material.comparison is None and len(predictions.models) > 1:
            material.comparison = _try(material, compare, predictions, measure, rng=rng)
        if material.binary:
            _complete_binary(material, predictions, rng)
        if material.decision is None and material.context is not None:
            material.decision = _try(material, decide, predictions, material.context, rng=rng)
    elif material.scores is not None and material.comparison is None and len(material.scores.models) > 1:
        material.comparison = _try(material, compare, material.scores, rng=rng)
    if material.scores is None and predictions is not None and material.comparison is not None and _parted(predictions):
        material.scores = _try(material, score_predictions, predictions, material.comparison.measure)


def _parted(predictions: Predictions) -> bool:
    """Whether there are folds or data sets to show side by side."""
    return len(predictions.datasets) > 1 or predictions.design.n_splits > 1


def _resamples(predictions: Predictions) -> int:
    """Fewer resamples where there are very many rows: their intervals are narrow anyway."""
    cells = sum(rows.truth.size * len(rows.models) for rows in predictions)
    return int(min(2000, max(200, _MOST_DRAWN // max(cells, 1))))


def _complete_binary(material: Material, predictions: Predictions, rng: int) -> None:
    rows = predictions.table()
    if not any(rows.provides(m, "scores") or rows.provides(m, "labels") for m in rows.models):
        return
    if material.roc is None:
        material.roc = _try(material, roc, predictions)
    if material.costs is None:
        material.costs = _try(material, cost_curves, predictions, rng=rng)


@contextmanager
def watched(told: Callable[[str], None]) -> Iterator[None]:
    """Inside the block, `told` hears of every longer step before it begins; what it raises ends the report."""
    token = _watcher.set(told)
    try:
        yield
    finally:
        _watcher.reset(token)


def begin(step: str) -> None:
    """Tell whoever watches that a step begins."""
    told = _watcher.get()
    if told is not None:
        told(step)


def _try(material: Material, verb: Any, *arguments: Any, **options: Any) -> Any:
    """Run a verb; what it refuses becomes a note, so that one hole does not cost the whole report."""
    begin(verb.__name__)
    try:
        return verb(*arguments, **options)
    except BakeoffError as problem:
        material.problems = (*material.problems, warning_note("not-shown", joined([f"{verb.__name__}:", problem.text])))
        return None
