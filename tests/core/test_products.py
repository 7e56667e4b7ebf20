"""Sums over rows are those of NumPy, and no answer depends on how many threads BLAS has."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from bakeoff._core.validation import combine, dot

ANSWER = """
import warnings, numpy as np, bakeoff
random = np.random.default_rng(0)
y = random.integers(0, 2, 20_000)
scores = {name: 1 / (1 + np.exp(-y - random.normal(size=y.size))) for name in "ab"}
p = bakeoff.Predictions.from_arrays(y, y_score=scores, pos_label=1)
found = bakeoff.evaluate(p, ["brier", "auc", "average_precision", "log_loss"], rng=0).to_dict()
found["compared"] = bakeoff.compare(p, "average_precision", rng=0).to_dict()
found["calibration"] = bakeoff.calibration(p, rng=0).to_dict()
warnings.simplefilter("ignore")  # near chance, where the class mix of the training rows is allowed for
twice = dict(fold=np.arange(40_000) % 5, repeat=np.arange(40_000) // 20_000, instance=np.arange(40_000) % 20_000)
noise = {name: random.integers(0, 2, 40_000) for name in "ab"}
folds = bakeoff.Predictions.from_arrays(np.tile(y, 2), y_pred=noise, pos_label=1, **twice)
found["folds"] = bakeoff.evaluate(folds, ["accuracy", "f1"], rng=0).to_dict()
print(found)
"""


@pytest.mark.parametrize("shapes", [((10,), (10,)), ((30_000,), (30_000,)), ((30_000,), (30_000, 3))])
def test_dot_and_combine_are_the_products_they_are_named_after(shapes):
    left, right = (np.random.default_rng(0).normal(size=shape) for shape in shapes)
    assert np.allclose(dot(left, right), left @ right, rtol=1e-12)
    columns = right.reshape(len(right), -1)
    assert np.allclose(dot(columns, columns), columns.T @ columns, rtol=1e-12)
    times = np.arange(1.0, columns.shape[1] + 1)
    assert np.allclose(combine(columns, times), columns @ times, rtol=1e-12)


def test_no_answer_depends_on_the_threads_of_blas():
    def answer(threads: str) -> str:
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": "1"}
        command = [sys.executable, "-c", ANSWER]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout

    assert answer("1") == answer("2") != ""
