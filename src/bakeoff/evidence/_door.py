"""Input validation: arrays are checked once, here, and become `Rows`, which later code may trust."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.frames import column_array, columns_of, in_order_of, index_of, is_frame, refuse_unknown_order
from bakeoff._core.validation import BoolArray, FloatArray, IntArray
from bakeoff.evidence._labels import distinct_labels, encode, first_missing, flat, positive_class, sorted_classes
from bakeoff.evidence._marks import is_mark, refuse_marks, refuse_sentinels
from bakeoff.evidence._rows import ModelOutput, Rows, Split

Outputs = Mapping[str, Any]
_PROBABILITY = re.compile(r"p|pr|prob|proba|probs|probability|class|score")
_SURELY = 3.0  # standard errors
_SUM_TOLERANCE = 1e-3  # class probabilities in float32, or written with three decimals, still sum to one


def named_outputs(kind: str, outputs: Any) -> dict[str, NDArray[Any]]:
    """Return model name → array; the columns of a frame are models, a bare array is one model named 'model'."""
    if outputs is None:
        return {}
    if is_frame(outputs):
        outputs = columns_of(outputs)
    if not isinstance(outputs, Mapping):
        outputs = {"model": outputs}
    named: dict[str, NDArray[Any]] = {}
    for key, values in outputs.items():
        name = str(key)
        if not name.strip():
            raise EvidenceError(f"a model in {kind} has an empty name.", hint="give every model a name")
        if name in named:
            raise EvidenceError(f"two models in {kind} are named {name!r}.", hint="model names must differ")
        named[name] = column_array(values)
    return named


def class_order(names: Sequence[str], classes: Sequence[Hashable], *, stated: bool) -> list[int]:
    """For each class the place of its column of probabilities: by name; by place where the order was stated."""
    if sorted(names) == sorted(map(str, classes)):
        return [names.index(str(c)) for c in classes]
    if len(names) == len(classes):
        for fits in (_equals, _ends_with_word, _begins_with_word, _ends_with):
            found = _assigned(names, [str(c) for c in classes], fits)
            if found is not None:
                return found
    if stated or len(names) != len(classes):  # a wrong number of columns is told by the check of probabilities
        return list(range(len(names)))
    listed = ", ".join(map(repr, names[:6]))
    raise EvidenceError(
        f"it is not clear which of the columns {listed} is the probability of which class "
        f"({', '.join(map(repr, classes[:6]))}).",
        hint="name the columns after the classes, or give the classes in the order of the columns with classes= "
        "(--classes)",
    )


def _assigned(names: Sequence[str], classes: Sequence[str], fits: Callable[[str, str], bool]) -> list[int] | None:
    """One column for every class; longer class names choose first, so that 'very high' is not taken by 'high'."""
    free, place = list(range(len(names))), {}
    for label in sorted(classes, key=len, reverse=True):
        found = [i for i in free if fits(names[i].casefold().strip(), label.casefold().strip())]
        if len(found) != 1:
            return None
        place[label] = found[0]
        free.remove(found[0])
    return [place[label] for label in classes]


def _equals(name: str, label: str) -> bool:
    return name == label


def _ends_with_word(name: str, label: str) -> bool:
    return name.endswith(label) and not name.removesuffix(label)[-1:].isalnum()


def _begins_with_word(name: str, label: str) -> bool:
    return name.startswith(label) and not name.removeprefix(label)[:1].isalnum()


def _ends_with(name: str, label: str) -> bool:
    return name.endswith(label) and not (label.isdigit() and name.removesuffix(label)[-1:].isdigit())


def by_class(outputs: Any, truth: NDArray[Any], classes: Sequence[Hashable] | None) -> Any:
    """Frames whose columns are the classes become probabilities in the order of the classes."""
    if is_frame(outputs):
        known = seen_or_stated(truth, classes)
        are_classes = len(known) > 1 and sorted(columns_of(outputs)) == sorted(map(str, known))
        outputs = {"model": outputs} if are_classes else outputs
    if not isinstance(outputs, Mapping):
        return outputs
    return {m: _probabilities_of(m, v, truth, classes) if is_frame(v) else v for m, v in outputs.items()}


def seen_or_stated(truth: NDArray[Any], classes: Sequence[Hashable] | None) -> tuple[Hashable, ...]:
    """The classes as stated, else those in the truth, sorted."""
    return sorted_classes(distinct_labels(truth)) if classes is None else tuple(classes)


def _probabilities_of(model: Any, frame: Any, truth: NDArray[Any], classes: Sequence[Hashable] | None) -> Any:
    columns = columns_of(frame)
    if not columns:
        raise EvidenceError(f"the scores of model {str(model)!r} are a table without columns.")
    if len(columns) == 1:
        return next(iter(columns.values()))
    order = class_order(list(columns), seen_or_stated(truth, classes), stated=classes is not None)
    values = list(columns.values())
    return np.stack([values[i] for i in order], axis=1)


def common_index(**given: Any) -> Any:
    """The row labels of the first pandas series or frame among the arguments."""
    flat: dict[str, Any] = {}
    for kind, value in given.items():
        models = {f"{kind} of model {str(m)!r}": v for m, v in value.items()} if isinstance(value, Mapping) else None
        flat |= {kind: value} if models is None else models
    refuse_unknown_order(flat)
    return next((index for v in flat.values() if (index := index_of(v)) is not None), None)


def in_order(index: Any, outputs: Any, kind: str) -> Any:
    """Bring the models' outputs into the order of the row labels."""
    if isinstance(outputs, Mapping):
        return {m: in_order_of(index, v, f"{kind} of model {str(m)!r}") for m, v in outputs.items()}
    return in_order_of(index, outputs, kind)


def check_lengths(n: int, named: Mapping[str, NDArray[Any]], kind: str) -> None:
    """Every output must have one row for each row of the truth."""
    for name, values in named.items():
        if values.ndim == 0 or values.shape[0] != n:
            got = "a single value" if values.ndim == 0 else f"{values.shape[0]} rows"
            raise EvidenceError(
                f"{kind} of model {name!r} must have as many rows as y_true ({n}). Got {got}.",
                hint="every model must be scored on the same rows, in the same order",
            )


def check_truth(y_true: Any) -> NDArray[Any]:
    """Return the truth as a one-dimensional array without gaps."""
    truth = flat(column_array(y_true))
    if truth.ndim != 1:
        raise EvidenceError(f"y_true must be one-dimensional. Got shape {truth.shape} instead.")
    if truth.size == 0:
        raise EvidenceError(
            "y_true is empty: there is nothing to evaluate.", hint="is the file or the selection empty?"
        )
    row = first_missing(truth)
    if row is not None:
        raise EvidenceError(
            f"y_true must not have missing values, but row {row} has one.",
            hint="leave out the rows whose truth is not known (drop_missing=True, --drop-missing)",
        )
    return truth


def check_scores(name: str, values: NDArray[Any], kind: str = "y_score") -> FloatArray:
    """Return finite numbers, ``[n]`` or ``[n, K]``; the first bad one is named by model and row."""
    try:
        scores = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        row, cell = _first_word(values)
        missing = is_mark(cell)
        raise EvidenceError(
            f"{kind} of model {name!r} must be numbers. Got {cell!r} in row {row}.",
            hint="a value is missing: leave such rows out (drop_missing=True, --drop-missing)"
            if missing
            else "predicted classes go in y_pred, scores and probabilities in y_score",
        ) from None
    if scores.ndim not in (1, 2):
        raise EvidenceError(f"{kind} of model {name!r} must be of shape [n] or [n, classes]. Got {scores.shape}.")
    bad = ~np.isfinite(scores)
    if bad.any():
        place = np.argwhere(bad)[0]
        rows = int(bad.reshape(scores.shape[0], -1).any(axis=1).sum())
        raise EvidenceError(
            f"{kind} of model {name!r} must be finite, but row {int(place[0])} is {scores[tuple(place)]} "
            f"({rows} bad row{'s' * (rows != 1)} in all).",
            hint="leave those rows out for every model alike (drop_missing=True, --drop-missing), or fix the model",
        )
    return scores


def _first_word(values: NDArray[Any]) -> tuple[int, object]:
    """Row and content of the first cell that is no number."""
    flat = values.reshape(-1).tolist()
    width = max(len(flat) // max(len(values), 1), 1) if values.ndim else 1
    for place, cell in enumerate(flat):
        try:
            float(cell)
        except (TypeError, ValueError, OverflowError):
            return place // width, cell
    return 0, flat[0] if flat else None


def check_probabilities(name: str, table: FloatArray, classes: Sequence[Hashable]) -> FloatArray:
    """Rows of class probabilities: one column per class, within [0, 1], summing to one."""
    if table.shape[1] != len(classes):
        raise EvidenceError(
            f"y_score of model {name!r} has {table.shape[1]} columns, but there are {len(classes)} classes.",
            hint="give one column of probabilities per class, in the order of `classes` (sorted, if not given)",
        )
    outside = ((table < 0) | (table > 1)).any(axis=1)
    if outside.any():
        row = int(outside.argmax())
        raise EvidenceError(
            f"probabilities of model {name!r} must be between 0 and 1, but row {row} is {table[row].tolist()}.",
            hint="for scores that are not probabilities give one column, for the positive class",
        )
    off = np.abs(table.sum(axis=1) - 1) > _SUM_TOLERANCE
    if off.any():
        row = int(off.argmax())
        raise EvidenceError(
            f"probabilities of model {name!r} must sum to 1 in each row, but row {row} sums to {table[row].sum():.6g}.",
            hint="are the columns probabilities of all classes?",
        )
    return table


def check_weight(sample_weight: Any, n: int) -> FloatArray | None:
    """Weights: one per row, finite, not negative, not all zero."""
    if sample_weight is None:
        return None
    weight = per_row("sample_weight", check_scores("", column_array(sample_weight), "sample_weight"), n)
    if (weight < 0).any():
        raise EvidenceError(f"sample_weight must not be negative, but row {int((weight < 0).argmax())} is.")
    if not weight.any():
        raise EvidenceError("sample_weight is zero everywhere.", hint="give at least one row a weight")
    return unequal(weight)


def unequal(weight: FloatArray) -> FloatArray | None:
    """Measures do not depend on the scale of importance, so equal weights are none."""
    return None if (weight == weight[0]).all() else weight


def check_frequency(frequency: Any, n: int) -> IntArray | None:
    """Frequencies: one whole number per row, not negative, not all zero; all ones are none."""
    if frequency is None:
        return None
    counts = per_row("frequency", check_scores("", column_array(frequency), "frequency"), n)
    bad = (counts < 0) | (counts != np.rint(counts))
    if bad.any():
        row = int(bad.argmax())
        raise EvidenceError(
            f"frequency must be whole numbers of cases, 0 or more, but row {row} is {counts[row]:g}.",
            hint="for weights that are not numbers of cases use sample_weight",
        )
    if not counts.any():
        raise EvidenceError("frequency is zero everywhere.", hint="give at least one row a frequency")
    return None if (counts == 1).all() else counts.astype(np.int64)


def rows_that_count(name: str, rows: NDArray[np.intp] | None, *sizes: NDArray[Any] | None) -> Any:
    """Those of a data set's rows (None: all) with a weight or frequency above 0: what counts for nothing is no unit."""
    for size in sizes:
        if size is not None and not (kept := (size if rows is None else size[rows]) > 0).all():
            rows = np.flatnonzero(kept) if rows is None else rows[kept]
    if rows is not None and not rows.size:
        raise EvidenceError(f"{name!r} has no row with a weight or frequency above 0.", hint="leave it out")
    return slice(None) if rows is None else rows


def per_row(name: str, values: Any, n: int) -> NDArray[Any]:
    """A column of one value per row; a single value holds for every row."""
    column = np.full(n, values) if isinstance(values, (str, int, np.integer)) else column_array(values)
    if column.shape != (n,):
        raise EvidenceError(f"{name} must have one value per row ({n}). Got shape {column.shape}.")
    return column


def codes_of(name: str, values: Any, n: int) -> tuple[IntArray, list[Any]]:
    """Integer codes and sorted names of a column such as fold or group; all rows have one name if it was not given."""
    if values is None:
        return np.zeros(n, np.int64), [0]
    column = per_row(name, values, n)
    row = first_missing(column)
    if row is not None:
        raise EvidenceError(f"{name} must not have missing values, but row {row} has one.")
    names = list(sorted_classes(distinct_labels(column)))
    return encode(column, names, where=name).astype(np.int64), names


def rows_by_code(codes: IntArray, n_codes: int, order: IntArray | None = None) -> list[IntArray]:
    """The rows of each code, in the order in which they come, or in an order that sorts the codes."""
    order = np.argsort(codes, kind="stable") if order is None else order
    return np.split(order, np.searchsorted(codes[order], np.arange(1, n_codes)))


def find_splits(
    repeat: Any, fold: Any, n: int, n_train: Any = None, cases: IntArray | None = None
) -> tuple[tuple[Split, ...], NDArray[np.int32] | None]:
    """Return the splits and the split of each row.

    Where the folds of a repeat hold every instance once (k-fold), a fold's training set is the rest of its repeat.
    For repeated hold-out the training size cannot be seen in the predictions; it may be given as `n_train`. Sizes count
    whole cases (`cases` a row).
    """
    if repeat is None and fold is None:
        return (), None
    (of_repeat, repeats), (of_fold, folds) = codes_of("repeat", repeat, n), codes_of("fold", fold, n)
    cell, index = np.unique(of_repeat * len(folds) + of_fold, return_inverse=True)
    tests = np.bincount(index, weights=cases)
    r, f = np.divmod(cell, len(folds))
    trains = np.bincount(r, weights=tests)[r] - tests if n_train is None else np.full(cell.size, n_train)
    known = np.full(cell.size, n_train is not None) | (np.bincount(r)[r] > 1)
    splits = tuple(
        Split(_number(repeats, i), _number(folds, j), int(test), int(train) if told else None)
        for i, j, test, train, told in zip(r.tolist(), f.tolist(), tests, trains, known, strict=True)
    )
    if len(splits) == 1 and splits[0].n_train is None:
        return (), None
    return splits, index.astype(np.int32)


def _number(names: Sequence[Any], code: int) -> int:
    name = names[code]
    return name if isinstance(name, int) and not isinstance(name, bool) else code


def build_rows(
    name: str,
    truth: NDArray[Any],
    predicted: Mapping[str, NDArray[Any]],
    scored: Mapping[str, NDArray[Any]],
    valued: Mapping[str, NDArray[Any]],
    *,
    classes: Sequence[Hashable] | None,
    pos_label: Hashable | None,
    **shared: Any,
) -> Rows:
    """Check and encode the evidence of one data set."""
    models = list(dict.fromkeys([*predicted, *scored, *valued]))
    if not models:
        raise EvidenceError(
            "no model's predictions were given.", hint="give y_pred, y_score or y_value as {model name: values}"
        )
    if valued:
        if predicted or scored:
            raise EvidenceError(
                "y_value (regression) cannot be mixed with y_pred or y_score (classification).",
                hint="evaluate the two kinds of models apart",
            )
        outputs = {m: ModelOutput(values=_vector(m, valued[m], "y_value")) for m in models}
        return Rows(name, "regression", _numeric_truth(truth), outputs, **shared)
    known, positive = classes_of(name, truth, classes, pos_label, scored_only=not predicted)
    codes = encode(truth, known, where=f"y_true of {name!r}")
    task = "binary" if len(known) == 2 else "multiclass"
    outputs = {m: _output(m, predicted.get(m), scored.get(m), known, positive, classes is None) for m in models}
    if task == "binary" and positive is not None:
        for m, output in outputs.items():
            if output.scores is not None:
                refuse_other_class(m, output.scores, codes == positive, known, positive)
    return Rows(name, task, codes, outputs, classes=known, positive=positive, **shared)


def refuse_other_class(
    model: str, scores: FloatArray, is_positive: BoolArray, classes: Sequence[Hashable], positive: int,
    column: str | None = None,
) -> None:  # fmt: skip
    """Refuse a score named after the other class (proba_no) that is indeed higher for that class."""
    called = model if column is None else column
    if not names_other_class(model, called, classes, positive) or is_positive.all() or not is_positive.any():
        return
    of_positive, of_other = scores[is_positive], scores[~is_positive]
    error = np.sqrt(of_positive.var() / of_positive.size + of_other.var() / of_other.size)
    if of_positive.mean() < of_other.mean() - _SURELY * error:
        raise EvidenceError(
            f"{called!r} seems to be the probability of {classes[1 - positive]!r}, but the positive class is "
            f"{classes[positive]!r}.",
            hint="give the column of the positive class; if the model is only called so, give it another name",
        )


def names_other_class(model: str, called: str, classes: Sequence[Hashable], positive: int) -> bool:
    """Whether the name of a model's column, without the model's own, has the other class in it, and not this one.

    >>> [names_other_class("rf", c, ("no", "yes"), 1) for c in ("rf_no", "P(no)", "rf_yes", "rf", "yes_or_no")]
    [True, True, False, False, False]
    >>> [names_other_class("m 0", "m 0", (0, 1), 1), names_other_class("rf", "rf.0", (0, 1), 1)]
    [False, True]
    """
    rest = _words(called if called == model else called.replace(model, " "))
    plain = [word for word in rest.split() if not _PROBABILITY.fullmatch(word)]
    if called != model and plain == [str(1 - positive)]:  # rf_0: numbered as in `classes_`
        return True
    this, other = (_words(str(classes[i])) for i in (positive, 1 - positive))
    if other.strip() == "" or other not in rest or (this not in other and this in rest.replace(other, " ")):
        return False
    left = rest.replace(other, " ").split()
    # "model 0" is but a numbered model
    return len(other.strip()) > 1 or (called != model and not left) or any(_PROBABILITY.fullmatch(w) for w in left)


def _words(text: str) -> str:
    """Its words with a space around each; a minus sign before a number belongs to it."""
    return " ".join(["", *re.findall(r"[^\W_]+|-(?=\d)", text.casefold()), ""])


def _numeric_truth(truth: NDArray[Any]) -> FloatArray:
    try:
        numbers = check_scores("", truth, "y_true")
    except EvidenceError:
        raise EvidenceError(
            f"y_true must be finite numbers when y_value (regression) is given. Got {truth[:1].tolist()[0]!r} first.",
            hint="for classes give y_pred or y_score",
        ) from None
    return _of_a_size("y_true", numbers)


def _vector(name: str, values: NDArray[Any], kind: str) -> FloatArray:
    numbers = check_scores(name, values, kind)
    if numbers.ndim != 1:
        raise EvidenceError(f"{kind} of model {name!r} must be one number per row. Got shape {numbers.shape}.")
    return _of_a_size(kind, numbers)


_LARGEST = 1e75  # the variance of squared errors takes fourth powers, which must be floats


def _of_a_size(kind: str, numbers: FloatArray) -> FloatArray:
    if np.abs(numbers).max(initial=0.0) > _LARGEST:
        row = int(np.abs(numbers).argmax())
        raise EvidenceError(
            f"{kind} must not be beyond {_LARGEST:g}: their powers are no numbers. Row {row} is {numbers[row]:g}.",
            hint="give the values in a larger unit",
        )
    return numbers


def classes_of(
    name: str,
    truth: NDArray[Any],
    classes: Sequence[Hashable] | None,
    pos_label: Hashable | None,
    *,
    scored_only: bool,
    n: FloatArray | None = None,
) -> tuple[tuple[Hashable, ...], int | None]:
    """The classes and the positive one; `n` is how many rows have each label of `truth`, where they were counted."""
    if classes is None:
        known, rows = sorted_classes(distinct_labels(truth)), truth.size if n is None else int(n.sum())
        refuse_marks(truth, known, f"y_true of {name!r}", n=n)
        if len(known) > 100 and len(known) > rows / 4:
            raise EvidenceError(
                f"y_true of {name!r} has {len(known)} different values in {rows} rows: too many for classes.",
                hint="for numbers to be predicted (regression) give y_value instead of y_pred or y_score",
            )
        if len(known) == 1 and known[0] in (0, 1, -1) and pos_label in (None, 0, 1, -1):  # one seen of an evident two
            other = (False, True) if isinstance(known[0], bool) else (0, 1)
            known = (-1, 1) if -1 in (known[0], pos_label) else other
        elif len(known) == 1 and scored_only and known[0] == pos_label:  # its chance is stated, so there is another
            known = (f"not {pos_label}", *known)
    else:
        known = tuple(c.item() if isinstance(c, np.generic) else c for c in classes)
        if len(set(known)) != len(known):
            raise EvidenceError(f"classes must differ. Got {list(known)}.")
    return known, positive_class(known, pos_label)


def _output(
    model: str,
    predicted: NDArray[Any] | None,
    scored: NDArray[Any] | None,
    classes: tuple[Hashable, ...],
    positive: int | None,
    classes_are_guessed: bool,
) -> ModelOutput:
    labels = None
    if predicted is not None:
        labels = _encode_predictions(model, predicted, classes, classes_are_guessed)
    if scored is None:
        return ModelOutput(labels=labels)
    scores = flat(check_scores(model, scored))
    refuse_sentinels(f"y_score of model {model!r}", scores)
    if scores.ndim == 2:
        return ModelOutput(labels=labels, probabilities=check_probabilities(model, scores, classes))
    if positive is None:
        listed = ", ".join(map(repr, classes[:6]))
        if len(classes) > 2:
            raise EvidenceError(
                f"y_score of model {model!r} is one column, but there are {len(classes)} classes ({listed}).",
                hint="give one column of probabilities per class, or name a positive class with pos_label=",
            )
        raise EvidenceError(
            f"y_score needs a positive class, and it is not clear which of {listed} that is.",
            hint="name it with pos_label= (--positive on the command line)",
        )
    return ModelOutput(labels=labels, scores=scores)


def _encode_predictions(
    model: str, predicted: NDArray[Any], classes: tuple[Hashable, ...], classes_are_guessed: bool
) -> NDArray[np.int32]:
    predicted = flat(predicted)
    if predicted.ndim != 1:
        raise EvidenceError(
            f"y_pred of model {model!r} must be one label per row. Got shape {predicted.shape}.",
            hint="probabilities go in y_score",
        )
    row = first_missing(predicted)
    if row is None and predicted.dtype.kind in "OUS":
        marked = (i for i, v in enumerate(predicted.tolist()) if isinstance(v, str) and is_mark(v) and v not in classes)
        row = next(marked, None)
    if row is not None:
        raise EvidenceError(
            f"y_pred of model {model!r} must not have missing values, but row {row} has one.",
            hint="a model that abstains needs a class of its own; or leave such rows out for every model alike "
            "(drop_missing=True, --drop-missing)",
        )
    try:
        return encode(predicted, classes, where=f"y_pred of model {model!r}")
    except EvidenceError as problem:
        if not classes_are_guessed:
            raise
        if predicted.dtype.kind == "f" and (predicted != np.rint(predicted)).any():
            raise EvidenceError(
                f"y_pred of model {model!r} holds numbers with decimals, which are no classes.",
                hint="predicted values (regression) go in y_value, scores and probabilities in y_score",
            ) from None
        extra = "if it is a real class that no row of the truth happens to have, list all classes with classes="
        raise EvidenceError(problem.message, hint=f"{problem.hint}; {extra}") from None
