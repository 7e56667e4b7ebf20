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


@pytest.mark.parametrize("what", ["--plan", "--estimate", "--quiet"])
@pytest.mark.parametrize(
    "option", ["--jobs 0", "--time-limit nan", "--time-limit -1", "--memory-limit inf", "--engine serail"]
)
def test_how_to_run_is_checked_before_anything_is_shown_or_done(file, capsys, option, what):
    code, out, err = call(capsys, "run", file, *option.split(), what)
    assert (code, out) == (2, "")
    assert option.split()[0].strip("-") in err
    assert not (file.parent / "runs").exists()


def test_the_known_keys_are_told_in_the_readers_language(file, capsys):
    file.write_text(FILE.replace('target = "y"', 'target = "y"\nzzqqx = 1'))
    assert "las claves conocidas son source, target" in call(capsys, "--lang", "es", "run", file, "--plan")[2]
    assert "known keys are source, target" in call(capsys, "--lang", "en", "run", file, "--plan")[2]


def test_an_estimate_fits_the_first_fold_and_keeps_it(file, capsys):
    code, out, _ = call(capsys, "run", file, "--estimate", "--jobs", "2")
    assert code == 0
    assert "2 done, 4 to do" in out
    assert "with 2 at a time" in out
    code, _, err = call(capsys, "run", file)
    assert code == 0
    assert "6 units of work, 2 done, 4 to do" in err


def test_ctrl_c_says_how_to_go_on_and_is_status_130(file, capsys, monkeypatch):
    from bakeoff.runner import _unit

    real, left = _unit._fit_and_ask, [2]

    def stop(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(_unit, "_fit_and_ask", stop)
    code, out, err = call(capsys, "run", file, "--store", "kept")
    assert (code, out) == (130, "")
    assert "bakeoff: stopped after 2 of 6 units; they are kept in kept." in err
    assert f"go on with: bakeoff run {file} --store kept" in err
    monkeypatch.undo()
    monkeypatch.chdir(file.parent)
    code, _, err = call(capsys, "run", file, "--store", "kept")
    assert (code, "2 done, 4 to do" in err) == (0, True)


def test_failures_of_an_earlier_run_are_said_and_retried_on_demand(file, capsys):
    bad = '[models.bad]\nclass = "sklearn.neighbors.KNeighborsClassifier"\nparams = {n_neighbors = 500}\n'
    file.write_text(FILE + bad)
    call(capsys, "run", file)
    code, out, err = call(capsys, "run", file)
    assert code == 1
    assert "6 done, 0 to do\n3 units failed earlier and are left alone (--retry tries them again)" in err
    assert "Their tracebacks are in runs/churn/failures" in out
    _, _, err = call(capsys, "run", file, "--retry")
    assert "6 done, 3 to do" in err
    _, out, err = call(capsys, "run", file, "--json")
    assert json.loads(out)["failures"]["kind"] == ["error"] * 3
    assert err == ""


def test_the_example_in_the_help_is_a_file_that_can_be_used(capsys):
    import tomllib

    _, out, _ = call(capsys, "run", "--help")
    example = out.partition("protocol and measures:")[2]
    assert sorted(tomllib.loads(example)) == ["datasets", "measures", "models", "protocol"]


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


def test_a_large_run_shows_only_what_is_not_done(capsys):
    from bakeoff.cli._run import _show_status

    n = 60
    columns = {"dataset": [f"d{i}" for i in range(n)], "model": ["m"] * n, "planned": [10] * n, "done": [10] * n,
               "failed": [0] * n, "missing": [0] * n}  # fmt: skip
    _show_status(columns)
    assert capsys.readouterr().out.strip() == "600 units of work, 600 done, 0 to do"
    columns["done"][7], columns["failed"][7] = 9, 1
    _show_status(columns)
    out = capsys.readouterr().out
    assert "d7" in out
    assert "d8" not in out
