"""For evidence with a clear winner, every way in names that winner, or refuses: never another."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bakeoff
from bakeoff import BakeoffError, BakeoffWarning, Predictions, Scores

SPELLINGS = (
    "rmse",
    "RMSE",
    "Root Mean Squared Error",
    "neg_rmse",
    "NEG_ROOT_MEAN_SQUARED_ERROR",
    "loss",
    "quality",
    None,
)
MARKS = ("NA", "?", "null", "", ".")


def _rows(rng: np.random.Generator) -> pd.DataFrame:
    """A test set on which 'good' is far better than 'bad'."""
    n = int(rng.integers(60, 160))
    truth = rng.permutation(np.arange(n) % 2)
    good = np.clip(0.5 + (truth - 0.5) * 0.7 + rng.normal(0, 0.15, n), 0.01, 0.99).round(4)
    bad = np.clip(0.5 + (truth - 0.5) * 0.05 + rng.normal(0, 0.2, n), 0.01, 0.99).round(4)
    names = rng.permutation(["good", "bad"])
    columns = {"id": 1000 + np.arange(n), "y": np.where(truth == 1, "yes", "no"), "good": good, "bad": bad}
    return pd.DataFrame(columns)[["id", "y", *names]]


def _winner(make) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        try:
            evidence = make()
            measure = "auc" if isinstance(evidence, Predictions) else None
            return bakeoff.compare(evidence, measure, rng=0).best
        except BakeoffError:
            return "refused"


def _ways(rows: pd.DataFrame, folder: Path, rng: np.random.Generator) -> dict:
    """Every way in for one test set."""
    wide = {"y_true": "y", "y_score": ["good", "bad"], "pos_label": "yes"}
    long = {"y_true": "y", "y_score": "p", "model": "model", "instance": "id", "pos_label": "yes"}
    melted = rows.melt(id_vars=["id", "y"], var_name="model", value_name="p").sample(
        frac=1, random_state=int(rng.integers(99))
    )
    marked = rows.astype(object)
    marked.loc[rng.choice(len(rows), 3, replace=False), rng.choice(["good", "bad", "y"])] = rng.choice(MARKS)
    rows.to_csv(folder / "wide.csv", index=bool(rng.integers(2)))
    rows.to_csv(folder / "semi.csv", index=False, sep=";", decimal=",")
    rows.to_csv(folder / "packed.csv.gz", index=False)
    marked.to_csv(folder / "marked.csv", index=False)
    melted.to_csv(folder / "long.csv", index=False)
    pl.from_pandas(rows).write_parquet(folder / "wide.parquet")
    pl.from_pandas(rows).write_ndjson(folder / "wide.jsonl")
    (folder / "wide").mkdir()
    (folder / "long").mkdir()
    for part, (a, b) in enumerate(zip(np.array_split(rows, 3), np.array_split(melted, 3), strict=True)):
        pl.from_pandas(pd.DataFrame(a, columns=rows.columns)).write_parquet(folder / "wide" / f"{part}.parquet")
        pl.from_pandas(pd.DataFrame(b, columns=melted.columns)).write_parquet(folder / "long" / f"{part}.parquet")
    shuffled = rows.sample(frac=1, random_state=1)
    names = ("wide.csv", "semi.csv", "packed.csv.gz", "marked.csv", "wide.parquet", "wide.jsonl", "wide")
    files = {n: lambda n=n: bakeoff.read(folder / n, **wide) for n in names}
    return files | {
        "dropped": lambda: bakeoff.read(folder / "marked.csv", **wide, drop_missing=True),
        "long.csv": lambda: bakeoff.read(folder / "long.csv", **long),
        "long folder": lambda: bakeoff.read(folder / "long", **long),
        "frame": lambda: Predictions.from_frame(rows, **wide),
        "shuffled index": lambda: Predictions.from_arrays(
            rows["y"], y_score={"good": shuffled["good"], "bad": rows["bad"]}, pos_label="yes"
        ),
        "arrays": lambda: Predictions.from_arrays(rows["y"].to_numpy(), y_score=rows[["good", "bad"]], pos_label="yes"),
        "whole table as scores": lambda: bakeoff.read(folder / "wide.csv"),
    }


def _score_ways(folder: Path, rng: np.random.Generator) -> dict:
    """Every spelling and sign of a table of errors, by every way in."""
    n = int(rng.integers(10, 20))
    good = rng.uniform(0.1, 0.3, n)
    table = pd.DataFrame({"dataset": [f"d{i}" for i in range(n)], "good": good, "bad": good + rng.uniform(0.1, 0.2, n)})
    ways = {}
    for name in SPELLINGS:
        for sign in (1, -1):
            signed = table.assign(good=sign * table["good"], bad=sign * table["bad"], id=range(n))
            path = folder / f"{name}{sign}.csv"
            signed.to_csv(path, index=False)
            ways[f"file {name} {sign}"] = lambda p=path, m=name: bakeoff.read(p, measure=m)
            ways[f"frame {name} {sign}"] = lambda t=signed, m=name: Scores.from_wide(t, measure=m)
            ways[f"cv {name} {sign}"] = lambda t=signed, m=name: Scores.from_cv_results(
                {"good": t["good"].to_numpy()[:10], "bad": t["bad"].to_numpy()[:10]}, measure=m, n_train=90, n_test=10
            )
    return ways


@pytest.mark.parametrize("seed", range(6))
def test_every_way_in_names_the_same_winner_or_refuses(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    found = {name: _winner(make) for name, make in _ways(_rows(rng), tmp_path, rng).items()}
    assert set(found.values()) <= {"good", "refused"}, found
    refused = {name for name, winner in found.items() if winner == "refused"}
    assert refused <= {"marked.csv", "whole table as scores"}


@pytest.mark.parametrize("seed", range(4))
def test_every_spelling_and_sign_names_the_same_winner_or_refuses(tmp_path: Path, seed: int) -> None:
    found = {name: _winner(make) for name, make in _score_ways(tmp_path, np.random.default_rng(seed)).items()}
    # Without a name the larger is taken as better, and that is told (see the tests of the direction).
    named = {name: winner for name, winner in found.items() if " None " not in name}
    assert set(named.values()) <= {"good", "refused"}, named
    assert found["file RMSE 1"] == found["frame neg_rmse -1"] == "good"
