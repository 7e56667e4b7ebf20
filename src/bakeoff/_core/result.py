"""The base of every result: frozen, printable, exportable; and the notes that travel with it. Nothing here computes."""

from __future__ import annotations

import dataclasses
import importlib
import math
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np

from bakeoff._core.errors import BakeoffWarning
from bakeoff._core.frames import make_frame
from bakeoff._core.language import Text, english, language, numeral, percent, render, spoken, translate
from bakeoff._core.text import format_number, plain_number, shorten
from bakeoff._core.validation import FloatArray
from bakeoff._core.view import COLUMNS, Table, View, limits

SCHEMA_VERSION = 1
R = TypeVar("R")
_MOST_OF_A_KIND = 3  # warnings of one code that are shown


@dataclass(frozen=True, slots=True)
class Note:
    """One remark that travels with a result.

    Attributes
    ----------
    code
        Stable kebab-case identifier, such as ``"identical-models"``; tests, translations and the guide key on it.
    text
        The sentence shown to the user: a `Text`, which follows the language of the reader, or a plain string.
    message
        The same in English, whatever the language: for programs and tests.
    level
        ``"note"`` (a choice was made) or ``"warning"`` (the answer is weak).

    Examples
    --------
    >>> from bakeoff import Note
    >>> print(Note("few-rows", "the test set has 12 rows only.", "warning"))
    warning [few-rows]: the test set has 12 rows only.
    """

    code: str
    text: Text | str
    level: Literal["note", "warning"] = "note"

    @property
    def message(self) -> str:
        """The sentence in English."""
        return english(self.text)

    def _plain(self) -> dict[str, str]:
        """What is written of it to JSON."""
        return {"code": self.code, "message": self.message, "level": self.level}

    def __str__(self) -> str:
        mark = translate("warning") if self.level == "warning" else translate("note")
        return f"{mark} [{self.code}]: {render(self.text)}"


def warning_note(code: str, text: Text | str) -> Note:
    """Make a note of level ``"warning"``."""
    return Note(code, text, "warning")


def unique(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Drop repeated notes, keeping the first of each."""
    return tuple(dict.fromkeys(notes))


def emit(notes: Iterable[Note], *, stacklevel: int = 3) -> None:
    """Issue a `BakeoffWarning` for notes of level ``"warning"``; the verbs call this once, at the end.

    Of many notes with one code the first few are shown, and how many more there are: a wall of warnings is not read.
    """
    kinds: dict[str, list[Note]] = {}
    for note in notes:
        if note.level == "warning":
            kinds.setdefault(note.code, []).append(note)
    for code, found in kinds.items():
        for note in found[:_MOST_OF_A_KIND]:
            warnings.warn(f"{render(note.text)} [{code}]", BakeoffWarning, stacklevel=stacklevel)
        rest = len(found) - _MOST_OF_A_KIND
        if rest > 0:
            text = translate("{n} more of this kind are in the notes of the result.", n=rest)
            warnings.warn(f"{text} [{code}]", BakeoffWarning, stacklevel=stacklevel)


_FIRST, _MOST, _STILL = 1000, 32_000, 0.02


def settled(ask: Callable[[int], R], seen: Callable[[R], FloatArray]) -> tuple[R, tuple[Note, ...]]:
    """Ask with a thousand draws, then with twice as many each time, until that moves no limit by more than 2 %.

    Parameters
    ----------
    ask
        The answer on so many draws, from the same seed each time.
    seen
        Low, high and p-value of every interval of an answer, ``[m, 3]``. A limit moves by a share of the width of its
        interval; a p-value by a fifth of its share of itself, so that 10 % of p are as much as 2 % of a width.
    """
    draws, moved = _FIRST, math.inf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        found = ask(draws)
        while moved > _STILL and draws < _MOST:
            draws, before = 2 * draws, seen(found)
            found = ask(draws)
            moved = _moved(before, seen(found))
    if moved == 0:
        return found, ()  # nothing was drawn
    text = Text(
        "{n} resamples: the last doubling moved the limits by {share} % of their interval at most.",
        n=numeral(draws), share=math.ceil(100 * moved),
    )  # fmt: skip
    return found, (Note("resamples", text),)


def _moved(before: FloatArray, after: FloatArray) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        apart, width = np.abs(after - before), after[:, [1]] - after[:, [0]]
        shares = np.concatenate([apart[:, :2] / width, apart[:, 2:] / np.maximum(after[:, 2:], 0.01) / 5], axis=1)
    return float(shares[(apart > 0) & np.isfinite(shares)].max(initial=0.0))


def jsonable(value: Any) -> Any:
    """Turn arrays, results and notes into plain JSON values; NaN and infinities become null or a string.

    Sentences are written in English, whatever the active language: programs read them.
    """
    kind = type(value)
    if kind in (str, int, bool) or (kind is float and math.isfinite(value)):  # what nearly all of it is
        return value
    if isinstance(value, Text):
        return value.english
    if hasattr(value, "_plain"):  # a class whose fields are not what is written of it
        return jsonable(value._plain())
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and not hasattr(value, "get_params"):
        return {
            f.name: jsonable(getattr(value, f.name)) for f in dataclasses.fields(value) if not f.name.startswith("_")
        }
    if isinstance(value, Mapping):
        return {_json_key(k): jsonable(v) for k, v in value.items()}
    if isinstance(value, np.ndarray):
        return jsonable(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [jsonable(v) for v in value]
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _json_key(key: Any) -> str:
    return " / ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def attribute_columns(records: Iterable[Any], *names: str, **paths: str) -> dict[str, Sequence[Any]]:
    """Columns of the attributes of some records, under their own names or, as ``low="cost.low"``, under others."""
    every = list(records)
    return {name: list(map(attrgetter(path), every)) for name, path in ({n: n for n in names} | paths).items()}


def late(module: str, name: str) -> Any:
    """Import a name of a higher package when it is called: for `plot()`, `report()` and `steps()` only."""
    return getattr(importlib.import_module(module), name)


class Result:
    """Mixin for frozen dataclasses that are answers.

    A subclass overrides `_columns` (the fixed columns of `to_frame`) and, where the default would be long, `_headline`.
    """

    def __post_init__(self) -> None:
        """Keep p-values above 0: a tail below the smallest float is small, never nothing."""
        kind: Any = type(self)  # as a type checker sees it, a class is no key of a cache
        for name in _pvalue_fields(kind):
            object.__setattr__(self, name, _above_zero(getattr(self, name)))

    def _columns(self) -> dict[str, Sequence[Any]]:
        """Name the columns of `to_frame`: by default one row of scalars, or one row per entry of the arrays."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}  # type: ignore[arg-type]
        fields = {k: v for k, v in fields.items() if k != "notes" and not k.startswith("_")}
        lengths = {len(v) for v in fields.values() if _is_vector(v)}
        if len(lengths) == 1:
            (length,) = lengths
            return {
                k: list(v) if _is_vector(v) else [v] * length for k, v in fields.items() if _is_cell(v) or _is_vector(v)
            }
        return {k: [v] for k, v in fields.items() if _is_cell(v)}

    def _shown(self) -> Mapping[Any, Sequence[Any]]:
        """The columns as a person reads them."""
        return spoken(self._columns())

    def _headline(self) -> str:
        shown = [
            f"{f.name}={_brief(getattr(self, f.name))}"
            for f in dataclasses.fields(self)  # type: ignore[arg-type]
            if f.name != "notes" and not f.name.startswith("_") and _is_cell(getattr(self, f.name))
        ]
        return ", ".join(shown)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._headline()})"

    def _view(self) -> View:
        """What is shown of it: its sentences, where it has any, its table and its notes."""
        return View(getattr(self, "sentences", ()), (Table(self._shown()),), (), self._notes())

    def __str__(self) -> str:
        return self._view().text(COLUMNS)

    def _repr_html_(self) -> str:
        return self._view().html()

    def _notes(self) -> tuple[Note, ...]:
        return getattr(self, "notes", ())

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Return the result as a data frame with fixed columns.

        Parameters
        ----------
        backend
            ``"pandas"``, ``"polars"`` or ``"pyarrow"``; by default pandas where it is installed, else Polars.
        """
        return make_frame(self._columns(), backend)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values, with the kind and version of the schema."""
        body = jsonable(self)
        return {"kind": type(self).__name__, "schema_version": SCHEMA_VERSION, **body}

    def plot(self, *args: Any, **kwargs: Any) -> Any:
        """Draw the result with matplotlib (extra ``plot``)."""
        return late("bakeoff.figures", "plot")(self, *args, **kwargs)

    def steps(self, lang: str | None = None) -> Any:
        """Show the working: the steps from the data to the answer, with the data's own numbers.

        Parameters
        ----------
        lang
            ``"en"``, ``"es"`` or ``"pt"``; by default the active language.

        Returns
        -------
        bakeoff.steps.Steps
            A sequence of `Step`; ``print`` it, show it in a notebook, or write it with ``to_markdown()``.
        """
        return late("bakeoff.steps", "steps_of")(self, lang)

    def _keeping(self, **inputs: Any) -> Self:
        """Keep what the answer was computed from, for `steps`; it is no field: not compared, printed or exported."""
        object.__setattr__(self, "_kept", {name: _steady(value) for name, value in inputs.items()})
        return self

    @property
    def _inputs(self) -> dict[str, Any]:
        return getattr(self, "_kept", {})


def columns_of(entries: Sequence[Any], names: Iterable[str], **elsewhere: str) -> dict[str, Sequence[Any]]:
    """Columns of a frame: fields of its entries, under their own names or from elsewhere (``low="interval.low"``)."""
    return {name: [*map(attrgetter(elsewhere.get(name, name)), entries)] for name in names}


def records(columns: Mapping[str, Sequence[Any]]) -> list[dict[str, Any]]:
    """The rows of a frame, each by the names of its columns."""
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


class Written:
    """Mixin of what is written to JSON by other names than its fields: sentences in English, whatever the language."""

    _written: ClassVar[tuple[str, ...]]

    def _plain(self) -> dict[str, Any]:
        """What is written of it to JSON."""
        with language("en"):
            return {name: getattr(self, name) for name in self._written}


class Told(Result):
    """A result that says in sentences what was found; its verdict is all of them."""

    @property
    def sentences(self) -> tuple[Text, ...]:
        """What was found, sentence by sentence."""
        raise NotImplementedError

    @property
    def verdict(self) -> str:
        """What was found, in plain sentences, in the reader's language."""
        return " ".join(map(str, self.sentences))

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values, the verdict included."""
        return {**super().to_dict(), "verdict": " ".join(sentence.english for sentence in self.sentences)}


_SMALLEST = float(np.finfo(np.float64).tiny)


@cache
def _pvalue_fields(kind: Any) -> tuple[str, ...]:
    """Names of a result's p-values; remembered, since a comparison of many models has thousands of pairs."""
    names = (field.name for field in dataclasses.fields(kind))
    return tuple(name for name in names if name.endswith("pvalue") or name.startswith("pvalue"))


def _above_zero(pvalue: Any) -> Any:
    if isinstance(pvalue, np.ndarray):
        return np.where(pvalue == 0, _SMALLEST, pvalue)
    return _SMALLEST if isinstance(pvalue, float) and pvalue == 0 else pvalue


_COPIED = 100_000  # values up to which an array is copied, so that changing it later does not change the steps


def _steady(value: Any) -> Any:
    return value.copy() if isinstance(value, np.ndarray) and value.size <= _COPIED else value


def _is_vector(value: Any) -> bool:
    return (isinstance(value, np.ndarray) and value.ndim == 1) or (isinstance(value, (list, tuple)) and len(value) > 0)


def _is_cell(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str, Text, np.generic))


def _brief(value: Any) -> str:
    if isinstance(value, (float, np.floating)):
        return plain_number(float(value))
    return repr(shorten(str(value), 60)) if isinstance(value, (str, Text)) else str(value)


@dataclass(frozen=True, repr=False)
class Interval(Result):
    """An estimate and how sure we are of it.

    Attributes
    ----------
    estimate, low, high
        The number and its confidence limits; `low <= estimate <= high`. NaN when undefined, with a note saying why.
    confidence_level
        Nominal coverage, such as 0.95.
    method
        Name of the interval method used.
    notes
        Choices made and weaknesses seen.

    Examples
    --------
    >>> from bakeoff import Interval
    >>> print(Interval(0.85, 0.767, 0.907, 0.95, "wilson"))
    0.8500 [0.7670, 0.9070] (95 %, wilson)
    """

    estimate: float
    low: float
    high: float
    confidence_level: float = 0.95
    method: str = ""
    notes: tuple[Note, ...] = ()

    def __str__(self) -> str:
        level, found = percent(self.confidence_level), limits(self.low, self.high)
        none = translate("no finite {level} % interval", level=level)
        body = f"{format_number(self.estimate)} " + (
            f"{found} ({level} %, {render(self.method)})" if found else f"({none})"
        )
        return View((body,), notes=self.notes).text(COLUMNS)
