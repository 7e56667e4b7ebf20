"""Numbers and names as people read them."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff._core.language import (
    Text,
    current_language,
    in_marks,
    numeral,
    p_places,
    places_apart,
    rule_in,
    translate,
)


class Figure(float):
    """A number as a hand computation shows it: whole ones without decimals, others to about four digits.

    ``str`` gives it in the marks of the active language; a `Text` or a formula that it fills, in its own.

    Examples
    --------
    >>> from bakeoff._core.text import Figure
    >>> [str(Figure(x)) for x in (93.0, 1.5, 0.33320001, 10.9523, -2.5, 0.0087123)], str(Figure(5.6, 3))
    (['93', '1.5', '0.3332', '10.952', '−2.5', '0.008712'], '5.600')
    """

    places: int | None

    def __new__(cls, value: float, places: int | None = None) -> Figure:
        """Take a number, and the decimals it is to have."""
        made = super().__new__(cls, value)
        made.places = places
        return made

    def __str__(self) -> str:
        return in_marks(format(self, ""))

    def __format__(self, spec: str) -> str:
        number = float(self)
        if not math.isfinite(number):
            return _no_number(number).replace("-", "−")
        text = format(number, spec) if spec else _plainly(number, self.places)
        text = text.replace("-", "−") if "e" not in text else text
        return text.lstrip("−") if float(text.replace("−", "-")) == 0 else text


def _plainly(number: float, places: int | None) -> str:
    if places is not None:
        return f"{number:.{places}f}"
    size = abs(number)
    if number == round(number) and size < 1e7:
        return f"{number:.0f}"
    if size < 1e-6 or size >= 1e7:
        return f"{number:.3g}"
    # below 0.1 four digits that count, so that a reader who divides by it finds the same quotient
    digits = 3 - math.floor(math.log10(size)) if size < 0.1 else 4 if size < 1 else 3
    return f"{number:.{digits}f}".rstrip("0").rstrip(".")


def format_value(value: Any, *, digits: int = 4) -> str:
    """Write one value for a person: numbers to `digits` decimals, None and NaN as a dash, words in their language."""
    if value is None:
        return "–"
    if isinstance(value, Figure):
        return str(value)
    if isinstance(value, bool):
        return translate("yes") if value else translate("no")
    if isinstance(value, (int, str, Text)):
        return str(rule_in(current_language(), value))
    try:
        number = float(value)
    except (TypeError, ValueError):
        return str(value)
    return format_number(number, digits=digits)


def format_number(number: float, *, digits: int = 4) -> str:
    """Write a number for a person, in the marks of the active language."""
    return in_marks(plain_number(number, digits=digits))


def plain_number(number: float, *, digits: int = 4) -> str:
    """Write a number as programs do, with a decimal point."""
    return _no_number(number) or format(number, _spec(number, digits))


def number_text(number: float, *, digits: int = 4) -> Text | str:
    """Return a number for a sentence that is read later: as `format_number` writes it then."""
    return _no_number(number) or numeral(number, _spec(number, digits))


def _no_number(number: float) -> str:
    if math.isnan(number):
        return "–"
    return {math.inf: "∞", -math.inf: "-∞"}.get(number, "")


def _spec(number: float, digits: int) -> str:
    """Fixed decimals for everyday magnitudes, scientific notation for the very small and very large."""
    if number and (abs(number) < 10.0**-digits or abs(number) >= 1e7):
        return f".{max(digits - 2, 1)}e"
    return f".{digits if abs(number) < 1000 else max(digits - 3, 1)}f"


def format_pvalue(pvalue: float) -> str:
    """Write a p-value: never '0', three decimals (more close to 0.05) down to 0.001, then '< 0.001'."""
    if math.isnan(pvalue):
        return "–"
    return f"< {in_marks('0.001')}" if pvalue < 0.001 else in_marks(f"{pvalue:.{p_places(pvalue)}f}")


# -- numbers on a page: as many decimals as the interval bears, a true minus, a sign for leads -------------------------


def decimals(low: float, high: float, *, fallback: int = 3, lead: bool = False) -> int:
    """Decimals so that half the width of the interval has two digits; no limit of a lead reads as zero that is not."""
    half = (high - low) / 2
    if not (math.isfinite(half) and half > 1e-9):
        return fallback
    places = min(6, max(0, 1 - math.floor(math.log10(half))))
    return places_apart(places, low, high, 0.0, most=6) if lead else places


def fixed(value: float, digits: int) -> str:
    """A number with so many decimals, thousands apart; a dash for none."""
    return in_marks(f"{value:,.{digits}f}").replace("-", "−") if math.isfinite(value) else "–"


def signed(value: float, digits: int) -> str:
    """A lead: always with its sign."""
    return in_marks(f"{value:+,.{digits}f}").replace("-", "−") if math.isfinite(value) else "–"


def interval(low: float, high: float, digits: int) -> str:
    """'(13.2 to 35.9)'; nothing where there is none."""
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        return ""
    return f"({fixed(low, digits)} {translate('to')} {fixed(high, digits)})"


def amount(value: float) -> str:
    """A price that somebody gave: as it is, thousands apart."""
    return in_marks(f"{value:,.10g}")


def rough(value: float) -> str:
    """Two digits: what an 'about' can promise."""
    digits = 1 - math.floor(math.log10(value)) if value > 0 else 0
    return in_marks(f"{round(value, digits):,.0f}")


# -- names and tables --------------------------------------------------------------------------------------------------


def display_width(text: str) -> int:
    """Columns the text takes in a terminal (wide East Asian characters and emoji take two)."""
    return sum(0 if unicodedata.combining(ch) else 1 + (unicodedata.east_asian_width(ch) in "WF") for ch in text)


def shorten(text: str, width: int = 40) -> str:
    """Cut a long name in the middle, keeping both ends."""
    text = " ".join(text.split())
    if len(text) <= width:
        return text
    head = (width - 1) // 2
    return f"{text[:head]}…{text[-(width - 1 - head) :]}"


def markdown_table(columns: Mapping[str, Sequence[Any]]) -> str:
    """Write a Markdown table; nothing in a cell ends it or is read as markup."""
    rows = zip(*columns.values(), strict=True)
    lines = [[*columns], ["---"] * len(columns), *([format_value(v) for v in row] for row in rows)]
    return "\n".join("| " + " | ".join(map(_markdown_cell, line)) + " |" for line in lines)


def _markdown_cell(text: str) -> str:
    text = " ".join(text.split())  # no line separator of any kind ends a row
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
