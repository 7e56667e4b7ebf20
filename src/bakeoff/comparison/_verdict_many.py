"""The verdict on three or more models: all together, the best, who was told apart from whom."""

from __future__ import annotations

import math
from typing import Any

from bakeoff._core.language import (
    Text,
    adjustment_word,
    decimals,
    joined,
    listed,
    number,
    numeral,
    p_text,
    percent,
    quoted,
)
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._entry import TestWords
from bakeoff.measures import label_of

_MOST_LISTED, _MOST_GROUPS = 3, 3
_TIED = 1e-9  # of mean ranks: what rounding leaves


def many_sentences(comparison: Comparison, words: TestWords) -> list[Text]:
    """The best model or the control and how it stands to the others, then the test of all, then the groups.

    A test of all that shows nothing comes first: who looks best is then no more than that.
    """
    body = [text.as_role("lead") for text in _omnibus(comparison)]
    first, after = (body, []) if not _all_differ(comparison) else ([], body)
    if comparison.control is not None:
        answer, *more = _against_control(comparison, words)
        return [*first, answer.as_role("headline"), *more, *after]
    best = _best(comparison, words)
    return [
        *first,
        _leader(comparison, best, words).as_role("headline"),
        *_told_apart(comparison, best, words),
        *after,
        *_other_finds(comparison, best, words),
        *_groups(comparison),
    ]


def _all_differ(comparison: Comparison) -> bool:
    test = comparison.omnibus
    return test is not None and test.pvalue <= 1 - comparison.confidence_level


def _omnibus(comparison: Comparison) -> list[Text]:
    test = comparison.omnibus
    if test is None:
        return []
    values: dict[str, Any] = {
        "k": len(comparison.models), "measure": label_of(comparison.measure), "test": test._label,
        "p": p_text(test.pvalue), "n": comparison.design.n_datasets,
    }  # fmt: skip
    if _all_differ(comparison) and comparison.design.unit == "data sets":
        said = Text(
            "Over {n} data sets the {k} models do not all do equally well in {measure} ({test}, {p}).", **values
        )
    elif _all_differ(comparison):
        said = Text("The {k} models do not all have the same {measure} ({test}, {p}).", **values)
    elif math.isnan(test.pvalue):
        said = Text("Whether the {k} models differ as a whole cannot be tested here ({test}).", **values)
    else:
        said = Text("No difference in {measure} among the {k} models as a whole was shown ({test}, {p}).", **values)
    return [said]


def _leader(comparison: Comparison, best: str, words: TestWords) -> Text:
    design, value = comparison.design, number(comparison.values[best], _places(comparison))
    values: dict[str, Any] = {
        "best": best, "measure": label_of(comparison.measure), "value": value, "n": design.n_datasets,
        "j": design.n_splits,
    }  # fmt: skip
    if design.unit == "data sets" and comparison.ranks is not None and words.by_ranks:
        values["rank"] = numeral(comparison.ranks[best], ".2f")
        equals = [m for m, r in comparison.ranks.items() if abs(r - comparison.ranks[best]) < _TIED]
        if len(equals) > 1:
            return Text(
                "{models} share the best mean rank over the {n} data sets, {rank}; of {best} mean {measure} {value}.",
                models=listed(equals), **values,
            )  # fmt: skip
        return Text("{best} ranks best over the {n} data sets (mean rank {rank}; mean {measure} {value}).", **values)
    if design.unit == "data sets":
        return Text("{best} has the best mean {measure} over the {n} data sets, {value}.", **values)
    if design.unit == "folds":
        return Text("{best} has the best mean {measure} over {j} splits, {value}.", **values)
    return Text("{best} has the best {measure}, {value}.", **values)


def _best(comparison: Comparison, words: TestWords) -> str:
    if comparison.ranks is None or not words.by_ranks:
        return comparison.best
    return next(iter(comparison.ranks))


def _places(comparison: Comparison) -> int:
    widths = [p.high - p.low for p in comparison.pairs if p.high - p.low < float("inf")]
    return decimals(0.0, min(widths)) if widths else 3


def _told_apart(comparison: Comparison, best: str, words: TestWords) -> list[Text]:
    """Who the leader was shown to be better than, and who it was not."""
    pairs = [p if p.model_a == best else p.flipped() for p in comparison.pairs if best in (p.model_a, p.model_b)]
    beaten = sorted((p for p in pairs if p.better == best), key=lambda p: p.pvalue_adjusted)
    others = sorted((p for p in pairs if p.better != best), key=lambda p: p.pvalue_adjusted)
    sentences = []
    leads = listed([_lead(comparison, p, words) for p in beaten])
    if beaten and not others:
        sentences.append(Text("It is better than every other model: {models}.", models=leads))
    elif beaten:
        sentences.append(Text("It is better than {models}.", models=leads))
    if others:
        open_ = listed([_lead(comparison, p, words) for p in others])
        sentences.append(Text("It was not shown to be better than {models}.", models=open_))
    return [*sentences, _how(comparison, words)]


def _lead(comparison: Comparison, pair: PairComparison, words: TestWords, name: str | None = None) -> Text:
    """'nb (by 0.021, 0.004 to 0.038, p = 0.012)': the lead of a over b, under the name of b unless told otherwise."""
    low, high, estimate = pair.low, pair.high, pair.estimate
    if not comparison.greater_is_better:
        low, high, estimate = -high, -low, -estimate
    places = decimals(low, high)
    parts: list[Text | str] = [Text("by {d}", d=number(estimate, places))]
    if math.isfinite(high - low):
        parts.append(Text("{low} to {high}", low=number(low, places), high=number(high, places)))
    else:
        parts.append(Text("no finite interval"))
    if not words.bayesian:
        parts.append(p_text(pair.pvalue_adjusted))
    return joined([quoted(name or pair.model_b), joined(["(", joined(parts, ", "), ")"], "")])


def _how(comparison: Comparison, words: TestWords) -> Text:
    values: dict[str, Any] = {
        "level": percent(comparison.confidence_level), "n": len(comparison.pairs), "test": words.pairs,
        "method": adjustment_word(comparison.choice.adjust),
    }  # fmt: skip
    if words.bayesian:
        return Text(
            "Better means here: by more than {rope}, with a probability of at least {p}; in brackets the size of the "
            "lead and its {level} % interval ({test}).",
            rope=numeral(comparison.bayes[0].rope), p=numeral(comparison.confidence_level), **values,
        )  # fmt: skip
    if comparison.choice.adjust == "none":
        return Text(
            "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}; not "
            "adjusted for the {n} comparisons).",
            **values,
        )
    if comparison.choice.adjust == "single-step":
        return Text(
            "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}, which "
            "allows for all {n} comparisons).",
            **values,
        )
    return Text(
        "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}, adjusted for "
        "{n} comparisons by {method}).",
        **values,
    )


def _other_finds(comparison: Comparison, best: str, words: TestWords) -> list[Text]:
    """Pairs told apart that do not involve the leader."""
    pairs = [p if p.better == p.model_a else p.flipped() for p in comparison.pairs if p.shown]
    pairs = sorted((p for p in pairs if best not in (p.model_a, p.model_b)), key=lambda p: p.pvalue_adjusted)
    if not pairs:
        return []
    if len(pairs) > _MOST_LISTED:
        return [Text("Of the pairs without {best}, {n} more were told apart (see the table).", best=best, n=len(pairs))]
    named = [Text("{a} is better than {b}", a=p.model_a, b=_lead(comparison, p, words)) for p in pairs]
    return [Text("Among the others {finds}.", finds=listed(named))]


def _groups(comparison: Comparison) -> list[Text]:
    several = [group for group in comparison.groups if len(group) > 1]
    if not several:
        return [Text("Every model was told apart from every other.")]
    if not any(p.shown for p in comparison.pairs):
        return [Text("No two models were told apart, which does not make them equal.")]
    named: list[Text | str] = [listed(group) for group in several[:_MOST_GROUPS]]
    rest = len(several) - _MOST_GROUPS
    if rest > 0:
        one = Text("and one more group that overlaps with these")
        named.append(one if rest == 1 else Text("and {n} more groups that overlap with these", n=rest))
    return [Text("Not told apart (which does not make them equal): {groups}.", groups=joined(named, "; "))]


def _against_control(comparison: Comparison, words: TestWords) -> list[Text]:
    better = [_lead(comparison, p, words, p.model_a) for p in comparison.pairs if p.better == p.model_a]
    worse = [_lead(comparison, p.flipped(), words, p.model_a) for p in comparison.pairs if p.better == p.model_b]
    open_ = [_lead(comparison, p, words, p.model_a) for p in comparison.pairs if not p.shown]
    control = comparison.control
    sentences = []
    if better:
        sentences.append(Text("Better than {control}: {models}.", control=control, models=listed(better)))
    if worse:
        sentences.append(Text("Worse than {control}: {models}.", control=control, models=listed(worse)))
    if open_:
        sentences.append(
            Text(
                "Not shown to differ from {control} (which does not make them equal): {models}.",
                control=control,
                models=listed(open_),
            )
        )
    return [*sentences, _how(comparison, words)]
