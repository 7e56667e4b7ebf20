"""Records of a store: classes in the program, the same JSON on disk as ever."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from sklearn.naive_bayes import GaussianNB
from troublemakers import Mean, Raises, data

from bakeoff import Results, run
from bakeoff.protocols import KFold
from bakeoff.runner import Dataset
from bakeoff.runner._manifest import Manifest
from bakeoff.runner._records import FailureRecord, UnitRecord

X, Y = data()

# As bakeoff 0.1.0 wrote them (2026-11-18). Stores like these are in use: these texts must not be changed to fit.
PROTOCOL = {"protocol": "KFold", "n_splits": 3, "repeats": 1, "stratify": True, "grouped": None}
UNIT = {
    "key": "09454e62424cc59727085fb463d84ae3", "dataset": "w", "model": "tree", "repeat": 0, "fold": 0, "role": "test",
    "seed": 1573163518, "n_train": 40, "n_test": 20,
    "task": "binary", "classes": [0, 1], "pos_label": 1, "protocol": "k-fold", "protocol_description": PROTOCOL,
    "data_fingerprint": "85c91a808b733fe22a11c25b9d40ecac", "model_fingerprint": "4704274ff30489750ddd6600a63771a0",
}  # fmt: skip
FIT = {"fit_time": 0.0318, "predict_time": 0.0002, "score_time": 0.0002, "peak_memory": 307200, "warnings": ["W: w"]}
PLAIN = {**UNIT, **FIT, "chosen": None}
TUNED = {**UNIT, **FIT, "chosen": {"max_depth": 1}, "weighted_fit": True}
FAILURE = {**UNIT, "kind": "error", "message": "ValueError: no", "traceback": "…", "seconds": 0.01, "attempts": 1}
MANIFEST = {
    "schema_version": 1,
    "started": "2026-11-18T02:54:23+00:00",
    "datasets": {
        "m": {"fingerprint": "2b5a", "n_rows": 60, "n_features": 3, "n_splits": 3, "grouped": False,
              "task": "multiclass", "classes": ["a", "b", "c"], "pos_label": None},
    },
    "models": {"nb": {"fingerprint": "8289", "description": "GaussianNB()"}},
    "protocol": PROTOCOL,
    "family": {"protocol": "KFold", "n_splits": 3, "stratify": True, "grouped": None},
    "kind": "k-fold",
    "seed": 3,
    "environment": {"python": "3.11.7", "platform": "Linux", "cores": 2, "packages": {"numpy": "2.4.6"}},
}  # fmt: skip


@pytest.mark.parametrize("body", [PLAIN, TUNED])
def test_units_are_read_and_written_as_before(body):
    written = UnitRecord.from_json(body).to_json()
    assert {name: written[name] for name in body} == body
    assert {written[name] for name in written.keys() - body.keys()} <= {None}  # what later builds added


def test_failures_are_read_and_written_as_before():
    written = FailureRecord.from_json(FAILURE).to_json()
    assert {name: written[name] for name in FAILURE} == FAILURE


def test_manifests_are_read_and_written_as_before():
    written = Manifest.from_json(MANIFEST).to_json()
    models = {m: {name: facts[name] for name in MANIFEST["models"][m]} for m, facts in written["models"].items()}
    assert {**written, "started": MANIFEST["started"], "models": models} == MANIFEST


def test_a_store_has_the_keys_it_always_had(tmp_path):
    weighted = Dataset(X, Y, name="w", sample_weight=[1.0] * 60)
    run({"nb": GaussianNB(), "bad": Raises()}, [weighted, Dataset(X, Y, name="p")], KFold(3), store=tmp_path)
    for dataset, expected in (("w", TUNED), ("p", PLAIN)):
        file = next(tmp_path.glob(f"predictions/dataset={dataset}/model=nb/*.parquet"))
        (unit,) = json.loads(pl.read_parquet_metadata(file)["bakeoff"])["units"]
        assert unit.keys() >= expected.keys()
    assert read_one(tmp_path, "failures/*/*/*.json").keys() >= FAILURE.keys()
    manifest = read_one(tmp_path, "runs/*.json")
    assert set(manifest) >= set(MANIFEST)
    assert set(manifest["datasets"]["w"]) >= set(MANIFEST["datasets"]["m"])


def test_failures_in_memory_are_saved_too(tmp_path):
    in_memory = run({"good": Mean(), "bad": Raises()}, (X, Y), KFold(3))
    in_memory.save(tmp_path / "s")
    kept = Results.open(tmp_path / "s").failures
    assert len(kept) == 3
    assert kept.columns["message"] == in_memory.failures.columns["message"]


def read_one(folder: Path, pattern: str) -> dict:
    return json.loads(next(folder.glob(pattern)).read_text())
