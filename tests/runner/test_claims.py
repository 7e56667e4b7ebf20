"""Two runs at once never mix: the first to claim a name decides what it means."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from rows import assert_same_rows
from troublemakers import Mean, data

from bakeoff import BakeoffWarning, EvidenceError, Experiment, Results, run
from bakeoff.protocols import HoldOut, KFold
from bakeoff.runner import Store
from bakeoff.runner._files import HOST, read_json

RACE = textwrap.dedent("""
    import sys, time
    sys.path.insert(0, {folder!r})
    from troublemakers import Mean, data
    from bakeoff import BakeoffError, Experiment
    from bakeoff.protocols import KFold
    mine = Experiment({{"m": Mean(int(sys.argv[2]), 0.02)}}, {{"d": data(40)}}, KFold(4))
    print("ready", flush=True)
    sys.stdin.readline()
    try:
        mine.run(sys.argv[1], progress=False)
        print("done")
    except BakeoffError as problem:
        print(problem)
""").format(folder=str(Path(__file__).parent))


def race(store, *features):
    """Start runs that mean these features by one name, let them go at the same moment, and return what they say."""
    both = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(store), str(f)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for f in features
    ]
    for one in both:
        assert one.stdout.readline() == "ready\n"
    for one in both:
        one.stdin.write("go\n")
        one.stdin.flush()
    return [one.communicate(timeout=60)[0].strip() for one in both]


def check_race(store):
    told = race(store, 0, 1)
    assert sum(t == "done" for t in told) == 1, told
    (refusal,) = [t for t in told if t != "done"]
    assert "model named 'm' that is not this one" in refusal
    assert "; fingerprints " in refusal
    winner = told.index("done")
    assert_same_rows(run({"m": Mean(winner, 0.02)}, {"d": data(40)}, KFold(4)), Results.open(store))


def test_of_two_meanings_at_once_one_is_refused_and_nothing_mixes(tmp_path):
    for i in range(2):
        check_race(tmp_path / f"s{i}")


def test_a_store_that_is_born_while_it_is_looked_at_is_a_store(tmp_path, monkeypatch):
    from bakeoff.runner import _store

    mine = Experiment({"m": Mean(0)}, {"d": data(40)}, KFold(4))
    looked = _store.rebuilt_header

    def born_meanwhile(store):
        monkeypatch.setattr(_store, "rebuilt_header", looked)
        mine.run(store.root, progress=False)
        # None: this run looked before the other wrote anything

    (tmp_path / "s").mkdir()
    monkeypatch.setattr(_store, "rebuilt_header", born_meanwhile)
    assert_same_rows(mine.run(tmp_path / "s", progress=False), Results.open(tmp_path / "s"))


@pytest.mark.slow
@pytest.mark.parametrize("time", range(50))
def test_fifty_races(tmp_path, time):
    check_race(tmp_path / "s")


def test_equal_runs_at_once_share_the_work(tmp_path):
    assert race(tmp_path / "s", 1, 1) == ["done", "done"]
    assert_same_rows(run({"m": Mean(1, 0.02)}, {"d": data(40)}, KFold(4)), Results.open(tmp_path / "s"))


def claimed(store, pid, host=HOST):
    path = store / "claims" / "model=m.json"
    path.write_text(json.dumps({**read_json(path), "pid": pid, "host": host}))


def test_a_damaged_claim_binds_nobody(tmp_path):
    run({"m": Mean()}, data(), HoldOut(), store=tmp_path / "s")
    path = tmp_path / "s" / "claims" / "model=m.json"
    path.write_text(path.read_text().replace(read_json(path)["fingerprint"], "0" * 32))
    with pytest.warns(BakeoffWarning, match="set aside"):
        again = run({"m": Mean()}, data(), HoldOut(), store=tmp_path / "s")
    assert again.status.columns["done"] == [1]


def test_a_claim_binds_while_its_run_goes_on_and_then_by_what_it_stored(tmp_path):
    store, parent = tmp_path / "s", os.getppid()
    Store(store).register(Experiment({"m": Mean()}, data(), HoldOut()).manifest())
    claimed(store, parent)
    with pytest.raises(EvidenceError, match="is being filled by another run with results of a model named 'm'"):
        run({"m": Mean(1)}, data(), HoldOut(), store=store)
    assert len(list((store / "runs").iterdir())) == 1, "a refused run leaves no manifest"
    claimed(store, 2**22 + 1)  # no process has this number: the run died before it stored anything
    run({"m": Mean(1)}, data(), HoldOut(), store=store)
    with pytest.raises(EvidenceError, match="already has results of a model named 'm'"):
        run({"m": Mean()}, data(), HoldOut(), store=store)
    Results.open(store).drop(models="m")
    assert len(run({"m": Mean()}, data(), HoldOut(), store=store).failures) == 0


def test_a_refused_run_gives_its_claims_back(tmp_path):
    store = tmp_path / "s"
    Store(store).register(Experiment({"m": Mean()}, data(), HoldOut()).manifest())
    claimed(store, os.getppid())
    with pytest.raises(EvidenceError, match="model named 'm'"):
        run({"a": Mean(), "m": Mean(1)}, data(), HoldOut(), store=store)
    assert not (store / "claims" / "model=a.json").exists()


def test_the_store_stays_where_it_is_when_the_folder_changes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store("s")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert store.root == tmp_path / "s"
    assert repr(store) == "Store('s')"
