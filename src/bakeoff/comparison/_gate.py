"""`gate`: may the candidate replace the baseline? It must be shown, and too little data does not show it."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from bakeoff._core.errors import BakeoffWarning, EvidenceError, ParameterError
from bakeoff._core.language import Own, Text, heading, listed, numeral
from bakeoff._core.result import Note, Result, Told, emit
from bakeoff._core.text import format_number, markdown_table
from bakeoff._core.validation import RngLike, check_level, check_number
from bakeoff.comparison._by import cut
from bakeoff.comparison._compare import compare
from bakeoff.comparison._comparison import Comparison, PairComparison
from bakeoff.comparison._margin_datasets import Over
from bakeoff.evidence import Predictions, Scores, paired_rows
from bakeoff.measures import Measure, find

PASSED, WORSE, UNDECIDED = "passed", "worse", "undecided"
_POWER = 0.8
_MOST_UNITS = 10**12  # so many nobody gathers


@dataclass(frozen=True, repr=False)
class GateSlices(Result):
    """The slices that a gate held against a margin.

    Attributes
    ----------
    by, margin, candidate, baseline, measure
        The column (several are crossed), the largest loss that a slice may have, and what was compared.
    slices, outcomes, estimates, lows, highs, sizes, needed, reasons
        Each slice, whether it passed, candidate − baseline with its 1 − 2α interval (each holds alone), its items, how
        many would settle it, and why nothing could be computed.
    """

    by: str
    margin: float
    candidate: str
    baseline: str
    measure: str
    slices: tuple[str, ...]
    outcomes: tuple[str, ...]
    estimates: tuple[float, ...]
    lows: tuple[float, ...]
    highs: tuple[float, ...]
    sizes: tuple[int, ...]
    needed: tuple[int | None, ...]
    reasons: tuple[str, ...]

    @property
    def failed(self) -> tuple[str, ...]:
        """The slices not shown to hold."""
        return tuple(s for s, outcome in zip(self.slices, self.outcomes, strict=True) if outcome != PASSED)

    def _columns(self) -> dict[str, Sequence[Any]]:
        same = {"model_a": self.candidate, "model_b": self.baseline, "measure": self.measure}
        return {
            "by": [self.by] * len(self.slices), "slice": self.slices,
            **{name: [value] * len(self.slices) for name, value in same.items()},
            "estimate": self.estimates, "low": self.lows, "high": self.highs, "n": self.sizes,
            "margin": [self.margin] * len(self.slices), "outcome": self.outcomes, "n_needed": self.needed,
            "note": self.reasons,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Gate(Told):
    """Whether a candidate may replace the baseline; true where it passed.

    Attributes
    ----------
    passed, outcome
        ``"passed"``, ``"worse"`` (shown to be worse than the margin allows) or ``"undecided"`` (too little data).
    baseline, candidate, measure, margin, superior, confidence_level
        What was asked.
    estimate, low, high
        Candidate − baseline in the measure's units, and its 1 − 2α interval: the end on the worse side decides.
    n, n_needed
        Cases (or data sets) at hand; where undecided, about how many show it with 80 % power if the true difference is
        the one seen (or none, where that would not pass). None where decided, or where no number would.
    comparison, slices
        The whole comparison; the slices held against `slice_margin`, or None.
    sentences, verdict
        What was found: the answer, the comparison's own sentences, and what would settle it.

    Examples
    --------
    >>> import bakeoff
    >>> right = {"old": [1, 1, 1, 0, 1] * 200, "new": [1, 1, 1, 1, 0] * 20 + [1, 1, 1, 0, 1] * 180}
    >>> gate = bakeoff.gate(bakeoff.Predictions.from_outcomes(right), baseline="old", candidate="new", margin=0.02)
    >>> gate.outcome, bool(gate)
    ('passed', True)
    """

    passed: bool
    outcome: str
    baseline: str
    candidate: str
    measure: str
    margin: float
    superior: bool
    estimate: float
    low: float
    high: float
    n: int
    n_needed: int | None
    comparison: Comparison
    slices: GateSlices | None = None
    confidence_level: float = 0.95
    notes: tuple[Note, ...] = ()
    sentences: tuple[Text, ...] = ()

    def __bool__(self) -> bool:
        return self.passed

    @property
    def pair(self) -> PairComparison:
        """The two models compared, as candidate − baseline."""
        return self.comparison.pair(self.candidate, self.baseline)

    def _columns(self) -> dict[str, Sequence[Any]]:
        pair = self.pair
        return {
            "measure": [self.measure], Own(self.baseline): [pair.value_b], Own(self.candidate): [pair.value_a],
            "estimate": [self.estimate], "low": [self.low], "high": [self.high], "margin": [self.margin],
            "outcome": [self.outcome],
        }  # fmt: skip

    def _headline(self) -> str:
        return f"{self.outcome}: {self.candidate} − {self.baseline}, {self.measure} {format_number(self.estimate)}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as JSON-able values; the keys are described in the guide, "Gating a release in CI"."""
        return {**super().to_dict(), "sentence": self.sentences[0].english, "pair": self.pair.to_dict()}

    def to_markdown(self) -> str:
        """Return a summary for a pull request or the page of a CI run."""
        first, *rest = map(str, self.sentences)
        parts = [f"### {first}", " ".join(rest), _markdown(self)]
        if self.slices is not None:
            parts.append(_markdown(self.slices))
        parts += [f"- {note}" for note in self.notes if note.level == "warning"]
        return "\n\n".join(part for part in parts if part) + "\n"


def gate(
    evidence: Predictions | Scores,
    *,
    baseline: str,
    candidate: str,
    measure: str | Measure | None = None,
    margin: float = 0.0,
    superior: bool = False,
    by: str | Sequence[str] | None = None,
    slice_margin: float | None = None,
    confidence_level: float = 0.95,
    rng: RngLike = None,
    identical_passes: bool = False,
    test: str = "auto",
    over: Over = "mean",
    n_resamples: int = 2000,
) -> Gate:
    """May the candidate replace the baseline?

    It passes when the one-sided limit at `confidence_level`, the end of the 1 − 2α interval of candidate − baseline on
    the worse side, lies above −`margin`. A candidate that is worse by exactly the margin passes in α of the cases.

    Parameters
    ----------
    evidence
        `Predictions` or `Scores` with both models.
    baseline, candidate
        The model in use, and the one to be let in.
    measure
        As in `compare`.
    margin
        The largest loss that is acceptable, in the measure's units. 0 demands that the candidate is shown to be better.
    superior
        Demand that the candidate is shown to be better by more than the margin.
    by, slice_margin
        Hold every slice of these columns against `slice_margin` as well (`margin` where it is left out): the gate
        fails if one slice is not shown to hold. All must hold, so each is held at the level alone.
    confidence_level
        1 − α: how rarely a candidate at the margin may pass.
    identical_passes
        Pass a candidate whose answers are all the same (two builds of one model), however few they are.
    rng, test, over, n_resamples
        As in `compare`.

    Examples
    --------
    >>> import bakeoff
    >>> right = {"old": [1, 1, 0, 1, 1] * 10, "new": [1, 1, 1, 0, 1] * 10}
    >>> gate = bakeoff.gate(bakeoff.Predictions.from_outcomes(right), baseline="old", candidate="new", margin=0.05)
    >>> gate.outcome, gate.n_needed
    ('undecided', 1011)
    """
    if baseline == candidate:
        raise ParameterError(f"baseline and candidate must differ. Both are {baseline!r}.")
    margin = check_number("margin", margin, low=0)
    if slice_margin is not None and by is None:
        raise ParameterError("slice_margin is held against slices.", hint="name their column with by= (--by)")
    asked: dict[str, Any] = {"test": test, "over": over, "n_resamples": n_resamples, "rng": rng}
    both = paired_rows(evidence, [candidate, baseline]).select(models=[candidate, baseline])
    _refuse_assumed_direction(both)
    ask = partial(
        _whole, baseline=baseline, candidate=candidate, measure=measure, superior=superior,
        level=check_level(confidence_level), asked={**asked, "control": baseline},
    )  # fmt: skip
    made = ask(both, margin=margin)
    outcome = PASSED if _alike(made, identical_passes) else _outcome(made)
    slices = None
    if by is not None:
        held = margin if slice_margin is None else check_number("slice_margin", slice_margin, low=0)
        slices = _hold_slices(both, by, replace(made, margin=held), partial(ask, margin=held), identical_passes)
        if slices.failed and outcome == PASSED:
            outcome = WORSE if WORSE in slices.outcomes else UNDECIDED
    made = replace(made, passed=outcome == PASSED, outcome=outcome, slices=slices)
    made = replace(made, n_needed=_needed_in_all(made) if outcome == UNDECIDED else None)
    told = (*made.comparison.sentences, *_of_slices(made), *_what_would_settle(made))
    return replace(made, sentences=(_answer(made, identical_passes), *told))


def _whole(
    both: Predictions | Scores, *, baseline: str, candidate: str, measure: str | Measure | None, margin: float,
    superior: bool, level: float, asked: dict[str, Any],
) -> Gate:  # fmt: skip
    """The two models compared, with the 1 − 2α interval of their difference; not yet an answer."""
    with warnings.catch_warnings():  # told once, and not before it is known that there is an answer
        warnings.simplefilter("ignore", BakeoffWarning)
        found = compare(both, measure, margin=margin or None, confidence_level=level, **asked)
        pair = alone = found.pair(candidate, baseline)
        if not margin:  # a comparison without a margin has no 1 − 2α interval; asked for at that level, it is its own
            alone = compare(both, measure, confidence_level=2 * level - 1, **asked).pair(candidate, baseline)
    refuse_wide_margin(margin, found.measure)
    if swapped := [note for note in found.notes if note.code == "below-chance"]:
        raise EvidenceError(
            swapped[0].message,
            hint="check pos_label= and the scores; a gate is not decided on models worse than chance",
        )
    emit(found.notes)
    low, high = (pair.margin_low, pair.margin_high) if margin else (alone.low, alone.high)
    return Gate(
        passed=False, outcome=UNDECIDED, baseline=baseline, candidate=candidate, measure=found.measure, margin=margin,
        superior=superior, estimate=pair.estimate, low=low, high=high, n=_units(both, found), n_needed=None,
        comparison=found, confidence_level=level, notes=found.notes,
    )  # fmt: skip


def _hold_slices(
    both: Predictions | Scores, by: str | Sequence[str], whole: Gate, ask: Callable[[Predictions], Gate], alike: bool
) -> GateSlices:
    """Every slice against its margin; one on which nothing can be computed shows nothing."""
    if not isinstance(both, Predictions):
        raise EvidenceError("scores carry no slices.", hint="give Predictions")
    name, parts = cut(both, by)
    found: list[tuple[str, float, float, float, int, int | None, Text | str]] = []
    for part in parts.values():
        n = part.pairing.paired
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", BakeoffWarning)  # that a slice is small is told here
                one = ask(part)
        except EvidenceError as problem:
            found.append((UNDECIDED, math.nan, math.nan, math.nan, n, None, problem.texts[0]))
            continue
        outcome = PASSED if _alike(one, alike) else _outcome(one)
        needed = _needed(one) if outcome == UNDECIDED else None
        found.append((outcome, one.estimate, one.low, one.high, n, needed, ""))
    names = whole.candidate, whole.baseline, whole.measure
    return GateSlices(name, whole.margin, *names, tuple(parts), *zip(*found, strict=True))


def _markdown(result: Result) -> str:
    return markdown_table({heading(name): values for name, values in result._columns().items()})


def _gains(gate: Gate) -> tuple[float, float, float]:
    """Estimate, low and high of what the candidate gains: more is better."""
    if gate.comparison.greater_is_better:
        return gate.estimate, gate.low, gate.high
    return -gate.estimate, -gate.high, -gate.low


def _bound(gate: Gate) -> float:
    return gate.margin if gate.superior else -gate.margin


def _outcome(gate: Gate) -> str:
    _, low, high = _gains(gate)
    few_groups = any(note.code == "few-groups" for note in gate.notes)  # the interval stands, a conclusion does not
    if few_groups or math.isnan(low) or math.isnan(high):
        return UNDECIDED
    return PASSED if low > _bound(gate) else WORSE if high < _bound(gate) else UNDECIDED


def _alike(gate: Gate, identical_passes: bool) -> bool:
    return identical_passes and not gate.superior and _did_the_same(gate.pair)


def _did_the_same(pair: PairComparison) -> bool:
    """Whether two models answered alike; by chance alone that happens at the margin with probability (1 − margin)ⁿ."""
    return pair.estimate == 0 and any(n.code in ("identical-models", "no-discordant-pairs") for n in pair.notes)


def _units(both: Predictions | Scores, found: Comparison) -> int:
    if found.design.unit == "items" and isinstance(both, Predictions):
        return both.pairing.paired
    return found.design.n_datasets if found.design.unit == "data sets" else found.design.n_rows or found.design.n_splits


def _needed(gate: Gate) -> int | None:
    """Units that show it with 80 % power, the interval narrowing with their root.

    The true difference is taken to be the one seen; where that would not pass, none at all, if that would.
    """
    from scipy.special import ndtri

    gain, low, _ = _gains(gate)
    distance = (gain if gain > _bound(gate) else 0.0) - _bound(gate)
    if not math.isfinite(low) or distance <= 0 or gain <= low:
        return None
    z = float(ndtri(gate.confidence_level))
    factor = (1 + float(ndtri(_POWER)) / z) * (gain - low) / distance
    units = gate.n * factor**2  # beyond all bounds where the difference lies on the margin to the last digit
    return max(math.ceil(units), gate.n + 1) if units < _MOST_UNITS else None


def _needed_in_all(gate: Gate) -> int | None:
    """As many as the whole needs, and as many as bring every slice the items that it needs."""
    alone = _needed(gate) if _outcome(gate) == UNDECIDED else gate.n
    held = gate.slices
    if held is None or alone is None:
        return alone
    rows = zip(held.outcomes, held.needed, held.sizes, strict=True)
    scaled = [None if need is None else gate.n * need / n for outcome, need, n in rows if outcome == UNDECIDED]
    return None if None in scaled else math.ceil(max([alone, *(s for s in scaled if s is not None)]))


# -- sentences --------------------------------------------------------------------------------------------------------


def _answer(gate: Gate, identical_passes: bool) -> Text:
    names: dict[str, Any] = {"candidate": gate.candidate, "baseline": gate.baseline, "margin": numeral(gate.margin)}
    if gate.slices is not None and gate.slices.failed and _outcome(gate) == PASSED:
        said = Text("FAILED: in a slice {candidate} was not shown to hold against {baseline}.", **names)
    elif gate.passed and _alike(gate, identical_passes):
        said = Text("PASSED: {candidate} and {baseline} did the same throughout.", **names)
    elif gate.superior or not gate.margin:
        said = _better(gate, names)
    elif gate.passed:
        said = Text("PASSED: {candidate} is not inferior to {baseline} by a margin of {margin}.", **names)
    elif gate.outcome == WORSE:
        said = Text("FAILED: {candidate} is worse than {baseline} by more than {margin}.", **names)
    elif gate.n_needed is None:
        said = Text(
            "FAILED: it was not shown that {candidate} is not inferior to {baseline} by a margin of {margin}.", **names
        )
    else:
        said = Text(
            "FAILED (too little data): it was not shown that {candidate} is not inferior to {baseline} by a margin of "
            "{margin}.",
            **names,
        )
    return said.as_role("headline")


def _better(gate: Gate, names: dict[str, Any]) -> Text:
    if not gate.margin:
        if gate.passed:
            return Text("PASSED: {candidate} was shown to be better than {baseline}.", **names)
        return Text("FAILED: {candidate} was not shown to be better than {baseline}.", **names)
    if gate.passed:
        return Text("PASSED: {candidate} was shown to be better than {baseline} by more than {margin}.", **names)
    return Text("FAILED: {candidate} was not shown to be better than {baseline} by more than {margin}.", **names)


def _of_slices(gate: Gate) -> tuple[Text, ...]:
    """Which slices do not hold, and whether they were too small to tell."""
    held = gate.slices
    if held is None:
        return ()
    values: dict[str, Any] = {"by": held.by, "margin": numeral(held.margin), "n": len(held.slices)}
    if not held.failed:
        return (Text("All {n} slices of {by} hold within a margin of {margin}.", **values),)
    rows = list(zip(held.slices, held.outcomes, held.sizes, strict=True))
    worse = [name for name, outcome, _ in rows if outcome == WORSE]
    open_ = [f"{name} ({n})" for name, outcome, n in rows if outcome == UNDECIDED]
    told = []
    if worse:
        told.append(Text("Worse by more than {margin} in: {names}.", **values, names=listed(worse)))
    if open_:
        values["names"] = listed(open_)
        told.append(
            Text("Too little data to show that these slices of {by} hold within {margin} (items): {names}.", **values)
        )
    return tuple(told)


def _what_would_settle(gate: Gate) -> tuple[Text, ...]:
    if gate.n_needed is None:
        return ()
    gain, _, _ = _gains(gate)
    true = Text("the difference is as seen") if gain > _bound(gate) else Text("there is no difference")
    facts = {"n": gate.n, "true": true, "needed": gate.n_needed}
    text = {
        "data sets": Text("There are {n} data sets; if {true}, about {needed} would settle it.", **facts),
        "items": Text("There are {n} items; if {true}, about {needed} would settle it.", **facts),
    }.get(gate.comparison.design.unit, Text("There are {n} rows; if {true}, about {needed} would settle it.", **facts))
    return (text.as_role("hint"),)


# -- what a gate refuses ----------------------------------------------------------------------------------------------


def _refuse_assumed_direction(evidence: Predictions | Scores) -> None:
    """A gate does not guess whether more is better."""
    if any(note.code == "direction-assumed" for note in getattr(evidence, "notes", ())):
        raise ParameterError(
            "gate needs to know whether more or less of these scores is better.",
            hint="name measure= where the scores are read, or give greater_is_better= (--lower-is-better or "
            "--greater-is-better on the command line)",
        )


def refuse_wide_margin(margin: float | None, measure: str) -> None:
    """No candidate can fail by a margin that is half of all that the measure can take."""
    known = find(measure)
    if margin is None or known is None:
        return
    low, high = known.bounds
    if high - low < float("inf") and margin >= (high - low) / 2:
        guess = f"did you mean {margin / 100:g}?" if 1 <= margin <= 100 else None
        raise ParameterError(
            f"margin must be less than half of what {known.name} can take ({low:g} to {high:g}). Got {margin:g}.",
            hint=guess,
        )
