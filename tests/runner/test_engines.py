"""Serial, worker processes: same answers; a worker that dies or hangs costs its unit; threads do not multiply."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import troublemakers as tm
from rows import assert_same_rows
from sklearn.ensemble import RandomForestClassifier
from troublemakers import Mean, Random, data

from bakeoff import Experiment, ParameterError
from bakeoff.protocols import HoldOut, KFold
from bakeoff.runner import Interrupted
from bakeoff.runner._engines import Work, _pool, _worker_process, count_jobs
from bakeoff.runner._models import Model

X, Y = data()
MODELS = {"mean": Mean(), "random": Random(), "forest": RandomForestClassifier(5, n_jobs=2)}


def test_processes_give_the_bits_of_the_serial_engine(tmp_path):
    experiment = Experiment(MODELS, {"d": (X, Y), "e": data(45, seed=4, classes=3), "f": data(50, seed=5)}, KFold(4))
    parallel = experiment.run(tmp_path / "s", n_jobs=2)
    assert sum(parallel.status.columns["done"]) == 36
    assert_same_rows(experiment.run(), parallel)


def test_dying_hanging_and_raising_workers_cost_their_own_unit(tmp_path):
    models = {
        "good": Mean(),
        "dies": tm.KillsItself(),
        "hangs": tm.Hangs(),
        "raises": tm.Raises(),
    }
    results = Experiment(models, (X, Y), HoldOut()).run(tmp_path / "s", n_jobs=2, time_limit=3)
    failures = results.failures
    told = {m: (k, a) for m, k, a in zip(*(failures.columns[c] for c in ("model", "kind", "attempts")), strict=True)}
    assert told == {"dies": ("worker-died", 2), "hangs": ("timeout", 1), "raises": ("error", 1)}
    done = dict(zip(results.status.columns["model"], results.status.columns["done"], strict=True))
    assert done == {"good": 1, "dies": 0, "hangs": 0, "raises": 0}
    assert "killed by SIGKILL" in failures.columns["message"][failures.columns["model"].index("dies")]
    assert "limit of 3 seconds" in failures.columns["message"][failures.columns["model"].index("hangs")]


def test_a_worker_killed_from_outside_loses_nothing(tmp_path, monkeypatch):
    started: list[int] = []
    original = _worker_process.Worker.__init__

    def remember(self, *arguments):
        original(self, *arguments)
        started.append(self.process.pid)

    monkeypatch.setattr(_worker_process.Worker, "__init__", remember)
    experiment = Experiment({"a": Mean(0, 0.05), "b": Mean(1, 0.05)}, (X, Y), KFold(10, repeats=2))

    def kill_one():
        while not list((tmp_path / "s").glob("predictions/*/*/*.parquet")):
            time.sleep(0.01)
        os.kill(started[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    results = experiment.run(tmp_path / "s", n_jobs=2)
    killer.join()
    assert len(started) >= 3
    assert len(results.failures) == 0
    assert_same_rows(Experiment({"a": Mean(), "b": Mean(1)}, (X, Y), KFold(10, repeats=2)).run(), results)


def test_workers_that_do_not_start_leave_the_work_to_the_others(tmp_path, monkeypatch):
    original, started = _worker_process.Worker.__init__, []

    def killed_but_the_first(self, *arguments):
        original(self, *arguments)
        started.append(self.process.pid)
        if len(started) > 1:
            self.process.kill()

    monkeypatch.setattr(_worker_process.Worker, "__init__", killed_but_the_first)
    experiment = Experiment({"m": Mean(pause=0.01)}, (X, Y), KFold(5, repeats=4))
    assert_same_rows(experiment.run(), experiment.run(tmp_path / "s", n_jobs=2))
    assert len(started) >= 4


def test_workers_rest_for_the_next_run_of_installed_models_or_of_the_same_own_ones(monkeypatch):
    started: list[int] = []
    original = _worker_process.Worker.__init__

    def remember(self, *arguments):
        original(self, *arguments)
        started.append(self.process.pid)

    monkeypatch.setattr(_worker_process.Worker, "__init__", remember)
    _worker_process.end_resting_workers()
    forest = Experiment({"f": RandomForestClassifier(5)}, {"d": (X, Y)}, KFold(4))
    first = forest.run(n_jobs=2)
    assert_same_rows(first, forest.run(n_jobs=2))
    assert len(started) == 2, "the second run took the resting workers"
    resting = [w.process for workers in _worker_process._resting.values() for w in workers]
    os.kill(resting[0].pid, signal.SIGKILL)
    resting[0].wait()
    assert_same_rows(first, forest.run(n_jobs=2))
    assert len(started) == 3, "a resting worker that died is replaced"
    for model, new in ((Mean(), 2), (Mean(), 0), (Mean(1), 2)):
        before = len(started)
        Experiment({"m": model}, (X, Y), KFold(4)).run(n_jobs=2)
        assert len(started) - before <= new, "another model of the user's own never gets a worker that rested"
        assert sum(map(len, _worker_process._resting.values())) <= 4, "one kind of own code rests at a time"
    _worker_process.end_resting_workers()
    assert all(process.poll() is not None for process in resting)


def test_threads_inside_a_unit_do_not_multiply(tmp_path):
    experiment = Experiment({"m": tm.CountsThreads()}, (X, Y), HoldOut())
    for options in ({}, {"n_jobs": 2, "engine": "processes"}):
        rows = experiment.run(**options).predictions().table()
        assert np.allclose(rows.scores("m"), 0.5), "one thread: 1 / (1 + 1)"


def test_models_defined_in_a_script_work_in_processes(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent("""
        import numpy as np
        from bakeoff import run
        from bakeoff.protocols import KFold

        class Mine:
            def fit(self, X, y):
                self.y = y[0]
            def predict(self, X):
                print("models may print")
                return [self.y] * len(X)

        rng = np.random.default_rng(0)
        results = run({"mine": Mine()}, (rng.normal(size=(30, 2)), np.arange(30) % 2), KFold(3), n_jobs=2)
        print(len(results.failures), sum(results.status.columns["done"]))
        """)
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "0 3", done.stderr


def test_a_model_that_cannot_be_sent_is_refused_with_a_hint():
    model = Mean(pause=threading.Lock())
    with pytest.raises(ParameterError, match=r"model 'm' cannot be sent to worker processes.*engine='serial'"):
        next(_pool.ProcessEngine(2).outcomes([], Work({}, {"m": Model("m", model)}, 1)))


def test_ctrl_c_stops_cleanly_and_says_how_to_resume(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {os.path.dirname(__file__)!r})
        from troublemakers import Mean, data
        from bakeoff import Experiment
        from bakeoff.protocols import KFold
        from bakeoff.runner import Interrupted
        try:
            Experiment({{"m": Mean(0, 0.1)}}, data(), KFold(10, repeats=20)).run(sys.argv[1], n_jobs=2)
        except Interrupted as stop:
            print(stop)
        """)
    )
    process = subprocess.Popen([sys.executable, str(script), str(tmp_path / "s")], stdout=subprocess.PIPE, text=True)
    while len(list((tmp_path / "s").glob("predictions/*/*/*.parquet"))) < 3:
        time.sleep(0.05)
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)
    assert "stopped after" in told
    assert f"Run the same again with store={str(tmp_path / 's')!r} to go on from there." in told
    assert not list((tmp_path / "s" / "tmp").iterdir())


def test_ctrl_c_in_the_serial_engine(tmp_path):
    class Stops(Mean):
        def fit(self, X, y):
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match=r"stopped after 1 of 2 units; they are kept"):
        Experiment({"a": Mean(), "b": Stops()}, (X, Y), HoldOut()).run(tmp_path / "s", engine="serial")
    with pytest.raises(Interrupted, match="they are lost"):
        Experiment({"b": Stops()}, (X, Y), HoldOut()).run()


def test_jobs_count_as_in_scikit_learn():
    cores = os.cpu_count()
    assert (count_jobs(None), count_jobs(3), count_jobs(-1), count_jobs(-2)) == (1, 3, cores, max(cores - 1, 1))
