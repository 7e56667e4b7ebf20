"""kill -9, killed workers, two runs at once, a full disk: at most the unit in flight is lost."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import crashes
import polars as pl
import pytest
from rows import assert_same_rows
from troublemakers import Mean, data

from bakeoff import Experiment, Results
from bakeoff.protocols import KFold
from bakeoff.runner import StoreError, _files

SCRIPT = Path(__file__).parent / "crashes.py"
needs_proc = pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for processes in /proc")


def crash(task: str, store: Path, n_jobs: int = 1, seed: int = 7, kills: int = 20) -> dict:
    command = [sys.executable, str(SCRIPT), task, str(store), str(n_jobs), str(seed), str(kills)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def workers_of(pids: list[int]) -> list[int]:
    """Worker processes started by any of these runs that are still there."""
    marks = [f"main({pid})" for pid in pids]
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes().decode()
        except (OSError, UnicodeDecodeError):
            continue
        if "_engines._worker" in line and any(mark in line for mark in marks):
            found.append(int(entry.name))
    return found


def check_resumed(store: Path, repeats: int) -> None:
    for path in store.rglob("*.parquet"):
        pl.read_parquet(path)  # every file is whole
    before = {p.name: p.read_bytes() for p in store.rglob("*.parquet")}
    resumed = crashes.experiment(repeats).run(store)
    after = {p.name: p.read_bytes() for p in store.rglob("*.parquet")}
    assert {name: after[name] for name in before} == before, "nothing done is done again"
    assert sum(resumed.status.columns["missing"]) == 0
    assert not list((store / "tmp").iterdir()), "leftovers are swept"
    assert_same_rows(crashes.experiment(repeats).run(), Results.open(store))


def test_twenty_kills_at_random_moments_then_resume(tmp_path):
    told = crash("killed", tmp_path / "s")
    assert told["hit"] == 20, f"only {told['hit']} runs were killed before they ended"
    assert len(set(told["progress"])) > 10, "the kills came while work was being stored"
    check_resumed(tmp_path / "s", crashes.REPEATS)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_a_hundred_more_kills(tmp_path, seed):
    told = crash("killed", tmp_path / "s", seed=seed)
    more = crash("killed", tmp_path / "s", n_jobs=2, seed=seed, kills=3)
    print(f"{told['hit']} serial runs and {more['hit']} runs with workers killed")
    check_resumed(tmp_path / "s", crashes.REPEATS)


def check_workers_killed(store, seed, kills):
    told = crash("workers", store, seed=seed, kills=kills)
    print(f"{told['hit']} workers killed")
    assert told["status"] == 0
    assert told["hit"] > kills / 2
    crashes.experiment(crashes.REPEATS).run(store, retry_failures=True)  # a unit that lost three workers is recorded
    check_resumed(store, crashes.REPEATS)


@needs_proc
def test_killed_workers_cost_nothing(tmp_path):
    check_workers_killed(tmp_path / "s", 3, 4)


@needs_proc
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_thirty_killed_workers(tmp_path, seed):
    check_workers_killed(tmp_path / "s", seed, 10)


def check_cluster_killed(store, kills):
    told = crash("dask", store, kills=kills)
    print(f"{told['workers']} Dask workers and {told['schedulers']} schedulers killed; the runs ended with", told)
    assert 7 in told["statuses"], "it said that the scheduler does not answer"
    assert set(told["statuses"]) <= {0, 7}, "the others were done before their scheduler was killed"
    check_resumed(store, crashes.REPEATS)


@needs_proc
@pytest.mark.cluster
def test_a_killed_scheduler_is_told_and_the_rest_is_done_by_the_next_run(tmp_path):
    check_cluster_killed(tmp_path / "s", 1)


@needs_proc
@pytest.mark.cluster
@pytest.mark.slow
def test_five_killed_schedulers_and_ten_workers(tmp_path):
    check_cluster_killed(tmp_path / "s", 5)


@needs_proc
def test_kills_of_a_run_with_workers_leave_no_orphan(tmp_path):
    told = crash("killed", tmp_path / "s", n_jobs=2, kills=1)
    assert told["hit"] == 1
    patience = time.monotonic() + 10
    while workers_of(told["pids"]) and time.monotonic() < patience:
        time.sleep(0.1)
    assert workers_of(told["pids"]) == []
    check_resumed(tmp_path / "s", crashes.REPEATS)


def test_two_runs_on_one_store_at_the_same_time(tmp_path):
    told = crash("together", tmp_path / "s")
    assert told["statuses"] == [0, 0]
    check_resumed(tmp_path / "s", 10)


def small_experiment() -> Experiment:
    return Experiment({"a": Mean(), "b": Mean(1)}, {"d": data(40)}, KFold(5, repeats=20))


def test_a_disk_that_fills_up_stops_the_run_and_loses_nothing(tmp_path, monkeypatch):
    real, left = _files._write_and_sync, [60]

    def full(path, content):
        left[0] -= 1
        if left[0] < 0:
            path.write_bytes(content[: len(content) // 2])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, content)

    monkeypatch.setattr(_files, "_write_and_sync", full)
    with pytest.raises(
        StoreError, match=r"could not be written: No space left on device. Hint: what was finished is safe"
    ):
        small_experiment().run(tmp_path / "s")
    monkeypatch.undo()
    stored = len(list((tmp_path / "s").rglob("*.parquet")))
    assert 50 <= stored < 60
    assert not list((tmp_path / "s" / "tmp").iterdir())
    assert_same_rows(small_experiment().run(), small_experiment().run(tmp_path / "s"))


def test_a_finished_store_that_can_only_be_read_is_run_again_for_its_results(tmp_path, monkeypatch):
    before = small_experiment().run(tmp_path / "s")

    def refuse(path, content):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))

    monkeypatch.setattr(_files, "_write_and_sync", refuse)
    assert_same_rows(before, small_experiment().run(tmp_path / "s"))
    more = Experiment({"a": Mean(), "b": Mean(1), "c": Mean(2)}, {"d": data(40)}, KFold(5, repeats=20))
    with pytest.raises(StoreError, match="could not be written: Read-only file system"):
        more.run(tmp_path / "s")


def test_a_real_small_disk_that_fills_up(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mounted.returncode:
        pytest.skip(f"mounting a small tmpfs is not permitted here: {mounted.stderr.strip()}")
    try:
        with pytest.raises(StoreError, match="No space left on device"):
            small_experiment().run(disk / "s")
        assert 10 < len(list(disk.rglob("*.parquet"))) < 200
        subprocess.run(["mount", "-o", "remount,size=20m", str(disk)], check=True)
        assert_same_rows(small_experiment().run(), small_experiment().run(disk / "s"))
    finally:
        subprocess.run(["umount", str(disk)], check=True)
