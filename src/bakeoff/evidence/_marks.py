"""Cells as people write them: marks for a missing value, percentages, decimal commas, outcomes in words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bakeoff._core.errors import EvidenceError
from bakeoff._core.language import Text
from bakeoff._core.result import Note
from bakeoff._core.validation import BoolArray, FloatArray
from bakeoff.evidence._labels import is_missing, number_in

if TYPE_CHECKING:
    import polars as pl

MARKS = frozenset(
    ("", "na", "n/a", "n.a.", "#n/a", "nan", "nat", "null", "none", "nil", "missing", "?", ".", "-", "--", "<na>",
     "\\n", "#value!", "#div/0!", "#ref!", "#name?", "#num!", "#null!", "undefined", "not available",
     "(blank)", "(missing)", "(null)", "n/d", "s/d", "*", "…", "...", "–", "—")
)  # fmt: skip
# Labels beside two others that say so too, but may be a class.
_NO_LABEL = frozenset(("unknown", "unk", "not known", "unlabeled", "unlabelled", "blank", "void", "undetermined"))
_SENTINELS = (-999, -9999, -99, -99999, 999, 9999, 99999)  # numbers that stand for "not known"
_SURVEY = (8, 9, 77, 88, 99, 777, 888, 999)  # and among the classes 0, 1 … of a survey
_HUGE = 10**6
_PARTS = 3  # different fractions that show a column to be of numbers between 0 and 1
_THOUSANDS = {point: re.compile(rf"^[+-]?[1-9]\d{{0,2}}(\{point}\d{{3}})+$") for point in ".,"}
# Numbers written for readers: 0.81 ± 0.02, 1 234.5, $3.10, **0.9**, 90 %.
_WRITTEN = re.compile(r"^[^\w]{0,3}\d+([.,'’\s]\d+)+|^[^\w]{0,3}\d+\s*[%±]")
_SHORT = re.compile(r"^[+-]?\d{1,3}$")
RIGHT_OR_WRONG = {
    "pass": 1.0, "passed": 1.0, "correct": 1.0, "right": 1.0, "true": 1.0, "success": 1.0, "yes": 1.0,
    "fail": 0.0, "failed": 0.0, "incorrect": 0.0, "wrong": 0.0, "false": 0.0, "failure": 0.0, "no": 0.0,
}  # fmt: skip


def is_mark(value: object) -> bool:
    """Tell whether a cell says that its value is missing, in words or as None or NaN."""
    return value.strip().casefold() in MARKS if isinstance(value, str) else is_missing(value)


def missing_rows(values: NDArray[Any]) -> BoolArray:
    """Which rows have a missing value or a mark of one, ``[n]``."""
    if values.dtype.kind == "f":
        gaps = np.isnan(values)
    elif values.dtype.kind in "biu":
        gaps = np.zeros(values.shape, dtype=bool)
    else:
        flat = values.reshape(-1).tolist()
        lookup = {v: is_mark(v) for v in set(flat)} if _hashable(flat) else None
        found = [is_mark(v) if lookup is None else lookup[v] for v in flat]
        gaps = np.array(found, dtype=bool).reshape(values.shape)
    return np.asarray(gaps if gaps.ndim == 1 else gaps.reshape(gaps.shape[0], -1).any(axis=1))


def rows_left_out(lost: BoolArray, text: Text, none_left: str) -> tuple[Note, ...]:
    """The note that rows with a missing value were left out, where there are such; that all are lost is an error."""
    if lost.all():
        raise EvidenceError(none_left, hint="is a column empty, or misspelt?")
    return (Note("rows-left-out", text),) if lost.any() else ()


def _hashable(values: Iterable[Any]) -> bool:
    try:
        set(values)
    except TypeError:
        return False
    return True


_AS_CLASSES = (
    "leave those rows out (drop_missing=True, --drop-missing); if it is a class, list all classes with "
    "classes= (--classes)"
)


def refuse_marks(
    truth: NDArray[Any], labels: Iterable[object], where: str, *, n: FloatArray | None = None, hint: str = _AS_CLASSES
) -> None:
    """Labels of the truth that say "missing", or that differ in nothing but case and spaces, are no classes.

    Where rows were counted, `n` tells how many have each label of `truth`.
    """
    labels = list(labels)
    marks: list[object] = [v for v in labels if isinstance(v, str) and is_mark(v)]
    numbers = {v for v in labels if isinstance(v, (int, float)) and not isinstance(v, bool)}
    if len(numbers) == len(labels) > 2:
        small = {v for v in numbers if v not in _SENTINELS}
        marks += [v for v in labels if v in _SENTINELS and max(map(abs, small), default=0) < 99]
        marks += [-1] if small == {-1, 0, 1} else []
        marks += [v for v in labels if v not in marks and v in _beyond(numbers)]
    marks += [v for v in labels if isinstance(v, str) and v not in marks and _says_no_label(v, labels)]
    if marks:
        counts = Counter(truth.tolist() if n is None else dict(zip(truth.tolist(), map(int, n), strict=True)))
        listed = ", ".join(f"{m!r} ({counts[m]} rows)" for m in marks[:4])
        raise EvidenceError(f"{where} has labels that seem to say that the truth is missing: {listed}.", hint=hint)
    plain: dict[str, object] = {}
    for label in labels:
        if isinstance(label, str):
            other = plain.setdefault(" ".join(label.split()).casefold(), label)
            if other != label:
                raise EvidenceError(
                    f"{where} has the labels {other!r} and {label!r}, which differ only in spaces or upper and lower "
                    "case.",
                    hint="write each class in one way; if they are two classes, list all with classes= (--classes)",
                )


def _beyond(numbers: set[float]) -> set[float]:
    """Labels that stand apart from classes 0, 1, 2 …: below them, far above, or the 9 of a survey."""
    apart = {v for v in numbers if v < 0 or v in _SURVEY or v >= _HUGE}
    rest = sorted(numbers - apart)
    if len(rest) < 2 or rest != list(range(int(rest[0]), int(rest[0]) + len(rest))) or rest[0] not in (0, 1):
        return set()
    return set() if rest[-1] + 1 in apart or {-2, -1} <= apart else apart  # a scale around 0, or one more class


def _says_no_label(label: str, labels: list[object]) -> bool:
    """A word for "not known", or a number such as -999 or inf among words."""
    words = [v for v in labels if isinstance(v, str) and number_in(v) is None]
    number = number_in(label)
    if number is None:
        return label.strip().casefold() in _NO_LABEL and len(labels) > 2
    return len(words) > 1 and (number in _SENTINELS or number < 0 or not np.isfinite(number))


def refuse_stray_words(name: str, values: NDArray[Any]) -> None:
    """Refuse a column of numbers with a word in it: left out as text, a model would vanish."""
    cells = [(row, c) for row, c in enumerate(values.tolist()) if not is_mark(c)]
    words = [(row, c) for row, c in cells if number_in(c) is None]
    written = [c for _, c in words if _WRITTEN.match(str(c).strip())]
    if words and (2 * len(words) < len(cells) or 5 * (len(cells) - len(words) + len(written)) >= 4 * len(cells)):
        row, word = words[0]
        raise EvidenceError(
            f"the column {name!r} holds numbers, but {str(word)!r} in row {row}.",
            hint="write plain numbers, and leave the cell empty if its value is missing; if the column is no model, "
            "list the columns of the models with models= (--models)",
        )


def refuse_sentinels(what: str, values: NDArray[Any]) -> None:
    """Refuse -999 and the like among numbers of another size, and one number beyond others that lie from 0 to 1."""
    stand_ins = np.isin(values, _SENTINELS)
    beyond = (values < 0) | (values > 1)
    if not beyond.any():
        return
    one = values[beyond][0]
    alone = bool((values[beyond] == one).all())
    if not (alone or stand_ins.any()):
        return
    rest = values[~stand_ins]
    if stand_ins.any() and rest.size and _of_another_size(values[stand_ins], rest):
        shown = f"is from {rest.min():.6g} to {rest.max():.6g}"
    else:
        stand_ins, rest = beyond, values[~beyond]
        if not alone or one != np.rint(one) or np.unique(rest[rest != np.rint(rest)]).size < _PARTS:
            return
        shown = "is between 0 and 1"
    first = tuple(np.argwhere(stand_ins)[0])
    raise EvidenceError(
        f"{what} {shown}, but row {int(first[0])} is {values[first]:g}: is that a missing value?",
        hint="leave such cells empty, and those rows out for every model alike (drop_missing=True, --drop-missing)",
    )


def _of_another_size(stand_ins: NDArray[Any], rest: NDArray[Any]) -> bool:
    """Whether -999 or 9999 lies far from all other numbers."""
    return bool((np.abs(stand_ins) > 10 * np.abs(rest).max()).all() or (rest.min() >= 0 and stand_ins.max() < 0))


def outcome_numbers(values: NDArray[Any]) -> NDArray[Any]:
    """Outcomes in words (pass and fail, right and wrong), or numbers among marks, as numbers; else as they are."""
    if values.dtype.kind in "biuf" or values.ndim != 1:
        return values
    cells = values.tolist()
    if not all(isinstance(c, (str, int, float, type(None))) for c in cells):
        return values
    gaps = missing_rows(values)
    words = [RIGHT_OR_WRONG.get(str(c).strip().casefold()) for c, gap in zip(cells, gaps, strict=True) if not gap]
    numbers = np.full(len(cells), np.nan)
    if words and None not in words:
        numbers[~gaps] = words
        return numbers
    try:
        numbers[~gaps] = [float(c) for c, gap in zip(cells, gaps, strict=True) if not gap]
    except (TypeError, ValueError, OverflowError):
        return values
    return values if gaps.all() else numbers


def numbers_where_meant(frame: pl.DataFrame) -> pl.DataFrame:
    """Turn text columns that hold numbers and marks of missing values into numbers with gaps."""
    import polars as pl

    changed = []
    for name in frame.columns:
        if frame[name].dtype == pl.String:
            numbers = _as_numbers(frame[name].str.strip_chars())
            if numbers is not None:
                changed.append(numbers.alias(name))
        elif frame[name].dtype in (pl.Int128, pl.UInt128):  # identifiers of 20 digits and more
            changed.append(frame[name].cast(pl.String))
    return frame.with_columns(changed) if changed else frame


def _as_numbers(text: pl.Series) -> pl.Series | None:
    """The column as numbers, marks as gaps; None where it holds anything else, or nothing but marks."""
    import polars as pl

    known = text.filter(~text.str.to_lowercase().is_in(list(MARKS)))
    if not known.drop_nulls().len():
        return None
    marked = text.set(text.str.to_lowercase().is_in(list(MARKS)).fill_null(False), None)
    for divisor, cleaned in (
        (1.0, marked),
        (100.0, marked.str.strip_suffix("%") if known.str.ends_with("%").all() else None),
        (1.0, marked.str.replace(",", ".", literal=True) if _decimal_commas(known) else None),
    ):
        if cleaned is None:
            continue
        numbers = cleaned.str.strip_chars().cast(pl.Float64, strict=False)
        if numbers.null_count() == marked.null_count():
            whole = cleaned.cast(pl.Int64, strict=False)
            if divisor == 1 and whole.null_count() == marked.null_count():
                return whole
            return numbers / divisor if divisor != 1 else numbers
    return None


def _decimal_commas(known: pl.Series) -> bool:
    """Whether commas are decimal points here: not where they may separate thousands."""
    commas = known.str.contains(r"^[+-]?\d*,\d+$")
    thousands = known.str.contains(r"^[+-]?[1-9]\d{0,2}(,\d{3})+$")
    plain = known.str.contains(r"^[+-]?\d+$")
    return bool(commas.any() and (commas | plain).all() and not thousands.filter(commas).all())


def refuse_thousands(name: str, texts: Iterable[str | None]) -> None:
    """Refuse a column that mixes 800 and 1.000: is that a thousand, or one?"""
    cells = [t.strip() for t in texts if t is not None and t.strip()]
    for pattern in _THOUSANDS.values():
        long = [c for c in cells if pattern.match(c)]
        if long and any(_SHORT.match(c) for c in cells) and all(pattern.match(c) or _SHORT.match(c) for c in cells):
            raise EvidenceError(
                f"the column {name!r} mixes whole numbers and numbers such as {long[0]!r}: are these thousands?",
                hint="write numbers without separators of thousands",
            )
