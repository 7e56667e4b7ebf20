"""The store: what is on disk is done; growth, compaction, strangers and conflicts."""

from __future__ import annotations

import json

import pandas as pd
import polars as pl
import pytest
from rows import assert_same_rows
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from troublemakers import Mean, data

from bakeoff import EvidenceError, Experiment, ParameterError, Predictions, Results, run
from bakeoff.protocols import HoldOut, KFold
from bakeoff.runner import Dataset, Store
from bakeoff.runner._compaction import compact, finish
from bakeoff.runner._schema import decode_name, encode_name

X, Y = data()
MODELS = {"mean": Mean(), "nb": GaussianNB()}


def files(root, kind="parquet"):
    return sorted(root.rglob(f"*.{kind}"))


def stamps(root):
    return {p.name: p.stat().st_mtime_ns for p in files(root)}


def test_a_second_run_does_nothing(tmp_path):
    run(MODELS, (X, Y), KFold(4), store=tmp_path / "s")
    before = stamps(tmp_path)
    results = run(MODELS, (X, Y), KFold(4), store=tmp_path / "s")
    assert stamps(tmp_path) == before
    assert len(before) == 8
    assert not list((tmp_path / "s" / "tmp").iterdir())
    assert results.status.columns["done"] == [4, 4]


@pytest.mark.parametrize(
    ("models", "datasets", "protocol", "more"),
    [
        ({**MODELS, "tree": DecisionTreeClassifier()}, {"d": (X, Y)}, KFold(4), 4),
        (MODELS, {"d": (X, Y), "e": data(80, seed=2)}, KFold(4), 8),
        (MODELS, {"d": (X, Y)}, KFold(4, repeats=3), 16),
    ],
    ids=["a model", "a data set", "repeats"],
)
def test_growth_reuses_everything_already_computed(tmp_path, models, datasets, protocol, more):
    run(MODELS, {"d": (X, Y)}, KFold(4), store=tmp_path / "s")
    before = stamps(tmp_path)
    results = run(models, datasets, protocol, store=tmp_path / "s")
    after = stamps(tmp_path)
    assert {k: after[k] for k in before} == before
    assert len(after) == len(before) + more
    assert_same_rows(results, run(models, datasets, protocol))


def test_files_are_readable_by_others_and_say_what_they_are(tmp_path):
    run(MODELS, {"a/b c": Dataset(X, Y, name="a/b c")}, HoldOut(), store=tmp_path / "s")
    folder = tmp_path / "s" / "predictions"
    frame = pl.read_parquet(folder / "**/*.parquet", hive_partitioning=True)
    assert set(frame["model"]) == {"mean", "nb"}
    assert {"repeat", "fold", "instance", "y_true", "y_pred", "y_score"} <= set(frame.columns)
    assert set(pd.read_parquet(folder)["model"]) == {"mean", "nb"}
    path = next(p for p in files(folder) if "model=nb" in str(p))
    assert path.parent.parent.name == "dataset=a%2Fb%20c"
    (entry,) = json.loads(pl.read_parquet_metadata(path)["bakeoff"])["units"]
    assert entry["key"] == path.stem
    assert (entry["task"], entry["classes"], entry["pos_label"], entry["n_train"], entry["n_test"]) == (
        "binary", [0, 1], 1, 40, 20,
    )  # fmt: skip
    assert entry["protocol_description"]["protocol"] == "HoldOut"
    assert entry["fit_time"] > 0
    manifest = json.loads(next((tmp_path / "s" / "runs").iterdir()).read_text())
    assert manifest["environment"]["packages"]["numpy"]
    assert Predictions.read(tmp_path / "s").models == ("mean", "nb")


@pytest.mark.parametrize("name", ["plain", "a/b", "..", ".hidden", "x=y", "ñandú 🐦", "100%", "nul\x00byte"])
def test_any_name_is_a_safe_folder(name):
    folder = encode_name(name)
    assert "/" not in folder
    assert not folder.startswith(".")
    assert "\x00" not in folder
    assert decode_name(f"dataset={folder}") == name


def test_compaction_keeps_every_row_and_a_later_run_knows_it(tmp_path):
    experiment = Experiment(MODELS, {"d": (X, Y)}, KFold(4, repeats=2))
    results = experiment.run(tmp_path / "s")
    expected = experiment.run()
    assert results.compact() == 14
    assert len(files(tmp_path)) == 2
    reopened = Results.open(tmp_path / "s")
    assert_same_rows(expected, reopened)
    assert reopened.status.columns["done"] == [8, 8]
    more = run(MODELS, {"d": (X, Y)}, KFold(4, repeats=3), store=tmp_path / "s")
    assert len(files(tmp_path)) == 2 + 8
    assert more.compact() == 8
    assert_same_rows(run(MODELS, {"d": (X, Y)}, KFold(4, repeats=3)), Results.open(tmp_path / "s"))


def test_a_compaction_cut_off_before_it_removed_the_small_files_is_finished_later(tmp_path):
    experiment = Experiment(MODELS, {"d": (X, Y)}, KFold(4))
    experiment.run(tmp_path / "s")
    small = {p: p.read_bytes() for p in files(tmp_path)}
    compact(Store(tmp_path / "s"))
    first_compacted = {p: p.read_bytes() for p in files(tmp_path)}
    for path, content in list(small.items())[:5]:
        path.write_bytes(content)
    assert finish(Store(tmp_path / "s")) == 5
    run(MODELS, {"d": (X, Y)}, KFold(4, repeats=2), store=tmp_path / "s").compact()
    for path, content in first_compacted.items():
        path.write_bytes(content)
    reopened = Results.open(tmp_path / "s")
    assert len(files(tmp_path)) == 2
    assert_same_rows(run(MODELS, {"d": (X, Y)}, KFold(4, repeats=2)), reopened)


def test_some_units_of_a_compacted_file_can_be_read(tmp_path):
    results = run(MODELS, {"d": (X, Y)}, KFold(4), store=tmp_path / "s")
    results.compact()
    records = [r for r in results.store.records() if r.model == "nb" and r.fold in (1, 3)]
    assert set(results.store.scan(records).collect()["fold"]) == {1, 3}


def test_another_plan_is_refused_with_the_reason(tmp_path):
    store = tmp_path / "s"
    run({"tree": DecisionTreeClassifier(max_depth=2)}, {"d": (X, Y)}, KFold(4), store=store)
    with pytest.raises(EvidenceError, match=r"model named 'tree' that is not this one \(stored: .*max_depth=2.*drop"):
        run({"tree": DecisionTreeClassifier(max_depth=3)}, {"d": (X, Y)}, KFold(4), store=store)
    with pytest.raises(EvidenceError, match=r"data set named 'd' that is not this one \(stored: 60 × 3; now: 50 × 3; "):
        run(MODELS, {"d": (X[:50], Y[:50])}, KFold(4), store=store)
    with pytest.raises(EvidenceError, match=r"protocol KFold\(n_splits=4, .*, but this run has KFold\(n_splits=5"):
        run(MODELS, {"d": (X, Y)}, KFold(5), store=store)
    with pytest.raises(EvidenceError, match=r"made with seed 0, but this run has seed 1. Hint: give seed=0"):
        run(MODELS, {"d": (X, Y)}, KFold(4), store=store, seed=1)
    Results.open(store).drop(models="tree")
    results = run({"tree": DecisionTreeClassifier(max_depth=3)}, {"d": (X, Y)}, KFold(4), store=store)
    assert results.status.columns["done"] == [4]


def test_a_changed_class_of_the_users_own_is_another_model(tmp_path):
    source = (
        "class M:\n    def fit(self, X, y):\n        pass\n    def predict(self, X):\n        return [{}] * len(X)\n"
    )
    made = {}
    for answer in (0, 1):
        space = {"__name__": "__main__"}
        exec(source.format(answer), space)
        made[answer] = space["M"]()
    run({"m": made[0]}, (X, Y), HoldOut(), store=tmp_path / "s")
    with pytest.raises(EvidenceError, match="model named 'm' that is not this one"):
        run({"m": made[1]}, (X, Y), HoldOut(), store=tmp_path / "s")


def test_strange_folders_are_refused(tmp_path):
    with pytest.raises(EvidenceError, match="there is no store"):
        Results.open(tmp_path / "nowhere")
    with pytest.raises(EvidenceError, match=r"is not a bakeoff store: it has no store.json"):
        Results.open(tmp_path)
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(EvidenceError, match="is not empty and not a bakeoff store"):
        run(MODELS, (X, Y), HoldOut(), store=tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["notes.txt"]


def test_a_newer_schema_is_refused(tmp_path):
    run(MODELS, (X, Y), HoldOut(), store=tmp_path / "s")
    path = tmp_path / "s" / "store.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "schema_version": 99}))
    for action in (lambda: Results.open(tmp_path / "s"), lambda: run(MODELS, (X, Y), HoldOut(), store=tmp_path / "s")):
        with pytest.raises(EvidenceError, match=r"schema version 99, but this bakeoff reads up to 1. Hint: .*upgrade"):
            action()


def test_nothing_in_a_store_is_unpickled(tmp_path, monkeypatch):
    run(MODELS, (X, Y), KFold(3), store=tmp_path / "s")
    monkeypatch.setattr("pickle.loads", lambda *a: pytest.fail("a pickle was read"))
    monkeypatch.setattr("pickle.load", lambda *a: pytest.fail("a pickle was read"))
    results = Results.open(tmp_path / "s")
    assert results.predictions().n == 60
    assert not list(tmp_path.rglob("*.pkl"))


@pytest.mark.parametrize("name", ["n" * 300, "数据" * 20])
def test_a_name_too_long_for_a_folder_is_refused_before_anything_is_written(tmp_path, name):
    with pytest.raises(ParameterError, match="too long for a folder of the store"):
        run({"mean": Mean()}, {name: (X, Y)}, KFold(4), store=tmp_path / "s")
    assert not files(tmp_path, "*")
    assert run({"mean": Mean()}, {name: (X, Y)}, KFold(4)).datasets == (name,)


def test_a_file_is_not_a_store(tmp_path):
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    with pytest.raises(EvidenceError, match="must be a folder, but it is a file"):
        run(MODELS, (X, Y), KFold(4), store=tmp_path / "table.csv")
