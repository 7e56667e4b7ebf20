"""The same answers wherever the rows live: arrays, engines that need no server, counts added up over sites."""

from __future__ import annotations

import hashlib
import io
import json
import warnings
import zipfile
from datetime import datetime
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.evidence.engines import ENGINES, native

import bakeoff
from bakeoff import Counts, EvidenceError, Predictions

# Ibis uses an option of pandas and a method of DuckDB that are going away.
pytestmark = [
    pytest.mark.filterwarnings("ignore:The 'future.infer_string' option"),
    pytest.mark.filterwarnings("ignore:fetch_arrow_table"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # Spark's own sockets
]

ROLES: dict[str, Any] = {"y_true": "y", "y_score": {"a": "sa", "b": "sb"}, "y_pred": {"a": "la", "b": "lb"}}
DESIGNS: dict[str, dict[str, Any]] = {
    "rows": {},
    "weights": {"sample_weight": "w"},
    "groups": {"groups": "g"},
    "folds": {"fold": "f"},
    "frequencies": {"frequency": "c"},
    "slices": {"slices": ["s", "k"]},
}
MEASURES = ("accuracy", "f1", "kappa", "auc", "average_precision", "brier", "log_loss")


@pytest.fixture(scope="module")
def frame() -> pl.DataFrame:
    random, n = np.random.default_rng(0), 1200
    y = (random.random(n) < 0.3).astype(int)
    z = 1.3 * y + random.normal(size=n)
    a, b = 1 / (1 + np.exp(-z)), 1 / (1 + np.exp(-z - 0.7 * random.normal(size=n)))
    return pl.DataFrame({
        "y": y, "sa": a, "sb": np.round(b, 3), "la": (a > 0.5).astype(int), "lb": (b > 0.6).astype(int),
        "w": random.exponential(size=n), "g": random.integers(0, 90, n), "f": np.arange(n) % 5,
        "c": random.integers(1, 4, n), "v": y + 0.3, "va": z, "vb": z + random.normal(size=n),
        "s": [None if i % 97 == 0 else ("north", "south")[i % 2] for i in range(n)], "k": np.arange(n) // 3 % 3,
        "d": np.where(np.arange(n) < 500, "first", "second"),
    })  # fmt: skip


def assert_same(one: Any, other: Any, tolerance: float = 1e-12) -> None:
    for column in ("estimate", "low", "high"):
        np.testing.assert_allclose(one[column].to_numpy(), other[column].to_numpy(), rtol=0, atol=tolerance)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("design", DESIGNS)
def test_an_engine_answers_as_arrays_do(frame, engine, design):
    keys = DESIGNS[design]
    arrays = Predictions.from_frame(frame, **ROLES, **keys)
    asked = Predictions.scan(native(engine, frame), **ROLES, **keys)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", bakeoff.BakeoffWarning)
        measured = [bakeoff.evaluate(p, MEASURES, rng=0).to_frame() for p in (arrays, asked)]
        compared = [[bakeoff.compare(p, m, rng=0) for m in ("accuracy", "auc", "brier")] for p in (arrays, asked)]
    assert_same(*measured)
    for mine, theirs in zip(*compared, strict=True):
        assert mine.choice.chosen == theirs.choice.chosen
        assert mine.pairs[0].pvalue == pytest.approx(theirs.pairs[0].pvalue, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("engine", ["arrays", *ENGINES])
def test_slices_are_those_of_arrays(frame, engine):
    """The slices of a scan, and of its counts, cut every answer as the slices of rows do."""
    arrays = Predictions.from_frame(frame, **ROLES, slices=["s", "k"])
    asked = arrays if engine == "arrays" else Predictions.scan(native(engine, frame), **ROLES, slices=["s", "k"])
    parts = asked.counts(measures=["accuracy", "auc"])
    for by in ("s", ["s", "k"]):
        theirs = bakeoff.evaluate(arrays, ["accuracy", "auc"], by=by).slices
        pair = bakeoff.compare(arrays, "auc", by=by).slices
        for p in (asked, parts):
            mine, together = bakeoff.evaluate(p, ["accuracy", "auc"], by=by).slices, bakeoff.compare(p, "auc", by=by)
            assert mine.to_frame()["slice"].tolist() == theirs.to_frame()["slice"].tolist()
            assert_same(mine.to_frame(), theirs.to_frame())
            assert_same(together.slices.to_frame(), pair.to_frame())
            assert together.slices.heterogeneity.pvalue == pytest.approx(pair.heterogeneity.pvalue, rel=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
def test_values_and_several_data_sets_and_long_tables(frame, engine):
    outputs: dict[str, Any] = {"y_value": {"a": "va", "b": "vb"}, "y_true": "v"}
    arrays, asked = Predictions.from_frame(frame, **outputs), Predictions.scan(native(engine, frame), **outputs)
    assert_same(*(bakeoff.evaluate(p, ["rmse", "mae"]).to_frame() for p in (arrays, asked)))
    several = Predictions.scan(native(engine, frame), **ROLES, dataset="d")
    assert several.datasets == ("first", "second")
    assert_same(
        *(
            bakeoff.evaluate(p, "accuracy").to_frame()
            for p in (Predictions.from_frame(frame, **ROLES, dataset="d"), several)
        )
    )
    wide = frame.with_row_index("i").select(pl.col("i").cast(pl.Int64), "y", "sa", "sb")
    parts = [wide.select("i", "y", pl.col(s).alias("s"), pl.lit(m).alias("m")) for m, s in (("a", "sa"), ("b", "sb"))]
    long = Predictions.scan(native(engine, pl.concat(parts)), y_true="y", y_score="s", model="m", instance="i")
    assert bakeoff.compare(long, "auc").pairs[0].pvalue == pytest.approx(
        bakeoff.compare(Predictions.from_frame(frame, y_true="y", y_score={"a": "sa", "b": "sb"}), "auc")
        .pairs[0]
        .pvalue
    )


@pytest.fixture(scope="module")
def items() -> pl.DataFrame:
    """Edits and lengths, and right or wrong, of two models that lack some items; three attempts at an item."""
    random, n = np.random.default_rng(4), 240
    length = random.integers(5, 20, n)
    long = pl.DataFrame({
        "model": ["a"] * n + ["b"] * n, "line": np.tile(np.arange(n), 2), "ref_length": np.tile(length, 2),
        "edits": np.concatenate([random.binomial(length, 0.2), random.binomial(length, 0.26)]),
        "seconds": random.exponential(size=2 * n), "right": random.integers(0, 2, 2 * n),
    })  # fmt: skip
    line = pl.col("line")
    long = long.with_columns(item=line // 3, attempt=line % 3, g=line // 12, s=pl.format("s{}", line % 4))
    return long.sample(fraction=1, shuffle=True, seed=1).head(2 * n - 9)


ITEMS: dict[str, dict[str, Any]] = {
    "items": {"item": "line"},
    "groups": {"item": "line", "groups": "g"},
    "slices": {"item": "line", "slices": ["s"]},
    "attempts": {"item": "item", "attempt": "attempt"},
}


@pytest.mark.parametrize("engine", ["counts", *ENGINES])
@pytest.mark.parametrize("design", ITEMS)
def test_sums_and_outcomes_of_items_are_those_of_rows(items, engine, design):
    if engine.startswith("dask") and design != "attempts":
        pytest.skip("Dask takes seconds for a join; one design is enough")
    keys = {"model": "model", **ITEMS[design]}
    adding, right = {"columns": ["edits", "ref_length"], **keys}, {"outcome": "right", **keys}
    rows = Predictions.from_sums(items, **adding), Predictions.from_outcomes(items, **right)
    if engine == "counts":
        asked = tuple(p.counts() for p in rows)
    else:
        there = native(engine, items)
        asked = Predictions.from_sums(there, **adding), Predictions.from_outcomes(there, **right)
        asked = (*asked, asked[0].counts())
    for theirs, mine, measure in zip((*rows, rows[0]), asked, ("wer", "mean_outcome", "wer"), strict=False):
        one, other = (bakeoff.evaluate(p, measure).to_frame().sort_values("model") for p in (theirs, mine))
        assert one["n"].tolist() == other["n"].tolist()
        assert_same(one, other)
        first, second = (bakeoff.compare(p, measure, rng=0).pair("a", "b") for p in (theirs, mine))
        assert first.pvalue == pytest.approx(second.pvalue, rel=1e-9, abs=1e-15)
    if design == "attempts":
        assert_same(*(bakeoff.evaluate(p[1], "pass@2").to_frame().sort_values("model") for p in (rows, asked)))
    if design == "slices":
        assert_same(*(bakeoff.evaluate(p[0], "wer", by="s").slices.to_frame().sort_values(["model", "slice"])
                      for p in (rows, asked)))  # fmt: skip


def test_items_in_a_lazy_table_are_checked(items):
    with pytest.raises(EvidenceError, match="item 0 comes more than once for model 'a'"):
        Predictions.from_sums(items.lazy(), item="item", model="model", columns="edits")
    with pytest.raises(EvidenceError, match="needs the column of the model"):
        Predictions.from_sums(items.lazy(), item="line", columns="edits")
    with pytest.raises(EvidenceError, match="group must be the same on all rows of an item"):
        Predictions.from_sums(items.lazy(), item="line", model="model", columns="edits", groups="right")
    gap = items.with_columns(edits=pl.when(pl.col("line") == 3).then(None).otherwise(pl.col("edits")))
    with pytest.raises(EvidenceError, match="no usable value in 'edits'"):
        Predictions.from_sums(gap.lazy(), item="line", model="model", columns="edits")
    with pytest.raises(EvidenceError, match="no column 'nope'"):
        Predictions.from_sums(items.lazy(), item="line", model="model", columns="nope")
    with pytest.raises(EvidenceError, match="min_cell joins neighbouring scores"):
        Predictions.from_sums(items, item="line", model="model", columns="edits").counts(min_cell=5)


def test_items_of_three_sites_add_up(items, tmp_path):
    adding: dict[str, Any] = {"item": "line", "model": "model", "columns": ["edits", "ref_length"], "groups": "g"}
    parts = [
        Predictions.from_sums(items.filter(pl.col("g") % 3 == k), **adding).counts().save(tmp_path / f"{k}.counts")
        for k in range(3)
    ]
    one, two, three = (Counts.load(file) for file in parts)
    whole = Predictions.from_sums(items, **adding)
    merged = one + two + three
    assert_same(*(bakeoff.evaluate(p, "wer").to_frame().sort_values("model") for p in (whole, merged)))
    mine, theirs = (bakeoff.compare(p, "wer").pair("a", "b") for p in (merged, whole))
    assert mine.pvalue == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("column", "odd", "words"),
    [
        ("sa", None, "1 rows have no usable value in 'sa'"),
        ("sa", np.nan, "1 rows have no usable value in 'sa'"),
        ("sb", np.inf, "1 rows have no usable value in 'sb'"),
        ("sb", -np.inf, "1 rows have no usable value in 'sb'"),
        ("y", None, "1 rows have no usable value in 'y'"),
        ("la", None, "1 rows have no usable value in 'la'"),
        ("w", -1.0, "1 rows have a negative value in 'w'"),
    ],
)
def test_odd_values_give_one_sentence_on_every_engine(frame, engine, column, odd, words):
    kind = frame.schema[column]
    values = frame[column].to_list()
    values[7] = odd
    bad = frame.with_columns(pl.Series(column, values, dtype=kind, strict=False))
    with pytest.raises(EvidenceError, match=words):
        Predictions.scan(native(engine, bad), **ROLES, sample_weight="w")


def _at(column: str, odd: Any) -> pl.Expr:
    return pl.when(pl.col("i") == 7).then(pl.lit(odd)).otherwise(pl.col(column)).alias(column)


REFUSED: list[tuple[pl.Expr, dict[str, Any], str]] = [
    (_at("c", 1.5), {"frequency": "c"}, "1 rows have no whole number of cases in 'c'"),
    (_at("c", None), {"frequency": "c"}, "1 rows have no usable value in 'c'"),
    (_at("c", np.nan), {"frequency": "c"}, "1 rows have no usable value in 'c'"),
    (pl.lit(0).alias("c"), {"frequency": "c"}, "'c' is zero everywhere"),
    (pl.lit(0.0).alias("w"), {"sample_weight": "w"}, "'w' is zero everywhere"),
    (_at("d", None), {"dataset": "d"}, "1 rows have no usable value in 'd'"),
    (_at("t", "NA"), {"y_true": "t"}, r"seem to say that the truth is missing: 'NA' \(1 rows\)"),
    (_at("t", "unknown"), {"y_true": "t"}, "seem to say that the truth is missing: 'unknown'"),
    (_at("t", ""), {"y_true": "t"}, "seem to say that the truth is missing: ''"),
    (_at("t", "NO"), {"y_true": "t"}, "differ only in spaces or upper and lower case"),
    (_at("t", "no "), {"y_true": "t"}, "differ only in spaces or upper and lower case"),
    (_at("y", -999), {}, "seem to say that the truth is missing: -999"),
]


@pytest.mark.parametrize("engine", ["polars", "duckdb", "ibis-duckdb", "ibis-sqlite", "dask"])
@pytest.mark.parametrize(
    "classes",
    [(datetime(2020, 1, 1), datetime(2021, 1, 1)), (False, True), (0, 2**62 + 5), ("a b", "ä"), (0.5, 1.5)],
    ids=str,
)
def test_classes_of_any_kind_are_found_again_by_the_engine(frame, engine, classes):
    table = frame.select("sa", "sb", truth=pl.Series([classes[i] for i in frame["y"]]))
    roles = {"y_true": "truth", "y_score": {"a": "sa", "b": "sb"}, "pos_label": classes[1]}
    here = Predictions.from_arrays(frame["y"], y_score={m: frame[f"s{m}"] for m in "ab"})
    there = Predictions.scan(native(engine, table), **roles)
    assert_same(*(bakeoff.evaluate(p, "auc", baselines=False).to_frame() for p in (there, here)))


@pytest.mark.parametrize("weight", [0.1, 3.0])
@pytest.mark.parametrize("written", [2**20, 100])
def test_equal_importance_is_none(frame, monkeypatch, weight, written):
    monkeypatch.setattr("bakeoff.evidence._counted.WRITTEN", written)  # where kinds are not written out again
    frame = frame.with_columns(w=pl.lit(weight), sa=pl.col("sa").round(3))
    here = bakeoff.evaluate(Predictions.from_frame(frame, **ROLES), ["accuracy", "auc"]).to_frame()
    there = Predictions.scan(frame.lazy(), **ROLES, sample_weight="w")
    again = bakeoff.evaluate(there, ["accuracy", "auc"]).to_frame()
    assert_same(again, here)
    assert again["method"].to_list() == here["method"].to_list()


@pytest.mark.parametrize("engine", ENGINES)
def test_what_arrays_refuse_is_not_counted(frame, engine):
    """Marks of a missing truth, and sizes that are no numbers of cases: one sentence on every engine, before counts."""
    text = pl.when(pl.col("y") == 1).then(pl.lit("yes")).otherwise(pl.lit("no"))
    small = frame.head(60).with_row_index("i").with_columns(pl.col("i").cast(pl.Int64), t=text)
    for column, keys, words in REFUSED:
        bad, roles = small.with_columns(column), {"y_true": "y", "y_score": {"a": "sa"}, "pos_label": 1} | keys
        roles |= {"pos_label": "yes"} if roles["y_true"] == "t" else {}
        with pytest.raises(EvidenceError, match=words):
            Predictions.scan(native(engine, bad), **roles)


@pytest.mark.parametrize("engine", ENGINES)
def test_models_of_a_long_table_have_the_same_cases(frame, engine):
    """A join would leave out what one model lacks, and take the truth of the first."""
    wide = frame.head(60).with_row_index("i").select(pl.col("i").cast(pl.Int64), "y", "g", "sa", "sb")
    a, b = (wide.select("i", "y", "g", pl.col(s).alias("s"), pl.lit(m).alias("m")) for m, s in ((1, "sa"), (2, "sb")))
    roles: dict[str, Any] = {"y_true": "y", "y_score": "s", "model": "m", "instance": "i", "groups": "g"}
    for other, words in (
        (b.head(50), "they share 50 and have: '1' 60, '2' 50"),
        (pl.concat([b.head(59), b.head(1)]), "case 0 comes more than once for model 2"),
        (b.with_columns(y=1 - pl.col("y")), "'y' differs between '1' and '2' in 60 rows"),
        (b.with_columns(_at("g", -1)), "'g' differs between '1' and '2' in 1 rows"),
        (b.with_columns(_at("i", None)), "1 rows have no usable value in 'i'"),
    ):
        with pytest.raises(EvidenceError, match=words):
            Predictions.scan(native(engine, pl.concat([a, other])), **roles)
    assert Predictions.scan(native(engine, pl.concat([a, b])), **roles).models == ("1", "2")
    with pytest.raises(bakeoff.ParameterError, match="3"):
        Predictions.scan(native(engine, pl.concat([a, b])), **roles, models=["1", "3"])


@pytest.mark.parametrize("engine", ["polars", "duckdb", "ibis-duckdb"])
def test_decimals_are_numbers_on_every_engine(frame, engine):
    """Whole numbers of a warehouse are often decimals; a label 1 of one column is the label 1.00 of another."""
    decimal = frame.head(60).with_columns(pl.col("y", "g", "c").cast(pl.Decimal(10, 2)))
    keys: dict[str, Any] = {"groups": "g", "frequency": "c"}
    rows, asked = (
        Predictions.from_frame(frame.head(60), **ROLES, **keys),
        Predictions.scan(native(engine, decimal), **ROLES, **keys),
    )
    assert_same(*(bakeoff.evaluate(p, ["accuracy", "auc"]).to_frame() for p in (rows, asked)))


def test_one_class_seen_of_an_evident_two_is_counted_as_of_arrays(frame):
    """A site without cases has counts that add up with the others'."""
    part = frame.filter(pl.col("y") == 0).head(40)
    none, some = Predictions.scan(part.lazy(), **ROLES).counts(), Predictions.from_frame(frame[900:], **ROLES).counts()
    assert none.table().classes == (0, 1)
    pooled = Predictions.from_frame(pl.concat([part, frame[900:]]), **ROLES)
    assert_same(*(bakeoff.evaluate(p, ["accuracy", "auc"]).to_frame() for p in (none + some, pooled)))


def test_slices_of_many_rows_count_rows_and_not_kinds(frame, monkeypatch):
    from bakeoff.evidence import _counted

    monkeypatch.setattr(_counted, "WRITTEN", 10)
    arrays = Predictions.from_frame(frame, **ROLES, slices=["k"])
    asked = Predictions.scan(frame.lazy(), **ROLES, slices=["k"])
    for verb in (bakeoff.evaluate, bakeoff.compare):
        mine, theirs = (verb(p, "accuracy", by="k", rng=0).slices.to_frame()["n"].tolist() for p in (asked, arrays))
        assert mine == theirs


def test_text_for_scores_and_a_missing_column_are_refused(frame):
    text = frame.with_columns(pl.col("sa").cast(pl.String))
    with pytest.raises(EvidenceError, match="'sa' holds String, not numbers"):
        Predictions.scan(text.lazy(), **ROLES)
    with pytest.raises(EvidenceError, match="no column 'nope'"):
        Predictions.scan(frame.lazy(), y_true="nope", y_score={"a": "sa"})
    with pytest.raises(bakeoff.ParameterError, match="lazy frame"):
        Predictions.scan([1, 2], y_true="y", y_score={"a": "sa"})


@pytest.mark.parametrize("cut", [{}, {"slices": ["s"]}])
def test_every_verb_takes_counts_and_shows_them(frame, cut, tmp_path):
    """Counts are a noun as others are: one line, a small table, a page; every verb takes them."""
    frame = frame.head(300)
    scanned = Predictions.scan(frame.lazy(), **ROLES, **cut)
    counts = Predictions.from_frame(frame, **ROLES, **cut).counts()
    for noun, name in ((scanned, "Scanned"), (counts, "Counts")):
        assert repr(noun) == f"{name}(300 rows, 2 models (a, b), 1 data set, binary)"
        assert "binary" in str(noun)
        assert "<table" in noun._repr_html_()
        assert bakeoff.decide(noun, cost_fp=1, cost_fn=3, rng=0).model in ("a", "b")
        assert bakeoff.gate(noun, baseline="a", candidate="b", measure="auc", margin=0.3).passed
    page = bakeoff.report(counts).save(tmp_path / "page.html")
    assert "<main" in page.read_text()


def test_delta_tables_and_arrow_data_sets_are_counted_where_they_are(frame, tmp_path):
    """A Delta table keeps the files of old versions beside the valid ones; only its log tells which are which."""
    deltalake = pytest.importorskip("deltalake")
    dataset = pytest.importorskip("pyarrow.dataset")
    table = tmp_path / "table"
    frame.head(600).write_delta(str(table))
    frame.write_delta(str(table), mode="overwrite")
    (tmp_path / "arrow").mkdir()
    frame.write_ipc(tmp_path / "arrow" / "part.arrow")
    columns: dict[str, Any] = {"y_true": "y", "y_score": ["sa", "sb"]}
    theirs = bakeoff.evaluate(Predictions.from_frame(frame, **columns), "auc").to_frame()
    for asked in (
        bakeoff.read(table, **columns),
        Predictions.read(table, **columns),
        Predictions.scan(deltalake.DeltaTable(str(table)), **columns),
        Predictions.scan(dataset.dataset(tmp_path / "arrow", format="arrow"), **columns),
        bakeoff.read(tmp_path / "arrow", **columns),
    ):
        assert asked.n == 1200
        assert_same(bakeoff.evaluate(asked, "auc").to_frame(), theirs)
    assert "delta" in bakeoff.evidence.formats()
    next((table / "_delta_log").glob("*0.json")).write_text("{")
    with pytest.raises(EvidenceError, match="Delta table"):
        bakeoff.read(table, **columns)


def test_the_queries_can_be_read(frame):
    told = Predictions.scan(native("duckdb", frame), **ROLES).explain(["auc", "median_absolute_error"])
    assert "scores of a" in told
    assert "GROUP BY" in told.upper()
    assert "median_absolute_error" in told
    assert f"scores of b, {frame.select('y', 'sb').n_unique()} lines" in told
    derived = Predictions.scan(frame.lazy(), y_true="y", y_score=["sa"]).explain("accuracy")  # labels from scores
    assert "labels of sa, 4 lines" in derived


def test_many_scores_are_rounded_and_a_pair_is_counted_by_coarse_bins(monkeypatch):
    """Beyond `max_scores` the tally has 16 bits and the joint tally fewer: the standard error stays within 1 %."""
    from bakeoff.evidence import _counted

    for limit in ("MAX_SCORES", "WRITTEN"):
        monkeypatch.setattr(_counted, limit, 3000)
    random, n = np.random.default_rng(3), 40_000
    y = random.random(n) < 0.2
    z = 1.2 * y + random.normal(size=n)
    table = pl.DataFrame(
        {"y": y.astype(int), "a": 1 / (1 + np.exp(-z)), "b": 1 / (1 + np.exp(-z - random.normal(size=n)))}
    )
    roles: dict[str, Any] = {"y_true": "y", "y_score": ["a", "b"]}
    rows = bakeoff.compare(Predictions.from_frame(table, **roles), "auc", test="linearized").pairs[0]
    counted = bakeoff.compare(Predictions.scan(table.lazy(), **roles, max_scores=3000), "auc", test="linearized").pairs[
        0
    ]
    assert counted.estimate == pytest.approx(rows.estimate, abs=2e-5)
    assert (counted.high - counted.low) / (rows.high - rows.low) == pytest.approx(1, abs=0.01)
    folds = table.with_columns(fold=pl.int_range(n) % 5)  # bins of all rows do not tell what a fold's own tally would
    over_folds = Predictions.scan(folds.lazy(), **roles, fold="fold", max_scores=3000)
    with pytest.raises(EvidenceError, match="too many to be counted together fold by fold"):
        bakeoff.compare(over_folds, "auc")


# -- counts that travel -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("design", ["rows", "groups", "frequencies"])
def test_three_sites_give_the_answers_of_the_pooled_rows(frame, design, tmp_path, capsys):
    keys = DESIGNS[design]
    site = frame["g"].to_numpy() % 3
    parts = []
    for k in range(3):
        counted = Predictions.from_frame(frame.filter(pl.Series(site == k)), **ROLES, **keys).counts()
        parts.append(Counts.load(counted.save(tmp_path / f"{k}.counts")))
    assert "stand alone" in capsys.readouterr().out
    merged, pooled = parts[0] + parts[1] + parts[2], Predictions.from_frame(frame, **ROLES, **keys)
    assert_same(*(bakeoff.evaluate(p, MEASURES).to_frame() for p in (merged, pooled)))
    for measure in ("accuracy", "auc", "brier"):
        mine, theirs = (bakeoff.compare(p, measure, rng=0).pairs[0] for p in (merged, pooled))
        assert mine.pvalue == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-15)


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")  # uneven weights
@pytest.mark.parametrize("keys", [{}, {"sample_weight": "w"}, {"frequency": "c"}])
def test_a_second_round_gives_the_paired_auc_of_groups(frame, keys, tmp_path):
    """Counts without groups are added up first; then each site sends sums of placements by group, not scores by it."""
    site = frame["g"].to_numpy() % 3
    parts = [frame.filter(pl.Series(site == k)) for k in range(3)]
    first = [Predictions.from_frame(part, **ROLES, **keys).counts() for part in parts]
    merged = first[0] + first[1] + first[2]
    grouped: dict[str, Any] = {**ROLES, **keys, "groups": "g"}
    second = []
    for k, part in enumerate(parts):
        made = Predictions.scan(part.lazy(), **grouped).counts(merged=merged)
        assert all(not {"group", "score0"} <= set(table) for table in made.stored["data"].tables.values())
        second.append(Counts.load(made.save(tmp_path / f"{k}.counts")))
    mine, rows = second[0] + second[1] + second[2], Predictions.from_frame(frame, **grouped)
    for test in ("linearized", "delong", "auto"):
        one, other = (bakeoff.compare(p, "auc", test=test, rng=0) for p in (mine, rows))
        assert one.choice.chosen == other.choice.chosen
        assert one.pairs[0].pvalue == pytest.approx(other.pairs[0].pvalue, rel=1e-9)
        assert one.pairs[0].low == pytest.approx(other.pairs[0].low, abs=1e-12)
    assert_same(*(bakeoff.evaluate(p, ["accuracy", "auc"]).to_frame() for p in (mine, rows)))
    assert [n.code for n in mine.notes] == ["sums-by-group", *(["sums-of-weights"] if "sample_weight" in keys else [])]
    with pytest.raises(EvidenceError, match="not of all the sites of the first"):
        bakeoff.evaluate(second[0] + second[1], "auc")
    with pytest.raises(EvidenceError, match="this needs scores"):
        bakeoff.evaluate(mine, "average_precision")
    with pytest.raises(EvidenceError, match="scores of model 'a' are needed"):
        mine.table().about(("a",), "scores").scores("a")


def test_a_second_round_is_refused_where_it_cannot_be(frame):
    merged = Predictions.from_frame(frame[:600], **ROLES).counts()
    with pytest.raises(EvidenceError, match="is for rows in groups"):
        Predictions.from_frame(frame[:600], **ROLES).counts(merged=merged)
    with pytest.raises(EvidenceError, match="scores that the counts of the first round do not hold"):
        Predictions.from_frame(frame[600:], **ROLES, groups="g").counts(merged=merged)
    with pytest.raises(EvidenceError, match="is for one test set"):
        Predictions.from_frame(frame[:600], **ROLES, groups="g", fold="f").counts(merged=merged)


def test_counts_of_weights_have_the_linearised_answers(frame):
    p = Predictions.from_frame(frame, **ROLES, sample_weight="w")
    both = (bakeoff.evaluate(q, MEASURES, interval="linearized").to_frame() for q in (p, p.counts()))
    assert_same(*both)
    assert [n.code for n in p.counts().notes] == ["sums-of-weights"]


def test_the_same_tables_give_the_same_bytes_and_every_edit_is_refused(frame, tmp_path):
    file = Predictions.from_frame(frame, **ROLES).counts(score_bits=8).save(tmp_path / "x.counts")
    again = Predictions.from_frame(frame[::-1], **ROLES).counts(score_bits=8).save(tmp_path / "y.counts")
    content = file.read_bytes()
    assert content == again.read_bytes()
    random = np.random.default_rng(0)
    for _ in range(400):
        edited = bytearray(content)
        place = int(random.integers(len(edited)))
        if random.random() < 0.5:
            edited[place] ^= 1 << int(random.integers(8))
        else:
            del edited[place : place + int(random.integers(1, 50))]
        file.write_bytes(bytes(edited))
        with pytest.raises(EvidenceError, match=r"damaged or was edited|no counts file"):
            Counts.load(file)


def _signed(members: dict[str, bytes]) -> bytes:
    """A counts file whose hashes were made again by whoever edited it."""
    manifest = json.loads(members["manifest.json"])
    if isinstance(manifest.get("members"), dict):
        manifest["members"] = {k: {"sha256": hashlib.sha256(members[k]).hexdigest()} for k in manifest["members"]}
    text = json.dumps(manifest).encode()
    members = {**members, "manifest.json": text, "manifest.sha256": hashlib.sha256(text).hexdigest().encode()}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        for name, content in members.items():
            file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    return out.getvalue()


def test_a_manifest_that_was_edited_and_signed_again_is_refused(frame, tmp_path):
    """Hashes anyone can make; what the manifest tells must be what the tables hold, and nothing may crash."""
    files = [Predictions.from_frame(part, **ROLES).counts().save(tmp_path / "x.counts").read_bytes()
             for part in (frame[:300], frame[300:])]  # fmt: skip
    opened = []
    for content in files:
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            opened.append({name: file.read(name) for name in file.namelist()})
    one, other = opened
    edited = [{**one, "0-tally0.parquet": other["0-tally0.parquet"]}, {**one, "more.parquet": b"x"}]
    changes: dict[str, Any] = {
        "n": 5, "classes": [1, 0], "pos_label": 0, "models": ["x", "y"], "sites": [], "score_bits": {"a": 4, "b": 4},
        "keys": ["group"], "weighted": True, "tables": {}, "min_cell": 9, "against": "00", "content": None,
    }  # fmt: skip
    facts = json.loads(one["manifest.json"])
    for key, value in changes.items():
        whole = {**facts, "datasets": {"data": {**facts["datasets"]["data"], key: value}}}
        edited.append({**one, "manifest.json": json.dumps(whole).encode()})
    for key, value in {"version": 0, "datasets": {}, "members": {}}.items():
        edited.append({**one, "manifest.json": json.dumps({**facts, key: value}).encode()})
        edited.append({**one, "manifest.json": json.dumps({k: v for k, v in facts.items() if k != key}).encode()})
    edited.append({k: v for k, v in one.items() if k != "0-joint.parquet"})
    for members in edited:
        kept = {k: v for k, v in members.items() if k != "manifest.sha256"}
        listed = json.loads(kept["manifest.json"])
        listed["members"] = {k: v for k, v in (listed.get("members") or {}).items() if k in kept}
        (tmp_path / "e.counts").write_bytes(_signed({**kept, "manifest.json": json.dumps(listed).encode()}))
        with pytest.raises(EvidenceError, match="damaged or was edited"):
            Counts.load(tmp_path / "e.counts")
    (tmp_path / "e.counts").write_bytes(_signed({**one, "manifest.json": json.dumps({**facts, "version": 2}).encode()}))
    with pytest.raises(EvidenceError, match="newer bakeoff"):
        Counts.load(tmp_path / "e.counts")


def test_counts_of_a_scan_and_of_arrays_add_up(frame):
    """Whatever the order in which keys were named, and whether the one repeat was named at all."""
    keys: dict[str, Any] = {"fold": "f", "groups": "g", "slices": ["s", "k"]}
    parts = Predictions.scan(frame[:600].lazy(), **ROLES, **keys), Predictions.from_frame(frame[600:], **ROLES, **keys)
    assert (parts[0].counts() + parts[1].counts()).n == 1200


def test_what_does_not_add_up_is_refused(frame, tmp_path):
    def counts(table: pl.DataFrame, **options: Any) -> Counts:
        return Predictions.from_frame(table, **ROLES).counts(**options)

    one = counts(frame[:600])
    with pytest.raises(EvidenceError, match="given twice"):
        one + counts(frame[:600])
    with pytest.raises(EvidenceError, match="given twice, once rounded more"):
        one + counts(frame[:600], score_bits=8)
    days = pl.when(pl.col("y") == 1).then(pl.date(2026, 1, 2)).otherwise(pl.date(2026, 1, 1))
    with pytest.raises(EvidenceError, match="classes that are text, numbers or booleans"):
        Predictions.from_frame(frame.select(y=days, a=days), y_true="y", y_pred=["a"]).counts()
    with pytest.raises(EvidenceError, match="rounded to 8 bits here and to 9 there"):
        counts(frame[:600], score_bits=8) + counts(frame[600:], score_bits=9)
    with pytest.raises(EvidenceError, match="same models"):
        one + Predictions.from_frame(frame[600:], y_true="y", y_score={"a": "sa"}).counts()
    mixed = counts(frame[:600], score_bits=8) + counts(frame[600:])
    assert mixed.n == 1200
    foreign = tmp_path / "foreign.counts"
    foreign.write_bytes(b"score,label\n")
    with pytest.raises(EvidenceError, match="no counts file"):
        Counts.load(foreign)


@pytest.mark.parametrize("samples", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_bounds_hold_what_rounding_hides(samples):
    """Random small samples with ties × two roundings and joined bins: the value of the rows is never outside."""
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    random, outside, tried = np.random.default_rng(1), 0, 0
    while tried < samples:
        n = int(random.integers(4, 14))
        y, s = random.integers(0, 2, n), random.choice(random.random(8), n)
        if y.min() == y.max():
            continue
        tried += 1
        p = Predictions.from_arrays(y, y_score={"m": s})
        fpr, tpr, _ = roc_curve(y, s, drop_intermediate=False)
        truth = {
            "auc": roc_auc_score(y, s),
            "average_precision": average_precision_score(y, s),
            "ks": np.abs(tpr - fpr).max(),
        }
        for options in ({"score_bits": 2}, {"score_bits": 4}, {"min_cell": 3}):
            held = p.counts(measures="auc", **options)
            for name, value in truth.items():
                low, high = held.bounds("m", name)
                outside += not low - 1e-12 <= value <= high + 1e-12
    assert outside == 0
    exact = Predictions.from_arrays([0, 1, 1, 0], y_score={"m": [0.1, 0.8, 0.5, 0.5]}).counts()
    assert exact.bounds("m", "auc") == (0.875, 0.875)


@pytest.mark.slow
def test_a_counts_file_of_ten_million_rows_is_small(tmp_path):
    """At 16 bits a model takes no more than 1 MB."""
    random, n = np.random.default_rng(0), 10_000_000
    y = (random.random(n) < 0.04).astype(np.int8)
    frame = pl.LazyFrame({"y": y, "s": 1 / (1 + np.exp(2.5 - 1.5 * y - 1.2 * random.normal(size=n)))})
    counts = Predictions.scan(frame, y_true="y", y_score="s").counts(measures="auc", score_bits=16)
    size = counts.save(tmp_path / "x.counts").stat().st_size
    assert counts.n == n
    assert size <= 1_000_000


def test_a_scan_enters_few_more_files_than_arrays(frame):
    from benchmarks.walks import files_entered

    roles: dict[str, Any] = {"y_true": "y", "y_score": ["sa", "sb"]}
    made = (lambda: Predictions.from_frame(frame, **roles), lambda: Predictions.scan(frame.lazy(), **roles))
    arrays, scan = (files_entered(lambda make=make: bakeoff.evaluate(make(), "auc")) for make in made)
    assert len(scan) <= len(arrays) + 3


@pytest.mark.filterwarnings("ignore::bakeoff.BakeoffWarning")  # accuracy is not available
@pytest.mark.parametrize("measures", [None, "accuracy", "auc"])
def test_scores_that_are_no_probabilities_have_no_labels(frame, measures):
    """A score above 1 is not cut at ½: not in a scan, not in counts, not where one site of two has only low ones."""
    roles: dict[str, Any] = {"y_true": "y", "y_score": {"a": "va", "b": "vb"}}
    low = frame.filter(pl.col("va").is_between(0, 1), pl.col("vb").is_between(0, 1))
    high = frame.join(low, on="va", how="anti")
    whole, site = Predictions.from_frame(frame, **roles), Predictions.from_frame(low, **roles)
    with pytest.raises(EvidenceError, match="nothing of this evidence can be counted"):
        whole.counts(measures="accuracy")
    merged = site.counts(measures=measures if measures != "accuracy" else None) + Predictions.scan(
        high.lazy(), **roles
    ).counts(measures="auc" if measures == "auc" else None)
    for p in (whole, Predictions.scan(frame.lazy(), **roles), whole.counts(), merged):
        with pytest.raises(EvidenceError, match="needs labels of model 'a'"):
            bakeoff.evaluate(p, "accuracy")
        with pytest.raises(EvidenceError, match="labels"):
            bakeoff.compare(p, "accuracy")
        shown = bakeoff.evaluate(p, ["accuracy", "auc"], baselines=True).to_frame().set_index(["model", "measure"])
        assert np.isnan(shown.loc[("a", "accuracy"), "estimate"])
        assert shown.loc[("a", "auc"), "estimate"] == pytest.approx(bakeoff.evaluate(whole, "auc")["a", "auc"].estimate)


def test_models_whose_joined_scores_cannot_be_compared_are_still_measured(frame):
    counts = Predictions.from_frame(frame, **ROLES).counts(min_cell=10)
    shown = bakeoff.evaluate(counts, ["auc", "accuracy"], baselines=True)
    low, high = counts.bounds("a", "auc")
    exact = bakeoff.evaluate(Predictions.from_frame(frame, **ROLES), "auc")["a", "auc"].estimate
    assert low <= min(exact, shown["a", "auc"].estimate) <= max(exact, shown["a", "auc"].estimate) <= high
    assert f"AUC of the rows is between {low:.4f} and {high:.4f}" in " ".join(str(shown).split())
    assert "rounded-scores" in {n.code for n in shown["b", "auc"].notes}
    assert not bakeoff.evaluate(Predictions.from_frame(frame, **ROLES).counts(), "auc")["a", "auc"].notes
    coarse = bakeoff.evaluate(Predictions.scan(frame.lazy(), **ROLES, score_bits=3), "auc")
    assert "scores of 'b' are rounded" in str(coarse)
    assert counts.select(models=["a"]).models == ("a",)
    with pytest.raises(EvidenceError, match="no scores of 'a', 'b' together"):
        bakeoff.compare(counts, "auc")


def test_trivial_models_come_with_counts_too(frame):
    arrays, asked = Predictions.from_frame(frame, **ROLES), Predictions.scan(frame.lazy(), **ROLES)
    assert_same(*(bakeoff.evaluate(p, ["accuracy", "auc"], baselines=True).to_frame() for p in (arrays, asked)))
