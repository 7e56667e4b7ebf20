"""Which columns of a wide table are models, and which rows its data sets: known by name, or asked for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Note

Columns = Mapping[str, NDArray[Any]]

# Columns that describe a row, whatever their numbers are.
_WORDS_NOT_MODELS = (
    "id ids index idx item items item_id instance instance_id row rows row_id n n_rows nrows n_train n_test n_items "
    "size count weight weights sample_weight frequency seed random_state unnamed:_0 _duplicated_0 timestamp date key "
    "uid uuid case case_id question question_id doc_id document group groups cluster topic"
)
_NOT_MODELS = frozenset(_WORDS_NOT_MODELS.split()) | {""}
_IDENTIFIERS = ("", "id", "ids", "index", "idx", "row", "row_id", "uid", "uuid", "case_id", "instance_id", "unnamed:_0")
_DATASETS = ("dataset", "data_set", "data", "datasets", "problem", "task", "benchmark")
_SPLITS = ("fold", "split", "repeat", "run", "cv", "iteration", "iter", "replicate", "attempt", "epoch", "trial")
_TRUTHS = ("y", "y_true", "truth", "target", "label", "labels", "actual", "ground_truth")
_MODELS = ("model", "models", "algorithm", "classifier", "method", "system", "learner", "estimator", "approach")
_WORDS_SUMMARIES = (
    "mean average avg median std sd stdev var variance min max sum total count rank ranks mean_rank average_rank "
    "25% 50% 75%"
)
_SUMMARIES = frozenset(_WORDS_SUMMARIES.split())
_MANY = 20
_FEW = 5  # so few may well grow by chance


def plain(name: str) -> str:
    """A heading without case and spaces."""
    return "_".join(name.split()).casefold()


def dataset_column(names: Iterable[str]) -> str | None:
    """The column that by its heading names the data sets."""
    return next((n for n in names if plain(n) in _DATASETS), None)


def describes_rows(name: str) -> bool:
    """Whether a column by its heading is about the rows themselves: their number, weight or size."""
    return plain(name) in _NOT_MODELS


def rows_are_models(heading: str) -> bool:
    """Whether the text column says that rows are models, and columns data sets."""
    return plain(heading) in _MODELS


def refuse_unnamed_folds(names: Iterable[str]) -> None:
    """Rows that a left-over column tells apart as folds are no data sets."""
    fold = next((n for n in names if plain(n) in _SPLITS), None)
    if fold is not None:
        raise EvidenceError(
            f"the column {fold!r} seems to tell folds apart, but the rows would be taken as data sets.",
            hint=_split_hint(fold, "scores") + ", or take the column out of the table",
        )


def refuse_summaries(names: Iterable[str]) -> None:
    """A row of means below the data sets is no data set."""
    found = [n for n in names if plain(n) in _SUMMARIES]
    if found:
        raise EvidenceError(
            f"the row {found[0]!r} looks like a summary of the others, not like a data set.",
            hint="take rows of means, deviations and ranks out of the table",
        )


def model_columns(columns: Columns, *, what: str) -> tuple[dict[str, NDArray[Any]], tuple[Note, ...]]:
    """Keep the columns that can be models; what is left out is told, what is not clear is asked."""
    left = [n for n in columns if plain(n) in _NOT_MODELS]
    kept = {n: v for n, v in columns.items() if n not in left}
    for name, values in kept.items():
        if len(kept) > 1:
            _ask_about(name, values, [v for n, v in kept.items() if n != name], what)
    if not left or not kept:
        return dict(kept or columns), ()
    named = ", ".join(repr(n) if n else "the unnamed column" for n in left)
    return kept, (Note("not-models", Text("Left out, as no models by their names: {names}.", names=named)),)


def can_be_model(name: str, values: NDArray[Any]) -> bool:
    """Whether a column of numbers may hold a model's output, by its heading and its numbers."""
    describes = plain(name) in (*_NOT_MODELS, *_SPLITS, *_DATASETS)
    return not describes and not _is_identifier(np.asarray(values, dtype=np.float64))


def _ask_about(name: str, values: NDArray[Any], others: Sequence[NDArray[Any]], what: str) -> None:
    numbers = np.asarray(values, dtype=np.float64)
    listed = "or list the columns of the models with models= (--models)"
    if plain(name) in _SPLITS:
        raise EvidenceError(
            f"the column {name!r} seems to tell rows apart, and is no model.",
            hint=f"{_split_hint(name, what)}, {listed}",
        )
    if plain(name) in _TRUTHS or (what == "scores" and _is_truth_among_scores(numbers, others)):
        raise EvidenceError(
            f"the column {name!r} looks like the truth, not like a model.",
            hint=f"for predictions name it with y_true= (--truth), {listed}",
        )
    if _is_identifier(numbers) and not all(_is_identifier(np.asarray(o, dtype=np.float64)) for o in others):
        raise EvidenceError(
            f"the column {name!r} holds different whole numbers, as an identifier or a size does.",
            hint=f"take it out of the table, {listed}",
        )


def _split_hint(name: str, what: str) -> str:
    if what == "scores":
        return f"for rows that are folds of one data set give fold={name!r} (--fold {name})"
    return f"name it with attempt={name!r} (--attempt {name}), and the column of the items with item= (--item)"


def _is_truth_among_scores(numbers: NDArray[np.float64], others: Sequence[NDArray[Any]]) -> bool:
    """0 and 1 in one column, fractions in the others, and more rows than anyone has data sets."""
    if numbers.size < _MANY or not np.isin(numbers, (0, 1)).all() or np.unique(numbers).size < 2:
        return False
    return not any(_is_whole(np.asarray(o, dtype=np.float64)) for o in others)


def _is_whole(numbers: NDArray[np.float64]) -> bool:
    finite = numbers[np.isfinite(numbers)]
    return bool(finite.size) and bool((finite == np.rint(finite)).all())


def is_identifier(name: str, values: NDArray[Any]) -> bool:
    """Whether a column of a table of features only names its rows: by its heading, and all different."""
    if plain(name) not in _IDENTIFIERS or values.dtype.kind not in "iuOU":
        return False
    return len(set(values.tolist())) == len(values)


def _is_identifier(numbers: NDArray[np.float64]) -> bool:
    """All different whole numbers that only grow, or only fall."""
    if numbers.size < _FEW or not np.isfinite(numbers).all() or not _is_whole(numbers):
        return False
    steps = np.diff(numbers)
    return bool((steps > 0).all() or (steps < 0).all())
