"""A snapshot of the verdict of every design, read as a demanding statistician would.

``BAKEOFF_UPDATE_SNAPSHOTS=1 pytest tests/comparison/test_verdicts.py`` writes `verdicts.txt` anew; read the difference.
"""

from __future__ import annotations

import ast
import os
import warnings
from pathlib import Path
from string import Formatter

import numpy as np
import pytest

import bakeoff.comparison
from bakeoff import BakeoffWarning, Predictions, Scores, compare
from bakeoff._core.language import catalogue, language

SNAPSHOTS = Path(__file__).with_name("verdicts.txt")
_MARK = "## "


def designs(make) -> dict:
    """Name → what to compare and how."""
    names = make.demsar().datasets
    pair = ["boost", "bayes"]
    groups = np.repeat(np.arange(50), 10)
    rng = np.random.default_rng(11)
    graded = {"gpt": rng.beta(4, 2, 200), "llama": rng.beta(3, 2, 200)}
    solved = {"gpt": rng.random(200) < 0.7, "llama": rng.random(200) < 0.6, "tiny": rng.random(200) < 0.4}
    three = {"rf": 0.86, "nb": 0.83, "tree": 0.79}
    six = {"rf": 0.86, "nb": 0.83, "svm": 0.855, "knn": 0.80, "tree": 0.79, "logit": 0.84}
    close = {"rf": 0.861, "nb": 0.86}
    return {
        "one test set, labels, two models": (make.labelled().select(models=pair), {}),
        "one test set, labels, two models that were not told apart": (
            make.labelled().select(models=["forest", "logit"]), {}),
        "one test set, labels, six models": (make.labelled(), {}),
        "one test set, scores, two models": (make.scored().select(models=pair), {}),
        "one test set, scores, six models": (make.scored(), {}),
        "one test set, scores, six models, against a control with a margin": (
            make.scored(), {"control": "logit", "margin": 0.03}),
        "one test set, labels, F1": (make.labelled().select(models=pair), {"measure": "f1"}),
        "one test set, an equivalent pair": (
            make.labelled(models={"old": 2.1, "new": 2.15}), {"margin": 0.06}),
        "one test set, a one-sided question": (
            make.scored().select(models=pair), {"alternative": "greater"}),
        "10 × 10-fold cross-validation, two models": (make.resampled({"rf": 0.86, "nb": 0.82}, 10, 10), {}),
        "10 × 10-fold cross-validation, two close models": (make.resampled(close, 10, 10), {}),
        "10 × 10-fold cross-validation, six models": (make.resampled(six, 10, 10), {}),
        "5 × 2 cross-validation": (make.resampled({"rf": 0.93, "nb": 0.82}, 5, 2, sd=0.02), {}),
        "5 × 2 cross-validation, three models": (make.resampled(three, 5, 2, sd=0.02), {}),
        "30 hold-outs": (make.resampled({"rf": 0.86, "nb": 0.85}, 30, 1), {}),
        "30 hold-outs, an equivalent pair": (make.resampled(close, 30, 1, sd=0.01), {"margin": 0.02}),
        "14 data sets, two models": (make.demsar().select(models=["C4.5+m", "C4.5"]), {}),
        "14 data sets, four models": (make.demsar(), {}),
        "14 data sets, four models, against a control": (make.demsar(), {"control": "C4.5"}),
        "14 data sets, four models, Nemenyi": (make.demsar(), {"posthoc": "nemenyi"}),
        "14 data sets, four models, analysis of variance": (make.demsar(), {"test": "anova"}),
        "14 data sets, three models, Bayesian": (
            make.demsar().select(models=["C4.5", "C4.5+m", "C4.5+cf"]), {"test": "bayes-signed-rank"}),
        "3 data sets, two models": (make.demsar().select(models=["C4.5+m", "C4.5"], datasets=names[:3]), {}),
        "3 data sets, four models": (make.demsar().select(datasets=names[:3]), {}),
        "groups, labels": (make.labelled(groups=groups).select(models=pair), {}),
        "groups, scores": (make.scored(groups=groups).select(models=[*pair, "knn"]), {}),
        "groups, F1": (make.labelled(groups=groups).select(models=pair), {"measure": "f1"}),
        "few groups": (make.labelled(groups=np.arange(500) % 8).select(models=pair), {}),
        "weighted rows": (make.labelled(sample_weight=1.0 + groups % 3).select(models=pair), {}),
        "regression, two models": (make.regression().select(models=["gp", "ridge"]), {}),
        "regression, three models, mean absolute error": (make.regression(), {"measure": "mae"}),
        "several classes, two models": (make.multiclass().select(models=["cnn", "mlp"]), {}),
        "several classes, three models, macro F1": (make.multiclass(), {"measure": "f1_macro"}),
        "outcomes, three models": (Predictions.from_outcomes(solved), {}),
        "graded outcomes": (Predictions.from_outcomes(graded), {}),
        "a plain t-test over folds, asked for by name": (
            make.resampled({"rf": 0.86, "nb": 0.85}, 10, 10), {"test": "paired-t"}),
        "a missing cell": (_with_gap(make.demsar()), {}),
        "identical models": (_twins(make), {}),
        "error rates, where less is better": (make.labelled().select(models=pair), {"measure": "error"}),
    }  # fmt: skip


def _with_gap(scores: Scores) -> Scores:
    values = scores.matrix()
    values[4, 2] = np.nan
    return Scores.from_wide(values, models=scores.models, datasets=scores.datasets, measure="auc")


def _twins(make) -> Predictions:
    truth, scores = make.binary(200, {"a": 1.5})
    return Predictions.from_arrays(truth, y_score={"a": scores["a"], "b": scores["a"].copy()})


def verdicts(make) -> dict[str, str]:
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        for name, (evidence, options) in designs(make).items():
            result = compare(evidence, options.pop("measure", None), rng=0, **options)
            found[name] = "\n".join([f"[{result.choice.chosen}]", *map(str, result.sentences)])
    return found


def read_snapshots() -> dict[str, str]:
    parts = SNAPSHOTS.read_text(encoding="utf-8").split(f"\n{_MARK}")
    pairs = (part.removeprefix(_MARK).split("\n", 1) for part in parts)
    return {name: body.strip() for name, body in pairs}


def test_verdicts_are_as_read(make) -> None:
    now = verdicts(make)
    if os.environ.get("BAKEOFF_UPDATE_SNAPSHOTS"):
        SNAPSHOTS.write_text("\n\n".join(f"{_MARK}{n}\n{b}" for n, b in now.items()) + "\n", encoding="utf-8")
    known = read_snapshots()
    assert list(now) == list(known)
    for name, text in now.items():
        assert text == known[name], name


def test_verdicts_never_say_equal_for_not_shown(make) -> None:
    for name, text in verdicts(make).items():
        assert "are equal" not in text, name
        assert "significant" not in text, name
        assert "nan" not in text.lower().split(), name
        assert "p = 0.000" not in text, name
        assert "{" not in text, name


def templates() -> set[str]:
    """Every sentence of the package and of its commands: the literal templates of `Text`."""
    files = [*Path(bakeoff.comparison.__file__).parent.rglob("*.py")]
    commands = Path(bakeoff.__file__).parent / "cli"
    files += [commands / f"_{name}.py" for name in ("compare", "gate", "plan", "advise")]
    calls = (node for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    return {
        node.args[0].value
        for node in calls
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") in ("Text", "translate")
        and isinstance(node.args[0], ast.Constant)
    }


@pytest.mark.parametrize("code", ["es", "pt"])
def test_every_sentence_is_translated_with_its_fields(code: str) -> None:
    known = catalogue(code)
    for template in templates():
        assert template in known, template
        fields = [sorted({f for _, f, _, _ in Formatter().parse(t) if f}) for t in (template, known[template])]
        assert fields[0] == fields[1], template


@pytest.mark.parametrize(("code", "words"), [("es", "es mejor que"), ("pt", "é melhor que")])
def test_verdict_is_spoken_in_the_active_language(make, code: str, words: str) -> None:
    two = compare(make.scored().select(models=["boost", "bayes"]), rng=0)
    many = compare(make.demsar(), rng=0)
    with language(code):
        assert words in two.verdict
        assert "Friedman" in many.verdict
        assert "the " not in many.verdict
    assert "is better than" in two.verdict


def test_a_one_sided_test_says_which_side_it_looked_at() -> None:
    """The interval lies wholly on the other side: "no difference shown" alone would read as a contradiction."""
    a = np.linspace(0.7, 0.8, 12)
    scores = bakeoff.Scores.from_wide(np.column_stack([a, a + 0.03 + a / 100]), models=["a", "b"], measure="accuracy")
    verdict = bakeoff.compare(scores, alternative="greater", rng=0).verdict
    assert "Only whether the accuracy of a is higher than that of b was tested, not the reverse." in verdict
    assert "Only whether" not in bakeoff.compare(scores, rng=0).verdict
    assert "is lower than" in bakeoff.compare(scores.select(models=["b", "a"]), alternative="less", rng=0).verdict


def test_a_name_with_a_comma_is_told_from_the_commas_of_the_list() -> None:
    from bakeoff._core.language import listed

    assert str(listed(["tree", "tree, tuned", "forest"])) == "tree, “tree, tuned” and forest"
    assert str(listed(["tree, tuned (by 0.1, p = 0.01)", "nb (by 0.2, p = 1)"])).startswith("“tree, tuned” (by 0.1, p")
