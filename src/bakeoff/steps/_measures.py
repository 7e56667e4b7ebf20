"""Working of evaluations: the confusion matrix, each measure with its counts put in, its standard error, interval."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from bakeoff._core.language import Text, joined, render
from bakeoff._core.text import Figure
from bakeoff.stats.means import CORRECTED_T
from bakeoff.steps._common import Around, interval, table, terms
from bakeoff.steps._formula import Formula
from bakeoff.steps._step import Step

# Measures of a two-class table: what is divided by what. `t`: true, `f`: false, `p`: called positive, `n`: negative.
_QUOTIENTS = {
    "accuracy": ("TP + TN", "TP + FN + FP + TN"), "error": ("FP + FN", "TP + FN + FP + TN"),
    "recall": ("TP", "TP + FN"), "specificity": ("TN", "FP + TN"), "fpr": ("FP", "FP + TN"), "fnr": ("FN", "TP + FN"),
    "precision": ("TP", "TP + FP"), "npv": ("TN", "TN + FN"), "jaccard": ("TP", "TP + FP + FN"),
    "f1": ("2 · TP", "2 · TP + FP + FN"),
}  # fmt: skip
_OF_FOLDS = ("t", CORRECTED_T)  # intervals of the mean over folds
_MOST = 12  # entries of an evaluation told one by one


def evaluation(result: Any, around: Around) -> Iterator[Step]:
    """The matrix of each model, then each measure."""
    matrices = _matrices(result)
    told: set[tuple[str, str]] = set()
    several = len(result.datasets) > 1
    for count, entry in enumerate(result.entries):
        if count == _MOST:
            left = len(result.entries) - _MOST
            yield Step(Text("And so on"), Text("{n} more numbers were computed in the same way.", n=Figure(left)))
            break
        key = (entry.dataset, entry.model)
        if key in matrices and key not in told:
            told.add(key)
            yield _matrix(*key, *matrices[key], several)
        yield _entry_step(entry, matrices.get(key), several)


def _matrices(result: Any) -> dict[tuple[str, str], tuple[Any, int | None]]:
    """(Data set, model) → its counts and the index of the positive class."""
    if result._asked is None:
        return {}
    rows = {table.name: table for table in result._asked.tables}
    try:
        found = result.confusion.counts
    except ValueError:  # scores only: there are no labels to count
        return {}
    return {key: (counts, rows[key[0]].positive) for key, counts in found.items()}


def _name(dataset: str, model: str, several: bool) -> str:
    return f"{dataset}, {model}" if several else model


def _matrix(dataset: str, model: str, counts: Any, positive: int | None, several: bool) -> Step:
    names = [str(c) for c in counts.classes]
    cells = counts.cells
    shown: dict[Any, Any] = {Text("true \\ predicted"): [*names, Text("sum")]}
    for j, name in enumerate(names):
        shown[name] = [*cells[:, j], cells[:, j].sum()]
    shown[Text("sum")] = [*cells.sum(axis=1), cells.sum()]
    formula = None
    if len(names) == 2 and positive is not None:
        formula = Formula("TP = {tp}, FN = {fn}, FP = {fp}, TN = {tn}", **_four(cells, positive))
    title = Text("{name}: confusion matrix", name=_name(dataset, model, several))
    return Step(title, Text("True classes in rows, predicted ones in columns."), formula, table(shown))


def _four(cells: Any, positive: int) -> dict[str, float]:
    other = 1 - positive
    places = {"tp": (positive, positive), "fn": (positive, other), "fp": (other, positive), "tn": (other, other)}
    return {name: float(cells[place]) for name, place in places.items()}


def entry(result: Any, around: Around) -> Iterator[Step]:
    """One number."""
    yield _entry_step(result, None, False)


def measure_label(measure: str) -> Text | str:
    from bakeoff.measures import find, label_of

    return measure if find(measure) is None else label_of(measure)


def _entry_step(found: Any, matrix: Any, several: bool) -> Step:
    title = Text(
        "{name}: {measure}", name=_name(found.dataset, found.model, several), measure=measure_label(found.measure)
    )
    made = interval(found.interval)
    words: list[Text | str] = []
    if not math.isnan(found.standard_error):
        numbers = {"error": Figure(found.standard_error), "n": Figure(found.n_units or found.n)}
        words.append(Text("Standard error {error}, from {n} independent units.", **numbers))
    if found.interval.method in _OF_FOLDS:  # the counts of all folds together are not what was computed
        words.insert(0, Text("The mean over the folds."))
        matrix = None
    return Step(title, joined([*words, made.text]), _formula(found, matrix))


def _formula(found: Any, matrix: Any) -> Formula | None:
    if matrix is None:
        return None
    counts, positive = matrix
    cells = counts.cells
    if found.measure in ("accuracy", "error") and len(cells) != 2:
        right = float(np.trace(cells))
        top = right if found.measure == "accuracy" else float(cells.sum()) - right
        return Formula("{top} / {n} = {value}", top=top, n=float(cells.sum()), value=found.estimate)
    if found.measure == "kappa":
        return _kappa(cells, found.estimate)
    if found.measure == "recall_macro":
        recalls = np.diag(cells) / cells.sum(axis=1)
        return Formula("({sum}) / {k} = {value}", sum=terms(recalls), k=len(cells), value=found.estimate)
    if len(cells) != 2 or positive is None:
        return None
    four = _four(cells, positive)
    if found.measure == "balanced_accuracy":
        return Formula(
            "(TP / (TP + FN) + TN / (FP + TN)) / 2 = ({tp} / {pos} + {tn} / {neg}) / 2 = {value}",
            **four, pos=four["tp"] + four["fn"], neg=four["fp"] + four["tn"], value=found.estimate,
        )  # fmt: skip
    if found.measure not in _QUOTIENTS:
        return None
    over, under = _QUOTIENTS[found.measure]
    words = {label.upper(): str(Figure(count)) for label, count in four.items()}
    a, b = _bracketed(over), _bracketed(under)
    c, d = _bracketed(_filled(over, words)), _bracketed(_filled(under, words))
    return Formula("{a} / {b} = {c} / {d} = {value}", a=a, b=b, c=c, d=d, value=found.estimate)


def _bracketed(part: str) -> str:
    return f"({part})" if " " in part else part


def _filled(part: str, numbers: dict[str, str]) -> str:
    return " ".join(numbers.get(word, word) for word in part.split(" "))


def _kappa(cells: Any, value: float) -> Formula:
    shares = cells / cells.sum()
    observed, chance = float(np.trace(shares)), float((shares.sum(axis=0) * shares.sum(axis=1)).sum())
    return Formula(
        "P_o = {po}, P_c = {pc}, κ = (P_o − P_c) / (1 − P_c) = ({po} − {pc}) / (1 − {pc}) = {value}",
        po=observed, pc=chance, value=value,
    )  # fmt: skip


def per_class(result: Any, around: Around) -> Iterator[Step]:
    """Each class against the rest."""
    for found in result.entries:
        made = _entry_step(found.entry, None, False)
        yield Step(Text("{name}: {measure}", name=str(found.label), measure=made.title), made.text, made.formula)


def confusion(result: Any, around: Around) -> Iterator[Step]:
    """Every matrix."""
    several = len({dataset for dataset, _ in result.counts}) > 1
    for (dataset, model), counts in result.counts.items():
        yield _matrix(dataset, model, counts, None, several)


def catalogue(result: Any, around: Around) -> Iterator[Step]:
    """What each measure is, and what it divides by what."""
    for measure in result.measures:
        quotient = _QUOTIENTS.get(measure.name)
        formula = None if quotient is None else Formula(f"({quotient[0]}) / ({quotient[1]})")
        yield Step(render(measure.label), render(measure.meaning), formula)


WORKING = {
    "Evaluation": (Text("How the measures were computed"), evaluation),
    "Entry": (Text("How the measure was computed"), entry),
    "PerClass": (Text("Each class against the rest"), per_class),
    "Confusion": (Text("Confusion matrices"), confusion),
    "Catalogue": (Text("What the measures are"), catalogue),
}
