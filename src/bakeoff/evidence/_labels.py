"""Labels of any hashable kind become small integer codes, once, by hash."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError

Codes = NDArray[np.int32]

_UNAMBIGUOUS = ({0, 1}, {-1, 1}, {0}, {1}, {-1})


def is_missing(value: object) -> bool:
    """Tell whether a label is None, NaN, pandas' NA or NaT."""
    if value is None:
        return True
    try:
        return bool(value != value)  # NaN and NaT differ from themselves
    except TypeError:  # pandas' NA refuses to be a truth value
        return True
    except ValueError:  # a table where a label should be
        return False


def first_missing(values: NDArray[Any]) -> int | None:
    """Return the row of the first missing label, or None."""
    if values.dtype.kind == "f":
        gaps = np.isnan(values)
        return int(gaps.argmax()) if gaps.any() else None
    if values.dtype.kind in "biuUS":
        return None
    return next((row for row, value in enumerate(values.tolist()) if is_missing(value)), None)


def flat(values: NDArray[Any]) -> NDArray[Any]:
    """A table of one column as that column."""
    return values[:, 0] if values.ndim == 2 and values.shape[1] == 1 else values


def distinct_labels(values: NDArray[Any]) -> list[Hashable]:
    """Return the distinct labels as plain Python values, in no particular order."""
    if values.dtype.kind in "biuf":
        return [_plain(v) for v in np.unique(values).tolist()]
    try:
        return list(dict.fromkeys(values.tolist()))
    except TypeError:
        raise EvidenceError("labels must be hashable values such as strings or integers.") from None


def _plain(value: Any) -> Hashable:
    """Whole floats are the integer labels they stand for, so that 1.0 and 1 are one class with one name."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    plain: Hashable = value
    return plain


def number_in(text: object) -> float | None:
    """The number that a text spells; None where it spells none."""
    try:
        return float(str(text))
    except ValueError:
        return None


def sorted_classes(labels: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """Sort classes by value where they compare, by their text where they do not."""
    unique = list(dict.fromkeys(labels))
    try:
        return tuple(sorted(unique))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(unique, key=lambda v: (type(v).__name__, str(v))))


def encode(values: NDArray[Any], classes: Sequence[Hashable], *, where: str) -> Codes:
    """Return the position of each label in `classes`; an unknown label is an error that names it and its row."""
    lookup = {label: code for code, label in enumerate(classes)}
    if values.dtype.kind in "biuf":
        return _encode_numbers(values, lookup, where)
    try:
        codes = np.fromiter((lookup.get(v, -1) for v in values.tolist()), dtype=np.int32, count=values.size)
    except TypeError:
        raise EvidenceError(f"{where} has labels that are not hashable.") from None
    _refuse_unknown(values, codes, classes, where)
    return codes


def _encode_numbers(values: NDArray[Any], lookup: dict[Hashable, int], where: str) -> Codes:
    if (
        values.size
        and values.dtype.kind in "iu"
        and (low := int(values.min())) >= -1_000
        and int(values.max()) < 100_000
    ):
        table = np.full(int(values.max()) - low + 1, -1, dtype=np.int32)
        for label, code in lookup.items():
            if isinstance(label, (int, float)) and 0 <= label - low < table.size and float(label).is_integer():
                table[int(label) - low] = code
        codes: Codes = table[values - low]
    else:
        distinct, inverse = np.unique(values, return_inverse=True)
        known = np.array([lookup.get(_plain(v), -1) for v in distinct.tolist()], dtype=np.int32)
        codes = known[inverse] if distinct.size else np.empty(0, np.int32)
    _refuse_unknown(values, codes, list(lookup), where)
    return codes


def _refuse_unknown(values: NDArray[Any], codes: Codes, classes: Sequence[Hashable], where: str) -> None:
    unknown = codes < 0
    if not unknown.any():
        return
    row = int(unknown.argmax())
    label = values.tolist()[row]
    known = ", ".join(map(repr, list(classes)[:6])) + (", …" if len(classes) > 6 else "")
    texts = {str(c) for c in classes}
    hint = "write the same labels in the truth and in the predictions"
    if str(label) in texts:
        hint = f"{label!r} and the class are of different kinds (a text and a number?); convert one of them"
    elif str(label).strip().lower() in {t.strip().lower() for t in texts}:
        hint = "the labels differ only in spaces or upper and lower case"
    count = int(unknown.sum())
    what = "a label that is not a class" if count == 1 else f"{count} labels that are not classes"
    raise EvidenceError(f"{where} has {what} of the truth: {label!r} at row {row}. The classes are {known}.", hint=hint)


def positive_class(classes: Sequence[Hashable], pos_label: Hashable | None) -> int | None:
    """Return the index of the positive class if named or unambiguous ({0, 1}, {-1, 1}, {False, True}), else None."""
    if pos_label is not None:
        if pos_label in classes:
            return list(classes).index(pos_label)
        texts = [str(c) for c in classes]
        if str(pos_label) in texts:  # "1" typed on a command line means the class 1
            return texts.index(str(pos_label))
        if (number := number_in(pos_label)) is not None and number in classes:  # "1.0", as files write it
            return list(classes).index(number)
        if str(pos_label).capitalize() in texts and set(classes) <= {False, True}:  # "true", as files write it
            return texts.index(str(pos_label).capitalize())
        known = ", ".join(map(repr, classes[:8]))
        raise EvidenceError(
            f"pos_label {pos_label!r} is not a class of the truth. The classes are {known}.",
            hint="name the class that is to be found, as it is written in the data",
        )
    if all(isinstance(c, (bool, int, float)) for c in classes) and set(classes) in _UNAMBIGUOUS and 1 in classes:
        return list(classes).index(1)
    texts = [c.casefold() if isinstance(c, str) else "" for c in classes]
    if sorted(texts) in (["0", "1"], ["-1", "1"], ["false", "true"]):  # as clear as the numbers they spell
        return texts.index("true" if "true" in texts else "1")
    return None
