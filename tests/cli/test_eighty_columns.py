"""What each command prints on a terminal of 80 columns: the answer first, nothing broken inside a word or a number.

``BAKEOFF_UPDATE_SNAPSHOTS=1 pytest tests/cli/test_eighty_columns.py`` writes `eighty_columns.txt` anew; read it.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff._core.text import display_width
from bakeoff.cli import _output
from bakeoff.cli._app import run

SNAPSHOTS = Path(__file__).with_name("eighty_columns.txt")
_MARK = "## "
BINARY = "--truth y --positive yes --score rf --score nb"
SEVEN = "--truth y --positive yes " + " ".join(f"--score m{i}" for i in range(7))
CLASSES = "--truth kind --score a=a_low,a_mid,a_high --pred b"

TRIAL = """
measures = ["rmse"]
[protocol]
name = "KFold"
n_splits = 3
[datasets.values]
source = "values.csv"
target = "y"
[models.linear]
class = "sklearn.linear_model.LinearRegression"
"""

COMMANDS = {
    "evaluate, two models": f"evaluate preds.csv {BINARY}",
    "evaluate, seven models": f"evaluate preds.csv {SEVEN} -m auc -m brier",
    "evaluate, one model": f"evaluate preds.csv {BINARY} --models rf --no-baselines -m auc -m accuracy",
    "evaluate, several classes": f"evaluate classes.csv {CLASSES} -m accuracy --confusion --per-class --no-baselines",
    "evaluate, values": "evaluate values.csv --truth y --value near --value far",
    "evaluate, scores": "evaluate scores.csv --measure accuracy",
    "compare, two models": f"compare preds.csv {BINARY}",
    "compare, seven models": f"compare preds.csv {SEVEN}",
    "compare, margin": f"compare preds.csv {BINARY} --margin 0.02 --why",
    "compare, data sets": "compare scores.csv --measure accuracy",
    "compare, few data sets": "compare few.csv --measure accuracy",
    "compare, no direction": "compare scores.csv",
    "compare, slices": f"compare preds.csv {BINARY} --by site",
    "evaluate, slices": f"evaluate preds.csv {BINARY} -m auc -m recall --by site",
    "compare, missing": f"compare missing.csv {BINARY} --drop-missing -m auc",
    "decide": f"decide preds.csv {BINARY} --prevalence 0.1 --cost-fp 1 --cost-fn 5 --ranges",
    "gate": "gate preds.csv --truth y --positive yes --baseline nb --candidate rf -m auc --margin 0.01",
    "plan": "plan --measure auc --difference 0.01 --baseline 0.9 --prevalence 0.1",
    "advise": "advise --models 3 --datasets 1 --rows 800 --task binary",
    "measures": "measures",
    "count": f"count preds.csv {BINARY} -o preds.counts",
    "run, plan": "run trial.toml --plan --store none",
    "run": "run trial.toml --quiet",
    "report": f"report preds.csv {BINARY} -o report.html",
}
COMMANDS |= {f"{name} ({lang})": f"--lang {lang} {line}" for lang in ("es", "pt") for name, line in COMMANDS.items()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place, rng, n = tmp_path_factory.mktemp("columns"), np.random.default_rng(5), 240
    truth = rng.integers(0, 2, n)

    def score(strength: float) -> np.ndarray:
        return (1 / (1 + np.exp(-rng.normal((truth - 0.5) * strength)))).round(3)

    table = {"y": np.where(truth == 1, "yes", "no"), "rf": score(2.4), "nb": score(1.6)}
    table |= {f"m{i}": score(0.5 + 0.3 * i) for i in range(7)}
    table["site"] = np.array(["north", "south", "east"])[np.arange(n) % 3]
    pl.DataFrame(table).write_csv(place / "preds.csv")
    gaps = [None if i % 40 == 7 else v for i, v in enumerate(table["rf"].tolist())]
    pl.DataFrame({**table, "rf": gaps}).write_csv(place / "missing.csv", null_value="NA")
    kinds = ["low", "mid", "high"]
    kind = rng.integers(0, 3, n)
    chance = rng.dirichlet([1, 1, 1], n) + 0.8 * np.eye(3)[kind]
    chance = (chance / chance.sum(axis=1, keepdims=True)).round(6)
    chance[:, 2] = 1 - chance[:, 0] - chance[:, 1]
    labels = np.where(rng.random(n) < 0.6, kind, rng.integers(0, 3, n))
    classes = {"kind": [kinds[k] for k in kind], **{f"a_{c}": chance[:, j] for j, c in enumerate(kinds)}}
    pl.DataFrame({**classes, "b": [kinds[k] for k in labels]}).write_csv(place / "classes.csv")
    value = rng.normal(10, 3, n).round(3)
    near, far = ((value + rng.normal(0, s, n)).round(3) for s in (1, 2))
    pl.DataFrame({"y": value, "near": near, "far": far}).write_csv(place / "values.csv")
    wide = {m: rng.normal(0.75 + 0.02 * i, 0.04, 12).round(3) for i, m in enumerate(("tree", "bayes", "forest"))}
    pl.DataFrame({"dataset": [f"d{i}" for i in range(12)], **wide}).write_csv(place / "scores.csv")
    pl.DataFrame({"dataset": ["d0", "d1", "d2"], "new": [0.8, 0.82, 0.9], "old": [0.7, 0.75, 0.79]}).write_csv(
        place / "few.csv"
    )
    (place / "trial.toml").write_text(TRIAL)
    return place


@pytest.fixture
def printed(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setattr(_output, "width", lambda: 80)

    def call(command: str) -> str:
        with pytest.raises(SystemExit) as stop:
            run(["--lang", "en", *command.split(" ")])
        out, err = capsys.readouterr()
        assert int(stop.value.code or 0) in (0, 1), err
        return out.rstrip("\n")

    return call


def snapshots() -> dict[str, str]:
    parts = SNAPSHOTS.read_text(encoding="utf-8").split(f"\n{_MARK}")[1:] if SNAPSHOTS.exists() else []
    return {part.partition("\n")[0]: part.partition("\n")[2].strip("\n") for part in parts}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_line_fits_and_reads_as_before(name, printed) -> None:
    found = printed(COMMANDS[name])
    assert max(map(display_width, found.splitlines())) <= 80
    for never in ("∞]", "pos_label", "y_true", "y_score", "y_pred", "Traceback"):
        assert never not in found
    known = snapshots()
    if os.environ.get("BAKEOFF_UPDATE_SNAPSHOTS"):
        text = "".join(f"\n{_MARK}{key}\n\n{value}\n" for key, value in (known | {name: found}).items())
        SNAPSHOTS.write_text(text, encoding="utf-8")
        return
    assert found == known[name]


def test_a_note_is_told_once(printed) -> None:
    found = " ".join(printed("compare few.csv --measure accuracy").split())
    assert found.count("few data sets") == 1


def test_the_answer_is_the_first_line(printed) -> None:
    for command, begins in (
        (f"compare preds.csv {BINARY}", "rf is better than nb"),
        ("compare scores.csv --measure accuracy", "forest ranks best"),
        (f"evaluate preds.csv {BINARY}", "Best AUC: rf"),
        (f"decide preds.csv {BINARY} --prevalence 0.1 --cost-fn 5", "Use "),
    ):
        assert printed(command).startswith(begins)


def test_nothing_is_broken_or_folded_in_a_pipe(folder, capsys, monkeypatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")  # is about terminals
    with pytest.raises(SystemExit):
        run(["--lang", "en", *f"evaluate preds.csv {SEVEN} -m auc".split(" ")])
    table = capsys.readouterr().out
    assert all(f"m{i}" in table.splitlines()[3] for i in range(7))


def test_a_real_terminal_tells_its_width(folder) -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    command = [sys.executable, "-m", "bakeoff", "--lang", "en", *f"compare preds.csv {BINARY}".split(" ")]
    size = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
    started = subprocess.Popen(command, stdout=theirs, stderr=subprocess.DEVNULL, cwd=folder, env=size)
    os.close(theirs)
    text = b""
    with contextlib.suppress(OSError):  # a closed terminal is the end of the file
        while part := os.read(ours, 65536):
            text += part
    assert started.wait(timeout=60) == 0
    lines = text.decode().replace("\r", "").splitlines()
    assert lines[0].startswith("rf is better than nb")
    assert 50 < max(map(display_width, lines)) <= 60
