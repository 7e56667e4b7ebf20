"""What a weight, a frequency, a repeat and a group mean: laws that hold for every measure, interval and default test.

Importance weights are free of scale and add no cases. `frequency=` is nothing but rows written several times. What is
independent is the group if there are groups, else the instance (however often it was answered), else the row. The laws
are asked of `evaluate`, `compare` and `decide`, of evidence in memory and in a folder of Parquet files.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

import bakeoff
from bakeoff import OperatingContext, Predictions

LABELS = (
    "accuracy", "error", "balanced_accuracy", "kappa", "kappa_linear", "kappa_quadratic", "mcc", "precision", "recall",
    "specificity", "fpr", "fnr", "npv", "f1", "jaccard", "g_mean", "lr_positive", "lr_negative", "expected_cost",
    "precision_macro", "precision_micro", "precision_weighted", "recall_macro", "recall_micro", "recall_weighted",
    "f1_macro", "f1_micro", "f1_weighted",
)  # fmt: skip
SCORES = (
    "auc", "gini", "partial_auc", "auc_hull", "average_precision", "ks", "gain", "h_measure", "log_loss", "brier",
    "calibration_error", "net_benefit",
)  # fmt: skip
CLASSES = ("accuracy", "kappa", "mcc", "f1_macro", "f1_weighted", "hand_till_auc", "log_loss", "brier")
VALUES = (
    "mse", "rmse", "mae", "median_absolute_error", "mape", "r2", "relative_squared_error",
    "root_relative_squared_error", "relative_absolute_error",
)  # fmt: skip
SUMS = (
    "wer", "cer", "bleu", "entity_f1", "entity_precision", "entity_recall", "mean_iou", "perplexity", "bits_per_unit",
    "cost_per_success",
)  # fmt: skip
ADDED = (
    "edits", "ref_length", "match1", "match2", "match3", "match4", "total1", "total2", "total3", "total4",
    "hyp_length", "tp", "n_pred", "n_true", "intersection_0", "union_0", "intersection_1", "union_1",
    "log_likelihood", "units", "cost", "success",
)  # fmt: skip
MEASURES = {"binary": (*LABELS, *SCORES), "classes": CLASSES, "values": VALUES, "right": ("accuracy",),
            "graded": ("mean_outcome",), "sums": SUMS}  # fmt: skip
ITEMS = ("right", "graded", "sums")  # outcomes and sums of items
TIMES = ("fit_time", "predict_time")  # of fits, not of rows: they have no weights
SPREAD = {"binary": ("accuracy", "recall", "f1", "kappa", "auc", "average_precision", "log_loss"),
          "classes": ("f1_macro", "hand_till_auc", "brier"), "values": ("mae", "rmse", "r2"), "right": ("accuracy",),
          "graded": ("mean_outcome",), "sums": ("wer", "entity_f1", "perplexity")}  # fmt: skip
NAMED = (
    ("binary", "accuracy", "wilson"), ("binary", "kappa", "delta"), ("binary", "auc", "delong"),
    ("binary", "f1", "percentile"), ("binary", "brier", "t"), ("values", "mae", "t"), ("values", "rmse", "basic"),
)  # fmt: skip
CONTEXT = OperatingContext(prevalence=0.15, cost_fp=1.0, cost_fn=6.0)
AS_SEEN = OperatingContext(cost_fp=2.0, cost_fn=3.0)  # prevalence as in the rows
SEVERAL = OperatingContext.multiclass([[0, 1, 5], [2, 0, 1], [8, 4, 0]])
DECISIONS = (("binary", CONTEXT), ("binary", AS_SEEN), ("labels", CONTEXT), ("classes", SEVERAL))
DRAWN = ("debiased", "bca", "bootstrap", "percentile", "basic", "normal", "permutation")
# Gradients are taken numerically and p-values found by bisection: both are good to seven digits.
TIGHT, MONTE_CARLO, PVALUE = 1e-7, 0.12, 0.05
# The rule allows for one more row, a smaller thing among rows that were written several times; and answers given
# again take the rule where a known procedure served one answer. Counted as news they would be 40 % narrower.
GUARD, AGAIN = 0.06, 0.3
# Bins and medians jump, and a ratio with few false alarms has a long tail: their limits vary more from draw to draw.
ROUGH = {"calibration_error": 0.2, "lr_positive": 0.2, "median_absolute_error": 0.25}

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")


# -- evidence ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """Rows of one kind with their keys, which can be cut, repeated and written to files."""

    kind: str
    truth: NDArray[Any]
    outputs: Mapping[str, NDArray[Any]]
    keys: Mapping[str, NDArray[Any]] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return self.truth.size

    def keyed(self, **keys: Any) -> Table:
        return replace(self, keys={**self.keys, **{k: np.asarray(v) for k, v in keys.items()}})

    def take(self, index: NDArray[Any]) -> Table:
        outputs = {m: v[index] for m, v in self.outputs.items()}
        return Table(self.kind, self.truth[index], outputs, {k: v[index] for k, v in self.keys.items()})

    def in_memory(self) -> Predictions:
        if self.kind in ("right", "graded"):
            return Predictions.from_outcomes(self.outputs, **self.keys)
        if self.kind == "sums":
            named = {m: dict(zip(ADDED, v.T, strict=True)) for m, v in self.outputs.items()}
            return Predictions.from_sums(named, **self.keys)
        return Predictions.from_arrays(self.truth, **{self._role: self.outputs}, **self._label, **self.keys)

    def in_files(self, folder: Path) -> Predictions:
        if self.kind in ITEMS:
            return self._items_in_a_file(folder)
        columns = {"truth": self.truth, **self.keys}
        named: dict[str, Any] = {}
        for model, values in self.outputs.items():
            parts = {model: values} if values.ndim == 1 else {f"{model}{c}": v for c, v in enumerate(values.T)}
            columns |= parts
            named[model] = model if values.ndim == 1 else list(parts)
        folder.mkdir()
        frame, cut = pl.DataFrame(columns), self.n // 3
        frame[:cut].write_parquet(folder / "part-0.parquet")
        frame[cut:].write_parquet(folder / "part-1.parquet")
        classes = {"classes": [0, 1, 2]} if self.kind == "classes" else {}
        keys = {key: key for key in self.keys}
        return Predictions.read(
            folder, y_true="truth", **{self._role: named}, **self._label, **classes, **keys, dataset="data"
        )

    def _items_in_a_file(self, folder: Path) -> Predictions:
        """One row for each item and model."""
        keys = {"item": np.arange(self.n), **self.keys}
        names = ADDED if self.kind == "sums" else ("outcome",)
        parts = [
            pl.DataFrame({**keys, **dict(zip(names, np.atleast_2d(values.T), strict=True))}).with_columns(
                model=pl.lit(m)
            )
            for m, values in self.outputs.items()
        ]
        folder.mkdir()
        pl.concat(parts).write_parquet(folder / "items.parquet")
        how = {"format": "sums"} if self.kind == "sums" else {"format": "outcomes", "value": "outcome"}
        found = bakeoff.read(folder / "items.parquet", model="model", **{key: key for key in keys}, **how)
        assert isinstance(found, Predictions)
        return found

    @property
    def _role(self) -> str:
        return {"labels": "y_pred", "values": "y_value"}.get(self.kind, "y_score")

    @property
    def _label(self) -> dict[str, Any]:
        return {"pos_label": 1} if self.kind in ("binary", "labels") else {}


def table(kind: str, n: int = 90, seed: int = 1) -> Table:
    """Evidence of two models, one better than the other, that share part of their errors."""
    random = np.random.default_rng(seed)
    shared = random.normal(size=n)
    noise = {m: 0.7 * shared + 0.7 * random.normal(size=n) for m in "ab"}
    gain = {"a": 1.8, "b": 1.1}
    if kind == "values":
        truth = 20 + 4 * random.normal(size=n)
        return Table(kind, truth, {m: truth + e * (2.5 - gain[m]) for m, e in noise.items()})
    if kind in ("right", "graded"):
        grades = {m: 1 / (1 + np.exp(-(gain[m] - 0.5 + e))) for m, e in noise.items()}
        outputs = grades if kind == "graded" else {m: (g > 0.5).astype(float) for m, g in grades.items()}
        return Table(kind, np.zeros(n), outputs)
    if kind == "sums":
        return Table(kind, np.zeros(n), {m: added(0.4 / gain[m], noise[m], seed) for m in "ab"})
    if kind == "classes":
        truth = random.integers(0, 3, n)
        raw = {m: np.exp(gain[m] * np.eye(3)[truth] + random.normal(size=(n, 3))) for m in "ab"}
        return Table(kind, truth, {m: r / r.sum(axis=1, keepdims=True) for m, r in raw.items()})
    truth = (random.random(n) < 0.45).astype(int)
    scores = {m: 1 / (1 + np.exp(-(gain[m] * (truth - 0.5) + e))) for m, e in noise.items()}
    if kind == "labels":
        return Table(kind, truth, {m: (s >= 0.5).astype(int) for m, s in scores.items()})
    return Table(kind, truth, scores)


def added(difficulty: float, noise: NDArray[Any], seed: int) -> NDArray[Any]:
    """Numbers of each item that add up, ``[n, columns]``: the harder the item, the more edits and fewer matches."""
    random = np.random.default_rng(seed + 7)
    n = noise.size
    length = random.integers(8, 20, n)
    miss = 1 / (1 + np.exp(2 - 4 * difficulty - noise))  # share of an item that is wrong
    hits = np.rint(length * (1 - miss))
    grams = [np.maximum(length - k, 1) for k in range(4)]
    matches = [np.minimum(np.rint(g * (1 - miss) ** (k + 1)), g) for k, g in enumerate(grams)]
    pred, true = random.integers(2, 6, n), random.integers(2, 6, n)
    found = np.rint(np.minimum(pred, true) * (1 - miss))
    cost, success = 1 + random.random(n), (random.random(n) > miss).astype(float)
    areas = [length * (1 - miss), length, 2 * length * (1 - miss) ** 2, 2 * length]
    columns = [
        length - hits, length, *matches, *grams, length, found, pred, true, *areas, -length * (0.5 + miss), length,
        cost, success,
    ]  # fmt: skip
    return np.stack([np.asarray(c, dtype=np.float64) for c in columns], axis=1)


def importance(n: int) -> NDArray[Any]:
    return 0.05 + np.random.default_rng(2).gamma(2.0, size=n)


def frequencies(n: int) -> NDArray[Any]:
    return np.random.default_rng(3).integers(0, 4, size=n)


def clusters(n: int, groups: int = 18) -> NDArray[Any]:
    return np.sort(np.random.default_rng(4).integers(0, groups, size=n))


Make = Callable[[Table], Predictions]


@pytest.fixture(params=["memory", "files"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """How rows become evidence: loaded, or scanned from a folder of Parquet files."""
    if request.param == "memory":
        return Table.in_memory
    folders: Iterator[Path] = (tmp_path / f"evidence {i}" for i in range(100))
    return lambda rows: rows.in_files(next(folders))


# -- answers ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """An estimate with its limits, and whatever else must not change."""

    estimate: float
    low: float
    high: float
    method: str
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def drawn(self) -> bool:
        return any(word in self.method.lower() for word in DRAWN)


Answers = dict[str, Answer]


def evaluated(p: Predictions, measure: str, interval: str = "auto", draws: int = 300) -> Answers:
    found = bakeoff.evaluate(p, measure, interval=interval, n_resamples=draws, rng=5)
    return {e.model: Answer(e.interval.estimate, e.interval.low, e.interval.high, e.interval.method, {"n": e.n})
            for e in found.entries}  # fmt: skip


def compared(p: Predictions, measure: str, test: str = "auto", draws: int = 300) -> Answers:
    found = bakeoff.compare(p, measure, test=test, n_resamples=draws, rng=5)
    return {
        f"{a.model_a} - {a.model_b}": Answer(
            a.estimate, a.low, a.high, f"{found.choice.chosen}: {a.method}",
            {"statistic": a.statistic, "pvalue": a.pvalue, "value_a": a.value_a},
        )
        for a in found.pairs
    }  # fmt: skip


def decided(p: Predictions, context: Any, draws: int = 300) -> Answers:
    found = bakeoff.decide(p, context, n_resamples=draws, rng=5)
    ways = (found.choice, *found.alternatives)
    # The upper limit of the choice is raised by its optimism, which is found on random parts of the rows.
    raised = {found.model: ", optimism by bootstrap"} if found.optimism else {}
    return {
        way.model: Answer(
            way.expected_cost.estimate, way.expected_cost.low, way.expected_cost.high,
            way.expected_cost.method + raised.get(way.model, ""),
            {"threshold": way.threshold, "p_best": way.p_best},
        )
        for way in ways
    }  # fmt: skip


def close(a: Any, b: Any, relative: float = TIGHT) -> bool:
    if a is None or b is None or isinstance(a, str):
        return bool(a == b)
    return bool(a == b) or (math.isnan(a) and math.isnan(b)) or math.isclose(a, b, rel_tol=relative, abs_tol=1e-12)


def unequal(old: Answers, new: Answers, relative: float = TIGHT) -> list[str]:
    """Name what differs: estimates, limits, methods, statistics and p-values."""
    if list(old) != list(new):
        return [f"{list(old)} became {list(new)}"]
    out = []
    for who, before in old.items():
        fields = {**vars(before), **before.more}
        after = {**vars(new[who]), **new[who].more}
        for name in fields.keys() - {"more"}:
            if not close(fields[name], after[name], relative):
                out.append(f"{who}: {name} {fields[name]} became {after[name]}")
    return out


def apart(old: Answers, new: Answers, tolerance: float = MONTE_CARLO, guard: bool = False) -> list[str]:
    """The same, where limits that were drawn (or come from another method) may differ by Monte-Carlo error.

    Both limits must lie within a share `tolerance` of the old width from where they were, and the width too.
    """
    if sorted(old) != sorted(new):
        return [f"{sorted(old)} became {sorted(new)}"]
    out = []
    for who, a in old.items():
        b = new[who]
        if not close(a.estimate, b.estimate):
            out.append(f"{who}: estimate {a.estimate} became {b.estimate}")
        exact = a.method == b.method and not a.drawn and not (guard and "rule" in a.method)
        limits = close(a.low, b.low) and close(a.high, b.high)
        if not exact and not limits:
            width = a.high - a.low
            moved = max(abs(b.low - a.low), abs(b.high - a.high), abs((b.high - b.low) - width))
            limits = (
                moved
                <= (min(GUARD, tolerance) if guard and tolerance == MONTE_CARLO and not a.drawn else tolerance) * width
            )
        if not limits:
            out.append(f"{who}: {a.low}, {a.high} by {a.method} became {b.low}, {b.high} by {b.method}")
        p, q = a.more.get("pvalue"), b.more.get("pvalue")
        if not (close(p, q) if exact or p is None else abs(p - q) <= PVALUE):
            out.append(f"{who}: p {p} became {q}")
        if "n" in a.more and a.more["n"] != b.more["n"]:
            out.append(f"{who}: n {a.more['n']} became {b.more['n']}")
    return out


def pairs_of(measures: Mapping[str, tuple[str, ...]]) -> list[Any]:
    """Kinds and measures; the H-measure has no fast path, so its laws are among the slow tests."""
    slow = {"h_measure": pytest.mark.slow}
    return [
        pytest.param(kind, m, id=f"{kind}-{m}", marks=slow.get(m, ()))
        for kind, named in measures.items()
        for m in named
    ]


IN_MEMORY = pairs_of(MEASURES)
IN_FILES = pairs_of(SPREAD)
OF_ROWS = pairs_of({kind: named for kind, named in SPREAD.items() if kind not in ITEMS})
VERBS = pytest.mark.parametrize("ask", [evaluated, compared], ids=["evaluate", "compare"])
EVERY = pytest.mark.parametrize(("kind", "measure"), IN_MEMORY)
SOME = pytest.mark.parametrize(("kind", "measure"), pairs_of(SPREAD))
FILES = pytest.mark.parametrize(("kind", "measure"), IN_FILES)
CHOICES = pytest.mark.parametrize(
    ("kind", "context"), DECISIONS, ids=["binary", "binary-prevalence-as-seen", "labels", "classes"]
)


def test_every_measure_of_the_catalogue_is_under_the_laws():
    under = {measure for named in MEASURES.values() for measure in named}
    assert set(bakeoff.measures.catalogue()) - set(TIMES) == under


# -- importance weights -----------------------------------------------------------------------------------------------


def scaled(rows: Table, make: Make, ask: Callable[..., Answers], *question: Any) -> list[str]:
    w = importance(rows.n)
    given = ask(make(rows.keyed(sample_weight=w)), *question)
    return unequal(given, ask(make(rows.keyed(sample_weight=7.3 * w)), *question))


@VERBS
@EVERY
def test_scaling_the_weights_changes_nothing(kind, measure, ask):
    assert scaled(table(kind), Table.in_memory, ask, measure) == []


@VERBS
@FILES
def test_scaling_the_weights_changes_nothing_in_files(kind, measure, ask, tmp_path):
    names = iter("abcdef")
    assert scaled(table(kind), lambda rows: rows.in_files(tmp_path / next(names)), ask, measure) == []


@CHOICES
def test_scaling_the_weights_changes_no_decision(kind, context, make):
    assert scaled(table(kind), make, decided, context) == []


@pytest.mark.parametrize(("kind", "measure", "interval"), NAMED)
def test_scaling_the_weights_changes_no_interval_asked_for_by_name(kind, measure, interval):
    assert scaled(table(kind), Table.in_memory, evaluated, measure, interval) == []


@VERBS
@SOME
def test_scaling_the_weights_changes_nothing_with_groups(kind, measure, ask):
    rows = table(kind)
    assert scaled(rows.keyed(groups=clusters(rows.n)), Table.in_memory, ask, measure) == []


@VERBS
@pytest.mark.parametrize("measure", ["accuracy", "f1", "auc", "brier"])
def test_scaling_the_weights_changes_nothing_over_folds(measure, ask, make):
    rows = table("binary")
    assert scaled(rows.keyed(fold=np.arange(rows.n) % 5), make, ask, measure) == []


def with_equal_weights(rows: Table, make: Make, ask: Callable[..., Answers], *question: Any) -> dict[float, list[str]]:
    bare = ask(make(rows), *question)
    weights = {c: ask(make(rows.keyed(sample_weight=np.full(rows.n, c))), *question) for c in (1.0, 4.0, 0.25)}
    found = {c: unequal(bare, given, relative=0.0) for c, given in weights.items()}
    return {c: lines for c, lines in found.items() if lines}


@VERBS
@EVERY
def test_equal_weights_are_no_weights(kind, measure, ask):
    assert with_equal_weights(table(kind), Table.in_memory, ask, measure) == {}


@VERBS
@FILES
def test_equal_weights_are_no_weights_in_files(kind, measure, ask, tmp_path):
    names = iter("abcdef")
    assert with_equal_weights(table(kind), lambda rows: rows.in_files(tmp_path / next(names)), ask, measure) == {}


@CHOICES
def test_equal_weights_are_no_weights_for_a_decision(kind, context, make):
    assert with_equal_weights(table(kind), make, decided, context) == {}


@VERBS
@SOME
def test_equal_weights_are_no_weights_with_groups(kind, measure, ask):
    rows = table(kind)
    assert with_equal_weights(rows.keyed(groups=clusters(rows.n)), Table.in_memory, ask, measure) == {}


@VERBS
@pytest.mark.parametrize("measure", ["accuracy", "f1", "auc", "brier"])
def test_equal_weights_are_no_weights_over_folds(measure, ask, make):
    rows = table("binary")
    assert with_equal_weights(rows.keyed(fold=np.arange(rows.n) % 5), make, ask, measure) == {}


@pytest.mark.parametrize("measure", ["accuracy", "auc"])
def test_weights_of_one_change_no_test_of_several_models(measure):
    rows = table("binary")
    four = replace(
        rows, outputs={**rows.outputs, **{m: s[::-1].copy() for m, s in zip("cd", rows.outputs.values(), strict=True)}}
    )
    assert with_equal_weights(four, Table.in_memory, compared, measure) == {}


# -- frequencies ------------------------------------------------------------------------------------------------------


def by_frequency(rows: Table, make: Make, ask: Callable[..., Answers], *question: Any) -> list[str]:
    """Compare rows that carry a frequency with the same rows written that many times."""
    f = frequencies(rows.n)
    written = ask(make(rows.take(np.repeat(np.arange(rows.n), f))), *question, draws=2000)
    carried = ask(make(rows.keyed(frequency=f)), *question, draws=2000)
    return apart(written, carried, ROUGH.get(str(question[0]), MONTE_CARLO))


@VERBS
@EVERY
def test_a_frequency_is_rows_written_several_times(kind, measure, ask):
    assert by_frequency(table(kind), Table.in_memory, ask, measure) == []


@VERBS
@FILES
def test_a_frequency_is_rows_written_several_times_in_files(kind, measure, ask, tmp_path):
    names = iter("abcdef")
    assert by_frequency(table(kind), lambda rows: rows.in_files(tmp_path / next(names)), ask, measure) == []


@CHOICES
def test_a_frequency_is_rows_written_several_times_for_a_decision(kind, context, make):
    assert by_frequency(table(kind), make, decided, context) == []


@VERBS
@SOME
def test_a_frequency_is_rows_written_several_times_with_groups(kind, measure, ask):
    rows = table(kind)
    assert by_frequency(rows.keyed(groups=clusters(rows.n)), Table.in_memory, ask, measure) == []


@VERBS
@SOME
def test_frequencies_and_weights_multiply(kind, measure, ask):
    rows = table(kind)
    assert by_frequency(rows.keyed(sample_weight=importance(rows.n)), Table.in_memory, ask, measure) == []


@VERBS
@pytest.mark.parametrize("measure", ["accuracy", "auc", "brier"])
def test_a_frequency_is_rows_written_several_times_over_folds(measure, ask, make):
    rows = table("binary", 150)
    assert by_frequency(rows.keyed(fold=np.arange(rows.n) % 5), make, ask, measure) == []


@pytest.mark.parametrize("kind", ["binary", "classes", "values", "right"])
def test_the_number_of_cases_is_the_sum_of_the_frequencies(kind):
    rows = table(kind)
    f = frequencies(rows.n)
    assert rows.keyed(frequency=f).in_memory().n == f.sum()


@pytest.mark.parametrize("bad", [-1, 0.5])
def test_a_frequency_that_is_no_whole_number_is_refused(bad):
    rows = table("binary")
    with pytest.raises(bakeoff.BakeoffError, match="frequency"):
        rows.keyed(frequency=np.full(rows.n, bad)).in_memory()


# -- repeats and groups -----------------------------------------------------------------------------------------------


def answered_again(rows: Table, make: Make, ask: Callable[..., Answers], named: bool, *question: Any) -> list[str]:
    """Give every answer three times, as repeats of the same instances: nothing new was learnt."""
    again = rows.take(np.tile(np.arange(rows.n), 3)).keyed(repeat=np.repeat(np.arange(3), rows.n))
    if named:
        again = again.keyed(instance=np.tile(np.arange(rows.n), 3))
    once = ask(make(rows), *question, draws=2000)
    return apart(once, ask(make(again), *question, draws=2000), tolerance=AGAIN, guard=True)


NOT_OUTCOMES = pytest.mark.parametrize(("kind", "measure"), OF_ROWS)
WITH_AND_WITHOUT = pytest.mark.parametrize("named", [True, False], ids=["instances-named", "instances-by-place"])


@WITH_AND_WITHOUT
@VERBS
@NOT_OUTCOMES
def test_answers_given_again_for_the_same_instances_change_nothing(kind, measure, ask, named, make):
    assert answered_again(table(kind), make, ask, named, measure) == []


@WITH_AND_WITHOUT
@CHOICES
def test_answers_given_again_change_no_decision(kind, context, named, make):
    assert answered_again(table(kind), make, decided, named, context) == []


@pytest.mark.parametrize("kind", ["binary", "values"])
def test_answers_given_again_are_no_more_cases(kind):
    rows = table(kind)
    again = rows.take(np.tile(np.arange(rows.n), 3)).keyed(repeat=np.repeat(np.arange(3), rows.n))
    assert again.in_memory().n == rows.n


def written_twice(rows: Table, make: Make, ask: Callable[..., Answers], *question: Any) -> list[str]:
    """Write every row twice inside its group: the groups are as many and as different as before."""
    rows = rows.keyed(groups=clusters(rows.n))
    once = ask(make(rows), *question, draws=2000)
    twice = ask(make(rows.take(np.repeat(np.arange(rows.n), 2))), *question, draws=2000)
    both = {who: replace(a, more={}) for who, a in once.items()}, {who: replace(a, more={}) for who, a in twice.items()}
    return apart(*both, guard=True)


# Both models find as many positives among their first fifth: the difference has no spread, and all of its interval is
# the allowance for one unseen row, which is half as much among twice as many rows.
NO_SPREAD = ("binary", "gain", compared)


@VERBS
@EVERY
def test_rows_written_twice_inside_their_group_change_nothing(kind, measure, ask):
    if (kind, measure, ask) == NO_SPREAD:
        pytest.skip("nothing varies here")
    assert written_twice(table(kind), Table.in_memory, ask, measure) == []


@VERBS
@FILES
def test_rows_written_twice_inside_their_group_change_nothing_in_files(kind, measure, ask, tmp_path):
    names = iter("abcdef")
    assert written_twice(table(kind), lambda rows: rows.in_files(tmp_path / next(names)), ask, measure) == []


@pytest.mark.parametrize(
    ("kind", "measure", "interval"), [case for case in NAMED if case[2] in ("delta", "delong", "percentile", "t")]
)
def test_rows_written_twice_inside_their_group_change_no_interval_asked_for_by_name(kind, measure, interval):
    assert written_twice(table(kind), Table.in_memory, evaluated, measure, interval) == []


@CHOICES
def test_rows_written_twice_inside_their_group_change_no_decision(kind, context, make):
    assert written_twice(table(kind), make, decided, context) == []


# -- order ------------------------------------------------------------------------------------------------------------


def closed(answers: Answers) -> Answers:
    """Keep what no random numbers went into; draws of rows follow the order of the rows."""
    return {who: a for who, a in answers.items() if not a.drawn}


@VERBS
@EVERY
def test_the_order_of_rows_changes_no_closed_form(kind, measure, ask):
    rows = table(kind)
    mixed = rows.take(np.random.default_rng(6).permutation(rows.n))
    old, new = ask(rows.in_memory(), measure), ask(mixed.in_memory(), measure)
    assert unequal(closed(old), closed(new)) == []
    assert [who for who, a in old.items() if not close(a.estimate, new[who].estimate)] == []


@pytest.mark.parametrize(("kind", "measure"), IN_MEMORY)
def test_the_order_of_models_changes_no_closed_form(kind, measure):
    rows = table(kind)
    other = replace(rows, outputs=dict(reversed(rows.outputs.items())))
    old, new = (evaluated(given.in_memory(), measure) for given in (rows, other))
    assert unequal(closed(old), {who: closed(new)[who] for who in closed(old)}) == []
    (ab,) = compared(rows.in_memory(), measure).values()
    (ba,) = compared(other.in_memory(), measure).values()
    assert close(ab.estimate, -ba.estimate)
    if not ab.drawn:
        assert close(ab.low, -ba.high)
        assert close(ab.high, -ba.low)
        assert close(ab.more["pvalue"], ba.more["pvalue"])


# -- deeper -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
@VERBS
@EVERY
def test_every_law_on_more_rows(kind, measure, ask, seed, tmp_path):
    """All laws for every measure, three tables each, also from files where the kind can be written to files."""
    names = (tmp_path / f"evidence {i}" for i in range(100))
    makes: list[Make] = [Table.in_memory]
    if kind not in ITEMS:
        makes.append(lambda rows: rows.in_files(next(names)))
    for make in makes:
        rows = table(kind, 160, seed)
        assert scaled(rows, make, ask, measure) == []
        assert with_equal_weights(rows, make, ask, measure) == {}
        assert by_frequency(rows, make, ask, measure) == []
        assert by_frequency(rows.keyed(sample_weight=importance(rows.n)), make, ask, measure) == []
        assert by_frequency(rows.keyed(groups=clusters(rows.n)), make, ask, measure) == []
        assert written_twice(rows, make, ask, measure) == []
    if kind not in ITEMS:
        for named in (True, False):
            for make in makes:
                assert answered_again(table(kind, 160, seed), make, ask, named, measure) == []
