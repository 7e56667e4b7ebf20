"""Sentences for people, in English, Spanish or Portuguese.

The English sentence stands in the code, as the template of a `Text` or of `translate`; the other languages are looked
up by it in ``locales/<language>.json``. A sentence without a translation is shown in English, and a test lists it.

A result is made once and may be read later, in another language: all that it has in words is a `Text`, which becomes a
string when it is shown. `translate` makes the string at once: for what is being shown right now, such as a heading.
"""

from __future__ import annotations

import json
import locale
import math
import numbers
import os
import re
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

LANGUAGES = ("en", "es", "pt")


@cache
def data_of(name: str) -> dict[str, Any]:
    """Return what stands in ``locales/<name>.json``."""
    text = resources.files("bakeoff._core").joinpath("locales", f"{name}.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


# Words that stand in results and tables, not in sentences; `render` finds them in the catalogues. Headings are known
# in every table. Fields are those of results, where a result is shown as it is: there no column bears the name of a
# model. Values, parts of the names of methods ("permutation test, BCa bootstrap interval") and the words of tables of
# results that know no words themselves are shown as they come.
WORDS = data_of("words")
# What stands in the cells of such columns is a word of the package, not a name of the user's.
WORDY = ("alternative", "kind", "measure", "method", "outcome", "task", "unit", "weights", "zeros")

_inside: ContextVar[str | None] = ContextVar("bakeoff_language", default=None)  # of a ``with language(…)`` block
_everywhere = {"language": os.environ.get("BAKEOFF_LANG", "en")}  # of the process, in every thread


Role = Literal["headline", "lead", "caution", "scope", "reason", "hint", "plain"]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Text:
    """A sentence as data: an English template and its values, made into words when it is shown.

    It is no `str`, so that nothing can turn it into English by accident: ``str(text)`` and f-strings render it in the
    active language, `in_` in a named one. Two texts are equal if they have one template, one role and read the same.

    Attributes
    ----------
    template
        The English sentence with ``{name}`` fields (rules of `str.format`); the catalogues know it by this.
    values
        What fills the fields; a value that is a `Text` is rendered in the same language.
    role
        What the sentence does where it stands, so that a page or a terminal can arrange sentences without reading them:
        ``"headline"``, ``"lead"``, ``"caution"``, ``"scope"``, ``"reason"``, ``"hint"`` or ``"plain"``.

    Examples
    --------
    >>> from bakeoff import Text
    >>> text = Text("{n} rows", n=12)
    >>> print(text, "=", text.in_("es"))
    12 rows = 12 filas
    """

    template: str
    values: dict[str, Any]
    role: Role

    def __init__(self, template: str, /, **values: object) -> None:
        object.__setattr__(self, "template", template)
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "role", "plain")

    def as_role(self, role: Role) -> Text:
        """Return the same sentence in another role."""
        made = copy(self)
        object.__setattr__(made, "role", role)
        return made

    def in_(self, name: str) -> str:
        """Return the sentence in the language `name`."""
        translated = catalogue(name).get(self.template) or self.template
        values = {key: value.in_(name) if isinstance(value, Text) else value for key, value in self.values.items()}
        return _words_of(name).vformat(translated, (), values) if values else translated

    @property
    def english(self) -> str:
        """The sentence in English, whatever the language: what files and programs read."""
        return self.in_("en")

    def __str__(self) -> str:
        return self.in_(current_language())

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Text({self.english!r})"

    def _identity(self) -> tuple[str, str, str]:
        return self.template, self.role, self.english

    def __eq__(self, other: object) -> bool:
        return self._identity() == other._identity() if isinstance(other, Text) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._identity())


class Words(string.Formatter):
    """`str.format` in the conventions of a language: numbers with its marks, quoted names in its quotation marks."""

    def __init__(self, name: str) -> None:
        self._language = name

    def format_field(self, value: Any, format_spec: str) -> Any:
        """A number by its format, then in the reader's marks; anything else as ever."""
        text = super().format_field(rule_in(self._language, value), format_spec)
        return in_marks_of(self._language, text) if isinstance(value, numbers.Real) else text

    def convert_field(self, value: Any, conversion: Any) -> Any:
        """A name in quotation marks (``!r``) stands in those of the language; other values as Python writes them."""
        if conversion == "r" and isinstance(value, (str, Text)) and self._language != "en":
            return QUOTES[self._language].format(rule_in(self._language, value))
        if conversion == "r" and isinstance(value, float):
            return repr(float(value))
        return super().convert_field(value, conversion)


QUOTES = {"es": "«{}»", "pt": "“{}”"}
_GROUPS = re.compile(r"(?<=\d),(?=\d{3})")


@cache
def _words_of(name: str) -> Words:
    return Words(name)


def in_marks_of(name: str, text: str) -> str:
    """Write a number that Python formatted ('2,357.5') in the marks of a language: pt 2.357,5, es 2357,5.

    Spanish groups thousands by a space, and only where there are five digits or more before the comma.
    """
    if name == "en":
        return text
    whole, point, rest = text.partition(".")
    if name == "pt":
        whole = _GROUPS.sub(".", whole)
    else:
        digits = sum(map(str.isdigit, whole))
        whole = _GROUPS.sub("\N{NO-BREAK SPACE}" if digits > 4 else "", whole)
    return f"{whole},{rest}" if point else whole


def in_marks(text: str) -> str:
    """Write a number that Python formatted in the marks of the active language: for what is shown right now."""
    return in_marks_of(current_language(), text)


def numeral(value: Any, spec: str = "g", after: str = "") -> Text:
    """Return a number for a sentence: formatted by `spec` when it is read, in the marks of its reader."""
    return Text(f"{{value:{spec}}}{after}", value=value)


def label(word: str) -> Text:
    """Return a word that is known at run time only, such as a measure's printed name, as a `Text`."""
    return Text(word)


def joined(parts: Iterable[Text | str], separator: str = " ") -> Text:
    """Return several texts as one, in their order; strings stay as they are."""
    values = {f"part{i}": part for i, part in enumerate(parts)}
    return Text(separator.join(f"{{{name}}}" for name in values), **values)


def translate(template: str, /, **values: Any) -> str:
    """Return the sentence in the active language at once: only for what is being shown right now."""
    return str(Text(template, **values))


def render(text: Text | str) -> str:
    """Return a `Text`, or a word or label of the catalogue ("paired t, Bonferroni" by its parts), in the language."""
    if isinstance(text, Text):
        return str(text)
    known = catalogue(current_language())
    return known.get(text) or ", ".join(known.get(part) or part for part in text.split(", "))


def english(text: Text | str) -> str:
    """Return a `Text` in English, and a string as it is."""
    return text.english if isinstance(text, Text) else text


class Own(str):
    """The name of a model or class at the head of a column: the user's own word, though it may be one of ours."""

    __slots__ = ()


def heading(name: Text | str) -> str:
    """Return a column's name of a result's frame in the active language; a model's name is left as it is."""
    if name == "p_best" and not isinstance(name, Own):  # a field that could be read as a chance of being best
        name = Text("share of resamples")
    ours = isinstance(name, Text) or (name in WORDS["headings"] and not isinstance(name, Own))
    return render(name) if ours else str(rule_in(current_language(), str(name)))


_OUTCOMES = {"passed": "has passed", "worse": "is worse", "undecided": "is undecided"}  # of a gate; codes in English


def _cell_in_words(column: str, cell: Any) -> Any:
    if not isinstance(cell, str) or current_language() == "en":
        return cell
    return render(_OUTCOMES.get(cell, cell) if column == "outcome" else cell) if column in WORDY else cell


def spoken(columns: Mapping[str, Sequence[Any]]) -> dict[Any, Sequence[Any]]:
    """Columns of a result as they are shown: fields, and the words in their cells, by the catalogues."""
    return {
        Text(name) if name in WORDS["fields"] else name: [_cell_in_words(name, cell) for cell in cells]
        for name, cells in columns.items()
    }


def rule_in(name: str, value: Any) -> Any:
    """Return the name of a trivial rule ('always yes', 'prior') in a language, and any other value as it is."""
    if not isinstance(value, str) or name == "en":
        return value
    if value in _RULES:  # of points alone, whose classes have no names, or by the shares of the classes
        return _RULES[value].in_(name)
    always, answer = value[: len("always ")], value[len("always ") :]
    return Text("always {answer}", answer=answer).in_(name) if always == "always " and answer else value


_TREATED = (Text("treat all"), Text("treat none"))
_RULES = {rule.template: rule for rule in (Text("prior"), Text("always positive"), Text("always negative"), *_TREATED)}


def current_language() -> str:
    """Return the active language: of the `language` block, else `set_language`'s, else BAKEOFF_LANG, else English."""
    name = _inside.get() or _everywhere["language"]
    return name if name in LANGUAGES else "en"


def set_language(name: str) -> None:
    """Make `name` (``en``, ``es`` or ``pt``) the language of all that a person reads, from here on.

    The variable BAKEOFF_LANG sets it for a whole session. Files for machines stay in English.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.set_language("es")
    >>> print(bakeoff.Text("{n} rows", n=12))
    12 filas
    >>> bakeoff.set_language("en")
    """
    _everywhere["language"] = _known(name)


def _known(name: str) -> str:
    from bakeoff._core.errors import unknown_choice  # errors have words, so they stand on this file

    if name not in LANGUAGES:
        raise unknown_choice("language", name, LANGUAGES)
    return name


@contextmanager
def language(name: str) -> Iterator[None]:
    """Make `name` (``en``, ``es`` or ``pt``) the active language inside the ``with`` block.

    Examples
    --------
    >>> import bakeoff
    >>> with bakeoff.language("pt"):
    ...     print(bakeoff.Text("{n} rows", n=12))
    ...
    12 linhas
    """
    token = _inside.set(_known(name))
    try:
        yield
    finally:
        _inside.reset(token)


def language_of_locale() -> str:
    """Return the language of the user's locale if there is a catalogue for it, else English."""
    # The variables first, in POSIX's order: getlocale knows only locales that are installed on the machine.
    named = (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    found = next((value for value in named if value), None) or locale.getlocale()[0] or "en"
    code = found[:2].lower()
    return code if code in LANGUAGES else "en"


def catalogue(name: str) -> dict[str, str]:
    """Return the translations of one language, English template → sentence; empty for English."""
    return {} if name == "en" else data_of(name)


_ADJUSTMENTS = {
    "holm": "Holm", "hochberg": "Hochberg", "hommel": "Hommel", "bonferroni": "Bonferroni", "finner": "Finner",
    "holland": "Holland", "rom": "Rom", "li": "Li", "bh": "Benjamini–Hochberg", "by": "Benjamini–Yekutieli",
    "shaffer": "Shaffer", "bergmann": "Bergmann–Hommel",
}  # fmt: skip


def adjustment_word(method: str) -> str:
    """An adjustment by the name of its author."""
    return _ADJUSTMENTS.get(method, method)


def decimals(low: float, high: float, *, against: float = 0.0) -> int:
    """Decimals that show a number to the precision its interval has: a last digit of 1/20 to 1/200 of the width.

    More where a limit would read as the value it is held against: '0.00002 to 0.07852' leaves out zero, and
    '0.000 to 0.079' does not tell.
    """
    width = high - low
    if not math.isfinite(width) or width <= 1e-12:  # no width but rounding error
        return 3
    return places_apart(min(max(math.ceil(1.3 - math.log10(width)), 0), 8), low, high, against)


def margin_decimals(low: float, high: float, margin: float) -> int:
    """Decimals of an interval that is held against ± a margin."""
    return max(decimals(low, high, against=bound) for bound in (-margin, margin))


def places_apart(places: int, low: float, high: float, against: float, *, most: int = 8) -> int:
    """Add decimals until neither limit reads as `against`, unless it is that value but for rounding error."""
    near = [limit - against for limit in (low, high) if abs(limit - against) > 1e-6 * (high - low)]
    return next((n for n in range(places, most) if all(round(gap, n) for gap in near)), most)


def number(value: float, places: int) -> Text | str:
    """A number with fixed decimals and a real minus sign; '−0.000' is '0.000'."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    shown = numeral(abs(value), f".{places}f")
    negative = value < 0 and float(f"{abs(value):.{places}f}") != 0
    return joined(["−", shown], "") if negative else shown


def probability(value: float) -> Text | str:
    """A probability to two decimals, never exactly 0 or 1."""
    if math.isnan(value):
        return "–"
    if value < 0.005:
        return Text("below {value}", value=numeral(0.01))
    return Text("above {value}", value=numeral(0.99)) if value > 0.995 else numeral(value, ".2f")


def p_text(pvalue: float) -> Text:
    """'p = 0.031', 'p < 0.001'."""
    return Text("no p-value") if math.isnan(pvalue) else Text("p {p}", p=p_phrase(pvalue))


def p_phrase(pvalue: float) -> Text | str:
    """Return what follows the letter p: '= 0.031', '< 0.001', '= 1'."""
    if math.isnan(pvalue):
        return "–"
    if pvalue < 0.001:
        return joined(["<", numeral(0.001)])
    return joined(["=", numeral(pvalue, f".{p_places(pvalue)}f" if pvalue < 0.9995 else ".0f")])


def p_places(pvalue: float) -> int:
    """Decimals of a p-value: three, or as many as show on which side of 0.05 it lies (0.0499, 0.0504)."""
    return places_apart(3, pvalue, pvalue, 0.05, most=6) if abs(pvalue - 0.05) > 1e-9 else 3


def percent(level: float) -> Text:
    """0.95 → '95'."""
    return numeral(100 * level, ".10g")


def quoted(name: str) -> str:
    """Keep the commas of a name ('tree, tuned') apart from those of a list; what is in brackets after it may stay."""
    bare, bracket, rest = name.partition(" (")
    return f"“{bare}”{bracket}{rest}" if "," in bare else name


def listed(names: Sequence[Text | str], *, most: int = 8) -> Text:
    """'a', 'a and b', 'a, b and c', 'a, b, … and 12 more'; a name with a comma in it stands in quotation marks."""
    items = [quoted(name) if isinstance(name, str) else name for name in names]
    if len(items) > most:
        shown, rest = items[: most - 1], len(items) - most + 1
        return Text("{names} and {n} more", names=joined(shown, ", "), n=rest)
    if len(items) < 2:
        return joined(items)
    return Text("{names} and {last}", names=joined(items[:-1], ", "), last=items[-1])
