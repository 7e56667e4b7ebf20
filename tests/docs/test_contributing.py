"""The contributor's path: what CONTRIBUTING shows is run, and one entry is known everywhere without another edit."""

from __future__ import annotations

import importlib.util
import json
import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from scipy.stats import permutation_test

import bakeoff
from bakeoff import Measure, ParameterError, Predictions, Scores, Text, advise, compare, evaluate, plan
from bakeoff.cli._app import run
from bakeoff.comparison import catalogue as known_tests
from bakeoff.comparison import guide
from bakeoff.comparison._catalogue import unregister
from bakeoff.counts import TALLY
from bakeoff.figures import advice_tree_figure, figure_of
from bakeoff.measures import _catalogue as measure_catalogue
from bakeoff.measures import catalogue as known_measures
from bakeoff.stats import auc_from_tally

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "CONTRIBUTING.md"
TEXT = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
pytestmark = pytest.mark.skipif(not TEXT, reason="CONTRIBUTING is not part of this installation")


@contextmanager
def catalogues_restored() -> Iterator[None]:
    """Whatever is registered inside is taken out again."""
    measures, tests = set(known_measures()), set(known_tests())
    try:
        yield
    finally:
        for name in set(known_measures()) - measures:
            measure_catalogue.unregister(name)
        for name in set(known_tests()) - tests:
            unregister(name)


def run_example(number: int) -> None:
    blocks = re.findall(r"^ *```python\n(.*?)^ *```", TEXT, flags=re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    exec(textwrap.dedent(blocks[number]), {})


@pytest.fixture
def new_measure() -> Iterator[Measure]:
    with catalogues_restored():
        run_example(0)
        yield bakeoff.measures.get("fowlkes_mallows")


@pytest.fixture
def new_tally_measure() -> Iterator[Measure]:
    """Somers' D is 2 AUC − 1: every answer about it is known from AUC's."""
    entry = Measure(
        "rank_gap", True, (-1.0, 1.0), "scores", "concordant less discordant pairs", "only one class occurs",
        ("binary",), form=TALLY, value=lambda scores, up, down: 2 * auc_from_tally(up, down) - 1, needs_positive=True,
        label=Text("Somers' D"),
    )  # fmt: skip
    with catalogues_restored():
        yield bakeoff.measures.register(entry)


@pytest.fixture
def new_test() -> Iterator[str]:
    with catalogues_restored():
        run_example(1)
        yield "fisher-pitman"


def arrays(n: int = 120) -> tuple[Any, dict[str, Any]]:
    rng, truth = np.random.default_rng(5), np.arange(n) % 2
    return truth, {m: 1 / (1 + np.exp(-(s * (truth - 0.5) + rng.normal(size=n)))) for m, s in (("a", 2.5), ("b", 1.2))}


def predictions(**more: Any) -> Predictions:
    truth, scores = arrays()
    calls = {m: (s > 0.5).astype(int) for m, s in scores.items()}
    return Predictions.from_arrays(truth, y_score=scores, y_pred=calls, pos_label=1, **more)


def over_datasets() -> Scores:
    values = 0.8 + np.random.default_rng(6).normal(0, 0.03, (9, 2)) + [0.03, 0.0]
    return Scores.from_wide(values, models=["a", "b"], measure="accuracy")


def module_of_the_guide(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / "docs" / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def output_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(SystemExit):
        run(arguments)
    return capsys.readouterr().out


def texts_of(figure: Any) -> str:
    return " ".join(map(str, figure._texts().values()))


# -- a measure ---------------------------------------------------------------------------------------------------------


def test_a_new_measure_of_cells_is_evaluated_and_compared(new_measure: Measure) -> None:
    found = predictions()
    reference = evaluate(found, ["precision", "recall"], rng=0)
    mine = evaluate(found, new_measure.name, rng=0)["a", new_measure.name]
    by_hand = np.sqrt(reference["a", "precision"].estimate * reference["a", "recall"].estimate)
    assert mine.estimate == pytest.approx(by_hand)
    assert mine.low < mine.estimate < mine.high <= 1
    comparison = compare(found, new_measure.name, rng=0)
    assert comparison.choice.chosen in known_tests()
    assert "Fowlkes–Mallows index" in comparison.verdict
    assert "Fowlkes–Mallows index" in comparison.choice.rejected["mcnemar"]
    assert comparison.pairs[0].low < comparison.pairs[0].estimate < comparison.pairs[0].high


def test_a_new_measure_of_a_tally_is_evaluated_and_compared(new_tally_measure: Measure) -> None:
    found = predictions()
    area = evaluate(found, "auc", interval="percentile", rng=0)["a", "auc"]
    mine = evaluate(found, "rank_gap", interval="percentile", rng=0)["a", "rank_gap"]
    assert mine.estimate == pytest.approx(2 * area.estimate - 1)
    assert (mine.low, mine.high) == pytest.approx((2 * area.low - 1, 2 * area.high - 1), abs=0.05)
    comparison = compare(found, "rank_gap", rng=0)
    assert comparison.pairs[0].estimate == pytest.approx(2 * compare(found, "auc").pairs[0].estimate)
    assert "Somers' D" in comparison.verdict


@pytest.mark.filterwarnings("ignore:.*from chance")  # small data, models near chance
@pytest.mark.parametrize("name", ["new_measure", "new_tally_measure"])
def test_a_new_measure_takes_weights_groups_and_folds(name: str, request: pytest.FixtureRequest) -> None:
    measure = request.getfixturevalue(name)
    weight = np.random.default_rng(7).uniform(0.5, 2, 120)
    one, ten = (
        evaluate(predictions(sample_weight=w), measure, rng=0)["a", measure.name] for w in (weight, 10 * weight)
    )
    assert (ten.estimate, ten.low, ten.high) == pytest.approx((one.estimate, one.low, one.high))
    groups = evaluate(predictions(groups=np.arange(120) // 4), measure, rng=0)["a", measure.name]
    assert groups.low < groups.estimate < groups.high
    folds = predictions(fold=np.arange(120) // 24)
    assert next(iter(folds.scores(measure).cells.values())).shape == (5, 2)
    assert compare(folds, measure, rng=0).pairs[0].estimate > 0


def test_a_new_measure_is_listed_and_named(
    new_measure: Measure, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    listed = output_of(["measures", "--json"], capsys)
    assert new_measure.name in [row["name"] for row in json.loads(listed)["measures"]]
    truth, scores = arrays()
    lines = ["truth,a,b", *(f"{t},{a:.4f},{b:.4f}" for t, a, b in zip(truth, *scores.values(), strict=True))]
    (tmp_path / "p.csv").write_text("\n".join(lines), encoding="utf-8")
    command = ["evaluate", str(tmp_path / "p.csv"), "--truth", "truth", "--score", "a", "--score", "b"]
    assert str(new_measure.label) in output_of([*command, "--positive", "1", "--measure", new_measure.name], capsys)
    with pytest.raises(ParameterError, match="did you mean 'fowlkes_mallows'"):
        evaluate(predictions(), "fowlkes_malows")
    assert ("Says", new_measure.meaning) in module_of_the_guide("_extensions/facts.py").facts(new_measure.name)


def test_a_new_measure_has_its_printed_name_in_figures_and_report(new_measure: Measure) -> None:
    found = predictions()
    evaluation, comparison = evaluate(found, new_measure.name, rng=0), compare(found, new_measure.name, rng=0)
    assert "Fowlkes–Mallows index" in texts_of(figure_of(evaluation))
    assert "Fowlkes–Mallows index" in texts_of(figure_of(comparison))
    assert "Fowlkes–Mallows index" in bakeoff.report(found, comparison, rng=0).html


def test_planning_for_a_new_measure_asks_for_what_it_needs(new_measure: Measure) -> None:
    for more in ({}, {"sd": 0.3}):
        with pytest.raises(ParameterError, match="needs a pilot"):
            plan(measure=new_measure, difference=0.05, **more)
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 120)
    calls = {m: np.where(rng.random(120) < p, truth, 1 - truth) for m, p in (("a", 0.9), ("b", 0.7))}
    pilot = Predictions.from_arrays(truth, y_pred=calls)
    planned = plan(pilot, measure=new_measure, difference=0.05)
    assert planned.needed is not None
    assert "Fowlkes–Mallows index" in planned.verdict


# -- a test ------------------------------------------------------------------------------------------------------------


def test_a_new_test_is_taken_and_named(new_test: str) -> None:
    scores = over_datasets()
    comparison = compare(scores, rng=0)
    assert (comparison.choice.chosen, comparison.pairs[0].method) == (new_test, "sign flips, t interval")
    assert "without assuming that they are normal" in comparison.choice.reason
    assert "the Fisher–Pitman test" in comparison.verdict
    difference = scores.wide()["a"].to_numpy() - scores.wide()["b"].to_numpy()
    exact = permutation_test((difference,), np.mean, permutation_type="samples").pvalue
    assert comparison.pairs[0].pvalue == pytest.approx(exact)
    three = Scores.from_wide(np.random.default_rng(1).random((9, 3)), models=["a", "b", "c"], measure="accuracy")
    assert compare(three, rng=0).choice.rejected[new_test] == "is for two models"


def test_a_new_test_is_known_to_advice_guide_help_and_documentation(
    new_test: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert advise(n_models=2, n_datasets=9).test == new_test
    assert "the Fisher–Pitman test" in guide().text()
    assert "Fisher–Pitman" in str(advice_tree_figure(guide()).to_dict())
    assert new_test in re.sub(r"[\s│]", "", output_of(["compare", "--help"], capsys))
    (row,) = [row for row in module_of_the_guide("difference/catalogue.py").rows() if row[0] == f"`{new_test}`"]
    assert row[1:3] == ("the Fisher–Pitman test", "data sets")
    assert "Pitman (1937)" in row[-1]
    with pytest.raises(ParameterError, match="no power calculation for the Fisher–Pitman test"):
        plan(test=new_test, difference=0.1, n_datasets=9)


# -- no trace, and a page that is true ---------------------------------------------------------------------------------


def test_nothing_is_left_in_the_catalogues() -> None:
    assert {"fowlkes_mallows", "rank_gap"}.isdisjoint(known_measures())
    assert "fisher-pitman" not in known_tests()
    assert compare(over_datasets(), rng=0).choice.chosen == "wilcoxon"


def test_files_and_folders_that_the_page_names_exist() -> None:
    named = re.findall(r"`((?:tests|docs|stats|measures|comparison|_core)/[\w./-]*)(?= |`|,|\))", TEXT)
    assert len(named) > 12
    places = (ROOT, ROOT / "src" / "bakeoff")
    lost = [name for name in named if not any((place / name).exists() for place in places)]
    assert lost == []
