"""The verdict: what was found, in sentences for people; what was not shown is never called equal."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from bakeoff._core.language import Text, decimals, joined, number, p_text, percent
from bakeoff.comparison._catalogue import catalogue
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._entry import PostHoc, Test, TestWords
from bakeoff.comparison._prepare import RARE_CLASS
from bakeoff.comparison._verdict_many import many_sentences
from bakeoff.comparison._verdict_margin import margin_sentences, posterior_sentences
from bakeoff.evidence import ASSUMED
from bakeoff.measures import label_of


def verdict_sentences(comparison: Comparison, test: Test[Any], posthoc: PostHoc | None) -> tuple[Text, ...]:
    """Return the verdict sentence by sentence: the finding, its size, the margin, the scope, the cautions."""
    words = _words(test, posthoc, comparison.alternative)
    body = two_sentences if len(comparison.pairs) == 1 else many_sentences
    return (
        *body(comparison, words),
        *(margin_sentences(comparison) if comparison.margin is not None else ()),
        *(posterior_sentences(comparison) if comparison.bayes else ()),
        _scope(comparison).as_role("scope"),
        *(text.as_role("caution") for text in _cautions(comparison)),
    )


def _words(test: Test[Any], posthoc: PostHoc | None, alternative: str) -> TestWords:
    pair = test.in_words or test.label
    by = posthoc or (test if test.pairs_by is None else catalogue()[test.pairs_by])
    return TestWords(
        pair=pair if alternative == "two-sided" else Text("{test}, one-sided", test=pair),
        pairs=by.label,
        bayesian=test.bayesian,
        by_ranks=test.orders_by == "ranks",
    )


def _scope(comparison: Comparison) -> Text:
    """To what the conclusion carries over."""
    unit = comparison.design.unit
    if unit == "data sets":
        return Text("The conclusion is about data sets like these {n}.", n=comparison.design.n_datasets)
    if unit == "folds":
        return Text("The conclusion is about training these kinds of model on data of this source and size.")
    if unit == "items":
        return Text("The conclusion is about items like these.")
    return Text(
        "The conclusion is about these trained models on cases like those of the test set, not about retraining them."
    )


def _cautions(comparison: Comparison) -> list[Text]:
    codes = {note.code for note in comparison.notes if note.level == "warning"}
    whole = [note.text for note in comparison.notes if note.code in _TOLD_WHOLE and isinstance(note.text, Text)]
    return [*whole, *(text for code, text in CAUTIONS.items() if code in codes)]


_TOLD_WHOLE = (ASSUMED, RARE_CLASS)  # notes that belong to the answer as they are
CAUTIONS: dict[str, Text] = {
    "few-data-sets": Text("Caution: with so few data sets hardly any difference can be shown."),
    "no-pair-can-be-shown": Text(
        "Caution: with so few data sets and so many comparisons no pair could be shown to differ, whatever the scores."
    ),
    "few-instances": Text("Caution: with so few instances only a very large difference can be shown."),
    "few-clusters": Text("Caution: with so few clusters the interval is likely too narrow."),
    "dependent-folds": Text(
        "Caution: the test was asked for by name; it takes overlapping splits as independent and finds differences "
        "that are not there."
    ),
    "pools-folds": Text(
        "Caution: the test was asked for by name; it ignores how much the models vary with their training sets."
    ),
    "rows-in-clusters": Text(
        "Caution: the test was asked for by name; it takes rows of one cluster as independent, so it is too sure."
    ),
    "incomplete-data-sets": Text("Caution: data sets with a missing score were left out."),
    "incomplete-splits": Text("Caution: splits with a missing score were left out."),
    "pooled-leave-one-out": Text("Caution: an AUC over pooled leave-one-out scores can mislead."),
}

_SAME_THROUGHOUT = ("identical-models", "no-discordant-pairs")


def two_sentences(comparison: Comparison, words: TestWords) -> list[Text]:
    """The finding about the only pair, and what it does not say."""
    pair = comparison.pairs[0]
    finding, *more = _finding(comparison, pair, words)
    return [finding.as_role("headline"), *more]


def _finding(comparison: Comparison, pair: PairComparison, words: TestWords) -> list[Text]:
    if any(note.code in _SAME_THROUGHOUT for note in pair.notes):
        return [_identical(comparison, pair)]
    if words.bayesian:
        return [_size(comparison, pair, words)]
    if pair.conclusion == "undefined":
        return [_undefined(comparison, pair)]
    if pair.better:
        return [_shown(comparison, pair, words)]
    if pair.pvalue_adjusted <= 1 - comparison.confidence_level and pair.estimate != 0:
        return [_undecided(comparison, pair, words)]
    side = [] if comparison.alternative == "two-sided" else [_one_side(comparison, pair)]
    return [_not_shown(comparison, pair, words), *side, _not_equal(comparison, pair)]


def _undecided(comparison: Comparison, pair: PairComparison, words: TestWords) -> Text:
    """A p-value below the level from which nothing may be concluded: fewer than five effective groups."""
    return Text(
        "Undecided: so few groups allow no conclusion. {measure} of {a} and {b}: {x} and {y}, {a} − {b} = {d} "
        "({interval}; {test}, {p}).",
        **_values(comparison, pair, words),
    )


def _identical(comparison: Comparison, pair: PairComparison) -> Text:
    return Text(
        "{a} and {b} did the same throughout: nothing in these data tells them apart in {measure} (p = 1).",
        a=pair.model_a, b=pair.model_b, measure=label_of(comparison.measure),
    )  # fmt: skip


def _undefined(comparison: Comparison, pair: PairComparison) -> Text:
    reasons = [n.text for n in pair.notes if n.level == "warning"] or [Text("The test is undefined on these data.")]
    return Text(
        "Whether {a} and {b} differ in {measure} cannot be tested here. {reasons}",
        a=pair.model_a, b=pair.model_b, measure=label_of(comparison.measure), reasons=joined(reasons),
    )  # fmt: skip


# -- a difference was shown -------------------------------------------------------------------------------------------


def _shown(comparison: Comparison, pair: PairComparison, words: TestWords) -> Text:
    """The better model first, and the size of its lead as a positive number."""
    lead = pair if pair.better == pair.model_a else pair.flipped()
    # Where the better model has the lower value: how much lower it is.
    values = _values(comparison, lead, words, lead if comparison.greater_is_better else lead.flipped())
    unit = "instances" if comparison.design.unit == "items" else comparison.design.unit
    return _SHOWN[unit, comparison.greater_is_better](values)


def _values(
    comparison: Comparison, pair: PairComparison, words: TestWords, difference: PairComparison | None = None
) -> dict[str, Any]:
    """What fills the sentences on a pair; `difference` is the pair as its difference is to be read."""
    difference = difference or pair
    places = decimals(difference.low, difference.high)
    return {
        "a": pair.model_a,
        "b": pair.model_b,
        "measure": label_of(comparison.measure),
        "x": number(pair.value_a, places),
        "y": number(pair.value_b, places),
        "d": number(difference.estimate, places),
        "interval": interval_phrase(difference.low, difference.high, comparison.confidence_level),
        "test": words.pair,
        "p": p_text(pair.pvalue),
        "n": comparison.design.n_datasets,
        "j": comparison.design.n_splits,
    }


Fill = Callable[[dict[str, Any]], Text]

_SHOWN: dict[tuple[str, bool], Fill] = {
    ("instances", True): lambda v: Text(
        "{a} is better than {b}: {measure} {x} against {y}, higher by {d} ({interval}; {test}, {p}).", **v
    ),
    ("instances", False): lambda v: Text(
        "{a} is better than {b}: {measure} {x} against {y}, lower by {d} ({interval}; {test}, {p}).", **v
    ),
    ("folds", True): lambda v: Text(
        "{a} is better than {b}: mean {measure} over {j} splits {x} against {y}, higher by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("folds", False): lambda v: Text(
        "{a} is better than {b}: mean {measure} over {j} splits {x} against {y}, lower by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("data sets", True): lambda v: Text(
        "Over {n} data sets {a} is better than {b}: its {measure} is typically higher by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("data sets", False): lambda v: Text(
        "Over {n} data sets {a} is better than {b}: its {measure} is typically lower by {d} ({interval}; {test}, {p}).",
        **v,
    ),
}


# -- none was shown ---------------------------------------------------------------------------------------------------


def _not_shown(comparison: Comparison, pair: PairComparison, words: TestWords) -> Text:
    values = _values(comparison, pair, words)
    if comparison.design.unit == "data sets":
        return Text(
            "Over {n} data sets no difference in {measure} between {a} and {b} was shown: {a} − {b} is typically {d} "
            "({interval}; {test}, {p}).",
            **values,
        )
    if comparison.design.unit == "folds":
        return Text(
            "No difference in {measure} between {a} and {b} was shown: means over {j} splits {x} and {y}, {a} − {b} = "
            "{d} ({interval}; {test}, {p}).",
            **values,
        )
    return Text(
        "No difference in {measure} between {a} and {b} was shown: {x} and {y}, {a} − {b} = {d} ({interval}; {test}, "
        "{p}).",
        **values,
    )


def _one_side(comparison: Comparison, pair: PairComparison) -> Text:
    """A one-sided test is blind on the other side, whatever the interval shows there."""
    values = {"a": pair.model_a, "b": pair.model_b, "measure": label_of(comparison.measure)}
    if comparison.alternative == "greater":
        return Text(
            "Only whether the {measure} of {a} is higher than that of {b} was tested, not the reverse.", **values
        )
    return Text("Only whether the {measure} of {a} is lower than that of {b} was tested, not the reverse.", **values)


def _not_equal(comparison: Comparison, pair: PairComparison) -> Text:
    if comparison.margin is not None:
        return Text("Not having shown a difference is not having shown that there is none; see the margin for that.")
    if not math.isfinite(pair.high - pair.low):
        return Text("That does not make them equal: the data are too few to say how large a difference there may be.")
    reach = max(abs(pair.low), abs(pair.high))
    return Text(
        "That does not make them equal: differences of up to {reach} are compatible with these data.",
        reach=number(reach, decimals(pair.low, pair.high)),
    )


def _size(comparison: Comparison, pair: PairComparison, words: TestWords) -> Text:
    values = _values(comparison, pair, words)
    return Text("{a} − {b} in {measure} is {d} ({interval}; {test}).", **values)


# -- phrases ----------------------------------------------------------------------------------------------------------


def interval_phrase(low: float, high: float, level: float) -> Text:
    """'95 % interval 0.012 to 0.064'."""
    if not math.isfinite(high - low):
        return Text("no finite {level} % interval", level=percent(level))
    places = decimals(low, high)
    return Text(
        "{level} % interval {low} to {high}",
        level=percent(level), low=number(low, places), high=number(high, places),
    )  # fmt: skip
