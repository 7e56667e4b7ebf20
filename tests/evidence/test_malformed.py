"""Malformed files and odd arguments: an answer or a sentence, never a traceback. Seeded, so that any case comes again.

A few hundred by default; ``pytest -m slow tests/evidence/test_malformed.py -s`` does 20,000 and prints the counts.
"""

from __future__ import annotations

import contextlib
import io
import random
import warnings
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import BakeoffError, Predictions, Scores, read
from bakeoff.cli._app import run

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
)


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


def _file(r: random.Random, folder: Path) -> Path:
    kind = r.choice(("csv", "csv", "csv", "tsv", "parquet", "jsonl", "folder"))
    rows = _rows(r)
    frame = pl.DataFrame(rows[1:], schema=[str(c) for c in rows[0]], orient="row")
    path = folder / f"t.{kind}"
    if kind in ("csv", "tsv"):
        separator = "\t" if kind == "tsv" else r.choice((",", ",", ";"))
        text = "\n".join(separator.join(map(str, row)) for row in _changed(r, rows)) + "\n"
        path.write_bytes(_damaged(r, text.encode()))
    elif kind == "jsonl":
        path.write_bytes(_damaged(r, frame.write_ndjson().encode()))
    else:
        buffer = io.BytesIO()
        frame.write_parquet(buffer)
        if kind == "parquet":
            path.write_bytes(_damaged(r, buffer.getvalue()))
        else:
            path.mkdir()
            (path / "0.parquet").write_bytes(buffer.getvalue())
            (path / "1.parquet").write_bytes(_damaged(r, buffer.getvalue()))
    return path


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
    )
    r.choice(calls)()


def _try(seed: int, folder: Path) -> tuple[str, str | None]:
    """One case: its kind, and what went wrong."""
    r = random.Random(seed)
    folder.mkdir()
    kind, shown = "python", io.StringIO()
    try:
        with contextlib.redirect_stdout(shown), contextlib.redirect_stderr(shown), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if r.random() < 0.3:
                _from_python(r)
            else:
                path = _file(r, folder)
                kind = path.suffix[1:]
                run(r.choice(COMMANDS).replace("{f}", str(path)).split(" "))
    except BakeoffError as problem:
        return kind, None if kind == "python" else repr(problem)
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


def test_a_few_hundred_malformed_inputs(tmp_path: Path) -> None:
    _, wrong = _all(range(300), tmp_path)
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.slow
def test_twenty_thousand_malformed_inputs(tmp_path: Path) -> None:
    counts, wrong = _all(range(1000, 21_000), tmp_path)
    print(f"{sum(counts.values())} cases, {len(wrong)} wrong: {dict(counts)}")
    assert not wrong, "\n".join(wrong[:20])
