"""The verdict: what was found, in sentences for people; what was not shown is never called equal."""

from __future__ import annotations

from typing import Any

from bakeoff._core.language import Text
from bakeoff.comparison._catalogue import catalogue
from bakeoff.comparison._comparison import Comparison
from bakeoff.comparison._entry import PostHoc, Test
from bakeoff.comparison._verdict_many import many_sentences
from bakeoff.comparison._verdict_margin import margin_sentences, posterior_sentences
from bakeoff.comparison._verdict_two import two_sentences
from bakeoff.comparison._words import TestWords


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
    pair = test.words.pair or test.label
    if posthoc is not None:
        pairs = posthoc.label
    elif test.pairs_by is not None:
        pairs = catalogue()[test.pairs_by].label
    else:
        pairs = test.words.pairs or test.label
    return TestWords(
        pair=pair if alternative == "two-sided" else Text("{test}, one-sided", test=pair),
        pairs=pairs,
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
    return [text for code, text in _CAUTIONS.items() if code in codes]


_CAUTIONS: dict[str, Text] = {
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
