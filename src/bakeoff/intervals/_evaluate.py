"""`evaluate`: every sensible measure of every model, with an interval that covers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, label, listed
from bakeoff._core.result import Interval, Note, emit, settled, unique, warning_note
from bakeoff._core.validation import (
    FloatArray,
    RngLike,
    as_generator,
    as_seed,
    check_choice,
    check_count,
    check_level,
)
from bakeoff.evidence import Predictions, Rows, Run, Scores, is_array_like, is_baseline, paired, pairing_of
from bakeoff.intervals._attempts import Variance, components
from bakeoff.intervals._by_slice import (
    Cut,
    Known,
    Subject,
    check_shares,
    cut,
    known_of,
    names_of,
    poststratified,
    table_of,
)
from bakeoff.intervals._closed_forms import (
    CLOSED_FORMS,
    FOLD_METHODS,
    METHODS,
    ModelRows,
    check_method,
    is_share,
    leaves_one_out,
    successes,
    undefined,
)
from bakeoff.intervals._entry import Entry
from bakeoff.intervals._evaluation import Evaluation
from bakeoff.intervals._fold_rule import CLAIMS, Claim
from bakeoff.intervals._nested import nested_interval
from bakeoff.intervals._of_scores import evaluate_scores
from bakeoff.intervals._one import exact_interval, test_set_interval
from bakeoff.intervals._over_folds import fold_interval
from bakeoff.intervals._per_class import OF_A_CLASS, ClassEntry, Confusion, PerClass, cases_of, one_class
from bakeoff.intervals._rule import LINEARIZED, RULE
from bakeoff.intervals._slice_sums import MANY_ROWS, SliceSums, slice_sums
from bakeoff.intervals._slices import Slices
from bakeoff.measures import (
    Measure,
    Trait,
    compute,
    default_measure,
    default_measures,
    directed,
    for_rows,
    get_all,
    label_of,
    left_out_notes,
    require,
    rows_for,
    unavailable,
)

_Measures: TypeAlias = str | Measure | Iterable[str | Measure]
_HIDDEN = "rounded-scores"
_SEEN = 1e-4  # values are printed with four decimals


def evaluate(
    evidence: Predictions | Scores | Run | ArrayLike,
    measures: _Measures | ArrayLike | None = None,
    *,
    y_pred: object = None,
    y_score: object = None,
    y_value: object = None,
    pos_label: Hashable | None = None,
    classes: Sequence[Hashable] | None = None,
    interval: str = "auto",
    confidence_level: float = 0.95,
    n_resamples: int | Literal["auto"] = 2000,
    rng: RngLike = None,
    baselines: bool = False,
    stratified: bool = False,
    claim: Claim = "kind",
    by: str | Sequence[str] | None = None,
    shares: Mapping[str, float] | None = None,
    min_n: int = 30,
) -> Evaluation:
    """How good is each model, and how sure are we of that?

    Parameters
    ----------
    evidence
        The predictions; or scores, whose folds give a mean with a corrected t interval for each data set; or, as a
        shorthand, an array of true labels or values, followed by the answers: ``evaluate(y_true, y_pred)``.
    measures
        Names or `Measure` objects; by default those worth knowing for the task. After an array of the truth: the
        answers of one model, or model → answers. Text, and answers that are all among the true labels, are labels;
        other numbers are values where the truth is numbers on a scale, and scores where it has two classes; anything
        else is refused.
    y_pred, y_score, y_value, pos_label, classes
        After an array of the truth: answers whose kind is told, as `Predictions.from_arrays` takes them.
    interval
        ``"auto"`` picks for each measure and says which; or one of wilson, wald, clopper-pearson, agresti-coull,
        jeffreys, delong, delong-wald, rule, linearized, debiased, delta, t, bootstrap (= bca), percentile, basic,
        normal; over folds cv-rows, cv-clt, corrected-t, and after `protocols.NestedKFold` nested-cv.
    confidence_level
        Nominal coverage.
    n_resamples
        Bootstrap resamples, where the method is one; ``"auto"``: twice as many until that moves no limit by more than
        2 % of its interval's width.
    rng
        Seed or generator of the bootstrap.
    baselines
        Add the trivial models (``always <class>``, ``prior``), which every model must beat.
    stratified
        Resample within each class, keeping the class counts fixed.
    claim
        Over folds: about this ``"kind"`` of model, retrained on as many rows, or the ``"fitted"`` models.
    by
        A slice kept with the evidence, or several that are crossed: adds `Evaluation.slices`.
    shares
        Slice → its share of the population: the total is then post-stratified to them.
    min_n
        Slices with fewer units are marked as small.

    Returns
    -------
    Evaluation
        ``evaluation[model, measure]`` is an `Interval`; `to_frame` has one row per data set, model and measure.

    Examples
    --------
    >>> import bakeoff
    >>> p = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5})
    >>> print(bakeoff.evaluate(p)["a", "accuracy"])
    0.9000 [0.8256, 0.9448] (95 %, wilson)
    >>> print(bakeoff.evaluate([0, 1] * 50, [0, 1] * 40 + [1, 0] * 5 + [0, 1] * 5)["model", "accuracy"])
    0.9000 [0.8256, 0.9448] (95 %, wilson)
    """
    given_as = dict(locals())
    check_choice("interval", interval, METHODS)
    check_choice("claim", claim, CLAIMS)
    if isinstance(evidence, Run):
        return evidence.evaluate(  # type: ignore[no-any-return]
            measures, interval=interval, confidence_level=confidence_level, n_resamples=n_resamples, rng=rng,
            baselines=baselines, stratified=stratified, claim=claim, by=by, shares=shares, min_n=min_n,
        )  # fmt: skip
    if n_resamples == "auto":
        given_as["rng"] = as_seed(rng)
        answer, told_of = settled(lambda n: evaluate(**{**given_as, "n_resamples": n}), _limits_of)
        answer = replace(answer, notes=(*answer.notes, *told_of))
        emit(answer._notes())
        return answer
    told = {"y_pred": y_pred, "y_score": y_score, "y_value": y_value, "pos_label": pos_label, "classes": classes}
    given, asked_for = _given(evidence, measures, told)
    if isinstance(given, Scores):
        of_scores = evaluate_scores(given, asked_for, interval, check_level(confidence_level))
        emit(of_scores._notes())
        return of_scores
    level, draws = check_level(confidence_level), check_count("n_resamples", n_resamples, minimum=50)
    asking = _Asking(interval, level, claim, draws, _Seed(as_generator(rng)), stratified)
    chosen = None if asked_for is None else get_all(asked_for)
    tables = list(given.with_baselines() if baselines else given)
    entries: list[Entry] = []
    shown: list[Measure] = []
    quick: dict[tuple[str, str, str], _Quick] = {}
    for rows in tables:
        wanted = default_measures(rows) if chosen is None else [directed(m, rows) for m in chosen]
        _check_available(wanted, rows, chosen is not None)
        shown += wanted
        quick |= _from_sums(rows, wanted, interval, by)
        for model in rows.models:
            needs = dict.fromkeys(m.needs for m in wanted)
            asked = {n: asking.of(rows.about((model,), n), model) for n in needs}
            for m in wanted:
                known = quick.get((rows.name, model, m.name))
                if known is None:
                    entries.append(_with_hidden(asking.entry(m, asked[m.needs]), rows))
                    asked[m.needs].forget(m)
                else:
                    whole = known.sums.intervals(interval, level)[-1]
                    error = float(known.sums.error[-1])
                    entries.append(Entry(rows.name, model, m.name, whole, rows.cases, rows.units.n, error))
    classes = tuple(c for rows in tables for c in rows.classes)
    trivial = tuple(m for m in dict.fromkeys(e.model for e in entries) if is_baseline(m, classes))
    labels = any(m.needs == "labels" for m in shown)
    hidden = [n for e in entries for n in e.interval.notes if n.code == _HIDDEN]
    found = [*given.notes, *_evidence_notes(tables, labels), *_measure_notes(shown), *hidden]
    found += _below_chance(entries, shown)
    if shares is not None and by is None:
        raise ParameterError("shares= are those of slices: give by= too.")
    sliced = None
    if by is not None:
        sliced = _slices(tables, chosen, asking, by, shares, check_count("min_n", min_n, minimum=1), entries, quick)
    result = Evaluation(
        tuple(entries), level, given.design, trivial, unique(found) if found else (),
        None if sliced is None else replace(sliced, trivial=trivial),
        _variance(tables, shown, entries),
        {m.name: m.greater_is_better for m in (for_rows(m, tables[0]) for m in shown)},
        _ClassQuestion(tuple(given), asking) if classes else None,
        default_measure(given).name if chosen is None else "",
    )  # fmt: skip
    if warned := result._notes():
        emit(warned)
    return result


@dataclass
class _Seed:
    """The seed of all draws, taken from the generator when the first of those who draw asks for it."""

    generator: np.random.Generator
    drawn: int | None = None

    def __call__(self) -> int:
        if self.drawn is None:
            self.drawn = int(self.generator.integers(2**63))
        return self.drawn


@dataclass(frozen=True)
class _ClassQuestion:
    """The rows that were evaluated and how, to be asked about each class."""

    tables: tuple[Rows, ...]
    asking: _Asking

    def _labelled(self) -> Iterator[tuple[Rows, str]]:
        for rows in self.tables:
            yield from ((rows, m) for m in rows.models if rows.classes and rows.provides(m, "labels"))

    def confusion(self) -> Confusion:
        """Count true and predicted classes of every model."""
        found = {(rows.name, model): rows.confusion(model) for rows, model in self._labelled()}
        if not found:
            raise EvidenceError(
                "no model gives labels, so that there is nothing to count.",
                hint="give y_pred, or y_score as probabilities between 0 and 1",
            )
        return Confusion(found)

    def per_class(self) -> PerClass:
        """Evaluate each class against the rest, by the interval that was asked for."""
        found = [
            e for rows, model in self._labelled() for k in range(len(rows.classes)) for e in self._of(rows, model, k)
        ]
        if not found:
            self.confusion()  # says what is lacking
        return PerClass(tuple(found), self.asking.level)

    def _of(self, rows: Rows, model: str, index: int) -> Iterator[ClassEntry]:
        measures = list(get_all(OF_A_CLASS))
        needs = {m: "labels" if m.needs == "labels" else "probabilities" for m in measures}
        given = [need for need in dict.fromkeys(needs.values()) if rows.provides(model, need)]
        own = {need: one_class(rows, model, index, need) for need in given}
        asked = {need: self.asking.of(rows, model) for need, rows in own.items()}
        for measure in measures:
            need = needs[measure]
            if need in own and unavailable(measure, own[need], model) is None:
                entry = self.asking.entry(measure, asked[need])
                yield ClassEntry(rows.classes[index], entry, cases_of(own[need], index))


def _given(evidence: object, measures: Any, told: dict[str, Any]) -> tuple[Predictions | Scores, _Measures | None]:
    """Evidence and the measures asked for; a truth with answers to it, second or by name, becomes evidence."""
    more = {name: value for name, value in told.items() if value is not None}
    if isinstance(evidence, (Predictions, Scores)) and not more:
        return evidence, measures
    if not is_array_like(evidence):
        if not more:
            raise ParameterError(
                f"evaluate needs Predictions or Scores. Got {type(evidence).__name__}.",
                hint="make them with Predictions.from_arrays",
            )
        raise ParameterError(
            f"{', '.join(more)} go with an array of the truth, not with {type(evidence).__name__}.",
            hint="evaluate(y_true, y_pred), or evaluate(predictions, measures)",
        )
    if more.keys() & {"y_pred", "y_score", "y_value"}:
        return paired(evidence, None, **more), measures
    if measures is None or isinstance(measures, (str, Measure)):
        raise ParameterError(
            "evaluate needs the answers of a model to the truth.",
            hint="evaluate(y_true, y_pred), or y_score= and measures= by name",
        )
    return paired(evidence, measures, **more), None


def _variance(tables: Sequence[Rows], measures: Iterable[Measure], entries: Sequence[Entry]) -> Variance | None:
    """Components of the mean outcome, where items were attempted several times."""
    found = []
    for rows in tables:
        several = [m for m in rows.models if rows.attempted_again(m)]
        means = {m.name for m in (for_rows(m, rows) for m in measures) if m.has(Trait.OF_ITEMS)} if several else set()
        for e in entries:
            if e.dataset == rows.name and e.model in several and e.measure in means:
                counts = rows.answered((e.model,)).attempts(e.model)
                found.append(components(rows.name, e.model, e.measure, counts, e.standard_error))
    return Variance(tuple(found), unique(n for c in found for n in c.notes)) if found else None


# -- slices -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Asking:
    """How intervals are asked for."""

    interval: str
    level: float
    claim: Claim
    draws: int
    seed: Callable[[], int]
    stratified: bool

    def of(self, rows: Rows, model: str) -> ModelRows:
        return ModelRows(rows, model, self.draws, self.seed, self.stratified)

    def interval_of(self, measure: Measure, asked: ModelRows, **other: Any) -> Interval:
        """The interval of a measure, at another level or by another method where that is given."""
        how = {"interval": self.interval, "level": self.level, "claim": self.claim, **other}
        return _interval(measure, asked, **how)

    def entry(self, measure: Measure, asked: ModelRows) -> Entry:
        """One cell of the evaluation."""
        measure = as_share(for_rows(measure, asked.rows), asked.rows, asked.model)
        left_out: tuple[Note, ...] = ()
        if unavailable(measure, asked.rows, asked.model) is None:
            left_out = left_out_notes(measure, asked.rows, (asked.model,))
            asked = asked.of(rows_for(measure, asked.rows, (asked.model,)))
        rows, found = asked.rows, self.interval_of(measure, asked)
        note = measure.caution(rows, asked.model) if np.isfinite(found.estimate) else None
        found = replace(found, notes=(*found.notes, *left_out, *(() if note is None else (note,))))
        error = float("nan") if np.isnan(found.low) else standard_error(measure, asked, self.claim, found.method)
        return Entry(rows.name, asked.model, measure.name, found, rows.cases, rows.units.n, error)


def _slices(
    tables: Sequence[Rows], chosen: Sequence[Measure] | None, asking: _Asking, by: Any,
    shares: Mapping[str, float] | None, min_n: int, entries: Sequence[Entry],
    quick: Mapping[tuple[str, str, str], _Quick],
) -> Slices:  # fmt: skip
    wholes = {(e.dataset, e.model, e.measure): e.interval for e in entries}
    subjects = []
    for rows in tables:
        wanted = default_measures(rows) if chosen is None else chosen
        for model in rows.models:
            for measure in (for_rows(m, rows) for m in wanted):
                if unavailable(measure, rows, model) is None:
                    key = (rows.name, model, measure.name)
                    if key in quick and shares is None:
                        subjects.append(quick[key].subject(rows.name, model, asking, wholes[key]))
                    else:
                        subjects.append(_subject(measure, rows, model, asking, by, shares, wholes[key]))
    return table_of(" × ".join(names_of(by)), ("model",), subjects, asking.level, min_n)


@dataclass(frozen=True)
class _Quick:
    """All slices of one model of many items, from sums."""

    cut: Cut
    sums: SliceSums

    def subject(self, dataset: str, model: str, asking: _Asking, total: Interval) -> Subject:
        s, names = self.sums, self.cut.names
        known = Known(names, s.value[:-1], s.error[:-1], s.units[:-1])
        pointwise = s.intervals(asking.interval, asking.level)[:-1]
        nan = float("nan")

        @cache
        def every(level: float) -> list[Interval]:
            return s.intervals(asking.interval, level)

        return Subject(
            dataset, (model,), s.measure, known, s.units[:-1].tolist(), pointwise, lambda s, level: (nan, nan), total,
            together=(lambda s, level: every(level)[s]) if _own_limits(self.sums.measure, asking) else None,
        )  # fmt: skip


def _from_sums(rows: Rows, measures: Iterable[Measure], interval: str, by: Any) -> dict[tuple[str, str, str], _Quick]:
    """Models whose slices can be had from sums, where items are many."""
    if by is None or interval not in ("auto", RULE, LINEARIZED) or rows.unequal or rows.n < MANY_ROWS:
        return {}
    found, whole = {}, None
    for measure in measures:
        if not measure.plain:
            continue
        for model in rows.models:
            if unavailable(measure, rows, model) is None:
                whole = cut(rows, by) if whole is None else whole
                sums = slice_sums(measure, rows, model, whole.code, len(whole.names))
                if sums is not None:
                    found[rows.name, model, measure.name] = _Quick(whole, sums)
    return found


def _subject(
    measure: Measure, rows: Rows, model: str, asking: _Asking, by: Any, shares: Mapping[str, float] | None,
    total: Interval,
) -> Subject:  # fmt: skip
    """One model by slices."""
    measure = as_share(measure, rows, model)
    mine = rows_for(measure, rows.about((model,), measure.needs), (model,))
    whole = cut(mine, by)
    parts = whole.parts(mine)
    asked = [asking.of(part, model) for part in parts]
    pointwise = [asking.entry(measure, one) for one in asked]
    known = known_of(measure, mine, (model,), whole.names, parts)
    if not measure.has_slope:
        error = [_drawn_error(measure, one) for one in asked]
        known = replace(known, error=np.array(error))

    def ends(s: int, level: float) -> tuple[float, float]:
        found = asking.interval_of(measure, asked[s], level=level)
        return found.low, found.high

    def together(s: int, level: float) -> Interval:
        found = asking.interval_of(measure, asked[s], interval="auto", level=level)
        if found.method == "wilson":  # at 99.9 %, as for 50 slices, Wilson misses a share near 1 too often
            return asking.interval_of(measure, asked[s], interval="clopper-pearson", level=level)
        return found

    if asking.interval == "auto" and all(p.interval.method in ("wilson", "exact") for p in pointwise):
        trials = [successes(measure, one, e)[1] for one, e in zip(asked, known.estimate, strict=True)]
        known = replace(known, trials=np.array(trials))
    elif is_share(measure) and mine.weight is not None and mine.units.of_row is None:
        known = replace(known, trials=np.array([part.units.n_effective for part in parts]))
    given = check_shares(shares, whole.names)
    if given is not None:
        total = poststratified(measure, mine, (model,), whole, given, asking.level)
    return Subject(
        rows.name, (model,), measure, known, [part.n_written for part in parts], [p.interval for p in pointwise], ends,
        total, together=together if _own_limits(measure, asking) else None,
        every=whole.names if mine.n == rows.n else cut(rows, by).names,
    )  # fmt: skip


def as_share(measure: Measure, rows: Rows, model: str) -> Measure:
    """The mean of outcomes that are all 0 or 1 is a proportion, whatever it is called: t misses one near 0 or 1."""
    if measure.limits or not measure.has(Trait.OF_ITEMS) or not rows.has(model).any():
        return measure
    if rows.units.plain and rows.units.answers == 1 and rows.solved_or_not(model):
        return replace(measure, limits=("wilson",))
    return replace(measure, bounds=(0.0, 1.0), link="logit") if rows.right_or_wrong else measure


def _own_limits(measure: Measure, asking: _Asking) -> bool:
    """Where t on the plain scale is not near enough for all slices at once: proportions, and what has its own scale."""
    return asking.interval == "auto" and measure.has_slope and (is_share(measure) or measure.link != "identity")


def _drawn_error(measure: Measure, asked: ModelRows) -> float:
    """Standard error of a measure that is not smooth: the spread of its resamples."""
    drawn = asked.replicates(measure)
    return float(np.std(drawn[np.isfinite(drawn)], ddof=1)) if np.isfinite(drawn).sum() > 1 else float("nan")


def _check_available(measures: Iterable[Measure], rows: Rows, asked: bool) -> None:
    """A measure that no model can give is an error when it was asked for by name."""
    for measure in measures if asked else ():
        if all(unavailable(measure, rows, m) for m in rows.models):
            require(measure, rows, rows.models[0])


def _with_hidden(entry: Entry, rows: Rows) -> Entry:
    """Tell what rounded scores can hide, where it can be seen in print."""
    hidden = rows.hidden(entry.model, entry.measure)
    if hidden is None or hidden[1] - hidden[0] < _SEEN:
        return entry
    text = Text(
        "scores of {model!r} are rounded: {measure} of the rows is between {low:.4f} and {high:.4f}.",
        model=entry.model, measure=label_of(entry.measure), low=hidden[0], high=hidden[1],
    )  # fmt: skip
    return replace(entry, interval=replace(entry.interval, notes=(*entry.interval.notes, Note(_HIDDEN, text))))


def _interval(measure: Measure, asked: ModelRows, interval: str, level: float, claim: Claim) -> Interval:
    rows, model = asked.rows, asked.model
    reason = unavailable(measure, rows, model)
    if reason is not None:
        return undefined(
            level, "", Text("{name} is not available: {reason}", name=label(measure.name), reason=reason.text)
        )
    if interval == "auto" and (exact := _fixed_by_rule(measure, asked, level)) is not None:
        return exact
    folds = _averages_over_folds(rows) or (measure.needs == "times" and len(rows.splits) > 1)
    method = check_method(interval, measure, asked, folds=folds)
    if method == "nested-cv":
        return nested_interval(measure, asked, method, level)
    if folds and (method in FOLD_METHODS or method == "t"):
        return fold_interval(measure, asked, method, level, claim)
    return test_set_interval(measure, asked, method, level)


def _limits_of(result: Evaluation) -> FloatArray:
    return np.array([[e.interval.low, e.interval.high, np.nan] for e in result.entries]).reshape(-1, 3)


def _fixed_by_rule(measure: Measure, asked: ModelRows, level: float) -> Interval | None:
    """A trivial rule whose value no row can move (AUC of a constant, recall of "always no") is known exactly."""
    if not is_baseline(asked.model, asked.rows.classes) or not measure.has_slope:
        return None
    value = compute(measure, asked.rows, asked.model).value
    if measure.is_area and (tally := asked.cases()) is not None and tally.scores.size == 1:
        return exact_interval(value, level)
    if not np.isfinite(value) or asked.rule(measure).moves(0, asked.standard_error(measure)):
        return None
    low, high = measure.bounds
    by_chance = np.isfinite(low) and low < 0 and abs(value) <= 1e-12  # the kappa of a constant is 0 on all rows
    return exact_interval(value, level) if measure.of_ranks or value in (low, high) or by_chance else None


def standard_error(measure: Measure, asked: ModelRows, claim: Claim, method: str = "") -> float:
    """The interval's own, else that of the rule, over folds with what retraining changes; NaN if not smooth."""
    if not measure.has_slope:
        return float("nan")
    if method == "exact":
        return 0.0
    own = CLOSED_FORMS[method].error if method in CLOSED_FORMS else None
    if own is not None:
        return own(measure, asked)
    if _averages_over_folds(asked.rows):
        rule = asked.fold_rule(measure, claim)
        return float("nan") if rule is None else rule.spread((0,), np.ones(1)).se
    return asked.rule(measure).spread((0,), np.ones(1)).se


def _averages_over_folds(rows: Rows) -> bool:
    """Folds are averaged, not pooled, unless each holds a single row (leave-one-out), where nothing can be averaged."""
    return len(rows.splits) > 1 and not leaves_one_out(rows)


def _evidence_notes(tables: Iterable[Rows], labels: bool) -> list[Note]:
    notes = []
    for rows in tables:
        if rows.unequal:
            pairing = pairing_of([rows], rows.models)
            each = ", ".join(f"{m} {n}" for m, n in list(pairing.per_model.items())[:6])
            text = Text(
                "the models did not answer the same items: each is measured on all its own ({each}); {n} were answered "
                "by all.",
                each=each + (" …" if len(pairing.per_model) > 6 else ""), n=pairing.paired,
            )  # fmt: skip
            notes.append(Note("unequal-items", text))
        derived = [m for m in rows.models if rows.task in ("binary", "multiclass") and _labels_guessed(rows, m)]
        if derived and labels:
            rule = Text("probability at least 0.5") if rows.task == "binary" else Text("the likeliest class")
            names = ", ".join(map(repr, derived[:4])) + (" …" if len(derived) > 4 else "")
            text = Text(
                "labels of {names} are taken from their scores ({rule}). Give y_pred for another rule.",
                names=names, rule=rule,
            )  # fmt: skip
            notes.append(Note("labels-from-scores", text))
        if len(rows.splits) > 1 and not _averages_over_folds(rows):
            text = Text("leave-one-out: rows are pooled over folds; ranking measures over pooled folds can mislead.")
            notes.append(Note("pooled-folds", text))
    return notes


def _labels_guessed(rows: Rows, model: str) -> bool:
    return rows.labels_are_derived(model) and rows.provides(model, "labels")


def _below_chance(entries: Sequence[Entry], measures: Iterable[Measure]) -> list[Note]:
    """Warn of a model whose AUC is shown to be below one half: is the positive class, or its sign, swapped?"""
    areas = {m.name for m in measures if m.is_area and m.area == (1.0, 0.0)}
    above: dict[str, bool] = {}
    for entry in entries:
        if entry.measure in areas:
            above[entry.model] = above.get(entry.model, False) or not entry.interval.high < 0.5
    models = [model for model, high in above.items() if not high]
    if not models:
        return []
    text = Text(
        "The AUC of {models} is shown to be below 0.5: is the other class the positive one, or the sign of the scores "
        "wrong?",
        models=listed(models),
    )
    return [warning_note("below-chance", text)]


def _measure_notes(measures: Iterable[Measure]) -> list[Note]:
    """The bins of a calibration error hold noise, which counts as error."""
    if not any(measure.has(Trait.BIASED) for measure in measures):
        return []
    text = Text(
        "the calibration error of finitely many rows is biased upwards, since noise in its bins counts as error; the "
        "lower limit has that noise taken off. Look at the calibration curve and the Brier score."
    )
    return [Note("calibration-error-biased", text)]
