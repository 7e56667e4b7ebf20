"""Damage is found, named, set aside and done again; it never changes a score unseen."""

from __future__ import annotations

import json
import os
import random
import shutil
import warnings
from pathlib import Path

import polars as pl
import pytest
from rows import assert_same_rows
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from troublemakers import Mean, data

from bakeoff import BakeoffError, BakeoffWarning, EvidenceError, Predictions, Results, evaluate, run
from bakeoff.cli._app import run as bakeoff
from bakeoff.evidence import seals
from bakeoff.protocols import KFold
from bakeoff.runner import Store

X, Y = data(80)
MODELS = {"nb": GaussianNB(), "lr": LogisticRegression()}
MEASURES = ["accuracy", "auc", "log_loss"]


def make(folder):
    return run(MODELS, {"d": (X, Y)}, KFold(4), store=folder, progress=False)


def figures(evaluation):
    return [evaluation[m, k].estimate for m in MODELS for k in MEASURES]


def units(folder):
    return sorted(folder.glob("predictions/*/*/*.parquet"))


def look(store, good):
    """What a reader of the store sees: the good figures, a refusal, or another figure."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", BakeoffWarning)
            seen = figures(Results.open(store).evaluate(MEASURES, rng=0))
            read = figures(evaluate(Predictions.read(store), MEASURES, rng=0))
    except BakeoffError as problem:
        return "refused" if ".parquet'" in str(problem) else str(problem)
    return "same" if seen == read == good else "changed"


def damage(store, good, flips, truncations, seed=0):
    """Do damage to copies of one file at a time; count what a reader sees."""
    r, told = random.Random(seed), {"flip": [], "truncate": []}
    for kind, times in (("flip", flips), ("truncate", truncations)):
        for _ in range(times):
            file = r.choice(units(store))
            raw = file.read_bytes()
            at = r.randrange(len(raw))
            bad = bytearray(raw)
            bad[at] ^= 1 << r.randrange(8)
            file.write_bytes(bytes(bad) if kind == "flip" else raw[:at])
            told[kind].append(look(store, good))
            file.write_bytes(raw)
    return told


def check_damage(tmp_path, flips, truncations, seed=0):
    good = figures(make(tmp_path / "s").evaluate(MEASURES, rng=0))
    told = damage(tmp_path / "s", good, flips, truncations, seed)
    print({kind: {w: seen.count(w) for w in sorted(set(seen))} for kind, seen in told.items()})
    assert "changed" not in told["flip"] + told["truncate"]
    assert told["flip"].count("refused") > 0.9 * flips
    assert told["truncate"].count("refused") == truncations


def test_a_flipped_bit_or_a_missing_end_is_refused_by_name(tmp_path):
    check_damage(tmp_path, 20, 10)


@pytest.mark.slow
def test_four_hundred_flips_and_two_hundred_truncations(tmp_path):
    check_damage(tmp_path, 400, 200, seed=1)


def flip(path, at=None):
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 3 if at is None else at] ^= 4
    path.write_bytes(bytes(raw))


def test_the_next_run_sets_damage_aside_and_does_it_again(tmp_path):
    store = tmp_path / "s"
    make(store)
    before = {p.name: p.read_bytes() for p in units(store)}
    bad = units(store)[2]
    flip(bad)
    with pytest.warns(BakeoffWarning, match="1 damaged files of the store were set aside"):
        again = make(store)
    assert (store / "damaged" / bad.relative_to(store)).is_file()
    after = {p.name: p.read_bytes() for p in units(store)}
    assert after.keys() == before.keys()
    assert {n for n in before if before[n] != after[n]} == {bad.name}, "only the damaged unit was done again"
    assert_same_rows(run(MODELS, {"d": (X, Y)}, KFold(4), progress=False), again)


def test_verify_names_every_file(tmp_path):
    results = make(tmp_path / "s")
    table = results.verify()
    assert list(table.columns) == ["unit", "status", "reason"]
    assert set(table.columns["status"]) == {"sound"}
    bad = units(tmp_path / "s")[0]
    flip(bad)
    table = results.verify()
    (found,) = [i for i, s in enumerate(table.columns["status"]) if s == "damaged"]
    assert table.columns["unit"][found] == bad.relative_to(tmp_path / "s").as_posix()
    assert table.columns["reason"][found] == "its content does not match its checksum"


def swap(a, b):
    first, second = a.read_bytes(), b.read_bytes()
    a.write_bytes(second)
    b.write_bytes(first)


# What is done to the first and the last unit of a store: these are of different models.
MOVES = {
    "swapped": swap,
    "moved": lambda a, b: a.rename(b.parent / a.name),
    "copied to another key": lambda a, b: shutil.copy(a, a.with_name("f" * 32 + ".parquet")),
    "copied to another model": lambda a, b: shutil.copy(a, b.parent / a.name),
    "a link to nowhere": lambda a, b: a.with_name("x.parquet").symlink_to("nowhere"),
    "a link to itself": lambda a, b: a.with_name("x.parquet").symlink_to("x.parquet"),
}


@pytest.mark.parametrize("move", MOVES)
def test_a_unit_that_is_not_in_its_place_is_damage(tmp_path, move):
    store = tmp_path / "s"
    good = figures(make(store).evaluate(MEASURES, rng=0))
    files = units(store)
    MOVES[move](files[0], files[-1])
    assert 1 <= Results.open(store).verify().total("damaged") <= 2
    for action in (lambda: Results.open(store).evaluate(MEASURES, rng=0), lambda: Results.open(store).compact()):
        with pytest.raises(EvidenceError, match="is damaged: "):
            action()
    with pytest.warns(BakeoffWarning, match="set aside"):
        make(store)
    assert look(store, good) == "same"
    Results.open(store).compact()
    assert look(store, good) == "same"


def unseal(store):
    """Make the files as they were before there were seals."""
    for path in units(store):
        body = json.loads(pl.read_parquet_metadata(path)["bakeoff"])
        del body["checksum"]
        pl.read_parquet(path, hive_partitioning=False).write_parquet(path, metadata={"bakeoff": json.dumps(body)})
    shutil.rmtree(store / "claims")
    for path in (store / "runs").iterdir():
        body = json.loads(path.read_text())
        path.write_text(json.dumps({k: v for k, v in body.items() if k != "checksum"}))


def test_a_store_of_before_is_read_and_called_unverified(tmp_path):
    good = figures(make(tmp_path / "s").evaluate(MEASURES, rng=0))
    unseal(tmp_path / "s")
    assert look(tmp_path / "s", good) == "same"
    verified = Results.open(tmp_path / "s").verify()
    assert (verified.total("unverified"), verified.total("damaged")) == (8, 0)
    before = [p.stat().st_mtime_ns for p in units(tmp_path / "s")]
    make(tmp_path / "s")
    assert [p.stat().st_mtime_ns for p in units(tmp_path / "s")] == before


def test_compacted_files_are_sealed_too(tmp_path):
    good = figures(make(tmp_path / "s").evaluate(MEASURES, rng=0))
    Results.open(tmp_path / "s").compact()
    assert {seals.examine(p)[0] for p in units(tmp_path / "s")} == {"sound"}
    assert look(tmp_path / "s", good) == "same"
    flip(units(tmp_path / "s")[0])
    assert look(tmp_path / "s", good) == "refused"
    with pytest.warns(BakeoffWarning, match="set aside"):
        make(tmp_path / "s")
    assert look(tmp_path / "s", good) == "same"


def test_a_compaction_that_was_cut_off_is_counted_once_by_every_reader(tmp_path):
    store = tmp_path / "s"
    good = figures(make(store).evaluate(MEASURES, rng=0))
    small = {p: p.read_bytes() for p in units(store)}
    Results.open(store).compact()
    for path, content in small.items():
        path.write_bytes(content)
    assert len(units(store)) == 10
    rows = Predictions.read(store)
    assert (figures(evaluate(rows, MEASURES, rng=0)), rows.n) == (good, 80)
    assert len(units(store)) == 10, "reading removes nothing"
    assert Results.open(store).status.columns["done"] == [4, 4]
    assert len(units(store)) == 2


@pytest.mark.parametrize("models", [("nb",), ("lr",), ("nb", "lr")], ids=" ".join)
def test_a_unit_that_is_gone_is_said(tmp_path, models):
    make(tmp_path / "s")
    for model in models:
        some = [p for p in units(tmp_path / "s") if p.parent.name == f"model={model}"]
        (gone,) = [p for p in some if pl.read_parquet(p, hive_partitioning=False)["fold"][0] == 1]
        gone.unlink()
    results = Results.open(tmp_path / "s")
    what = "has results on 3 of 4"
    for ask in (results.predictions, lambda: results.evaluate("accuracy"), lambda: results.compare("accuracy")):
        with pytest.warns(BakeoffWarning) as told:
            ask()
        assert any(what in str(w.message) or "no result on 1 of 4" in str(w.message) for w in told)


DAMAGED_JSON = [b"{", b"[]", b"null", b'"x"', b"", b"\xff\xfe", b"[" * 100_000, b'{"a": 1}']


@pytest.mark.parametrize("content", DAMAGED_JSON, ids=[c[:9].decode(errors="replace") for c in DAMAGED_JSON])
@pytest.mark.parametrize("which", ["runs", "store.json", "both"])
def test_damaged_metadata_is_rebuilt_from_units(tmp_path, which, content):
    store = tmp_path / "s"
    good = figures(make(store).evaluate(MEASURES, rng=0))
    for path in [*(store / "runs").iterdir()] if which != "store.json" else []:
        path.write_bytes(content)
    if which != "runs":
        (store / "store.json").write_bytes(content)
    assert Results.open(store).status.columns["done"] == [4, 4]
    assert look(store, good) == "same"
    before = {p: p.stat().st_mtime_ns for p in units(store)}
    with pytest.warns(BakeoffWarning, match="set aside"):
        make(store)
    assert {p: p.stat().st_mtime_ns for p in units(store)} == before, "whole units are not done again"
    assert set(Results.open(store).verify().columns["status"]) == {"sound"}
    assert look(store, good) == "same"


@pytest.mark.parametrize("gone", ["store.json", "runs"])
def test_missing_metadata_is_rebuilt_from_units(tmp_path, gone):
    store = tmp_path / "s"
    good = figures(make(store).evaluate(MEASURES, rng=0))
    path = store / gone
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert look(store, good) == "same"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", BakeoffWarning)
        make(store)
    assert path.exists()
    with pytest.raises(EvidenceError, match="seed"):
        run(MODELS, {"d": (X, Y)}, KFold(4), store=store, seed=1)


def test_a_pipe_in_place_of_the_header_does_not_hang(tmp_path):
    make(tmp_path / "s")
    (tmp_path / "s" / "store.json").unlink()
    os.mkfifo(tmp_path / "s" / "store.json")
    assert Results.open(tmp_path / "s").status.columns["done"] == [4, 4]


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as stop:
        bakeoff([str(a) for a in arguments])
    out = capsys.readouterr()
    return stop.value.code, out.out, out.err


def test_the_store_commands(tmp_path, capsys):
    store = tmp_path / "s"
    make(store)
    code, out, _ = call(capsys, "store", "verify", store)
    assert (code, "are sound, 0 have no checksum, 0 are damaged." in out) == (0, True)
    bad = units(store)[0]
    flip(bad)
    code, out, _ = call(capsys, "store", "verify", store)
    assert (code, bad.name in out) == (1, True)
    code, out, _ = call(capsys, "store", "verify", store, "--json")
    assert (code, json.loads(out)["columns"]["status"].count("damaged")) == (1, 1)
    code, out, _ = call(capsys, "store", "repair", store)
    assert (code, bad.exists(), "the next run" in out) == (1, False, True)
    assert call(capsys, "store", "repair", store)[0] == 0
    code, out, _ = call(capsys, "store", "list", store, "--json")
    assert json.loads(out)["columns"]["done"] == [4, 3] or json.loads(out)["columns"]["done"] == [3, 4]
    make(store)
    assert json.loads(call(capsys, "store", "compact", store, "--json")[1])["fewer"] == 6
    code, out, _ = call(capsys, "store", "drop", store, "--model", "nb")
    assert (code, out.strip()) == (0, "4 units were removed.")
    assert Results.open(store).models == ("lr",)
    assert call(capsys, "store", "drop", store)[0] == 2
    assert call(capsys, "store", "verify", tmp_path / "none")[0] == 2


def test_a_damaged_failure_is_named_and_done_again(tmp_path):
    from troublemakers import Raises

    run({"bad": Raises(), "m": Mean()}, (X, Y), KFold(3), store=tmp_path / "s")
    path = Store(tmp_path / "s").failure_files()[0]
    path.write_text(path.read_text().replace("by design", "by chance"))
    with pytest.raises(EvidenceError, match="is damaged: its content does not match its checksum"):
        _ = Results.open(tmp_path / "s").failures
    with pytest.warns(BakeoffWarning, match="set aside"):
        again = run({"bad": Raises(), "m": Mean()}, (X, Y), KFold(3), store=tmp_path / "s")
    assert len(again.failures) == 3


def test_an_unexpected_exception_is_status_3_with_one_sentence_and_the_details_in_a_file(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    for problem in (ZeroDivisionError("nobody\nthought of it"), MemoryError("1 TiB")):
        monkeypatch.setattr("bakeoff.runner.Results.open", lambda *a, p=problem: (_ for _ in ()).throw(p))
        code, out, err = call(capsys, "store", "list", tmp_path)
        assert (code, out) == (3, "")
        assert len(err.splitlines()) == 2
        details = err.rpartition("details are in ")[2].strip()
        assert "Traceback" in Path(details).read_text()
