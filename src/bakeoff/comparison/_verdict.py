"""The verdict: what was found, in sentences for people; what was not shown is never called equal."""

from __future__ import annotations

from collections.abc import Callable

from bakeoff._core.language import tr
from bakeoff.comparison._comparison import Comparison
from bakeoff.comparison._verdict_many import many_sentences
from bakeoff.comparison._verdict_margin import margin_sentences, posterior_sentences
from bakeoff.comparison._verdict_two import two_sentences


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """Return the verdict sentence by sentence: the finding, its size, the margin, the scope, the cautions."""
    body = two_sentences(comparison) if len(comparison.pairs) == 1 else many_sentences(comparison)
    return (
        *body,
        *margin_sentences(comparison),
        *posterior_sentences(comparison),
        _scope(comparison),
        *_cautions(comparison),
    )


def _scope(comparison: Comparison) -> str:
    """To what the conclusion carries over."""
    unit = comparison.design.unit
    if unit == "data sets":
        return tr("The conclusion is about data sets like these {n}.", n=comparison.design.n_datasets)
    if unit == "folds":
        return tr("The conclusion is about training these kinds of model on data of this source and size.")
    if unit == "items":
        return tr("The conclusion is about items like these.")
    return tr(
        "The conclusion is about these trained models on cases like those of the test set, not about retraining them."
    )


def _cautions(comparison: Comparison) -> list[str]:
    codes = {note.code for note in comparison.notes if note.level == "warning"}
    return [say() for code, say in _CAUTIONS.items() if code in codes]


_CAUTIONS: dict[str, Callable[[], str]] = {
    "few-data-sets": lambda: tr("Caution: with so few data sets hardly any difference can be shown."),
    "no-pair-can-be-shown": lambda: tr(
        "Caution: with so few data sets and so many comparisons no pair could be shown to differ, whatever the scores."
    ),
    "few-instances": lambda: tr("Caution: with so few instances only a very large difference can be shown."),
    "few-clusters": lambda: tr("Caution: with so few clusters the interval is likely too narrow."),
    "dependent-folds": lambda: tr(
        "Caution: the test was asked for by name; it takes overlapping splits as independent and finds differences "
        "that are not there."
    ),
    "pools-folds": lambda: tr(
        "Caution: the test was asked for by name; it ignores how much the models vary with their training sets."
    ),
    "rows-in-clusters": lambda: tr(
        "Caution: the test was asked for by name; it takes rows of one cluster as independent, so it is too sure."
    ),
    "incomplete-data-sets": lambda: tr("Caution: data sets with a missing score were left out."),
    "incomplete-splits": lambda: tr("Caution: splits with a missing score were left out."),
    "pooled-leave-one-out": lambda: tr("Caution: an AUC over pooled leave-one-out scores can mislead."),
}
