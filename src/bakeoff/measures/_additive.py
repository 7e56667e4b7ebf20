"""Measures of numbers that add up: ratios of sums, and other functions of sums. A new one is one entry."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np

from bakeoff._core.errors import EvidenceError, ParameterError
from bakeoff._core.language import Text, label
from bakeoff._core.result import Note
from bakeoff._core.validation import FloatArray
from bakeoff.counts import Sample, SumsKind
from bakeoff.evidence import Rows
from bakeoff.measures._measure import Link, Measure, Trait

Combination = Mapping[str, float]  # column → coefficient
Value = Callable[[FloatArray], FloatArray]  # means of the terms [..., t] → [...]


@dataclass(frozen=True)
class Terms:
    """What an item adds to each term: combinations of columns, in the first way whose columns are there.

    Packages give the same counts in several ways: edits, or substitutions, deletions and insertions.
    """

    ways: tuple[tuple[Combination, ...], ...]
    of_counts: bool = False  # no column of them is below zero

    def __call__(self, sample: Sample) -> FloatArray:
        there = (w for w, names in zip(self.ways, self.columns, strict=True) if set(names) <= set(sample.columns))
        way = next(there, None)
        if way is None:
            raise EvidenceError(
                f"the measure needs the columns {', '.join(self.columns[0])} of numbers that add up.",
                hint="make evidence with Predictions.from_sums",
            )
        terms = np.empty((sample.n, len(way)), order="F")  # a term is read as a whole
        for t, combination in enumerate(way):
            for place, (name, coefficient) in enumerate(combination.items()):
                column = sample.output[:, sample.columns.index(name)]
                numbers = np.asarray(column, dtype=np.float64)
                if self.of_counts:
                    _refuse_negative(name, numbers)
                part = numbers if coefficient == 1 else coefficient * numbers
                terms[:, t] = part if place == 0 else terms[:, t] + part
        return terms

    @cached_property
    def columns(self) -> tuple[tuple[str, ...], ...]:
        """The columns of each way."""
        return tuple(tuple(dict.fromkeys(name for c in way for name in c)) for way in self.ways)


def _refuse_negative(name: str, numbers: FloatArray) -> None:
    """A count below zero is a mark for a missing value, or a mistake; added up it would turn the answer."""
    if numbers.size and numbers.min() < 0:
        raise EvidenceError(
            f"the column {name!r} holds counts, but one of them is {numbers.min():g}.",
            hint="leave out the items whose counts are not known",
        )


def _divided(means: FloatArray) -> FloatArray:
    """Σ numerator / Σ denominator; undefined without a denominator."""
    top, bottom = means[..., 0], means[..., 1]
    return np.asarray(np.divide(top, bottom, out=np.full(np.shape(top), np.nan), where=bottom != 0))


def _slope_of_ratio(means: FloatArray) -> FloatArray:
    """Derivative of the ratio in numerator and denominator."""
    value, bottom = _divided(means), means[..., 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.stack([1 / bottom, -value / bottom], axis=-1)


def _of_ratios(*ratios: float) -> Callable[[FloatArray], FloatArray]:
    """Items of the seen sizes whose ratio would have been one of these: all right, or all wrong."""
    return lambda terms: np.concatenate([np.stack([r * terms[:, 1], terms[:, 1]], axis=1) for r in ratios])


def additive(
    name: str,
    meaning: str,
    terms: Callable[[Sample], FloatArray],
    columns: tuple[tuple[str, ...], ...],
    value: Value,
    *,
    greater: bool,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    link: Link = "identity",
    undefined_when: str = "its sums are zero",
    unseen: Callable[[FloatArray], FloatArray] | None = None,
    **more: Any,
) -> Measure:
    """A measure of sums of columns; `unseen` items are for the ends of its scale only, where no item shows a spread.

    The rule's guard, one such item added in squares, made intervals of WER five times too wide (50 utterances).
    """
    form = SumsKind(terms, unseen=unseen, by_row=isinstance(terms, Terms))
    return Measure(
        name, greater, bounds, "sums", meaning, undefined_when, tasks=("sums",), form=form, value=value, link=link,
        columns=columns, traits=frozenset({Trait.QUOTIENT, Trait.UNEVEN}), unseen=0.0, **more,
    )  # fmt: skip


def _ratio(
    name: str, meaning: str, *ways: tuple[Combination, Combination], greater: bool, bounds: tuple[float, float],
    undefined_when: str = "its denominator adds up to zero", scale: float = 1.0,
    unseen: tuple[float, ...] | None = None, of_counts: bool = False, **more: Any,
) -> Measure:  # fmt: skip
    terms = Terms(
        of_counts=of_counts, ways=tuple(({c: scale * w for c, w in top.items()}, bottom) for top, bottom in ways)
    )
    ends = tuple(b for b in bounds if np.isfinite(b)) if unseen is None else unseen
    return additive(
        name, meaning, terms, terms.columns, _divided, greater=greater, bounds=bounds, link=_link_of(bounds),
        undefined_when=undefined_when, unseen=_of_ratios(*ends) if len(ends) > 1 else None,
        gradient=_slope_of_ratio, **more,
    )  # fmt: skip


def _link_of(bounds: tuple[float, float]) -> Link:
    """The scale on which a ratio within these bounds is nearly normal."""
    return "logit" if bounds == (0.0, 1.0) else "log" if bounds == (0.0, np.inf) else "identity"


# -- of your own ------------------------------------------------------------------------------------------------------


def ratio(
    name: str,
    numerator: str | Combination,
    denominator: str | Combination,
    *,
    greater_is_better: bool,
    bounds: tuple[float, float] | None = None,
    scale: float = 1.0,
) -> Measure:
    """Make the measure scale · Σ numerator / Σ denominator; each is a column, or {column → coefficient}.

    Examples
    --------
    >>> import bakeoff
    >>> per_page = bakeoff.measures.ratio("faults_per_page", "faults", "pages", greater_is_better=False)
    >>> table = {"new": {"faults": [1, 0, 4] * 20, "pages": [10, 5, 25] * 20}}
    >>> bakeoff.evaluate(bakeoff.Predictions.from_sums(table), per_page)["new", "faults_per_page"].estimate
    0.125
    """
    _check_name(name)
    top, bottom = (_combination(given) for given in (numerator, denominator))
    if not np.isfinite(scale) or scale == 0:
        raise ParameterError(f"scale must be a number other than zero. Got {scale!r}.")
    limits = (-np.inf, np.inf) if bounds is None else (float(bounds[0]), float(bounds[1]))
    return _ratio(
        name, "", (top, bottom), greater=bool(greater_is_better), bounds=limits, scale=float(scale),
    )  # fmt: skip


def of_sums(
    name: str,
    function: Callable[[Mapping[str, FloatArray]], Any],
    *,
    columns: Sequence[str],
    greater_is_better: bool,
    bounds: tuple[float, float] | None = None,
    gradient: Callable[[Mapping[str, FloatArray]], Mapping[str, Any]] | None = None,
) -> Measure:
    """Make a measure from ``function(sums)``, where ``sums[column]`` is an array of any shape.

    The value must not change when all sums are multiplied by one number. `gradient` gives the derivative in each
    column; without it derivatives are taken numerically.

    Examples
    --------
    >>> import bakeoff
    >>> def jaccard(sums):
    ...     return sums["tp"] / (sums["tp"] + sums["fp"] + sums["fn"])
    ...
    >>> measure = bakeoff.measures.of_sums("overlap", jaccard, columns=["tp", "fp", "fn"], greater_is_better=True)
    >>> measure(None, {"tp": [2, 1], "fp": [0, 1], "fn": [1, 1]})
    0.5
    """
    _check_name(name)
    names = tuple(str(c) for c in ([columns] if isinstance(columns, str) else columns))
    if not names:
        raise ParameterError("columns must name at least one column.")

    def value(means: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            found = np.asarray(function({c: means[..., j] for j, c in enumerate(names)}), dtype=np.float64)
        if found.shape != means.shape[:-1]:
            raise ParameterError(
                f"the function of {name!r} must return an array of the shape of its sums. Got {found.shape} for "
                f"{means.shape[:-1]}."
            )
        return found

    def slope(means: FloatArray) -> FloatArray:
        assert gradient is not None
        found = gradient({c: means[..., j] for j, c in enumerate(names)})
        return np.stack([np.broadcast_to(found[c], means.shape[:-1]) for c in names], axis=-1)

    _refuse_scale(name, value, len(names))
    terms = Terms((tuple({c: 1.0} for c in names),))
    limits = (-np.inf, np.inf) if bounds is None else (float(bounds[0]), float(bounds[1]))
    known: dict[str, Any] = {} if gradient is None else {"gradient": slope}
    return additive(
        name, "", terms, terms.columns, value, greater=bool(greater_is_better), bounds=limits, link=_link_of(limits),
        **known,
    )  # fmt: skip


def _refuse_scale(name: str, value: Value, t: int) -> None:
    """A function of sums that is no function of means depends on how many items there are."""
    some = np.random.default_rng(0).lognormal(1.0, 1.0, size=(64, t))
    once, twice = value(some), value(1000 * some)
    known = np.isfinite(once) & np.isfinite(twice)
    if not np.allclose(once[known], twice[known], rtol=1e-6, atol=1e-9):
        raise ParameterError(
            f"the function of {name!r} must not change when all sums are multiplied by one number.",
            hint="divide by a sum: items, tokens, a length",
        )


def _check_name(name: Any) -> None:
    if not isinstance(name, str) or not name.strip():
        raise ParameterError("a measure needs a name.")


def _combination(given: Any) -> Combination:
    if isinstance(given, str):
        return {given: 1.0}
    if not isinstance(given, Mapping) or not given:
        raise ParameterError(
            f"numerator and denominator are columns, or {{column: coefficient}}. Got {type(given).__name__}."
        )
    return {str(c): float(w) for c, w in given.items()}


# -- translation ------------------------------------------------------------------------------------------------------

_ORDERS = (1, 2, 3, 4)
_BLEU = (*(f"match{n}" for n in _ORDERS), *(f"total{n}" for n in _ORDERS), "hyp_length", "ref_length")


def bleu(smooth: str | None = "exp") -> Measure:
    """BLEU of a corpus from per-sentence counts, 0 to 100, with the brevity penalty.

    ``smooth="exp"`` is sacreBLEU's default: the k-th order without a match counts as half, a quarter … of one.

    Examples
    --------
    >>> import bakeoff
    >>> bakeoff.measures.bleu(smooth=None).name
    'bleu'
    """
    if smooth not in ("exp", None):
        raise ParameterError(f"smooth must be 'exp' or None. Got {smooth!r}.")
    named = Terms((tuple({c: 1.0} for c in _BLEU),), of_counts=True)

    def terms(sample: Sample) -> FloatArray:
        # The last term turns means back into sums, on which the smoothing of a zero count depends.
        return np.column_stack([named(sample), np.full(sample.n, float(sample.cases or sample.n))])

    def value(means: FloatArray) -> FloatArray:
        match, total = means[..., 0:4], means[..., 4:8]
        hyp, ref, items = means[..., 8], means[..., 9], means[..., 10]
        none = match <= 0
        with np.errstate(divide="ignore", invalid="ignore"):
            precision = match / total
            if smooth == "exp":
                floor = 1 / (2.0 ** np.cumsum(none, axis=-1) * total * items[..., None])
                precision = np.where(none, floor, precision)
            logs = np.log(np.where(total > 0, precision, 0.0)).mean(axis=-1)
            score = 100 * np.exp(np.minimum(0.0, 1 - ref / hyp) + logs)
        return np.asarray(np.where(none.all(axis=-1) | (hyp <= 0), 0.0, score))

    return additive(
        "bleu", "overlap of n-grams with the references, over the whole corpus", terms, named.columns, value,
        greater=True, bounds=(0.0, 100.0), label=label("BLEU"), link="log",
    )  # fmt: skip


# -- segmentation -----------------------------------------------------------------------------------------------------

_IOU = ("intersection_*", "union_*")


def _iou_classes(columns: Sequence[str]) -> list[str]:
    part, whole = (pattern.removesuffix("*") for pattern in _IOU)
    return [c.removeprefix(part) for c in columns if c.startswith(part) and whole + c.removeprefix(part) in columns]


def _iou_terms(sample: Sample) -> FloatArray:
    names = _iou_classes(sample.columns)
    places = [sample.columns.index(f"{kind.removesuffix('*')}{c}") for kind in _IOU for c in names]
    for place in places:
        _refuse_negative(sample.columns[place], np.asarray(sample.output[:, place]))
    return np.asarray(sample.output[:, places], dtype=np.float64)


def _mean_iou(means: FloatArray) -> FloatArray:
    """Mean over the classes that occur of Σ∩ / Σ∪."""
    part, whole = np.split(means, 2, axis=-1)
    seen = whole > 0
    each = np.divide(part, whole, out=np.zeros_like(part), where=seen)
    count = seen.sum(axis=-1)
    return np.asarray(np.divide(each.sum(axis=-1), count, out=np.full(count.shape, np.nan), where=count > 0))


def _absent_classes(rows: Rows, model: str) -> Note | None:
    names = _iou_classes(rows.columns)
    whole = [rows.sums(model)[:, rows.columns.index(f"union_{c}")].sum() for c in names]
    absent = [c for c, total in zip(names, whole, strict=True) if total == 0]
    if not absent:
        return None
    text = Text("classes in neither truth nor prediction are left out of the mean: {names}.", names=", ".join(absent))
    return Note("absent-classes", text)


# -- ready made -------------------------------------------------------------------------------------------------------

_TP, _PRED, _TRUE = {"tp": 1.0}, {"n_pred": 1.0}, {"n_true": 1.0}
_EDITS = {"substitutions": 1.0, "deletions": 1.0, "insertions": 1.0}
_LENGTH = {"hits": 1.0, "substitutions": 1.0, "deletions": 1.0}
_LIKELIHOOD = Terms((({"log_likelihood": 1.0}, {"units": 1.0}),))
_ERROR_RATE = (({"edits": 1.0}, {"ref_length": 1.0}), (_EDITS, _LENGTH))


def _error_rate(name: str, meaning: str, shown: str) -> Measure:
    return _ratio(
        name, meaning, *_ERROR_RATE, greater=False, bounds=(0.0, np.inf), label=label(shown), unseen=(0.0, 1.0),
        undefined_when="the references are empty", of_counts=True,
    )  # fmt: skip


def _entities(name: str, meaning: str, *ways: tuple[Combination, Combination], undefined_when: str) -> Measure:
    return _ratio(name, meaning, *ways, greater=True, bounds=(0.0, 1.0), undefined_when=undefined_when, of_counts=True)


MEASURES: tuple[Measure, ...] = (
    _error_rate("wer", "edits per word of the references", "WER"),
    _error_rate("cer", "edits per character of the references", "CER"),
    bleu(),
    _entities(
        "entity_f1", "F1 over entities: found and true ones counted over all items",
        ({"tp": 2.0}, {**_PRED, **_TRUE}), ({"tp": 2.0}, {"tp": 2.0, "fp": 1.0, "fn": 1.0}),
        undefined_when="there is no entity, true or found",
    ),
    _entities(
        "entity_precision", "share of the entities found that are right",
        (_TP, _PRED), (_TP, {"tp": 1.0, "fp": 1.0}), undefined_when="no entity was found",
    ),
    _entities(
        "entity_recall", "share of the true entities that were found",
        (_TP, _TRUE), (_TP, {"tp": 1.0, "fn": 1.0}), undefined_when="there is no true entity",
    ),
    additive(
        "mean_iou", "mean over classes of intersection over union", _iou_terms, (_IOU,), _mean_iou, greater=True,
        bounds=(0.0, 1.0), link="logit", undefined_when="no class occurs", caution=_absent_classes,
        label=label("mean IoU"),
    ),
    additive(
        "perplexity", "exp of the mean negative log-likelihood of a unit", _LIKELIHOOD, _LIKELIHOOD.columns,
        lambda means: np.exp(-_divided(means)), greater=False, bounds=(0.0, np.inf), link="log",
        undefined_when="there are no units",
    ),
    _ratio(
        "bits_per_unit", "bits to write down a unit (token, byte)", ({"log_likelihood": 1.0}, {"units": 1.0}),
        greater=False, bounds=(-np.inf, np.inf), scale=-1 / float(np.log(2)), undefined_when="there are no units",
    ),
    _ratio(
        "cost_per_success", "cost of all items for each one that succeeded", ({"cost": 1.0}, {"success": 1.0}),
        greater=False, bounds=(0.0, np.inf), unseen=(), undefined_when="there is no success",
    ),
)  # fmt: skip


def serves(measure: Measure, columns: Sequence[str]) -> bool:
    """Whether these columns suffice for the measure, in one of its ways."""
    return any(all(any(fnmatchcase(c, name) for c in columns) for name in way) for way in measure.columns)
