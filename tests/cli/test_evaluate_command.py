"""The evaluate and measures commands: tables, JSON, CSV, and mistakes without tracebacks."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import polars as pl
import pytest


def bakeoff(*arguments, cwd=None):
    command = [sys.executable, "-c", "from bakeoff.cli import main; main()", "--lang", "en", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("cli")
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 120)
    table = {"y": np.where(truth == 1, "yes", "no")}
    for name, shift in (("rf", 0.3), ("nb", 0.2)):
        table[name] = np.round(np.clip(rng.normal(0.4 + shift * truth, 0.2), 0, 1), 3)
    pl.DataFrame(table).write_csv(place / "preds.csv")
    pl.DataFrame({**table, "rf": [float("nan"), *table["rf"][1:]]}).write_csv(place / "nan.csv")
    (place / "empty.csv").write_text("")
    (place / "head.csv").write_text("y,rf\n")
    (place / "image.png").write_bytes(b"\x89PNG")
    (place / "binary.csv").write_bytes(bytes(range(256)) * 4)
    return place


GOOD = ("evaluate", "preds.csv", "--truth", "y", "--score", "rf", "--score", "nb", "--positive", "yes")


def test_table(folder):
    done = bakeoff(*GOOD, "-m", "accuracy", "-m", "auc", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "always yes" in done.stdout
    assert "accuracy" in done.stdout
    assert not done.stderr


def test_json_is_json_and_equals_python(folder):
    from bakeoff import Predictions, evaluate

    done = bakeoff(*GOOD, "-m", "auc", "--json", "--no-baselines", cwd=folder)
    data = json.loads(done.stdout)
    predictions = Predictions.read(folder / "preds.csv", y_true="y", y_score=["rf", "nb"], pos_label="yes")
    expected = evaluate(predictions, "auc", rng=0)["rf", "auc"]
    assert data["entries"][0]["estimate"] == expected.estimate
    assert data["entries"][0]["low"] == expected.low


def test_csv_is_written_and_formulas_are_disarmed(folder):
    pl.DataFrame({"y": [0, 1, 0, 1], "=cmd()": [0, 1, 1, 1]}).write_csv(folder / "evil.csv")
    done = bakeoff("evaluate", "evil.csv", "--truth", "y", "--pred", "model==cmd()", "-m", "accuracy", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = bakeoff("evaluate", "evil.csv", "--truth", "y", "--pred", "=cmd()", "-o", "out.csv", cwd=folder)
    assert done.returncode == 2
    done = bakeoff(*GOOD, "-m", "accuracy", "-o", "sub/out.csv", cwd=folder)
    assert done.returncode == 0
    assert pl.read_csv(folder / "sub/out.csv").columns[:3] == ["dataset", "model", "measure"]


MISTAKES = {
    "no file": (("evaluate", "nowhere.csv", "--truth", "y", "--score", "rf"), "there is no file"),
    "empty file": (("evaluate", "empty.csv", "--truth", "y", "--score", "rf"), "is empty"),
    "only a header": (("evaluate", "head.csv", "--truth", "y", "--score", "rf"), "no rows"),
    "a picture": (("evaluate", "image.png", "--truth", "y", "--score", "rf"), "a kind that is not known"),
    "bytes": (("evaluate", "binary.csv", "--truth", "y", "--score", "rf"), "bakeoff:"),
    "no truth": (("evaluate", "preds.csv", "--score", "rf"), "--truth"),
    "no model": (("evaluate", "preds.csv", "--truth", "y"), "--score"),
    "wrong column": (
        ("evaluate", "preds.csv", "--truth", "y", "--score", "fr", "--positive", "yes"),
        "did you mean 'rf'",
    ),
    "no positive class": (("evaluate", "preds.csv", "--truth", "y", "--score", "rf"), "--positive"),
    "unknown positive class": (
        ("evaluate", "preds.csv", "--truth", "y", "--score", "rf", "--positive", "maybe"),
        "maybe",
    ),
    "labels as scores": (("evaluate", "preds.csv", "--truth", "rf", "--pred", "y"), "bakeoff:"),
    "NaN": (("evaluate", "nan.csv", "--truth", "y", "--score", "rf", "--positive", "yes"), "line 2"),
    "twice": (
        ("evaluate", "preds.csv", "--truth", "y", "--score", "rf", "--score", "rf", "--positive", "yes"),
        "twice",
    ),
    "unknown measure": ((*GOOD, "-m", "acuracy"), "did you mean 'accuracy'"),
    "unknown interval": ((*GOOD, "--interval", "wilsn"), "did you mean 'wilson'"),
    "level": ((*GOOD, "--level", "95"), "0.95"),
    "unknown option": ((*GOOD, "--sore", "rf"), "--sore"),
    "unknown language": (("--lang", "xx", *GOOD), "en, es, pt"),
    "unknown command": (("evalute", "preds.csv"), "evalute"),
    "a folder of nothing": (("evaluate", ".", "--score", "rf"), "no predictions"),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_sentences_with_status_2(kind, folder):
    arguments, words = MISTAKES[kind]
    done = bakeoff(*arguments, cwd=folder)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert words in done.stderr
    assert not done.stdout


def test_measures_lists_the_catalogue():
    done = bakeoff("measures")
    assert done.returncode == 0
    from bakeoff.measures import catalogue

    assert all(name in done.stdout for name in catalogue())
    wanted = sum(measure.needs == "scores" for measure in catalogue().measures)
    assert len(json.loads(bakeoff("measures", "--json", "--needs", "scores").stdout)["measures"]) == wanted


def test_version_names_the_kernels():
    assert "kernels" in bakeoff("--version").stdout
