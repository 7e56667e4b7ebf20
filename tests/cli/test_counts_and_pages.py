"""`bakeoff count`, commands on counts files and DuckDB files, and pages that repeat."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

COLUMNS = ["--truth", "y", "--score", "a=sa", "--score", "b=sb"]


def bakeoff(*arguments: object, status: int = 0) -> str:
    command = [sys.executable, "-m", "bakeoff", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return done.stdout if status == 0 else done.stderr


@pytest.fixture
def table() -> pl.DataFrame:
    random, n = np.random.default_rng(0), 600
    y = random.integers(0, 2, n)
    z = y + random.normal(size=n)
    return pl.DataFrame({"y": y, "sa": np.round(z, 2), "sb": np.round(z + random.normal(size=n), 2)})


def test_two_sites_compare_as_their_pooled_rows(table, tmp_path: Path):
    for name, part in (("one", table[:350]), ("two", table[350:])):
        part.write_csv(tmp_path / f"{name}.csv")
        told = bakeoff("count", tmp_path / f"{name}.csv", *COLUMNS, "-o", tmp_path / f"{name}.counts", "--exact")
        assert "stand alone" in told
    table.write_csv(tmp_path / "all.csv")
    sites = json.loads(bakeoff("compare", tmp_path / "one.counts", tmp_path / "two.counts", "--json"))
    pooled = json.loads(bakeoff("compare", tmp_path / "all.csv", *COLUMNS, "--json"))
    assert sites["pairs"][0]["estimate"] == pytest.approx(pooled["pairs"][0]["estimate"], abs=1e-12)
    assert sites["pairs"][0]["pvalue"] == pytest.approx(pooled["pairs"][0]["pvalue"], rel=1e-9)
    assert "given twice" in bakeoff("evaluate", tmp_path / "one.counts", tmp_path / "one.counts", status=2)
    for command in ("decide --cost-fp 1 --cost-fn 3", "gate --baseline a --candidate b --margin 0.4", "plan"):
        bakeoff(*command.split(), tmp_path / "one.counts", tmp_path / "two.counts", "--json")


def test_scores_that_stand_alone_are_rounded_unless_exact_is_asked_for(table, tmp_path: Path):
    table.with_columns(pl.col("sa") + np.arange(600) * 1e-9).write_csv(tmp_path / "t.csv")
    bakeoff("count", tmp_path / "t.csv", *COLUMNS, "-o", tmp_path / "t.counts", "--measure", "auc")
    from bakeoff import Counts

    assert next(iter(Counts.load(tmp_path / "t.counts").stored.values())).bits == {"a": 16, "b": 16}


def test_a_duckdb_file_is_counted_where_it_is(table, tmp_path: Path):
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "sales.duckdb"
    with duckdb.connect(str(file)) as connection:
        arrow = table.to_arrow()
        connection.register("t", arrow)
        connection.sql("create table predictions as select * from t")
    table.write_csv(tmp_path / "all.csv")
    rows = json.loads(bakeoff("evaluate", tmp_path / "all.csv", *COLUMNS, "--json", "-m", "auc"))
    for asked in (["--table", "predictions"], ["--sql", "select * from predictions"]):
        found = json.loads(bakeoff("evaluate", file, *asked, *COLUMNS, "--json", "-m", "auc"))
        for mine, theirs in zip(found["entries"], rows["entries"], strict=True):
            assert mine == pytest.approx(theirs) if not isinstance(mine, dict) else mine["model"] == theirs["model"]
    told = bakeoff("evaluate", file, "--table", "predictions", *COLUMNS, "-m", "auc", "-m", "accuracy", "--explain")
    assert "GROUP BY" in told.upper()
    assert "scores of a, b, 600 lines" in told
    assert "not in one" in bakeoff("evaluate", tmp_path / "all.csv", *COLUMNS, "--explain", status=2)
    assert "is a database" in bakeoff("evaluate", file, *COLUMNS, status=2)
    assert "could not be asked" in bakeoff("evaluate", file, "--table", "nope", *COLUMNS, status=2)


def test_the_same_report_is_the_same_file_whatever_it_is_called(table, tmp_path: Path):
    table.write_csv(tmp_path / "t.csv")
    pages = [tmp_path / "one.html", tmp_path / "two.html"]
    for page in pages:
        bakeoff("report", tmp_path / "t.csv", *COLUMNS, "--seed", 0, "-o", page)
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_a_second_round_compares_patients_of_two_sites(table, tmp_path: Path):
    """First counts without groups, then sums of placements by group against both sites' counts."""
    table = table.with_columns(patient=np.arange(600) // 3, sa=pl.col("sa").round(1), sb=pl.col("sb").round(1))
    parts = {"one": table[:360], "two": table[360:]}
    for name, part in parts.items():
        part.write_csv(tmp_path / f"{name}.csv")
        bakeoff("count", tmp_path / f"{name}.csv", *COLUMNS, "-o", tmp_path / f"{name}.counts")
    merged = [word for name in parts for word in ("--with", tmp_path / f"{name}.counts")]
    for name in parts:
        file = tmp_path / f"{name}.csv"
        bakeoff("count", file, *COLUMNS, "--groups", "patient", *merged, "-o", tmp_path / f"{name}2.counts")
    table.write_csv(tmp_path / "all.csv")
    sites = json.loads(bakeoff("compare", tmp_path / "one2.counts", tmp_path / "two2.counts", "-m", "auc", "--json"))
    pooled = json.loads(bakeoff("compare", tmp_path / "all.csv", *COLUMNS, "--groups", "patient", "--json"))
    assert sites["pairs"][0]["pvalue"] == pytest.approx(pooled["pairs"][0]["pvalue"], rel=1e-9)
    told = bakeoff("compare", tmp_path / "one2.counts", "-m", "auc", status=2)
    assert "not of all the sites of the first" in told
