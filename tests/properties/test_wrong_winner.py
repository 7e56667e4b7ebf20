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
        lambda: frame.to_dict("list"),
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
    pack = r.choice((None, None, None, gzip.compress, bz2.compress, lzma.compress))
    return (name, content) if pack is None else (f"{name}.{pack.__module__.strip('_')[:2]}", pack(content))


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
    how = r.choice(("wide", "long", "hive", "file per model"))
    write = r.choice((lambda f, p: pl.from_pandas(f).write_parquet(f"{p}.parquet"), lambda f, p: f.to_csv(f"{p}.csv")))
    target.mkdir()
    if how == "wide":
        for i, part in enumerate(np.array_split(np.arange(len(case.frame)), r.choice((1, 2, 5)))):
            write(case.frame.iloc[part].reset_index(drop=True), target / str(i))
        columns: dict[str, Any] = {"y_score": case.models}
    else:
        for i, (model, part) in enumerate(long.sample(frac=1, random_state=3).groupby("model")):
            below = target / f"model={model}" if how == "hive" else target
            below.mkdir(exist_ok=True)
            if how == "long":
                part = part.sample(frac=1, random_state=i)
            write((part if how == "long" else part.drop(columns="model")).reset_index(drop=True), below / str(i))
        columns = {"y_score": "p"}
        if how in ("long", "hive") or r.random() < 0.5:
            columns |= {"model": "model", "instance": "id"}
    return winner_of(read(target, y_true="y", pos_label=case.positive, **columns))


class Lookup:
    """A fitted model whose probabilities stand in a column of X."""

    def __init__(self, column: int = 0) -> None:
        self.column = column

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"column": self.column}

    def set_params(self, **given: Any) -> Lookup:
        self.__dict__.update(given)
        return self

    def fit(self, X: Any, y: Any) -> Lookup:
        self.classes_ = np.unique(y)
        return self

    def predict_proba(self, X: Any) -> Any:
        p = np.clip(np.asarray(X)[:, self.column].astype(float), 0, 1)
        return np.stack([1 - p, p], axis=1)

    def predict(self, X: Any) -> Any:
        return self.classes_[(self.predict_proba(X)[:, 1] > 0.5).astype(int)]

    _estimator_type = "classifier"


def store(r: random.Random, case: Case, folder: Path) -> str:
    models = {case.good: Lookup(0), case.bad: Lookup(1)}
    X, y = case.frame[case.models], case.frame["y"].sample(frac=1, random_state=5)
    data = bakeoff.runner.Dataset(X, y, name="d", pos_label=case.positive)
    place = folder / "store"
    bakeoff.run(models, data, bakeoff.protocols.KFold(3), store=place, progress=False)
    if r.random() < 0.5:
        return by_command(case, ["gate", str(place), "--measure", "auc"])
    return winner_of(read(place))


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
    line = ["gate", str(folder / name)]
    if "measure" in told:
        line += ["--measure", told["measure"]]
    else:
        line += ["--greater-is-better" if told["greater_is_better"] else "--lower-is-better"]
    return by_command(case, line)


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
    upload, scores_in_python, scores_in_files, scores_by_command, cv_results, outcomes, values,
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
    counts, wrong = counted(range(340), tmp_path)
    assert not wrong, "\n".join(wrong)
    for interface in INTERFACES:  # refusing everything would be no answer
        assert counts[interface.__name__, "right"] >= 10, (interface.__name__, counts)


@pytest.mark.slow
def test_no_interface_names_the_wrong_winner_in_thousands(tmp_path: Path) -> None:
    counts, wrong = counted(range(10_000, 16_000), tmp_path)
    for interface in INTERFACES:
        print(interface.__name__, {a: counts[interface.__name__, a] for a in ("right", "refused", "wrong")})
    assert not wrong, "\n".join(wrong)
