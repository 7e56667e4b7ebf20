"""Malformed files, options and odd arguments: an answer or a sentence, never a traceback, never over 10 s.

Seeded, so that any case comes again. A few hundred by default; ``pytest -m slow tests/evidence/test_malformed.py -s``
does 20,000 malformed ones and 1,000 valid reports, and prints the counts.
"""

from __future__ import annotations

import contextlib
import datetime
import decimal
import io
import json
import random
import signal
import threading
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import BakeoffError, OperatingContext, Predictions, Scores, read, stats
from bakeoff.cli._app import run
from bakeoff.runner import load_dataset

SECONDS = 10.0  # of processor time; a case that takes longer hangs

CELLS = (
    "", "NA", "nan", "inf", "1e999", "0", "-0", "2", "True", "null", "?", "yes ", "YES", "0,5", "1.000,5", "\x00",
    "\x1b[31m", "é", '"', '"a,b"', "a\tb", "9" * 400, "=1+1", "{}", "½", "99999999999999999999", "-5", "50%",
)  # fmt: skip
ODD = (None, 0, 1.5, float("nan"), 10**400, "x", b"x", [], [[1], [1, 2]], {}, {"a": None}, ..., object(), range(6),
       np.zeros((2, 3)), np.array([None, "a"], dtype=object), pl.DataFrame(), pl.LazyFrame({"a": [1]}),
       pl.Series([1, None]), True, Path("nowhere"))  # fmt: skip
COMMANDS = (
    "evaluate {f} --truth y --score pa --score pb --positive yes -m auc",
    "compare {f} --truth y --pred a --pred b --weight w",
    "gate {f} --truth y --baseline pa --candidate pb --margin 0.1 --measure auc --positive yes",
    "compare {f} --truth y --pred a --pred b --groups g --drop-missing",
    "compare {f} --measure accuracy",
    "compare {f} --outcomes",
    "evaluate {f} --truth y --pred a --fold fold --groups g",
    "decide {f} --truth y --score pa --score pb --positive yes --prevalence 0.1 --cost-fn 5",
    "report {f} --truth y --score pa --positive yes -o {f}.html",
    "plan {f} --truth y --pred a --pred b --difference 0.1",
)
WORDS = (
    "", "0", "-1", "1", "0.5", "1e999", "nan", "inf", "10" * 12, "9" * 20, "x", "yes", "a", "a,b", "a=b", "=", "--json",
    "auc", "AUC", "rmse", "accuracy,auc", "mcnemar", "friedman", "holm", "5%", "0:1", "1:0", "é", "\x1b[31m", "-",
)  # fmt: skip
OPTIONS = (
    "--truth", "--pred", "--score", "--value", "--positive", "--classes", "--model", "--models", "--datasets",
    "--dataset", "--repeat", "--fold", "--groups", "--instance", "--weight", "--frequency", "--n-train", "--n-test",
    "--format", "--measure", "--test", "--adjust", "--posthoc", "--alternative", "--margin", "--control", "--rope",
    "--claim", "--over", "--level", "--resamples", "--seed", "--prevalence", "--cost-fp", "--cost-fn", "--costs",
    "--priors", "--difference", "--power", "--rows", "--context", "--interval", "--title", "--exports",
)  # fmt: skip
EXPERIMENT = """measures = ["accuracy"]
[protocol]
name = "KFold"
n_splits = 3
[datasets.d]
source = "sklearn:iris"
[models.nb]
class = "sklearn.naive_bayes.GaussianNB"
params = { var_smoothing = 1e-9 }
steps = ["impute"]
"""
TOML = (
    "0",
    "-1",
    "1e12",
    "99999999999",
    "nan",
    "true",
    '"x"',
    "[]",
    "[[1]]",
    "{ a = 1 }",
    '"os.system"',
    "1979-05-27",
    '""',
)
ARFF = """@relation r
@attribute f1 numeric
@attribute f2 {a, b}
@attribute class {no, yes}
@data
1.5, a, yes
?, b, no
2, a, no
3, b, yes
"""


def _rows(r: random.Random) -> list[list[object]]:
    rows: list[list[object]] = [["y", "a", "b", "pa", "pb", "fold", "g", "w"]]
    for i in range(20):
        p, q = round(r.random(), 3), round(r.random(), 3)
        labels = [("no", "yes")[i % 3 == 0], ("no", "yes")[p > 0.5], ("no", "yes")[q > 0.4]]
        rows.append([*labels, p, q, i % 4, f"g{i % 5}", round(0.5 + r.random(), 2)])
    return rows


def _changed(r: random.Random, rows: list[list[object]]) -> list[list[object]]:
    for _ in range(r.choice((1, 1, 2, 5))):
        row = r.choice(rows)
        if row and r.random() < 0.7:
            row[r.randrange(len(row))] = r.choice(CELLS)
        elif r.random() < 0.5:
            rows.insert(r.randrange(len(rows)), list(r.choice(rows)))
        elif row:
            del row[r.randrange(len(row))]
    return rows


def _damaged(r: random.Random, content: bytes) -> bytes:
    data = bytearray(content)
    for _ in range(r.choice((0, 1, 3))):
        if data:
            data[r.randrange(len(data))] = r.randrange(256)
    return bytes(data[: r.randrange(len(data) + 1)]) if r.random() < 0.2 else bytes(data)


def _odd_column(r: random.Random, n: int) -> pl.Series:
    """A column of a kind that nobody expects there."""
    day = datetime.date(2020, 1, 1)
    cells, dtype = r.choice((
        ([{"a": 1}] * n, None), ([[0.1, 0.9]] * n, None), ([[0.1, 0.9]] * n, pl.Array(pl.Float64, 2)),
        ([10**25 + i for i in range(n)], pl.Int128), ([day] * n, None), ([datetime.time(12)] * n, None),
        ([decimal.Decimal("0.5")] * n, None), ([None] * n, None), ([b"x"] * n, None), (["a", "b"] * n, pl.Categorical),
        ([float("inf")] * n, None), ([i % 2 == 0 for i in range(n)], None), (list(range(n)), pl.UInt8),
        ([datetime.timedelta(i) for i in range(n)], None), ([None, *[0.5] * (n - 1)], None),
    ))  # fmt: skip
    return pl.Series(cells[:n], dtype=dtype, strict=False)


def _file(r: random.Random, folder: Path) -> Path:
    kind = r.choice(("csv", "csv", "csv", "tsv", "parquet", "parquet", "jsonl", "json", "folder", "folder"))
    rows = _rows(r)
    frame = pl.DataFrame(rows[1:], schema=[str(c) for c in rows[0]], orient="row")
    if kind in ("parquet", "folder") and r.random() < 0.6:
        for name in r.sample(frame.columns, r.choice((1, 2))):
            frame = frame.with_columns(_odd_column(r, len(frame)).alias(name))
    path = folder / f"t.{kind}"
    if kind in ("csv", "tsv"):
        separator = "\t" if kind == "tsv" else r.choice((",", ",", ";"))
        text = "\n".join(separator.join(map(str, row)) for row in _changed(r, rows)) + "\n"
        path.write_bytes(_damaged(r, text.encode()))
    elif kind == "jsonl":
        path.write_bytes(_damaged(r, frame.write_ndjson().encode()))
    elif kind == "json":
        data = r.choice(
            (frame.to_dicts(), frame.to_dict(as_series=False), {"rows": frame.to_dicts()}, [[1, 2]], 5, None)
        )
        if isinstance(data, list) and data and isinstance(data[0], dict):
            r.choice(data)[r.choice(frame.columns)] = r.choice((None, [], {"a": 1}, "x", 1e308, 10**30))
        path.write_bytes(_damaged(r, json.dumps(data).encode()))
    else:
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        if kind == "parquet":
            path.write_bytes(_damaged(r, buffer.getvalue()))
        else:
            below = path / r.choice((".", "model=rf", "sub", "model="))
            below.mkdir(parents=True)
            (below / "0.parquet").write_bytes(buffer.getvalue())
            other = io.BytesIO()
            changed = r.choice(
                (frame, frame.drop(r.choice(frame.columns)), frame.with_columns(pl.lit("x").alias("pa")))
            )
            changed.write_parquet(other)
            (path / "1.parquet").write_bytes(_damaged(r, other.getvalue()))
            (path / r.choice(("_SUCCESS", ".crc", "notes.txt", "2.csv"))).write_bytes(
                r.choice((b"", b"x", b"\xff\xfe\0"))
            )
    return path


def _options(r: random.Random, folder: Path) -> list[str]:
    """A good file, with options that were not meant so."""
    path = folder / "t.csv"
    path.write_text("\n".join(",".join(map(str, row)) for row in _rows(r)) + "\n")
    line = r.choice(COMMANDS).replace("{f}", str(path)).split(" ")
    for _ in range(r.choice((1, 1, 2, 4))):
        if r.random() < 0.3 and len(line) > 1:
            del line[r.randrange(len(line))]
        elif r.random() < 0.4 and len(line) > 2:
            line[r.randrange(2, len(line))] = r.choice(WORDS)
        else:
            line += [r.choice(OPTIONS), r.choice(WORDS)]
    return line


def _experiment(r: random.Random, folder: Path) -> list[str]:
    lines = EXPERIMENT.splitlines()
    for _ in range(r.choice((1, 1, 2))):
        i = r.randrange(len(lines))
        key, equals, _ = lines[i].partition(" = ")
        lines[i] = r.choice((
            f"{key} = {r.choice(TOML)}", "", f"{lines[i]}\n{lines[i]}", f"x{lines[i]}", lines[i][:-1], f"{key}.y = 1",
        )) if equals else r.choice(("", "[x]", "[[models]]", "[pro", f"{lines[i]}\nrepeats = 1{'0' * 12}"))  # fmt: skip
    path = folder / "e.toml"
    path.write_bytes(_damaged(r, "\n".join(lines).encode()) if r.random() < 0.3 else "\n".join(lines).encode())
    return ["run", str(path), "--plan", "--store", str(folder / "store")]


def _relation(r: random.Random, folder: Path) -> None:
    lines = ARFF.splitlines()
    for _ in range(r.choice((1, 2, 3))):
        i = r.randrange(len(lines))
        lines[i] = r.choice(
            ("", "@data", "@attribute", lines[i].replace(",", ""), "{0 1, 2 yes}", r.choice(CELLS), "% x")
        )
    path = folder / "t.arff"
    path.write_bytes(_damaged(r, "\n".join(lines).encode("utf-8", "replace")))
    load_dataset(path).prepared()


def _from_python(r: random.Random) -> None:
    odd, other = r.choice(ODD), r.choice(ODD)
    name = r.choice(("fold", "groups", "sample_weight", "instance", "classes", "pos_label", "dataset"))
    calls = (
        lambda: Predictions.from_arrays(odd, y_pred={"m": other}),
        lambda: Predictions.from_arrays([0, 1, 0, 1, 0, 1], y_score={"m": odd}, **{name: other}),
        lambda: Predictions.from_outcomes(odd, models=other),
        lambda: Scores.from_wide(odd, models=other),
        lambda: Scores.from_wide({"a": [1, 2], "b": odd}, greater_is_better=other),
        lambda: Scores.from_cv_results(odd, measure=other),
        lambda: Scores.from_frame(odd, model=other, value="v"),
        lambda: Predictions.from_frame(odd, y_true="y", y_pred=other),
        lambda: read(odd, y_true=other, y_score="a"),
        lambda: bakeoff.evaluate(GOOD, odd, confidence_level=other),
        lambda: bakeoff.compare(GOOD, odd, control=other),
        lambda: bakeoff.compare(GOOD, margin=odd, test=other),
        lambda: bakeoff.decide(GOOD, odd),
        lambda: bakeoff.plan(measure=odd, difference=other),
        lambda: bakeoff.advise(n_models=odd, n_datasets=other),
        lambda: OperatingContext(prevalence=odd, cost_fp=other),
        lambda: bakeoff.report(odd, title=other),
        lambda: stats.mcnemar(odd, other),
        lambda: stats.auc(odd, other),
        lambda: stats.wilcoxon(odd, other),
        lambda: stats.friedman(odd),
        lambda: stats.adjust(odd, other),
        lambda: bakeoff.measures.get(odd),
        lambda: bakeoff.measures.get("auc")([0, 1, 0, 1], odd, pos_label=other),
        lambda: GOOD.select(models=odd, datasets=other),
        lambda: bakeoff.runner.Dataset(odd, other),
    )
    r.choice(calls)()


GOOD = Predictions.from_arrays([0, 1] * 12, y_score={"a": np.linspace(0, 1, 24), "b": np.linspace(1, 0, 24) ** 2})


@contextlib.contextmanager
def _no_longer_than(seconds: float):
    """Stop a case that takes more processor time than this."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"more than {seconds:g} s")

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _try(seed: int, folder: Path) -> tuple[str, str | None]:
    """One case: its kind, and what went wrong."""
    r = random.Random(seed)
    folder.mkdir()
    kind, shown = "python", io.StringIO()
    try:
        with (
            contextlib.redirect_stdout(shown),
            contextlib.redirect_stderr(shown),
            warnings.catch_warnings(),
            _no_longer_than(SECONDS),
            contextlib.chdir(folder),  # options may name files to write
        ):
            warnings.simplefilter("ignore")
            chance = r.random()
            if chance < 0.3:
                _from_python(r)
            elif chance < 0.35:
                kind = "arff"
                _relation(r, folder)
            elif chance < 0.45:
                kind = "toml"
                run(_experiment(r, folder))
            elif chance < 0.6:
                kind = "options"
                run(_options(r, folder))
            else:
                path = _file(r, folder)
                kind = path.suffix[1:]
                line = r.choice(COMMANDS).replace("{f}", str(path)).split(" ")
                run([*line, "--resamples", "100"] if line[0] in ("evaluate", "compare", "gate") else line)
    except BakeoffError as problem:
        return kind, None if kind in ("python", "arff") else repr(problem)
    except SystemExit as stop:
        return kind, None if stop.code in (None, 0, 1, 2) else f"status {stop.code}: {shown.getvalue()[-200:]}"
    except Exception as problem:  # whatever it is, it is what is looked for
        return kind, repr(problem)
    return kind, None


def _all(seeds: range, folder: Path) -> tuple[Counter, list[str]]:
    counts: Counter = Counter()
    wrong = []
    for seed in seeds:
        kind, problem = _try(seed, folder / str(seed))
        counts[kind] += 1
        if problem is not None:
            wrong.append(f"seed {seed} ({kind}): {problem[:200]}")
    return counts, wrong


def test_features_of_two_lengths_have_a_sentence() -> None:
    with pytest.raises(BakeoffError, match="must be rectangular"):
        bakeoff.runner.Dataset([[1], [1, 2]], "xy")


def test_a_few_hundred_malformed_inputs(tmp_path: Path) -> None:
    _, wrong = _all(range(300), tmp_path)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.slow
def test_twenty_thousand_malformed_inputs(tmp_path: Path) -> None:
    counts, wrong = _all(range(1000, 21_000), tmp_path)
    print(f"{sum(counts.values())} cases, {len(wrong)} wrong: {dict(counts)}")
    assert not wrong, "\n".join(wrong[:20])


def _valid(r: random.Random) -> object:
    """Small evidence of any kind that is as it should be."""
    n, k = r.choice((2, 5, 12, 40)), r.choice((1, 2, 3, 7))
    rng = np.random.default_rng(r.getrandbits(32))
    models = [
        r.choice(
            ("m{}", "model {}", "é{}", "<b>{}", "$x_{}$", "=m{}", "{{{}}}", "a\nb{}", "模型{}", "%s{}", "'{}\"")
        ).format(i)
        for i in range(k)
    ]
    what = r.choice(("labels", "scores", "classes", "chances", "values", "outcomes", "sums", "wide", "folds"))
    shared = {
        "groups": r.choice((None, rng.integers(0, 4, n))), "sample_weight": r.choice((None, rng.uniform(0.1, 3, n))),
        "dataset": r.choice(("data", np.arange(n) % 2)), "fold": r.choice((None, np.arange(n) % 2)),
        "frequency": r.choice((None, None, rng.integers(1, 4, n))),
    }  # fmt: skip
    if what == "wide":
        return Scores.from_wide(rng.random((n, k)), models=models, measure=r.choice(("accuracy", "rmse")))
    if what == "folds":
        table = {"fold": np.arange(n), **{m: rng.random(n).round(2) for m in models}}
        return Scores.from_wide(table, fold="fold", measure="auc")
    if what == "outcomes":
        digits = r.choice((0, 2))
        kept = {"groups": shared["groups"], "sample_weight": shared["sample_weight"],
                "slices": r.choice((None, {"<i>": np.arange(n) % 2}))}  # fmt: skip
        return Predictions.from_outcomes({m: rng.random(n).round(digits) for m in models}, **kept)
    if what == "sums":
        words = rng.integers(5, 30, n)
        table = {m: {"edits": rng.integers(0, 5, n), "ref_length": words} for m in models}
        return Predictions.from_sums(table, groups=shared["groups"])
    if what == "values":
        return Predictions.from_arrays(rng.normal(size=n), y_value={m: rng.normal(size=n) for m in models}, **shared)
    if what == "chances":
        chances = {m: rng.dirichlet(np.ones(3), n) for m in models}
        return Predictions.from_arrays(np.arange(n) % 3, y_score=chances, classes=[0, 1, 2], **shared)
    if what == "classes":
        y = np.arange(n) % 3
        return Predictions.from_arrays(y, y_pred={m: rng.permutation(y) for m in models}, classes=[0, 1, 2], **shared)
    y = np.arange(n) % 2
    if what == "labels":
        return Predictions.from_arrays(y, y_pred={m: rng.integers(0, 2, n) for m in models}, pos_label=1, **shared)
    return Predictions.from_arrays(y, y_score={m: rng.random(n).round(2) for m in models}, **shared)


def _reported(seed: int, counts: Counter | None = None) -> str | None:
    counts = Counter() if counts is None else counts
    r = random.Random(seed)
    try:
        with warnings.catch_warnings(), _no_longer_than(SECONDS):
            warnings.simplefilter("ignore")
            assert bakeoff.report(_valid(r), rng=0).html
            counts["made"] += 1
    except BakeoffError:
        counts["refused"] += 1
        return None
    except Exception as problem:  # whatever it is, it is what is looked for
        return f"seed {seed}: {problem!r}"[:300]
    return None


def test_some_valid_reports() -> None:
    wrong = [problem for seed in range(25) if (problem := _reported(seed)) is not None]
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
def test_a_thousand_valid_reports() -> None:
    counts: Counter = Counter()
    wrong = [problem for seed in range(1000, 2000) if (problem := _reported(seed, counts)) is not None]
    print(f"1000 valid reports, {len(wrong)} wrong: {dict(counts)}")
    assert not wrong, "\n".join(wrong[:20])
