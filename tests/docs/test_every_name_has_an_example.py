"""What users are promised and what the guide points to has an example; the test run executes it (doctest)."""

from __future__ import annotations

import importlib
import inspect
import re
import types
from pathlib import Path
from typing import Any

import pytest

PACKAGES = (
    "bakeoff", "bakeoff.evidence", "bakeoff.measures", "bakeoff.intervals", "bakeoff.comparison", "bakeoff.decision",
    "bakeoff.figures", "bakeoff.protocols", "bakeoff.learners", "bakeoff.runner", "bakeoff.steps",
    "bakeoff.evidence.readers", "bakeoff.report", "bakeoff.stats", "bakeoff.stats.resample", "bakeoff.app",
)  # fmt: skip
# The names that CONTRACT promises, by package: their examples are part of the promise.
CONTRACT = {
    "bakeoff": """
        Comparison CostCurve Decision Evaluation Experiment Interval Measure OperatingContext Predictions
        Report Results RocCurve RocHull Scores advise compare cost_curves decide evaluate plan roc run
    """,
    "bakeoff.measures": """
        calibration_error catalogue expected_cost f_beta get partial_auc
    """,
    "bakeoff.protocols": """
        Bootstrap FiveByTwo HoldOut KFold LeaveGroupOut LeaveOneOut Tuned
    """,
    "bakeoff.learners": """
        CostSensitiveClassifier HullClassifier MetaCostClassifier PriorCorrectedClassifier ThresholdClassifier
        WilsonEditing
    """,
    "bakeoff.report": """
        report
    """,
    "bakeoff.stats": """
        adjust adjust_pairs aligned_friedman aligned_posthoc auc average_precision bayes_correlated_t
        bayes_hierarchical bayes_sign bayes_signed_rank binomial_interval bonferroni_dunn bootstrap_interval
        bowker bowker_from_table cliffs_delta cochran_q cohen_d cohen_kappa_from_table conover corrected_t
        cost_envelope critical_difference delong_interval delong_many delong_test delong_unpaired
        detectable_paired_t dunnett five_by_two_f five_by_two_t friedman friedman_pairs h_measure mcnemar
        mcnemar_from_table multiclass_auc nemenyi noninferiority paired_t partial_auc power_corrected_t
        power_delong power_friedman power_mcnemar power_paired_t power_wilcoxon precision_recall_curve quade
        quade_posthoc rank_biserial repeated_measures_anova roc_curve roc_hull sample_size_corrected_t
        sample_size_delong sample_size_friedman sample_size_mcnemar sample_size_paired_t sample_size_wilcoxon
        sign_test stuart_maxwell stuart_maxwell_from_table tost tukey vargha_delaney_a wilcoxon wilcoxon_pairs
    """,
    "bakeoff.app": """
        serve
    """,
}
# Subjects of the statistics: their public names are those of `bakeoff.stats`.
SUBJECTS = {f"bakeoff.stats.{name}" for name in
            ("bayes", "distributions", "means", "multiplicity", "power", "ranks", "roc", "tables")}  # fmt: skip
# What stands behind the verbs: for those who add a measure or a test, explained where it is used.
INTERNAL = {"bakeoff.counts", "bakeoff.comparison.tests", "bakeoff.evidence.logs", "bakeoff.integrations"}
# The constructors and questions of the contract's nouns, promises as much as the nouns are.
METHODS = (
    "Predictions.from_arrays", "Predictions.from_frame", "Predictions.read", "Predictions.from_outcomes",
    "Predictions.scores", "Predictions.select",
    "Scores.from_wide", "Scores.from_frame", "Scores.from_cv_results", "Scores.wide",
    "Measure.from_function", "Measure.from_scorer", "Measure.as_scorer",
    "OperatingContext.expected_cost", "OperatingContext.multiclass",
    "Comparison.pair",
    "RocHull.best", "RocHull.ranges", "CostCurve.at", "CostCurve.difference",
    "Experiment.run", "Experiment.plan", "Experiment.from_toml",
    "Results.open", "Results.predictions", "Results.scores", "Results.evaluate", "Results.compare",
    "Report.save",
)  # fmt: skip
# These start a server, or need a package that is no dependency of ours: their examples are shown, not run.
NOT_RUN = {"create_app", "serve", "log_mlflow"}
# The data of all figures is read alike: these show it, and are what the guide draws with.
FIGURES = {"advice_tree_figure", "critical_difference_figure", "figure_of", "plot"}


def promised_names() -> set[str]:
    return {f"{package}.{name}" for package, names in CONTRACT.items() for name in names.split()}


def public_names() -> dict[str, Any]:
    """Every class and function in an ``__all__``, once, by its full name."""
    found: dict[int, tuple[str, Any]] = {}
    for package in PACKAGES:
        module = importlib.import_module(package)
        for name in module.__all__:
            thing = getattr(module, name)
            if package == "bakeoff.figures" and name not in FIGURES:
                continue
            if isinstance(thing, type) and issubclass(thing, BaseException):
                continue  # an error explains itself by its message, where it is raised
            if not isinstance(thing, types.ModuleType) and callable(thing):
                found.setdefault(id(thing), (f"{package}.{name}", thing))
    return dict(found.values())


def words_of_the_guide() -> set[str]:
    """Every word that the guide sets as code; pages of the reference and decision records are no guide."""
    guide = Path(__file__).parents[2] / "docs"
    pages = (page for page in guide.rglob("*.md") if not {"api", "adr", "_build"} & set(page.relative_to(guide).parts))
    code = (piece for page in pages for piece in re.findall(r"```.*?```|`[^`\n]+`", page.read_text("utf-8"), re.S))
    return {word for piece in code for word in re.findall(r"\w+", piece)}


PUBLIC = public_names()
PROMISED = promised_names()
GUIDE = words_of_the_guide()
NAMES = [name for name in PUBLIC if name in PROMISED or name.rpartition(".")[2] in GUIDE]


def test_what_is_promised_is_public():
    for name in PROMISED:
        package, _, attribute = name.rpartition(".")
        module = importlib.import_module(package)
        assert attribute in module.__all__, name
        assert hasattr(module, attribute), name


@pytest.mark.parametrize("name", NAMES)
def test_has_an_example(name):
    text = PUBLIC[name].__doc__ or ""
    assert ">>>" in text, f"{name} has no example in its docstring"
    if name.rpartition(".")[2] not in NOT_RUN:
        assert "+SKIP" not in text, f"the example of {name} is not run"


@pytest.mark.parametrize("name", METHODS)
def test_methods_of_the_contract_have_an_example(name):
    import bakeoff

    owner, _, method = name.partition(".")
    text = inspect.getdoc(getattr(getattr(bakeoff, owner), method)) or ""
    assert ">>>" in text, f"{name} has no example in its docstring"


def test_every_public_package_is_walked():
    source = Path(importlib.import_module("bakeoff").__file__).parent
    packages = {".".join(("bakeoff", *p.parent.relative_to(source).parts)) for p in source.rglob("__init__.py")}
    private = {p for p in packages if any(part.startswith("_") for part in p.split("."))} | {"bakeoff.cli"}
    assert packages - private - SUBJECTS - INTERNAL <= set(PACKAGES)


def test_the_test_run_executes_examples():
    settings = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    assert "--doctest-modules" in settings
    assert 'testpaths = ["tests", "src"]' in settings
