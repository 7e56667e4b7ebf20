"""The verdict: what was found, in sentences for people; what was not shown is never called equal."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from bakeoff._core.language import tr
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._verdict_many import many_sentences
from bakeoff.comparison._words import decimals, listed, measure_word, number, p_text, percent, probability


def sentences(comparison: Comparison) -> tuple[str, ...]:
    """Return the verdict sentence by sentence: the finding, its size, the margin, the scope, the cautions."""
    if len(comparison.pairs) == 1:
        body = _two(comparison, comparison.pairs[0])
    else:
        body = many_sentences(comparison)
    body += _margin(comparison)
    body += _posterior(comparison)
    body.append(_scope(comparison))
    return (*body, *_cautions(comparison))


# -- two models -------------------------------------------------------------------------------------------------------


def _two(comparison: Comparison, pair: PairComparison) -> list[str]:
    if any(note.code in ("identical-models", "no-discordant-pairs") for note in pair.notes):
        return [_identical(comparison, pair)]
    if comparison.choice.chosen.startswith("bayes"):
        return [_size(comparison, pair)]
    if pair.conclusion == "undefined":
        return [_undefined(comparison, pair)]
    if pair.shown:
        return [_shown(comparison, pair)]
    return [_not_shown(comparison, pair), _not_equal(comparison, pair)]


def _identical(comparison: Comparison, pair: PairComparison) -> str:
    return tr(
        "{a} and {b} did the same throughout: nothing in these data tells them apart in {measure} (p = 1).",
        a=pair.model_a, b=pair.model_b, measure=measure_word(comparison.measure),
    )  # fmt: skip


def _undefined(comparison: Comparison, pair: PairComparison) -> str:
    reasons = [n.message.rstrip(".") for n in pair.notes if n.level == "warning"]
    return tr(
        "Whether {a} and {b} differ in {measure} cannot be tested here: {reason}.",
        a=pair.model_a, b=pair.model_b, measure=measure_word(comparison.measure),
        reason="; ".join(reasons) or tr("the test is undefined on these data"),
    )  # fmt: skip


def _shown(comparison: Comparison, pair: PairComparison) -> str:
    """The better model first, the size of its lead with its interval."""
    lead = pair if pair.better == pair.model_a else pair.flipped()
    if comparison.greater_is_better:
        low, high, estimate = lead.low, lead.high, lead.estimate
    else:
        low, high, estimate = -lead.high, -lead.low, -lead.estimate
    places = decimals(high - low)
    values = {
        "better": lead.model_a, "worse": lead.model_b, "measure": measure_word(comparison.measure),
        "x": number(lead.value_a, places), "y": number(lead.value_b, places), "d": number(estimate, places),
        "low": number(low, places), "high": number(high, places), "level": percent(comparison.confidence_level),
        "test": test_phrase(comparison), "p": p_text(pair.pvalue), "n": comparison.design.n_datasets,
        "j": comparison.design.n_splits,
    }  # fmt: skip
    return _SHOWN[comparison.design.unit, comparison.greater_is_better](values)


Fill = Callable[[Mapping[str, object]], str]

_SHOWN: dict[tuple[str, bool], Fill] = {}
for _unit in ("instances", "items"):
    _SHOWN[_unit, True] = lambda v: tr(
        "{better} is better than {worse}: {measure} {x} against {y}, higher by {d} ({level} % interval {low} to "
        "{high}; {test}, {p}).",
        **v,
    )
    _SHOWN[_unit, False] = lambda v: tr(
        "{better} is better than {worse}: {measure} {x} against {y}, lower by {d} ({level} % interval {low} to {high}; "
        "{test}, {p}).",
        **v,
    )
_SHOWN["folds", True] = lambda v: tr(
    "{better} is better than {worse}: mean {measure} over {j} splits {x} against {y}, higher by {d} ({level} % "
    "interval {low} to {high}; {test}, {p}).",
    **v,
)
_SHOWN["folds", False] = lambda v: tr(
    "{better} is better than {worse}: mean {measure} over {j} splits {x} against {y}, lower by {d} ({level} % interval "
    "{low} to {high}; {test}, {p}).",
    **v,
)
_SHOWN["data sets", True] = lambda v: tr(
    "Over {n} data sets {better} is better than {worse}: its {measure} is typically higher by {d} ({level} % interval "
    "{low} to {high}; {test}, {p}).",
    **v,
)
_SHOWN["data sets", False] = lambda v: tr(
    "Over {n} data sets {better} is better than {worse}: its {measure} is typically lower by {d} ({level} % interval "
    "{low} to {high}; {test}, {p}).",
    **v,
)


def _not_shown(comparison: Comparison, pair: PairComparison) -> str:
    places = decimals(pair.high - pair.low)
    values = {
        "a": pair.model_a, "b": pair.model_b, "measure": measure_word(comparison.measure),
        "x": number(pair.value_a, places), "y": number(pair.value_b, places), "d": number(pair.estimate, places),
        "low": number(pair.low, places), "high": number(pair.high, places),
        "level": percent(comparison.confidence_level), "test": test_phrase(comparison), "p": p_text(pair.pvalue),
        "n": comparison.design.n_datasets, "j": comparison.design.n_splits,
    }  # fmt: skip
    if comparison.design.unit == "data sets":
        return tr(
            "Over {n} data sets no difference in {measure} between {a} and {b} was shown: {a} − {b} is typically {d} "
            "({level} % interval {low} to {high}; {test}, {p}).",
            **values,
        )
    if comparison.design.unit == "folds":
        return tr(
            "No difference in {measure} between {a} and {b} was shown: means over {j} splits {x} and {y}, {a} − {b} = "
            "{d} ({level} % interval {low} to {high}; {test}, {p}).",
            **values,
        )
    return tr(
        "No difference in {measure} between {a} and {b} was shown: {x} and {y}, {a} − {b} = {d} ({level} % interval "
        "{low} to {high}; {test}, {p}).",
        **values,
    )


def _not_equal(comparison: Comparison, pair: PairComparison) -> str:
    if comparison.margin is not None:
        return tr("Not having shown a difference is not having shown that there is none; the margin speaks to that.")
    if not math.isfinite(pair.high - pair.low):
        return tr("That does not make them equal: the data are too few to say how large a difference there may be.")
    places = decimals(pair.high - pair.low)
    reach = max(abs(pair.low), abs(pair.high))
    return tr(
        "That does not make them equal: differences of up to {reach} are compatible with these data.",
        reach=number(reach, places),
    )


def _size(comparison: Comparison, pair: PairComparison) -> str:
    places = decimals(pair.high - pair.low)
    return tr(
        "{a} − {b} in {measure} is {d} ({level} % interval {low} to {high}; {test}).",
        a=pair.model_a, b=pair.model_b, measure=measure_word(comparison.measure), d=number(pair.estimate, places),
        low=number(pair.low, places), high=number(pair.high, places), level=percent(comparison.confidence_level),
        test=test_phrase(comparison),
    )  # fmt: skip


def test_phrase(comparison: Comparison) -> str:
    """The test as named in a sentence, with its side where it is one-sided."""
    name = title(comparison.choice.chosen)
    if comparison.choice.chosen == "bootstrap":
        name = tr("paired bootstrap, permutation test")
    return name if comparison.alternative == "two-sided" else tr("{test}, one-sided", test=name)


test_phrase.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of its name


# -- margin and posterior ---------------------------------------------------------------------------------------------


def _margin(comparison: Comparison) -> list[str]:
    if comparison.margin is None:
        return []
    if len(comparison.pairs) == 1 or comparison.control is not None:
        return [_margin_pair(comparison, pair) for pair in comparison.pairs]
    return _margin_many(comparison)


def _margin_pair(comparison: Comparison, pair: PairComparison) -> str:
    places = decimals(pair.margin_high - pair.margin_low)
    values = {
        "a": pair.model_a, "b": pair.model_b, "margin": f"{comparison.margin:g}",
        "low": number(pair.margin_low, places), "high": number(pair.margin_high, places),
        "level": percent(1 - 2 * (1 - comparison.confidence_level)), "measure": measure_word(comparison.measure),
    }  # fmt: skip
    if pair.closeness == "equivalent":
        return tr(
            "Within a margin of {margin} {a} and {b} are equivalent: the {level} % interval of the difference, {low} "
            "to {high}, lies inside ±{margin} ({p}).",
            **values, p=p_text(pair.pvalue_equivalent),
        )  # fmt: skip
    if pair.closeness == "not inferior":
        return tr(
            "{a} is not inferior to {b} by a margin of {margin}: the {level} % interval of {a} − {b} is {low} to "
            "{high} ({p}).",
            **values, p=p_text(pair.pvalue_not_inferior),
        )  # fmt: skip
    if pair.closeness == "inferior":
        return tr(
            "{a} is worse than {b} by more than the margin of {margin}: the {level} % interval of {a} − {b} is {low} "
            "to {high}.",
            **values,
        )
    return tr(
        "Whether {a} is within a margin of {margin} of {b} is not settled: the {level} % interval of {a} − {b} is "
        "{low} to {high}.",
        **values,
    )


def _margin_many(comparison: Comparison) -> list[str]:
    equivalent = [f"{p.model_a} – {p.model_b}" for p in comparison.pairs if p.closeness == "equivalent"]
    total = len(comparison.pairs)
    if not equivalent:
        return [tr("No pair was shown to be equivalent within a margin of {margin}.", margin=f"{comparison.margin:g}")]
    return [
        tr(
            "Shown to be equivalent within a margin of {margin}: {pairs} ({n} of {total} pairs).",
            margin=f"{comparison.margin:g}", pairs=listed(equivalent), n=len(equivalent), total=total,
        )
    ]  # fmt: skip


def _posterior(comparison: Comparison) -> list[str]:
    if not comparison.bayes:
        return []
    if len(comparison.bayes) > 1:
        return _posterior_many(comparison)
    pair = comparison.bayes[0]
    values = {
        "a": pair.model_a, "b": pair.model_b, "pa": probability(pair.p_a_better), "pb": probability(pair.p_b_better),
        "pe": probability(pair.p_equivalent), "rope": f"{pair.rope:g}", "test": title(pair.test),
    }  # fmt: skip
    if pair.rope == 0:
        return [tr("By {test} the probability that {a} is better is {pa}, that {b} is better {pb}.", **values)]
    return [
        tr(
            "By {test} the probability that {a} is better by more than {rope} is {pa}, that they are practically equal "
            "{pe}, that {b} is better by more than {rope} {pb}.",
            **values,
        )
    ]


def _posterior_many(comparison: Comparison) -> list[str]:
    decided = [
        tr("{a} over {b} ({p})", a=a, b=b, p=probability(p))
        for pair in comparison.bayes
        for a, b, p in (
            (pair.model_a, pair.model_b, pair.p_a_better),
            (pair.model_b, pair.model_a, pair.p_b_better),
        )
        if p >= comparison.confidence_level
    ]
    if not decided:
        return [
            tr("For no pair does the probability that one is better reach {level}.", level=comparison.confidence_level)
        ]
    return [
        tr(
            "Better with a probability of at least {level}: {pairs}.",
            level=comparison.confidence_level,
            pairs=listed(decided),
        )
    ]


# -- scope and cautions -----------------------------------------------------------------------------------------------


def _scope(comparison: Comparison) -> str:
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
