"""What the working of every test has: hypotheses, rejection region, decision, the two errors; and of every estimate."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bakeoff._core.language import Text, joined, render
from bakeoff._core.result import Interval
from bakeoff._core.text import Figure
from bakeoff._core.view import Table
from bakeoff.stats.distributions import Null
from bakeoff.steps._formula import Formula, figure
from bakeoff.steps._step import Step

MOST_ROWS, LAST_ROWS = 16, 4  # of a table: longer ones are folded in the middle


@dataclass(frozen=True)
class Around:
    """What the working is told with: the level, and the names of models and of what they were compared on."""

    level: float = 0.95
    a: str = "a"
    b: str = "b"
    models: tuple[str, ...] = ()
    units: tuple[str | Text, ...] = ()
    alone: bool = True  # whether no other pairs are compared

    @property
    def alpha(self) -> float:
        """Level of significance; 1 − 0.95 is 0.05."""
        return round(1 - self.level, 12)

    def model(self, place: int) -> str:
        """A model by its column."""
        return self.models[place] if self.models else str(place + 1)

    def unit(self, place: int) -> str | Text:
        """A data set, split or row by its place."""
        return self.units[place] if self.units else str(place + 1)

    def names(self, n_models: int) -> list[str]:
        """All models."""
        return [self.model(j) for j in range(n_models)]


def table(columns: Mapping[Any, Any]) -> Table:
    """A table of figures; a long one keeps its first and last rows."""
    shown = {name: [figure(_plain(cell)) for cell in cells] for name, cells in columns.items()}
    return Table(shown, max_rows=MOST_ROWS, last_rows=LAST_ROWS)


def _plain(cell: Any) -> Any:
    return cell.item() if hasattr(cell, "item") and not isinstance(cell, Figure) else cell


def terms(values: Iterable[float], places: int | None = None, most: int = 8) -> str:
    """Numbers as a sum: ``0.33 + 0.32 + 0.31``; a long one with dots."""
    shown = [str(Figure(float(v), places)) for v in values]
    shown = [*shown[: most - 1], "…", shown[-1]] if len(shown) > most else shown
    return " + ".join(f"({s})" if s.startswith("−") else s for s in shown)


def percent(share: float) -> Figure:
    """A share as a percentage."""
    return Figure(round(100 * share, 6))


def hypotheses(null: Text | str, other: Text | str, around: Around) -> Step:
    """State what is tested."""
    said = {"null": null, "other": other, "alpha": Figure(around.alpha)}
    return Step(Text("Hypotheses"), Text("H0: {null}. H1: {other}. Level of significance α = {alpha}.", **said))


def law_name(null: Null, share: float) -> str:
    """A distribution with its degrees of freedom and the share below the critical value: ``χ²(1; 0.95)``."""
    inside = [str(Figure(d)) for d in null.df if not (null.law == "t" and math.isinf(d))]
    return f"{null.symbol}({'; '.join([*inside, str(Figure(round(share, 6)))])})"


def region(null: Null, statistic: float, around: Around, letter: str | None = None) -> Step:
    """Name the critical value and the rejection region, and tell where the statistic lies."""
    critical = null.critical(around.alpha)
    letter = letter or null.symbol
    title = Text("Critical value and rejection region")
    if math.isnan(critical):
        text = Text("With so few observations no value of the statistic reaches the level of significance.")
        return Step(title, text)
    sign = {"lower": "≤", "less": "<"}.get(null.tail, ">")
    compared = f"|{letter}|" if null.tail == "two-sided" else letter
    share = 1 - around.alpha / 2 if null.tail == "two-sided" and null.law != "many-to-one" else 1 - around.alpha
    what = law_name(null, share) if null.tail not in ("lower", "less") else f"{letter}*"
    words = [
        _degrees(null),
        Text("Rejection region: {region}.", region=f"{compared} {sign} {Figure(critical, _places(null))!s}"),
    ]
    if not math.isnan(statistic):
        inside = null.rejects(statistic, around.alpha)
        words.append(Text("The statistic lies in it.") if inside else Text("The statistic lies outside it."))
    formula = Formula("{what} = {critical}", what=what, critical=Figure(critical, _places(null)))
    return Step(title, joined([word for word in words if word]), formula)


def _places(null: Null) -> int | None:
    return None if null.discrete else 3


def _degrees(null: Null) -> Text | str:
    """How many degrees of freedom, or what else fixes the distribution."""
    if null.law in ("chi2", "t", "range", "many-to-one") and not math.isinf(null.df[-1]):
        return Text("Degrees of freedom: {df}.", df=Figure(null.df[-1]))
    if null.law == "F":
        return Text("Degrees of freedom: {df1} and {df2}.", df1=Figure(null.df[0]), df2=Figure(null.df[1]))
    if null.law == "signed-rank":
        return Text(
            "Distribution: sums of {n} ranks with signs by fair coins (table of Wilcoxon).", n=Figure(null.df[0])
        )
    if null.discrete:
        return Text("Distribution: {n} tosses of a fair coin.", n=Figure(null.df[0]))
    return Text("Distribution: standard normal.")


def decision(pvalue: float, around: Around, *, found: Text | str = "", more: Sequence[Text | str] = ()) -> Step:
    """The p-value, what is decided, and what both kinds of error would be."""
    title = Text("p-value and decision")
    if math.isnan(pvalue):
        return Step(title, joined([Text("There is no p-value here; the notes say why."), *more]))
    rejected = pvalue < around.alpha
    words: list[Text | str] = [
        Text("p = {pvalue} is below α = {alpha}: H0 is rejected.", pvalue=small(pvalue), alpha=Figure(around.alpha))
        if rejected
        else Text(
            "p = {pvalue} is not below α = {alpha}: H0 is not rejected, which does not show that it is true.",
            pvalue=small(pvalue),
            alpha=Figure(around.alpha),
        )
    ]
    words += [found] if rejected and found else []
    words += [] if around.alone else [Text("This p-value is of the pair alone; the other pairs are allowed for below.")]
    return Step(title, joined([*words, *more]))


def small(pvalue: float) -> Figure:
    """A p-value with enough decimals to be read."""
    return Figure(pvalue, 4) if pvalue >= 0.001 else Figure(pvalue)


ERRORS = Text("The two errors")


def errors(around: Around) -> Step:
    """The two errors in words."""
    text = Text(
        "Type I error: H0 is rejected although it is true; it happens in {alpha} % of the samples at most, if the "
        "conditions of the test hold. Type II error: H0 is not rejected although it is false; how often depends on "
        "the size of the difference and of the sample (bakeoff.plan).",
        alpha=percent(around.alpha),
    )
    return Step(ERRORS, text)


def conclusion(
    result: Any,
    around: Around,
    *,
    letter: str | None = None,
    found: Text | str = "",
    more: Sequence[Text | str] = (),
) -> Iterator[Step]:
    """The last steps of every test."""
    yield region(result.null_distribution, result._decisive, around, letter)
    yield decision(result.pvalue, around, found=found, more=more)
    yield errors(around)


FOR_THE_PAIRS = Text("Which models differ is a question for the pairs.")


def interval(found: Interval, formula: Formula | None = None) -> Step:
    """A confidence interval, with how it was computed."""
    level = percent(found.confidence_level)
    if math.isnan(found.low) or (math.isinf(found.low) and math.isinf(found.high)):
        return Step(Text("Confidence interval"), Text("There is no finite {level} % interval here.", level=level))
    return Step(Text("Confidence interval"), interval_text(found), formula)


def interval_text(found: Any) -> Text:
    """The limits of an estimate in a sentence."""
    return Text(
        "{level} % interval of {estimate}: from {low} to {high} ({method}).",
        level=percent(found.confidence_level), estimate=Figure(found.estimate), low=Figure(found.low),
        high=Figure(found.high), method=render(found.method),
    )  # fmt: skip


def limits_title(found: Any) -> Text:
    """The heading of limits whose formula depends on the method."""
    return Text("Confidence interval ({method})", method=found.method)


def higher(around: Around, difference: float) -> Text:
    """Which of two has the higher value."""
    first, second = (around.a, around.b) if difference > 0 else (around.b, around.a)
    return Text("{first} has the higher value, {second} the lower.", first=first, second=second)


def ratio(result: Any, letter: str = "t") -> Formula:
    """A difference over its standard error."""
    return Formula("{letter} = {r.estimate} / {r.standard_error} = {r.statistic!t}", letter=letter, r=result)
