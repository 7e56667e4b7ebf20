"""Which columns of a wide table are models, and which rows its data sets: known by name, or asked for."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array
from bakeoff._core.language import Text, joined
from bakeoff._core.result import Note
from bakeoff.evidence import hooks

Columns = Mapping[str, NDArray[Any]]

# Columns that describe a row, whatever their numbers are.
_WORDS_NOT_MODELS = (
    "id ids index idx item items item_id instance instance_id row rows row_id n n_rows nrows n_train n_test n_items "
    "size count weight weights sample_weight frequency seed random_state unnamed:_0 _duplicated_0 timestamp date key "
    "uid uuid case case_id question question_id doc_id document group groups cluster topic samples n_samples features "
    "n_features n_classes instances n_instances cases n_cases observations n_observations imbalance imbalance_ratio "
    "year batch_size n_params n_parameters level_0 dataset_id version"
)
_NOT_MODELS = frozenset(_WORDS_NOT_MODELS.split()) | {""}
_IDENTIFIERS = ("", "id", "ids", "index", "idx", "row", "row_id", "uid", "uuid", "case_id", "instance_id", "unnamed:_0")
_DATASETS = ("dataset", "data_set", "data", "datasets", "problem", "task", "benchmark")
_SPLITS = (
    "fold", "split", "repeat", "run", "cv", "iteration", "iter", "replicate", "attempt", "epoch", "trial", "rep",
    "repetition", "partition",
)  # fmt: skip
_NUMBERED = ("id", "no", "nr", "number", "num", "idx", "index", "cv")  # fold_id is a fold
_TRUTHS = ("y", "y_true", "truth", "target", "label", "labels", "actual", "ground_truth")
_MODELS = ("model", "models", "algorithm", "classifier", "method", "system", "learner", "estimator", "approach")
_WORDS_SUMMARIES = (
    "mean means average averages avg median std sd se stdev stddev var variance min minimum max maximum sum total "
    "count rank ranks overall summary wins losses ties pvalue ø σ μ µ x̄ "
    "mittelwert durchschnitt standardabweichung media promedio mediana moyenne moy écart type média desvio desviación"
)
_SUMMARIES = frozenset(_WORDS_SUMMARIES.split())
_WORDS_WITH_SUMMARIES = "macro micro weighted mean all of the over data datasets sets folds p value ci estándar"
_WITH_SUMMARIES = frozenset(_WORDS_WITH_SUMMARIES.split())
_PERCENTILES = ("25%", "50%", "75%")
# What a column of these names holds of the others in its row; of the rest no model has the name.
_OF_THE_OTHERS: dict[str, Any] = {
    "mean": np.mean, "average": np.mean, "avg": np.mean, "median": np.median, "max": np.max, "maximum": np.max,
    "best": np.max, "min": np.min, "minimum": np.min, "worst": np.min, "sum": np.sum, "total": np.sum,
}  # fmt: skip
_WORDS_NO_MODEL = "std sd stdev stddev var variance rank ranks diff difference delta p p_value pvalue wins"
_NO_MODEL = frozenset(_WORDS_NO_MODEL.split())
# Words of a column beside that of a model: what else was computed for it; and of the column that holds its scores.
_WORDS_BESIDE = "std sd se sem stdev stddev stderr var variance rank ranks ci low high lower upper"
_BESIDE = frozenset(_WORDS_BESIDE.split())
_TRAINING = frozenset(("train", "training"))
_PARTS = _TRAINING | {"test", "testing", "val", "valid", "validation", "dev", "holdout", "hold-out"}
_OF_SCORES = _PARTS | {"mean", "average", "avg"}
_TRAINED_ON = ("train", "training", "is_train", "is_training", "in_train", "train_set")
_ITEMS = ("id", "item", "items", "item_id", "instance", "instance_id", "case", "case_id", "question_id", "uid", "uuid")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?(e[+-]?\d+)?%?", re.IGNORECASE)
_MANY = 20
_BY_CHANCE = 1e-4  # so rarely is a row the mean of the others without being meant so
_FEW = 5  # so few may well grow by chance


def plain(name: str) -> str:
    """A heading without case and spaces."""
    return "_".join(name.split()).casefold()


def dataset_column(names: Iterable[str]) -> str | None:
    """The column that by its heading names the data sets."""
    return next((n for n in names if plain(n) in _DATASETS), None)


def _tells_splits(name: str) -> bool:
    words = [w for w in plain(name).split("_") if w not in _NUMBERED]
    return plain(name) in _SPLITS or (bool(words) and all(w in _SPLITS for w in words))


def describes_rows(name: str) -> bool:
    """Whether a column by its heading is about the rows themselves: their number, weight or size."""
    return plain(name) in _NOT_MODELS


def rows_are_models(heading: str) -> bool:
    """Whether the text column says that rows are models, and columns data sets."""
    return plain(heading) in _MODELS


def refuse_unnamed_folds(names: Iterable[str]) -> None:
    """Rows that a left-over column tells apart as folds are no data sets."""
    fold = next((n for n in names if _tells_splits(n)), None)
    if fold is not None:
        raise EvidenceError(
            f"the column {fold!r} seems to tell folds apart, but the rows would be taken as data sets.",
            hint=_split_hint(fold, "scores") + ", or take the column out of the table",
        )


def refuse_no_heading(names: Sequence[str]) -> None:
    """A first line that is numbers, or numbers after one word, is a row of the table; 0, 1, 2 … are a frame's own."""
    words = [n for n in names if not _NUMBER.fullmatch(n.strip())]
    told = {plain(w) for w in words}
    if len(words) > 1 or len(names) - len(words) < 2 or told & {*_DATASETS, *_MODELS, *_NOT_MODELS, *_SPLITS}:
        return
    numbers = [float(n.strip().rstrip("%").replace(",", ".")) for n in names if n not in words]
    if numbers != list(range(int(numbers[0]), int(numbers[0]) + len(numbers))):
        raise EvidenceError(
            "the first line of the table holds numbers: it seems to have no line of headings.",
            hint="write the names of the models above the columns; if these are their names, list them with models= "
            "(--models)",
        )


def refuse_summaries(names: Iterable[str]) -> None:
    """A row of means below the data sets is no data set."""
    found = [n for n in names if _is_summary(n)]
    if found:
        raise EvidenceError(
            f"the row {found[0]!r} looks like a summary of the others, not like a data set.",
            hint="take rows of means, deviations and ranks out of the table",
        )


def _is_summary(name: str) -> bool:
    """Whether a row is called after what is computed of others, in the usual languages: mean, Avg. rank, Ø, W/T/L."""
    words = re.findall(r"[^\W\d_]+", name.casefold())
    if (len(words) > 1 and set(words) <= set("wtld")) or "".join(words) in _SUMMARIES:  # wins, ties, losses; p-value
        return True
    known = [w in _SUMMARIES for w in words]
    return name.strip() in _PERCENTILES or (
        any(known) and all(k or w in _WITH_SUMMARIES for k, w in zip(known, words, strict=True))
    )


def refuse_rows_of_means(values: NDArray[np.float64], names: Sequence[str] | None) -> None:
    """A last row that is in every column the mean of those above it is no data set, whatever it is called."""
    if len(values) < _FEW or values.shape[1] < 2 or not np.isfinite(values).all():
        return
    above, last = values[:-1], values[-1]
    digits = max((len(repr(v).partition(".")[2]) for v in last.tolist()), default=0)
    slack = 0.51 * 10.0 ** -min(digits, 12)
    by_chance = np.prod(np.minimum(1.0, 2 * slack / np.maximum(np.ptp(above, axis=0), 1e-300)))
    if by_chance < _BY_CHANCE and (np.abs(above.mean(axis=0) - last) <= slack).all():
        what = f"the row {names[-1]!r}" if names is not None else "the last row"
        raise EvidenceError(
            f"{what} is the mean of the rows above it, not a data set.",
            hint="take rows of means, deviations and ranks out of the table",
        )


def refuse_measures(names: Iterable[str], what: str, hint: str) -> None:
    """A column that has the name of a measure is neither a model nor a data set."""
    found = next((n for n in names if hooks.known_quantity(n) is not None), None)
    if found is not None:
        raise EvidenceError(f"the column {found!r} has the name of a measure, not of a {what}.", hint=hint)


def refuse_cells(names: Iterable[object]) -> None:
    """Say that a table of tp, fp, fn and tn is no table of scores; it would rank them as if more were better."""
    if {str(name).strip().lower() for name in names} >= {"tp", "fp", "fn", "tn"}:
        raise EvidenceError(
            "a table of true and false positives and negatives has lost which model was right on which case.",
            hint="give the predictions: one row per case, one column per model",
        )


def refuse_rows_of_measures(names: Iterable[str]) -> None:
    """Rows called accuracy, RMSE and so on are measures of one data set, in which now more and now less is better."""
    names = list(names)
    known = [n for n in names if hooks.known_quantity(n) is not None]
    if len(known) > 1 and 2 * len(known) >= len(names):
        raise EvidenceError(
            f"the rows {known[0]!r} and {known[1]!r} have the names of measures, not of data sets.",
            hint="compare one measure at a time: a table with a row for each data set or fold, and its --measure",
        )


def model_columns(columns: Columns, *, what: str) -> tuple[dict[str, NDArray[Any]], tuple[Note, ...]]:
    """Keep the columns that can be models; what is left out is told, what is not clear is asked."""
    left = [n for n in columns if plain(n) in _NOT_MODELS]
    kept = {n: v for n, v in columns.items() if n not in left}
    listed = "list the columns of the models with models= (--models)"
    refuse_measures(
        kept, "model", f"{listed}; of a long table name the columns with model= and value= (--model, --value)"
    )
    for name, values in kept.items():
        if len(kept) > 1:
            _ask_about(name, values, {n: v for n, v in kept.items() if n != name}, what)
    if not left or not kept:
        return dict(kept or columns), ()
    named = joined([Text("{name!r}", name=n) if n else Text("the unnamed column") for n in left], ", ")
    return kept, (Note("not-models", Text("Left out, as no models by their names: {names}.", names=named)),)


def can_be_model(name: str, values: NDArray[Any]) -> bool:
    """Whether a column of numbers may hold a model's output, by its heading and its numbers."""
    describes = plain(name) in (*_NOT_MODELS, *_DATASETS, *_NO_MODEL) or _tells_splits(name)
    return not describes and not _is_identifier(np.asarray(values, dtype=np.float64))


def _ask_about(name: str, values: NDArray[Any], columns: Columns, what: str) -> None:
    numbers, others = np.asarray(values, dtype=np.float64), list(columns.values())
    listed = "or list the columns of the models with models= (--models)"
    if _stands_beside(name, columns, _TRAINING):
        raise EvidenceError(
            f"the column {name!r} seems to hold scores on training rows, beside those on other rows.",
            hint=f"take it out of the table, {listed}",
        )
    if (
        plain(name) in _NO_MODEL
        or _is_of_others(plain(name), numbers, others)
        or _stands_beside(name, columns, _BESIDE)
    ):
        raise EvidenceError(
            f"the column {name!r} looks like a summary of the others, not like a model.",
            hint=f"take it out of the table, {listed}",
        )
    if _tells_splits(name):
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


def _stands_beside(name: str, others: Iterable[str], words: frozenset[str]) -> bool:
    """Whether one of these words in a column's name is all that tells it from the column with a model's scores.

    >>> [_stands_beside(n, ("rf", "nb_mean", "rf_low"), _BESIDE) for n in ("rf_std", "rank nb", "rf_high", "svm_rank")]
    [True, True, True, False]
    """
    own = re.findall(r"[^\W_]+", name.casefold())
    rest = [w for w in own if w not in words | _OF_SCORES]
    if not rest or words.isdisjoint(own):
        return False
    told = [re.findall(r"[^\W_]+", other.casefold()) for other in others]
    return any([w for w in o if w not in _OF_SCORES - _TRAINING] == rest for o in told)


def refuse_training_rows(name: str, values: NDArray[Any]) -> None:
    """Refuse a column that nobody named and that says that a model was trained on some of the rows."""
    if values.dtype.kind in "biu":
        trained = values.astype(bool) if plain(name) in _TRAINED_ON and np.isin(values, (0, 1)).all() else values[:0]
    elif values.dtype.kind in "OU" and values.ndim == 1 and _are_parts(values[:100]) and _are_parts(values):
        trained = np.array([str(v).strip().casefold() in _TRAINING for v in values.tolist()])
    else:
        return
    if trained.any():
        raise EvidenceError(
            f"by the column {name!r} {int(trained.sum())} of {trained.size} rows are training rows: answers to them "
            "say nothing about new cases.",
            hint="keep the other rows only; to take all, name the column as a slice with slices= (--slice)",
        )


def _are_parts(values: NDArray[Any]) -> bool:
    return all(isinstance(v, str) and v.strip().casefold() in _PARTS for v in values.tolist())


def refuse_repeated_items(columns: Columns, dataset: Any) -> None:
    """Refuse a column of items that is left out, though some come again: attempts at one item are no new cases."""
    for name in (n for n in columns if plain(n) in _ITEMS):
        where = repeat(dataset) if dataset is None or isinstance(dataset, str) else column_array(dataset).tolist()
        counts = Counter(zip(columns[name].tolist(), where, strict=False))
        for twice, _ in (key for key, times in counts.most_common(1) if times > 1):
            raise EvidenceError(
                f"{twice!r} comes more than once in the column {name!r}: are these attempts at one item?",
                hint=f"name it with item={name!r} (--item {name}), and the column of the attempts with attempt= "
                "(--attempt); if all rows are items of their own, list the columns of the models with models= "
                "(--models)",
            )


def _is_of_others(name: str, numbers: NDArray[np.float64], others: Sequence[NDArray[Any]]) -> bool:
    """Whether a column called mean or best is, row by row, the mean or the best of the others."""
    if name not in _OF_THE_OTHERS or numbers.size < 2:
        return False
    table = np.stack([np.asarray(o, dtype=np.float64) for o in others], axis=1)
    slack = 0.51 * 10.0 ** -max(len(repr(v).partition(".")[2]) for v in numbers.tolist())
    found = [_OF_THE_OTHERS[name]] if name not in ("best", "worst") else [np.max, np.min]
    with np.errstate(invalid="ignore"):
        return any(bool((np.abs(of(table, axis=1) - numbers) <= slack).all()) for of in found)


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
