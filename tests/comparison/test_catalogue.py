"""Every entry of the catalogue keeps the same promises; a new test is one entry and no other edit."""

from __future__ import annotations

import importlib.util
import math
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import BakeoffWarning, ParameterError, Predictions, Scores, advise, compare, plan
from bakeoff._core.language import Text
from bakeoff.cli._app import run
from bakeoff.cli._names import named
from bakeoff.comparison import (
    POSTHOCS,
    DatasetJob,
    DesignFacts,
    Finding,
    InstanceJob,
    Outcome,
    Test,
    catalogue,
    choose,
    guide,
    register,
)
from bakeoff.comparison._catalogue import unregister
from bakeoff.comparison._planners import CannotPlan, Planning

# -- the smallest evidence of each test --------------------------------------------------------------------------------


def labels(k: int = 2, **more: Any) -> Predictions:
    rng = np.random.default_rng(1)
    truth = np.arange(40) % 2
    calls = {
        m: np.where(rng.random(40) < p, truth, 1 - truth) for m, p in zip("abc"[:k], (0.9, 0.6, 0.7), strict=False)
    }
    return Predictions.from_arrays(truth, y_pred=calls, **more)


def scored(k: int = 2) -> Predictions:
    rng = np.random.default_rng(2)
    truth = np.arange(40) % 2
    scores = {m: rng.random(40) / 2 + truth * s for m, s in zip("abc"[:k], (0.4, 0.1, 0.2), strict=False)}
    return Predictions.from_arrays(truth, y_score=scores)


def over_splits(repeats: int, folds: int, k: int = 2) -> Scores:
    values = 0.7 + np.random.default_rng(3).normal(0, 0.02, (repeats * folds, k)) + 0.04 * np.arange(k)
    names = {m: values[:, i] for i, m in enumerate("abc"[:k])}
    return Scores.from_cv_results(names, repeats=repeats, measure="accuracy", n_train=90, n_test=10)


def over_datasets(k: int = 2, splits: int = 1) -> Scores:
    rng = np.random.default_rng(4)
    rows = [
        {"d": f"d{d}", "m": m, "f": f, "v": 0.7 + 0.03 * i + rng.normal(0, 0.02)}
        for d in range(8)
        for i, m in enumerate("abc"[:k])
        for f in range(splits)
    ]
    import polars as pl

    fold = {"fold": "f"} if splits > 1 else {}
    return Scores.from_frame(pl.DataFrame(rows), model="m", value="v", dataset="d", measure="accuracy", **fold)


GROUPS = np.repeat(np.arange(10), 4)
EVIDENCE: dict[str, Any] = {
    "mcnemar": labels,
    "cochran-q": lambda: labels(3),
    "cluster-t": lambda: labels(groups=GROUPS),
    "paired-t": lambda: Predictions.from_outcomes({"a": np.linspace(0, 1, 12), "b": np.linspace(0.3, 0.8, 12) ** 2}),
    "delong": scored,
    "rule": scored,
    "linearized": scored,
    "generalized-score": labels,
    "stuart-maxwell": labels,
    "bowker": labels,
    "bootstrap": scored,
    "permutation": scored,
    "cv-rows": lambda: labels(fold=np.arange(40) // 8),
    "cv-clt": lambda: labels(fold=np.arange(40) // 8),
    "5x2cv-f": lambda: over_splits(5, 2),
    "5x2cv-t": lambda: over_splits(5, 2),
    "corrected-t": lambda: over_splits(1, 5),
    "wilcoxon": over_datasets,
    "sign": over_datasets,
    "friedman": lambda: over_datasets(3),
    "quade": lambda: over_datasets(3),
    "aligned-friedman": lambda: over_datasets(3),
    "anova": lambda: over_datasets(3),
    "bayes-correlated-t": lambda: over_splits(1, 5),
    "bayes-signed-rank": over_datasets,
    "bayes-sign": over_datasets,
    "bayes-hierarchical": lambda: over_datasets(2, 3),
}


MEASURE = {"generalized-score": "precision"}  # of the tests that are not for the default


def answer(name: str, evidence: Any, **options: Any) -> bakeoff.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        return compare(evidence, MEASURE.get(name.removeprefix("my-")), test=name, n_resamples=200, rng=0, **options)


# -- what every entry promises -----------------------------------------------------------------------------------------


def test_every_test_has_its_smallest_evidence() -> None:
    assert set(EVIDENCE) == set(catalogue())


@pytest.mark.parametrize("name", catalogue())
def test_an_entry_is_complete(name: str) -> None:
    entry = catalogue()[name]
    assert entry.name == name
    assert entry.label.english
    assert entry.references
    assert isinstance(entry.plan, (Planning, CannotPlan))
    assert {*entry.companions, *entry.includes} <= set(catalogue())
    assert set(entry.after) <= set(POSTHOCS)
    assert entry.pairs_by is None or entry.pairs_by in catalogue()
    assert set(entry.reads.needs) <= set(entry.conditions)


@pytest.mark.parametrize("name", catalogue())
def test_a_test_runs_on_its_smallest_evidence(name: str) -> None:
    result = answer(name, EVIDENCE[name]())
    entry = catalogue()[name]
    assert result.choice.chosen == name
    assert set(result.choice.rejected) == set(catalogue()) - {name}
    for pair in result.pairs:
        assert math.isnan(pair.pvalue) if entry.bayesian else 0 <= pair.pvalue <= 1
        assert pair.low <= pair.estimate <= pair.high
        assert pair.method
        assert pair.effect
    assert bool(result.bayes) or not entry.bayesian
    assert result.omnibus is None or result.omnibus.test == name
    assert result.sentences[-1].role in ("scope", "caution")
    assert any(text.role == "headline" for text in result.sentences)


@pytest.mark.parametrize("name", catalogue())
def test_a_and_b_swapped_give_the_mirror(name: str) -> None:
    evidence = EVIDENCE[name]()
    a, b = evidence.models[:2]
    ours = answer(name, evidence).pair(a, b)
    theirs = answer(name, evidence.select(models=[*evidence.models[1::-1], *evidence.models[2:]])).pair(b, a)
    assert theirs.estimate == pytest.approx(-ours.estimate, abs=1e-12)
    assert (theirs.low, theirs.high) == pytest.approx((-ours.high, -ours.low), abs=1e-9)
    assert theirs.pvalue == pytest.approx(ours.pvalue, rel=1e-9, nan_ok=True)
    assert theirs.effect_size == pytest.approx(-ours.effect_size, abs=1e-9)


@pytest.mark.parametrize("name", catalogue())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_identical_models_are_never_told_apart(name: str) -> None:
    evidence = _twins(EVIDENCE[name]())
    result = answer(name, evidence)
    pair = result.pairs[0]
    assert pair.estimate == 0
    assert not pair.shown
    if catalogue()[name].bayesian:
        posterior = result.bayes[0]
        assert posterior.p_a_better == pytest.approx(posterior.p_b_better, abs=0.02)
    else:
        assert pair.pvalue == 1


def _twins(evidence: Any) -> Any:
    """The evidence with the first model's answers under every name."""
    first = evidence.models[0]
    if isinstance(evidence, Scores):
        cells = {d: np.repeat(values[:, :1], len(evidence.models), axis=1) for d, values in evidence.cells.items()}
        return replace(evidence, cells=cells)
    rows = evidence.table()
    if rows.task == "outcomes":
        return Predictions.from_outcomes(dict.fromkeys(evidence.models, rows.values(first)))
    truth = np.asarray(rows.classes)[rows.truth]
    if rows.outputs[first].scores is not None:
        return Predictions.from_arrays(truth, y_score=dict.fromkeys(evidence.models, rows.scores(first)))
    calls = np.asarray(rows.classes)[rows.labels(first)]
    fold = rows.split_index
    return Predictions.from_arrays(truth, y_pred=dict.fromkeys(evidence.models, calls), groups=rows.groups, fold=fold)


@pytest.mark.parametrize("name", POSTHOCS)
def test_a_post_hoc_follows_every_test_of_all_models(name: str) -> None:
    entry, scores = POSTHOCS[name], over_datasets(3)
    control = "a" if entry.compares == "control" else None
    for test in (n for n, e in catalogue().items() if e.after):
        result = answer(test, scores, posthoc=name, control=control)
        assert result.choice.posthoc == name
        assert (result.choice.adjust == "single-step") == entry.simultaneous
        assert str(entry.label) in result.verdict


@pytest.mark.parametrize("name", catalogue())
def test_the_name_of_a_test_stands_quoted_in_few_files(name: str) -> None:
    """Whatever is keyed by the name of a test would have to be found and edited for a new one; examples count too."""
    package = Path(bakeoff.__file__).parent
    quoted = (f'"{name}"', f"'{name}'")
    code = {path: path.read_text(encoding="utf-8") for path in package.rglob("*.py")}
    places = [path.relative_to(package).as_posix() for path, text in code.items() if any(q in text for q in quoted)]
    assert len(places) <= 4, places


# -- the contributor's path --------------------------------------------------------------------------------------------


@contextmanager
def registered(test: Test[Any]) -> Iterator[None]:
    register(test)
    try:
        yield
    finally:
        unregister(test.name)


def toy(job: InstanceJob) -> Outcome:
    """The mean difference of the values on each instance, always with a p-value of one half."""
    values = job.unit_values()
    findings = tuple(
        Finding(
            pair=pair,
            estimate=float((values[:, pair.a] - values[:, pair.b]).mean()),
            statistic=0.0,
            pvalue=0.5,
            limits=lambda level: (-1.0, 1.0),
            effect_size=0.0,
            effect="none",
            method="toy",
        )
        for pair in job.pairs
    )
    return Outcome(findings, values.mean(axis=0))


TOY = Test(
    name="toy", label=Text("the toy test"), reads=InstanceJob, run=toy, before="mcnemar",
    because=Text("it is a toy"), plan=CannotPlan(Text("toys have no power")),
)  # fmt: skip


def docs_rows() -> list[tuple[str, ...]]:
    path = Path(__file__).parents[2] / "docs" / "difference" / "catalogue.py"
    spec = importlib.util.spec_from_file_location("docs_catalogue", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.rows()


def test_a_new_test_is_one_entry(capsys: pytest.CaptureFixture[str]) -> None:
    with registered(TOY):
        automatic = compare(labels(), "accuracy", rng=0)
        assert (automatic.choice.chosen, automatic.choice.reason) == ("toy", "it is a toy")
        assert automatic.pairs[0].method == "toy"
        assert "the toy test" in automatic.verdict
        assert compare(scored(), "brier", test="toy", rng=0).choice.chosen == "toy"
        assert compare(labels(), test="mcnemar", rng=0).choice.rejected["toy"] == "valid here too"
        with pytest.raises(ParameterError, match="does not fit this evidence: it is about one data set"):
            compare(over_datasets(), test="toy")
        assert compare(over_datasets(), rng=0).choice.chosen == "wilcoxon"  # the job it reads brings its conditions
        advice = advise("predictions", n_models=2, n_datasets=1, measure="accuracy")
        assert (advice.test, advice.test_title) == ("toy", "the toy test")
        assert "the toy test" in guide().text()
        assert named("one of {tests}").startswith("one of toy, mcnemar, ")
        with pytest.raises(SystemExit):
            run(["compare", "--help"])
        assert "toy" in capsys.readouterr().out
        assert next(row[0] for row in docs_rows()) == "`toy`"
        with pytest.raises(ParameterError, match=r"no power calculation for the toy test: toys have no power"):
            plan(measure="accuracy", difference=0.1, test="toy")
    assert compare(labels(), "accuracy", rng=0).choice.chosen == "mcnemar"


def test_a_copy_under_another_name_is_a_test_of_its_own() -> None:
    for name, entry in list(catalogue().items()):
        copy = replace(entry, name=f"my-{name}", before=name)
        with registered(copy):
            evidence = EVIDENCE[name]()
            ours = answer(copy.name, evidence)
            assert ours.omnibus is None or ours.omnibus.test == copy.name
            assert not entry.bayesian or ours.bayes[0].test == copy.name
            assert repr(ours.pairs[0]) == repr(answer(name, evidence).pairs[0])
            taken = compare_quietly(evidence).choice
            assert (taken.chosen == copy.name) == (not copy.broken(_facts(evidence)) and _is_first(copy, evidence))


def compare_quietly(evidence: Any) -> bakeoff.Comparison:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        return compare(evidence, n_resamples=200, rng=0)


def _facts(evidence: Any) -> DesignFacts:
    from bakeoff.comparison._prepare import prepare

    return prepare(evidence, None).first.facts


def _is_first(entry: Test[Any], evidence: Any) -> bool:
    facts = _facts(evidence)
    return next(e for e in catalogue().values() if not e.broken(facts)) is entry


def test_a_new_test_of_all_models_over_data_sets_gets_its_pairs() -> None:
    friedman = catalogue()["friedman"]
    with registered(replace(friedman, name="rank-test", label=Text("my rank test"), before="friedman", omnibus=None)):
        result = compare(over_datasets(3), rng=0)
    assert result.choice.chosen == "rank-test"
    assert result.omnibus.title == "my rank test"
    assert result.choice.posthoc == "wilcoxon"


def test_a_name_is_taken_once_and_a_place_must_exist() -> None:
    with pytest.raises(ParameterError, match="there is a test named 'delong' already"):
        register(catalogue()["delong"])
    with pytest.raises(ParameterError, match="did you mean 'wilcoxon'"):
        register(replace(TOY, before="wilcoxen"))
    assert "toy" not in catalogue()
    with pytest.raises(TypeError):
        catalogue()["toy"] = TOY  # type: ignore[index]


def test_a_test_of_means_refuses_what_is_no_mean() -> None:
    """Pooled folds have no value per row whose mean is the AUC: accuracy must not stand under its name."""
    rows = scored().table()
    folds = Predictions.from_arrays(
        np.asarray(rows.classes)[rows.truth], y_score={m: rows.scores(m) for m in "ab"}, fold=np.arange(40) // 10
    )
    with pytest.raises(ParameterError, match="AUC is not such a mean"):
        compare(folds, "auc", test="cluster-t")
    with registered(TOY), pytest.raises(bakeoff.EvidenceError, match="F1 is not such a mean"):
        compare(scored(), "f1", test="toy")


def test_a_test_reads_the_job_it_names() -> None:
    seen: list[Any] = []

    def look(job: DatasetJob) -> Outcome:
        seen.append(job)
        return catalogue()["wilcoxon"].run(job)

    with registered(Test(name="look", label=Text("a look"), reads=DatasetJob, run=look)):
        answer("look", over_splits(1, 5))  # splits read as if they were data sets: unsound, and noted
    assert isinstance(seen[0], DatasetJob)
    assert choose(DesignFacts("folds", "k-fold", n_splits=5, rows=False))[0].chosen == "corrected-t"
