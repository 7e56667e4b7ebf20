"""`bakeoff run` from the command line."""

from __future__ import annotations

import json

import polars as pl
import pytest
from troublemakers import data

from bakeoff.cli._app import run as bakeoff

FILE = """
measures = ["accuracy"]
[protocol]
name = "KFold"
n_splits = 3
[datasets.d]
source = "d.csv"
target = "y"
[models.nb]
class = "sklearn.naive_bayes.GaussianNB"
[models.tree]
class = "sklearn.tree.DecisionTreeClassifier"
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    X, y = data()
    pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": y}).write_csv(tmp_path / "d.csv")
    (tmp_path / "churn.toml").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "churn.toml"


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        bakeoff([str(a) for a in arguments])
    out = capsys.readouterr()
    return stop.value.code, out.out, out.err


def test_it_runs_shows_and_keeps(file, capsys):
    code, out, _ = call(capsys, "run", file, "--store", "kept")
    assert code == 0
    assert "accuracy" in out
    assert "bakeoff report kept -o report.html" in out
    assert len(list((file.parent / "kept").rglob("*.parquet"))) == 6
    code, out, _ = call(capsys, "run", file, "--store", "kept", "--json")
    told = json.loads(out)
    assert told["status"]["done"] == [3, 3]
    assert {e["measure"] for e in told["evaluation"]["entries"]} == {"accuracy"}


def test_the_plan_does_nothing(file, capsys):
    code, out, _ = call(capsys, "run", file, "--plan")
    assert (code, "6 to do" in out) == (0, True)
    assert not (file.parent / "runs").exists()


def test_some_failures_are_status_1_and_are_listed(file, capsys):
    file.write_text(
        FILE + '[models.bad]\nclass = "sklearn.neighbors.KNeighborsClassifier"\nparams = {n_neighbors = 500}\n'
    )
    code, out, _ = call(capsys, "run", file)
    assert code == 1
    assert "3 units failed:" in out
    assert "n_neighbors" in out
    assert (file.parent / "runs" / "churn" / "store.json").exists()


def test_a_mistake_is_one_sentence_and_status_2(file, capsys):
    file.write_text(FILE.replace("n_splits", "splits"))
    code, _, err = call(capsys, "run", file)
    assert code == 2
    assert err.startswith("bakeoff: churn.toml, [protocol]: unknown key 'splits'.")
    assert "Traceback" not in err
    assert "did you mean 'n_splits'" in err
