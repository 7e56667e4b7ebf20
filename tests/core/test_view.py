"""What a person sees of a result: the answer first, tables that fit, notes once; as text and as HTML."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff
from bakeoff._core.result import Note, warning_note
from bakeoff._core.view import Table, View, estimate_cell, limits, text_table, wrapped


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_sentences_are_broken_at_spaces_and_never_within_a_p_value() -> None:
    text = "a is better than b: AUC 0.900 against 0.800 by the test (DeLong's test, p < 0.001) on 95 % of all the rows."
    lines = wrapped(text, 60)
    assert " ".join(lines) == text
    assert max(map(len, lines)) <= 60
    assert any("p < 0.001" in line for line in lines)
    assert wrapped(text, None) == [text]


@pytest.mark.parametrize("width", [40, 60, 80, 112])
@pytest.mark.parametrize("k", [1, 2, 3, 7, 30])
def test_a_table_fits_and_names_what_it_folds(width, k) -> None:
    columns = {"measure": ["balanced accuracy", "AUC"]}
    columns |= {f"a_model_with_a_long_name_{i}": [estimate_cell(0.8, 0.7, 0.9)] * 2 for i in range(k)}
    text = text_table(Table(columns), width)
    assert widest(text) <= width
    assert "[0.7000, 0.9000]" in text
    if k == 30:
        assert "more:" in text
    assert "more:" not in text_table(Table(columns), None)


def test_one_row_that_is_too_wide_stands_upright() -> None:
    text = text_table(Table({f"field_{i}": [0.5] for i in range(20)}), 80)
    assert [line.split() for line in text.splitlines()][:2] == [["field_0", "0.5000"], ["field_1", "0.5000"]]


def test_an_interval_that_tells_nothing_is_not_written() -> None:
    inf, nan = float("inf"), float("nan")
    assert limits(-inf, inf) == limits(nan, 1.0) == limits(0.5, 0.5) == ""
    assert limits(0.2, inf).startswith("≥")
    text = str(bakeoff.Interval(0.1, -inf, inf, 0.95, "t", (Note("few", "two folds only."),)))
    assert "∞" not in text
    assert "no finite 95 % interval" in text
    assert "two folds only" in text


def test_notes_are_told_once_warnings_first() -> None:
    note = Note("a", "said already.")
    view = View(("The answer. said already.",), notes=(note, Note("b", "more."), warning_note("c", "weak."), note))
    assert view.text().splitlines()[2:] == ["warning [c]: weak.", "note [b]: more."]
    assert view.html().count("said already") == 1


def test_html_is_escaped() -> None:
    shown = View(("<b>x</b>",), (Table({"<i>": ["<script>"]}, "<t>"),), ("<u>",), (Note("n", "<v>"),)).html()
    for tag in ("<b>", "<i>", "<script>", "<t>", "<u>", "<v>"):
        assert tag not in shown


@pytest.fixture(scope="module")
def results() -> dict[str, object]:
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 200)
    scores = {f"model_{i}": 1 / (1 + np.exp(-rng.normal(i * (y - 0.5)))) for i in range(1, 8)}
    p = bakeoff.Predictions.from_arrays(y, y_score=scores)
    two = p.select(models=["model_1", "model_7"])
    table = bakeoff.Scores.from_wide(rng.uniform(0.6, 0.9, (12, 4)), models=list("abcd"), measure="auc")
    context = {"cost_fp": 1, "cost_fn": 5}
    return {
        "evaluation": bakeoff.evaluate(p, rng=0), "evaluation of scores": bakeoff.evaluate(table),
        "comparison of two": bakeoff.compare(two, rng=0), "comparison of seven": bakeoff.compare(p, rng=0),
        "comparison over data sets": bakeoff.compare(table, rng=0), "decision": bakeoff.decide(p, **context, rng=0),
        "plan": bakeoff.plan(measure="auc", difference=0.02, baseline=0.9), "roc": bakeoff.roc(p),
        "advice": bakeoff.advise(n_models=3, n_datasets=1, n_rows=300, task="binary"),
        "calibration": bakeoff.calibration(two, rng=0), "hull": bakeoff.roc(two).hull,
        "decision curves": bakeoff.decision_curves(two, n_resamples=100, rng=0),
        "curve": bakeoff.roc(two).curves["model_7"], "scores": table,
        "predictions": p, "choice": bakeoff.compare(two, rng=0).choice,
        "per class": bakeoff.evaluate(two, rng=0).per_class, "confusion": bakeoff.evaluate(two, rng=0).confusion,
    }  # fmt: skip


KINDS = [
    "evaluation", "evaluation of scores", "comparison of two", "comparison of seven", "comparison over data sets",
    "decision", "plan", "roc", "advice", "calibration", "hull", "decision curves", "curve", "scores", "predictions",
    "choice", "per class", "confusion",
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_every_result_fits_80_columns_and_begins_with_its_answer(kind, results) -> None:
    result = results[kind]
    text, shown = str(result), result._repr_html_()
    assert widest(text) <= 80
    assert "∞]" not in text + shown
    verdict = getattr(result, "verdict", None)
    if verdict:
        assert " ".join(text.split()).startswith(verdict)
        assert "<strong>" in shown[: shown.find("<table")]


def test_the_best_is_marked_and_ties_are_called_ties() -> None:
    y = [0, 1] * 30
    found = bakeoff.evaluate(bakeoff.Predictions.from_arrays(y, y_pred={"a": y, "b": y}), "accuracy")
    assert str(found).startswith("Best accuracy: a and b tie at 1.0000.")
    wrong = [1 - v for v in y]
    worse = bakeoff.Predictions.from_arrays(y, y_pred={"a": wrong, "b": wrong})
    text = str(bakeoff.evaluate(worse, "accuracy", baselines=True))
    assert text.startswith("No model beats the trivial rule always 0: accuracy 0.5000")


def test_standard_errors_are_shown() -> None:
    found = bakeoff.evaluate([0, 1] * 50, [0, 1] * 40 + [1, 0] * 10)
    assert "standard error" in str(found)
    assert f"{found.entries[0].standard_error:.4f}" in str(found)
    two = bakeoff.Predictions.from_arrays([0, 1] * 50, y_pred={"a": [0, 1] * 50, "b": [0, 1] * 40 + [1, 0] * 10})
    both = bakeoff.evaluate(two, "accuracy")
    assert "standard error" in str(both)
    assert f"{both.entries[1].standard_error:.4f}" in str(both)


def test_the_name_of_a_model_or_class_is_not_translated_though_it_is_a_word_of_ours() -> None:
    """In Spanish a model called low was shown as "inferior"."""
    y, names = np.arange(60) % 3, ("low", "high", "model")
    rng = np.random.default_rng(0)
    p = bakeoff.Predictions.from_arrays([names[i] for i in y], y_pred={n: rng.permutation(names * 20) for n in names})
    with bakeoff.language("es"):
        evaluation = bakeoff.evaluate(p, "accuracy", rng=0, baselines=False)
        for result in (evaluation, evaluation.confusion, p.scores("accuracy")):
            text = str(result)
            assert any(set(names) <= set(line.split()) for line in text.splitlines()), text
            assert "inferior" not in text
            assert "superior" not in text
