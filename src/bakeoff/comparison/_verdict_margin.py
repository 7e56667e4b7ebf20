"""The verdict against a margin, and the posterior probabilities that are also reported."""

from __future__ import annotations

from typing import Any

from bakeoff._core.language import (
    Text,
    decimals,
    listed,
    margin_decimals,
    number,
    numeral,
    p_text,
    percent,
    probability,
)
from bakeoff.comparison._catalogue import catalogue
from bakeoff.comparison._comparison import Comparison, PairComparison


def margin_sentences(comparison: Comparison) -> list[Text]:
    """Equivalent, not inferior, inferior or not settled: every pair with the control, or the equivalent pairs."""
    if len(comparison.pairs) > 1 and comparison.control is None:
        return [_equivalent_pairs(comparison)]
    sentences = [text for pair in comparison.pairs for text in (_pair(comparison, pair), *_over_datasets(pair))]
    if len(comparison.pairs) > 1:
        sentences.append(
            Text("The p-values against the margin are adjusted for {n} comparisons.", n=len(comparison.pairs))
        )
    elif comparison.pairs[0].shown and comparison.pairs[0].closeness == "equivalent":
        sentences.append(Text("So the difference is real, and smaller than the margin."))
    return sentences


def _pair(comparison: Comparison, pair: PairComparison) -> Text:
    places = margin_decimals(pair.margin_low, pair.margin_high, comparison.margin or 0.0)
    values: dict[str, Any] = {
        "a": pair.model_a, "b": pair.model_b, "margin": numeral(comparison.margin),
        "low": number(pair.margin_low, places), "high": number(pair.margin_high, places),
        "level": percent(1 - 2 * (1 - comparison.confidence_level)), "gap": _gap(pair),
    }  # fmt: skip
    equivalent = pair.closeness == "equivalent"
    values["p"] = p_text(pair.pvalue_equivalent if equivalent else pair.pvalue_not_inferior)
    if equivalent:
        return Text(
            "Within a margin of {margin} {a} and {b} are equivalent: the {level} % interval of {gap} is {low} to "
            "{high} ({p}).",
            **values,
        )
    if pair.closeness == "not inferior":
        return Text(
            "{a} is not inferior to {b} by a margin of {margin}: the {level} % interval of {gap} is {low} to "
            "{high} ({p}).",
            **values,
        )
    if pair.closeness == "inferior":
        return Text(
            "{a} is worse than {b} by more than the margin of {margin}: the {level} % interval of {gap} is {low} "
            "to {high}.",
            **values,
        )
    return Text(
        "That {a} is not inferior to {b} by a margin of {margin} was not shown: the {level} % interval of {gap} is "
        "{low} to {high} ({p}).",
        **values,
    )


def _gap(pair: PairComparison) -> Text:
    """What the interval is about."""
    names: dict[str, Any] = {"a": pair.model_a, "b": pair.model_b}
    if pair._over is None:
        return Text("{a} − {b}", **names)
    names["n"] = pair._over.n
    if pair._over.over == "mean":
        return Text("the mean of {a} − {b} over {n} data sets", **names)
    return Text("the median of {a} − {b} over {n} data sets", **names)


def _over_datasets(pair: PairComparison) -> list[Text]:
    """What the other of mean and median shows, where it is something else; data sets lost by more than the margin."""
    told, found = pair._over, []
    if told is None:
        return []
    if told.other is not None:
        places = decimals(told.other.low, told.other.high)
        values: dict[str, Any] = {
            "shown": _SHOWN[told.other.shown], "low": number(told.other.low, places),
            "high": number(told.other.high, places),
        }  # fmt: skip
        if told.over == "mean":
            found.append(Text("Held to the median instead, the answer is: {shown} ({low} to {high}).", **values))
        else:
            found.append(Text("Held to the mean instead, the answer is: {shown} ({low} to {high}).", **values))
    if told.lost:
        lost = {"lost": told.lost, "n": told.n, "a": pair.model_a}
        found.append(Text("On {lost} of {n} data sets {a} is worse by more than the margin.", **lost))
    return found


_SHOWN = {
    "equivalent": Text("equivalent"),
    "not inferior": Text("not inferior"),
    "inferior": Text("inferior"),
    "inconclusive": Text("not shown"),
}


def _equivalent_pairs(comparison: Comparison) -> Text:
    equivalent = [f"{p.model_a} – {p.model_b}" for p in comparison.pairs if p.closeness == "equivalent"]
    margin, total = numeral(comparison.margin), len(comparison.pairs)
    if not equivalent:
        return Text("No pair was shown to be equivalent within a margin of {margin}.", margin=margin)
    return Text(
        "Shown to be equivalent within a margin of {margin} (adjusted for {total} comparisons): {pairs}.",
        margin=margin, pairs=listed(equivalent), total=total,
    )  # fmt: skip


def posterior_sentences(comparison: Comparison) -> list[Text]:
    """Probabilities of better, practically equal and worse."""
    if len(comparison.bayes) > 1:
        return [_decided_pairs(comparison)]
    pair = comparison.bayes[0]
    pair = pair if pair.p_a_better >= pair.p_b_better else pair.flipped()
    values: dict[str, Any] = {
        "a": pair.model_a, "b": pair.model_b, "pa": probability(pair.p_a_better), "pb": probability(pair.p_b_better),
        "pe": probability(pair.p_equivalent), "rope": numeral(pair.rope), "test": catalogue()[pair.test].label,
    }  # fmt: skip
    if pair.rope == 0:
        return [Text("By {test} {a} is better with probability {pa}, {b} with probability {pb}.", **values)]
    return [
        Text(
            "By {test} {a} is better by more than {rope} with probability {pa}, the two are practically equal with "
            "probability {pe}, and {b} is better by more than {rope} with probability {pb}.",
            **values,
        )
    ]


def _decided_pairs(comparison: Comparison) -> Text:
    level = comparison.confidence_level
    decided = [
        Text("{a} over {b} ({p})", a=a, b=b, p=probability(p))
        for pair in comparison.bayes
        for a, b, p in (
            (pair.model_a, pair.model_b, pair.p_a_better),
            (pair.model_b, pair.model_a, pair.p_b_better),
        )
        if p >= level
    ]
    if not decided:
        return Text("For no pair does the probability that one is better reach {level}.", level=numeral(level))
    return Text("Better with a probability of at least {level}: {pairs}.", level=numeral(level), pairs=listed(decided))
