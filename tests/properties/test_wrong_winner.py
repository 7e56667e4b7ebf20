"""For random evidence with a clear winner every interface names the same winner, or refuses: never the other model.

A few hundred by default; ``pytest -m slow tests/properties/test_wrong_winner.py -s`` does 6,000 and prints the counts.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import StratifiedKFold, cross_validate

import bakeoff
from bakeoff import BakeoffError, Predictions, Scores, compare, read
from bakeoff.app._uploads import Uploads, evidence_of, guess
from bakeoff.cli._app import run

MARKS = ("NA", "n/a", "null", "None", "?", ".", "-", "", "NaN", "#N/A", "<NA>", " ")
NAMES = (("good", "bad"), ("rf", "nb"), ("Model B", "Model A"), ("new.v2", "new.v1"), ("zèbre", "âne"), ("x=1", "x=2"))
LABELS = (("no", "yes"), ("0", "1"), (0, 1), ("neg", "pos"), ("False", "True"), (-1, 1), ("benign", "malignant"))
CLASSES = (("low", "mid", "high"), ("a", "b", "c"), (3, 1, 2), ("very low", "low", "high"))


@dataclass(frozen=True)
class Case:
    """What was true, what two models say, and which of them is better by far."""

    frame: pd.DataFrame
    good: str
    bad: str
    positive: Any

    @property
    def models(self) -> list[str]:
        return [self.good, self.bad]


def predictions(r: random.Random) -> Case:
    rng = np.random.default_rng(r.getrandbits(32))
    n = r.choice((120, 200, 301))
    good, bad = r.choice(NAMES)
    labels = r.choice(LABELS)
    truth = rng.permutation(np.arange(n) % 2)
    columns = {
        "y": [labels[t] for t in truth],
        good: (0.15 + 0.7 * truth + rng.uniform(-0.1, 0.1, n)).round(4),
        bad: rng.uniform(0.01, 0.99, n).round(4),
        "id": rng.permutation(n) + 10_000,
    }
    order = r.sample(list(columns), 4)
    return Case(pd.DataFrame({c: columns[c] for c in order}), good, bad, labels[1])


def zstd(content: bytes) -> bytes:
    """Compressed, in two frames as parallel tools write them."""
    frames = b""
    for part in (content[: len(content) // 2], content[len(content) // 2 :]):
        sink = pa.BufferOutputStream()
        with pa.CompressedOutputStream(sink, "zstd") as file:
            file.write(part)
        frames += sink.getvalue().to_pybytes()
    return frames


def winner_of(evidence: Any, measure: Any = "auc") -> str:
    return compare(evidence, measure, rng=0, n_resamples=200).pairs[0].better


def by_command(case: Case, line: list[str], stdin: bytes | None = None) -> str:
    """Ask a gate both ways: only the better model may pass as superior."""
    passed = {}
    for candidate, baseline in (case.models, case.models[::-1]):
        asked = [*line, "--superior", "--baseline", baseline, "--candidate", candidate, "--resamples", "200"]
        with contextlib.ExitStack() as stack:
            for stream in (contextlib.redirect_stdout, contextlib.redirect_stderr):
                stack.enter_context(stream(io.StringIO()))
            if stdin is not None:
                stack.callback(setattr, sys, "stdin", sys.stdin)
                sys.stdin = io.TextIOWrapper(io.BytesIO(stdin))
            try:
                run(asked)
                status = 0
            except SystemExit as stop:
                status = int(stop.code or 0)
        assert status != 3, asked
        if status == 2:
            raise BakeoffError("refused")
        passed[candidate] = status == 0
    assert passed[case.good] != passed[case.bad], f"{passed} {line}"
    return case.good if passed[case.good] else case.bad


# -- how predictions come in -------------------------------------------------------------------------------------------


def arrays(r: random.Random, case: Case, folder: Path) -> str:
    take = r.choice((np.asarray, list, pl.Series, lambda v: pd.Series(list(v)), lambda v: pa.array(list(v))))
    scores = {m: take(case.frame[m]) for m in case.models}
    return winner_of(Predictions.from_arrays(take(case.frame["y"]), y_score=scores, pos_label=case.positive))


def shuffled_series(r: random.Random, case: Case, folder: Path) -> str:
    def shuffled(v: Any) -> Any:
        return v.sample(frac=1, random_state=r.getrandbits(16)) if r.random() < 0.7 else v

    frame = shuffled(case.frame[case.models])
    scores = frame if r.random() < 0.5 else {m: shuffled(case.frame[m]) for m in case.models}
    return winner_of(Predictions.from_arrays(shuffled(case.frame["y"]), y_score=scores, pos_label=case.positive))


def frames(r: random.Random, case: Case, folder: Path) -> str:
    class Capsule:
        def __init__(self, table: Any) -> None:
            self.table = table

        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return self.table.__arrow_c_stream__(requested_schema)

    frame = case.frame.sample(frac=1, random_state=1)
    table = r.choice((
        lambda: frame, lambda: pl.from_pandas(frame), lambda: pa.table(pl.from_pandas(frame).to_arrow()),
        lambda: Capsule(pl.from_pandas(frame).to_arrow()), lambda: pl.from_pandas(frame).lazy(),
        lambda: frame.to_dict("list"), lambda: pl.from_pandas(frame).lazy().filter(pl.col("y").is_not_null()),
        lambda: pa.concat_tables([pa.Table.from_pandas(part) for part in (frame[:50], frame[50:])]),
        lambda: pa.RecordBatchReader.from_batches((t := pa.Table.from_pandas(frame)).schema, t.to_batches(40)),
        lambda: frame.astype({"y": "category"}), lambda: frame.convert_dtypes(dtype_backend="pyarrow"),
    ))()  # fmt: skip
    return winner_of(Predictions.from_frame(table, y_true="y", y_score=case.models, pos_label=case.positive))


def class_columns(r: random.Random, case: Case, folder: Path) -> str:
    """Probabilities of several classes, in frames or named columns, in any order of the columns."""
    rng = np.random.default_rng(r.getrandbits(32))
    classes = r.choice(CLASSES)
    codes = rng.integers(0, 3, 150)
    hit = np.eye(3)[codes]
    tables = {}
    for model, sure in ((case.good, 0.75), (case.bad, 0.15)):
        p = sure * hit + (1 - sure) * rng.dirichlet(np.ones(3), 150)
        frame = pd.DataFrame(dict(zip(map(str, classes), p.T, strict=True)))
        tables[model] = frame[r.sample(list(frame.columns), 3)]
    truth = [classes[c] for c in codes]
    if r.random() < 0.4:
        return winner_of(Predictions.from_arrays(truth, y_score=tables), "log_loss")
    mark = r.choice(("_", "-", ".", " ", "_p_"))
    wide = pd.concat([t.rename(columns=lambda c, m=m: f"{m}{mark}{c}") for m, t in tables.items()], axis=1)
    named = {m: [c for c in wide.columns if c.startswith(f"{m}{mark}")] for m in tables}
    file = folder / "classes.csv"
    wide.assign(y=truth).to_csv(file, index=False)
    return winner_of(read(file, y_true="y", y_score=named), "log_loss")


def class_labels(r: random.Random, case: Case, folder: Path) -> str:
    """Predicted labels of several classes, those of one model in another order of categories."""
    rng = np.random.default_rng(r.getrandbits(32))
    classes = list(map(str, r.choice(CLASSES)))
    truth = rng.permutation(np.arange(180) % 3)
    table = {"y": truth}
    for model, wrong in ((case.good, 0.1), (case.bad, 0.5)):
        table[model] = np.where(rng.random(180) < wrong, rng.integers(0, 3, 180), truth)
    frame = pd.DataFrame({c: [classes[k] for k in v] for c, v in table.items()})[r.sample(list(table), 3)]
    measure = r.choice(("accuracy", "f1_macro", "kappa", "balanced_accuracy", None))
    if r.random() < 0.5:
        frame[case.bad] = pd.Categorical(frame[case.bad], categories=r.sample(sorted(classes), 3))
        frame = frame.sample(frac=1, random_state=r.getrandbits(16))
        labels = {m: frame[m].sample(frac=1, random_state=3) for m in case.models}
        return winner_of(Predictions.from_arrays(frame["y"], y_pred=labels), measure)
    name, content = written(r, frame)
    (folder / name).write_bytes(content)
    return winner_of(read(folder / name, y_true="y", y_pred=case.models), measure)


def score_scales(r: random.Random, case: Case, folder: Path) -> str:
    """Scores as probabilities, log-odds or points of a hundred, each model on its own: ranks do not mind."""
    frame = case.frame.copy()
    for model in case.models:
        p = frame[model].clip(0.001, 0.999)
        frame[model] = r.choice((p, np.log(p / (1 - p)), 100 * p, 2 * p - 1, (1000 * p).astype(int))).round(4)
    if r.random() < 0.5:
        truth, scores = frame["y"].tolist(), {m: frame[m].to_numpy() for m in case.models}
        found = Predictions.from_arrays(truth, y_score=scores, pos_label=case.positive)
    else:
        name, content = written(r, frame)
        (folder / name).write_bytes(content)
        found = read(folder / name, y_true="y", y_score=case.models, pos_label=case.positive)
    return winner_of(found, r.choice(("auc", "auc", "auc", "average_precision", "brier", "log_loss", "accuracy", None)))


def masked(r: random.Random, case: Case, folder: Path) -> str:
    """Masked arrays: below the mask stands what would turn the answer round."""
    n = len(case.frame)
    hidden = np.arange(n) < r.choice((0, 0, 3, n // 2))
    good = np.where(hidden, 1 - case.frame[case.good], case.frame[case.good])
    bad = np.where(hidden, case.frame[case.good], case.frame[case.bad])
    scores = {m: np.ma.array(v, mask=hidden) for m, v in ((case.good, good), (case.bad, bad))}
    table = {"y": case.frame["y"].tolist(), **scores}
    if r.random() < 0.5:
        return winner_of(Predictions.from_arrays(table["y"], y_score=scores, pos_label=case.positive))
    drop = r.random() < 0.7
    found = Predictions.from_frame(table, y_true="y", y_score=case.models, pos_label=case.positive, drop_missing=drop)
    return winner_of(found)


def written(r: random.Random, frame: pd.DataFrame) -> tuple[str, bytes]:
    """A file as people write it: name and content."""
    table = pl.from_pandas(frame)
    kind = r.choice(("csv", "csv", "csv", "semicolon", "tsv", "pipe", "json", "jsonl", "columns", "parquet", "arrow"))
    buffer = io.BytesIO()
    if kind == "parquet":
        table.write_parquet(buffer)
        return "t.parquet", buffer.getvalue()
    if kind == "arrow":
        table.write_ipc(buffer)
        return "t.arrow", buffer.getvalue()
    if kind in ("json", "jsonl", "columns"):
        records = frame.to_dict("records")
        texts = {"json": json.dumps(records), "columns": json.dumps(frame.to_dict("list")),
                 "jsonl": "\n".join(map(json.dumps, records))}  # fmt: skip
        name, content = f"t.{'jsonl' if kind == 'jsonl' else 'json'}", texts[kind].encode()
    else:
        separator = {"csv": ",", "semicolon": ";", "tsv": "\t", "pipe": "|"}[kind]
        comma = "," if kind == "semicolon" and r.random() < 0.7 else "."
        quoting = r.choice((0, 1, 2))
        ending = r.choice(("\n", "\r\n"))
        text = frame.to_csv(
            index=r.random() < 0.2, sep=separator, decimal=comma, quoting=quoting, lineterminator=ending
        )
        name, content = "t.tsv" if kind == "tsv" else r.choice(("t.csv", "t.CSV", "t.txt", "t.dat", "t")), text.encode()
        content = r.choice((content, content, text.encode("utf-8-sig"), text.encode("utf-16")))
    packs = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstd}
    suffix = r.choice(("", "", "", *packs))
    return (name, content) if not suffix else (f"{name}{r.choice((suffix, ''))}", packs[suffix](content))


def options(case: Case) -> list[str]:
    given = ["--truth", "y", "--positive", str(case.positive), "--measure", "auc"]
    for m in case.models:
        given += ["--score", f"{m}={m}" if "=" not in m else m]
    return given


def file_in_python(r: random.Random, case: Case, folder: Path) -> str:
    name, content = written(r, case.frame)
    (folder / name).write_bytes(content)
    return winner_of(read(folder / name, y_true="y", y_score=case.models, pos_label=case.positive))


def file_by_command(r: random.Random, case: Case, folder: Path) -> str:
    name, content = written(r, case.frame)
    if r.random() < 0.3:
        return by_command(case, ["gate", "-", *options(case)], stdin=content)
    (folder / name).write_bytes(content)
    return by_command(case, ["gate", str(folder / name), *options(case)])


def gaps(r: random.Random, case: Case, folder: Path) -> str:
    """Marks of missing values in truth and scores, dropped on request."""
    frame = case.frame.astype(object)
    mark = r.choice(MARKS)
    for column in r.sample(["y", *case.models], r.choice((1, 2, 3))):
        rows = r.sample(range(len(frame)), r.choice((1, 5, 40)))
        frame.loc[rows, column] = mark
    separator = r.choice((",", ";", "\t"))
    file = folder / "t.csv"
    frame.to_csv(file, index=False, sep=separator, decimal="." if separator != ";" else r.choice(".,"))
    drop = r.random() < 0.8
    return winner_of(read(file, y_true="y", y_score=case.models, pos_label=case.positive, drop_missing=drop))


def long_table(r: random.Random, case: Case, folder: Path) -> str:
    long = case.frame.melt(id_vars=["id", "y"], value_vars=case.models, var_name="model", value_name="p")
    if r.random() < 0.8:
        long = long.sample(frac=1, random_state=r.getrandbits(16))
    keys = {"model": "model", "instance": "id"} if r.random() < 0.8 else {"model": "model"}
    name, content = written(r, long)
    (folder / name).write_bytes(content)
    return winner_of(read(folder / name, y_true="y", y_score="p", pos_label=case.positive, **keys))


def parts(r: random.Random, case: Case, folder: Path) -> str:
    """A folder: parts of a wide table, parts of a long one, or a folder for each model; Parquet or CSV."""
    target = folder / "parts"
    long = case.frame.melt(id_vars=["id", "y"], value_vars=case.models, var_name="model", value_name="p")
    how = r.choice(("wide", "long", "hive", "deep", "file per model"))
    write = r.choice((lambda f, p: pl.from_pandas(f).write_parquet(f"{p}.parquet"), lambda f, p: f.to_csv(f"{p}.csv")))
    target.mkdir()
    if how == "wide":
        for i, part in enumerate(np.array_split(np.arange(len(case.frame)), r.choice((1, 2, 5)))):
            write(case.frame.iloc[part].reset_index(drop=True), target / str(i))
        columns: dict[str, Any] = {"y_score": case.models}
    else:
        for i, (model, part) in enumerate(long.sample(frac=1, random_state=3).groupby("model")):
            below = target / f"model={model}" if how in ("hive", "deep") else target
            for half in (0, 1) if how == "deep" else ():
                (below / f"half={half}").mkdir(parents=True)
                write(part.drop(columns="model")[half::2].reset_index(drop=True), below / f"half={half}" / "part")
            if how == "deep":
                continue
            below.mkdir(exist_ok=True)
            if how == "long":
                part = part.sample(frac=1, random_state=i)
            write((part if how == "long" else part.drop(columns="model")).reset_index(drop=True), below / str(i))
        columns = {"y_score": "p"}
        if how in ("long", "hive", "deep") or r.random() < 0.5:
            columns |= {"model": "model", "instance": "id"}
    return winner_of(read(target, y_true="y", pos_label=case.positive, **columns))


class Lookup(ClassifierMixin, BaseEstimator):
    """A fitted model whose probabilities stand in a column of X."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def fit(self, X: Any, y: Any) -> Lookup:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        p = np.clip(np.asarray(X)[:, self.column].astype(float), 0, 1)
        return np.stack([1 - p, p], axis=1)

    def predict(self, X: Any) -> Any:
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]


def store(r: random.Random, case: Case, folder: Path) -> str:
    models = {case.good: Lookup(0), case.bad: Lookup(1)}
    X, y = case.frame[case.models], case.frame["y"].sample(frac=1, random_state=5)
    data = bakeoff.runner.Dataset(X, y, name="d", pos_label=case.positive)
    place = folder / "store"
    bakeoff.run(models, data, bakeoff.protocols.KFold(3), store=place, progress=False)
    if r.random() < 0.5:
        return by_command(case, ["gate", str(place), "--measure", "auc"])
    return winner_of(read(place))


def cross_validated(r: random.Random, case: Case, folder: Path) -> str:
    """What `cross_validate` returns, as it is, as frames or saved; of one scorer or several."""
    X, codes = case.frame[case.models].to_numpy(), (case.frame["y"] == case.positive).to_numpy().astype(int)
    scoring = r.choice(("roc_auc", "neg_log_loss", "neg_brier_score", "accuracy"))
    several = r.random() < 0.5
    cv = StratifiedKFold(10, shuffle=True, random_state=r.getrandbits(16))
    found = {
        m: cross_validate(Lookup(i), X, codes, cv=cv, scoring=[scoring, "f1"] if several else scoring)
        for i, m in enumerate(case.models)
    }
    if r.random() < 0.3:
        found = {m: pd.DataFrame(results) for m, results in found.items()}
    told: dict[str, Any] = {"score": f"test_{scoring}"} if several else {"measure": scoring}
    return winner_of(Scores.from_cv_results(found, cv=cv, n_train=100, n_test=20, **told), None)


def upload(r: random.Random, case: Case, folder: Path) -> str:
    name, content = written(r, case.frame)
    named, table = Uploads(folder).add(name, content)
    found = guess(table)
    assert "id" not in found.get("models", []), found
    assert found.get("roles", {}).get("id", "skip") == "skip", found
    return winner_of(evidence_of(named, table, {**found, "positive": str(case.positive)}))


# -- how scores come in ------------------------------------------------------------------------------------------------

GAINS = (
    "accuracy",
    "Accuracy",
    "AUC",
    "roc_auc",
    "ROC AUC",
    "F1",
    "f1_score",
    "R2",
    "kappa",
    "balanced accuracy",
    "MCC",
)
LOSSES = (
    "rmse", "RMSE", "log_loss", "Log Loss", "logloss", "Brier", "error", "Error Rate", "MAE", "mean_squared_error",
    "hamming_loss", "FPR", "latency", "perplexity", "WER",
)  # fmt: skip


def score_table(r: random.Random, case: Case) -> tuple[pd.DataFrame, dict[str, Any]]:
    """A table of scores, and what is told about them; sometimes nothing, or something that says nothing."""
    rng = np.random.default_rng(r.getrandbits(32))
    n = r.choice((12, 20))
    less = r.random() < 0.6
    better, worse = rng.uniform(0.05, 0.2, n), rng.uniform(0.3, 0.5, n)
    good, bad = (better, worse) if less else (1 - better, 1 - worse)
    name = r.choice(LOSSES if less else GAINS)
    told: dict[str, Any] = {"measure": name}
    if less and r.random() < 0.25:
        good, bad = -good, -bad
        told = {"measure": r.choice((name, "neg_root_mean_squared_error", "neg_log_loss", "neg_brier_score"))}
    elif r.random() < 0.3:
        told = {"greater_is_better": not less}
    elif r.random() < 0.1:
        told = {"measure": "goodness"}
    if "measure" not in told or told["measure"] in ("goodness", "perplexity", "WER", "latency"):
        times = r.choice((1, 1, 100))  # which model is in percent says nothing of which is better
        good, bad = r.choice(((times * good, bad), (good, times * bad)))
    frame = pd.DataFrame({case.good: good.round(4), case.bad: bad.round(4)})
    extra = {"dataset": [f"d{i}" for i in range(n)], "id": range(n), "rows": rng.integers(50, 9999, n), "seed": [7] * n}
    for column in r.sample(list(extra), r.choice((0, 1, 2))):
        frame.insert(r.randrange(3), column, extra[column])
    if r.random() < 0.1:
        frame.loc[r.randrange(n), case.bad] = np.nan
    return frame, told


def scores_in_python(r: random.Random, case: Case, folder: Path) -> str:
    frame, told = score_table(r, case)
    if r.random() < 0.4:
        table: Any = {m: frame[m].sample(frac=1, random_state=r.getrandbits(16)) for m in case.models}
    else:
        table = r.choice((lambda f: f, pl.from_pandas, lambda f: f.set_index("dataset") if "dataset" in f else f))(
            frame
        )
    return winner_of(Scores.from_wide(table, **told), None)


def scores_in_files(r: random.Random, case: Case, folder: Path) -> str:
    frame, told = score_table(r, case)
    how = r.choice(("wide", "long", "turned"))
    if how == "long":
        heading = told.get("measure", "value")
        frame = frame[case.models].assign(d=range(len(frame))).melt("d", case.models, "model", heading)
        frame = frame.sample(frac=1, random_state=r.getrandbits(16))
        told = {**told, "model": "model", "value": heading, "dataset": "d"}
    elif how == "turned":
        frame = frame[case.models].T.rename(columns="d{}".format).reset_index(names="model")
    name, content = written(r, frame)
    (folder / name).write_bytes(content)
    return winner_of(read(folder / name, **told), None)


def scores_by_command(r: random.Random, case: Case, folder: Path) -> str:
    frame, told = score_table(r, case)
    name, content = written(r, frame)
    (folder / name).write_bytes(content)
    piped = r.random() < 0.3
    line = ["gate", "-" if piped else str(folder / name)]
    if "measure" in told:
        line += ["--measure", told["measure"]]
    else:
        line += ["--greater-is-better" if told["greater_is_better"] else "--lower-is-better"]
    return by_command(case, line, stdin=content if piped else None)


def cv_results(r: random.Random, case: Case, folder: Path) -> str:
    frame, told = score_table(r, case)
    found = {m: {"fit_time": np.ones(len(frame)), "test_score": frame[m].to_numpy()} for m in case.models}
    return winner_of(Scores.from_cv_results(found, **told), None)


# -- outcomes and values ---------------------------------------------------------------------------------------------


def outcomes(r: random.Random, case: Case, folder: Path) -> str:
    rng = np.random.default_rng(r.getrandbits(32))
    n = 120
    frame = pd.DataFrame({case.good: rng.random(n) < 0.9, case.bad: rng.random(n) < 0.4})
    spoken = r.choice((("0", "1"), ("fail", "pass"), ("False", "True"), ("wrong", "right"), ("no", "yes")))
    frame = frame.map(lambda v: spoken[int(v)])
    if r.random() < 0.5:
        frame.insert(0, r.choice(("id", "item", "question")), rng.permutation(n))
    if r.random() < 0.3:
        frame.loc[r.sample(range(n), 4), r.choice(case.models)] = r.choice(MARKS)
    name, content = written(r, frame)
    (folder / name).write_bytes(content)
    if r.random() < 0.5:
        return by_command(case, ["gate", str(folder / name), "--outcomes", "--drop-missing"])
    return winner_of(read(folder / name, format="outcomes", drop_missing=True), None)


def values(r: random.Random, case: Case, folder: Path) -> str:
    rng = np.random.default_rng(r.getrandbits(32))
    scale = r.choice((1, 30, 1000, 200_000))
    truth = scale * rng.normal(5, 1, 90)
    told = {
        "y": truth,
        case.good: truth + scale * rng.normal(0, 0.1, 90),
        case.bad: truth + scale * rng.normal(0, 1.5, 90),
    }
    digits = r.choice((0, 2, 3)) if scale > 1 else 3
    name, content = written(r, pd.DataFrame(told).round(digits))
    (folder / name).write_bytes(content)
    return winner_of(read(folder / name, y_true="y", y_value=case.models), r.choice(("rmse", "MAE", None)))


INTERFACES: tuple[Callable[[random.Random, Case, Path], str], ...] = (
    arrays, shuffled_series, frames, class_columns, file_in_python, file_by_command, gaps, long_table, parts, store,
    upload, scores_in_python, scores_in_files, scores_by_command, cv_results, outcomes, values, class_labels,
    score_scales, masked, cross_validated,
)  # fmt: skip
NEVER_REFUSED = {"arrays", "shuffled_series", "frames", "file_in_python", "store"}


def tried(seed: int, folder: Path) -> tuple[str, str]:
    """One case: its interface, and "right", "refused" or what went wrong."""
    r = random.Random(seed)
    folder.mkdir()
    interface = INTERFACES[seed % len(INTERFACES)]
    case = predictions(r)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = interface(r, case, folder)
        except BakeoffError as problem:
            refused = f"refused: {problem}" if interface.__name__ in NEVER_REFUSED else "refused"
            return interface.__name__, refused
    return interface.__name__, "right" if found == case.good else f"wrong: {found!r} over {case.good!r}"


def counted(seeds: range, folder: Path) -> tuple[Counter, list[str]]:
    counts: Counter = Counter()
    wrong = []
    for seed in seeds:
        name, answer = tried(seed, folder / str(seed))
        counts[name, answer if answer in ("right", "refused") else "wrong"] += 1
        if answer not in ("right", "refused"):
            wrong.append(f"seed {seed}, {name}: {answer}")
    return counts, wrong


def test_no_interface_names_the_wrong_winner(tmp_path: Path) -> None:
    counts, wrong = counted(range(357), tmp_path)
    assert not wrong, "\n".join(wrong)
    for interface in INTERFACES:  # refusing everything would be no answer
        assert counts[interface.__name__, "right"] >= 8, (interface.__name__, counts)


@pytest.mark.slow
def test_no_interface_names_the_wrong_winner_in_thousands(tmp_path: Path) -> None:
    counts, wrong = counted(range(10_000, 16_000), tmp_path)
    for interface in INTERFACES:
        print(interface.__name__, {a: counts[interface.__name__, a] for a in ("right", "refused", "wrong")})
    assert not wrong, "\n".join(wrong)
