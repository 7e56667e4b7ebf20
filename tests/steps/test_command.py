"""``--steps``: the working below the answer, in the language asked for; in JSON a list."""

from __future__ import annotations

import json

import pytest

from bakeoff._core.language import set_language
from bakeoff.cli._app import run
from steps.lectures import AUC


@pytest.fixture
def pair(tmp_path):
    place = tmp_path / "pair.csv"
    rows = [f"d{i},{row[1]},{row[0]}" for i, row in enumerate(AUC)]
    place.write_text("\n".join(["dataset,C4.5+m,C4.5", *rows]) + "\n", encoding="utf-8")
    return place


def said(capsys, *arguments: object) -> str:
    try:
        with pytest.raises(SystemExit) as ended:
            run([*map(str, arguments)])
    finally:
        set_language("en")
    assert ended.value.code in (0, None)
    return capsys.readouterr().out


def test_the_working_stands_below_the_answer(pair, capsys):
    text = said(capsys, "compare", pair, "--measure", "auc", "--steps")
    assert text.index("C4.5+m is better than C4.5") < text.index("R⁺ = 91.5 + 1.5 = 93")
    assert "d8" in text.split("Differences and ranks")[1]  # data sets by their names
    assert "R⁺" not in said(capsys, "compare", pair, "--measure", "auc")


def test_in_portuguese(pair, capsys):
    text = said(capsys, "--lang", "pt", "compare", pair, "--measure", "auc", "--steps")
    assert "Somas de postos" in text
    assert "91,5 + 1,5 = 93" in text


def test_json_has_the_steps_as_a_list(pair, capsys):
    found = json.loads(said(capsys, "compare", pair, "--measure", "auc", "--steps", "--json"))
    assert {"title", "text", "formula", "table"} == set(found["steps"][0])
    assert "steps" not in json.loads(said(capsys, "compare", pair, "--measure", "auc", "--json"))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("plan", "--measure", "auc", "--difference", "0.02", "--baseline", "0.9"), "Power against size"),
        (("advise", "--models", "3", "--datasets", "1", "--rows", "300", "--task", "binary"), "Which test, and why"),
    ],
)
def test_other_commands(arguments, told, capsys):
    assert told in said(capsys, *arguments, "--steps")


ANSWERING = ("demo", "run", "evaluate", "compare", "decide", "gate", "plan", "advise", "report", "count", "measures")


@pytest.mark.parametrize("command", ANSWERING)
def test_every_command_that_answers_shows_its_working(command, capsys):
    assert "--steps" in said(capsys, command, "--help")


def test_the_report_folds_the_working_of_its_comparison(pair, tmp_path, capsys):
    page = tmp_path / "r.html"
    text = said(capsys, "report", pair, "--measure", "auc", "-o", page, "--steps")
    assert "R⁺ = 91.5 + 1.5 = 93" in text
    assert "The working, step by step" in page.read_text(encoding="utf-8")
    found = json.loads(said(capsys, "report", pair, "--measure", "auc", "-o", page, "--steps", "--json"))
    assert found["steps"][0][0]["title"]
