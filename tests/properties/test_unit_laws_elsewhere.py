"""The laws of weights and frequencies where nothing moves a value, and in whole results: notes, plans, figures, tables.

`test_unit_laws.py` asks every measure for its interval and every default test for its p-value. Here one evidence is
asked everything that can be asked of it, and all that the answers say is compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.properties.test_unit_laws import (
    CONTEXT,
    Table,
    by_frequency,
    clusters,
    compared,
    evaluated,
    frequencies,
    importance,
    scaled,
    table,
    written_twice,
)

import bakeoff
from bakeoff import figures

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")

# -- everything that a result says ------------------------------------------------------------------------------------

Ask = Callable[[bakeoff.Predictions], Any]
COMMON: dict[str, Ask] = {
    "evaluate": lambda p: bakeoff.evaluate(p, rng=1, n_resamples=1000, baselines=True),
    "advise": bakeoff.advise,
}
LABELS: dict[str, Ask] = {
    "compare": lambda p: bakeoff.compare(p, "accuracy", rng=1, n_resamples=1000),
    "gate": lambda p: bakeoff.gate(p, baseline="a", candidate="b", measure="accuracy", margin=0.1, rng=1),
    "plan": lambda p: bakeoff.plan(p, measure="accuracy", difference=0.05),
    "flips": lambda p: bakeoff.flips(p, "a", "b"),
    "classes": lambda p: bakeoff.evaluate(p, "accuracy", rng=1).per_class,
}
RANKED: dict[str, Ask] = {
    "plan-auc": lambda p: bakeoff.plan(p, measure="auc", difference=0.05),
    "plan-f1": lambda p: bakeoff.plan(p, measure="f1", difference=0.05),
    "decide": lambda p: bakeoff.decide(p, CONTEXT, rng=1, n_resamples=500),
    "roc": bakeoff.roc,
    "cost_curves": lambda p: bakeoff.cost_curves(p, rng=1, n_resamples=500),
    "decision_curves": lambda p: bakeoff.decision_curves(p, thresholds=[0.1, 0.3, 0.5], rng=1, n_resamples=500),
    "calibration-figure": figures.calibration_figure,
    "precision-recall-figure": figures.precision_recall_figure,
}
QUESTIONS = {"binary": COMMON | LABELS | RANKED, "classes": COMMON | LABELS, "values": COMMON}
ASKED = [pytest.param(kind, name, id=f"{kind}-{name}") for kind, asked in QUESTIONS.items() for name in asked]
KEYS: dict[str, Callable[[int], dict[str, Any]]] = {
    "rows": lambda n: {},
    "groups": lambda n: {"groups": clusters(n)},
    "folds": lambda n: {"fold": np.arange(n) % 5},
}
DESIGNS = pytest.mark.parametrize("design", KEYS)


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, f"{path}/{key}")
    elif isinstance(value, (list, tuple)):
        for place, part in enumerate(value):
            yield from leaves(part, f"{path}[{place}]")
    else:
        yield path, value


def said(ask: Ask, rows: Table) -> dict[str, Any]:
    """All that the answer says; that there is none is an answer too."""
    try:
        return dict(leaves(ask(rows.in_memory()).to_dict()))
    except bakeoff.BakeoffError as error:
        return {"error": str(error)}


def differing(old: dict[str, Any], new: dict[str, Any], share: float) -> list[str]:
    found = []
    for path in sorted(old.keys() | new.keys()):
        a, b = old.get(path, "nothing"), new.get(path, "nothing")
        both = isinstance(a, float) and isinstance(b, float)
        alike = both and (math.isclose(a, b, rel_tol=share, abs_tol=share / 10) or (math.isnan(a) and math.isnan(b)))
        if not alike and a != b:
            found.append(f"{path}: {a} became {b}")
    return found


@DESIGNS
@pytest.mark.parametrize(("kind", "question"), ASKED)
def test_all_that_is_said_of_frequencies_is_said_of_rows_written_several_times(kind, question, design):
    rows = table(kind, 150)
    rows, times, ask = rows.keyed(**KEYS[design](rows.n)), frequencies(rows.n), QUESTIONS[kind][question]
    written = said(ask, rows.take(np.repeat(np.arange(rows.n), times)))
    assert differing(written, said(ask, rows.keyed(frequency=times)), 0.15) == []


@DESIGNS
@pytest.mark.parametrize(("kind", "question"), ASKED)
def test_nothing_that_is_said_depends_on_the_scale_of_the_weights(kind, question, design):
    rows = table(kind, 150)
    rows, weight, ask = rows.keyed(**KEYS[design](rows.n)), importance(rows.n), QUESTIONS[kind][question]
    given, times_seven = (said(ask, rows.keyed(sample_weight=w)) for w in (weight, 7.3 * weight))
    assert differing(given, times_seven, 1e-6) == []


SLICED: dict[str, Ask] = {
    "evaluate": lambda p: bakeoff.evaluate(p, ["accuracy", "f1", "auc"], by="part", rng=1, n_resamples=1000),
    "compare": lambda p: bakeoff.compare(p, "f1", by="part", rng=1, n_resamples=1000),
    "decide": lambda p: bakeoff.decide(p, CONTEXT, by="part", rng=1, n_resamples=500),
    "gate": lambda p: bakeoff.gate(p, baseline="a", candidate="b", measure="f1", margin=0.1, by="part", rng=1),
    "flips": lambda p: bakeoff.flips(p, "a", "b", by="part"),
}


def said_by_slice(question: str, rows: Table) -> dict[str, Any]:
    """All that is said of the slices of the column `part`: each has its own number of cases."""
    slices = {name: column for name, column in rows.keys.items() if name == "part"}
    keys = {name: column for name, column in rows.keys.items() if name != "part"}
    return said(SLICED[question], replace(rows, keys={**keys, "slices": slices}))


@pytest.mark.parametrize("law", ["frequency", "scale"])
@pytest.mark.parametrize("design", ["rows", "groups"])
@pytest.mark.parametrize("question", SLICED)
def test_slices_know_cases_and_no_scale(question, design, law):
    rows = table("binary", 150)
    rows = rows.keyed(part=np.where(np.arange(150) % 3, "many", "few"), **KEYS[design](150))
    if law == "frequency":
        times = frequencies(150)
        pair = rows.take(np.repeat(np.arange(150), times)), rows.keyed(frequency=times)
    else:
        pair = tuple(rows.keyed(sample_weight=size * importance(150)) for size in (1, 7.3))
    first, second = (said_by_slice(question, one) for one in pair)
    assert differing(first, second, 0.15 if law == "frequency" else 1e-6) == []


@pytest.mark.parametrize("size", ["sample_weight", "frequency"])
@DESIGNS
@pytest.mark.parametrize(("kind", "question"), ASKED)
def test_rows_that_count_for_nothing_are_no_rows(kind, question, design, size):
    """Nor is a group of which every row counts for nothing a group."""
    rows = table(kind, 150)
    rows, ask = rows.keyed(**KEYS[design](rows.n)), QUESTIONS[kind][question]
    each = importance(rows.n) if size == "sample_weight" else frequencies(rows.n)
    each = np.where((clusters(rows.n) if design == "groups" else np.arange(rows.n) // 10) == 1, 0, each)
    left = rows.keyed(**{size: each}).take(np.flatnonzero(each))
    assert differing(said(ask, left), said(ask, rows.keyed(**{size: each})), 1e-6) == []


@pytest.mark.parametrize("lazily", [False, True], ids=["in-memory", "lazy"])
@pytest.mark.parametrize("size", ["sample_weight", "frequency"])
def test_items_that_count_for_nothing_are_no_items(size, lazily):
    import polars as pl

    item, model = np.tile(np.arange(30), 2), np.repeat(["a", "b"], 30)
    outcome = np.random.default_rng(0).random(60)
    whole = pl.DataFrame({"item": item, "model": model, "o": outcome, "g": item // 5, "size": 2 * (item // 5 != 5)})

    def answered(frame):
        given = {"item": "item", "model": "model", "outcome": "o", "groups": "g", size: "size"}
        return bakeoff.evaluate(bakeoff.Predictions.from_outcomes(frame.lazy() if lazily else frame, **given), rng=1)

    left, zeros = (dict(leaves(answered(f).to_dict())) for f in (whole.filter(pl.col("size") > 0), whole))
    assert differing(left, zeros, 1e-9) == []


@pytest.mark.parametrize("law", ["frequency", "scale"])
def test_distances_from_calibration_know_cases_and_no_scale(law):
    rows, ask = table("binary", 50), QUESTIONS["binary"]["calibration-figure"]
    times, weight = frequencies(50), importance(50)
    first, second = {
        "frequency": (rows.take(np.repeat(np.arange(50), times)), rows.keyed(frequency=times)),
        "scale": (rows.keyed(sample_weight=weight), rows.keyed(sample_weight=7.3 * weight)),
    }[law]
    assert differing(said(ask, first), said(ask, second), 1e-6) == []
    found = [said(lambda p: bakeoff.calibration(p, rng=1), given) for given in (first, second)]
    assert differing(*found, 0.15 if law == "frequency" else 1e-6) == []


@pytest.mark.parametrize("kind", ["binary", "values"])
def test_trivial_models_know_the_frequencies(kind):
    """What is commonest, and the mean, are those of the cases."""
    rows = table(kind, 60)
    times = np.where(rows.truth > np.median(rows.truth), 9, 1)
    (carried,), (written,) = (
        rows.keyed(frequency=times).in_memory(),
        rows.take(np.repeat(np.arange(60), times)).in_memory(),
    )
    from bakeoff.evidence._baselines import with_baselines

    need = "values" if kind == "values" else "probabilities"
    a, b = (getattr(with_baselines(given), need)("prior") for given in (carried, written))
    np.testing.assert_allclose(a[0], b[0], rtol=1e-12)


def test_the_classes_of_a_report_are_counted_in_cases():
    from bakeoff.report._sections import _class_table

    rows = table("binary", 60)
    times = np.where(rows.truth == 1, 3, 1)
    (written,) = rows.take(np.repeat(np.arange(60), times)).in_memory()
    (carried,) = rows.keyed(frequency=times).in_memory()
    (weighted,) = rows.keyed(frequency=times, sample_weight=7.3 * importance(60)).in_memory()
    assert _class_table(carried).columns == _class_table(written).columns
    assert _class_table(weighted).columns["rows"] == _class_table(written).columns["rows"]


@pytest.mark.parametrize(("sizes", "few"), [((20,) * 5, False), ((25,) * 4, True), ((60, 10, 10, 10, 10), True)])
def test_every_verb_counts_the_same_groups_as_few(sizes, few):
    """Five equal groups are five, whatever is left of rounding; uneven ones are worth fewer."""
    rows = table("binary", 100).keyed(groups=np.repeat(np.arange(len(sizes)), sizes)).in_memory()
    found = bakeoff.evaluate(rows, "f1", rng=0)["a", "f1"], bakeoff.compare(rows, "f1", rng=0)
    assert [any(note.code == "few-groups" for note in one.notes) for one in found] == [few, few]


@pytest.mark.parametrize("by", [3, [], [3]])
def test_no_verb_takes_what_is_no_name_for_a_slice(by):
    evidence = table("binary", 60).in_memory()
    asked = [
        lambda: bakeoff.flips(evidence, "a", "b", by=by),
        lambda: bakeoff.gate(evidence, baseline="a", candidate="b", by=by),
        lambda: bakeoff.evaluate(evidence, "f1", by=by),
        lambda: bakeoff.compare(evidence, "f1", by=by),
        lambda: bakeoff.decide(evidence, CONTEXT, by=by),
    ]
    for ask in asked:
        with pytest.raises(bakeoff.BakeoffError, match="must be the name of a slice"):
            ask()


# -- where no row moves the value -------------------------------------------------------------------------------------

SIZE = 60


def at_edge(how: str, kind: str) -> Table:
    """Model a is perfect, certain, always wrong or constant, or does the same as b."""
    rows = table(kind, SIZE)
    y, b = rows.truth, rows.outputs["b"]
    if how == "same":
        return replace(rows, outputs={"a": b, "b": b})
    certain = np.eye(3)[y] if kind == "classes" else y.astype(float)
    perfect = 0.7 * certain + 0.1 if kind == "classes" else 0.2 + 0.6 * certain + np.linspace(-0.1, 0.1, SIZE)
    constant = np.tile([0.5, 0.3, 0.2], (SIZE, 1)) if kind == "classes" else np.full(SIZE, 0.3)
    a = {"certain": certain, "perfect": perfect, "constant": constant, "wrong": 1 - perfect}[how]
    return replace(rows, outputs={"a": a, "b": b})


AT_EDGE = [
    pytest.param(how, kind, measure, id=f"{how}-{kind}-{measure}")
    for how, kind, measures in (
        ("perfect", "binary", ("accuracy", "f1", "auc", "average_precision", "ks")),
        ("perfect", "classes", ("f1_macro", "hand_till_auc")),
        ("certain", "binary", ("brier", "auc_hull")),
        ("constant", "binary", ("gini", "kappa", "recall")),
        ("constant", "classes", ("kappa",)),
        ("wrong", "binary", ("ks", "auc")),
        ("same", "binary", ("f1", "auc", "average_precision")),
        ("same", "values", ("mae",)),
    )
    for measure in measures
]
EDGES = pytest.mark.parametrize(("how", "kind", "measure"), AT_EDGE)
VERBS = pytest.mark.parametrize("ask", [evaluated, compared], ids=["evaluate", "compare"])


@VERBS
@EDGES
def test_frequencies_are_rows_at_an_edge(how, kind, measure, ask):
    assert by_frequency(at_edge(how, kind), Table.in_memory, ask, measure) == []


@VERBS
@EDGES
def test_the_scale_of_weights_changes_nothing_at_an_edge(how, kind, measure, ask):
    rows = at_edge(how, kind)
    assert scaled(rows, Table.in_memory, ask, measure) == []
    assert scaled(rows.keyed(groups=clusters(SIZE, 12)), Table.in_memory, ask, measure) == []


@VERBS
@EDGES
def test_rows_written_twice_inside_their_group_change_nothing_at_an_edge(how, kind, measure, ask):
    """What is not seen yet is a group, not a row of one that was seen."""
    assert written_twice(at_edge(how, kind), Table.in_memory, ask, measure) == []
