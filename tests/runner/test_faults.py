"""Models that crash, exit, hang, print or change the folder are recorded failures on every engine, or do no harm."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from rows import assert_same_rows
from troublemakers import Mean, Misbehaves, Notices, data

from bakeoff import Experiment, ParameterError, Results, run
from bakeoff.protocols import HoldOut, KFold

X, Y = data()
HARMFUL = {"segfault": "worker-died", "os._exit": "worker-died", "sys.exit": "error", "keyboard": "error"}
HARMLESS = ("print", "chdir")


def experiment():
    bad = {how: Misbehaves(how) for how in (*HARMFUL, *HARMLESS)}
    return Experiment({"first": Mean(), **bad, "last": Mean(1)}, {"d": (X, Y)}, HoldOut())


def check(results):
    kinds = dict(zip(results.failures.columns["model"], results.failures.columns["kind"], strict=True))
    assert kinds == HARMFUL
    done = dict(zip(results.status.columns["model"], results.status.columns["done"], strict=True))
    assert {m for m, n in done.items() if n} == {"first", *HARMLESS, "last"}


def test_the_default_engine_survives_them_and_keeps_the_folder(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    results = experiment().run("s", progress=False)
    check(results)
    assert Path.cwd() == tmp_path
    assert "noise" not in capfd.readouterr().out
    check(Results.open(tmp_path / "s"))
    before = {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.parquet")}
    check(experiment().run("s", progress=False))
    assert {p: p.stat().st_mtime_ns for p in tmp_path.rglob("*.parquet")} == before


def test_worker_processes_survive_them(tmp_path):
    check(experiment().run(tmp_path / "s", n_jobs=2, progress=False))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs alarms")
@pytest.mark.parametrize("engine", ["serial", None])
def test_what_a_model_changes_of_its_process_is_put_back(tmp_path, engine):
    hows = ("closes", "signals", "settings")
    models = {after or how: m for how in hows for after, m in (("", Misbehaves(how)), (f"after {how}", Notices()))}
    results = Experiment(models, {"d": (X, Y)}, HoldOut()).run(tmp_path / "s", engine=engine, progress=False)
    assert results.failures.columns["message"] == []
    assert "PATH" in os.environ


def test_a_model_that_cannot_be_sent_is_worked_on_here(tmp_path):
    class Bound(Mean):
        def __reduce__(self):
            raise TypeError("not to be sent")

    results = run({"m": Bound()}, (X, Y), HoldOut(), store=tmp_path / "s", progress=False)
    assert results.status.columns["done"] == [1]


def test_a_unit_over_its_memory_limit_is_a_recorded_failure(tmp_path):
    models = {"greedy": Misbehaves("gigabyte"), "good": Mean()}
    results = run(models, (X, Y), HoldOut(), store=tmp_path / "s", memory_limit=300, progress=False)
    assert (results.failures.columns["model"], results.failures.columns["kind"]) == (["greedy"], ["memory"])
    assert results.status.columns["done"] == [0, 1]
    with pytest.raises(ParameterError, match="serial engine cannot stop a unit at its time limit or memory limit"):
        run(models, (X, Y), HoldOut(), engine="serial", memory_limit=300)


SCRIPT = textwrap.dedent("""
    import sys
    sys.path.insert(0, {folder!r})
    from troublemakers import Mean, data
    from bakeoff import Experiment
    from bakeoff.protocols import KFold
    from bakeoff.runner import Interrupted
    if __name__ == "__main__":
        options = dict(serial=dict(engine="serial"), apart=dict(), processes=dict(n_jobs=2))
        if sys.argv[2] == "dask":
            import distributed
            cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
            options["dask"] = dict(engine=cluster.scheduler_address)
        models = {{"quick": Mean(), "slow": Mean(1, float(sys.argv[3]))}}
        try:
            Experiment(models, {{"d": data(40)}}, KFold(4)).run(sys.argv[1], progress=False, **options[sys.argv[2]])
        except Interrupted as stop:
            print("stopped", flush=True)
            import os; os._exit(130)
""").format(folder=str(Path(__file__).parent))

ENGINES = ["serial", "apart", "processes", pytest.param("dask", marks=pytest.mark.cluster)]


@pytest.mark.parametrize("engine", ENGINES)
def test_ctrl_c_in_the_middle_of_a_long_fit_stops_within_two_seconds(tmp_path, engine):
    """Measured from the signal to the message, for a fit of a minute; then resumed to the same rows."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, str(script), str(tmp_path / "s"), engine, "60"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        patience = time.monotonic() + 90
        while not list((tmp_path / "s").glob("predictions/*/*/*.parquet")):
            assert process.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.stdout.readline() == "stopped\n"
        seconds = time.monotonic() - start
        assert process.wait(timeout=10) == 130
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
    assert seconds < 2
    print(f"{engine}: stopped after {seconds:.2f} s")
    assert not list((tmp_path / "s" / "tmp").iterdir())
    kept = {p.name: p.read_bytes() for p in (tmp_path / "s").rglob("*.parquet")}
    quick = Experiment({"quick": Mean()}, {"d": data(40)}, KFold(4))
    quick.run(tmp_path / "s", engine="serial")
    after = {p.name: p.read_bytes() for p in (tmp_path / "s").rglob("*.parquet")}
    assert {name: after[name] for name in kept} == kept
    assert_same_rows(quick.run(), Results.open(tmp_path / "s"))


@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_that_a_model_swallows_stops_the_run_after_it_and_a_second_one_at_once(tmp_path, times):
    script = textwrap.dedent(f"""
        import sys, time
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        from troublemakers import Mean, data
        from bakeoff import Experiment
        from bakeoff.protocols import KFold
        class Deaf(Mean):
            def fit(self, X, y):
                try:
                    print("fit", file=sys.stderr, flush=True)
                    time.sleep(60)
                except BaseException:
                    time.sleep(60 * {times - 1})
                return super().fit(X, y)
        Experiment({{"deaf": Deaf()}}, {{"d": data(40)}}, KFold(4)).run({str(tmp_path / "s")!r}, engine="serial")
    """)
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr.readline() == "fit\n"
        for _ in range(times):
            process.send_signal(signal.SIGINT)
            time.sleep(0.5)
        said = process.communicate(timeout=30)[1]
    finally:
        process.kill()
        process.wait()
    assert (process.returncode == 130) == (times == 2)
    assert ("stopped after 1 of 4 units; they are kept" in said) == (times == 1)
    assert len(list(tmp_path.rglob("*.parquet"))) == 2 - times


def test_watching_says_what_runs_where(tmp_path, capfd, monkeypatch):
    monkeypatch.setattr("bakeoff.runner._progress._WATCH_SECONDS", 0.0)
    run({"m": Mean(), "bad": Misbehaves("sys.exit")}, {"d": (X, Y)}, KFold(2), store=tmp_path / "s", watch=True)
    said = capfd.readouterr().err
    assert "running: m on d, repeat 0, fold 1 (process " in said
    assert "failed: bad on d, repeat 0, fold 0: SystemExit: 3" in said
    assert "units" in said


def test_limits_from_the_command_line(tmp_path, capsys, monkeypatch):
    import polars as pl

    from bakeoff.cli._app import run as bakeoff

    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    pl.DataFrame({"a": X[:, 0], "b": X[:, 1], "y": Y}).write_csv("d.csv")
    Path("e.toml").write_text(
        '[protocol]\nname = "HoldOut"\n[datasets.d]\nsource = "d.csv"\ntarget = "y"\n'
        '[models.m]\nclass = "troublemakers.Misbehaves"\nparams = { how = "gigabyte" }\n'
        '[models.h]\nclass = "troublemakers.Misbehaves"\nparams = { how = "hang" }\n'
    )
    with pytest.raises(SystemExit) as stop:
        bakeoff(["run", "e.toml", "--time-limit", "8", "--memory-limit", "300", "--watch", "--json"])
    assert stop.value.code == 1
    failures = json.loads(capsys.readouterr().out)["failures"]
    assert dict(zip(failures["model"], failures["kind"], strict=True)) == {"m": "memory", "h": "timeout"}
    assert os.getcwd() == str(tmp_path)


FORKS = {"forks": 0, "forks and dies": 1, "child raises": 0, "odd exception": 1, "endless message": 1}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_what_a_model_forks_is_no_second_run_and_odd_exceptions_are_failures(tmp_path):
    """A forked child that goes on would answer for the units that follow; one that stays keeps the pipe open."""
    models = {"first": Mean(), **{how: Misbehaves(how) for how in FORKS}, "last": Mean(1)}
    mine = Experiment(models, {"d": (X, Y)}, HoldOut())
    results = mine.run(tmp_path / "s", progress=False)
    failed = results.failures.columns["model"]
    assert {m: int(m in failed) for m in FORKS} == FORKS
    assert all(len(text) < 10_000 for text in results.failures.columns["message"])
    good = ["first", "last"]
    quick = Experiment({m: models[m] for m in good}, {"d": (X, Y)}, HoldOut()).run()
    stored = results.predictions(models=good).table()
    assert all((stored.scores(m) == quick.predictions().table().scores(m)).all() for m in good)
