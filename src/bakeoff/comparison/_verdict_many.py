"""The verdict on three or more models: all together, the best, who was told apart from whom."""

from __future__ import annotations

import math

from bakeoff._core.language import tr
from bakeoff.comparison._catalogue import BY_MEANS, title
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._words import adjustment_word, decimals, listed, measure_word, number, p_text, percent

_MOST_LISTED, _MOST_GROUPS = 3, 3


def many_sentences(comparison: Comparison) -> list[str]:
    """Omnibus, then the best model or the control, then the groups."""
    body = _omnibus(comparison)
    if comparison.control is not None:
        return [*body, *_against_control(comparison)]
    return [*body, _leader(comparison), *_told_apart(comparison), *_other_finds(comparison), *_groups(comparison)]


def _omnibus(comparison: Comparison) -> list[str]:
    test = comparison.omnibus
    if test is None:
        return []
    k, measure = len(comparison.models), measure_word(comparison.measure)
    if test.pvalue <= 1 - comparison.confidence_level and comparison.design.unit == "data sets":
        return [
            tr(
                "Over {n} data sets the {k} models do not all do equally well in {measure} ({test}, {p}).",
                n=comparison.design.n_datasets, k=k, measure=measure, test=test.title, p=p_text(test.pvalue),
            )
        ]  # fmt: skip
    if test.pvalue <= 1 - comparison.confidence_level:
        return [
            tr(
                "The {k} models do not all have the same {measure} ({test}, {p}).",
                k=k, measure=measure, test=test.title, p=p_text(test.pvalue),
            )
        ]  # fmt: skip
    if test.pvalue != test.pvalue:
        return [tr("Whether the {k} models differ as a whole cannot be tested here ({test}).", k=k, test=test.title)]
    return [
        tr(
            "No difference in {measure} among the {k} models as a whole was shown ({test}, {p}).",
            k=k, measure=measure, test=test.title, p=p_text(test.pvalue),
        )
    ]  # fmt: skip


def _leader(comparison: Comparison) -> str:
    best, places = _best(comparison), _places(comparison)
    value, measure = number(comparison.values[best], places), measure_word(comparison.measure)
    n, unit = comparison.design.n_datasets, comparison.design.unit
    if unit == "data sets" and comparison.ranks is not None and comparison.choice.chosen not in BY_MEANS:
        rank = f"{comparison.ranks[best]:.2f}"
        return tr(
            "{best} ranks best over the {n} data sets (mean rank {rank}; mean {measure} {value}).",
            best=best, n=n, rank=rank, measure=measure, value=value,
        )  # fmt: skip
    if unit == "data sets":
        return tr(
            "{best} has the best mean {measure} over the {n} data sets, {value}.",
            best=best, measure=measure, n=n, value=value,
        )  # fmt: skip
    if unit == "folds":
        return tr(
            "{best} has the best mean {measure} over {j} splits, {value}.",
            best=best, measure=measure, j=comparison.design.n_splits, value=value,
        )  # fmt: skip
    return tr("{best} has the best {measure}, {value}.", best=best, measure=measure, value=value)


def _best(comparison: Comparison) -> str:
    if comparison.ranks is None or comparison.choice.chosen in BY_MEANS:
        return comparison.best
    return next(iter(comparison.ranks))


def _places(comparison: Comparison) -> int:
    widths = [p.high - p.low for p in comparison.pairs if p.high - p.low < float("inf")]
    return decimals(min(widths)) if widths else 3


def _told_apart(comparison: Comparison) -> list[str]:
    """Who the leader was shown to be better than, and who it was not."""
    best = _best(comparison)
    pairs = [p if p.model_a == best else p.flipped() for p in comparison.pairs if best in (p.model_a, p.model_b)]
    beaten = sorted((p for p in pairs if p.better == best), key=lambda p: p.pvalue_adjusted)
    others = sorted((p for p in pairs if p.better != best), key=lambda p: p.pvalue_adjusted)
    said = []
    if beaten and not others:
        said.append(
            tr("It is better than every other model: {models}.", models=listed([_lead(comparison, p) for p in beaten]))
        )
    elif beaten:
        said.append(tr("It is better than {models}.", models=listed([_lead(comparison, p) for p in beaten])))
    if others:
        said.append(
            tr("It was not shown to be better than {models}.", models=listed([_lead(comparison, p) for p in others]))
        )
    return [*said, _how(comparison)]


def _lead(comparison: Comparison, pair: PairComparison, name: str | None = None) -> str:
    """'nb (by 0.021, 0.004 to 0.038, p = 0.012)': the lead of a over b, under the name of b unless told otherwise."""
    low, high, estimate = pair.low, pair.high, pair.estimate
    if not comparison.greater_is_better:
        low, high, estimate = -high, -low, -estimate
    places = decimals(high - low)
    parts = [tr("by {d}", d=number(estimate, places))]
    if math.isfinite(high - low):
        parts.append(tr("{low} to {high}", low=number(low, places), high=number(high, places)))
    else:
        parts.append(tr("no finite interval"))
    if not comparison.choice.chosen.startswith("bayes"):
        parts.append(p_text(pair.pvalue_adjusted))
    return f"{name or pair.model_b} ({', '.join(parts)})"


def _how(comparison: Comparison) -> str:
    level, n = percent(comparison.confidence_level), len(comparison.pairs)
    if comparison.choice.chosen.startswith("bayes"):
        return tr(
            "Better means here: by more than {rope}, with a probability of at least {p}; in brackets the size of the "
            "lead and its {level} % interval ({test}).",
            rope=f"{comparison.bayes[0].rope:g}", p=f"{comparison.confidence_level:g}", level=level,
            test=_pair_test(comparison),
        )  # fmt: skip
    if comparison.choice.adjust == "none":
        return tr(
            "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}; not "
            "adjusted for the {n} comparisons).",
            level=level, test=_pair_test(comparison), n=n,
        )  # fmt: skip
    if comparison.choice.adjust == "single-step":
        return tr(
            "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}, which "
            "allows for all {n} comparisons).",
            level=level, test=_pair_test(comparison), n=n,
        )  # fmt: skip
    return tr(
        "In brackets: the size of the lead, its {level} % interval taken alone and the p-value ({test}, adjusted for "
        "{n} comparisons by {method}).",
        level=level, test=_pair_test(comparison), n=n, method=adjustment_word(comparison.choice.adjust),
    )  # fmt: skip


def _pair_test(comparison: Comparison) -> str:
    """The test behind the pairs, which after an omnibus is not the omnibus itself."""
    names = {
        "wilcoxon": title("wilcoxon"), "nemenyi": tr("Nemenyi's test"), "conover": tr("Conover's test"),
        "tukey": tr("Tukey's test"), "dunnett": tr("Dunnett's test"), "bonferroni-dunn": tr("the Bonferroni–Dunn test"),
        "mean-ranks": tr("z-tests of mean ranks"), "quade": tr("Quade's post hoc"),
        "aligned": tr("the aligned-rank post hoc"),
    }  # fmt: skip
    if comparison.choice.posthoc:
        return names[comparison.choice.posthoc]
    if comparison.choice.chosen == "cochran-q":
        return title("mcnemar")
    if comparison.choice.chosen == "bootstrap":
        return tr("bootstrap intervals, permutation tests")
    return title(comparison.choice.chosen)


def _other_finds(comparison: Comparison) -> list[str]:
    """Pairs told apart that do not involve the leader."""
    best = _best(comparison)
    pairs = [p if p.better == p.model_a else p.flipped() for p in comparison.pairs if p.shown]
    pairs = sorted((p for p in pairs if best not in (p.model_a, p.model_b)), key=lambda p: p.pvalue_adjusted)
    if not pairs:
        return []
    if len(pairs) > _MOST_LISTED:
        return [tr("Of the pairs without {best}, {n} more were told apart (see the table).", best=best, n=len(pairs))]
    named = [tr("{a} is better than {b}", a=p.model_a, b=_lead(comparison, p)) for p in pairs]
    return [tr("Among the others {finds}.", finds=listed(named))]


def _groups(comparison: Comparison) -> list[str]:
    several = [group for group in comparison.groups if len(group) > 1]
    if not several:
        return [tr("Every model was told apart from every other.")]
    if not any(p.shown for p in comparison.pairs):
        return [tr("No two models were told apart, which does not make them equal.")]
    text = "; ".join(listed(group) for group in several[:_MOST_GROUPS])
    rest = len(several) - _MOST_GROUPS
    more = "; " + tr("and {n} more groups that overlap with these", n=rest) if rest > 0 else ""
    return [tr("Not told apart (which does not make them equal): {groups}.", groups=text + more)]


def _against_control(comparison: Comparison) -> list[str]:
    better = [p for p in comparison.pairs if p.better == p.model_a]
    worse = [p for p in comparison.pairs if p.better == p.model_b]
    open_ = [p for p in comparison.pairs if not p.shown]
    control = comparison.control
    said = []
    if better:
        said.append(
            tr(
                "Better than {control}: {models}.",
                control=control,
                models=listed([_lead(comparison, p, p.model_a) for p in better]),
            )
        )
    if worse:
        said.append(
            tr(
                "Worse than {control}: {models}.",
                control=control,
                models=listed([_lead(comparison, p.flipped(), p.model_a) for p in worse]),
            )
        )
    if open_:
        names = listed([_lead(comparison, p, p.model_a) for p in open_])
        said.append(
            tr(
                "Not shown to differ from {control} (which does not make them equal): {models}.",
                control=control,
                models=names,
            )
        )
    return [*said, _how(comparison)]
