"""The demo: the same answers for people and for machines."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

from bakeoff.cli import _demo
from bakeoff.cli._app import run


def small_table(seed):
    rng = np.random.default_rng(seed)
    ill = np.arange(120) % 3 == 0
    scores = {m: np.round(1 / (1 + np.exp(-rng.normal(2.0 * ill - 1))), 3) for m in ("one", "two")}
    return pl.DataFrame({"tumour": np.where(ill, "malignant", "benign"), "fold": np.arange(120) % 10, **scores})


def test_json_and_text_tell_the_same(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(_demo, "_out_of_fold", small_table)
    with pytest.raises(SystemExit) as stopped:
        run(["--lang", "en", "demo", "--folder", str(tmp_path / "a" / "b"), "--json"])
    assert stopped.value.code == 0
    told = json.loads(capsys.readouterr().out)
    assert (tmp_path / "a" / "b" / "report.html").is_file()
    with pytest.raises(SystemExit):
        run(["--lang", "en", "demo", "--folder", str(tmp_path / "c")])
    text = capsys.readouterr().out
    assert told["decision"]["verdict"] in text
    assert {e["model"] for e in told["evaluation"]["entries"]} >= {"one", "two", "prior"}
