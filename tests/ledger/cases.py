"""The ledger: what the public verbs answer on small evidence of every design, kept in ledger.json.

    python -m tests.ledger.cases            how many results there are, and how long they take
    python -m tests.ledger.cases --diff     what differs from the ledger, grouped by case
    python -m tests.ledger.cases --add      write the cases that the ledger does not have yet
    python -m tests.ledger.cases --write    write every case anew: the old answers are lost

A *case* is one named result; its fields are numbers, sentences and codes. Run from the project's root.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import bakeoff
from bakeoff import OperatingContext

sys.path.insert(0, str(Path(__file__).parent))

import designs
import records
from records import Fields

HERE = Path(__file__).parent
LEDGER, CHANGED = HERE / "ledger.json", HERE / "changed.md"
WEIGHTED = "weighted/"  # readings of weights change on purpose: these results must only stay finite
RELATIVE, ABSOLUTE = 1e-9, 1e-12

Case = tuple[str, Fields]
SECTIONS: dict[str, Callable[[], Iterator[Case]]] = {}

LABELS = (
    "accuracy", "error", "balanced_accuracy", "kappa", "kappa_linear", "kappa_quadratic", "mcc", "precision", "recall",
    "specificity", "fpr", "fnr", "npv", "f1", "jaccard", "g_mean", "lr_positive", "lr_negative", "expected_cost",
    "precision_macro", "precision_micro", "precision_weighted", "recall_macro", "recall_micro", "recall_weighted",
    "f1_macro", "f1_micro", "f1_weighted",
)  # fmt: skip
RANKING = ("auc", "partial_auc", "auc_hull", "average_precision")
SLOW = ("h_measure",)
CHANCES = ("log_loss", "brier", "calibration_error")
SEVERAL = (
    "accuracy", "error", "balanced_accuracy", "kappa", "kappa_linear", "kappa_quadratic", "mcc", "precision_macro",
    "recall_weighted", "f1_macro", "f1_micro", "f1_weighted",
)  # fmt: skip
VALUES = (
    "mse", "rmse", "mae", "median_absolute_error", "mape", "r2", "relative_squared_error",
    "root_relative_squared_error", "relative_absolute_error",
)  # fmt: skip
INTERVALS = (
    "wilson", "wald", "clopper-pearson", "agresti-coull", "jeffreys", "delong", "delong-wald", "delta", "bootstrap",
    "percentile", "basic", "normal", "t", "corrected-t",
)  # fmt: skip
TESTS = (
    "mcnemar", "cochran-q", "delong", "cluster-t", "bootstrap", "permutation", "paired-t", "corrected-t", "5x2cv-t",
    "5x2cv-f", "bayes-correlated-t", "wilcoxon", "sign", "bayes-signed-rank", "bayes-sign", "bayes-hierarchical",
    "friedman", "quade", "aligned-friedman", "anova",
)  # fmt: skip
POSTHOCS = ("wilcoxon", "nemenyi", "conover", "tukey", "mean-ranks", "quade", "aligned")
CONTROL_POSTHOCS = ("dunnett", "bonferroni-dunn")
ADJUSTS = (
    "holm", "hochberg", "hommel", "bonferroni", "finner", "holland", "rom", "li", "bh", "by", "shaffer", "bergmann",
    "none",
)  # fmt: skip


def section(make: Callable[[], Iterator[Case]]) -> Callable[[], Iterator[Case]]:
    SECTIONS[make.__name__] = make
    return make


@cache
def predictions() -> dict[str, Any]:
    return designs.predictions()


@cache
def score_tables() -> dict[str, Any]:
    return designs.score_tables()


# -- evaluate ---------------------------------------------------------------------------------------------------------


def evaluated(name: str, given: Any, measures: Iterable[str] | None, **options: Any) -> Iterator[Case]:
    """One case for each measure."""
    settings = {"n_resamples": 200, "rng": 7, **options}
    wanted = measures if measures is None else list(measures)
    for measure, fields in records.evaluation(bakeoff.evaluate(given, wanted, **settings)).items():
        yield f"{name}/{measure}", fields


@section
def evaluate_by_design() -> Iterator[Case]:
    measures: dict[str, tuple[str, ...]] = {
        "scores": (*LABELS, *RANKING, *SLOW, *CHANCES),
        "margins": RANKING,
        "both": ("accuracy", "f1", "auc"),
        "labels": LABELS,
        "named": ("precision", "npv"),
        "classes-3": SEVERAL,
        "probabilities": (*SEVERAL, "hand_till_auc", *CHANCES),
        "values": VALUES,
        "outcomes": ("mean_outcome", "accuracy"),
        "graded": ("mean_outcome",),
        "scores-groups": ("accuracy", "recall", "f1", "kappa", "lr_positive", *RANKING, *CHANCES),
        "classes-groups": ("accuracy", "kappa", "f1_macro"),
        "values-groups": VALUES,
        "outcomes-groups": ("mean_outcome",),
        "graded-groups": ("mean_outcome",),
        "k-fold": ("accuracy", "f1", "kappa", *RANKING, *CHANCES),
        "k-fold-classes": ("accuracy", "f1_macro", "hand_till_auc", "log_loss"),
        "k-fold-values": VALUES,
        "k-fold-groups": ("accuracy", "auc", "brier"),
        "repeated": ("accuracy", "f1", "auc", "average_precision", "brier"),
        "repeated-values": ("rmse", "mae", "r2"),
        "5x2": ("accuracy", "auc"),
        "leave-one-out": ("accuracy", "f1", "auc", "log_loss"),
        "hold-outs": ("accuracy", "f1", "auc", "brier"),
        "few": ("accuracy", "precision", "f1", "mcc", "auc", "average_precision", "brier"),
        "perfect": ("accuracy", "recall", "f1", "kappa", "auc", "average_precision", "brier"),
        "data-sets": ("accuracy", "auc"),
    }
    for design, wanted in measures.items():
        yield from evaluated(f"evaluate/{design}/auto", predictions()[design], wanted)
    for design in ("scores", "labels", "probabilities", "values", "outcomes", "k-fold"):
        found = bakeoff.evaluate(predictions()[design], n_resamples=200, rng=7)
        yield f"evaluate/{design}/default", {"measures": list(found.measures), "notes": records.codes(found.notes)}


@section
def evaluate_by_interval() -> Iterator[Case]:
    """Every method by name on measures of each kind; a method that is refused is listed."""
    grid: dict[str, tuple[str, ...]] = {
        "scores": ("accuracy", "f1", "kappa", "auc", "average_precision", "brier"),
        "probabilities": ("accuracy", "kappa", "f1_macro", "log_loss"),
        "values": ("mae", "rmse", "r2"),
        "outcomes": ("mean_outcome", "accuracy"),
        "graded": ("mean_outcome",),
        "scores-groups": ("accuracy", "kappa", "auc", "brier"),
        "values-groups": ("mae", "rmse"),
        "k-fold": ("accuracy", "auc", "brier"),
        "repeated": ("accuracy", "auc"),
    }
    for design, measures in grid.items():
        refused = {}
        for method in INTERVALS:
            for measure in measures:
                try:
                    yield from evaluated(
                        f"evaluate/{design}/{method}", predictions()[design], [measure], interval=method
                    )
                except bakeoff.BakeoffError:
                    refused[f"{method} {measure}"] = "refused"
        yield f"evaluate/{design}/refused", refused


@section
def evaluate_options() -> Iterator[Case]:
    p = predictions()
    mixed = ("accuracy", "f1", "auc", "brier", "average_precision")
    yield from evaluated("evaluate/scores/stratified", p["scores"], mixed, stratified=True, interval="bootstrap")
    yield from evaluated("evaluate/classes-3/stratified", p["classes-3"], ("accuracy", "mcc"), stratified=True)
    yield from evaluated("evaluate/scores/baselines", p["scores"], ("accuracy", "auc", "log_loss"), baselines=True)
    yield from evaluated("evaluate/classes-3/baselines", p["classes-3"], ("accuracy", "kappa"), baselines=True)
    yield from evaluated("evaluate/values/baselines", p["values"], ("rmse", "r2"), baselines=True)
    yield from evaluated("evaluate/scores/level-90", p["scores"], mixed, confidence_level=0.9)
    yield from evaluated("evaluate/k-fold/level-99", p["k-fold"], ("auc",), confidence_level=0.99)
    yield from evaluated("evaluate/scores/alone", p["scores"].select(models=["b"]), ("f1", "average_precision"))
    own = bakeoff.Measure.from_function(
        "gap", lambda y, s: float(s[y == 1].mean() - s[y == 0].mean()), needs="scores", bounds=(-1.0, 1.0)
    )
    yield from evaluated("evaluate/scores/own", p["scores"], [own])
    yield from evaluated("evaluate/scores/f-beta", p["scores"], [bakeoff.measures.f_beta(2.0)])
    for name in ("folds-2", "folds-repeated", "data-sets-folds"):
        yield from evaluated(f"evaluate/score-table/{name}", score_tables()[name], None)


@section
def measures_on_arrays() -> Iterator[Case]:
    """The measures called on arrays, with and without weights, and as one score per fold."""
    y, s = designs.binary()
    py, pp = designs.classes(n_classes=4)
    vy, vv = designs.values()
    w = np.arange(1, 400) % 5 + 0.5
    for name in bakeoff.measures.catalogue():
        measure = bakeoff.measures.get(name)
        if measure.needs in ("times", "outcomes", "sums", "attempts"):
            continue
        fields: Fields = {}
        if measure.needs == "values":
            fields["values"] = measure(vy, vv["a"])
            fields["weighted"] = measure(vy, vv["a"], sample_weight=w[: vy.size])
        else:
            output = (s["b"] >= 0.5).astype(int) if measure.needs == "labels" else s["b"]
            fields["binary"] = measure(y, output, pos_label=1)
            fields["weighted"] = measure(y, output, pos_label=1, sample_weight=w[: y.size])
            several = pp["b"].argmax(axis=1) if measure.needs == "labels" else pp["b"]
            with_error(fields, "several", lambda m=measure, out=several: m(py, out))
        yield f"measure/{name}", fields
    for design, name in (("k-fold", "auc"), ("repeated", "accuracy"), ("data-sets", "f1"), ("k-fold-values", "rmse")):
        table = predictions()[design].scores(name)
        yield f"scores/{design}/{name}", {"cells": {d: c.ravel() for d, c in table.cells.items()}}


def with_error(fields: Fields, name: str, call: Callable[[], Any]) -> None:
    try:
        fields[name] = call()
    except bakeoff.BakeoffError as problem:
        fields[name] = type(problem).__name__


# -- compare ----------------------------------------------------------------------------------------------------------


def compared(given: Any, measure: str | None = None, *, reasons: bool = False, **options: Any) -> Fields:
    found = bakeoff.compare(given, measure, **{"n_resamples": 200, "rng": 7, **options})
    return records.comparison(found, reasons=reasons)


def by_name(name: str, given: Any, measure: str | None, tests: Iterable[str] = TESTS, **options: Any) -> Iterator[Case]:
    """Every test that can run here, by name; those that are refused are listed."""
    refused = {}
    for test in tests:
        try:
            yield f"{name}/{test}", compared(given, measure, test=test, **options)
        except (bakeoff.BakeoffError, AssertionError):  # the first build met cluster-t without groups by an assertion
            refused[test] = "refused"
    yield f"{name}/refused", refused


@section
def compare_auto() -> Iterator[Case]:
    two = (
        "accuracy", "error", "balanced_accuracy", "kappa", "kappa_quadratic", "mcc", "precision", "recall",
        "specificity", "npv", "f1", "jaccard", "g_mean", "lr_positive", "expected_cost", "f1_macro", "auc",
        "partial_auc", "auc_hull", "average_precision", "log_loss", "brier", "calibration_error",
    )  # fmt: skip
    grid: dict[str, tuple[str | None, ...]] = {
        "scores": (None, *two),
        "scores-4": (None, "accuracy", "f1", "brier"),
        "margins": (None,),
        "both": (None, "accuracy"),
        "labels": (None, "accuracy", "f1", "kappa", "recall"),
        "labels-4": (None, "mcc"),
        "named": (None, "precision"),
        "classes-3": (None, *SEVERAL),
        "probabilities": (None, "kappa", "hand_till_auc", "log_loss", "brier"),
        "values": (None, *VALUES),
        "values-4": (None, "mae"),
        "outcomes": (None,),
        "outcomes-4": (None,),
        "graded": (None,),
        "scores-groups": (None, "accuracy", "f1", "recall", "brier", "average_precision"),
        "labels-groups-4": (None, "f1"),
        "classes-groups": (None, "kappa"),
        "values-groups": (None, "mae", "r2"),
        "outcomes-groups": (None,),
        "graded-groups": (None,),
        "k-fold": (None, "accuracy", "f1", "brier"),
        "k-fold-4": (None,),
        "k-fold-classes": (None, "log_loss"),
        "k-fold-values": (None, "mae"),
        "k-fold-groups": (None,),
        "repeated": (None, "accuracy"),
        "repeated-values": (None,),
        "5x2": (None, "accuracy"),
        "leave-one-out": (None, "accuracy", "brier"),
        "hold-outs": (None, "accuracy"),
        "few": (None, "accuracy", "f1", "brier"),
        "perfect": (None, "accuracy", "f1"),
        "identical": (None, "accuracy", "f1", "brier"),
        "data-sets": (None, "accuracy", "f1"),
    }
    for design, measures in grid.items():
        for measure in measures:
            fields = compared(predictions()[design], measure, reasons=True)
            yield f"compare/{design}/{measure or 'default'}/auto", fields
    for name, table in score_tables().items():
        yield f"compare/score-table/{name}/auto", compared(table, reasons=True)


@section
def compare_by_test() -> Iterator[Case]:
    p = predictions()
    grid = (
        ("scores", "auc"), ("scores", "accuracy"), ("scores", "f1"), ("scores", "brier"), ("labels-4", "accuracy"),
        ("probabilities", "log_loss"), ("values", "mae"), ("values", "rmse"), ("values-4", "mae"), ("outcomes", None),
        ("graded", None), ("scores-groups", "auc"), ("scores-groups", "accuracy"), ("values-groups", "mae"),
        ("k-fold", "auc"), ("repeated", "accuracy"), ("5x2", "auc"), ("hold-outs", "auc"),
        ("leave-one-out", "accuracy"), ("identical", "auc"), ("data-sets", "auc"),
    )  # fmt: skip
    for design, measure in grid:
        yield from by_name(f"compare/{design}/{measure or 'default'}", p[design], measure)


@section
def compare_score_tables() -> Iterator[Case]:
    tables = score_tables()
    for name in ("data-sets-2", "data-sets-4", "errors-4", "folds-2", "folds-3", "folds-repeated", "data-sets-folds"):
        quick = [t for t in TESTS if t != "bayes-hierarchical" or name == "data-sets-folds"]
        yield from by_name(f"compare/score-table/{name}", tables[name], None, quick)
    four = tables["data-sets-4"]
    for posthoc in POSTHOCS:
        for test in ("friedman", "anova"):
            yield from tried(f"compare/posthoc/{test}/{posthoc}", four, test=test, posthoc=posthoc)
    for test in ("quade", "aligned-friedman"):
        yield from tried(f"compare/posthoc/{test}/wilcoxon", four, test=test, posthoc="wilcoxon")
    for posthoc in (*CONTROL_POSTHOCS, "wilcoxon", "mean-ranks"):
        for test in ("friedman", "anova"):
            yield from tried(f"compare/control/{test}/{posthoc}", four, test=test, posthoc=posthoc, control="c")
    for adjust in ADJUSTS:
        yield from tried(f"compare/adjust/{adjust}", four, adjust=adjust)
        yield from tried(f"compare/adjust-control/{adjust}", four, adjust=adjust, control="d")


def tried(name: str, given: Any, measure: str | None = None, **options: Any) -> Iterator[Case]:
    try:
        yield name, compared(given, measure, **options)
    except bakeoff.BakeoffError as problem:
        yield name, {"error": type(problem).__name__}


@section
def compare_options() -> Iterator[Case]:
    p, tables = predictions(), score_tables()
    for design, measure, margin in (
        ("scores", "auc", 0.05), ("scores", "accuracy", 0.1), ("scores", "f1", 0.1), ("scores", "brier", 0.05),
        ("labels-4", "accuracy", 0.1), ("values", "mae", 0.3), ("outcomes", None, 0.1), ("scores-groups", "auc", 0.05),
        ("k-fold", "auc", 0.05), ("5x2", "auc", 0.05), ("identical", "auc", 0.02),
    ):  # fmt: skip
        yield f"compare/{design}/{measure or 'default'}/margin", compared(p[design], measure, margin=margin)
    for name in ("data-sets-2", "data-sets-4", "folds-2"):
        yield f"compare/score-table/{name}/margin", compared(tables[name], margin=0.02)
        yield f"compare/score-table/{name}/rope", compared(tables[name], rope=0.02)
    for alternative in ("greater", "less"):
        for design, measure in (
            ("scores", "auc"), ("scores", "accuracy"), ("scores", "f1"), ("values", "mae"), ("k-fold", "auc"),
            ("scores-groups", "accuracy"),
        ):  # fmt: skip
            fields = compared(p[design], measure, alternative=alternative)
            yield f"compare/{design}/{measure}/{alternative}", fields
        yield f"compare/score-table/data-sets-2/{alternative}", compared(tables["data-sets-2"], alternative=alternative)
        yield f"compare/score-table/folds-2/{alternative}", compared(tables["folds-2"], alternative=alternative)
    for design, measure in (("scores-4", "auc"), ("labels-4", "accuracy"), ("labels-4", "f1"), ("k-fold-4", "auc")):
        yield f"compare/{design}/{measure}/control", compared(p[design], measure, control="b")
        yield f"compare/{design}/{measure}/bonferroni", compared(p[design], measure, adjust="bonferroni")
    yield "compare/scores-4/auc/level-90", compared(p["scores-4"], "auc", confidence_level=0.9)
    yield "compare/scores/h_measure/auto", compared(p["few"], "h_measure", n_resamples=100)
    for test in ("bayes-correlated-t", "bayes-signed-rank", "bayes-sign"):
        name = "folds-2" if "correlated" in test else "data-sets-2"
        yield f"compare/score-table/{name}/{test}-rope", compared(tables[name], test=test, rope=0.01)


# -- decide and curves ------------------------------------------------------------------------------------------------


def decided(given: Any, context: Any, **options: Any) -> Fields:
    return records.decision(bakeoff.decide(given, context, **{"n_resamples": 300, "rng": 7, **options}))


@section
def decide() -> Iterator[Case]:
    p = predictions()
    contexts = {
        "rare": OperatingContext(prevalence=0.05, cost_fp=1.0, cost_fn=20.0),
        "even": OperatingContext(),
        "alarms": OperatingContext(prevalence=0.3, cost_fp=5.0, cost_fn=1.0),
        "gains": OperatingContext(prevalence=0.2, cost_fp=2.0, cost_fn=9.0, cost_tp=0.5, cost_tn=-0.1),
    }
    for design in ("scores", "scores-4", "labels", "both", "margins", "scores-groups", "k-fold", "repeated", "few"):
        for name, context in contexts.items():
            yield f"decide/{design}/{name}", decided(p[design], context)
    for design in ("labels-4", "k-fold-groups", "leave-one-out", "perfect", "identical", "5x2", "named"):
        yield f"decide/{design}/rare", decided(p[design], contexts["rare"])
    from bakeoff.decision import UncertainContext

    unsure = UncertainContext(prevalence=(0.05, 0.3), cost_fp=1.0, cost_fn=(5.0, 15.0))
    for design in ("scores", "labels", "k-fold"):
        yield f"decide/{design}/uncertain", decided(p[design], unsure)
    yield "decide/scores/level-90", decided(p["scores"], contexts["rare"], confidence_level=0.9)
    three = OperatingContext.multiclass([[0, 1, 5], [2, 0, 1], [8, 4, 0]])
    shifted = OperatingContext.multiclass([[0, 1, 5], [2, 0, 1], [8, 4, 0]], priors=[0.7, 0.2, 0.1])
    four = OperatingContext.multiclass(np.array([[0, 1, 2, 5], [1, 0, 1, 2], [3, 1, 0, 1], [9, 4, 1, 0]]))
    for name, context in (("own", three), ("priors", shifted)):
        yield f"decide/classes-3/{name}", decided(p["classes-3"], context)
        yield f"decide/classes-groups/{name}", decided(p["classes-groups"], context)
    yield "decide/probabilities/own", decided(p["probabilities"], four)
    yield "decide/k-fold-classes/own", decided(p["k-fold-classes"], four)


@section
def curves() -> Iterator[Case]:
    p = predictions()
    for design in ("scores", "scores-4", "labels", "both", "scores-groups", "k-fold", "repeated", "perfect"):
        yield f"roc/{design}", records.roc_analysis(bakeoff.roc(p[design]))
        found = bakeoff.cost_curves(p[design], n_resamples=200, rng=7)
        yield f"cost_curves/{design}", records.cost_curves(found)
    for average in ("threshold", "pooled"):
        yield f"roc/k-fold/{average}", records.roc_analysis(bakeoff.roc(p["k-fold"], average=average))
    from bakeoff.decision import roc_one_vs_rest

    rest = roc_one_vs_rest(p["probabilities"])
    fields = {str(label): records.roc_analysis(one) for label, one in rest.analyses.items()}
    yield "roc/probabilities", {**fields, "macro": rest.macro_auc, "hand_till": rest.hand_till}
    for design in ("scores", "scores-groups"):
        band = bakeoff.roc(p[design]).band("a", n_resamples=200, rng=7)
        columns = {name: np.asarray(v)[5::10] for name, v in band.to_frame(backend="polars").to_dict().items()}
        yield f"roc/{design}/band", columns


# -- plan and advise --------------------------------------------------------------------------------------------------


@section
def plans() -> Iterator[Case]:
    p, tables = predictions(), score_tables()
    asked: dict[str, dict[str, Any]] = {
        "auc": {"measure": "auc", "difference": 0.02, "baseline": 0.9, "correlation": 0.8},
        "auc-rare": {"measure": "auc", "difference": 0.03, "baseline": 0.8, "prevalence": 0.1},
        "auc-rows": {"measure": "auc", "n_rows": 500, "baseline": 0.85},
        "accuracy": {"measure": "accuracy", "difference": 0.02, "baseline": 0.9},
        "accuracy-discordant": {"measure": "accuracy", "difference": 0.03, "discordant": 0.1, "n_rows": 400},
        "accuracy-4": {"measure": "accuracy", "difference": 0.05, "n_models": 4},
        "accuracy-control": {"measure": "accuracy", "difference": 0.05, "n_models": 4, "control": True},
        "loss": {"measure": "mae", "difference": 0.1, "sd": 0.6, "n_rows": 200},
        "splits": {"difference": 0.02, "sd": 0.03, "n_splits": 10, "n_train": 90, "n_test": 10},
        "splits-100": {"sd": 0.03, "n_splits": 100, "n_train": 900, "n_test": 100, "power": 0.9},
        "wilcoxon": {"difference": 0.02, "sd": 0.04, "n_datasets": 15},
        "friedman": {"difference": 0.02, "sd": 0.04, "n_datasets": 15, "n_models": 5},
        "level-99": {"measure": "accuracy", "difference": 0.03, "confidence_level": 0.99},
        "paired-t": {"difference": 0.02, "sd": 0.05, "n_rows": 60, "test": "paired-t"},
    }
    for name, options in asked.items():
        yield f"plan/{name}", records.plan(bakeoff.plan(**options))
    for design, measure in (
        ("scores", "auc"), ("scores", "accuracy"), ("labels", "accuracy"), ("values", "mae"), ("outcomes", None),
        ("k-fold", "auc"),
    ):  # fmt: skip
        yield f"plan/pilot/{design}/{measure}", records.plan(bakeoff.plan(p[design], measure=measure, difference=0.02))
    for name in ("data-sets-2", "folds-2"):
        yield f"plan/pilot/{name}", records.plan(bakeoff.plan(tables[name], difference=0.02))


@section
def advices() -> Iterator[Case]:
    given = (None, "predictions", "folds", "5x2cv", "hold-outs", "outcomes", "graded outcomes", "scores")
    for models in (2, 4):
        for datasets in (1, 8):
            for kind in given:
                if kind == "scores" and datasets == 1:
                    continue
                found = bakeoff.advise(kind, n_models=models, n_datasets=datasets, n_rows=500)
                yield f"advise/{kind or 'nothing'}/{models}-models/{datasets}-sets", records.advice(found)
    one = {"n_models": 2, "n_datasets": 1}
    for rows in (40, 300, 5_000, 200_000):
        yield f"advise/nothing/{rows}-rows", records.advice(bakeoff.advise(**one, n_rows=rows))
    for name, options in {
        "groups": {"groups": True}, "groups-accuracy": {"groups": True, "measure": "accuracy"},
        "weighted": {"weighted": True}, "multiclass": {"task": "multiclass"}, "regression": {"task": "regression"},
        "f1": {"measure": "f1"}, "kappa": {"measure": "kappa"},
    }.items():  # fmt: skip
        yield f"advise/predictions/{name}", records.advice(bakeoff.advise("predictions", **one, **options))
    yield "advise/scores/control", records.advice(bakeoff.advise("scores", n_models=5, n_datasets=9, control="a"))
    for design in ("scores", "labels-4", "values", "k-fold", "5x2", "scores-groups", "graded", "data-sets"):
        yield f"advise/evidence/{design}", records.advice(bakeoff.advise(predictions()[design]))


# -- files, runs and weights ------------------------------------------------------------------------------------------


@section
def parquet_folders() -> Iterator[Case]:
    context = OperatingContext(prevalence=0.1, cost_fp=1.0, cost_fn=8.0)
    wanted = {
        "scores": ("accuracy", "f1", "kappa", "auc", "average_precision", "brier"),
        "labels-4": ("accuracy", "f1", "kappa"),
        "probabilities": ("accuracy", "f1_macro", "log_loss", "hand_till_auc"),
        "values": ("rmse", "mae", "r2"),
        "scores-groups": ("accuracy", "auc", "brier"),
        "k-fold": ("accuracy", "auc"),
    }
    with tempfile.TemporaryDirectory() as root:
        for design, p in designs.scanned(Path(root)).items():
            yield from evaluated(f"parquet/{design}/evaluate", p, wanted[design])
            for measure in (None, *wanted[design][:3]):
                yield f"parquet/{design}/compare/{measure or 'default'}", compared(p, measure)
            if design in ("scores", "labels-4", "scores-groups", "k-fold"):
                yield f"parquet/{design}/decide", decided(p, context)
                yield f"parquet/{design}/roc", records.roc_analysis(bakeoff.roc(p))


@section
def runs() -> Iterator[Case]:
    """Small runs with a store: .632, k-fold and leave-one-out. Nearest neighbours need no random numbers."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

    from bakeoff.protocols import Bootstrap, FiveByTwo, HoldOut, KFold, LeaveOneOut

    random = np.random.RandomState(15)
    X = np.round(random.normal(size=(60, 3)), 6)
    y = (X[:, 0] + 0.8 * random.normal(size=60) > 0).astype(int)
    target = np.round(X @ [1.0, 2.0, 0.5] + random.normal(size=60), 6)
    models = {"near": KNeighborsClassifier(1), "wide": KNeighborsClassifier(9), "bayes": GaussianNB()}
    regressors = {"near": KNeighborsRegressor(1), "wide": KNeighborsRegressor(7)}

    def run(given: Any, data: Any, protocol: Any) -> Any:
        with tempfile.TemporaryDirectory() as root:
            done = bakeoff.run(given, data, protocol, store=Path(root) / "s", n_jobs=1, progress=False)
            del done
            yield bakeoff.Results.open(Path(root) / "s")

    for estimator in ("plain", "632", "632+"):
        for results in run(models, (X, y), Bootstrap(20, estimator=estimator)):
            found = results.evaluate(["error", "accuracy", "brier", "auc", "f1"], n_resamples=200, rng=7)
            for measure, fields in records.evaluation(found).items():
                yield f"run/{estimator}/{measure}", fields
        for results in run(regressors, (X, target), Bootstrap(15, estimator=estimator)):
            found = results.evaluate(["mse", "rmse", "mae", "r2"], n_resamples=200, rng=7)
            for measure, fields in records.evaluation(found).items():
                yield f"run/{estimator}-values/{measure}", fields
    protocols = {
        "k-fold": KFold(5, repeats=2),
        "5x2": FiveByTwo(),
        "loo": LeaveOneOut(),
        "held": HoldOut(repeats=4),
    }
    for name, protocol in protocols.items():
        for results in run(models, (X, y), protocol):
            found = results.evaluate(["accuracy", "auc", "brier"], n_resamples=200, rng=7)
            for measure, fields in records.evaluation(found).items():
                yield f"run/{name}/{measure}", fields
            yield f"run/{name}/compare", records.comparison(results.compare("accuracy", n_resamples=200, rng=7))
            context = OperatingContext(prevalence=0.2, cost_fp=1.0, cost_fn=5.0)
            yield f"run/{name}/decide", decided(results.predictions(), context)


@section
def weighted() -> Iterator[Case]:
    wanted = {
        "labels-4": ("accuracy", "f1", "kappa"), "probabilities": ("accuracy", "f1_macro", "log_loss"),
        "values": ("rmse", "mae", "r2"),
    }  # fmt: skip
    context = OperatingContext(prevalence=0.1, cost_fp=1.0, cost_fn=8.0)
    for design, p in designs.weighted().items():
        measures = wanted.get(design, ("accuracy", "f1", "kappa", "auc", "average_precision", "brier"))
        yield from evaluated(f"{WEIGHTED}{design}/evaluate", p, measures)
        for measure in measures:
            yield f"{WEIGHTED}{design}/compare/{measure}", compared(p, measure)
        if design not in ("probabilities", "values"):
            yield f"{WEIGHTED}{design}/decide", decided(p, context)
            yield f"{WEIGHTED}{design}/roc", records.roc_analysis(bakeoff.roc(p))


# -- running and comparing --------------------------------------------------------------------------------------------


def answers(name: str) -> dict[str, Fields]:
    """Run one section."""
    found: dict[str, Fields] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
        for case, fields in SECTIONS[name]():
            if case in found:
                raise ValueError(f"two cases are named {case!r}")
            found[case] = records.plain(fields)
    return found


def kept() -> dict[str, dict[str, Fields]]:
    """What the ledger holds: section → case → fields."""
    return json.loads(LEDGER.read_text()) if LEDGER.exists() else {}


def reasons() -> dict[str, str]:
    """Pattern of ``case::field`` → why the result changed, from the table of changed.md."""
    rows = re.findall(r"^\| `([^`]+)` \| (.+?) \|$", CHANGED.read_text(), flags=re.MULTILINE)
    return dict(rows)


def same(old: Any, new: Any) -> bool:
    if isinstance(old, bool) or isinstance(new, bool) or not all(isinstance(v, (int, float)) for v in (old, new)):
        return bool(old == new)
    return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE)


def differences(old: Mapping[str, Fields], new: Mapping[str, Fields]) -> dict[str, tuple[Any, Any]]:
    """``case::field`` → old and new, for all that is not the same; weighted results must only be finite."""
    found: dict[str, tuple[Any, Any]] = {}
    for case in {**old, **new}:
        if case not in old or case not in new:
            found[f"{case}::(case)"] = ("present", "missing") if case in old else ("missing", "present")
            continue
        before, after = dict(records.flat(old[case])), dict(records.flat(new[case]))
        if case.startswith(WEIGHTED):
            found |= {f"{case}::{f}": (before.get(f), v) for f, v in after.items() if _lost(before.get(f), v)}
            continue
        for field in {**before, **after}:
            pair = before.get(field, "(none)"), after.get(field, "(none)")
            if not same(*pair):
                found[f"{case}::{field}"] = pair
    return found


def _lost(before: Any, after: Any) -> bool:
    """Whether a number that was finite is so no more."""
    return isinstance(before, (int, float)) and after in ("nan", "inf", "-inf", None)


def unexplained(found: Mapping[str, Any], patterns: Iterable[str]) -> dict[str, Any]:
    wanted = list(patterns)
    return {key: v for key, v in found.items() if not any(fnmatchcase(key, p) for p in wanted)}


def write(sections: Mapping[str, Mapping[str, Fields]]) -> None:
    """One line for each case, so that a change reads well in a diff."""
    blocks = []
    for name, cases in sections.items():
        lines = [f"  {json.dumps(case)}: {json.dumps(fields, ensure_ascii=False)}" for case, fields in cases.items()]
        blocks.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    LEDGER.write_text("{\n" + ",\n".join(blocks) + "\n}\n", encoding="utf-8")


def show(found: Mapping[str, tuple[Any, Any]]) -> None:
    by_case: dict[str, list[str]] = {}
    for key, (old, new) in found.items():
        case, _, field = key.partition("::")
        by_case.setdefault(case, []).append(f"    {field}: {old!r} → {new!r}")
    for case, lines in by_case.items():
        print(case, *lines, sep="\n")
    print(f"{len(found)} fields of {len(by_case)} cases differ")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sections", nargs="*", help="some sections only")
    for option in ("write", "add", "diff"):
        parser.add_argument(f"--{option}", action="store_true")
    options = parser.parse_args(arguments)
    old, new = kept(), {}
    for name in options.sections or SECTIONS:
        start = time.perf_counter()
        new[name] = answers(name)
        print(f"{name}: {len(new[name])} results, {time.perf_counter() - start:.1f} s", file=sys.stderr)
    print(sum(map(len, new.values())), "results", file=sys.stderr)
    if options.write:
        write({**old, **new})
    if options.add:
        write({**old, **{name: {**cases, **old.get(name, {})} for name, cases in new.items()}})
    if options.diff:
        found: dict[str, tuple[Any, Any]] = {}
        for name, cases in new.items():
            found |= differences(old.get(name, {}), cases)
        show(unexplained(found, reasons()))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
