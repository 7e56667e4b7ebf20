"""Numbers and names as they stand in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff._core.language import Text, joined


@dataclass(frozen=True, kw_only=True)
class TestWords:
    """What the sentences of a verdict ask about the test.

    Attributes
    ----------
    pair, pairs
        Its name in a sentence on a single pair, and the name of what compared the pairs in one on several.
    bayesian
        Whether posterior probabilities decide.
    by_ranks
        Whether the models are ordered by mean ranks.
    """

    __test__ = False  # not a test class, whatever pytest makes of its name

    pair: Text
    pairs: Text
    bayesian: bool
    by_ranks: bool


_ADJUSTMENTS = {
    "holm": "Holm", "hochberg": "Hochberg", "hommel": "Hommel", "bonferroni": "Bonferroni", "finner": "Finner",
    "holland": "Holland", "rom": "Rom", "li": "Li", "bh": "Benjamini–Hochberg", "by": "Benjamini–Yekutieli",
    "shaffer": "Shaffer", "bergmann": "Bergmann–Hommel",
}  # fmt: skip


def adjustment_word(method: str) -> str:
    """An adjustment by the name of its author."""
    return _ADJUSTMENTS.get(method, method)


def decimals(width: float) -> int:
    """Decimals that show a number to the precision its interval has: a last digit of 1/20 to 1/200 of the width."""
    if not math.isfinite(width) or width <= 1e-12:  # no width but rounding error
        return 3
    return min(max(math.ceil(1.3 - math.log10(width)), 0), 8)


def number(value: float, places: int) -> str:
    """A number with fixed decimals and a real minus sign; '−0.000' is '0.000'."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    text = f"{abs(value):.{places}f}"
    negative = value < 0 and float(text) != 0
    return f"−{text}" if negative else text


def probability(value: float) -> Text | str:
    """A probability to two decimals, never exactly 0 or 1."""
    if math.isnan(value):
        return "–"
    if value < 0.005:
        return Text("below 0.01")
    return Text("above 0.99") if value > 0.995 else f"{value:.2f}"


def p_text(pvalue: float) -> Text | str:
    """'p = 0.031', 'p < 0.001'."""
    if math.isnan(pvalue):
        return Text("no p-value")
    if pvalue < 0.001:
        return "p < 0.001"
    return f"p = {pvalue:.3f}" if pvalue < 0.9995 else "p = 1"


def percent(level: float) -> str:
    """0.95 → '95'."""
    return f"{100 * level:.10g}"


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
