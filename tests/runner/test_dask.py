"""A Dask cluster of two worker processes: the same bits, lost workers survived, time limits kept."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import suppress

import pytest
import troublemakers as tm
from rows import assert_same_rows
from sklearn.ensemble import RandomForestClassifier
from troublemakers import Mean, Random, data

from bakeoff import BakeoffError, Experiment
from bakeoff.protocols import HoldOut, KFold

distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")

# Dask warns about its own dependencies and ports; that is not what is tested here.
pytestmark = [pytest.mark.cluster, pytest.mark.filterwarnings("ignore")]

X, Y = data()


@pytest.fixture(scope="module")
def client():
    import dask

    with dask.config.set({"distributed.worker.daemon": False}):
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with distributed.Client(cluster, set_as_default=False) as client:
            yield client
        with suppress(KeyError):  # Dask looks for a worker that a test has killed in a list it is off already
            cluster.close()


def test_a_cluster_gives_the_bits_of_the_serial_engine(client, tmp_path):
    # Python's global `random` is out: Dask's own threads draw from it in the same process, whenever they like.
    models = {"mean": Mean(), "random": Random(python=False), "forest": RandomForestClassifier(5)}
    experiment = Experiment(models, {"d": (X, Y), "e": data(45, seed=4, classes=3)}, KFold(4))
    serial = experiment.run()
    by_client = experiment.run(tmp_path / "a", engine=client)
    assert len(by_client.failures) == 0
    assert_same_rows(serial, by_client)
    by_address = experiment.run(tmp_path / "b", engine=client.scheduler.address)
    assert_same_rows(serial, by_address)


@pytest.mark.parametrize("victims", [1, 2], ids=["one worker", "all workers"])
def test_workers_killed_in_the_middle_lose_nothing(client, tmp_path, victims):
    client.wait_for_workers(2)
    experiment = Experiment({"a": Mean(0, 0.05), "b": Mean(1, 0.05)}, (X, Y), KFold(10, repeats=3))
    pids = list(client.run(os.getpid).values())

    def kill():
        while len(list((tmp_path / "s").glob("predictions/*/*/*.parquet"))) < 5:
            time.sleep(0.01)
        for pid in pids[:victims]:
            os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    results = experiment.run(tmp_path / "s", engine=client)
    killer.join()
    assert len(results.failures) == 0
    assert_same_rows(Experiment({"a": Mean(), "b": Mean(1)}, (X, Y), KFold(10, repeats=3)).run(), results)


def test_failures_and_time_limits_come_back_as_data(client):
    models = {"good": Mean(), "raises": tm.Raises(), "hangs": tm.Hangs()}
    results = Experiment(models, (X, Y), HoldOut()).run(engine=client, time_limit=4)
    told = dict(zip(results.failures.columns["model"], results.failures.columns["kind"], strict=True))
    assert told == {"raises": "error", "hangs": "timeout"}
    assert sum(results.status.columns["done"]) == 1


def test_a_model_that_ends_its_process_costs_its_own_unit(client, tmp_path):
    models = {"good": Mean(), "bad": tm.Misbehaves("segfault"), "worse": tm.Misbehaves("os._exit"), "last": Mean(1)}
    results = Experiment(models, (X, Y), HoldOut()).run(tmp_path / "s", engine=client)
    told = dict(zip(results.failures.columns["model"], results.failures.columns["kind"], strict=True))
    assert told == {"bad": "worker-died", "worse": "worker-died"}
    assert results.status.columns["done"] == [1, 0, 0, 1]


def test_no_scheduler_is_an_error_with_a_hint(monkeypatch):
    monkeypatch.setattr("bakeoff.runner._engines._dask._PATIENCE", "0.5s")
    with pytest.raises(BakeoffError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
        Experiment(Mean(), (X, Y), HoldOut()).run(engine="tcp://127.0.0.1:9")


def test_counts_are_computed_where_the_files_are_and_merged(client, tmp_path):
    results = Experiment({"a": Mean(), "b": Mean(1)}, (X, Y), KFold(5, repeats=4)).run(tmp_path / "s")
    here, there = results.counts(), results.counts(engine=client)
    assert all((here[pair].cells == there[pair].cells).all() for pair in here)
    tally = results.counts("tally", engine=client)["data", "a"]
    assert tally.n_positive + tally.n_negative == 4 * 60
    assert (results.scores("auc", engine=client).matrix() == results.scores("auc").matrix()).all()
