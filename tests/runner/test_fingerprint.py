"""Fingerprints: the same thing has the same one everywhere, another thing has another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from troublemakers import Mean, shout

from bakeoff import EvidenceError
from bakeoff.protocols import Tuned
from bakeoff.runner._content import Content
from bakeoff.runner._digest import hash_table
from bakeoff.runner._fingerprint import data_fingerprint, model_fingerprint
from bakeoff.runner._models import Model

X = np.arange(12.0).reshape(6, 2)
OF = Content().of


SCRIPT = """
import sys; sys.path.insert(0, {folder!r})
from test_fingerprint import MODELS
from bakeoff.protocols import Tuned
from bakeoff.runner._fingerprint import model_fingerprint
print(*(model_fingerprint(m) for m in MODELS))
"""

MODELS = [
    SVC(C=0.1),
    make_pipeline(StandardScaler(), RandomForestClassifier(10, class_weight={"b": 2, "a": 1})),
    Mean(1),
    FunctionTransformer(shout),
]


def test_models_have_the_same_fingerprint_in_another_process():
    code = SCRIPT.format(folder=str(Path(__file__).parent))
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == [model_fingerprint(m) for m in MODELS]


def test_parameters_make_another_model_and_names_do_not():
    assert model_fingerprint(SVC(C=1.0)) == model_fingerprint(SVC())
    different = [SVC(), SVC(C=2.0), SVC(kernel="linear"), make_pipeline(SVC()), RandomForestClassifier()]
    assert len({model_fingerprint(m) for m in different}) == len(different)
    a, b = FunctionTransformer(lambda x: x), FunctionTransformer(lambda x: x + 1)
    assert model_fingerprint(a) != model_fingerprint(b)

    def times(factor):
        return FunctionTransformer(lambda x: x * factor)

    assert model_fingerprint(times(2)) != model_fingerprint(times(3))
    assert model_fingerprint(times(2)) == model_fingerprint(times(2))


def test_code_of_the_users_own_is_found_at_any_depth():
    installed = [SVC(), Tuned(SVC(), {"C": [1]}), make_pipeline(StandardScaler(), RandomForestClassifier())]
    own = [Mean(), Tuned(Mean(), {"feature": [0]}), make_pipeline(FunctionTransformer(shout), SVC())]
    assert [Model("m", m).is_installed for m in installed + own] == [True] * 3 + [False] * 3


def test_every_part_of_a_data_set_counts():
    y, groups, weight = np.arange(6) % 2, np.arange(6) % 3, np.ones(6)
    base = (X, y, groups, weight, "binary")
    changed = [
        (X + 1, *base[1:]),
        (X, 1 - y, *base[2:]),
        (X, y, None, *base[3:]),
        (X, y, groups, weight * 2, "binary"),
        (X.astype(np.float32), *base[1:]),
        (*base[:4], "multiclass"),
    ]
    marks = [data_fingerprint(*parts) for parts in (base, *changed)]
    assert len(set(marks)) == len(marks)
    assert data_fingerprint(*base) == data_fingerprint(X.copy(), y.copy(), groups.copy(), weight.copy(), "binary")


def test_frames_count_names_kinds_and_values():
    frame = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    others = [
        frame.rename(columns={"a": "c"}),
        frame.assign(a=[1.0, 2.0]),
        frame.assign(b=["x", "y"]),
        frame.assign(b=frame["b"].astype("category")),
        frame.assign(b=pd.Categorical(["x", None], ["y", "x"])),
        frame.set_index(pd.Index([3, 4])),
        frame.set_index(pd.date_range("2020-01-01", periods=2)),
    ]
    marks = [hash_table(f, OF) for f in (frame, *others)]
    assert len(set(marks)) == len(marks)
    assert hash_table(frame, OF) == hash_table(frame.copy(), OF)
    assert hash_table(pl.DataFrame({"a": [1]}), OF) != hash_table(pl.DataFrame({"a": [2]}), OF)
    assert hash_table(csr_matrix(X), OF) != hash_table(csr_matrix(X * 2), OF)


def test_objects_in_a_table_count_by_what_they_hold():
    def table(number, text="a"):
        cells = np.empty(2, dtype=object)
        cells[:] = [np.append(np.zeros(2000), number), text]  # printed, the long array is cut
        return cells

    assert hash_table(table(1), OF) != hash_table(table(2), OF)
    assert hash_table(table(1), OF) == hash_table(table(1), OF)
    texts = [["a\x1estr\x1fb", "c"], ["a", "b\x1estr\x1fc"]]
    assert len({hash_table(np.array(t, dtype=object), OF) for t in texts}) == 2


def test_data_whose_content_cannot_be_seen_are_refused():
    cells = np.empty(1, dtype=object)
    cells[0] = (n for n in range(3))
    with pytest.raises(EvidenceError, match="the content of the data cannot be seen: a builtins"):
        data_fingerprint(cells, np.zeros(1), None, None, "binary")
