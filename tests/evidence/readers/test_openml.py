"""Predictions of runs on OpenML."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff import EvidenceError
from bakeoff.evidence.readers import read_openml


def openml_arff(seed, regression=False, hard=False):
    rng = np.random.default_rng(seed)
    lines = ["@relation openml_task_31_predictions", "@attribute repeat numeric", "@attribute fold numeric"]
    lines += ["@attribute sample numeric", "@attribute row_id numeric"]
    if regression:
        lines += ["@attribute prediction numeric", "@attribute truth numeric", "@data"]
        return "\n".join(lines + [f"0,{i % 5},0,{i},{rng.normal():.4f},{i}.5" for i in range(30)])
    lines += ["@attribute confidence.bad numeric", "@attribute confidence.good numeric"]
    lines += ["@attribute prediction {bad,good}", "@attribute correct {bad,good}", "@data"]
    rows = []
    for i in rng.permutation(30):
        p = round(float(rng.uniform()), 4)
        p = float(p > 0.5) if hard else p
        rows.append(f"0,{i % 5},0,{i},{p},{1 - p:.4f},{'bad' if p > 0.5 else 'good'},{'bad' if i % 3 else 'good'}")
    return "\n".join(lines + rows)


def test_openml_runs_pair_by_split_and_row(tmp_path):
    for name, seed, hard in (("rf", 1, False), ("svm", 2, False), ("hard", 3, True)):
        (tmp_path / f"{name}.arff").write_text(openml_arff(seed, hard=hard))
    files = {m: tmp_path / f"{m}.arff" for m in ("rf", "svm", "hard")}
    predictions = read_openml(files, dataset="credit-g", pos_label="bad")
    rows = predictions.table("credit-g")
    assert (rows.n, rows.classes, rows.pos_label, len(rows.splits)) == (30, ("bad", "good"), "bad", 5)
    assert rows.provides("rf", "probabilities")
    assert not rows.provides("hard", "scores"), "0/1 confidences are labels"
    assert predictions.design.kind == "k-fold"
    (tmp_path / "svm.arff").write_text(openml_arff(2).replace("0,1,0,", "0,2,0,", 1))
    with pytest.raises(EvidenceError, match="same splits of one task, but fold differs between 'rf' and 'svm'"):
        read_openml(files)


def test_openml_regression(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.arff").write_text(openml_arff(ord(name), regression=True))
    rows = read_openml({m: tmp_path / f"{m}.arff" for m in "ab"}).table()
    assert rows.task == "regression"
    assert rows.truth[:3].tolist() == [0.5, 5.5, 10.5]
