"""The data of the Weka cases: Pima diabetes, first 512 rows to learn from, the rest to be judged on."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

GOLDEN = Path(__file__).parent.parent / "golden"


def read(name: str):
    with (GOLDEN / name).open(newline="") as file:
        header, *rows = csv.reader(file)
    X = np.array([[float(v) for v in row[:-1]] for row in rows])
    y = np.array([row[-1] for row in rows])
    return header[:-1], X, y


def split(name: str = "data/shared_diabetes.csv"):
    _, X, y = read(name)
    return X[:512], y[:512], X[512:], y[512:]


def logistic(**settings):
    """Unpenalised logistic regression, as Weka's with ridge 1e-8."""
    return make_pipeline(StandardScaler(), LogisticRegression(C=1e8, max_iter=1000, **settings))
