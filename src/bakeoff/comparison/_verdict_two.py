"""The verdict on two models: better, not shown to differ, the same throughout, or beyond testing."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from bakeoff._core.language import spoken, tr
from bakeoff.comparison._catalogue import title
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._words import decimals, measure_word, number, p_text, percent

_SAME_THROUGHOUT = ("identical-models", "no-discordant-pairs")


def two_sentences(comparison: Comparison) -> list[str]:
    """The finding about the only pair, and what it does not say."""
    pair = comparison.pairs[0]
    if any(note.code in _SAME_THROUGHOUT for note in pair.notes):
        return [_identical(comparison, pair)]
    if comparison.choice.chosen.startswith("bayes"):
        return [_size(comparison, pair)]
    if pair.conclusion == "undefined":
        return [_undefined(comparison, pair)]
    if pair.shown:
        return [_shown(comparison, pair)]
    side = [] if comparison.alternative == "two-sided" else [_one_side(comparison, pair)]
    return [_not_shown(comparison, pair), *side, _not_equal(comparison, pair)]


def _identical(comparison: Comparison, pair: PairComparison) -> str:
    return tr(
        "{a} and {b} did the same throughout: nothing in these data tells them apart in {measure} (p = 1).",
        a=pair.model_a, b=pair.model_b, measure=measure_word(comparison.measure),
    )  # fmt: skip


def _undefined(comparison: Comparison, pair: PairComparison) -> str:
    reasons = [spoken(n.message).rstrip(".") for n in pair.notes if n.level == "warning"]
    return tr(
        "Whether {a} and {b} differ in {measure} cannot be tested here: {reason}.",
        a=pair.model_a, b=pair.model_b, measure=measure_word(comparison.measure),
        reason="; ".join(reasons) or tr("the test is undefined on these data"),
    )  # fmt: skip


# -- a difference was shown -------------------------------------------------------------------------------------------


def _shown(comparison: Comparison, pair: PairComparison) -> str:
    """The better model first, and the size of its lead as a positive number."""
    lead = pair if pair.better == pair.model_a else pair.flipped()
    if not comparison.greater_is_better:  # the better model has the lower value: say how much lower
        turned = lead.flipped()
        values = _values(comparison, lead, turned.estimate, turned.low, turned.high)
    else:
        values = _values(comparison, lead, lead.estimate, lead.low, lead.high)
    unit = "instances" if comparison.design.unit == "items" else comparison.design.unit
    return _SHOWN[unit, comparison.greater_is_better](values)


def _values(comparison: Comparison, pair: PairComparison, estimate: float, low: float, high: float) -> dict[str, Any]:
    places = decimals(high - low)
    return {
        "a": pair.model_a, "b": pair.model_b, "measure": measure_word(comparison.measure),
        "x": number(pair.value_a, places), "y": number(pair.value_b, places), "d": number(estimate, places),
        "interval": interval_phrase(low, high, comparison.confidence_level), "test": test_name(comparison),
        "p": p_text(pair.pvalue), "n": comparison.design.n_datasets, "j": comparison.design.n_splits,
    }  # fmt: skip


Fill = Callable[[dict[str, Any]], str]

_SHOWN: dict[tuple[str, bool], Fill] = {
    ("instances", True): lambda v: tr(
        "{a} is better than {b}: {measure} {x} against {y}, higher by {d} ({interval}; {test}, {p}).", **v
    ),
    ("instances", False): lambda v: tr(
        "{a} is better than {b}: {measure} {x} against {y}, lower by {d} ({interval}; {test}, {p}).", **v
    ),
    ("folds", True): lambda v: tr(
        "{a} is better than {b}: mean {measure} over {j} splits {x} against {y}, higher by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("folds", False): lambda v: tr(
        "{a} is better than {b}: mean {measure} over {j} splits {x} against {y}, lower by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("data sets", True): lambda v: tr(
        "Over {n} data sets {a} is better than {b}: its {measure} is typically higher by {d} ({interval}; {test}, "
        "{p}).",
        **v,
    ),
    ("data sets", False): lambda v: tr(
        "Over {n} data sets {a} is better than {b}: its {measure} is typically lower by {d} ({interval}; {test}, {p}).",
        **v,
    ),
}


# -- none was shown ---------------------------------------------------------------------------------------------------


def _not_shown(comparison: Comparison, pair: PairComparison) -> str:
    values = _values(comparison, pair, pair.estimate, pair.low, pair.high)
    if comparison.design.unit == "data sets":
        return tr(
            "Over {n} data sets no difference in {measure} between {a} and {b} was shown: {a} − {b} is typically {d} "
            "({interval}; {test}, {p}).",
            **values,
        )
    if comparison.design.unit == "folds":
        return tr(
            "No difference in {measure} between {a} and {b} was shown: means over {j} splits {x} and {y}, {a} − {b} = "
            "{d} ({interval}; {test}, {p}).",
            **values,
        )
    return tr(
        "No difference in {measure} between {a} and {b} was shown: {x} and {y}, {a} − {b} = {d} ({interval}; {test}, "
        "{p}).",
        **values,
    )


def _one_side(comparison: Comparison, pair: PairComparison) -> str:
    """A one-sided test is blind on the other side, whatever the interval shows there."""
    values = {"a": pair.model_a, "b": pair.model_b, "measure": measure_word(comparison.measure)}
    if comparison.alternative == "greater":
        return tr("Only whether the {measure} of {a} is higher than that of {b} was tested, not the reverse.", **values)
    return tr("Only whether the {measure} of {a} is lower than that of {b} was tested, not the reverse.", **values)


def _not_equal(comparison: Comparison, pair: PairComparison) -> str:
    if comparison.margin is not None:
        return tr("Not having shown a difference is not having shown that there is none; the margin speaks to that.")
    if not math.isfinite(pair.high - pair.low):
        return tr("That does not make them equal: the data are too few to say how large a difference there may be.")
    reach = max(abs(pair.low), abs(pair.high))
    return tr(
        "That does not make them equal: differences of up to {reach} are compatible with these data.",
        reach=number(reach, decimals(pair.high - pair.low)),
    )


def _size(comparison: Comparison, pair: PairComparison) -> str:
    values = _values(comparison, pair, pair.estimate, pair.low, pair.high)
    return tr("{a} − {b} in {measure} is {d} ({interval}; {test}).", **values)


# -- phrases ----------------------------------------------------------------------------------------------------------


def interval_phrase(low: float, high: float, level: float) -> str:
    """'95 % interval 0.012 to 0.064'."""
    if not math.isfinite(high - low):
        return tr("no finite {level} % interval", level=percent(level))
    places = decimals(high - low)
    return tr(
        "{level} % interval {low} to {high}",
        level=percent(level), low=number(low, places), high=number(high, places),
    )  # fmt: skip


def test_name(comparison: Comparison) -> str:
    """The test as named in a sentence, with its side where it is one-sided."""
    name = title(comparison.choice.chosen)
    if comparison.choice.chosen in ("bootstrap", "permutation"):
        name = tr("permutation test")
    return name if comparison.alternative == "two-sided" else tr("{test}, one-sided", test=name)


test_name.__test__ = False  # type: ignore[attr-defined]  # not a test, whatever pytest makes of its name
