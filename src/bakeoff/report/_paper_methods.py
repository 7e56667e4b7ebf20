"""The methods paragraph of a paper: what was done, in sentences that cite their sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bakeoff import __version__
from bakeoff._core.language import Text, adjustment_word, joined, listed, numeral, percent, translate
from bakeoff._core.text import amount
from bakeoff.comparison import Comparison, Reference, catalogue
from bakeoff.decision import Decision, OperatingContext
from bakeoff.intervals import PAPER_WORDS, Evaluation
from bakeoff.measures import label_of
from bakeoff.report._bibliography import key_of
from bakeoff.report._latex import tex
from bakeoff.report._material import Material
from bakeoff.report._paper_tables import name_of, pair_test

_ADJUSTMENTS = {"holm": "holm1979"}


@dataclass(frozen=True)
class Sentence:
    """A sentence without its full stop, and the keys it cites."""

    text: str
    keys: tuple[str, ...] = ()

    def __str__(self) -> str:
        cited = f"~\\cite{{{','.join(dict.fromkeys(self.keys))}}}" if self.keys else ""
        return f"{tex(self.text)}{cited}."


def methods_of(material: Material) -> list[Sentence]:
    """Design, intervals, tests, decision and software, as far as the material has them."""
    return [sentence for part in _parts(material) for sentence in part]


def references_of(material: Material) -> list[Reference]:
    """The literature of the tests taken."""
    return [] if material.comparison is None else list(_references(material.comparison))


def _parts(material: Material) -> Iterator[Iterator[Sentence]]:
    yield _design(material)
    if material.evaluation is not None:
        yield _intervals(material.evaluation)
    if material.comparison is not None:
        yield _tests(material.comparison)
    if material.decision is not None:
        yield _decision(material.decision)
    yield _software(material)


def _design(material: Material) -> Iterator[Sentence]:
    source = material.predictions or material.scores or material.evaluation or material.comparison
    if source is not None:
        yield Sentence(translate("The evidence is {design}", design=source.design.description))


def _intervals(evaluation: Evaluation) -> Iterator[Sentence]:
    """Which interval each measure has: those of one kind together."""
    by_method: dict[str, list[str]] = {}
    for entry in evaluation.entries:
        names = by_method.setdefault(entry.interval.method, [])
        if entry.measure not in names and entry.model not in evaluation.baselines:
            names.append(entry.measure)
    known = {m: names for m, names in by_method.items() if m in PAPER_WORDS and names}
    for method, names in known.items():
        label, keys = PAPER_WORDS[method]
        yield Sentence(
            translate(
                "The {level} % intervals of {measures} were computed by {method}",
                level=percent(evaluation.confidence_level), measures=listed([label_of(n) for n in names], most=20),
                method=label,
            ),
            keys,
        )  # fmt: skip


def _references(comparison: Comparison) -> Iterator[Reference]:
    test = catalogue()[comparison.choice.chosen]
    yield from test.references
    for name in (comparison.choice.posthoc, test.pairs_by):
        if name and name in catalogue() and name != test.name:
            yield from catalogue()[name].references


def _tests(comparison: Comparison) -> Iterator[Sentence]:
    test, choice = catalogue()[comparison.choice.chosen], comparison.choice
    keys = tuple(map(key_of, _references(comparison)))
    pair = pair_test(comparison)
    values = {"measure": label_of(comparison.measure), "test": test.label, "pair": pair}
    if comparison.omnibus is None:
        text = translate("The models were compared in {measure} by {pair}", **values)
    elif str(test.label) == pair:
        text = translate("The models were compared in {measure}, as a whole and in pairs, by {test}", **values)
    else:
        text = translate("The models were compared in {measure} as a whole by {test}, and in pairs by {pair}", **values)
    yield Sentence(text, keys)
    if choice.automatic:
        yield Sentence(translate("The test was chosen by the design: {reason}", reason=choice.reason))
    if choice.adjust and len(comparison.pairs) > 1:
        yield Sentence(
            translate(
                "The p-values of {n} pairs were adjusted by the method of {method}",
                n=len(comparison.pairs), method=adjustment_word(choice.adjust),
            ),
            (_ADJUSTMENTS[choice.adjust],) if choice.adjust in _ADJUSTMENTS else (),
        )  # fmt: skip
    yield from _asked(comparison)


def _asked(comparison: Comparison) -> Iterator[Sentence]:
    """The level, and what was asked beyond the usual: a control, a margin, one side."""
    level = percent(1 - comparison.confidence_level)
    text = Text("Differences are called shown at a level of {level} %", level=level)
    if comparison.alternative != "two-sided":
        text = joined([text, Text("of a one-sided test")])
    yield Sentence(str(text))
    if comparison.control is not None:
        yield Sentence(translate("Every model was compared with {control}", control=name_of(comparison.control)))
    if comparison.margin is not None:
        yield Sentence(
            translate("Differences of up to {margin} count as practically equal", margin=numeral(comparison.margin))
        )


def _decision(decision: Decision) -> Iterator[Sentence]:
    context = decision.context
    if isinstance(context, OperatingContext) and context.prevalence is not None:
        yield Sentence(
            translate(
                "Model and threshold were chosen to cost the least at a prevalence of {prevalence} %, where a false "
                "alarm costs {fp} and a miss {fn}",
                prevalence=numeral(100 * context.prevalence, ".3g"),
                fp=amount(context.cost_fp), fn=amount(context.cost_fn),
            ),
            ("provost2001", "drummond2006"),
        )  # fmt: skip
    else:
        yield Sentence(
            translate("Model and threshold were chosen to cost the least at the stated costs"), ("provost2001",)
        )
    yield Sentence(
        translate(
            "The cost of the choice is that on cases which did not choose it; its interval resamples the whole choice"
        )
    )


def _software(material: Material) -> Iterator[Sentence]:
    yield Sentence(
        translate("All numbers were computed with bakeoff {version} (seed {seed})",
                  version=__version__, seed=material.rng)
    )  # fmt: skip
