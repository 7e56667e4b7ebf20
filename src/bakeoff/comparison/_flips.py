"""`flips`: which items were right before and are wrong now, and are the two the same for practical purposes?"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, decimals, margin_decimals, number, numeral, p_text, percent
from bakeoff._core.result import Note, Result, Told, warning_note
from bakeoff._core.validation import BoolArray, check_level, check_number
from bakeoff.comparison._by import cut
from bakeoff.evidence import Predictions, Rows, Scores
from bakeoff.stats import mcnemar_from_table
from bakeoff.stats.tables import McNemarResult


@dataclass(frozen=True, repr=False)
class Flips(Told):
    """What changed between two models, item by item.

    Attributes
    ----------
    before, after, n
        The two models, and the items that both answered.
    both_right, lost, gained, both_wrong
        Counts: right twice, right before and wrong after, wrong before and right after, wrong twice.
    lost_items, gained_items
        Which items they are.
    estimate, low, high
        Share right after − before, and Tango's score interval.
    pvalue
        The larger of mid-p and McNemar's χ² without correction.
    flip_rate
        Share of the items whose answer changed sides. Equal accuracy with many flips is no "same model".
    margin, equivalent
        With a margin: whether the 1 − 2α interval lies within ± margin. None without.
    slices
        With `by`: the same counts slice by slice, else None.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_outcomes({"full": [1, 1, 0, 1, 0, 1], "quantised": [1, 0, 0, 1, 1, 1]})
    >>> found = bakeoff.flips(p, "full", "quantised")
    >>> found.lost_items, found.gained_items, round(found.flip_rate, 3)
    ((1,), (4,), 0.333)
    """

    before: str
    after: str
    n: int
    both_right: int
    lost: int
    gained: int
    both_wrong: int
    lost_items: tuple[Hashable, ...]
    gained_items: tuple[Hashable, ...]
    estimate: float
    low: float
    high: float
    pvalue: float
    flip_rate: float
    margin: float | None = None
    equivalent: bool | None = None
    slices: FlipSlices | None = None
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()
    sentences: tuple[Text, ...] = ()

    def _columns(self) -> dict[str, Sequence[Any]]:
        names = ("n", "both_right", "lost", "gained", "both_wrong", "estimate", "low", "high", "pvalue", "flip_rate")
        return {name: [getattr(self, name)] for name in names}

    def _headline(self) -> str:
        return f"{self.before} → {self.after}: {self.lost} lost, {self.gained} gained of {self.n} items"


@dataclass(frozen=True, repr=False)
class FlipSlices(Result):
    """The flips of each slice.

    Attributes
    ----------
    by, entries
        The column (several are crossed with ×), and slice → its `Flips`; each interval holds alone.
    """

    by: str
    entries: dict[str, Flips]

    def _columns(self) -> dict[str, Sequence[Any]]:
        columns: dict[str, Sequence[Any]] = {"by": [self.by] * len(self.entries), "slice": list(self.entries)}
        parts = [found._columns() for found in self.entries.values()]
        return columns | {name: [part[name][0] for part in parts] for name in parts[0]}


def flips(
    evidence: Predictions,
    before: str,
    after: str,
    *,
    threshold: float | None = None,
    margin: float | None = None,
    by: str | Sequence[str] | None = None,
    confidence_level: float = 0.95,
) -> Flips:
    """Which items does a change gain and lose, and is it without loss for practical purposes?

    Parameters
    ----------
    evidence
        Predictions or outcomes with both models; the items that both answered count.
    before, after
        The two models, in the order of time.
    threshold
        A graded outcome (or an item's mean over its attempts, or a score) of at least this counts as right (as
        positive).
    margin
        The largest difference that does not matter; `equivalent` then says whether it was shown to be smaller.
    by
        A column of slices, or several that are crossed.
    confidence_level
        Of the interval.

    References
    ----------
    T. Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the paired-sample
    design", Statistics in Medicine 17, https://doi.org/10.1002/(SICI)1097-0258(19980430)17:8<891::AID-SIM780>3.0.CO;2-B

    Examples
    --------
    >>> import bakeoff
    >>> right = {"full": [1] * 150 + [0] * 50, "quantised": [1] * 149 + [0] * 50 + [1]}
    >>> bakeoff.flips(bakeoff.Predictions.from_outcomes(right), "full", "quantised", margin=0.05).equivalent
    True
    """
    level = check_level(confidence_level)
    if margin is not None:
        margin = check_number("margin", margin, low=0, high=1, closed="none")
    if before == after:
        raise ParameterError(f"before and after must differ. Both are {before!r}.")
    if isinstance(evidence, Scores):
        raise EvidenceError(
            "flips needs the answers of the models item by item. Scores tell only how good they are.",
            hint="give predictions or outcomes (Predictions); compare takes scores",
        )
    both = evidence.select(models=[before, after])
    items, right = _items(both, (before, after), threshold)
    if not len(items):
        raise EvidenceError(f"{before!r} and {after!r} answered no item in common.")
    asked: dict[str, Any] = {"before": before, "after": after, "margin": margin, "level": level}
    slices = None
    if by is not None:
        name, parts = cut(both, by)
        found = {label: _items(part, (before, after), threshold) for label, part in parts.items()}
        slices = FlipSlices(name, {label: _flips(*part, **asked) for label, part in found.items() if len(part[0])})
    return _flips(items, right, **asked, slices=slices, notes=_notes(both))


def _flips(
    items: Any, right: BoolArray, *, before: str, after: str, margin: float | None, level: float,
    slices: FlipSlices | None = None, notes: tuple[Note, ...] = (),
) -> Flips:  # fmt: skip
    was, now = right.T
    lost, gained = np.flatnonzero(was & ~now), np.flatnonzero(now & ~was)
    table = [[int((was & now).sum()), gained.size], [lost.size, int((~was & ~now).sum())]]
    chi2, midp = (mcnemar_from_table(table, method=how) for how in ("chi2", "midp"))
    interval = chi2.confidence_interval(level)
    made = Flips(
        before=before, after=after, n=len(right), both_right=table[0][0], lost=lost.size, gained=gained.size,
        both_wrong=table[1][1], lost_items=tuple(items[lost].tolist()), gained_items=tuple(items[gained].tolist()),
        estimate=chi2.estimate, low=interval.low, high=interval.high, pvalue=max(chi2.pvalue, midp.pvalue),
        flip_rate=(lost.size + gained.size) / len(right), margin=margin, slices=slices, confidence_level=level,
        equivalent=None if margin is None else _within(chi2, margin, level), notes=notes,
    )  # fmt: skip
    return replace(made, sentences=_sentences(made, chi2))


def _within(table: McNemarResult, margin: float, level: float) -> bool:
    """Two one-sided tests at α: the 1 − 2α interval lies within the margin."""
    narrow = table.confidence_interval(2 * level - 1)
    return bool(-margin < narrow.low and narrow.high < margin)


# -- right or wrong, item by item -------------------------------------------------------------------------------------


def _items(evidence: Predictions, models: Sequence[str], threshold: float | None) -> tuple[Any, BoolArray]:
    """Item names ``[n]`` and right or wrong ``[n, 2]``, over all data sets; items that both models answered."""
    parts = [_table_items(rows, models, threshold) for rows in evidence]
    if len(parts) > 1:
        named = [
            np.array([f"{rows.name}/{i}" for i in ids], object) for rows, (ids, _) in zip(evidence, parts, strict=True)
        ]
        return np.concatenate(named), np.concatenate([right for _, right in parts])
    return parts[0]


def _table_items(rows: Rows, models: Sequence[str], threshold: float | None) -> tuple[Any, BoolArray]:
    rows = rows.answered(models).written_out()
    ids = np.arange(rows.n) if rows.instance is None else rows.instance
    return ids, np.stack([rows.correct(model, threshold) for model in models], axis=1)


def _notes(evidence: Predictions) -> tuple[Note, ...]:
    if any(rows.groups is not None for rows in evidence):
        return (_GROUPED,)
    return ()


_GROUPED = warning_note(
    "groups-not-used",
    Text("The interval takes the items as independent, but they come in groups; compare allows for groups."),
)


# -- sentences --------------------------------------------------------------------------------------------------------


def _sentences(found: Flips, table: McNemarResult) -> tuple[Text, ...]:
    places = decimals(found.low, found.high)
    values: dict[str, Any] = {
        "before": found.before, "after": found.after, "lost": found.lost, "gained": found.gained, "n": found.n,
        "rate": numeral(100 * found.flip_rate, ".3g"), "estimate": number(found.estimate, places),
        "low": number(found.low, places), "high": number(found.high, places), "p": p_text(found.pvalue),
        "level": percent(found.confidence_level),
    }  # fmt: skip
    lead = Text(
        "Of {n} items {after} lost {lost} that {before} had right and gained {gained}: {rate} % changed sides.",
        **values,
    )
    size = Text("{after} − {before} is {estimate} ({level} % interval {low} to {high}, {p}).", **values)
    return (lead.as_role("headline"), size, *_closeness(found, table, values))


def _closeness(found: Flips, table: McNemarResult, values: dict[str, Any]) -> tuple[Text, ...]:
    if found.margin is None:
        return ()
    narrow = table.confidence_interval(2 * found.confidence_level - 1)
    places = margin_decimals(narrow.low, narrow.high, found.margin)
    values = values | {
        "margin": numeral(found.margin), "level": percent(2 * found.confidence_level - 1),
        "low": number(narrow.low, places), "high": number(narrow.high, places),
    }  # fmt: skip
    text = Text("Within a margin of {margin} they are equivalent: the {level} % interval is {low} to {high}.", **values)
    if not found.equivalent:
        text = Text(
            "That they are equivalent within a margin of {margin} was not shown: the {level} % interval is {low} to "
            "{high}.",
            **values,
        )
    return (text,)
