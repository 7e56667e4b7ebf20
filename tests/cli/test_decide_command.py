"""The decide command and evaluate --context: verdicts, JSON, several classes, and mistakes without tracebacks."""

from __future__ import annotations

import contextlib
import io
import json
from typing import NamedTuple

import numpy as np
import polars as pl
import pytest


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def bakeoff(*arguments, cwd):
    """Run the command in this process: the same door as the script, without the price of a new interpreter."""
    from bakeoff.cli._app import run

    out, err = io.StringIO(), io.StringIO()
    status = 0
    with contextlib.chdir(cwd), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            run(["--lang", "en", *map(str, arguments)])
        except SystemExit as ending:
            status = int(ending.code or 0)
    return Done(status, out.getvalue(), err.getvalue())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("decide")
    cancer = {
        "ill": ["yes"] * 100 + ["no"] * 100,
        "A": np.repeat(["yes", "no", "yes", "no"], [90, 10, 40, 60]),
        "B": np.repeat(["yes", "no", "yes", "no"], [60, 40, 10, 90]),
    }
    pl.DataFrame(cancer).write_csv(place / "cancer.csv")
    rng = np.random.default_rng(0)
    y = rng.random(300) < 0.3
    scores = {m: np.round(1 / (1 + np.exp(-(s * y + rng.normal(size=300) - 1))), 4) for m, s in (("rf", 2), ("nb", 1))}
    pl.DataFrame({"y": y.astype(int), **scores, "fold": np.arange(300) % 5}).write_csv(place / "preds.csv")
    k = rng.integers(0, 3, 300)
    answers = np.where(rng.random(300) < 0.7, k, (k + 1) % 3)
    names = np.array(["a", "b", "c"])
    pl.DataFrame({"y": names[k], "m": names[answers]}).write_csv(place / "three.csv")
    (place / "costs.csv").write_text("true,a,b,c\na,0,1,5\nb,2,0,1\nc,10,4,0\n")
    (place / "ragged.csv").write_text("true,a,b\na,0\n")
    return place


CANCER = ("decide", "cancer.csv", "--truth", "ill", "--pred", "A", "--pred", "B", "--positive", "yes")
SCORED = ("decide", "preds.csv", "--truth", "y", "--score", "rf", "--score", "nb")


def test_nothing_worth_deploying(folder):
    done = bakeoff(*CANCER, "--prevalence", 0.01, "--cost-fp", 10, "--cost-fn", 10000, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("No model is worth deploying: 'always yes' costs 9.9 per case.")
    assert "13.96" in done.stdout
    assert "40.99" in done.stdout


def test_json_equals_python(folder):
    from bakeoff import OperatingContext, Predictions, decide

    done = bakeoff(*SCORED, "--fold", "fold", "--cost-fn", 4, "--json", "--seed", 3, cwd=folder)
    assert done.returncode == 0, done.stderr
    p = Predictions.read(folder / "preds.csv", y_true="y", y_score=["rf", "nb"], fold="fold")
    assert json.loads(done.stdout) == json.loads(json.dumps(decide(p, OperatingContext(cost_fn=4), rng=3).to_dict()))


def test_ranges_and_uncertain_contexts(folder):
    done = bakeoff(*SCORED, "--prevalence", "0.1:0.4", "--cost-fn", "2:8", "--ranges", "-o", "out.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Use rf with the threshold" in done.stdout
    assert "Who is cheapest where" in done.stdout
    assert pl.read_csv(folder / "out.csv")["model"][0] == "rf"


def test_several_classes(folder):
    done = bakeoff("decide", "three.csv", "--truth", "y", "--pred", "m", "--costs", "costs.csv", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "always c" in done.stdout
    with_priors = bakeoff(
        "decide", "three.csv", "--truth", "y", "--pred", "m", "--costs", "costs.csv", "--priors", "a=0.8,b=0.1,c=0.1",
        "--json", cwd=folder,
    )  # fmt: skip
    assert json.loads(with_priors.stdout)["context"]["priors"] == pytest.approx([0.8, 0.1, 0.1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*SCORED, "--cost-fp", "dear"), "--cost-fp must be a number or a range"),
        ((*SCORED, "--prevalence", "1.5"), "prevalence must be a finite number"),
        ((*SCORED, "--cost-tp", "5"), "the costs are unreasonable"),
        ((*SCORED, "--costs", "costs.csv", "--cost-fn", "3"), "not both"),
        ((*SCORED, "--costs", "ragged.csv"), "must be a cost matrix with a header"),
        ((*SCORED, "--costs", "costs.csv"), "has 3 classes"),
        ((*SCORED, "--costs", "costs.csv", "--priors", "a=x"), "--priors must be like"),
        (CANCER[:-2], "positive class"),
        (("decide", "nowhere.csv", "--truth", "y"), "there is no file"),
        (("evaluate", "preds.csv", "--truth", "y", "--score", "rf", "--context", "cost=3"), "--context must be like"),
        (("evaluate", "preds.csv", "--truth", "y", "--score", "rf", "--context", "cost-fn=1:3"), "no ranges"),
    ],
)
def test_mistakes_are_sentences(folder, arguments, message):
    done = bakeoff(*arguments, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_evaluate_in_a_context(folder):
    done = bakeoff(
        "evaluate", "cancer.csv", "--truth", "ill", "--pred", "A", "--pred", "B", "--positive", "yes", "-m", "accuracy",
        "--context", "prevalence=0.01,cost-fp=10,cost-fn=10000", "--json", cwd=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {(e["model"], e["measure"]): e["estimate"] for e in json.loads(done.stdout)["entries"]}
    assert found["A", "expected_cost"] == pytest.approx(13.96)
    assert found["B", "expected_cost"] == pytest.approx(40.99)
    assert found["always yes", "expected_cost"] == pytest.approx(9.9)
    assert found["A", "accuracy"] == found["B", "accuracy"] == pytest.approx(0.75)


def test_help_has_an_example(folder):
    done = bakeoff("decide", "--help", cwd=folder)
    assert done.returncode == 0
    assert "--cost-fn 10000" in done.stdout
