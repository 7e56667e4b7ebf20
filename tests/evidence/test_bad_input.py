"""Bad input: what was wrong, where, and what to do. Every message is kept in bad_input_messages.json.

Run with BAKEOFF_UPDATE=1 to write the messages anew; then read the difference.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

import bakeoff
from bakeoff import BakeoffError, Predictions, Scores

MESSAGES = Path(__file__).parent / "bad_input_messages.json"
NAN, INF = float("nan"), float("inf")
Y = [0, 1, 1, 0]


def frame(**extra):
    return pl.DataFrame({"y": Y, "rf": [0.1, 0.8, 0.6, 0.3], **extra})


KINDS = {
    "empty truth": lambda: Predictions.from_arrays([], y_pred={"a": []}),
    "no model": lambda: Predictions.from_arrays(Y),
    "truth with NaN": lambda: Predictions.from_arrays([0.0, NAN, 1.0], y_pred={"a": [0, 1, 1]}),
    "truth with None": lambda: Predictions.from_arrays(["x", None, "z"], y_pred={"a": ["x", "x", "z"]}),
    "truth with pandas NA": lambda: Predictions.from_arrays(
        pd.Series([1, pd.NA, 0], dtype="Int64"), y_pred={"a": [1, 0, 0]}
    ),
    "two-dimensional truth": lambda: Predictions.from_arrays([[0, 1], [1, 0]], y_pred={"a": [0, 1]}),
    "fewer predictions than rows": lambda: Predictions.from_arrays(Y, y_pred={"a": [0, 1]}),
    "models of different lengths": lambda: Predictions.from_arrays(Y, y_score={"a": [0.1] * 4, "b": [0.1] * 5}),
    "NaN score": lambda: Predictions.from_arrays(Y, y_score={"rf": [0.1, NAN, 0.3, NAN]}),
    "infinite score": lambda: Predictions.from_arrays(Y, y_score={"rf": [0.1, 0.2, INF, 0.4]}),
    "text score": lambda: Predictions.from_arrays(Y, y_score={"rf": ["low", "high", "low", "high"]}),
    "missing predicted label": lambda: Predictions.from_arrays(["a", "b"], y_pred={"m": ["a", None]}),
    "unknown label": lambda: Predictions.from_arrays(["cat", "dog"], y_pred={"m": ["cat", "bird"]}),
    "label of another case": lambda: Predictions.from_arrays(["Cat", "dog"], y_pred={"m": ["cat", "dog"]}),
    "text where the truth has numbers": lambda: Predictions.from_arrays([0, 1], y_pred={"m": ["0", "1"]}),
    "label not among classes": lambda: Predictions.from_arrays([0, 1], y_pred={"m": [0, 2]}, classes=[0, 1]),
    "truth not among classes": lambda: Predictions.from_arrays([0, 3], y_pred={"m": [0, 1]}, classes=[0, 1]),
    "repeated classes": lambda: Predictions.from_arrays([0, 1], y_pred={"m": [0, 1]}, classes=[0, 1, 1]),
    "positive class unclear": lambda: Predictions.from_arrays(["no", "yes"], y_score={"m": [0.1, 0.9]}),
    "positive class unknown": lambda: Predictions.from_arrays(
        ["no", "yes"], y_score={"m": [0.1, 0.9]}, pos_label="Yes"
    ),
    "one score column, three classes": lambda: Predictions.from_arrays([0, 1, 2], y_score={"m": [0.1, 0.9, 0.3]}),
    "two probability columns, three classes": lambda: Predictions.from_arrays(
        [0, 1, 2], y_score={"m": [[0.5, 0.5]] * 3}
    ),
    "probability above one": lambda: Predictions.from_arrays([0, 1], y_score={"m": [[0.5, 0.5], [1.2, -0.2]]}),
    "probabilities that do not sum to one": lambda: Predictions.from_arrays(
        [0, 1], y_score={"m": [[0.5, 0.5], [0.5, 0.2]]}
    ),
    "labels as a table": lambda: Predictions.from_arrays([0, 1], y_pred={"m": [[0.5, 0.5], [0.5, 0.5]]}),
    "two models of one name": lambda: Predictions.from_arrays(Y, y_pred={1: Y, "1": Y}),
    "empty model name": lambda: Predictions.from_arrays(Y, y_pred={" ": Y}),
    "values mixed with labels": lambda: Predictions.from_arrays(
        [1.0, 2.0], y_value={"m": [1.0, 2.0]}, y_pred={"n": [1, 2]}
    ),
    "text truth for regression": lambda: Predictions.from_arrays(["a", "b"], y_value={"m": [1.0, 2.0]}),
    "too many classes": lambda: Predictions.from_arrays(np.arange(500) / 7, y_pred={"m": np.arange(500) / 7}),
    "negative weight": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}, sample_weight=[1, 1, -1, 1]),
    "all weights zero": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}, sample_weight=[0, 0, 0, 0]),
    "weights of another length": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}, sample_weight=[1, 1]),
    "folds of another length": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}, fold=[0, 1]),
    "missing group": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}, groups=["a", "b", None, "a"]),
    "not a frame": lambda: Predictions.from_frame([1, 2], y_true="y"),
    "misspelt column": lambda: Predictions.from_frame(frame(), y_true="y", y_score=["fr"]),
    "truth column missing": lambda: Predictions.from_frame(frame(), y_true="truth", y_score="rf"),
    "column given twice": lambda: Predictions.from_frame(frame(), y_true="y", y_score=["rf", "rf"]),
    "frame without rows": lambda: Predictions.from_frame(frame().head(0), y_true="y", y_score="rf"),
    "long table, different rows": lambda: Predictions.from_frame(
        pl.DataFrame({"m": ["a", "a", "b"], "y": [0, 1, 0], "p": [0.1, 0.9, 0.4]}), y_true="y", y_score="p", model="m"
    ),
    "long table, different truth": lambda: Predictions.from_frame(
        pl.DataFrame({"m": ["a", "a", "b", "b"], "y": [0, 1, 1, 0], "p": [0.1, 0.9, 0.4, 0.2]}),
        y_true="y",
        y_score="p",
        model="m",
    ),
    "no such file": lambda: Predictions.read("nowhere.csv", y_true="y", y_score="rf"),
    "file of unknown kind": lambda: Predictions.read(__file__, y_true="y", y_score="rf"),
    "outcomes with NaN": lambda: Predictions.from_outcomes({"m": [1, 0, NAN]}),
    "outcomes without rows": lambda: Predictions.from_outcomes({"m": []}),
    "unknown data set": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}).select(datasets="other"),
    "unknown model": lambda: Predictions.from_arrays(Y, y_pred={"m": Y}).select(models=["n"]),
    "scores, wrong number of names": lambda: Scores.from_wide([[1, 2], [3, 4]], models=["a"]),
    "scores, two models of one name": lambda: Scores.from_wide([[1, 2], [3, 4]], models=["a", "a"]),
    "scores, infinite": lambda: Scores.from_wide([[1, INF], [3, 4]], models=["a", "b"]),
    "scores, twice in one fold": lambda: Scores.from_frame(
        pl.DataFrame({"m": ["a", "a"], "v": [1.0, 2.0]}), model="m", value="v"
    ),
    "unknown measure": lambda: bakeoff.measures.get("acuracy"),
    "measure of the wrong kind": lambda: bakeoff.measures.get(len),
    "unknown interval": lambda: bakeoff.evaluate(Predictions.from_arrays(Y, y_pred={"m": Y}), interval="wilsn"),
    "level in percent": lambda: bakeoff.evaluate(Predictions.from_arrays(Y, y_pred={"m": Y}), confidence_level=95),
    "evaluate something else": lambda: bakeoff.evaluate([0, 1]),
    "auc of labels": lambda: bakeoff.evaluate(Predictions.from_arrays(Y, y_pred={"m": Y}), "auc"),
    "log loss of scores": lambda: bakeoff.evaluate(
        Predictions.from_arrays(Y, y_score={"m": [-1, 3, 2, 0]}), "log_loss"
    ),
    "wilson for kappa": lambda: bakeoff.evaluate(
        Predictions.from_arrays(Y, y_pred={"m": [0, 1, 0, 0]}), "kappa", interval="wilson"
    ),
    "cost matrix for other classes": lambda: bakeoff.evaluate(
        Predictions.from_arrays(Y, y_pred={"m": Y}), bakeoff.measures.expected_cost(np.zeros((3, 3)))
    ),
    "a random state": lambda: bakeoff.evaluate(
        Predictions.from_arrays(Y, y_pred={"m": Y}), rng=np.random.RandomState(0)
    ),
}


def message_of(make):
    with pytest.raises(BakeoffError) as caught:
        make()
    return str(caught.value).replace(__file__, "FILE")


@pytest.mark.parametrize("kind", KINDS)
def test_message(kind):
    stored = json.loads(MESSAGES.read_text()) if MESSAGES.exists() else {}
    got = message_of(KINDS[kind])
    if os.environ.get("BAKEOFF_UPDATE"):
        stored[kind] = got
        MESSAGES.write_text(json.dumps(stored, indent=1, ensure_ascii=False, sort_keys=True) + "\n")
    assert got == stored[kind]


def test_every_stored_message_has_its_kind():
    assert set(json.loads(MESSAGES.read_text())) == set(KINDS)
    assert len(KINDS) >= 40
